// Handles: references to nodes that survive edits, for callers that cannot track ids.
//
// In: nodes for which handles are requested, and the id changes of every edit. Out: the node of a handle, or nil. A tree without
// handles stores nothing.

import Synchronization

/// A reference to a node of a tree, valid until an edit removes the node. Other trees do not know it, nor do copies that were
/// separated before it was made.
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
    /// Ascending, so that a handle's slot is found by its number.
    private var numbers: [UInt64] = []
    /// The id of each slot's node.
    private var nodes: [UInt32] = []
    /// The slots whose nodes still exist, in the order of the nodes.
    private var order: [UInt32] = []
    private static let removed = UInt32.max

    /// The node of a handle; nil when it was removed or is another tree's. O(log handles).
    func node(of handle: NodeHandle) -> UInt32? {
        guard handle.family === family else { return nil }
        let slot = numbers.firstPosition { $0 >= handle.number }
        guard slot < numbers.count, numbers[slot] == handle.number, nodes[slot] != Self.removed else { return nil }
        return nodes[slot]
    }

    /// The handles of nodes, always the same for the same node. O(nodes × log handles), and O(handles) when a new one is for a
    /// node before the last one with a handle.
    mutating func handles(of wanted: [NodeID]) -> [NodeHandle] {
        var added: [UInt32] = []
        let result = wanted.map { node in
            let position = order.firstPosition { nodes[Int($0)] >= node.index }
            if position < order.count, nodes[Int(order[position])] == node.index {
                return NodeHandle(family: family, number: numbers[Int(order[position])])
            }
            let number = family.next()
            added.append(UInt32(truncatingIfNeeded: numbers.count))
            numbers.append(number)
            nodes.append(node.index)
            return NodeHandle(family: family, number: number)
        }
        insert(added)
        return result
    }

    /// Merges further slots, sorted by node, into the order.
    private mutating func insert(_ added: [UInt32]) {
        guard let first = added.first else { return }
        // A caller that walks through the document requests handles in its order.
        guard let last = order.last, nodes[Int(last)] > nodes[Int(first)] else {
            order += added
            return
        }
        var merged: [UInt32] = []
        merged.reserveCapacity(order.count + added.count)
        var rest = order[...]
        for slot in added {
            let next = rest.firstPosition { nodes[Int($0)] >= nodes[Int(slot)] }
            merged += rest.prefix(next)
            rest = rest.dropFirst(next)
            merged.append(slot)
        }
        order = merged + rest
    }

    /// Updates the ids after an edit that keeps the order of the nodes. `newIndex` returns nil for removed nodes. O(handles).
    mutating func rename(_ newIndex: (UInt32) -> UInt32?) {
        var kept = 0
        for position in order.indices {
            let slot = order[position]
            let node = newIndex(nodes[Int(slot)])
            nodes[Int(slot)] = node ?? Self.removed
            guard node != nil else { continue }
            order[kept] = slot
            kept += 1
        }
        order.removeLast(order.count - kept)
        if numbers.count > 64, kept < numbers.count / 2 { forgetRemoved() }
    }

    /// Drops the slots of removed nodes, so that their handles are no longer found.
    private mutating func forgetRemoved() {
        var slots = [UInt32](repeating: Self.removed, count: numbers.count)
        var kept = 0
        for slot in numbers.indices where nodes[slot] != Self.removed {
            slots[slot] = UInt32(truncatingIfNeeded: kept)
            numbers[kept] = numbers[slot]
            nodes[kept] = nodes[slot]
            kept += 1
        }
        numbers.removeLast(numbers.count - kept)
        nodes.removeLast(nodes.count - kept)
        for position in order.indices { order[position] = slots[Int(order[position])] }
    }
}

extension MarkupTree {
    /// The handles of nodes, given in document order. Copies that share their storage share the handles too.
    package func handles(of nodes: [NodeID]) -> [NodeHandle] {
        guard !nodes.isEmpty else { return [] }
        return storage.handles.withLock { table in
            var known = table ?? HandleTable()
            table = nil  // one reference only, so that its arrays are not copied
            defer { table = known }
            return known.handles(of: nodes)
        }
    }

    /// The node of a handle; nil when the node was removed, or is in another tree. O(log handles).
    package func node(of handle: NodeHandle) -> NodeID? {
        storage.handles.withLock { $0?.node(of: handle) }.map { NodeID(index: $0) }
    }
}

extension RandomAccessCollection where Index == Int {
    /// The number of elements before the first one for which `isBehind` is true. It must be true for all later elements. O(log
    /// n).
    fileprivate func firstPosition(_ isBehind: (Element) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low - startIndex
    }
}
