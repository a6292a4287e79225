// Rows of bytes in, one zlib stream out (RFC 1950, RFC 1951).
//
// A compressor looks at every byte of a long run as it does at others, and most of a text card are rows like the row above.
// Such rows are known beforehand, so the stream is put together: rows that differ become blocks of ``FlatBlock`` or of
// libdeflate, and a block of one fixed form stands for rows of zeros, which is what PNG's filter Up makes of rows that
// repeat. libdeflate only makes whole streams; their last block is found and marked as one that others follow.

import CFancyTextDeflate

/// A stream that is put together of pieces. Keeps its memory from one stream to the next.
struct ZlibStream {
    /// The first ``count`` bytes are the stream's, what follows is room.
    private var bytes: [UInt8] = []
    private var count = 0
    /// Bits after ``count`` that make no whole byte.
    private var pending: UInt64 = 0
    private var pendingCount = 0
    private var checksum: UInt32 = 1
    private var flatBlock = FlatBlock()
    private var scanner = DeflateScanner()

    /// Starts a stream; `room` is how many bytes it will probably take.
    mutating func begin(room: Int) {
        (count, pending, pendingCount, checksum) = (0, 0, 0, 1)
        makeRoom(room + 64)
        // A window of 32 KiB; a fast compressor.
        bytes[0] = 0x78
        bytes[1] = 0x01
        count = 2
    }

    /// The stream, after its last piece.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[..<count])) }
    }

    /// The stream's bytes so far; what comes after them begins anew.
    mutating func takeBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        withBytes(body)
        count = 0
    }

    private mutating func makeRoom(_ extra: Int) {
        let needed = count + extra + 16
        guard bytes.count < needed else { return }
        let old = bytes
        let capacity = max(needed, old.count * 2)
        bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
            _ = buffer.update(fromContentsOf: old[..<count])
            initialized = capacity
        }
    }

    // MARK: Pieces

    /// Appends rows of `stride` bytes as a block, if they are flat; else nothing, and false.
    mutating func appendFlat(_ input: UnsafeBufferPointer<UInt8>, stride: Int, isLast: Bool) -> Bool {
        guard flatBlock.read(input, stride: stride) else { return false }
        append(flatBlock, of: input, isLast: isLast)
        return true
    }

    /// Appends the block that bytes were read as.
    mutating func append(_ block: FlatBlock, of input: UnsafeBufferPointer<UInt8>, isLast: Bool) {
        checksum = libdeflate_adler32(checksum, input.baseAddress, input.count)
        makeRoom(block.bound)
        withWriter { block.write(isLast: isLast, to: &$0) }
        if isLast { finish() }
    }

    /// Appends bytes compressed by libdeflate; false when it cannot.
    mutating func append(
        _ input: UnsafeBufferPointer<UInt8>, isLast: Bool, _ compressor: OpaquePointer
    ) -> Bool {
        align()
        makeRoom(libdeflate_deflate_compress_bound(compressor, input.count))
        let length = bytes.withUnsafeMutableBytes { output in
            libdeflate_deflate_compress(
                compressor, input.baseAddress, input.count, output.baseAddress.map { $0 + count }, output.count - count)
        }
        guard length > 0 else { return false }
        checksum = libdeflate_adler32(checksum, input.baseAddress, input.count)
        guard !isLast else {
            count += length
            appendChecksum()
            return true
        }
        let last = bytes.withUnsafeBytes { output in
            guard let start = output.baseAddress else { preconditionFailure("a stream has room") }
            return scanner.lastBlock(of: start + count, count: length)
        }
        bytes[count + last.start >> 3] &= ~(1 << UInt8(last.start & 7))
        count += last.end >> 3
        pendingCount = last.end & 7
        pending = pendingCount > 0 ? UInt64(bytes[count]) & (1 << UInt64(pendingCount) - 1) : 0
        return true
    }

    /// Appends rows that are zeros after PNG's filter byte for Up: `rowBytes` of them in each row.
    mutating func appendRepeats(_ rows: Int, rowBytes: Int, isLast: Bool) {
        let (fullMatches, rest) = (rowBytes - 1).quotientAndRemainder(dividingBy: 258)
        let restCode = FlatBlock.lengthCode(max(3, rest))
        makeRoom(64 + rows * (fullMatches / 4 + 4))
        withWriter { writer in
            ZeroRows.header(isLast: isLast, restSymbol: restCode.symbol) { writer.put($0, $1) }
            for _ in 0..<rows {
                writer.put(ZeroRows.filterUp, 3)
                writer.put(ZeroRows.zero, 3)
                for _ in 0..<fullMatches { writer.put(ZeroRows.fullMatch, 2) }
                if rest >= 3 {
                    writer.put(ZeroRows.rest, 3)
                    // The distance, one bit of zero, comes last.
                    writer.put(restCode.extra, restCode.extraBits + 1)
                } else {
                    for _ in 0..<rest { writer.put(ZeroRows.zero, 3) }
                }
            }
            writer.put(ZeroRows.end, 3)
        }
        for _ in 0..<rows { appendChecksum(zeroRow: rowBytes) }
        if isLast { finish() }
    }

    /// Adler-32 (RFC 1950 §9) of a row: the filter byte, then zeros, which add the first sum to the second one.
    private mutating func appendChecksum(zeroRow rowBytes: Int) {
        let first = (checksum & 0xFFFF + 2) % 65521
        let second = (UInt64(checksum >> 16) + UInt64(first) * UInt64(rowBytes + 1)) % 65521
        checksum = UInt32(second) << 16 | first
    }

    private mutating func appendChecksum() {
        makeRoom(4)
        for shift: UInt32 in [24, 16, 8, 0] {
            bytes[count] = UInt8(truncatingIfNeeded: checksum >> shift)
            count += 1
        }
    }

    // MARK: Bits

    /// Appends bits, there being room.
    private mutating func withWriter(_ body: (inout BitWriter) -> Void) {
        bytes.withUnsafeMutableBytes { output in
            guard let start = output.baseAddress else { preconditionFailure("a stream has room") }
            var writer = BitWriter(to: start + count, pending: pending, pendingCount: pendingCount)
            body(&writer)
            count += writer.count
            (pending, pendingCount) = (writer.pending, writer.pendingCount)
        }
    }

    /// Fills the last byte with zeros, and ends the stream.
    private mutating func finish() {
        withWriter { $0.fillByte() }
        appendChecksum()
    }

    /// Goes on at a whole byte: where bits are pending, an empty stored block fills up the byte (RFC 1951 §3.2.4).
    private mutating func align() {
        guard pendingCount > 0 else { return }
        makeRoom(8)
        withWriter { writer in
            writer.put(0, 3)
            writer.fillByte()
            writer.put(0xFFFF_0000, 32)
        }
    }
}

