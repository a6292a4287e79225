// A browser's `innerText` (HTML §3.2.7), from a tree and the boxes of its elements.
//
// One traversal in document order. White space collapses within an inline context: the inline content of one block, up to the
// next block or line break. A float, positioned element or inline block has its own context; the enclosing context continues
// after it. Whether a space before a float is kept is decided only there. Until then it is a NUL in the output, which text never
// contains.

import FancyTextBasics
import FancyTextMarkup
import FancyTextStyling

extension StyledTree {
    /// The `innerText` of an element as in a browser, as UTF-8.
    package func innerText(of node: NodeID) -> [UInt8] {
        var options = TextOptions()
        options.mode = .innerText
        return InnerText.collect(node, of: self, options: options, sink: nil)
    }
}

/// The state of white space collapsing within one block's inline content.
private struct InlineContext: BitwiseCopyable {
    enum Space: UInt8, BitwiseCopyable {
        case none
        /// Written if text follows.
        case due
        /// White space of hidden text; white space after it collapses.
        case hidden
        /// Like ``due``, but other output was written since.
        case placed
    }

    /// True while the line is empty: white space is dropped.
    var isAtStart = true
    var space = Space.none
    /// The position of the placed space in the output, and the line breaks that were written before it.
    var place = 0
    var breaksBefore = 0
}

struct InnerText {
    /// An open element of the traversal.
    private struct Frame: BitwiseCopyable {
        enum Context: UInt8, BitwiseCopyable { case shared, block, own }

        var end: UInt32
        var node: UInt32
        var box: TextBox
        /// The line breaks required after it.
        var breaks: UInt8 = 0
        var context = Context.shared
        /// True if the table has had a row.
        var hasRows = false
        /// True if a cell came last: a tab separates it from the next content in its row, even outside of a cell.
        var endsInCell = false
        /// True for a closed `details`, of which only the summary is shown.
        var isClosed = false
    }

    private let tree: MarkupTree
    private let styles: InnerTextStyles
    private var writer: InnerTextWriter
    private var frames = GrowableBuffer<Frame>(capacity: 64)
    /// The contexts that enclose the current one.
    private var outerContexts: [InlineContext] = []
    /// The transform of the next first letter (CSS Pseudo-Elements 4 §2.2).
    private var firstLetter: TextBox.Transform?

    /// The text of an element or of the whole tree, UTF-8. Linear in the tree.
    /// - Parameter sink: receives the text in pieces; the last piece is the result.
    static func collect(
        _ top: NodeID, of styled: StyledTree, options: TextOptions, sink: TextSink?
    ) -> [UInt8] {
        let tree = styled.tree
        let expected = min(tree.source.count / 3, 32 * Int(tree.subtreeEnd(top).index - top.index))
        var collector = InnerText(
            tree: tree, styles: InnerTextStyles(styled),
            writer: InnerTextWriter(keepsControls: options.keepsControls, expected: expected, sink: sink))
        let element = tree.kind(top) == .root ? rendered(tree) : top
        if let element, collector.isHidden(element) {
            // An element that is not rendered gives its text content (HTML §3.2.7, step 1).
            let text = tree.textContent(element, skipsHidden: false)
            collector.free()
            return options.keepsControls ? text : SafeText.withoutControls(text)
        }
        collector.walk(top)
        defer { collector.free() }
        return collector.writer.finish()
    }

    /// The element whose text is that of the whole tree: the body of a page, or the root of a fragment.
    private static func rendered(_ tree: MarkupTree) -> NodeID? {
        guard tree.isDocument else {
            let all = tree.children(tree.root).filter {
                tree.kind($0) == .element || tree.kind($0) == .text && !tree.rawText($0).allSatisfy(\.isHTMLSpace)
            }
            return all.count == 1 && tree.kind(all[0]) == .element ? all[0] : nil
        }
        for root in tree.children(tree.root) where tree.kind(root) == .element && tree.tag(root) == .html {
            return tree.children(root).first { tree.kind($0) == .element && tree.tag($0) == .body }
        }
        return nil
    }

