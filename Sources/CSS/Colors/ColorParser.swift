// `<color>` (CSS Color 4 and 5): names, hex, functions, `color-mix()`, relative colours, `light-dark()`, system colours.

extension ValueCursor {
    mutating func color() -> Color? {
        if keyword("currentcolor") { return context.currentColor }
        return colorValue()?.color
    }

    /// A colour. The outer `nil` means that there is none here; the inner one is `currentcolor`, where that is kept.
    mutating func colorOrCurrent() -> Color?? {
        if keyword("currentcolor") { return .some(nil) }
        return colorValue().map { .some($0.color) }
    }

    mutating func colorValue(_ depth: Int = 0) -> ColorValue? {
        guard depth < 16, let token else { return nil }
        switch token.kind {
        case .hash:
            guard let color = source.withName(of: token, { Color(hexDigits: $0) }) else { return nil }
            advance()
            return ColorValue(color)
        case .ident:
            if keyword("currentcolor") { return ColorValue(context.currentColor) }
            let name = source.word(of: token)
            guard let color = ColorNames.color(name, isDark: context.isDark) else { return quirkColor() }
            advance()
            return ColorValue(color)
        case .number, .dimension: return quirkColor()
        case .function: return colorFunction(depth)
        default: return nil
        }
    }

    private mutating func quirkColor() -> ColorValue? {
        context.quirks.contains(.hashlessColors) ? hashlessColor().map { ColorValue($0) } : nil
    }

    // MARK: Functions

    /// A component's unit of percentage, its name in a relative colour, and how the value is bounded.
    private struct Component {
        var name: String
        var percent: Double
        var isHue = false
        var range: ClosedRange<Double> = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    }

    private static func components(_ space: ColorSpace) -> [Component] {
        let positive = 0...Double.greatestFiniteMagnitude
        func hue(_ name: String) -> Component { Component(name: name, percent: 0, isHue: true) }
        func lightness(_ full: Double) -> Component { Component(name: "l", percent: full, range: 0...full) }
        func axes(_ names: [String], _ full: Double) -> [Component] { names.map { Component(name: $0, percent: full) } }
        func chroma(_ full: Double) -> Component { Component(name: "c", percent: full, range: positive) }
        return switch space {
        case .hsl: [hue("h"), Component(name: "s", percent: 100, range: positive), Component(name: "l", percent: 100)]
        case .hwb: [hue("h")] + axes(["w", "b"], 100)
        case .lab: [lightness(100)] + axes(["a", "b"], 125)
        case .lch: [lightness(100), chroma(150), hue("h")]
        case .oklab: [lightness(1)] + axes(["a", "b"], 0.4)
        case .oklch: [lightness(1), chroma(0.4), hue("h")]
        case .xyzD50, .xyzD65: axes(["x", "y", "z"], 1)
        case .srgb, .srgbLinear, .displayP3, .displayP3Linear, .a98, .prophoto, .rec2020: axes(["r", "g", "b"], 1)
        }
    }

    mutating func colorSpace() -> ColorSpace? { keyword() ?? keyword([("xyz", .xyzD65)]) }

    private mutating func colorFunction(_ depth: Int) -> ColorValue? {
        guard let name = functionName else { return nil }
        switch name {
        case "rgb", "rgba": return arguments { $0.rgb(depth) }
        case "hsl", "hsla": return arguments { $0.hsl(depth) }
        case "hwb", "lab", "lch", "oklab", "oklch":
            return arguments { cursor in ColorSpace(rawValue: name).flatMap { cursor.modern($0, depth) } }
        case "color":
            return arguments { cursor in
                guard let base = cursor.origin(depth), let space = cursor.colorSpace(), !space.hasFunction
                else { return nil }
                return cursor.channels(space, from: base)
            }
        case "color-mix": return arguments { $0.colorMix(depth) }
        case "light-dark":
            return arguments { cursor in
                guard let light = cursor.colorValue(depth + 1), cursor.comma(), let dark = cursor.colorValue(depth + 1)
                else { return nil }
                return cursor.context.isDark ? dark : light
            }
        case "contrast-color":
            return arguments { cursor in
                guard let base = cursor.colorValue(depth + 1) else { return nil }
                let y = base.converted(to: .xyzD65).components[1]
                return ColorValue((y + 0.05) * (y + 0.05) > 1.05 * 0.05 ? .black : .white)
            }
        case "alpha":  // CSS Color 5 §4.3: `alpha(from red / 50%)`
            return arguments { cursor in
                guard cursor.keyword("from"), var base = cursor.colorValue(depth + 1) else { return nil }
                cursor.variables = [("alpha", base.alpha)]
                guard cursor.slash(), let alpha = cursor.alpha() else { return nil }
                base.alpha = alpha.value
                return base
            }
        default: return nil
        }
    }

    /// `none`, a number or a percentage; `hue` also takes an angle.
    private mutating func channel(_ component: Component) -> (value: Double, isNone: Bool)? {
        if keyword("none") { return (0, true) }
        if !variables.isEmpty, let token, token.kind == .ident {
            let name = source.word(of: token)
            guard let value = variables.first(where: { $0.name == name })?.value else { return nil }
            advance()
            return (value, false)
        }
        if let value = number() { return (value, false) }
        return component.isHue ? angle().map { ($0, false) } : percentage().map { ($0 * component.percent, false) }
    }

