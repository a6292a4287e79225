// Which rules match the elements of a tree in document order: those found through an element's names, tried against the
// stack of open elements.
//
// In: an index of rules, a tree. Out: the numbers of matching entries, for each element that is entered. Names that no
// selector asks for are not looked at, and what names alone decide is decided once for all elements that agree in them.

import FancyTextBasics
import FancyTextMarkup
import FancyTextSelectors

/// The owner calls ``free()``.
struct RuleMatcher {
    let index: RuleIndex
    private var matchedRules = GrowableBuffer<UInt32>(capacity: 64)
    private var matchedPseudoRules = GrowableBuffer<UInt32>(capacity: 64)
    /// The same for all elements below elements of one style that match the same rules: 0 where none matched, else what names
    /// alone decide; ``unknownKey`` where other things decided too.
    private(set) var key: UInt32 = 0
    static var unknownKey: UInt32 { RuleStates.unknown }
    private let tree: MarkupTree
    private var selectors: SelectorMatcher
    /// Hashes of the names of the open elements, those of the element entered last at the end.
    private var hashes = GrowableBuffer<UInt64>(capacity: 256)
    /// Where those of each open element begin.
    private var starts = GrowableBuffer<Int32>(capacity: 64)
    /// Where those of the element entered last begin.
    private var currentStart = 0
    private let filter = AncestorFilter()
    /// Ids and classes of open elements through which rules may be found, each once, and how many elements are open around the
    /// first that has it. No more than ``mostKeys``, and one that stands for all others.
    private var keys = GrowableBuffer<UInt64>(capacity: 64)
    private var keyDepths = GrowableBuffer<Int32>(capacity: 64)
    private static let mostKeys = 64
    /// Hashes of names that are none of the known ones.
    private var unknownNames: [UInt16: UInt64] = [:]
    /// The attributes whose names' hashes elements have, since some rule asks for them; those that are none of the known
    /// ones stand together.
    private let wantedAttributes: AttributeSet
    private var states = RuleStates()
    /// The states of the open elements, and of the element entered last.
    private var path = GrowableBuffer<UInt32>(capacity: 64)
    private var state = RuleStates.outside
    /// Rules that ask for more than names, to try for the element entered last: their numbers, marked where only the
    /// rightmost compound is left to try.
    private var untried = GrowableBuffer<UInt32>(capacity: 64)
    private static var subjectMark: UInt32 { 1 << 31 }

    init(_ index: RuleIndex, _ tree: MarkupTree) {
        self.index = index
        self.tree = tree
        selectors = SelectorMatcher(tree)
        var wanted = index.knownAttributes
        if index.otherAttributes != 0 { wanted.insert(AttributeID(rawValue: 0)) }
        wantedAttributes = wanted
    }

    func free() {
        hashes.free()
        starts.free()
        keys.free()
        keyDepths.free()
        filter.free()
        states.free()
        path.free()
        matchedRules.free()
        matchedPseudoRules.free()
        untried.free()
    }

    /// Ancestors that a selector of names may look through one by one; beyond, the matcher's memory keeps time linear.
    static let deepestScan = 256

    // MARK: The stack

    /// Begins anew.
    mutating func reset() {
        while starts.count > 0 { close() }
        hashes.count = 0
    }

