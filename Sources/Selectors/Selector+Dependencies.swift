// The parts of a document that a selector depends on besides the element and its ancestors. They decide how far an edit reaches.

/// Parts of a document that an element's match may depend on, other than the element itself and its ancestors.
package struct SelectorDependencies: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Replaces the initializer shared by all option sets, for which the runtime would search all conformance tables of the
    /// program.
    package init(arrayLiteral elements: SelectorDependencies...) {
        rawValue = elements.reduce(0) { $0 | $1.rawValue }
    }

    /// The element's siblings: `+`, `~`, `:nth-child()` and similar.
    package static let siblings = SelectorDependencies(rawValue: 1)
    /// The emptiness of the element: `:empty`.
    package static let emptiness = SelectorDependencies(rawValue: 2)
    /// Any part of the document: `:has()`, `:root`, states of forms.
    package static let document = SelectorDependencies(rawValue: 4)
    /// The text of the document: `:contains()`, `:dir()`.
    package static let text = SelectorDependencies(rawValue: 8)
}

extension Selector {
    /// The parts that the selector depends on, besides an element and its ancestors. O(length).
    package var dependencies: SelectorDependencies {
        var result: SelectorDependencies = []
        for combinator in combinators {
            switch combinator {
            case .child, .descendant: break
            case .next, .subsequent: result.insert(.siblings)
            }
        }
        for compound in compounds {
            for simple in compound.simples { result.formUnion(simple.dependencies) }
        }
        return result
    }
}

extension Simple {
    fileprivate var dependencies: SelectorDependencies {
        switch self {
        case .name, .id, .className, .attribute, .lang, .never: []
        case .nth(let nth): (nth.of?.dependencies ?? []).union(.siblings)
        case .any(let group), .none(let group): group.dependencies
        case .has(let group): group.dependencies.union(.document)
        case .state(let state): state.dependencies
        case .direction: [.document, .text]
        case .contains: [.document, .text]
        }
    }
}

extension SelectorGroup {
    fileprivate var dependencies: SelectorDependencies {
        selectors.reduce(into: []) { $0.formUnion($1.dependencies) }
    }
}

extension StatePseudo {
    fileprivate var dependencies: SelectorDependencies {
        switch self {
        case .empty: .emptiness
        case .onlyChild, .onlyOfType: .siblings
        case .link, .required, .optional, .open, .target, .defined, .blank, .heading: []
        // The root of a fragment is its only element without text beside it; the state of a text area is its text.
        case .root, .scope, .placeholderShown, .valid, .invalid: [.document, .text]
        case .checked, .disabled, .enabled, .readOnly, .readWrite, .defaultState, .indeterminate, .inRange, .outOfRange:
            .document
        }
    }
}
