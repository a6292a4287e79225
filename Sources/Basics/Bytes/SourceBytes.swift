// The bytes of a source: an array or a memory-mapped file.

import FancyTextPlatform

/// Bytes that never change or move during the life of this object.
package final class SourceBytes: @unchecked Sendable {
    /// The owner of the bytes; empty when they are memory-mapped.
    private let array: [UInt8]
    private let mapping: UnsafeMutableRawPointer?
    package let buffer: UnsafeBufferPointer<UInt8>

    package init(_ bytes: [UInt8]) {
        array = bytes
        mapping = nil
        // An array's storage does not move while this object keeps it alive and unchanged.
        buffer = array.withUnsafeBufferPointer { $0 }
    }

    /// Maps the whole of an open file; nil on failure. If another program truncates the file, reading the missing bytes raises
    /// SIGBUS.
    package init?(mapping descriptor: Int32, count: Int) {
        guard count > 0, let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            return nil
        }
        array = []
        mapping = start
        buffer = UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count)
    }

    deinit { if let mapping { munmap(mapping, buffer.count) } }

    package var count: Int { buffer.count }
    package subscript(_ index: Int) -> UInt8 { buffer[index] }
}
