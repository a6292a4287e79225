// Fonts (CSS Fonts 4). All properties of fonts inherit, and are computed before other properties.

/// Computed before all others, because it changes the lengths that they inherit and are relative to.
func zoomProperty() -> Property {
    .custom(
        "zoom", stage: .fonts, copy: { _, _ in },
        read: { cursor, values in
            let isNormal = cursor.keyword("normal") || cursor.keyword("reset")
            guard let value = isNormal ? 1 : cursor.numberOrPercentage(atLeast: 0) else { return false }
            // 0 counts as 1 (CSS Viewport 1 §6).
            values.zoom(by: value > 0 ? min(1000, max(0.001, ValueCursor.clamped(value))) : 1)
            return true
        })
}

func fontProperties() -> [Property] {
    [
        .value("font-family", both({ $1(&$0.font.families) }, { $1(&$0.inherited.isMonospace) })) {
            $0.families().map { ($0, $0 == [.generic(.monospace)]) }
        },
        .custom("font-size", both({ $1(&$0.font.size) }, { $1(&$0.inherited.sizeOrigin) })) { $0.fontSize(&$1) },
        .custom("font-weight", both({ $1(&$0.font.weight) }, { $1(&$0.inherited.weightSteps) })) { $0.fontWeight(&$1) },
        .value("font-style", { $1(&$0.font.slant) }) { cursor in
            if let isItalic = cursor.choice("normal", "italic") { return isItalic ? .italic : .normal }
            guard cursor.keyword("oblique") else { return nil }
            guard let angle = cursor.angle() else { return .oblique(14) }
            return (-90...90).contains(angle) ? .oblique(Float(angle)) : nil
        },
        .value("font-stretch", { $1(&$0.font.stretch) }) {
            $0.keyword(stretches) ?? $0.percentage(atLeast: 0).map { Float(min($0, 100) * 100) }
        },
        .alias("font-width", of: "font-stretch"),
        .value("font-variation-settings", { $1(&$0.font.variations) }) { $0.variations() },
        .flag("font-optical-sizing", { $1(&$0.font.opticalSizing) }, "none", "auto"),
        .value("font-size-adjust", { $1(&$0.font.sizeAdjust) }) { cursor in
            if cursor.keyword("none") { return .some(nil) }
            let others: [StaticString] = ["cap-height", "ch-width", "ic-width", "ic-height"]
            let isKnown = cursor.keyword("ex-height") || !others.contains { cursor.keyword($0) }
            if cursor.keyword("from-font") { return .some(nil) }
            return cursor.number(atLeast: 0).map { isKnown ? Float($0) : nil }
        },
        .flag("font-synthesis-weight", { $1(&$0.font.synthesizesWeight) }, "none", "auto"),
        .keywords(
            "font-synthesis-style", { $1(&$0.font.synthesizesStyle) },
            [("auto", true), ("none", false), ("oblique-only", true)]),
        .flag("font-synthesis-small-caps", { $1(&$0.font.synthesizesSmallCaps) }, "none", "auto"),
        // The language of the text, from `lang`; not for authors.
        .value("-ft-lang", { $1(&$0.font.language) }) { $0.string() },
        .keywords("direction", { $1(&$0.text.direction) }, [("ltr", .ltr), ("rtl", .rtl)]),
        .value("writing-mode", { $1(&$0.text.writingMode) }) { cursor in
            let mode = cursor.keyword(writingModes)
            return cursor.context.hasVerticalLines ? mode : mode.map { _ in .horizontalTB }
        },
        .keywords(
            "text-orientation", { $1(&$0.text.orientation) },
            also: [("sideways-right", .sideways), ("vertical-right", .mixed)]),
        .value("text-combine-upright", { $1(&$0.text.combineUpright) }) { cursor in
            if let isAll = cursor.choice("none", "all") { return isAll ? .all : CombineUpright.none }
            guard cursor.keyword("digits") else { return nil }
            return cursor.isAtEnd ? .digits(2) : cursor.integer(atLeast: 2).flatMap { $0 <= 4 ? .digits($0) : nil }
        },
    ]
}

