// A browser's `innerText` (HTML §3.2.7), in one traversal of a styled tree. White space collapses within an inline context: the
// inline content of one block, up to the next block or line break. A float, positioned element or inline block has its own context;
// the enclosing context continues after it, and only there it is decided whether a space before a float is kept. Until then it is a
// NUL in the output, which text never contains.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup
import FancyTextStyling

extension StyledTree {
    /// The `innerText` of an element as in a browser, as UTF-8.
    package func innerText(of node: NodeID) -> [UInt8] {
        InnerText.collect(node, of: self, options: PlainTextOptions())
    }
}

struct InnerText: TreeWalker {
    /// An open element of the traversal.
    private struct Frame {
        enum Context { case shared, block, own }

        var node: NodeID
        var box: TextBox
        /// The line breaks required after it.
        var breaks = 0
        var context = Context.shared
        /// True if the table has had a row.
        var hasRows = false
        /// True if a cell came last: a tab separates it from the next content in its row, even outside of a cell.
        var endsInCell = false
        /// True for a closed `details`, of which only the summary is shown.
        var isClosed = false
    }

    private let tree: MarkupTree
    private let styled: StyledTree
    /// The boxes by style, before the rules for elements are applied.
    private let boxes: [TextBox]
    private var writer: InnerTextWriter
    /// The open elements, after the start of the traversal.
    private var frames: [Frame]
    /// The contexts that enclose the current one.
    private var outerContexts: [InlineContext] = []
    /// The transform of the next first letter (CSS Pseudo-Elements 4 §2.2).
    private var firstLetter: TextTransformCase?

    /// The text of an element or of the whole tree, UTF-8. Linear in the tree.
    static func collect(_ top: NodeID, of styled: StyledTree, options: PlainTextOptions) -> [UInt8] {
        let tree = styled.tree
        let expected = min(tree.source.count / 3, 32 * Int(tree.subtreeEnd(top).index - top.index))
        var collector = InnerText(
            tree: tree, styled: styled, boxes: styled.styles.styles.map { TextBox($0) },
            writer: InnerTextWriter(keepsControls: options.keepsControls, expected: expected),
            frames: [Frame(node: tree.root, box: TextBox())])
        let element = tree.kind(top) == .root ? rendered(tree) : top
        if let element, collector.isHidden(element) {
            // An element that is not rendered gives its text content (HTML §3.2.7, step 1).
            let text = tree.textContent(element, skipsHidden: false)
            return options.keepsControls ? text : SafeText.withoutControls(text)
        }
        tree.visit(tree.kind(top) == .root ? tree.contents(top) : top..<tree.subtreeEnd(top), with: &collector)
        return collector.writer.finish()
    }

    /// The element whose text is that of the whole tree: the body of a page, or the root of a fragment.
    private static func rendered(_ tree: MarkupTree) -> NodeID? {
        if tree.isDocument { return tree.rootAndBody.first { tree.tag($0) == .body } }
        let all = tree.children(tree.root).filter(tree.isContent)
        return all.count == 1 && tree.kind(all[0]) == .element ? all[0] : nil
    }

    /// Returns whether the element or one of its ancestors has no box. O(depth).
    private func isHidden(_ element: NodeID) -> Bool {
        sequence(first: element, next: tree.parent).prefix { tree.kind($0) == .element }
            .contains { box($0).display == .none }
    }

    mutating func visitText(_ n: NodeID, in tree: MarkupTree) {
        let parent = frames[frames.count - 1]
        guard !parent.isClosed else { return }
        let above = tree.storage.nodes[Int(tree.storage.parent(n.index))]
        if above.flags.contains(.foreign), !ForeignText.shows(in: above.tag) { return }
        // A select shows only its options.
        if above.tag == .select || above.tag == .optgroup { return }
        switch parent.box.display {
        case .table, .rowGroup, .row, .inlineTable: if tree.isBlank(n) { return }
        default: break
        }
        separateFromCell()
        if let transform = firstLetter, !tree.isBlank(n) {
            firstLetter = nil
            return writeFirstLetter(n, transform, parent.box)
        }
        let isItalic = above.tag == .mi && above.flags.contains(.foreign) && isSingleLetter(n)
        if !isItalic, parent.box.transform == .none { return tree.withText(n) { writer.write($0, parent.box) } }
        let style = styled.computed(n)
        writer.write(TextTransform.apply(style, to: tree.text(n), as: isItalic ? .mathAuto : nil), parent.box)
    }

