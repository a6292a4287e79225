// The text of a styled tree in one traversal: a faster way with the same result as PlainTextWriter. Boxes come from computed
// styles; TextWriter tracks spaces and line breaks. If the text depends on generated boxes, the rest is skipped.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextGeneration
import FancyTextMarkup
import FancyTextStyling

/// Actions at the end of an element.
struct Leaving: OptionSet, BitwiseCopyable {
    let rawValue: UInt16
    static let block = Leaving(rawValue: 1)
    static let inlineBlock = Leaving(rawValue: 2)
    /// Ends a superscript or subscript with a mark, a deletion or an insertion.
    static let mark = Leaving(rawValue: 256)
    /// Ends the text of `::after`.
    static let generated = Leaving(rawValue: 512)
    /// Ends a list whose contents, except items, are indented.
    static let inset = Leaving(rawValue: 1024)
    /// Ends a link in a line.
    static let anchor = Leaving(rawValue: 2048)
}

/// An open element of the traversal.
struct Frame {
    var node: NodeID
    var box: TextBox
    var leaving: Leaving = []
    var indent = 0, breaks = 0
    /// The line of the first cell or row of this row or table; nil before it.
    var firstPart: Int?
}

struct List { var next, step: Int }

extension StyledTree {
    /// The tree's text by its styles; nil if boxes are needed. Linear.
    func extractedText(_ options: PlainTextOptions) -> [UInt8]? {
        // Links with targets, footnotes and sentences for speech are written from boxes alone.
        guard !options.alwaysReadsBoxes, options.links == .none, !options.isSpeech, !hasFootnotes,
            let styles = CascadeTextStyles(self)
        else { return nil }
        // Usually less than a third of a page is text.
        let writer = TextWriter(options, expected: tree.source.count / 3)
        var extractor = TextExtractor(tree: tree, styles: styles, options: options, writer: writer)
        return extractor.text(of: tree.root, in: styles.root)
    }
}

/// The texts of single elements of a styled tree.
package struct ElementTexts {
    private let styled: StyledTree
    private let styles: CascadeTextStyles?

    package init(_ styled: StyledTree) {
        self.styled = styled
        styles = CascadeTextStyles(styled)
    }

    package func isShown(_ element: NodeID) -> Bool { styled.computed(element).box.display != .none }

    /// The readable text of an element's contents, as if they were all of the page; nil if only boxes determine it.
    package func text(of element: NodeID) -> String? {
        guard let styles else { return nil }
        let (tree, options) = (styled.tree, PlainTextOptions())
        var box = TextBox(styled.computed(element))
        box.display = .block
        let writer = TextWriter(cellsOf: options, keepsTables: false)
        var extractor = TextExtractor(tree: tree, styles: styles, options: options, writer: writer, isData: true)
        return extractor.text(of: element, in: box).map { String(decoding: $0, as: UTF8.self) }
    }
}

struct TextExtractor: TreeWalker {
    let tree: MarkupTree
    let styles: CascadeTextStyles
    let options: PlainTextOptions
    var writer: TextWriter
    /// The open elements of the traversal, outermost first; the first one is its start.
    var frames: [Frame] = []
    var lists: [List] = []
    /// The number of open `summary` elements: items in them have the same kind of markers.
    var summaries = 0
    /// The closing text of each open ``Leaving/mark``, and the length of the output at its start.
    var marks: [(closing: String, start: Int)] = []
    /// The number of tables around.
    var tableDepth = 0
    /// True for the text of one element, which is a value of data.
    var isData = false
    /// True if boxes are needed; the text until now is correct.
    var needsBoxes = false

    /// The innermost open element.
    var innermost: Frame { frames[frames.count - 1] }

    /// The text of the contents of `top`, which are in a box; nil if boxes are needed.
    mutating func text(of top: NodeID, in box: TextBox) -> [UInt8]? {
        frames = [Frame(node: top, box: box)]
        let tree = tree
        tree.visit(tree.contents(top), with: &self)
        return needsBoxes || writer.hasNull ? nil : writer.finish()
    }

