// Text, code and URLs as Markdown that is read back unchanged. In: text of the document, every piece of which passes through one of
// these functions. Out: CommonMark without control characters, in which none of it is read as markup, nor as a bare link by GitHub,
// which ends only at a space and ignores escapes.

extension MarkdownWriter {
    /// The text without controls, which are removed before escaping, so that characters that become adjacent are escaped too.
    static func cleaned(_ text: some Sequence<UInt8>) -> [UInt8] { SafeText.withoutControls(Array(text)) }

    /// Returns the line with an escape where it would begin a heading, list, quotation, rule, fence or table.
    static func escapedLineStart(_ line: String) -> String {
        let bytes = Array(line.utf8)
        guard let first = bytes.first else { return line }
        let second = bytes.count > 1 ? bytes[1] : 0x20
        switch first {
        case UInt8(ascii: "#"), UInt8(ascii: ">"), UInt8(ascii: "="), UInt8(ascii: "|"), UInt8(ascii: ":"):
            return "\\" + line
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            let begins = [0x20, 0x09, first, UInt8(ascii: "|"), UInt8(ascii: ":")].contains(second)
            return begins ? "\\" + line : line
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            let rest = bytes.drop(while: \.isASCIIDigit)
            let begins =
                [UInt8(ascii: "."), UInt8(ascii: ")")].contains(rest.first)
                && [nil, 0x20].contains(rest.dropFirst().first)
            guard begins, rest.startIndex <= 9 else { return line }
            return String(decoding: bytes[..<rest.startIndex] + [UInt8(ascii: "\\")] + rest, as: UTF8.self)
        default: return line
        }
    }

