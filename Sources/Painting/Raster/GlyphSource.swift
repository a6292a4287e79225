// The painter's interface to fonts, which tests implement without fonts.

import FancyTextBasics
import FancyTextTypography

package protocol GlyphSource {
    /// The picture of a glyph; `nil` without ink, or if it is too large.
    func picture(_ key: GlyphKey) -> GlyphMask?

    /// The outline in CSS pixels, with the origin on the baseline and y down; empty for colour pictures and spaces.
    ///
    /// - Parameter scale: Device pixels per CSS pixel, to hint the outline like the picture; `nil` for the designed outline.
    func glyphOutline(_ font: FontID, _ glyph: UInt32, hintedAt scale: Float?) -> Path

    /// CSS pixels per em.
    func size(of font: FontID) -> Float
}

extension GlyphSource {
    /// The area around the origin that a glyph without an outline may cover. Its picture is made only if this area is visible.
    func reach(of font: FontID) -> Rect {
        let size = size(of: font)
        return Rect(x: -size, y: -2 * size, width: 4 * size, height: 3 * size)
    }
}

extension FontContext: GlyphSource {
    package func size(of font: FontID) -> Float { metrics(font).size }
}