    /// The element entered last has contents, which come next.
    mutating func open() {
        if index.asksForAncestors, currentStart < hashes.count { openKeys() }
        for position in currentStart..<hashes.count { filter.add(hashes[position]) }
        starts.append(Int32(truncatingIfNeeded: currentStart))
        path.append(state)
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

    /// The element entered last has none.
    mutating func skip() { hashes.count = currentStart }

    /// The contents of the innermost open element end.
    mutating func close() {
        starts.count -= 1
        path.count -= 1
        let start = Int(starts[starts.count])
        for position in start..<hashes.count { filter.remove(hashes[position]) }
        hashes.count = start
        while keys.count > 0, Int(keyDepths[keyDepths.count - 1]) == starts.count {
            keys.count -= 1
            keyDepths.count -= 1
        }
    }

    /// Matched entries of the element entered last, in the order of the cascade. Good until the next one is entered.
    @inline(__always)
    var matched: UnsafeBufferPointer<UInt32> { matchedRules.elements }
    /// Those for its pseudo-elements.
    @inline(__always)
    var matchedPseudo: UnsafeBufferPointer<UInt32> { matchedPseudoRules.elements }

    mutating func forgetPseudo() { matchedPseudoRules.count = 0 }

    // MARK: Names

    /// Finds the rules that match an element whose ancestors are open.
    mutating func enter(_ node: NodeID, _ tag: TagID, _ attributes: AttributeNames) {
        matchedRules.count = 0
        matchedPseudoRules.count = 0
        let start = hashes.count
        currentStart = start
        if !tag.isKnown {
            hashes.append(unknownHash(tag, node))
        } else if index.names.mayAsk(for: tag) {
            hashes.append(NameHash.tag(tag))
        }
        if let id = attributes.id {
            tree.withValue(id.pointee) { value in
                if !value.isEmpty, index.names.mayAsk(for: value) {
                    hashes.append(NameHash.id(value, folds: index.foldsNames))
                }
            }
        }
        if let names = attributes.classNames { tree.withValue(names.pointee) { appendClasses($0) } }
        if !attributes.set.isDisjoint(with: wantedAttributes) {
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
        if hashes.count - start > Self.mostUnsorted {
            var names = UnsafeMutableBufferPointer(start: hashes.base + start, count: hashes.count - start)
            names.sort()
        }
        let parent = path.count > 0 ? path[path.count - 1] : RuleStates.outside
        guard parent != RuleStates.unknown else {
            state = parent
            match(node, start)
            tryRules(node)
            key = matchedRules.count == 0 ? 0 : Self.unknownKey
            return
        }
        let name = RuleStates.key(
            in: parent, UnsafeBufferPointer(start: hashes.base + start, count: hashes.count - start))
        if let known = states.find(name) {
            state = known
            let rules = states.rules(of: known)
            Self.append(rules.matched, to: &matchedRules)
            Self.append(rules.pseudo, to: &matchedPseudoRules)
            Self.append(rules.untried, to: &untried)
        } else {
            match(node, start)
            state = states.insert(
                name, matched: matched, pseudo: matchedPseudo, untried: untried.elements)
        }
        key = matchedRules.count == 0 ? 0 : state
        tryRules(node)
    }

    /// For lists of a few.
    @inline(__always)
    private static func append(
        _ rules: UnsafeBufferPointer<UInt32>, to list: inout GrowableBuffer<UInt32>
    ) {
        for rule in rules { list.append(rule) }
    }

    /// Finds the rules that match by names, and those to try.
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

    /// Considers rules for elements with a name below others with an id or a class.
    private mutating func considerBelowKeys(_ hash: UInt64, _ node: NodeID, _ start: Int) {
        let all = index.candidates(NameHash.below(hash))
        guard all.count > keys.count, keys.count <= Self.mostKeys else { return consider(all, node, start) }
        for key in 0..<keys.count { consider(index.candidates(NameHash.below(hash, keys[key])), node, start) }
    }

    /// Tries the rules that ask for more than names.
    private mutating func tryRules(_ node: NodeID) {
        guard untried.count > 0 else { return }
        let compiled = index.program
        var hasMatched = false
        for marked in untried.elements {
            let number = marked & ~Self.subjectMark
            let program = Int(index.tests[Int(number)].program)
            let isMatch =
                marked == number
                ? matches(number, node) : selectors.matchesSubject(program, of: compiled, node)
            if isMatch {
                note(number)
                hasMatched = true
            }
        }
        untried.count = 0
        guard hasMatched else { return }
        key = Self.unknownKey
        sort()
    }

    private mutating func matches(_ number: UInt32, _ node: NodeID) -> Bool {
        let program = index.tests[Int(number)].program
        return program == .max
            ? selectors.matches(index.entries[Int(number)].selector, node)
            : selectors.matches(Int(program), of: index.program, node)
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
            if index.names.mayAsk(for: name) { hashes.append(NameHash.className(name, folds: index.foldsNames)) }
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
        // Most rules are out because of an ancestor that is not there: these are only read.
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
            if test.pointee.isOfNamesAbove, !test.pointee.isOfNames {
                untried.append(number | Self.subjectMark)
                return
            }
        } else {
            guard hasNames(of: test, start) else { return }
        }
        if !test.pointee.isOfNames {
            untried.append(number)
        } else if matches(number, node) {
            note(number)
        }
    }

    /// Whether the element has all that the rightmost compound names: most that do not match lack some of it.
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

    /// Elements with more names than these have them sorted.
    private static var mostUnsorted: Int { 16 }

    /// Right to left over the stack. Compounds joined by `>` form a group; the nearest place where a group fits is the
    /// best one, since it leaves the most ancestors for the rest.
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
    private func has(_ compound: RuleIndex.Compound, _ frame: Int) -> Bool {
        let start = Int(starts[frame])
        let end = frame + 1 < starts.count ? Int(starts[frame + 1]) : currentStart
        return has(compound, start, end)
    }
}
