// Reads and writes files, standard input and standard output.
// In: names. Out: byte arrays, or files that are written completely (`NewFile`) or not at all.

import FancyTextPlatform

enum FileAccess {
    /// The bytes of a file, or of standard input for `-`.
    static func read(_ path: String, limit: Int) throws(CommandFailure) -> [UInt8] {
        if path == "-" { return try readAll(STDIN_FILENO, name: "<stdin>", limit: limit) }
        let descriptor = try openFile(path)
        defer { close(descriptor) }
        return try readAll(descriptor, name: path, limit: limit)
    }

    /// The bytes of a regular file; nil if it does not exist. Never waits for a pipe or device.
    static func readRegular(_ path: String, limit: Int) throws(CommandFailure) -> [UInt8]? {
        let descriptor = PathText.withCString(path) { open($0, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) }
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw CommandFailure(path, errno: errno)
        }
        defer { close(descriptor) }
        guard let status = fileStatus(descriptor) else { throw CommandFailure(path, errno: errno) }
        guard status.isRegular else { throw CommandFailure("\(path): not a regular file") }
        return try readAll(descriptor, name: path, limit: limit)
    }

    static func openFile(_ path: String, _ flags: Int32 = O_RDONLY) throws(CommandFailure) -> Int32 {
        if path.isEmpty { throw CommandFailure("the file name is empty") }
        let descriptor = PathText.withCString(path) { open($0, flags | O_CLOEXEC, 0o666) }
        guard descriptor >= 0 else { throw CommandFailure(path, errno: errno) }
        return descriptor
    }

    static func readAll(_ descriptor: Int32, name: String, limit: Int) throws(CommandFailure) -> [UInt8] {
        guard let status = fileStatus(descriptor) else { throw CommandFailure(name, errno: errno) }
        if status.isFolder { throw CommandFailure(name, errno: EISDIR) }
        let isTooLarge = status.isRegular && Int(status.st_size) > limit
        let bytes = isTooLarge ? [] : FancyTextPlatform.readAll(descriptor, limit: limit)
        guard let bytes else { throw CommandFailure(name, errno: errno) }
        if isTooLarge || bytes.count > limit { throw CommandFailure("\(name): more than \(limit) bytes (--max-input)") }
        return bytes
    }

    static func writeStandardError(_ text: String) { try? write(Array(text.utf8), to: STDERR_FILENO, name: "<stderr>") }

    /// Writes to standard output, or to a descriptor. If a pipe's reader has closed it, the program ends silently.
    static func write(
        _ bytes: [UInt8], to descriptor: Int32 = STDOUT_FILENO, name: String = "<stdout>"
    ) throws(CommandFailure) {
        try bytes.withUnsafeBufferPointer { bytes throws(CommandFailure) in
            try write(bytes, to: descriptor, name: name)
        }
    }

    static func write(
        _ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32 = STDOUT_FILENO, name: String = "<stdout>"
    ) throws(CommandFailure) {
        guard !writeFully(descriptor, UnsafeRawBufferPointer(bytes)) else { return }
        // A reader that closes a pipe needs no more output.
        if errno == EPIPE { _exit(ExitStatus.success.rawValue) }
        throw CommandFailure(name, errno: errno)
    }

    /// Creates the folder of an output file, if it does not exist. A failure is reported when the file is written.
    static func makeFolder(for path: String) {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        let folder = String(path[..<slash])
        if PathText.exists(folder) { return }
        makeFolder(for: folder)
        _ = PathText.withCString(folder) { mkdir($0, 0o777) }
    }

    /// Writes several files: all of them completely, or none.
    static func write(_ files: [(path: String, bytes: [UInt8])]) throws(CommandFailure) {
        var pending: [(path: String, bytes: [UInt8], file: NewFile?)] = []
        for (path, bytes) in files {
            let path = target(of: path)
            pending.append((path, bytes, try isReplaceable(path) ? NewFile(path, bytes) : nil))
        }
        var appeared: [String] = []
        for (path, bytes, file) in pending {
            do throws(CommandFailure) {
                if let file {
                    try file.appear()
                    appeared.append(path)
                } else if let number = openDescriptor(path) {
                    // Writing continues at the position of the open file.
                    try write(bytes, to: number, name: path)
                } else {
                    let descriptor = try openSpecial(path)
                    defer { close(descriptor) }
                    try write(bytes, to: descriptor, name: path)
                }
            } catch {
                for path in appeared { _ = PathText.withCString(path) { unlink($0) } }
                throw error
            }
        }
    }

    /// Returns whether a new file can take the place of what has the name; an open file, a device or a pipe is written itself.
    private static func isReplaceable(_ path: String) throws(CommandFailure) -> Bool {
        if path.isEmpty { throw CommandFailure("the output name is empty") }
        if openDescriptor(path) != nil { return false }
        let status = PathText.withCString(path) { fileStatus(at: $0) }
        if status?.isFolder == true { throw CommandFailure(path, errno: EISDIR) }
        return status?.isRegular ?? true
    }

    /// The descriptor of an open file, if a name such as `/dev/stdout` leads to one.
    private static func openDescriptor(_ path: String) -> Int32? {
        for folder in ["/proc/self/fd/", "/dev/fd/"] where path.hasPrefix(folder) {
            return Int32(path.dropFirst(folder.count))
        }
        return nil
    }

    /// The file that a name leads to: the target of links is written, and the links stay. Devices and pipes are opened by the
    /// name itself. Links of `/proc` do not contain a path; an open file continues at its position.
    private static func target(of path: String) -> String {
        if PathText.withCString(path, { fileStatus(at: $0) })?.isRegular == false { return path }
        var path = path
        // The kernel's maximum number of links.
        for _ in 0..<40 {
            if openDescriptor(path) != nil { return path }
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = PathText.withCString(path) { readlink($0, &buffer, buffer.count - 1) }
            guard count > 0 else { return path }
            let link = buffer.withUnsafeBytes { $0.baseAddress.map { PathText.text($0, count: count) } ?? "" }
            let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
            path = link.hasPrefix("/") ? link : folder + link
        }
        return path
    }

    /// Opens a device or a pipe for writing. Waits for a limited time for a pipe's reader.
    private static func openSpecial(_ path: String) throws(CommandFailure) -> Int32 {
        for attempt in 0...300 {
            if attempt > 0 { usleep(10_000) }
            let descriptor = PathText.withCString(path) { open($0, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) }
            if descriptor >= 0 {
                _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
                return descriptor
            }
            guard errno == ENXIO || errno == EINTR else { throw CommandFailure(path, errno: errno) }
        }
        throw CommandFailure("\(path): nothing reads this pipe")
    }
}
