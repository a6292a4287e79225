// The units of CSS Values 4 §6–7 and their conversion to canonical units.

package struct Unit {
    package enum Dimension: UInt8 { case number, percent, length, angle, time, frequency, resolution, flex }

    /// The quantity that a relative length is a multiple of, by the name of the unit.
    enum Base: String {
        case absolute = ""
        case em, rem, ex, rex, ch, rch, cap, rcap, ic, ric, lh, rlh
        case vw, vh, vi, vb, vmin, vmax, cqw, cqh, cqi, cqb, cqmin, cqmax

        /// The small, large and dynamic viewports are the same: `svw`, `lvw`, `dvw`.
        init?(unit: String) {
            let isOfViewport = unit.hasPrefix("sv") || unit.hasPrefix("lv") || unit.hasPrefix("dv")
            self.init(rawValue: isOfViewport ? String(unit.dropFirst()) : unit)
        }
    }

    let dimension: Dimension
    let base: Base
    /// Canonical units (px, deg, s, Hz, dppx) of one unit; for relative lengths, shares of the base.
    let scale: Double

    /// Creates the unit of a dimension token, or returns `nil` if the unit is unknown.
    package init?(_ source: CSSSource, _ token: CSSToken) {
        if let (_, scale) = Self.absoluteLengths.first(where: { source.name(of: token, is: $0.0) }) {
            (dimension, base, self.scale) = (.length, .absolute, scale)
            // No relative unit has more than five bytes.
        } else if token.hasEscape || token.nameEnd - token.nameStart <= 5, let base = Base(unit: source.word(of: token))
        {
            (dimension, self.base, scale) = (.length, base, 1)
        } else if let (_, dimension, scale) = Self.others.first(where: { source.name(of: token, is: $0.0) }) {
            (self.dimension, base, self.scale) = (dimension, .absolute, scale)
        } else {
            return nil
        }
    }

    /// True if a font size in this unit is a share of another font size. `rem` is not, as in Chromium.
    package var isShareOfFont: Bool {
        switch base {
        case .em, .ex, .rex, .ch, .rch, .cap, .rcap, .ic, .ric, .lh, .rlh: true
        case .absolute, .rem, .vw, .vh, .vi, .vb, .vmin, .vmax, .cqw, .cqh, .cqi, .cqb, .cqmin, .cqmax: false
        }
    }

    /// CSS pixels of one unit of length.
    func pixels(_ context: ValueContext) -> Double {
        let (width, height) = (context.viewportWidth * context.zoom, context.viewportHeight * context.zoom)
        return switch base {
        case .absolute: scale * context.zoom
        case .em, .ic: context.fontSize
        case .rem, .ric: context.rootFontSize * context.zoom
        case .ex: context.fontSize * context.exRatio
        case .rex: context.rootFontSize * context.zoom * context.exRatio
        case .ch: context.fontSize * context.chRatio
        case .rch: context.rootFontSize * context.zoom * context.chRatio
        case .cap: context.fontSize * context.capRatio
        case .rcap: context.rootFontSize * context.zoom * context.capRatio
        case .lh: context.lineHeight
        case .rlh: context.rootLineHeight
        case .vw: width / 100
        case .vh: height / 100
        case .vi: (context.isVertical ? height : width) / 100
        case .vb: (context.isVertical ? width : height) / 100
        case .vmin: min(width, height) / 100
        case .vmax: max(width, height) / 100
        case .cqw, .cqi: context.containerWidth / 100
        case .cqh, .cqb: context.containerHeight / 100
        case .cqmin: min(context.containerWidth, context.containerHeight) / 100
        case .cqmax: max(context.containerWidth, context.containerHeight) / 100
        }
    }

    /// The most frequent first.
    fileprivate static let absoluteLengths: [(StaticString, Double)] = [
        ("px", 1), ("pt", 96.0 / 72), ("cm", 96 / 2.54), ("mm", 96 / 25.4), ("q", 96 / 101.6), ("in", 96), ("pc", 16),
    ]
    private static let others: [(StaticString, Dimension, Double)] = [
        ("deg", .angle, 1), ("grad", .angle, 0.9), ("rad", .angle, 180 / .pi), ("turn", .angle, 360), ("s", .time, 1),
        ("ms", .time, 0.001), ("hz", .frequency, 1), ("khz", .frequency, 1000), ("dpi", .resolution, 1.0 / 96),
        ("dpcm", .resolution, 2.54 / 96), ("dppx", .resolution, 1), ("x", .resolution, 1), ("fr", .flex, 1),
    ]
}

/// Lengths outside of style sheets: a number of pixels, or a number with one of CSS's absolute units.
package enum AbsoluteLength {
    /// The CSS pixels that a text such as `24`, `24px` or `1.5in` stands for (CSS Values 4 §6.2); `nil` for anything else.
    package static func pixels(_ text: String) -> Double? {
        let digits = text.prefix { "0123456789.+-".contains($0) }
        guard let number = Double(digits) else { return nil }
        let unit = text[digits.endIndex...].lowercased()
        return unit.isEmpty ? number : Unit.absoluteLengths.first { $0.0.description == unit }.map { number * $0.1 }
    }
}
