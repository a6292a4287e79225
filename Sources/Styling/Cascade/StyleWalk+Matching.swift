// Which rules match the element that the walk is at: those found through its names, tried against the stack of ancestors.

import Markup

extension StyleWalk {
    mutating func match(_ node: NodeID, _ tag: TagID, _ attributes: AttributeSet) {
        matched.removeAll(keepingCapacity: true)
        matchedPseudo.removeAll(keepingCapacity: true)
        let start = hashes.count
        currentStart = start
        if tag.isKnown {
            hashes.append(NameHash.tag(tag))
        } else if tag != .overflow, let known = unknownNames[tag.rawValue] {
            hashes.append(known.hash)
        } else {
            let hash = nameHash(tag, node)
            if tag != .overflow, !hasCustomTags { unknownNames[tag.rawValue] = (hash, 0) }
            hashes.append(hash)
        }
        if attributes.contains(.id) {
            tree.withAttribute(node, .id) { value in
                if let value, !value.isEmpty { hashes.append(NameHash.id(value, folds: index.foldsNames)) }
            }
        }
        if attributes.contains(.classNames) {
            tree.withAttribute(node, .classNames) { value in
                guard let value else { return }
                var at = 0
                while at < value.count {
                    while at < value.count, CSSTokenizer.isSpace(value[at]) { at += 1 }
                    let from = at
                    while at < value.count, !CSSTokenizer.isSpace(value[at]) { at += 1 }
                    if at > from {
                        hashes.append(
                            NameHash.className(
                                UnsafeBufferPointer(rebasing: value[from..<at]), folds: index.foldsNames))
                    }
                }
            }
        }
        if asksForAttributes, tree.hasAttributes(node) {
            let (known, others) = (index.knownAttributes, index.otherAttributes)
            tree.forEachAttribute(node) { attribute in
                if attribute.id != 0 {
                    let id = AttributeID(rawValue: attribute.id)
                    if known.contains(id) { hashes.append(NameHash.attribute(id)) }
                } else if others != 0 {
                    let hash = NameHash.attribute(tree.rawName(attribute))
                    if others & RuleIndex.filterBit(hash) != 0 { hashes.append(hash) }
                }
            }
        }
        if hashes.count - start > Self.mostUnsorted { hashes[start...].sort() }
        for position in start..<hashes.count {
            consider(index.candidates(hashes[position]), node, start)
        }
        index.universal.withUnsafeBufferPointer { consider($0, node, start) }
        if matched.count > 1 { matched.sort() }
        if matchedPseudo.count > 1 { matchedPseudo.sort() }
        key += matched
    }

    mutating func consider(
        _ candidates: UnsafeBufferPointer<RuleIndex.Candidate>, _ node: NodeID, _ start: Int
    ) {
        // Most rules are out because of an ancestor that is not there: these are only read.
        let counts = filter.counts
        for candidate in candidates where counts[Int(candidate.slots.0)] > 0 && counts[Int(candidate.slots.1)] > 0 {
            consider(candidate.number, node, start)
        }
    }

    @inline(__always)
    mutating func consider(_ number: UInt32, _ node: NodeID, _ start: Int) {
        let test = index.tests + Int(number)
        let ancestors = test.pointee.ancestors
        guard filter.mayContain(ancestors[1]), filter.mayContain(ancestors[2]), filter.mayContain(ancestors[3]) else {
            return
        }
        let count = Int(test.pointee.compoundCount)
        let isMatch =
            count > 0 && (count == 1 || frames.count <= Self.deepestScan)
            ? matchesChain(index.compounds + Int(test.pointee.firstCompound), count, start)
            : hasNames(of: test, start) && matcher.matches(Int(number), of: index.program, node)
        guard isMatch else { return }
        if test.pointee.pseudo == .element { matched.append(number) } else { matchedPseudo.append(number) }
    }

    /// Whether the element has all that the rightmost compound names: most that do not match lack some of it.
    @inline(__always)
    func hasNames(of test: UnsafePointer<RuleIndex.Test>, _ start: Int) -> Bool {
        has(test.pointee.firstSubject, test.pointee.subjectCount, start, hashes.count)
    }

    @inline(__always)
    func has(_ compound: RuleIndex.Compound, _ start: Int, _ end: Int) -> Bool {
        has(compound.firstHash, compound.hashCount, start, end)
    }

    @inline(__always)
    func has(_ first: UInt32, _ count: UInt16, _ start: Int, _ end: Int) -> Bool {
        for wanted in 0..<Int(count) {
            let hash = index.hashes[Int(first) + wanted]
            var at = start
            if end - start > Self.mostUnsorted {
                var high = end
                while at < high {
                    let middle = (at + high) / 2
                    if hashes[middle] < hash { at = middle + 1 } else { high = middle }
                }
                if at == end || hashes[at] != hash { return false }
                continue
            }
            while at < end, hashes[at] != hash { at += 1 }
            if at == end { return false }
        }
        return true
    }

    /// Elements with more names than these have them sorted.
    private static var mostUnsorted: Int { 16 }

    /// Right to left over the stack. Compounds joined by `>` form a group; the nearest place where a group fits is the
    /// best one, since it leaves the most ancestors for the rest.
    func matchesChain(_ chain: UnsafePointer<RuleIndex.Compound>, _ count: Int, _ start: Int) -> Bool {
        guard has(chain[0], start, hashes.count) else { return false }
        var compound = 0
        var frame = frames.count  // the element whose ancestors come next
        while chain[compound].isChild {
            frame -= 1
            compound += 1
            guard frame >= 0, has(chain[compound], frame) else { return false }
        }
        while compound + 1 < count {
            // The next group begins at some ancestor.
            let first = compound + 1
            var last = first
            while chain[last].isChild { last += 1 }
            var candidate = frame - 1
            search: while true {
                guard candidate - (last - first) >= 0 else { return false }
                for offset in 0...(last - first) where !has(chain[first + offset], candidate - offset) {
                    candidate -= 1
                    continue search
                }
                break
            }
            frame = candidate - (last - first)
            compound = last
        }
        return true
    }

    @inline(__always)
    func has(_ compound: RuleIndex.Compound, _ frame: Int) -> Bool {
        let start = Int(frames[frame].hashStart)
        let end = frame + 1 < frames.count ? Int(frames[frame + 1].hashStart) : currentStart
        return has(compound, start, end)
    }
}
