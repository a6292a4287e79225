// The tree a window at a time: what is finished is lent to a reader and forgotten, the open elements stay.
//
// In: the state of tree construction. Out: whether all that is closed is final, and an arena of the open elements alone.
//
// Reading text needs each node once. Where every closed element has come to its final place, and no open one can still be
// split or moved, the arena is the beginning of the tree that the whole source gives. So tree construction may pause
// there, let a reader have the arena, and go on in another one with the open elements alone: what is kept is as large as
// a few windows, not as the source.

extension Normalizer {
    /// Where open elements end, for the reader of a window: behind everything.
    static let endless = UInt32.max

    /// Whether the arena may be final: nothing closed can change any more, and what is open only grows at its end. O(1).
    ///
    /// Content is moved before open tables and into elements that have siblings at the greatest depth; start tags that
    /// nothing closes may still be text; formatting elements are split while they are open, and once closed only
    /// reopened behind the end. Templates and foreign content have rules of their own.
    var mayBeFinal: Bool {
        guard mode == .inBody, unclosed.isEmpty, countOfLeft == 0, find(.table) < 0, find(.template) < 0,
            find(.svg) < 0,
            find(.math) < 0
        else { return false }
        return formatting.last.map { !isOpen($0) } ?? true
    }

    /// Whether the arena is final, ``mayBeFinal`` granted. O(open elements).
    var isFinal: Bool {
        if formatting.contains(where: { isOpen($0) }) { return false }
        for k in 0..<stack.count where stack[k].node & Self.clonedBit != 0 { return false }
        return true
    }

    private func isOpen(_ entry: FormattingEntry) -> Bool { !entry.isMarker && isOpen(entry.node) }

    /// How far the source is read.
    var position: Int { tokenizer.position }

    /// The open elements of an arena that is final, the root first.
    var openNodes: [NodeID] { (0..<stack.count).map { NodeID(index: stack[$0].node) } }

    /// Makes the arena, which is final, the beginning of the tree.
    mutating func makeReadable() {
        for k in 0..<stack.count { setEnd(of: stack[k].node, Self.endless) }
        large.seal()
        guard needsSettling else { return }
        settle()
        // Each open element lies in the one before, in whatever order they were written.
        let open = large.subtrees.filter { $0.end == Self.endless }.map(\.index)
        rename { open[$0] }
    }

    /// Lets `storage` have what there is of the tree, and takes what it had.
    mutating func exchange(with storage: TreeStorage) {
        swap(&nodes, &storage.nodes)
        swap(&large, &storage.large)
        swap(&attributes, &storage.attributes)
        swap(&edited, &storage.edited)
        storage.documentMode = treeMode
    }

    /// Goes on without the elements of `arena` that are closed; the open ones become the nodes from 0 on.
    mutating func carryOver(from arena: TreeStorage) {
        closedHead = nil
        var tags: [UInt32] = []
        var own: [(old: UInt32, new: UInt32)] = []
        nodes.count = 0
        for k in 0..<stack.count {
            let index = stack[k].node
            var node = arena.nodes[Int(index)]
            if node.flags.contains(.ownAttributes) {
                own.append((index, UInt32(truncatingIfNeeded: k)))
            } else if node.flags.contains(.hasAttributes) {
                tags.append(node.sourceStart)
            }
            node.distance = k == 0 ? 0 : 1
            node.size = 1
            nodes.append(node)
        }
        large = LargeSubtrees()
        // What may be reopened keeps its attributes.
        for entry in formatting where entry.attributes != FormattingEntry.noAttributes { tags.append(entry.source.0) }
        tags.sort()
        var last: UInt32?
        tags.removeAll { tag in
            defer { last = tag }
            return tag == last
        }
        attributes.carryOver(
            tags, own: own, from: arena.attributes, before: UInt32(truncatingIfNeeded: tokenizer.position))
        edited.count = 0
        placedBefore.count = 0
        placedInside.count = 0
        movedEnds = [:]
        endMarks = [:]
        needsSettling = false
        rename { UInt32(truncatingIfNeeded: $0) }
    }

    /// Gives the open elements other names, by their places on the stack; what else is remembered of nodes follows.
    private mutating func rename(_ name: (Int) -> UInt32) {
        var form: UInt32?
        var html: UInt32?
        var body: UInt32?
        for k in 0..<stack.count {
            let old = stack[k].node
            let new = name(k)
            if old == formElement { form = new }
            if old == htmlNode { html = new }
            if old == bodyNode { body = new }
            stack.base[k].node = new
            if k > 0 { nodes.base[Int(new)].flags.insert(.open) }
        }
        // A form that is closed but not ended by a tag is a form still, though no element's.
        if formElement != nil { formElement = form ?? .max }
        htmlNode = html
        bodyNode = body
        // Closed formatting elements are not nodes any more, but differ from each other.
        inserted.count = 0
        for k in formatting.indices where !formatting[k].isMarker {
            formatting[k].node = UInt32(truncatingIfNeeded: inserted.count) | Self.clonedBit
            if formatting[k].attributes != FormattingEntry.noAttributes {
                formatting[k].attributes = UInt32(truncatingIfNeeded: attributes.first(behind: formatting[k].source.0))
            }
            inserted.append(
                InsertedNode(node: Node(.element, [], formatting[k].tag, distance: 0, source: formatting[k].source)))
        }
    }
}
