// Which files a rendering looked at, and what they were like before: who keeps its result can tell whether it still holds.

import FancyTextPlatform
import Synchronization

/// Notes files; any number of tasks may share one.
package final class FileReads: Sendable {
    private let known = Mutex<[String: String]>([:])

    package init() {}

    /// Notes a file that is about to be looked for. What it is like the first time counts.
    package func note(_ path: String) {
        known.withLock { if $0[path] == nil { $0[path] = Self.identity(of: path) } }
    }

    /// Notes what a file was like before another process looked for it.
    package func note(_ path: String, identity: String) {
        known.withLock { if $0[path] == nil { $0[path] = identity } }
    }

    /// The files and what they were like, by their paths.
    package var files: [(path: String, identity: String)] {
        known.withLock { known in known.map { ($0.key, $0.value) } }.sorted { $0.0 < $1.0 }
    }

    /// The identity of a file's contents: it differs between files, and before and after a change.
    package static func identity(of path: String) -> String {
        var status = stat()
        guard stat(path, &status) == 0 else { return "absent" }
        let changed = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        return "\(status.st_dev) \(status.st_ino) \(status.st_size) \(changed)"
    }
}
