// The shorthands of fonts (CSS Fonts 4 §2.8, §6.11, §7.4).

func fontShorthands() -> [Property] {
    [
        .shorthand(
            "font-synthesis", "none | [ weight || style || small-caps || position ]",
            ["font-synthesis-weight", "font-synthesis-style", "font-synthesis-small-caps"]
        ) { cursor, parts in
            parts.parts = [
                ShorthandParts.set { $0.font.synthesizesWeight = false },
                ShorthandParts.set { $0.font.synthesizesStyle = false },
                ShorthandParts.set { $0.font.synthesizesSmallCaps = false },
            ]
            if cursor.keyword("none") { return true }
            var count = 0
            var seen: Set<Int> = []
            while let index = cursor.keyword([("weight", 0), ("style", 1), ("small-caps", 2), ("position", 3)]) {
                guard seen.insert(index).inserted else { return false }
                if index < 3 { parts.parts[index] = .initial }
                count += 1
            }
            return count > 0
        },
        .shorthand(
            "font-variant",
            "normal | none | [ <common-lig> || … || <font-variant-caps> || <font-variant-numeric> || <font-variant-east-asian> || <font-variant-position> || <font-variant-emoji> ]",
            fontVariantLonghands, read: { $0.fontVariant() }, store: { $0.store($1, &$2) }),
        .shorthand(
            "font",
            "[ [ <'font-style'> || <font-variant-css2> || <'font-weight'> || <font-stretch-css3> ]? <'font-size'> [ / <'line-height'> ]? <'font-family'># ] | <system-family-name>",
            fontLonghands
        ) { cursor, parts in
            cursor.fontShorthand(&parts)
        },
        .shorthand("all", "initial | inherit | unset | revert | revert-layer", []) { _, _ in false },
    ]
}

private let fontVariantLonghands: [StaticString] = [
    "font-variant-caps", "font-variant-ligatures", "font-variant-numeric", "font-variant-east-asian",
    "font-variant-alternates",
    "font-variant-position", "font-variant-emoji",
]

private struct FontVariant {
    var caps = FontCaps.normal
    var ligatures: [FontFeature] = []
    var numeric: [FontFeature] = []
    var eastAsian: [FontFeature] = []
    var alternates: [FontFeature] = []
    var position: [FontFeature] = []
    var emoji: Bool?

    /// Stores the values of one of ``fontVariantLonghands``.
    func store(_ longhand: Int, _ values: inout StyleValues) {
        switch longhand {
        case 0: values.font.caps = caps
        case 1: values.inherited.ligatures = ligatures
        case 2: values.inherited.numeric = numeric
        case 3: values.inherited.eastAsian = eastAsian
        case 4: values.inherited.alternates = alternates
        case 5: values.inherited.position = position
        default: values.font.prefersEmoji = emoji
        }
    }
}

private let fontLonghands: [StaticString] = [
    "font-style", "font-variant-caps", "font-weight", "font-stretch", "font-size", "line-height", "font-family",
    "font-variant-ligatures", "font-variant-numeric", "font-variant-east-asian", "font-variant-alternates",
    "font-variant-position",
    "font-variant-emoji", "font-feature-settings", "font-variation-settings", "font-kerning", "font-optical-sizing",
    "font-size-adjust",
]

extension ValueCursor {
    /// The keywords of all `font-variant-*` in any order; of each group at most one.
    fileprivate mutating func fontVariant() -> FontVariant? {
        var result = FontVariant()
        if keyword("normal") { return result }
        if keyword("none") {
            result.ligatures = noLigatures
            return result
        }
        var seen: Set<Int> = []
        func once(_ group: Int) -> Bool { seen.insert(group).inserted }
        let groups = [
            (0, ligatureGroups, \FontVariant.ligatures), (10, numericGroups, \.numeric),
            (20, eastAsianGroups, \.eastAsian),
        ]
        outer: while !isAtEnd {
            for (first, groups, field) in groups {
                for (index, group) in groups.enumerated() {
                    guard let features = keyword(group) else { continue }
                    guard once(first + index) else { return nil }
                    result[keyPath: field] += features
                    continue outer
                }
            }
            if let caps = keyword(Array(capsKeywords.dropFirst())) {
                guard once(30) else { return nil }
                result.caps = caps
            } else if let position = keyword(
                [("sub", feature("subs")), ("super", feature("sups"))] as [(StaticString, FontFeature)])
            {
                guard once(31) else { return nil }
                result.position = [position]
            } else if let emoji = keyword(
                [("text", false), ("emoji", true), ("unicode", nil)] as [(StaticString, Bool?)])
            {
                guard once(32) else { return nil }
                result.emoji = emoji
            } else {
                guard once(33), !isKeyword("normal"), let alternates = alternates() else { return nil }
                result.alternates = alternates
            }
        }
        return seen.isEmpty ? nil : result
    }

    /// CSS Fonts 4 §2.8: up to four of style, caps, weight and stretch (or `normal`), the size, a line height, families.
    fileprivate mutating func fontShorthand(_ parts: inout ShorthandParts) -> Bool {
        if let system = keyword(
            [
                ("caption", 13), ("icon", 13), ("menu", 13), ("message-box", 13), ("small-caption", 11),
                ("status-bar", 13),
            ] as [(StaticString, Float)])
        {
            parts.parts[4] = ShorthandParts.set { values in
                values.font.size = system
                values.inherited.sizeOrigin = .absolute
            }
            parts.parts[6] = ShorthandParts.set { $0.font.families = [.generic(.systemUI)] }
            return true
        }
        var seen: Set<Int> = []
        for _ in 0..<4 {
            if keyword("normal") { continue }
            let start = index
            if !seen.contains(1), keyword("small-caps") {
                seen.insert(1)
                parts.parts[1] = .tokens(start..<index)
            } else if !seen.contains(3), token?.kind == .ident, parts.take(3, &self) {
                seen.insert(3)
            } else if !seen.contains(0), parts.take(0, &self) {
                seen.insert(0)
            } else if !seen.contains(2), parts.take(2, &self) {
                seen.insert(2)
            } else {
                break
            }
        }
        guard parts.take(4, &self) else { return false }
        if slash(), !parts.take(5, &self) { return false }
        return parts.take(6, &self)
    }
}
