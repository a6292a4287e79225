// Entering and leaving elements: adds the breaks, markers and marks of their boxes and tags to the text.

import FancyTextBasics
import FancyTextBoxes
import FancyTextMarkup
import FancyTextStyling

extension TextExtractor {
    // MARK: Entering

    /// Enters an element; returns the node to continue with.
    mutating func enter(
        _ n: NodeID, _ own: TextBox, _ parent: TextBox, _ writer: inout TextWriter, _ walk: inout TextWalk,
        _ tableDepth: Int
    ) -> UInt32 {
        let tag = tree.tag(n)
        var frame = Frame(end: tree.storage.end(n.index), node: n.index, box: own, leaving: [])
        let isFlexItem = parent.display == .flex || parent.display == .inlineFlex
        if own.isOutOfFlow || isFlexItem { frame.box.blockify() }
        guard !writeEmpty(n, tag, frame.box, isFlexItem, &writer),
            openBox(n, tag, &frame, parent, &writer, &walk, tableDepth)
        else { return frame.end }
        frame.indent = Int16(truncatingIfNeeded: writer.indent)
        let isGenerating = styles.hasGeneratedContent(n)
        if frame.box.display == .inline, frame.box.isVisible, !options.isSpeech {
            // A style sheet's brackets also distinguish a superscript.
            guard isGenerating || !writeScript(n, tag, &frame, &writer, &walk) else { return frame.end }
            openChange(n, tag, &frame, &writer, &walk)
        }
        openList(n, tag, &frame, &writer, &walk)
        openLink(n, tag, own, &frame, &writer, &walk)
        openItem(n, tag, &frame, &writer, &walk)
        if isGenerating {
            writeGenerated(.before, of: n, in: frame.box, &writer, &walk)
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
            if box.isVisible { writer.forceBreak() }
        case .wbr: break
        case .hr: writer.writeRule()
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
            writeReplaced(n, tag, box, &writer)
            return false
        case .contents: frame.box.display = parent.display
        case .inline, .column, .rowGroup: break
        case .inlineBlock, .inlineFlex:
            if tag == .svg, !ForeignText.hasText(n, in: tree) {
                writer.writeAlternative(box.isVisible ? ForeignText.title(of: n, in: tree) : "")
                return false
            }
            writer.beginInlineBlock(isControl: tag == .button)
            frame.leaving = .inlineBlock
        case .block, .flex, .listItem, .caption:
            if tag == .svg, !ForeignText.hasText(n, in: tree) {
                writer.requireBreaks(1)
                writer.writeAlternative(box.isVisible ? ForeignText.title(of: n, in: tree) : "")
                writer.requireBreaks(1)
                return false
            }
            openBlock(&frame, &writer)
        case .table: return openTable(n, &frame, &writer, walk, tableDepth)
        case .row: startRow(&writer, &walk.frames)
        case .cell: startCell(&writer, &walk.frames)
        }
        return true
    }

    private func openBlock(_ frame: inout Frame, _ writer: inout TextWriter) {
        frame.breaks = frame.box.hasMarginAbove || frame.box.hasMarginBelow ? 2 : 1
        writer.requireBreaks(Int(frame.breaks))
        frame.leaving = .block
    }

    /// Begins a layout table; false if the table is a data table, which is then written.
    private mutating func openTable(
        _ n: NodeID, _ frame: inout Frame, _ writer: inout TextWriter, _ walk: TextWalk, _ tableDepth: Int
    ) -> Bool {
        openBlock(&frame, &writer)
        if styles.hasGeneratedContent(n) { needsBoxes = true }
        if options.tables != .none, tableDepth < TableText.deepest, !options.isSpeech,
            let parts = dataParts(of: n, frame.box)
        {
            writeTable(n, frame.box, parts, &writer, walk, tableDepth: tableDepth + 1)
            writer.requireBreaks(Int(frame.breaks))
            return false
        }
        if isOutOfOrder(n) { needsBoxes = true }
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

    /// Begins a deletion or an insertion.
    private func openChange(
        _ n: NodeID, _ tag: TagID, _ frame: inout Frame, _ writer: inout TextWriter, _ walk: inout TextWalk
    ) {
        guard tag == .del || tag == .ins, let marks = ChangeMarks.around(n, in: tree) else { return }
        openMark(marks.opening, marks.closing, &frame, &writer, &walk)
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
            if frame.leaving.contains(.block), frame.box.display == .block, !options.isSpeech, styles.hasMarkers(n) {
                writer.indent = min(writer.indent + TextWriter.listInset, TextWriter.widestIndent)
                frame.leaving.insert(.inset)
            }
        case .summary:
            walk.summaries += 1
            frame.leaving.insert(.summary)
        default: break
        }
    }

