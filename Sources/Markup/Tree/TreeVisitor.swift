// The visitor protocol that writers, the style resolver and box generation implement, and the one traversal that drives it.
//
// In: a tree or sibling nodes of it. Out: the visitor's results. The arena is in document order, so the traversal is a scan with
// an explicit stack of open elements, and deep nesting cannot overflow the call stack. It is generic and inlinable: each visitor
// gets a specialized traversal without a dynamic call for each node.

import FancyTextBasics

/// The point at which a traversal continues after it has entered an element.
@usableFromInline
package enum Descent: Sendable {
    /// Into the element.
    case contents
    /// After the element.
    case skip
    /// At a later node. The visitor has handled all nodes before it.
    case resume(NodeID)
}

/// Visits the nodes of a tree in document order.
///
/// An element is entered, then its contents are visited, then `visitElement` is called with the results of the contents, on which
/// its own result may depend. Other nodes are visited in document order. Kinds that a visitor does not implement go to
/// ``defaultVisit(_:contents:in:)``.
@usableFromInline
package protocol TreeVisitor {
    /// The result of visiting a node. With `Void`, nothing is collected.
    associatedtype Result

    mutating func defaultVisit(_ node: NodeID, contents: ArraySlice<Result>, in tree: MarkupTree) -> Result

    /// Called before the contents of an element; decides whether they are visited.
    mutating func enterElement(_ node: NodeID, in tree: MarkupTree) -> Descent
    mutating func enterRoot(_ node: NodeID, in tree: MarkupTree) -> Descent

    /// Called after the contents of an element, also when they were skipped.
    mutating func visitElement(_ node: NodeID, contents: ArraySlice<Result>, in tree: MarkupTree) -> Result
    mutating func visitRoot(_ node: NodeID, contents: ArraySlice<Result>, in tree: MarkupTree) -> Result

    mutating func visitText(_ node: NodeID, in tree: MarkupTree) -> Result
    mutating func visitComment(_ node: NodeID, in tree: MarkupTree) -> Result
    mutating func visitDoctype(_ node: NodeID, in tree: MarkupTree) -> Result
    mutating func visitInstruction(_ node: NodeID, in tree: MarkupTree) -> Result
}

/// A visitor that works by side effects: it enters and leaves elements, and nodes have no results.
@usableFromInline
package protocol TreeWalker: TreeVisitor where Result == Void {
    /// Called for each call of ``TreeVisitor/enterElement(_:in:)``, also when the contents were skipped.
    mutating func leaveElement(_ node: NodeID, in tree: MarkupTree)
    mutating func leaveRoot(_ node: NodeID, in tree: MarkupTree)
}

extension TreeVisitor {
    @inlinable package mutating func enterElement(_ node: NodeID, in tree: MarkupTree) -> Descent { .contents }

    @inlinable package mutating func enterRoot(_ node: NodeID, in tree: MarkupTree) -> Descent { .contents }

    @inlinable
    package mutating func visitElement(_ node: NodeID, contents: ArraySlice<Result>, in tree: MarkupTree) -> Result {
        defaultVisit(node, contents: contents, in: tree)
    }

    @inlinable
    package mutating func visitRoot(_ node: NodeID, contents: ArraySlice<Result>, in tree: MarkupTree) -> Result {
        defaultVisit(node, contents: contents, in: tree)
    }

    @inlinable package mutating func visitText(_ node: NodeID, in tree: MarkupTree) -> Result {
        defaultVisit(node, contents: [], in: tree)
    }

    @inlinable package mutating func visitComment(_ node: NodeID, in tree: MarkupTree) -> Result {
        defaultVisit(node, contents: [], in: tree)
    }

    @inlinable package mutating func visitDoctype(_ node: NodeID, in tree: MarkupTree) -> Result {
        defaultVisit(node, contents: [], in: tree)
    }

    @inlinable package mutating func visitInstruction(_ node: NodeID, in tree: MarkupTree) -> Result {
        defaultVisit(node, contents: [], in: tree)
    }
}

