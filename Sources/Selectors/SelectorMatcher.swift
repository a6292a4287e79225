// Matching (selectors-4 §18): a tree and selectors in, the matching elements in document order out.
//
// Matching runs from the rightmost compound to the left. What would be asked again and again – the index of a child,
// whether some ancestor matches the rest of a selector, what `:has()` finds below – is answered once and kept, so all
// elements together take time linear in the tree.

import FancyTextMarkup

/// Answers questions about one tree and remembers what it found. Editing the tree needs a fresh matcher.
package struct SelectorMatcher {
    let tree: MarkupTree
    /// Ids and classes are compared without regard to the case of ASCII letters (Quirks Mode §2.1).
    let foldsNames: Bool
    let scope: NodeID?
    let count: Int
    /// Caches made when first needed; each has one entry a node.
    var indices: [UInt32: [Int32]] = [:]
    /// Those without `of`: by whether they count from the end, and elements of one type.
    var plainIndices: [[Int32]] = [[], [], [], []]
    /// What holds from each step of a ``SelectorProgram`` on.
    var stepAnswers: [[UInt8]] = []
    /// How many ancestors and siblings have been looked at for the element at hand.
    var lookedAt = 0
    var previousElements: [UInt32] = []
    var answers: [Int: [UInt8]] = [:]
    var hasSets: [Int: [UInt64]] = [:]
    /// How many nodes each `:has()` has looked through so far, and all that asked for neighbours, first and last children.
    var hasCosts: [Int: Int] = [:]
    var edgeCost = 0
    var checkedOptions: Set<NodeID>?
    var directions: [UInt8] = []
    var rootElement: NodeID??

    /// - Parameter scope: what `:scope` stands for; the root element when nil.
    package init(_ tree: MarkupTree, scope: NodeID? = nil) {
        self.tree = tree
        self.scope = scope
        count = tree.count
        foldsNames = tree.documentMode == .quirks
    }

    /// The elements that any of the list's selectors match, in document order, each once.
    ///
    /// Selectors with a CSS pseudo-element (`::before`) match no element. Contents of `template` are no part of the page.
    package mutating func select(_ list: SelectorList, below top: NodeID? = nil) -> [NodeID] {
        let selectors = list.selectors.filter { selector in
            switch selector.pseudoElement {
            case nil, .text, .ownText, .innerText, .attribute, .html: true
            case .before, .after, .marker, .firstLine, .firstLetter, .other: false
            }
        }
        var found: [NodeID] = []
        guard !selectors.isEmpty else { return found }
        let only = selectors.count == 1 ? selectors[0] : nil
        let onlyTag = only?.rightmostTag
        let simple = only.map { $0.compounds.count == 1 && $0.compounds[0].simples.isEmpty } ?? false
        var at = Int((top ?? tree.root).index) + 1
        let end = Int(tree.subtreeEnd(top ?? tree.root).index)
        let nodes = tree.storage.nodes.base
        while at < end {
            let node = nodes[at]
            if node.kind == .element {
                if let onlyTag, node.tag != onlyTag {
                    // Cheapest first: most elements have another name.
                } else if simple {
                    found.append(NodeID(at))
                } else {
                    for selector in selectors where matches(selector, NodeID(at)) {
                        found.append(NodeID(at))
                        break
                    }
                }
                if node.tag == .template {
                    at = Int(tree.storage.end(UInt32(truncatingIfNeeded: at)))
                    continue
                }
            }
            at &+= 1
        }
        return found
    }

    /// Whether the element matches the selector, its pseudo-element left aside.
    package mutating func matches(_ selector: Selector, _ node: NodeID) -> Bool {
        let last = selector.compounds.count - 1
        guard tree.kind(node) == .element, matches(selector.compounds[last], node) else { return false }
        return last == 0 || matchesRest(selector, last, node, 0)
    }

    // MARK: Complex selectors

    /// Whether what stands left of compound `index`, which `node` matches, matches too.
    private mutating func matchesRest(_ selector: Selector, _ index: Int, _ node: NodeID, _ depth: Int) -> Bool {
        var index = index
        var node = node
        while index > 0 {
            let wanted = index - 1
            switch selector.combinators[wanted] {
            case .child:
                guard let parent = tree.parent(node), tree.kind(parent) == .element,
                    matches(selector.compounds[wanted], parent)
                else { return false }
                node = parent
            case .next:
                guard let previous = previousElement(node), matches(selector.compounds[wanted], previous) else {
                    return false
                }
                node = previous
            case .descendant:
                return someMatch(selector, wanted, node, depth) { matcher, n in
                    guard let parent = matcher.tree.parent(n), matcher.tree.kind(parent) == .element else { return nil }
                    return parent
                }
            case .subsequent:
                return someMatch(selector, wanted, node, depth) { matcher, n in matcher.previousElement(n) }
            }
            index = wanted
        }
        return true
    }

    /// Whether some element along `step` from `node` matches compounds `0...wanted`. Each answer is kept for every
    /// element passed on the way: what holds for one holds for those that come to it.
    private mutating func someMatch(
        _ selector: Selector, _ wanted: Int, _ node: NodeID, _ depth: Int,
        _ step: (inout SelectorMatcher, NodeID) -> NodeID?
    ) -> Bool {
        // Selectors may have a thousand compounds, so the answers of a level are those of one (selector, compound) pair.
        let key = selector.identity &* 1024 &+ wanted
        var passed: [Int] = []
        var at = step(&self, node)
        var result = false
        var steps = 0
        let remembers = wanted > 0
        while let candidate = at {
            let i = Int(candidate.index)
            if remembers || steps > 16 {
                if answers[key] == nil { answers[key] = [UInt8](repeating: 0, count: count) }
                if let known = answers[key]?[i], known != 0 {
                    result = known == 2
                    break
                }
                passed.append(i)
            }
            steps += 1
            if matches(selector.compounds[wanted], candidate), depth < SelectorParser.mostCompounds,
                matchesRest(selector, wanted, candidate, depth + 1)
            {
                result = true
                break
            }
            at = step(&self, candidate)
        }
        if !passed.isEmpty {
            for i in passed { answers[key]?[i] = result ? 2 : 1 }
        }
        return result
    }

    // MARK: Compounds

    mutating func matches(_ compound: Compound, _ node: NodeID) -> Bool {
        if let tag = compound.tag, tree.tag(node) != tag { return false }
        for simple in compound.simples where !matches(simple, node) { return false }
        return true
    }

    mutating func matches(_ simple: Simple, _ node: NodeID) -> Bool {
        switch simple {
        case .name(let name): return !tree.tag(node).isKnown && tree.nameBytes(node) == name
        case .id(let id):
            return tree.withAttribute(node, .id) { value in value.map { equal($0, id, foldsNames) } ?? false }
        case .className(let name):
            return tree.withAttribute(node, .classNames) { value in value.map { hasWord($0, name, foldsNames) } ?? false
            }
        case .attribute(let test): return matches(test, node)
        case .nth(let nth): return nth.accepts(index(of: node, nth))
        case .any(let group):
            for selector in group.selectors where matches(selector, node) { return true }
            return false
        case .none(let group):
            for selector in group.selectors where matches(selector, node) { return false }
            return true
        case .has(let group):
            for selector in group.selectors where has(selector, node) { return true }
            return false
        case .state(let state): return matches(state, node)
        case .lang(let ranges): return matchesLanguage(ranges, node)
        case .direction(let rightToLeft): return isRightToLeft(node) == rightToLeft
        case .contains(let texts): return contains(texts, node)
        case .never: return false
        }
    }

    private func matches(_ test: AttributeTest, _ node: NodeID) -> Bool {
        guard let attribute = tree.findAttribute(node, test.name) else { return false }
        if test.test == .exists { return true }
        let wanted = test.value
        let fold = test.ignoresCase
        return tree.withValue(attribute) { value in
            switch test.test {
            case .exists: return true
            case .equals: return value.count == wanted.count && occurs(wanted, in: value, at: 0, fold)
            case .prefix: return !wanted.isEmpty && occurs(wanted, in: value, at: 0, fold)
            case .suffix: return !wanted.isEmpty && occurs(wanted, in: value, at: value.count - wanted.count, fold)
            case .dash:
                return occurs(wanted, in: value, at: 0, fold)
                    && (value.count == wanted.count || value[wanted.count] == 0x2D)
            case .word:
                if wanted.isEmpty || wanted.contains(where: \.isHTMLSpace) { return false }
                var i = 0
                while i < value.count {
                    while i < value.count, value[i].isHTMLSpace { i += 1 }
                    let start = i
                    while i < value.count, !value[i].isHTMLSpace { i += 1 }
                    if i - start == wanted.count, i > start, occurs(wanted, in: value, at: start, fold) { return true }
                }
                return false
            case .substring:
                return !wanted.isEmpty && find(wanted, in: value, fold)
            }
        }
    }

    // MARK: Positions

    /// The element just before `node` among its siblings.
    mutating func previousElement(_ node: NodeID) -> NodeID? {
        if previousElements.isEmpty {
            guard edgeCost > count else { return findPreviousElement(node) }
            previousElements = [UInt32](repeating: 0, count: count)
            // The last element child of each parent so far.
            var last = [UInt32](repeating: 0, count: count)
            for i in 1..<max(count, 1) where tree.storage.nodes[i].kind == .element {
                let parent = Int(tree.storage.parent(UInt32(truncatingIfNeeded: i)))
                previousElements[i] = last[parent]
                last[parent] = UInt32(truncatingIfNeeded: i)
            }
        }
        let previous = previousElements[Int(node.index)]
        return previous == 0 ? nil : NodeID(index: previous)
    }

    /// What stands before an element in the arena is the last of all that its sibling holds.
    private mutating func findPreviousElement(_ node: NodeID) -> NodeID? {
        guard let parent = tree.parent(node) else { return nil }
        var at = node.index
        while at > parent.index + 1 {
            var sibling = NodeID(index: at - 1)
            edgeCost += 1
            while let above = tree.parent(sibling), above != parent {
                edgeCost += 1
                sibling = above
            }
            if tree.kind(sibling) == .element { return sibling }
            at = sibling.index
        }
        return nil
    }

    mutating func index(of node: NodeID, _ nth: Nth) -> Int32 {
        if nth.of == nil {
            let kind = (nth.fromEnd ? 2 : 0) | (nth.ofType ? 1 : 0)
            if plainIndices[kind].isEmpty { plainIndices[kind] = makeIndices(nth) }
            return plainIndices[kind][Int(node.index)]
        }
        if let group = nth.of {
            var matched = false
            for selector in group.selectors where matches(selector, node) {
                matched = true
                break
            }
            if !matched { return 0 }
        }
        let key = UInt32(
            truncatingIfNeeded: (nth.of?.identity ?? 0) << 2 | (nth.fromEnd ? 2 : 0) | (nth.ofType ? 1 : 0))
        if let known = indices[key] { return known[Int(node.index)] }
        let made = makeIndices(nth)
        indices[key] = made
        return made[Int(node.index)]
    }

    /// Whether the element has the place `place`, from 1, among its siblings, counted from the last one if `fromEnd`; nil
    /// when finding that out has seen more nodes than the tree has.
    mutating func isAt(_ place: Int32, _ node: NodeID, fromEnd: Bool) -> Bool? {
        guard edgeCost <= count, let parent = tree.parent(node) else { return nil }
        var at = fromEnd ? tree.subtreeEnd(node).index : parent.index + 1
        let end = fromEnd ? tree.subtreeEnd(parent).index : node.index
        var rest = place
        while at < end {
            edgeCost += 1
            if tree.kind(NodeID(index: at)) == .element {
                rest -= 1
                if rest == 0 { return false }
            }
            at = tree.subtreeEnd(NodeID(index: at)).index
        }
        return rest == 1
    }

    /// The element just behind `node` among its siblings.
    func nextElement(_ node: NodeID) -> NodeID? {
        guard let parent = tree.parent(node) else { return nil }
        var at = tree.subtreeEnd(node)
        let end = tree.subtreeEnd(parent)
        while at < end {
            if tree.kind(at) == .element { return at }
            at = tree.subtreeEnd(at)
        }
        return nil
    }

    /// The index of every element among its siblings, one pass.
    private mutating func makeIndices(_ nth: Nth) -> [Int32] {
        var result = [Int32](repeating: 0, count: count)
        guard count > 1 else { return result }
        struct Kind: Hashable {
            var parent: UInt32
            var tag: TagID
        }
        var seen = nth.ofType ? [] : [Int32](repeating: 0, count: count)
        var seenOfType: [Kind: Int32] = [:]
        let nodes = tree.storage.nodes.base
        for step in 1..<count {
            let i = nth.fromEnd ? count - step : step
            guard nodes[i].kind == .element else { continue }
            if let group = nth.of {
                guard group.selectors.contains(where: { matches($0, NodeID(i)) }) else { continue }
            }
            let parent = tree.storage.parent(UInt32(truncatingIfNeeded: i))
            if nth.ofType {
                let kind = Kind(parent: parent, tag: nodes[i].tag)
                let index = (seenOfType[kind] ?? 0) + 1
                seenOfType[kind] = index
                result[i] = index
            } else {
                seen[Int(parent)] += 1
                result[i] = seen[Int(parent)]
            }
        }
        return result
    }

    mutating func index(of node: NodeID, fromEnd: Bool, ofType: Bool) -> Int32 {
        index(of: node, Nth(step: 0, offset: 1, fromEnd: fromEnd, ofType: ofType))
    }

    // MARK: :has()

    /// Whether the relative selector finds something from `node`. The first few that are asked for are looked through;
    /// where they add up to the whole tree, one pass against document order answers for all nodes.
    private mutating func has(_ selector: Selector, _ node: NodeID) -> Bool {
        let key = selector.identity
        if hasSets[key] == nil {
            if let answer = look(for: selector, from: node) { return answer }
            hasSets[key] = findAll(selector)
        }
        guard let set = hasSets[key] else { return false }
        let i = Int(node.index)
        return set[i >> 6] & (1 << UInt64(i & 63)) != 0
    }

    /// Looks for what a relative selector finds; nil when that has seen more nodes than the tree has.
    private mutating func look(for selector: Selector, from node: NodeID) -> Bool? {
        var cost = hasCosts[selector.identity] ?? 0
        defer { hasCosts[selector.identity] = cost }
        guard cost <= count, selector.compounds.count <= Self.mostLookedFor else { return nil }
        let found = finds(selector, 0, from: node, &cost)
        return cost <= count ? found : nil
    }

    /// Compounds of relative selectors that are looked for one by one.
    private static let mostLookedFor = 8

    /// Whether the compounds from `place` on are found from `node`; when `cost` outgrows the tree, that is not known.
    private mutating func finds(_ selector: Selector, _ place: Int, from node: NodeID, _ cost: inout Int) -> Bool {
        let combinator = place == 0 ? selector.leading : selector.combinators[place - 1]
        let isForward = combinator == .next || combinator == .subsequent
        let around = isForward ? tree.parent(node) ?? node : node
        var at = isForward ? tree.subtreeEnd(node).index : node.index + 1
        let end = tree.subtreeEnd(around).index
        while at < end {
            cost += 1
            guard cost <= count else { return false }
            let candidate = NodeID(index: at)
            let isElement = tree.kind(candidate) == .element
            if isElement, matches(selector.compounds[place], candidate),
                place + 1 == selector.compounds.count || finds(selector, place + 1, from: candidate, &cost)
            {
                return true
            }
            if isElement, combinator == .next { return false }
            at = combinator == .descendant ? at + 1 : tree.subtreeEnd(candidate).index
        }
        return false
    }

    /// The set of nodes from which the relative selector finds something.
    private mutating func findAll(_ selector: Selector) -> [UInt64] {
        // From the last compound to the first: the nodes that match it and from which the rest is found.
        var combinator = Combinator.descendant
        var found: [UInt64]?
        for k in (0..<selector.compounds.count).reversed() {
            var start = [UInt64](repeating: 0, count: (count + 63) / 64)
            let rest = found.map { reach($0, combinator) }
            let nodes = tree.storage.nodes.base
            for i in 1..<max(count, 1) where nodes[i].kind == .element {
                if let rest, rest[i >> 6] & (1 << UInt64(i & 63)) == 0 { continue }
                if matches(selector.compounds[k], NodeID(i)) { start[i >> 6] |= 1 << UInt64(i & 63) }
            }
            found = start
            combinator = k > 0 ? selector.combinators[k - 1] : selector.leading
        }
        return reach(found ?? [], combinator)
    }

    /// The nodes from which some node of `targets` is reached over `combinator`.
    private mutating func reach(_ targets: [UInt64], _ combinator: Combinator) -> [UInt64] {
        var result = [UInt64](repeating: 0, count: targets.count)
        func isSet(_ set: [UInt64], _ i: Int) -> Bool { set[i >> 6] & (1 << UInt64(i & 63)) != 0 }
        let nodes = tree.storage.nodes.base
        for i in (1..<max(count, 1)).reversed() where nodes[i].kind == .element {
            switch combinator {
            case .child, .descendant:
                let parent = Int(tree.storage.parent(UInt32(truncatingIfNeeded: i)))
                if isSet(targets, i) || (combinator == .descendant && isSet(result, i)) {
                    result[parent >> 6] |= 1 << UInt64(parent & 63)
                }
            case .next, .subsequent:
                guard let previous = previousElement(NodeID(i)) else { continue }
                let p = Int(previous.index)
                if isSet(targets, i) || (combinator == .subsequent && isSet(result, i)) {
                    result[p >> 6] |= 1 << UInt64(p & 63)
                }
            }
        }
        return result
    }
}

// MARK: Bytes

@inline(__always)
private func equal(_ value: UnsafeBufferPointer<UInt8>, _ wanted: [UInt8], _ fold: Bool) -> Bool {
    value.count == wanted.count && occurs(wanted, in: value, at: 0, fold)
}
