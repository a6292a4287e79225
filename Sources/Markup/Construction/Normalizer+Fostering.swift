// Foster parenting (HTML §13.2.6.1): content that a table cannot contain is moved before it.

extension Normalizer {
    @inline(__always) func isTablePart(_ tag: TagID) -> Bool {
        tag == .table || tag == .tbody || tag == .tr || tag == .thead || tag == .tfoot
    }

    @inline(never) mutating func noteFoster(_ index: UInt32) {
        guard let table = fosterTable else { return }
        // A node that follows the one fostered before it, and its subtree, moves with it.
        if let last = lastFostered, last.isUnmarked, last.placement.anchor == table,
            nodes[Int(last.tail)].flags.isDisjoint(with: .open), last.tail + nodes[Int(last.tail)].size == index
        {
            nodes.base[Int(index)].flags.insert(.isMoved)
            movedEnds[last.placement.what] = index
        } else {
            move(index, upTo: index, before: table)
        }
    }

    /// The last placement, with the last node that it moves; nil where one of them is a clone. Ends of nodes count placements, so
    /// one that has been counted takes no more nodes.
    private var lastFostered: (placement: Placement, tail: UInt32, isUnmarked: Bool)? {
        guard placedBefore.count > 0 else { return nil }
        let last = placedBefore[placedBefore.count - 1]
        let tail = movedEnds[last.what] ?? last.what
        return (last.what | tail) & Self.clonedBit == 0 ? (last, tail, placedBefore.count > countedPlacements) : nil
    }

    /// The number of placements until now, to which the end of a node refers.
    mutating func countPlacements() -> UInt32 {
        countedPlacements = placedBefore.count
        return UInt32(truncatingIfNeeded: countedPlacements)
    }

    /// The table before which fostered nodes are placed; nil when it is a copy, which has no place in the arena.
    var fosterTable: UInt32? {
        let table = find(.table)
        guard table > 0, stack[Int(table)].node & Self.clonedBit == 0 else { return nil }
        return stack[Int(table)].node
    }

    /// Records that the nodes from `from` to the end of `last` move before `anchor`.
    mutating func move(_ from: UInt32, upTo last: UInt32, before anchor: UInt32) {
        nodes.base[Int(from)].flags.insert(.isMoved)
        if last != from { movedEnds[from] = last }
        place(Placement(anchor: anchor, what: from))
    }

    mutating func place(_ placement: Placement) {
        nodes.base[Int(placement.anchor)].flags.insert(.isAnchor)
        placedBefore.append(placement)
        needsSettling = true
    }

    /// Joins text to the text fostered before the same table (§13.2.6.1, "insert a character"); false if there is none.
    mutating func joinFosteredText(_ start: UInt32, _ end: UInt32) -> Bool {
        guard let last = lastFostered, let table = fosterTable, last.placement.anchor == table else { return false }
        var node = nodes[Int(last.tail)]
        guard node.kind == .text, !node.flags.contains(.raw) else { return false }
        if !node.flags.contains(.edited) {
            let kept = UInt32(truncatingIfNeeded: edited.count)
            keepText(node.sourceStart, node.sourceEnd)
            node.flags.insert(.edited)
            node.setSource(kept, UInt32(truncatingIfNeeded: edited.count))
        }
        guard Int(node.sourceEnd) == edited.count else { return false }
        keepText(start, end)
        node.endSource(at: UInt32(truncatingIfNeeded: edited.count))
        nodes[Int(last.tail)] = node
        return true
    }

    /// Appends text of the source to the edited bytes, decoded.
    private mutating func keepText(_ start: UInt32, _ end: UInt32) {
        let text = tokenizer.text(at: start, Int(end - start))
        let decoded = EntityDecoder.decoded(text, mode: options.decodesEntities ? .references : [])
        decoded.withUnsafeBufferPointer { edited.append(contentsOf: $0) }
    }
}
