// Min-content and max-content widths (CSS Sizing 3 §5): of the border box, if every break opportunity is taken, and if
// none is. They are cached, so that each box is measured once, however deep the boxes are nested.

struct IntrinsicWidths {
    var minimum = LayoutUnit.zero, maximum = LayoutUnit.zero

    var nonNegative: IntrinsicWidths { IntrinsicWidths(minimum: minimum.nonNegative, maximum: maximum.nonNegative) }

    /// The shrink-to-fit width in a space (CSS 2.1 §10.3.5).
    func fitted(to space: LayoutUnit) -> LayoutUnit { max(minimum, min(space, maximum)) }

    static func + (a: IntrinsicWidths, more: LayoutUnit) -> IntrinsicWidths {
        IntrinsicWidths(minimum: a.minimum + more, maximum: a.maximum + more)
    }
}

extension IntrinsicWidths {
    /// The widths of something that is never broken.
    init(_ width: LayoutUnit) { self.init(minimum: width, maximum: width) }
}

struct MeasuredWidths {
    /// Those measured last.
    private(set) var widths = IntrinsicWidths()
    /// True if they depend on the base of percentages of the contents' heights.
    private(set) var usesHeight = false
    /// Those at each base, also none: flex boxes and grids measure nested boxes with several in turn.
    private var byHeight: [LayoutUnit?: IntrinsicWidths] = [:]
    /// The number of times that the box was laid out in order to be measured.
    var layouts = 0
    /// After so many bases or layouts the widths remain as they are: each of several nested boxes could double their number.
    private static let mostHeights = 16, mostLayouts = 32

    func widths(at height: LayoutUnit?) -> IntrinsicWidths? {
        guard usesHeight, layouts < Self.mostLayouts else { return widths }
        return byHeight[height] ?? (byHeight.count < Self.mostHeights ? nil : widths)
    }

    mutating func note(_ widths: IntrinsicWidths, at height: LayoutUnit?, isUsed: Bool) {
        (self.widths, usesHeight) = (widths, usesHeight || isUsed)
        byHeight[height] = widths
    }
}

/// The heights that are known while widths are measured: a picture may take its width from them.
struct MeasuringHeights {
    /// The base of percentages for the next box.
    var base: LayoutUnit?
    /// The height of the border box of the next box, if its container sets it.
    var given: LayoutUnit?
    /// True if the widths measured last depend on a height.
    var isUsed = false
}

extension LayoutEngine {
    /// The widths of the border box by its contents; `width` and its limits are ignored.
    mutating func intrinsicWidths(_ box: Int) -> IntrinsicWidths {
        if isTurned(box) { return turnedWidths(box) }
        return intrinsicWidths(box) { $0.contexts.intrinsicWidths(box, edges: $0.edges(of: box), &$0) }
    }

    /// The widths of the border box by its contents in a space that may give a height to it and to pictures in it.
    mutating func intrinsicWidths(_ box: Int, in constraint: Constraint) -> IntrinsicWidths {
        let outer = heights.base
        defer { heights.base = outer }
        heights.base = constraint.percentageHeight
        heights.given = constraint.heightIsIndefinite ? nil : constraint.height
        return intrinsicWidths(box)
    }

    /// The cached widths of a box, or those from `measure`, for a context that measures its own box.
    mutating func intrinsicWidths(_ box: Int, _ measure: (inout Self) -> IntrinsicWidths) -> IntrinsicWidths {
        let given = heights.given
        heights.given = nil
        if let known = intrinsicMemo[box] {
            heights.isUsed = heights.isUsed || known.usesHeight
            if let widths = known.widths(at: heightInside(box, given: given)) { return widths }
        }
        guard depth < depthLimit, !stops() else { return IntrinsicWidths() }
        depth += 1
        defer { depth -= 1 }
        let outer = heights
        let height = heightInside(box, given: given)
        heights.base = height
        heights.isUsed = takesWidthFromHeight(box)
        var result: IntrinsicWidths
        if let width = containedWidth(box) {
            result = inColumns(IntrinsicWidths(width), of: box) + edges(of: box).frame.horizontal
        } else {
            result = measure(&self)
        }
        result.minimum = snap.ceil(result.minimum)
        result.maximum = max(snap.ceil(result.maximum), result.minimum)
        var measured = intrinsicMemo[box] ?? MeasuredWidths()
        measured.note(result, at: height, isUsed: heights.isUsed)
        intrinsicMemo[box] = measured
        heights.base = outer.base
        heights.isUsed = heights.isUsed || outer.isUsed
        return result
    }