    mutating func visitText(_ n: NodeID, in tree: MarkupTree) {
        let (parent, box) = (innermost, innermost.box)
        guard box.isVisible, !needsBoxes else { return }
        switch box.display {
        case .table, .rowGroup, .row:
            if tree.isBlank(n) { return }
            needsBoxes = true
        case .flex, .inlineFlex:
            if tree.isBlank(n) { return }
            // Adjacent texts are separate items.
            let next = NodeID(index: n.index + 1)
            let isLast = next >= tree.subtreeEnd(parent.node) && !parent.leaving.isEmpty
            if next < tree.subtreeEnd(frames[0].node), tree.kind(next) != .element, !isLast { needsBoxes = true }
        default: break
        }
        guard box.showsText else { return }
        if box.transform != .none {
            writer.write(decoded: TextTransform.apply(styles.styled.computed(n), to: tree.text(n)), box.whiteSpace)
        } else {
            let decodes = tree.textMode(n)?.contains(.references) == true
            writer.write(tree.rawText(n), box.whiteSpace, decodes: decodes)
        }
    }

    func box(_ n: NodeID, parent: TextBox) -> TextBox {
        let node = tree.storage.nodes[Int(n.index)]
        var box = styles.box(n, node, in: tree, parent: parent)
        if node.flags.contains(.foreign), !ForeignText.shows(in: node.tag) { box.showsText = false }
        return box
    }

    // MARK: Elements

    mutating func enterElement(_ n: NodeID, in tree: MarkupTree) -> Descent {
        let (tag, parent) = (tree.tag(n), innermost.box)
        let own = box(n, parent: parent)
        // Pages that wait for a script are shown.
        if tag == .html || tag == .body, own.display == .none || !own.isVisible { needsBoxes = true }
        if tag == .template, tree.isShadowRoot(n) { needsBoxes = true }
        // A template's content is not part of the page.
        if needsBoxes || own.display == .none || tag == .template { return .skip }
        var frame = Frame(node: n, box: own)
        let isFlexItem = parent.display == .flex || parent.display == .inlineFlex
        if own.isOutOfFlow || isFlexItem { frame.box.blockify() }
        // A letter before text may be its initial.
        if own.isOutOfFlow, tree.subtreeEnd(n).index <= n.index + 8 {
            let letters = String(decoding: tree.textContent(n), as: UTF8.self).filter { !$0.isWhitespace }
            let isInitial = letters.count == 1 || letters.count == 2 && letters.first?.isLetter == false
            if isInitial, letters.last?.isLetter == true { needsBoxes = true }
        }
        guard !writeEmpty(n, tag, frame.box, isFlexItem), openBox(n, tag, &frame, parent) else { return .skip }
        frame.indent = writer.indent
        // Elements of a picture have no generated content.
        let isGenerating = styles.hasGeneratedContent(n) && !tree.isForeign(n)
        if frame.box.display == .inline, frame.box.isVisible {
            let keepsCase = frame.box.transform == .none
            switch ScriptForm.of(
                inline: n, in: tree, after: writer.lastOfWord, keepsCase: keepsCase, hasPseudos: isGenerating)
            {
            case .plain: break
            // Data has the text without marks of changes.
            case .marked where isData && (tag == .del || tag == .ins): break
            case .characters(let text):
                writer.write(own: text)
                return .skip
            case .marked(let opening, let closing):
                marks.append((closing, writer.position))
                writer.writeOwn(opening)
                frame.leaving.insert(.mark)
            }
        }
        openList(n, tag, &frame)
        if tag == .a, own.display == .inline, frame.box.display == .inline, tree.hasAttribute(n, .href) {
            writer.beginLink()
            frame.leaving.insert(.anchor)
        }
        openItem(n, tag, &frame)
        if tag == .text, tree.isForeign(n) { writer.placeAtom() }
        if isGenerating {
            writeGenerated(.before, of: n, in: frame.box)
            frame.leaving.insert(.generated)
        }
        frames.append(frame)
        return .contents
    }

    /// Writes an element without a box for contents; false for others.
    private mutating func writeEmpty(_ n: NodeID, _ tag: TagID, _ box: TextBox, _ isFlexItem: Bool) -> Bool {
        switch tag {
        // Box generation converts formulas to lines of text.
        case .frameset, .math:
            needsBoxes = true
            return true
        case .a: return box.display == .inline && !styles.hasGeneratedContent(n) && Permalink.isOne(n, in: tree)
        case .br, .wbr, .hr:
            if tag == .br, isFlexItem { needsBoxes = true }
            return writer.writeElement(n, of: tree, isBlock: false, isVisible: box.isVisible)
        default: return false
        }
    }

