// The inner loops: each works on one row of pixels, coverage (0–255) or colours through raw pointers; and blend modes.

import FancyTextCSS

/// Row operations of the compositor; all "source over".
enum Blend {
    typealias Pixels = UnsafeMutablePointer<UInt32>
    typealias Coverage = UnsafePointer<UInt8>

    static func solid(_ destination: Pixels, count: Int, color: UInt32) {
        guard count > 0 else { return }
        let alpha = color >> 24
        if alpha == 255 {
            destination.update(repeating: color, count: count)
        } else if color != 0 {
            let keep = 255 &- alpha
            for index in 0..<count { destination[index] = color &+ Pixel.scale(destination[index], by: keep) }
        }
    }

    static func solid(_ destination: Pixels, coverage: Coverage, count: Int, color: UInt32) {
        for index in 0..<count { destination[index] = covered(destination[index], coverage[index], color) }
    }

    /// A pixel with a colour over it, by coverage.
    @inline(__always)
    private static func covered(_ pixel: UInt32, _ coverage: UInt8, _ color: UInt32) -> UInt32 {
        Pixel.over(Pixel.scale(color, by: UInt32(coverage)), pixel)
    }

    /// A backdrop colour, and the results of blending a colour over it by glyph coverage.
    typealias Ground = (color: UInt32, results: [UInt32])

    /// Blends the rows of a glyph, whose coverage is mapped through a table of 256 bytes (text contrast). Backdrops rarely change
    /// from pixel to pixel, so only they are checked, if pixels are known to have one.
    static func glyph(
        _ destination: Pixels, rowLength: Int, coverage: Coverage, stride: Int, width: Int, height: Int,
        table: [UInt8], color: UInt32, ground: Ground?
    ) {
        for row in 0..<height {
            let (target, source) = (destination + row * rowLength, coverage + row * stride)
            if let ground {
                for x in 0..<width {
                    if target[x] == ground.color {
                        target[x] = ground.results[Int(source[x])]
                    } else {
                        target[x] = covered(target[x], table[Int(source[x])], color)
                    }
                }
            } else {
                for x in 0..<width { target[x] = covered(target[x], table[Int(source[x])], color) }
            }
        }
    }

    /// Results of blending colours with plain backdrops. Most text is on one backdrop, in a few alternating colours.
    struct GroundTables {
        private struct Entry {
            let ground, color: UInt32
            let table: [UInt8]
            /// The number of pixels requested before the results were computed.
            var pixels = 0
            var results: [UInt32] = []
        }

        private var entries: [Entry] = []
        private static let most = 8
        /// The number of pixels from which computing the results is worthwhile: one per result.
        private static let leastPixels = 256

        /// The results by coverage; nil if fewer pixels are blended than the table has entries.
        mutating func results(ground: UInt32, color: UInt32, table: [UInt8], pixels: Int) -> [UInt32]? {
            let known = entries.firstIndex { $0.ground == ground && $0.color == color && $0.table == table }
            if known == nil {
                if entries.count == Self.most { entries.removeFirst() }
                entries.append(Entry(ground: ground, color: color, table: table))
            }
            let index = known ?? entries.count - 1
            if entries[index].results.isEmpty {
                entries[index].pixels += pixels
                guard entries[index].pixels >= Self.leastPixels else { return nil }
                entries[index].results = table.map { covered(ground, $0, color) }
            }
            return entries[index].results
        }
    }

    static func pixels(_ destination: Pixels, _ source: UnsafePointer<UInt32>, count: Int) {
        for index in 0..<count { destination[index] = Pixel.over(source[index], destination[index]) }
    }

    static func pixels(_ destination: Pixels, _ source: UnsafePointer<UInt32>, coverage: Coverage, count: Int) {
        for index in 0..<count { destination[index] = covered(destination[index], coverage[index], source[index]) }
    }

    static func multiply(_ target: UnsafeMutablePointer<UInt8>, by other: Coverage, count: Int) {
        for index in 0..<count {
            let product = UInt32(target[index]) &* UInt32(other[index]) &+ 128
            target[index] = UInt8(truncatingIfNeeded: (product &+ (product >> 8)) >> 8)
        }
    }
}

/// Blend modes on premultiplied pixels (Compositing 1 §5, §10), with the formulas of the specification.
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
