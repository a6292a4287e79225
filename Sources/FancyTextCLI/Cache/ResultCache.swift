// Results of renderings in a folder, by digests of all that decides their bytes.
//
// In: keys, and results as they are made. Out: results that are there. Any number of processes share a folder: a result is
// written under another name and renamed, so that it is whole or not there, and the folder's size is kept in a file that
// whoever writes locks. Past the bound those go that were not used for the longest time.

import FancyTextBasics
import FancyText
import FancyTextPlatform

/// A result, and what was said when it was made.
struct CachedResult {
    var bytes: [UInt8]
    var messages: [Diagnostic]
}

/// A folder of results. Threads and processes may share it.
final class ResultCache: Sendable {
    let folder: String
    private let limit: Int
    /// Results are made anew and take the place of those that are there.
    private let refreshes: Bool

    private static let magic = Array("fancytext1".utf8)
    private static let sizeFile = "size"
    /// What is left when results had to go, in sixteenths of the bound.
    private static let keptShare = 14
    /// Seconds after which a file that no process finished is removed.
    private static let patience = 600

    /// - Parameter limit: the most bytes of all results.
    /// - Throws: ``CommandFailure`` when the folder cannot be used.
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

    /// The result of a key; nil when there is none, or a file has changed that it was made of.
    func result(_ key: [UInt8]) -> CachedResult? {
        guard !refreshes else { return nil }
        let path = path(key)
        guard let file = try? FileAccess.readRegular(path, limit: limit), let entry = Self.read(file) else {
            return nil
        }
        for (name, identity) in entry.reads where FileReads.identity(of: name) != identity { return nil }
        // The time of use is that of change: file systems are mounted without times of access.
        utimensat(AT_FDCWD, path, nil, 0)
        return entry.result
    }

    /// Keeps a result. What cannot be written is not kept.
    ///
    /// - Parameter reads: files that it was made of, with what they were like.
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

    /// Gives a file its name among the results where it fits, for which those go that were not used for the longest time.
    private func add(_ file: NewFile, as path: String, size added: Int) {
        withSize { size, store in
            var old = stat()
            if stat(path, &old) == 0 { size -= Int(old.st_size) }
            if size < 0 || size + added > limit { size = shrink(to: limit * Self.keptShare / 16 - added) }
            guard size + added <= limit else { return }
            size += added
            // A process that is killed here has counted too much, never too little.
            store(size)
            try? file.appear()
        }
    }

    /// Lets one process at a time change the size of all results. Nil when the file cannot be had.
    ///
    /// - Parameter body: gets the size, and what stores it at once; it is stored behind it anyhow.
    private func withSize<Result>(_ body: (_ size: inout Int, _ store: (Int) -> Void) -> Result) -> Result? {
        guard let descriptor = openSize() else { return nil }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 { guard errno == EINTR else { return nil } }
        // A size that is not there, was cut short or cannot be is counted anew.
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

    /// Opens the file with the size. Whatever else has its name, a link or a pipe, is removed first.
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
        /// On its way to another name, in a file system that has no files without one.
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

    /// All results. Files that a process left behind when it was killed are removed.
    private func results() -> [Entry] {
        let now = time(nil)
        return entries().filter { entry in
            if entry.isTemporary, entry.used.tv_sec < now - Self.patience { unlink(entry.path) }
            return !entry.isTemporary
        }
    }

    /// Removes the results that were not used for the longest time until no more bytes are left than told; returns how many are.
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

    /// How many results there are, and their bytes.
    var count: (results: Int, bytes: Int) {
        let all = results()
        return (all.count, all.reduce(0) { $0 + $1.size })
    }

    /// Removes all results; returns how many there were.
    func clear() -> Int {
        withSize { size, _ in
            let all = entries()
            for entry in all { unlink(entry.path) }
            size = 0
            return all.count { !$0.isTemporary }
        } ?? 0
    }

    // MARK: Files

    /// A file: what it is, the length and a checksum of the rest, then a line of JSON, then the bytes.
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

    /// For files that a disk has damaged.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var hash = SeededHash.fixed
        bytes.withUnsafeBytes { hash.add($0) }
        return hash.value
    }
}
