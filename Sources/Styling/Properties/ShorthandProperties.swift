// Shorthands: which part of a value goes to which longhand.

func shorthandProperties() -> [Property] {
    [
        sides("margin", "<'margin-top'>{1,4}", ["margin-top", "margin-right", "margin-bottom", "margin-left"]),
        sides("padding", "<'padding-top'>{1,4}", ["padding-top", "padding-right", "padding-bottom", "padding-left"]),
        sides(
            "border-width", "<line-width>{1,4}",
            ["border-top-width", "border-right-width", "border-bottom-width", "border-left-width"]),
        sides(
            "border-style", "<line-style>{1,4}",
            ["border-top-style", "border-right-style", "border-bottom-style", "border-left-style"]),
        sides(
            "border-color", "<color>{1,4}",
            ["border-top-color", "border-right-color", "border-bottom-color", "border-left-color"]),
        pair("margin-block", ["margin-top", "margin-bottom"]),
        logicalPair("margin-inline", ["margin-inline-start", "margin-inline-end"]),
        pair("padding-block", ["padding-top", "padding-bottom"]),
        logicalPair("padding-inline", ["padding-inline-start", "padding-inline-end"]),
        pair("border-block-width", ["border-top-width", "border-bottom-width"]),
        pair("border-block-style", ["border-top-style", "border-bottom-style"]),
        pair("border-block-color", ["border-top-color", "border-bottom-color"]),
        pair("border-inline-width", ["border-left-width", "border-right-width"]),
        pair("border-inline-style", ["border-left-style", "border-right-style"]),
        pair("border-inline-color", ["border-left-color", "border-right-color"]),
        pair("overflow", ["overflow-x", "overflow-y"]),
        pair("gap", ["row-gap", "column-gap"]),
        .alias("grid-gap", of: "gap"),
        .alias("grid-row-gap", of: "row-gap"),
        .alias("grid-column-gap", of: "column-gap"),
        border("border-top", ["border-top-width", "border-top-style", "border-top-color"]),
        border("border-right", ["border-right-width", "border-right-style", "border-right-color"]),
        border("border-bottom", ["border-bottom-width", "border-bottom-style", "border-bottom-color"]),
        border("border-left", ["border-left-width", "border-left-style", "border-left-color"]),
        border(
            "border-inline-start",
            ["border-inline-start-width", "border-inline-start-style", "border-inline-start-color"]),
        border("border-inline-end", ["border-inline-end-width", "border-inline-end-style", "border-inline-end-color"]),
        border("border-block-start", ["border-top-width", "border-top-style", "border-top-color"]),
        border("border-block-end", ["border-bottom-width", "border-bottom-style", "border-bottom-color"]),
        border("outline", ["outline-width", "outline-style", "outline-color"]),
        border("border", allBorders),
        border(
            "border-block",
            [
                "border-top-width", "border-top-style", "border-top-color", "border-bottom-width",
                "border-bottom-style", "border-bottom-color",
            ]),
        border(
            "border-inline",
            [
                "border-left-width", "border-left-style", "border-left-color", "border-right-width",
                "border-right-style", "border-right-color",
            ]),
        .shorthand(
            "border-radius", "<length-percentage [0,∞]>{1,4} [ / <length-percentage [0,∞]>{1,4} ]?",
            [
                "border-top-left-radius", "border-top-right-radius", "border-bottom-right-radius",
                "border-bottom-left-radius",
            ]
        ) { cursor, parts in
            guard cursor.cornerRadii() != nil else { return false }
            parts.parts = (0..<4).map { corner in
                .reader { cursor, values in
                    guard let radii = cursor.cornerRadii() else { return false }
                    values.own.radii[corner] = radii[corner]
                    return true
                }
            }
            return true
        },
        // The part of `vertical-align` that is computed; the other one is its own.
        .shorthand(
            "baseline-shift", "sub | super | baseline | top | center | bottom | <length-percentage>",
            ["vertical-align"]
        ) { cursor, parts in
            let keyword = cursor.keyword(
                [
                    ("baseline", .baseline), ("sub", .sub), ("super", .super), ("top", .top), ("center", .middle),
                    ("bottom", .bottom),
                ] as [(StaticString, VerticalAlign)])
            guard let value = keyword ?? cursor.lengthPercentage().map({ .length($0) }) else { return false }
            parts.parts[0] = ShorthandParts.set { $0.box.verticalAlign = value }
            return true
        },
        .shorthand(
            "list-style", "<'list-style-position'> || <'list-style-image'> || <'list-style-type'>",
            ["list-style-position", "list-style-image", "list-style-type"]
        ) { cursor, parts in
            // `none` may stand for the image, the type or both.
            var nones = 0
            var seen: Set<Int> = []
            outer: while !cursor.isAtEnd {
                if cursor.keyword("none") {
                    nones += 1
                    continue
                }
                for index in 0..<3 where !seen.contains(index) && parts.take(index, &cursor) {
                    seen.insert(index)
                    continue outer
                }
                return false
            }
            let open = (seen.contains(1) ? 0 : 1) + (seen.contains(2) ? 0 : 1)
            guard nones <= open, nones + seen.count > 0 else { return false }
            if nones > 0, !seen.contains(2) { parts.parts[2] = ShorthandParts.set { $0.text.listStyleType = .none } }
            return true
        },
        .shorthand(
            "text-decoration",
            "<'text-decoration-line'> || <'text-decoration-thickness'> || <'text-decoration-style'> || <'text-decoration-color'>",
            ["text-decoration-line", "text-decoration-style", "text-decoration-color", "text-decoration-thickness"]
        ) { cursor, parts in
            parts.anyOrder(0..<4, &cursor)
        },
        .alias("-webkit-text-decoration", of: "text-decoration"),
        .shorthand(
            "text-emphasis", "<'text-emphasis-style'> || <'text-emphasis-color'>",
            ["text-emphasis-style", "text-emphasis-color"]
        ) { cursor, parts in
            parts.anyOrder(0..<2, &cursor)
        },
        .alias("-webkit-text-emphasis", of: "text-emphasis"),
        .alias("-webkit-text-emphasis-style", of: "text-emphasis-style"),
        .alias("-webkit-text-emphasis-color", of: "text-emphasis-color"),
        .shorthand(
            "-webkit-text-stroke", "<line-width> || <color>",
            ["-webkit-text-stroke-width", "-webkit-text-stroke-color"]
        ) { cursor, parts in
            parts.anyOrder(0..<2, &cursor)
        },
        .shorthand(
            "white-space",
            "normal | pre | pre-wrap | pre-line | nowrap | break-spaces | <'white-space-collapse'> || <'text-wrap-mode'>",
            ["white-space-collapse", "text-wrap-mode"]
        ) { cursor, parts in
            if let (collapse, wraps) = cursor.keyword(whiteSpaces) {
                parts.parts = [
                    ShorthandParts.set { $0.text.whiteSpaceCollapse = collapse },
                    ShorthandParts.set { $0.text.wraps = wraps },
                ]
                return true
            }
            return parts.anyOrder(0..<2, &cursor)
        },
        .shorthand("text-wrap", "<'text-wrap-mode'> || <'text-wrap-style'>", ["text-wrap-mode", "text-wrap-style"]) {
            cursor, parts in
            parts.anyOrder(0..<2, &cursor)
        },
        .shorthand("flex-flow", "<'flex-direction'> || <'flex-wrap'>", ["flex-direction", "flex-wrap"]) {
            cursor, parts in
            parts.anyOrder(0..<2, &cursor)
        },
        .shorthand(
            "flex", "none | [ <'flex-grow'> <'flex-shrink'>? || <'flex-basis'> ]",
            ["flex-grow", "flex-shrink", "flex-basis"]
        ) { cursor, parts in
            parts.parts = [
                ShorthandParts.set { $0.box.flexGrow = 1 }, ShorthandParts.set { $0.box.flexShrink = 1 },
                ShorthandParts.set { $0.box.flexBasis = .length(.zero) },
            ]
            if cursor.keyword("none") {
                parts.parts = [
                    ShorthandParts.set { $0.box.flexGrow = 0 }, ShorthandParts.set { $0.box.flexShrink = 0 },
                    ShorthandParts.set { $0.box.flexBasis = .auto },
                ]
                return true
            }
            var (hasGrow, hasBasis) = (false, false)
            while !cursor.isAtEnd {
                if !hasGrow, parts.take(0, &cursor) {
                    hasGrow = true
                    _ = parts.take(1, &cursor)
                } else if !hasBasis, parts.take(2, &cursor) {
                    hasBasis = true
                } else {
                    return false
                }
            }
            return hasGrow || hasBasis
        },
        .shorthand("place-content", "<'align-content'> <'justify-content'>?", ["align-content", "justify-content"]) {
            cursor, parts in
            guard parts.take(0, &cursor) else { return false }
            parts.parts[1] = parts.parts[0]
            return cursor.isAtEnd || parts.take(1, &cursor)
        },
        .shorthand(
            "font-variant",
            "normal | none | [ <common-lig> || … || <font-variant-caps> || <font-variant-numeric> || <font-variant-east-asian> || <font-variant-position> || <font-variant-emoji> ]",
            fontVariantLonghands
        ) { cursor, parts in
            guard cursor.fontVariant() != nil else { return false }
            parts.parts = (0..<7).map { index in
                .reader { cursor, values in
                    guard let variant = cursor.fontVariant() else { return false }
                    variant.store(index, &values)
                    return true
                }
            }
            return true
        },
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

private func sides(_ name: StaticString, _ syntax: String, _ longhands: [StaticString]) -> Property {
    .shorthand(name, syntax, longhands) { cursor, parts in parts.fourSides(&cursor) }
}

private func pair(_ name: StaticString, _ longhands: [StaticString]) -> Property {
    .shorthand(name, "<'\(longhands[0])'>{1,2}", longhands) { cursor, parts in parts.pair(&cursor) }
}

/// The longhands are flow-relative: values are tried with the physical ones, which have the same grammar.
private func logicalPair(_ name: StaticString, _ longhands: [StaticString]) -> Property {
    .shorthand(name, "<'\(longhands[0])'>{1,2}", longhands) { cursor, parts in parts.pair(&cursor) }
}

/// Width, style, colour in any order, the same for each group of three longhands.
private func border(_ name: StaticString, _ longhands: [StaticString]) -> Property {
    .shorthand(name, "<line-width> || <line-style> || <color>", longhands) { cursor, parts in
        guard parts.anyOrder(0..<3, &cursor) else { return false }
        for index in 3..<max(3, longhands.count) { parts.parts[index] = parts.parts[index % 3] }
        return true
    }
}

private let allBorders: [StaticString] = [
    "border-top-width", "border-top-style", "border-top-color", "border-right-width", "border-right-style",
    "border-right-color",
    "border-bottom-width", "border-bottom-style", "border-bottom-color", "border-left-width", "border-left-style",
    "border-left-color",
]

private let whiteSpaces: [(StaticString, (WhiteSpaceCollapse, Bool))] = [
    ("normal", (.collapse, true)), ("pre", (.preserve, false)), ("nowrap", (.collapse, false)),
    ("pre-wrap", (.preserve, true)),
    ("pre-line", (.preserveBreaks, true)), ("break-spaces", (.breakSpaces, true)),
    ("-webkit-nowrap", (.collapse, false)),
]

// MARK: Fonts

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

    /// Stores what belongs to one of ``fontVariantLonghands``.
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
        outer: while !isAtEnd {
            for (index, group) in ligatureGroups.enumerated() {
                if let features = keyword(group) {
                    guard once(index) else { return nil }
                    result.ligatures += features
                    continue outer
                }
            }
            for (index, group) in numericGroups.enumerated() {
                if let features = keyword(group) {
                    guard once(10 + index) else { return nil }
                    result.numeric += features
                    continue outer
                }
            }
            for (index, group) in eastAsianGroups.enumerated() {
                if let features = keyword(group) {
                    guard once(20 + index) else { return nil }
                    result.eastAsian += features
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

    /// The four corners, clockwise from the top left.
    fileprivate mutating func cornerRadii() -> [CornerRadius]? {
        func four() -> [LengthPercentage]? {
            var values: [LengthPercentage] = []
            while values.count < 4, let value = lengthPercentage(atLeast: 0) { values.append(value) }
            switch values.count {
            case 1: return Array(repeating: values[0], count: 4)
            case 2: return [values[0], values[1], values[0], values[1]]
            case 3: return [values[0], values[1], values[2], values[1]]
            case 4: return values
            default: return nil
            }
        }
        guard let x = four() else { return nil }
        var y = x
        if slash() {
            guard let second = four() else { return nil }
            y = second
        }
        return (0..<4).map { index in
            var radius = CornerRadius()
            radius.x = x[index]
            radius.y = y[index]
            return radius
        }
    }
}
