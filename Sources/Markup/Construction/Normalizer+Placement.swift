// The last pass of tree construction. It puts copies of split elements and content moved out of tables in their places, and turns
// unclosed start tags into text or empty elements. It runs only when there are any of these. O(n log n) in the moved nodes,
// O(nodes) otherwise.

import FancyTextBasics

extension Normalizer {
    mutating func settle() {
        let settling = Settling(
            nodes: nodes, inserted: inserted, placedBefore: placedBefore, placedInside: placedInside,
            movedEnds: movedEnds, endMarks: endMarks, unclosed: unclosed, own: attributes.own)
        let output = settling.run()
        nodes.free()
        output.open.free()
        nodes = output.nodes
        attributes.own = output.own
    }
}

/// The state of the pass. In: the arena as it was built. Out: the tree in its final order.
private struct Settling {
    /// A run of the arena to write: from `at` up to `end`, with open elements from `depth` on.
    private struct Run: BitwiseCopyable {
        var at: UInt32
        let end: UInt32
        let depth: UInt32
        /// Set when the run begins with a moved subtree that is written here, not skipped.
        var isMoved = false
        /// Set when the items placed before `at` have been looked up.
        var hasItems = false
        var firstItem: UInt32 = 0
        var item: UInt32 = 0
        var endOfItems: UInt32 = 0
    }

    private let nodes: GrowableBuffer<Node>
    private let inserted: GrowableBuffer<Normalizer.InsertedNode>
    private let placedBefore: GrowableBuffer<Normalizer.Placement>
    private let placedInside: GrowableBuffer<Normalizer.Placement>
    private let movedEnds: [UInt32: UInt32]
    private let endMarks: [UInt32: UInt32]
    private let unclosed: [UInt32: UInt32]
    private let own: [UInt32: UInt32]
    private let before: PlacementOrder
    private let inside: PlacementOrder
    private let moved: PlacementOrder
    private var output: SettledTree

    init(
        nodes: GrowableBuffer<Node>, inserted: GrowableBuffer<Normalizer.InsertedNode>,
        placedBefore: GrowableBuffer<Normalizer.Placement>, placedInside: GrowableBuffer<Normalizer.Placement>,
        movedEnds: [UInt32: UInt32], endMarks: [UInt32: UInt32], unclosed: [UInt32: UInt32], own: [UInt32: UInt32]
    ) {
        self.nodes = nodes
        self.inserted = inserted
        self.placedBefore = placedBefore
        self.placedInside = placedInside
        self.movedEnds = movedEnds
        self.endMarks = endMarks
        self.unclosed = unclosed
        self.own = own
        before = PlacementOrder(placedBefore, by: .anchor)
        inside = PlacementOrder(placedInside, by: .anchor)
        moved = PlacementOrder(placedBefore, by: .what)
        output = SettledTree(nodes: GrowableBuffer(capacity: nodes.count + inserted.count))
    }

    consuming func run() -> SettledTree {
        var runs = GrowableBuffer<Run>(capacity: 64)
        defer { runs.free() }
        let count = UInt32(truncatingIfNeeded: nodes.count)
        runs.append(Run(at: 0, end: count, depth: 0))
        while runs.count > 0 {
            runs.count -= 1
            var run = runs[runs.count]
            guard run.at < run.end else {
                while output.open.count > Int(run.depth) { output.closeLast() }
                continue
            }
            let node = nodes[Int(run.at)]
            if !run.hasItems {
                // Skips content that is written at another place.
                if node.flags.contains(.isMoved), !run.isMoved,
                    !moved.range(of: run.at).isEmpty
                {
                    run.at = max(end(ofMoved: run.at), run.at + 1)
                    runs.append(run)
                    continue
                }
                let items = node.flags.contains(.isAnchor) ? before.range(of: run.at) : 0..<0
                run.hasItems = true
                run.firstItem = UInt32(truncatingIfNeeded: items.lowerBound)
                run.item = run.firstItem
                run.endOfItems = UInt32(truncatingIfNeeded: items.upperBound)
            }
            output.close(until: run.at, run.item - run.firstItem, depth: Int(run.depth))
            if run.item < run.endOfItems {
                let placement = placedBefore[before[Int(run.item)]]
                run.item += 1
                runs.append(run)
                let from = placement.what
                if placement.isClone {
                    writeClone(from)
                } else {
                    let end = max(end(ofMoved: from), from + 1)
                    let depth = UInt32(truncatingIfNeeded: output.open.count)
                    runs.append(Run(at: from, end: end, depth: depth, isMoved: true))
                }
                continue
            }
            if node.flags.contains(.ownAttributes) { output.own[output.count] = own[run.at] }
            let end = end(of: run.at)
            let ordinal = endMarks.isEmpty ? 0 : ordinal(end, mark: endMarks[run.at] ?? 0)
            if !unclosed.isEmpty, let endOfTag = endOfUnclosedTag(node) {
                writeUnclosed(node, endOfTag, before: run.at + 1)
            } else {
                write(node, end: end, ordinal: ordinal)
            }
            if node.flags.contains(.isAnchor) {
                for k in inside.range(of: run.at).reversed() {
                    writeClone(placedInside[inside[k]].what)
                }
            }
            run.at += 1
            run.isMoved = false
            run.hasItems = false
            runs.append(run)
        }
        return output
    }

