// Text out of a tree (SPEC section 3): what a person would read, what a browser's `innerText` gives, or the bare text.
//
// One walk in document order. Boxes come from the styles; TextWriter keeps spaces and line breaks.

/// What to do when the walk leaves an element.
private enum Leaving { case nothing, block, inlineBlock, listItem, list, quote, link, rubyText, cell }

private struct Frame {
    var end: UInt32
    var box: TextBox
    var leaving: Leaving
    var indent: Int
    var node: UInt32
    /// Cells or rows seen so far in this row or table.
    var index = 0
}

private struct List {
    var next: Int
    var step: Int
}

extension MarkupTree {
    /// The tree's text by the default stylesheet (SPEC section 3); linear, and made for speed.
    package func plainText(_ options: TextOptions, of node: NodeID? = nil) -> [UInt8] {
        var extractor = TextExtractor(self, styles: DefaultTextStyles(hidesNoscript: options.mode == .innerText), options: options)
        return extractor.extract(node)
    }
}

package struct TextExtractor<Styles: TextBoxStyles> {
    let tree: MarkupTree
    let styles: Styles
    let options: TextOptions
    /// Link targets in the order of their footnotes.
    private var footnotes: [String] = []
    private var footnoteOf: [String: Int] = [:]

    package init(_ tree: MarkupTree, styles: Styles, options: TextOptions) {
        self.tree = tree
        self.styles = styles
        self.options = options
    }

    /// The text of the whole tree or of one element, UTF-8. Linear in the tree.
    // Other modules call this too: with the default styles they get code made for them.
    @_specialize(where Styles == DefaultTextStyles)
    package mutating func extract(_ node: NodeID? = nil) -> [UInt8] {
        let top = node ?? tree.root
        if options.mode == .raw { return raw(top) }
        var writer = TextWriter(options)
        walk(top, &writer, TextBox(), tableDepth: 0)
        var text = writer.finish()
        for (k, target) in footnotes.enumerated() {
            text.append(contentsOf: Array((k == 0 ? "\n\n" : "\n").utf8))
            text.append(contentsOf: Array("[\(k + 1)] \(target)".utf8))
        }
        return text
    }

    // MARK: Raw

    private func raw(_ top: NodeID) -> [UInt8] {
        var out: [UInt8] = []
        var at = Int(top.index)
        let end = Int(tree.subtreeEnd(top).index)
        let nodes = tree.storage.nodes.base
        out.reserveCapacity(tree.source.count / 4)
        while at < end {
            let node = nodes[at]
            if node.kind == .text {
                let bytes = tree.rawText(NodeID(at))
                if let mode = tree.textMode(NodeID(at)) { EntityDecoder.decode(bytes, mode: mode, into: &out) } else { out.append(contentsOf: bytes) }
            } else if node.kind == .element, node.tag == .script || node.tag == .style {
                at = Int(node.end)
                continue
            }
            at += 1
        }
        return options.keepsControls ? Self.withoutReturns(out) : Self.withoutControls(out)
    }

    /// A carriage return that a reference gave is a line end in the output.
    private static func withoutReturns(_ text: [UInt8]) -> [UInt8] {
        text.contains(0x0D) ? text.map { $0 == 0x0D ? 0x0A : $0 } : text
    }

    /// Text that may go to a terminal (SPEC S4): no C0, C1 and bidi controls but tab and newline.
    package static func withoutControls(_ text: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(text.count)
        var i = 0
        while i < text.count {
            let byte = text[i]
            if byte == 0x0D {
                out.append(0x0A)
            } else if byte < 0x20 && byte != 0x0A && byte != 0x09 || byte == 0x7F {
                // Dropped.
            } else if byte == 0xC2, i + 1 < text.count, text[i + 1] < 0xA0 {
                i += 1
            } else if byte == 0xE2, i + 2 < text.count,
                text[i + 1] == 0x80 && (0xAA...0xAE).contains(text[i + 2]) || text[i + 1] == 0x81 && (0xA6...0xA9).contains(text[i + 2])
            {
                i += 2
            } else {
                out.append(byte)
            }
            i += 1
        }
        return out
    }

    // MARK: The walk

    private mutating func walk(_ top: NodeID, _ writer: inout TextWriter, _ parent: TextBox, tableDepth: Int) {
        var frames: [Frame] = []
        var lists: [List] = []
        var quotes = 0
        let readable = options.mode == .readable
        let nodes = tree.storage.nodes.base
        var box = parent
        var at = top.index
        let end = tree.subtreeEnd(top).index
        frames.append(Frame(end: end, box: parent, leaving: .nothing, indent: writer.indent, node: top.index))
        if tree.kind(top) == .root || tableDepth > 0 { at += 1 }
        while true {
            var depth = frames.count
            while depth > 1, frames[depth &- 1].end <= at {
                let frame = frames.removeLast()
                depth &-= 1
                if frame.leaving != .nothing { leave(frame, &writer, &lists, &quotes) }
                box = frames[depth &- 1].box
            }
            guard at < end else { break }
            let node = nodes[Int(at)]
            let n = NodeID(index: at)
            switch node.kind {
            case .text:
                at &+= 1
                guard box.isVisible else { continue }
                switch box.display {
                case .table, .rowGroup, .row, .inlineTable: if isBlank(n) { continue }
                default: break
                }
                if tree.isForeign(NodeID(index: node.parent)), !isSVGText(NodeID(index: node.parent)) { continue }
                if box.transform == .none {
                    writer.write(tree.rawText(n), box.whiteSpace, decode: tree.textMode(n))
                } else {
                    writeTransformed(n, box, &writer)
                }
            case .comment, .instruction, .doctype, .root:
                at &+= 1
            case .element:
                let own = styles.box(n, in: tree, parent: box)
                // A template's content is no part of the page; a browser that runs scripts shows no noscript.
                if own.display == .none || node.tag == .template || (node.tag == .noscript && options.mode == .innerText) {
                    at = node.end
                    continue
                }
                if own.display == .inline, !own.isOutOfFlow, box.display != .flex, box.display != .inlineFlex, node.tag != .br, node.tag != .wbr,
                    node.tag != .q, node.tag != .a || options.links == .none
                {
                    // Plain inline elements, which are most.
                    at &+= 1
                    if node.end > at {
                        frames.append(Frame(end: node.end, box: own, leaving: .nothing, indent: 0, node: n.index))
                        box = own
                    }
                    continue
                }
                let next = enter(n, own, box, &writer, &frames, &lists, &quotes, readable, tableDepth)
                box = frames[frames.count - 1].box
                at = next
            }
        }
        while frames.count > 1 { leave(frames.removeLast(), &writer, &lists, &quotes) }
    }

    private func isBlank(_ n: NodeID) -> Bool { tree.rawText(n).allSatisfy(\.isHTMLSpace) }

    private func isSVGText(_ n: NodeID) -> Bool {
        switch tree.tag(n) {
        case .text, .tspan, .textpath, .a, .foreignobject, .mi, .mo, .mn, .ms, .mtext: true
        default: false
        }
    }

    /// Goes into an element; returns the node to go on with.
    private mutating func enter(
        _ n: NodeID, _ own: TextBox, _ parent: TextBox, _ writer: inout TextWriter, _ frames: inout [Frame], _ lists: inout [List], _ quotes: inout Int,
        _ readable: Bool, _ tableDepth: Int
    ) -> UInt32 {
        let tag = tree.tag(n)
        let node = tree.storage.nodes[Int(n.index)]
        var box = own
        var leaving = Leaving.nothing
        let blockified = box.isOutOfFlow || parent.display == .flex || parent.display == .inlineFlex
        if blockified {
            switch box.display {
            case .inline, .inlineBlock, .ruby, .rubyText, .contents: box.display = .block
            case .inlineFlex: box.display = .flex
            case .inlineTable: box.display = .table
            case .replaced: box.display = .replacedBlock
            default: break
            }
        }
        if tag == .br {
            if box.isVisible || !readable { writer.forceBreak() }
            return node.end
        }
        if tag == .wbr { return node.end }
        if readable, tag == .hr {
            writeRule(box, &writer)
            return node.end
        }
        if readable, box.display == .replaced || box.display == .replacedBlock, writeReplaced(n, tag, box, &writer) { return node.end }
        switch box.display {
        case .none: return node.end
        case .contents: box.display = parent.display
        case .inline: break
        case .ruby: break
        case .rubyText:
            if readable {
                writer.writeOwn("(")
                leaving = .rubyText
            }
        case .replaced:
            writer.placeAtom()
            return node.end
        case .replacedBlock:
            writer.requireBreaks(1)
            return node.end
        case .inlineBlock, .inlineFlex, .inlineTable:
            writer.begin()
            writer.atLineStart = true
            leaving = .inlineBlock
            // Inside, leading white space collapses; the prefix of the line is written already.
            writer.startInline()
        case .column: break
        case .block, .flex, .listItem, .caption:
            if !lists.isEmpty, Self.isList(tag) { writer.requireBreaks(1) } else { startBlock(box, tag, readable, &writer) }
            leaving = .block
        case .table:
            if readable, options.tables != .none, tableDepth < 6, !options.isSpeech, isDataTable(n) {
                writer.requireBreaks(1)
                writeTable(n, box, &writer, tableDepth: tableDepth + 1)
                writer.requireBreaks(1)
                return node.end
            }
            startBlock(box, tag, readable, &writer)
            leaving = .block
        case .rowGroup: break
        case .row: startRow(&writer, &frames, readable)
        case .cell:
            startCell(&writer, &frames, readable)
            leaving = .cell
        }
        var frame = Frame(end: node.end, box: box, leaving: leaving, indent: writer.indent, node: n.index)
        if readable {
            switch tag {
            case .ol, .ul, .menu, .dir:
                lists.append(startOfList(n, tag))
                frame.leaving = .list
            case .q:
                writer.writeOwn(quotes % 2 == 0 ? "“" : "‘")
                quotes += 1
                frame.leaving = .quote
            case .a where options.links != .none && tree.hasAttribute(n, .href): frame.leaving = .link
            default: break
            }
            if box.display == .listItem {
                startItem(n, &writer, &lists)
                frame.leaving = .listItem
            } else if box.indent > 0, leaving == .block {
                writer.indent = min(writer.indent + Int(box.indent), 200)
            }
        }
        frames.append(frame)
        return n.index + 1
    }

    /// A list in a list has no margins of its own (HTML §15.3.7).
    private static func isList(_ tag: TagID) -> Bool { tag == .ul || tag == .ol || tag == .menu || tag == .dir }

    private func startBlock(_ box: TextBox, _ tag: TagID, _ readable: Bool, _ writer: inout TextWriter) {
        // `innerText` asks two breaks of paragraphs only (HTML §3.2.7).
        writer.requireBreaks(blockBreaks(box, tag, readable))
    }

    private func blockBreaks(_ box: TextBox, _ tag: TagID, _ readable: Bool) -> Int {
        if !readable { return tag == .p ? 2 : 1 }
        return box.blankLines > 0 ? 2 : 1
    }

    private mutating func leave(_ frame: Frame, _ writer: inout TextWriter, _ lists: inout [List], _ quotes: inout Int) {
        let readable = options.mode == .readable
        let tag = tree.tag(NodeID(index: frame.node))
        switch frame.leaving {
        case .nothing, .cell: break
        case .block:
            writer.indent = frame.indent
            writer.requireBreaks(blockBreaks(frame.box, tag, readable))
        case .inlineBlock:
            writer.space = false
            writer.breaks = 0
            writer.atLineStart = false
        case .listItem:
            writer.indent = frame.indent
            writer.marker = []
            writer.requireBreaks(blockBreaks(frame.box, tag, readable))
        case .list:
            if !lists.isEmpty { lists.removeLast() }
            writer.indent = frame.indent
            writer.requireBreaks(lists.isEmpty ? blockBreaks(frame.box, tag, readable) : 1)
        case .quote:
            quotes -= 1
            writer.writeOwn(quotes % 2 == 0 ? "”" : "’")
        case .rubyText: writer.writeOwn(")")
        case .link:
            guard let target = tree.attribute(NodeID(index: frame.node), .href), !target.isEmpty, !target.hasPrefix("#") else { break }
            let clean = String(decoding: Self.withoutControls(Array(target.utf8)), as: UTF8.self)
            if options.links == .inline {
                writer.writeOwn(" <\(clean)>")
            } else {
                let number = footnoteOf[clean] ?? footnotes.count + 1
                if footnoteOf[clean] == nil {
                    footnotes.append(clean)
                    footnoteOf[clean] = number
                }
                writer.writeOwn("[\(number)]")
            }
        }
    }

    // MARK: Rows and cells as a browser's innerText has them

    private func startRow(_ writer: inout TextWriter, _ frames: inout [Frame], _ readable: Bool) {
        guard let table = frames.lastIndex(where: { $0.box.display == .table || $0.box.display == .inlineTable }) else {
            writer.requireBreaks(1)
            return
        }
        if frames[table].index > 0 { writer.requireBreaks(1) }
        frames[table].index += 1
    }

    private func startCell(_ writer: inout TextWriter, _ frames: inout [Frame], _ readable: Bool) {
        guard let last = frames.indices.last, frames[last].box.display == .row else { return }
        if frames[last].index > 0 {
            if readable { writer.space = true } else { writer.placeTab() }
        }
        frames[last].index += 1
    }

    // MARK: Lists

    private func startOfList(_ n: NodeID, _ tag: TagID) -> List {
        guard tag == .ol else { return List(next: 1, step: 1) }
        let start = tree.attribute(n, .start).flatMap { Self.integer($0) }
        guard tree.hasAttribute(n, "reversed") else { return List(next: start ?? 1, step: 1) }
        var items = 0
        for child in tree.children(n) where tree.kind(child) == .element && tree.tag(child) == .li { items += 1 }
        return List(next: start ?? items, step: -1)
    }

    /// HTML's rules for integers: leading white space, a sign, digits; what follows is ignored.
    static func integer(_ text: String) -> Int? {
        var value: Int?
        var negative = false
        var started = false
        for byte in text.utf8 {
            if !started, byte.isHTMLSpace { continue }
            if !started, byte == 0x2D || byte == 0x2B {
                negative = byte == 0x2D
            } else if byte.isASCIIDigit {
                value = min((value ?? 0) * 10 + Int(byte - 0x30), 1_000_000_000)
            } else {
                break
            }
            started = true
        }
        return value.map { negative ? -$0 : $0 }
    }

    private func startItem(_ n: NodeID, _ writer: inout TextWriter, _ lists: inout [List]) {
        var number = 1
        if lists.isEmpty { lists.append(List(next: 1, step: 1)) }
        if let value = tree.attribute(n, .value).flatMap({ Self.integer($0) }) { lists[lists.count - 1].next = value }
        number = lists[lists.count - 1].next
        lists[lists.count - 1].next += lists[lists.count - 1].step
        let style = styles.listStyleType(n, in: tree)
        guard style != "none", !options.isSpeech else { return }
        let marker: String
        if let first = style.utf8.first, first == 0x22 || first == 0x27 {
            marker = String(style.dropFirst().dropLast())
        } else {
            marker = CounterText.text(number, style: style) + CounterText.suffix(style: style)
        }
        let bytes = Array(marker.utf8)
        if writer.marker.isEmpty {
            writer.markerIndent = writer.indent
            writer.marker = bytes
        } else {
            writer.marker += bytes
        }
        writer.indent = min(writer.indent + DisplayWidth.of(bytes), 200)
    }

    // MARK: What is not text

    private func writeRule(_ box: TextBox, _ writer: inout TextWriter) {
        writer.requireBreaks(1)
        guard !options.isSpeech else { return }
        let columns = max(3, min(options.width ?? 40, 200) - writer.indent)
        writer.writeOwn(String(repeating: "─", count: columns))
        writer.requireBreaks(1)
    }

    /// Images, controls and lambdas by the text that stands for them; false when their content is to be read.
    private func writeReplaced(_ n: NodeID, _ tag: TagID, _ box: TextBox, _ writer: inout TextWriter) -> Bool {
        switch tag {
        case .textarea, .svg: return false
        case .object, .video, .audio, .canvas, .applet: return false
        case .img, .lambda:
            if box.display == .replacedBlock { writer.requireBreaks(1) }
            if box.isVisible, let alt = tree.attribute(n, .alt), !alt.isEmpty {
                var text = alt
                text.withUTF8 { writer.write($0, .normal, decode: nil) }
            } else {
                // An image without a description leaves the spaces around it as they are.
                writer.placeNothing()
            }
            if box.display == .replacedBlock { writer.requireBreaks(1) }
        case .input:
            let type = tree.attribute(n, .type)?.lowercased() ?? "text"
            if ["submit", "reset", "button"].contains(type), box.isVisible, var value = tree.attribute(n, .value) {
                value.withUTF8 { writer.write($0, .normal, decode: nil) }
            } else if type == "image", box.isVisible, var alt = tree.attribute(n, .alt) {
                alt.withUTF8 { writer.write($0, .normal, decode: nil) }
            }
        default: break
        }
        return true
    }

    private func writeTransformed(_ n: NodeID, _ box: TextBox, _ writer: inout TextWriter) {
        let text = tree.text(n)
        var transformed: String
        switch box.transform {
        case .none: transformed = text
        case .uppercase: transformed = isTurkic(n) ? text.map { $0 == "i" ? "İ" : String($0).uppercased() }.joined() : text.uppercased()
        case .lowercase: transformed = isTurkic(n) ? text.map { $0 == "I" ? "ı" : $0 == "İ" ? "i" : String($0).lowercased() }.joined() : text.lowercased()
        case .capitalize:
            var inWord = false
            transformed = ""
            for character in text {
                let isLetter = character.isLetter || character.isNumber
                transformed += isLetter && !inWord ? String(character).uppercased() : String(character)
                inWord = isLetter || (inWord && (character == "'" || character == "’"))
            }
        }
        transformed.withUTF8 { writer.write($0, box.whiteSpace, decode: nil) }
    }

    private func isTurkic(_ n: NodeID) -> Bool {
        var at: NodeID? = n
        while let element = at {
            if tree.kind(element) == .element, let language = tree.attribute(element, .lang)?.lowercased() {
                return ["tr", "az"].contains(language.split(separator: "-").first.map(String.init) ?? "")
            }
            at = tree.parent(element)
        }
        return false
    }

    // MARK: Tables as columns

    /// Whether the table has rows of several cells; others only lay text out.
    private func isDataTable(_ n: NodeID) -> Bool {
        if let role = tree.attribute(n, .role)?.lowercased(), role == "presentation" || role == "none" { return false }
        // Only the table's own rows: what cells hold is passed over, so nested tables are each looked at once.
        var cells = 0
        var at = n.index + 1
        let end = tree.subtreeEnd(n).index
        while at < end {
            let node = NodeID(index: at)
            at += 1
            guard tree.kind(node) == .element else { continue }
            switch tree.tag(node) {
            case .tr: cells = 0
            case .tbody, .thead, .tfoot: break
            case .td, .th:
                cells += 1
                if cells > 1 { return true }
                at = tree.subtreeEnd(node).index
            default: at = tree.subtreeEnd(node).index
            }
        }
        return false
    }

    private mutating func writeTable(_ table: NodeID, _ box: TextBox, _ writer: inout TextWriter, tableDepth: Int) {
        var layout = TableText()
        var captions: [[UInt8]] = []
        collect(table, box, &layout, &captions, tableDepth)
        let available = options.width.map { max(8, $0 - writer.indent) }
        var lines: [[UInt8]] = []
        for caption in captions { lines += caption.split(separator: 0x0A).map(Array.init) }
        lines += layout.lines(style: options.tables, width: available, budget: 8 * (tree.sourceRange(table).count) + 65_536)
        for (k, line) in lines.enumerated() {
            if k > 0 { writer.forceBreak() }
            guard !line.isEmpty else { continue }
            line.withUnsafeBufferPointer { writer.write($0, .pre, decode: nil) }
        }
    }

    private mutating func collect(_ parent: NodeID, _ box: TextBox, _ layout: inout TableText, _ captions: inout [[UInt8]], _ tableDepth: Int) {
        // An explicit stack of groups: rows may stand at any depth below the table.
        var at = parent.index + 1
        let end = tree.subtreeEnd(parent).index
        while at < end {
            let node = NodeID(index: at)
            guard tree.kind(node) == .element else {
                at += 1
                continue
            }
            let own = styles.box(node, in: tree, parent: box)
            if own.display == .none || own.display == .column {
                at = tree.subtreeEnd(node).index
                continue
            }
            switch own.display {
            case .row:
                layout.startRow()
                at += 1
            case .rowGroup: at += 1
            case .cell:
                layout.addCell(
                    cellText(node, own, tableDepth), columns: tree.attribute(node, .colspan).flatMap { Self.integer($0) } ?? 1,
                    rows: tree.attribute(node, .rowspan).flatMap { Self.integer($0) } ?? 1)
                at = tree.subtreeEnd(node).index
            case .caption:
                captions.append(cellText(node, own, tableDepth))
                at = tree.subtreeEnd(node).index
            default:
                let text = cellText(node, own, tableDepth)
                if !text.isEmpty { captions.append(text) }
                at = tree.subtreeEnd(node).index
            }
        }
    }

    private mutating func cellText(_ cell: NodeID, _ box: TextBox, _ tableDepth: Int) -> [UInt8] {
        var plain = options
        plain.width = nil
        var writer = TextWriter(plain)
        walk(cell, &writer, box, tableDepth: tableDepth)
        return writer.finish()
    }
}

extension TextWriter {
    /// A tab between the cells of a row, whatever stands around it.
    mutating func placeTab() {
        space = false
        begin()
        out.append(0x09)
        atLineStart = true
        startInline()
    }

    /// Inside an inline box the line goes on, but leading white space collapses.
    mutating func startInline() {
        inlineStart = out.count
    }

    /// Something without text that spaces do not collapse across.
    mutating func placeNothing() {
        space = space && !atLineStart
    }
}
