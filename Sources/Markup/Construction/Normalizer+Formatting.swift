// Formatting elements left open, reopened and split (HTML §13.2.4.3, §13.2.6.4.7 "adoption agency"). Splitting never changes the
// order of text: an element split at a block ends before it, and the last pass places its copy.

import FancyTextBasics

extension Normalizer {
    /// The number of entries since the last marker that stay active; older ones end with their container.
    private static let mostActive = 128

    /// Opens a formatting element, or an element of unknown name, and makes it active.
    @inline(__always) mutating func openFormatting(isUnknown: Bool = false) {
        let before = stack.count
        let mayBeText = (isUnknown || token.attributeCount > 0) && !keepsUnknownNames && readsAsText(isUnknown)
        if isUnknown, !mayBeText, !keepsUnknownNames { unknownElements.insert(token.tag) }
        open(flags: mayBeText ? .provisional : [])
        guard stack.count > before else { return }
        if mayBeText || isUnknown { unclosed[token.start] = token.end }
        activate()
    }

    /// True if unknown names are ordinary elements (§13.2.6.4.7, "any other start tag"). In a fragment the last pass
    /// decides: unclosed start tags that read as text become text, others with an unknown name become elements without contents.
    var keepsUnknownNames: Bool { isDocument && !isSnippet }

    /// Returns whether the start tag may be words in angle brackets: its attributes have no values or punctuation, and no earlier
    /// tag has shown that the name is an element. A formatting name must be capitalized (`<Big Sale>`).
    @inline(never) private func readsAsText(_ isUnknown: Bool) -> Bool {
        let name = Int(token.start) + 1
        if !isUnknown, !isCapital(sourceBase[name]) || isCapital(sourceBase[name + 1]) { return false }
        if isUnknown, unknownElements.contains(token.tag) { return false }
        for attribute in tokenAttributes {
            let name = Int(attribute.nameStart)..<Int(attribute.nameStart) + attribute.nameLength
            if Int(attribute.valueStart) > name.upperBound { return false }
            // A `"`, `<` or `=` in a name is the rest of an attribute with a value.
            if name.contains(where: { [0x22, 0x3C, 0x3D].contains(sourceBase[$0]) }) { return false }
            if !isUnknown, attribute.id != .other || name.contains(where: { sourceBase[$0] == 0x2D }) { return false }
        }
        return true
    }

    private func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

    private mutating func activate() {
        let element = top
        let node = nodes[Int(element.node)]
        let attributes = token.attributeCount > 0 ? token.firstAttribute : FormattingEntry.noAttributes
        var identity: UInt64?
        // Noah's Ark clause: at most three equal entries since the last marker.
        var (same, oldest, active) = (0, -1, 0)
        for k in formatting.indices.reversed() {
            if formatting[k].isMarker { break }
            active += 1
            guard formatting[k].tag == element.tag else { continue }
            let known = formatting[k].identity ?? self.identity(formatting[k].attributes)
            formatting[k].identity = known
            identity = identity ?? self.identity(attributes)
            guard known == identity else { continue }
            (same, oldest) = (same + 1, k)
        }
        if same >= 3 {
            formatting.remove(at: oldest)
        } else if active >= Self.mostActive {
            formatting.remove(at: formatting.count - active)
        }
        formatting.append(
            FormattingEntry(
                node: element.node, tag: element.tag, identity: identity, source: (node.sourceStart, node.sourceEnd),
                attributes: attributes))
    }

    /// A hash of an element's attributes, independent of their order.
    private func identity(_ first: UInt32) -> UInt64 {
        guard first != FormattingEntry.noAttributes else { return 0 }
        var sum: UInt64 = 1
        attributes.items.forEach(from: Int(first)) { attribute in
            var hash = SeededHash()
            hash.add(tokenizer.text(at: attribute.nameStart, attribute.nameLength).lazy.map(\.asciiLowercased))
            hash.add(tokenizer.text(at: attribute.valueStart, attribute.valueLength))
            sum = sum &+ hash.value
        }
        return sum
    }

    func node(_ ref: UInt32) -> Node {
        ref & Self.clonedBit == 0 ? nodes.base[Int(ref)] : inserted.base[Int(ref & ~Self.clonedBit)].node
    }

    @inline(__always) func isOpen(_ ref: UInt32) -> Bool { node(ref).flags.contains(.open) }

    @inline(__always) mutating func reconstructFormatting() {
        guard let last = formatting.last, !last.isMarker, !isOpen(last.node) else { return }
        reopen()
    }

