// Text in columns, gaps, breaks (CSS Multi-column 1, CSS Box Alignment 3 §8, CSS Fragmentation 3).

func gapProperties() -> [Property] {
    [
        .value(
            "row-gap", gapSyntax, inherited: false, StyleField({ $0.box.rowGap }, { $0.box.rowGap = $1 })
        ) { $0.keyword("normal") ? .zero : $0.lengthPercentage(atLeast: 0) },
        .custom(
            "column-gap", gapSyntax, inherited: false,
            copy: {
                $0.box.columnGap = $1.own.hasNormalColumnGap ? .zero : $1.box.columnGap
                $0.own.hasNormalColumnGap = $1.own.hasNormalColumnGap
            }
        ) { cursor, values in
            let isNormal = cursor.keyword("normal")
            guard let gap = isNormal ? .zero : cursor.lengthPercentage(atLeast: 0) else { return false }
            values.box.columnGap = gap
            values.own.hasNormalColumnGap = isNormal
            return true
        },
        .shorthand("gap", "<'row-gap'>{1,2}", ["row-gap", "column-gap"]) { cursor, parts in parts.pair(&cursor) },
        .alias("grid-gap", of: "gap"),
        .alias("grid-row-gap", of: "row-gap"),
        .alias("grid-column-gap", of: "column-gap"),
    ]
}

func columnProperties() -> [Property] {
    [
        .value(
            "column-width", "auto | <length [0,∞]>", inherited: false,
            StyleField({ $0.box.columns.width }, { $0.box.columns.width = $1 })
        ) { $0.keyword("auto") ? .some(nil) : $0.length(atLeast: 0).map { .some($0) } },
        .value(
            "column-count", "auto | <integer [1,∞]>", inherited: false,
            StyleField({ $0.box.columns.count }, { $0.box.columns.count = $1 })
        ) { $0.keyword("auto") ? .some(nil) : $0.integer(atLeast: 1).map { .some($0) } },
        .shorthand("columns", "<'column-width'> || <'column-count'>", ["column-width", "column-count"]) {
            cursor, parts in
            // `auto` may be the value of either.
            var (hasWidth, hasCount, autos) = (false, false, 0)
            while !cursor.isAtEnd {
                if cursor.keyword("auto") {
                    autos += 1
                } else if !hasCount, parts.take(1, &cursor) {
                    hasCount = true
                } else if !hasWidth, parts.take(0, &cursor) {
                    hasWidth = true
                } else {
                    return false
                }
            }
            return (1...2).contains(autos + (hasWidth ? 1 : 0) + (hasCount ? 1 : 0))
        },
        .keywords(
            "column-fill", inherited: false,
            StyleField({ $0.box.columns.fillsInOrder }, { $0.box.columns.fillsInOrder = $1 }),
            [("balance", false), ("balance-all", false), ("auto", true)]),
        .keywords(
            "column-span", inherited: false,
            StyleField({ $0.box.columns.spansAll }, { $0.box.columns.spansAll = $1 }), [("none", false), ("all", true)]),
        .keywords(
            "column-rule-style", inherited: false,
            StyleField({ $0.box.columns.ruleStyle }, { $0.box.columns.ruleStyle = $1 }), lineStyles),
        .value(
            "column-rule-width", "<line-width>", inherited: false,
            StyleField({ $0.box.columns.ruleWidth }, { $0.box.columns.ruleWidth = $1 })
        ) { $0.lineWidth() },
        .value(
            "column-rule-color", "<color>", inherited: false,
            StyleField({ $0.box.columns.ruleColor }, { $0.box.columns.ruleColor = $1 })
        ) { $0.colorOrCurrent() },
        .shorthand(
            "column-rule", "<line-width> || <line-style> || <color>",
            ["column-rule-width", "column-rule-style", "column-rule-color"]
        ) { cursor, parts in parts.anyOrder(0..<3, &cursor) },
        .keywords(
            "break-before", inherited: false,
            StyleField({ $0.box.columns.breakBefore }, { $0.box.columns.breakBefore = $1 }), breaksBetween),
        .keywords(
            "break-after", inherited: false,
            StyleField({ $0.box.columns.breakAfter }, { $0.box.columns.breakAfter = $1 }), breaksBetween),
        .keywords(
            "break-inside", inherited: false,
            StyleField({ $0.box.columns.breakInside }, { $0.box.columns.breakInside = $1 }),
            [
                ("auto", .auto), ("avoid", .avoid), ("avoid-page", .avoidPage), ("avoid-column", .avoidColumn),
                ("avoid-region", .auto),
            ]),
        .alias("page-break-before", of: "break-before"),
        .alias("page-break-after", of: "break-after"),
        .alias("page-break-inside", of: "break-inside"),
        .alias("-webkit-column-break-before", of: "break-before"),
        .alias("-webkit-column-break-after", of: "break-after"),
        .alias("-webkit-column-break-inside", of: "break-inside"),
        .value(
            "orphans", "<integer [1,∞]>", inherited: true, StyleField({ $0.text.orphans }, { $0.text.orphans = $1 })
        ) { $0.integer(atLeast: 1).map { Int16(min($0, 1000)) } },
        .value(
            "widows", "<integer [1,∞]>", inherited: true, StyleField({ $0.text.widows }, { $0.text.widows = $1 })
        ) { $0.integer(atLeast: 1).map { Int16(min($0, 1000)) } },
    ]
}

private let gapSyntax = "normal | <length-percentage [0,∞]>"

/// `always` is the old keyword for a page break; there are no regions here.
private let breaksBetween: [(StaticString, BreakBetween)] = [
    ("auto", .auto), ("avoid", .avoid), ("avoid-page", .avoidPage), ("avoid-column", .avoidColumn),
    ("page", .page), ("left", .page), ("right", .page), ("recto", .page), ("verso", .page), ("always", .page),
    ("all", .page), ("column", .column), ("avoid-region", .auto), ("region", .auto),
]
