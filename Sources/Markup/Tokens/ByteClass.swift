// The classes of bytes in HTML's names, one table look-up each, and searches for bytes and names.

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

/// The first `byte` in `start..<end`, or `end`.
@inline(__always)
package func firstIndex(of byte: UInt8, in bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    guard start < end, let found = memchr(bytes + start, Int32(byte), end &- start) else { return end }
    return bytes.distance(to: found.assumingMemoryBound(to: UInt8.self))
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
