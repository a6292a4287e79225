// The last pass of tree construction: puts copies of split elements, content thrown out of tables and start tags that
// turn out to be text where they belong. Runs only when there are any. O(n log n) in what is moved, O(nodes) else.

extension TreeBuilder {
    /// A run of the arena being written: from `at` up to `end`, with open elements from `depth` on.
    private struct Run {
        var at: UInt32
        let end: UInt32
        let depth: Int
        /// It starts with a moved subtree itself, which is then written, not skipped.
        var isMoved = false
        /// What goes before `at`, as places in the order of placements; nil until the run comes there.
        var items: Range<Int>?
        var item = 0
    }

    private struct Pending {
        /// Where it goes in the output.
        var index: UInt32
        var end: UInt32
        var ordinal: UInt32
    }

    /// The tree in its final order, while it grows.
    private struct Output {
        var nodes: GrowableBuffer<Node>
        var large = LargeSubtrees()
        var open: [Pending] = []
        /// Elements with attributes of their own, by their new index.
        var own: [UInt32: UInt32] = [:]

        var count: UInt32 { UInt32(truncatingIfNeeded: nodes.count) }

        mutating func append(_ node: Node, end: UInt32, ordinal: UInt32) {
            var node = node
            let index = count
            node.distance = UInt64(index - (open.last?.index ?? 0))
            node.size = 1
            nodes.append(node)
            if node.kind == .element || node.kind == .root {
                open.append(Pending(index: index, end: end, ordinal: ordinal))
            }
        }

        mutating func closeLast() {
            guard let last = open.popLast() else { return }
            let size = UInt64(count - last.index)
            nodes.base[Int(last.index)].size = size
            if size >= Node.large { large.note(last.index, end: count) }
        }

        mutating func close(until at: UInt32, _ ordinal: UInt32, depth: Int) {
            while open.count > depth, let last = open.last, last.end < at || (last.end == at && last.ordinal <= ordinal)
            {
                closeLast()
            }
        }
    }

    mutating func settle() {
        let unused = unusedNames()
        let before = PlacementOrder(placedBefore, by: \.anchor)
        let inside = PlacementOrder(placedInside, by: \.anchor)
        let moved = PlacementOrder(placedBefore, by: \.from)
        var output = Output(nodes: GrowableBuffer(capacity: nodes.count + inserted.count))
        var runs = [Run(at: 0, end: UInt32(truncatingIfNeeded: nodes.count), depth: 0)]
        var discarded = 0

        while var run = runs.popLast() {
            guard run.at < run.end else {
                while output.open.count > run.depth { output.closeLast() }
                continue
            }
            let node = nodes[Int(run.at)]
            // Content that goes elsewhere is skipped where it stands in the arena.
            if run.items == nil, node.flags.contains(.isMoved), !run.isMoved,
                let k = moved.range(of: run.at, in: placedBefore).first
            {
                run.at = max(end(of: placedBefore[moved[k]].ref), run.at + 1)
                runs.append(run)
                continue
            }
            if run.items == nil {
                run.items = node.flags.contains(.isAnchor) ? before.range(of: run.at, in: placedBefore) : 0..<0
                run.item = run.items?.lowerBound ?? 0
            }
            let items = run.items ?? 0..<0
            if run.item < items.upperBound {
                output.close(
                    until: run.at, UInt32(truncatingIfNeeded: run.item - items.lowerBound), depth: run.depth)
                let placement = placedBefore[before[run.item]]
                run.item += 1
                runs.append(run)
                if placement.from == Placement.none {
                    emitClone(placement.ref, unused, &output)
                } else {
                    let end = max(end(of: placement.ref), placement.from + 1)
                    runs.append(Run(at: placement.from, end: end, depth: output.open.count, isMoved: true))
                }
                continue
            }
            output.close(until: run.at, UInt32(truncatingIfNeeded: items.count), depth: run.depth)
            if node.flags.contains(.ownAttributes) { output.own[output.count] = attributes.own[run.at] }
            emit(node, end: end(of: run.at), ordinal: endOrdinals[run.at] ?? 0, unused, &output)
            if node.flags.contains(.isAnchor) {
                for k in inside.range(of: run.at, in: placedInside).reversed() {
                    emitClone(placedInside[inside[k]].ref, unused, &output)
                }
            }
            run.at += 1
            run.isMoved = false
            run.items = nil
            runs.append(run)
            // Runs on top of the first one are ahead of it: what lies behind it is read no more.
            if runs.count == 1, Int(run.at) - discarded > 1 << 16 {
                nodes.discard(discarded..<Int(run.at))
                discarded = Int(run.at)
            }
        }
        nodes.free()
        nodes = output.nodes
        large = output.large
        large.seal()
        attributes.own = output.own
    }

