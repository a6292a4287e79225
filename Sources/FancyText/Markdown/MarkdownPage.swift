// The additions of GitHub and pandoc to the HTML of Markdown: ids of headings, alerts, and the title and sheets of the front
// matter. In: cmark-gfm's HTML, whose elements have no attributes where these are added, and the front matter. Out: HTML.

import FancyTextMarkup

struct MarkdownPage {
    private let html: [UInt8]
    private var out: [UInt8] = []
    /// The number of headings with each id.
    private var ids: [String: Int] = [:]

    /// The HTML of a whole Markdown file. O(n).
    static func html(_ html: [UInt8], frontMatter: ArraySlice<UInt8>) -> [UInt8] {
        var page = MarkdownPage(html: html)
        page.out.reserveCapacity(html.count + html.count / 32)
        page.writeHead(FrontMatter(frontMatter))
        page.writeContents()
        return page.out
    }

    /// Writes the title block, and links to the sheets. A title that is the first heading of the text is not repeated.
    private mutating func writeHead(_ metadata: FrontMatter) {
        func line(_ text: String) { out += Array((text + "\n").utf8) }
        let title = metadata["title"].first.map { Notation.escaped($0) }
        if let title { line("<title>\(title)</title>") }
        for name in ["author", "description", "keywords"] where !metadata[name].isEmpty {
            line("<meta name=\"\(name)\" content=\"\(Notation.escaped(metadata[name].joined(separator: ", ")))\">")
        }
        for sheet in metadata["css"] { line("<link rel=\"stylesheet\" href=\"\(Notation.escaped(sheet))\">") }
        guard let title, !isRepeated(title) else { return }
        line("<header>\n<h1 class=\"title\">\(title)</h1>")
        for name in ["subtitle", "author", "date"] {
            let text = metadata[name].joined(separator: ", ")
            if !text.isEmpty { line("<p class=\"\(name)\">\(Notation.escaped(text))</p>") }
        }
        line("</header>")
    }

