// Names of files made from rows: `out/{id}.png`.
//
// In: a pattern and a row. Out: a path in which each key is the row's value, made safe: what a row says chooses a name, never
// a folder.

import FancyTextBasics
import FancyText

struct RowFileName: Sendable {
    private enum Part {
        case text(String)
        case key(String)
    }

    private var parts: [Part] = []
    /// The row's number, where it has no such member.
    private static let number = "row"

    init(_ pattern: String) {
        var rest = pattern[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            // The innermost brace opens.
            let start = rest[..<close].lastIndex(of: "{") ?? open
            if rest.startIndex < start { parts.append(.text(String(rest[..<start]))) }
            parts.append(.key(String(rest[rest.index(after: start)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
    }

    /// Whether each row has a name of its own.
    var hasKeys: Bool {
        parts.contains { part in
            switch part {
            case .key: true
            case .text: false
            }
        }
    }

    /// The folder that all files lie below, with its slash; empty for the working directory.
    var folder: String {
        guard case .text(let text)? = parts.first, let slash = text.lastIndex(of: "/") else { return "" }
        return String(text[...slash])
    }

    /// - Throws: ``RowMistake`` when the row lacks a key, or has something else than text there.
    func path(for row: JSONValue, number: Int) throws(RowMistake) -> String {
        var path = ""
        for part in parts {
            switch part {
            case .text(let text): path += text
            case .key(let key):
                switch row.member(key) {
                case .string(let text)?, .number(let text)?: path += try Self.safe(text, key)
                case nil where key == Self.number: path += String(number)
                case nil: throw RowMistake(message: "there is no '\(key)' for the name of the file")
                case .bool?, .null?, .array?, .object?:
                    throw RowMistake(message: "'\(key)' is no text for the name of the file")
                }
            }
        }
        return path
    }

    /// Text as a part of a file's name: separators and control characters are `_`, and so are dots at its beginning.
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
