// A DEFLATE stream in, the place of its last block out (RFC 1951).
//
// Nothing is decompressed: of every code only the number of its bits matters, with those of the extra bits after it. That
// makes one table look-up of a literal and two of a match.

/// Finds bounds of blocks in streams that a compressor has made. Keeps its tables from one stream to the next.
struct DeflateScanner {
    /// By the next bits of a stream: the symbol's payload in the upper byte, the bits that it takes in the lower one.
    private struct CodeTable {
        /// Codes of up to this many bits, nearly all symbols of a stream, are found in a small table, which is soon built.
        private static let shortBits = 10
        /// 0 where a longer code starts.
        private var short = [UInt16](repeating: 0, count: 1 << shortBits)
        /// By the bits of the longest code; only what long codes reach is up to date.
        private var long: [UInt16] = [0]
        /// Bits of the longest code, and of the longest one in the small table.
        private var depth = 0
        private var shortDepth = 0

        /// - Parameters:
        ///   - lengths: bits of each symbol's code, 0 for a symbol without one.
        ///   - entry: the symbol's payload, and how many extra bits follow its code.
        mutating func build(_ lengths: ArraySlice<UInt8>, _ entry: (Int) -> (payload: Int, extraBits: Int)) {
            var counts = [Int](repeating: 0, count: 16)
            for length in lengths { counts[Int(length)] += 1 }
            depth = counts.lastIndex { $0 > 0 } ?? 0
            shortDepth = min(depth, Self.shortBits)
            if depth > shortDepth, long.count < 1 << depth { long = [UInt16](repeating: 0, count: 1 << depth) }
            // The first code of each length (§3.2.2).
            var next = [Int](repeating: 0, count: 17)
            counts[0] = 0
            for length in 1..<16 { next[length + 1] = (next[length] + counts[length]) << 1 }
            for (symbol, length) in zip(0..., lengths) where length > 0 {
                let length = Int(length)
                let (payload, extraBits) = entry(symbol)
                let word = UInt16(payload << 8 | length + extraBits)
                // Codes stand in the stream with their first bit lowest.
                let first = Int(HuffmanCode.reversed(next[length], UInt8(length)))
                next[length] += 1
                if length <= shortDepth {
                    for index in stride(from: first, to: 1 << shortDepth, by: 1 << length) { short[index] = word }
                } else {
                    short[first & (1 << shortDepth - 1)] = 0
                    for index in stride(from: first, to: 1 << depth, by: 1 << length) { long[index] = word }
                }
            }
        }

        /// Gives a function that finds the entry of the code that `bits` start with.
        @inline(__always)
        func withLookUp<Result>(_ body: (_ entry: (_ bits: UInt64) -> UInt16) -> Result) -> Result {
            let shortMask: UInt64 = 1 << UInt64(shortDepth) - 1
            let longMask: UInt64 = 1 << UInt64(depth) - 1
            return short.withUnsafeBufferPointer { short in
                long.withUnsafeBufferPointer { long in
                    guard let short = short.baseAddress, let long = long.baseAddress else {
                        preconditionFailure("tables are never empty")
                    }
                    return body { bits in
                        let entry = short[Int(bits & shortMask)]
                        return entry != 0 ? entry : long[Int(bits & longMask)]
                    }
                }
            }
        }
    }

    /// What a symbol of the alphabet of literals and lengths is.
    private enum Kind {
        static let literal: UInt16 = 0, match: UInt16 = 1, end: UInt16 = 2
    }

    private var symbols = CodeTable()
    private var distances = CodeTable()

