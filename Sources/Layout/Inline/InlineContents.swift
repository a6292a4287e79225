// Prepares the inline contents of boxes for line breaking: text in one piece (atomic boxes as U+FFFC), flat items over it,
// glyphs, bidi levels and break opportunities. Each box is prepared once, so that measuring and laying out use the same glyphs.
// Arrays are shared by all boxes. Offsets are bytes of the contents' own text; `delta` converts them to those in BoxTree.text.
// Fonts, hyphenators and line breaks are those of a context, which is kept from one document to the next.

import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup
import FancyTextTypography

/// A piece of an inline formatting context in flat form.
struct FlatItem {
    enum Kind: UInt8 { case text, open, close, atomic, float, newline, tab, wordBreak }
    var kind: Kind
    var level: UInt8 = 0
    var style: StyleID
    var element: NodeID
    /// The range in bytes of the context's text.
    var start, end: Int32
    /// For text, the document offset minus the local offset.
    var delta: Int = 0
    /// For an atomic box or float, the index in ``BoxTree/boxes``. For an open item, its close, and the other way round.
    var link: Int32 = -1
    var box: Int { Int(link) }
    /// The open item of the inline box that contains it; −1 directly in the block.
    var parent: Int32 = -1
    /// For text, its glyph runs in ``InlineContents/shaped``.
    var runs: Range<Int32> = 0..<0
}

/// A prepared inline formatting context: ranges into the arrays of ``InlineContents``.
struct InlineContent {
    var items: Range<Int>
    /// The start of its text in ``InlineContents/inlineText`` and in ``InlineContents/breaks``.
    var textStart: Int
    var textCount: Int
    var textRange: Range<Int> { textStart..<textStart + textCount }
    var style: StyleID
    var baseLevel: UInt8
    /// True if some level is not 0.
    var isBidi: Bool
    /// True if it makes no line boxes: it has only collapsed space and boxes without edges.
    var isEmpty: Bool
    var hasFloats: Bool
    /// True if it has floats or positioned boxes.
    var holdsOutOfFlow = false
    var hasAtomics: Bool
    /// True if some inline box has its edges at every break (`box-decoration-break: clone`).
    var clonesEdges = false
    /// True if each paragraph decides its base direction (`unicode-bidi: plaintext`).
    var isPlaintext: Bool
}

/// The flags before a byte of the text.
enum BreakFlag {
    static let none: UInt8 = 0
    /// The kind of break, with the values of ``LineBreakOpportunity`` (UAX #14 and CSS Text).
    static let soft = LineBreakOpportunity.allowed.rawValue
    static let hyphen = LineBreakOpportunity.hyphen.rawValue
}

/// A document with the data of its fonts: its measured styles, and the inline contents prepared until now.
struct InlineContents {
    /// The document; a truncation appends the styles and text of its tail.
    var text: BoxTree
    let metric: TextMetric
    let deviceScale: Float
    let snap: LayoutGrid

    var contents: [InlineContent] = []
    var flat: [FlatItem] = []
    var inlineText: [UInt8] = []
    /// The flags of each byte of `inlineText`: see ``BreakFlag``.
    var breaks: [UInt8] = []
    /// The glyphs of all contents and their runs; clusters are relative to the start of each content's text.
    var shaped = ShapedText()

    /// The index in `contents` of each box, −1 before it is prepared.
    var contentOfBox: [Int] = []
    /// The index in `contents` for the first line of each box for which it has its own style.
    var firstLineContents: [Int: Int] = [:]
    /// The indices in `contents` of the tails of truncations.
    var tailContents: [TailKey: Int] = [:]
    var inlineStyles: [InlineStyle] = []
    /// True if a style has emphasis marks.
    var hasMarks = false
    /// The styles of text fields, whose lines are not lower than their font (HTML §15.5.5).
    private(set) var fieldStyles: Set<StyleID> = []
    /// The width of each atomic box on a line, from its last layout or measurement.
    var atomicWidths: [LayoutUnit]

    // Used while a content is prepared.
    var spans: [ShapingSpan] = []
    var bidiRuns: [BidiRun] = []
    var breakSpans: [LineBreakSpan] = []
    var breakScratch: [UInt8] = []
    let context: LayoutContext

