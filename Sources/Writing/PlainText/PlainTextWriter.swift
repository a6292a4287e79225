// Styled text as a person would read it: the boxes in order, each on separate lines, and tables in columns. In: a BoxTree, with
// every decision that several outputs share. Out: UTF-8. TextWriter collapses margins into blank lines, indents lines and wraps
// them. TextExtractor drives the same writer from the tree, for documents whose styles make no difference.

import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup
import FancyTextStyling

package struct PlainTextWriter {
    private let text: BoxTree
    private let styled: StyledTree
    private let tree: MarkupTree
    private let options: PlainTextOptions
    private var writer: TextWriter
    private var notes = LinkNotes()
    /// The links whose text is being written, outermost first, and the length of the output before each.
    private var links: [(link: Int, node: NodeID, start: Int)] = []
    /// Open lists whose contents, except items, are indented.
    private var insetLists: [NodeID] = []
    /// The number of open tables that are laid out in columns.
    private var tableDepth = 0

    /// The text of a whole document. Linear in its boxes and text.
    package static func text(of text: BoxTree, _ styled: StyledTree, options: PlainTextOptions) -> [UInt8] {
        var plain = PlainTextWriter(
            text: text, styled: styled, tree: styled.tree, options: options,
            writer: TextWriter(options, expected: text.text.count))
        plain.writeContents(of: 0)
        plain.endLinks(downTo: 0)
        var result = plain.writer.finish()
        plain.notes.append(to: &result)
        return result
    }

    // MARK: Blocks

    private mutating func writeContents(of index: Int) {
        if text.boxes[index].holdsInlines { return writeItems(of: index) }
        let holdsItems = text.boxes[index].holdsItems
        var followsLines = false
        var child = index + 1
        while child < text.boxes[index].end {
            defer { child = text.boxes[child].end }
            if text.boxes[child].isAnonymous, text.boxes[child].kind == .block {
                // Lines between blocks, or an item of a flex box or grid; other lines come from blocks nested too deep for boxes.
                if holdsItems || followsLines { writer.requireBreaks(1) }
                writeContents(of: child)
                if holdsItems { writer.requireBreaks(1) }
                followsLines = true
            } else {
                writeBlock(child)
                followsLines = false
            }
        }
    }

    private mutating func writeBlock(_ index: Int) {
        let box = text.boxes[index]
        let style = text.styles[box.style]
        begin(box.element)
        defer { if !box.isAnonymous { endLinks(in: box.element) } }
        if box.isReplaced { return writeReplaced(index, isBlock: true) }
        if box.kind == .table { return writeTable(index) }
        let isVisible = style.text.visibility == .visible
        if isElement(box), writer.writeElement(box.element, of: tree, isBlock: true, isVisible: isVisible) { return }
        let breaks = PlainText.isItemText(box.element, in: tree) ? 1 : Self.blockBreaks(style)
        let indent = writer.indent
        writer.requireBreaks(breaks)
        let (isListItem, tag) = (style.isListItem, isElement(box) ? tree.tag(box.element) : .none)
        let isInset =
            box.kind == .block && !isListItem && DefaultStyles.isList(tag) && !options.isSpeech
            && Self.hasMarkers(style)
        if isInset {
            writer.indent = min(writer.indent + TextWriter.listInset, TextWriter.widestIndent)
            insetLists.append(box.element)
        } else if isListItem && isElement(box) || tag == .li, let list = insetLists.last,
            tree.parent(box.element) == list
        {
            writer.indent = max(0, writer.indent - TextWriter.listInset)
        }
        if box.marker >= 0 {
            if !options.isSpeech { writer.place(marker: text.markers[box.marker].text) }
        } else if [.blockquote, .dd, .figure].contains(tag), !isListItem {
            writer.indent = min(writer.indent + Self.quoteIndent(style), TextWriter.widestIndent)
        }
        if box.kind == .ruby { writeRuby(index) } else { writeContents(of: index) }
        if !box.isAnonymous { endLinks(in: box.element) }
        if isInset { insetLists.removeLast() }
        writer.indent = indent
        if isListItem { writer.marker = [] }
        writer.requireBreaks(breaks)
    }

    /// Returns whether the box is the element's own, not a pseudo-element's or an anonymous one.
    private func isElement(_ box: StyledBox) -> Bool {
        !box.isAnonymous && tree.kind(box.element) == .element && styled.style(of: box.element) == box.style
    }

    /// The line breaks of a block: a margin of half a line or more is a blank line.
    static func blockBreaks(_ style: ComputedStyle) -> Int {
        let margin = max(style.box.margin.top?.px ?? 0, style.box.margin.bottom?.px ?? 0)
        return margin > 0 && margin >= style.font.size * 0.5 ? 2 : 1
    }

    static func hasMarkers(_ style: ComputedStyle) -> Bool {
        if case .none = style.text.listStyleType { style.text.listStyleImage != nil } else { true }
    }

    /// The indent of quotations, definitions and figures in columns; other margins are only for page layout.
    static func quoteIndent(_ style: ComputedStyle) -> Int {
        let margin = max(style.box.margin.left?.px ?? 0, style.box.margin.right?.px ?? 0)
        // A wider margin reserves space for something beside the text.
        return max(0, min(8, Int(bounded: margin / 10)))
    }

    // MARK: Elements with special text

    private mutating func writeReplaced(_ index: Int, isBlock: Bool) {
        let box = text.boxes[index]
        let isVisible = text.styles[box.style].text.visibility == .visible
        let isPicture = tree.tag(box.element) == .svg
        guard isPicture, ForeignText.hasText(box.element, in: tree) else {
            let alternative =
                isPicture ? ForeignText.title(of: box.element, in: tree) : text.replaced[box.replaced].alternative
            return writer.writeAlternative(isVisible ? alternative : "", isBlock: isBlock)
        }
        if isBlock { writer.requireBreaks(1) } else { writer.beginInlineBlock() }
        writeSVG(box.element)
        if isBlock { writer.requireBreaks(1) } else { writer.endInlineBlock() }
    }

    /// Writes the text elements of an SVG picture.
    private mutating func writeSVG(_ svg: NodeID) {
        tree.forEachDescendant(of: svg) { node in
            if tree.kind(node) == .element {
                if styled.computed(node).box.display == .none || ForeignText.isHidden(tree.tag(node)) { return false }
                if tree.tag(node) == .text { writer.placeAtom() }
            } else if tree.kind(node) == .text, let parent = tree.parent(node), ForeignText.shows(in: parent, of: tree)
            {
                let style = styled.computed(parent)
                guard style.text.visibility == .visible else { return true }
                writer.write(decoded: TextTransform.apply(style, to: tree.text(node)), Self.whiteSpace(style))
            }
            return true
        }
    }

    private mutating func writeRuby(_ index: Int) {
        for (position, part) in text.children(of: index).enumerated() {
            func write(bracket: String) {
                guard position > 0 else { return }
                writer.space = false
                writer.writeOwn(bracket)
            }
            write(bracket: "(")
            writeContents(of: part)
            write(bracket: ")")
        }
    }

    // MARK: Inline content

    private mutating func writeItems(of index: Int) {
        /// The closing text of each open inline box, the start of its text, and whether it is a link.
        var open: [(closing: String, start: Int, isLink: Bool)] = []
        let items = text.boxes[index].items
        var item = items.lowerBound
        while item < items.upperBound {
            defer { item += 1 }
            switch text.items[item] {
            case .text(let run): write(text.runs[run])
            case .open(let id, let element):
                if Permalink.isOne(element, in: tree), styled.style(of: element) == id, !hasPseudos(element) {
                    item = text.endOfInline(item, items.upperBound)
                    continue
                }
                // A link opened before a block does not end within it.
                if (links.last?.node ?? element) <= element { begin(element) }
                switch markForm(element, text.styles[id]) {
                case .plain:
                    let isLink =
                        tree.tag(element) == .a && tree.hasAttribute(element, .href)
                        && styled.style(of: element) == id
                    if isLink { writer.beginLink() }
                    open.append(("", 0, isLink))
                case .characters(let characters):
                    // The target of a link in it follows the characters.
                    if let link = tree.subtree(element).first(where: { tree.tag($0) == .a }) { begin(link) }
                    writer.write(own: characters)
                    item = text.endOfInline(item, items.upperBound)
                case .marked(let opening, let closing):
                    open.append((closing, writer.position, false))
                    writer.writeOwn(opening)
                }
            case .close:
                guard let inner = open.popLast() else { break }
                if !inner.closing.isEmpty { writer.writeNote(inner.closing, inner.start) }
                if inner.isLink { writer.endLink() }
            case .atomic(let box, _): writeAtomic(box)
            case .float(let box):
                if isFirstLetter(box) || text.isInitial(item) {
                    writeContents(of: box)
                    if text.endsBeforeSpace(box) { writer.space = true }
                } else {
                    writeBlock(box)
                }
            case .breakOpportunity: break
            }
        }
    }

    private func hasPseudos(_ element: NodeID) -> Bool {
        [.before, .after].contains { styled.pseudoStyle(of: element, $0) != nil }
    }

    private func isPseudo(_ style: StyleID, of element: NodeID) -> Bool {
        [.before, .after].contains { styled.pseudoStyle(of: element, $0) == style }
    }

    /// The form that distinguishes the text of an inline box from the text beside it.
    private func markForm(_ element: NodeID, _ style: ComputedStyle) -> ScriptForm {
        guard !options.isSpeech, tree.kind(element) == .element, style.text.visibility == .visible
        else { return .plain }
        return ScriptForm.of(
            inline: element, in: tree, after: writer.lastOfWord, keepsCase: style.text.transform == .none,
            hasPseudos: hasPseudos(element))
    }

    /// Returns whether a drop cap is part of the word that it begins.
    private func isFirstLetter(_ index: Int) -> Bool {
        let box = text.boxes[index]
        return tree.kind(box.element) == .element && styled.style(of: box.element) != box.style
            && !isPseudo(box.style, of: box.element)
    }

    private mutating func write(_ run: StyledRun) {
        let style = text.styles[run.style]
        begin(run.element)
        guard style.text.visibility == .visible, !run.range.isEmpty else { return }
        if tree.kind(run.element) == .element {
            if !run.isGenerated, tree.isForeign(run.element), !ForeignText.shows(in: run.element, of: tree) { return }
            if text.isDisclosure(run, in: tree) { return }
            // The default summary of a `details` is generated, but by no pseudo-element.
            if run.isGenerated, tree.tag(run.element) == .details, !isPseudo(run.style, of: run.element) { return }
        }
        text.text[run.range].withUnsafeBufferPointer {
            writer.write($0, Self.whiteSpace(style), decodes: false)
        }
    }

    private mutating func writeAtomic(_ index: Int) {
        let box = text.boxes[index]
        let style = text.styles[box.style]
        begin(box.element)
        if box.isReplaced { return writeReplaced(index, isBlock: false) }
        if box.kind == .ruby { return writeRuby(index) }
        let isVisible = style.text.visibility == .visible
        if isElement(box), writer.writeElement(box.element, of: tree, isBlock: false, isVisible: isVisible) { return }
        writer.beginInlineBlock(isControl: isElement(box) && [.button, .select].contains(tree.tag(box.element)))
        if box.kind == .table { writeRows(of: index) } else { writeContents(of: index) }
        if isElement(box) { endLinks(in: box.element) }
        writer.endInlineBlock()
    }

    /// The white space of a style; collapsed text has line feeds only at forced breaks.
    private static func whiteSpace(_ style: ComputedStyle) -> TextBox.WhiteSpace {
        let own = TextBox.WhiteSpace(style)
        return own == .normal ? .preLine : own
    }

    // MARK: Links

    /// Begins content of `element`: ends links that do not contain it, and may begin one that does.
    private mutating func begin(_ element: NodeID) {
        guard options.links != .none else { return }
        while let around = links.last?.node, element < around || element >= tree.subtreeEnd(around) {
            endLinks(downTo: links.count - 1)
        }
        let link = text.links.link(of: element)
        if link >= 0, links.last?.link != link { links.append((link, text.links[link].element, writer.position)) }
    }

    private mutating func endLinks(downTo count: Int) {
        while links.count > count {
            let link = links.removeLast()
            notes.write(text.links[link.link].target, as: options.links, from: link.start, &writer)
        }
    }

    /// Ends the links that begin with `element` or inside of it.
    private mutating func endLinks(in element: NodeID) {
        while let link = links.last?.node, link >= element { endLinks(downTo: links.count - 1) }
    }

    // MARK: Tables

    private mutating func writeTable(_ index: Int) {
        let box = text.boxes[index]
        let grid = text.tableGrid(index)
        let breaks = Self.blockBreaks(text.styles[box.style])
        writer.requireBreaks(breaks)
        let isPresentation = !box.isAnonymous && TableText.isPresentation(box.element, tree)
        let isData = !isPresentation && TableText.isData(grid)
        if options.tables != .none, tableDepth < TableText.deepest, !options.isSpeech, isData {
            var layout = TableText()
            layout.isRightToLeft = grid.isRightToLeft
            tableDepth += 1
            for caption in grid.captions { layout.addCaption(text(ofCell: caption, keepsTables: false).text) }
            for row in grid.rows where !isFiller(row.box) {
                layout.startRow()
                for place in grid.cells[row.cells] {
                    let cell = text(ofCell: place.box, keepsTables: true)
                    layout.addCell(cell.text, tables: cell.tables, column: place.column, span: place.columnSpan)
                }
            }
            tableDepth -= 1
            let source = box.isAnonymous ? box.text.count : tree.sourceRange(box.element).count
            writer.writeTable(layout, sourceSize: source)
        } else {
            writeRows(of: index)
        }
        writer.requireBreaks(breaks)
    }

    /// Returns whether a row is anonymous and has no visible content.
    private func isFiller(_ row: Int) -> Bool {
        let box = text.boxes[row]
        return box.isAnonymous && box.text.isEmpty
    }

    private mutating func text(ofCell index: Int, keepsTables: Bool) -> (text: [UInt8], tables: [TableText]) {
        var cell = TextWriter(cellsOf: options, keepsTables: keepsTables)
        swap(&writer, &cell)
        let outerLinks = links.count
        begin(text.boxes[index].element)
        writeContents(of: index)
        // No link continues in the next cell.
        endLinks(downTo: min(outerLinks, links.count))
        swap(&writer, &cell)
        return (cell.finish(), cell.tables)
    }

    /// Writes a layout table: rows are lines, with a space between cells.
    private mutating func writeRows(of index: Int) {
        let grid = text.tableGrid(index)
        for caption in grid.captions { writeBlock(caption) }
        var hasRows = false
        for row in grid.rows where !isFiller(row.box) {
            if hasRows { writer.requireBreaks(1) }
            hasRows = true
            let line = writer.nextLine
            for (position, cell) in grid.cells[row.cells].enumerated() {
                if position > 0 { writer.separateCell(ofRowFrom: line) }
                begin(text.boxes[cell.box].element)
                writeContents(of: cell.box)
            }
        }
    }
}
