// Pictures in the files of a folder, which many processes may share.
//
// In: keys and bytes. Out: the bytes again, unless they were evicted. A file is written under a temporary name and then renamed,
// so it is complete or absent; a damaged one fails its checksum and counts as missing. A process may end at any moment: later
// processes remove its unfinished files.
//
// A file, with numbers in little-endian order:
//
//     offset  bytes
//          0      8  "FTPICT" 0x00 0x01
//          8      4  bytes of the key
//         12      8  bytes of the picture
//         20     32  SHA-256 of the key followed by the picture
//         52         the key, the picture
//
// Its name is the SHA-256 of the key as 64 hexadecimal digits, its modification time that of its last use.

import FancyTextBasics
import FancyTextPlatform
import Synchronization

/// A folder of pictures by keys, with a size limit. The least recently used pictures are removed first.
package final class PictureStore: Sendable {
    private let folder: String
    private let limit: Int
    private let state = Mutex(State())

    private struct State {
        /// The bytes of all files at the last scan of the folder and those written since; nil before the first scan.
        var known: Int?
        var written = 0
        var names = 0
    }

    private static let magic: [UInt8] = Array("FTPICT".utf8) + [0, 1]
    private static let headerLength = 52
    /// Age in seconds after which a temporary file counts as abandoned.
    private static let leftOver = 3600

    /// - Parameters:
    ///   - folder: Created if it does not exist, accessible only to this user.
    ///   - limit: The maximum number of bytes of all files. Processes that write concurrently may each exceed it by a sixteenth.
    package init(folder: String, limit: Int) {
        self.folder = folder.isEmpty ? "." : folder
        self.limit = max(0, limit)
    }

    // MARK: Reading

    /// The picture of a key; nil if there is no picture, or if it is damaged. Makes it the most recently used one.
    package func read(_ key: String) -> [UInt8]? {
        let path = path(of: key)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let file = Self.bytes(of: descriptor), let picture = Self.picture(in: file, key: Array(key.utf8)) else {
            unlink(path)
            return nil
        }
        futimens(descriptor, nil)
        return picture
    }

    private static func bytes(of descriptor: Int32) -> [UInt8]? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let size = Int(status.st_size)
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let got = FancyTextPlatform.read(descriptor, buffer.baseAddress?.advanced(by: count), size - count)
                if got > 0 { count += got } else if got == 0 || errno != EINTR { break }
            }
        }
        return bytes.count == size ? bytes : nil
    }

    private static func picture(in file: [UInt8], key: [UInt8]) -> [UInt8]? {
        guard file.count >= headerLength, file.starts(with: magic) else { return nil }
        func number(_ range: Range<Int>) -> UInt64 {
            range.reversed().reduce(0) { $0 << 8 | UInt64(file[$1]) }
        }
        let start = headerLength + key.count
        guard number(8..<12) == UInt64(key.count), file.count >= start, number(12..<20) == UInt64(file.count - start),
            file[headerLength..<start].elementsEqual(key)
        else { return nil }
        var hash = SHA256()
        file.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[headerLength...])) }
        return hash.finish().elementsEqual(file[20..<headerLength]) ? Array(file[start...]) : nil
    }

    // MARK: Writing

    /// Stores a picture, unless it alone exceeds the limit. Returns whether it could be written.
    @discardableResult
    package func write(_ picture: [UInt8], for key: String) -> Bool {
        let key = Array(key.utf8)
        var file = Self.magic
        func append(_ value: Int, bytes: Int) {
            for byte in 0..<bytes { file.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
        }
        append(key.count, bytes: 4)
        append(picture.count, bytes: 8)
        var hash = SHA256()
        hash.update(key)
        hash.update(picture)
        file += hash.finish() + key + picture
        guard file.count <= limit, key.count < 1 << 31, makeFolder() else { return false }
        let name = Self.name(of: key)
        let number = state.withLock { state in
            state.names += 1
            return state.names
        }
        let temporary = "\(folder)/.\(name).\(getpid()).\(number)"
        guard Self.writeFile(temporary, file) else {
            unlink(temporary)
            return false
        }
        guard rename(temporary, "\(folder)/\(name)") == 0 else {
            unlink(temporary)
            return false
        }
        noteWritten(file.count)
        return true
    }

    private static func writeFile(_ path: String, _ bytes: [UInt8]) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        let isWritten = bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = FancyTextPlatform.write(
                    descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
                if count >= 0 { done += count } else if errno != EINTR { return false }
            }
            return true
        }
        // A full disk may be reported only on closing.
        return close(descriptor) == 0 && isWritten
    }

    private func makeFolder() -> Bool {
        if access(folder, W_OK | X_OK) == 0 { return true }
        var path = ""
        for part in folder.split(separator: "/", omittingEmptySubsequences: false) {
            path += path.isEmpty && part.isEmpty ? "/" : path.isEmpty || path.hasSuffix("/") ? "\(part)" : "/\(part)"
            if !part.isEmpty { mkdir(path, 0o700) }
        }
        return access(folder, W_OK | X_OK) == 0
    }

    /// Removes the picture of a key.
    package func remove(_ key: String) { unlink(path(of: key)) }

    /// Removes all pictures.
    package func removeAll() {
        for file in files() { unlink("\(folder)/\(file.name)") }
        state.withLock { $0.known = 0 }
    }

    // MARK: The bound

    /// Scans the folder at the first write, when the limit may be exceeded, and each time a sixteenth of it was written, because
    /// other processes may have written too.
    private func noteWritten(_ count: Int) {
        let isDue = state.withLock { state in
            state.written += count
            guard let known = state.known else { return true }
            return known + state.written > limit || state.written > limit / 16
        }
        if isDue { trim() }
    }

    /// If the total exceeds the limit, removes the least recently used pictures until the rest takes nine tenths of it.
    package func trim() {
        var files = files()
        var sum = files.reduce(0) { $0 + $1.size }
        if sum > limit {
            files.sort { $0.used < $1.used }
            for file in files where sum > limit / 10 * 9 {
                unlink("\(folder)/\(file.name)")
                sum -= file.size
            }
        }
        state.withLock { state in
            state.known = sum
            state.written = 0
        }
    }

    private struct File {
        var name: String
        var size: Int
        /// The time of the last use, in nanoseconds.
        var used: Int
    }

    /// The pictures in the folder; abandoned temporary files are removed on the way.
    private func files() -> [File] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var result: [File] = []
        let now = time(nil)
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            var status = stat()
            let isPicture = name.utf8.count == 64 && name.utf8.allSatisfy { Self.digits.contains($0) }
            guard isPicture || Self.isTemporary(name),
                fstatat(dirfd(directory), name, &status, AT_SYMLINK_NOFOLLOW) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { continue }
            if isPicture {
                result.append(
                    File(
                        name: name, size: Int(status.st_size),
                        used: status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec))
            } else if now - status.st_mtim.tv_sec > Self.leftOver {
                unlinkat(dirfd(directory), name, 0)
            }
        }
        return result
    }

    // MARK: Names

    private static let digits = Array("0123456789abcdef".utf8)

    /// `.` name `.` process `.` number
    private static func isTemporary(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0].isEmpty && parts[1].count == 64
            && parts[1].allSatisfy { digits.contains($0) }
    }

    private static func name(of key: [UInt8]) -> String {
        String(decoding: SHA256.digest(key).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private func path(of key: String) -> String { "\(folder)/\(Self.name(of: Array(key.utf8)))" }
}
