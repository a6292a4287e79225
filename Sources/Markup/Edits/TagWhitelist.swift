// A whitelist of tags: what is read of a document whose author is not trusted with the rest.
//
// In: a parsed tree. Out: the tree without the elements whose names are not on the list. Their text stays where a reader
// would see it; programs, style sheets, metadata and embedded content go with all that they hold.

/// Names of elements that may be in a tree.
package struct TagWhitelist: Hashable, Sendable {
    /// In lower case.
    private var names: Set<String> = []

    package init() {}

    package mutating func insert(_ name: String) { names.insert(name.lowercased()) }

    /// Whether an element may be there. What parsing implies comes with what implies it.
    func contains(_ name: String, _ tag: TagID) -> Bool {
        if names.contains(name) { return true }
        switch tag {
        case .html, .head, .body: return true
        case .tbody, .colgroup: return names.contains("table")
        default: return false
        }
    }

    /// Elements whose contents are nothing to be read in running text.
    static func hasNoText(_ tag: TagID) -> Bool { withoutText.contains(tag) }

    private static let withoutText: Set<TagID> = [
        .script, .style, .template, .title, .iframe, .noembed, .noframes, .noscript, .svg, .math, .object, .audio,
        .video, .canvas, .select, .datalist, .textarea, .rp,
    ]
}

extension MarkupTree {
    /// Takes the elements out that are not on the list. O(nodes).
    mutating func keepOnly(_ whitelist: TagWhitelist) {
        var changes: [(node: NodeID, change: NodeChange)] = []
        for node in subtree(root).dropFirst() where kind(node) == .element {
            let tag = tag(node)
            guard !whitelist.contains(name(node), tag) else { continue }
            changes.append((node, TagWhitelist.hasNoText(tag) ? .remove : .unwrap))
        }
        restructure(changes)
    }
}
