// What the painter asks of fonts.

import TextShaping

/// A glyph's picture, placed by whole pixels from the pixel that its origin lies in.
package struct GlyphBitmap: Sendable {
    /// The left edge, to the right of the origin's pixel; the top edge, below the baseline's pixel row (mostly negative).
    package var left, top: Int
    package var width, height: Int
    /// 8-bit coverage, row by row; empty for a colour glyph.
    package var coverage: [UInt8]
    /// A colour glyph: premultiplied pixels at the size they are painted in.
    package var pixels: Pixmap?

    package init(left: Int, top: Int, width: Int, height: Int, coverage: [UInt8], pixels: Pixmap? = nil) {
        self.left = left
        self.top = top
        self.width = width
        self.height = height
        self.coverage = coverage
        self.pixels = pixels
    }
}

/// Fonts as the painter sees them.
package protocol GlyphSource {
    /// The picture of a glyph whose origin lies `subpixel` quarters right of a pixel's left edge; nil for one without ink.
    /// - Parameter scale: device pixels for each CSS pixel.
    mutating func bitmap(font: FontID, glyph: UInt32, subpixel: Int, scale: Float) -> GlyphBitmap?

    /// The outline in CSS pixels, origin on the baseline, y down; nil for a glyph without one (bitmaps, spaces).
    mutating func outline(font: FontID, glyph: UInt32) -> Path?
}
