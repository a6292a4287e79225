// The result of shaping: glyphs with advances, in runs of one font, style and direction; the ids and metrics of their fonts.

import FancyTextCSS

package typealias UTF8Bytes = UnsafeBufferPointer<UInt8>

/// A shaped glyph, in visual order within its run.
package struct ShapedGlyph: Hashable, Sendable, BitwiseCopyable {
    /// Marks glyphs that are not drawn: ends of lines and pages, tabs (which layout widens) and U+FFFC.
    package static let invisible: UInt32 = .max

    package var id: UInt32
    /// The first byte of its cluster in the text.
    package var cluster: UInt32
    package var advance: Float
    package var xOffset: Float = 0, yOffset: Float = 0
    /// True if a line break before this glyph's cluster would change the glyphs, so that they must be reshaped (HarfBuzz's flag).
    package var isUnsafeToBreak = false

    /// The glyph of the same cluster in a text where its bytes begin `distance` later.
    func moved(by distance: UInt32) -> ShapedGlyph {
        var moved = self
        moved.cluster &+= distance
        return moved
    }
}

extension [ShapedGlyph] {
    package func advance(of glyphs: Range<Int>) -> Float { glyphs.reduce(0) { $0 + self[$1].advance } }

    package func clusters(of glyphs: Range<Int>) -> [Range<Int>] {
        glyphs.runs { self[$0].cluster == self[$1].cluster }
    }

    /// The byte at which the first cluster of glyphs in either direction begins.
    package func firstCluster(of glyphs: Range<Int>) -> Int? { self[glyphs].map { Int($0.cluster) }.min() }
}

/// The glyphs of one font, one style, one script and one bidi level.
package struct ShapedRun: Sendable {
    package var font: FontID
    package var style: StyleID
    /// Ranges in the bytes of the text and in the glyphs, which are in visual order.
    package var text: Range<Int>
    package var glyphs: Range<Int>
    package var level: UInt8
    /// Input of ``FontContext/reshape(_:range:text:paragraph:into:)``; the spacing is already part of the advances (CSS pixels).
    package var script: UInt8 = 0
    /// True if its characters are upright in a vertical line.
    package var isUpright = false
    /// The factor of the glyphs' widths; less than 1 for narrowed ones.
    package var stretch: Float = 1
    package var chain = FontChainID(rawValue: 0)
    package var letterSpacing: Float = 0, wordSpacing: Float = 0

    /// The range of the glyphs of a part, given in logical order.
    package func glyphs(_ part: Range<Int>) -> Range<Int> {
        level & 1 == 1
            ? glyphs.upperBound - part.upperBound..<glyphs.upperBound - part.lowerBound
            : glyphs.lowerBound + part.lowerBound..<glyphs.lowerBound + part.upperBound
    }
}

/// Runs in logical order.
package struct ShapedText: Sendable {
    package var runs: [ShapedRun] = []
    package var glyphs: [ShapedGlyph] = []
    package init() {}
}

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
    package var emAscent: Float { size - emDescent }
    /// Rounded to whole screen pixels, as browsers do for inline boxes; their sum is the height of the font's inline box.
    package var roundedAscent: Float = 0, roundedDescent: Float = 0
    /// `line-height: normal`: ascent, descent and gap, each rounded.
    package var lineSpacing: Float = 0
    package var xHeight: Float = 0, capHeight: Float = 0
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
