// Text out of a tree (SPEC section 3): what a person would read, or the bare text; InnerText.swift has the browser's.
//
// One walk in document order. Boxes come from the styles; TextWriter keeps spaces and line breaks.

import Basics
import Markup

/// What to do when the walk leaves an element.
enum Leaving: UInt8, BitwiseCopyable { case nothing, block, inlineBlock, listItem, list, quote, link, rubyText, cell }

/// An element that the walk is in.
struct Frame: BitwiseCopyable {
    var end: UInt32
    var box: TextBox
    var leaving: Leaving
    var indent: Int32
    var node: UInt32
    /// Cells or rows seen so far in this row or table.
    var index: UInt32 = 0
}

struct List {
    var next: Int
    var step: Int
}

/// Where a walk through a tree is: it may pause between any two nodes.
struct TextWalk {
    /// The elements that the walk is in, from the outside; the first one is what it began with.
    var frames = GrowableBuffer<Frame>(capacity: 64)
    var lists: [List] = []
    var quotes = 0
    /// The next node.
    var at: UInt32
    /// Up to where the source's memory is given back.
    var released = 0
}

extension MarkupTree {
    /// The tree's text by the default stylesheet (SPEC section 3); linear, and made for speed.
    package func plainText(_ options: TextOptions, of node: NodeID? = nil, sink: TextSink? = nil) -> [UInt8] {
        var extractor = TextExtractor(
            self, styles: DefaultTextStyles(), options: options)
        return extractor.extract(node, sink: sink)
    }
}

