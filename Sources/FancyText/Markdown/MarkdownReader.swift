// Markdown to HTML with cmark-gfm: CommonMark with GitHub's tables, strikethrough, task lists and bare links, and footnotes. In: a
// file in Markdown. Out: HTML, the places of its bytes in the file, and a message about front matter that cannot be read.

import CFancyTextMarkdown
import FancyTextMarkup
import FancyTextPlatform

/// The reason why Markdown cannot be read.
public enum MarkdownError: Error, Hashable, Sendable, CustomStringConvertible {
    /// cmark-gfm is not installed.
    case libraryMissing
    /// The tables would have many times more cells than the text has bytes, because missing cells are filled in.
    case tooManyCells
    /// The references would be many times as long as the text, because each is replaced by the whole address and title.
    case tooManyReferences

    public var description: String {
        switch self {
        case .libraryMissing: "Markdown is read by cmark-gfm (libcmark-gfm), which is not installed"
        case .tooManyCells: "the tables of the Markdown have too many cells"
        case .tooManyReferences: "the references of the Markdown stand for too much"
        }
    }
}

extension MarkupParser {
    /// Reads Markdown: CommonMark with GitHub's tables, strikethrough, task lists, bare links and alerts, and footnotes. Headings
    /// have the ids that GitHub gives them. The title, author, date and style sheets of front matter (`---` or `+++` around it)
    /// are used as pandoc does; the rest is left out.
    ///
    /// - Throws: ``MarkdownError`` if cmark-gfm is not installed.
    /// - Complexity: linear.
    public func parse(markdown: [UInt8], name: String) throws(MarkdownError) -> Document {
        let page = try MarkdownReader.read(markdown, named: name)
        var document = forMarkdown.parse(SourceBytes(page.html), name: name, encoding: "utf-8", origin: page.origin)
        if let problem = page.problem { document.diagnostics.report(problem) }
        return document
    }
}

package enum MarkdownReader {
    /// Reads a file. `problem` is a message about its front matter.
    package static func read(
        _ markdown: [UInt8], named name: String
    ) throws(MarkdownError) -> (html: [UInt8], origin: DerivedText, problem: Diagnostic?) {
        let html = try page(markdown)
        let places = MarkdownPlaces(html: html, markdown: markdown)
        let origin = DerivedText(from: markdown, name: name) { places.origin(of: $0) }
        return (html, origin, problem(in: markdown, named: name))
    }

    /// The HTML of a file, with the additions of GitHub and pandoc.
    static func page(_ markdown: [UInt8]) throws(MarkdownError) -> [UInt8] {
        MarkdownPage.html(try html(markdown), frontMatter: markdown[..<frontMatterEnd(markdown)])
    }

    /// A message about front matter that cannot be read; nil without one.
    private static func problem(in markdown: [UInt8], named name: String) -> Diagnostic? {
        func warning(_ text: String, line: Int) -> Diagnostic {
            Diagnostic(.warning, .frontMatter, text, at: Diagnostic.Location(source: name, line: line, column: 1))
        }
        let end = frontMatterEnd(markdown)
        if end > 3 { return FrontMatter(markdown[..<end]).problem.map { warning($0.message, line: $0.line) } }
        let lines = markdown[end...].prefix(200).split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count > 2, let fence = ["---", "+++"].first(where: { lines[0].starts(with: $0.utf8) }),
            lines[0].allSatisfy({ $0 == fence.utf8.first || $0 == 0x0D || $0 == 0x20 }),
            lines[1].first.map({ $0 >= 0x61 && $0 <= 0x7A }) == true,
            let after = lines[1].first(where: { !(0x61...0x7A).contains($0) && $0 != 0x5F && $0 != 0x2D }),
            after == UInt8(ascii: fence == "---" ? ":" : "=") || after == 0x20 && fence == "+++"
        else { return nil }
        return warning("front matter without a line of '\(fence)' at its end: it is shown as text", line: 1)
    }

    /// The HTML of a text in Markdown, without its front matter.
    package static func html(_ markdown: [UInt8]) throws(MarkdownError) -> [UInt8] {
        let text = markdown[frontMatterEnd(markdown)...]
        guard cells(text) <= 100_000 + 4 * text.count else { throw .tooManyCells }
        guard referencedBytes(text) <= 4 << 20 + 64 * text.count else { throw .tooManyReferences }
        let html = MarkdownFormulas.protected(text).withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { cmarkdown_html($0.baseAddress, $0.count) }
        }
        guard let html else { throw .libraryMissing }
        defer { free(html) }
        return UnsafeBufferPointer(start: html, count: strlen(html)).map { UInt8(bitPattern: $0) }
    }

    /// An upper bound on the bytes that references expand to: one for each bracket, each as long as the longest definition.
    private static func referencedBytes(_ text: ArraySlice<UInt8>) -> Int {
        var (brackets, longest, start) = (0, 0, -1)
        var before: UInt8 = 0
        for (index, byte) in text.enumerated() {
            if byte == 0x5D { brackets += 1 }
            // A definition ends with the next one, or with a blank line.
            if byte == 0x3A, before == 0x5D { start = index }
            if byte == 0x0A, before == 0x0A { start = -1 }
            if start >= 0 { longest = max(longest, index - start) }
            if byte != 0x20, byte != 0x09, byte != 0x0D { before = byte }
        }
        return longest > 1000 ? brackets * longest : 0
    }

    /// An upper bound on the number of table cells: each line has as many as the delimiter row above it.
    private static func cells(_ text: ArraySlice<UInt8>) -> Int {
        var (columns, cells) = (0, 0)
        for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if line.allSatisfy({ " \t\r".utf8.contains($0) }) { columns = 0 }
            // Quotes and list items may precede it.
            let isDelimiter = line.contains(0x2D) && line.allSatisfy { "|-:>*+ \t\r".utf8.contains($0) }
            let pipes = isDelimiter ? line.count { $0 == 0x7C } : 0
            if pipes > 0 { columns = max(columns, pipes + 1) }
            cells += columns
        }
        return cells
    }

    /// Front matter: the lines from a first line of `---` (1) or `+++` to the next such line. It begins with a name; a blank line, a
    /// heading or a list makes the first line a thematic break.
    private static let frontMatter = Expression(
        #"(?:\xEF\xBB\xBF)?+(?:(---)|\+\+\+)[\r ]*+\n(?!#|[ ]*+-[ ]|[\r ]*+(?:\n|\z))(?:(?!\g<2>)[^\n]*+\n)*+"#
            + #"((?(1)(?:---|\.\.\.)|\+\+\+)[\r ]*+(?:\n|\z))"#)

    private static func frontMatterEnd(_ bytes: [UInt8]) -> Int {
        let matcher = Matcher()
        let isFound = frontMatter.match(bytes, count: bytes.count, from: 0, with: matcher)
        return isFound ? matcher.end : bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }
}

