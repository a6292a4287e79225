// The last pass of tree construction: puts copies of split elements, content thrown out of tables and start tags that
// turn out to be text where they belong. Runs only when there are any. O(nodes).

extension TreeBuilder {
    /// A run of the arena being written: from `at` up to `end`, with open elements from `depth` on.
    private struct Run {
        var at: UInt32
        let end: UInt32
        /// The next item placed before `at`.
        var item = 0
        let depth: Int
    }

    private struct Pending {
        /// Where it goes in the output; nil for a start tag that is text, whose children go to its parent.
        var index: UInt32
        var end: UInt32
        var ordinal: UInt32
    }

    mutating func settle() {
        let unused = unusedNames()
        var output = GrowableBuffer<Node>(capacity: nodes.count + inserted.count)
        var open: [Pending] = []
        var runs = [Run(at: 0, end: UInt32(truncatingIfNeeded: nodes.count), depth: 0)]

        func closeUntil(_ at: UInt32, _ ordinal: UInt32, _ depth: Int) {
            while open.count > depth, let last = open.last, last.end < at || (last.end == at && last.ordinal <= ordinal)
            {
                output.base[Int(last.index)].end = UInt32(truncatingIfNeeded: output.count)
                open.removeLast()
            }
        }
        func emit(_ node: Node, end: UInt32, ordinal: UInt32) {
            var node = node
            node.flags.remove(.open)
            node.parent = open.last?.index ?? 0
            let index = UInt32(truncatingIfNeeded: output.count)
            let isText = unused.contains(node.tag) && node.kind == .element
            if isText {
                // Reopened copies and elements with attributes vanish or stay; only bare start tags are text.
                if node.flags.contains(.clone) { return }
                if node.flags.contains(.provisional) {
                    let length = startTagLength(node)
                    node = Node(
                        .text, .raw, .none, parent: node.parent, source: (node.sourceStart, node.sourceStart + length),
                        extra: 0)
                }
            }
            node.flags.remove(.provisional)
            node.end = index + 1
            output.append(node)
            if node.kind == .element || node.kind == .root {
                open.append(Pending(index: index, end: end, ordinal: ordinal))
            }
        }

        while var run = runs.popLast() {
            guard run.at < run.end else {
                while open.count > run.depth, let last = open.popLast() {
                    output.base[Int(last.index)].end = UInt32(truncatingIfNeeded: output.count)
                }
                continue
            }
            // Content that goes elsewhere is skipped where it stands in the arena; the run of its own starts with it.
            if run.item == 0, let last = movedAt[run.at], runs.isEmpty || !isStart(run) {
                run.at = max(endOf(last), run.at + 1)
                runs.append(run)
                continue
            }
            let items = placedBefore[run.at] ?? []
            if run.item < items.count {
                closeUntil(run.at, UInt32(truncatingIfNeeded: run.item), run.depth)
                switch items[run.item] {
                case .clone(let ref):
                    let clone = inserted[Int(ref & ~Self.clonedBit)]
                    emit(clone.node, end: clone.node.end, ordinal: clone.endOrdinal)
                    run.item += 1
                    runs.append(run)
                case .moved(let from, let last):
                    run.item += 1
                    runs.append(run)
                    started.insert(from)
                    runs.append(Run(at: from, end: max(endOf(last), from + 1), depth: open.count))
                }
                continue
            }
            closeUntil(run.at, UInt32(truncatingIfNeeded: items.count), run.depth)
            emit(nodes[Int(run.at)], end: nodes[Int(run.at)].end, ordinal: endOrdinals[run.at] ?? 0)
            for ref in (placedInside[run.at] ?? []).reversed() {
                let clone = inserted[Int(ref & ~Self.clonedBit)]
                emit(clone.node, end: clone.node.end, ordinal: clone.endOrdinal)
            }
            run.at += 1
            run.item = 0
            runs.append(run)
        }
        output.base[0].end = UInt32(truncatingIfNeeded: output.count)
        nodes.free()
        nodes = output
    }

    /// Whether the run begins with the moved subtree itself, which is then written, not skipped.
    private mutating func isStart(_ run: Run) -> Bool { started.remove(run.at) != nil }

    private func endOf(_ ref: UInt32) -> UInt32 { node(ref).end }

    private func startTagLength(_ node: Node) -> UInt32 {
        var i = Int(node.sourceStart)
        while i < source.count, source[i] != 0x3E { i += 1 }
        return UInt32(truncatingIfNeeded: min(i + 1, source.count)) - node.sourceStart
    }

    /// The unknown names that no end tag, attribute or self-closing tag shows to be tags (SPEC T4).
    private func unusedNames() -> Set<TagID> {
        var unused: Set<TagID> = []
        guard hasProvisional else { return unused }
        for i in 0..<nodes.count where nodes[i].flags.contains(.provisional) && !namesInUse.contains(nodes[i].tag) {
            unused.insert(nodes[i].tag)
        }
        return unused
    }
}
