// Colour spaces, conversions between them (CSS Color 4 §10–11, §20 "Sample code for color conversions"), mixing in them (§12). In:
// colours in any space. Out: colours in another space, or in 8-bit sRGB, where each channel is clipped as in Chromium.

import FancyTextBasics
import FancyTextPlatform

extension ColorValue {
    /// A Boolean value that indicates whether the colour is outside of sRGB, which ``color`` clips it to.
    var isClipped: Bool {
        let rgb = converted(to: .srgb).components
        return rgb != rgb.clamped(lowerBound: SIMD3(repeating: -0.002), upperBound: SIMD3(repeating: 1.002))
    }

    /// 8-bit sRGB. Every fully transparent colour is `transparent`: no picture can tell them apart.
    var color: Color {
        func byte(_ value: Double) -> UInt8 { UInt8(bounded: (value * 255).rounded()) }
        let alpha = byte(alpha)
        if alpha == 0 { return .transparent }
        let rgb = converted(to: .srgb).components
        return Color(red: byte(rgb[0]), green: byte(rgb[1]), blue: byte(rgb[2]), alpha: alpha)
    }

    func converted(to target: ColorSpace) -> ColorValue {
        if target == space { return self }
        // A conversion of sRGB values through XYZ would lose their last digits.
        func isOfSRGB(_ space: ColorSpace) -> Bool { space == .srgb || space == .hsl || space == .hwb }
        let converted =
            isOfSRGB(space) && isOfSRGB(target)
            ? Self.fromSRGB(Self.toSRGB(space, components), target)
            : Self.from(xyz: Self.toXYZ(space, components), target)
        var result = ColorValue(target, converted, alpha: alpha, missing: missing & 8)
        if missing & 7 == 0 { return result }
        // Analogous components stay missing (CSS Color 4 §12.2).
        for (from, to) in [(space.hueIndex, target.hueIndex)] + Self.analogous.map({ ($0[space], $0[target]) }) {
            if let from, let to, missing & 1 << UInt8(from) != 0 { result.missing |= 1 << UInt8(to) }
        }
        return result
    }

    /// The components of lightness, and of colourfulness.
    private static let analogous: [[ColorSpace: Int]] = [
        [.hsl: 2, .lab: 0, .lch: 0, .oklab: 0, .oklch: 0], [.hsl: 1, .lch: 1, .oklch: 1],
    ]

    // MARK: sRGB and its cylinders

    private static func toSRGB(_ space: ColorSpace, _ c: SIMD3<Double>) -> SIMD3<Double> {
        if space == .hsl { return hslToRGB(c[0], c[1] / 100, c[2] / 100) }
        if space == .hwb {
            let (white, black) = (c[1] / 100, c[2] / 100)
            if white + black >= 1 { return SIMD3(repeating: white / (white + black)) }
            return hslToRGB(c[0], 1, 0.5) * (1 - white - black) + white
        }
        return c
    }

    private static func hslToRGB(_ hue: Double, _ saturation: Double, _ lightness: Double) -> SIMD3<Double> {
        let a = saturation * min(lightness, 1 - lightness)
        func channel(_ n: Double) -> Double {
            let k = positiveRemainder(n + hue / 30, 12)
            return lightness - a * max(-1, min(k - 3, 9 - k, 1))
        }
        return SIMD3(channel(0), channel(8), channel(4))
    }

    private static func fromSRGB(_ c: SIMD3<Double>, _ space: ColorSpace) -> SIMD3<Double> {
        if space != .hsl, space != .hwb { return c }
        let high = c.max()
        let low = c.min()
        let chroma = high - low
        var hue = 0.0
        if chroma > 1e-7 {
            let (red, green, blue) = (c[0], c[1], c[2])
            let sector: Double = high == red ? 0 : high == green ? 2 : 4
            let difference = high == red ? green - blue : high == green ? blue - red : red - green
            hue = positiveRemainder((difference / chroma + sector) * 60, 360)
        }
        if space == .hwb { return SIMD3(hue, low * 100, (1 - high) * 100) }
        let lightness = (high + low) / 2
        var saturation = lightness == 0 || lightness == 1 ? 0 : (high - lightness) / min(lightness, 1 - lightness)
        if saturation < 0 {
            hue = positiveRemainder(hue + 180, 360)
            saturation = -saturation
        }
        return SIMD3(hue, saturation * 100, lightness * 100)
    }

