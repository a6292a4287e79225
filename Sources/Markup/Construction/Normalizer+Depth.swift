// Limits the depth as browsers do: when too many elements are open, the next one becomes a sibling of the current node, which ends
// there in the arena but remains open for text: the last pass moves it. In: the open elements. Out: the insertion point.

extension Normalizer {
    /// Makes the next node a sibling of the current one.
    @inline(never) mutating func leaveCurrent() {
        if fosters, isTablePart(topTag) { return }
        reportedSiblings = true
        markRepaired()
        guard !top.isLeft else { return }
        let isMoved = top.node & Self.clonedBit == 0 && nodes[Int(top.node)].flags.contains(.isMoved)
        // A fostered node has the table's parent: its sibling follows the table.
        var k = isMoved ? max(1, Int(find(.table))) : stack.count - 1
        while k < stack.count {
            if !stack[k].isLeft {
                stack[k].endIfLeft = nextIndex
                countOfLeft += 1
            }
            k += 1
        }
        needsSettling = true
    }

    /// Moves a node at the arena's end into the current node, which ends before it.
    @inline(never) mutating func moveIntoLeft(_ index: UInt32) {
        let ref = top.node
        move(index, upTo: index, before: top.endIfLeft)
        let mark = countPlacements()
        if ref & Self.clonedBit == 0 {
            endMarks[ref] = mark
        } else {
            inserted.base[Int(ref & ~Self.clonedBit)].endMark = mark
        }
    }
}
