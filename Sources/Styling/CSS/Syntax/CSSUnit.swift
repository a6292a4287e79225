// The units of CSS Values 4 §6–7 and their conversion to canonical units.

struct Unit {
    enum Dimension: UInt8 { case number, percent, length, angle, time, frequency, resolution, flex }

    /// The quantity that a relative length is a multiple of.
    enum Base: UInt8 {
        case absolute, em, rem, ex, rex, ch, rch, cap, rcap, ic, ric, lh, rlh, vw, vh, vi, vb, vmin, vmax, cqw, cqh,
            cqmin, cqmax
    }

    let dimension: Dimension
    let base: Base
    /// Canonical units (px, deg, s, Hz, dppx) of one unit; for relative lengths, shares of the base.
    let scale: Double

    /// Creates the unit of a dimension token, or returns `nil` if the unit is unknown.
    init?(_ source: CSSSource, _ token: CSSToken) {
        for (name, dimension, base, scale) in Self.table where source.name(of: token, is: name) {
            self.dimension = dimension
            self.base = base
            self.scale = scale
            return
        }
        return nil
    }

    /// True if a font size in this unit is a share of another font size. `rem` is not, as in Chromium.
    var isShareOfFont: Bool {
        switch base {
        case .em, .ex, .rex, .ch, .rch, .cap, .rcap, .ic, .ric, .lh, .rlh: true
        case .absolute, .rem, .vw, .vh, .vi, .vb, .vmin, .vmax, .cqw, .cqh, .cqmin, .cqmax: false
        }
    }

    /// CSS pixels of one unit of length.
    func pixels(_ context: ValueContext) -> Double {
        switch base {
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
        case .vw: context.viewportWidth / 100
        case .vh: context.viewportHeight / 100
        case .vi: (context.isVertical ? context.viewportHeight : context.viewportWidth) / 100
        case .vb: (context.isVertical ? context.viewportWidth : context.viewportHeight) / 100
        case .vmin: min(context.viewportWidth, context.viewportHeight) / 100
        case .vmax: max(context.viewportWidth, context.viewportHeight) / 100
        case .cqw: context.containerWidth / 100
        case .cqh: context.containerHeight / 100
        case .cqmin: min(context.containerWidth, context.containerHeight) / 100
        case .cqmax: max(context.containerWidth, context.containerHeight) / 100
        }
    }

    private static let table: [(StaticString, Dimension, Base, Double)] = [
        ("px", .length, .absolute, 1), ("em", .length, .em, 1), ("rem", .length, .rem, 1),
        ("pt", .length, .absolute, 96.0 / 72), ("ex", .length, .ex, 1), ("ch", .length, .ch, 1),
        ("vw", .length, .vw, 1), ("vh", .length, .vh, 1), ("cm", .length, .absolute, 96 / 2.54),
        ("mm", .length, .absolute, 96 / 25.4), ("q", .length, .absolute, 96 / 101.6), ("in", .length, .absolute, 96),
        ("pc", .length, .absolute, 16), ("rex", .length, .rex, 1), ("rch", .length, .rch, 1), ("cap", .length, .cap, 1),
        ("rcap", .length, .rcap, 1), ("ic", .length, .ic, 1), ("ric", .length, .ric, 1), ("lh", .length, .lh, 1),
        ("rlh", .length, .rlh, 1), ("vi", .length, .vi, 1), ("vb", .length, .vb, 1), ("vmin", .length, .vmin, 1),
        ("vmax", .length, .vmax, 1), ("svw", .length, .vw, 1), ("svh", .length, .vh, 1), ("svi", .length, .vi, 1),
        ("svb", .length, .vb, 1), ("svmin", .length, .vmin, 1), ("svmax", .length, .vmax, 1), ("lvw", .length, .vw, 1),
        ("lvh", .length, .vh, 1), ("lvi", .length, .vi, 1), ("lvb", .length, .vb, 1), ("lvmin", .length, .vmin, 1),
        ("lvmax", .length, .vmax, 1), ("dvw", .length, .vw, 1), ("dvh", .length, .vh, 1), ("dvi", .length, .vi, 1),
        ("dvb", .length, .vb, 1), ("dvmin", .length, .vmin, 1), ("dvmax", .length, .vmax, 1), ("cqw", .length, .cqw, 1),
        ("cqh", .length, .cqh, 1), ("cqi", .length, .cqw, 1), ("cqb", .length, .cqh, 1), ("cqmin", .length, .cqmin, 1),
        ("cqmax", .length, .cqmax, 1), ("deg", .angle, .absolute, 1), ("grad", .angle, .absolute, 0.9),
        ("rad", .angle, .absolute, 180 / Double.pi), ("turn", .angle, .absolute, 360), ("s", .time, .absolute, 1),
        ("ms", .time, .absolute, 0.001), ("hz", .frequency, .absolute, 1), ("khz", .frequency, .absolute, 1000),
        ("dpi", .resolution, .absolute, 1.0 / 96), ("dpcm", .resolution, .absolute, 2.54 / 96),
        ("dppx", .resolution, .absolute, 1), ("x", .resolution, .absolute, 1), ("fr", .flex, .absolute, 1),
    ]
}

/// Lengths outside of style sheets: a number of pixels, or a number with one of CSS's absolute units (CSS Values 4 §6.2).
package enum AbsoluteLength {
    /// The CSS pixels that a text such as `24`, `24px` or `1.5in` stands for; `nil` for anything else.
    package static func pixels(_ text: String) -> Double? {
        let digits = text.prefix { "0123456789.+-".contains($0) }
        guard let number = Double(digits), let scale = Unit.absoluteScale(text[digits.endIndex...]) else { return nil }
        return number * scale
    }
}

extension Unit {
    /// The pixels of one absolute unit of length; 1 without a unit.
    fileprivate static func absoluteScale(_ unit: Substring) -> Double? {
        let name = unit.lowercased()
        if name.isEmpty { return 1 }
        for (unit, dimension, base, scale) in table where dimension == .length && base == .absolute {
            if unit.description == name { return scale }
        }
        return nil
    }
}
