// Readable colours for the terminal: WCAG 2.2's contrast of 4.5:1 for text, although pages choose colours for a white
// background. In: a style with the style sheets' colours, its background, and the terminal's number of colours. Out: the style
// with colours of the terminal's palette. Text keeps a contrast to its background on the page, otherwise to the terminal's
// background. If that is unknown, text keeps it to black and white at once, which leaves colours of medium luminance; text
// without a hue then gets the terminal's own colour.

import FancyTextCSS
import FancyTextPlatform

/// The terminal's own background.
public enum TerminalBackground: Hashable, Sendable {
    /// Colours are readable on both black and white.
    case unknown
    case color(Color)

    /// A dark background of unknown colour: the lightest of dark themes.
    public static let dark = TerminalBackground.color(Color(red: 0x2E, green: 0x34, blue: 0x40))
    /// A light background of unknown colour: the darkest of light themes.
    public static let light = TerminalBackground.color(Color(red: 0xEE, green: 0xEE, blue: 0xEE))

    package var isDark: Bool { if case .color(let color) = self { Contrast.luminance(color) < 0.18 } else { false } }

    package var isKnown: Bool { self != .unknown }
}

/// Relative luminance and contrast (WCAG 2.2, "relative luminance" and "contrast ratio").
enum Contrast {
    static let readable: Float = 4.5

    static func luminance(_ color: Color) -> Float {
        0.2126 * linear[Int(color.red)] + 0.7152 * linear[Int(color.green)] + 0.0722 * linear[Int(color.blue)]
    }

    /// From 1 to 21.
    static func ratio(_ a: Float, _ b: Float) -> Float { (max(a, b) + 0.05) / (min(a, b) + 0.05) }

    /// The linear value of each of the 256 values of a channel in sRGB.
    private static let linear: [Float] = (0...255).map { value in
        let unit = Double(value) / 255
        return Float(unit <= 0.04045 ? unit / 12.92 : pow((unit + 0.055) / 1.055, 2.4))
    }
}

/// Chooses text colours. Each pair of style and background is resolved once.
struct ReadableColors {
    private let background: TerminalBackground
    private let colors: TerminalColors
    /// The terminal's palette; empty if it supports all colours.
    private let palette: [(color: Color, luminance: Float)]
    /// The background of code, set by the theme and not by the page.
    private let codeBackground: Color?
    private var known: [UInt64: TerminalStyle] = [:]

    init(background: TerminalBackground, colors: TerminalColors, codeBackground: Color? = nil) {
        (self.background, self.colors, self.codeBackground) = (background, colors, codeBackground)
        palette =
            switch colors {
            case .plain, .monochrome, .truecolor: []
            case .indexed256: TerminalPalette.cube.map { ($0, Contrast.luminance($0)) }
            case .ansi16: TerminalPalette.basic.map { ($0, Contrast.luminance($0)) }
            }
    }

    /// The final style for style number `style` on background number `behind`.
    mutating func resolve(_ style: UInt32, _ behind: UInt32, _ looks: TerminalLooks) -> TerminalStyle {
        let key = UInt64(style) << 32 | UInt64(behind)
        if let result = known[key] { return result }
        let result = resolved(looks.styles[Int(style)], on: looks.backgrounds[Int(behind)])
        known[key] = result
        return result
    }

    private func resolved(_ style: TerminalStyle, on behind: Color?) -> TerminalStyle {
        var result = style
        result.background = behind.map(quantized)
        guard style.isText else { return result }
        let field = result.background.map { [Contrast.luminance($0)] } ?? own
        result.accent = nil
        let isOwn = behind == nil || behind == codeBackground
        if isOwn, let accent = style.accent {
            result.foreground = readable(accent, on: field)
        } else if let color = style.foreground {
            result.foreground = isOwn && isInk(color) ? nil : readable(color, on: field)
        }
        if let color = style.underlineColor { result.underlineColor = readable(color, on: field) }
        // Faint text has about half of the contrast. On an unknown background it stays.
        if field.count == 1, let color = result.foreground,
            Contrast.ratio(Contrast.luminance(color), field[0]) < 2 * Contrast.readable
        {
            result.isFaint = false
        }
        return result
    }

    /// The luminances that text must contrast with: that of the terminal, or those of black and white.
    private var own: [Float] {
        switch background {
        case .unknown: [0, 1]
        // The 16 colours are the user's own: colours that are readable on black or white are readable on a similar background.
        case .color(let color): [colors == .ansi16 ? background.isDark ? 0 : 1 : Contrast.luminance(color)]
        }
    }

    private func isReadable(_ luminance: Float, on field: [Float]) -> Bool {
        field.allSatisfy { Contrast.ratio(luminance, $0) >= Contrast.readable }
    }

