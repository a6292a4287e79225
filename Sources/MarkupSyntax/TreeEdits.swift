// Edits of a parsed tree (SPEC Y6): text and attributes in place, subtrees by splicing the arena.
//
// Edited bytes lie behind the tree's own buffer, so the source stays as it was. Copies of a tree share their storage
// until one of them is edited. Edits that add or remove nodes take O(nodes) and move the ids of all nodes behind.

extension MarkupTree {
    private mutating func own() {
        if !isKnownUniquelyReferenced(&storage) { storage = TreeStorage(copying: storage) }
        compactWhenWasteful()
        storage.wasEdited = true
    }

    private mutating func forgetLookup() { storage.lookup.withLock { $0 = nil } }

    /// Appends bytes to the edited ones; the offset carries the bit that says so.
    private func keep(_ bytes: some Collection<UInt8>) -> UInt32 {
        let start = storage.edited.count
        for byte in bytes { storage.edited.append(byte) }
        return UInt32(truncatingIfNeeded: start) | editedBit
    }

    /// Makes plain text the only content of an element, or the value of a text node. O(1) when its content is one text already.
    package mutating func setText(_ n: NodeID, _ text: String) {
        own()
        let at = Int(n.index)
        let length = text.utf8.count
        func fill(_ index: Int) {
            let start = keep(text.utf8) & ~editedBit
            storage.nodes.base[index].sourceStart = start
            storage.nodes.base[index].sourceEnd = start + UInt32(truncatingIfNeeded: length)
            storage.nodes.base[index].flags = .edited
        }
        if storage.nodes[at].kind == .text {
            fill(at)
        } else if storage.nodes[at].kind == .element || storage.nodes[at].kind == .root {
            if Int(storage.nodes[at].end) == at + 2, storage.nodes[at + 1].kind == .text {
                fill(at + 1)
                return
            }
            removeRange(at + 1, Int(storage.nodes[at].end))
            guard !text.isEmpty else { return }
            makeRoom(at: at + 1, count: 1, in: at)
            storage.nodes.base[at + 1] = Node(
                .text, .edited, .none, parent: n.index, source: (0, 0), extra: 0, end: n.index + 2)
            fill(at + 1)
        }
    }

    /// Replaces an element's content by parsed HTML.
    package mutating func setInnerHTML(_ n: NodeID, _ html: String) {
        own()
        let at = Int(n.index)
        guard storage.nodes[at].kind == .element || storage.nodes[at].kind == .root else { return }
        removeRange(at + 1, Int(storage.nodes[at].end))
        insert(html, at: at + 1, parent: at)
    }

    /// Adds parsed HTML behind an element's last child.
    package mutating func append(_ html: String, to n: NodeID) {
        own()
        let at = Int(n.index)
        guard storage.nodes[at].kind == .element || storage.nodes[at].kind == .root else { return }
        insert(html, at: Int(storage.nodes[at].end), parent: at)
    }

    /// Removes a node with all that it holds.
    package mutating func remove(_ n: NodeID) { remove([n]) }

    /// Removes several subtrees in one pass. O(nodes).
    package mutating func remove(_ nodes: [NodeID]) {
        guard !nodes.isEmpty else { return }
        own()
        var gone = [Bool](repeating: false, count: count)
        for n in nodes where n.index != 0 && Int(n.index) < count { gone[Int(n.index)] = true }
        // New indices: how many nodes before each are kept.
        var moved = [UInt32](repeating: 0, count: count + 1)
        var kept: UInt32 = 0
        var skipUntil = 0
        var keeps = [Bool](repeating: true, count: count)
        for i in 0..<count {
            moved[i] = kept
            if i < skipUntil || gone[i] {
                keeps[i] = false
                skipUntil = max(skipUntil, Int(storage.nodes[i].end))
            } else {
                kept += 1
            }
        }
        moved[count] = kept
        for i in 0..<count where keeps[i] {
            var node = storage.nodes[i]
            node.parent = moved[Int(node.parent)]
            node.end = moved[Int(node.end)]
            storage.nodes.base[Int(moved[i])] = node
        }
        storage.nodes.count = Int(kept)
        forgetLookup()
    }

    /// Sets an attribute; nil removes it. Names compare without regard to ASCII case.
    package mutating func setAttribute(_ n: NodeID, _ name: String, _ value: String?) {
        guard kind(n) == .element else { return }
        own()
        let wanted = AttributeName(name)
        var all: [Attribute] = []
        forEachAttribute(n) { all.append($0) }
        all.removeAll { attribute in
            guard value == nil else { return false }
            return wanted.id.map { attribute.id == $0.rawValue }
                ?? (attribute.id == 0 && wanted.matches(rawName(attribute)))
        }
        if let value {
            let start = keep(value.utf8)
            let existing = all.firstIndex { attribute in
                wanted.id.map { attribute.id == $0.rawValue }
                    ?? (attribute.id == 0 && wanted.matches(rawName(attribute)))
            }
            if let existing {
                all[existing].valueStart = start
                all[existing].valueInfo = UInt32(truncatingIfNeeded: value.utf8.count)
            } else {
                let nameStart = keep(wanted.bytes)
                var added = Attribute(
                    id: wanted.id?.rawValue ?? 0, nameStart: 0, nameLength: wanted.bytes.count, valueStart: 0,
                    valueLength: value.utf8.count)
                added.nameStart = nameStart
                added.valueStart = start
                all.append(added)
            }
        }
        storage.nodes.base[Int(n.index)].extra =
            all.isEmpty ? Node.noAttributes : UInt32(truncatingIfNeeded: storage.attributes.count)
        for k in all.indices {
            all[k].isLast = k == all.count - 1
            storage.attributes.append(all[k])
        }
        if wanted.id == .id || wanted.id == .classNames { forgetLookup() }
    }

