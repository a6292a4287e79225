// Edits of a parsed tree: text and attributes in place, nodes in a new arena. Edited bytes are stored apart from the source.
// Copies of a tree share their storage until one is edited. Adding or removing nodes takes O(nodes) and shifts later ids.

import FancyTextBasics

extension MarkupTree {
    mutating func own() {
        if !isKnownUniquelyReferenced(&storage) { storage = TreeStorage(copying: storage) }
        compactWhenWasteful()
        storage.differsFromSource = true
        if !storage.placedEdits.isEmpty { storage.placedEdits = [:] }
    }

    /// Sets the places of edited texts and `style` attributes, until the next edit.
    ///
    /// - Parameter edits: the texts, and the numbers of nodes from theirs to the last one.
    package mutating func place(_ edits: [(fromEnd: Int, text: EmbeddedText)]) {
        own()
        for edit in edits { storage.placedEdits[NodeID(count - edit.fromEnd)] = edit.text }
    }

    mutating func forgetLookup() { storage.lookup.withLock { $0 = nil } }

    /// A Boolean value that indicates whether an edit was not made because nodes cannot address more edited bytes.
    package var isOverfull: Bool { storage.isOverfull }

    /// Appends bytes to the edited ones and returns their offset with `editedBit` set; `nil` when there would be too many.
    func keep(_ bytes: some Collection<UInt8>) -> UInt32? {
        let start = storage.edited.count
        guard bytes.count <= storage.mostEdited - start else {
            storage.isOverfull = true
            return nil
        }
        for byte in bytes { storage.edited.append(byte) }
        return UInt32(truncatingIfNeeded: start) | editedBit
    }

    /// Replaces the contents of an element with plain text, or sets the value of a text node. O(1) for one text node.
    package mutating func setText(_ n: NodeID, _ text: String) { setText(of: [n], text) }

    /// Replaces the contents of elements, in document order, with plain text. O(nodes), O(1) for elements that hold one text node.
    package mutating func setText(of nodes: [NodeID], _ text: String) {
        var changes: [(node: NodeID, change: NodeChange)] = []
        for n in nodes {
            let child = NodeID(index: n.index + 1)
            if kind(n) == .text {
                replaceText(n, text)
            } else if storage.nodes[Int(n.index)].size == 2, kind(child) == .text {
                replaceText(child, text)
            } else {
                changes.append((n, .setText(text)))
            }
        }
        restructure(changes)
    }

    package mutating func setInnerHTML(_ n: NodeID, _ html: String) { restructure([(n, .setContents(html: html))]) }

    /// Parses HTML and adds it after the last child of an element.
    package mutating func append(_ html: String, to n: NodeID) { restructure([(n, .append(html: html))]) }

    /// Adds parsed HTML to an element, before the node that has the id `place` now, or at the element's end. O(nodes).
    package mutating func insert(_ html: String, at place: NodeID, in parent: NodeID) {
        restructure([place < subtreeEnd(parent) ? (place, .insertBefore(html: html)) : (parent, .append(html: html))])
    }

    package mutating func remove(_ n: NodeID) { restructure([(n, .remove)]) }

    /// Removes several subtrees in one pass. O(nodes).
    package mutating func remove(_ nodes: [NodeID]) { restructure(nodes.sorted().map { ($0, .remove) }) }

    /// Sets an attribute; nil removes it. Names compare without regard to ASCII case.
    package mutating func setAttribute(_ n: NodeID, _ name: String, _ value: String?) {
        guard kind(n) == .element else { return }
        own()
        let wanted = AttributeName(name)
        func isWanted(_ attribute: Attribute) -> Bool {
            wanted.id.map { attribute.id == $0 } ?? (attribute.id == .other && wanted.matches(rawName(attribute)))
        }
        var all: [Attribute] = []
        forEachAttribute(n) { all.append($0) }
        if let value {
            guard let start = keep(value.utf8) else { return }
            if let existing = all.firstIndex(where: isWanted) {
                all[existing].valueStart = start
                all[existing].valueInfo = UInt32(truncatingIfNeeded: value.utf8.count)
            } else {
                guard let nameStart = keep(wanted.bytes) else { return }
                func range(_ start: UInt32, _ length: Int) -> Range<Int> { Int(start)..<Int(start) + length }
                all.append(
                    Attribute(
                        id: UInt16(wanted.id?.rawValue ?? 0), name: range(nameStart, wanted.bytes.count),
                        value: range(start, value.utf8.count)))
            }
        } else {
            all.removeAll(where: isWanted)
        }
        if all.isEmpty {
            storage.attributes.own[n.index] = nil
            storage.nodes.base[Int(n.index)].flags.subtract([.hasAttributes, .ownAttributes])
        } else {
            storage.attributes.setOwn(all, of: n.index)
            storage.nodes.base[Int(n.index)].flags.formUnion([.hasAttributes, .ownAttributes])
        }
        if wanted.id == .id || wanted.id == .classNames { forgetLookup() }
    }

