// A digest of everything that decides a result's bytes: two runs with the same key give the same bytes.
//
// In: the relevant arguments, contents of files, and the program itself. Out: 32 bytes.

import FancyText
import FancyTextPlatform

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
    ///
    /// - Throws: ``CommandFailure`` if such a file cannot be read.
    mutating func add(options: [(name: String, value: String)]) throws(CommandFailure) {
        for (name, value) in options {
            add("option", Array("\(name)=\(value)".utf8))
            switch name {
            case "css": add("css", try FileAccess.read(value, limit: 1 << 30))
            case "font", "font-dir", "emoji": add(treeOf: value)
            case "lambda":
                add(identityOf: value.firstIndex(of: "=").map { String(value[value.index(after: $0)...]) } ?? "")
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

    /// The key of a document's result.
    ///
    /// - Parameter places: the file's name and folders.
    func key(_ source: [UInt8], _ places: [String]) -> [UInt8] {
        var hash = SHA256()
        hash.update(run)
        for text in places { hash.update(Array("\(text.utf8.count):\(text)".utf8)) }
        hash.update(source)
        return hash.finish()
    }
}
