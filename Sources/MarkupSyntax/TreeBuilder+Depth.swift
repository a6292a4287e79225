// Depth as browsers limit it: with too many elements open, a further one becomes a sibling of the current node.
//
// The current node then ends in the arena where its sibling starts. It stays open: text still goes into it, which the
// last pass puts there (TreeBuilder+Settle.swift), while elements and comments become siblings too.

extension TreeBuilder {
    /// Makes what is inserted next a sibling of the current node.
    @inline(never)
    mutating func leaveCurrent() {
        if fosters, isTablePart(topTag) { return }
        let element = top
        reportedSiblings = true
        markRepaired()
        guard !element.isLeft else { return }
        stack[stack.count - 1].isLeft = true
        endsOfLeft[element.node] = UInt32(truncatingIfNeeded: nodes.count)
        needsSettling = true
    }

    /// Puts a node of the arena's end into the current node, which ends before it.
    @inline(never)
    mutating func moveIntoLeft(_ index: UInt32) {
        let ref = top.node
        guard let end = endsOfLeft[ref] else { return }
        move(index, upTo: index, before: end)
        let mark = UInt32(truncatingIfNeeded: placedBefore.count)
        if ref & Self.clonedBit == 0 {
            endMarks[ref] = mark
        } else {
            inserted.base[Int(ref & ~Self.clonedBit)].endMark = mark
        }
    }

    /// Where an element ends that is left, and now closed.
    @inline(never)
    mutating func forgetLeft(_ ref: UInt32) -> UInt32 {
        endsOfLeft.removeValue(forKey: ref) ?? UInt32(truncatingIfNeeded: nodes.count)
    }
}
