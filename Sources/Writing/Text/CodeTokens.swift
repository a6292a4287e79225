// Splits source code into tokens for colouring, by a small scanner with a table of languages and no grammar. In: bytes and the name
// of a language. Out: ranges with their kinds; other text stays plain.

import FancyTextMarkup

/// The kind of a range of source code.
package enum CodeToken: String {
    case keyword, string, comment, number
    /// A markup tag, a CSS property, or a JSON member.
    case name
    /// A line that a difference adds or removes.
    case inserted, deleted
}

/// The scanner's description of a language.
package struct CodeLanguage {
    private let names: Set<String>
    private let keywords: Set<String>
    private let lineComments: [[UInt8]]
    private let blockComment: (open: [UInt8], close: [UInt8])?
    /// Quotes that span lines, longest first; other strings end with their line.
    private let longQuotes: [[UInt8]]
    private let quotes: [UInt8]
    private let syntax: Syntax

    private struct Syntax: OptionSet {
        let rawValue: UInt8
        static let ignoresCase = Syntax(rawValue: 1)
        /// Words after `<` and `</` are tags; the text outside of tags is plain.
        static let isMarkup = Syntax(rawValue: 2)
        /// A word or string before `:` is a name.
        static let namesBeforeColon = Syntax(rawValue: 4)
        /// Each line is a token by its first character.
        static let isDifference = Syntax(rawValue: 8)
    }

    /// Lists are separated by spaces; the defaults are those of C.
    private init(
        _ names: String, line: String = "//", block: String = "/* */", long: String = "", quotes: String = "\"'",
        syntax: Syntax = [], _ keywords: String
    ) {
        func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
        (self.names, self.keywords) = (Set(words(names)), Set(words(keywords)))
        lineComments = words(line).map { Array($0.utf8) }
        let marks = words(block).map { Array($0.utf8) }
        blockComment = marks.isEmpty ? nil : (marks[0], marks[1])
        longQuotes = words(long).map { Array($0.utf8) }
        self.quotes = Array(quotes.utf8)
        self.syntax = syntax
    }

    package static func named(_ name: String) -> CodeLanguage? {
        let name = name.lowercased()
        return languages.first { $0.names.contains(name) }
    }

    /// The language that the classes of an element name: `language-x` (HTML's convention), `lang-x`, or `x` after `sourceCode`.
    package static func label(of element: NodeID, in tree: MarkupTree) -> String? {
        guard tree.kind(element) == .element, let classes = tree.attribute(element, .classNames) else { return nil }
        let names = classes.split(whereSeparator: \.isWhitespace)
        for name in names {
            for prefix in ["language-", "lang-", "highlight-source-"] where name.hasPrefix(prefix) {
                return String(name.dropFirst(prefix.count))
            }
        }
        // Pandoc's classes for numbered lines come between.
        let others: Set<Substring> = ["numberSource", "numberLines", "lineAnchors"]
        return names.first == "sourceCode" ? names.dropFirst().first { !others.contains($0) }.map(String.init) : nil
    }

    private static let languages = [
        CodeLanguage(
            "c cpp c++ h hpp cc objc",
            "alignas alignof auto bool break case catch char class const constexpr continue default delete do double else "
                + "enum explicit extern false float for friend goto if inline int long namespace new noexcept nullptr "
                + "operator override private protected public register return short signed sizeof static struct switch "
                + "template this throw true try typedef typename union unsigned using virtual void volatile while"),
        CodeLanguage(
            "java kotlin kt csharp cs scala", long: "\"\"\"",
            "abstract as assert boolean break byte case catch char class const continue default do double else enum extends "
                + "false final finally float for fun if implements import in instanceof int interface is long namespace "
                + "native new null object override package private protected public return short static string super "
                + "switch synchronized this throw throws true try val var void when while"),
        CodeLanguage(
            "javascript js jsx typescript ts tsx mjs", long: "`",
            "any as async await boolean break case catch class const continue debugger default delete do else enum export "
                + "extends false finally for from function if implements import in instanceof interface let new null "
                + "number of private protected public readonly return static string super switch this throw true try type "
                + "typeof undefined var void while yield"),
        CodeLanguage(
            "python py python3", line: "#", block: "", long: "\"\"\" '''",
            "and as assert async await break class continue def del elif else except False finally for from global if import "
                + "in is lambda None nonlocal not or pass raise return True try while with yield match case self"),
        CodeLanguage(
            "go golang", long: "`",
            "break case chan const continue default defer else fallthrough false for func go goto if import interface map "
                + "nil package range return select struct switch true type var bool byte error int string"),
        CodeLanguage(
            "rust rs", quotes: "\"",
            "as async await bool break const continue crate dyn else enum extern false fn for if impl in let loop match mod "
                + "move mut pub ref return self Self static str struct super trait true type unsafe use where while i32 "
                + "i64 u8 u32 u64 usize"),
        CodeLanguage(
            "swift", long: "\"\"\"", quotes: "\"",
            "actor any as associatedtype async await break case catch class continue default defer do else enum extension "
                + "fallthrough false fileprivate final for func guard if import in indirect init inout internal is lazy "
                + "let mutating nil open operator override package private protocol public repeat return self Self set "
                + "get some static struct subscript super switch throw throws true try typealias var weak where while"),
        CodeLanguage(
            "sh bash shell zsh console make dockerfile", line: "#", block: "", long: "\" '", quotes: "",
            "alias break case cd continue do done echo elif else esac eval exec exit export fi for function if in local read "
                + "return set shift sudo then trap unset until while"),
        CodeLanguage(
            "json yaml yml toml ini", line: "# //", block: "", syntax: .namesBeforeColon, "true false null yes no"),
        CodeLanguage("html xml svg xhtml", line: "", block: "<!-- -->", quotes: "\"", syntax: .isMarkup, ""),
        CodeLanguage(
            "css scss less", line: "", syntax: .namesBeforeColon,
            "important media import supports font-face keyframes inherit initial unset"),
        CodeLanguage("diff patch udiff", line: "", block: "", quotes: "", syntax: .isDifference, ""),
        CodeLanguage(
            "sql postgresql mysql sqlite", line: "--", syntax: .ignoresCase,
            "add all alter and as asc between by case create cross database default delete desc distinct drop else end "
                + "exists foreign from full group having if in index inner insert into is join key left like limit not "
                + "null offset on or order outer primary references right select set table then union unique update "
                + "values view when where with int integer text varchar boolean"),
    ]

    /// The most tokens of a listing: as elements they take a hundred times their text.
    private static let mostTokens = 100_000

    /// The tokens of a text, in order; the text between them, and after the most tokens, is plain. Linear in the text.
    package func tokens(of bytes: [UInt8]) -> [(range: Range<Int>, kind: CodeToken)] {
        if syntax.contains(.isDifference) { return Self.changes(in: bytes) }
        var result: [(range: Range<Int>, kind: CodeToken)] = []
        var at = 0
        var isPlain = syntax.contains(.isMarkup)
        var unclosed: [UInt8: Int] = [:]
        while at < bytes.count, result.count < Self.mostTokens {
            let start = at
            if let end = commentEnd(bytes, at) {
                result.append((start..<end, .comment))
                at = end
            } else if syntax.contains(.isMarkup), bytes[at] == 0x3C || bytes[at] == 0x3E {
                at += 1
                let next = at < bytes.count ? bytes[at] : 0
                isPlain = bytes[start] == 0x3E || !(Self.isWord(next) || next == 0x2F || next == 0x21)
            } else if isPlain {
                at += 1
            } else if let end = stringEnd(bytes, at, &unclosed) {
                let isName = syntax.contains(.namesBeforeColon) && Self.isBeforeColon(bytes, end)
                result.append((start..<end, isName ? .name : .string))
                at = end
            } else if bytes[at].isASCIIDigit {
                while at < bytes.count, Self.isWord(bytes[at]) || bytes[at] == 0x2E { at += 1 }
                result.append((start..<at, .number))
            } else if Self.isWord(bytes[at]) {
                let hasHyphens = !syntax.isDisjoint(with: [.namesBeforeColon, .isMarkup])
                while at < bytes.count, Self.isWord(bytes[at]) || hasHyphens && bytes[at] == 0x2D { at += 1 }
                if let kind = kind(ofWord: start..<at, in: bytes) { result.append((start..<at, kind)) }
            } else {
                at += 1
            }
        }
        return result
    }

    /// The lines of a difference that are not the same in both files.
    private static func changes(in bytes: [UInt8]) -> [(range: Range<Int>, kind: CodeToken)] {
        let heads = ["diff ", "index ", "--- ", "+++ ", "@@ "].map { Array($0.utf8) }
        let kinds: [Unicode.Scalar: CodeToken] = [
            "+": .inserted, ">": .inserted, "-": .deleted, "<": .deleted, "!": .keyword, "#": .comment,
        ]
        return bytes.split(separator: 0x0A).lazy.compactMap { line in
            if let head = heads.firstIndex(where: { line.starts(with: $0) }) {
                return (line.indices, head == heads.count - 1 ? .keyword : .number)
            }
            return line.first.flatMap { kinds[Unicode.Scalar($0)] }.map { (line.indices, $0) }
        }.prefix(mostTokens).map { $0 }
    }

    private func kind(ofWord range: Range<Int>, in bytes: [UInt8]) -> CodeToken? {
        if syntax.contains(.isMarkup) {
            let before = range.lowerBound > 0 ? bytes[range.lowerBound - 1] : 0
            let isTag = before == 0x3C || before == 0x2F && range.lowerBound > 1 && bytes[range.lowerBound - 2] == 0x3C
            return isTag ? .keyword : range.upperBound < bytes.count && bytes[range.upperBound] == 0x3D ? .name : nil
        }
        // A member is no keyword, whatever its name.
        if range.lowerBound > 0, bytes[range.lowerBound - 1] == UInt8(ascii: ".") { return nil }
        let word = String(decoding: bytes[range], as: UTF8.self)
        if keywords.contains(syntax.contains(.ignoresCase) ? word.lowercased() : word) { return .keyword }
        return syntax.contains(.namesBeforeColon) && Self.isBeforeColon(bytes, range.upperBound) ? .name : nil
    }

    private func commentEnd(_ bytes: [UInt8], _ at: Int) -> Int? {
        if let block = blockComment, bytes[at...].starts(with: block.open) {
            return Self.end(of: block.close, in: bytes, from: at + block.open.count) ?? bytes.count
        }
        for mark in lineComments where bytes[at...].starts(with: mark) {
            // `#` within a word (`$#`, `a#b`) does not begin a comment.
            if mark == [0x23], at > 0, ![0x20, 0x09, 0x0A].contains(bytes[at - 1]) { continue }
            return bytes[at...].firstIndex(of: 0x0A) ?? bytes.count
        }
        return nil
    }

    /// - Parameter unclosed: For each quote, the end of the text that is known to contain no end of a string.
    private func stringEnd(_ bytes: [UInt8], _ at: Int, _ unclosed: inout [UInt8: Int]) -> Int? {
        for quote in longQuotes where bytes[at...].starts(with: quote) {
            return Self.end(of: quote, in: bytes, from: at + quote.count) ?? bytes.count
        }
        guard quotes.contains(bytes[at]), at >= unclosed[bytes[at], default: 0] else { return nil }
        var end = at + 1
        // An apostrophe in words has no end on its line.
        while end < bytes.count, bytes[end] != bytes[at], bytes[end] != 0x0A { end += bytes[end] == 0x5C ? 2 : 1 }
        if end < bytes.count, bytes[end] == bytes[at] { return end + 1 }
        unclosed[bytes[at]] = end
        return nil
    }

    private static func end(of mark: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        var at = start
        while at + mark.count <= bytes.count {
            if bytes[at] == mark[0], bytes[at...].starts(with: mark) { return at + mark.count }
            at += bytes[at] == 0x5C && mark.count < 3 ? 2 : 1
        }
        return nil
    }

    private static func isBeforeColon(_ bytes: [UInt8], _ end: Int) -> Bool {
        var at = end
        while at < bytes.count, bytes[at] == 0x20 { at += 1 }
        return at < bytes.count && bytes[at] == 0x3A
    }

    private static func isWord(_ byte: UInt8) -> Bool { byte.isASCIIAlphanumeric || byte == 0x5F || byte >= 0x80 }
}

package enum SyntaxColors {
    /// Colours tags, attributes and comments of HTML. O(length).
    package static func html(_ bytes: [UInt8]) -> [UInt8] {
        colored(bytes, "html", [.keyword: "34", .name: "36", .string: "32", .number: "32", .comment: "2"])
    }

    /// Colours names, strings and literals of JSON. O(length).
    package static func json(_ bytes: [UInt8]) -> [UInt8] {
        colored(bytes, "json", [.name: "34", .string: "32", .number: "33", .keyword: "33"])
    }

    private static func colored(_ bytes: [UInt8], _ language: String, _ colors: [CodeToken: String]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count * 2)
        var at = 0
        for token in CodeLanguage.named(language)?.tokens(of: bytes) ?? [] {
            guard let color = colors[token.kind] else { continue }
            out += bytes[at..<token.range.lowerBound]
            out += Array("\u{1B}[\(color)m".utf8) + bytes[token.range] + Array("\u{1B}[0m".utf8)
            at = token.range.upperBound
        }
        return out + bytes[at...]
    }
}
