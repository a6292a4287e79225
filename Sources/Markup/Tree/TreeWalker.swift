// The protocol of writers, the style resolver and box generation, and the one traversal that drives it. In: a tree. Out: calls of
// the walker, specialized for each. Its stack of open elements is explicit, so deep nesting cannot overflow the call stack.

import FancyTextBasics

/// The point at which a traversal continues after it has entered an element.
@usableFromInline package enum Descent: Sendable {
    /// Into the element.
    case contents
    /// After the element.
    case skip
    /// At a later node. The walker has handled all nodes before it.
    case resume(NodeID)
}

/// Visits the nodes of a tree in document order: an element is entered, then its contents are visited, then it is left.
@usableFromInline package protocol TreeWalker {
    /// Called before the contents of an element; decides whether they are visited.
    mutating func enterElement(_ node: NodeID, in tree: MarkupTree) -> Descent
    mutating func enterRoot(_ node: NodeID, in tree: MarkupTree) -> Descent

    /// Called after the contents of each element that was entered, also when they were skipped.
    mutating func leaveElement(_ node: NodeID, in tree: MarkupTree)
    mutating func leaveRoot(_ node: NodeID, in tree: MarkupTree)

    mutating func visitText(_ node: NodeID, in tree: MarkupTree)
    mutating func visitComment(_ node: NodeID, in tree: MarkupTree)
    mutating func visitDoctype(_ node: NodeID, in tree: MarkupTree)
    mutating func visitInstruction(_ node: NodeID, in tree: MarkupTree)

    /// Visits a node without contents, of a kind that the walker does not implement.
    mutating func defaultVisit(_ node: NodeID, in tree: MarkupTree)
}

extension TreeWalker {
    @inlinable package mutating func enterElement(_ node: NodeID, in tree: MarkupTree) -> Descent { .contents }
    @inlinable package mutating func enterRoot(_ node: NodeID, in tree: MarkupTree) -> Descent { .contents }
    @inlinable package mutating func leaveElement(_ node: NodeID, in tree: MarkupTree) {}
    @inlinable package mutating func leaveRoot(_ node: NodeID, in tree: MarkupTree) {}
    @inlinable package mutating func defaultVisit(_ node: NodeID, in tree: MarkupTree) {}

    @inlinable package mutating func visitText(_ node: NodeID, in tree: MarkupTree) { defaultVisit(node, in: tree) }
    @inlinable package mutating func visitComment(_ node: NodeID, in tree: MarkupTree) { defaultVisit(node, in: tree) }
    @inlinable package mutating func visitDoctype(_ node: NodeID, in tree: MarkupTree) { defaultVisit(node, in: tree) }
    @inlinable package mutating func visitInstruction(_ node: NodeID, in tree: MarkupTree) {
        defaultVisit(node, in: tree)
    }
}

extension MarkupTree {
    /// The descendants of an element or the root; empty for other nodes.
    @inlinable package func contents(_ n: NodeID) -> Range<NodeID> { NodeID(index: n.index + 1)..<subtreeEnd(n) }

    /// Calls `body` with the descendants of a node in document order. It returns false where the contents of one are skipped.
    @inlinable package func forEachDescendant(of n: NodeID, _ body: (NodeID) -> Bool) {
        let end = storage.end(n.index)
        var at = n.index + 1
        while at < end { at = body(NodeID(index: at)) ? at + 1 : storage.end(at) }
    }

    /// Visits a node and its descendants. O(nodes), whatever the depth.
    @inlinable package func visit<Walker: TreeWalker>(_ node: NodeID, with walker: inout Walker) {
        visit(node..<subtreeEnd(node), with: &walker)
    }

    @inlinable package func visit<Walker: TreeWalker>(_ siblings: Range<NodeID>, with walker: inout Walker) {
        var open = GrowableBuffer<OpenNode>(capacity: 64)
        defer { open.free() }
        var at = siblings.lowerBound.index
        let end = siblings.upperBound.index
        while true {
            while open.count > 0, open[open.count &- 1].end <= at {
                open.count &-= 1
                leave(NodeID(index: open[open.count].index), &walker)
            }
            guard at < end else { return }
            let node = NodeID(index: at)
            switch kind(node) {
            case .element, .root:
                let nodeEnd = storage.end(at)
                switch kind(node) == .root ? walker.enterRoot(node, in: self) : walker.enterElement(node, in: self) {
                case .contents: at &+= 1
                case .skip: at = nodeEnd
                case .resume(let next): at = next.index
                }
                if at < nodeEnd { open.append(OpenNode(index: node.index, end: nodeEnd)) } else { leave(node, &walker) }
                continue
            case .text: walker.visitText(node, in: self)
            case .comment: walker.visitComment(node, in: self)
            case .doctype: walker.visitDoctype(node, in: self)
            case .instruction: walker.visitInstruction(node, in: self)
            }
            at &+= 1
        }
    }

    @inlinable @inline(__always) func leave<Walker: TreeWalker>(_ node: NodeID, _ walker: inout Walker) {
        if kind(node) == .root { walker.leaveRoot(node, in: self) } else { walker.leaveElement(node, in: self) }
    }

    @frozen @usableFromInline struct OpenNode: BitwiseCopyable {
        @usableFromInline var index, end: UInt32

        @inlinable init(index: UInt32, end: UInt32) { (self.index, self.end) = (index, end) }
    }
}
