// Matches rules against the elements of a tree in document order: rules are found through an element's names, and a filter of the
// names of the open elements refutes most of them. In: an index of rules, a tree. Out: the matching entries of each element.

import FancyTextMarkup
import FancyTextSelectors

struct RuleMatcher {
    let index: RuleIndex
    /// The entries that match the last element entered, in cascade order.
    var matched: [UInt32] = []
    private(set) var matchedPseudo: [UInt32] = []
    private let tree: MarkupTree
    private var selectors: SelectorMatcher
    /// Hashes of the names of the open elements, followed by those of the last element entered.
    private var hashes: [UInt64] = []
    /// For each open element, the start of its hashes.
    private var starts: [Int] = []
    /// The start of the hashes of the last element entered.
    private var currentStart = 0
    private var filter = AncestorFilter()
    /// Hashes of names outside the table of known ones.
    private var unknownNames: [UInt16: UInt64] = [:]
    /// The attributes whose hashes are recorded because some rule tests them. Unknown attributes share one entry.
    private let wantedAttributes: AttributeSet

    init(_ index: RuleIndex, _ tree: MarkupTree) {
        (self.index, self.tree) = (index, tree)
        selectors = SelectorMatcher(tree)
        var wanted = index.rules.knownAttributes
        if index.rules.otherAttributes != 0 { wanted.insert(.other) }
        wantedAttributes = wanted
        guard selectors.isFragment else { return }
        for element in ImpliedElement.allCases { filter.add(NameHash.tag(element.tag)) }
    }

    // MARK: The stack

    /// Opens the last element entered, whose contents follow.
    mutating func open() {
        for hash in hashes[currentStart...] { filter.add(hash) }
        starts.append(currentStart)
    }

    /// Removes the last element entered, which has no contents.
    mutating func skip() { hashes.removeLast(hashes.count - currentStart) }

    mutating func close() {
        let start = starts.removeLast()
        for hash in hashes[start...] { filter.remove(hash) }
        hashes.removeLast(hashes.count - start)
    }

    mutating func forgetPseudo() { matchedPseudo.removeAll(keepingCapacity: true) }

    // MARK: Names

    /// Finds the rules that match an element. Its ancestors must be open.
    mutating func enter(_ node: NodeID, _ tag: TagID, _ attributes: AttributeNames) {
        matched.removeAll(keepingCapacity: true)
        forgetPseudo()
        let start = hashes.count
        currentStart = start
        hashes.append(tag.isKnown ? NameHash.tag(tag) : unknownHash(tag, node))
        if let id = attributes.id {
            tree.withValue(id.pointee) { value in
                if !value.isEmpty { hashes.append(NameHash.id(value, folds: index.rules.foldsNames)) }
            }
        }
        if let names = attributes.classNames { tree.withValue(names.pointee) { appendClasses($0) } }
        if !attributes.set.isDisjoint(with: wantedAttributes) {
            let (known, others) = (index.rules.knownAttributes, index.rules.otherAttributes)
            tree.forEachAttribute(node) { attribute in
                if attribute.id != .other {
                    if known.contains(attribute.id) { hashes.append(NameHash.attribute(attribute.id)) }
                } else if others != 0 {
                    let hash = NameHash.attribute(tree.rawName(attribute))
                    if others & RuleEntries.filterBit(hash) != 0 { hashes.append(hash) }
                }
            }
        }
        if hashes.count - start > Self.mostUnsorted { hashes[start...].sort() }
        for position in start..<hashes.count {
            if let candidates = index.rules.byName[hashes[position]] { consider(candidates, node, start) }
        }
        consider(index.rules.universal, node, start)
        if starts.isEmpty { consider(index.rules.forRoot, node, start) }
        if matched.count > 1 { matched.sort() }
        if matchedPseudo.count > 1 { matchedPseudo.sort() }
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
            hashes.append(NameHash.className(name, folds: index.rules.foldsNames))
        }
    }

    private mutating func unknownHash(_ tag: TagID, _ node: NodeID) -> UInt64 {
        if tag != .overflow, let known = unknownNames[tag.rawValue] { return known }
        let hash = NameHash.name(tree.name(node).utf8)
        if tag != .overflow { unknownNames[tag.rawValue] = hash }
        return hash
    }

    // MARK: Rules

    private mutating func consider(_ candidates: [UInt32], _ node: NodeID, _ start: Int) {
        // Most rules are rejected because of a missing ancestor.
        let (filter, tests) = (filter, index.rules.tests)
        for number in candidates {
            let test = tests[Int(number)]
            guard (0..<4).allSatisfy({ filter.mayContain(test.ancestors[$0]) }), hasNames(of: test, start),
                test.isComplete || selectors.matches(index.rules.entries[Int(number)].selector, node)
            else { continue }
            if test.pseudo == .element { matched.append(number) } else { matchedPseudo.append(number) }
        }
    }

    /// Returns whether the element has all names of the rightmost compound. Most elements that do not match lack one of them.
    private func hasNames(of test: RuleIndex.Test, _ start: Int) -> Bool {
        let names = hashes[start...]
        let first = Int(test.firstSubject)
        return index.rules.hashes[first..<first + Int(test.subjectCount)].allSatisfy { hash in
            guard names.count > Self.mostUnsorted else { return names.contains(hash) }
            let place = names.partitioningIndex { $0 >= hash }
            return place < names.endIndex && names[place] == hash
        }
    }

    /// The hashes of elements with more names than this are sorted.
    private static var mostUnsorted: Int { 16 }
}
