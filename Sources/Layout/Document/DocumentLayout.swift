// Lays out a whole document on its canvas, or its beginning, as much as limited lines can show, so that the cost does not depend on the
// rest. Only content that block flow places below is omitted: boxes sized by all their contents are kept whole.

import FancyTextBasics
import FancyTextBoxes
import FancyTextMarkup

/// Lays out `text`; lengths are in CSS pixels. Linear in the text, except for nested tables and flex boxes.
package func layout(
    _ text: BoxTree, options: LayoutOptions = LayoutOptions(), replacedSizes: any ReplacedSizes = NoReplacedSizes(),
    context: inout LayoutContext
) -> LayoutTree {
    func engine(_ text: BoxTree, limit: Int? = nil, tail: TruncationTail = .given) -> LayoutEngine {
        var spaces: [ColumnRow: ColumnSpace] = [:]
        var inlines: InlineContents?
        var trial = 0
        while true {
            var engine = LayoutEngine(
                text, contexts: BoxKinds(), options: options, replacedSizes: replacedSizes, context: context)
            engine.isLastTrial = trial == LayoutEngine.mostTrials
            engine.columnSpaces = spaces
            if limit == nil, let kept = inlines.take() { engine.inlines = kept }
            engine.lineLimit = limit.map {
                engine.newLimit(of: $0, options.truncateMode, tail: tail, isOfDocument: true)
            }
            engine.layoutDocument()
            if !engine.hasMovedRows { return engine }
            (spaces, inlines, trial) = (engine.columnSpaces, engine.inlines, trial + 1)
        }
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
    // Otherwise the lines that a limit keeps of a paragraph depend on the text after them.
    let cutsParagraphs = options.fitLines == nil && options.truncateMode != .head && options.truncateMode != .middle
    while let prefix = text.prefix(ofAbout: length, cutsParagraphs: cutsParagraphs) {
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
            // The viewport is as wide as the contents would be without breaks, up to this width.
            let widest = LayoutUnit(16384)
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
        if hasMovedRows { return }
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
        tree.startsAtCorner = padding == .zero && tree.boxes[0].rect.y == .zero
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

struct DocumentPrefix {
    var text: BoxTree
    /// The box whose lines end early.
    var brokenBox: Int?

    /// Returns whether the omitted part could change the rest: bidi levels depend on the text after (UAX #9 §3.3).
    func isBroken(in engine: LayoutEngine) -> Bool {
        guard let brokenBox else { return false }
        let content = engine.inlines.contentOfBox[brokenBox]
        return content >= 0 && (engine.inlines.contents[content].isBidi || engine.inlines.contents[content].isPlaintext)
    }
}

extension BoxTree {
    /// The document without content that begins after about `length` bytes of its text; nil if there is none.
    /// `cutsParagraphs` lets a long paragraph end after a word. O(length).
    func prefix(ofAbout length: Int, cutsParagraphs: Bool) -> DocumentPrefix? {
        guard length < text.count, boxes.first?.kind == .block, !establishesContext(0) else { return nil }
        var ancestors = [0]
        while let box = ancestors.last, !boxes[box].holdsInlines {
            var child = box + 1
            while child < boxes[box].end, boxes[child].text.upperBound <= length { child = boxes[child].end }
            guard child < boxes[box].end else { break }
            ancestors.append(child)
            guard isInBlockFlow(child) else { break }
        }
        let last = ancestors[ancestors.count - 1]
        // A box placed on the canvas is visible wherever it is in the document.
        guard !boxes[last...].contains(where: { $0.containingBlock == 0 }) else { return nil }
        let style = styles[boxes[last].style].text
        let breaksLineByLine = style.fitLines == nil && style.wrapStyle != .balance && style.wrapStyle != .pretty
        if cutsParagraphs, boxes[last].holdsInlines, isInBlockFlow(last), breaksLineByLine,
            let prefix = breaking(last, at: length, ancestors)
        {
            return prefix
        }
        let end = boxes[last].end
        return end < boxes.count ? DocumentPrefix(text: keeping(end, ancestors)) : nil
    }

    private func isInBlockFlow(_ box: Int) -> Bool {
        boxes[box].kind == .block && !boxes[box].isPositioned && !establishesContext(box)
            && (boxes[box].isAnonymous || styles[boxes[box].style].box.float == .none)
    }

    /// Ends a paragraph after the word that reaches `length`.
    private func breaking(_ paragraph: Int, at length: Int, _ ancestors: [Int]) -> DocumentPrefix? {
        var end = paragraph + 1
        for index in boxes[paragraph].items {
            switch items[index] {
            case .atomic(let box, _), .float(let box): end = boxes[box].end
            case .open, .close, .breakOpportunity: break
            case .text(let run):
                let range = runs[run].range
                guard range.upperBound > length else { continue }
                let start = max(length, range.lowerBound)
                guard let space = text[start..<range.upperBound].firstIndex(of: 0x20) else { continue }
                var result = keeping(end, ancestors)
                result.runs[run].range = range.lowerBound..<space + 1
                result.boxes[paragraph].items = boxes[paragraph].items.lowerBound..<index + 1
                return DocumentPrefix(text: result, brokenBox: paragraph)
            }
        }
        return nil
    }

    /// The boxes before `end`; `ancestors` are the last ones at each depth.
    private func keeping(_ end: Int, _ ancestors: [Int]) -> BoxTree {
        var result = self
        result.boxes = Array(boxes[..<end])
        for box in ancestors { result.boxes[box].end = min(boxes[box].end, end) }
        return result
    }
}