    /// Black and the dark greys of a page's text, which become the terminal's own colour; on a light terminal greys are kept.
    private func isInk(_ color: Color) -> Bool {
        color == .black || Self.isDarkGrey(color) && (!background.isKnown || background.isDark)
    }

    static func isDarkGrey(_ color: Color) -> Bool { hue(color) < 40 && Contrast.luminance(color) < 0.12 }

    /// The difference between the highest and the lowest channel.
    private static func hue(_ color: Color) -> Int {
        Int(max(color.red, color.green, color.blue)) - Int(min(color.red, color.green, color.blue))
    }

    private func quantized(_ color: Color) -> Color {
        switch colors {
        case .plain, .monochrome, .truecolor: color
        case .indexed256: TerminalPalette.color(TerminalPalette.nearest256(color))
        case .ansi16: TerminalPalette.basic[TerminalPalette.nearest16(color)]
        }
    }

    /// The readable colour nearest to `color`; nil for the terminal's own.
    private func readable(_ color: Color, on field: [Float]) -> Color? {
        let isUnknown = field.count > 1
        if isUnknown, Self.hue(color) < 40 { return nil }
        let wanted = isUnknown ? Self.moved(color, to: 0.179) : Self.lifted(color, on: field[0])
        if palette.isEmpty { return isReadable(Contrast.luminance(wanted), on: field) ? wanted : nil }
        let candidates = palette.filter { isReadable($0.luminance, on: field) }.map(\.color)
        // Among few colours, or colours of one lightness, the same hue tells most: most are nearest to a grey.
        let alike =
            (colors == .ansi16 || isUnknown) && Self.hue(color) >= 40
            ? candidates.filter { Self.hue($0) >= 40 && Self.difference(color, $0) < 130_000 } : []
        let best = (alike.isEmpty ? candidates : alike).min {
            let (a, b) = alike.isEmpty ? (0, 0) : (Self.difference(color, $0), Self.difference(color, $1))
            return (a, TerminalPalette.distance(wanted, $0)) < (b, TerminalPalette.distance(wanted, $1))
        }
        // If the terminal's own colour is readable, it is better than a colour of another hue.
        let isFar = isUnknown && alike.isEmpty && best.map { TerminalPalette.distance(wanted, $0) > 20_000 } ?? false
        return isFar ? nil : best
    }

    /// The distance of the hues of two colours, each without grey and at full strength.
    private static func difference(_ a: Color, _ b: Color) -> Int {
        func pure(_ color: Color) -> Color {
            let low = min(color.red, color.green, color.blue)
            func channel(_ value: UInt8) -> UInt8 { UInt8(Int(value - low) * 255 / max(1, hue(color))) }
            return Color(red: channel(color.red), green: channel(color.green), blue: channel(color.blue))
        }
        return TerminalPalette.distance(pure(a), pure(b))
    }

    /// `color`, made lighter or darker until it is readable.
    private static func lifted(_ color: Color, on behind: Float) -> Color {
        let own = Contrast.luminance(color)
        if Contrast.ratio(own, behind) >= Contrast.readable { return color }
        let (lightest, darkest) = (Contrast.ratio(1, behind), Contrast.ratio(0, behind))
        // One of the two always suffices.
        let goesUp = lightest >= Contrast.readable && (own >= behind || darkest < Contrast.readable)
        return mixed(color, with: goesUp ? .white : .black, steps: 9) {
            Contrast.ratio($0, behind) >= Contrast.readable
        }.reached
    }

    /// `color` with this luminance, as precisely as 8 bits per channel allow.
    private static func moved(_ color: Color, to luminance: Float) -> Color {
        let isLighter = Contrast.luminance(color) < luminance
        return mixed(color, with: isLighter ? .white : .black, steps: 12) { ($0 < luminance) != isLighter }.middle
    }

    /// The mix of `color` with the least of `target` whose luminance suffices, and the middle of the last two that were tried.
    private static func mixed(
        _ color: Color, with target: Color, steps: Int, suffices: (Float) -> Bool
    ) -> (reached: Color, middle: Color) {
        var (from, to): (Float, Float) = (0, 1)
        for _ in 0..<steps {
            let middle = (from + to) / 2
            if suffices(Contrast.luminance(color.mixed(with: target, middle))) { to = middle } else { from = middle }
        }
        return (color.mixed(with: target, to), color.mixed(with: target, (from + to) / 2))
    }
}

extension Color {
    func mixed(with other: Color, _ share: Float) -> Color {
        func channel(_ x: UInt8, _ y: UInt8) -> UInt8 {
            UInt8(bounded: (Float(x) + (Float(y) - Float(x)) * share).rounded())
        }
        return Color(red: channel(red, other.red), green: channel(green, other.green), blue: channel(blue, other.blue))
    }
}