    /// Begins the element's box; false if it is completely written.
    private mutating func openBox(_ n: NodeID, _ tag: TagID, _ frame: inout Frame, _ parent: TextBox) -> Bool {
        let box = frame.box
        switch box.display {
        case .none: return false
        case .unknown, .ruby, .rubyText, .inlineTable:
            needsBoxes = true
            return false
        case .replaced, .replacedBlock:
            if tag == .object || tag == .applet, tree.firstChild(n) != nil {
                needsBoxes = true
            } else {
                writeReplaced(n, tag, box)
            }
            return false
        case .contents: frame.box.display = parent.display
        case .inline, .column, .rowGroup: break
        case .inlineBlock, .inlineFlex:
            if writeTitle(n, tag, box) { return false }
            writer.beginInlineBlock(isControl: tag == .button || tag == .select)
            if tag == .select, writeMenu(n, box) {
                writer.endInlineBlock()
                return false
            }
            frame.leaving = .inlineBlock
        case .block, .flex, .listItem, .caption:
            if tag == .select { needsBoxes = true }
            if writeTitle(n, tag, box) { return false }
            openBlock(&frame)
        case .table: return openTable(n, &frame)
        case .row: startRow()
        case .cell: startCell()
        }
        return true
    }

    /// Writes the option that a menu shows; false for lists.
    private mutating func writeMenu(_ n: NodeID, _ box: TextBox) -> Bool {
        guard !tree.isListBox(n) else { return false }
        if box.transform != .none { needsBoxes = true }
        if box.isVisible, let option = tree.shownOption(tree.options(ofSelect: n)) {
            writer.write(decoded: tree.label(ofOption: option), box.whiteSpace)
        }
        return true
    }

    /// Writes the title of a picture without text; false for other elements.
    private mutating func writeTitle(_ n: NodeID, _ tag: TagID, _ box: TextBox) -> Bool {
        guard tag == .svg, !ForeignText.hasText(n, in: tree) else { return false }
        let isBlock = box.display != .inlineBlock && box.display != .inlineFlex
        writer.writeAlternative(box.isVisible ? ForeignText.title(of: n, in: tree) : "", isBlock: isBlock)
        return true
    }

    private mutating func openBlock(_ frame: inout Frame) {
        frame.breaks = frame.box.hasMargin && !PlainText.isItemText(frame.node, in: tree) ? 2 : 1
        writer.requireBreaks(frame.breaks)
        frame.leaving = .block
    }

    /// Begins a layout table; false if the table is a data table, which is then written.
    private mutating func openTable(_ n: NodeID, _ frame: inout Frame) -> Bool {
        openBlock(&frame)
        if styles.hasGeneratedContent(n) || isOutOfOrder(n) { needsBoxes = true }
        guard options.tables != .none, tableDepth < TableText.deepest, let parts = dataParts(of: n, frame.box)
        else { return true }
        writeTable(n, frame.box, parts)
        writer.requireBreaks(frame.breaks)
        return false
    }

    private mutating func openList(_ n: NodeID, _ tag: TagID, _ frame: inout Frame) {
        if tag == .summary { summaries += 1 }
        guard DefaultStyles.isList(tag) else { return }
        let step = tag == .ol && tree.hasAttribute(n, .reversed) ? -1 : 1
        lists.append(List(next: BoxGenerator.listStart(n, in: tree) + step, step: step))
        if frame.leaving.contains(.block), frame.box.display == .block,
            PlainTextWriter.hasMarkers(styles.styled.computed(n))
        {
            writer.indent = min(writer.indent + TextWriter.listInset, TextWriter.widestIndent)
            frame.leaving.insert(.inset)
        }
    }

    /// Places the marker of a list item, and indents other contents of the list.
    private mutating func openItem(_ n: NodeID, _ tag: TagID, _ frame: inout Frame) {
        let box = frame.box
        let isBlock = frame.leaving.contains(.block)
        if isBlock, innermost.leaving.contains(.inset) {
            // A summary in a list is an item or not.
            if tag == .summary { needsBoxes = true }
            if tag == .li || box.display == .listItem { writer.indent = max(0, writer.indent - TextWriter.listInset) }
        }
        if box.display == .listItem {
            if summaries > 0 { needsBoxes = true }
            startItem(n)
        } else if box.indent > 0, isBlock {
            writer.indent = min(writer.indent + Int(box.indent), TextWriter.widestIndent)
        }
    }

