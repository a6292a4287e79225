// Lengths that depend on font metrics (CSS Values 4 §6.1.1): the x-height, the advance of "0", the height of capitals. In: fonts
// and their measurements. Out: shares of the font size. Styles are computed before fonts are opened: the caller measures the fonts
// whose units a tree uses, and styles it again with the results.

/// The values of units in some fonts.
package typealias FontUnits = [FontStyle: FontRatios]

/// The values of `ex`, `ch` and `cap` as shares of the font size.
package struct FontRatios: Hashable, Sendable {
    package var ex, ch, cap: Double
    /// `ch` of upright characters in vertical lines: the height of "0".
    package var uprightCh: Double

    package init(ex: Double, ch: Double, cap: Double, uprightCh: Double = 1) {
        (self.ex, self.ch, self.cap, self.uprightCh) = (ex, ch, cap, uprightCh)
    }
}
