// The elements that contain a fragment in a browser, and the rules that match them and their contents.
//
// In: a selector of a style sheet. Out: whether it matches the root element or the body, which the tree of a fragment lacks.

import FancyTextMarkup

/// An element that the HTML parser adds around a fragment (HTML §13.2.6.4).
package enum ImpliedElement: CaseIterable {
    case html, body

    package var tag: TagID { self == .html ? .html : .body }
}

extension SelectorMatcher {
    /// Returns whether the implied element matches the selector, ignoring its pseudo-element.
    package mutating func matches(_ selector: Selector, implied element: ImpliedElement) -> Bool {
        matches(selector, upTo: selector.compounds.count - 1, implied: element)
    }

    /// Returns whether the implied element matches the compounds up to `index`.
    mutating func matches(_ selector: Selector, upTo index: Int, implied element: ImpliedElement) -> Bool {
        let compound = selector.compounds[index]
        if let tag = compound.tag, tag != element.tag { return false }
        for simple in compound.simples where !matches(simple, element) { return false }
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
        case .has(let group):
            for selector in group.selectors where has(selector, tree.root) { return true }
            return false
        case .state(let state):
            return [.root, .scope, .onlyChild].contains(state)
                ? element == .html : [.onlyOfType, .defined, .readOnly].contains(state)
        }
    }

    private mutating func matchesAny(_ group: SelectorGroup, _ element: ImpliedElement) -> Bool {
        for selector in group.selectors where matches(selector, implied: element) { return true }
        return false
    }
}

extension MarkupTree {
    /// The first node of a fragment that the HTML parser does not put into the head (HTML §13.2.6.4.3).
    var headEnd: Int {
        var at = root.index + 1
        while at < UInt32(truncatingIfNeeded: count) {
            let node = NodeID(index: at)
            switch kind(node) {
            case .element:
                switch tag(node) {
                case .base, .basefont, .bgsound, .link, .meta, .noframes, .noscript, .script, .style, .template, .title:
                    break
                default: return Int(at)
                }
            case .text: if withText(node, { $0.contains { !$0.isHTMLSpace } }) { return Int(at) }
            case .comment, .instruction, .doctype, .root: break
            }
            at = subtreeEnd(node).index
        }
        return count
    }
}
