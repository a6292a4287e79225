// Pictures in the files of a folder, which many processes may share. In: keys and bytes. Out: the bytes again, unless they were
// evicted. A file is written under a temporary name and then renamed, so it is complete or absent; a damaged one fails its
// checksum and counts as missing. A process may end at any moment: later processes remove its unfinished files after a while. A
// file has the SHA-256 of its key followed by the picture, then the picture. Its name is the SHA-256 of the key as 64
// hexadecimal digits, its modification time that of its last use.

import FancyTextPlatform

/// A folder of pictures, or of other results, by keys, with a size limit. The least recently used ones are removed first.
///
/// The total size is kept in a file that each writer locks, so the limit holds for any number of processes.
package final class PictureStore: Sendable {
    private let folder: String
    private let limit: Int

    /// Its name is its own, because it also marks the folder as a cache.
    private static let sizeFile = ".fancytext-cache-size"
    private static let possibleSizes = 0...Int64.max / 4
    /// The part of the limit that is kept when pictures are removed, in sixteenths.
    private static let keptShare = 14
    /// The age in seconds at which a temporary file counts as abandoned.
    private static let leftOver = 600

    /// - Parameter folder: Created if it does not exist, accessible only to this user.
    package init(folder: String, limit: Int) {
        self.folder = folder.isEmpty ? "." : folder
        self.limit = max(0, limit)
    }

    /// A Boolean value that indicates whether the folder is a cache, or may become one. A folder with other files must not: their
    /// names may look like those of pictures. Another process may mark the folder while its names are listed.
    package var isUsable: Bool {
        isMarked || (fileNames(inFolder: folder) ?? []).allSatisfy { [".", ".."].contains($0) || Self.isTemporary($0) }
            || isMarked
    }

    private var isMarked: Bool { access("\(folder)/\(Self.sizeFile)", F_OK) == 0 }

    /// The picture of a key; nil if there is no picture, or if it is damaged. Makes it the most recently used one.
    package func read(_ key: String) -> [UInt8]? {
        let path = path(of: key)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard fileStatus(descriptor)?.isRegular == true, let file = readAll(descriptor),
            case let picture = file.dropFirst(Self.digestLength), file.count >= Self.digestLength,
            Self.digest(key, picture).elementsEqual(file.prefix(Self.digestLength))
        else {
            unlink(path)
            return nil
        }
        futimens(descriptor, nil)
        return Array(picture)
    }

    private static let digestLength = 32

    private static func digest(_ key: String, _ picture: ArraySlice<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(Array(key.utf8))
        picture.withUnsafeBytes { hash.update($0) }
        return hash.finish()
    }

    /// Stores a picture, unless it alone exceeds the limit. Returns whether it could be written.
    @discardableResult
    package func write(_ picture: [UInt8], for key: String) -> Bool {
        let file = Self.digest(key, picture[...]) + picture
        guard file.count <= limit, makeFolder() else { return false }
        let name = Self.name(of: key)
        let temporary = "\(folder)/.\(name).\(getpid()).\(UInt32.random(in: 0 ... .max))"
        guard Self.writeFile(temporary, file), add(temporary, as: "\(folder)/\(name)", size: file.count) else {
            unlink(temporary)
            return false
        }
        return true
    }

    private static func writeFile(_ path: String, _ bytes: [UInt8]) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        let isWritten = bytes.withUnsafeBytes { writeFully(descriptor, $0) }
        // A full disk may be reported only on closing.
        return close(descriptor) == 0 && isWritten
    }

    private func makeFolder() -> Bool {
        if access(folder, W_OK | X_OK) == 0 { return true }
        for end in folder.indices where folder[end] == "/" { mkdir(String(folder[..<end]), 0o700) }
        mkdir(folder, 0o700)
        return access(folder, W_OK | X_OK) == 0
    }

    package func remove(_ key: String) {
        let path = path(of: key)
        guard access(path, F_OK) == 0 else { return }
        withSize { size, _ in
            size -= Self.size(of: path)
            unlink(path)
        }
    }

    /// Removes all pictures. Returns their number.
    @discardableResult
    package func removeAll() -> Int {
        guard isMarked, access(folder, W_OK) == 0 else { return 0 }
        return withSize { size, _ in
            let files = files()
            for file in files { unlink("\(folder)/\(file.name)") }
            size = 0
            return files.count { !$0.isTemporary }
        } ?? 0
    }

    package var count: (pictures: Int, bytes: Int) {
        let all = pictures()
        return (all.count, all.reduce(0) { $0 + $1.size })
    }

    private static func size(of path: String) -> Int { fileStatus(at: path).map { Int($0.st_size) } ?? 0 }

    /// Gives a file its name among the pictures, if it fits; the least recently used pictures are removed for it.
    private func add(_ file: String, as path: String, size added: Int) -> Bool {
        withSize { size, store in
            size -= Self.size(of: path)
            if size < 0 || size + added > limit { size = shrink(to: limit * Self.keptShare / 16 - added) }
            guard size + added <= limit else { return false }
            size += added
            // A process killed at this point has counted too much, never too little.
            store(size)
            return rename(file, path) == 0
        } ?? false
    }

    /// Locks the total size for one process at a time, and stores it after `body`, or earlier. Nil if its file cannot be opened.
    @discardableResult
    private func withSize<Result>(_ body: (_ size: inout Int, _ store: (Int) -> Void) -> Result) -> Result? {
        guard let descriptor = openSize() else { return nil }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 { guard errno == EINTR else { return nil } }
        // A missing, truncated or impossible size is counted again.
        var stored = Int64(0)
        let isKnown = pread(descriptor, &stored, 8, 0) == 8 && Self.possibleSizes.contains(stored)
        var value = isKnown ? Int(stored) : files().reduce(0) { $0 + $1.size }
        func store(_ size: Int) {
            var stored = Int64(size)
            _ = pwrite(descriptor, &stored, 8, 0)
        }
        let result = body(&value, store)
        store(value)
        return result
    }

    /// Opens the file with the size. Anything else with its name, such as a link or a pipe, is removed first.
    private func openSize() -> Int32? {
        let path = folder + "/" + Self.sizeFile
        for _ in 0..<2 {
            let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o666)
            if descriptor >= 0, fileStatus(descriptor)?.isRegular == true { return descriptor }
            if descriptor >= 0 { close(descriptor) }
            unlink(path)
        }
        return nil
    }

    /// Removes the least recently used pictures until at most `target` bytes are left. Returns the number of remaining bytes.
    private func shrink(to target: Int) -> Int {
        let kept = pictures().sorted { ($0.used, $0.name) < ($1.used, $1.name) }
        var size = kept.reduce(0) { $0 + $1.size }
        for file in kept {
            guard size > target else { break }
            if unlink("\(folder)/\(file.name)") == 0 { size -= file.size }
        }
        return size
    }

    /// All pictures. Abandoned temporary files are removed.
    private func pictures() -> [File] {
        let now = time(nil)
        return files().filter { file in
            if file.isTemporary, file.used / 1_000_000_000 < now - Self.leftOver { unlink("\(folder)/\(file.name)") }
            return !file.isTemporary
        }
    }

    /// `used` is the time of the last use, in nanoseconds. A temporary file is not yet, or will never be, renamed.
    private typealias File = (name: String, size: Int, used: Int, isTemporary: Bool)

    private func files() -> [File] {
        (fileNames(inFolder: folder) ?? []).compactMap { name in
            var status = stat()
            let isTemporary = Self.isTemporary(name)
            guard isTemporary || name.utf8.count == 64 && name.utf8.allSatisfy({ Self.digits.contains($0) }),
                lstat("\(folder)/\(name)", &status) == 0, status.isRegular
            else { return nil }
            let used = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
            return (name, Int(status.st_size), used, isTemporary)
        }
    }

    private static let digits = Array("0123456789abcdef".utf8)

    /// `.` name `.` process `.` number
    private static func isTemporary(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0].isEmpty && parts[1].count == 64
            && parts[1].allSatisfy { digits.contains($0) }
    }

    private static func name(of key: String) -> String { SHA256.hexadecimal(SHA256.digest(Array(key.utf8))) }

    private func path(of key: String) -> String { "\(folder)/\(Self.name(of: key))" }
}
