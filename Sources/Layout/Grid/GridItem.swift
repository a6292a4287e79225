// An item of a grid: its contribution to its tracks, and its alignment in its area (CSS Grid 2 §6, §11).

import FancyTextStyling

/// A grid item while track sizes are computed; sizes are of the border box.
struct GridItem {
    let box: Int
    let area: GridArea
    let isReplaced, isAnonymous: Bool
    let style: ComputedStyle
    let justify, align: ItemAlignment
    /// The edges; percentages are resolved as soon as the area's width is known.
    var edges = BoxEdges()
    /// The width contributions of the margin box.
    var widths = TrackItem(range: 0..<0)
    var width = LayoutUnit.zero, height = LayoutUnit.zero
    /// The distance from the top of the margin box to the baseline, if the item shares it with others.
    var baseline: LayoutUnit?
    /// The offset that moves the item down to its shared baseline.
    var shim = LayoutUnit.zero

    init(_ box: Int, area: GridArea, container: ComputedStyle, _ engine: inout LayoutEngine) {
        (self.box, self.area, isReplaced) = (box, area, engine.text.boxes[box].isReplaced)
        isAnonymous = engine.text.boxes[box].isAnonymous
        style = engine.style(of: box)
        justify = ItemAlignment(inlineAxisOf: isAnonymous ? nil : style, in: container, isReplaced: isReplaced)
        align = ItemAlignment(blockAxisOf: isAnonymous ? nil : style, in: container, isReplaced: isReplaced)
    }

    /// The margins set by the style: nil for `auto`.
    private var margin: Sides<LengthPercentage?> { isAnonymous ? Sides(LengthPercentage.zero) : style.box.margin }

    /// Returns whether only the alignment decides about the size.
    private func isAutomatic(_ axis: LayoutAxis) -> Bool {
        let (start, end) = margin.ends(axis)
        return start != nil && end != nil && (isAnonymous || style.box.size(axis) == .auto)
    }
    /// True if the box is not replaced and its style has an aspect ratio.
    private var hasRatio: Bool { !isAnonymous && !isReplaced && style.box.usedRatio != nil }

    /// True if the item fills the area's width: no style or margin sets it, nor a height that the style stretches.
    var stretchesAcross: Bool {
        guard justify.stretches, isAutomatic(.horizontal) else { return false }
        return !hasRatio || justify.isExplicit || !(align.isExplicit && isAutomatic(.vertical))
    }
    /// True if the item fills the area's height, unless that follows from the width.
    var stretchesDown: Bool {
        guard align.stretches, isAutomatic(.vertical) else { return false }
        return !hasRatio || align.isExplicit || takesWidthFromHeight
    }

    /// True if the aspect ratio and the area's height decide the width.
    var takesWidthFromHeight: Bool { hasRatio && style.box.width == .auto && !stretchesAcross }

    /// The offset of the margin box in an area of this size.
    func offset(across size: LayoutUnit, isRightToLeft: Bool, grid: LayoutGrid) -> LayoutUnit {
        let margins = isRightToLeft ? (margin.right, margin.left) : (margin.left, margin.right)
        return justify.offset(free: size - width - edges.margin.horizontal, margins, grid: grid)
    }
    func offset(down size: LayoutUnit, grid: LayoutGrid) -> LayoutUnit {
        if baseline != nil, margin.top != nil, margin.bottom != nil { return shim }
        return align.offset(free: size - height - edges.margin.vertical, margin.ends(.vertical), grid: grid)
    }
}
