// Names of files made from rows: `out/{id}.png`.
//
// In: a pattern and a row. Out: a path in which each key is replaced by the row's value. A value is made safe: it chooses a file
// name, never a folder.

import FancyTextBasics

struct RowFileName: Sendable {
    private enum Part {
        case text(String)
        case key(String)
    }

    private var parts: [Part] = []
    /// The key of the row's number, if the row has no such member.
    private static let number = "row"

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

    /// The folder that contains all files, including its slash; empty for the working directory.
    var folder: String {
        guard case .text(let text)? = parts.first, let slash = text.lastIndex(of: "/") else { return "" }
        return String(text[...slash])
    }

    /// - Throws: ``RowMistake`` if the row lacks a key, or has a value other than text for it.
    func path(for row: JSONValue, number: Int) throws(RowMistake) -> String {
        var path = ""
        for part in parts {
            switch part {
            case .text(let text): path += text
            case .key(let key):
                switch row.member(key) {
                case .string(let text)?, .number(let text)?: path += try Self.safe(text, key)
                case nil where key == Self.number: path += String(number)
                case nil:
                    throw RowMistake(message: "there is no '\(key)' for the name of the file\(row.membersNote("row"))")
                case .bool?, .null?, .array?, .object?:
                    throw RowMistake(message: "'\(key)' is no text for the name of the file")
                }
            }
        }
        return path
    }

    /// Text as a part of a file name: separators, control characters and leading dots become `_`.
    private static func safe(_ text: String, _ key: String) throws(RowMistake) -> String {
        var result = String.UnicodeScalarView()
        var isStart = true
        for scalar in text.unicodeScalars {
            let isUnsafe =
                scalar == "/" || scalar == "\\" || scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                || PathText.isByte(scalar) || (isStart && scalar == ".")
            result.append(isUnsafe ? "_" : scalar)
            if scalar != "." { isStart = false }
        }
        guard !result.isEmpty else { throw RowMistake(message: "'\(key)' is empty, and names the file") }
        return String(result)
    }
}