func fontFeatureProperties() -> [Property] {
    [
        .keywords("font-variant-caps", { $1(&$0.font.caps) }, capsKeywords),
        .value("font-variant-ligatures", { $1(&$0.inherited.ligatures) }) {
            $0.keyword("none") ? noLigatures : $0.features(ligatureGroups)
        },
        .value("font-variant-numeric", { $1(&$0.inherited.numeric) }) { $0.features(numericGroups) },
        .value("font-variant-east-asian", { $1(&$0.inherited.eastAsian) }) { $0.features(eastAsianGroups) },
        .value("font-variant-alternates", { $1(&$0.inherited.alternates) }) { $0.alternates() },
        .value("font-variant-position", { $1(&$0.inherited.position) }) { $0.features(positionGroups) },
        .keywords(
            "font-variant-emoji", { $1(&$0.font.prefersEmoji) },
            [("normal", nil), ("text", false), ("emoji", true), ("unicode", nil)]),
        .value("font-feature-settings", { $1(&$0.inherited.featureSettings) }) { $0.featureSettings() },
        .keywords("font-kerning", { $1(&$0.font.kerning) }, [("auto", nil), ("normal", true), ("none", false)]),
        .keywords(
            "text-spacing-trim", inherited: true, { $1(&$0.font.punctuationTrim) },
            [
                ("normal", .normal), ("space-all", .none), ("auto", .normal), ("space-first", .startExceptFirst),
                ("trim-start", .start), ("trim-both", .start), ("trim-all", .start),
            ]
        ).lacking { $0 == "trim-both" || $0 == "trim-all" },
        .value("text-autospace", inherited: true, { $1(&$0.font.autospace) }) { cursor in
            let standard: Autospace = [.letters, .numbers]
            if cursor.keyword("normal") { return standard }
            if cursor.keyword("no-autospace") || cursor.keyword("auto") { return [] }
            let (punctuation, insert, replace) = (
                Autospace(rawValue: 4), Autospace(rawValue: 8), Autospace(rawValue: 16)
            )
            let found: Autospace? = cursor.options([
                ("ideograph-alpha", .letters), ("ideograph-numeric", .numbers), ("punctuation", punctuation),
                ("insert", insert), ("replace", replace),
            ])
            guard let found, !found.isSuperset(of: [insert, replace]) else { return nil }
            return found.isSubset(of: [insert, replace]) ? standard : found.intersection(standard)
        }.lacking { $0.contains("punctuation") || $0.contains("replace") },
    ]
}

package let stretches: [(StaticString, Float)] = [
    ("normal", 100), ("ultra-condensed", 50), ("extra-condensed", 62.5), ("condensed", 75), ("semi-condensed", 87.5),
    ("semi-expanded", 112.5), ("expanded", 125), ("extra-expanded", 150), ("ultra-expanded", 200),
]

package let capsKeywords: [(StaticString, FontCaps)] = [
    ("normal", .normal), ("small-caps", .smallCaps), ("all-small-caps", .allSmallCaps), ("petite-caps", .petiteCaps),
    ("all-petite-caps", .allPetiteCaps), ("unicase", .unicase), ("titling-caps", .titlingCaps),
]

private let writingModes: [(StaticString, WritingMode)] = [
    ("horizontal-tb", .horizontalTB), ("vertical-rl", .verticalRL), ("vertical-lr", .verticalLR),
    ("sideways-rl", .sidewaysRL), ("sideways-lr", .sidewaysLR), ("lr", .horizontalTB), ("lr-tb", .horizontalTB),
    ("rl", .horizontalTB), ("rl-tb", .horizontalTB), ("tb", .verticalRL), ("tb-rl", .verticalRL),
]

/// The weight that `bolder` or `lighter` computes to (CSS Fonts 4 §2.2.1).
func relativeWeight(_ weight: Float, isBolder: Bool) -> Float {
    if isBolder { return weight < 350 ? 400 : weight < 550 ? 700 : max(weight, 900) }
    return weight < 100 ? weight : weight < 550 ? 100 : weight < 750 ? 400 : 700
}

package func openTypeTag(_ text: StaticString) -> UInt32 { (0..<4).reduce(0) { $0 << 8 | UInt32(text.utf8Start[$1]) } }

package func feature(_ tag: StaticString, _ value: UInt32 = 1) -> FontFeature {
    FontFeature(tag: openTypeTag(tag), value: value)
}

