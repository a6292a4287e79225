// Matches rules against the elements of a tree in document order: rules are found through an element's names and tested against
// the stack of open elements.
//
// In: an index of rules, a tree. Out: for each element entered, the indices of the matching entries. Attributes outside all
// selectors are skipped.

import FancyTextBasics
import FancyTextMarkup
import FancyTextSelectors

/// The owner calls ``free()``.
struct RuleMatcher {
    let index: RuleIndex
    private var matchedRules = GrowableBuffer<UInt32>(capacity: 64)
    private var matchedPseudoRules = GrowableBuffer<UInt32>(capacity: 64)
    private let tree: MarkupTree
    private var selectors: SelectorMatcher
    /// Hashes of the names of the open elements, followed by those of the last element entered.
    private var hashes = GrowableBuffer<UInt64>(capacity: 256)
    /// For each open element, the start of its hashes.
    private var starts = GrowableBuffer<Int32>(capacity: 64)
    /// The start of the hashes of the last element entered.
    private var currentStart = 0
    private let filter = AncestorFilter()
    /// Ids and classes of open elements through which rules may be found, without duplicates. `keyDepths` holds the number of
    /// elements open around the first one that has it. At most ``mostKeys`` and one more, which means that there are others.
    private var keys = GrowableBuffer<UInt64>(capacity: 64)
    private var keyDepths = GrowableBuffer<Int32>(capacity: 64)
    private static let mostKeys = 64
    /// Hashes of names outside the table of known ones.
    private var unknownNames: [UInt16: UInt64] = [:]
    /// The attributes whose hashes are recorded because some rule tests them. Unknown attributes share one entry.
    private let wantedAttributes: AttributeSet

    init(_ index: RuleIndex, _ tree: MarkupTree) {
        self.index = index
        self.tree = tree
        selectors = SelectorMatcher(tree)
        var wanted = index.knownAttributes
        if index.otherAttributes != 0 { wanted.insert(.other) }
        wantedAttributes = wanted
    }

    func free() {
        hashes.free()
        starts.free()
        keys.free()
        keyDepths.free()
        filter.free()
        matchedRules.free()
        matchedPseudoRules.free()
    }

    /// The maximum number of ancestors that a selector of names may scan. Beyond it, the selector matcher's caches keep the time
    /// linear.
    static let deepestScan = 256

    // MARK: The stack

    /// Closes all elements.
    mutating func reset() {
        while starts.count > 0 { close() }
        hashes.count = 0
    }

    /// Opens the last element entered, whose contents follow.
    mutating func open() {
        if index.asksForAncestors, currentStart < hashes.count { openKeys() }
        for position in currentStart..<hashes.count { filter.add(hashes[position]) }
        starts.append(Int32(truncatingIfNeeded: currentStart))
    }

    private mutating func openKeys() {
        let count = keys.count
        for position in currentStart..<hashes.count
        where keys.count <= Self.mostKeys && index.mayAsk(forAncestor: hashes[position]) {
            let hash = hashes[position]
            let first = filter.mayContain(hash) ? 0 : count
            if (first..<keys.count).contains(where: { keys[$0] == hash }) { continue }
            keys.append(hash)
            keyDepths.append(Int32(truncatingIfNeeded: starts.count))
        }
    }

    /// Removes the last element entered, which has no contents.
    mutating func skip() { hashes.count = currentStart }

    /// Closes the innermost open element.
    mutating func close() {
        starts.count -= 1
        let start = Int(starts[starts.count])
        for position in start..<hashes.count { filter.remove(hashes[position]) }
        hashes.count = start
        while keys.count > 0, Int(keyDepths[keyDepths.count - 1]) == starts.count {
            keys.count -= 1
            keyDepths.count -= 1
        }
    }

