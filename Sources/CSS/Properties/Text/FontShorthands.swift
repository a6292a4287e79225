// The shorthands of fonts (CSS Fonts 4 §2.8, §6.11, §7.4).

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

extension ValueCursor {
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
