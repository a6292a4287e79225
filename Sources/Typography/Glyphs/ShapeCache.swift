// A cache of shaped text by its bytes: repeated runs cost a look-up instead of shaping.
//
// One table over two arenas (the keys' bytes and the glyphs). A full cache is emptied.

import FancyTextBasics
import FancyTextPlatform

final class ShapeCache {
    /// The properties that decide the glyphs of a piece of text, besides its bytes.
    struct Key: Equatable, BitwiseCopyable {
        var chain: UInt32
        var font: UInt32
        /// Script, direction, ligatures, edges of the paragraph.
        var flags: UInt32
    }

    struct Entry: BitwiseCopyable {
        var key: Key
        var bytes: Int
        var length: Int
        var firstGlyph: Int
        var glyphCount: Int
    }

    /// In bytes.
    private static let budget = 16 << 20
    private var index = HashIndex()
    private var entries = GrowableBuffer<Entry>(capacity: 16)
    private var bytes = GrowableBuffer<UInt8>(capacity: 16)
    /// Clusters are offsets from the start of the piece.
    private var glyphs = GrowableBuffer<ShapedGlyph>(capacity: 16)

    deinit {
        entries.free()
        bytes.free()
        glyphs.free()
    }

    func removeAll() {
        index.removeAll()
        entries.count = 0
        bytes.count = 0
        glyphs.count = 0
    }

    static func hash(_ key: Key, _ text: UnsafeRawBufferPointer) -> UInt64 {
        var hash = SeededHash()
        hash.add(UInt64(key.chain) << 32 | UInt64(key.font))
        hash.add(UInt64(key.flags))
        hash.add(text)
        return hash.value
    }

    @inline(__always)
    func find(_ key: Key, _ hash: UInt64, _ text: UnsafeRawBufferPointer) -> Entry? {
        index.position(of: hash) {
            entries[$0].key == key && entries[$0].length == text.count && matches(entries[$0], text)
        }.map { entries[$0] }
    }

    @inline(__always)
    private func matches(_ entry: Entry, _ text: UnsafeRawBufferPointer) -> Bool {
        guard let text = text.baseAddress else { return entry.length == 0 }
        return memcmp(bytes.base + entry.bytes, text, entry.length) == 0
    }

    /// Adds glyphs whose clusters are offsets from `base`.
    func insert(
        _ key: Key, _ hash: UInt64, _ text: UnsafeRawBufferPointer, _ shaped: ArraySlice<ShapedGlyph>, base: Int
    ) {
        let cost = text.count + shaped.count * MemoryLayout<ShapedGlyph>.stride + MemoryLayout<Entry>.stride + 8
        let used =
            bytes.count + glyphs.count * MemoryLayout<ShapedGlyph>.stride + entries.count
            * (MemoryLayout<Entry>.stride + 8)
        if cost > Self.budget / 4 { return }
        if used + cost > Self.budget { removeAll() }
        index.insert(entries.count, hash: hash)
        let first = glyphs.count
        for var glyph in shaped {
            glyph.cluster = glyph.cluster &- UInt32(truncatingIfNeeded: base)
            glyphs.append(glyph)
        }
        entries.append(
            Entry(
                key: key, bytes: bytes.count, length: text.count, firstGlyph: first,
                glyphCount: glyphs.count - first))
        bytes.append(contentsOf: text.bindMemory(to: UInt8.self))
    }

    /// Appends an entry's glyphs with clusters as offsets from `base`.
    @inline(__always)
    func copy(_ entry: Entry, base: Int, into result: inout [ShapedGlyph]) {
        let offset = UInt32(truncatingIfNeeded: base)
        for position in entry.firstGlyph..<(entry.firstGlyph + entry.glyphCount) {
            var glyph = glyphs[position]
            glyph.cluster = glyph.cluster &+ offset
            result.append(glyph)
        }
    }
}