/// Groups of keywords; of each group at most one may be given (`font-variant-*`).
package typealias FeatureGroups = [[(StaticString, [FontFeature])]]

let ligatureGroups: FeatureGroups = [
    [
        ("common-ligatures", [feature("liga"), feature("clig")]),
        ("no-common-ligatures", [feature("liga", 0), feature("clig", 0)]),
    ],
    [("discretionary-ligatures", [feature("dlig")]), ("no-discretionary-ligatures", [feature("dlig", 0)])],
    [("historical-ligatures", [feature("hlig")]), ("no-historical-ligatures", [feature("hlig", 0)])],
    [("contextual", [feature("calt")]), ("no-contextual", [feature("calt", 0)])],
]
let noLigatures = ligatureGroups.flatMap { $0[1].1 }
let positionGroups: FeatureGroups = [[("sub", [feature("subs")]), ("super", [feature("sups")])]]
let numericGroups: FeatureGroups = [
    [("lining-nums", [feature("lnum")]), ("oldstyle-nums", [feature("onum")])],
    [("proportional-nums", [feature("pnum")]), ("tabular-nums", [feature("tnum")])],
    [("diagonal-fractions", [feature("frac")]), ("stacked-fractions", [feature("afrc")])],
    [("ordinal", [feature("ordn")])], [("slashed-zero", [feature("zero")])],
]
let eastAsianGroups: FeatureGroups = [
    [
        ("jis78", [feature("jp78")]), ("jis83", [feature("jp83")]), ("jis90", [feature("jp90")]),
        ("jis04", [feature("jp04")]), ("simplified", [feature("smpl")]), ("traditional", [feature("trad")]),
    ],
    [("full-width", [feature("fwid")]), ("proportional-width", [feature("pwid")])],
    [("ruby", [feature("ruby")])],
]

extension ValueCursor {
    static let genericFamilies: [(StaticString, GenericFamily)] = [
        ("serif", .serif), ("sans-serif", .sansSerif), ("monospace", .monospace), ("cursive", .cursive),
        ("fantasy", .fantasy), ("system-ui", .systemUI), ("ui-serif", .serif), ("ui-sans-serif", .sansSerif),
        ("ui-monospace", .monospace), ("ui-rounded", .sansSerif), ("emoji", .emoji), ("math", .math),
        ("fangsong", .serif), ("-webkit-body", .sansSerif),
    ]

    package mutating func families() -> [FontFamily]? {
        commaList { cursor in
            if let name = cursor.string() { return .named(name) }
            if let generic = cursor.keyword(Self.genericFamilies) { return .generic(generic) }
            if cursor.function("generic", { $0.ident() }) != nil { return .generic(.serif) }
            // `inherit` is allowed within a longer name, but not alone.
            guard let first = cursor.customIdent() else { return nil }
            return .named(([first] + cursor.many { $0.ident() }).joined(separator: " "))
        }
    }

    fileprivate mutating func fontWeight(_ values: inout StyleValues) -> Bool {
        if let isBolder = choice("lighter", "bolder") {
            values.font.weight = relativeWeight(Float(context.parentWeight), isBolder: isBolder)
            // More steps than there are weights have no further effect.
            values.inherited.weightSteps = max(-16, min(16, values.inherited.weightSteps + (isBolder ? 1 : -1)))
            return true
        }
        guard let weight = absoluteWeight() else { return false }
        // Written only on a change: a write copies shared storage.
        if values.font.weight != weight { values.font.weight = weight }
        if values.inherited.weightSteps != 0 { values.inherited.weightSteps = 0 }
        return true
    }

    private mutating func absoluteWeight() -> Float? {
        if let weight: Float = keyword([("normal", 400), ("bold", 700)]) { return weight }
        if let token, token.kind == .number {
            return (1...1000).contains(token.number) && number() != nil ? Float(token.number) : nil
        }
        return number().map { Float(max(1, min(1000, $0))) }
    }

