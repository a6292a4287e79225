// Names of output files made from the names of inputs, from rows and from the numbers of pages: `out/{stem}-{id}.png`.
// In: a pattern, and a value for each key. Out: a path. A row's value is made safe: it chooses a file name, never a folder.

import FancyTextBasics

struct FileName: Sendable {
    private enum Part {
        case text(String)
        case key(String)
    }

    private var parts: [Part] = []

    init(_ pattern: String) {
        var rest = pattern[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            // The innermost brace is the opening one.
            let start = rest[..<close].lastIndex(of: "{") ?? open
            if rest.startIndex < start { parts.append(.text(String(rest[..<start]))) }
            parts.append(.key(String(rest[rest.index(after: start)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
    }

    /// The keys, by which each row has a different name.
    var keys: [String] { parts.compactMap { if case .key(let key) = $0 { key } else { nil } } }

    func replacing(_ key: String, by value: String) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .key(key): value
            case .key(let other): "{\(other)}"
            }
        }.joined()
    }

    /// Returns whether each input has a file of its own.
    static func isPattern(_ path: String) -> Bool { FileName(path).keys.contains("stem") }

    /// Returns whether each page has a file of its own.
    static func hasPages(_ path: String) -> Bool { FileName(path).keys.contains("page") }

    static func expand(_ pattern: String, for file: String) -> String {
        FileName(pattern).replacing("stem", by: stem(of: file))
    }

    /// An input's name without folder and ending; for a URL, the last part of its path, or otherwise the host.
    private static func stem(of file: String) -> String {
        if file == "-" { return "stdin" }
        let isRemote = URLReference.isRemote(file)
        let path = isRemote ? URLReference.path(of: file) : file[...]
        if isRemote, path.isEmpty { return URLReference.host(of: file) }
        let name = String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
        return name.lastIndex(of: ".").map { $0 == name.startIndex ? name : String(name[..<$0]) } ?? name
    }

    /// Checks that no two results go to the same file, that none replaces an input, and that the names have no unknown keys.
    ///
    /// - Parameter isShared: whether all inputs have one result.
    static func check(
        _ patterns: [String], for files: [String], keys: [String] = ["stem"], isShared: Bool = false
    ) throws(CommandFailure) {
        var targets: Set<String> = []
        let inputs = Set(files.map(PathText.simplified))
        for pattern in patterns where pattern != "-" {
            if let key = FileName(pattern).keys.first(where: { !keys.contains($0) }) {
                let reason =
                    ["stem", "page"].contains(key)
                    ? "has no value here" : "needs rows (--data); inputs have {stem}, and pages {page}"
                throw CommandFailure("\(pattern): '{\(key)}' \(reason)")
            }
            for file in isShared ? files.prefix(1) : files[...] {
                let target = PathText.simplified(expand(pattern, for: file))
                guard targets.insert(target).inserted
                else { throw CommandFailure("\(target): more than one result would be written to this file") }
                if inputs.contains(target) { throw CommandFailure("\(target): the result would replace this input") }
            }
        }
    }

    /// The folder that contains all files, including its slash; empty for the working directory.
    var folder: String {
        guard case .text(let text)? = parts.first, let slash = text.lastIndex(of: "/") else { return "" }
        return String(text[...slash])
    }

    /// The path for a row with a text for each key. The key `row` is the row's number, if the row has no such member.
    func path(for row: JSONValue, number: Int) throws(RowMistake) -> String {
        var path = ""
        for part in parts {
            switch part {
            case .text(let text): path += text
            case .key(let key):
                switch row.member(key) {
                case .string(let text)?, .number(let text)?: path += try Self.safe(text, key)
                case nil where key == "row": path += String(number)
                case nil: throw RowMistake("there is no '\(key)' for the name of the file\(row.membersNote("row"))")
                case .bool?, .null?, .array?, .object?: throw RowMistake("'\(key)' is no text for the name of the file")
                }
            }
        }
        return path
    }

    /// Text as a part of a file name: separators, control characters and leading dots become `_`.
    private static func safe(_ text: String, _ key: String) throws(RowMistake) -> String {
        if text.isEmpty { throw RowMistake("'\(key)' is empty, and names the file") }
        var result = String.UnicodeScalarView()
        var isStart = true
        for scalar in text.unicodeScalars {
            let isUnsafe =
                scalar == "/" || scalar == "\\" || scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                || PathText.isByte(scalar) || (isStart && scalar == ".")
            result.append(isUnsafe ? "_" : scalar)
            if scalar != "." { isStart = false }
        }
        return String(result)
    }
}