    /// Returns the text with escapes before everything that CommonMark reads as markup anywhere in a line, and in bare links
    /// (`www.`, `http://`), which would otherwise become links and include the escapes after them.
    package static func escaped(_ text: String, inTable: Bool) -> String {
        let bytes = cleaned(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 16)
        /// The end of the text that is in the result.
        var done = 0
        func put(_ replacement: StaticString, for index: Int, keeps: Bool = true) {
            result += bytes[done..<index]
            result += replacement.bytes
            done = keeps ? index : index + 1
        }
        var formulaEnd = 0
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"):
                if index >= formulaEnd { put("\\", for: index) }
            case UInt8(ascii: "`"), UInt8(ascii: "["), UInt8(ascii: "]"): put("\\", for: index)
            case UInt8(ascii: "$"): if index >= formulaEnd { formulaEnd = Self.formulaEnd(bytes, index) }
            case UInt8(ascii: "<"):
                // Not a backslash, because not all readers support that escape.
                if index + 1 == bytes.count || bytes[index + 1] != 0x20 { put("&lt;", for: index, keeps: false) }
            case UInt8(ascii: "&"): if isReference(bytes[(index + 1)...]) { put("\\", for: index) }
            case UInt8(ascii: "|"): if inTable { put("\\", for: index) }
            case UInt8(ascii: ":"), UInt8(ascii: "."): if beginsBareLink(bytes, at: index) { put("\\", for: index) }
            case 0x09: put(" ", for: index, keeps: false)
            default: break
            }
        }
        if result.isEmpty { return String(decoding: bytes, as: UTF8.self) }
        result += bytes[done...]
        return String(decoding: result, as: UTF8.self)
    }

    /// The end of the formula in TeX that begins at a dollar sign, as GitHub marks them; the end of the signs without one, or if it
    /// would be more than emphasis to readers without formulas.
    private static func formulaEnd(_ bytes: [UInt8], _ start: Int) -> Int {
        let inside = bytes[start...].firstIndex { $0 != UInt8(ascii: "$") } ?? bytes.count
        guard let close = bytes[inside...].firstIndex(of: UInt8(ascii: "$")), close < inside + 4096
        else { return inside }
        let (rest, content) = (bytes[close...].drop { $0 == UInt8(ascii: "$") }, bytes[inside..<close])
        let isBlock = inside - start == 2
        let isClosed =
            rest.startIndex - close == inside - start && inside - start < 3 && content.last != UInt8(ascii: "\\")
            && (isBlock || content.first != 0x20 && content.last != 0x20 && rest.first?.isASCIIAlphanumeric != true)
        return isClosed && !content.contains { "`[]<&|".utf8.contains($0) } ? rest.startIndex : inside
    }

    /// The text of a label, which must be on one line.
    static func label(_ text: String) -> String {
        let line = text.utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
        return escaped(String(decoding: line, as: UTF8.self), inTable: true)
    }

    /// Returns whether the text after an ampersand makes it a reference: CommonMark only knows `&name;` and `&#1;`.
    private static func isReference(_ rest: ArraySlice<UInt8>) -> Bool {
        let name = rest.prefix(40).prefix { $0 == UInt8(ascii: "#") || $0.isASCIIAlphanumeric }
        return !name.isEmpty && name.endIndex < rest.endIndex && rest[name.endIndex] == UInt8(ascii: ";")
    }

    /// Returns whether the mark at `index` is the dot of `www.` or the colon of `https://` or similar (GFM §6.9). Mail addresses
    /// need no escape: they are found after escapes are removed, and include nothing else.
    private static func beginsBareLink(_ bytes: [UInt8], at index: Int) -> Bool {
        if bytes[index] == UInt8(ascii: ".") {
            return index > 2 && (1...3).allSatisfy { bytes[index - $0] | 0x20 == UInt8(ascii: "w") }
        }
        return index > 0 && bytes[index - 1].isASCIILetter && bytes[(index + 1)...].starts(with: "//".utf8)
    }

    /// A code span with a fence longer than any run of backticks in it (CommonMark §6.1).
    static func code(_ text: String, inTable: Bool) -> String {
        var content = String(decoding: cleaned(text.utf8).map { $0 == 0x0A ? 0x20 : $0 }, as: UTF8.self)
        if inTable {
            // A backslash before a bar is an escape of the table, in code too.
            guard !content.contains("\\|") else { return "<code>" + escaped(content, inTable: true) + "</code>" }
            content = content.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
        }
        guard content.contains(where: { $0 != " " }) else { return content }
        let runs = backticks(in: content)
        let fence = String(repeating: "`", count: (1...).first { !runs.contains($0) } ?? 1)
        let (first, last) = (content.first, content.last)
        let needsSpace = first == "`" || last == "`" || first == " " && last == " "
        return needsSpace ? "\(fence) \(content) \(fence)" : fence + content + fence
    }

    /// The lengths of the runs of backticks in a text.
    static func backticks(in text: String) -> Set<Int> { Set(text.utf8.split { $0 != 0x60 }.map(\.count)) }

    /// A destination or title without references to characters, which CommonMark reads before the escapes.
    private static func withoutReferences(_ text: String) -> String {
        let bytes = cleaned(text.utf8)
        var result: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            result.append(byte)
            if byte == UInt8(ascii: "&"), isReference(bytes[(index + 1)...]) { result += "amp;".utf8 }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// A link destination, in angle brackets if it contains parentheses or other characters that would end it (CommonMark §6.3).
    /// Spaces and angle brackets are percent-encoded, so that no destination is a tag to a reader that takes it for text.
    static func destination(_ target: String) -> String {
        let text = withoutReferences(target).escaped { scalar in
            switch scalar {
            case "\n", "\t": ""
            case "\\", "|": "\\\(scalar)"
            // Some readers drop white space at the start, which may hide a scheme.
            case _ where "<>".unicodeScalars.contains(scalar) || scalar.properties.isWhitespace:
                scalar.utf8.map(\.percentEncoded).joined()
            default: nil
            }
        }
        let isPlain = !text.isEmpty && !target.utf8.contains { "\\|()".utf8.contains($0) }
        return isPlain ? text : "<\(text)>"
    }

    /// A link's title with the space before it, or nothing.
    static func title(_ title: String) -> String {
        guard !title.isEmpty else { return "" }
        let text = withoutReferences(title).escaped { scalar in
            switch scalar {
            case "<": "&lt;"
            case "\"", "\\", "|": "\\\(scalar)"
            case "\n", "\t": " "
            default: nil
            }
        }
        return " \"\(text)\""
    }
}
