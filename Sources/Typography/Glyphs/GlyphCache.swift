// Pictures of glyphs, kept by what they depend on, within a budget of bytes.

import Basics

/// The picture of one glyph at one size: coverage, or colour.
package final class GlyphMask {
    /// Where the top left pixel lies from the glyph's origin, in device pixels: `left` to the right, `top` up from the
    /// baseline to the top edge.
    package let left: Int
    package let top: Int
    /// Device pixels; both 0 for a glyph without ink.
    package let width: Int
    package let height: Int
    /// Bytes from one row to the next.
    package let stride: Int
    /// false: one byte of coverage a pixel. true: premultiplied BGRA, four bytes a pixel, sRGB.
    package let isColor: Bool
    /// `height × stride` bytes, valid as long as this object lives.
    package let pixels: UnsafePointer<UInt8>

    init(left: Int, top: Int, width: Int, height: Int, stride: Int, isColor: Bool, pixels: UnsafePointer<UInt8>) {
        self.left = left
        self.top = top
        self.width = width
        self.height = height
        self.stride = stride
        self.isColor = isColor
        self.pixels = pixels
    }

    /// The same picture elsewhere from its origin.
    func moved(left: Int, top: Int) -> GlyphMask {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: stride * height)
        copy.initialize(from: pixels, count: stride * height)
        return GlyphMask(
            left: left, top: top, width: width, height: height, stride: stride, isColor: isColor,
            pixels: UnsafePointer(copy))
    }

    /// Without ink.
    static func empty() -> GlyphMask {
        GlyphMask(
            left: 0, top: 0, width: 0, height: 0, stride: 0, isColor: false,
            pixels: UnsafePointer(UnsafeMutablePointer<UInt8>.allocate(capacity: 1)))
    }

    deinit { pixels.deallocate() }

    var cost: Int { stride * height + 96 }
}

/// What a run of glyphs is drawn with.
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
    /// For each variant an open-addressing table from glyph and position to a mask.
    private var tables: [Table] = []

    private final class Table {
        var keys: [UInt64] = []
        var masks: [GlyphMask?] = []
        var count = 0

        @inline(__always)
        func find(_ key: UInt64) -> GlyphMask? {
            keys.withUnsafeBufferPointer { keys in
                let mask = keys.count - 1
                guard mask > 0 else { return nil }
                var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
                while true {
                    let found = keys[slot]
                    if found == key { return masks[slot] }
                    if found == 0 { return nil }
                    slot = (slot + 1) & mask
                }
            }
        }
    }

    init(budget: Int) { self.budget = budget }

    func removeAll() {
        tables.removeAll()
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
            tables.append(Table())
        }
        last = (variant, index)
        return index
    }

    /// Keys are never 0.
    static func key(glyph: UInt32, subpixel: Int) -> UInt64 { UInt64(glyph) << 3 | UInt64(subpixel & 3) << 1 | 1 }

    func find(_ variant: Int, _ key: UInt64) -> GlyphMask? {
        tables[variant].find(key)
    }

    /// Remembers a mask. When the budget is used up, everything is forgotten first; masks in use live on.
    func insert(_ variant: GlyphVariant, _ key: UInt64, _ mask: GlyphMask) {
        if used + mask.cost > budget { removeAll() }
        let index = index(of: variant)
        used += mask.cost
        if tables[index].count * 2 >= tables[index].keys.count { grow(index) }
        tables[index].count += 1
        place(index, key, mask)
    }

    private func grow(_ index: Int) {
        let table = tables[index]
        let keys = table.keys
        let masks = table.masks
        let capacity = max(64, keys.count * 2)
        table.keys = [UInt64](repeating: 0, count: capacity)
        table.masks = [GlyphMask?](repeating: nil, count: capacity)
        for (position, key) in keys.enumerated() where key != 0 {
            if let mask = masks[position] { place(index, key, mask) }
        }
    }

    private func place(_ index: Int, _ key: UInt64, _ value: GlyphMask) {
        let mask = tables[index].keys.count - 1
        var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
        while tables[index].keys[slot] != 0 { slot = (slot + 1) & mask }
        tables[index].keys[slot] = key
        tables[index].masks[slot] = value
    }
}