    /// Writes text with a styled first letter, which includes the punctuation before it.
    private mutating func writeFirstLetter(_ n: NodeID, _ transform: TextTransformCase, _ box: TextBox) {
        let style = styled.computed(n)
        let text = TextTransform.apply(style, to: tree.text(n))
        let letter = text.firstIndex { !$0.isWhitespace && !$0.isPunctuation }
        let end = letter.map { text.index(after: $0) } ?? text.endIndex
        writer.write(TextTransform.apply(style, to: String(text[..<end]), as: transform), box)
        writer.write(String(text[end...]), box)
    }

    mutating func enterElement(_ n: NodeID, in tree: MarkupTree) -> Descent {
        let parent = frames[frames.count - 1]
        let tag = tree.tag(n)
        var box = box(n)
        if tree.isForeign(n), box.display != .none { box.display = foreignDisplay(n, tag, box.display) }
        // All options of a select are listed, regardless of their style.
        if tag == .option || tag == .optgroup, box.display == .none {
            let above = tree.storage.nodes[Int(tree.storage.parent(n.index))].tag
            if above == .select || above == .optgroup { box.display = .block }
        }
        // A browser that runs scripts shows no noscript.
        if box.display == .none || tag == .template || tag == .noscript || tag == .wbr { return .skip }
        if tag == .embed, !tree.hasAttribute(n, .src) { return .skip }
        // Objects that cannot be shown are replaced by their content (HTML §4.8.7).
        if tag == .object || tag == .applet, box.display == .replaced,
            tree.children(n).contains(where: { tree.isContent($0) && tree.tag($0) != .param })
        {
            box.display = .inline
        }
        if parent.isClosed, tag != .summary { return .skip }
        if tag == .br {
            writer.breakLine(isVisible: box.isVisible)
            return .skip
        }
        switch box.display {
        case .row, .rowGroup, .column, .caption: break
        default: if !box.isOutOfFlow { separateFromCell() }
        }
        let parentDisplay = parent.box.display
        if box.isOutOfFlow || parentDisplay == .flex || parentDisplay == .inlineFlex { box.blockify() }
        var frame = Frame(node: n, box: box)
        if box.isVisible, tag == .p { frame.breaks = 2 }
        switch box.display {
        case .none, .inline, .ruby, .rubyText, .column, .unknown: break
        case .contents: frame.box.display = parentDisplay
        case .replaced:
            firstLetter = nil
            writer.placeAtom()
            return .skip
        case .inlineBlock, .inlineFlex, .inlineTable:
            writer.placeAtom()
            frame.context = .own
        case .replacedBlock, .block, .flex, .listItem, .caption, .table:
            // A select consists only of its options, in any position.
            if box.isVisible, tag != .p, tag != .select { frame.breaks = 1 }
            frame.context = box.isOutOfFlow ? .own : .block
            if let transform = firstLetter(n) { firstLetter = transform }
        case .rowGroup: frame.context = .block
        case .row, .cell:
            frame.context = .block
            frame.breaks = 0
            if box.display == .row { startRow(isVisible: box.isVisible) }
        }
        frame.isClosed = tag == .details && !tree.hasAttribute(n, "open")
        if frame.context == .block { writer.endContext() }
        writer.requireBreaks(frame.breaks)
        if frame.context == .own {
            outerContexts.append(writer.context)
            writer.context = InlineContext()
        }
        frames.append(frame)
        showGenerated(.before, in: frame)
        return box.display == .replacedBlock ? .skip : .contents
    }

