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
    ///
    /// - Parameter last: The compound that is its own; `nil` is the last one.
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
        var at = root.index + 1
        while at < UInt32(truncatingIfNeeded: count) {
            let node = NodeID(index: at)
            switch kind(node) {
            case .element: if !Self.headTags.contains(tag(node)) { return Int(at) }
            case .text: if withText(node, { $0.contains { !$0.isHTMLSpace } }) { return Int(at) }
            case .comment, .instruction, .doctype, .root: break
            }
            at = subtreeEnd(node).index
        }
        return count
    }

    private static let headTags: Set<TagID> = [
        .base, .basefont, .bgsound, .link, .meta, .noframes, .noscript, .script, .style, .template, .title,
    ]
}