    private func openLink(
        _ n: NodeID, _ tag: TagID, _ own: TextBox, _ frame: inout Frame, _ writer: inout TextWriter,
        _ walk: inout TextWalk
    ) {
        guard tag == .a, tree.hasAttribute(n, .href) else { return }
        if options.links != .none {
            walk.links.append(writer.position)
            frame.leaving.insert(.link)
        }
        if own.display == .inline, frame.box.display == .inline {
            writer.beginLink()
            frame.leaving.insert(.anchor)
        }
    }

    /// Places the marker of a list item, and indents other contents of the list.
    private mutating func openItem(
        _ n: NodeID, _ tag: TagID, _ frame: inout Frame, _ writer: inout TextWriter, _ walk: inout TextWalk
    ) {
        let box = frame.box
        let isBlock = frame.leaving.contains(.block)
        if isBlock, tag == .li || box.display == .listItem,
            walk.frames[walk.frames.count - 1].leaving.contains(.inset)
        {
            writer.indent = max(0, writer.indent - TextWriter.listInset)
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
        _ pseudo: PseudoBox, of n: NodeID, in parent: TextBox, _ writer: inout TextWriter, _ walk: inout TextWalk
    ) {
        switch styles.generated(pseudo, of: n, in: tree) {
        case .none: break
        case .unknown: needsBoxes = true
        case .quote:
            if pseudo == .before {
                writer.writeOwn(quote(n, level: walk.quotes, isOpen: true))
                walk.quotes += 1
            } else if walk.quotes > 0 {
                // A quote that was never opened is not closed.
                walk.quotes -= 1
                writer.writeOwn(quote(n, level: walk.quotes, isOpen: false))
            }
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
                let breaks = box.hasMarginAbove || box.hasMarginBelow ? 2 : 1
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
        let node = NodeID(index: frame.node)
        if leaving.contains(.generated) { writeGenerated(.after, of: node, in: frame.box, &writer, &walk) }
        if leaving.contains(.link) {
            // Whether a link without contents generates a box depends on the content beside it.
            let start = walk.links.removeLast()
            if start == writer.position { needsBoxes = true }
            notes.write(tree.attribute(node, .href), as: options.links, from: start, &writer)
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

    /// A quotation mark of the element's language.
    private func quote(_ n: NodeID, level: Int, isOpen: Bool) -> String {
        Quotes.mark(
            level: level, isOpen: isOpen, in: Quotes.pairs(forLanguage: ExtractedText.language(of: n, in: tree)))
    }

    // MARK: Rows and cells of layout tables

    private func startRow(_ writer: inout TextWriter, _ frames: inout GrowableBuffer<Frame>) {
        var table = frames.count - 1
        while table >= 0, frames[table].box.display != .table, frames[table].box.display != .inlineTable { table -= 1 }
        guard table >= 0 else {
            writer.requireBreaks(1)
            return
        }
        if frames[table].hasParts { writer.requireBreaks(1) }
        frames.base[table].hasParts = true
    }

    private func startCell(_ writer: inout TextWriter, _ frames: inout GrowableBuffer<Frame>) {
        let last = frames.count - 1
        guard last >= 0, frames[last].box.display == .row else { return }
        if frames[last].hasParts { writer.space = true }
        frames.base[last].hasParts = true
    }

    // MARK: Content without text

    /// Writes the text that represents images, controls and lambdas.
    private func writeReplaced(_ n: NodeID, _ tag: TagID, _ box: TextBox, _ writer: inout TextWriter) {
        let isBlock = box.display == .replacedBlock
        switch tag {
        case .img, .lambda:
            if isBlock { writer.requireBreaks(1) }
            writer.writeAlternative(box.isVisible ? tree.attribute(n, .alt) ?? "" : "")
            if isBlock { writer.requireBreaks(1) }
        case .input:
            if isBlock { writer.requireBreaks(1) }
            if box.isVisible { writer.writeInput(n, of: tree) }
            if isBlock { writer.requireBreaks(1) }
        case .object, .applet: if isBlock { writer.requireBreaks(1) }
        case .textarea:
            if isBlock { writer.requireBreaks(1) } else { writer.placeAtom() }
        case .iframe, .video, .audio, .canvas:
            if isBlock { writer.requireBreaks(1) } else { writer.placeNothing() }
        default: break
        }
    }

    func writeTransformed(_ n: NodeID, _ box: TextBox, _ writer: inout TextWriter) {
        var text = ExtractedText.transformed(n, of: tree, box.transform)
        text.withUTF8 { writer.write(decoded: $0, box.whiteSpace) }
    }
}
