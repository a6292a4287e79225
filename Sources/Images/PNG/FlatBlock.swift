// The rows of a flat picture as a zlib stream with one DEFLATE block (RFC 1950, RFC 1951).
// Rows of text on a plain background consist of runs and pieces equal to the row above, so each byte is only compared with those
// to the left and above. A text card of 1200×630 takes 0.1 ms and 20 KB, with libdeflate 1.3 ms and 18 KB, a whole card of `--data`
// 0.6 ms. Pictures that repeat in other ways have too many tokens and are left to libdeflate.

import CFancyTextDeflate

/// Reads rows as tokens and writes them as a block. Keeps its memory for the next picture.
struct FlatBlock {
    /// A byte, or a match of a length with the byte to the left or the row above: so few that a table can hold each one's code.
    private enum Kind {
        /// The kinds of a run and of a match with the row above, of length 0.
        static let run = 256
        static let above = run + longestMatch + 1
        static let count = above + longestMatch + 1
    }

    private static let longestMatch = 258
    private static let shortestMatch = 3
    /// The row lengths for which this works: long enough for a match, and within the farthest distance of one.
    private static let strides = 5...1 << 15
    /// Repeats of this many bytes become zeros with the filter Up: runs take two bits, matches with the row above a dozen.
    private static let leastZeros = 1 << 14
    /// With fewer bytes for each token libdeflate's blocks are much smaller: by a tenth at 5 bytes, by a third at 4.
    private static let bytesPerToken = 4

    private var tokens: [UInt16] = []
    private var tokenCount = 0
    private var counts = [UInt32](repeating: 0, count: Kind.count)
    /// The distance in bytes from a row to the one below.
    private var stride = 0
    private var checksum: UInt32 = 1

    /// Reads a picture's rows; false if they are not flat. O(*bytes*).
    mutating func read(_ rows: PNGRows) -> Bool {
        (stride, checksum, tokenCount) = (rows.stride, 1, 0)
        guard Self.strides.contains(stride), let start = rows.bytes.baseAddress else { return false }
        let repeated = rows.runs.reduce(0) { $0 + $1.repeats * (stride / Self.longestMatch + 4) }
        // Short rows have few bytes for their tokens.
        var most = rows.bytes.count / Self.bytesPerToken + 256
        if tokens.count < most + repeated {
            tokens = [UInt16](unsafeUninitializedCapacity: most + repeated) { $1 = most + repeated }
        }
        for kind in counts.indices { counts[kind] = 0 }
        return tokens.withUnsafeMutableBufferPointer { tokens in
            counts.withUnsafeMutableBufferPointer { counts in
                guard let tokens = tokens.baseAddress, let counts = counts.baseAddress else { return false }
                var writer = TokenWriter(tokens: tokens, counts: counts)
                /// The first byte that a match may refer to.
                var first = 0
                for run in rows.runs {
                    let (place, end) = (run.rows.lowerBound * stride, run.rows.upperBound * stride)
                    guard Self.read(start + first, place - first..<end - first, stride, &writer, most)
                    else { return false }
                    checksum = libdeflate_adler32(checksum, start + place, end - place)
                    guard run.repeats > 0 else { continue }
                    let before = writer.count
                    if run.repeats * stride >= Self.leastZeros {
                        for _ in 0..<run.repeats { Self.appendZeroRow(stride, &writer, &checksum) }
                        first = end
                    } else {
                        writer.appendMatch(run.repeats * stride, Kind.above)
                        for _ in 0..<run.repeats {
                            checksum = libdeflate_adler32(checksum, start + (end - stride), stride)
                        }
                    }
                    most += writer.count - before
                }
                tokenCount = writer.count
                return true
            }
        }
    }

    /// Appends a row equal to the one above: the filter Up, then zeros, for which Adler-32 (RFC 1950 §9) adds the first sum to the
    /// second.
    private static func appendZeroRow(_ stride: Int, _ writer: inout TokenWriter, _ checksum: inout UInt32) {
        let filterUp: UInt32 = 2
        writer.append(Int(filterUp))
        writer.append(0)
        writer.appendMatch(stride - 2, Kind.run)
        let first = (checksum & 0xFFFF + filterUp) % 65521
        let second = (UInt64(checksum >> 16) + UInt64(first) * UInt64(stride)) % 65521
        checksum = UInt32(second) << 16 | first
    }

