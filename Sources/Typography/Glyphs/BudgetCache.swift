// Caches within a budget of bytes: the pictures and outlines of glyphs, and shaped text by its bytes.

import FancyTextBasics

/// A key with a hash that is computed faster than by Swift's `Hasher`.
protocol CacheKey: Equatable { var hash: UInt64 { get } }

/// Values by their keys, within a budget of bytes.
final class BudgetCache<Key: CacheKey, Value> {
    private let budget: Int
    private var used = 0
    private var index = HashIndex()
    private var entries: [(key: Key, value: Value)] = []

    init(budget: Int) { self.budget = budget }

    func find(_ key: Key) -> Value? {
        index.position(of: key.hash) { entries[$0].key == key }.map { entries[$0].value }
    }

    /// Adds a value that is not in the cache. A full cache is emptied first: needed values return with the next text.
    func insert(_ value: Value, _ key: Key, cost: Int) {
        if used + cost > budget { removeAll() }
        used += cost
        index.insert(entries.count, hash: key.hash)
        entries.append((key, value))
    }

    func removeAll() {
        index.removeAll()
        entries.removeAll()
        used = 0
    }
}

/// The properties that decide the glyphs of a piece of text.
struct ShapeKey: CacheKey {
    var chain: FontChainID
    var font: FontID
    /// Script, direction, ligatures, edges of the paragraph.
    var flags: UInt32
    var text: [UInt8]

    var hash: UInt64 {
        var hash = SeededHash()
        hash.add(UInt64(chain.rawValue) << 32 | UInt64(font.rawValue))
        hash.add(UInt64(flags))
        text.withUnsafeBytes { hash.add($0) }
        return hash.value
    }
}
