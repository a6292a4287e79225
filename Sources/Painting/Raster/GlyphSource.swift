// The painter's interface to fonts, which tests implement without fonts.

import FancyTextBasics
import FancyTextTypography

package protocol GlyphSource {
    /// The picture of a glyph `subpixel` quarters of a pixel right of a pixel's edge; `nil` without ink, or if too large.
    ///
    /// - Parameters:
    ///   - scale: device pixels per CSS pixel.
    ///   - skew: the tangent of an extra slant to the right; `stretch`: the horizontal factor.
    func picture(
        font: FontID, glyph: UInt32, subpixel: Int, scale: Float, skew: Float, stretch: Float
    ) -> GlyphMask?

    /// The outline in CSS pixels, with the origin on the baseline and y down; empty for colour pictures and spaces.
    ///
    /// - Parameter scale: Device pixels per CSS pixel, to hint the outline like the picture; `nil` for the designed outline.
    func outline(font: FontID, glyph: UInt32, hintedAt scale: Float?) -> Path

    /// CSS pixels per em.
    func size(of font: FontID) -> Float
}

extension GlyphSource {
    /// The area around the origin that a glyph without an outline may cover. Its picture is made only if this area is visible.
    func reach(of font: FontID) -> Rect {
        let size = size(of: font)
        return Rect(x: -size, y: -2 * size, width: 4 * size, height: 3 * size)
    }

    func outline(font: FontID, glyph: UInt32) -> Path { outline(font: font, glyph: glyph, hintedAt: nil) }
}

extension FontContext: GlyphSource {
    package func picture(
        font: FontID, glyph: UInt32, subpixel: Int, scale: Float, skew: Float, stretch: Float
    ) -> GlyphMask? {
        let mask = glyphMask(font, glyph, subpixel: subpixel, scale: scale, skew: skew, stretch: stretch)
        return mask.width > 0 ? mask : nil
    }

    package func outline(font: FontID, glyph: UInt32, hintedAt scale: Float?) -> Path {
        glyphOutline(font, glyph, hintedAt: scale)
    }

    package func size(of font: FontID) -> Float { metrics(font).size }
}
