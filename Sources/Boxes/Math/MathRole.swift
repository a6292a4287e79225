// The roles of boxes in formulas (MathML Core §3), set by box generation for layout, and the operator dictionary (appendix B).

import FancyTextCSS

/// The role of a box in a formula: of a box of kind `math`, or of a token's block.
package struct MathRole: Sendable {
    package enum Scheme: Sendable {
        case token
        /// Children one after the other.
        case row
        /// The thickness of the bar in CSS pixels; nil for the font's own.
        case fraction(thickness: Float?)
        /// A radical sign around the first child; with an index, it is the second one.
        case root(hasIndex: Bool)
        /// A base, and the place of each further child around it.
        case scripts([Place])
        /// Empty space of this size in CSS pixels, for `mspace`.
        case space(width: Float, ascent: Float, descent: Float)
        /// A row with another size or place: `mpadded`. Nil leaves what the contents give.
        case padded(width: Float?, ascent: Float?, descent: Float?, left: Float, raise: Float)
    }

    package enum Place: Sendable { case sub, sup, preSub, preSup, under, over, accentUnder, accentOver }

    package var scheme: Scheme
    /// True for `displaystyle`: fractions and limits have more room.
    package var isDisplay = false
    /// The space of an operator in its row, in CSS pixels.
    package var before: Float = 0, after: Float = 0
    package var traits: MathOperator.Traits = []
    /// The box of the operator in an embellished one.
    package var core: Int?
    /// The character of a stretchy operator.
    package var stretched: Character?
    /// The letter of an `mi` that is shown in italics; its own ink decides the height, as in Blink.
    package var letter: Character?
    /// The style of the bar of a fraction or root, whose background has the text's colour.
    package var bar = StyleID.root

    package init(scheme: Scheme, isDisplay: Bool = false) { (self.scheme, self.isDisplay) = (scheme, isDisplay) }
}

/// The properties of an operator in one form.
package struct MathOperator: Sendable {
    package struct Traits: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let stretchy = Traits(rawValue: 1)
        package static let symmetric = Traits(rawValue: 2)
        /// Larger in display style.
        package static let large = Traits(rawValue: 4)
        /// Limits are scripts outside of display style.
        package static let movesLimits = Traits(rawValue: 8)
        /// Stretchy along its line.
        package static let horizontal = Traits(rawValue: 16)
    }

    package enum Form: String { case prefix, infix, postfix }

    /// In eighteenths of an em.
    package var before = 5, after = 5
    package var traits: Traits = []

    private struct Entry {
        var form: Form
        var characters: Set<Character>
        var properties: MathOperator

        init(_ form: Form, _ characters: String, _ space: Int, after: Int? = nil, _ traits: Traits = []) {
            (self.form, self.characters) = (form, Set(characters.unicodeScalars.map(Character.init)))
            properties = MathOperator(before: space, after: after ?? space, traits: traits)
        }
    }

    /// The first entry of a form that has a character counts.
    private static let dictionary = [
        Entry(.infix, "+-/±÷⁄−∓∔∕∖∧∨∩∪∶∸⊌⊍⊎⊓⊔⊕⊖⊘⊝⊞⊟⊻⊼⊽⋎⋏⋒⋓➕➖➗", 4),
        Entry(.infix, "%*.?@^·×•‣⁃∗∘∙≀⊗⊙⊚⊛⊠⊡⊺⋄⋅⋆⋇⋉⋊⋋⋌⋒⋔", 3),
        Entry(.infix, "↑↓↕⇑⇓⇕", 5, .stretchy),
        Entry(.infix, "←→↔⇐⇒⇔↦↤⟵⟶⟷⟸⟹⟺⟼↼⇀↽⇁⇌⇋", 5, [.stretchy, .horizontal]),
        Entry(.infix, ",;:", 0, after: 3),
        Entry(.infix, "\\_\u{2061}\u{2062}\u{2063}\u{2064}", 0),
        Entry(.prefix, "([{‖|⌈⌊〈⟦⟨⟪⟮⦃‘“", 0, [.stretchy, .symmetric]),
        Entry(.prefix, "∫∬∭∮∯∰∱∲∳⨌", 3, [.symmetric, .large]),
        Entry(.prefix, "∏∐∑⋀⋁⋂⋃⨀⨁⨂⨃⨄⨅⨆", 3, [.symmetric, .large, .movesLimits]),
        Entry(.prefix, "!¬∀∁∃∄∇∂√∛∜∠∡∢+-±−∓∴∵", 0),
        Entry(.postfix, ")]}‖|⌉⌋〉⟧⟩⟫⟯⦄’”", 0, [.stretchy, .symmetric]),
        Entry(
            .postfix, "^_~¯ˆˇˉˍ˜˷\u{302}‾\u{20D0}\u{20D1}\u{20D6}\u{20D7}\u{20E1}⎴⎵⏜⏝⏞⏟⏠⏡", 0, [.stretchy, .horizontal]),
        Entry(.postfix, "!\"%&'`¨´˘˙˚˝′″‴⁗°", 0),
    ]

    /// The properties of an operator; the other forms count if it has none in this one.
    package static func find(_ text: String, _ form: Form) -> MathOperator {
        guard text.count == 1, let character = text.first else { return MathOperator() }
        // Appendix B.2 makes these two default operators between operands.
        if form == .infix, "|∼".contains(character) { return MathOperator() }
        for form in [form, .infix, .postfix, .prefix] {
            let entry = dictionary.first { $0.form == form && $0.characters.contains(character) }
            if let entry { return entry.properties }
        }
        return MathOperator()
    }
}