    static func positiveRemainder(_ value: Double, _ by: Double) -> Double {
        guard value.isFinite else { return 0 }
        let rest = fmod(value, by)
        return rest < 0 ? rest + by : rest
    }

    // MARK: Transfer functions, sign-preserving outside 0–1

    private static func each(_ c: SIMD3<Double>, _ f: (Double) -> Double) -> SIMD3<Double> {
        SIMD3(f(c[0]), f(c[1]), f(c[2]))
    }
    private static func map(_ c: SIMD3<Double>, _ f: (Double) -> Double) -> SIMD3<Double> {
        each(c) { f(abs($0)) * ($0 < 0 ? -1 : 1) }
    }

    private static func linear(_ space: ColorSpace, _ c: SIMD3<Double>) -> SIMD3<Double> {
        switch space {
        case .srgb, .displayP3, .hsl, .hwb: map(c) { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        case .a98: map(c) { pow($0, 563.0 / 256) }
        case .prophoto: map(c) { $0 <= 16.0 / 512 ? $0 / 16 : pow($0, 1.8) }
        case .rec2020: map(c) { $0 < beta * 4.5 ? $0 / 4.5 : pow(($0 + alpha2020 - 1) / alpha2020, 1 / 0.45) }
        case .srgbLinear, .displayP3Linear, .xyzD50, .xyzD65, .lab, .lch, .oklab, .oklch: c
        }
    }

    private static func encoded(_ space: ColorSpace, _ c: SIMD3<Double>) -> SIMD3<Double> {
        switch space {
        case .srgb, .displayP3, .hsl, .hwb: map(c) { $0 <= 0.0031308 ? $0 * 12.92 : 1.055 * pow($0, 1 / 2.4) - 0.055 }
        case .a98: map(c) { pow($0, 256.0 / 563) }
        case .prophoto: map(c) { $0 >= 1.0 / 512 ? pow($0, 1 / 1.8) : 16 * $0 }
        case .rec2020: map(c) { $0 > beta ? alpha2020 * pow($0, 0.45) - (alpha2020 - 1) : 4.5 * $0 }
        case .srgbLinear, .displayP3Linear, .xyzD50, .xyzD65, .lab, .lch, .oklab, .oklch: c
        }
    }

    private static let alpha2020 = 1.09929682680944
    private static let beta = 0.018053968510807

    // MARK: Matrices (rows), to and from XYZ with white D65 except ProPhoto and Lab (D50)

    private typealias Matrix = (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

    private static func apply(_ m: Matrix, _ v: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3((m.0 * v).sum(), (m.1 * v).sum(), (m.2 * v).sum())
    }

    /// The inverse, so that one table of constants per space is enough. `Projection` has columns where these matrices have rows: it
    /// inverts the transpose, which is the transpose of the inverse. All tables are invertible.
    private static func inverse(_ m: Matrix) -> Matrix {
        Projection(x: m.0, y: m.1, origin: m.2).inverse.map { ($0.x, $0.y, $0.origin) } ?? m
    }

    private static func matrix(_ space: ColorSpace) -> Matrix? {
        switch space {
        case .srgb, .srgbLinear, .hsl, .hwb:
            (
                SIMD3(506752.0 / 1228815, 87881.0 / 245763, 12673.0 / 70218),
                SIMD3(87098.0 / 409605, 175762.0 / 245763, 12673.0 / 175545),
                SIMD3(7918.0 / 409605, 87881.0 / 737289, 1001167.0 / 1053270)
            )
        case .displayP3, .displayP3Linear:
            (
                SIMD3(608311.0 / 1250200, 189793.0 / 714400, 198249.0 / 1000160),
                SIMD3(35783.0 / 156275, 247089.0 / 357200, 198249.0 / 2500400),
                SIMD3(0, 32229.0 / 714400, 5220557.0 / 5000800)
            )
        case .a98:
            (
                SIMD3(573536.0 / 994567, 263643.0 / 1420810, 187206.0 / 994567),
                SIMD3(591459.0 / 1989134, 6239551.0 / 9945670, 374412.0 / 4972835),
                SIMD3(53769.0 / 1989134, 351524.0 / 4972835, 4929758.0 / 4972835)
            )
        case .prophoto:
            (
                SIMD3(0.79776664490064230, 0.13518129740053308, 0.03134773412839220),
                SIMD3(0.28807482881940130, 0.71183523424187300, 0.00008993693872564),
                SIMD3(0, 0, 0.82510460251046020)
            )
        case .rec2020:
            (
                SIMD3(63426534.0 / 99577255, 20160776.0 / 139408157, 47086771.0 / 278816314),
                SIMD3(26158966.0 / 99577255, 472592308.0 / 697040785, 8267143.0 / 139408157),
                SIMD3(0, 19567812.0 / 697040785, 295819943.0 / 278816314)
            )
        case .xyzD50, .xyzD65, .lab, .lch, .oklab, .oklch: nil
        }
    }

    private static let d50ToD65: Matrix = (
        SIMD3(0.955473421488075, -0.02309845494876471, 0.06325924320057072),
        SIMD3(-0.0283697093338637, 1.0099953980813041, 0.021041441191917323),
        SIMD3(0.012314014864481998, -0.020507649298898964, 1.330365926242124)
    )
    private static let xyzToLMS: Matrix = (
        SIMD3(0.8190224379967030, 0.3619062600528904, -0.1288737815209879),
        SIMD3(0.0329836539323885, 0.9292868615863434, 0.0361446663506424),
        SIMD3(0.0481771893596242, 0.2642395317527308, 0.6335478284694309)
    )
    private static let lmsToOklab: Matrix = (
        SIMD3(0.2104542683093140, 0.7936177747023054, -0.0040720430116193),
        SIMD3(1.9779985324311684, -2.4285922420485799, 0.4505937096174110),
        SIMD3(0.0259040424655478, 0.7827717124575296, -0.8086757549230774)
    )
    private static let (kappa, epsilon) = (24389.0 / 27, 216.0 / 24389)
    private static let whiteD50 = SIMD3(0.3457 / 0.3585, 1.0, (1.0 - 0.3457 - 0.3585) / 0.3585)

    private static func polar(_ c: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(c[0], hypot(c[1], c[2]), positiveRemainder(atan2(c[2], c[1]) * 180 / .pi, 360))
    }
    private static func cartesian(_ c: SIMD3<Double>) -> SIMD3<Double> {
        let radians = positiveRemainder(c[2], 360) * .pi / 180
        return SIMD3(c[0], c[1] * cos(radians), c[1] * sin(radians))
    }

    private static func toXYZ(_ space: ColorSpace, _ c: SIMD3<Double>) -> SIMD3<Double> {
        if let matrix = matrix(space) {
            let xyz = apply(matrix, linear(space, toSRGB(space, c)))
            return space == .prophoto ? apply(d50ToD65, xyz) : xyz
        }
        switch space {
        case .xyzD50: return apply(d50ToD65, c)
        case .lab, .lch:
            let lab = space == .lch ? cartesian(c) : c
            let fy = (lab[0] + 16) / 116
            let f = SIMD3(lab[1] / 500 + fy, fy, fy - lab[2] / 200)
            func unpack(_ value: Double) -> Double {
                let cube = value * value * value
                return cube > epsilon ? cube : (116 * value - 16) / kappa
            }
            let y = lab[0] > kappa * epsilon ? fy * fy * fy : lab[0] / kappa
            return apply(d50ToD65, SIMD3(unpack(f[0]), y, unpack(f[2])) * whiteD50)
        case .oklab, .oklch:
            let lms = apply(inverse(lmsToOklab), space == .oklch ? cartesian(c) : c)
            return apply(inverse(xyzToLMS), lms * lms * lms)
        case .xyzD65, .srgb, .srgbLinear, .displayP3, .displayP3Linear, .a98, .prophoto, .rec2020, .hsl, .hwb: return c
        }
    }

    private static func from(xyz: SIMD3<Double>, _ space: ColorSpace) -> SIMD3<Double> {
        if let matrix = matrix(space) {
            let xyz = space == .prophoto ? apply(inverse(d50ToD65), xyz) : xyz
            return fromSRGB(encoded(space, apply(inverse(matrix), xyz)), space)
        }
        switch space {
        case .xyzD50: return apply(inverse(d50ToD65), xyz)
        case .lab, .lch:
            let scaled = apply(inverse(d50ToD65), xyz) / whiteD50
            let f = each(scaled) { $0 > epsilon ? cbrt($0) : (kappa * $0 + 16) / 116 }
            let lab = SIMD3(116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2]))
            return space == .lch ? polar(lab) : lab
        case .oklab, .oklch:
            let oklab = apply(lmsToOklab, each(apply(xyzToLMS, xyz), cbrt))
            return space == .oklch ? polar(oklab) : oklab
        case .xyzD65, .srgb, .srgbLinear, .displayP3, .displayP3Linear, .a98, .prophoto, .rec2020, .hsl, .hwb:
            return xyz
        }
    }