    /// Adds a class unless the element has it.
    package mutating func addClass(_ n: NodeID, _ name: String) {
        let classes = attribute(n, .classNames) ?? ""
        guard !classes.utf8.split(whereSeparator: \.isHTMLSpace).contains(where: { $0.elementsEqual(name.utf8) }) else {
            return
        }
        setAttribute(n, "class", classes.isEmpty ? name : classes + " " + name)
    }

    package mutating func removeClass(_ n: NodeID, _ name: String) {
        guard let classes = attribute(n, .classNames) else { return }
        let kept = classes.split { " \t\n\r\u{C}".contains($0) }.filter { $0 != name }
        setAttribute(n, "class", kept.joined(separator: " "))
    }

    // MARK: Splicing

    /// Removes the nodes `start..<end`, which are whole subtrees of one parent.
    private mutating func removeRange(_ start: Int, _ end: Int) {
        guard end > start else { return }
        let removed = UInt32(truncatingIfNeeded: end - start)
        storage.nodes.closeGap(at: start, count: end - start)
        for i in 0..<storage.nodes.count {
            if storage.nodes[i].end >= UInt32(end) {
                storage.nodes.base[i].end -= removed
            } else if storage.nodes[i].end > UInt32(start), i < start {
                storage.nodes.base[i].end = UInt32(start)
            }
            if storage.nodes[i].parent >= UInt32(end) { storage.nodes.base[i].parent -= removed }
        }
        forgetLookup()
    }

    /// Opens a gap of `added` nodes at `at`, inside the node `parent` and the nodes around it.
    private mutating func makeRoom(at: Int, count added: Int, in parent: Int) {
        var around: [Int] = []
        var outer = parent
        while true {
            around.append(outer)
            if outer == 0 { break }
            outer = Int(storage.nodes[outer].parent)
        }
        let shift = UInt32(truncatingIfNeeded: added)
        for i in at..<storage.nodes.count {
            storage.nodes.base[i].end += shift
            if storage.nodes[i].parent >= UInt32(at) { storage.nodes.base[i].parent += shift }
        }
        for i in 0..<at where storage.nodes[i].end > UInt32(at) { storage.nodes.base[i].end += shift }
        for i in around where storage.nodes[i].end == UInt32(at) { storage.nodes.base[i].end += shift }
        storage.nodes.openGap(at: at, count: added)
        forgetLookup()
    }

    /// Parses `html` as a fragment and puts its nodes at `at`, children of `parent`.
    private mutating func insert(_ html: String, at: Int, parent: Int) {
        var options = SyntaxOptions()
        options.isUTF8 = true
        options.decodesEntities = storage.decodesEntities
        options.isFragment = true
        var log = DiagnosticLog()
        let other = MarkupTree.parse(Array(html.utf8), options: options, log: &log)
        let added = other.count - 1
        guard added > 0 else { return }
        makeRoom(at: at, count: added, in: parent)
        for k in 0..<added {
            var node = other.storage.nodes[k + 1]
            node.parent = node.parent == 0 ? UInt32(parent) : UInt32(at) + node.parent - 1
            node.end = UInt32(at) + node.end - 1
            let n = NodeID(k + 1)
            switch node.kind {
            case .text, .comment, .doctype, .instruction:
                let isText = node.kind == .text
                let start = other.withText(n) { text in isText ? keep(text) & ~editedBit : keep(text) }
                let length = UInt32(truncatingIfNeeded: storage.edited.count) - (start & ~editedBit)
                // Comments become their text: what an edit brings in is content.
                node = Node(
                    isText ? .text : .comment, .edited, .none, parent: node.parent,
                    source: (start & ~editedBit, (start & ~editedBit) + length), extra: 0, end: node.end)
            case .element:
                let name = other.nameBytes(n)
                node.tag = TagID.named(name) ?? name.withUnsafeBufferPointer { storage.interner.intern($0) }
                node.sourceStart = 0
                node.sourceEnd = 0
                node.flags.insert(.repaired)
                node.extra = copyAttributes(of: n, from: other)
            case .root: break
            }
            storage.nodes.base[at + k] = node
        }
    }

    private func copyAttributes(of n: NodeID, from other: MarkupTree) -> UInt32 {
        guard other.hasAttributes(n) else { return Node.noAttributes }
        let first = UInt32(truncatingIfNeeded: storage.attributes.count)
        other.forEachAttribute(n) { attribute in
            var copy = attribute
            copy.nameStart = keep(other.rawName(attribute).map(\.asciiLowercased))
            other.withValue(attribute) { value in
                copy.valueStart = keep(value)
                copy.valueInfo = UInt32(truncatingIfNeeded: value.count) | (attribute.isLast ? 0x8000_0000 : 0)
            }
            storage.attributes.append(copy)
        }
        return first
    }
}
