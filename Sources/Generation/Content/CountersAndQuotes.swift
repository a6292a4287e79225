// CSS counters (CSS Lists 3 §4): nested instances by name, with scopes that end with the parent of the creating element; and the
// quotation marks of languages.

import FancyTextMarkup

struct Counters {
    /// `scopeEnd` is the first node that is no longer in scope.
    private typealias Instance = (value: Int, scopeEnd: NodeID, parent: NodeID?, origin: NodeID)

    let tree: MarkupTree
    private var stacks: [String: [Instance]] = [:]
    /// The elements around the current one whose contents do not change the counters outside, outermost first.
    private var boundaries: [(node: NodeID, end: NodeID)] = []

    init(_ tree: MarkupTree) { self.tree = tree }

    /// Makes changes inside of an element invisible outside (CSS Containment 2 §3.3).
    mutating func contain(_ node: NodeID) { boundaries.append((node, tree.subtreeEnd(node))) }

    /// Returns whether the innermost instance may be changed by an element.
    private mutating func isChangeable(_ name: String, at node: NodeID) -> Bool {
        dropEnded(name, at: node)
        while let last = boundaries.last, last.end <= node { boundaries.removeLast() }
        guard let origin = stacks[name]?.last?.origin else { return false }
        return boundaries.last.map { $0.node < origin } ?? true
    }

    /// `counter-reset`: creates an instance whose scope is the element, its later siblings, and their descendants; if it is local, the
    /// element alone, because a list numbers only its own items (HTML §4.4.8).
    ///
    /// - Parameter parent: the nearest element around it that has a box; `node` for a pseudo-element, which acts like a child.
    mutating func reset(_ name: String, to value: Int, at node: NodeID, parent: NodeID?, isLocal: Bool = false) {
        dropEnded(name, at: node)
        if let last = stacks[name]?.last, last.parent == parent { stacks[name]?.removeLast() }
        let scopeEnd = tree.subtreeEnd(isLocal ? node : parent ?? node)
        stacks[name, default: []].append((value, scopeEnd, parent, origin: node))
    }

    mutating func increment(_ name: String, by amount: Int, at node: NodeID, parent: NodeID?) {
        let value = isChangeable(name, at: node) ? self.value(name, at: node) : 0
        set(name, to: value.addingReportingOverflow(amount).partialValue, at: node, parent: parent)
    }

    /// `counter-set`; creates the counter if none is in scope.
    mutating func set(_ name: String, to value: Int, at node: NodeID, parent: NodeID?) {
        guard isChangeable(name, at: node), let count = stacks[name]?.count
        else { return reset(name, to: value, at: node, parent: parent) }
        stacks[name]?[count - 1].value = value
    }

    mutating func isInScope(_ name: String, at node: NodeID) -> Bool {
        dropEnded(name, at: node)
        return stacks[name]?.isEmpty == false
    }

    /// The value of the innermost instance; 0 if none is in scope.
    mutating func value(_ name: String, at node: NodeID) -> Int {
        dropEnded(name, at: node)
        return stacks[name]?.last?.value ?? 0
    }

    /// All instances' values, outermost first (`counters()`).
    mutating func values(_ name: String, at node: NodeID) -> [Int] {
        dropEnded(name, at: node)
        let values = stacks[name]?.map(\.value) ?? []
        return values.isEmpty ? [0] : values
    }

    private mutating func dropEnded(_ name: String, at node: NodeID) {
        while let last = stacks[name]?.last, last.scopeEnd <= node { stacks[name]?.removeLast() }
    }
}

/// Quotation marks by language (HTML §15.3.4, CLDR's delimiters), for `quotes: auto` and `<q>`.
package enum Quotes {
    /// The marks to open and close a quotation, outer then inner.
    package static func pairs(forLanguage language: String) -> [String] {
        let tag = language.lowercased()
        if let exact = table[tag] { return exact }
        let primary = String(tag.prefix { $0 != "-" })
        return table[primary] ?? ["“", "”", "‘", "’"]
    }

    /// The mark of a quotation at nesting `level`; deep ones use the innermost pair (CSS Content 3 §3.2.2).
    package static func mark(level: Int, isOpen: Bool, in pairs: [String]) -> String {
        guard pairs.count >= 2 else { return "" }
        return pairs[min(level, pairs.count / 2 - 1) * 2 + (isOpen ? 0 : 1)]
    }

    /// The four marks of languages with others than the usual ones.
    private static let table: [String: [String]] = Dictionary(
        uniqueKeysWithValues: [
            ("„“‚‘", "de cs sk sl bg lt is et ka hr"), ("«»“”", "es pt-pt ca el hy eu gl it"), ("«»‘’", "no nb nn"),
            ("「」『』", "ja zh-tw zh-hk zh-hant"), ("„”‚’", "pl sr bs"), ("””’’", "sv fi he"), ("«»„“", "ru uk be"),
            ("«»‹›", "fr-ch de-ch fa"), ("«»«»", "fr"), ("«»”“", "fr-ca"), ("‘’‘’", "nl"), ("„”«»", "ro"),
            ("„”»«", "hu"), ("”“’‘", "ar"),
        ].flatMap { marks, languages in languages.split(separator: " ").map { (String($0), marks.map(String.init)) } })
}