    /// Returns whether the element or one of its ancestors has no box. O(depth).
    private func isHidden(_ element: NodeID) -> Bool {
        var node: NodeID? = element
        while let ancestor = node, tree.kind(ancestor) == .element {
            if styles.box(ancestor, in: tree).display == .none { return true }
            node = tree.parent(ancestor)
        }
        return false
    }

    private init(tree: MarkupTree, styles: InnerTextStyles, writer: InnerTextWriter) {
        self.tree = tree
        self.styles = styles
        self.writer = writer
    }

    private mutating func free() {
        frames.free()
        writer.out.free()
    }

    private mutating func walk(_ top: NodeID) {
        let nodes = tree.storage.nodes.base
        let end = tree.subtreeEnd(top).index
        var at = tree.kind(top) == .root ? top.index + 1 : top.index
        frames.append(Frame(end: end, node: top.index, box: TextBox()))
        while true {
            while frames.count > 1, frames[frames.count - 1].end <= at {
                frames.count -= 1
                leave(frames[frames.count])
            }
            guard at < end else { return }
            let node = nodes[Int(at)]
            switch node.kind {
            case .text:
                writeText(NodeID(index: at))
                at += 1
            case .element: at = enter(NodeID(index: at), node)
            case .root, .comment, .doctype, .instruction: at += 1
            }
        }
    }

    private mutating func writeText(_ n: NodeID) {
        let parent = frames[frames.count - 1]
        guard !parent.isClosed else { return }
        let above = tree.storage.nodes[Int(tree.storage.parent(n.index))]
        if above.flags.contains(.foreign), !ForeignText.shows(in: above.tag) { return }
        // A select shows only its options.
        if above.tag == .select || above.tag == .optgroup { return }
        switch parent.box.display {
        case .table, .rowGroup, .row, .inlineTable: if tree.rawText(n).allSatisfy(\.isHTMLSpace) { return }
        default: break
        }
        separateFromCell()
        if let transform = firstLetter, !tree.rawText(n).allSatisfy(\.isHTMLSpace) {
            firstLetter = nil
            writeFirstLetter(n, transform, parent.box)
            return
        }
        if above.tag == .mi, above.flags.contains(.foreign), let letter = mathematicalItalic(n) {
            var text = String(letter)
            text.withUTF8 { writer.write($0, parent.box, references: false) }
        } else if parent.box.transform != .none {
            var text = ExtractedText.transformed(n, of: tree, parent.box.transform)
            text.withUTF8 { writer.write($0, parent.box, references: false) }
        } else {
            let mode = tree.textMode(n)
            writer.write(tree.rawText(n), parent.box, references: mode?.contains(.references) ?? false)
        }
    }

    /// Writes text with a styled first letter, which includes the punctuation before it.
    private mutating func writeFirstLetter(_ n: NodeID, _ transform: TextBox.Transform, _ box: TextBox) {
        let text = ExtractedText.transformed(n, of: tree, box.transform)
        var end = text.startIndex
        while end < text.endIndex, text[end].isWhitespace || text[end].isPunctuation { end = text.index(after: end) }
        if end < text.endIndex { end = text.index(after: end) }
        var first = ExtractedText.transformed(
            String(text[..<end]), transform, language: ExtractedText.language(of: n, in: tree))
        first.withUTF8 { writer.write($0, box, references: false) }
        var rest = String(text[end...])
        rest.withUTF8 { writer.write($0, box, references: false) }
    }