    /// `font-size` (CSS Fonts 4 §2.5). The sizes of keywords follow from the default size; monospace has its own default.
    mutating func fontSize(_ values: inout StyleValues) -> Bool {
        if let keyword = keyword(Self.sizeKeywords) {
            values.inherited.sizeOrigin = .keyword(keyword)
            values.font.size = Self.size(ofKeyword: keyword, medium: context.mediumSize)
            return true
        }
        if let factor: Double = keyword([("larger", 1.2), ("smaller", 1 / 1.2), ("math", 1)]) {
            values.inherited.sizeOrigin = values.inherited.sizeOrigin.scaled
            values.font.size = Self.clamped(context.parentFontSize * factor)
            return true
        }
        let isRelative =
            token.map { $0.kind == .percentage || $0.kind == .dimension && Unit(source, $0)?.isShareOfFont == true }
        guard let size = lengthPercentage(atLeast: 0) else { return false }
        values.inherited.sizeOrigin = isRelative == true ? values.inherited.sizeOrigin.scaled : .absolute
        values.font.size = min(100_000, max(0, size.resolved(against: Float(context.parentFontSize))))
        return true
    }

    private static let sizeKeywords: [(StaticString, Int)] = [
        ("xx-small", 1), ("x-small", 2), ("small", 3), ("medium", 4), ("large", 5), ("x-large", 6), ("xx-large", 7),
        ("xxx-large", 8),
    ]

    /// The pixels of a size keyword: with a medium of 13 or 16 pixels by a table that keeps small sizes legible (HTML §15.3.1), else
    /// by the factors of CSS Fonts 4.
    package static func size(ofKeyword keyword: Int, medium: Double) -> Float {
        let exact: [Int: [Float]] = [13: [9, 10, 12, 13, 16, 20, 26, 39], 16: [9, 10, 13, 16, 18, 24, 32, 48]]
        let index = max(1, min(8, keyword)) - 1
        if let table = exact[Int(bounded: medium)], medium == medium.rounded() { return table[index] }
        let factors: [Double] = [0.6, 0.75, 8.0 / 9, 1, 1.2, 1.5, 2, 3]
        return clamped(medium * factors[index])
    }

    package mutating func variations() -> [FontVariation]? {
        if keyword("normal") { return [] }
        var variations: [FontVariation] = []
        repeat {
            guard let tag = openTypeTag(), let value = number() else { return nil }
            variations.removeAll { $0.tag == tag }
            variations.append(FontVariation(tag: tag, value: Float(value)))
        } while comma()
        return variations
    }

    package mutating func featureSettings() -> [FontFeature]? {
        if keyword("normal") { return [] }
        return commaList { cursor in
            guard let tag = cursor.openTypeTag() else { return nil }
            if let isOn = cursor.choice("off", "on") { return FontFeature(tag: tag, value: isOn ? 1 : 0) }
            let hasNumber = cursor.token?.kind == .number || cursor.token?.kind == .function
            return (hasNumber ? cursor.integer(atLeast: 0) : 1).map { FontFeature(tag: tag, value: UInt32($0)) }
        }
    }

