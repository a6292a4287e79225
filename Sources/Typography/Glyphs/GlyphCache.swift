// The pictures of glyphs, and the keys by which they are kept.

import FancyTextBasics

/// The picture of one glyph at one size: coverage, or colour.
package final class GlyphMask {
    /// The offset of the top left pixel from the glyph's origin, in device pixels, to the right and up.
    package let left: Int
    package let top: Int
    /// The size in device pixels.
    package let width: Int
    package let height: Int
    /// False for one byte of coverage a pixel; true for premultiplied BGRA, four bytes a pixel, sRGB.
    package let isColor: Bool
    /// Row by row.
    package let pixels: [UInt8]

    /// Bytes from one row to the next.
    package var stride: Int { isColor ? 4 * width : width }

    package init(left: Int, top: Int, width: Int, height: Int, isColor: Bool, pixels: [UInt8]) {
        self.left = left
        self.top = top
        self.width = width
        self.height = height
        self.isColor = isColor
        self.pixels = pixels
    }

    /// A copy of this picture with another offset from its origin.
    func moved(left: Int, top: Int) -> GlyphMask {
        GlyphMask(left: left, top: top, width: width, height: height, isColor: isColor, pixels: pixels)
    }

    var cost: Int { pixels.count + 96 }
}

/// The picture of a glyph that is asked for.
package struct GlyphKey: CacheKey {
    package var font: FontID
    package var glyph: UInt32
    /// The distance from a pixel's left edge to the origin, in quarters of a device pixel, 0–3.
    var subpixel = 0
    /// Device pixels for a CSS pixel.
    var scale: Float
    /// The tangent of an extra slant to the right, and a horizontal factor: 0 and 1 for plain text.
    var skew: Float = 0
    var stretch: Float = 1

    package init(font: FontID, glyph: UInt32, subpixel: Int = 0, scale: Float, skew: Float = 0, stretch: Float = 1) {
        (self.font, self.glyph, self.subpixel) = (font, glyph, subpixel & 3)
        (self.scale, self.skew, self.stretch) = (scale, skew, stretch)
    }

    var hash: UInt64 {
        var hash = SeededHash()
        hash.add(UInt64(font.rawValue) << 32 | UInt64(glyph))
        hash.add(UInt64(scale.bitPattern) << 32 | UInt64(truncatingIfNeeded: subpixel))
        hash.add(UInt64(skew.bitPattern) << 32 | UInt64(stretch.bitPattern))
        return hash.value
    }
}
