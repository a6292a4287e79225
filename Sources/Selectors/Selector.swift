// Selectors (selectors-4): what the parser gives and the matcher reads.

import FancyTextMarkup

/// Why a selector was refused, and where: `column` counts Unicode scalars from 1.
public struct SelectorError: Error, Hashable, Sendable {
    /// One line, without a full stop.
    public var message: String
    /// From 1, in Unicode scalars of the selector.
    public var column: Int

    package init(message: String, column: Int) {
        self.message = message
        self.column = column
    }
}

/// Selectors separated by commas.
package struct SelectorList: Hashable, Sendable {
    package var selectors: [Selector]

    /// Parses a selector list as `querySelectorAll` does.
    package static func parse(_ text: String) throws(SelectorError) -> SelectorList { try parse(Array(text.utf8)) }

    /// Parses a selector list from UTF-8, for example a stylesheet's prelude.
    package static func parse(_ bytes: some Collection<UInt8>) throws(SelectorError) -> SelectorList {
        var parser = SelectorParser(Array(bytes))
        return SelectorList(selectors: try parser.parseWholeList())
    }

    /// Whether `@supports selector()` holds for a text: one selector, all of it known (CSS Conditional 4 §2.1).
    package static func isSupported(_ text: String) -> Bool {
        // The nesting selector means something in every place.
        var parser = SelectorParser(
            Array(text.split(separator: "&", omittingEmptySubsequences: false).joined(separator: ":scope").utf8))
        parser.isStrict = true
        return (try? parser.parseWholeList())?.count == 1
    }
}

/// Specificity: ids, then classes, attributes and pseudo-classes, then types and pseudo-elements.
package struct Specificity: Hashable, Comparable, Sendable {
    package var ids: UInt16 = 0
    package var classes: UInt16 = 0
    package var types: UInt16 = 0

    /// One number that orders as the specificity does.
    package var rank: UInt64 { UInt64(ids) << 32 | UInt64(classes) << 16 | UInt64(types) }

    package static func < (a: Specificity, b: Specificity) -> Bool { a.rank < b.rank }

    static func + (a: Specificity, b: Specificity) -> Specificity {
        func sum(_ x: UInt16, _ y: UInt16) -> UInt16 { x > .max - y ? .max : x + y }
        return Specificity(ids: sum(a.ids, b.ids), classes: sum(a.classes, b.classes), types: sum(a.types, b.types))
    }
}

/// One complex selector.
package struct Selector: Hashable, Sendable {
    /// Compounds from left to right.
    var compounds: [Compound]
    /// `combinators[i]` stands between compounds `i` and `i + 1`; for a relative selector one more stands first in
    /// ``leading``.
    var combinators: [Combinator]
    /// The combinator that a relative selector (in `:has()`) starts with.
    var leading = Combinator.descendant
    package var specificity = Specificity()
    package var pseudoElement: PseudoElement?
    /// Names this selector within the process, for the matcher's caches.
    let identity: Int

    /// The tag that the rightmost compound asks for, when it is a known one.
    package var rightmostTag: TagID? { compounds[compounds.count - 1].tag }

    /// Whether the element matches. For many questions to one tree keep a ``SelectorMatcher``: it remembers answers.
    package func matches(_ node: NodeID, in tree: MarkupTree, scope: NodeID? = nil) -> Bool {
        var matcher = SelectorMatcher(tree, scope: scope)
        return matcher.matches(self, node)
    }

    /// The selector for elements of one name alone; nil where it asks for another name.
    package func restricted(to tag: TagID) -> Selector? {
        guard let last = compounds.indices.last, compounds[last].tag == nil || compounds[last].tag == tag else {
            return nil
        }
        var compounds = compounds
        compounds[last].tag = tag
        return Selector(
            compounds: compounds, combinators: combinators, leading: leading, specificity: specificity,
            pseudoElement: nil, identity: SelectorParser.freshIdentity())
    }

    package static func == (a: Selector, b: Selector) -> Bool {
        a.compounds == b.compounds && a.combinators == b.combinators && a.leading == b.leading
            && a.pseudoElement == b.pseudoElement
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(compounds)
        hasher.combine(combinators)
    }
}

/// What a selector may end in.
package enum PseudoElement: Hashable, Sendable {
    case before, after, marker, firstLine, firstLetter
    /// Output pseudo-elements of `select`: the text, the element's own text nodes, what a person reads of it, an
    /// attribute, the HTML of what matches.
    case text, ownText, innerText
    case attribute(String)
    case html
    /// Known to CSS but not to a static document: matches nothing.
    case other(String)
}

enum Combinator: UInt8, Hashable, Sendable { case descendant, child, next, subsequent }

/// Simple selectors that one element must all match.
struct Compound: Hashable, Sendable {
    /// The element's name, when it is a known one.
    var tag: TagID?
    var simples: [Simple] = []
}

enum Simple: Hashable, Sendable {
    /// An element name outside the table of known ones.
    case name([UInt8])
    case id([UInt8])
    case className([UInt8])
    case attribute(AttributeTest)
    case nth(Nth)
    case any(SelectorGroup)
    case none(SelectorGroup)
    case has(SelectorGroup)
    case state(StatePseudo)
    case lang([String])
    case direction(rightToLeft: Bool)
    case contains([AttributeValue])
    /// Valid, but nothing matches it: dynamic states, foreign namespaces.
    case never
}

/// Selectors in a functional pseudo-class; `identity` names it for the matcher's caches.
struct SelectorGroup: Hashable, Sendable {
    var selectors: [Selector]
    let identity: Int

    static func == (a: SelectorGroup, b: SelectorGroup) -> Bool { a.selectors == b.selectors }
    func hash(into hasher: inout Hasher) { hasher.combine(selectors) }
}

struct AttributeValue: Hashable, Sendable {
    var bytes: [UInt8]
    var ignoresCase: Bool
}

struct AttributeTest: Hashable, Sendable {
    enum Operator: UInt8, Hashable, Sendable { case exists, equals, word, dash, prefix, suffix, substring }
    var name: AttributeName
    var test: Operator
    var value: [UInt8] = []
    var ignoresCase = false
}

struct Nth: Hashable, Sendable {
    var step: Int32
    var offset: Int32
    var fromEnd: Bool
    var ofType: Bool
    var of: SelectorGroup?

    func accepts(_ index: Int32) -> Bool {
        guard index > 0 else { return false }
        let distance = Int(index) - Int(offset)
        if step == 0 { return distance == 0 }
        return distance % Int(step) == 0 && distance / Int(step) >= 0
    }
}

/// Pseudo-classes without arguments that a static document can answer.
enum StatePseudo: UInt8, Hashable, Sendable {
    case root, scope, empty, onlyChild, onlyOfType, link, checked, disabled, enabled, required, optional, readOnly,
        readWrite
    case placeholderShown, defaultState, open, target, defined, indeterminate, inRange, outOfRange, valid, invalid,
        blank, heading
}