    /// Tags of the heading are marks in the title.
    private func isRepeated(_ title: String) -> Bool {
        let first = Expression(#"<h(?:1\b[^>\n]*+>(.*?)(?:</h1>|\z)|[2-6]\b)"#, anchored: false)
        let (tag, matcher) = (Expression("<[^<>]*+>|[*_`]", anchored: false), Matcher())
        func words(_ html: [UInt8]) -> String {
            var (words, at): ([UInt8], Int) = ([], 0)
            while tag.match(html, count: html.count, from: at, with: matcher) {
                words += html[at..<matcher.start]
                at = matcher.end
            }
            return String(decoding: words + html[at...], as: UTF8.self).lowercased()
        }
        guard first.match(html, count: html.count, from: 0, with: matcher), let heading = matcher.group(1)
        else { return false }
        return words(Array(html[heading])) == words(Array(title.utf8))
    }

    /// A heading: 1 its contents; the start of a quote whose first line is an alert: 2 its kind, 3 the end of the paragraph; or
    /// 4 the box of a task before the paragraph that it belongs to; code or a tag; or 6 names of emoji.
    private static let marks = Expression(
        #"<h[1-6]>((?:[^<\n]++|<(?!/?h[1-6]>))*+)|<blockquote>\n<p>\[!(?i:(note|tip|important|warning|caution))\](?:(</p>)|<br />)?\n|"#
            + #"<li>(<input type="checkbox"[^>\n]*+> )\n<p>|"#
            + #"<(code|script|style|textarea)\b(?:[^<]++|<(?!/\g<5>))*+|<[^>]*+>|"#
            + #"(?<![\w:])((?::[a-z0-9_+-]++:)++)(?![\w:])"#, anchored: false)

    private mutating func writeContents() {
        let matcher = Matcher()
        var (done, at) = (0, 0)
        while Self.marks.match(html, count: html.count, from: at, with: matcher) {
            if let heading = matcher.group(1) {
                out += html[done..<matcher.start + 3]
                out += Array(" id=\"\(id(of: html[heading]))\"".utf8)
                (done, at) = (matcher.start + 3, heading.lowerBound)
            } else if let kind = matcher.group(2) {
                let name = String(decoding: html[kind], as: UTF8.self).lowercased()
                out += html[done..<matcher.start]
                out += Array(
                    ("<blockquote class=\"markdown-alert markdown-alert-\(name)\">\n<p class=\"markdown-alert-title\">"
                        + "<strong>\(name.prefix(1).uppercased() + name.dropFirst())</strong></p>\n"
                        + (matcher.group(3) == nil ? "<p>" : "")).utf8)
                (done, at) = (matcher.end, matcher.end)
            } else if let box = matcher.group(4) {
                out += html[done..<box.lowerBound] + "\n<p>".utf8 + html[box]
                (done, at) = (matcher.end, matcher.end)
            } else if let names = matcher.group(6) {
                out += html[done..<names.lowerBound]
                for name in String(decoding: html[names], as: UTF8.self).split(separator: ":") {
                    out += Array((EmojiNames.emoji[name] ?? ":\(name):").utf8)
                }
                (done, at) = (matcher.end, matcher.end)
            } else {
                at = matcher.end
            }
        }
        out += html[done...]
    }

    /// The id that GitHub gives a heading: its letters and digits in lower case, with hyphens for spaces.
    private mutating func id(of heading: ArraySlice<UInt8>) -> String {
        let id = Self.slug(of: heading)
        var unused = id
        while ids[unused] != nil {
            unused = "\(id)-\(ids[id, default: 1])"
            ids[id, default: 1] += 1
        }
        ids[unused] = 1
        return unused
    }

    private static func slug(of heading: ArraySlice<UInt8>) -> String {
        var id = ""
        var hidden: Unicode.Scalar?
        for scalar in String(decoding: heading, as: UTF8.self).unicodeScalars {
            if let end = hidden {
                if scalar == end { hidden = nil }
            } else if scalar == "<" || scalar == "&" {
                hidden = scalar == "<" ? ">" : ";"
            } else if scalar == " " || scalar == "-" {
                id += "-"
            } else if scalar.properties.isAlphabetic || scalar == "_" || scalar.properties.numericType != nil {
                id += scalar.properties.lowercaseMapping
            }
        }
        return id
    }
}

/// The names and values of front matter: the part of YAML and TOML that titles and lists of files need.
struct FrontMatter {
    private var values: [String: [String]] = [:]
    /// The first line, from 1, that is no name with a value, item, comment or table, or whose list is not closed.
    private(set) var problem: (line: Int, message: String)?

    subscript(name: String) -> [String] { values[name] ?? [] }

    init(_ bytes: ArraySlice<UInt8>) {
        var last = ""
        var written: [(line: Int, text: String)] = []
        let lines = String(decoding: bytes, as: UTF8.self).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (number, line) in lines.enumerated() where !line.isEmpty {
            let text = line.drop { $0 == " " }
            if text.hasPrefix("- ") {
                values[last, default: []].append(Self.unquoted(text.dropFirst(2)))
            } else if text.startIndex > line.startIndex {
                // The rest of a folded text.
                if values[last]?.isEmpty ?? true {
                    values[last] = [String(text)]
                } else {
                    let item = (values[last]?.count ?? 1) - 1
                    values[last]?[item] += " " + text
                }
            } else if let cut = line.firstIndex(where: { $0 == ":" || $0 == "=" }) {
                last = Self.unquoted(line[..<cut])
                let value = Self.unquoted(line[line.index(after: cut)...])
                written.append((number + 1, value))
                let isList = value.hasPrefix("[") && value.hasSuffix("]")
                let items = isList ? value.dropFirst().dropLast().split(separator: ",") : [value[...]]
                values[last] = items.map(Self.unquoted).filter { !["", "|", ">", "|-", ">-"].contains($0) }
            } else if number > 0, number + 2 < lines.count, !"#[]{}".contains(line.first ?? "#") {
                let message = "expected 'name: value' in the front matter: the line is left out"
                problem = problem ?? (number + 1, message)
            }
            if let last = written.last, last.line <= number { written[written.count - 1].text += text }
        }
        // Brackets between quotation marks are not told apart.
        let open = written.first { _, text in
            func count(_ brackets: String) -> Int { text.count { brackets.contains($0) } }
            return !text.contains { "\"'".contains($0) } && (text.first.map { "[{".contains($0) } ?? false)
                && count("[{") > count("]}")
        }
        problem = problem ?? open.map { ($0.line, "'\($0.text.prefix(1))' is not closed in the front matter") }
    }

    private static func unquoted(_ text: Substring) -> String {
        let text = text.trimmed { $0 == " " }
        let isQuoted = text.count > 1 && text.first == text.last && (text.first == "\"" || text.first == "'")
        return String(isQuoted ? text.dropFirst().dropLast() : text)
    }
}
