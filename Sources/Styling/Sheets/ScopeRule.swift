// `@scope` (CSS Cascade 6 §2.5): rules for elements below a root, but not below a limit. In: an element and a selector. Out: the
// distance to its nearest root, which decides between rules of equal specificity; nil outside of the scope.

import FancyTextCSS
import FancyTextMarkup
import FancyTextSelectors

final class ScopeCondition: Sendable {
    let rootText: String
    private let root: [Selector]
    /// Empty without a limit.
    private let limit: [Selector]
    private let outer: ScopeCondition?

    init?(root: String, limit: String?, outer: ScopeCondition?) {
        guard let roots = try? SelectorList.parse(root).selectors,
            let limits = try? limit.map({ try SelectorList.parse($0) })?.selectors ?? []
        else { return nil }
        (rootText, self.root, self.limit, self.outer) = (root, roots, limits, outer)
    }

    /// Roots farther away have no effect.
    private static let farthest = 512

    /// The number of elements up to the nearest root; nil outside of the scope, or if the element does not match a selector
    /// with the root as `:scope`.
    func distance(of node: NodeID, in tree: MarkupTree, matching selector: Selector?) -> Int? {
        for (distance, candidate) in sequence(first: node, next: tree.parent).prefix(Self.farthest).enumerated() {
            guard tree.kind(candidate) == .element else { return nil }
            if root.contains(where: { $0.matches(candidate, in: tree) }),
                selector?.matches(node, in: tree, scope: candidate) ?? true,
                !isLimited(node, below: candidate, in: tree),
                outer.map({ $0.distance(of: candidate, in: tree, matching: nil) != nil }) ?? true
            {
                return distance
            }
        }
        return nil
    }

    private func isLimited(_ node: NodeID, below root: NodeID, in tree: MarkupTree) -> Bool {
        sequence(first: node, next: tree.parent).prefix { $0 != root }.contains { element in
            limit.contains { $0.matches(element, in: tree, scope: root) }
        }
    }
}

typealias ScopedSelector = (condition: ScopeCondition, selector: Selector)

extension StylesheetParser {
    /// Reads `(root) to (limit)` and the rules. A scope without a root is that of the element around the sheet, and has no effect.
    mutating func scopeRule(_ prelude: Range<Int>, _ body: Range<Int>, _ scope: Scope, _ start: Int) {
        var cursor = self.cursor(prelude)
        func group() -> Range<Int>? { cursor.token?.kind == .openParen ? cursor.contents() : nil }
        var inner = scope
        guard let root = group() else {
            // The rule applies to shown elements only. Text outputs have no use for the warning.
            if environment.context.readsTextOnly { return }
            inner.missing = ("@scope", start)
            return contents(of: body, inner)
        }
        let limit = cursor.keyword("to") ? group().flatMap(scoped) ?? "" : nil
        // In a style rule, the root is relative to the elements of that rule (§2.5.1).
        let text = scope.parent.map { nested(root, reference: ":is(\($0))", prefixes: true) } ?? source.text(root)
        guard cursor.isAtEnd, let text, let condition = ScopeCondition(root: text, limit: limit, outer: scope.condition)
        else { return warn(.invalidSelector, "@scope needs valid selectors: ignored", at: start) }
        (inner.parent, inner.condition) = (nil, condition)
        contents(body, Self.scopeReference, 0, inner)
    }

    private static let scopeReference = ":where(:scope)"

    /// The selectors of a rule directly in a scope: `&` is the root, and so is what a combinator at the start begins from.
    func scoped(_ prelude: Range<Int>) -> String? { nested(prelude, reference: Self.scopeReference, prefixes: false) }
}
