// The operator dictionary (MathML Core appendix B): the spaces around operators, and how they grow.

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

    enum Form: String { case prefix, infix, postfix }

    /// In eighteenths of an em.
    var before = 5
    var after = 5
    var traits: Traits = []

    private static let binary = Set("+-/±÷⁄−∓∔∕∖∧∨∩∪∶∸⊌⊍⊎⊓⊔⊕⊖⊘⊝⊞⊟⊻⊼⊽⋎⋏⋒⋓➕➖➗")
    private static let factors = Set("%*.?@^·×•‣⁃∗∘∙≀⊗⊙⊚⊛⊠⊡⊺⋄⋅⋆⋇⋉⋊⋋⋌⋒⋔")
    private static let arrows = Set("←↑→↓↔↕⇐⇑⇒⇓⇔⇕↦↤⟵⟶⟷⟸⟹⟺⟼↼⇀↽⇁⇌⇋")
    private static let opening = Set("([{‖|⌈⌊〈⟦⟨⟪⟮⦃‘“")
    private static let closing = Set(")]}‖|⌉⌋〉⟧⟩⟫⟯⦄’”")
    private static let accents = Set(
        "^_~¯ˆˇˉˍ˜˷\u{302}‾\u{20D0}\u{20D1}\u{20D6}\u{20D7}\u{20E1}⎴⎵⏜⏝⏞⏟⏠⏡".unicodeScalars.map(Character.init))
    private static let upright = Set("↑↓↕⇑⇓⇕")
    private static let integrals = Set("∫∬∭∮∯∰∱∲∳⨌")
    private static let sums = Set("∏∐∑⋀⋁⋂⋃⨀⨁⨂⨃⨄⨅⨆")
    private static let prefixes = Set("!¬∀∁∃∄∇∂√∛∜∠∡∢+-±−∓∴∵")
    private static let postfixes = Set("!\"%&'`¨´˘˙˚˝′″‴⁗°")
    private static let invisible = Set("\\_\u{2061}\u{2062}\u{2063}\u{2064}")

    /// The properties of an operator; the other forms count if it has none in this one.
    static func find(_ text: String, _ form: Form) -> MathOperator {
        guard text.count == 1, let character = text.first else { return MathOperator() }
        // Appendix B.2 makes these two default operators between operands.
        if form == .infix, "|∼".contains(character) { return MathOperator() }
        let others: [Form] = [form, .infix, .postfix, .prefix]
        return others.lazy.compactMap { find(character, $0) }.first ?? MathOperator()
    }

    private static func find(_ character: Character, _ form: Form) -> MathOperator? {
        switch form {
        case .infix:
            if binary.contains(character) { return MathOperator(before: 4, after: 4) }
            if factors.contains(character) { return MathOperator(before: 3, after: 3) }
            if arrows.contains(character) {
                let axis: Traits = upright.contains(character) ? [] : .horizontal
                return MathOperator(before: 5, after: 5, traits: axis.union(.stretchy))
            }
            if ",;:".contains(character) { return MathOperator(before: 0, after: 3) }
            return invisible.contains(character) ? MathOperator(before: 0, after: 0) : nil
        case .prefix:
            if opening.contains(character) {
                return MathOperator(before: 0, after: 0, traits: [.stretchy, .symmetric])
            }
            if integrals.contains(character) { return MathOperator(before: 3, after: 3, traits: [.symmetric, .large]) }
            if sums.contains(character) {
                return MathOperator(before: 3, after: 3, traits: [.symmetric, .large, .movesLimits])
            }
            return prefixes.contains(character) ? MathOperator(before: 0, after: 0) : nil
        case .postfix:
            if closing.contains(character) {
                return MathOperator(before: 0, after: 0, traits: [.stretchy, .symmetric])
            }
            if accents.contains(character) {
                return MathOperator(before: 0, after: 0, traits: [.stretchy, .horizontal])
            }
            return postfixes.contains(character) ? MathOperator(before: 0, after: 0) : nil
        }
    }
}
