// The classes of ASCII bytes.

extension UInt8 {
    @inlinable @inline(__always) package var isHTMLSpace: Bool {
        self == 0x20 || (self <= 0x0D && self >= 0x09 && self != 0x0B)
    }
    @inlinable @inline(__always) package var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }
    @inlinable @inline(__always) package var isASCIIDigit: Bool { self &- 0x30 < 10 }
    @inlinable @inline(__always) package var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }
    @inlinable @inline(__always) package var asciiLowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
    @inlinable @inline(__always) package var hexValue: UInt32? {
        if isASCIIDigit { return UInt32(self &- 0x30) }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? UInt32(letter) + 10 : nil
    }
}

extension StaticString {
    @inlinable @inline(__always) package var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
    }
}
