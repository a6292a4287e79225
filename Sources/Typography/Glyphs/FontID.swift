// The ids of fonts for text and glyphs, and the metrics that lines need.

/// A concrete font of a ``FontContext``: a face at a size with its axes set and its synthetic styles.
package struct FontID: Hashable, Sendable {
    package let rawValue: UInt32
    @inlinable package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// The id of a ``FontStyle`` in a ``FontContext``: the list of fonts that its text tries in turn.
package struct FontChainID: Hashable, Sendable {
    package let rawValue: UInt32
    @inlinable package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// The metrics of a font at its size, in CSS pixels; ascent, descent and similar distances are positive.
package struct FontMetrics: Hashable, Sendable {
    package var size: Float = 0
    package var ascent: Float = 0, descent: Float = 0, lineGap: Float = 0
    /// The part of the em box below the baseline, by the typographic ascent and descent.
    package var emDescent: Float = 0
    /// The part of the em box above the baseline.
    package var emAscent: Float { size - emDescent }
    /// Rounded to whole screen pixels, as browsers do for inline boxes; their sum is the height of the font's inline box.
    package var roundedAscent: Float = 0, roundedDescent: Float = 0
    /// `line-height: normal`: ascent, descent and gap, each rounded.
    package var lineSpacing: Float = 0
    package var xHeight: Float = 0, capHeight: Float = 0
    /// The advances of `0` and of the space.
    package var zeroAdvance: Float = 0, spaceAdvance: Float = 0
    /// OS/2's average advance and the width of the box around all glyphs, which determine the size of text fields.
    package var averageAdvance: Float = 0, widestGlyph: Float = 0
    /// The middle of the underline (positive is below the baseline) and its thickness.
    package var underlinePosition: Float = 0, underlineThickness: Float = 0
    /// True if the font is installed rather than part of the document.
    package var isSystemFont = false
    package init() {}

    /// Rounds ascent, descent and line spacing to screen pixels, `scale` for each CSS pixel, in which browsers lay out.
    package mutating func round(toPixelsOf scale: Float) {
        func rounded(_ length: Float) -> Float { (length * scale).rounded(.toNearestOrAwayFromZero) / scale }
        roundedAscent = rounded(ascent)
        roundedDescent = rounded(descent)
        // On dense screens Blink does not cut off descenders of installed fonts: the baseline moves up by a pixel.
        if isSystemFont, scale >= 1.5, roundedDescent < descent, roundedAscent * scale >= 1 {
            roundedAscent -= 1 / scale
            roundedDescent += 1 / scale
        }
        lineSpacing = roundedAscent + roundedDescent + rounded(lineGap)
    }
}
