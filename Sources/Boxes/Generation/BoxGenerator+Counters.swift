// The effect of an element on counters, and the markers of list items (CSS Lists 3 §3–4, HTML §4.4.5–4.4.8).

import FancyTextMarkup
import FancyTextStyling

extension BoxGenerator {
    /// Changes the counters at the element's position in document order (CSS Lists 3 §4.4).
    mutating func enter(_ node: NodeID, style: ComputedStyle) {
        // An element without a box changes no counter (§4.5).
        if style.box.display != .contents {
            if Self.listTags.contains(tree.tag(node)) {
                let start = Self.listStart(node, in: tree)
                counters.reset("list-item", to: start, at: node, parent: scopeParent(of: node), isLocal: true)
            }
            changeCounters(by: style, at: node, isPseudo: false)
        }
        // The strings that an element sets (CSS Generated Content for Paged Media 3 §1.1).
        for assignment in style.strings {
            let words = render(assignment.parts, of: node).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            text.pageNotes.append(PageNote(element: node, kind: .string(name: assignment.name, value: words)))
        }
        // The counters at a possible target (CSS Generated Content 3 §2.6).
        if !targetNames.isEmpty, tree.hasAttribute(node, .id), meter.spend(8 * targetNames.count, of: .generatedText) {
            for name in targetNames { text.targetCounters[node, default: [:]][name] = counters.values(name, at: node) }
        }
    }

    private static let listTags: [TagID] = [.ol, .ul, .menu, .dir]

    /// The nearest element around a node that has a box.
    func scopeParent(of node: NodeID) -> NodeID? {
        tree.ancestors(node).first { computed($0).box.display != .contents }
    }

    /// - Parameter isPseudo: whether the style is that of a pseudo-element of `node`.
    mutating func changeCounters(by style: ComputedStyle, at node: NodeID, isPseudo: Bool) {
        lazy var parent = isPseudo ? node : scopeParent(of: node)
        for change in style.box.counterReset { counters.reset(change.name, to: change.value, at: node, parent: parent) }
        if style.isFootnote, !isPseudo, !style.box.counterIncrement.contains(where: { $0.name == "footnote" }) {
            // One counter for the whole document (CSS GCPM 3 §2.5).
            if !counters.isInScope("footnote", at: node) {
                counters.reset("footnote", to: 0, at: tree.root, parent: nil)
            }
            counters.increment("footnote", by: 1, at: node, parent: parent)
        }
        let increments = style.box.counterIncrement
        let countsItem = style.isListItem && !isPseudo && !increments.contains { $0.name == "list-item" }
        for change in increments { counters.increment(change.name, by: change.value, at: node, parent: parent) }
        if countsItem { counters.increment("list-item", by: isInReversedList(node) ? -1 : 1, at: node, parent: parent) }
        // The `value` attribute is applied last, before `counter-set`.
        if style.isListItem, !isPseudo, tree.tag(node) == .li,
            let value = tree.attribute(node, "value").flatMap(Self.integer)
        {
            counters.set("list-item", to: value, at: node, parent: parent)
        }
        for change in style.box.counterSet { counters.set(change.name, to: change.value, at: node, parent: parent) }
        if references.isPaged {
            func note(_ changes: [CounterChange], adds: Bool) {
                for change in changes where change.name == "page" {
                    text.pageNotes.append(PageNote(element: node, kind: .counter(value: change.value, adds: adds)))
                }
            }
            note(style.box.counterReset, adds: false)
            note(style.box.counterIncrement, adds: true)
            note(style.box.counterSet, adds: false)
        }
        if style.containment.contains(.style) { counters.contain(node) }
    }

    /// The value before the first item: HTML §4.4.5 (`start`, `reversed`).
    package static func listStart(_ node: NodeID, in tree: MarkupTree) -> Int {
        guard tree.tag(node) == .ol else { return 0 }
        let isReversed = tree.hasAttribute(node, .reversed)
        if let start = tree.attribute(node, .start).flatMap(integer) { return isReversed ? start + 1 : start - 1 }
        guard isReversed else { return 0 }
        return 1 + tree.children(node).count { tree.tag($0) == .li }
    }

    func isInReversedList(_ node: NodeID) -> Bool {
        let list = tree.ancestors(node).first { Self.listTags.contains(tree.tag($0)) }
        guard let list, tree.tag(list) == .ol, tree.attribute(list, "reversed") != nil else { return false }
        return !tree.ancestors(node).prefix { $0 != list }.contains { styled.computed($0).containment.contains(.style) }
    }

    /// The integer at the start of a string by HTML's rules (§2.3.4.1): leading white space, a sign, digits; the rest is ignored.
    package static func integer(_ string: String) -> Int? {
        var rest = string.drop { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\u{C}" || $0 == "\r" }
        let isNegative = rest.first == "-"
        if isNegative || rest.first == "+" { rest = rest.dropFirst() }
        guard let magnitude = Int(rest.prefix { ("0"..."9").contains($0) }), magnitude < 1 << 31 else { return nil }
        return isNegative ? -magnitude : magnitude
    }
}
