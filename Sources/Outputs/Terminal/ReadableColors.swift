// Colours that can be read on the terminal there is: WCAG 2.2's contrast of 4.5:1 for text, whatever a page made for
// white paper says.
//
// In: a look with the colours of the style sheets, what lies behind it, and how many colours the terminal has. Out: the
// look with colours of the terminal's palette. Text on a background of the page keeps to that; other text to the
// terminal's background, and where that is not known to black and white at once, which leaves colours of middle
// luminance: what has no hue then gets the terminal's own colour.

import FancyTextBasics
import FancyTextPlatform
import FancyTextStyling

/// What the terminal's own background is.
public enum TerminalBackground: Hashable, Sendable {
    /// Colours are chosen that can be read on black and on white.
    case unknown
    case color(Color)

    /// A dark one whose colour nobody told: as light as dark themes get.
    public static let dark = TerminalBackground.color(Color(red: 0x2E, green: 0x34, blue: 0x40))
    /// A light one whose colour nobody told: as dark as light themes get.
    public static let light = TerminalBackground.color(Color(red: 0xEE, green: 0xEE, blue: 0xEE))

    /// Whether it is known to be dark.
    package var isDark: Bool {
        switch self {
        case .unknown: false
        case .color(let color): Contrast.luminance(color) < 0.18
        }
    }

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

/// Chooses colours of text. The same pair of look and background is decided once.
struct ReadableColors {
    private let background: TerminalBackground
    private let colors: TerminalColors
    /// Of the palette that the terminal has, where that is not all colours.
    private let palette: [(color: Color, luminance: Float)]
    /// Behind code: the theme's, not the page's.
    private let codeBackground: Color?
    private var known: [UInt64: TerminalStyle] = [:]

    /// - Parameter codeBackground: the theme's.
    init(background: TerminalBackground, colors: TerminalColors, codeBackground: Color? = nil) {
        self.background = background
        self.colors = colors
        self.codeBackground = codeBackground
        palette =
            switch colors {
            case .plain, .monochrome, .truecolor: []
            case .indexed256: TerminalPalette.cube.map { ($0, Contrast.luminance($0)) }
            case .ansi16: TerminalPalette.basic.map { ($0, Contrast.luminance($0)) }
            }
    }

    /// The look number `style` on background number `behind`, as it is to be written.
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
        let field = result.background.map { Field.color(Contrast.luminance($0)) } ?? own
        result.accent = nil
        let isOwn = behind == nil || behind == codeBackground
        if isOwn, let accent = style.accent {
            result.foreground = readable(accent, on: field)
        } else if let color = style.foreground {
            result.foreground = isOwn && isInk(color) ? nil : readable(color, on: field)
        }
        if let color = style.underlineColor { result.underlineColor = readable(color, on: field) }
        // Faint text has about half of the contrast.
        if style.isFaint, let color = result.foreground, case .color(let luminance) = field,
            Contrast.ratio(Contrast.luminance(color), luminance) < 2 * Contrast.readable
        {
            result.isFaint = false
        }
        return result
    }

    /// What text has to stand out from.
    private enum Field {
        case color(Float)
        case blackAndWhite
    }

    private var own: Field {
        switch background {
        case .unknown: .blackAndWhite
        // The sixteen are the user's own: those that suit black or white suit a background like it.
        case .color(let color): .color(colors == .ansi16 ? background.isDark ? 0 : 1 : Contrast.luminance(color))
        }
    }

    private func isReadable(_ luminance: Float, on field: Field) -> Bool {
        switch field {
        case .color(let behind): Contrast.ratio(luminance, behind) >= Contrast.readable
        case .blackAndWhite:
            Contrast.ratio(luminance, 0) >= Contrast.readable && Contrast.ratio(luminance, 1) >= Contrast.readable
        }
    }

    /// Black and the dark greys of a page's text, which stand for the terminal's own colour; on a light terminal greys show.
    private func isInk(_ color: Color) -> Bool {
        if color == .black { return true }
        guard Self.isDarkGrey(color) else { return false }
        switch background {
        case .unknown: return true
        case .color: return background.isDark
        }
    }

    static func isDarkGrey(_ color: Color) -> Bool { hue(color) < 40 && Contrast.luminance(color) < 0.12 }

    /// How far the channels lie from each other.
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

    /// The colour nearest to `color` that can be read; nil for the terminal's own.
    private func readable(_ color: Color, on field: Field) -> Color? {
        let wanted: Color
        switch field {
        case .blackAndWhite:
            if Self.hue(color) < 40 { return nil }
            guard let middle = Self.moved(color, to: 0.179) else { return nil }
            wanted = middle
        case .color(let behind): wanted = Self.lifted(color, on: behind)
        }
        if palette.isEmpty { return isReadable(Contrast.luminance(wanted), on: field) ? wanted : nil }
        let best = palette.lazy.filter { isReadable($0.luminance, on: field) }
            .min { TerminalPalette.distance(wanted, $0.color) < TerminalPalette.distance(wanted, $1.color) }
        // Where the terminal's own colour will do, no other hue says something else.
        if case .blackAndWhite = field, let best, TerminalPalette.distance(wanted, best.color) > 20_000 { return nil }
        return best?.color
    }

    /// `color`, as much lighter or darker as it takes.
    private static func lifted(_ color: Color, on behind: Float) -> Color {
        let own = Contrast.luminance(color)
        if Contrast.ratio(own, behind) >= Contrast.readable { return color }
        let (lightest, darkest) = (Contrast.ratio(1, behind), Contrast.ratio(0, behind))
        // One of the two always suffices.
        let goesUp = lightest >= Contrast.readable && (own >= behind || darkest < Contrast.readable)
        let target: Color = goesUp ? .white : .black
        var (from, to): (Float, Float) = (0, 1)
        for _ in 0..<9 {
            let middle = (from + to) / 2
            let mixed = mix(color, target, middle)
            if Contrast.ratio(Contrast.luminance(mixed), behind) >= Contrast.readable {
                to = middle
            } else {
                from = middle
            }
        }
        return mix(color, target, to)
    }

    /// `color` with this luminance, as near as 8 bits a channel allow.
    private static func moved(_ color: Color, to luminance: Float) -> Color? {
        let isLighter = Contrast.luminance(color) < luminance
        let target: Color = isLighter ? .white : .black
        var (from, to): (Float, Float) = (0, 1)
        for _ in 0..<12 {
            let middle = (from + to) / 2
            let reached = Contrast.luminance(mix(color, target, middle))
            if (reached < luminance) == isLighter { from = middle } else { to = middle }
        }
        return mix(color, target, (from + to) / 2)
    }

    private static func mix(_ a: Color, _ b: Color, _ share: Float) -> Color {
        func channel(_ x: UInt8, _ y: UInt8) -> UInt8 {
            UInt8(bounded: (Float(x) + (Float(y) - Float(x)) * share).rounded())
        }
        return Color(red: channel(a.red, b.red), green: channel(a.green, b.green), blue: channel(a.blue, b.blue))
    }
}