    /// The bits, counted from the start of the stream, at which its last block starts and at which it ends.
    ///
    /// - Parameter stream: a whole stream without faults; the eight bytes after its `count` must be readable.
    /// - Complexity: O(*count*).
    mutating func lastBlock(of stream: UnsafeRawPointer, count: Int) -> (start: Int, end: Int) {
        var bit = 0
        while true {
            let start = bit
            let header = Self.bits(of: stream, at: bit)
            bit += 3
            switch header >> 1 & 3 {
            case 0:
                bit = (bit + 7) & ~7
                bit += 32 + 8 * Int(Self.bits(of: stream, at: bit) & 0xFFFF)
            case 1:
                let lengths = [144: 8, 112: 9, 24: 7, 8: 8] as KeyValuePairs
                build(
                    symbols: lengths.flatMap { [UInt8](repeating: UInt8($1), count: $0) }[...],
                    distances: [UInt8](repeating: 5, count: 32)[...])
                bit = skipSymbols(of: stream, from: bit, end: count * 8)
            default:
                bit = readCodes(of: stream, from: bit)
                bit = skipSymbols(of: stream, from: bit, end: count * 8)
            }
            precondition(bit <= count * 8, "a DEFLATE stream ends before its last block does")
            if header & 1 == 1 { return (start, bit) }
        }
    }

    /// At least 57 bits of the stream.
    @inline(__always)
    private static func bits(of stream: UnsafeRawPointer, at bit: Int) -> UInt64 {
        UInt64(littleEndian: stream.loadUnaligned(fromByteOffset: bit >> 3, as: UInt64.self)) >> UInt64(bit & 7)
    }

    private mutating func build(symbols lengths: ArraySlice<UInt8>, distances distanceLengths: ArraySlice<UInt8>) {
        symbols.build(lengths) { symbol in
            let kind = symbol < 256 ? Kind.literal : symbol == 256 ? Kind.end : Kind.match
            // Codes of lengths (§3.2.5): four for each number of extra bits, but none for 258 itself.
            return (Int(kind), symbol < 265 || symbol == 285 ? 0 : (symbol - 261) / 4)
        }
        distances.build(distanceLengths) { symbol in (0, symbol < 4 ? 0 : (symbol - 2) / 2) }
    }

    /// Reads the codes of a dynamic block (§3.2.7), and returns where they end.
    private mutating func readCodes(of stream: UnsafeRawPointer, from start: Int) -> Int {
        let counts = Self.bits(of: stream, at: start)
        let symbolCount = Int(counts & 31) + 257
        let total = symbolCount + Int(counts >> 5 & 31) + 1
        var bit = start + 14
        var lengths = [UInt8](repeating: 0, count: 19)
        for position in 0..<Int(counts >> 10 & 15) + 4 {
            lengths[Int(Self.codeLengthOrder[position])] = UInt8(Self.bits(of: stream, at: bit) & 7)
            bit += 3
        }
        symbols.build(lengths[...]) { symbol in (symbol, 0) }
        var all: [UInt8] = []
        all.reserveCapacity(total + 138)
        symbols.withLookUp { entry in
            while all.count < total {
                let next = Self.bits(of: stream, at: bit)
                let entry = entry(next)
                let extra = Int(next >> UInt64(entry & 255))
                bit += Int(entry & 255)
                switch entry >> 8 {
                case 16:
                    all.append(contentsOf: repeatElement(all.last ?? 0, count: 3 + extra & 3))
                    bit += 2
                case 17:
                    all.append(contentsOf: repeatElement(0, count: 3 + extra & 7))
                    bit += 3
                case 18:
                    all.append(contentsOf: repeatElement(0, count: 11 + extra & 127))
                    bit += 7
                case let length: all.append(UInt8(length))
                }
            }
        }
        build(symbols: all[..<symbolCount], distances: all[symbolCount..<total])
        return bit
    }

    /// The order in which a block gives the lengths of the code of lengths (§3.2.7).
    static let codeLengthOrder: [UInt8] = [
        16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
    ]

    /// The bit after the end of the block's symbols.
    private func skipSymbols(of stream: UnsafeRawPointer, from start: Int, end: Int) -> Int {
        symbols.withLookUp { symbol in
            distances.withLookUp { distance in
                var bit = start
                while bit < end {
                    // A match takes 48 bits at most, so they are all there.
                    let next = Self.bits(of: stream, at: bit)
                    let entry = symbol(next)
                    bit &+= Int(entry & 255)
                    guard entry >> 8 != Kind.literal else { continue }
                    if entry >> 8 == Kind.end { return bit }
                    bit &+= Int(distance(next >> UInt64(entry & 255)) & 255)
                }
                return bit
            }
        }
    }
}
