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
    /// `height × stride` bytes, valid as long as this object lives.
    package let pixels: UnsafePointer<UInt8>

    /// - Parameter pixels: freed with this object.
    package init(
        left: Int, top: Int, width: Int, height: Int, stride: Int, isColor: Bool, pixels: UnsafePointer<UInt8>
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
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: stride * height)
        copy.initialize(from: pixels, count: stride * height)
        return GlyphMask(
            left: left, top: top, width: width, height: height, stride: stride, isColor: isColor,
            pixels: UnsafePointer(copy))
    }

    /// A picture without ink.
    static func empty() -> GlyphMask {
        GlyphMask(
            left: 0, top: 0, width: 0, height: 0, stride: 0, isColor: false,
            pixels: UnsafePointer(UnsafeMutablePointer<UInt8>.allocate(capacity: 1)))
    }

    deinit { pixels.deallocate() }

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
    // Not arrays, because those would be retained and released for each glyph of a text.
    private var keys = GrowableBuffer<UInt64>(capacity: 64)
    /// Retained masks, in the order of `keys`.
    private var masks = GrowableBuffer<Unmanaged<GlyphMask>>(capacity: 64)

    init(budget: Int) { self.budget = budget }

    deinit {
        removeAll()
        keys.free()
        masks.free()
    }

    func removeAll() {
        for position in 0..<masks.count { masks[position].release() }
        (keys.count, masks.count) = (0, 0)
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
        UInt64(truncatingIfNeeded: variant) << 35 | key(glyph: glyph, subpixel: subpixel)
    }

    /// The key of a glyph at a subpixel offset.
    static func key(glyph: UInt32, subpixel: Int) -> UInt64 { UInt64(glyph) << 3 | UInt64(subpixel & 3) << 1 | 1 }

    /// The mask, valid until the next one is inserted.
    @inline(__always)
    func find(_ key: UInt64) -> Unmanaged<GlyphMask>? {
        maskIndex.position(of: key) { keys[$0] == key }.map { masks[$0] }
    }

    /// Adds a mask that is not in the cache. When the budget is used up, the cache is emptied first; masks in use remain valid.
    func insert(_ variant: GlyphVariant, _ glyph: UInt32, _ subpixel: Int, _ mask: GlyphMask) {
        if used + mask.cost > budget { removeAll() }
        used += mask.cost
        let key = Self.key(variant: index(of: variant), glyph: glyph, subpixel: subpixel)
        maskIndex.insert(keys.count, hash: key)
        keys.append(key)
        masks.append(Unmanaged.passRetained(mask))
    }
}
