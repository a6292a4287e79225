// Removes the elements that a whitelist does not allow. Text that a reader would see is kept; programs, metadata and the like go.

extension MarkupTree {
    /// Removes the elements that are not on the list. O(nodes).
    mutating func keepOnly(_ whitelist: TagWhitelist) {
        var changes: [(node: NodeID, change: NodeChange)] = []
        for node in subtree(root).dropFirst() where kind(node) == .element {
            let tag = tag(node)
            guard !whitelist.contains(name(node), tag) else { continue }
            changes.append((node, TagWhitelist.withoutText.contains(tag) ? .remove : .unwrap))
        }
        restructure(changes)
    }
}