    @inline(__always) init(_ text: BoxTree, deviceScale: Float, context: LayoutContext) {
        self.text = text
        (self.deviceScale, metric) = (deviceScale, context.metric)
        snap =
            switch context.metric {
            case .fonts: .fine
            case .cells: .cells
            }
        self.context = context
        // The property, because using the parameter would copy it.
        atomicWidths = Array(repeating: .zero, count: self.text.boxes.count)
        flat.reserveCapacity(self.text.items.count + 16)
        shaped.runs.reserveCapacity(self.text.runs.count + 16)
        inlineText.reserveCapacity(self.text.text.count + 256)
        breaks.reserveCapacity(self.text.text.count + 256)
        shaped.glyphs.reserveCapacity(self.text.text.count + 256)
        contentOfBox = Array(repeating: -1, count: self.text.boxes.count)
        inlineStyles = Array(repeating: InlineStyle(), count: self.text.styles.styles.count)
        for box in self.text.boxes where box.control >= 0 {
            if case .textField = self.text.controls[box.control].kind { fieldStyles.insert(box.style) }
        }
    }

    /// The prepared contents of `box`, created on first use.
    mutating func inlineContent(of box: Int) -> Int {
        let known = contentOfBox[box]
        if known >= 0 { return known }
        let index = contents.count
        contents.append(prepareContent(items: text.boxes[box].items, style: text.boxes[box].style))
        contentOfBox[box] = index
        return index
    }

    /// The contents of `box` for its first line, if `::first-line` styles it: the same items over the same text.
    mutating func firstLineContent(of box: Int) -> InlineContent? {
        guard !text.firstLines.isEmpty, let styles = text.firstLines[box]?.styles else { return nil }
        if let known = firstLineContents[box] { return contents[known] }
        let style = text.boxes[box].style
        firstLineContents[box] = contents.count
        let content = prepareContent(items: text.boxes[box].items, style: styles[style] ?? style, restyled: styles)
        contents.append(content)
        return content
    }

    /// - Parameter restyled: Styles that replace those of text and inline boxes.
    mutating func prepareContent(items range: Range<Int>, style: StyleID, restyled: [StyleID: StyleID] = [:])
        -> InlineContent
    {
        let first = flat.count
        let textStart = inlineText.count
        let rootDirection = text.styles[style].text.direction
        var content = InlineContent(
            items: first..<first, textStart: textStart, textCount: 0, style: style,
            baseLevel: rootDirection == .rtl ? 1 : 0, isBidi: false, isEmpty: true, hasFloats: false, hasAtomics: false,
            isPlaintext: text.styles[style].box.unicodeBidi == .plaintext)
        var needsBidi = content.baseLevel == 1 || content.isPlaintext || overridesBidi(style)
        /// The open items of the boxes that are open.
        var open: [Int32] = []
        for itemIndex in range {
            let at = Int32(clamping: inlineText.count - textStart)
            let parent = open.last ?? -1
            switch text.items[itemIndex] {
            case .text(let run):
                let base = inlineText.count
                let style = text.runs[run].style
                let own = restyled[style] ?? style
                appendText(run, style: own, parent: parent, content: &content, needsBidi: &needsBidi)
                if own != style { transform(from: base, of: own, insteadOf: style) }
            case .open(let ownStyle, let element):
                let style = restyled.isEmpty ? ownStyle : restyled[ownStyle] ?? ownStyle
                let info = inlineStyle(style)
                if info.hasEdges {
                    content.isEmpty = false
                    if text.styles[style].box.clonesDecorationAtBreaks { content.clonesEdges = true }
                }
                if info.direction != rootDirection || text.styles[style].box.unicodeBidi != .normal { needsBidi = true }
                open.append(Int32(clamping: flat.count))
                flat.append(FlatItem(kind: .open, style: style, element: element, start: at, end: at, parent: parent))
            case .close: if let opening = open.popLast() { appendClose(of: opening, at: at) }
            case .atomic(let box, let offset):
                (content.isEmpty, content.hasAtomics) = (false, true)
                inlineText.append(contentsOf: [0xEF, 0xBF, 0xBC])
                flat.append(
                    FlatItem(
                        kind: .atomic, style: text.boxes[box].style, element: text.boxes[box].element, start: at,
                        end: at + 3, delta: offset - Int(at), link: Int32(clamping: box), parent: parent))
            case .float(let box):
                content.holdsOutOfFlow = true
                if !text.boxes[box].isPositioned { content.hasFloats = true }
                var item = FlatItem(
                    kind: .float, style: text.boxes[box].style, element: text.boxes[box].element, start: at, end: at)
                (item.link, item.parent) = (Int32(clamping: box), parent)
                flat.append(item)
            case .breakOpportunity:
                let element = text.boxes[0].element
                flat.append(
                    FlatItem(kind: .wordBreak, style: style, element: element, start: at, end: at, parent: parent))
            }
        }
        while let item = open.popLast() { appendClose(of: item, at: Int32(clamping: inlineText.count - textStart)) }
        content.items = first..<flat.count
        content.textCount = inlineText.count - textStart
        guard !content.isEmpty else {
            breaks.append(contentsOf: repeatElement(0, count: content.textCount + 1))
            inlineText.append(0)
            return content
        }
        if needsBidi, metric.reordersText {
            resolveLevels(&content)
        } else {
            bidiRuns.removeAll(keepingCapacity: true)
            bidiRuns.append(BidiRun(range: 0..<content.textCount, level: 0))
        }
        findBreaks(content)
        inlineText.append(0)
        shapeContent(content)
        return content
    }

