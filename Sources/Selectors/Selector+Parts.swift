// The parts of a selector that an index of rules is built from: names, ids and classes of each compound.

import Markup

/// A compound's names as far as an index can use them.
package struct SelectorPart: Sendable {
    /// What stands between this compound and the one to its left.
    package enum Link: Sendable { case none, descendant, child, sibling }

    package var tag: TagID?
    /// An element name outside the table of known ones, in lower case.
    package var name: [UInt8]?
    package var ids: [[UInt8]] = []
    package var classes: [[UInt8]] = []
    /// Names, ids and classes are all there is: an element that has them matches.
    package var isComplete = true
    package var link = Link.none
}

extension Selector {
    /// The compounds from right to left.
    package var parts: [SelectorPart] {
        compounds.indices.reversed().map { index in
            var part = SelectorPart(tag: compounds[index].tag)
            for simple in compounds[index].simples {
                switch simple {
                case .name(let name):
                    if part.name == nil { part.name = name } else { part.isComplete = false }
                case .id(let id): part.ids.append(id)
                case .className(let name): part.classes.append(name)
                case .attribute, .nth, .any, .none, .has, .state, .lang, .direction, .contains, .never:
                    part.isComplete = false
                }
            }
            if index > 0 {
                part.link =
                    switch combinators[index - 1] {
                    case .descendant: .descendant
                    case .child: .child
                    case .next, .subsequent: .sibling
                    }
            }
            return part
        }
    }
}
