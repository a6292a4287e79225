// Type Mode's styles as style sheets: fonts, alignment, line backgrounds and glows from one colour.

import FancyTextStyling

/// A ready-made style for a short text.
public enum Preset: String, CaseIterable, Sendable {
    /// A clean sans-serif font on a coloured, rounded background for each line.
    case classic
    /// Wide-set light capitals that fill the width.
    case modern
    /// A glowing tube that fills the width: a bright interior and a glow, both derived from the one colour.
    case neon
    /// Typewriter letters on strips of paper.
    case typewriter
    /// Heavy slanted capitals that fill the width, on a strip for each line.
    case strong

    /// The colour from which the style is made, unless another is given.
    public var defaultAccent: Color {
        switch self {
        case .classic: Color(red: 0xE1, green: 0x1D, blue: 0x48)
        case .modern: Color(red: 0x0F, green: 0x17, blue: 0x2A)
        case .neon: Color(red: 0xFF, green: 0x2D, blue: 0x95)
        case .typewriter: Color(red: 0xFA, green: 0xF3, blue: 0xE0)
        case .strong: Color(red: 0x4F, green: 0x46, blue: 0xE5)
        }
    }

    /// The background of the canvas, unless another is given; nil leaves it white.
    public var defaultBackground: Color? {
        switch self {
        case .classic, .modern, .strong: nil
        case .neon: Color(red: 0x12, green: 0x0B, blue: 0x1F)
        case .typewriter: Color(red: 0x3B, green: 0x2F, blue: 0x2F)
        }
    }

    /// A Boolean value that indicates whether each line gets the font size that fills the width.
    public var fitsLines: Bool {
        switch self {
        case .classic, .typewriter: false
        case .modern, .neon, .strong: true
        }
    }

    /// The style as a style sheet for the root.
    public func css(accent: Color? = nil) -> String {
        let accent = accent ?? defaultAccent
        let color = Self.css(accent)
        let ink = Self.isLight(accent) ? "#111" : "#fff"
        let root: String
        switch self {
        case .classic:
            root =
                "font: 600 40px/1.35 Inter, sans-serif; text-align: center; color: \(ink);"
                + " -ft-line-background: \(color) 16px 4px 12px 0 joined"
        case .modern:
            root =
                "font: 300 34px/1.4 Inter, sans-serif; text-align: center; text-transform: uppercase;"
                + " letter-spacing: .14em; color: \(color)"
        case .neon:
            let interior = Self.css(Self.mixed(accent, with: .white, share: 0.82))
            let near = Self.css(Self.mixed(accent, with: .white, share: 0.25))
            root =
                "font: italic 500 44px/1.35 Inter, sans-serif; text-align: center; color: \(interior);"
                + " text-shadow: 0 0 4px \(near), 0 0 12px \(color), 0 0 28px \(color), 0 0 56px \(color)"
        case .typewriter:
            let ink = Self.isLight(accent) ? "#1f1a17" : ink
            root =
                "font: 400 30px/1.5 'DejaVu Sans Mono', monospace; text-align: left; color: \(ink);"
                + " -ft-line-background: \(color) 12px 3px 0 6px"
        case .strong:
            root =
                "font: italic 900 56px/1 Inter, sans-serif; text-align: center; text-transform: uppercase;"
                + " letter-spacing: -.02em; color: \(ink); -ft-line-background: \(color) 14px 2px 0 6px"
        }
        return ".default { \(root) }\np, h1, h2, h3, h4, h5, h6 { font: inherit; margin: 0 }"
    }

    private static func css(_ color: Color) -> String {
        let alpha = String(Float(color.alpha) / 255)
        return "rgba(\(color.red), \(color.green), \(color.blue), \(alpha))"
    }

    private static func mixed(_ a: Color, with b: Color, share: Float) -> Color {
        func mix(_ x: UInt8, _ y: UInt8) -> UInt8 { UInt8(Float(x) + (Float(y) - Float(x)) * share) }
        return Color(red: mix(a.red, b.red), green: mix(a.green, b.green), blue: mix(a.blue, b.blue), alpha: a.alpha)
    }

    /// Returns whether a colour is light by its relative luminance (WCAG 2.2), so that text on it is readable.
    private static func isLight(_ color: Color) -> Bool {
        func linear(_ value: UInt8) -> Float {
            let unit = Float(value) / 255
            return unit * unit
        }
        return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue) > 0.35
    }
}
