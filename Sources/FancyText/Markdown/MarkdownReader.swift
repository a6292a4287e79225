// Markdown to HTML with cmark-gfm: CommonMark with GitHub's tables, strikethrough, task lists and bare links, and footnotes.
// In: a file in Markdown. Out: HTML, the places of its bytes in the file, and a message about front matter that cannot be read.

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