    private mutating func write(_ node: Node, end: UInt32, ordinal: UInt32) {
        var node = node
        node.flags.subtract([.open, .provisional, .isAnchor, .isMoved])
        output.append(node, end: end, ordinal: ordinal)
    }

    /// The end of the node's start tag if no end tag closes the element; nil for other nodes.
    private func endOfUnclosedTag(_ node: Node) -> UInt32? {
        switch node.tag {
        // Implied elements share their offset with the tag that implied them.
        case .html, .head, .body: nil
        default: node.kind == .element ? unclosed[node.sourceStart] : nil
        }
    }

    /// Writes an unclosed start tag as text or as an element without contents; its contents follow it.
    private mutating func writeUnclosed(_ node: Node, _ endOfTag: UInt32, before next: UInt32) {
        if node.flags.contains(.clone) { return }
        if node.flags.contains(.provisional) {
            write(Node(.text, [], .none, distance: 0, source: (node.sourceStart, endOfTag)), end: next, ordinal: 0)
        } else {
            var node = node
            node.endSource(at: endOfTag)
            write(node, end: next, ordinal: 0)
        }
    }

    private mutating func writeClone(_ ref: UInt32) {
        let clone = inserted[Int(ref & ~Normalizer.clonedBit)]
        if !unclosed.isEmpty, endOfUnclosedTag(clone.node) != nil { return }
        write(clone.node, end: clone.end, ordinal: ordinal(clone.end, mark: clone.endMark))
    }

    /// The number of things placed before `anchor` after which a node ends: those placed before its mark was taken.
    private func ordinal(_ anchor: UInt32, mark: UInt32) -> UInt32 {
        guard mark > 0 else { return 0 }
        let range = before.range(of: anchor)
        return UInt32(truncatingIfNeeded: range.prefix { before[$0] < Int(mark) }.count)
    }

    private func end(ofMoved from: UInt32) -> UInt32 { end(of: movedEnds[from] ?? from) }

    private func end(of ref: UInt32) -> UInt32 {
        guard ref & Normalizer.clonedBit == 0 else { return inserted[Int(ref & ~Normalizer.clonedBit)].end }
        return ref + nodes[Int(ref)].size
    }
}

/// The tree in its final order, while it grows.
private struct SettledTree {
    struct Pending: BitwiseCopyable {
        /// The node's index in the output.
        var index: UInt32
        /// The node ends before this node of the arena, after the first `ordinal` of the things placed there.
        var end: UInt32
        var ordinal: UInt32
    }

    var nodes: GrowableBuffer<Node>
    var open = GrowableBuffer<Pending>(capacity: 64)
    /// Elements with an attribute list of their own, by their new index.
    var own: [UInt32: UInt32] = [:]

    var count: UInt32 { UInt32(truncatingIfNeeded: nodes.count) }

    mutating func append(_ node: Node, end: UInt32, ordinal: UInt32) {
        var node = node
        let index = count
        node.distance = index - (open.count > 0 ? open[open.count - 1].index : 0)
        node.size = 1
        nodes.append(node)
        if node.kind == .element || node.kind == .root {
            open.append(Pending(index: index, end: end, ordinal: ordinal))
        }
    }

    mutating func closeLast() {
        guard open.count > 0 else { return }
        open.count -= 1
        let last = open[open.count]
        nodes.base[Int(last.index)].size = count - last.index
    }

    mutating func close(until at: UInt32, _ ordinal: UInt32, depth: Int) {
        while open.count > depth {
            let last = open[open.count - 1]
            guard last.end < at || (last.end == at && last.ordinal <= ordinal) else { return }
            closeLast()
        }
    }
}

/// Placements sorted by one of their nodes; those of one node stay in the order in which they were made.
private struct PlacementOrder {
    enum Key { case anchor, what }

    /// The node of each placement, ascending.
    private let nodes: [UInt32]
    /// Nil when the placements were made in this order.
    private let order: [UInt32]?

    init(_ placements: GrowableBuffer<Normalizer.Placement>, by key: Key) {
        let made = placements.elements.map { key == .anchor ? $0.anchor : $0.what }
        if zip(made, made.dropFirst()).allSatisfy({ $0 <= $1 }) {
            (nodes, order) = (made, nil)
        } else {
            let sorted = made.enumerated().map { UInt64($1) << 32 | UInt64($0) }.sorted()
            nodes = sorted.map { UInt32(truncatingIfNeeded: $0 >> 32) }
            order = sorted.map { UInt32(truncatingIfNeeded: $0) }
        }
    }

    /// The placement at a position of the order.
    subscript(_ position: Int) -> Int { order.map { Int($0[position]) } ?? position }

    /// The positions of the placements at `node`. O(log n).
    func range(of node: UInt32) -> Range<Int> { first { $0 >= node }..<first { $0 > node } }

    /// The first position for whose node `isBehind` is true, as for all later ones.
    private func first(_ isBehind: (UInt32) -> Bool) -> Int {
        var (low, high) = (0, nodes.count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(nodes[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