    @inline(never) private mutating func reopen() {
        var k = formatting.count - 1
        while k > 0, !formatting[k - 1].isMarker, !isOpen(formatting[k - 1].node) { k -= 1 }
        for k in k..<formatting.count {
            guard reopeningsLeft > 0, stack.count < depthLimit else {
                reportedReopening = true
                formatting.removeSubrange(k...)
                return
            }
            reopeningsLeft -= 1
            let entry = formatting[k]
            if stack.count > siblingDepth { leaveCurrent() }
            let index = appendElement(entry.cloneFlags, entry.tag, source: entry.source)
            push(index, entry.tag)
            formatting[k].node = index
        }
    }

    mutating func appendMarker() {
        if let last = formatting.last, last.isMarker {
            formatting[formatting.count - 1].markers += 1
        } else {
            formatting.append(FormattingEntry(markers: 1))
        }
    }

    mutating func clearFormattingToMarker() {
        while let last = formatting.popLast() {
            guard last.isMarker else { continue }
            if last.markers > 1 { formatting.append(FormattingEntry(markers: last.markers - 1)) }
            return
        }
    }

    /// An `a` start tag ends an `a` that is still active.
    @inline(__always) mutating func closeOpenAnchor() {
        guard let at = activeEntry({ $0.tag == .a }) else { return }
        let ref = formatting[at].node
        adoptionAgency(.a)
        if let again = formatting.lastIndex(where: { $0.node == ref && !$0.isMarker }) { formatting.remove(at: again) }
        if isOpen(ref) { remove(at: stackIndex(of: ref, .a), endsHere: true) }
    }

    @inline(__always) private func activeEntry(_ isWanted: (FormattingEntry) -> Bool) -> Int? {
        let found = formatting.lastIndex { $0.isMarker || isWanted($0) }
        return found.flatMap { formatting[$0].isMarker ? nil : $0 }
    }

    /// The source offset of the start tag that an end tag closes: of the current node, an active formatting or an open element.
    func startTag(closedBy tag: TagID) -> UInt32? {
        if topTag == tag, stack.count > 1 { return node(top.node).sourceStart }
        if let entry = activeEntry({ $0.tag == tag }) { return formatting[entry].source.0 }
        let at = find(tag)
        return at > 0 && at >= bounds.special ? node(stack[Int(at)].node).sourceStart : nil
    }

    private func stackIndex(of ref: UInt32, _ tag: TagID) -> Int32 {
        var at = find(tag)
        while at > 0, stack[Int(at)].node != ref { at = stack[Int(at)].previousSame }
        return at
    }

    /// Removes an element from the middle of the stack. It ends here, or with the elements open above it, which then remain its
    /// contents (§13.2.6.4.7 on forms).
    mutating func remove(at index: Int32, endsHere: Bool) {
        guard index > 0 else { return }
        let element = stack[Int(index)].node
        let first = Int(index) + (endsHere ? 1 : 0)
        if Int(index) + 1 == stack.count { return pop(closedBy: token.end) }
        splittingLeft -= stack.count - first
        guard splittingLeft > 0 else { return markRepaired() }
        var kept = Array(stack.elements[first...])
        unlink(from: Int(index))
        if endsHere {
            // The elements above it must become its siblings, so it ends before the lowest of them.
            endBefore(kept[0].node & Self.clonedBit == 0 ? kept[0].node : nextIndex, element)
        } else {
            kept[0].isGhost = true
            kept[0].tag = .none
        }
        relink(kept)
    }

    /// Drops the stack's elements from `index` on without closing them.
    private mutating func unlink(from index: Int) { while stack.count > index { dropTop() } }

    private mutating func relink(_ elements: [OpenElement]) {
        for var element in elements {
            link(&element, at: stack.count)
            stack.append(element)
        }
    }

    /// Ends `ref` before `anchor`, after the nodes already placed there.
    private mutating func endBefore(_ anchor: UInt32, _ ref: UInt32) {
        // Mostly nothing is placed there, and the mark is zero.
        let isNext = Int(anchor) == nodes.count
        let mark = !isNext && nodes[Int(anchor)].flags.contains(.isAnchor) ? countPlacements() : 0
        if mark > 0 { endMarks[ref] = mark }
        needsSettling = true
        setEnd(of: ref, ref & Self.clonedBit == 0 ? max(anchor, ref + 1) : anchor)
        let end = isNext ? token.start : nodes[Int(anchor)].sourceStart
        update(ref) { node in
            node.flags.remove(.open)
            node.flags.insert(.repaired)
            if !node.flags.contains(.clone) { node.endSource(at: end) }
        }
    }

