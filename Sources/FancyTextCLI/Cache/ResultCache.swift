// Results of renderings in a folder, by digests of everything that decides their bytes.
// In: keys, and new results. Out: stored results. Any number of threads and processes share a folder.

import FancyText
import FancyTextPlatform

/// A result, and the messages of its rendering.
struct CachedResult {
    var bytes: [UInt8]
    var messages: [Diagnostic]
    /// The files that it was made from, with their identities.
    var reads: [(path: String, identity: String)]
}

struct ResultCache: Sendable {
    let store: PictureStore
    /// True if results are always made anew and replace stored ones.
    private let refreshes: Bool

    /// - Parameter limit: the maximum number of bytes of all results, for new ones.
    init(_ folder: String, limit: Int = .max, refreshes: Bool = false) throws(CommandFailure) {
        store = PictureStore(folder: folder, limit: limit)
        self.refreshes = refreshes
        FileAccess.makeFolder(for: folder + "/")
        guard let status = fileStatus(at: folder) else { throw CommandFailure(folder, errno: errno) }
        guard status.isFolder else { throw CommandFailure(folder, errno: ENOTDIR) }
        guard access(folder, R_OK | W_OK | X_OK) == 0 else { throw CommandFailure(folder, errno: errno) }
        guard store.isUsable
        else { throw CommandFailure("\(folder): the folder has other files and is no cache; name a new folder") }
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

/// A digest of everything that decides a result's bytes: two runs with the same key give the same bytes.
struct RenderKey {
    private var hash = SHA256()

    /// Starts with the program, because another build or other libraries may draw differently.
    init() {
        add("version", Array(FancyTextRelease.version.utf8))
        add(identityOf: PathText.program)
        add(identityOf: "/etc/ld.so.cache")
    }

    var digest: [UInt8] {
        var copy = hash
        return copy.finish()
    }

    mutating func add(_ name: StaticString, _ bytes: [UInt8]) {
        name.withUTF8Buffer { hash.update(Array($0)) }
        // Includes the length, so that different lists of parts have different input.
        hash.update(Array(" \(bytes.count) ".utf8))
        hash.update(bytes)
    }

    /// Adds a file's size, inode and time of change, for files that are large or many.
    mutating func add(identityOf path: String) { add("file", Array("\(path) \(FileReads.identity(of: path))".utf8)) }

    /// Adds options that change results, and the files that they name.
    mutating func add(options: [(name: String, value: String)]) throws(CommandFailure) {
        for (name, value) in options {
            add("option", Array("\(name)=\(value)".utf8))
            switch name {
            case "css": add("css", try FileAccess.read(value, limit: 1 << 30))
            case "font", "font-dir", "emoji": add(treeOf: value)
            case "lambda": add(identityOf: String(value.drop { $0 != "=" }.dropFirst()))
            default: break
            }
        }
    }

    /// Adds a file, or a folder with the files in it.
    mutating func add(treeOf path: String) {
        add(identityOf: path)
        for name in fileNames(inFolder: path) ?? [] { add(identityOf: path + "/" + name) }
    }

    /// Adds the folders of the system's fonts; a folder's time of change reveals added and removed fonts.
    mutating func addSystemFonts() {
        let home = Terminal.environment("HOME") ?? ""
        for folder in ["/usr/share/fonts", "/usr/local/share/fonts", "\(home)/.fonts", "\(home)/.local/share/fonts"] {
            addFolders(below: folder, depth: 4)
        }
        add(treeOf: "/etc/fonts")
        add(treeOf: "/etc/fonts/conf.d")
        add(treeOf: "\(home)/.config/fontconfig")
    }

    private mutating func addFolders(below folder: String, depth: Int) {
        guard depth > 0, let status = fileStatus(at: folder), status.isFolder else { return }
        add(identityOf: folder)
        // A folder without subfolders has two hard links.
        guard status.st_nlink != 2 else { return }
        for name in fileNames(inFolder: folder) ?? [] { addFolders(below: folder + "/" + name, depth: depth - 1) }
    }
}

struct RenderCache: Sendable {
    let results: ResultCache
    /// The digest of the program, the options and the fonts.
    let run: [UInt8]
    /// The style sheets that documents of the run have named.
    let sheets = FileReads()

    /// The key of a document's result, by its source and the file's name and folders.
    func key(_ source: [UInt8], _ places: [String]) -> [UInt8] {
        var hash = SHA256()
        hash.update(run)
        for text in places { hash.update(Array("\(text.utf8.count):\(text)".utf8)) }
        hash.update(source)
        return hash.finish()
    }
}