    /// The colour with the components of `other` where its own are missing.
    fileprivate func completed(by other: ColorValue) -> ColorValue {
        var result = self
        for index in 0..<3 where missing & 1 << UInt8(index) != 0 { result.components[index] = other.components[index] }
        if missing & 8 != 0 { result.alpha = other.alpha }
        return result
    }

    /// The colour with its hue marked as missing if it is grey, since a grey's hue carries no meaning (CSS Color 4 §12.2).
    var withPowerlessHue: ColorValue {
        var result = self
        let isGrey =
            switch space {
            case .hsl: components[1] <= 0.001
            case .hwb: components[1] + components[2] >= 99.999
            case .lch: components[1] <= 0.0015
            case .oklch: components[1] <= 0.000004
            case .srgb, .srgbLinear, .displayP3, .displayP3Linear, .a98, .prophoto, .rec2020, .xyzD50, .xyzD65, .lab,
                .oklab:
                false
            }
        if isGrey, let hue = space.hueIndex { result.missing |= 1 << UInt8(hue) }
        return result
    }

    /// A fully transparent colour contributes no components: `transparent` takes the other's.
    fileprivate var powerlessIfTransparent: ColorValue {
        var result = self
        if alpha == 0 { result.missing |= 7 }
        return result
    }
}