    /// Writes the text of `::before` or `::after`, in the kind of its box.
    private mutating func writeGenerated(_ pseudo: PseudoBox, of n: NodeID, in parent: TextBox) {
        switch styles.generated(pseudo, of: n, in: tree) {
        case .none: break
        case .unknown: needsBoxes = true
        case .text(let text, var box):
            switch parent.display {
            case .flex, .inlineFlex: box.blockify()
            case .row, .rowGroup, .table, .inlineTable: needsBoxes = true
            default: if box.isOutOfFlow { box.blockify() }
            }
            func write() { if box.isVisible { writer.write(decoded: text, box.whiteSpace) } }
            switch box.display {
            case .inline, .contents: write()
            case .inlineBlock, .inlineFlex:
                writer.beginInlineBlock()
                write()
                writer.endInlineBlock()
            case .block, .flex:
                let breaks = box.hasMargin ? 2 : 1
                writer.requireBreaks(breaks)
                write()
                writer.requireBreaks(breaks)
            case .none, .listItem, .table, .inlineTable, .rowGroup, .row, .cell, .caption, .column, .ruby, .rubyText,
                .replaced, .replacedBlock, .unknown:
                needsBoxes = true
            }
        }
    }

    mutating func leaveElement(_ n: NodeID, in tree: MarkupTree) {
        // Some elements are written when they are entered.
        guard innermost.node == n else { return }
        let frame = frames.removeLast()
        let leaving = frame.leaving
        if leaving.contains(.generated) { writeGenerated(.after, of: n, in: frame.box) }
        if leaving.contains(.anchor) { writer.endLink() }
        if leaving.contains(.mark) {
            let mark = marks.removeLast()
            writer.writeNote(mark.closing, mark.start)
        }
        if DefaultStyles.isList(tree.tag(n)) { lists.removeLast() }
        if tree.tag(n) == .summary { summaries -= 1 }
        if leaving.contains(.block) {
            writer.indent = frame.indent
            if frame.box.display == .listItem { writer.marker = [] }
            writer.requireBreaks(frame.breaks)
        }
        if leaving.contains(.inlineBlock) { writer.endInlineBlock() }
    }

    private mutating func startRow() {
        guard let table = frames.lastIndex(where: { $0.box.display == .table || $0.box.display == .inlineTable })
        else { return writer.requireBreaks(1) }
        if frames[table].firstPart != nil { writer.requireBreaks(1) }
        frames[table].firstPart = writer.nextLine
    }

    private mutating func startCell() {
        let row = frames.count - 1
        guard frames[row].box.display == .row else { return }
        if let line = frames[row].firstPart { return writer.separateCell(ofRowFrom: line) }
        frames[row].firstPart = writer.nextLine
    }

    /// Writes the text that represents images, controls and lambdas.
    private mutating func writeReplaced(_ n: NodeID, _ tag: TagID, _ box: TextBox) {
        let isBlock = box.display == .replacedBlock
        if tag == .object || tag == .applet {
            if isBlock { writer.requireBreaks(1) }
        } else if !writer.writeElement(n, of: tree, isBlock: isBlock, isVisible: box.isVisible),
            tag == .img || tag == .lambda
        {
            writer.writeAlternative(box.isVisible ? tree.attribute(n, .alt) ?? "" : "", isBlock: isBlock)
        }
    }

    mutating func startItem(_ n: NodeID) {
        var style = "none"
        let marker = styles.marker(n)
        if marker.isKnown {
            switch marker.style {
            case .none: break
            case .named(let name): style = name
            case .string(let string): writer.place(marker: string)
            }
        } else {
            needsBoxes = true
        }
        var number = 1
        if let list = lists.last {
            let value = tree.tag(n) == .li ? tree.attribute(n, .value).flatMap { BoxGenerator.integer($0) } : nil
            number = value ?? list.next
            lists[lists.count - 1].next = number + list.step
        } else if !["disc", "circle", "square", "none"].contains(style) {
            // The scope of a number outside of a list depends on counters.
            needsBoxes = true
        }
        guard style != "none" else { return }
        let bytes = Array(CounterStyles.predefined.marker(number, style: style).utf8)
        writer.place(marker: bytes, columns: DisplayWidth.cells(bytes))
    }

