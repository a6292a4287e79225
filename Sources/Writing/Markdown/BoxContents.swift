// The kind of each box's contents, as far as it affects lines of Markdown: computed once for all boxes, from the last one up.

import FancyTextBoxes
import FancyTextGeneration
import FancyTextMarkup
import FancyTextStyling

package struct BoxContents {
    enum Extent: Comparable {
        /// Words, pictures and controls: contents of a line and of a table's cell.
        case words
        case paragraph
        /// Several blocks, or one that is more than a paragraph.
        case blocks
    }

    private(set) var extent = Extent.words
    /// True if its inline contents include a block: its paragraph ends before the block and continues after it.
    private(set) var splitsParagraph = false
    /// The number of its children with text.
    private var children = 0

    /// - Complexity: linear in the number of boxes and their items.
    package static func all(of text: BoxTree, _ tree: MarkupTree?) -> [BoxContents] {
        var all = [BoxContents](repeating: BoxContents(), count: text.boxes.count)
        for index in text.boxes.indices.reversed() {
            let box = text.boxes[index]
            if box.holdsInlines { all[index].splitsParagraph = splitsParagraph(box, text, tree, all) }
            all[index].finish(box, tag(of: index, in: text, tree))
            guard box.parent >= 0 else { continue }
            all[box.parent].extent = max(all[box.parent].extent, all[index].extent)
            if !box.text.isEmpty { all[box.parent].children += 1 }
        }
        return all
    }

    /// The tag of the element that generated the box; none for boxes of pseudo-elements and anonymous boxes.
    package static func tag(of index: Int, in text: BoxTree, _ tree: MarkupTree?) -> TagID {
        let box = text.boxes[index]
        guard let tree, !box.isAnonymous, tree.kind(box.element) == .element,
            box.parent < 0 || text.boxes[box.parent].element != box.element
        else { return .none }
        return tree.tag(box.element)
    }

    /// The text in place of a picture or formula; empty if it has none.
    package static func alternative(of index: Int, in text: BoxTree, _ tree: MarkupTree) -> String {
        guard text.boxes.indices.contains(index) else { return "" }
        let box = text.boxes[index]
        switch tree.tag(box.element) {
        case .svg where box.replaced >= 0:
            let name = ForeignText.title(of: box.element, in: tree)
            return name.isEmpty ? ForeignText.description(of: box.element, in: tree) : name
        case .math where box.kind == .math:
            let shown = Set(text.boxes[index..<box.end].map(\.element))
            return MathText.line(of: box.element, in: tree, isShown: shown.contains)
        default: return box.replaced < 0 ? "" : text.replaced[box.replaced].alternative
        }
    }

    /// The tag of a heading or item that is displayed in a line, which Markdown keeps; nil for other inline boxes.
    ///
    /// - Parameter around: the element whose contents the line is: inline boxes of the same name belong to its pseudo-elements.
    static func inlineBlock(_ element: NodeID, around: NodeID, in tree: MarkupTree?) -> TagID? {
        guard let tree, element != around, tree.kind(element) == .element else { return nil }
        let tag = tree.tag(element)
        return tag == .li || tag.headingLevel > 0 ? tag : nil
    }

    private mutating func finish(_ box: StyledBox, _ tag: TagID) {
        switch box.kind {
        case .ruby, .math: extent = .words
        case .flex, .grid, .image, .lambda: break
        // Items side by side count as words, and so do the parts of a control.
        case .block, .table, .tableRowGroup, .tableRow, .tableCell, .tableCaption, .tableColumn, .tableColumnGroup:
            if !box.holdsInlines, children > 1, box.control < 0 { extent = .blocks }
        }
        if splitsParagraph { extent = .blocks }
        switch tag {
        case .p: extent = max(extent, .paragraph)
        case .ul, .ol, .menu, .dl, .li, .pre, .listing, .xmp, .blockquote, .hr: extent = .blocks
        case .input, .textarea, .select: extent = .words
        default: if tag.headingLevel > 0 { extent = .blocks }
        }
    }

    private static func splitsParagraph(
        _ box: StyledBox, _ text: BoxTree, _ tree: MarkupTree?, _ all: [BoxContents]
    ) -> Bool {
        text.items[box.items.clamped(to: 0..<text.items.count)].contains { item in
            switch item {
            case .atomic(let child, _): all[child].extent != .words
            case .float(let child): takesLines(child, text, tree, all)
            case .open(_, let element): inlineBlock(element, around: box.element, in: tree) != nil
            case .text, .close, .breakOpportunity: false
            }
        }
    }

    /// Returns whether a table contains data: it has header cells, or rows of several cells of words, as GitHub's tables need.
    package static func isData(_ grid: TableGrid, _ text: BoxTree, _ tree: MarkupTree?, _ all: [BoxContents]) -> Bool {
        let box = text.boxes[grid.box]
        if let tree, !box.isAnonymous, tree.kind(box.element) == .element, TableText.isPresentation(box.element, tree) {
            return false
        }
        if let first = grid.rows.first, tag(of: first.group, in: text, tree) == .thead { return true }
        let cells = grid.rows.lazy.flatMap { grid.cells[$0.cells] }
        if cells.contains(where: { tag(of: $0.box, in: text, tree) == .th }) { return true }
        return TableText.isData(grid) && !cells.contains { all[$0.box].extent == .blocks }
    }

    /// Returns whether a box out of the flow is separated from its line, like a block. A floating word or picture is not.
    static func takesLines(_ child: Int, _ text: BoxTree, _ tree: MarkupTree?, _ all: [BoxContents]) -> Bool {
        if all[child].extent != .words { return true }
        let tag = tag(of: child, in: text, tree)
        return tag != .none && DefaultStyles.isBlock(tag)
    }
}
