// Entering and leaving elements: adds the breaks, markers and marks of their boxes and tags to the text.

import FancyTextBasics
import FancyTextMarkup
import FancyTextStyling

extension TextExtractor {
    // MARK: Entering

    /// Enters an element, or skips it; returns the node to continue with.
    mutating func enter(
        _ n: NodeID, _ writer: inout TextWriter, _ walk: inout TextWalk, _ tableDepth: Int
    ) -> UInt32 {
        let (tag, parent) = (tree.tag(n), walk.innermost.box)
        let own = box(n, parent: parent)
        // Pages that wait for a script are shown.
        if tag == .html || tag == .body, own.display == .none || !own.isVisible { needsBoxes = true }
        if tag == .template, tree.isShadowRoot(n) { needsBoxes = true }
        // A template's content is not part of the page.
        if own.display == .none || tag == .template { return tree.storage.end(n.index) }
        var frame = Frame(end: tree.storage.end(n.index), node: n.index, box: own, leaving: [])
        let isFlexItem = parent.display == .flex || parent.display == .inlineFlex
        if own.isOutOfFlow || isFlexItem { frame.box.blockify() }
        guard !writeEmpty(n, tag, frame.box, isFlexItem, &writer),
            openBox(n, tag, &frame, parent, &writer, &walk, tableDepth)
        else { return frame.end }
        frame.indent = Int16(truncatingIfNeeded: writer.indent)
        // Elements of a picture have no generated content.
        let isGenerating = styles.hasGeneratedContent(n) && !tree.isForeign(n)
        if frame.box.display == .inline, frame.box.isVisible {
            // A style sheet's brackets also distinguish a superscript.
            guard isGenerating || !writeScript(n, tag, &frame, &writer, &walk) else { return frame.end }
            if tag == .del || tag == .ins, let marks = ChangeMarks.around(n, in: tree) {
                openMark(marks.opening, marks.closing, &frame, &writer, &walk)
            }
        }
        openList(n, tag, &frame, &writer, &walk)
        if tag == .a, own.display == .inline, frame.box.display == .inline, tree.hasAttribute(n, .href) {
            writer.beginLink()
            frame.leaving.insert(.anchor)
        }
        openItem(n, tag, &frame, &writer, &walk)
        if tag == .text, tree.isForeign(n) { writer.placeAtom() }
        if isGenerating {
            writeGenerated(.before, of: n, in: frame.box, &writer)
            frame.leaving.insert(.generated)
        }
        walk.frames.append(frame)
        return n.index + 1
    }

    /// Writes an element without a box for contents; false for others.
    private mutating func writeEmpty(
        _ n: NodeID, _ tag: TagID, _ box: TextBox, _ isFlexItem: Bool, _ writer: inout TextWriter
    ) -> Bool {
        switch tag {
        // Box generation converts formulas to lines of text.
        case .frameset, .math: needsBoxes = true
        case .a:
            return box.display == .inline && !styles.hasGeneratedContent(n) && Permalink.isOne(n, in: tree)
        case .br:
            if isFlexItem { needsBoxes = true }
            return writer.writeElement(n, of: tree, isBlock: false, isVisible: box.isVisible)
        case .wbr, .hr: return writer.writeElement(n, of: tree, isBlock: false, isVisible: box.isVisible)
        default: return false
        }
        return true
    }