    /// The base of percentages of the contents' heights while a box is measured; for a picture, of its own height.
    private func heightInside(_ box: Int, given: LayoutUnit?) -> LayoutUnit? {
        guard let height = ownStyle(of: box)?.box.height, !text.boxes[box].isReplaced else { return heights.base }
        guard given != nil || height != .auto else {
            // Blocks without a height do not interrupt percentages in quirks mode (Quirks Mode §3.5).
            return text.documentMode == .quirks && !text.establishesContext(box) ? heights.base : nil
        }
        let edges = edges(of: box)
        let space = Constraint(available: .unlimited, percentageHeight: heights.base)
        let whole = given ?? resolveHeight(height, of: box, edges, space).map { clampHeight($0, of: box, edges, space) }
        return whole.map { ($0 - edges.frame.vertical).nonNegative }
    }

    /// Returns whether a percentage of the container's height, or a `given` one, decides the width of a box by a ratio.
    private func takesWidthFromHeight(_ box: Int, given: LayoutUnit? = nil) -> Bool {
        guard let style = ownStyle(of: box), text.boxes[box].isReplaced || style.box.aspectRatio != nil
        else { return false }
        return style.box.hasRelativeHeight || given != nil
    }

    /// The contribution of the margin box to its container's widths. Its own sizes apply, percentages if possible.
    mutating func contribution(
        _ box: Int, available: LayoutUnit = .unlimited, height: LayoutUnit? = nil
    ) -> IntrinsicWidths {
        signedContribution(box, available: available, height: height).nonNegative
    }

    /// The contribution, which may be negative because of negative margins, of a box whose container may set its height.
    mutating func signedContribution(
        _ box: Int, available: LayoutUnit = .unlimited, height: LayoutUnit? = nil
    ) -> IntrinsicWidths {
        if takesWidthFromHeight(box, given: height) { heights.isUsed = true }
        let constraint = Constraint(
            available: available, percentageWidth: .unlimited, percentageHeight: heights.base, height: height)
        let edges = edges(of: box)
        guard let style = ownStyle(of: box) else { return intrinsicWidths(box) + edges.margin.horizontal }
        let (isReplaced, isTable) = (text.boxes[box].isReplaced, text.boxes[box].kind == .table)
        // `fit-content` is both sizes of the contents (CSS Sizing 3 §5.1).
        let specified = style.box.width == .fitContent(nil) ? .auto : style.box.width
        var widths: IntrinsicWidths
        if !isReplaced, let width = resolveWidth(specified, of: box, edges, constraint) {
            widths = IntrinsicWidths(isTable ? max(width, intrinsicWidths(box).minimum) : width)
        } else {
            widths = automaticWidths(box, edges, constraint)
            let isCompressible = (isReplaced || isField(box)) && style.box.width.isRelative
            if isCompressible || isReplaced && style.box.maxWidth.isRelative && !isMissing(box) {
                widths.minimum = edges.frame.horizontal
            }
        }
        if !isTable { widths.minimum = clampWidth(widths.minimum, of: box, edges, constraint) }
        widths.maximum = max(clampWidth(widths.maximum, of: box, edges, constraint), widths.minimum)
        return widths + edges.margin.horizontal
    }

    /// Returns whether a control takes no width if that is a percentage (CSS Sizing 3 §5.2.2); in browsers buttons do.
    private func isField(_ box: Int) -> Bool {
        guard let control = control(of: box) else { return false }
        if case .button = control.kind { return false }
        return true
    }
}
