// Writes bits into bytes, the first bit lowest (RFC 1951 §3.1.1).

/// Writes into memory with space for all bits and eight more bytes.
struct BitWriter {
    private let target: UnsafeMutableRawPointer
    /// The number of whole bytes written.
    private(set) var count = 0
    /// The bits that do not fill a byte yet: fewer than 8 of them between two calls.
    private var pending: UInt64 = 0
    private var pendingCount = 0

    init(to target: UnsafeMutableRawPointer) { self.target = target }

    /// Appends up to 56 bits; the bits of `value` above them must be 0.
    @inline(__always)
    mutating func put(_ value: UInt64, _ bits: Int) {
        pending |= value &<< UInt64(truncatingIfNeeded: pendingCount)
        pendingCount &+= bits
        target.storeBytes(of: pending.littleEndian, toByteOffset: count, as: UInt64.self)
        count &+= pendingCount &>> 3
        pending &>>= UInt64(truncatingIfNeeded: pendingCount & ~7)
        pendingCount &= 7
    }

    @inline(__always)
    mutating func put(_ value: Int, _ bits: Int) { put(UInt64(truncatingIfNeeded: value), bits) }

    /// Fills the last byte with zeros.
    mutating func fillByte() {
        if pendingCount > 0 { put(0, 8 - pendingCount) }
    }
}
