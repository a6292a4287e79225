// The pictures of glyphs, and the caches of pictures, outlines and shaped text within a budget of bytes.

import FancyTextBasics

/// The picture of one glyph at one size: coverage, or colour.
package final class GlyphMask {
    /// The offset of the top left pixel from the glyph's origin, in device pixels, to the right and up.
    package let left, top: Int
    /// The size in device pixels.
    package let width, height: Int
    /// False for one byte of coverage a pixel; true for premultiplied BGRA, four bytes a pixel, sRGB.
    package let isColor: Bool
    /// Row by row.
    package let pixels: [UInt8]

    /// Bytes from one row to the next.
    package var stride: Int { isColor ? 4 * width : width }

    package init(left: Int, top: Int, width: Int, height: Int, isColor: Bool, pixels: [UInt8]) {
        (self.left, self.top, self.width, self.height) = (left, top, width, height)
        (self.isColor, self.pixels) = (isColor, pixels)
    }

    var cost: Int { pixels.count + 96 }
}

/// The picture of a glyph that is asked for.
package struct GlyphKey: Hashable {
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
}

/// Values by their keys, within a budget of bytes.
final class BudgetCache<Key: Hashable, Value> {
    private let budget: Int
    private var used = 0
    private var values: [Key: Value] = [:]

    init(budget: Int) { self.budget = budget }

    func find(_ key: Key) -> Value? { values[key] }

    /// Adds a value that is not in the cache. A full cache is emptied first: needed values return with the next text.
    func insert(_ value: Value, _ key: Key, cost: Int) {
        if used + cost > budget { removeAll() }
        used += cost
        values.updateValue(value, forKey: key)
    }

    func removeAll() {
        values.removeAll()
        used = 0
    }
}

/// The properties that decide the glyphs of a piece of text.
struct ShapeKey: Hashable {
    var chain: FontChainID
    var font: FontID
    /// Script, direction, ligatures, edges of the paragraph.
    var flags: UInt32
    var text: [UInt8]
}
