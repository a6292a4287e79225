// The layout engine: the functions shared by all kinds of layout, and the interface between them.
//
// A kind of box that arranges its own contents is a formatting context: a type in its own folder. It gets a box, the space
// (``Constraint``) and its place in the tree (``FragmentSlot``). It appends fragments to `tree`, the box's before those of its
// contents, and returns the first, with its size and baselines. Positions are relative to the border box of the context's root,
// whose position the caller sets. A context accesses other boxes only through these functions of the engine:
//
// - `intrinsicWidths` and `contribution`: min-content and max-content widths;
// - `usedWidth`, `definiteHeight`, `clampWidth`, `clampHeight`: the sizes set by the style;
// - `measure`: the size and baseline in a space, without fragments;
// - `layOut`: the fragments in a space.
//
// A new kind needs only its type and a case in each function of ``FormattingContexts``.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS

/// The operations of each kind of box on its contents; its implementation is the one place that names all kinds.
protocol FormattingContexts: AnyObject {
    /// Lays out `box` as the root of a formatting context; returns its fragment, with size and baselines.
    func layOut(_ box: Int, in constraint: Constraint, as slot: FragmentSlot, _ engine: inout LayoutEngine) -> Int

    /// The widths of the border box by its contents, if every break opportunity is taken, and if none is.
    func intrinsicWidths(_ box: Int, edges: BoxEdges, _ engine: inout LayoutEngine) -> IntrinsicWidths
}

/// A document being laid out.
struct LayoutEngine {
    var inlines: InlineContents
    var tree = LayoutTree()
    let contexts: any FormattingContexts
    let options: LayoutOptions
    let replacedSizes: any ReplacedSizes
    let depthLimit: Int
    var depth = 0
    private let clock = WorkClock.current
    private var stepsSeen = 0
    private var isStopped = false

    // By box.
    var intrinsicMemo: [MeasuredWidths?]
    var heights = MeasuringHeights()
    /// Edges that the parent's layout sets instead of the style, for table cells.
    var givenEdges: [Int: BoxEdges] = [:]
    private var measurements: [MeasurementKey: Measurement] = [:]
    /// Set while the fragments will be removed again and are not inspected.
    var isMeasuring = false

    /// The static positions of absolutely positioned boxes met in the flow.
    var staticPositions: [Int: StaticPosition] = [:]
    /// The sizes of operators in embellished ones, set by formulas around these.
    var operatorSizes: [Int: (isVertical: Bool, size: Float)] = [:]
    /// The tracks that grids around subgrids set, without the axes in which these have tracks of their own.
    var subgrids: [Int: [LayoutAxis: SubgridAxis]] = [:]
    /// The containing blocks of positioned boxes, and those in columns.
    let holdsPositioned: Set<Int>
    var longBlocks: [Int: LongBlock] = [:]
    /// The grid areas of positioned children of grids, relative to the grid's border box.
    var positionedAreas: [Int: LayoutRect] = [:]
    /// The cell that is laid out before its height is known; −1 for none.
    var unsizedCell = -1
    let hasRelativePositions: Bool
    /// True if some text has vertical lines. Terminals have only horizontal ones.
    let hasVerticalText: Bool
    /// The axes of the flow that is laid out: those of `text.styles`.
    var axes = WritingMode.horizontalTB
    /// The styles in the axes of other flows.
    var turnedStyles: [WritingMode: StyleTable] = [:]
    var rootMode = WritingMode.horizontalTB
    /// The rows of columns around boxes that span all columns, by box.
    var columnRows: [Int: [ColumnRowContents]] = [:]
    /// The heights that columns or pages around a multi-column container leave for its rows.
    var columnSpaces: [ColumnRow: ColumnSpace] = [:]
    /// True if pages leave other heights than those for which rows of columns were laid out.
    var hasMovedRows = false
    /// True if rows of columns stay as they are wherever their pages begin.
    var isLastTrial = false
    /// The used value of `page` of the box that is laid out.
    var pageName = ""
    /// The size of the canvas, where the lines of a flow across its container end.
    var screen = (width: LayoutUnit.zero, height: LayoutUnit.zero)
    /// True if some style has `text-box-trim` or `initial-letter`, which have no effect in cells.
    let hasLineEdges: Bool

