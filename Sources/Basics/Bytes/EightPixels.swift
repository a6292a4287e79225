// Comparison of eight pixels with one colour, used where pixels are blended and where palette indices are found.

/// Returns whether eight consecutive pixels have one colour. The pixels need not be aligned.
@inlinable @inline(__always)
package func areEight(_ pixels: UnsafePointer<UInt32>, _ color: UInt32) -> Bool {
    let pair = UInt64(color) << 32 | UInt64(color)
    let source = UnsafeRawPointer(pixels)
    let difference =
        (source.loadUnaligned(as: UInt64.self) ^ pair)
        | (source.loadUnaligned(fromByteOffset: 8, as: UInt64.self) ^ pair)
        | (source.loadUnaligned(fromByteOffset: 16, as: UInt64.self) ^ pair)
        | (source.loadUnaligned(fromByteOffset: 24, as: UInt64.self) ^ pair)
    return difference == 0
}
