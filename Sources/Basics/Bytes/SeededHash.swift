// The project's one hash function. In: words and bytes. Out: a number. Each step folds a 64 × 64-bit product into 64 bits; its
// factor and start are random in each process, so no author can choose names that collide. No output depends on them.

/// A hash that takes its input piece by piece.
@frozen @usableFromInline package struct SeededHash: Sendable {
    @usableFromInline var state: UInt64
    @usableFromInline let factor: UInt64

    /// The start of all seeded hashes of this process.
    @usableFromInline static let process = SeededHash(
        state: .random(in: .min ... .max), factor: .random(in: .min ... .max) | 1)

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

    @inlinable package var value: UInt64 { state }

    @inlinable package static func of(_ bytes: some Sequence<UInt8>, space: UInt64 = 0) -> UInt64 {
        var hash = SeededHash(space: space)
        hash.add(bytes)
        return hash.value
    }
}