    // Lines.
    /// Reused for the next paragraph.
    var line = LineBuilder()
    /// The number of boxes, with their contents, that were laid out again; limited because they may be nested.
    var relaidBoxes = 0
    var relaidBoxesLimit: Int { 1000 + 8 * text.boxes.count }
    var markerLines: [MarkerLine] = []
    var lineLimit: LineLimit?
    /// The tail's box in the coordinates of the block that contains its line.
    var tailPlace: (container: Int, rect: LayoutRect)?

    // Inlined with its callees, so that the text is copied only once.
    @inline(__always) init(
        _ text: BoxTree, contexts: any FormattingContexts, options: LayoutOptions, replacedSizes: any ReplacedSizes,
        context: LayoutContext
    ) {
        self.contexts = contexts
        inlines = InlineContents(text, deviceScale: options.deviceScale, context: context)
        self.replacedSizes = replacedSizes
        depthLimit = max(1, options.depthLimit)
        self.options = options
        hasLineEdges = !inlines.snap.isOfCells && inlines.text.styles.styles.contains { !$0.box.$lineEdges }
        holdsPositioned = Set(inlines.text.boxes.lazy.filter(\.isPositioned).map(\.containingBlock))
        hasRelativePositions = inlines.text.styles.styles.contains {
            $0.box.position == .relative || $0.box.position == .sticky && $0.box.positioned.inset != Sides(nil)
        }
        hasVerticalText =
            inlines.metric.reordersText && inlines.text.styles.styles.contains { $0.text.writingMode.isVertical }
        tree.fragmentOfBox = Array(repeating: -1, count: inlines.text.boxes.count)
        intrinsicMemo = Array(repeating: nil, count: inlines.text.boxes.count)
    }

    var text: BoxTree {
        _read { yield inlines.text }
        _modify { yield &inlines.text }
    }
    var snap: LayoutGrid { inlines.snap }
    var deviceScale: Float { inlines.deviceScale }

    /// True after the last line of a limit, when nothing of the flow follows.
    var isPastLimit: Bool { lineLimit.map { $0.left <= 0 } ?? false }

    func style(of box: Int) -> ComputedStyle { text.styles[text.boxes[box].style] }

    /// The style of a box; nil for an anonymous one, which has its container's for inheritance only, and for none (−1).
    func ownStyle(of box: Int) -> ComputedStyle? { text.ownStyle(of: box) }
    func ownStyle(of box: BoxFragment) -> ComputedStyle? { box.isAnonymous ? nil : text.styles[box.style] }

    mutating func reportDepth(_ box: Int) {
        if inlines.context.leftOut == nil { inlines.context.leftOut = text.boxes[box].element }
    }

    /// Counts a step of work, a box or a line. Returns `true` once the time is over.
    mutating func stops() -> Bool {
        stepsSeen &+= 1
        if stepsSeen & 0xF == 0, !isStopped { isStopped = clock.isOver() }
        return isStopped
    }

    // MARK: Fragments

    mutating func newFragment(_ box: Int, kind: BoxFragment.Kind, as slot: FragmentSlot) -> Int {
        let styled = text.boxes[box]
        let fragment = BoxFragment(
            box: box, style: styled.style, element: styled.element, kind: kind, placement: slot.placement,
            parent: slot.parent, origin: slot.origin, axes: axes, isAnonymous: styled.isAnonymous)
        tree.fragmentOfBox[box] = Int32(clamping: tree.boxes.count)
        tree.boxes.append(fragment)
        return tree.boxes.count - 1
    }

    /// Appends the fragment of a formatting context's root, with its edges.
    mutating func startFragment(_ box: Int, kind: BoxFragment.Kind, edges: BoxEdges, as slot: FragmentSlot) -> Int {
        let index = newFragment(box, kind: kind, as: slot)
        tree.boxes[index].edges = edges
        if let style = ownStyle(of: box) {
            tree.boxes[index].clips =
                style.box.overflowX != .visible || style.box.overflowY != .visible || style.containment.contains(.paint)
            tree.boxes[index].isScrollContainer = style.box.scrolls
        }
        return index
    }

    mutating func layOut(_ box: Int, in constraint: Constraint, as slot: FragmentSlot) -> Int {
        let index: Int
        if stops() {
            index = newFragment(box, kind: .block, as: slot)
        } else if depth < depthLimit {
            if isTurned(box) { return layOutTurned(box, in: constraint, as: slot) }
            depth += 1
            index = contexts.layOut(box, in: constraint, as: slot, &self)
            depth -= 1
        } else {
            reportDepth(box)
            index = newFragment(box, kind: .block, as: slot)
        }
        tree.boxes[index].end = tree.boxes.count
        contain(index)
        if tree.boxes[index].isScrollContainer, let baseline = tree.boxes[index].firstBaseline {
            // Scrolled contents have a baseline in the box (CSS Box Alignment 3 §9.1).
            tree.boxes[index].firstBaseline = min(baseline.nonNegative, tree.boxes[index].rect.height)
        }
        return index
    }

