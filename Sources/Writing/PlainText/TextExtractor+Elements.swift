// Entering and leaving elements: adds the breaks, markers and marks of their boxes and tags to the text.

import FancyTextMarkup
import FancyTextStyling

extension TextExtractor {
    // MARK: Entering

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
        guard !writeEmpty(n, tag, frame.box, isFlexItem), openBox(n, tag, &frame, parent) else { return .skip }
        frame.indent = writer.indent
        // Elements of a picture have no generated content.
        let isGenerating = styles.hasGeneratedContent(n) && !tree.isForeign(n)
        if frame.box.display == .inline, frame.box.isVisible {
            // A style sheet's brackets also distinguish a superscript.
            guard isGenerating || !writeScript(n, tag, &frame) else { return .skip }
            if tag == .del || tag == .ins, let marks = ChangeMarks.around(n, in: tree) {
                openMark(marks.opening, marks.closing, &frame)
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
        guard options.tables != .none, tableDepth < TableText.deepest, let parts = dataParts(of: n, frame.box) else {
            return true
        }
        writeTable(n, frame.box, parts)
        writer.requireBreaks(frame.breaks)
        return false
    }

    /// Writes or begins a superscript or subscript; true if it is completely written.
    private mutating func writeScript(_ n: NodeID, _ tag: TagID, _ frame: inout Frame) -> Bool {
        guard tag == .sup || tag == .sub else { return false }
        switch ScriptForm(of: n, in: tree, after: writer.lastOfWord, keepsCase: frame.box.transform == .none) {
        case .plain: break
        case .characters(let text):
            writer.write(own: text)
            return true
        case .marked(let opening, let closing): openMark(opening, closing, &frame)
        }
        return false
    }

    private mutating func openMark(_ opening: String, _ closing: String, _ frame: inout Frame) {
        marks.append((closing, writer.position))
        writer.writeOwn(opening)
        frame.leaving.insert(.mark)
    }

    private mutating func openList(_ n: NodeID, _ tag: TagID, _ frame: inout Frame) {
        switch tag {
        case .ol, .ul, .menu, .dir:
            lists.append(startOfList(n, tag))
            frame.leaving.insert(.list)
            if frame.leaving.contains(.block), frame.box.display == .block, styles.hasMarkers(n) {
                writer.indent = min(writer.indent + TextWriter.listInset, TextWriter.widestIndent)
                frame.leaving.insert(.inset)
            }
        case .summary:
            summaries += 1
            frame.leaving.insert(.summary)
        default: break
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
            frame.leaving.insert(.listItem)
        } else if box.indent > 0, isBlock {
            writer.indent = min(writer.indent + Int(box.indent), TextWriter.widestIndent)
        }
    }

    // MARK: Generated content

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

    // MARK: Leaving

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
        if leaving.contains(.list) { lists.removeLast() }
        if leaving.contains(.summary) { summaries -= 1 }
        if leaving.contains(.block) {
            writer.indent = frame.indent
            if leaving.contains(.listItem) { writer.marker = [] }
            writer.requireBreaks(frame.breaks)
        }
        if leaving.contains(.inlineBlock) { writer.endInlineBlock() }
    }

    // MARK: Rows and cells of layout tables

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

    // MARK: Content without text

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
}
