// Handles: references to nodes that survive edits, for callers that cannot track ids. In: nodes, and the id changes of every edit.
// Out: the node of a handle, or nil. A tree without handles stores nothing.

import Synchronization

/// A reference to a node of a tree, until an edit removes the node. Trees separated before it was made do not know it.
package struct NodeHandle: Hashable, Sendable {
    fileprivate let family: HandleFamily
    fileprivate let number: UInt64

    package static func == (a: NodeHandle, b: NodeHandle) -> Bool { a.number == b.number && a.family === b.family }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(family))
        hasher.combine(number)
    }
}

/// The counter that a tree and its copies share, so that no two of them give different nodes the same number.
private final class HandleFamily: Sendable {
    private let count = Atomic<UInt64>(0)

    func next() -> UInt64 { count.add(1, ordering: .relaxed).newValue }
}

/// The handles of one tree and their nodes.
struct HandleTable: Sendable {
    private let family = HandleFamily()
    private var nodes: [UInt64: UInt32] = [:]
    /// The handle of each node; empty from an edit on until handles are requested.
    private var numbers: [UInt32: UInt64] = [:]
    private static let removed = UInt32.max

    /// The node of a handle; nil when it was removed or is another tree's.
    func node(of handle: NodeHandle) -> UInt32? {
        guard handle.family === family, let node = nodes[handle.number], node != Self.removed else { return nil }
        return node
    }

    /// The handles of nodes, always the same for the same node. O(nodes); O(handles) after an edit.
    mutating func handles(of wanted: [NodeID]) -> [NodeHandle] {
        if numbers.isEmpty { for (number, node) in nodes where node != Self.removed { numbers[node] = number } }
        return wanted.map { node in
            let number = numbers[node.index] ?? family.next()
            (numbers[node.index], nodes[number]) = (number, node.index)
            return NodeHandle(family: family, number: number)
        }
    }

    /// Updates the ids after an edit. `newIndex` returns nil for removed nodes. O(handles).
    mutating func rename(_ newIndex: (UInt32) -> UInt32?) {
        numbers = [:]
        var removedCount = 0
        nodes = nodes.mapValues { node in
            let node = node == Self.removed ? nil : newIndex(node)
            if node == nil { removedCount += 1 }
            return node ?? Self.removed
        }
        if removedCount > 32, removedCount > nodes.count / 2 { nodes = nodes.filter { $0.value != Self.removed } }
    }
}

extension MarkupTree {
    /// The handles of nodes. Copies that share their storage share the handles too.
    package func handles(of nodes: [NodeID]) -> [NodeHandle] {
        guard !nodes.isEmpty else { return [] }
        return storage.handles.withLock { table in
            var known = table ?? HandleTable()
            table = nil  // one reference only, so that its arrays are not copied
            defer { table = known }
            return known.handles(of: nodes)
        }
    }

    /// The node of a handle; nil when the node was removed, or is in another tree.
    package func node(of handle: NodeHandle) -> NodeID? {
        storage.handles.withLock { $0?.node(of: handle) }.map { NodeID(index: $0) }
    }
}