    /// Reads bytes as tokens; false if there are more than `most`.
    private static func read(
        _ start: UnsafePointer<UInt8>, _ range: Range<Int>, _ stride: Int, _ writer: inout TokenWriter, _ most: Int
    ) -> Bool {
        var at = range.lowerBound
        while at < range.upperBound {
            let left = range.upperBound &- at
            let run = at > 0 ? commonLength(start + at, start + (at &- 1), left) : 0
            let above = at >= stride ? commonLength(start + at, start + (at &- stride), left) : 0
            let length = max(run, above)
            if length < shortestMatch {
                guard writer.count &+ 1 < most else { return false }
                writer.append(Int(start[at]))
                at &+= 1
            } else {
                guard writer.count &+ length / longestMatch &+ 2 < most else { return false }
                writer.appendMatch(length, run >= above ? Kind.run : Kind.above)
                at &+= length
            }
        }
        return true
    }

    private struct TokenWriter {
        let tokens: UnsafeMutablePointer<UInt16>
        let counts: UnsafeMutablePointer<UInt32>
        var count = 0

        @inline(__always) mutating func append(_ kind: Int) {
            tokens[count] = UInt16(truncatingIfNeeded: kind)
            counts[kind] &+= 1
            count &+= 1
        }

        @inline(__always) mutating func appendMatch(_ length: Int, _ kind: Int) {
            var length = length
            while length > longestMatch {
                // The rest must be long enough for a match.
                let part = min(longestMatch, length &- shortestMatch)
                append(kind &+ part)
                length &-= part
            }
            append(kind &+ length)
        }
    }

    /// The number of equal bytes at two places, up to `limit`.
    @inline(__always)
    private static func commonLength(_ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ limit: Int) -> Int {
        let (rawA, rawB) = (UnsafeRawPointer(a), UnsafeRawPointer(b))
        var length = 0
        while limit &- length >= 8 {
            let difference =
                rawA.loadUnaligned(fromByteOffset: length, as: UInt64.self)
                ^ rawB.loadUnaligned(fromByteOffset: length, as: UInt64.self)
            if difference != 0 { return length &+ UInt64(littleEndian: difference).trailingZeroBitCount >> 3 }
            length &+= 8
        }
        while length < limit, a[length] == b[length] { length &+= 1 }
        return length
    }

