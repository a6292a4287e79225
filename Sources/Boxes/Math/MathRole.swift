// The roles of boxes in formulas (MathML Core §3). In: box generation sets one for each box. Out: layout arranges by them.

import FancyTextStyling

/// The shares of the font size that scripts, and scripts of scripts, have.
package struct ScriptScales: Hashable, Sendable {
    package var first: Float = 0.71
    package var second: Float = 0.5041

    package init() {}
}

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
    package var before: Float = 0
    package var after: Float = 0
    package var traits: MathOperator.Traits = []
    /// The box of the operator in an embellished one.
    package var core: Int?
    /// The character of a stretchy operator.
    package var stretched: Character?
    /// The letter of an `mi` that is shown in italics; its own ink decides the height, as in Blink.
    package var letter: Character?
    /// The style of the bar of a fraction or root, whose background has the text's colour.
    package var bar = StyleID.root

    package init(scheme: Scheme, isDisplay: Bool = false) {
        self.scheme = scheme
        self.isDisplay = isDisplay
    }

    /// True if the operator has space on a side.
    var hasSpace: Bool { before != 0 || after != 0 }
}
