// The text of elements that does not depend on styles: replaced content, hidden content, links that are no text, the text of
// SVG and MathML.

import FancyTextBoxes
import FancyTextMarkup

extension ExtractionDisplay {
    /// The element's box, if its text differs from that of other boxes with the same `display`; nil for most elements.
    static func intrinsic(_ tag: TagID) -> ExtractionDisplay? {
        switch tag {
        case .area, .base, .basefont, .bgsound, .datalist, .head, .link, .meta, .noembed, .noframes, .noscript, .param,
            .rp, .script, .source, .style, .template, .title, .track:
            ExtractionDisplay.none
        case .img, .input, .textarea, .embed, .object, .applet, .lambda, .svg, .progress, .meter, .audio, .canvas,
            .iframe, .video:
            .replaced
        case .table: .table
        case .tbody, .thead, .tfoot: .rowGroup
        case .tr: .row
        case .td, .th: .cell
        case .caption: .caption
        case .col, .colgroup: .column
        case .ruby, .rt, .rb: .ruby
        case .select, .marquee: .inlineBlock
        case .option, .optgroup, .legend, .fieldset, .hr: .block
        case .br, .wbr: .inline
        default: nil
        }
    }
}

/// The parts of SVG and MathML that are text.
package enum ForeignText {
    /// A Boolean value that indicates whether text directly in the element shows.
    static func shows(in element: NodeID, of tree: MarkupTree) -> Bool {
        !tree.isForeign(element) || shows(in: tree.tag(element))
    }

    /// The same, for an element of SVG or MathML.
    static func shows(in tag: TagID) -> Bool {
        [.text, .tspan, .textpath, .a, .foreignobject, .mi, .mo, .mn, .ms, .mtext].contains(tag)
    }

    /// Returns whether an `svg` has text, regardless of its styles.
    static func hasText(_ svg: NodeID, in tree: MarkupTree) -> Bool {
        tree.subtree(svg).contains { node in
            tree.kind(node) == .text && !tree.isBlank(node) && tree.parent(node).map { shows(in: $0, of: tree) } == true
        }
    }

    /// The text in place of an `svg`: that in it, or else its name.
    package static func description(of svg: NodeID, in tree: MarkupTree) -> String {
        let words = words(of: svg, in: tree)
        return words.isEmpty ? title(of: svg, in: tree) : words
    }

    /// The name of an `svg` without text (SVG 2 §5.5): its first `title`, or else its label.
    static func title(of svg: NodeID, in tree: MarkupTree) -> String {
        guard tree.attribute(svg, "aria-hidden") != "true" else { return "" }
        let title = tree.children(svg).first { tree.tag($0) == .title }
        if let title { return String(decoding: tree.textContent(title), as: UTF8.self) }
        return tree.attribute(svg, "aria-label") ?? ""
    }

    /// The text elements of an `svg` in one line, without those that are hidden from readers.
    private static func words(of svg: NodeID, in tree: MarkupTree) -> String {
        var texts: [String] = []
        guard tree.attribute(svg, "aria-hidden") != "true" else { return "" }
        tree.forEachDescendant(of: svg) { node in
            let isText = tree.tag(node) == .text
            let isLeftOut = isHidden(tree.tag(node)) || tree.attribute(node, "aria-hidden") == "true"
            if isText, !isLeftOut { texts.append(String(decoding: tree.textContent(node), as: UTF8.self)) }
            return !isText && !isLeftOut
        }
        return texts.flatMap { $0.split(whereSeparator: \.isWhitespace) }.joined(separator: " ")
    }

    static func isHidden(_ tag: TagID) -> Bool {
        [.title, .desc, .metadata, .defs, .style, .script, .stop].contains(tag)
    }
}

/// Links from a heading to itself, as in documentation (`¶`, `#`, `§`). They are for copying an address, not for reading.
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

extension BoxTree {
    /// The item before `limit` that closes the inline box that the item `open` opens.
    func endOfInline(_ open: Int, _ limit: Int) -> Int {
        var depth = 0
        for index in open..<limit {
            switch items[index] {
            case .open: depth += 1
            case .close: depth -= 1
            case .text, .atomic, .float, .breakOpportunity: break
            }
            if depth == 0 { return index }
        }
        return limit
    }

    /// Returns whether a run is the triangle of a summary, which says nothing where all details are open.
    func isDisclosure(_ run: StyledRun, in tree: MarkupTree?) -> Bool {
        guard run.isMarker, let tree, tree.tag(run.element) == .summary, styles[run.style].box.content == nil,
            case .named(let name) = styles[run.style].text.listStyleType
        else { return false }
        return name.hasPrefix("disclosure-")
    }
}
