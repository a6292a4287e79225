// Links: the elements inside them, and the destinations that outputs may offer. In: a tree and its styles. Out: a link for each
// `<a href>` (HTML §4.6.2) and for each element where a link by style (`-ft-link`, inherited) begins, and the link of every element.
// Box generation computes the table once; runs and boxes refer to it by index.

import FancyTextBasics
import FancyTextCSS
import FancyTextMarkup

package struct StyledLink: Sendable, Equatable {
    /// The target as written.
    package var target: String
    /// The element's `title`; empty without one, and for a link by style.
    package var title: String
    /// The element at which the link begins.
    package var element: NodeID
}

package struct LinkTable: Sendable {
    /// All links in document order; those of generated content are last.
    package private(set) var all: [StyledLink] = []
    /// Links by element; empty if no element has a link.
    private var ofElement: [Entry] = []
    /// Links of pseudo-elements whose style gives another destination than their element has.
    private var ofPseudo: [NodeID: [String: Int]] = [:]

    private struct Entry {
        /// The surrounding `<a href>`.
        var anchor: Int32 = -1
        /// The link by style, or else by the `<a href>`.
        var link: Int32 = -1
    }

    package init() {}

    package subscript(_ link: Int) -> StyledLink { all[link] }

    /// Finds the links of all elements; `style` returns the style of an element. O(nodes).
    package init(_ tree: MarkupTree, _ styles: StyleTable, style: (NodeID) -> StyleID) {
        let elements = tree.subtree(tree.root).lazy.filter { tree.kind($0) == .element }
        guard
            styles.styles.contains(where: { $0.text.link != nil })
                || elements.contains(where: { tree.tag($0) == .a && tree.hasAttribute($0, .href) })
        else { return }
        ofElement = Array(repeating: Entry(), count: tree.count)
        for element in elements {
            var entry = tree.parent(element).map { ofElement[Int($0.index)] } ?? Entry()
            let around = entry.link
            if tree.tag(element) == .a, let target = tree.attribute(element, .href) {
                entry.anchor = append(target, title: tree.attribute(element, .title) ?? "", element)
            }
            entry.link = entry.anchor
            if let target = styles[style(element)].text.link {
                let isInherited = around >= 0 && around != entry.anchor && all[Int(around)].target == target
                entry.link = isInherited ? around : append(target, title: "", element)
            }
            ofElement[Int(element.index)] = entry
        }
    }

    private mutating func append(_ target: String, title: String, _ element: NodeID) -> Int32 {
        all.append(StyledLink(target: target, title: title, element: element))
        return Int32(clamping: all.count - 1)
    }

    /// The link of an element; −1 if it has no link. O(1).
    package func link(of element: NodeID) -> Int {
        element.index < ofElement.count ? Int(ofElement[Int(element.index)].link) : -1
    }

    /// The link of a box or run of `element` with a style whose link is `target`. O(1).
    package func link(of element: NodeID, styledAs target: String?) -> Int {
        guard element.index < ofElement.count else { return -1 }
        let entry = ofElement[Int(element.index)]
        guard let target else { return Int(entry.anchor) }
        if entry.link >= 0, all[Int(entry.link)].target == target { return Int(entry.link) }
        return ofPseudo[element]?[target] ?? -1
    }

    /// Returns the link like ``link(of:styledAs:)``, and adds it if it is not in the table.
    fileprivate mutating func noteLink(of element: NodeID, styledAs target: String?) -> Int {
        let known = link(of: element, styledAs: target)
        guard known < 0, let target, element.index < ofElement.count else { return known }
        let link = Int(append(target, title: "", element))
        ofPseudo[element, default: [:]][target] = link
        return link
    }
}

extension BoxTree {
    package mutating func removeLinks() {
        links = LinkTable()
        for index in runs.indices { runs[index].link = -1 }
        for index in boxes.indices { boxes[index].link = -1 }
    }

    /// Sets the link of each run and box.
    package mutating func noteLinks(_ table: LinkTable) {
        links = table
        for index in runs.indices {
            runs[index].link = links.noteLink(of: runs[index].element, styledAs: styles[runs[index].style].text.link)
        }
        for index in boxes.indices {
            boxes[index].link = links.noteLink(of: boxes[index].element, styledAs: styles[boxes[index].style].text.link)
        }
    }
}

/// The destination of a link as interpreted by a URL parser.
package struct LinkDestination: Equatable {
    /// The target without the characters that URL parsers remove.
    package let url: String
    /// The scheme in lower case; `nil` for a relative reference.
    package var scheme: String? { URLReference(url).scheme?.lowercased() }

    package init(_ target: String) { url = URLReference.cleaned(target) }

    /// Returns the URL of a link that outputs may offer: a relative one, or one that opens a page, an e-mail or a call; else `nil`.
    package static func offered(_ target: String) -> String? {
        let destination = LinkDestination(target)
        switch destination.scheme {
        case nil, "http", "https", "mailto", "tel": return destination.url
        default: return nil
        }
    }

    /// A Boolean value that indicates whether following the link runs a script, or shows HTML or XML from the link itself.
    package var isScript: Bool {
        switch scheme {
        case "javascript", "vbscript": return true
        case "data":
            let type = url.dropFirst("data:".count).prefix { $0 != "," && $0 != ";" }.lowercased()
            return type.hasPrefix("text/html") || type.hasSuffix("/xml")
                || type.hasSuffix("+xml") && type != "image/svg+xml"
        default: return false
        }
    }
}
