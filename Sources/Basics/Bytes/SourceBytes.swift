// The bytes of a source.

/// Bytes that never change or move during the life of this object.
package final class SourceBytes: @unchecked Sendable {
    private let array: [UInt8]
    package let buffer: UnsafeBufferPointer<UInt8>

    package init(_ bytes: [UInt8]) {
        array = bytes
        // An array's storage does not move while this object keeps it alive and unchanged.
        buffer = array.withUnsafeBufferPointer { $0 }
    }

    package var count: Int { buffer.count }
    package subscript(_ index: Int) -> UInt8 { buffer[index] }
}
