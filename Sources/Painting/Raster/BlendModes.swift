// Blend modes on premultiplied pixels (Compositing 1 §5, §10), with the formulas of the specification.

import FancyTextStyling

extension BlendMode {
    func mix(_ source: UInt32, onto destination: UInt32) -> UInt32 {
        if self == .normal { return Pixel.over(source, destination) }
        let (s, d) = (Self.channels(source), Self.channels(destination))
        if self == .plusLighter { return Self.pixel(s + d) }
        let (sourceAlpha, backdropAlpha) = (s.w, d.w)
        guard sourceAlpha > 0, backdropAlpha > 0 else { return Pixel.over(source, destination) }
        let colors = blend(backdrop: d / backdropAlpha, source: s / sourceAlpha)
        var result = s * (1 - backdropAlpha) + d * (1 - sourceAlpha) + colors * (sourceAlpha * backdropAlpha)
        result.w = sourceAlpha + backdropAlpha - sourceAlpha * backdropAlpha
        return Self.pixel(result)
    }

    /// Blends colours that are not premultiplied, 0–1; the last channel is ignored.
    private func blend(backdrop b: SIMD4<Float>, source s: SIMD4<Float>) -> SIMD4<Float> {
        switch self {
        case .normal, .plusLighter: s
        case .multiply: b * s
        case .screen: b + s - b * s
        case .overlay: Self.eachChannel(s, b, Self.hardLight)
        case .darken: pointwiseMin(b, s)
        case .lighten: pointwiseMax(b, s)
        case .colorDodge: Self.eachChannel(b, s) { $0 <= 0 ? 0 : $1 >= 1 ? 1 : min(1, $0 / (1 - $1)) }
        case .colorBurn: Self.eachChannel(b, s) { $0 >= 1 ? 1 : $1 <= 0 ? 0 : 1 - min(1, (1 - $0) / $1) }
        case .hardLight: Self.eachChannel(b, s, Self.hardLight)
        case .softLight: Self.eachChannel(b, s, Self.softLight)
        case .difference: pointwiseMax(b, s) - pointwiseMin(b, s)
        case .exclusion: b + s - 2 * b * s
        case .hue: Self.withLuminosity(of: b, Self.withSaturation(Self.saturation(b), s))
        case .saturation: Self.withLuminosity(of: b, Self.withSaturation(Self.saturation(s), b))
        case .color: Self.withLuminosity(of: b, s)
        case .luminosity: Self.withLuminosity(of: s, b)
        }
    }

    private static func eachChannel(_ b: SIMD4<Float>, _ s: SIMD4<Float>, _ mix: (Float, Float) -> Float)
        -> SIMD4<Float>
    {
        SIMD4(mix(b.x, s.x), mix(b.y, s.y), mix(b.z, s.z), 0)
    }

    private static func hardLight(_ b: Float, _ s: Float) -> Float {
        s <= 0.5 ? b * 2 * s : b + (2 * s - 1) - b * (2 * s - 1)
    }

    private static func softLight(_ b: Float, _ s: Float) -> Float {
        if s <= 0.5 { return b - (1 - 2 * s) * b * (1 - b) }
        let d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
        return b + (2 * s - 1) * (d - b)
    }

    // MARK: Hue, saturation, luminosity

    private static func luminosity(_ c: SIMD4<Float>) -> Float { 0.3 * c.x + 0.59 * c.y + 0.11 * c.z }

    private static func lowest(_ c: SIMD4<Float>) -> Float { min(c.x, c.y, c.z) }
    private static func highest(_ c: SIMD4<Float>) -> Float { max(c.x, c.y, c.z) }
    private static func saturation(_ c: SIMD4<Float>) -> Float { highest(c) - lowest(c) }

    private static func withLuminosity(of other: SIMD4<Float>, _ color: SIMD4<Float>) -> SIMD4<Float> {
        let target = luminosity(other)
        var c = color + (target - luminosity(color))
        let (low, high) = (lowest(c), highest(c))
        if low < 0 { c = target + (c - target) * (target / (target - low)) }
        if high > 1 { c = target + (c - target) * ((1 - target) / (high - target)) }
        return c
    }

    private static func withSaturation(_ saturation: Float, _ c: SIMD4<Float>) -> SIMD4<Float> {
        let (low, high) = (lowest(c), highest(c))
        return high > low ? (c - low) * (saturation / (high - low)) : SIMD4(repeating: 0)
    }

    // MARK: Pixels

    private static func channels(_ pixel: UInt32) -> SIMD4<Float> { Pixel.channels(pixel) / 255 }

    private static func pixel(_ value: SIMD4<Float>) -> UInt32 { Pixel.bounded(Pixel.rounded(value * 255)) }
}
