// Values that depend on the fonts of an element: alternates, with the names that `@font-feature-values` gives their numbers (CSS
// Fonts 4 §6.8, §6.9), units, and adjustments by `@font-face`.

/// A function of `font-variant-alternates`.
package struct FontAlternate: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case stylistic, styleset, swash, ornaments, annotation
        case characterVariant = "character-variant", historicalForms = "historical-forms"

        /// True if a name may stand for several numbers, and the function takes several names.
        package var takesList: Bool { self == .styleset || self == .characterVariant }
    }

    var kind: Kind
    var numbers: [Int] = []
    var names: [String] = []

    /// The features of numbers: those of the function itself, or the value of a name.
    fileprivate func features(_ numbers: [Int]) -> [FontFeature] {
        func numbered(_ letters: StaticString, _ number: Int, _ value: Int = 1) -> FontFeature? {
            guard (1...99).contains(number) else { return nil }
            let digits = UInt32(number / 10 + 0x30) << 8 | UInt32(number % 10 + 0x30)
            return FontFeature(tag: openTypeTag(letters) & 0xFFFF_0000 | digits, value: UInt32(clamping: value))
        }
        func all(_ tags: StaticString...) -> [FontFeature] {
            numbers.prefix(1).flatMap { number in
                tags.map { FontFeature(tag: openTypeTag($0), value: UInt32(clamping: number)) }
            }
        }
        return switch kind {
        case .stylistic: all("salt")
        case .swash: all("swsh", "cswh")
        case .ornaments: all("ornm")
        case .annotation: all("nalt")
        case .historicalForms: [FontFeature(tag: openTypeTag("hist"), value: 1)]
        case .styleset: numbers.compactMap { numbered("ss00", $0) }
        case .characterVariant:
            numbers.first.flatMap { numbered("cv00", $0, numbers.dropFirst().first ?? 1) }.map { [$0] } ?? []
        }
    }

    /// - Parameter families: those of the element.
    func features(of families: [FontFamily], _ values: FontFeatureValues) -> [FontFeature] {
        var result = kind == .characterVariant ? numbers.flatMap { features([$0]) } : features(numbers)
        for name in names {
            if let numbers = values.numbers(of: name, kind, in: families) { result += features(numbers) }
        }
        return result
    }
}

/// The names of all `@font-feature-values` rules; a later value replaces an earlier one.
package struct FontFeatureValues: Sendable {
    package struct Rule: Sendable {
        /// In lower case.
        package var families: [String]
        package var numbers: [Key: [Int]] = [:]

        package init(families: [String]) { self.families = families }
    }

    package struct Key: Hashable, Sendable {
        var kind: FontAlternate.Kind
        var name: String

        package init(kind: FontAlternate.Kind, name: String) { (self.kind, self.name) = (kind, name) }
    }

    private var byFamily: [String: [Key: [Int]]] = [:]

    package init(_ rules: some Sequence<Rule> = []) {
        for rule in rules {
            for family in rule.families { byFamily[family, default: [:]].merge(rule.numbers) { $1 } }
        }
    }

    fileprivate func numbers(of name: String, _ kind: FontAlternate.Kind, in families: [FontFamily]) -> [Int]? {
        for case .named(let family) in families {
            if let numbers = byFamily[family.lowercased()]?[Key(kind: kind, name: name)] { return numbers }
        }
        return nil
    }
}

// MARK: Units

/// The values of font-relative units (CSS Values 4 §6.1.1) in some fonts. Styles are computed before fonts are opened: the caller
/// measures the fonts whose units a tree uses, and styles it again with the results.
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

/// The shares of the font size that scripts of formulas, and scripts of scripts, have.
package struct ScriptScales: Hashable, Sendable {
    package var first: Float = 0.71, second: Float = 0.5041

    package init() {}
}

/// The descriptors of `@font-face` that fit a font to another one (CSS Fonts 5 §5), as factors of the font size, and its axes.
package struct FontAdjustment: Hashable, Sendable {
    package var size: Float = 1
    /// nil means that of the font.
    package var ascent, descent, lineGap: Float?
    /// `font-feature-settings` and `font-variation-settings`, which the properties of elements override (CSS Fonts 4 §7.2).
    package var features: [FontFeature] = []
    package var variations: [FontVariation] = []

    package init() {}
}
