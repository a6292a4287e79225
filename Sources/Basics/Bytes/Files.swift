// The names and the identities of files.

import FancyTextPlatform
import Synchronization

/// The names of a folder's entries in order; nil if it cannot be read.
package func fileNames(inFolder folder: String) -> [String]? {
    guard let stream = opendir(folder) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        names.append(
            withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            })
    }
    return names.sorted()
}

/// The files that a rendering read and their identities, for a cache to check its result. Tasks may share one.
package final class FileReads: Sendable {
    private let known = Mutex<[String: String]>([:])

    package init() {}

    /// Records a file before it is looked up; only its first identity counts. `identity` is that before another process read it.
    package func note(_ path: String, identity: String? = nil) {
        known.withLock { if $0[path] == nil { $0[path] = identity ?? Self.identity(of: path) } }
    }

    package var files: [(path: String, identity: String)] {
        known.withLock { known in known.map { ($0.key, $0.value) } }.sorted { $0.0 < $1.0 }
    }

    /// The identity of a file's contents: it differs between files, and before and after a change.
    package static func identity(of path: String) -> String {
        guard let status = fileStatus(at: path) else { return "absent" }
        let changed = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        return "\(status.st_dev) \(status.st_ino) \(status.st_size) \(changed)"
    }
}
