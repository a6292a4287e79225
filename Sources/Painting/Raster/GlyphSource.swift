// The painter's interface to fonts, so that it can be tested without any.

import FancyTextBasics
import FancyTextTypography

/// Fonts as the painter sees them.
package protocol GlyphSource {
    /// The picture of a glyph whose origin lies `subpixel` quarters right of a pixel's left edge; nil for one without
    /// ink, or one so large that its outline is to be filled instead. The source keeps it until it is asked for the next:
    /// a reference of its own would be counted for each glyph of a text.
    ///
    /// - Parameters:
    ///   - scale: device pixels for each CSS pixel.
    ///   - skew: tangent of an extra slant to the right; `stretch`: horizontal factor.
    func picture(
        font: FontID, glyph: UInt32, subpixel: Int, scale: Float, skew: Float, stretch: Float
    ) -> Unmanaged<GlyphMask>?

    /// The outline in CSS pixels, origin on the baseline, y down; empty for a glyph without one (colour pictures, spaces).
    ///
    /// - Parameter scale: device pixels for each CSS pixel, where it is to be hinted as the picture is; nil for the
    ///   designed shape.
    func outline(font: FontID, glyph: UInt32, hintedAt scale: Float?) -> Path

    /// CSS pixels per em.
    func size(of font: FontID) -> Float
}

extension GlyphSource {
    /// Around the origin, what a glyph without an outline may cover: a picture is made only where it can be seen.
    func reach(of font: FontID) -> Rect {
        let size = size(of: font)
        return Rect(x: -size, y: -2 * size, width: 4 * size, height: 3 * size)
    }

    /// The bounds of a glyph with an outline that is too large for a picture of it to be worth measuring; nil for smaller ones.
    /// In CSS pixels.
    ///
    /// - Parameter scale: device pixels for each of them.
    func largeBounds(font: FontID, glyph: UInt32, scale: Float) -> Rect? {
        guard size(of: font) * scale > 1_024 else { return nil }
        return outline(font: font, glyph: glyph).bounds() ?? reach(of: font)
    }

    /// The designed outline.
    func outline(font: FontID, glyph: UInt32) -> Path { outline(font: font, glyph: glyph, hintedAt: nil) }
}

extension FontContext: GlyphSource {
    package func picture(
        font: FontID, glyph: UInt32, subpixel: Int, scale: Float, skew: Float, stretch: Float
    ) -> Unmanaged<GlyphMask>? {
        let mask = keptMask(font, glyph, subpixel: subpixel, scale: scale, skew: skew, stretch: stretch)
        return mask._withUnsafeGuaranteedRef { $0.width > 0 } ? mask : nil
    }

    package func outline(font: FontID, glyph: UInt32, hintedAt scale: Float?) -> Path {
        glyphOutline(font, glyph, hintedAt: scale)
    }

    package func size(of font: FontID) -> Float { metrics(font).size }
}
