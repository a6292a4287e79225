// Lays out a whole document on its canvas. The font caches of the LayoutContext are reused between documents.

import FancyTextBasics
import FancyTextBoxes
import FancyTextMarkup
import FancyTextStyling

/// Lays out `text`; lengths are in CSS pixels. Linear in the text, except for nested tables and flex boxes.
package func layout(
    _ text: BoxTree, options: LayoutOptions = LayoutOptions(), replacedSizes: any ReplacedSizes = NoReplacedSizes(),
    context: inout LayoutContext
) -> LayoutTree {
    func engine(_ text: BoxTree, limit: Int? = nil, tail: TruncationTail = .given) -> LayoutEngine {
        var engine = LayoutEngine(
            text, contexts: BoxKinds(), options: options, replacedSizes: replacedSizes, context: context)
        engine.lineLimit = limit.map { engine.newLimit(of: $0, options.truncateMode, tail: tail, isOfDocument: true) }
        engine.layoutDocument()
        return engine
    }
    func result(_ finished: consuming LayoutEngine) -> LayoutTree {
        var engine = finished
        engine.tree.addedStyles = Array(engine.text.styles.styles.dropFirst(text.styles.styles.count))
        engine.tree.addedText = (text.text.count, Array(engine.text.text.dropFirst(text.text.count)))
        engine.tree.glyphs = engine.inlines.shaped.glyphs
        return engine.tree
    }

    /// The tail may be higher than the omitted lines. Then more lines are omitted, or `…` replaces the tail.
    func limited(_ text: BoxTree, to needed: Int) -> LayoutTree {
        var (limit, tail) = (needed, TruncationTail.given)
        while true {
            let engine = engine(text, limit: limit, tail: tail)
            let excess = engine.linesAbove(limit: limit)
            guard excess > 0 else { return result(engine) }
            let below = engine.lineLimit?.linesBelow ?? 0
            limit -= excess
            if below > 0, limit <= below { (limit, tail) = (needed, .ellipsis) }
        }
    }

    // If lines are limited, only as much of the text is prepared as they can show. A second layout stops at the last of them.
    var length = options.limitsLines && options.width != nil ? options.prefixLength : Int.max
    while let prefix = text.prefix(ofAbout: length, cutsParagraphs: options.keepsStartsOfParagraphs) {
        let whole = engine(prefix.text)
        let limit = prefix.isBroken(in: whole) ? nil : whole.neededLimit(linesBehind: 2)
        if let limit { return limited(prefix.text, to: limit) }
        length = length.multipliedReportingOverflow(by: 8).partialValue
    }
    let whole = engine(text)
    guard let limit = whole.neededLimit() else { return result(whole) }
    return limited(text, to: limit)
}