extension TreeWalker {
    @inlinable package mutating func defaultVisit(_ node: NodeID, contents: ArraySlice<Void>, in tree: MarkupTree) {}

    @inlinable package mutating func leaveElement(_ node: NodeID, in tree: MarkupTree) {}

    @inlinable package mutating func leaveRoot(_ node: NodeID, in tree: MarkupTree) {}

    @inlinable package mutating func visitElement(_ node: NodeID, contents: ArraySlice<Void>, in tree: MarkupTree) {
        leaveElement(node, in: tree)
    }

    @inlinable package mutating func visitRoot(_ node: NodeID, contents: ArraySlice<Void>, in tree: MarkupTree) {
        leaveRoot(node, in: tree)
    }
}

extension MarkupTree {
    /// The descendants of an element or the root; empty for other nodes.
    @inlinable package func contents(_ n: NodeID) -> Range<NodeID> { NodeID(index: n.index + 1)..<subtreeEnd(n) }

    /// Visits a node and its descendants. O(nodes), whatever the depth.
    @inlinable
    package func visit<Visitor: TreeVisitor>(_ node: NodeID, with visitor: inout Visitor) -> Visitor.Result {
        let results = visit(node..<subtreeEnd(node), with: &visitor)
        if let nothing = () as? Visitor.Result { return nothing }
        return results[0]
    }

    /// Visits sibling nodes and their descendants.
    ///
    /// - Returns: The siblings' results; none when they are `Void`.
    @inlinable @discardableResult
    package func visit<Visitor: TreeVisitor>(
        _ siblings: Range<NodeID>, with visitor: inout Visitor
    ) -> [Visitor.Result] {
        let collects = Visitor.Result.self != Void.self
        var results: [Visitor.Result] = []
        var open = GrowableBuffer<OpenNode>(capacity: 64)
        defer { open.free() }
        var at = siblings.lowerBound.index
        let end = siblings.upperBound.index
        while true {
            while open.count > 0, open[open.count &- 1].end <= at {
                let last = open[open.count &- 1]
                open.count &-= 1
                close(last.index, at: Int(last.firstResult), &results, &visitor)
            }
            guard at < end else { return results }
            let node = NodeID(index: at)
            switch kind(node) {
            case .element, .root:
                let nodeEnd = storage.end(at)
                switch kind(node) == .root ? visitor.enterRoot(node, in: self) : visitor.enterElement(node, in: self) {
                case .contents: at &+= 1
                case .skip: at = nodeEnd
                case .resume(let next): at = next.index
                }
                if at < nodeEnd {
                    open.append(OpenNode(index: node.index, end: nodeEnd, firstResult: results.count))
                } else {
                    close(node.index, at: results.count, &results, &visitor)
                }
                continue
            case .text: collect(visitor.visitText(node, in: self))
            case .comment: collect(visitor.visitComment(node, in: self))
            case .doctype: collect(visitor.visitDoctype(node, in: self))
            case .instruction: collect(visitor.visitInstruction(node, in: self))
            }
            at &+= 1
        }

        func collect(_ result: Visitor.Result) {
            if collects { results.append(result) }
        }
    }

    /// Visits an element or root after its contents; its result replaces theirs.
    @inlinable @inline(__always)
    func close<Visitor: TreeVisitor>(
        _ index: UInt32, at first: Int, _ results: inout [Visitor.Result], _ visitor: inout Visitor
    ) {
        let node = NodeID(index: index)
        let result =
            kind(node) == .root
            ? visitor.visitRoot(node, contents: results[first...], in: self)
            : visitor.visitElement(node, contents: results[first...], in: self)
        guard Visitor.Result.self != Void.self else { return }
        results.removeSubrange(first...)
        results.append(result)
    }

    /// A node whose contents are being visited.
    @frozen @usableFromInline
    struct OpenNode: BitwiseCopyable {
        @usableFromInline var index, end, firstResult: UInt32

        @inlinable init(index: UInt32, end: UInt32, firstResult: Int) {
            self.index = index
            self.end = end
            self.firstResult = UInt32(truncatingIfNeeded: firstResult)
        }
    }
}
