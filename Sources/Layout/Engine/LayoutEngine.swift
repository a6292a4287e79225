// The layout engine: what all kinds of layout share, and the seam between them.
//
// A kind of box that arranges its own contents is a formatting context: a value in a folder of its own. It is given a
// box, the space (``Constraint``) and its place in the tree (``FragmentSlot``); it appends fragments to `tree`, the
// box's before those of its contents, and returns the first, with its size and baselines. Positions count from the
// border box of the context's root; the caller says where that lies. Of other boxes a context knows what the engine
// tells it:
//
// - `intrinsicWidths` and `contribution`: min-content and max-content widths;
// - `usedWidth`, `definiteHeight`, `clampWidth`, `clampHeight`: what the style says of a size;
// - `measure`: size and baseline in a space, without fragments;
// - `layOut`: the fragments in a space.
//
// So a new kind needs its value and a case in each function of ``FormattingContexts``; all calls are resolved when
// compiling.

import FancyTextBasics
import FancyTextBoxes
import FancyTextMarkup
import FancyTextStyling

/// What each kind of box does with its contents; the one place that names all of them.
protocol FormattingContexts {
    init()

    /// Lays out `box` as the root of a formatting context; returns its fragment, with size and baselines.
    static func layOut(
        _ box: Int, in constraint: Constraint, as slot: FragmentSlot, _ engine: inout LayoutEngine<Self>
    ) -> Int

    /// Widths of the border box by its contents, if every opportunity to break were taken, and if none were.
    static func intrinsicWidths(_ box: Int, edges: BoxEdges, _ engine: inout LayoutEngine<Self>) -> IntrinsicWidths
}

/// A document being laid out.
struct LayoutEngine<Contexts: FormattingContexts> {
    var inlines: InlineContents
    var tree = LayoutTree()
    /// What formatting contexts keep from one question about a box to the next.
    var contexts = Contexts()
    let options: LayoutOptions
    let replacedSizes: any ReplacedSizes
    let depthLimit: Int
    var depth = 0
    /// The first element whose boxes are nested too deep and left out.
    var leftOut: NodeID?
    /// The clock of the work that layout belongs to.
    private let clock = WorkClock.current
    private var stepsSeen = 0
    private var isStopped = false

    // By box.
    var intrinsicMemo: [IntrinsicWidths?]
    /// Edges that the layout around a box gives it instead of its style's: of table cells.
    var givenEdges: [Int: BoxEdges] = [:]
    private var measurements: [MeasurementKey: Measurement] = [:]
    /// What is laid out will be taken back, and nobody looks into it.
    var isMeasuring = false

    /// Of absolutely positioned boxes whose places in the flow have been met.
    var staticPositions: [Int: StaticPosition] = [:]
    /// Of children of grids: what they are placed in, from the grid's border box.
    var positionedAreas: [Int: LayoutRect] = [:]
    let hasRelativePositions: Bool
    /// Some text has a background behind its lines, which may keep its distance from the next.
    let hasLineBackgrounds: Bool

    // Lines.
    /// Waits for the next paragraph.
    var line = LineBuilder()
    /// Boxes beside floats that were laid out again, with what is in them; bounded, since each may lie in another.
    var relaidBoxes = 0
    var relaidBoxesLimit: Int { 1000 + 8 * text.boxes.count }
    var markerLines: [MarkerLine] = []
    var lineLimit: LineLimit?
    /// The tail's box in the coordinates of the block that holds its line.
    var tailPlace: (container: Int, rect: LayoutRect)?

    // Inlined, as what it calls, so that the text is copied once.
    @inline(__always)
    init(_ text: StyledText, options: LayoutOptions, replacedSizes: any ReplacedSizes, context: inout LayoutContext) {
        inlines = InlineContents(text, deviceScale: options.deviceScale, context: &context)
        self.replacedSizes = replacedSizes
        leftOut = context.leftOut
        depthLimit = max(1, options.depthLimit)
        self.options = options
        hasLineBackgrounds = inlines.text.styles.styles.contains { $0.text.lineBackground != nil }
        hasRelativePositions = inlines.text.styles.styles.contains { $0.box.position == .relative }
        tree.fragmentOfBox = Array(repeating: -1, count: inlines.text.boxes.count)
        intrinsicMemo = Array(repeating: nil, count: inlines.text.boxes.count)
    }

    /// The document.
    var text: StyledText {
        _read { yield inlines.text }
        _modify { yield &inlines.text }
    }
    var snap: LayoutGrid { inlines.snap }
    var deviceScale: Float { inlines.deviceScale }

    /// The last line of a limit has been placed: nothing of the flow follows.
    var isPastLimit: Bool { lineLimit.map { $0.left <= 0 } ?? false }

    func style(of box: Int) -> ComputedStyle { text.styles[text.boxes[box].style] }

    mutating func reportDepth(_ box: Int) {
        if leftOut == nil { leftOut = text.boxes[box].element }
    }

    /// Counts a step of work, a box or a line. Returns `true` when the time is over.
    mutating func stops() -> Bool {
        stepsSeen &+= 1
        if stepsSeen & 0xF == 0, !isStopped { isStopped = clock.isOver() }
        return isStopped
    }

    // MARK: Fragments

