// Finds the first place in a document and its style sheets that contains a name: the URL of a picture or font, a font family. Only
// error messages need these places, so the texts are scanned again.

import FancyTextBasics
import FancyTextMarkup

extension StyledTree {
    /// The first place of each of `names` in CSS: in attributes and `<style>`, in document order, then in external sheets. Names
    /// are compared as URLs or, ignoring ASCII case, as font families. Linear in the length of these texts.
    package func mentions(of names: Set<String>) -> [String: NamePlace] {
        var search = NameSearch(names)
        for node in tree.subtree(tree.root) where tree.kind(node) == .element {
            if search.isDone { break }
            if tree.tag(node) == .style, let text = tree.firstChild(node), tree.kind(text) == .text {
                let css = CSSSource(tree.withText(text) { Array($0) }, name: tree.sourceName)
                let place = tree.embedded(text: text)
                search.read(css) { mention(place, $0, node) }
            }
            guard tree.hasAttributes(node) else { continue }
            for attribute in [AttributeID.style, .face] {
                guard let value = tree.attribute(node, attribute) else { continue }
                let css = CSSSource(value, name: tree.sourceName)
                let place = tree.embedded(attribute, of: node)
                search.read(css) { mention(place, $0, node) }
            }
        }
        for sheet in outsideSheets where !search.isDone {
            search.read(sheet) { offset in
                NamePlace(location: sheet.location(at: offset), excerpt: sheet.excerpt(at: offset))
            }
        }
        return search.found
    }

    private func mention(_ place: EmbeddedText?, _ offset: Int, _ node: NodeID) -> NamePlace {
        guard let place else { return NamePlace(location: tree.location(node), excerpt: nil) }
        return NamePlace(location: place.location(at: offset), excerpt: place.excerpt(at: offset))
    }
}

package struct NamePlace: Sendable {
    package var location: Diagnostic.Location?
    package var excerpt: Diagnostic.Excerpt?
}

private struct NameSearch {
    /// The names not found yet, families also by their lower-case spelling.
    private var wanted: [String: String] = [:]
    private var left: Int
    private(set) var found: [String: NamePlace] = [:]
    var isDone: Bool { left == 0 }

    init(_ names: Set<String>) {
        left = names.count
        for name in names.sorted() { wanted[name.lowercased()] = name }
        for name in names { wanted[name] = name }
    }

    mutating func read(_ css: CSSSource, place: (_ offset: Int) -> NamePlace) {
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