/// The codes of a block of zero rows: lengths of 1 bit for a match of 258 bytes, and 3 bits for the two bytes that start a
/// row, the match that ends it, and the end of the block. The only distance is 1. Codes have their first bit lowest.
private enum ZeroRows {
    static let zero = 0b001, filterUp = 0b101, end = 0b011, rest = 0b111
    /// The code of length 258 and that of distance 1, a bit each.
    static let fullMatch = 0b00

    /// The header of a dynamic block with the lengths of these codes (§3.2.7), themselves in a code of 2 bits for the
    /// lengths 0, 3 and up to 138 zeros, and 3 bits for the length 1 and up to 10 zeros.
    static func header(isLast: Bool, restSymbol: Int, _ put: (_ value: Int, _ bits: Int) -> Void) {
        put(isLast ? 0b101 : 0b100, 3)
        // 286 symbols, 1 distance, 18 lengths of codes of lengths in the order 16, 17, 18, 0, 8, …, 3, …, 1.
        put(286 - 257, 5)
        put(1 - 1, 5)
        put(18 - 4, 4)
        for length in [0, 3, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3] { put(length, 3) }
        var next = 0
        func codes(from symbol: Int, length: Int) {
            var zeros = symbol - next
            while zeros >= 11 {
                let run = min(zeros, 138)
                put(0b01, 2)
                put(run - 11, 7)
                zeros -= run
            }
            if zeros >= 3 {
                put(0b111, 3)
                put(zeros - 3, 3)
            } else {
                for _ in 0..<zeros { put(0b00, 2) }
            }
            if length == 3 { put(0b10, 2) } else { put(0b011, 3) }
            next = symbol + 1
        }
        codes(from: 0, length: 3)
        codes(from: 2, length: 3)
        codes(from: 256, length: 3)
        codes(from: restSymbol, length: 3)
        codes(from: 285, length: 1)
        // The distance goes on where the symbols end.
        codes(from: 286, length: 1)
    }
}
