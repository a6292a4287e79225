// Flexible boxes and alignment (CSS Flexbox 1, Align 3).

func flexProperties() -> [Property] {
    [
        .keywords("flex-direction", .init({ $0.box.flexDirection }, { $0.box.flexDirection = $1 }), flexDirections),
        .value(
            "flex-wrap", "nowrap | wrap | wrap-reverse",
            .init(
                { ($0.box.flexWraps, $0.box.flexWrapReverse) }, { ($0.box.flexWraps, $0.box.flexWrapReverse) = $1 })
        ) { $0.keyword([("nowrap", (false, false)), ("wrap", (true, false)), ("wrap-reverse", (true, true))]) },
        .shorthand("flex-flow", "<'flex-direction'> || <'flex-wrap'>", ["flex-direction", "flex-wrap"]) {
            cursor, parts in
            parts.anyOrder(0..<2, &cursor)
        },
        .value("flex-grow", "<number [0,∞]>", .init({ $0.box.flexGrow }, { $0.box.flexGrow = $1 })) {
            $0.number(atLeast: 0).map(ValueCursor.clamped)
        },
        .value("flex-shrink", "<number [0,∞]>", .init({ $0.box.flexShrink }, { $0.box.flexShrink = $1 })) {
            $0.number(atLeast: 0).map(ValueCursor.clamped)
        },
        .value("flex-basis", "content | <'width'>", .init({ $0.box.flexBasis }, { $0.box.flexBasis = $1 })) {
            $0.keyword("content") ? .content : $0.size()
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
        .value("order", "<integer>", .init({ $0.box.order }, { $0.box.order = $1 })) { $0.integer() },
        .value("justify-content", alignmentSyntax, .init({ $0.box.justifyContent }, { $0.box.justifyContent = $1 })) {
            $0.boxAlignment(.justifyContent)
        },
        .value("align-items", alignmentSyntax, .init({ $0.box.alignItems }, { $0.box.alignItems = $1 })) {
            $0.boxAlignment(.items)
        },
        .value("align-content", alignmentSyntax, .init({ $0.box.alignContent }, { $0.box.alignContent = $1 })) {
            $0.boxAlignment(.content)
        },
        .value("align-self", "auto | \(alignmentSyntax)", .init({ $0.box.alignSelf }, { $0.box.alignSelf = $1 })) {
            $0.keyword("auto") ? .some(nil) : $0.boxAlignment(.items).map { .some($0) }
        },
        .shorthand("place-content", "<'align-content'> <'justify-content'>?", ["align-content", "justify-content"]) {
            cursor, parts in parts.pair(&cursor)
        },
        .value("row-gap", "normal | <length-percentage [0,∞]>", .init({ $0.box.rowGap }, { $0.box.rowGap = $1 })) {
            $0.keyword("normal") ? .zero : $0.lengthPercentage(atLeast: 0)
        },
        .value(
            "column-gap", "normal | <length-percentage [0,∞]>", .init({ $0.box.columnGap }, { $0.box.columnGap = $1 })
        ) { $0.keyword("normal") ? .zero : $0.lengthPercentage(atLeast: 0) },
        pair("gap", ["row-gap", "column-gap"]),
        .alias("grid-gap", of: "gap"),
        .alias("grid-row-gap", of: "row-gap"),
        .alias("grid-column-gap", of: "column-gap"),
    ]
}

private let alignmentSyntax =
    "normal | stretch | <baseline-position> | <content-distribution> | <overflow-position>? <content-position>"

private let flexDirections: [(StaticString, BoxStyle.FlexDirection)] = [
    ("row", .row), ("row-reverse", .rowReverse), ("column", .column), ("column-reverse", .columnReverse),
]

extension ValueCursor {
    fileprivate enum AlignmentUse: Sendable { case justifyContent, content, items }

    fileprivate mutating func boxAlignment(_ use: AlignmentUse) -> BoxStyle.BoxAlignment? {
        if keyword("normal") { return .normal }
        if keyword("stretch") { return .stretch }
        if use != .items,
            let value = keyword(
                [
                    ("space-between", BoxStyle.BoxAlignment.spaceBetween), ("space-around", .spaceAround),
                    ("space-evenly", .spaceEvenly),
                ] as [(StaticString, BoxStyle.BoxAlignment)])
        {
            return value
        }
        if use != .justifyContent {
            let isFirstOrLast = keyword("first") || keyword("last")
            if keyword("baseline") { return .baseline }
            if isFirstOrLast { return nil }
        }
        _ = keyword("safe") || keyword("unsafe")
        if let value = keyword(
            [
                ("center", BoxStyle.BoxAlignment.center), ("start", .start), ("end", .end), ("flex-start", .flexStart),
                ("flex-end", .flexEnd),
            ] as [(StaticString, BoxStyle.BoxAlignment)])
        {
            return value
        }
        switch use {
        case .justifyContent: return keyword([("left", .left), ("right", .right)])
        case .items: return keyword([("self-start", .start), ("self-end", .end)])
        case .content: return nil
        }
    }
}