/// Formulas in Markdown: `$…$` and `$$…$$` in TeX, as GitHub marks them. They get backslashes before punctuation, which would
/// otherwise be escapes, emphasis, links, lists or cells.
private enum MarkdownFormulas {
    /// The most bytes of a formula or code span.
    private static let longest = 4096

    /// The elements that begin a block of HTML at the start of a line, up to a blank line (CommonMark §4.6).
    private static let blocks =
        "address|article|aside|base|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|"
        + "figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|nav|"
        + "noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul"

    /// Text whose dollar signs mean nothing: fenced code (1 its fence), a block of HTML (2 its element), indented code, an escape, a
    /// tag, an address, or the start of a code span (3); or a formula (4). A formula in a line has no space inside of its signs, and
    /// no letter or digit after them.
    private static let marks = Expression(
        #"(?<![^\n])(?:[ >]*+(```|~~~)[^\n]*+(?:\n(?![ >]*+\1)[^\n]*+)*+(?:\n[^\n]*+)?+|[ >]*+(?i:"#
            + #"<(pre|script|style|textarea)\b(?:[^<]++|<(?!/\2))*+|<!--(?:[^-]++|-(?!->))*+|"#
            + "</?(?:\(blocks))(?![-A-Za-z0-9])"
            + #"[^\n]*+(?:\n(?![ >\t\r]*+(?:\n|\z))[^\n]*+)*+)|(?:\t|    )[^\n]*+)|\\.|"#
            + #"<[A-Za-z/!](?:[^<>"'$]|"[^"<\n]*+"|'[^'<\n]*+')*+>|https?://[^\s<)]*+|(`++)|("#
            + #"\$\$(?:\\.|[^\\\n$]|\n(?!\n)|\$(?!\$))*+\$\$|\$(?![ \n\r$])(?:\\.|[^\\\n`$])*+(?<![ \n\r])\$(?![0-9A-Za-z]))"#,
        anchored: false)

