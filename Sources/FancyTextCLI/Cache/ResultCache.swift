// Results of renderings in a folder, by digests of everything that decides their bytes.
//
// In: keys, and new results. Out: stored results. Any number of processes share a folder.

import FancyTextBasics
import FancyText
import FancyTextPlatform

/// A result, and the messages of its rendering.
struct CachedResult {
    var bytes: [UInt8]
    var messages: [Diagnostic]
    /// The files that it was made from, with their identities.
    var reads: [(path: String, identity: String)]
}

/// A folder of results. Threads and processes may share it.
struct ResultCache: Sendable {
    let store: PictureStore
    /// True if results are always made anew and replace stored ones.
    private let refreshes: Bool

    /// - Parameter limit: the maximum number of bytes of all results, for new ones.
    /// - Throws: ``CommandFailure`` if the folder cannot be used.
    init(_ folder: String, limit: Int = .max, refreshes: Bool = false) throws(CommandFailure) {
        store = PictureStore(folder: folder, limit: limit)
        self.refreshes = refreshes
        FileAccess.makeFolder(for: folder + "/")
        guard let status = fileStatus(at: folder) else { throw CommandFailure(folder, errno: errno) }
        guard status.isFolder else { throw CommandFailure(folder, errno: ENOTDIR) }
        guard access(folder, R_OK | W_OK | X_OK) == 0 else { throw CommandFailure(folder, errno: errno) }
        guard store.isUsable else {
            throw CommandFailure("\(folder): the folder has other files and is no cache; name a new folder")
        }
    }

    /// The result for a key; nil if there is none, or if a file that it was made from has changed.
    func result(_ key: [UInt8]) -> CachedResult? {
        guard !refreshes, let file = store.read(SHA256.hexadecimal(key)), let (head, bytes) = JSONValue.split(file)
        else { return nil }
        for (name, identity) in head.reads where FileReads.identity(of: name) != identity { return nil }
        return CachedResult(bytes: bytes, messages: head.messages, reads: head.reads)
    }

    /// Stores a result. A result that cannot be written is not kept.
    func keep(_ result: CachedResult, _ key: [UInt8]) {
        var json = JSONBuffer()
        json.object { $0.membersBeside(result.messages, reads: result.reads) }
        store.write(json.line(before: result.bytes), for: SHA256.hexadecimal(key))
    }
}
