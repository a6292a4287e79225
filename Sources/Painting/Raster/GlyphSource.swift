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

    /// The picture of a glyph with the slant and the stretch of its run.
    func picture(of glyph: PositionedGlyph, _ item: GlyphsItem, subpixel: Int, scale: Float) -> GlyphMask? {
        picture(
            GlyphKey(
                font: item.font, glyph: glyph.id, subpixel: subpixel, scale: scale, skew: item.skew,
                stretch: item.stretch))
    }

    /// The device pixels that a glyph can touch, without its stroke and shadows; nil if it has no ink.
    func area(of glyph: PositionedGlyph, _ item: GlyphsItem, _ transform: Transform) -> DeviceRect? {
        // Too large to be rendered just for measuring.
        if size(of: item.font) * max(transform.stretch.x, transform.stretch.y) > 1_024 {
            let bounds = glyphOutline(item.font, glyph.id, hintedAt: nil).bounds() ?? reach(of: item.font)
            return transform.reach(of: bounds.offsetBy(x: glyph.x, y: glyph.y))
        }
        let place = Painter.snapped(transform.apply(glyph.point))
        if transform.isUpright, transform.scaleX == transform.scaleY,
            let picture = picture(of: glyph, item, subpixel: place.subpixel, scale: transform.scaleX)
        {
            return picture.area(at: place)
        }
        let local =
            picture(of: glyph, item, subpixel: 0, scale: 1)?.area(at: (0, 0, 0))
            ?? glyphOutline(item.font, glyph.id, hintedAt: nil).bounds()?.pixelCover
        return local.map { transform.reach(of: $0.outset(by: 1).rect.offsetBy(x: glyph.x, y: glyph.y)) }
    }
}

extension FontContext: GlyphSource {
    package func size(of font: FontID) -> Float { metrics(font).size }
}