    /// Enters an element; returns the node to continue with.
    private mutating func enter(_ n: NodeID, _ node: Node) -> UInt32 {
        let parent = frames[frames.count - 1]
        let tag = node.tag
        let end = tree.storage.end(n.index)
        var box = styles.box(n, in: tree)
        if node.flags.contains(.foreign), box.display != .none { box.display = foreignDisplay(n, tag, box.display) }
        // All options of a select are listed, regardless of their style.
        if tag == .option || tag == .optgroup, box.display == .none {
            let above = tree.storage.nodes[Int(tree.storage.parent(n.index))].tag
            if above == .select || above == .optgroup { box.display = .block }
        }
        // A browser that runs scripts shows no noscript.
        if box.display == .none || tag == .template || tag == .noscript || tag == .wbr { return end }
        if tag == .embed, !tree.hasAttribute(n, .src) { return end }
        // Objects that cannot be shown are replaced by their content.
        if tag == .object || tag == .applet, box.display == .replaced, hasFallback(n) { box.display = .inline }
        if parent.isClosed, tag != .summary { return end }
        if tag == .br {
            writer.breakLine(isVisible: box.isVisible)
            return end
        }
        switch box.display {
        case .row, .rowGroup, .column, .caption: break
        default: if !box.isOutOfFlow { separateFromCell() }
        }
        let parentDisplay = parent.box.display
        if box.isOutOfFlow || parentDisplay == .flex || parentDisplay == .inlineFlex { box.blockify() }
        var frame = Frame(end: end, node: n.index, box: box)
        if box.isVisible, tag == .p { frame.breaks = 2 }
        switch box.display {
        case .none, .inline, .ruby, .rubyText, .column, .unknown: break
        case .contents: frame.box.display = parentDisplay
        case .replaced:
            firstLetter = nil
            writer.placeAtom()
            return end
        case .inlineBlock, .inlineFlex, .inlineTable:
            writer.placeAtom()
            frame.context = .own
        case .replacedBlock, .block, .flex, .listItem, .caption, .table:
            // A select consists only of its options, in any position.
            if box.isVisible, tag != .p, tag != .select { frame.breaks = 1 }
            frame.context = box.isOutOfFlow ? .own : .block
            if let transform = styles.firstLetter(n) { firstLetter = transform }
        case .rowGroup: frame.context = .block
        case .row:
            frame.context = .block
            frame.breaks = 0
            startRow(isVisible: box.isVisible)
        case .cell:
            frame.context = .block
            frame.breaks = 0
        }
        frame.isClosed = tag == .details && !tree.hasAttribute(n, "open")
        if frame.context == .block { writer.endContext() }
        writer.requireBreaks(Int(frame.breaks))
        if frame.context == .own {
            outerContexts.append(writer.context)
            writer.context = InlineContext()
        }
        frames.append(frame)
        showGenerated(.before, in: frame)
        return box.display == .replacedBlock ? end : n.index + 1
    }

    /// Generated content in a line gives no text, but preserves the space before it.
    private mutating func showGenerated(_ pseudo: PseudoBox, in frame: Frame) {
        switch frame.box.display {
        case .inline, .inlineBlock, .block, .listItem, .cell, .caption:
            guard !frame.isClosed, styles.showsInLine(pseudo, of: NodeID(index: frame.node), in: tree) else { return }
            writer.placeAtom()
        case .none, .contents, .flex, .inlineFlex, .table, .inlineTable, .rowGroup, .row, .column, .ruby, .rubyText,
            .replaced, .replacedBlock, .unknown:
            return
        }
    }

    private mutating func leave(_ frame: Frame) {
        if tree.kind(NodeID(index: frame.node)) == .element { showGenerated(.after, in: frame) }
        switch frame.context {
        case .shared: break
        case .block: writer.endContext()
        case .own:
            writer.endContext()
            writer.context = outerContexts.removeLast()
        }
        writer.requireBreaks(Int(frame.breaks))
        if frame.box.display == .cell { frames.base[frames.count - 1].endsInCell = frame.box.isVisible }
    }

    private mutating func separateFromCell() {
        guard frames[frames.count - 1].endsInCell else { return }
        frames.base[frames.count - 1].endsInCell = false
        writer.separate(0x09)
    }

    /// Starts a row, which is a line; the first row of a table needs no break before it.
    private mutating func startRow(isVisible: Bool) {
        var table = frames.count - 1
        while table > 0, frames[table].box.display == .rowGroup { table -= 1 }
        if isVisible, frames[table].hasRows { writer.separate(0x0A) }
        frames.base[table].hasRows = true
    }

    /// Returns whether an object contains more than white space and parameters (HTML §4.8.7).
    private func hasFallback(_ object: NodeID) -> Bool {
        tree.children(object).contains { child in
            switch tree.kind(child) {
            case .element: tree.tag(child) != .param
            case .text: !tree.rawText(child).allSatisfy(\.isHTMLSpace)
            case .root, .comment, .doctype, .instruction: false
            }
        }
    }

