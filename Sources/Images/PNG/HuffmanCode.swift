// Computes a canonical Huffman code of bounded length from the frequencies of symbols (RFC 1951 §3.2.2). Codes over the bound are
// shortened, and others lengthened until all fit again.

struct HuffmanCode {
    /// The length of each symbol's code in bits; 0 for symbols that do not occur.
    private(set) var lengths: [UInt8]
    /// The codes with their first bit lowest, as in a stream.
    private(set) var codes: [UInt16]

    /// - Complexity: O(*n* log *n*) for *n* symbols that occur.
    init(_ counts: [UInt32], longest: Int) {
        lengths = [UInt8](repeating: 0, count: counts.count)
        codes = [UInt16](repeating: 0, count: counts.count)
        // The count in the upper bits, the symbol in the lower: equal counts have a fixed order.
        let used = counts.indices.filter { counts[$0] > 0 }.map { UInt64(counts[$0]) << 16 | UInt64($0) }.sorted()
        var perLength = Self.lengthCounts(used.map { Int($0 >> 16) }, longest: longest)
        // The rarest symbols have the longest codes.
        var length = longest
        for entry in used {
            while perLength[length] == 0 { length -= 1 }
            perLength[length] -= 1
            lengths[Int(entry & 0xFFFF)] = UInt8(length)
        }
        number(longest: longest)
    }

    private static func lengthCounts(_ counts: [Int], longest: Int) -> [Int] {
        var result = [Int](repeating: 0, count: longest + 1)
        guard counts.count > 1 else {
            result[1] = counts.count
            return result
        }
        for depth in depths(counts) { result[min(depth, longest)] += 1 }
        // Kraft's sum, in units of the longest code.
        var sum = 0
        for length in 1...longest { sum += result[length] << (longest - length) }
        while sum > 1 << longest {
            // A leaf moves down and becomes the sibling of one of the longest codes, which frees a code.
            guard let length = (1..<longest).last(where: { result[$0] > 0 }) else { break }
            result[longest] -= 1
            result[length] -= 1
            result[length + 1] += 2
            sum -= 1
        }
        return result
    }

    /// The depths in the Huffman tree of two or more counts in ascending order.
    private static func depths(_ counts: [Int]) -> ArraySlice<Int> {
        // The leaves, then the inner nodes, whose weights ascend too. The last one is the root.
        var weights = counts
        var parents = [Int](repeating: 0, count: 2 * counts.count - 1)
        var (leaf, inner) = (0, counts.count)
        func takeLightest() -> Int {
            let isInner = leaf == counts.count || inner < weights.count && weights[inner] < weights[leaf]
            parents[isInner ? inner : leaf] = weights.count
            defer { if isInner { inner += 1 } else { leaf += 1 } }
            return weights[isInner ? inner : leaf]
        }
        while weights.count < parents.count { weights.append(takeLightest() + takeLightest()) }
        var depths = [Int](repeating: 0, count: parents.count)
        for node in parents.indices.dropLast().reversed() { depths[node] = depths[parents[node]] + 1 }
        return depths[..<counts.count]
    }

    private mutating func number(longest: Int) {
        var next = [Int](repeating: 0, count: longest + 2)
        for length in lengths where length > 0 { next[Int(length) + 1] += 1 }
        for length in 1...longest { next[length + 1] = (next[length + 1] + next[length]) << 1 }
        for (symbol, length) in lengths.enumerated() where length > 0 {
            codes[symbol] = Self.reversed(next[Int(length)], length)
            next[Int(length)] += 1
        }
    }

    /// A code of `length` bits, 1–15, with its first bit lowest.
    static func reversed(_ code: Int, _ length: UInt8) -> UInt16 {
        (0..<length).reduce(0) { bits, place in bits << 1 | UInt16(code >> Int(place) & 1) }
    }
}

/// Writes into memory with space for all bits and eight more bytes.
struct BitWriter {
    private let target: UnsafeMutableRawPointer
    private(set) var count = 0
    /// The bits that do not fill a byte yet: fewer than 8 of them between two calls.
    private var pending: UInt64 = 0
    private var pendingCount = 0

    init(to target: UnsafeMutableRawPointer) { self.target = target }

    /// Appends up to 56 bits; the bits of `value` above them must be 0.
    @inline(__always) mutating func put(_ value: UInt64, _ bits: Int) {
        pending |= value &<< UInt64(truncatingIfNeeded: pendingCount)
        pendingCount &+= bits
        target.storeBytes(of: pending.littleEndian, toByteOffset: count, as: UInt64.self)
        count &+= pendingCount &>> 3
        pending &>>= UInt64(truncatingIfNeeded: pendingCount & ~7)
        pendingCount &= 7
    }

    @inline(__always) mutating func put(_ value: Int, _ bits: Int) { put(UInt64(truncatingIfNeeded: value), bits) }

    mutating func fillByte() { if pendingCount > 0 { put(0, 8 - pendingCount) } }
}
