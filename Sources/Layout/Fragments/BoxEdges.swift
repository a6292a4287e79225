// Edges of boxes on the layout grid. In: computed margins, borders and paddings. Out: their lengths.

import FancyTextCSS

struct BoxEdges {
    var margin = Edges(), border = Edges(), padding = Edges()

    var frame: Edges { border + padding }
    var total: Edges { margin + border + padding }

    func map(_ change: (Edges) -> Edges) -> BoxEdges {
        BoxEdges(margin: change(margin), border: change(border), padding: change(padding))
    }
}

extension BoxEdges {
    init(_ style: ComputedStyle, percentageBase: LayoutUnit, grid: LayoutGrid, deviceScale: Float) {
        margin = style.box.margin.map { $0.map { resolve($0, percentageBase, grid: grid) } ?? .zero }
        border = resolvedBorders(style.box.border, deviceScale: deviceScale)
        padding = resolvedPadding(style.box.padding, base: percentageBase, grid: grid)
    }
}

/// A computed length on the layout grid; percentages are of `base`.
@inline(__always) func resolve(_ value: LengthPercentage, _ base: LayoutUnit, grid: LayoutGrid) -> LayoutUnit {
    if !value.isRelative { return LayoutUnit(value.px) }
    return grid.round(LayoutUnit(value.resolved(against: base.float)))
}

/// A computed length; nil for a percentage of an unknown length.
func resolve(_ value: LengthPercentage, ofKnown base: LayoutUnit?, grid: LayoutGrid) -> LayoutUnit? {
    value.isRelative && base == nil ? nil : resolve(value, base ?? .zero, grid: grid)
}

/// Widths snapped to whole device pixels, at least one if there is any (CSS Backgrounds 3 §3.3).
package func resolvedBorders(_ border: Sides<BorderSide>, deviceScale: Float) -> Edges {
    border.map { resolvedBorder($0, deviceScale: deviceScale) }
}

func resolvedBorder(_ side: BorderSide, deviceScale: Float) -> LayoutUnit {
    switch side.style {
    case .none, .hidden: .zero
    case .dotted, .dashed, .solid, .double, .groove, .ridge, .inset, .outset:
        side.width > 0 ? .round(max(1, (side.width * deviceScale).rounded(.down)) / deviceScale) : .zero
    }
}

package func resolvedPadding(_ padding: Sides<LengthPercentage>, base: LayoutUnit, grid: LayoutGrid = .fine) -> Edges {
    padding.map { resolve($0, base, grid: grid).nonNegative }
}
