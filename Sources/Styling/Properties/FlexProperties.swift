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
    ]
}

private let flexDirections: [(StaticString, BoxStyle.FlexDirection)] = [
    ("row", .row), ("row-reverse", .rowReverse), ("column", .column), ("column-reverse", .columnReverse),
]
