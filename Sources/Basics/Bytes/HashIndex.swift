// The project's one hash function for words and bytes, and its one hash table: positions in an array by hashes. Each step of the
// function folds a 64 × 64-bit product into 64 bits; its factor and start are random in each process, so no author can choose names
// that collide. No output depends on them. A dictionary's first use with a key type of the project is slower than all look-ups,
// because it searches all conformances.

/// A hash that takes its input piece by piece.
@frozen @usableFromInline package struct SeededHash: Sendable {
    @usableFromInline var state: UInt64
    @usableFromInline let factor: UInt64

    /// The start of all seeded hashes of this process.
    @usableFromInline static let process = SeededHash(
        state: .random(in: .min ... .max), factor: .random(in: .min ... .max) | 1)
    /// A start value that is the same in every process, for checksums of files.
    package static let fixed = SeededHash(state: 0x243F_6A88_85A3_08D3, factor: 0x1319_8A2E_0370_7345)

    @inlinable init(state: UInt64, factor: UInt64) { (self.state, self.factor) = (state, factor) }

    /// - Parameter space: Equal values in different spaces have different hashes.
    @inlinable package init(space: UInt64 = 0) {
        self = .process
        if space != 0 { add(space) }
    }

    @inlinable @inline(__always) package mutating func add(_ word: UInt64) {
        let product = (state ^ word).multipliedFullWidth(by: factor)
        state = product.high ^ product.low ^ word
    }

    /// Adds bytes and their number, eight bytes at a time.
    @inlinable package mutating func add(_ bytes: some Sequence<UInt8>) {
        var word: UInt64 = 0
        var count: UInt64 = 0
        for byte in bytes {
            word |= UInt64(byte) &<< (count & 7 &* 8)
            count &+= 1
            if count & 7 == 0 {
                add(word)
                word = 0
            }
        }
        add(word ^ count &<< 56)
    }

    /// Adds the same as ``add(_:)-(Sequence)`` from memory.
    @inlinable package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var at = 0
        while at &+ 8 <= bytes.count {
            add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
            at &+= 8
        }
        var word: UInt64 = 0
        for shift in 0..<(bytes.count &- at) { word |= UInt64(bytes[at &+ shift]) &<< UInt64(shift &* 8) }
        add(word ^ UInt64(truncatingIfNeeded: bytes.count) &<< 56)
    }

    @inlinable package var value: UInt64 { state }

    @inlinable package static func of(_ bytes: some Sequence<UInt8>, space: UInt64 = 0) -> UInt64 {
        var hash = SeededHash(space: space)
        hash.add(bytes)
        return hash.value
    }
}

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
