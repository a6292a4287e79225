// Shaped text by its bytes: words and runs that come again cost a look-up instead of shaping.
//
// One open-addressing table over two arenas (the keys' bytes and the glyphs). When the budget is used up everything is
// forgotten at once: text that matters comes back within the next document.

import FancyTextBasics
import FancyTextPlatform

final class ShapeCache {
    /// What beside its bytes decides the glyphs of a piece of text.
    struct Key: Equatable, BitwiseCopyable {
        var chain: UInt32
        var font: UInt32
        /// Script, direction, ligatures, edges of the paragraph; whether it is a word.
        var flags: UInt32
        /// For a word kept with its neighbours: the bytes of the one before and of the one after.
        var context: UInt32 = 0
    }

    struct Entry: BitwiseCopyable {
        var hash: UInt64
        var key: Key
        var bytes: Int
        var length: Int
        var firstGlyph: Int
        var glyphCount: Int
        /// The word's glyphs depend on its neighbours: look it up together with them.
        var isSensitive = false
        /// What the word's first letter adds to the advance of a space before it.
        var lead: Float = 0
    }

    private let budget: Int
    /// Numbers of entries plus one, 0 for a free slot; a power of two of them.
    private var slots = GrowableBuffer<UInt32>(capacity: 16)
    private var entries = GrowableBuffer<Entry>(capacity: 16)
    private var bytes = GrowableBuffer<UInt8>(capacity: 16)
    /// Clusters count from the start of the piece.
    private var glyphs = GrowableBuffer<ShapedGlyph>(capacity: 16)

    init(budget: Int) { self.budget = budget }

    deinit {
        slots.free()
        entries.free()
        bytes.free()
        glyphs.free()
    }

    /// Whether the budget has room for every word with its neighbours.
    var holdsWords: Bool { budget >= 1 << 20 }

    func removeAll() {
        for slot in 0..<slots.count { slots[slot] = 0 }
        entries.count = 0
        bytes.count = 0
        glyphs.count = 0
    }

    /// A 64-bit hash of a key and its bytes. Eight bytes a step.
    static func hash(_ key: Key, _ text: UnsafeRawBufferPointer) -> UInt64 {
        var state = mix(
            UInt64(key.chain) << 32 | UInt64(key.font) ^ 0x9E37_79B9_7F4A_7C15,
            (UInt64(key.flags) << 32 | UInt64(key.context)) ^ 0xD6E8_FEB8_6659_FD93)
        var index = 0
        while index + 8 <= text.count {
            state = mix(state ^ text.loadUnaligned(fromByteOffset: index, as: UInt64.self), 0xA076_1D64_78BD_642F)
            index += 8
        }
        var tail: UInt64 = UInt64(text.count) << 56
        var shift: UInt64 = 0
        while index < text.count {
            tail |= UInt64(text[index]) << shift
            shift += 8
            index += 1
        }
        return mix(state ^ tail, 0xE703_7ED1_A0B4_28DB)
    }

    @inline(__always)
    private static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }

    /// The glyphs of a piece of text, or nil. O(length).
    @inline(__always)
    func find(_ key: Key, _ hash: UInt64, _ text: UnsafeRawBufferPointer) -> Entry? {
        guard slots.count > 0 else { return nil }
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            let entry = entries[Int(slots[slot]) - 1]
            if entry.hash == hash, entry.key == key, entry.length == text.count, matches(entry, text) { return entry }
            slot = (slot + 1) & mask
        }
        return nil
    }

    @inline(__always)
    private func matches(_ entry: Entry, _ text: UnsafeRawBufferPointer) -> Bool {
        guard let text = text.baseAddress else { return entry.length == 0 }
        return memcmp(bytes.base + entry.bytes, text, entry.length) == 0
    }

    /// Remembers glyphs whose clusters count from `base`.
    func insert(
        _ key: Key, _ hash: UInt64, _ text: UnsafeRawBufferPointer, _ shaped: ArraySlice<ShapedGlyph>, base: Int,
        isSensitive: Bool = false, lead: Float = 0
    ) {
        let cost = text.count + shaped.count * MemoryLayout<ShapedGlyph>.stride + MemoryLayout<Entry>.stride + 8
        let used =
            bytes.count + glyphs.count * MemoryLayout<ShapedGlyph>.stride + entries.count
            * (MemoryLayout<Entry>.stride + 8)
        if cost > budget / 4 { return }
        if used + cost > budget { removeAll() }
        if entries.count * 2 >= slots.count { grow() }
        let first = glyphs.count
        for var glyph in shaped {
            glyph.cluster = glyph.cluster &- UInt32(truncatingIfNeeded: base)
            glyphs.append(glyph)
        }
        entries.append(
            Entry(
                hash: hash, key: key, bytes: bytes.count, length: text.count, firstGlyph: first,
                glyphCount: glyphs.count - first,
                isSensitive: isSensitive, lead: lead))
        for byte in text { bytes.append(byte) }
        place(UInt32(entries.count), hash)
    }

    /// Appends an entry's glyphs with clusters that count from `base`.
    @inline(__always)
    func copy(_ entry: Entry, base: Int, into result: inout [ShapedGlyph]) {
        let offset = UInt32(truncatingIfNeeded: base)
        for position in entry.firstGlyph..<(entry.firstGlyph + entry.glyphCount) {
            var glyph = glyphs[position]
            glyph.cluster = glyph.cluster &+ offset
            result.append(glyph)
        }
    }

    private func grow() {
        let capacity = max(256, slots.count * 2)
        slots.count = 0
        for _ in 0..<capacity { slots.append(0) }
        for position in 0..<entries.count { place(UInt32(position + 1), entries[position].hash) }
    }

    private func place(_ number: UInt32, _ hash: UInt64) {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = number
    }
}