extension ColorInterpolation {
    /// Interpolation with premultiplied alpha; `t` is 0 for the first colour, 1 for the second.
    func mix(_ first: ColorValue, _ second: ColorValue, _ t: Double) -> ColorValue {
        mixConverted(first.converted(to: space).withPowerlessHue, second.converted(to: space).withPowerlessHue, t)
    }

    /// Colours at shares, 0–1, between two others, mixed with premultiplied alpha; each channel is 0–255.
    package func colors(from first: ColorValue, to second: ColorValue, at shares: [Float]) -> [SIMD4<Float>] {
        let from = first.converted(to: space).withPowerlessHue.powerlessIfTransparent
        let to = second.converted(to: space).withPowerlessHue.powerlessIfTransparent
        return shares.map { share in
            let color = mixConverted(from, to, Double(share))
            let rgb = color.converted(to: .srgb).components.clamped(lowerBound: .zero, upperBound: .one)
            let alpha = max(0, min(1, color.alpha))
            return SIMD4<Float>(SIMD4<Double>(rgb.x * alpha, rgb.y * alpha, rgb.z * alpha, alpha) * 255)
        }
    }

    private func mixConverted(_ a: ColorValue, _ b: ColorValue, _ t: Double) -> ColorValue {
        let from = a.completed(by: b)
        let to = b.completed(by: from)
        var result = ColorValue(
            a.space, .zero, alpha: from.alpha * (1 - t) + to.alpha * t, missing: a.missing & b.missing)
        for index in 0..<3 {
            if a.space.hueIndex == index {
                let start = ColorValue.positiveRemainder(from.components[index], 360)
                var end = ColorValue.positiveRemainder(to.components[index], 360)
                let delta = end - start
                switch hue {
                case .shorter: end += delta > 180 ? -360 : delta < -180 ? 360 : 0
                case .longer: end += delta > 0 && delta < 180 ? -360 : delta > -180 && delta <= 0 ? 360 : 0
                case .increasing: end += delta < 0 ? 360 : 0
                case .decreasing: end += delta > 0 ? -360 : 0
                }
                result.components[index] = start * (1 - t) + end * t
            } else if result.alpha > 0 {
                result.components[index] =
                    (from.components[index] * from.alpha * (1 - t) + to.components[index] * to.alpha * t) / result.alpha
            }
        }
        return result
    }
}

extension ValueCursor {
    /// Parses the text after `in`: `<color-space> [ <hue-interpolation-method> hue ]?`.
    mutating func colorInterpolation() -> ColorInterpolation? {
        guard let space = colorSpace() else { return nil }
        var result = ColorInterpolation()
        result.space = space
        if let method: ColorInterpolation.HueMethod = keyword() {
            guard space.hueIndex != nil, keyword("hue") else { return nil }
            result.hue = method
        }
        return result
    }
}