    /// Changes the case of the text from byte `start` on by a first line's style. Words whose length in bytes would change are
    /// kept, because both styles share the offsets of the text.
    private mutating func transform(from start: Int, of style: StyleID, insteadOf before: StyleID) {
        let style = text.styles[style]
        guard style.text.transform != text.styles[before].text.transform else { return }
        var word = start
        for index in start...inlineText.count {
            guard index == inlineText.count || inlineText[index] == 0x20 || inlineText[index] == 0x0A else { continue }
            let startsWord = word > start || word == 0 || inlineText[word - 1] == 0x20 || inlineText[word - 1] == 0
            let changed = TextTransform.apply(
                style.text, to: String(decoding: inlineText[word..<index], as: UTF8.self), startsWord: startsWord,
                language: style.font.language)
            if changed.utf8.count == index - word { inlineText.replaceSubrange(word..<index, with: changed.utf8) }
            word = index + 1
        }
    }

    private mutating func appendClose(of opening: Int32, at offset: Int32) {
        let open = flat[Int(opening)]
        flat[Int(opening)].link = Int32(clamping: flat.count)
        flat.append(
            FlatItem(
                kind: .close, style: open.style, element: open.element, start: offset, end: offset, link: opening,
                parent: open.parent))
    }

    /// Splits a run's text at line feeds and preserved tabs.
    private mutating func appendText(
        _ run: Int, style: StyleID, parent: Int32, content: inout InlineContent, needsBidi: inout Bool
    ) {
        let styled = text.runs[run]
        guard !styled.range.isEmpty else { return }
        let info = inlineStyle(style)
        let base = inlineText.count
        let textStart = content.textStart
        let delta = styled.range.lowerBound - (base - textStart)
        let count = styled.range.count
        inlineText.append(contentsOf: text.text[styled.range])
        var isEmpty = content.isEmpty
        // Bytes of letters that may be right to left.
        var hasHighBytes = false
        var cuts = false
        let collapses = info.collapsesSpaces
        inlineText.withUnsafeBufferPointer { bytes in
            for index in base..<base + count {
                let byte = bytes[index]
                if byte >= 0xD6 {
                    (hasHighBytes, isEmpty) = (true, false)
                } else if byte == 0x0A || (byte == 0x09 && !collapses) {
                    (cuts, isEmpty) = (true, false)
                } else if byte != 0x20 || !collapses {
                    isEmpty = false
                }
            }
            if hasHighBytes, !needsBidi { needsBidi = BidiParagraph.hasRightToLeft(bytes, base..<base + count) }
        }
        content.isEmpty = isEmpty
        func item(_ kind: FlatItem.Kind, _ from: Int, _ to: Int) -> FlatItem {
            FlatItem(
                kind: kind, style: style, element: styled.element, start: Int32(clamping: from - textStart),
                end: Int32(clamping: to - textStart), delta: delta, parent: parent)
        }
        guard cuts else {
            flat.append(item(.text, base, base + count))
            return
        }
        var start = base
        for index in base..<base + count {
            let byte = inlineText[index]
            guard byte == 0x0A || (byte == 0x09 && !collapses) else { continue }
            if index > start { flat.append(item(.text, start, index)) }
            flat.append(item(byte == 0x0A ? .newline : .tab, index, index + 1))
            start = index + 1
        }
        if start < base + count { flat.append(item(.text, start, base + count)) }
    }
}

/// State that is kept from one document to the next: fonts with their caches. One layout uses it at a time.
package final class LayoutContext {
    let metric: TextMetric
    let lineBreaks: LineBreakFinder
    /// The hyphenators by language; nil if there are no patterns.
    var hyphenators: [String: Hyphenator?] = [:]
    /// The first element whose boxes were omitted because they are nested too deep; nil for none.
    package var leftOut: NodeID?

    package init(fonts: FontContext) { (metric, lineBreaks) = (.fonts(fonts), LineBreakFinder()) }
    /// Creates a context for terminals: a pixel is a cell in both directions.
    package init(cells: CellFont) { (metric, lineBreaks) = (.cells(cells), LineBreakFinder(keepsNames: true)) }

    /// The fonts of a context for pictures. A context for terminals has none.
    package var fonts: FontContext {
        guard case .fonts(let fonts) = metric else { preconditionFailure("a context of cells has no fonts") }
        return fonts
    }
}
