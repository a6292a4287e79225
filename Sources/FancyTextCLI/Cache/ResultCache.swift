// Results of renderings in a folder, by digests of everything that decides their bytes.
//
// In: keys, and new results. Out: stored results. Any number of processes share a folder. A result is written under another name
// and then renamed, so that it is complete or absent. The folder's total size is kept in a file that each writer locks. When the
// limit is exceeded, the least recently used results are removed.

import FancyTextBasics
import FancyText
import FancyTextPlatform

/// A result, and the messages of its rendering.
struct CachedResult {
    var bytes: [UInt8]
    var messages: [Diagnostic]
}

/// A folder of results. Threads and processes may share it.
final class ResultCache: Sendable {
    let folder: String
    private let limit: Int
    /// True if results are always made anew and replace stored ones.
    private let refreshes: Bool

    private static let magic = Array("fancytext1".utf8)
    private static let sizeFile = "size"
    /// The part of the limit that is kept when results are removed, in sixteenths.
    private static let keptShare = 14
    /// The age in seconds at which an unfinished file is removed.
    private static let patience = 600

    /// - Parameter limit: the maximum number of bytes of all results.
    /// - Throws: ``CommandFailure`` if the folder cannot be used.
    init(_ folder: String, limit: Int, refreshes: Bool) throws(CommandFailure) {
        self.folder = folder
        self.limit = limit
        self.refreshes = refreshes
        FileAccess.makeFolder(for: folder + "/" + Self.sizeFile)
        var status = stat()
        guard stat(folder, &status) == 0 else { throw CommandFailure(folder, errno: errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw CommandFailure(folder, errno: ENOTDIR) }
        guard access(folder, R_OK | W_OK | X_OK) == 0 else { throw CommandFailure(folder, errno: errno) }
    }

    private func path(_ key: [UInt8]) -> String {
        let name = SHA256.hexadecimal(key)
        return "\(folder)/\(name.prefix(2))/\(name.dropFirst(2))"
    }

    // MARK: Results

    /// The result for a key; nil if there is none, or if a file that it was made from has changed.
    func result(_ key: [UInt8]) -> CachedResult? {
        guard !refreshes else { return nil }
        let path = path(key)
        guard let file = try? FileAccess.readRegular(path, limit: limit), let entry = Self.read(file) else {
            return nil
        }
        for (name, identity) in entry.reads where FileReads.identity(of: name) != identity { return nil }
        // The time of use is the modification time, because many file systems do not update access times.
        utimensat(AT_FDCWD, path, nil, 0)
        return entry.result
    }

    /// Stores a result. A result that cannot be written is not kept.
    ///
    /// - Parameter reads: the files that it was made from, with their identities.
    func keep(_ result: CachedResult, _ key: [UInt8], reads: [(path: String, identity: String)]) {
        let file = Self.write(result, reads)
        guard file.count <= limit / 2 else { return }
        let path = path(key)
        let subfolder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
        mkdir(subfolder, 0o777)
        guard let new = try? NewFile(path, file) else { return }
        add(new, as: path, size: file.count)
    }

    // MARK: Size

    /// Gives a file its name among the results, if it fits; the least recently used results are removed for it.
    private func add(_ file: NewFile, as path: String, size added: Int) {
        withSize { size, store in
            var old = stat()
            if stat(path, &old) == 0 { size -= Int(old.st_size) }
            if size < 0 || size + added > limit { size = shrink(to: limit * Self.keptShare / 16 - added) }
            guard size + added <= limit else { return }
            size += added
            // A process killed at this point has counted too much, never too little.
            store(size)
            try? file.appear()
        }
    }

    /// Locks the total size for one process at a time. Nil if the file cannot be opened.
    ///
    /// - Parameter body: gets the size, and a function that stores it at once; the size is also stored afterwards.
    private func withSize<Result>(_ body: (_ size: inout Int, _ store: (Int) -> Void) -> Result) -> Result? {
        guard let descriptor = openSize() else { return nil }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 { guard errno == EINTR else { return nil } }
        // A missing, truncated or impossible size is counted again.
        var stored = Int64(0)
        let isKnown = pread(descriptor, &stored, 8, 0) == 8 && Self.possibleSizes.contains(stored)
        var value = isKnown ? Int(stored) : entries().reduce(0) { $0 + $1.size }
        func store(_ size: Int) {
            var stored = Int64(size)
            _ = pwrite(descriptor, &stored, 8, 0)
        }
        let result = body(&value, store)
        store(value)
        return result
    }

    private static let possibleSizes = 0...Int64.max / 4

    /// Opens the file with the size. Anything else with its name, such as a link or a pipe, is removed first.
    private func openSize() -> Int32? {
        let path = folder + "/" + Self.sizeFile
        for _ in 0..<2 {
            let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o666)
            var status = stat()
            if descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
                return descriptor
            }
            if descriptor >= 0 { close(descriptor) }
            unlink(path)
        }
        return nil
    }

    private struct Entry {
        var path: String
        var size: Int
        var used: timespec
        /// True for a file that will be renamed, on a file system without unnamed files.
        var isTemporary: Bool
    }

    private func entries() -> [Entry] {
        var result: [Entry] = []
        for number in 0..<256 {
            let subfolder = "\(folder)/\(number < 16 ? "0" : "")\(String(number, radix: 16))"
            for name in RenderKey.names(in: subfolder) {
                var status = stat()
                let path = subfolder + "/" + name
                guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
                result.append(
                    Entry(
                        path: path, size: Int(status.st_size), used: status.st_mtim,
                        isTemporary: name.contains(".")))
            }
        }
        return result
    }

    /// All results. Files that a killed process left are removed.
    private func results() -> [Entry] {
        let now = time(nil)
        return entries().filter { entry in
            if entry.isTemporary, entry.used.tv_sec < now - Self.patience { unlink(entry.path) }
            return !entry.isTemporary
        }
    }

    /// Removes the least recently used results until at most `target` bytes are left. Returns the number of remaining bytes.
    private func shrink(to target: Int) -> Int {
        let kept = results().sorted {
            ($0.used.tv_sec, $0.used.tv_nsec, $0.path) < ($1.used.tv_sec, $1.used.tv_nsec, $1.path)
        }
        var size = kept.reduce(0) { $0 + $1.size }
        for entry in kept {
            guard size > target else { break }
            if unlink(entry.path) == 0 { size -= entry.size }
        }
        return size
    }

    /// The number of results, and their bytes.
    var count: (results: Int, bytes: Int) {
        let all = results()
        return (all.count, all.reduce(0) { $0 + $1.size })
    }

    /// Removes all results. Returns their number.
    func clear() -> Int {
        withSize { size, _ in
            let all = entries()
            for entry in all { unlink(entry.path) }
            size = 0
            return all.count { !$0.isTemporary }
        } ?? 0
    }

    // MARK: Files

    /// The contents of a file: the format, the length and a checksum of the rest, a line of JSON, and the bytes.
    private static func write(_ result: CachedResult, _ reads: [(path: String, identity: String)]) -> [UInt8] {
        var json = JSONBuffer()
        json.beginObject()
        json.membersBeside(result.messages, reads: reads)
        json.endObject()
        let rest = json.bytes + [0x0A] + result.bytes
        return magic + littleEndian(UInt64(rest.count)) + littleEndian(checksum(rest[...])) + rest
    }

    private static func read(_ file: [UInt8]) -> (result: CachedResult, reads: [(path: String, identity: String)])? {
        let head = magic.count + 16
        guard file.count > head, file.starts(with: magic),
            number(file[magic.count...].prefix(8)) == UInt64(file.count - head),
            number(file[(magic.count + 8)...].prefix(8)) == checksum(file[head...]),
            let end = file[head...].firstIndex(of: 0x0A)
        else { return nil }
        var parser = JSONParser(Array(file[head..<end]))
        guard let value = parser.parse() else { return nil }
        return (CachedResult(bytes: Array(file[(end + 1)...]), messages: value.messages), value.reads)
    }

    private static func littleEndian(_ value: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A checksum that detects damaged files.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var hash = SeededHash.fixed
        bytes.withUnsafeBytes { hash.add($0) }
        return hash.value
    }
}
