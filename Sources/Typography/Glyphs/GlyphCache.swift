// A cache of glyph pictures, within a budget of bytes.

import FancyTextBasics

/// The picture of one glyph at one size: coverage, or colour.
package final class GlyphMask {
    /// The offset of the top left pixel from the glyph's origin, in device pixels: `left` to the right, `top` up from the
    /// baseline to the top edge.
    package let left: Int
    package let top: Int
    /// The size in device pixels; 0 for a glyph without ink.
    package let width: Int
    package let height: Int
    /// Bytes from one row to the next.
    package let stride: Int
    /// False for one byte of coverage a pixel; true for premultiplied BGRA, four bytes a pixel, sRGB.
    package let isColor: Bool
    /// `height × stride` bytes.
    package let pixels: [UInt8]

    package init(
        left: Int, top: Int, width: Int, height: Int, stride: Int, isColor: Bool, pixels: [UInt8]
    ) {
        self.left = left
        self.top = top
        self.width = width
        self.height = height
        self.stride = stride
        self.isColor = isColor
        self.pixels = pixels
    }

    /// A copy of this picture with another offset from its origin.
    func moved(left: Int, top: Int) -> GlyphMask {
        GlyphMask(
            left: left, top: top, width: width, height: height, stride: stride, isColor: isColor, pixels: pixels)
    }

    /// A picture without ink.
    static func empty() -> GlyphMask {
        GlyphMask(left: 0, top: 0, width: 0, height: 0, stride: 0, isColor: false, pixels: [])
    }

    var cost: Int { stride * height + 96 }
}

/// The settings with which a run of glyphs is drawn.
struct GlyphVariant: Hashable {
    var font: FontID
    var scale: Float
    var skew: Float
    var stretch: Float
}

final class GlyphCache {
    private let budget: Int
    private var used = 0
    private var variants: [GlyphVariant] = []
    private var variantIndex = HashIndex()
    private var last: (variant: GlyphVariant, index: Int)?
    private var maskIndex = HashIndex()
    private var keys: [UInt64] = []
    /// In the order of `keys`.
    private var masks: [GlyphMask] = []

    init(budget: Int) { self.budget = budget }

    func removeAll() {
        keys.removeAll()
        masks.removeAll()
        maskIndex.removeAll()
        variants.removeAll()
        variantIndex.removeAll()
        last = nil
        used = 0
    }

    func index(of variant: GlyphVariant) -> Int {
        if let last, last.variant == variant { return last.index }
        let hash = variant.hashValue
        let known = variantIndex.position(of: hash) { variants[$0] == variant }
        let index = known ?? variants.count
        if known == nil {
            variantIndex.insert(index, hash: hash)
            variants.append(variant)
        }
        last = (variant, index)
        return index
    }

    /// The key of a glyph at a subpixel offset, for a variant.
    static func key(variant: Int, glyph: UInt32, subpixel: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: variant) << 35 | UInt64(glyph) << 3 | UInt64(subpixel & 3) << 1 | 1
    }

    func find(_ key: UInt64) -> GlyphMask? {
        maskIndex.position(of: key) { keys[$0] == key }.map { masks[$0] }
    }

    /// Adds a mask that is not in the cache. When the budget is used up, the cache is emptied first.
    func insert(_ variant: GlyphVariant, _ glyph: UInt32, _ subpixel: Int, _ mask: GlyphMask) {
        if used + mask.cost > budget { removeAll() }
        used += mask.cost
        let key = Self.key(variant: index(of: variant), glyph: glyph, subpixel: subpixel)
        maskIndex.insert(keys.count, hash: key)
        keys.append(key)
        masks.append(mask)
    }
}