    /// Linear in the text.
    static func protected(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let text = Array(text)
        guard text.contains(UInt8(ascii: "$")) else { return text }
        var out: [UInt8] = []
        out.reserveCapacity(text.count + text.count / 16)
        let matcher = Matcher()
        var (done, at) = (0, 0)
        while marks.match(text, count: text.count, from: at, with: matcher) {
            at = matcher.group(3) == nil ? matcher.end : codeEnd(text, matcher.start)
            guard let formula = matcher.group(4) else { continue }
            let isBlock = text[formula.lowerBound + 1] == UInt8(ascii: "$")
            guard formula.count - (isBlock ? 4 : 2) < longest else {
                at = formula.lowerBound + 1
                continue
            }
            out += text[done..<formula.lowerBound]
            for byte in text[formula] {
                // `>` at the beginning of a line continues a quote.
                if (0x21...0x7E).contains(byte), !byte.isASCIIAlphanumeric, byte != 0x3E { out.append(0x5C) }
                out.append(byte)
            }
            done = at
        }
        return out + text[done...]
    }

    /// The end of the code span at a backtick, or of the backticks if they are not closed.
    private static func codeEnd(_ text: [UInt8], _ start: Int) -> Int {
        let inside = text[start...].firstIndex { $0 != 0x60 } ?? text.endIndex
        var at = inside
        let limit = min(text.endIndex, inside + longest)
        while let open = text[at..<limit].firstIndex(of: 0x60) {
            let end = text[open...].firstIndex { $0 != 0x60 } ?? text.endIndex
            if end - open == inside - start { return end }
            at = min(end, limit)
        }
        return inside
    }
}

/// Places in Markdown of the bytes of the HTML that cmark-gfm made of it: it tells no places of inline contents. They are found by
/// the contents of texts, and their numbers among equal texts.
private struct MarkdownPlaces: Sendable {
    let html, markdown: [UInt8]

    /// The byte of the Markdown from which a byte of the HTML probably comes; 0 if no text around it is in the Markdown. Linear.
    func origin(of offset: Int) -> Int {
        for (start, text) in texts(at: min(offset, html.count)) where !text.isEmpty {
            let places = Self.places(of: text, in: markdown[...])
            guard !places.isEmpty else { continue }
            let number = Self.places(of: text, in: html[..<start]).count
            return places[min(number, places.count - 1)] + max(0, offset - start)
        }
        return 0
    }

    /// A tag, which the Markdown may contain: 1 its first attribute value; and the text after it and further tags: 2 its line.
    private static let tag = Expression(#"<[^<>"]*+(?:"([^"]++)"[^<>]*+)?+>(?:\s*+<[^<>]*+>)*+\s*+([^<>&\n]{0,32})"#)
    private static let longestText = 32
    private static let longestTag = 4096

    /// The texts from which a byte may come, the most precise first: a tag of raw HTML with its text, the tag, a value, the text.
    private func texts(at offset: Int) -> [(start: Int, text: ArraySlice<UInt8>)] {
        let before = html[..<min(offset + 1, html.count)].suffix(Self.longestTag)
        let matcher = Matcher()
        guard let start = before.lastIndex(of: UInt8(ascii: "<")), !before[start...].dropLast().contains(0x3E),
            Self.tag.match(html, count: html.count, from: start, with: matcher)
        else {
            let text = html[offset...].prefix(Self.longestText).prefix { ![0x3C, 0x26, 0x0A].contains($0) }
            return [(offset, text)]
        }
        let value = matcher.group(1) ?? start..<start
        let text = matcher.group(2) ?? start..<start
        let end = html[value.upperBound...].firstIndex(of: 0x3E) ?? start
        // Tags without attributes mostly come from Markdown's own syntax.
        let tag = html[start..<(html[start..<end].contains(0x20) ? end + 1 : start)]
        let whole = html[start..<(text.isEmpty ? start : matcher.end)]
        return [
            (start, whole), (start, tag), (max(value.lowerBound, offset), html[value]),
            (max(text.lowerBound, offset), html[text]),
        ]
    }

    private static func places(of text: ArraySlice<UInt8>, in bytes: ArraySlice<UInt8>) -> [Int] {
        bytes.withUnsafeBufferPointer { bytes in
            var places: [Int] = []
            guard let base = bytes.baseAddress, let first = text.first else { return places }
            var at = firstIndex(of: first, in: base, from: 0, to: bytes.count)
            while bytes.count - at >= text.count {
                let isFound = bytes[at...].starts(with: text)
                if isFound { places.append(at) }
                at = firstIndex(of: first, in: base, from: at + (isFound ? text.count : 1), to: bytes.count)
            }
            return places
        }
    }
}
