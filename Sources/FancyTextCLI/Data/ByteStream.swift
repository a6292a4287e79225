// Reads the bytes of a file or pipe in pieces, and keeps those that are not consumed.
// In: a descriptor. Out: a window of its bytes that grows until a reader has found the end of an item: a line, a row, a frame.
// Memory is bounded by the longest item.

import FancyTextPlatform

struct ByteStream {
    private let descriptor: Int32
    let name: String
    /// The maximum number of bytes of a line, row or value.
    private let limit: Int
    private var buffer: [UInt8] = []
    /// The buffer of one read.
    private var piece: [UInt8] = []
    private var start = 0
    /// The number of bytes from ``start`` that contain no line end.
    private var scanned = 0
    private(set) var isAtEnd = false
    /// The number of consumed bytes.
    private(set) var position = 0
    /// The line of the next byte, from 1.
    private(set) var line = 1
    /// The column of the next byte, from 1, in Unicode scalars.
    private(set) var column = 1

    private static let pieceSize = 1 << 16

    init(_ descriptor: Int32, name: String, limit: Int) {
        (self.descriptor, self.name, self.limit) = (descriptor, name, limit)
    }

    /// The number of bytes that were read and not consumed.
    var count: Int { buffer.count - start }

    subscript(_ index: Int) -> UInt8 { buffer[start + index] }
    var first: UInt8? { count > 0 ? self[0] : nil }

    /// Reads more bytes; false at the end.
    mutating func fill() throws(CommandFailure) -> Bool {
        guard !isAtEnd else { return false }
        guard count <= limit
        else { throw CommandFailure("\(name):\(line): more than \(limit) bytes in one row (--max-input)") }
        if start > 0 {
            buffer.removeSubrange(..<start)
            start = 0
        }
        // Grows with the window, so that a long row is not copied for each of its pieces.
        let size = max(Self.pieceSize, buffer.count / 2)
        if piece.count < size { piece = [UInt8](repeating: 0, count: size) }
        while true {
            let got = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            let code = errno
            if got > 0 {
                buffer += piece[..<got]
                return true
            }
            if got == 0 {
                isAtEnd = true
                return false
            }
            guard code == EINTR else { throw CommandFailure(name, errno: code) }
        }
    }

    mutating func drop(_ length: Int) {
        buffer[start..<start + length].withUnsafeBufferPointer { bytes in
            line += bytes.count { $0 == 0x0A }
            let lineStart = bytes.lastIndex(of: 0x0A).map { $0 + 1 }
            column = (lineStart == nil ? column : 1) + bytes[(lineStart ?? 0)...].count { $0 & 0xC0 != 0x80 }
        }
        start += length
        position += length
        scanned = 0
    }

    mutating func take(_ length: Int) -> [UInt8] {
        let bytes = Array(buffer[start..<start + length])
        drop(length)
        return bytes
    }

    /// Consumes the next line and returns it without its line end; nil at the end.
    mutating func nextLine() throws(CommandFailure) -> [UInt8]? {
        while true {
            if let line = bufferedLine() { return line }
            if try !fill() { return bufferedLine() }
        }
    }

    /// Consumes the next line if all of it was read, and returns it without its line end; nil otherwise.
    mutating func bufferedLine() -> [UInt8]? {
        guard let end = lineEnd(from: scanned) else {
            scanned = count
            return isAtEnd && count > 0 ? take(count) : nil
        }
        var bytes = take(end)
        drop(1)
        if bytes.last == 0x0D { bytes.removeLast() }
        return bytes
    }

    private func lineEnd(from index: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, index < count,
                let found = memchr(base + start + index, 0x0A, count - index)
            else { return nil }
            return UnsafeRawPointer(found) - base - start
        }
    }
}
