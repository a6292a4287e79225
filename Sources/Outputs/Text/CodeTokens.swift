// Splits source code into four kinds of tokens for colouring: comments, strings, numbers, keywords. A small scanner with a table
// of languages and no grammar; unknown text stays plain.
//
// In: bytes and the name of a language. Out: ranges with their kinds.

/// The kind of a range of source code.
enum CodeToken: UInt8 {
    case keyword, string, comment, number
    /// A markup tag, a CSS property, or a JSON member.
    case name
}

/// The scanner's description of a language.
struct CodeLanguage {
    var keywords: Set<String> = []
    var lineComments: [[UInt8]] = []
    var blockComment: (open: [UInt8], close: [UInt8])?
    /// Quotes that span lines, longest first; other strings end with their line.
    var longQuotes: [[UInt8]] = []
    var quotes: [UInt8] = []
    var ignoresCase = false
    /// True if a word after `<` or `</` is a tag and other words are text.
    var isMarkup = false
    /// True if a word or string before `:` is a name.
    var namesBeforeColon = false

    private static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }
    private static let cComments = [Array("//".utf8)]
    private static let cBlock = (open: Array("/*".utf8), close: Array("*/".utf8))
    private static let both = Array("\"'".utf8)

    /// The language that a class such as `language-swift` names.
    static func named(_ name: String) -> CodeLanguage? {
        let name = name.lowercased()
        return languages.first { $0.names.contains(name) }?.language
    }

    private static let languages: [(names: [String], language: CodeLanguage)] = [
        (
            ["c", "cpp", "c++", "h", "hpp", "cc", "objc"],
            CodeLanguage(
                keywords: words(
                    "alignas alignof auto bool break case catch char class const constexpr continue default delete do double "
                        + "else enum explicit extern false float for friend goto if inline int long namespace new noexcept "
                        + "nullptr operator override private protected public register return short signed sizeof static "
                        + "struct switch template this throw true try typedef typename union unsigned using virtual void "
                        + "volatile while"), lineComments: cComments, blockComment: cBlock, quotes: both)
        ),
        (
            ["java", "kotlin", "kt", "csharp", "cs", "scala"],
            CodeLanguage(
                keywords: words(
                    "abstract as assert boolean break byte case catch char class const continue default do double else enum "
                        + "extends false final finally float for fun if implements import in instanceof int interface is "
                        + "long namespace native new null object override package private protected public return short "
                        + "static string super switch synchronized this throw throws true try val var void when while"),
                lineComments: cComments, blockComment: cBlock, longQuotes: [Array("\"\"\"".utf8)], quotes: both)
        ),
        (
            ["javascript", "js", "jsx", "typescript", "ts", "tsx", "mjs"],
            CodeLanguage(
                keywords: words(
                    "any as async await boolean break case catch class const continue debugger default delete do else enum "
                        + "export extends false finally for from function if implements import in instanceof interface let "
                        + "new null number of private protected public readonly return static string super switch this throw "
                        + "true try type typeof undefined var void while yield"),
                lineComments: cComments, blockComment: cBlock, longQuotes: [Array("`".utf8)], quotes: both)
        ),
        (
            ["python", "py", "python3"],
            CodeLanguage(
                keywords: words(
                    "and as assert async await break class continue def del elif else except False finally for from global if "
                        + "import in is lambda None nonlocal not or pass raise return True try while with yield match case "
                        + "self"),
                lineComments: [Array("#".utf8)], longQuotes: [Array("\"\"\"".utf8), Array("'''".utf8)], quotes: both)
        ),
        (
            ["go", "golang"],
            CodeLanguage(
                keywords: words(
                    "break case chan const continue default defer else fallthrough false for func go goto if import interface "
                        + "map nil package range return select struct switch true type var bool byte error int string"),
                lineComments: cComments, blockComment: cBlock, longQuotes: [Array("`".utf8)], quotes: both)
        ),
        (
            ["rust", "rs"],
            CodeLanguage(
                keywords: words(
                    "as async await bool break const continue crate dyn else enum extern false fn for if impl in let loop "
                        + "match mod move mut pub ref return self Self static str struct super trait true type unsafe use "
                        + "where while i32 i64 u8 u32 u64 usize"), lineComments: cComments, blockComment: cBlock,
                quotes: Array("\"".utf8))
        ),
        (
            ["swift"],
            CodeLanguage(
                keywords: words(
                    "actor any as associatedtype async await break case catch class continue default defer do else enum "
                        + "extension fallthrough false fileprivate final for func guard if import in indirect init inout "
                        + "internal is lazy let mutating nil open operator override package private protocol public repeat "
                        + "return self Self set get some static struct subscript super switch throw throws true try typealias "
                        + "var weak where while"),
                lineComments: cComments, blockComment: cBlock, longQuotes: [Array("\"\"\"".utf8)],
                quotes: Array("\"".utf8))
        ),
        (
            ["sh", "bash", "shell", "zsh", "console", "make", "dockerfile"],
            CodeLanguage(
                keywords: words(
                    "alias break case cd continue do done echo elif else esac eval exec exit export fi for function if in "
                        + "local read return set shift sudo then trap unset until while"),
                lineComments: [Array("#".utf8)], longQuotes: both.map { [$0] })
        ),
        (
            ["json", "yaml", "yml", "toml", "ini"],
            CodeLanguage(
                keywords: words("true false null yes no"), lineComments: [Array("#".utf8), Array("//".utf8)],
                quotes: both, namesBeforeColon: true)
        ),
        (
            ["html", "xml", "svg", "xhtml"],
            CodeLanguage(
                blockComment: (open: Array("<!--".utf8), close: Array("-->".utf8)), quotes: Array("\"".utf8),
                isMarkup: true)
        ),
        (
            ["css", "scss", "less"],
            CodeLanguage(
                keywords: words("important media import supports font-face keyframes inherit initial unset"),
                lineComments: [], blockComment: cBlock, quotes: both, namesBeforeColon: true)
        ),
        (
            ["sql", "postgresql", "mysql", "sqlite"],
            CodeLanguage(
                keywords: words(
                    "add all alter and as asc between by case create cross database default delete desc distinct drop else "
                        + "end exists foreign from full group having if in index inner insert into is join key left like "
                        + "limit not null offset on or order outer primary references right select set table then union "
                        + "unique update values view when where with int integer text varchar boolean"),
                lineComments: [Array("--".utf8)], blockComment: cBlock, quotes: both, ignoresCase: true)
        ),
    ]
}

