// Hashes in, positions out: a hash table for values that its owner keeps in an array.
//
// A dictionary does the same for the caller. Its first use with a key type of our own, though, makes the runtime search all
// conformances of the program for the type's `Hashable`, which takes longer than a short run spends in the dictionary.

/// Positions in an array, found by the hashes of the array's elements.
package struct HashIndex {
    private var hashes: [Int] = []
    /// Position + 1 beside each hash; 0 is a free slot.
    private var positions: [Int] = []
    private var count = 0

    package init() {}

    /// The position that was added with this hash and for which `isEqual` is true. Amortized O(1).
    @inline(__always)
    package func position(of hash: Int, where isEqual: (_ position: Int) -> Bool) -> Int? {
        guard count > 0 else { return nil }
        var slot = hash & (positions.count - 1)
        while positions[slot] != 0 {
            if hashes[slot] == hash, isEqual(positions[slot] - 1) { return positions[slot] - 1 }
            slot = (slot + 1) & (positions.count - 1)
        }
        return nil
    }

    /// Adds a position that is not among those of equal elements. Amortized O(1).
    package mutating func insert(_ position: Int, hash: Int) {
        if count * 2 >= positions.count { grow(to: positions.count * 2) }
        count += 1
        place(position + 1, hash)
    }

    package mutating func removeAll() { self = HashIndex() }

    /// Makes room for so many positions in all.
    package mutating func reserve(_ wanted: Int) {
        if wanted > 8, wanted * 2 > positions.count { grow(to: wanted * 2) }
    }

    private mutating func place(_ entry: Int, _ hash: Int) {
        var slot = hash & (positions.count - 1)
        while positions[slot] != 0 { slot = (slot + 1) & (positions.count - 1) }
        hashes[slot] = hash
        positions[slot] = entry
    }

    private mutating func grow(to wanted: Int) {
        let (oldHashes, oldPositions) = (hashes, positions)
        var capacity = 16
        while capacity < wanted { capacity *= 2 }
        hashes = [Int](repeating: 0, count: capacity)
        positions = [Int](repeating: 0, count: capacity)
        for (slot, entry) in oldPositions.enumerated() where entry != 0 { place(entry, oldHashes[slot]) }
    }
}