    private mutating func alpha() -> (value: Double, isNone: Bool)? {
        guard let value = channel(Component(name: "alpha", percent: 1)) else { return nil }
        return (max(0, min(1, value.value)), value.isNone)
    }

    /// The rest of a modern function: three components and an optional alpha after a slash.
    private mutating func channels(_ space: ColorSpace, from base: ColorValue?, scale: Double = 1) -> ColorValue? {
        var result = ColorValue(space, .zero)
        var components = Self.components(space)
        if scale != 1 { for index in 0..<3 { components[index].percent *= scale } }
        if let base {
            let origin = base.converted(to: space)
            variables = (0..<3).map { (components[$0].name, origin.components[$0] * scale) } + [("alpha", origin.alpha)]
            result.alpha = origin.alpha
        }
        for index in 0..<3 {
            guard let (value, isNone) = channel(components[index]) else { return nil }
            result.components[index] =
                min(max(value, components[index].range.lowerBound), components[index].range.upperBound) / scale
            if isNone { result.missing |= 1 << UInt8(index) }
        }
        if slash() {
            guard let (value, isNone) = alpha() else { return nil }
            result.alpha = value
            if isNone { result.missing |= 8 }
        }
        variables = []
        return result
    }

    private mutating func modern(_ space: ColorSpace, _ depth: Int, scale: Double = 1) -> ColorValue? {
        origin(depth).flatMap { channels(space, from: $0, scale: scale) }
    }

    /// `[ from <color> ]?`; the inner `nil` is its absence.
    private mutating func origin(_ depth: Int) -> ColorValue?? {
        keyword("from") ? colorValue(depth + 1).map { .some($0) } : .some(nil)
    }

    private var hasComma: Bool { source.first(.comma, in: rest) < end }

    /// `[, <alpha> ]?`, the end of a function with commas.
    private mutating func legacyAlpha() -> Double? { comma() ? numberOrPercentage().map { max(0, min(1, $0)) } : 1 }

    /// `hsl()`: with commas, saturation and lightness are percentages.
    private mutating func hsl(_ depth: Int) -> ColorValue? {
        guard hasComma else { return modern(.hsl, depth) }
        guard let hue = number() ?? angle(), comma(), let s = percentage(), comma(), let l = percentage(),
            let alpha = legacyAlpha()
        else { return nil }
        return ColorValue(.hsl, SIMD3(hue, max(0, min(1, s)) * 100, max(0, min(1, l)) * 100), alpha: alpha)
    }

    /// `rgb()`: with commas, all numbers or all percentages.
    private mutating func rgb(_ depth: Int) -> ColorValue? {
        func clipped(_ value: ColorValue) -> ColorValue {
            let components = value.components.clamped(lowerBound: .zero, upperBound: .one)
            return ColorValue(.srgb, components, alpha: value.alpha, missing: value.missing)
        }
        guard hasComma else {
            let isRelative = isKeyword("from")
            guard let value = modern(.srgb, depth, scale: 255) else { return nil }
            return isRelative ? value : clipped(value)
        }
        var values: SIMD3<Double> = .zero
        var percents = 0
        for position in 0..<3 {
            if position > 0, !comma() { return nil }
            let number = number()
            guard let value = number.map({ $0 / 255 }) ?? percentage() else { return nil }
            values[position] = value
            if number == nil { percents += 1 }
        }
        guard percents == 0 || percents == 3, let alpha = legacyAlpha() else { return nil }
        return clipped(ColorValue(.srgb, values, alpha: alpha))
    }

    private mutating func mixPart(_ depth: Int) -> (ColorValue, Double?)? {
        var share: Double?
        _ = once(&share) { $0.percentage() }
        guard let color = colorValue(depth + 1) else { return nil }
        _ = once(&share) { $0.percentage() }
        if let share, share < 0 || share > 1 { return nil }
        return (color, share)
    }

    private mutating func colorMix(_ depth: Int) -> ColorValue? {
        let isNamed = keyword("in")
        guard let interpolation = isNamed ? colorInterpolation() : ColorInterpolation(), !isNamed || comma(),
            let (first, p1) = mixPart(depth), comma(), let (second, p2) = mixPart(depth)
        else { return nil }
        let (a, b) = (p1 ?? p2.map { 1 - $0 } ?? 0.5, p2 ?? p1.map { 1 - $0 } ?? 0.5)
        let total = a + b
        guard total > 0 else { return nil }
        var result = interpolation.mix(first, second, b / total)
        if total < 1 { result.alpha *= total }
        return result
    }
}

extension Color {
    /// Three, four, six or eight hexadecimal digits (CSS Color 4 §5.2).
    init?(hexDigits digits: some Collection<UInt8>) {
        let values = digits.prefix(9).compactMap { $0.hexValue.map { UInt8($0) } }
        guard values.count == digits.count else { return nil }
        func pair(_ index: Int) -> UInt8 { values[2 * index] << 4 | values[2 * index + 1] }
        switch values.count {
        case 3: self.init(red: values[0] * 17, green: values[1] * 17, blue: values[2] * 17)
        case 4: self.init(red: values[0] * 17, green: values[1] * 17, blue: values[2] * 17, alpha: values[3] * 17)
        case 6: self.init(red: pair(0), green: pair(1), blue: pair(2))
        case 8: self.init(red: pair(0), green: pair(1), blue: pair(2), alpha: pair(3))
        default: return nil
        }
    }
}
