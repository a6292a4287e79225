// Selectors (selectors-4): the parser's output and the matcher's input.

import FancyTextMarkup

/// An error in a selector: the reason and the position.
public struct SelectorError: Error, Hashable, Sendable {
    /// One line, without a full stop.
    public var message: String
    /// From 1, in Unicode scalars of the selector.
    public var column: Int

    package init(message: String, column: Int) { (self.message, self.column) = (message, column) }
}

package struct SelectorList: Sendable {
    package var selectors: [Selector]

    /// Parses a selector list as `querySelectorAll` does.
    package static func parse(_ text: String) throws(SelectorError) -> SelectorList { try parse(Array(text.utf8)) }

    /// Parses a selector list from UTF-8, for example a stylesheet's prelude.
    package static func parse(_ bytes: some Collection<UInt8>) throws(SelectorError) -> SelectorList {
        var parser = SelectorParser(bytes: Array(bytes))
        return SelectorList(selectors: try parser.parseWholeList())
    }

    /// Returns whether `@supports selector()` is true for a text: one selector without unknown parts (CSS Conditional 4 §2.1).
    ///
    /// - Parameter parts: The pseudo-elements that style a part of an element.
    package static func isSupported(_ text: String, parts: Set<String>) -> Bool {
        // The nesting selector is valid everywhere.
        var parser = SelectorParser(
            bytes: Array(text.split(separator: "&", omittingEmptySubsequences: false).joined(separator: ":scope").utf8))
        parser.supportedParts = parts
        return (try? parser.parseWholeList())?.count == 1
    }
}

/// Specificity: ids, then classes, attributes and pseudo-classes, then types and pseudo-elements.
package struct Specificity: Hashable, Comparable, Sendable {
    package var ids: UInt16 = 0, classes: UInt16 = 0, types: UInt16 = 0

    /// A number that orders in the same way as the specificity.
    package var rank: UInt64 { UInt64(ids) << 32 | UInt64(classes) << 16 | UInt64(types) }

    package static func < (a: Specificity, b: Specificity) -> Bool { a.rank < b.rank }

    static func += (a: inout Specificity, b: Specificity) {
        func sum(_ x: UInt16, _ y: UInt16) -> UInt16 { x > .max - y ? .max : x + y }
        a = Specificity(ids: sum(a.ids, b.ids), classes: sum(a.classes, b.classes), types: sum(a.types, b.types))
    }
}

package struct Selector: Sendable {
    var compounds: [Compound] = []
    /// `combinators[i]` is between compounds `i` and `i + 1`; ``leading`` is before the first one of a relative selector.
    var combinators: [Combinator] = []
    /// The combinator that a relative selector (in `:has()`) starts with.
    var leading = Combinator.descendant
    package var specificity = Specificity()
    package var pseudoElement: PseudoElement?
    /// A number that is unique within the process, for the matcher's caches.
    private(set) var identity = SelectorParser.freshIdentity()

    /// Returns whether the element matches. For many queries on one tree, keep a ``SelectorMatcher``: it caches results.
    package func matches(_ node: NodeID, in tree: MarkupTree, scope: NodeID? = nil) -> Bool {
        var matcher = SelectorMatcher(tree, scope: scope)
        return matcher.matches(self, node)
    }

    /// The selector restricted to elements with one name; `nil` if it requires another name.
    package func restricted(to tag: TagID) -> Selector? {
        guard let last = compounds.last, last.tag == nil || last.tag == tag else { return nil }
        var result = self
        result.compounds[compounds.count - 1].tag = tag
        (result.pseudoElement, result.identity) = (nil, SelectorParser.freshIdentity())
        return result
    }

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

package enum PseudoElement: Hashable, Sendable {
    case before, after, marker, firstLine, firstLetter
    /// Outputs of `select`: the text, the element's own text nodes, the text as a reader sees it, an attribute, the HTML.
    case text, ownText, innerText, attribute(String), html
    /// A pseudo-element of CSS that a static document does not have: it matches nothing.
    case other(String)
}

/// The raw values are the signs.
enum Combinator: UInt8, Sendable { case descendant = 0x20, child = 0x3E, next = 0x2B, subsequent = 0x7E }

/// Simple selectors that all apply to one element.
struct Compound: Sendable {
    /// The element's name, if it is a known one.
    var tag: TagID?
    var simples: [Simple] = []
}

enum Simple: Sendable {
    /// An element name outside the table of known ones.
    case name([UInt8])
    case id([UInt8]), className([UInt8])
    case attribute(AttributeTest)
    case nth(Nth)
    case any(SelectorGroup), none(SelectorGroup), has(SelectorGroup)
    case state(StatePseudo)
    case lang([String])
    case direction(rightToLeft: Bool)
    case contains([(bytes: [UInt8], ignoresCase: Bool)])
    /// Valid, but matches nothing: dynamic states, foreign namespaces.
    case never
}

/// The selectors in a functional pseudo-class; `identity` is their key in the matcher's caches.
struct SelectorGroup: Sendable {
    var selectors: [Selector]
    let identity = SelectorParser.freshIdentity()
}

struct AttributeTest: Sendable {
    /// The raw values are the first characters of the operators; `exists` is the closing bracket.
    enum Operator: UInt8, Sendable {
        case exists = 0x5D, equals = 0x3D, word = 0x7E, dash = 0x7C, prefix = 0x5E, suffix = 0x24, substring = 0x2A
    }
    var name: AttributeName
    var test: Operator
    var value: [UInt8] = []
    var ignoresCase = false
}

/// `:nth-child()` and the like; `:first-child` by itself.
package struct Nth: Sendable {
    var step: Int32 = 0
    var offset: Int32 = 1
    var fromEnd = false
    var ofType = false
    var of: SelectorGroup?

    package func accepts(_ index: Int32) -> Bool {
        let distance = Int(index) - Int(offset)
        return index > 0 && (step == 0 ? distance == 0 : distance % Int(step) == 0 && distance / Int(step) >= 0)
    }
}

extension Nth {
    /// Parses An+B, `odd` or `even`; nil for anything else.
    package init?(_ text: some StringProtocol) {
        var parser = SelectorParser(bytes: Array(text.utf8))
        guard let nth = try? parser.parseNth() else { return nil }
        parser.skipSpace()
        guard parser.at == parser.bytes.count else { return nil }
        self = nth
    }
}

/// Pseudo-classes without arguments that a static document can decide.
enum StatePseudo: String, Sendable {
    case root, scope, empty, link, checked, disabled, enabled, required, optional, target, defined, indeterminate
    case valid, invalid, open
    case onlyChild = "only-child", onlyOfType = "only-of-type", readOnly = "read-only", readWrite = "read-write"
    case placeholderShown = "placeholder-shown", inRange = "in-range", outOfRange = "out-of-range"
    case defaultState = "default"
}

/// The names of a compound that an index of rules is built from.
package struct SelectorPart: Sendable {
    package var tag: TagID?
    /// An element name outside the table of known ones, in lower case.
    package var name: [UInt8]?
    package var ids: [[UInt8]] = [], classes: [[UInt8]] = []
    /// Attributes that the element must have.
    package var attributes: [AttributeName] = []
    /// True if the compound consists of names, ids, classes and attributes only: an element that has them matches.
    package var isComplete = true
    /// True if the compound to its left is that of an ancestor.
    package var isInAncestor = false
}