    /// Lays out a box whose lines do not count for a limit of the surrounding flow (CSS Overflow 4 §5.1).
    mutating func layOutApart(_ box: Int, in constraint: Constraint, as slot: FragmentSlot) -> Int {
        let limit = lineLimit
        lineLimit = nil
        defer { lineLimit = limit }
        return layOut(box, in: constraint, as: slot)
    }

    /// Lays out an item whose size its container knows. While that is only measured, it appends an empty fragment of
    /// the size: otherwise nested containers would lay out all of their contents once more for each ancestor.
    mutating func layOutItem(_ box: Int, in constraint: Constraint, edges: BoxEdges, as slot: FragmentSlot) -> Int {
        guard isMeasuring else { return layOut(box, in: constraint, as: slot) }
        let measured = measure(box, in: constraint, parent: slot.parent)
        lineLimit = measured.lineLimit
        let index = startFragment(box, kind: .block, edges: edges, as: slot)
        tree.boxes[index].rect.size = (measured.width, measured.height)
        tree.boxes[index].automaticHeight = measured.automaticHeight
        tree.boxes[index].baselines = (measured.firstBaseline, measured.lastBaseline)
        tree.boxes[index].end = tree.boxes.count
        return index
    }

    // MARK: Trying out

    struct Mark {
        fileprivate var tree: LayoutTree.Mark
        fileprivate var markerLines: Int
        fileprivate var tailPlace: (container: Int, rect: LayoutRect)?
        fileprivate var lineLimit: LineLimit?
    }

    var mark: Mark { Mark(tree: tree.mark, markerLines: markerLines.count, tailPlace: tailPlace, lineLimit: lineLimit) }

    /// Removes all fragments added after `mark`.
    mutating func takeBack(to mark: Mark) {
        tree.remove(after: mark.tree)
        markerLines.removeSubrange(mark.markerLines...)
        (tailPlace, lineLimit) = (mark.tailPlace, mark.lineLimit)
    }

    /// Lays out a box and removes the fragments; results are cached by box and size.
    mutating func measure(_ box: Int, in constraint: Constraint, parent: Int) -> Measurement {
        let key = MeasurementKey(box: box, constraint: constraint, lines: lineLimit?.left)
        if let known = measurements[key] { return known }
        intrinsicMemo[box]?.layouts += 1
        let before = mark
        let isWithin = isMeasuring
        isMeasuring = true
        let fragment = tree.boxes[layOut(box, in: constraint, as: .child(of: parent))]
        isMeasuring = isWithin
        let limitAfter = lineLimit
        takeBack(to: before)
        let result = Measurement(
            width: fragment.rect.width, height: fragment.rect.height, automaticHeight: fragment.automaticHeight,
            firstBaseline: fragment.firstBaseline, lastBaseline: fragment.lastBaseline,
            crossBaselines: fragment.crossBaselines, lineLimit: limitAfter)
        measurements[key] = result
        return result
    }
}

/// The result of laying out a box at a width, without the fragments.
struct Measurement {
    var width, height: LayoutUnit
    /// The height by the contents, whatever the style sets.
    var automaticHeight: LayoutUnit
    var firstBaseline, lastBaseline: LayoutUnit?
    var crossBaselines: (first: LayoutUnit?, last: LayoutUnit?)
    /// The rest of the limit in force after the box.
    var lineLimit: LineLimit?
}

/// The tracks that a subgrid has in one axis (CSS Grid 2 §9).
struct SubgridAxis {
    /// Nil while the outer tracks are not sized.
    var sizes: [LayoutUnit?]
    var gap: LayoutUnit
    /// The names of the lines in the outer grid.
    var lineNames: [[String]]
}

private struct MeasurementKey: Hashable {
    var box: Int
    var constraint: Constraint
    /// The number of lines that may still be placed.
    var lines: Int?
}

/// The text of a marker. Its line is made after all others, because a box's lines are contiguous in the tree.
struct MarkerLine {
    var container: Int
    var text: GeneratedText
    var style: StyleID
    var x, baseline: LayoutUnit
}