package struct TextExtractor<Styles: TextBoxStyles> {
    var tree: MarkupTree
    let styles: Styles
    let options: TextOptions
    /// Link targets in the order of their footnotes.
    private var footnotes: [String] = []
    private var footnoteOf: [String: Int] = [:]
    /// The last marker that is the same for every item.
    var bullet: (style: String, bytes: [UInt8], columns: Int) = ("", [], 0)

    package init(_ tree: MarkupTree, styles: Styles, options: TextOptions) {
        self.tree = tree
        self.styles = styles
        self.options = options
    }

    /// The text of the whole tree or of one element, UTF-8. Linear in the tree.
    /// - Parameter sink: takes the text in pieces as it is made, so that it is never whole in memory; the last piece is
    ///   the result.
    // Other modules call this too: with the default styles they get code made for them.
    @_specialize(where Styles == DefaultTextStyles)
    package mutating func extract(_ node: NodeID? = nil, sink: TextSink? = nil) -> [UInt8] {
        let top = node ?? tree.root
        if options.mode == .raw {
            var text: [UInt8] = []
            text.reserveCapacity(sink == nil ? tree.source.count / 4 : TextWriter.pieceSize)
            appendRaw(Int(top.index)..<Int(tree.subtreeEnd(top).index), to: &text, sink)
            return cleaned(text)
        }
        if options.mode == .innerText {
            return InnerText.collect(top, of: tree, styles: styles, options: options, sink: sink)
        }
        // Of the whole page mostly less than a third is text; pages that stay unwritten cost nothing.
        let expected = sink != nil ? TextWriter.pieceSize + 1 << 14 : node == nil ? tree.source.count / 3 : 1 << 10
        return collect(expected: expected, sink) { extractor, writer in
            extractor.walk(top, &writer, TextBox(), tableDepth: 0)
        }
    }

    /// The text that `body` writes, and the footnotes.
    mutating func collect(
        expected: Int, _ sink: TextSink?, _ body: (inout TextExtractor, inout TextWriter) -> Void
    ) -> [UInt8] {
        var outgrown: [UInt8]?
        var text = [UInt8](unsafeUninitializedCapacity: expected + 64) { memory, count in
            var writer = TextWriter(
                options, source: sourceBytes, out: GrowableBuffer(borrowing: memory), sink: sink)
            body(&self, &writer)
            writer.endText()
            if writer.out.isBorrowed {
                count = writer.out.count
            } else {
                // Room for what callers put at the end: a newline, footnotes.
                outgrown = [UInt8](unsafeUninitializedCapacity: writer.out.count + 64) { larger, length in
                    larger.baseAddress?.update(from: writer.out.base, count: writer.out.count)
                    length = writer.out.count
                }
                writer.out.free()
            }
        }
        if let outgrown { text = outgrown }
        for (k, target) in footnotes.enumerated() {
            text.append(contentsOf: Array((k == 0 ? "\n\n" : "\n").utf8))
            text.append(contentsOf: Array("[\(k + 1)] \(target)".utf8))
        }
        return text
    }

    // MARK: The walk

    /// The source, alive as long as the tree.
    var sourceBytes: UnsafeBufferPointer<UInt8> {
        tree.storage.source.buffer
    }

    mutating func walk(_ top: NodeID, _ writer: inout TextWriter, _ parent: TextBox, tableDepth: Int) {
        var walk = beginWalk(top, writer, parent, isInside: tree.kind(top) == .root || tableDepth > 0)
        advance(&walk, &writer, upTo: tree.subtreeEnd(top).index, tableDepth: tableDepth)
        endWalk(&walk, &writer)
    }

    /// - Parameter isInside: whether the walk is of what `top` holds, not of `top` itself.
    func beginWalk(_ top: NodeID, _ writer: TextWriter, _ parent: TextBox, isInside: Bool) -> TextWalk {
        var walk = TextWalk(at: isInside ? top.index + 1 : top.index)
        walk.frames.append(
            Frame(
                end: .max, box: parent, leaving: .nothing, indent: Int32(truncatingIfNeeded: writer.indent),
                node: top.index))
        return walk
    }

    /// Goes on with a window of the tree that begins with the elements that were open where the walk has paused: `first` is
    /// the node behind them. The walk is in all of them, or in those around one whose content does not show.
    func resume(_ walk: inout TextWalk, first: Int) {
        for k in 1..<max(walk.frames.count, 1) {
            let index = UInt32(truncatingIfNeeded: k)
            walk.frames.base[k].node = index
            walk.frames.base[k].end = tree.storage.end(index)
        }
        walk.at = UInt32(truncatingIfNeeded: first)
        if walk.frames.count < first {
            walk.at = max(walk.at, tree.storage.end(UInt32(truncatingIfNeeded: walk.frames.count)))
        }
    }

    /// Whether entering an element takes all of its content.
    func readsAhead(_ n: NodeID) -> Bool {
        guard tree.kind(n) == .element else { return false }
        let display = styles.box(n, in: tree, parent: TextBox()).display
        return display == .table || display == .inlineTable || (tree.tag(n) == .ol && tree.hasAttribute(n, "reversed"))
    }

    /// Leaves what the walk is in.
    mutating func endWalk(_ walk: inout TextWalk, _ writer: inout TextWriter) {
        while walk.frames.count > 1 {
            walk.frames.count &-= 1
            leave(walk.frames.base[walk.frames.count], &writer, &walk)
        }
        walk.frames.free()
    }

    /// Goes on to the node `end`.
    mutating func advance(_ walk: inout TextWalk, _ writer: inout TextWriter, upTo end: UInt32, tableDepth: Int) {
        let readsLinks = options.links != .none
        let styles = styles
        let nodes = tree.storage.nodes.base
        let source = tree.storage.sourceBase
        let references: EntityDecoder.Mode = tree.storage.decodesEntities ? .references : []
        // Nothing is behind the end, though elements that are still open may seem to end there.
        var at = min(walk.at, end)
        defer { walk.at = at }
        var box = walk.frames.base[walk.frames.count &- 1].box
        // The end of the innermost frame; the outermost one ends with the walk.
        var innerEnd = walk.frames.count > 1 ? walk.frames.base[walk.frames.count &- 1].end : .max
        while true {
            while innerEnd <= at {
                walk.frames.count &-= 1
                let frame = walk.frames.base[walk.frames.count]
                if frame.leaving != .nothing { leave(frame, &writer, &walk) }
                let outer = walk.frames.base[walk.frames.count &- 1]
                box = outer.box
                innerEnd = walk.frames.count > 1 ? outer.end : .max
            }
            guard at < end else { break }
            let node = nodes[Int(at)]
            if node.kind == .text {
                let n = NodeID(index: at)
                at &+= 1
                guard box.isVisible else { continue }
                switch box.display {
                case .table, .rowGroup, .row, .inlineTable: if isBlank(n) { continue }
                default: break
                }
                let above = nodes[Int(tree.storage.parent(n.index))]
                if above.flags.contains(.foreign), !Self.isSVGText(above.tag) { continue }
                if box.transform != .none {
                    writeTransformed(n, box, &writer)
                } else if node.flags.contains(.edited) {
                    writer.write(tree.rawText(n), box.whiteSpace, decode: nil)
                } else {
                    if Int(node.sourceStart) &- walk.released > SourceBytes.releaseStep {
                        walk.released = tree.storage.source.release(from: walk.released, upTo: Int(node.sourceStart))
                    }
                    let length = Int(node.sourceEnd) &- Int(node.sourceStart)
                    writer.write(
                        UnsafeBufferPointer(start: source + Int(node.sourceStart), count: length), box.whiteSpace,
                        decode: node.flags.contains(.raw) ? [] : references)
                }
            } else if node.kind == .element {
                let n = NodeID(index: at)
                let own = styles.box(n, in: tree, parent: box)
                if own.display == .inline, !own.isOutOfFlow, box.display != .flex, box.display != .inlineFlex,
                    !hasOwnRule(node.tag, readsLinks)
                {
                    // Plain inline elements, which are most.
                    at &+= 1
                    if node.size > 1 {
                        let end = tree.storage.end(n.index)
                        walk.frames.append(Frame(end: end, box: own, leaving: .nothing, indent: 0, node: n.index))
                        box = own
                        innerEnd = end
                    }
                    continue
                }
                // A template's content is no part of the page.
                if own.display == .none || node.tag == .template {
                    at = min(tree.storage.end(at), end)
                    continue
                }
                at = min(enter(n, own, box, &writer, &walk, tableDepth), end)
                let inner = walk.frames.base[walk.frames.count &- 1]
                box = inner.box
                innerEnd = walk.frames.count > 1 ? inner.end : .max
            } else {
                at &+= 1
            }
        }
    }

    /// Inline elements that are more than their content.
    @inline(__always)
    private func hasOwnRule(_ tag: TagID, _ readsLinks: Bool) -> Bool {
        tag == .br || tag == .wbr || tag == .q || tag == .template || (tag == .a && readsLinks)
    }

    private func isBlank(_ n: NodeID) -> Bool { tree.rawText(n).allSatisfy(\.isHTMLSpace) }

    static func isSVGText(_ tag: TagID) -> Bool {
        switch tag {
        case .text, .tspan, .textpath, .a, .foreignobject, .mi, .mo, .mn, .ms, .mtext: true
        default: false
        }
    }

    /// Goes into an element; returns the node to go on with.
    private mutating func enter(
        _ n: NodeID, _ own: TextBox, _ parent: TextBox, _ writer: inout TextWriter, _ walk: inout TextWalk,
        _ tableDepth: Int
    ) -> UInt32 {
        let tag = tree.tag(n)
        let end = tree.storage.end(n.index)
        var box = own
        var leaving = Leaving.nothing
        if box.isOutOfFlow || parent.display == .flex || parent.display == .inlineFlex { box.blockify() }
        if tag == .br {
            if box.isVisible { writer.forceBreak() }
            return end
        }
        if tag == .wbr { return end }
        if tag == .hr {
            writeRule(box, &writer)
            return end
        }
        if box.display == .replaced || box.display == .replacedBlock, writeReplaced(n, tag, box, &writer) {
            return end
        }
        switch box.display {
        case .none: return end
        case .contents: box.display = parent.display
        case .inline: break
        case .ruby: break
        case .rubyText:
            writer.writeOwn("(")
            leaving = .rubyText
        case .replaced:
            writer.placeAtom()
            return end
        case .replacedBlock:
            writer.requireBreaks(1)
            return end
        case .inlineBlock, .inlineFlex, .inlineTable:
            writer.begin()
            writer.atLineStart = true
            leaving = .inlineBlock
            // Inside, leading white space collapses; the prefix of the line is written already.
            writer.startInline()
        case .column: break
        case .block, .flex, .listItem, .caption:
            if !walk.lists.isEmpty, Self.isList(tag) {
                writer.requireBreaks(1)
            } else {
                startBlock(box, &writer)
            }
            leaving = .block
        case .table:
            if options.tables != .none, tableDepth < 6, !options.isSpeech, isDataTable(n) {
                writer.requireBreaks(1)
                writeTable(n, box, &writer, tableDepth: tableDepth + 1)
                writer.requireBreaks(1)
                return end
            }
            startBlock(box, &writer)
            leaving = .block
        case .rowGroup: break
        case .row: startRow(&writer, &walk.frames)
        case .cell:
            startCell(&writer, &walk.frames)
            leaving = .cell
        }
        var frame = Frame(
            end: end, box: box, leaving: leaving, indent: Int32(truncatingIfNeeded: writer.indent), node: n.index)
        switch tag {
        case .ol, .ul, .menu, .dir:
            walk.lists.append(startOfList(n, tag))
            frame.leaving = .list
        case .q:
            writer.writeOwn(walk.quotes % 2 == 0 ? "“" : "‘")
            walk.quotes += 1
            frame.leaving = .quote
        case .a where options.links != .none && tree.hasAttribute(n, .href): frame.leaving = .link
        default: break
        }
        if box.display == .listItem {
            startItem(n, &writer, &walk.lists)
            frame.leaving = .listItem
        } else if box.indent > 0, leaving == .block {
            writer.indent = min(writer.indent + Int(box.indent), 200)
        }
        walk.frames.append(frame)
        return n.index + 1
    }

    /// A list in a list has no margins of its own (HTML §15.3.7).
    private static func isList(_ tag: TagID) -> Bool { tag == .ul || tag == .ol || tag == .menu || tag == .dir }

    private func startBlock(_ box: TextBox, _ writer: inout TextWriter) { writer.requireBreaks(blockBreaks(box)) }

    private func blockBreaks(_ box: TextBox) -> Int { box.blankLines > 0 ? 2 : 1 }

    private mutating func leave(_ frame: Frame, _ writer: inout TextWriter, _ walk: inout TextWalk) {
        switch frame.leaving {
        case .nothing, .cell: break
        case .block:
            writer.indent = Int(frame.indent)
            writer.requireBreaks(blockBreaks(frame.box))
        case .inlineBlock:
            writer.space = false
            writer.breaks = 0
            writer.atLineStart = false
        case .listItem:
            writer.indent = Int(frame.indent)
            writer.marker = []
            writer.requireBreaks(blockBreaks(frame.box))
        case .list:
            if !walk.lists.isEmpty { walk.lists.removeLast() }
            writer.indent = Int(frame.indent)
            writer.requireBreaks(walk.lists.isEmpty ? blockBreaks(frame.box) : 1)
        case .quote:
            walk.quotes -= 1
            writer.writeOwn(walk.quotes % 2 == 0 ? "”" : "’")
        case .rubyText: writer.writeOwn(")")
        case .link:
            guard let target = tree.attribute(NodeID(index: frame.node), .href), !target.isEmpty, !target.hasPrefix("#")
            else { break }
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

    // MARK: Rows and cells of tables that are no data

    private func startRow(_ writer: inout TextWriter, _ frames: inout GrowableBuffer<Frame>) {
        var table = frames.count - 1
        while table >= 0, frames[table].box.display != .table, frames[table].box.display != .inlineTable { table -= 1 }
        guard table >= 0 else {
            writer.requireBreaks(1)
            return
        }
        if frames[table].index > 0 { writer.requireBreaks(1) }
        frames.base[table].index &+= 1
    }

    private func startCell(_ writer: inout TextWriter, _ frames: inout GrowableBuffer<Frame>) {
        let last = frames.count - 1
        guard last >= 0, frames[last].box.display == .row else { return }
        if frames[last].index > 0 {
            writer.space = true
        }
        frames.base[last].index &+= 1
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
        var text = Self.transformed(n, of: tree, box.transform)
        text.withUTF8 { writer.write($0, box.whiteSpace, decode: nil) }
    }

    /// The text of a node as `text-transform` makes it.
    static func transformed(_ n: NodeID, of tree: MarkupTree, _ transform: TextBox.Transform) -> String {
        let text = tree.text(n)
        switch transform {
        case .none: return text
        case .uppercase:
            return
                isTurkic(n, of: tree)
                ? text.map { $0 == "i" ? "İ" : String($0).uppercased() }.joined() : text.uppercased()
        case .lowercase:
            return
                isTurkic(n, of: tree)
                ? text.map { $0 == "I" ? "ı" : $0 == "İ" ? "i" : String($0).lowercased() }.joined() : text.lowercased()
        case .capitalize:
            var inWord = false
            var transformed = ""
            for character in text {
                let isLetter = character.isLetter || character.isNumber
                transformed += isLetter && !inWord ? String(character).uppercased() : String(character)
                inWord = isLetter || (inWord && (character == "'" || character == "’"))
            }
            return transformed
        }
    }

    private static func isTurkic(_ n: NodeID, of tree: MarkupTree) -> Bool {
        var at: NodeID? = n
        while let element = at {
            if tree.kind(element) == .element, let language = tree.attribute(element, .lang)?.lowercased() {
                return ["tr", "az"].contains(language.split(separator: "-").first.map(String.init) ?? "")
            }
            at = tree.parent(element)
        }
        return false
    }
}

extension TextWriter {
    /// Inside an inline box the line goes on, but leading white space collapses.
    mutating func startInline() {
        inlineStart = out.count
    }

    /// Something without text that spaces do not collapse across.
    mutating func placeNothing() {
        space = space && !atLineStart
    }
}
