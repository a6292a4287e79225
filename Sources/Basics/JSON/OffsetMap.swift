// Byte offsets of UTF-8 text as offsets in another unit.

/// What offsets in JSON count.
public enum OffsetUnit: String, CaseIterable, Sendable {
    case utf8, utf16, scalar, grapheme
}

/// Converts byte offsets of one text. Building is O(n); a look-up reads at most one block.
package struct OffsetMap {
    private static let block = 128
    private let bytes: [UInt8]
    private let unit: OffsetUnit
    /// Units before each block.
    private var counts: [Int] = []
    /// Byte offsets of grapheme clusters' starts, ascending; only for graphemes.
    private var starts: [Int] = []

    package init(_ bytes: [UInt8], unit: OffsetUnit) {
        self.bytes = bytes
        self.unit = unit
        switch unit {
        case .utf8: break
        case .utf16, .scalar:
            counts.reserveCapacity(bytes.count / Self.block + 1)
            var count = 0
            for (index, byte) in bytes.enumerated() {
                if index % Self.block == 0 { counts.append(count) }
                count += width(byte)
            }
        case .grapheme:
            let text = String(decoding: bytes, as: UTF8.self)
            var start = 0
            for character in text {
                starts.append(start)
                start += character.utf8.count
            }
        }
    }

    private func width(_ byte: UInt8) -> Int {
        switch unit {
        case .utf8: 1
        case .scalar: byte & 0xC0 != 0x80 ? 1 : 0
        case .utf16: byte & 0xC0 == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1
        case .grapheme: 0
        }
    }

    /// The offset in units of the byte at `offset`.
    package func convert(_ offset: Int) -> Int {
        let offset = min(max(0, offset), bytes.count)
        switch unit {
        case .utf8: return offset
        case .utf16, .scalar:
            guard !counts.isEmpty else { return 0 }
            let index = min(offset / Self.block, counts.count - 1)
            var count = counts[index]
            for position in index * Self.block..<offset { count += width(bytes[position]) }
            return count
        case .grapheme:
            var low = 0
            var high = starts.count
            while low < high {
                let middle = (low + high) / 2
                if starts[middle] < offset { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }
}