    func stream() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: tokenCount * 6 + 528) { target, count in
            guard let target = target.baseAddress else { return }
            var writer = BitWriter(to: target)
            // The header: a window of 32 KiB, and a fast compressor.
            writer.put(0x0178, 16)
            writeBlock(to: &writer)
            writer.fillByte()
            writer.put(UInt64(checksum.byteSwapped), 32)
            count = writer.count
        }
    }

    private func writeBlock(to writer: inout BitWriter) {
        var symbolCounts = [UInt32](repeating: 0, count: 286)
        var distanceCounts = [UInt32](repeating: 0, count: 30)
        symbolCounts.replaceSubrange(..<256, with: counts[..<256])
        symbolCounts[Self.endOfBlock] = 1
        // Only a few of the many lengths occur. A run is a match with the byte before.
        var matches: [(kind: Int, length: Code, distance: Code)] = []
        for (kind, distance) in [(Kind.run, Self.distanceCode(1)), (Kind.above, Self.distanceCode(stride))] {
            for length in Self.shortestMatch...Self.longestMatch where counts[kind + length] > 0 {
                matches.append((kind + length, Self.lengthCode(length), distance))
                symbolCounts[Self.lengthCode(length).symbol] += counts[kind + length]
                distanceCounts[distance.symbol] += counts[kind + length]
            }
        }
        let symbols = HuffmanCode(symbolCounts, longest: 15)
        let distances = HuffmanCode(distanceCounts, longest: 15)
        // The last block, with dynamic codes.
        writer.put(0b101, 3)
        Self.writeLengths(symbols.lengths, distances.lengths, to: &writer)

        // The whole code of each kind: its bits, and their number in the lowest 6 bits.
        var codes = [UInt64](repeating: 0, count: Kind.count)
        for byte in 0..<256 { codes[byte] = UInt64(symbols.codes[byte]) << 6 | UInt64(symbols.lengths[byte]) }
        for (kind, length, distance) in matches {
            var (value, bits) = (UInt64(0), UInt64(0))
            func append(_ code: Code, _ huffman: HuffmanCode) {
                value |= UInt64(huffman.codes[code.symbol]) << bits
                bits += UInt64(huffman.lengths[code.symbol])
                value |= UInt64(code.extra) << bits
                bits += UInt64(code.extraBits)
            }
            append(length, symbols)
            append(distance, distances)
            codes[kind] = value << 6 | bits
        }
        codes.withUnsafeBufferPointer { codes in
            tokens.withUnsafeBufferPointer { tokens in
                for index in 0..<tokenCount {
                    let code = codes[Int(tokens[index])]
                    writer.put(code >> 6, Int(code & 63))
                }
            }
        }
        writer.put(Int(symbols.codes[Self.endOfBlock]), Int(symbols.lengths[Self.endOfBlock]))
    }

    private static let endOfBlock = 256
    /// The order in which a block lists the lengths of the codes for lengths.
    private static let codeLengthOrder: [UInt8] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// A symbol and its extra bits (§3.2.5).
    private typealias Code = (symbol: Int, extra: Int, extraBits: Int)

    /// The code of a match of `length` bytes.
    private static func lengthCode(_ length: Int) -> Code {
        length == longestMatch ? (285, 0, 0) : code(length - shortestMatch, bits: 2, from: 257)
    }

    /// The code of a match `distance` bytes back.
    private static func distanceCode(_ distance: Int) -> Code { code(distance - 1, bits: 1, from: 0) }

    /// The code of a value whose highest bit and the `bits` below it are in the symbol.
    private static func code(_ value: Int, bits: Int, from first: Int) -> Code {
        let extraBits = max(0, Int.bitWidth - value.leadingZeroBitCount - bits - 1)
        return (first + (extraBits << bits) + (value >> extraBits), value & ((1 << extraBits) - 1), extraBits)
    }

    /// Writes the lengths of both codes (§3.2.7): zeros as runs, others one by one.
    private static func writeLengths(_ symbols: [UInt8], _ distances: [UInt8], to writer: inout BitWriter) {
        let symbols = symbols[..<max(257, (symbols.lastIndex { $0 > 0 } ?? 0) + 1)]
        let distances = distances[..<max(1, (distances.lastIndex { $0 > 0 } ?? 0) + 1)]
        // The symbols of the code for lengths, each with the value of its extra bits.
        var items: [(symbol: Int, extra: Int)] = []
        var zeros = 0
        func endZeros() {
            while zeros >= 3 {
                let run = min(zeros, 138)
                items.append(run >= 11 ? (18, run - 11) : (17, run - 3))
                zeros -= run
            }
            for _ in 0..<zeros { items.append((0, 0)) }
            zeros = 0
        }
        for length in symbols + distances {
            if length == 0 {
                zeros += 1
            } else {
                endZeros()
                items.append((Int(length), 0))
            }
        }
        endZeros()
        var counts = [UInt32](repeating: 0, count: 19)
        for item in items { counts[item.symbol] += 1 }
        let code = HuffmanCode(counts, longest: 7)
        let order = Self.codeLengthOrder
        let orderCount = max(4, (order.lastIndex { code.lengths[Int($0)] > 0 } ?? 0) + 1)
        writer.put(symbols.count - 257, 5)
        writer.put(distances.count - 1, 5)
        writer.put(orderCount - 4, 4)
        for symbol in order[..<orderCount] { writer.put(Int(code.lengths[Int(symbol)]), 3) }
        for item in items {
            writer.put(Int(code.codes[item.symbol]), Int(code.lengths[item.symbol]))
            if item.symbol >= 17 { writer.put(item.extra, item.symbol == 17 ? 3 : 7) }
        }
    }
}
