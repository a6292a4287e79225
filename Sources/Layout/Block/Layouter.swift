// The layout engine's state for one document, and the entry.
//
// In: a StyledText, options, a LayoutContext whose font caches and buffers live on between documents. Out: a LayoutTree. The engine is one struct; its
// extensions, a file for each kind of layout, share the arrays here: the prepared inline contents, the line being built, the memo tables by box.

import Basics
import Boxes
import Markup
import Styling
import Typography

/// How a document is laid out.
package struct LayoutOptions: Sendable {
    package enum VerticalAlignment: UInt8, Hashable, Sendable { case top, center, bottom }

    /// Of the canvas, CSS pixels; nil takes the contents' (`auto`).
    package var width: Float? = nil
    package var height: Float? = nil
    /// Device pixels for each CSS pixel: fonts' ascents, leading and borders are whole ones.
    package var deviceScale: Float = 1
    /// Around the document, CSS pixels.
    package var padding: Float = 0
    package var verticalAlignment = VerticalAlignment.top
    /// 0: unlimited.
    package var maxLines = 0
    /// Of the contents, CSS pixels; nil: unlimited.
    package var maxHeight: Float? = nil
    package var truncateMode = BoxStyle.TruncateMode.tail
    /// What stands for the text left out: inline contents with their own styles; nil is `…`.
    package var tail: StyledText? = nil
    /// The elements of `tail`.
    package var tailTree: MarkupTree? = nil
    /// Every paragraph's lines take the font size that fills the width.
    package var fitLines: TextStyle.FitLines? = nil
    /// Deepest nesting of boxes.
    package var depthLimit = 512
    /// Widest canvas for `width` auto.
    package var widestAutomatic: Float = 16384

    package init() {}
}

/// Why a document cannot be laid out.
package enum LayoutError: Error, Hashable {
    /// The tail of the truncation is wider than the line it has to fit in.
    case tailDoesNotFit
}

/// What lives from one document to the next: fonts with their caches, and buffers.
package struct LayoutContext {
    let metric: TextMetric
    let lineBreaks = LineBreakFinder()
    var hyphenators: [String: Hyphenator?] = [:]
    /// The first element whose boxes are nested too deep and left out; nil when there is none.
    package var leftOut: NodeID?
    var buffers = LayoutBuffers()

    /// For pictures.
    package init(fonts: FontContext) { metric = .fonts(fonts) }
    /// For terminals: a pixel is a cell in both directions.
    package init(cells: CellFont) { metric = .cells(cells) }

    /// The fonts of a context for pictures; one for terminals has none.
    package var fonts: FontContext {
        guard case .fonts(let fonts) = metric else { preconditionFailure("a context of cells has no fonts") }
        return fonts
    }
}

/// Arrays that a layout fills; kept for their capacity.
struct LayoutBuffers {
    var flat: [FlatItem] = []
    var contents: [InlineContent] = []
    var inlineText: [UInt8] = []
    var breaks: [UInt8] = []
    var shaped = ShapedText()
    var contentOfBox: [Int] = []
    var inlineStyles: [InlineStyle] = []
}

/// Text shaped for layout's own purposes: glyphs are in the tree.
struct GeneratedText {
    struct Run {
        var font: FontID
        var glyphs: Range<Int>
        var advance: Float
        var level: UInt8
    }
    var runs: [Run] = []
    var width: Float = 0
}

struct Layouter {
    /// The document; a truncation adds its tail's styles and text at the end.
    var text: StyledText
    let options: LayoutOptions
    var replacedSizes: any ReplacedSizes
    let metric: TextMetric
    let snap: LayoutGrid
    /// The output is a terminal: its rules, where CSS leaves or needs some, are in Layout/Cells.
    let isOnTerminal: Bool
    /// Some text has a background behind its lines, which may keep its distance from the next.
    let hasLineBackgrounds: Bool
    var leftOut: NodeID?
    var tree = LayoutTree()

    // Prepared contents.
    var flat: [FlatItem] = []
    var contents: [InlineContent] = []
    var inlineText: [UInt8] = []
    var breaks: [UInt8] = []
    /// Glyphs and their runs of all contents; clusters count from the start of each content's text.
    var shaped = ShapedText()
    var spans: [ShapingSpan] = []
    var bidiRuns: [BidiRun] = []
    var breakSpans: [LineBreakSpan] = []
    var breakScratch: [UInt8] = []
    let lineBreaks: LineBreakFinder
    /// By language; nil where there are no patterns.
    var hyphenators: [String: Hyphenator?]
    /// By box: index in `contents`, −1 before.
    var contentOfBox: [Int] = []
    /// By box whose first line has a style of its own: index in `contents`.
    var firstLineContents: [Int: Int] = [:]
    var inlineStyles: [InlineStyle] = []
    var fontHeights: [FontHeight?] = []