    /// Generated content in a line gives no text, but preserves the space before it.
    private mutating func showGenerated(_ pseudo: PseudoBox, in frame: Frame) {
        guard !frame.isClosed, showsInLine(pseudo, of: frame.node) else { return }
        let holdsLines: [ExtractionDisplay] = [.inline, .inlineBlock, .block, .listItem, .cell, .caption]
        if holdsLines.contains(frame.box.display) { writer.placeAtom() }
    }

    mutating func leaveElement(_ n: NodeID, in tree: MarkupTree) {
        // Some elements are written when they are entered.
        guard let frame = frames.last, frame.node == n else { return }
        frames.removeLast()
        showGenerated(.after, in: frame)
        if frame.context != .shared { writer.endContext() }
        if frame.context == .own { writer.context = outerContexts.removeLast() }
        writer.requireBreaks(frame.breaks)
        if frame.box.display == .cell { frames[frames.count - 1].endsInCell = frame.box.isVisible }
    }

    private mutating func separateFromCell() {
        guard frames[frames.count - 1].endsInCell else { return }
        frames[frames.count - 1].endsInCell = false
        writer.separate(0x09)
    }

    /// Starts a row, which is a line; the first row of a table needs no break before it.
    private mutating func startRow(isVisible: Bool) {
        let table = frames.lastIndex { $0.box.display != .rowGroup } ?? 0
        if isVisible, frames[table].hasRows { writer.separate(0x0A) }
        frames[table].hasRows = true
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

    /// Returns whether an identifier is a single letter, which is italic (`text-transform: math-auto`, MathML Core §4.2).
    private func isSingleLetter(_ n: NodeID) -> Bool {
        guard tree.text(n).unicodeScalars.count == 1, let identifier = tree.parent(n) else { return false }
        return tree.attribute(identifier, "mathvariant")?.lowercased() != "normal"
            && tree.children(identifier).elementsEqual([n])
    }

    private func box(_ node: NodeID) -> TextBox {
        var box = boxes[Int(styled.style(of: node).rawValue)]
        let tag = tree.tag(node)
        if tree.isForeign(node) {
            if ForeignText.isHidden(tag) { box.display = .none }
            if tag == .svg, box.display == .inline { box.display = .inlineBlock }
        } else if tag == .input, tree.inputType(node) == .hidden {
            // A hidden control stays hidden for any style sheet.
            box.display = .none
        } else if box.display == .inline, tag == .button || tag == .select {
            // Controls are never parts of a line's own text (HTML §15.5.1).
            box.display = .inlineBlock
        } else if ExtractionDisplay.intrinsic(tag) == .replaced, box.display != .none {
            let inLines: [ExtractionDisplay] = [.inline, .inlineBlock, .inlineFlex, .inlineTable, .contents, .replaced]
            box.display = inLines.contains(box.display) ? .replaced : .replacedBlock
        }
        return box
    }

    /// The `text-transform` of a block's `::first-letter`; nil if it is the same as for the rest.
    private func firstLetter(_ node: NodeID) -> TextTransformCase? {
        guard styled.index.stylesFirstText, let id = styled.pseudoStyle(of: node, .firstLetter) else { return nil }
        let transform = styled.styles[id].text.transform
        return transform == styled.computed(node).text.transform ? nil : transform
    }

    /// Returns whether `::before` or `::after` has visible contents in the line.
    private func showsInLine(_ pseudo: PseudoBox, of node: NodeID) -> Bool {
        guard styled.hasPseudoStyles, let id = styled.pseudoStyle(of: node, pseudo) else { return false }
        let style = styled.styles[id]
        let display = ExtractionDisplay(style.box.display)
        guard let content = style.box.content, style.box.float == .none, !style.box.position.isOutOfFlow
        else { return false }
        if [.inlineBlock, .inlineFlex, .inlineTable].contains(display) { return true }
        func isBlank(_ text: String) -> Bool { text.utf8.allSatisfy(\.isHTMLSpace) }
        return display == .inline
            && content.contains { part in
                switch part {
                case .string(let text): !isBlank(text)
                case .attribute(let name, let fallback): !isBlank(tree.attribute(node, name) ?? fallback)
                case .counter, .openQuote, .closeQuote, .image, .elementText, .named, .target: true
                case .noOpenQuote, .noCloseQuote: false
                }
            }
    }
}

/// The state of white space collapsing within one block's inline content.
struct InlineContext: BitwiseCopyable {
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
    var place = 0, breaksBefore = 0
}

/// The output side: collapses white space within contexts, and keeps required line breaks and undecided spaces.
struct InnerTextWriter {
    private var out: [UInt8] = []
    var context = InlineContext()
    private let keepsControls: Bool
    /// The line breaks due before the next text.
    private var breaks = 0
    private var isEmpty = true
    /// The number of placed spaces that are undecided, and whether some were dropped.
    private var undecided = 0, hasHoles = false
    /// For each undecided space, by position, the line breaks written directly after it.
    private var breaksAfter: [Int: Int] = [:]

