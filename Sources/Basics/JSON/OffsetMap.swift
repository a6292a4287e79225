// Converts byte offsets of UTF-8 text to another unit.

/// The unit of offsets in JSON.
public enum OffsetUnit: String, CaseIterable, Sendable { case utf8, utf16, scalar, grapheme }

/// Converts byte offsets of one text. Building is O(n); a look-up scans at most one block.
package struct OffsetMap {
    private static let block = 64
    private let bytes: [UInt8]
    private let unit: OffsetUnit
    /// The number of units before each block, and before the end of the last whole one.
    private var counts: [Int] = []
    /// The byte offsets of grapheme clusters, ascending; only for graphemes.
    private var starts: [Int] = []

    package init(_ bytes: [UInt8], unit: OffsetUnit) {
        (self.bytes, self.unit) = (bytes, unit)
        switch unit {
        case .utf8: break
        case .utf16, .scalar:
            counts = [0]
            for end in stride(from: Self.block, through: bytes.count, by: Self.block) {
                counts.append(counts[counts.count - 1] + units(in: end - Self.block..<end))
            }
        case .grapheme:
            var start = 0
            for character in String(decoding: bytes, as: UTF8.self) {
                starts.append(start)
                start += character.utf8.count
            }
        }
    }

    /// The number of UTF-16 units or scalars that start in `range`.
    private func units(in range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 + width($1) } }

    private func width(_ byte: UInt8) -> Int {
        switch unit {
        case .utf8: 1
        case .scalar: byte & 0xC0 != 0x80 ? 1 : 0
        case .utf16: byte & 0xC0 == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1
        case .grapheme: 0
        }
    }

    package func convert(_ offset: Int) -> Int {
        let offset = min(max(0, offset), bytes.count)
        switch unit {
        case .utf8: return offset
        case .utf16, .scalar:
            let index = offset / Self.block
            return counts[index] + units(in: index * Self.block..<offset)
        case .grapheme: return starts.partitioningIndex { $0 >= offset }
        }
    }
}