    /// The entries that match the last element entered, in cascade order. Valid until the next one is entered.
    @inline(__always)
    var matched: UnsafeBufferPointer<UInt32> { matchedRules.elements }
    /// The entries that match its pseudo-elements.
    @inline(__always)
    var matchedPseudo: UnsafeBufferPointer<UInt32> { matchedPseudoRules.elements }

    /// Keeps only these of the entries that match the last element entered.
    mutating func keep(_ rules: [UInt32]) {
        matchedRules.count = 0
        for rule in rules { matchedRules.append(rule) }
    }

    mutating func forgetPseudo() { matchedPseudoRules.count = 0 }

    // MARK: Names

    /// Finds the rules that match an element. Its ancestors must be open.
    mutating func enter(_ node: NodeID, _ tag: TagID, _ attributes: AttributeNames) {
        matchedRules.count = 0
        matchedPseudoRules.count = 0
        let start = hashes.count
        currentStart = start
        hashes.append(tag.isKnown ? NameHash.tag(tag) : unknownHash(tag, node))
        if let id = attributes.id {
            tree.withValue(id.pointee) { value in
                if !value.isEmpty { hashes.append(NameHash.id(value, folds: index.foldsNames)) }
            }
        }
        if let names = attributes.classNames { tree.withValue(names.pointee) { appendClasses($0) } }
        if !attributes.set.isDisjoint(with: wantedAttributes) {
            let (known, others) = (index.knownAttributes, index.otherAttributes)
            tree.forEachAttribute(node) { attribute in
                if attribute.id != .other {
                    if known.contains(attribute.id) { hashes.append(NameHash.attribute(attribute.id)) }
                } else if others != 0 {
                    let hash = NameHash.attribute(tree.rawName(attribute))
                    if others & RuleIndex.filterBit(hash) != 0 { hashes.append(hash) }
                }
            }
        }
        if hashes.count - start > Self.mostUnsorted {
            var names = UnsafeMutableBufferPointer(start: hashes.base + start, count: hashes.count - start)
            names.sort()
        }
        match(node, start)
    }

    /// Finds the rules that match.
    private mutating func match(_ node: NodeID, _ start: Int) {
        var position = start
        while position < hashes.count {
            consider(index.candidates(hashes[position]), node, start)
            if index.asksForAncestors, keys.count > 0 { considerBelowKeys(hashes[position], node, start) }
            position += 1
        }
        if index.asksForParents, starts.count > 0 {
            position = Int(starts[starts.count - 1])
            while position < start {
                consider(index.candidates(NameHash.ofParent(hashes[position])), node, start)
                position += 1
            }
        }
        if !index.universal.isEmpty { index.universal.withUnsafeBufferPointer { consider($0, node, start) } }
        if starts.count == 0, !index.forRoot.isEmpty {
            index.forRoot.withUnsafeBufferPointer { consider($0, node, start) }
        }
        sort()
    }

    private func sort() {
        Self.sort(matchedRules)
        Self.sort(matchedPseudoRules)
    }

    private static func sort(_ list: GrowableBuffer<UInt32>) {
        guard list.count > 1 else { return }
        var rules = UnsafeMutableBufferPointer(start: list.base, count: list.count)
        rules.sort()
    }

    /// Tests rules for elements with a name below others with an id or a class.
    private mutating func considerBelowKeys(_ hash: UInt64, _ node: NodeID, _ start: Int) {
        let all = index.candidates(NameHash.below(hash))
        guard all.count > keys.count, keys.count <= Self.mostKeys else { return consider(all, node, start) }
        for key in 0..<keys.count { consider(index.candidates(NameHash.below(hash, keys[key])), node, start) }
    }

    private mutating func note(_ number: UInt32) {
        if index.tests[Int(number)].pseudo == .element {
            matchedRules.append(number)
        } else {
            matchedPseudoRules.append(number)
        }
    }