    private func emit(_ node: Node, end: UInt32, ordinal: UInt32, _ unused: TagSet, _ output: inout Output) {
        var node = node
        if node.kind == .element, unused.contains(node.tag) {
            // Reopened copies and elements with attributes vanish or stay; only bare start tags are text.
            if node.flags.contains(.clone) { return }
            if node.flags.contains(.provisional) {
                let tagEnd = node.sourceStart + startTagLength(node)
                node = Node(.text, .raw, .none, distance: 0, source: (node.sourceStart, tagEnd))
            }
        }
        node.flags.subtract([.open, .provisional, .isAnchor, .isMoved])
        output.append(node, end: end, ordinal: ordinal)
    }

    private func emitClone(_ ref: UInt32, _ unused: TagSet, _ output: inout Output) {
        let clone = inserted[Int(ref & ~Self.clonedBit)]
        emit(clone.node, end: clone.end, ordinal: clone.endOrdinal, unused, &output)
    }

    private func end(of ref: UInt32) -> UInt32 {
        guard ref & Self.clonedBit == 0 else { return inserted[Int(ref & ~Self.clonedBit)].end }
        let size = nodes[Int(ref)].size
        return size < Node.large ? ref + UInt32(truncatingIfNeeded: size) : large.end(ref)
    }

    private func startTagLength(_ node: Node) -> UInt32 {
        var i = Int(node.sourceStart)
        while i < source.count, source[i] != 0x3E { i += 1 }
        return UInt32(truncatingIfNeeded: min(i + 1, source.count)) - node.sourceStart
    }

    /// The unknown names that no end tag, attribute or self-closing tag shows to be tags (SPEC T4).
    private func unusedNames() -> TagSet {
        var unused = TagSet()
        guard hasProvisional else { return unused }
        for i in 0..<nodes.count where nodes[i].flags.contains(.provisional) && !namesInUse.contains(nodes[i].tag) {
            unused.insert(nodes[i].tag)
        }
        return unused
    }
}

/// Placements by the node that one of their members names; those of one node in the order in which they were made.
private struct PlacementOrder {
    private let order: [UInt32]
    private let key: (TreeBuilder.Placement) -> UInt32

    init(_ placements: GrowableBuffer<TreeBuilder.Placement>, by key: @escaping (TreeBuilder.Placement) -> UInt32) {
        self.key = key
        var keys = [UInt64](unsafeUninitializedCapacity: placements.count) { buffer, count in
            for k in 0..<placements.count { buffer[k] = UInt64(key(placements[k])) << 32 | UInt64(k) }
            count = placements.count
        }
        keys.sort()
        order = keys.map { UInt32(truncatingIfNeeded: $0) }
    }

    subscript(_ position: Int) -> Int { Int(order[position]) }

    /// The positions of the placements at `node`. O(log n).
    func range(of node: UInt32, in placements: GrowableBuffer<TreeBuilder.Placement>) -> Range<Int> {
        func first(_ isBefore: (UInt32) -> Bool) -> Int {
            var low = 0
            var high = order.count
            while low < high {
                let middle = (low + high) / 2
                if isBefore(key(placements[Int(order[middle])])) { low = middle + 1 } else { high = middle }
            }
            return low
        }
        return first { $0 < node }..<first { $0 <= node }
    }
}
