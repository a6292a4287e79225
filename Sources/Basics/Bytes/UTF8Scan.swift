// The project's one UTF-8 decoder (Unicode 15 §3.9, table 3-7): bytes in, scalars out, without String.

@usableFromInline package enum UTF8Scan {
    /// The length of the well-formed sequence at `index` that ends by `end`; 0 if it is ill-formed. O(1).
    @inlinable @inline(__always)
    package static func scalarLength(_ text: UnsafeBufferPointer<UInt8>, at index: Int, end: Int) -> Int {
        let first = text[index]
        if first < 0x80 { return 1 }
        let length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
        guard length > 0, index + length <= end else { return 0 }
        let second = text[index + 1]
        let low: UInt8 = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80
        let high: UInt8 = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF
        guard second >= low && second <= high else { return 0 }
        if length > 2, text[index + 2] & 0xC0 != 0x80 { return 0 }
        if length > 3, text[index + 3] & 0xC0 != 0x80 { return 0 }
        return length
    }

    @inlinable package static func append(_ scalar: UInt32, to bytes: inout [UInt8]) {
        let value = Unicode.Scalar(scalar) ?? "\u{FFFD}"
        bytes.append(contentsOf: UTF8.encode(value) ?? UTF8.encodedReplacementCharacter)
    }
}

/// The scalar at `index` and the number of its bytes. Ill-formed bytes count as U+FFFD, one byte each. O(1).
@inlinable @inline(__always)
package func scalar(in text: UnsafeBufferPointer<UInt8>, at index: Int, end: Int) -> (value: UInt32, length: Int) {
    let lead = text[index]
    if lead < 0x80 { return (UInt32(lead), 1) }
    let length = UTF8Scan.scalarLength(text, at: index, end: end)
    guard length > 0 else { return (0xFFFD, 1) }
    var value = UInt32(lead) & (0xFF >> UInt32(length + 1))
    for offset in 1..<length { value = value << 6 | UInt32(text[index + offset] & 0x3F) }
    return (value, length)
}

/// The scalars of a range of UTF-8, each with the index of its first byte.
@usableFromInline package struct UTF8Scalars: Sequence, IteratorProtocol {
    @usableFromInline let text: UnsafeBufferPointer<UInt8>
    @usableFromInline var rest: Range<Int>

    @inlinable package init(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
        (self.text, rest) = (text, range)
    }

    @inlinable @inline(__always) package mutating func next() -> (index: Int, value: UInt32)? {
        guard let index = rest.first else { return nil }
        let (value, length) = scalar(in: text, at: index, end: rest.upperBound)
        rest = index + length..<rest.upperBound
        return (index, value)
    }
}

/// The last scalar of a text; 0 for none. O(1).
package func lastScalar(of bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBufferPointer { text in
        if text.isEmpty { return 0 }
        return scalar(in: text, at: scalarStart(in: text, before: text.count, from: 0), end: text.count).value
    }
}

/// The start of the scalar that ends before `index`, not before `start`. O(1).
@inlinable @inline(__always)
package func scalarStart(in text: UnsafeBufferPointer<UInt8>, before index: Int, from start: Int) -> Int {
    var position = index - 1
    while position > start, text[position] & 0xC0 == 0x80, index - position < 4 { position -= 1 }
    return position
}
