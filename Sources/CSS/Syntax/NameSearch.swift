// The first places of names in CSS, for messages about missing fonts and resources.

import FancyTextBasics

package struct NamePlace: Sendable {
    package var location: Diagnostic.Location?
    package var excerpt: Diagnostic.Excerpt?

    package init(location: Diagnostic.Location?, excerpt: Diagnostic.Excerpt?) {
        (self.location, self.excerpt) = (location, excerpt)
    }
}

package struct NameSearch {
    /// The names not found yet, families also by their lower-case spelling.
    private var wanted: [String: String] = [:]
    private var left: Int
    package private(set) var found: [String: NamePlace] = [:]
    package var isDone: Bool { left == 0 }

    package init(_ names: Set<String>) {
        left = names.count
        for name in names.sorted() { wanted[name.lowercased()] = name }
        for name in names { wanted[name] = name }
    }

    package mutating func read(_ css: CSSSource, place: (_ offset: Int) -> NamePlace) {
        var index = 0
        while index < css.tokens.count {
            let token = css.tokens[index]
            index += 1
            guard token.kind == .url || token.kind == .string || token.kind == .ident else { continue }
            var name = css.name(of: token)
            if token.kind == .ident {
                // The words of an unquoted family name.
                while index + 1 < css.tokens.count, css.tokens[index].kind == .whitespace,
                    css.tokens[index + 1].kind == .ident
                {
                    name += " " + css.name(of: css.tokens[index + 1])
                    index += 2
                }
            } else {
                // A picture's name is relative to the document, a font's to the sheet.
                note(css.absolute(name), token, place)
                note(name, token, place)
            }
            if token.kind != .url { note(name.lowercased(), token, place) }
        }
    }

    private mutating func note(_ spelling: String, _ token: CSSToken, _ place: (Int) -> NamePlace) {
        guard let name = wanted[spelling], found[name] == nil else { return }
        found[name] = place(Int(token.start))
        left -= 1
    }
}