extension LayoutEngine {
    fileprivate mutating func layoutDocument() {
        let padding = LayoutUnit(max(0, options.padding))
        let frame = padding * 2
        prepareAxes(frame)
        // In the axes of the document.
        let (width, givenHeight) = axes.isVertical ? (options.height, options.width) : (options.width, options.height)
        let inner: LayoutUnit
        if let width {
            inner = (LayoutUnit(width) - frame).nonNegative
        } else {
            // The viewport is as wide as the contents would be without breaks.
            let widest = LayoutUnit(options.widestAutomatic)
            let wanted = text.boxes.isEmpty ? .zero : contribution(0, available: widest).maximum
            inner = min(LayoutUnit(wanted.ceil), axes.isVertical ? screen.height : widest - frame)
        }
        let canvas = BoxFragment(
            box: -1, style: .root, element: text.boxes.first?.element ?? NodeID(index: 0), kind: .canvas,
            rect: LayoutRect(width: inner + frame), parent: -1, origin: -1, axes: axes)
        tree.boxes.append(canvas)
        var flow = Flow(root: 0, y: padding)
        let height = pageHeight ?? givenHeight.map { (LayoutUnit($0) - frame).nonNegative }
        if !text.boxes.isEmpty {
            let container = BlockContainer(fragment: 0, x: padding, width: inner, percentageHeight: height)
            // The root's margins do not collapse with anything outside of it.
            if text.establishesContext(0) || text.boxes[0].kind != .block {
                layoutIndependentChild(0, in: container, flow: &flow)
            } else {
                layoutBlockChild(0, in: container, flow: &flow)
            }
        }
        settle(&flow)
        let repeats = breakIntoPages()
        let bottom = pagesBottom ?? max(flow.y, flow.floats.bottom)
        let contentBottom = bottom + padding
        var canvasHeight = givenHeight.map { LayoutUnit($0) } ?? LayoutUnit(contentBottom.ceil)
        tree.boxes[0].rect.height = canvasHeight
        tree.boxes[0].end = tree.boxes.count
        let free = canvasHeight - contentBottom
        let isTurned = axes.isVertical
        if isTurned {
            enter(.horizontalTB)
            canvasHeight = tree.boxes[0].rect.width
            tree.boxes[0].rect.turnSize()
        } else if free > .zero, options.verticalAlignment != .top {
            tree.boxes[0].rect.y = options.verticalAlignment == .center ? free / 2 : free
        }
        settlePlaces(from: 0)
        tree.repeatBoxes(repeats)
        if let place = tailPlace, place.container < tree.boxes.count {
            let base = tree.base(of: place.container)
            let origin = tree.boxes[base].rect.origin + LayoutPoint(y: tree.boxes[base].contentShift)
            tree.tail = place.rect.moved(by: origin).rect
        }
        let lowest = isTurned ? canvasHeight : contentBottom
        if padding == .zero, tree.boxes[0].rect.y == .zero { tree.rootHeight = lowest.float }
        tree.boxes[0].rect.y = .zero
        // As high as the canvas, or as a screen if nothing in the flow gives the canvas a height.
        var area = tree.boxes[0].rect.inset(by: Edges(top: padding, right: padding, bottom: padding, left: padding))
        if options.height == nil, lowest - frame <= .zero { area.height = screen.height }
        if let pageHeight { area.height = pageHeight }
        layoutPositionedBoxes(canvas: area)
        let positionedBottom = lowestPositionedEdge() + padding
        finishPages(down: positionedBottom)
        if options.height == nil {
            tree.boxes[0].rect.height = max(canvasHeight, pagesBottom ?? LayoutUnit(positionedBottom.ceil))
        }
        tree.transforms = PlacedTransforms(tree.boxes, text.styles)
        tree.tailTree = options.tailTree
        if let tail = options.tail { tree.tailLinks = tail.links }
        let widest = tree.pages.reduce(tree.boxes[0].rect.width) { max($0, $1.width) }
        tree.size = Size(width: widest.float, height: tree.boxes[0].rect.height.float)
        tree.contentHeight = max(lowest, positionedBottom).float
    }

    /// Takes on the axes of the document, and notes the size of its screen: 4 to 3 if the contents decide its height.
    private mutating func prepareAxes(_ frame: LayoutUnit) {
        let width = (LayoutUnit(options.width ?? 800) - frame).nonNegative
        let height = options.height.map { (LayoutUnit($0) - frame).nonNegative }
        screen = (width, pageHeight ?? height ?? LayoutUnit(width.float * 0.75))
        guard hasVerticalText, !text.boxes.isEmpty else { return }
        rootMode = style(of: 0).text.writingMode
        if text.isDocument, !rootMode.isVertical, text.boxes.count > 1, text.boxes[1].parent == 0 {
            rootMode = style(of: 1).text.writingMode
        }
        enter(rootMode)
    }

    /// The number of lines that `maxLines` and `maxHeight` allow; nil if fewer than `linesBehind` would be omitted.
    fileprivate func neededLimit(linesBehind: Int = 1) -> Int? {
        guard options.limitsLines else { return nil }
        let bottoms = tree.flowLines(of: 0, from: 0).map(\.bottom)
        var limit = bottoms.count
        if options.maxLines > 0 { limit.lower(to: options.maxLines) }
        if let edge = lowestBottom { limit.lower(to: max(1, bottoms.prefix { $0 <= edge }.count)) }
        return limit + linesBehind <= bottoms.count ? limit : nil
    }

    /// The lowest bottom of a line that `maxHeight` allows.
    private var lowestBottom: LayoutUnit? {
        options.maxHeight.map { LayoutUnit($0) + LayoutUnit(max(0, options.padding)) + tree.boxes[0].rect.y }
    }

    /// The number of lines to omit so that the last, or the tail's, is not below `maxHeight`; 0 for a single line.
    fileprivate func linesAbove(limit: Int) -> Int {
        guard let edge = lowestBottom, limit > 1 else { return 0 }
        let lines = tree.flowLines(of: 0, from: 0)
        guard let bottom = lines.last?.bottom, bottom > edge else { return 0 }
        let bottoms = lines.dropLast(lineLimit?.linesBelow ?? 0).map(\.bottom)
        guard let last = bottoms.last else { return 1 }
        return max(1, bottoms.reversed().prefix { last - $0 < bottom - edge }.count)
    }
}
