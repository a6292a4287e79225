// Builds one inline formatting context: collapses white space and collects items. In: text nodes, inline boxes and atomic boxes in
// document order. Out: items and runs at the end of a BoxTree. White space follows CSS Text 3 §4.1; hanging spaces, which depend on
// line breaks, are left to layout.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup

struct TextOrigin {
    var style: StyleID
    var element: NodeID
    /// The text node or `br`; nil for generated content.
    var node: NodeID?
    /// The bytes in the source.
    var source = 0..<0
}

struct InlineBuilder {
    private(set) var items: [InlineItem] = []
    private var open: [OpenBox] = []
    /// The offset at which the context's text starts, once there is some; else −1.
    private(set) var textStart = -1
    /// Set when a collapsible space here would be removed: at the start, after another one, after a forced break.
    private var afterSpace = true
    /// Set when the last byte of the text is a collapsible space, which is removed before a break.
    private var endsWithCollapsibleSpace = false
    private(set) var hasContent = false
    /// Set when it contains floats, which make no line but need a parent box.
    private(set) var hasFloats = false
    /// The offset at which this context last appended text. Boxes inside it may have appended theirs since.
    private var textEnd = -1

    var isEmpty: Bool { !hasContent && !hasFloats }

    /// The style is that of the whole box, whichever part of it this is, and the item that in ``items``; `isContinued` is set when a
    /// block has split the box, and a part of it came before.
    typealias OpenBox = (style: StyleID, element: NodeID, item: Int, isContinued: Bool)

    var depth: Int { open.count }

    /// - Parameter whole: The style of the whole box, when `style` is that of a part.
    mutating func openInline(style: StyleID, element: NodeID, continuing whole: StyleID? = nil) {
        open.append((whole ?? style, element, items.count, isContinued: whole != nil))
        items.append(.open(style: style, element: element))
    }

    mutating func setStyle(_ style: StyleID, ofItem index: Int) {
        guard case .open(_, let element) = items[index] else { return }
        items[index] = .open(style: style, element: element)
    }

    mutating func closeInline() {
        guard open.popLast() != nil else { return }
        items.append(.close)
    }

    /// Ends the context before a block-level box and returns the inline boxes to open again after it.
    mutating func closeAll() -> [OpenBox] {
        let boxes = open
        while !open.isEmpty { closeInline() }
        return boxes
    }

    mutating func appendAtomic(_ box: Int, element: NodeID, style: StyleID, to text: inout BoxTree) {
        begin(&text)
        items.append(.atomic(box: box, offset: text.text.count))
        appendRun("\u{FFFC}", TextOrigin(style: style, element: element), to: &text, isReferenced: false)
        noteContent()
    }

    mutating func appendFloat(_ box: Int) {
        items.append(.float(box: box))
        hasFloats = true
    }

    mutating func appendBreakOpportunity() { items.append(.breakOpportunity) }

    /// Appends a `<br>`; collapsible spaces before and after it are removed.
    mutating func appendForcedBreak(_ origin: TextOrigin, to text: inout BoxTree) {
        begin(&text)
        dropTrailingSpace(&text)
        appendRun("\n", origin, to: &text)
        noteContent(dropsSpaces: true)
    }

    /// Appends generated text, collapsed like other text.
    mutating func append(generated string: String, style: StyleID, element: NodeID, to text: inout BoxTree) {
        var string = string
        string.withUTF8 { append($0, TextOrigin(style: style, element: element), to: &text) }
    }

    mutating func append(marker string: String, style: StyleID, element: NodeID, to text: inout BoxTree) {
        openInline(style: style, element: element)
        begin(&text)
        appendRun(string, TextOrigin(style: style, element: element), to: &text)
        text.runs[text.runs.count - 1].isMarker = true
        // Its own space is kept; those after it collapse into it.
        noteContent(dropsSpaces: string.utf8.last == 0x20)
        closeInline()
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, _ origin: TextOrigin, to text: inout BoxTree) {
        guard !bytes.isEmpty else { return }
        let computed = text.styles[origin.style]
        let mode = computed.text.whiteSpaceCollapse
        let isCollapsible = mode == .collapse || mode == .preserveBreaks
        if isCollapsible, endsWithCollapsibleSpace, bytes[0].isHTMLSpace, computed.text.wraps,
            let last = text.runs.last, !text.styles[last.style].text.wraps
        {
            // The zero-width space is removed, but a line may break there.
            appendBreakOpportunity()
        }
        if isCollapsible, bytes[0].isHTMLSpace, textStart < 0, case .float? = items.last, !text.runs.isEmpty {
            text.runs[text.runs.count - 1].isBeforeSpace = true
        }
        if isCollapsible, afterSpace || textStart < 0,
            bytes.allSatisfy({ $0.isHTMLSpace && (mode == .collapse || $0 != 0x0A) })
        {
            return
        }
        begin(&text)
        if mode == .preserveBreaks, bytes.prefix(while: \.isHTMLSpace).contains(0x0A) { dropTrailingSpace(&text) }
        let start = text.text.count
        if computed.text.transform == .none, !computed.text.transformFullWidth, !computed.text.transformFullSizeKana {
            appendProcessed(bytes, mode: mode, to: &text)
        } else {
            let startsWord = start == textStart || !endsInWord(text.text)
            var transformed = TextTransform.apply(
                computed.text, to: String(decoding: bytes, as: UTF8.self), startsWord: startsWord,
                language: computed.font.language)
            transformed.withUTF8 { appendProcessed($0, mode: mode, to: &text) }
        }
        if text.text.count > start { appendRun(from: start, origin, isGenerated: origin.node == nil, to: &text) }
    }

