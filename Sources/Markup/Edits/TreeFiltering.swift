// The tree without the elements that a whitelist does not name. Their text stays where a reader would see it; programs, style
// sheets, metadata and embedded content are removed with their contents.

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