    /// Appends the fragment of a box.
    mutating func newFragment(_ box: Int, kind: BoxFragment.Kind, as slot: FragmentSlot) -> Int {
        let styled = text.boxes[box]
        var fragment = BoxFragment(box: box, style: styled.style, element: styled.element, kind: kind, as: slot)
        fragment.isAnonymous = styled.isAnonymous
        tree.fragmentOfBox[box] = Int32(clamping: tree.boxes.count)
        tree.boxes.append(fragment)
        return tree.boxes.count - 1
    }

    /// Appends the fragment of a formatting context's root, with its edges.
    mutating func startFragment(_ box: Int, kind: BoxFragment.Kind, edges: BoxEdges, as slot: FragmentSlot) -> Int {
        let index = newFragment(box, kind: kind, as: slot)
        tree.boxes[index].border = edges.border
        tree.boxes[index].padding = edges.padding
        tree.boxes[index].margin = edges.margin
        if !text.boxes[box].isAnonymous {
            let style = style(of: box)
            tree.boxes[index].clips = style.box.overflowX != .visible || style.box.overflowY != .visible
            tree.boxes[index].isScrollContainer =
                !style.box.overflowX.leavesContents || !style.box.overflowY.leavesContents
        }
        return index
    }

    /// Lays out `box` as the root of a formatting context; returns its fragment.
    mutating func layOut(_ box: Int, in constraint: Constraint, as slot: FragmentSlot) -> Int {
        let index: Int
        if stops() {
            index = newFragment(box, kind: .block, as: slot)
        } else if depth < depthLimit {
            depth += 1
            index = Contexts.layOut(box, in: constraint, as: slot, &self)
            depth -= 1
        } else {
            reportDepth(box)
            index = newFragment(box, kind: .block, as: slot)
        }
        tree.boxes[index].end = tree.boxes.count
        return index
    }

    /// Lays out a box whose lines a limit on those of the flow around it does not count (CSS Overflow 4 §5.1).
    mutating func layOutApart(_ box: Int, in constraint: Constraint, as slot: FragmentSlot) -> Int {
        let limit = lineLimit
        lineLimit = nil
        defer { lineLimit = limit }
        return layOut(box, in: constraint, as: slot)
    }

    /// Lays out an item whose size its container knows. While the container itself is only measured, an empty fragment of
    /// the item's size stands for it: else each container in containers would lay out all that it holds once more for each
    /// of those around it.
    mutating func layOutItem(
        _ box: Int, in constraint: Constraint, edges: BoxEdges, as slot: FragmentSlot
    ) -> Int {
        guard isMeasuring else { return layOut(box, in: constraint, as: slot) }
        let measured = measure(box, in: constraint, parent: slot.parent)
        lineLimit = measured.lineLimit
        let index = startFragment(box, kind: .block, edges: edges, as: slot)
        tree.boxes[index].rect.width = measured.width
        tree.boxes[index].rect.height = measured.height
        tree.boxes[index].automaticHeight = measured.automaticHeight
        tree.boxes[index].firstBaseline = measured.firstBaseline
        tree.boxes[index].lastBaseline = measured.lastBaseline
        tree.boxes[index].end = tree.boxes.count
        return index
    }

    // MARK: Trying out

    /// How far layout has come.
    struct Mark {
        fileprivate var tree: LayoutTree.Mark
        fileprivate var markerLines: Int
        fileprivate var tailPlace: (container: Int, rect: LayoutRect)?
        fileprivate var lineLimit: LineLimit?
    }

    var mark: Mark {
        Mark(
            tree: tree.mark, markerLines: markerLines.count, tailPlace: tailPlace, lineLimit: lineLimit)
    }

    /// Takes back all fragments that came after `mark`.
    mutating func takeBack(to mark: Mark) {
        tree.remove(after: mark.tree)
        markerLines.removeSubrange(mark.markerLines...)
        tailPlace = mark.tailPlace
        lineLimit = mark.lineLimit
    }

    /// Lays out a box and takes the fragments back; remembered by box and size.
    mutating func measure(_ box: Int, in constraint: Constraint, parent: Int) -> Measurement {
        let key = MeasurementKey(box: box, constraint: constraint, lines: lineLimit?.left)
        if let known = measurements[key] { return known }
        let before = mark
        let isWithin = isMeasuring
        isMeasuring = true
        let fragment = tree.boxes[layOut(box, in: constraint, as: .child(of: parent))]
        isMeasuring = isWithin
        let limitAfter = lineLimit
        takeBack(to: before)
        let result = Measurement(
            width: fragment.rect.width, height: fragment.rect.height, automaticHeight: fragment.automaticHeight,
            firstBaseline: fragment.firstBaseline, lastBaseline: fragment.lastBaseline, lineLimit: limitAfter)
        measurements[key] = result
        return result
    }
}

/// What laying out a box at a width gave, without the fragments.
struct Measurement {
    var width: LayoutUnit
    var height: LayoutUnit
    /// By the contents, whatever the style says.
    var automaticHeight: LayoutUnit
    var firstBaseline: LayoutUnit?
    var lastBaseline: LayoutUnit?
    /// What the box leaves of the limit in force.
    var lineLimit: LineLimit?
}

private struct MeasurementKey: Hashable {
    var box: Int
    var constraint: Constraint
    /// That may still be placed.
    var lines: Int?
}

/// The text of a marker, for which a line is made when all others have theirs: a box's lines lie together.
struct MarkerLine {
    var container: Int
    var text: GeneratedText
    var style: StyleID
    var x: LayoutUnit
    var baseline: LayoutUnit
}