    /// In SVG, `text` elements are blocks; in MathML, all elements except its tables are (MathML Core §2.1.3, §3.5).
    private func foreignDisplay(_ n: NodeID, _ tag: TagID, _ display: ExtractionDisplay) -> ExtractionDisplay {
        switch tag {
        case .text: .block
        case .math: tree.attribute(n, "display")?.lowercased() == "block" ? .block : .inlineBlock
        case .annotation, .annotationXml: .none
        case .mi, .mo, .mn, .ms, .mtext, .mrow, .mfrac, .msup, .msub, .msqrt, .mstyle: .block
        case .mtable: .inlineTable
        case .mtr: .row
        case .mtd: .cell
        default: display
        }
    }

    /// The single letter of an identifier, as a mathematical italic character (`text-transform: math-auto`, MathML Core §4.2).
    private func mathematicalItalic(_ n: NodeID) -> Unicode.Scalar? {
        let text = tree.text(n).unicodeScalars
        guard text.count == 1, let letter = text.first,
            let parent = tree.parent(n), tree.attribute(parent, "mathvariant")?.lowercased() != "normal",
            Array(tree.children(parent)) == [n]
        else { return nil }
        let offset: UInt32
        switch letter.value {
        case 0x68: return "\u{210E}"
        case 0x41...0x5A: offset = 0x1D434 - 0x41
        case 0x61...0x7A: offset = 0x1D44E - 0x61
        case 0x391...0x3A9: offset = 0x1D6E2 - 0x391
        case 0x3B1...0x3C9: offset = 0x1D6FC - 0x3B1
        default: return nil
        }
        return Unicode.Scalar(letter.value + offset)
    }
}

/// The output, with pending breaks and undecided spaces.
private struct InnerTextWriter {
    var out: GrowableBuffer<UInt8>
    var context = InlineContext()
    private let keepsControls: Bool
    private let sink: TextSink?
    /// The line breaks due before the next text.
    private var breaks = 0
    private var isEmpty = true
    /// The number of placed spaces that are undecided, and whether some were dropped.
    private var undecided = 0
    private var hasHoles = false
    /// For each undecided space, by position, the line breaks written directly after it.
    private var breaksBehind: [Int: Int] = [:]
    private var hasHandedOver = false

    init(keepsControls: Bool, expected: Int, sink: TextSink?) {
        self.keepsControls = keepsControls
        self.sink = sink
        out = GrowableBuffer(capacity: (sink == nil ? expected : TextWriter.pieceSize) + 64)
    }

    mutating func finish() -> [UInt8] {
        endContext()
        closeHoles()
        return Array(UnsafeBufferPointer(start: out.base, count: out.count))
    }

    /// Requires at least this many line breaks before the next text.
    mutating func requireBreaks(_ count: Int) {
        guard count > 0 else { return }
        if context.space == .due { placeSpace() }
        if !isEmpty { breaks = max(breaks, count) }
    }

    /// Writes a tab between cells, or a line feed between rows.
    mutating func separate(_ byte: UInt8) {
        endContext()
        writeBreaks()
        out.append(byte)
    }

    /// Ends a line at a `<br>`.
    mutating func breakLine(isVisible: Bool) {
        if isVisible { separate(0x0A) } else { endContext() }
    }

    /// Marks content without text, across which spaces do not collapse.
    mutating func placeAtom() { showSpace() }

    /// Ends the inline content and drops its pending space.
    mutating func endContext() {
        if context.space == .placed {
            undecided -= 1
            if context.place == out.count - 1 {
                out.count -= 1
                breaks = max(breaks, context.breaksBefore)
                if out.count == 0, sink == nil { isEmpty = true }
            } else {
                hasHoles = true
                // The breaks on both sides of the dropped space join; the larger number is kept.
                let behind = breaksBehind[context.place] ?? 0
                let isFirst = context.place == 0 && !hasHandedOver
                let surplus = isFirst ? behind : min(context.breaksBefore, behind)
                for i in 0..<surplus { out[context.place + 1 + i] = 0 }
            }
            breaksBehind[context.place] = nil
        }
        context = InlineContext()
    }

    private mutating func writeBreaks() {
        isEmpty = false
        guard breaks > 0 else { return }
        if out.count > TextWriter.pieceSize { handOver() }
        if undecided > 0, out.count > 0, out[out.count - 1] == 0 { breaksBehind[out.count - 1] = breaks }
        for _ in 0..<breaks { out.append(0x0A) }
        breaks = 0
    }

