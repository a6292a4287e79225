// UTF-8 bytes in, scalars out: what the text writers need of UTF-8, without String.

/// Reading UTF-8 byte by byte (Unicode 15 §3.9, table 3-7).
@usableFromInline
package enum UTF8Scan {
    /// Bytes of the well-formed sequence at `index`; 0 when there is none. O(1).
    @inlinable package static func scalarLength(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        let first = text[index]
        if first < 0x80 { return 1 }
        let length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
        guard length > 0, index + length <= text.count else { return 0 }
        let second = text[index + 1]
        let low: UInt8 = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80
        let high: UInt8 = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF
        guard second >= low && second <= high else { return 0 }
        for offset in stride(from: 2, to: length, by: 1) where text[index + offset] & 0xC0 != 0x80 { return 0 }
        return length
    }

    /// The scalar at `index` and its length; U+FFFD and 1 for a byte that is not UTF-8. O(1).
    @inlinable package static func scalar(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> (
        value: UInt32, length: Int
    ) {
        let length = scalarLength(text, at: index)
        let first = UInt32(text[index])
        switch length {
        case 1: return (first, 1)
        case 2: return ((first & 0x1F) << 6 | UInt32(text[index + 1] & 0x3F), 2)
        case 3:
            return ((first & 0x0F) << 12 | UInt32(text[index + 1] & 0x3F) << 6 | UInt32(text[index + 2] & 0x3F), 3)
        case 4:
            let high = (first & 0x07) << 18 | UInt32(text[index + 1] & 0x3F) << 12
            return (high | UInt32(text[index + 2] & 0x3F) << 6 | UInt32(text[index + 3] & 0x3F), 4)
        default: return (0xFFFD, 1)
        }
    }

    /// Appends `scalar` as UTF-8.
    @inlinable package static func append(_ scalar: UInt32, to bytes: inout [UInt8]) {
        let value = Unicode.Scalar(scalar) ?? "\u{FFFD}"
        bytes.append(contentsOf: UTF8.encode(value) ?? UTF8.encodedReplacementCharacter)
    }
}
