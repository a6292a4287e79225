// The options of a FontContext: sources of fonts, and drawing of glyphs.

import FancyTextStyling

/// The sources of fonts and the way they are rendered.
package struct FontConfiguration: Hashable, Sendable {
    /// The hinting of outlines. `none` keeps the designed shapes. `slight` moves points only vertically, so advances and
    /// fractional positions do not change; Chromium does so with fontconfig's default settings.
    package enum Hinting: UInt8, Hashable, Sendable, CaseIterable { case none, slight, full }

    /// Font files given by the user; collections give all their faces.
    package var files: [String] = []
    /// Folders whose font files count as given; they are searched recursively up to 8 levels.
    package var directories: [String] = []
    /// A font file, or a folder of pictures named by code points, that is used first for emoji.
    package var emoji: String?
    /// A Boolean value that indicates whether fonts found by fontconfig are used.
    package var usesSystemFonts = true
    /// The family for text whose list names none, and the last resort of every list.
    package var defaultFamily = "Inter"
    package var hinting = Hinting.slight
    /// The limits in bytes on cached glyph pictures and, next, on cached shaped text.
    package var glyphCacheBudget = 32 << 20
    package var shapeCacheBudget = 16 << 20

    package init() {}
}

/// A font that a document brings with it: one `@font-face` rule (CSS Fonts 4 §4).
package struct FontFaceRule: Sendable {
    package enum Source: Sendable {
        case file(path: String)
        case data([UInt8])
        /// `local(name)`: a full or PostScript name among the available fonts.
        case local(String)
    }
    package var family: String
    /// The sources of the font; the first that loads is used.
    package var sources: [Source]
    /// The range of weights; nil takes it from the font (`auto`).
    package var weights: ClosedRange<Float>?
    package var stretches: ClosedRange<Float>?
    /// The slant; nil takes it from the font.
    package var isItalic: Bool?
    /// The characters of `unicode-range`; empty for all.
    package var ranges: [ClosedRange<UInt32>]

    package init(
        family: String, sources: [Source], weights: ClosedRange<Float>? = nil, stretches: ClosedRange<Float>? = nil,
        isItalic: Bool? = nil, ranges: [ClosedRange<UInt32>] = []
    ) {
        self.family = family
        self.sources = sources
        self.weights = weights
        self.stretches = stretches
        self.isItalic = isItalic
        self.ranges = ranges
    }
}

/// A family that can be used, for `fancytext fonts`.
package struct FontFamilyListing: Hashable, Sendable {
    package enum Origin: String, Hashable, Sendable { case embedded, given, document, system }
    package struct Axis: Hashable, Sendable {
        /// The tag's four letters.
        package var tag: String
        package var minimum, standard, maximum: Float
    }
    package struct Face: Hashable, Sendable {
        /// The path of the file; empty for a font in memory.
        package var path: String
        package var index: Int
        /// The available weights; a single number for a static font.
        package var weights: ClosedRange<Float>
        package var stretches: ClosedRange<Float>
        package var isItalic: Bool
        package var axes: [Axis]
    }
    package var name: String
    package var origin: Origin
    package var faces: [Face]
}

/// A library used to draw text, for `fancytext fonts`.
package struct TextLibraryListing: Hashable, Sendable {
    package var name: String
    package var version: String
    /// The file from which it was loaded.
    package var path: String
}
