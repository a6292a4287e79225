// Records the files that a rendering read and their identities, so that a cache can tell whether its result is still valid.

import FancyTextPlatform
import Synchronization

/// A record of files; tasks may share one.
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