    package mutating func addClass(_ n: NodeID, _ name: String) {
        let classes = attribute(n, .classNames) ?? ""
        let names = classes.utf8.split(whereSeparator: \.isHTMLSpace)
        if names.contains(where: { $0.elementsEqual(name.utf8) }) { return }
        setAttribute(n, "class", classes.isEmpty ? name : classes + " " + name)
    }

    package mutating func removeClass(_ n: NodeID, _ name: String) {
        guard let classes = attribute(n, .classNames) else { return }
        let kept = classes.split { " \t\n\r\u{C}".contains($0) }.filter { $0 != name }
        setAttribute(n, "class", kept.joined(separator: " "))
    }

    // MARK: Insertion

    /// Parses HTML as a separate tree, with this tree's options.
    func fragment(_ html: String) -> MarkupTree {
        var options = SyntaxOptions()
        options.decodesEntities = storage.options.decodesEntities
        options.allowedTags = storage.options.allowedTags
        options.isFragment = true
        return MarkupTree.parse(html, options: options)
    }

    func tagID(interning name: [UInt8]) -> TagID {
        TagID.named(name) ?? name.withUnsafeBufferPointer { storage.interner.intern($0) }
    }

    /// Copies the nodes of a fragment into the gap at `at`, as children of `parent`.
    func adopt(_ other: MarkupTree, at: Int, parent: UInt32) {
        if other.mayHaveStyle { storage.mayHaveStyle = true }
        for k in 0..<other.count - 1 {
            var node = other.storage.nodes[k + 1]
            let n = NodeID(k + 1)
            let index = UInt32(truncatingIfNeeded: at + k)
            // The fragment's top level becomes the parent's.
            if other.storage.parent(n.index) == 0 { node.distance = index - parent }
            switch node.kind {
            case .text, .comment, .doctype, .instruction:
                let start = other.withText(n) { keep($0) } ?? UInt32(truncatingIfNeeded: storage.edited.count)
                // Comments of an edit keep their text as content.
                node.setKind(node.kind == .text ? .text : .comment)
                node.flags = .edited
                node.setSource(start & ~editedBit, UInt32(truncatingIfNeeded: storage.edited.count))
            case .element:
                node.tag = tagID(interning: other.nameBytes(n))
                node.setSource(0, 0)
                node.flags.insert(.repaired)
                guard other.hasAttributes(n) else { break }
                let hasRoom = copyAttributes(of: n, from: other, to: index)
                if hasRoom { node.flags.insert(.ownAttributes) } else { node.flags.remove(.hasAttributes) }
            case .root: break
            }
            storage.nodes.base[at + k] = node
        }
    }

    /// Returns `false` if there is no space for all of them.
    private func copyAttributes(of n: NodeID, from other: MarkupTree, to index: UInt32) -> Bool {
        var list: [Attribute] = []
        other.forEachAttribute(n) { attribute in
            var copy = attribute
            guard let name = keep(other.rawName(attribute).map(\.asciiLowercased)) else { return }
            copy.nameStart = name
            other.withValue(attribute) { value in
                guard let start = keep(value) else { return }
                copy.valueStart = start
                copy.valueInfo = UInt32(truncatingIfNeeded: value.count)
                list.append(copy)
            }
        }
        if !list.isEmpty { storage.attributes.setOwn(list, of: index) }
        return !list.isEmpty
    }

    // MARK: Memory

    /// The number of bytes added by edits and of attributes in the arena, including those no longer used.
    package var editStorage: (bytes: Int, attributes: Int) { (storage.edited.count, storage.attributes.items.count) }

    /// Drops edited bytes and attributes that no node uses, once half of them may be unused: amortized O(1) for each edited byte.
    func compactWhenWasteful() {
        guard storage.edited.count > storage.editedLimit || storage.attributes.items.count > storage.attributeLimit
        else { return }
        var bytes = GrowableBuffer<UInt8>(capacity: storage.edited.count / 2)
        func moved(_ start: UInt32, _ length: Int) -> UInt32 {
            let offset = UInt32(truncatingIfNeeded: bytes.count)
            bytes.append(contentsOf: storage.bytes(start | editedBit, length))
            return offset
        }
        for i in 0..<storage.nodes.count {
            let node = storage.nodes[i]
            guard node.kind != .element, node.flags.contains(.edited) else { continue }
            let start = moved(node.sourceStart, Int(node.sourceLength))
            storage.nodes.base[i].setSource(start, UInt32(truncatingIfNeeded: bytes.count))
        }
        storage.attributes.keepOwnLists { attribute in
            var attribute = attribute
            func move(_ start: inout UInt32, _ length: Int) {
                if start & editedBit != 0 { start = moved(start, length) | editedBit }
            }
            move(&attribute.nameStart, attribute.nameLength)
            move(&attribute.valueStart, attribute.valueLength)
            return attribute
        }
        storage.edited.free()
        storage.edited = bytes
        storage.editedLimit = max(TreeStorage.leastEdited, 2 * bytes.count)
        storage.attributeLimit = max(TreeStorage.leastAttributes, 2 * storage.attributes.items.count)
    }
}