    private mutating func makeClone(of entry: FormattingEntry) -> UInt32 {
        let flags = entry.cloneFlags.union(.open)
        inserted.append(InsertedNode(node: Node(.element, flags, entry.tag, distance: 0, source: entry.source)))
        return UInt32(truncatingIfNeeded: inserted.count - 1) | Self.clonedBit
    }

    /// The adoption agency algorithm, for the end tag of a formatting element or of an unknown name.
    mutating func adoptionAgency(_ tag: TagID) {
        if topTag == tag, stack.count > 1 {
            let ref = top.node
            // The usual case: the last entry is the current node.
            if let last = formatting.last, !last.isMarker, last.node == ref {
                formatting.removeLast()
                return pop(closedBy: endOffset(tag))
            }
            if !formatting.contains(where: { !$0.isMarker && $0.node == ref }) { return pop(closedBy: endOffset(tag)) }
        }
        for _ in 0..<8 {
            guard let entryIndex = activeEntry({ $0.tag == tag }) else { return closeOther(tag) }
            let entry = formatting[entryIndex]
            guard isOpen(entry.node) else {
                formatting.remove(at: entryIndex)
                return markRepaired()
            }
            let at = stackIndex(of: entry.node, tag)
            guard at > 0, at >= bounds.scope else { return markRepaired() }
            // The furthest block: the lowest special element above it.
            var block: Int32 = -1
            var probe = bounds.special
            while probe > at {
                block = probe
                splittingLeft -= 1
                probe = scopes[Int(stack[Int(probe) - 1].scopes)].special
            }
            if block < 0 {
                pop(through: at, closedByToken: endOffset(tag) != nil)
                formatting.remove(at: entryIndex)
                return
            }
            splittingLeft -= stack.count - Int(at)
            guard splittingLeft > 0, stack[Int(block)].node & Self.clonedBit == 0 else {
                formatting.remove(at: entryIndex)
                return markRepaired()
            }
            split(entryIndex, at: Int(at), block: Int(block))
        }
    }

    func endOffset(_ tag: TagID) -> UInt32? { token.kind == .endTag && token.tag == tag ? token.end : nil }

    /// One round of the adoption agency: the element at stack index `at` is split at the furthest block.
    private mutating func split(_ entryIndex: Int, at: Int, block: Int) {
        let entry = formatting[entryIndex]
        let anchor = stack[block].node
        var bookmark = entryIndex
        let above = Array(stack.elements[block...])
        // The elements between it and the block end here; the three nearest the block are reopened as copies, if they are active.
        var copies: [OpenElement] = []
        var ended: [UInt32] = [entry.node]
        var counter = 0
        for element in stack.elements[(at + 1)..<block].reversed() {
            ended.append(element.node)
            // In the standard's algorithm a removed element does not exist.
            if element.isGhost { continue }
            counter += 1
            guard let position = activeEntry({ $0.node == element.node }) else { continue }
            if counter > 3 {
                formatting.remove(at: position)
                if position < bookmark { bookmark -= 1 }
                continue
            }
            var copy = element
            copy.node = makeClone(of: formatting[position])
            copy.endIfLeft = 0
            formatting[position].node = copy.node
            if copies.isEmpty { bookmark = position + 1 }
            copies.append(copy)
        }
        copies.reverse()
        for ref in ended { endBefore(anchor, ref) }
        for copy in copies { place(Placement(anchor: anchor, what: copy.node)) }
        let adopted = makeClone(of: entry)
        nodes.base[Int(anchor)].flags.insert(.isAnchor)
        placedInside.append(Placement(anchor: anchor, what: adopted))
        // In the list of active elements the new element takes the bookmark's place, and the old one is removed.
        var fresh = entry
        fresh.node = adopted
        if let old = activeEntry({ $0.node == entry.node }) {
            formatting.remove(at: old)
            if old < bookmark { bookmark -= 1 }
        }
        formatting.insert(fresh, at: min(bookmark, formatting.count))
        // The new stack: the copies below the block, the new element directly above it.
        var element = stack[at]
        element.node = adopted
        // It takes over the block's content and ends with it.
        element.endIfLeft = above[0].endIfLeft
        unlink(from: at)
        // If the common ancestor is part of a table, the split content moves before the table.
        if isTablePart(topTag), !nodes[Int(anchor)].flags.contains(.isMoved), let table = fosterTable {
            move(anchor, upTo: copies.first?.node ?? anchor, before: table)
        }
        relink(copies)
        relink([above[0], element])
        relink(Array(above.dropFirst()))
    }
}