    private mutating func appendClasses(_ value: UnsafeBufferPointer<UInt8>) {
        let (table, space) = (ByteClass.table, ByteClass.space)
        var at = 0
        while at < value.count {
            while at < value.count, table[Int(value[at])] & space != 0 { at &+= 1 }
            let from = at
            while at < value.count, table[Int(value[at])] & space == 0 { at &+= 1 }
            guard at > from else { return }
            let name = UnsafeBufferPointer(rebasing: value[from..<at])
            hashes.append(NameHash.className(name, folds: index.foldsNames))
        }
    }

    private mutating func unknownHash(_ tag: TagID, _ node: NodeID) -> UInt64 {
        guard tag != .overflow else { return NameHash.name(tree.name(node).utf8) }
        if let known = unknownNames[tag.rawValue] { return known }
        let hash = NameHash.name(tree.name(node).utf8)
        unknownNames[tag.rawValue] = hash
        return hash
    }

    // MARK: Rules

    private mutating func consider(
        _ candidates: UnsafeBufferPointer<RuleIndex.Candidate>, _ node: NodeID, _ start: Int
    ) {
        // Most rules are rejected because of a missing ancestor, with reads only.
        let counts = filter.counts
        for candidate in candidates where counts[Int(candidate.slots.0)] > 0 && counts[Int(candidate.slots.1)] > 0 {
            consider(candidate.number, node, start)
        }
    }

    @inline(__always)
    private mutating func consider(_ number: UInt32, _ node: NodeID, _ start: Int) {
        let test = index.tests + Int(number)
        let ancestors = test.pointee.ancestors
        guard filter.mayContain(ancestors[1]), filter.mayContain(ancestors[2]), filter.mayContain(ancestors[3]) else {
            return
        }
        let count = Int(test.pointee.compoundCount)
        if count > 0, count == 1 || starts.count <= Self.deepestScan {
            guard matchesChain(index.compounds + Int(test.pointee.firstCompound), count, start) else { return }
            if test.pointee.isComplete { return note(number) }
            if test.pointee.isCompleteAbove {
                if selectors.passes(index.entries[Int(number)].subjectTests, node) { note(number) }
                return
            }
        } else {
            guard hasNames(of: test, start) else { return }
        }
        if selectors.matches(index.entries[Int(number)].selector, node) { note(number) }
    }

    /// Returns whether the element has all names of the rightmost compound. Most elements that do not match lack one of them.
    @inline(__always)
    private func hasNames(of test: UnsafePointer<RuleIndex.Test>, _ start: Int) -> Bool {
        has(test.pointee.firstSubject, test.pointee.subjectCount, start, hashes.count)
    }

    @inline(__always)
    private func has(_ compound: RuleIndex.Compound, _ start: Int, _ end: Int) -> Bool {
        has(compound.firstHash, compound.hashCount, start, end)
    }

    @inline(__always)
    private func has(_ first: UInt32, _ count: UInt16, _ start: Int, _ end: Int) -> Bool {
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

    /// The hashes of elements with more names than this are sorted.
    private static var mostUnsorted: Int { 16 }

    /// Matches from right to left along the stack. Compounds joined by `>` form a group. The nearest match of a group is the best
    /// one, since it leaves the most ancestors for the other groups.
    private mutating func matchesChain(_ chain: UnsafePointer<RuleIndex.Compound>, _ count: Int, _ start: Int) -> Bool {
        guard has(chain[0], start, hashes.count) else { return false }
        var compound = 0
        var frame = starts.count  // the element whose ancestors come next
        while chain[compound].isChild {
            frame -= 1
            compound += 1
            guard frame >= 0, has(chain[compound], frame) else { return false }
        }
        while compound + 1 < count {
            // The next group may begin at any ancestor.
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
    private func has(_ compound: RuleIndex.Compound, _ frame: Int) -> Bool {
        let start = Int(starts[frame])
        let end = frame + 1 < starts.count ? Int(starts[frame + 1]) : currentStart
        return has(compound, start, end)
    }
}