    // MARK: Tables as columns

    /// The groups, rows, cells and other parts of a data table; nil for a layout table, which is one without rows of several
    /// cells. Tables with more cells in a row than a page is wide are also treated as layout tables.
    mutating func dataParts(of table: NodeID, _ box: TextBox) -> [(node: NodeID, box: TextBox)]? {
        if TableText.isPresentation(table, tree) { return nil }
        let parts = parts(of: table, box)
        if parts.contains(where: { $0.box.display == .unknown }) { needsBoxes = true }
        let cells = parts.split { $0.box.display == .row }.map { $0.count { $0.box.display == .cell } }
        guard let most = cells.max(), most > 1, most <= TableText.mostCells else { return nil }
        return parts
    }

    /// Returns whether a caption, header group or footer group is not in its visual position.
    func isOutOfOrder(_ table: NodeID) -> Bool {
        let parts: [TagID] = [.caption, .thead, .tbody, .tfoot]
        let groups = tree.children(table).map { tree.tag($0) }.filter(parts.contains).drop { $0 == .caption }
        return groups.contains(.caption) || groups.dropFirst().contains(.thead) && groups.first != .thead
            || groups.dropLast().contains(.tfoot)
    }

    /// The parts of a table, except the contents of cells: nested tables are visited once each.
    private func parts(of table: NodeID, _ box: TextBox) -> [(node: NodeID, box: TextBox)] {
        var parts: [(node: NodeID, box: TextBox)] = []
        var open: [(end: NodeID, box: TextBox)] = []
        tree.forEachDescendant(of: table) { node in
            guard tree.kind(node) == .element else { return true }
            while let last = open.last, last.end <= node { open.removeLast() }
            let own = self.box(node, parent: open.last?.box ?? box)
            if own.display != .none { parts.append((node, own)) }
            guard own.display == .row || own.display == .rowGroup else { return false }
            open.append((tree.subtreeEnd(node), own))
            return true
        }
        return parts
    }

    mutating func writeTable(_ table: NodeID, _ box: TextBox, _ parts: [(node: NodeID, box: TextBox)]) {
        var layout = TableText()
        layout.isRightToLeft = box.isRightToLeft
        var (covered, column, firstRow) = (CoveredColumns(), 0, 0)
        for (node, own) in parts {
            guard !needsBoxes else { return }
            switch own.display {
            case .rowGroup: (covered, firstRow) = (CoveredColumns(), layout.rows.count)
            case .row:
                // Rows outside of groups are in an anonymous group.
                if tree.parent(node) == table { needsBoxes = true }
                layout.startRow()
                covered.advance(to: layout.rows.count - firstRow)
                column = 0
            case .cell:
                let cell = text(ofCell: node, own)
                let row = layout.rows.count - firstRow
                column = covered.firstFree(from: column)
                let end = column + BoxGenerator.span(of: node, .colspan, 1...1000, in: tree)
                layout.addCell(cell.text, tables: cell.tables, column: column, span: end - column)
                let rows = BoxGenerator.span(of: node, .rowspan, 0...65534, in: tree)
                if rows != 1, end <= TableText.mostCells * 4 {
                    covered.cover(column..<end, until: rows == 0 ? .max : row + rows)
                }
                column = end
            case .caption: layout.addCaption(text(ofCell: node, own).text)
            case .column: break
            default:
                // Misplaced content gets its own row, unless it is not visible.
                if tree.firstChild(node) != nil || own.display != .block { needsBoxes = true }
            }
        }
        if !needsBoxes { writer.writeTable(layout, sourceSize: tree.sourceRange(table).count) }
    }

    private mutating func text(ofCell cell: NodeID, _ box: TextBox) -> (text: [UInt8], tables: [TableText]) {
        guard tree.firstChild(cell) != nil else { return ([], []) }
        let writer = TextWriter(cellsOf: options, keepsTables: box.display == .cell)
        var inner = TextExtractor(tree: tree, styles: styles, options: options, writer: writer, isData: isData)
        (inner.lists, inner.summaries, inner.tableDepth) = (lists, summaries, tableDepth + 1)
        let text = inner.text(of: cell, in: box)
        if text == nil { needsBoxes = true }
        return (text ?? [], inner.writer.tables)
    }
}
