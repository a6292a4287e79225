// CSS counters (CSS Lists 3 §4): nested instances by name, with scopes that end with the parent of the creating element.

import FancyTextMarkup

/// The counters in scope at a point of a walk in document order.
struct Counters {
    private struct Instance {
        var value: Int
        /// The first node that is no longer in scope.
        var scopeEnd: NodeID
        var parent: NodeID?
        var origin: NodeID
    }

    let tree: MarkupTree
    private var stacks: [String: [Instance]] = [:]
    /// The elements around the current one whose contents do not change the counters outside, outermost first.
    private var boundaries: [(node: NodeID, end: NodeID)] = []

    init(_ tree: MarkupTree) { self.tree = tree }

    /// Makes changes inside of an element invisible outside (CSS Containment 2 §3.3).
    mutating func contain(_ node: NodeID) { boundaries.append((node, tree.subtreeEnd(node))) }

    /// Returns whether the innermost instance may be changed by an element.
    private mutating func isChangeable(_ name: String, at node: NodeID) -> Bool {
        dropEnded(name, at: node)
        while let last = boundaries.last, last.end <= node { boundaries.removeLast() }
        guard let origin = stacks[name]?.last?.origin else { return false }
        return boundaries.last.map { $0.node < origin } ?? true
    }

    /// `counter-reset`: creates an instance whose scope is the element, its later siblings, and their descendants; if it is local, the
    /// element alone, because a list numbers only its own items (HTML §4.4.8).
    ///
    /// - Parameter parent: the nearest element around it that has a box; `node` for a pseudo-element, which acts like a child.
    mutating func reset(_ name: String, to value: Int, at node: NodeID, parent: NodeID?, isLocal: Bool = false) {
        dropEnded(name, at: node)
        if let last = stacks[name]?.last, last.parent == parent { stacks[name]?.removeLast() }
        let scopeEnd = tree.subtreeEnd(isLocal ? node : parent ?? node)
        stacks[name, default: []].append(Instance(value: value, scopeEnd: scopeEnd, parent: parent, origin: node))
    }

    mutating func increment(_ name: String, by amount: Int, at node: NodeID, parent: NodeID?) {
        let value = isChangeable(name, at: node) ? self.value(name, at: node) : 0
        set(name, to: value.addingReportingOverflow(amount).partialValue, at: node, parent: parent)
    }

    /// `counter-set`; creates the counter if none is in scope.
    mutating func set(_ name: String, to value: Int, at node: NodeID, parent: NodeID?) {
        guard isChangeable(name, at: node), let count = stacks[name]?.count else {
            return reset(name, to: value, at: node, parent: parent)
        }
        stacks[name]?[count - 1].value = value
    }

    mutating func isInScope(_ name: String, at node: NodeID) -> Bool {
        dropEnded(name, at: node)
        return stacks[name]?.isEmpty == false
    }

    /// The value of the innermost instance; 0 if none is in scope.
    mutating func value(_ name: String, at node: NodeID) -> Int {
        dropEnded(name, at: node)
        return stacks[name]?.last?.value ?? 0
    }

    /// All instances' values, outermost first (`counters()`).
    mutating func values(_ name: String, at node: NodeID) -> [Int] {
        dropEnded(name, at: node)
        let values = stacks[name]?.map(\.value) ?? []
        return values.isEmpty ? [0] : values
    }

    private mutating func dropEnded(_ name: String, at node: NodeID) {
        while let last = stacks[name]?.last, last.scopeEnd <= node { stacks[name]?.removeLast() }
    }
}
