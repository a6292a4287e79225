// The parts of a selector that an index of rules is built from: names, ids and classes of each compound.

import FancyTextMarkup

/// The names of a compound that an index can use.
package struct SelectorPart: Sendable {

    package var tag: TagID?
    /// An element name outside the table of known ones, in lower case.
    package var name: [UInt8]?
    package var ids: [[UInt8]] = []
    package var classes: [[UInt8]] = []
    /// Attributes that the element must have.
    package var attributes: [AttributeName] = []
    /// True if the compound consists of names, ids, classes and attributes only: an element that has them matches.
    package var isComplete = true
    /// True if the compound to its left is that of an ancestor.
    package var isInAncestor = false
}

extension Selector {
    /// True if some compound matches no element of a static document (`:hover`). O(length).
    package var matchesNothing: Bool {
        compounds.contains { $0.simples.contains { if case .never = $0 { true } else { false } } }
    }

    /// True if the rightmost compound matches the root element only.
    package var asksForRoot: Bool {
        compounds[compounds.count - 1].simples.contains { if case .state(.root) = $0 { true } else { false } }
    }

    /// The compounds from right to left.
    package var parts: [SelectorPart] {
        compounds.indices.reversed().map { index in
            var part = SelectorPart(tag: compounds[index].tag)
            for simple in compounds[index].simples {
                switch simple {
                case .name(let name): if part.name == nil { part.name = name } else { part.isComplete = false }
                case .id(let id): part.ids.append(id)
                case .className(let name): part.classes.append(name)
                case .attribute(let test):
                    part.attributes.append(test.name)
                    if test.test != .exists { part.isComplete = false }
                case .nth, .any, .none, .has, .state, .lang, .direction, .contains, .never: part.isComplete = false
                }
            }
            part.isInAncestor = index > 0 && [.descendant, .child].contains(combinators[index - 1])
            return part
        }
    }
}