    // By box.
    var fragmentOfBox: [Int32] = []
    var atomicWidths: [LayoutUnit] = []
    var intrinsicMemo: [IntrinsicWidths?] = []
    var collapsedBorders: [Int: CollapsedBorders] = [:]
    var tableColumns: [Int: [TableColumn]] = [:]
    var collapsedCellEdges: [Int: BoxEdges] = [:]
    var measurements: [MeasurementKey: Measurement] = [:]

    // The line being built.
    var pieces: [LinePiece] = []
    var lineStates: [LineState] = []
    var stateBaselines: [LayoutUnit] = []
    var openItems: [Int] = []
    var visual: [Int] = []
    var openFragments: [Int] = []
    var path: [Int] = []
    var openingEdges: [LayoutUnit] = []
    var closingEdges: [LayoutUnit] = []
    var lineTextStart = 0
    var lineHang: Float = 0
    /// `white-space: nowrap` does not count: what does not fit on a terminal wraps.
    var wrapsAlways = false
    /// What hangs does so even before a forced break: ideographic spaces where white space collapses.
    var hangsAlways = false
    var lineRight: Float = 0
    var innerRight: LayoutUnit?
    var delayedFloats: [(fragment: Int, left: LayoutUnit, right: LayoutUnit)] = []
    var markerLines: [(container: Int, text: GeneratedText, style: StyleID, x: LayoutUnit, baseline: LayoutUnit)] = []

    // Truncation.
    var lineLimit: LineLimit?
    var tailContents: [StyleID: Int] = [:]
    var tailFailed = false
    var tailRect: LayoutRect?
    /// The tail's box in the coordinates of the block that holds its line.
    var tailPlace: (container: Int, rect: LayoutRect)?
    /// Size of the line's glyphs over their computed one.
    var lineScale: Float = 1

    /// Automatic height of the block root laid out last.
    var contentHeight = LayoutUnit.zero
    var depth = 0
    var depthLimit: Int

    init(_ text: StyledText, options: LayoutOptions, replacedSizes: any ReplacedSizes, context: inout LayoutContext) {
        self.text = text
        self.options = options
        self.replacedSizes = replacedSizes
        metric = context.metric
        switch context.metric {
        case .fonts: (snap, isOnTerminal) = (.fine, false)
        case .cells: (snap, isOnTerminal) = (.cells, true)
        }
        hasLineBackgrounds = !isOnTerminal && text.styles.styles.contains { $0.text.lineBackground != nil }
        lineBreaks = context.lineBreaks
        hyphenators = context.hyphenators
        leftOut = context.leftOut
        depthLimit = max(1, options.depthLimit)
        swap(&flat, &context.buffers.flat)
        swap(&contents, &context.buffers.contents)
        swap(&inlineText, &context.buffers.inlineText)
        swap(&breaks, &context.buffers.breaks)
        swap(&shaped, &context.buffers.shaped)
        swap(&contentOfBox, &context.buffers.contentOfBox)
        swap(&inlineStyles, &context.buffers.inlineStyles)
        inlineText.reserveCapacity(text.text.count + 256)
        breaks.reserveCapacity(text.text.count + 256)
        shaped.glyphs.reserveCapacity(text.text.count + 256)
        contentOfBox.append(contentsOf: repeatElement(-1, count: text.boxes.count))
        inlineStyles.append(contentsOf: repeatElement(InlineStyle(), count: text.styles.styles.count))
        fragmentOfBox = Array(repeating: -1, count: text.boxes.count)
        atomicWidths = Array(repeating: .zero, count: text.boxes.count)
        intrinsicMemo = Array(repeating: nil, count: text.boxes.count)
    }

    /// Gives what lives on back to the context.
    mutating func finish(_ context: inout LayoutContext) {
        context.leftOut = leftOut
        context.hyphenators = hyphenators
        flat.removeAll(keepingCapacity: true)
        contents.removeAll(keepingCapacity: true)
        inlineText.removeAll(keepingCapacity: true)
        breaks.removeAll(keepingCapacity: true)
        shaped.runs.removeAll(keepingCapacity: true)
        contentOfBox.removeAll(keepingCapacity: true)
        inlineStyles.removeAll(keepingCapacity: true)
        swap(&flat, &context.buffers.flat)
        swap(&contents, &context.buffers.contents)
        swap(&inlineText, &context.buffers.inlineText)
        swap(&breaks, &context.buffers.breaks)
        // The tree keeps the glyphs.
        tree.glyphs = shaped.glyphs
        shaped.glyphs = []
        swap(&shaped, &context.buffers.shaped)
        swap(&contentOfBox, &context.buffers.contentOfBox)
        swap(&inlineStyles, &context.buffers.inlineStyles)
    }

    mutating func reportDepth(_ box: Int) {
        if leftOut == nil { leftOut = text.boxes[box].element }
    }

