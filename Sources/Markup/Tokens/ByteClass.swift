// The classes of bytes in HTML's names, one table look-up each, and searches through several bytes at a time.

import CFancyTextByteScan
import FancyTextBasics

/// `ByteClass.table[byte]` has the classes of a byte as bits.
package enum ByteClass {
    package static let space: UInt8 = 1  // tab, line feed, form feed, carriage return, space
    package static let endsTagName: UInt8 = 2  // white space, "/", ">"

    /// Never freed. Access through a raw pointer avoids the bounds checks of an array.
    nonisolated(unsafe) package static let table: UnsafePointer<UInt8> = {
        let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
        for byte in UInt8.min...UInt8.max {
            let classes = byte.isHTMLSpace ? space | endsTagName : byte == 0x2F || byte == 0x3E ? endsTagName : 0
            table.advanced(by: Int(byte)).initialize(to: classes)
        }
        return UnsafePointer(table)
    }()

    /// The name of a tag from `start` on, as written.
    static func tagName(in source: UnsafeBufferPointer<UInt8>, at start: Int) -> Slice<UnsafeBufferPointer<UInt8>> {
        source.dropFirst(start).prefix { table[Int($0)] & endsTagName == 0 }
    }
}

// Eight bytes at a time: a word is loaded, compared bytewise by arithmetic, and the first hit is its lowest set byte.

/// A word that holds `byte` eight times.
@inline(__always) func everyByte(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

/// The high bit of each byte of `word` that is zero; exact for the lowest of them.
@inline(__always) func zeroBytes(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
}

@inline(__always) func loadWord(_ bytes: UnsafePointer<UInt8>, _ at: Int) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(bytes + at).loadUnaligned(as: UInt64.self))
}

/// The first `byte` in `start..<end`, or `end`.
@inline(__always)
package func firstIndex(of byte: UInt8, in bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    var i = start
    let near = min(end, start &+ 96)
    while i < near {
        let hits = cbytescan_equal(bytes + i, bytes + end, byte)
        if hits != 0 {
            // Bytes after the end are read as zero.
            return min(i &+ hits.trailingZeroBitCount, end)
        }
        i &+= 16
    }
    if i >= end { return end }
    // For long distances `memchr` is faster.
    return memchr(bytes + i, Int32(byte), end &- i).map { bytes.distance(to: $0.assumingMemoryBound(to: UInt8.self)) }
        ?? end
}

/// Returns whether a lower-case tag name is at a place, in any case; unless `isWhole` is false, a byte that ends names must follow.
func isTagName(
    _ name: StaticString, in bytes: UnsafePointer<UInt8>, at start: Int, end: Int, isWhole: Bool = true
) -> Bool {
    let count = name.utf8CodeUnitCount
    guard start + count < end else { return false }
    for k in 0..<count where bytes[start + k].asciiLowercased != name.utf8Start[k] { return false }
    return !isWhole || ByteClass.table[Int(bytes[start + count])] & ByteClass.endsTagName != 0
}
