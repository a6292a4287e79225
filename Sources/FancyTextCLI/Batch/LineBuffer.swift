// Splits pieces of bytes into lines, for pipes that are read when data is available.

import FancyTextPlatform

struct LineBuffer {
    enum Line {
        case line([UInt8])
        /// Longer than the limit; its bytes were dropped.
        case tooLong
    }

    /// The bytes from ``start`` to ``end`` were read; the rest is free space.
    private var bytes: [UInt8] = []
    private var start = 0
    private var end = 0
    /// The number of bytes from ``start`` that contain no line end.
    private var scanned = 0
    private var isDropping = false
    private let limit: Int
    private static let leastRoom = 1 << 16

    init(limit: Int) { self.limit = limit }

    /// Reads the available bytes, up to the free space; false at the end.
    ///
    /// - Throws: ``CommandFailure`` if reading fails.
    mutating func read(_ descriptor: Int32, name: String) throws(CommandFailure) -> Bool {
        makeRoom()
        let got = bytes.withUnsafeMutableBytes {
            FancyTextPlatform.read(descriptor, $0.baseAddress.map { $0 + end }, $0.count - end)
        }
        if got < 0, errno != EINTR, errno != EAGAIN { throw CommandFailure(name, errno: errno) }
        end += max(0, got)
        return got != 0
    }

    private mutating func makeRoom() {
        guard bytes.count - end < Self.leastRoom else { return }
        let used = end - start
        if start > 0, used <= bytes.count / 2 {
            bytes.withUnsafeMutableBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                _ = memmove(base, base + start, used)
            }
        } else {
            let old = bytes[start..<end]
            let size = max(2 * bytes.count, 4 * Self.leastRoom)
            bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                _ = buffer.update(fromContentsOf: old)
                count = size
            }
        }
        (start, end) = (0, used)
    }

    /// The next complete line, without its line end; nil if there is none.
    mutating func next() -> Line? {
        let lineEnd = bytes.withUnsafeBytes { bytes -> Int? in
            let from = start + scanned
            guard let base = bytes.baseAddress, from < end, let found = memchr(base + from, 0x0A, end - from) else {
                return nil
            }
            return UnsafeRawPointer(found) - base
        }
        guard let lineEnd else {
            scanned = end - start
            if scanned > limit {
                isDropping = true
                (start, end, scanned) = (0, 0, 0)
            }
            return nil
        }
        defer {
            start = lineEnd + 1
            scanned = 0
            isDropping = false
        }
        return isDropping || lineEnd - start > limit ? .tooLong : .line(Array(bytes[start..<lineEnd]))
    }

    /// The bytes after the last line end.
    mutating func rest() -> Line? {
        guard start < end || isDropping else { return nil }
        defer {
            (start, end, scanned) = (0, 0, 0)
            isDropping = false
        }
        return isDropping ? .tooLong : .line(Array(bytes[start..<end]))
    }
}
