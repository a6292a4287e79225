// Blend modes on premultiplied pixels (Compositing 1 §5, §10), with the formulas of the specification.

import FancyTextCSS

extension BlendMode {
    private typealias Channels = SIMD4<Float>

    func mix(_ source: UInt32, onto destination: UInt32) -> UInt32 {
        if self == .normal { return Pixel.over(source, destination) }
        let (s, d) = (Pixel.channels(source) / 255, Pixel.channels(destination) / 255)
        if self == .plusLighter { return Pixel.bounded(Pixel.rounded((s + d) * 255)) }
        let (sourceAlpha, backdropAlpha) = (s.w, d.w)
        guard sourceAlpha > 0, backdropAlpha > 0 else { return Pixel.over(source, destination) }
        let colors = blend(backdrop: d / backdropAlpha, source: s / sourceAlpha)
        var result = s * (1 - backdropAlpha) + d * (1 - sourceAlpha) + colors * (sourceAlpha * backdropAlpha)
        result.w = sourceAlpha + backdropAlpha - sourceAlpha * backdropAlpha
        return Pixel.bounded(Pixel.rounded(result * 255))
    }

    /// Blends colours that are not premultiplied, 0–1; the last channel is ignored.
    private func blend(backdrop b: Channels, source s: Channels) -> Channels {
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

    private static func eachChannel(_ b: Channels, _ s: Channels, _ mix: (Float, Float) -> Float) -> Channels {
        Channels(mix(b.x, s.x), mix(b.y, s.y), mix(b.z, s.z), 0)
    }

    private static func hardLight(_ b: Float, _ s: Float) -> Float {
        s <= 0.5 ? b * 2 * s : b + (2 * s - 1) - b * (2 * s - 1)
    }

    private static func softLight(_ b: Float, _ s: Float) -> Float {
        if s <= 0.5 { return b - (1 - 2 * s) * b * (1 - b) }
        let d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
        return b + (2 * s - 1) * (d - b)
    }

    private static func luminosity(_ c: Channels) -> Float { 0.3 * c.x + 0.59 * c.y + 0.11 * c.z }

    private static func lowest(_ c: Channels) -> Float { min(c.x, c.y, c.z) }
    private static func highest(_ c: Channels) -> Float { max(c.x, c.y, c.z) }
    private static func saturation(_ c: Channels) -> Float { highest(c) - lowest(c) }

    private static func withLuminosity(of other: Channels, _ color: Channels) -> Channels {
        let target = luminosity(other)
        var c = color + (target - luminosity(color))
        let (low, high) = (lowest(c), highest(c))
        if low < 0 { c = target + (c - target) * (target / (target - low)) }
        if high > 1 { c = target + (c - target) * ((1 - target) / (high - target)) }
        return c
    }

    private static func withSaturation(_ saturation: Float, _ c: Channels) -> Channels {
        let (low, high) = (lowest(c), highest(c))
        return high > low ? (c - low) * (saturation / (high - low)) : SIMD4(repeating: 0)
    }
}
