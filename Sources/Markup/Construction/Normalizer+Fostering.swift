// Foster parenting (HTML §13.2.6.1): content that a table cannot contain is moved before it.

import FancyTextBasics

extension Normalizer {
    @inline(__always)
    func isTablePart(_ tag: TagID) -> Bool {
        tag == .table || tag == .tbody || tag == .tr || tag == .thead || tag == .tfoot
    }

    @inline(never)
    mutating func noteFoster(_ index: UInt32) {
        if let table = fosterTable { move(index, upTo: index, before: table) }
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
        guard placedBefore.count > 0 else { return false }
        let last = placedBefore[placedBefore.count - 1]
        guard let table = fosterTable, last.anchor == table, !last.isClone, movedEnds[last.what] == nil else {
            return false
        }
        var node = nodes[Int(last.what)]
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
        nodes[Int(last.what)] = node
        return true
    }

    /// Appends text of the source to the edited bytes, decoded.
    private mutating func keepText(_ start: UInt32, _ end: UInt32) {
        let text = UnsafeBufferPointer(start: sourceBase + Int(start), count: Int(end - start))
        var decoded: [UInt8] = []
        EntityDecoder.decode(text, mode: options.decodesEntities ? .references : [], into: &decoded)
        decoded.withUnsafeBufferPointer { edited.append(contentsOf: $0) }
    }
}
