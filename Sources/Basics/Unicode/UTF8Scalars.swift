// Unicode scalars in a byte buffer, and the properties that itemization and breaking ask of them.

import CUnicode

/// The scalar at `index` and the number of its bytes. Ill-formed bytes count as U+FFFD, one byte each. O(1).
@inlinable @inline(__always)
package func scalar(in text: UnsafeBufferPointer<UInt8>, at index: Int, end: Int) -> (value: UInt32, length: Int) {
    let lead = text[index]
    if lead < 0x80 { return (UInt32(lead), 1) }
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    guard lead >= 0xC2, lead < 0xF5, index + length <= end else { return (0xFFFD, 1) }
    var value = UInt32(lead) & (0xFF >> UInt32(length + 1))
    for offset in 1..<length {
        let byte = text[index + offset]
        guard byte & 0xC0 == 0x80 else { return (0xFFFD, 1) }
        value = value << 6 | UInt32(byte & 0x3F)
    }
    return (value, length)
}

/// The start of the scalar that ends before `index`, not before `start`. O(1).
@inlinable @inline(__always)
package func scalarStart(in text: UnsafeBufferPointer<UInt8>, before index: Int, from start: Int) -> Int {
    var position = index - 1
    while position > start, text[position] & 0xC0 == 0x80, index - position < 4 { position -= 1 }
    return position
}

/// Whether all bytes of the range are ASCII. Eight bytes at a time.
@inlinable package func isASCII(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
    guard let base = text.baseAddress else { return true }
    let start = UnsafeRawPointer(base)
    var index = range.lowerBound
    while index + 8 <= range.upperBound {
        if start.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { return false }
        index += 8
    }
    while index < range.upperBound {
        if base[index] >= 0x80 { return false }
        index += 1
    }
    return true
}

@inlinable @inline(__always)
package func unicodeRecord(_ scalar: UInt32) -> UnicodeRecord { unicode_record(scalar) }

extension UnicodeRecord {
    @inlinable @inline(__always) package func has(_ flag: Int) -> Bool { flags & UInt16(truncatingIfNeeded: flag) != 0 }
    @inlinable @inline(__always) package var isDefaultIgnorable: Bool { has(UnicodeFlagDefaultIgnorable) }
    @inlinable @inline(__always) package var isMark: Bool { has(UnicodeFlagMark) }
    @inlinable @inline(__always) package var isWide: Bool { has(UnicodeFlagWide) }
}

/// Columns that a scalar takes in a terminal: 0 for marks, controls and ignorables, 2 for wide and emoji, else 1
/// (UAX #11). O(1).
@inlinable package func displayWidth(of scalar: UInt32) -> Int {
    if scalar < 0x7F { return scalar < 0x20 ? 0 : 1 }
    let record = unicodeRecord(scalar)
    if scalar == 0xAD { return 1 }
    if record.has(UnicodeFlagControl) || record.isDefaultIgnorable { return 0 }
    if record.isMark && !record.has(UnicodeFlagSpacingMark) { return 0 }
    // Conjoining vowels and trailing consonants join the leading one.
    if Int(record.grapheme) == GraphemeV || Int(record.grapheme) == GraphemeT { return 0 }
    return record.isWide ? 2 : 1
}

/// Columns of one grapheme cluster: its widest scalar, 2 when it is shown as an emoji (UAX #11, UTS #51). O(length).
@inlinable package func displayWidth(ofCluster cluster: UnsafeBufferPointer<UInt8>) -> Int {
    var width = 0
    var index = 0
    var regionals = 0
    while index < cluster.count {
        let (value, length) = scalar(in: cluster, at: index, end: cluster.count)
        if value == 0xFE0F, index > 0 { width = 2 }
        if (0x1F1E6...0x1F1FF).contains(value) { regionals += 1 }
        width = max(width, displayWidth(of: value))
        index += length
    }
    return regionals >= 2 ? 2 : width
}

/// CSS Text 3 §1.4: white space besides the space and the no-break space, which is kept.
@inlinable package func isSpaceSeparator(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: true
    default: false
    }
}

/// Whether the character at `index` hangs at the end of a line: a space, or an ideographic space (of the other separators, as in
/// browsers, no one does).
@inlinable package func isHangingSpace(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    if text[index] == 0x20 { return true }
    return text[index] == 0xE3 && index + 2 < text.count && text[index + 1] == 0x80 && text[index + 2] == 0x80
}
