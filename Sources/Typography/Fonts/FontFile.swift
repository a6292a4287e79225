// The bytes of a font file, at a fixed address while a face uses them: embedded, memory-mapped, or owned; and numbers in them.

import FancyTextPlatform

/// Font bytes that do not move. Files are memory-mapped, so only pages that are read cost memory.
final class FontFile {
    let bytes: UnsafeRawPointer
    let count: Int
    /// The path; empty for a font that is not a file.
    let path: String
    private let release: () -> Void

    /// Uses bytes that are valid for the life of the process.
    init(embedded bytes: UnsafeRawPointer, count: Int) {
        (self.bytes, self.count, path) = (bytes, count, "")
        release = {}
    }

    init(copying data: [UInt8]) {
        let copy = UnsafeMutableRawPointer.allocate(byteCount: max(1, data.count), alignment: 16)
        data.withUnsafeBytes { copy.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(copy), byteCount: data.count) }
        (bytes, count, path) = (UnsafeRawPointer(copy), data.count, "")
        release = { copy.deallocate() }
    }

    /// A document's own font, unpacked and checked by ``FontCheck``.
    convenience init(checking data: [UInt8], libraries: FontLibraries) throws(FontProblem) {
        var unpacked = data
        if data.starts(with: Array("wOF".utf8)) {
            let packed = FontFile(copying: data)
            guard let face = ScalerFace(file: packed, index: 0, libraries: libraries),
                let bytes = face.bytes(ofTable: 0)
            else { throw FontProblem("it cannot be unpacked") }
            unpacked = bytes
        }
        self.init(copying: try FontCheck.checked(unpacked))
    }

    /// nil when the file cannot be read, is empty, or is not a regular file.
    init?(path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let status = fileStatus(descriptor), status.isRegular, status.st_size > 0 else { return nil }
        let size = status.st_size
        guard let address = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), address != MAP_FAILED
        else { return nil }
        (bytes, count, self.path) = (UnsafeRawPointer(address), size, path)
        release = { munmap(address, size) }
    }

    deinit { release() }
}

/// A part of a font file, read as big-endian numbers; nil beyond its end.
struct FontTable {
    let file: [UInt8]
    let range: Range<Int>

    var count: Int { range.count }
    var bytes: ArraySlice<UInt8> { file[range] }

    @inline(__always) func number(_ offset: Int, _ bytes: Int) -> Int? {
        guard offset >= 0, offset <= range.count - bytes else { return nil }
        var value = 0
        for index in 0..<bytes { value = value << 8 | Int(file[range.lowerBound + offset + index]) }
        return value
    }

    func signed(_ offset: Int) -> Int? { number(offset, 2).map { Int(Int16(truncatingIfNeeded: $0)) } }

    func part(_ offset: Int, _ length: Int) -> FontTable? {
        guard offset >= 0, length >= 0, offset <= range.count - length else { return nil }
        let start = range.lowerBound + offset
        return FontTable(file: file, range: start..<start + length)
    }

    func find(_ byte: UInt8, from offset: Int) -> Int? {
        file[(range.lowerBound + min(offset, range.count))..<range.upperBound].firstIndex(of: byte)
            .map { $0 - range.lowerBound }
    }
}

/// The unpacked size of a font file, from its header (WOFF 1 §3–4, WOFF 2 §4).
package enum PackedFont {
    /// The size in bytes of a file's unpacked tables; that of the file itself if it is not compressed.
    package static func size(of file: [UInt8]) -> Int {
        let whole = FontTable(file: file, range: 0..<file.count)
        func number(_ at: Int, _ bytes: Int) -> Int { whole.number(at, bytes) ?? 0 }
        let tables = number(12, 2)
        if file.starts(with: Array("wOFF".utf8)) {
            return (0..<tables).reduce(number(16, 4)) { $0 + number(44 + $1 * 20 + 12, 4) }
        }
        guard file.starts(with: Array("wOF2".utf8)) else { return file.count }
        var at = 48
        var sum = number(16, 4)
        /// Reads a UIntBase128.
        func length() -> Int {
            var value = 0
            for _ in 0..<5 {
                let byte = number(at, 1)
                at += 1
                value = value << 7 | byte & 0x7F
                if byte & 0x80 == 0 { break }
            }
            return value
        }
        for _ in 0..<tables where at < file.count {
            let flags = number(at, 1)
            at += 1
            let tag = flags & 0x3F
            // 0x3F is followed by an arbitrary tag of four bytes.
            if tag == 0x3F { at += 4 }
            sum += length()
            let version = flags >> 6
            // glyf and loca (10, 11) are transformed in version 0, other tables in all other versions.
            let isTransformed = tag == 10 || tag == 11 ? version == 0 : version != 0
            if isTransformed { sum += length() }
        }
        return sum
    }
}
