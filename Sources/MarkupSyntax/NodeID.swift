/// Names a node of a ``MarkupTree``: its index in preorder, so that the order of ids is document order.
public struct NodeID: Hashable, Comparable, Sendable {
    @usableFromInline package let index: UInt32
    @inlinable package init(index: UInt32) { self.index = index }
    @inlinable public static func < (a: NodeID, b: NodeID) -> Bool { a.index < b.index }
}