    /// Begins the element's box; false if it is completely written.
    private mutating func openBox(
        _ n: NodeID, _ tag: TagID, _ frame: inout Frame, _ parent: TextBox, _ writer: inout TextWriter,
        _ walk: inout TextWalk, _ tableDepth: Int
    ) -> Bool {
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
                writeReplaced(n, tag, box, &writer)
            }
            return false
        case .contents: frame.box.display = parent.display
        case .inline, .column, .rowGroup: break
        case .inlineBlock, .inlineFlex:
            if writeTitle(n, tag, box, &writer) { return false }
            writer.beginInlineBlock(isControl: tag == .button || tag == .select)
            if tag == .select, writeMenu(n, box, &writer) {
                writer.endInlineBlock()
                return false
            }
            frame.leaving = .inlineBlock
        case .block, .flex, .listItem, .caption:
            if tag == .select { needsBoxes = true }
            if writeTitle(n, tag, box, &writer) { return false }
            openBlock(&frame, &writer)
        case .table: return openTable(n, &frame, &writer, walk, tableDepth)
        case .row: startRow(&writer, &walk.frames)
        case .cell: startCell(&writer, &walk.frames)
        }
        return true
    }

    /// Writes the option that a menu shows; false for lists.
    private mutating func writeMenu(_ n: NodeID, _ box: TextBox, _ writer: inout TextWriter) -> Bool {
        guard !tree.isListBox(n) else { return false }
        if box.transform != .none { needsBoxes = true }
        if box.isVisible, let option = tree.shownOption(tree.options(ofSelect: n)) {
            var label = tree.label(ofOption: option)
            label.withUTF8 { writer.write(decoded: $0, box.whiteSpace) }
        }
        return true
    }

    /// Writes the title of a picture without text; false for other elements.
    private func writeTitle(_ n: NodeID, _ tag: TagID, _ box: TextBox, _ writer: inout TextWriter) -> Bool {
        guard tag == .svg, !ForeignText.hasText(n, in: tree) else { return false }
        let isBlock = box.display != .inlineBlock && box.display != .inlineFlex
        writer.writeAlternative(box.isVisible ? ForeignText.title(of: n, in: tree) : "", isBlock: isBlock)
        return true
    }

    private func openBlock(_ frame: inout Frame, _ writer: inout TextWriter) {
        frame.breaks = frame.box.hasMargin && !PlainText.isItemText(NodeID(index: frame.node), in: tree) ? 2 : 1
        writer.requireBreaks(Int(frame.breaks))
        frame.leaving = .block
    }

    /// Begins a layout table; false if the table is a data table, which is then written.
    private mutating func openTable(
        _ n: NodeID, _ frame: inout Frame, _ writer: inout TextWriter, _ walk: TextWalk, _ tableDepth: Int
    ) -> Bool {
        openBlock(&frame, &writer)
        if styles.hasGeneratedContent(n) || isOutOfOrder(n) { needsBoxes = true }
        if options.tables != .none, tableDepth < TableText.deepest,
            let parts = dataParts(of: n, frame.box)
        {
            writeTable(n, frame.box, parts, &writer, walk, tableDepth: tableDepth + 1)
            writer.requireBreaks(Int(frame.breaks))
            return false
        }
        return true
    }

    /// Writes or begins a superscript or subscript; true if it is completely written.
    private func writeScript(
        _ n: NodeID, _ tag: TagID, _ frame: inout Frame, _ writer: inout TextWriter, _ walk: inout TextWalk
    ) -> Bool {
        guard tag == .sup || tag == .sub else { return false }
        switch ScriptForm(of: n, in: tree, after: writer.lastOfWord, keepsCase: frame.box.transform == .none) {
        case .plain: return false
        case .characters(let text):
            writer.write(own: text)
            return true
        case .marked(let opening, let closing):
            openMark(opening, closing, &frame, &writer, &walk)
            return false
        }
    }

    private func openMark(
        _ opening: String, _ closing: String, _ frame: inout Frame, _ writer: inout TextWriter,
        _ walk: inout TextWalk
    ) {
        walk.marks.append((closing, writer.position))
        writer.writeOwn(opening)
        frame.leaving.insert(.mark)
    }

    private func openList(
        _ n: NodeID, _ tag: TagID, _ frame: inout Frame, _ writer: inout TextWriter, _ walk: inout TextWalk
    ) {
        switch tag {
        case .ol, .ul, .menu, .dir:
            walk.lists.append(startOfList(n, tag))
            frame.leaving.insert(.list)
            if frame.leaving.contains(.block), frame.box.display == .block, styles.hasMarkers(n) {
                writer.indent = min(writer.indent + TextWriter.listInset, TextWriter.widestIndent)
                frame.leaving.insert(.inset)
            }
        case .summary:
            walk.summaries += 1
            frame.leaving.insert(.summary)
        default: break
        }
    }

    /// Places the marker of a list item, and indents other contents of the list.
    private mutating func openItem(
        _ n: NodeID, _ tag: TagID, _ frame: inout Frame, _ writer: inout TextWriter, _ walk: inout TextWalk
    ) {
        let box = frame.box
        let isBlock = frame.leaving.contains(.block)
        if isBlock, walk.innermost.leaving.contains(.inset) {
            // A summary in a list is an item or not.
            if tag == .summary { needsBoxes = true }
            if tag == .li || box.display == .listItem { writer.indent = max(0, writer.indent - TextWriter.listInset) }
        }
        if box.display == .listItem {
            if walk.summaries > 0 { needsBoxes = true }
            startItem(n, &writer, &walk.lists)
            frame.leaving.insert(.listItem)
        } else if box.indent > 0, isBlock {
            writer.indent = min(writer.indent + Int(box.indent), TextWriter.widestIndent)
        }
    }

    // MARK: Generated content

    /// Writes the text of `::before` or `::after`, in the kind of its box.
    private mutating func writeGenerated(
        _ pseudo: PseudoBox, of n: NodeID, in parent: TextBox, _ writer: inout TextWriter
    ) {
        switch styles.generated(pseudo, of: n, in: tree) {
        case .none: break
        case .unknown: needsBoxes = true
        case .text(var text, var box):
            switch parent.display {
            case .flex, .inlineFlex: box.blockify()
            case .row, .rowGroup, .table, .inlineTable: needsBoxes = true
            default: if box.isOutOfFlow { box.blockify() }
            }
            func write(_ writer: inout TextWriter) {
                guard box.isVisible else { return }
                text.withUTF8 { writer.write(decoded: $0, box.whiteSpace) }
            }
            switch box.display {
            case .inline, .contents: write(&writer)
            case .inlineBlock, .inlineFlex:
                writer.beginInlineBlock()
                write(&writer)
                writer.endInlineBlock()
            case .block, .flex:
                let breaks = box.hasMargin ? 2 : 1
                writer.requireBreaks(breaks)
                write(&writer)
                writer.requireBreaks(breaks)
            case .none, .listItem, .table, .inlineTable, .rowGroup, .row, .cell, .caption, .column, .ruby, .rubyText,
                .replaced, .replacedBlock, .unknown:
                needsBoxes = true
            }
        }
    }

    // MARK: Leaving

    mutating func leave(_ frame: Frame, _ writer: inout TextWriter, _ walk: inout TextWalk) {
        let leaving = frame.leaving
        if leaving.contains(.generated) {
            writeGenerated(.after, of: NodeID(index: frame.node), in: frame.box, &writer)
        }
        if leaving.contains(.anchor) { writer.endLink() }
        if leaving.contains(.mark) {
            let mark = walk.marks.removeLast()
            writer.writeNote(mark.closing, mark.start)
        }
        if leaving.contains(.list) { walk.lists.removeLast() }
        if leaving.contains(.summary) { walk.summaries -= 1 }
        if leaving.contains(.block) {
            writer.indent = Int(frame.indent)
            if leaving.contains(.listItem) { writer.marker = [] }
            writer.requireBreaks(Int(frame.breaks))
        }
        if leaving.contains(.inlineBlock) { writer.endInlineBlock() }
    }

    // MARK: Rows and cells of layout tables

    private func startRow(_ writer: inout TextWriter, _ frames: inout [Frame]) {
        var table = frames.count - 1
        while table >= 0, frames[table].box.display != .table, frames[table].box.display != .inlineTable { table -= 1 }
        guard table >= 0 else {
            writer.requireBreaks(1)
            return
        }
        if frames[table].firstPart >= 0 { writer.requireBreaks(1) }
        frames[table].firstPart = Int32(clamping: writer.nextLine)
    }

    private func startCell(_ writer: inout TextWriter, _ frames: inout [Frame]) {
        let last = frames.count - 1
        guard last >= 0, frames[last].box.display == .row else { return }
        if frames[last].firstPart < 0 {
            frames[last].firstPart = Int32(clamping: writer.nextLine)
        } else {
            writer.separateCell(ofRowFrom: Int(frames[last].firstPart))
        }
    }

    // MARK: Content without text

    /// Writes the text that represents images, controls and lambdas.
    private func writeReplaced(_ n: NodeID, _ tag: TagID, _ box: TextBox, _ writer: inout TextWriter) {
        let isBlock = box.display == .replacedBlock
        if tag == .object || tag == .applet {
            if isBlock { writer.requireBreaks(1) }
        } else if !writer.writeElement(n, of: tree, isBlock: isBlock, isVisible: box.isVisible),
            tag == .img || tag == .lambda
        {
            let alternative = box.isVisible ? tree.attribute(n, .alt) ?? "" : ""
            writer.writeAlternative(alternative, isBlock: isBlock)
        }
    }
}