    /// Lays out the whole document on its canvas.
    mutating func layoutDocument() {
        let padding = LayoutUnit(max(0, options.padding))
        let frame = padding * 2
        let inner: LayoutUnit
        if let width = options.width {
            inner = (LayoutUnit(width) - frame).nonNegative
        } else {
            // The viewport is as wide as the contents would like.
            let widths =
                text.boxes.isEmpty
                ? IntrinsicWidths()
                : contribution(0, constraint: Constraint(available: LayoutUnit(options.widestAutomatic)))
            inner = min(LayoutUnit(widths.maximum.ceil), LayoutUnit(options.widestAutomatic) - frame)
        }
        var canvas = BoxFragment(
            box: -1, style: .root, element: text.boxes.first?.element ?? NodeID(index: 0), kind: .canvas,
            placement: .inFlow, parent: -1,
            origin: -1)
        canvas.rect.width = inner + frame
        tree.boxes.append(canvas)
        var flow = Flow(root: 0)
        flow.y = padding
        let height = options.height.map { (LayoutUnit($0) - frame).nonNegative }
        if !text.boxes.isEmpty { layoutRootBox(x: padding, width: inner, percentageHeight: height, flow: &flow) }
        settle(&flow)
        let bottom = max(flow.y, flow.floats.bottom)
        let contentBottom = bottom + padding
        let canvasHeight = options.height.map { LayoutUnit($0) } ?? LayoutUnit(contentBottom.ceil)
        tree.boxes[0].rect.height = canvasHeight
        tree.boxes[0].end = tree.boxes.count
        let free = canvasHeight - contentBottom
        if free > .zero, options.verticalAlignment != .top {
            tree.boxes[0].rect.y = options.verticalAlignment == .center ? free / 2 : free
        }
        appendMarkerLines()
        tree.finish()
        if let place = tailPlace, place.container < tree.boxes.count {
            let container = tree.boxes[place.container]
            let base = container.isContextRoot ? place.container : max(0, container.origin)
            var rect = place.rect
            rect.x += tree.boxes[base].rect.x
            rect.y += tree.boxes[base].rect.y + tree.boxes[base].contentShift
            tree.tail = rect.rect
        }
        tree.boxes[0].rect.y = .zero
        tree.tailTree = options.tailTree
        if let tail = options.tail { tree.tailLinks = tail.links }
        tree.size = Size(width: tree.boxes[0].rect.width.float, height: canvasHeight.float)
        tree.contentHeight = contentBottom.float
    }

    private mutating func layoutRootBox(
        x: LayoutUnit, width: LayoutUnit, percentageHeight: LayoutUnit?, flow: inout Flow
    ) {
        // The root's margins do not collapse with anything outside of it.
        if isIndependent(0) || text.boxes[0].kind != .block {
            layoutIndependentChild(0, parent: 0, x: x, width: width, percentageHeight: percentageHeight, flow: &flow)
        } else {
            layoutBlockChild(0, parent: 0, x: x, width: width, percentageHeight: percentageHeight, flow: &flow)
        }
    }

    /// How many lines `maxLines` and `maxHeight` leave; nil when all lines may stay.
    func neededLimit() -> Int? {
        guard options.maxLines > 0 || options.maxHeight != nil else { return nil }
        let bottoms = flowLines(of: 0, from: 0).map { tree.lines[$0].rect.maxY }
        var limit = bottoms.count
        if options.maxLines > 0 { limit = min(limit, options.maxLines) }
        if let height = options.maxHeight {
            let edge = LayoutUnit(height) + LayoutUnit(max(0, options.padding)) + tree.boxes[0].rect.y
            limit = min(limit, max(1, bottoms.prefix { $0 <= edge }.count))
        }
        return limit < bottoms.count ? limit : nil
    }

    private mutating func appendMarkerLines() {
        for marker in markerLines {
            let first = tree.lines.count
            appendGeneratedLine(
                marker.text, style: marker.style, container: marker.container, x: marker.x, baseline: marker.baseline)
            tree.boxes[marker.container].lines = first..<tree.lines.count
        }
    }
}

/// Lays out `text`; lengths in CSS pixels. Linear in the text, but for nesting of tables and flex boxes.
package func layout(
    _ text: StyledText, options: LayoutOptions = LayoutOptions(), replacedSizes: any ReplacedSizes = NoReplacedSizes(),
    context: inout LayoutContext
) throws(LayoutError) -> LayoutTree {
    var layouter = Layouter(text, options: options, replacedSizes: replacedSizes, context: &context)
    layouter.layoutDocument()
    if let limit = layouter.neededLimit() {
        // A second layout that stops at the last line that may be shown.
        layouter.finish(&context)
        layouter = Layouter(text, options: options, replacedSizes: replacedSizes, context: &context)
        layouter.lineLimit = LineLimit(left: limit, mode: options.truncateMode)
        layouter.layoutDocument()
    }
    let failed = layouter.tailFailed
    layouter.tree.addedStyles = Array(layouter.text.styles.styles.dropFirst(text.styles.styles.count))
    layouter.finish(&context)
    if failed { throw .tailDoesNotFit }
    return layouter.tree
}
