// Invariants of the arena.

import Testing

@testable import FancyTextMarkup

enum TreeShape {
    /// Parents come before their children, subtrees nest, and children tile their parent.
    static func check(_ tree: MarkupTree, _ source: String) {
        var open: [UInt32] = []
        for i in 0..<UInt32(tree.count) {
            let node = NodeID(index: i)
            while let last = open.last, tree.subtreeEnd(NodeID(index: last)).index <= i { open.removeLast() }
            let end = tree.subtreeEnd(node).index
            let isInside = end > i && open.last.map { end <= tree.subtreeEnd(NodeID(index: $0)).index } ?? true
            let hasParent = i == 0 || tree.parent(node)?.index == open.last
            let isLeaf = tree.kind(node) != .root && tree.kind(node) != .element
            if !isInside || !hasParent || (isLeaf && end != i + 1) {
                Issue.record("node \(i) does not fit: \(source.prefix(300))")
                return
            }
            if !isLeaf { open.append(i) }
        }
        #expect(Int(tree.subtreeEnd(tree.root).index) == tree.count, "\(source.prefix(300))")
    }
}
