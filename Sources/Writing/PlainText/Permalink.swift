// Links from a heading to itself, as in documentation (`¶`, `#`, `§`). They are for copying an address, not for reading.

import FancyTextMarkup

enum Permalink {
    private static let signs: Set<String> = ["¶", "#", "§", "🔗", "⚓", "∞"]
    /// The maximum number of bytes of a sign in the source, written as a reference.
    private static let longest = 12
    /// The number of ancestors of the link that are examined.
    private static let mostAncestors = 8

    /// Excludes most links, which are longer or begin with a letter.
    private static func mayBeSign(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count <= longest, let first = text.first(where: { !$0.isHTMLSpace }) else { return false }
        return first >= 0x80 || first == 0x23 || first == 0x26
    }

    /// Returns whether a link is a single sign that leads to itself or to an ancestor, such as the heading that contains it.
    static func isOne(_ link: NodeID, in tree: MarkupTree) -> Bool {
        let text = NodeID(index: link.index + 1)
        guard tree.tag(link) == .a, !tree.isForeign(link), tree.subtreeEnd(link).index - link.index == 2,
            tree.kind(text) == .text, mayBeSign(tree.rawText(text)), let href = tree.attribute(link, .href),
            href.utf8.first == 0x23
        else { return false }
        let sign = tree.withText(text) { text in String(decoding: text.filter { !$0.isHTMLSpace }, as: UTF8.self) }
        guard signs.contains(sign) else { return false }
        let place = href.dropFirst()
        for node in sequence(first: link, next: tree.parent).prefix(mostAncestors) {
            guard tree.kind(node) == .element else { return false }
            let tag = tree.tag(node)
            if [.dt, .caption, .figcaption, .summary].contains(tag) || tag.headingLevel > 0 { return true }
            if let id = tree.attribute(node, .id), !id.isEmpty, id == place { return true }
        }
        return false
    }
}
