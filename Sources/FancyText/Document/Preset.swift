// Ready-made looks as style sheets: Type Mode's for short texts, made from one colour, and those for reading, which are files.

/// A ready-made look: Type Mode's five are for short texts, the others for documents without a style of their own.
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
    /// A text to read: lines of about 72 characters, framed code, rules under headings.
    case document
    /// A README as GitHub shows it.
    case github
    /// A printed book.
    case book
    /// Slides.
    case slide
    /// A browser's look.
    case none

    /// The colour from which the style is made, unless another is given.
    public var defaultAccent: Color {
        switch self {
        case .classic: Color(red: 0xE1, green: 0x1D, blue: 0x48)
        case .modern: Color(red: 0x0F, green: 0x17, blue: 0x2A)
        case .neon: Color(red: 0xFF, green: 0x2D, blue: 0x95)
        case .typewriter: Color(red: 0xFA, green: 0xF3, blue: 0xE0)
        case .strong: Color(red: 0x4F, green: 0x46, blue: 0xE5)
        case .document, .github, .book, .slide, .none: Color(red: 0x09, green: 0x69, blue: 0xDA)
        }
    }

    /// The background of the canvas, unless another is given; nil leaves it white.
    public var defaultBackground: Color? {
        switch self {
        case .classic, .modern, .strong, .document, .github, .book, .slide, .none: nil
        case .neon: Color(red: 0x12, green: 0x0B, blue: 0x1F)
        case .typewriter: Color(red: 0x3B, green: 0x2F, blue: 0x2F)
        }
    }

    /// A Boolean value that indicates whether each line gets the font size that fills the width.
    public var fitsLines: Bool { [.modern, .neon, .strong].contains(self) }

    /// The look as a style sheet.
    public func css(accent: Color? = nil) -> String {
        let sheet: [UInt8]
        switch self {
        case .classic, .modern, .neon, .typewriter, .strong: return lettering(accent)
        case .document: sheet = PackageResources.document_css
        case .github: sheet = PackageResources.github_css
        case .book: sheet = PackageResources.book_css
        case .slide: sheet = PackageResources.slide_css
        case .none: return ""
        }
        let own = accent.map { ":root { --accent: \(Self.css($0)) }" } ?? ""
        return String(decoding: PackageResources.reading_css + sheet, as: UTF8.self) + own
    }

    /// Type Mode's styles, as declarations of the root.
    private func lettering(_ accent: Color?) -> String {
        let accent = accent ?? defaultAccent
        let color = Self.css(accent)
        let ink = accent.isLight ? "#111" : "#fff"
        func paler(_ share: Float) -> String {
            func mix(_ value: UInt8) -> UInt8 { UInt8(Float(value) + (255 - Float(value)) * share) }
            return Self.css(
                Color(red: mix(accent.red), green: mix(accent.green), blue: mix(accent.blue), alpha: accent.alpha))
        }
        let root =
            switch self {
            case .classic:
                "font: 600 40px/1.35 Inter, sans-serif; text-align: center; color: \(ink);"
                    + " -ft-line-background: \(color) 16px 4px 12px 0 joined"
            case .modern:
                "font: 300 34px/1.4 Inter, sans-serif; text-align: center; text-transform: uppercase;"
                    + " letter-spacing: .14em; color: \(color)"
            case .neon:
                "font: italic 500 44px/1.35 Inter, sans-serif; text-align: center; color: \(paler(0.82));"
                    + " text-shadow: 0 0 4px \(paler(0.25)), 0 0 12px \(color), 0 0 28px \(color), 0 0 56px \(color)"
            case .typewriter:
                "font: 400 30px/1.5 'DejaVu Sans Mono', monospace; text-align: left;"
                    + " color: \(accent.isLight ? "#1f1a17" : ink); -ft-line-background: \(color) 12px 3px 0 6px"
            case .strong:
                "font: italic 900 56px/1 Inter, sans-serif; text-align: center; text-transform: uppercase;"
                    + " letter-spacing: -.02em; color: \(ink); -ft-line-background: \(color) 14px 2px 0 6px"
            case .document, .github, .book, .slide, .none: ""
            }
        return ".default { \(root) }\np, h1, h2, h3, h4, h5, h6 { font: inherit; margin: 0 }"
    }

    private static func css(_ color: Color) -> String {
        let alpha = String(Float(color.alpha) / 255)
        return "rgba(\(color.red), \(color.green), \(color.blue), \(alpha))"
    }
}
