// A file that only becomes visible when it is complete.
//
// It is written without a name if the file system supports that (O_TMPFILE), and named when it is complete, so a killed process
// leaves nothing. On other file systems it has a temporary name beside its final one.
//
// Nothing is flushed to the disk: a result that is lost in a power cut can be made again, and waiting for the disk would cost
// more than making it.

import CFancyTextSafety
import FancyTextPlatform

/// A file without its final name. It is removed if it is released before it is named.
final class NewFile {
    private let path: String
    private let bytes: [UInt8]
    private var descriptor: Int32
    /// Its temporary name, and the index of that among the names to remove when the program ends.
    private var temporary: (name: UnsafeMutablePointer<CChar>, number: Int32)?

    /// - Parameter path: the final path; a regular file there is replaced.
    init(_ path: String, _ bytes: [UInt8]) throws(CommandFailure) {
        (self.path, self.bytes) = (path, bytes)
        descriptor = PathText.withCString(Self.folder(of: path)) { csafety_open_unnamed($0) }
        if descriptor < 0 { try openNamed() }
        try FileAccess.write(bytes, to: descriptor, name: path)
    }

    deinit {
        close()
        guard let temporary else { return }
        unlink(temporary.name)
        release(temporary)
    }

    private static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "." }

    private func openNamed() throws(CommandFailure) {
        guard let name = PathText.withCString("\(path).XXXXXX", { strdup($0) })
        else { throw CommandFailure(path, errno: ENOMEM) }
        descriptor = mkstemp(name)
        guard descriptor >= 0 else {
            let code = errno
            free(name)
            if code == ENOENT, let slash = path.lastIndex(of: "/") {
                let isThere = PathText.exists(Self.folder(of: path))
                let problem =
                    isThere ? "its file system accepts no new files" : "there is no folder '\(path[..<slash])'"
                throw CommandFailure("\(path): \(problem)")
            }
            throw CommandFailure(path, errno: code)
        }
        temporary = (name, csafety_remove_at_end(name))
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        fchmod(descriptor, 0o666 & ~Self.creationMask)
    }

    /// The process's file mode creation mask, which can only be read by setting it; done once, before threads are started.
    private static let creationMask: mode_t = {
        let mask = umask(0)
        umask(mask)
        return mask
    }()

    /// Gives the file its name; a file that cannot get it is removed.
    func appear() throws(CommandFailure) {
        if temporary == nil {
            if PathText.withCString(path, { csafety_name_file(descriptor, $0) }) == 0 { return close() }
            if errno != EEXIST || !isNamedBeside() {
                // Some file systems support unnamed files, but cannot name them.
                close()
                try openNamed()
                try FileAccess.write(bytes, to: descriptor, name: path)
            }
        }
        guard let temporary else { return }
        // Some file systems report a full disk only on closing.
        let isClosed = FancyTextPlatform.close(descriptor) == 0
        descriptor = -1
        guard isClosed, PathText.withCString(path, { rename(temporary.name, $0) }) == 0
        else { throw CommandFailure(path, errno: errno) }
        release(temporary)
        self.temporary = nil
    }

    private func release(_ temporary: (name: UnsafeMutablePointer<CChar>, number: Int32)) {
        csafety_keep_file(temporary.number)
        free(temporary.name)
    }

    /// Gives the file a temporary name, because renaming replaces another file and linking does not.
    private func isNamedBeside() -> Bool {
        while true {
            let ending = String(UInt32.random(in: 0 ... .max), radix: 36)
            guard let name = PathText.withCString("\(path).\(ending)", { strdup($0) }) else { return false }
            if csafety_name_file(descriptor, name) == 0 {
                temporary = (name, csafety_remove_at_end(name))
                return true
            }
            let isTaken = errno == EEXIST
            free(name)
            if !isTaken { return false }
        }
    }

    private func close() {
        if descriptor >= 0 { _ = FancyTextPlatform.close(descriptor) }
        descriptor = -1
    }
}
