// Matches selectors (selectors-4 §18), from the rightmost compound to the left. In: a tree and selectors. Out: the matching
// elements in document order. Repeated queries – the index of a child, whether some ancestor matches the rest of a selector, the
// matches of `:has()` – are cached, so all elements together take time linear in the tree.

import FancyTextMarkup

/// Matches selectors against one tree and caches intermediate results. After an edit of the tree, a new matcher is needed.
package struct SelectorMatcher {
    let tree: MarkupTree
    /// True if ids and classes are compared without regard to ASCII case (Quirks Mode §2.1).
    let foldsNames: Bool
    let scope: NodeID?
    let count: Int
    /// True if elements that the tree lacks contain it in a browser (``ImpliedElement``).
    package let isFragment: Bool
    /// The first node after those that a browser puts into the head: they are no siblings of the others.
    private let headEnd: Int
    /// Child indices, computed on demand with one entry per node. The keys combine the `of` selectors, the end and the type.
    var indices: [UInt32: [Int32]] = [:]
    /// The number of ancestors and siblings visited for the current element.
    private var lookedAt = 0
    /// The number visited per element before results are cached. The cache takes one byte per node and compound.
    private static let mostForgotten = 256
    var previousElements: [UInt32] = []
    var answers: [Int: [UInt8]] = [:]
    var hasSets: [Int: [Bool]] = [:]
    /// The number of nodes that each `:has()` has visited.
    private var hasCosts: [Int: Int] = [:]
    var checkedOptions: Set<NodeID>?
    var directions: [UInt8] = []
    var rootElement: NodeID??

    /// - Parameter scope: The element that `:scope` matches; `nil` is the root element.
    package init(_ tree: MarkupTree, scope: NodeID? = nil) {
        (self.tree, self.scope, count) = (tree, scope, tree.count)
        isFragment = !tree.isDocument && !tree.isXML
        headEnd = isFragment ? tree.headEnd : 0
        foldsNames = tree.documentMode == .quirks
    }

    /// Returns the elements that match any selector of the list, in document order and without duplicates. Selectors with a CSS
    /// pseudo-element (`::before`) match no element. The contents of `template` are not searched; without a range, all else is.
    package mutating func select(
        _ list: SelectorList, in range: Range<NodeID>? = nil, atMost limit: Int = .max
    ) -> [NodeID] {
        let selectors = list.selectors.filter { selector in
            switch selector.pseudoElement {
            case nil, .text, .ownText, .innerText, .attribute, .html: true
            case .before, .after, .marker, .firstLine, .firstLetter, .other: false
            }
        }
        var found: [NodeID] = []
        guard !selectors.isEmpty else { return found }
        var at = range.map { Int($0.lowerBound.index) } ?? Int(tree.root.index) + 1
        let end = range.map { Int($0.upperBound.index) } ?? Int(tree.subtreeEnd(tree.root).index)
        let nodes = tree.storage.nodes.base
        while at < end, found.count < limit {
            let node = nodes[at]
            if node.kind == .element {
                if selectors.contains(where: { matches($0, NodeID(at)) }) { found.append(NodeID(at)) }
                if node.tag == .template {
                    at = Int(tree.storage.end(UInt32(truncatingIfNeeded: at)))
                    continue
                }
            }
            at &+= 1
        }
        return found
    }

    /// Returns whether the element matches the selector, ignoring its pseudo-element.
    package mutating func matches(_ selector: Selector, _ node: NodeID) -> Bool {
        lookedAt = 0
        return matchesPart(selector, node)
    }

    /// ``matches(_:_:)`` for a selector inside another one, too.
    private mutating func matchesPart(_ selector: Selector, _ node: NodeID) -> Bool {
        let last = selector.compounds.count - 1
        guard tree.kind(node) == .element, matches(selector.compounds[last], node) else { return false }
        return last == 0 || matchesRest(selector, last, node, 0)
    }

    // MARK: Complex selectors

    /// Returns whether the compounds to the left of compound `index`, which `node` matches, match too.
    private mutating func matchesRest(_ selector: Selector, _ index: Int, _ node: NodeID, _ depth: Int) -> Bool {
        var index = index
        var node = node
        while index > 0 {
            index -= 1
            let combinator = selector.combinators[index]
            if combinator == .descendant || combinator == .subsequent { return someMatch(selector, index, node, depth) }
            guard let next = step(combinator, from: node)
            else { return combinator == .child && isFragment && matches(selector, upTo: index, implied: .body) }
            guard matches(selector.compounds[index], next) else { return false }
            node = next
        }
        return true
    }

    /// The nearest element that a combinator leads to: the parent, or the previous sibling.
    @inline(__always)
    private mutating func step(_ combinator: Combinator, from node: NodeID) -> NodeID? {
        switch combinator {
        case .child, .descendant: tree.parent(node).flatMap { tree.kind($0) == .element ? $0 : nil }
        case .next, .subsequent: previousElement(node)
        }
    }

    /// Returns whether an element to which the combinator leads matches compounds `0...wanted`. Long searches are cached.
    private mutating func someMatch(_ selector: Selector, _ wanted: Int, _ node: NodeID, _ depth: Int) -> Bool {
        // Results are cached by pair of selector and compound; the key has room for 1024 compounds.
        let key = selector.identity &* 1024 &+ wanted
        let combinator = selector.combinators[wanted]
        var passed: [Int] = []
        var at = step(combinator, from: node)
        var result = false
        while let candidate = at {
            let i = Int(candidate.index)
            if lookedAt > Self.mostForgotten {
                if answers[key] == nil { answers[key] = [UInt8](repeating: 0, count: count) }
                if let known = answers[key]?[i], known != 0 {
                    result = known == 2
                    break
                }
                passed.append(i)
            }
            lookedAt += 1
            if matches(selector.compounds[wanted], candidate), depth < SelectorParser.mostCompounds,
                matchesRest(selector, wanted, candidate, depth + 1)
            {
                result = true
                break
            }
            at = step(combinator, from: candidate)
        }
        if at == nil, isFragment, combinator == .descendant {
            result = matches(selector, upTo: wanted, implied: .body) || matches(selector, upTo: wanted, implied: .html)
        }
        for i in passed { answers[key]?[i] = result ? 2 : 1 }
        return result
    }

    // MARK: Compounds

    private mutating func matches(_ compound: Compound, _ node: NodeID) -> Bool {
        if let tag = compound.tag, tree.tag(node) != tag { return false }
        for index in 0..<compound.simples.count where !matches(compound.simples[index], node) { return false }
        return true
    }

    private mutating func matches(_ simple: Simple, _ node: NodeID) -> Bool {
        switch simple {
        case .name(let name): return !tree.tag(node).isKnown && tree.nameBytes(node) == name
        case .id(let id): return tree.withAttribute(node, .id) { $0.map { equal($0, id, foldsNames) } ?? false }
        case .className(let name):
            return tree.withAttribute(node, .classNames) { $0.map { hasWord($0, name, foldsNames) } ?? false }
        case .attribute(let test): return matches(test, node)
        case .nth(let nth): return nth.accepts(index(of: node, nth))
        case .any(let group): return matchesAny(group, node)
        case .none(let group): return !matchesAny(group, node)
        case .has(let group): return group.selectors.contains { has($0, node) }
        case .state(let state): return matches(state, node)
        case .lang(let ranges): return matchesLanguage(ranges, node)
        case .direction(let rightToLeft): return isRightToLeft(node) == rightToLeft
        case .contains(let texts): return contains(texts, node)
        case .never: return false
        }
    }

    private mutating func matchesAny(_ group: SelectorGroup, _ node: NodeID) -> Bool {
        group.selectors.contains { matchesPart($0, node) }
    }

    private func matches(_ test: AttributeTest, _ node: NodeID) -> Bool {
        guard let attribute = tree.findAttribute(node, test.name) else { return false }
        if test.test == .exists { return true }
        let (wanted, fold) = (test.value, test.ignoresCase)
        return tree.withValue(attribute) { value in
            switch test.test {
            case .exists: return true
            case .equals: return equal(value, wanted, fold)
            case .prefix: return !wanted.isEmpty && occurs(wanted, in: value, at: 0, fold)
            case .suffix: return !wanted.isEmpty && occurs(wanted, in: value, at: value.count - wanted.count, fold)
            case .dash:
                return occurs(wanted, in: value, at: 0, fold)
                    && (value.count == wanted.count || value[wanted.count] == 0x2D)
            case .word: return hasWord(value, wanted, fold)
            case .substring: return !wanted.isEmpty && find(wanted, in: value, fold)
            }
        }
    }

    // MARK: Positions

    /// The previous sibling element of `node`. The first call finds those of all elements.
    private mutating func previousElement(_ node: NodeID) -> NodeID? {
        if previousElements.isEmpty {
            previousElements = [UInt32](repeating: 0, count: count)
            // The last element child of each parent among the nodes visited.
            var last = [UInt32](repeating: 0, count: count + 1)
            for i in 1..<max(count, 1) where tree.storage.nodes[i].kind == .element {
                let parent = parent(of: i)
                previousElements[i] = last[parent]
                last[parent] = UInt32(truncatingIfNeeded: i)
            }
        }
        let previous = previousElements[Int(node.index)]
        return previous == 0 ? nil : NodeID(index: previous)
    }

    /// The parent of a node; `count` for the implied head.
    private func parent(of node: Int) -> Int {
        let parent = Int(tree.storage.parent(UInt32(truncatingIfNeeded: node)))
        return parent == 0 && node < headEnd ? count : parent
    }

    mutating func index(of node: NodeID, _ nth: Nth) -> Int32 {
        if let group = nth.of, !matchesAny(group, node) { return 0 }
        let key = UInt32(
            truncatingIfNeeded: (nth.of?.identity ?? 0) << 2 | (nth.fromEnd ? 2 : 0) | (nth.ofType ? 1 : 0))
        if let known = indices[key] { return known[Int(node.index)] }
        let made = makeIndices(nth)
        indices[key] = made
        return made[Int(node.index)]
    }

    /// Computes the index of every element among its siblings in one pass.
    private mutating func makeIndices(_ nth: Nth) -> [Int32] {
        var result = [Int32](repeating: 0, count: count)
        guard count > 1 else { return result }
        var seen = nth.ofType ? [] : [Int32](repeating: 0, count: count + 1)
        // The keys combine the parent and the tag.
        var seenOfType: [Int: Int32] = [:]
        let nodes = tree.storage.nodes.base
        for step in 1..<count {
            let i = nth.fromEnd ? count - step : step
            guard nodes[i].kind == .element else { continue }
            if let group = nth.of, !matchesAny(group, NodeID(i)) { continue }
            let parent = parent(of: i)
            if nth.ofType {
                let kind = parent << 16 | Int(nodes[i].tag.rawValue)
                result[i] = (seenOfType[kind] ?? 0) + 1
                seenOfType[kind] = result[i]
            } else {
                seen[parent] += 1
                result[i] = seen[parent]
            }
        }
        return result
    }

    // MARK: :has()

    /// Returns whether the relative selector matches anything from `node`. When the searches have visited as many nodes as the tree
    /// has, one pass in reverse document order computes the result for all nodes.
    mutating func has(_ selector: Selector, _ node: NodeID) -> Bool {
        let key = selector.identity
        if let known = hasSets[key] { return known[Int(node.index)] }
        var cost = hasCosts[key] ?? 0
        if cost <= count, selector.compounds.count <= Self.mostLookedFor {
            let found = finds(selector, 0, from: node, &cost)
            hasCosts[key] = cost
            if cost <= count { return found }
        }
        let all = findAll(selector)
        hasSets[key] = all
        return all[Int(node.index)]
    }

    /// The most compounds that a relative selector may have to be searched for one element at a time.
    private static let mostLookedFor = 8

    /// Returns whether the compounds from `place` on match from `node`; undefined once `cost` exceeds the number of nodes.
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

    /// Returns for each node whether the relative selector matches anything from it.
    private mutating func findAll(_ selector: Selector) -> [Bool] {
        // From the last compound to the first: the nodes that match it and from which the rest matches.
        var combinator = Combinator.descendant
        var found: [Bool]?
        for k in (0..<selector.compounds.count).reversed() {
            var start = [Bool](repeating: false, count: count)
            let rest = found.map { reach($0, combinator) }
            let nodes = tree.storage.nodes.base
            for i in 1..<max(count, 1) where nodes[i].kind == .element && rest?[i] ?? true {
                start[i] = matches(selector.compounds[k], NodeID(i))
            }
            found = start
            combinator = k > 0 ? selector.combinators[k - 1] : selector.leading
        }
        return reach(found ?? [], combinator)
    }

    /// The nodes from which `combinator` leads to a node of `targets`.
    private mutating func reach(_ targets: [Bool], _ combinator: Combinator) -> [Bool] {
        var result = [Bool](repeating: false, count: targets.count)
        let nodes = tree.storage.nodes.base
        for i in (1..<max(count, 1)).reversed() where nodes[i].kind == .element {
            switch combinator {
            case .child, .descendant:
                if targets[i] || combinator == .descendant && result[i] {
                    result[Int(tree.storage.parent(UInt32(truncatingIfNeeded: i)))] = true
                }
            case .next, .subsequent:
                guard let previous = previousElement(NodeID(i)) else { continue }
                if targets[i] || combinator == .subsequent && result[i] { result[Int(previous.index)] = true }
            }
        }
        return result
    }
}

