// The options of a renderer's fonts: their sources, and drawing of glyphs.

import FancyTextCSS

/// Fonts that a renderer may use in addition to the embedded ones.
public struct FontOptions: Hashable, Sendable {
    /// Font files, which take precedence over the system's fonts, by their family names.
    public var files: [String] = []
    /// Folders whose font files are added in the same way; they are searched recursively up to 8 levels.
    public var folders: [String] = []
    /// The preferred source of emoji: a font file, or a folder of SVG or PNG files named by code points, such as `1f600.svg` or
    /// `emoji_u1f468_200d_1f4bb.png`.
    public var emoji: String?
    /// A Boolean value that indicates whether fontconfig is used for families, and for glyphs that no other font has.
    public var usesSystemFonts = true
    /// The hinting of glyphs.
    public var hinting = Hinting.slight
    /// The limit in bytes on cached glyph pictures.
    package var glyphCacheBudget = 32 << 20

    /// Uses the embedded fonts and those of the system.
    public init() {}
}

/// Fitting of upright outlines to the pixel grid. Layout uses the unhinted advances in each case.
public enum Hinting: String, CaseIterable, Sendable {
    /// The designed shapes.
    case none
    /// Only vertically: horizontal strokes are sharp, and x positions stay quarters of a pixel. The same as Chromium on a system
    /// whose fontconfig does not set hinting.
    case slight
    /// By the font's own instructions.
    case full
}

/// A font that a document brings with it: one `@font-face` rule (CSS Fonts 4 §4).
package struct WebFont: Sendable {
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
    package var weights, stretches: ClosedRange<Float>?
    /// The slant; nil takes it from the font.
    package var isItalic: Bool?
    /// The characters of `unicode-range`; empty for all.
    package var ranges: [ClosedRange<UInt32>]
    package var adjustment = FontAdjustment()

    package init(
        family: String, sources: [Source], weights: ClosedRange<Float>? = nil, stretches: ClosedRange<Float>? = nil,
        isItalic: Bool? = nil, ranges: [ClosedRange<UInt32>] = []
    ) {
        (self.family, self.sources, self.weights, self.stretches) = (family, sources, weights, stretches)
        (self.isItalic, self.ranges) = (isItalic, ranges)
    }
}

/// A family that can be used, for `fancytext fonts`.
package struct FontFamilyListing: Hashable, Sendable {
    package enum Origin: String, Hashable, Sendable { case embedded, given, document, system }
    package struct Face: Hashable, Sendable {
        /// The path of the file; empty for a font in memory.
        package var path: String
        package var index: Int
        /// The available weights; a single number for a static font.
        package var weights, stretches: ClosedRange<Float>
        package var isItalic: Bool
        package var axes: [FontAxis]
    }
    package var name: String
    package var origin: Origin
    package var faces: [Face]
}

/// A library used to draw text, for `fancytext fonts`.
package struct TextLibraryListing: Hashable, Sendable { package var name, version, path: String }
