// The project's one hash table: positions in an array by hashes. A dictionary's first use with a key type of the project is slower
// than all look-ups, because it searches all conformances.

/// Positions in an array, found by the hashes of the array's elements; a unique number can serve as a hash.
@frozen @usableFromInline package struct HashIndex: Sendable {
    /// Open addressing, at most half full: 32 bits of the hash in the upper half, position + 1 in the lower; 0 is a free slot.
    @usableFromInline var slots: [UInt64] = []
    @usableFromInline var count = 0
    @usableFromInline let seed: SeededHash

    @inlinable package init() { seed = SeededHash() }

    @inlinable @inline(__always) func mixed(_ hash: some FixedWidthInteger) -> UInt64 {
        var seed = seed
        seed.add(UInt64(truncatingIfNeeded: hash))
        return seed.value >> 32
    }

    /// The position that was added with this hash and for which `isEqual` is true. Amortized O(1).
    @inlinable @inline(__always)
    package func position(of hash: some FixedWidthInteger, where isEqual: (_ position: Int) -> Bool) -> Int? {
        guard count > 0 else { return nil }
        let mixed = mixed(hash)
        return slots.withUnsafeBufferPointer { slots in
            let mask = slots.count &- 1
            var slot = Int(truncatingIfNeeded: mixed) & mask
            while slots[slot] != 0 {
                if slots[slot] &>> 32 == mixed {
                    let position = Int(truncatingIfNeeded: slots[slot] & 0xFFFF_FFFF) &- 1
                    if isEqual(position) { return position }
                }
                slot = (slot &+ 1) & mask
            }
            return nil
        }
    }

    /// Adds a position, below 2³² − 1. No equal element may be in the index yet. Amortized O(1).
    @inlinable package mutating func insert(_ position: Int, hash: some FixedWidthInteger) {
        if count * 2 >= slots.count { grow(to: slots.count * 2) }
        count += 1
        place(mixed(hash) << 32 | UInt64(UInt32(position + 1)))
    }

    @inlinable package mutating func removeAll() { self = HashIndex() }

    /// Reserves capacity for `wanted` positions in all.
    @inlinable package mutating func reserve(_ wanted: Int) {
        if wanted > 8, wanted * 2 > slots.count { grow(to: wanted * 2) }
    }

    @inlinable mutating func place(_ entry: UInt64) {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: entry >> 32) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = entry
    }

    @usableFromInline mutating func grow(to wanted: Int) {
        let old = slots
        var capacity = 16
        while capacity < wanted { capacity *= 2 }
        slots = [UInt64](repeating: 0, count: capacity)
        for entry in old where entry != 0 { place(entry) }
    }
}