@inline(__always)
private func equal(_ value: UnsafeBufferPointer<UInt8>, _ wanted: [UInt8], _ fold: Bool) -> Bool {
    value.count == wanted.count && occurs(wanted, in: value, at: 0, fold)
}

// MARK: Implied elements

/// An element that the HTML parser adds around a fragment (HTML §13.2.6.4).
package enum ImpliedElement: CaseIterable {
    case html, body

    package var tag: TagID { self == .html ? .html : .body }
}

extension SelectorMatcher {
    /// Returns whether the implied element matches the compounds up to `last`, or the whole selector without its pseudo-element.
    package mutating func matches(_ selector: Selector, upTo last: Int? = nil, implied element: ImpliedElement) -> Bool
    {
        let index = last ?? selector.compounds.count - 1
        let compound = selector.compounds[index]
        guard compound.tag == nil || compound.tag == element.tag, compound.simples.allSatisfy({ matches($0, element) })
        else { return false }
        guard index > 0 else { return true }
        switch selector.combinators[index - 1] {
        case .child, .descendant: return element == .body && matches(selector, upTo: index - 1, implied: .html)
        case .next, .subsequent: return false
        }
    }

    private mutating func matches(_ simple: Simple, _ element: ImpliedElement) -> Bool {
        switch simple {
        case .name, .id, .className, .attribute, .lang, .contains, .never: return false
        case .direction(let rightToLeft): return !rightToLeft
        case .nth(let nth):
            if let group = nth.of, !matchesAny(group, element) { return false }
            // The head is before the body.
            let isSecond = element == .body && !nth.fromEnd && !nth.ofType && nth.of == nil
            return nth.accepts(isSecond ? 2 : 1)
        case .any(let group): return matchesAny(group, element)
        case .none(let group): return !matchesAny(group, element)
        case .has(let group): return group.selectors.contains { has($0, tree.root) }
        case .state(let state):
            return [.root, .scope, .onlyChild].contains(state)
                ? element == .html : [.onlyOfType, .defined, .readOnly].contains(state)
        }
    }

    private mutating func matchesAny(_ group: SelectorGroup, _ element: ImpliedElement) -> Bool {
        group.selectors.contains { matches($0, implied: element) }
    }
}

extension MarkupTree {
    /// The first node of a fragment that the HTML parser does not put into the head (HTML §13.2.6.4.3).
    var headEnd: Int {
        let first = children(root).first { node in
            switch kind(node) {
            case .element: !Self.headTags.contains(tag(node))
            case .text: !withText(node) { $0.allSatisfy(\.isHTMLSpace) }
            case .comment, .instruction, .doctype, .root: false
            }
        }
        return first.map { Int($0.index) } ?? count
    }

    private static let headTags: Set<TagID> = [
        .base, .basefont, .bgsound, .link, .meta, .noframes, .noscript, .script, .style, .template, .title,
    ]
}
