// Bytes of a file or pipe in pieces, with what is not used up yet at hand.
//
// In: a descriptor. Out: a window of its bytes that grows until a reader has found what it looks for. Memory is bounded by
// the longest thing that is looked for.

import FancyTextPlatform

struct ByteStream {
    private let descriptor: Int32
    private let name: String
    /// The most bytes that one line, row or value may have.
    private let limit: Int
    private var buffer: [UInt8] = []
    /// What one read fills.
    private var piece: [UInt8] = []
    private var start = 0
    private(set) var isAtEnd = false
    /// Bytes used up so far.
    private(set) var position = 0
    /// The line of the next byte, from 1.
    private(set) var line = 1

    private static let pieceSize = 1 << 16

    init(_ descriptor: Int32, name: String, limit: Int) {
        self.descriptor = descriptor
        self.name = name
        self.limit = limit
    }

    /// Bytes read and not used up.
    var count: Int { buffer.count - start }

    subscript(_ index: Int) -> UInt8 { buffer[start + index] }

    /// Reads more; false at the end.
    ///
    /// - Throws: ``CommandFailure`` when reading fails, or so much was looked through.
    mutating func fill() throws(CommandFailure) -> Bool {
        guard !isAtEnd else { return false }
        guard count <= limit else {
            throw CommandFailure("\(name):\(line): more than \(limit) bytes in one row (--max-input)")
        }
        if start > 0 {
            buffer.removeSubrange(..<start)
            start = 0
        }
        // Grows with what is looked through, so that a long row is not copied for each piece of it.
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

    /// Uses up bytes.
    mutating func drop(_ length: Int) {
        for index in start..<start + length where buffer[index] == 0x0A { line += 1 }
        start += length
        position += length
    }

    /// Uses up bytes and returns them.
    mutating func take(_ length: Int) -> [UInt8] {
        let bytes = Array(buffer[start..<start + length])
        drop(length)
        return bytes
    }

    /// The next line without its end, which is used up; nil at the end.
    mutating func nextLine() throws(CommandFailure) -> [UInt8]? {
        var scanned = 0
        while true {
            if let end = lineEnd(from: scanned) {
                var bytes = take(end)
                drop(1)
                if bytes.last == 0x0D { bytes.removeLast() }
                return bytes
            }
            scanned = count
            if try !fill() { return count > 0 ? take(count) : nil }
        }
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
