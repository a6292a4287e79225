// The bytes of a font file, at a fixed address while a face uses them: embedded, memory-mapped, or owned.

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
        self.bytes = bytes
        self.count = count
        path = ""
        release = {}
    }

    init(copying data: [UInt8]) {
        let copy = UnsafeMutableRawPointer.allocate(byteCount: max(1, data.count), alignment: 16)
        data.withUnsafeBytes { copy.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(copy), byteCount: data.count) }
        bytes = UnsafeRawPointer(copy)
        count = data.count
        path = ""
        release = { copy.deallocate() }
    }

    /// A document's own font, unpacked and checked by ``FontCheck``.
    convenience init(checking data: [UInt8], libraries: FontLibraries) throws(FontProblem) {
        var unpacked = data
        if data.starts(with: Array("wOF".utf8)) {
            let packed = FontFile(copying: data)
            guard let face = ScalerFace(file: packed, index: 0, axes: [], variations: [], libraries: libraries),
                let bytes = face.bytes(ofTable: 0)
            else { throw FontProblem(description: "it cannot be unpacked") }
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
        guard let address = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), address != MAP_FAILED else {
            return nil
        }
        bytes = UnsafeRawPointer(address)
        count = size
        self.path = path
        release = { munmap(address, size) }
    }

    deinit { release() }
}
