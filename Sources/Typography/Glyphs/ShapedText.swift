// The result of shaping: glyphs with advances, in runs of one font, style and direction.

import Styling

/// A concrete font of a ``FontContext``: a face at a size with its axes set and its synthetic styles.
package struct FontID: Hashable, Sendable {
    package let rawValue: UInt32
    @inlinable package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// Measures of a font at its size in CSS pixels; all positive, y up from the baseline for ascent-like ones.
package struct FontMetrics: Hashable, Sendable {
    package var size: Float = 0
    package var ascent: Float = 0
    package var descent: Float = 0
    package var lineGap: Float = 0
    /// Whole pixels of the screen, as browsers build inline boxes from: their sum is the height of the font's inline box.
    package var roundedAscent: Float = 0
    package var roundedDescent: Float = 0
    /// `line-height: normal`: ascent, descent and gap, each rounded.
    package var lineSpacing: Float = 0
    package var xHeight: Float = 0
    package var capHeight: Float = 0
    /// Advance of `0` and of the space.
    package var zeroAdvance: Float = 0
    package var spaceAdvance: Float = 0
    /// Middle of the line below the baseline (positive is below), and its thickness.
    package var underlinePosition: Float = 0
    package var underlineThickness: Float = 0
    /// Middle of the line above the baseline.
    package var strikeoutPosition: Float = 0
    package var strikeoutThickness: Float = 0
    /// Installed rather than part of the document.
    package var isSystemFont = false
    package init() {}

    /// Rounds ascent, descent and line spacing to the pixels of a screen with `scale` of them for each CSS pixel: browsers
    /// lay out in the screen's pixels.
    package mutating func round(toPixelsOf scale: Float) {
        func rounded(_ length: Float) -> Float { (length * scale).rounded(.toNearestOrAwayFromZero) / scale }
        roundedAscent = rounded(ascent)
        roundedDescent = rounded(descent)
        // On dense screens Blink keeps descenders of installed fonts whole: the baseline moves up by a pixel.
        if isSystemFont, scale >= 1.5, roundedDescent < descent, roundedAscent * scale >= 1 {
            roundedAscent -= 1 / scale
            roundedDescent += 1 / scale
        }
        lineSpacing = roundedAscent + roundedDescent + rounded(lineGap)
    }
}

/// A glyph as shaped, in visual order within its run.
package struct ShapedGlyph: Hashable, Sendable, BitwiseCopyable {
    /// Nothing is drawn: control characters, line feeds and tabs (which layout widens), and U+FFFC.
    package static let invisible: UInt32 = .max

    package var id: UInt32
    /// First byte of its cluster in the text.
    package var cluster: UInt32
    package var advance: Float
    package var xOffset: Float
    package var yOffset: Float
    /// A line break before this glyph's cluster would change the glyphs: reshape (HarfBuzz's flag).
    package var isUnsafeToBreak: Bool

    @inlinable
    package init(
        id: UInt32, cluster: UInt32, advance: Float, xOffset: Float = 0, yOffset: Float = 0,
        isUnsafeToBreak: Bool = false
    ) {
        self.id = id
        self.cluster = cluster
        self.advance = advance
        self.xOffset = xOffset
        self.yOffset = yOffset
        self.isUnsafeToBreak = isUnsafeToBreak
    }
}

/// Glyphs of one font, one style, one script and one bidi level.
package struct ShapedRun: Sendable {
    package var font: FontID
    package var style: StyleID
    /// Bytes of the text, and glyphs (visual order: reversed clusters in right-to-left runs).
    package var text: Range<Int>
    package var glyphs: Range<Int>
    package var level: UInt8
    /// What ``FontContext/reshape(_:range:text:paragraph:into:)`` needs: the script's number, the font style, and the
    /// spacing that is already part of the advances (CSS pixels).
    package var script: UInt8 = 0
    package var chain = FontChainID(rawValue: 0)
    package var letterSpacing: Float = 0
    package var wordSpacing: Float = 0

    package init(font: FontID, style: StyleID, text: Range<Int>, glyphs: Range<Int>, level: UInt8) {
        self.font = font
        self.style = style
        self.text = text
        self.glyphs = glyphs
        self.level = level
    }
}

/// Runs in logical order.
package struct ShapedText: Sendable {
    package var runs: [ShapedRun] = []
    package var glyphs: [ShapedGlyph] = []
    package init() {}
}