    /// Notes something after which collapsible spaces are kept, or else removed.
    private mutating func noteContent(dropsSpaces: Bool = false) {
        (afterSpace, endsWithCollapsibleSpace, hasContent) = (dropsSpaces, false, true)
    }

    private mutating func appendProcessed(
        _ bytes: UnsafeBufferPointer<UInt8>, mode: WhiteSpaceCollapse, to text: inout BoxTree
    ) {
        switch mode {
        case .collapse: collapse(bytes, keepsBreaks: false, to: &text)
        case .preserveBreaks: collapse(bytes, keepsBreaks: true, to: &text)
        case .preserve, .breakSpaces:
            text.text.append(contentsOf: bytes)
            // Collapsible spaces at the start of a line are removed.
            noteContent(dropsSpaces: bytes.last == 0x0A)
        case .preserveSpaces:
            text.text.append(contentsOf: bytes.lazy.map { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
            noteContent()
        }
    }

    /// Collapses runs of white space to one space, or nothing between East Asian characters (CSS Text 3 §4.1.1).
    private mutating func collapse(_ bytes: UnsafeBufferPointer<UInt8>, keepsBreaks: Bool, to text: inout BoxTree) {
        var index = 0
        while index < bytes.count {
            let wordStart = index
            while index < bytes.count, !bytes[index].isHTMLSpace { index += 1 }
            if index > wordStart {
                text.text.append(contentsOf: bytes[wordStart..<index])
                noteContent()
            }
            var lineFeeds = 0
            let spaceStart = index
            while index < bytes.count, bytes[index].isHTMLSpace {
                if bytes[index] == 0x0A { lineFeeds += 1 }
                index += 1
            }
            guard index > spaceStart else { continue }
            if keepsBreaks, lineFeeds > 0 {
                // Only within this piece of text: a space at the end of an earlier run was removed before.
                if endsWithCollapsibleSpace { text.text.removeLast() }
                text.text.append(contentsOf: repeatElement(0x0A, count: lineFeeds))
                noteContent(dropsSpaces: true)
            } else if !afterSpace {
                if lineFeeds > 0, index < bytes.count, isWideEastAsian(lastScalar(of: text.text)),
                    isWideEastAsian(scalar(in: bytes, at: index, end: bytes.count).value)
                {
                    continue
                }
                text.text.append(0x20)
                (afterSpace, endsWithCollapsibleSpace) = (true, true)
            }
        }
    }

    /// Ends the context and removes a collapsible space at its end. Returns the range of its text.
    mutating func finish(_ text: inout BoxTree) -> Range<Int> {
        dropTrailingSpace(&text)
        let end = text.text.count
        return textStart < 0 ? end..<end : min(textStart, end)..<end
    }

    /// Prepares for text: adds a separator from the text of another context, as a run that no item refers to.
    private mutating func begin(_ text: inout BoxTree) {
        let start = text.text.count
        if textStart >= 0, textEnd == start { return }
        if let last = text.runs.last {
            text.text.append(0x0A)
            text.runs.append(
                StyledRun(range: start..<start + 1, style: last.style, element: last.element, isGenerated: true))
        }
        if textStart < 0 { textStart = text.text.count }
        textEnd = text.text.count
    }

    private mutating func appendRun(
        _ string: String, _ origin: TextOrigin, to text: inout BoxTree, isReferenced: Bool = true
    ) {
        let start = text.text.count
        text.text.append(contentsOf: string.utf8)
        appendRun(from: start, origin, isGenerated: origin.source.isEmpty, to: &text, isReferenced: isReferenced)
    }

    /// Makes the text from `start` on a run.
    private mutating func appendRun(
        from start: Int, _ origin: TextOrigin, isGenerated: Bool, to text: inout BoxTree, isReferenced: Bool = true
    ) {
        text.runs.append(
            StyledRun(
                range: start..<text.text.count, style: origin.style, element: origin.element, source: origin.source,
                node: origin.node, isGenerated: isGenerated))
        if isReferenced { items.append(.text(run: text.runs.count - 1)) }
        textEnd = text.text.count
    }

    /// Removes a collapsible space at the end. If a float's text follows it, it is kept and hangs in layout.
    private mutating func dropTrailingSpace(_ text: inout BoxTree) {
        guard endsWithCollapsibleSpace else { return }
        endsWithCollapsibleSpace = false
        guard textEnd == text.text.count, let last = text.runs.indices.last else { return }
        text.text.removeLast()
        textEnd -= 1
        let range = text.runs[last].range.dropLast()
        text.runs[last].range = range
        guard range.isEmpty else { return }
        text.runs.removeLast()
        let item = items.lastIndex { if case .text(let run) = $0 { run == last } else { false } }
        guard let item else { return }
        items.remove(at: item)
        for index in open.indices where open[index].item > item { open[index].item -= 1 }
    }

    private func endsInWord(_ bytes: [UInt8]) -> Bool {
        guard let scalar = Unicode.Scalar(lastScalar(of: bytes)) else { return false }
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "'"
            || scalar == "\u{2019}"
    }
}