    private mutating func placeSpace() {
        context.breaksBefore = breaks
        writeBreaks()
        context.space = .placed
        context.place = out.count
        undecided += 1
        out.append(0)
    }

    /// Continues the context, which keeps its pending space.
    private mutating func showSpace() {
        switch context.space {
        case .none, .hidden: break
        case .due:
            writeBreaks()
            out.append(0x20)
        case .placed:
            out[context.place] = 0x20
            undecided -= 1
            breaksBehind[context.place] = nil
        }
        context.space = .none
        context.isAtStart = false
    }

    private mutating func handOver() {
        guard let sink, undecided == 0 else { return }
        closeHoles()
        sink(UnsafeBufferPointer(start: out.base, count: out.count))
        out.count = 0
        hasHandedOver = true
    }

    private mutating func closeHoles() {
        guard hasHoles else { return }
        var kept = 0
        for i in 0..<out.count where out[i] != 0 {
            out[kept] = out[i]
            kept += 1
        }
        out.count = kept
        hasHoles = false
    }

    // MARK: Text

    mutating func write(_ text: UnsafeBufferPointer<UInt8>, _ box: TextBox, references: Bool) {
        guard let base = text.baseAddress else { return }
        var i = 0
        while i < text.count {
            if references, base[i] == 0x26 {
                let reference = EntityDecoder.reference(base, at: i, end: text.count, inAttribute: false)
                if reference.length > 0 {
                    writeReference(reference, box)
                    i += reference.length
                    continue
                }
            }
            i += write(base + i, text.count - i, box, references: references)
        }
    }

    private mutating func writeReference(_ reference: EntityDecoder.Reference, _ box: TextBox) {
        var decoded: [UInt8] = []
        reference.append(to: &decoded)
        // A literal carriage return in preformatted text is a control, not a line break (HTML §13.2.3.5).
        if decoded == [0x0D], box.whiteSpace == .pre || box.whiteSpace == .preWrap {
            guard keepsControls, box.isVisible else { return }
            showSpace()
            writeBreaks()
            out.append(0x0D)
            return
        }
        decoded.withUnsafeBufferPointer { text in
            guard let base = text.baseAddress else { return }
            var i = 0
            while i < text.count { i += write(base + i, text.count - i, box, references: false) }
        }
    }

    /// Writes a white space character, a control or a run of others. Returns the number of bytes it took.
    private mutating func write(_ base: UnsafePointer<UInt8>, _ count: Int, _ box: TextBox, references: Bool) -> Int {
        let byte = base[0]
        let preserves = box.whiteSpace == .pre || box.whiteSpace == .preWrap
        if byte == 0x0A || byte == 0x0D, preserves || box.whiteSpace == .preLine {
            breakLine(isVisible: box.isVisible)
            return byte == 0x0D && count > 1 && base[1] == 0x0A ? 2 : 1
        }
        if byte.isHTMLSpace, !preserves {
            if !context.isAtStart, context.space == .none { context.space = box.isVisible ? .due : .hidden }
            return 1
        }
        if byte == 0 { return 1 }
        if !keepsControls, byte < 0x20 && byte != 0x09 || byte == 0x7F { return 1 }
        if !keepsControls, TextWriter.startsControl(base, count) { return byte == 0xC2 ? 2 : 3 }
        // At least one byte of any kind.
        var length = 1
        while length < count, isPlain(base + length, count - length, preserves, references) { length += 1 }
        showSpace()
        if box.isVisible {
            writeBreaks()
            out.append(contentsOf: UnsafeBufferPointer(start: base, count: length))
        }
        return length
    }

    @inline(__always)
    private func isPlain(_ at: UnsafePointer<UInt8>, _ count: Int, _ preserves: Bool, _ references: Bool) -> Bool {
        let byte = at[0]
        if byte <= 0x20 { return byte == 0x20 && preserves }
        if byte == 0x26 { return !references }
        return byte != 0x7F && (byte != 0xC2 && byte != 0xE2 || keepsControls || !TextWriter.startsControl(at, count))
    }
}
