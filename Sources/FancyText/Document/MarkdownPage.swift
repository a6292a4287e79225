// What GitHub and pandoc add to the HTML of Markdown: ids of headings, alerts, and the title and sheets of the front matter.
//
// In: cmark-gfm's HTML, whose elements have no attributes where these are added, and the front matter. Out: HTML.

import FancyTextBasics
import FancyTextOutputs

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

    private init(html: [UInt8]) { self.html = html }

    /// Writes the title block, and links to the sheets. A title that the text begins with is not repeated.
    private mutating func writeHead(_ metadata: FrontMatter) {
        func line(_ text: String) { out += Array((text + "\n").utf8) }
        let title = metadata["title"].first.map { Notation.escaped($0) }
        if let title { line("<title>\(title)</title>") }
        for sheet in metadata["css"] { line("<link rel=\"stylesheet\" href=\"\(Notation.escaped(sheet))\">") }
        guard let title, !html.starts(with: "<h1>\(title)</h1>".utf8) else { return }
        line("<header>\n<h1 class=\"title\">\(title)</h1>")
        for name in ["subtitle", "author", "date"] {
            let text = metadata[name].joined(separator: ", ")
            if !text.isEmpty { line("<p class=\"\(name)\">\(Notation.escaped(text))</p>") }
        }
        line("</header>")
    }

    private mutating func writeContents() {
        var done = 0
        var at = 0
        while let open = html[at...].firstIndex(of: UInt8(ascii: "<")) {
            at = open + 1
            if let text = heading(at: open) {
                out += html[done..<open + 3]
                out += Array(" id=\"\(id(of: text))\"".utf8)
                (done, at) = (open + 3, text.endIndex)
            } else if let alert = alert(at: open) {
                out += html[done..<open]
                out += Array(alert.html.utf8)
                (done, at) = (alert.end, alert.end)
            }
        }
        out += html[done...]
    }

    // MARK: Headings

    /// The contents of a heading without attributes.
    private func heading(at open: Int) -> ArraySlice<UInt8>? {
        guard html.count > open + 8, html[open + 1] == UInt8(ascii: "h"), (0x31...0x36).contains(html[open + 2]),
            html[open + 3] == UInt8(ascii: ">"), let end = html[open...].firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        return html[open + 4..<end]
    }

    /// The id that GitHub gives a heading: its letters and digits in lower case, with hyphens for spaces.
    private mutating func id(of heading: ArraySlice<UInt8>) -> String {
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
        var unused = id
        while ids[unused] != nil {
            unused = "\(id)-\(ids[id, default: 1])"
            ids[id, default: 1] += 1
        }
        ids[unused] = 1
        return unused
    }

    // MARK: Alerts

    private static let alerts = ["Note", "Tip", "Important", "Warning", "Caution"]

    /// The start of a quote whose first line is `[!NOTE]` or another kind, and the end of that line.
    private func alert(at open: Int) -> (html: String, end: Int)? {
        let mark = Array("<blockquote>\n<p>[!".utf8)
        let rest = html[open...]
        guard rest.starts(with: mark) else { return nil }
        for kind in Self.alerts {
            let name = rest.dropFirst(mark.count).prefix(kind.utf8.count + 1)
            guard name.lazy.map(\.asciiLowercased).elementsEqual((kind.lowercased() + "]").utf8) else { continue }
            let after = html[name.endIndex...]
            let ends = ["</p>\n": "", "\n": "<p>", "<br />\n": "<p>"]
            guard let end = ends.first(where: { after.starts(with: $0.key.utf8) }) else { return nil }
            let html =
                "<blockquote class=\"markdown-alert markdown-alert-\(kind.lowercased())\">\n"
                + "<p class=\"markdown-alert-title\"><strong>\(kind)</strong></p>\n\(end.value)"
            return (html, name.endIndex + end.key.utf8.count)
        }
        return nil
    }
}

/// The names and values of front matter: the part of YAML and TOML that titles and lists of files need.
private struct FrontMatter {
    private var values: [String: [String]] = [:]

    subscript(name: String) -> [String] { values[name] ?? [] }

    init(_ bytes: ArraySlice<UInt8>) {
        var last = ""
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
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
                let isList = value.hasPrefix("[") && value.hasSuffix("]")
                let items = isList ? value.dropFirst().dropLast().split(separator: ",") : [value[...]]
                values[last] = items.map(Self.unquoted).filter { !["", "|", ">", "|-", ">-"].contains($0) }
            }
        }
    }

    private static func unquoted(_ text: Substring) -> String {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        let isQuoted = text.count > 1 && text.first == text.last && (text.first == "\"" || text.first == "'")
        return String(isQuoted ? text.dropFirst().dropLast() : text)
    }
}