    init(keepsControls: Bool, expected: Int) {
        self.keepsControls = keepsControls
        out.reserveCapacity(expected)
    }

    mutating func finish() -> [UInt8] {
        endContext()
        if hasHoles { out.removeAll { $0 == 0 } }
        return out
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

    mutating func breakLine(isVisible: Bool) { if isVisible { separate(0x0A) } else { endContext() } }

    /// Ends the inline content and drops its pending space.
    mutating func endContext() {
        if context.space == .placed {
            undecided -= 1
            if context.place == out.count - 1 {
                out.removeLast()
                breaks = max(breaks, context.breaksBefore)
                if out.isEmpty { isEmpty = true }
            } else {
                hasHoles = true
                // The breaks on both sides of the dropped space join; the larger number is kept.
                let after = breaksAfter[context.place] ?? 0
                let surplus = context.place == 0 ? after : min(context.breaksBefore, after)
                for i in 0..<surplus { out[context.place + 1 + i] = 0 }
            }
            breaksAfter[context.place] = nil
        }
        context = InlineContext()
    }

    private mutating func writeBreaks() {
        isEmpty = false
        guard breaks > 0 else { return }
        if undecided > 0, out.last == 0 { breaksAfter[out.count - 1] = breaks }
        out += repeatElement(0x0A, count: breaks)
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

    /// Continues the context, which keeps its pending space: before text, or for content without text.
    mutating func placeAtom() {
        switch context.space {
        case .none, .hidden: break
        case .due:
            writeBreaks()
            out.append(0x20)
        case .placed:
            out[context.place] = 0x20
            undecided -= 1
            breaksAfter[context.place] = nil
        }
        context.space = .none
        context.isAtStart = false
    }

    // MARK: Text

    mutating func write(_ text: String, _ box: TextBox) {
        var text = text
        text.withUTF8 { write($0, box) }
    }

    /// Writes decoded text, in which only references leave carriage returns; they are controls (HTML §13.2.3.5).
    mutating func write(_ text: UnsafeBufferPointer<UInt8>, _ box: TextBox) {
        guard let base = text.baseAddress else { return }
        var i = 0
        while i < text.count { i += write(base + i, text.count - i, box) }
    }

    /// Writes a white space character, a control or a run of others. Returns the number of bytes it took.
    private mutating func write(_ base: UnsafePointer<UInt8>, _ count: Int, _ box: TextBox) -> Int {
        let byte = base[0]
        let preserves = box.whiteSpace == .pre || box.whiteSpace == .preWrap
        if byte == 0x0A, preserves || box.whiteSpace == .preLine {
            breakLine(isVisible: box.isVisible)
            return 1
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
        while length < count, isPlain(base + length, count - length, preserves) { length += 1 }
        placeAtom()
        if box.isVisible {
            writeBreaks()
            out.append(contentsOf: UnsafeBufferPointer(start: base, count: length))
        }
        return length
    }

    private func isPlain(_ at: UnsafePointer<UInt8>, _ count: Int, _ preserves: Bool) -> Bool {
        let byte = at[0]
        if byte <= 0x20 { return byte == 0x20 && preserves }
        return byte != 0x7F && (byte != 0xC2 && byte != 0xE2 || keepsControls || !TextWriter.startsControl(at, count))
    }
}