    mutating func openTypeTag() -> UInt32? {
        guard let text = string()?.utf8, text.count == 4, text.allSatisfy({ 0x20...0x7E ~= $0 }) else { return nil }
        return text.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// `normal`, or at least one keyword, of each group at most one.
    mutating func features(_ groups: FeatureGroups) -> [FontFeature]? {
        if keyword("normal") { return [] }
        var found = [[FontFeature]?](repeating: nil, count: groups.count)
        guard anyOrder({ $0.once(&found, of: groups) }) else { return nil }
        return found.flatMap { $0 ?? [] }
    }

    /// Reads a keyword of a group that has none yet.
    package mutating func once(_ found: inout [[FontFeature]?], of groups: FeatureGroups) -> Bool {
        groups.indices.contains { once(&found[$0], groups[$0]) }
    }

    /// `font-variant-alternates`. Functions also take numbers in place of names.
    mutating func alternates() -> [FontAlternate]? {
        if keyword("normal") { return [] }
        let found = some { cursor -> FontAlternate? in
            if cursor.keyword("historical-forms") { return FontAlternate(kind: .historicalForms) }
            let kind = cursor.functionName.flatMap { FontAlternate.Kind(rawValue: $0) }
            return kind.flatMap { kind in cursor.arguments { $0.alternate(kind) } }
        }
        return found.flatMap { Set($0.map(\.kind)).count == $0.count ? $0 : nil }
    }

    private mutating func alternate(_ kind: FontAlternate.Kind) -> FontAlternate? {
        var result = FontAlternate(kind: kind)
        repeat {
            if let number = integer(atLeast: 0) {
                result.numbers.append(number)
            } else if let name = customIdent() {
                result.names.append(name)
            } else {
                return nil
            }
        } while kind.takesList && comma()
        return result
    }

    /// The keywords of all `font-variant-*` in any order; of each group at most one.
    fileprivate mutating func fontVariant(_ values: inout StyleValues) -> Bool {
        if keyword("normal") { return true }
        if keyword("none") {
            values.inherited.ligatures = noLigatures
            return true
        }
        let fields: [(FeatureGroups, WritableKeyPath<InheritedCascadeState, [FontFeature]>)] = [
            (ligatureGroups, \.ligatures), (numericGroups, \.numeric), (eastAsianGroups, \.eastAsian),
            (positionGroups, \.position),
        ]
        var found = fields.map { groups, _ in [[FontFeature]?](repeating: nil, count: groups.count) }
        var (caps, emoji, alternates): (FontCaps?, Bool??, [FontAlternate]?)
        let isRead = anyOrder { cursor in
            fields.indices.contains { cursor.once(&found[$0], of: fields[$0].0) }
                || cursor.once(&caps, Array(capsKeywords.dropFirst()))
                || cursor.once(&emoji, [("text", false), ("emoji", true), ("unicode", nil)])
                || !cursor.isKeyword("normal") && cursor.once(&alternates, { $0.alternates() })
        }
        for (field, groups) in zip(fields.map(\.1), found) {
            values.inherited[keyPath: field] = groups.flatMap { $0 ?? [] }
        }
        values.inherited.alternates = alternates ?? []
        values.font.caps = caps ?? .normal
        values.font.prefersEmoji = emoji ?? nil
        return isRead
    }

    /// CSS Fonts 4 §2.8: up to four of style, caps, weight and stretch (or `normal`), the size, a line height, families.
    fileprivate mutating func fontShorthand(_ parts: inout ShorthandParts) -> Bool {
        let systemFonts: [(StaticString, Float)] = [
            ("caption", 13), ("icon", 13), ("menu", 13), ("message-box", 13), ("small-caption", 11), ("status-bar", 13),
        ]
        if let system = keyword(systemFonts) {
            parts.parts[4] = .set { ($0.font.size, $0.inherited.sizeOrigin) = (system, .absolute) }
            parts.parts[6] = .set { $0.font.families = [.generic(.systemUI)] }
            return true
        }
        var seen: Set<Int> = []
        for _ in 0..<4 {
            if keyword("normal") { continue }
            let start = index
            if !seen.contains(1), keyword("small-caps") {
                seen.insert(1)
                parts.parts[1] = .tokens(start..<index)
            } else if !parts.takeOnce(token?.kind == .ident ? [3, 0, 2] : [0, 2], &seen, &self) {
                break
            }
        }
        guard parts.take(4, &self) else { return false }
        if slash(), !parts.take(5, &self) { return false }
        return parts.take(6, &self)
    }
}

func fontShorthands() -> [Property] {
    [
        .shorthand("font-synthesis", names("font-synthesis-", "weight style small-caps")) { cursor, parts in
            parts.parts = [
                .set { $0.font.synthesizesWeight = false }, .set { $0.font.synthesizesStyle = false },
                .set { $0.font.synthesizesSmallCaps = false },
            ]
            if cursor.keyword("none") { return true }
            var seen: Set<Int> = []
            while let index = cursor.keyword([("weight", 0), ("style", 1), ("small-caps", 2), ("position", 3)]) {
                guard seen.insert(index).inserted else { return false }
                if index < 3 { parts.parts[index] = .initial }
            }
            return !seen.isEmpty
        },
        .whole("font-variant", fontVariantLonghands) { cursor, values in cursor.fontVariant(&values) },
        .shorthand("font", fontLonghands) { cursor, parts in cursor.fontShorthand(&parts) },
        .shorthand("all", []) { _, _ in false },
    ]
}

private let fontVariantLonghands = names(
    "font-variant-", "caps ligatures numeric east-asian alternates position emoji")
private let fontLonghands =
    ["font-style", "font-variant-caps", "font-weight", "font-stretch", "font-size", "line-height", "font-family"]
    + fontVariantLonghands.dropFirst()
    + names("font-", "feature-settings variation-settings kerning optical-sizing size-adjust")
