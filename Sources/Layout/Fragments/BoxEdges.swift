// Edges of boxes, resolved: margins, borders and paddings on the layout grid.

import Styling

/// The edges of a box.
struct BoxEdges {
    var margin = Edges()
    var border = Edges()
    var padding = Edges()

    var frame: Edges { border + padding }
    var total: Edges { margin + border + padding }
}

extension BoxEdges {
    init(_ style: BoxStyle, percentageBase: LayoutUnit, grid: LayoutGrid, deviceScale: Float) {
        margin = resolvedMargins(style, base: percentageBase, grid: grid)
        border = resolvedBorders(style, deviceScale: deviceScale)
        padding = resolvedPadding(style, base: percentageBase, grid: grid)
    }
}

/// A computed length on the layout grid; per cents of `base`.
@inline(__always)
func resolve(_ value: LengthPercentage, _ base: LayoutUnit, grid: LayoutGrid) -> LayoutUnit {
    if !value.isRelative { return LayoutUnit(value.px) }
    return grid.round(LayoutUnit(value.resolved(against: base.float)))
}

func resolvedMargins(_ box: BoxStyle, base: LayoutUnit, grid: LayoutGrid) -> Edges {
    func side(_ value: LengthPercentage?) -> LayoutUnit { value.map { resolve($0, base, grid: grid) } ?? .zero }
    return Edges(
        top: side(box.margin.top), right: side(box.margin.right), bottom: side(box.margin.bottom),
        left: side(box.margin.left))
}

/// Widths snapped to whole device pixels, at least one if there is any (CSS Backgrounds 3 §3.3).
package func resolvedBorders(_ box: BoxStyle, deviceScale: Float) -> Edges {
    func side(_ side: BorderSide) -> LayoutUnit {
        guard side.width > 0 else { return .zero }
        switch side.style {
        case .none, .hidden: return .zero
        case .dotted, .dashed, .solid, .double, .groove, .ridge, .inset, .outset:
            return .round(max(1, (side.width * deviceScale).rounded(.down)) / deviceScale)
        }
    }
    return Edges(
        top: side(box.border.top), right: side(box.border.right), bottom: side(box.border.bottom),
        left: side(box.border.left))
}

package func resolvedPadding(_ box: BoxStyle, base: LayoutUnit, grid: LayoutGrid = .fine) -> Edges {
    func side(_ value: LengthPercentage) -> LayoutUnit { resolve(value, base, grid: grid).nonNegative }
    return Edges(
        top: side(box.padding.top), right: side(box.padding.right), bottom: side(box.padding.bottom),
        left: side(box.padding.left))
}
