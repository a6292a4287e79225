// The last pass of tree construction, for trees that need it: places copies of split elements and content moved out of tables, and
// turns unclosed start tags into text or empty elements. O(n log n) in the moved nodes, O(nodes) otherwise.

import FancyTextBasics

extension Normalizer {
    mutating func settle() {
        let count = nodes.count
        nodes.reserve(inserted.count)
        for clone in inserted.elements { nodes.append(clone.node) }
        var settling = Settling(self, count: count)
        settling.run()
        nodes.count = settling.arrange()
        attributes.own = settling.own
        settling.order.free()
        settling.open.free()
    }
}

/// The state of the pass. In: the arena as it was built, followed by the inserted nodes. Out: their final order. The nodes keep
/// their sizes and `isMoved` until they are arranged.
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

    /// An open element of the output.
    struct Pending: BitwiseCopyable {
        var index: UInt32
        /// The node ends before this node of the arena, after the first `ordinal` of the things placed there.
        var end: UInt32
        var ordinal: UInt32
    }

    /// The arena, and the nodes to be placed in it.
    private let built: Normalizer
    /// The number of nodes before the inserted ones.
    private let count: Int
    private let before: PlacementOrder
    private let inside: PlacementOrder
    private let moved: PlacementOrder
    /// The place in the arena of each node of the output.
    var order: GrowableBuffer<UInt32>
    var open = GrowableBuffer<Pending>(capacity: 64)
    /// Elements with an attribute list of their own, by their new index.
    var own: [UInt32: UInt32] = [:]

    init(_ built: Normalizer, count: Int) {
        self.built = built
        self.count = count
        before = PlacementOrder(built.placedBefore, by: \.anchor)
        inside = PlacementOrder(built.placedInside, by: \.anchor)
        moved = PlacementOrder(built.placedBefore, by: \.what)
        order = GrowableBuffer(capacity: built.nodes.count)
    }

    mutating func run() {
        var runs = GrowableBuffer<Run>(capacity: 64)
        defer { runs.free() }
        runs.append(Run(at: 0, end: UInt32(truncatingIfNeeded: count), depth: 0))
        while runs.count > 0 {
            runs.count -= 1
            var run = runs[runs.count]
            guard run.at < run.end else {
                open.count = min(open.count, Int(run.depth))
                continue
            }
            let node = built.nodes[Int(run.at)]
            if !run.hasItems {
                // Skips content that is written at another place.
                if node.flags.contains(.isMoved), !run.isMoved, !moved.range(of: run.at).isEmpty {
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
            close(until: run.at, run.item - run.firstItem, depth: Int(run.depth))
            if run.item < run.endOfItems {
                let placement = built.placedBefore[before[Int(run.item)]]
                run.item += 1
                runs.append(run)
                let from = placement.what
                if placement.isClone {
                    writeClone(from)
                } else {
                    let end = max(end(ofMoved: from), from + 1)
                    runs.append(Run(at: from, end: end, depth: UInt32(truncatingIfNeeded: open.count), isMoved: true))
                }
                continue
            }
            if node.flags.contains(.ownAttributes) {
                own[UInt32(truncatingIfNeeded: order.count)] = built.attributes.own[run.at]
            }
            if !built.unclosed.isEmpty, let endOfTag = endOfUnclosedTag(node) {
                writeUnclosed(run.at, node, endOfTag)
            } else {
                append(run.at, end: end(of: run.at), of: run.at)
            }
            if node.flags.contains(.isAnchor) {
                for k in inside.range(of: run.at).reversed() { writeClone(built.placedInside[inside[k]].what) }
            }
            run.at += 1
            run.isMoved = false
            run.hasItems = false
            runs.append(run)
        }
    }

    /// The end of the node's start tag if no end tag closes the element; nil for other nodes.
    private func endOfUnclosedTag(_ node: Node) -> UInt32? {
        switch node.tag {
        // Implied elements share their offset with the tag that implied them.
        case .html, .head, .body: nil
        default: node.kind == .element ? built.unclosed[node.sourceStart] : nil
        }
    }

    /// Writes an unclosed start tag as text or as an element without contents; its contents follow it.
    private mutating func writeUnclosed(_ index: UInt32, _ node: Node, _ endOfTag: UInt32) {
        if node.flags.contains(.clone) { return }
        var written = node
        if node.flags.contains(.provisional) {
            written.setKind(.text)
            written.tag = .none
            written.flags = node.flags.intersection(.isMoved)
            written.setSource(node.sourceStart, endOfTag)
        } else {
            written.endSource(at: endOfTag)
        }
        built.nodes[Int(index)] = written
        append(index, end: index + 1)
    }

    private mutating func writeClone(_ ref: UInt32) {
        let index = Int(ref & ~Normalizer.clonedBit)
        let clone = built.inserted[index]
        if !built.unclosed.isEmpty, endOfUnclosedTag(clone.node) != nil { return }
        append(UInt32(truncatingIfNeeded: count + index), end: clone.end, of: ref)
    }

    private func end(ofMoved from: UInt32) -> UInt32 { end(of: built.movedEnds[from] ?? from) }

    private func end(of ref: UInt32) -> UInt32 {
        guard ref & Normalizer.clonedBit == 0 else { return built.inserted[Int(ref & ~Normalizer.clonedBit)].end }
        return ref + built.nodes[Int(ref)].size
    }

    // MARK: Output

    /// Appends a node of the arena that ends before the node `end`. `ref` is the node whose end mark counts.
    private mutating func append(_ place: UInt32, end: UInt32, of ref: UInt32? = nil) {
        let index = UInt32(truncatingIfNeeded: order.count)
        built.nodes.base[Int(place)].distance = index - (open.count > 0 ? open[open.count - 1].index : 0)
        order.append(place)
        let kind = built.nodes[Int(place)].kind
        guard kind == .element || kind == .root else { return }
        var ordinal = 0
        if !built.endMarks.isEmpty, let ref, let mark = built.endMarks[ref] {
            // The things placed before `end` before the mark was taken.
            ordinal = before.range(of: end).prefix { before[$0] < Int(mark) }.count
        }
        open.append(Pending(index: index, end: end, ordinal: UInt32(truncatingIfNeeded: ordinal)))
    }

    private mutating func close(until at: UInt32, _ ordinal: UInt32, depth: Int) {
        while open.count > depth {
            let last = open[open.count - 1]
            guard last.end < at || (last.end == at && last.ordinal <= ordinal) else { return }
            open.count -= 1
        }
    }

    /// Moves the nodes to their places without a second arena, and returns their number. O(nodes).
    mutating func arrange() -> Int {
        let (nodes, count) = (built.nodes, order.count)
        addOmitted()
        let done: UInt32 = 0x8000_0000
        for start in 0..<order.count where order[start] & done == 0 {
            let first = nodes[start]
            var at = start
            while true {
                let from = Int(order[at])
                order[at] |= done
                if from == start { break }
                nodes[at] = nodes[from]
                at = from
            }
            nodes[at] = first
        }
        for index in 0..<count {
            nodes.base[index].flags.subtract([.open, .provisional, .isAnchor, .isMoved])
            nodes.base[index].size = 1
        }
        for index in (0..<count).reversed() {
            let node = nodes[index]
            if node.distance > 0 { nodes.base[index - Int(node.distance)].size += node.size }
        }
        return count
    }

    /// Puts the nodes that are not part of the output after it, so that the order is a permutation.
    private mutating func addOmitted() {
        guard order.count < built.nodes.count else { return }
        var isWritten = [Bool](repeating: false, count: built.nodes.count)
        for place in order.elements { isWritten[Int(place)] = true }
        for place in isWritten.indices where !isWritten[place] { order.append(UInt32(truncatingIfNeeded: place)) }
    }
}

/// Placements sorted by one of their nodes; those of one node stay in the order in which they were made.
private struct PlacementOrder {
    private let placements: GrowableBuffer<Normalizer.Placement>
    private let key: (Normalizer.Placement) -> UInt32
    /// Nil when the placements were made in this order.
    private var order: [UInt32]?

    init(_ placements: GrowableBuffer<Normalizer.Placement>, by key: @escaping (Normalizer.Placement) -> UInt32) {
        (self.placements, self.key) = (placements, key)
        let positions = 0..<placements.count
        guard positions.dropFirst().contains(where: { node($0 - 1) > node($0) }) else { return }
        let sorted = positions.map { UInt64(node($0)) << 32 | UInt64($0) }.sorted()
        order = sorted.map { UInt32(truncatingIfNeeded: $0) }
    }

    subscript(_ position: Int) -> Int { order.map { Int($0[position]) } ?? position }

    private func node(_ position: Int) -> UInt32 { key(placements[self[position]]) }

    /// The positions of the placements at `node`. O(log n).
    func range(of node: UInt32) -> Range<Int> {
        let positions = 0..<placements.count
        let start = positions.partitioningIndex { self.node($0) >= node }
        return start..<positions.partitioningIndex { self.node($0) > node }
    }
}
