// Lines out of pieces of bytes, for pipes that are read when they have something.

import Glibc

struct LineBuffer {
    enum Line {
        case line([UInt8])
        /// Longer than allowed; its bytes were dropped.
        case tooLong
    }

    private var bytes: [UInt8] = []
    private var start = 0
    /// Bytes from ``start`` on that have no end of line.
    private var scanned = 0
    private var isDropping = false
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Reads what is there, at most a piece; false at the end.
    ///
    /// - Throws: ``CommandFailure`` when reading fails.
    mutating func read(_ descriptor: Int32, name: String) throws(CommandFailure) -> Bool {
        if start > 0 {
            bytes.removeSubrange(..<start)
            start = 0
        }
        let have = bytes.count
        let size = 1 << 18
        bytes.append(contentsOf: repeatElement(0, count: size))
        let got = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress.map { $0 + have }, size) }
        let code = errno
        bytes.removeLast(size - max(0, got))
        if got < 0, code != EINTR, code != EAGAIN { throw CommandFailure(name, errno: code) }
        return got != 0
    }

    /// The next line that is whole, without its end; nil when there is none.
    mutating func next() -> Line? {
        let end = bytes.withUnsafeBytes { bytes -> Int? in
            let from = start + scanned
            guard let base = bytes.baseAddress, from < bytes.count,
                let found = memchr(base + from, 0x0A, bytes.count - from)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
        guard let end else {
            scanned = bytes.count - start
            if scanned > limit {
                isDropping = true
                bytes.removeAll()
                (start, scanned) = (0, 0)
            }
            return nil
        }
        defer {
            start = end + 1
            scanned = 0
            isDropping = false
        }
        return isDropping || end - start > limit ? .tooLong : .line(Array(bytes[start..<end]))
    }

    /// What stands behind the last end of line.
    mutating func rest() -> Line? {
        guard start < bytes.count || isDropping else { return nil }
        defer {
            bytes = []
            start = 0
            isDropping = false
        }
        return isDropping ? .tooLong : .line(Array(bytes[start...]))
    }
}