extension CodeLanguage {
    /// The tokens of a text, in order; the text between them is plain. Linear in the text.
    func tokens(of bytes: [UInt8]) -> [(range: Range<Int>, kind: CodeToken)] {
        var result: [(range: Range<Int>, kind: CodeToken)] = []
        var at = 0
        while at < bytes.count {
            let start = at
            if let end = commentEnd(bytes, at) {
                result.append((start..<end, .comment))
                at = end
            } else if let end = stringEnd(bytes, at) {
                let isName = namesBeforeColon && Self.isBeforeColon(bytes, end)
                result.append((start..<end, isName ? .name : .string))
                at = end
            } else if Self.isDigit(bytes[at]) {
                while at < bytes.count, Self.isWord(bytes[at]) || bytes[at] == 0x2E { at += 1 }
                result.append((start..<at, .number))
            } else if Self.isWord(bytes[at]) {
                while at < bytes.count, Self.isWord(bytes[at]) || (namesBeforeColon || isMarkup) && bytes[at] == 0x2D {
                    at += 1
                }
                if let kind = kind(ofWord: start..<at, in: bytes) { result.append((start..<at, kind)) }
            } else {
                at += 1
            }
        }
        return result
    }

    private func kind(ofWord range: Range<Int>, in bytes: [UInt8]) -> CodeToken? {
        if isMarkup {
            let before = range.lowerBound > 0 ? bytes[range.lowerBound - 1] : 0
            let isTag = before == 0x3C || before == 0x2F && range.lowerBound > 1 && bytes[range.lowerBound - 2] == 0x3C
            return isTag ? .keyword : range.upperBound < bytes.count && bytes[range.upperBound] == 0x3D ? .name : nil
        }
        let word = String(decoding: bytes[range], as: UTF8.self)
        if keywords.contains(ignoresCase ? word.lowercased() : word) { return .keyword }
        return namesBeforeColon && Self.isBeforeColon(bytes, range.upperBound) ? .name : nil
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

    private func stringEnd(_ bytes: [UInt8], _ at: Int) -> Int? {
        for quote in longQuotes where bytes[at...].starts(with: quote) {
            return Self.end(of: quote, in: bytes, from: at + quote.count) ?? bytes.count
        }
        guard quotes.contains(bytes[at]) else { return nil }
        var end = at + 1
        while end < bytes.count, bytes[end] != bytes[at] {
            // An apostrophe in words has no end on its line.
            if bytes[end] == 0x0A { return nil }
            end += bytes[end] == 0x5C ? 2 : 1
        }
        return end < bytes.count ? end + 1 : nil
    }

    private static func end(of mark: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard let first = mark.first else { return nil }
        var at = start
        while at + mark.count <= bytes.count {
            if bytes[at] == 0x5C, mark.count < 3 {
                at += 2
                continue
            }
            if bytes[at] == first, bytes[at...].starts(with: mark) { return at + mark.count }
            at += 1
        }
        return nil
    }

    private static func isBeforeColon(_ bytes: [UInt8], _ end: Int) -> Bool {
        var at = end
        while at < bytes.count, bytes[at] == 0x20 { at += 1 }
        return at < bytes.count && bytes[at] == 0x3A
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isWord(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || isDigit(byte) || byte == 0x5F || byte >= 0x80
    }
}
