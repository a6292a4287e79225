// Quirks-mode differences in the layout of a box that its style decides.

package struct BoxQuirks: OptionSet, Equatable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The margin is the default one of its element: it collapses at the edge of the body or of a cell.
    package static let marginTop = BoxQuirks(rawValue: 1)
    package static let marginBottom = BoxQuirks(rawValue: 2)
    /// A cell's `height` includes its padding and border (Quirks Mode §3.7).
    package static let height = BoxQuirks(rawValue: 4)
    /// Default margins of the contents (``marginTop``, ``marginBottom``) collapse at this box's edges: the body and cells.
    package static let dropsMargins = BoxQuirks(rawValue: 8)
}

extension BoxStyle {
    package var sizesBorderBoxHeight: Bool { sizesBorderBox || quirks.contains(.height) }

    /// Makes the root element or the body at least as high as the canvas where that shows.
    mutating func fillCanvas() {
        let frame = border.top.width + border.bottom.width
        let aligns: [Display] = [.flex, .grid, .inlineFlex, .inlineGrid]
        let shows = aligns.contains(display) || position != .static || frame > 0
        guard shows, height == .auto, minHeight == .auto else { return }
        var around = (margin.top?.px ?? 0) + (margin.bottom?.px ?? 0)
        if !sizesBorderBox { around += padding.top.px + padding.bottom.px + frame }
        minHeight = .length(LengthPercentage(px: -around, fraction: 1))
    }
}
