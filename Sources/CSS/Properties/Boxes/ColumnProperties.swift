// Text in columns, gaps, breaks (CSS Multi-column 2, CSS Box Alignment 3 §8, CSS Fragmentation 3).

func columnProperties() -> [Property] {
    [
        gap("row-gap", \.box.rowGap, \.own.hasNormalRowGap),
        gap("column-gap", \.box.columnGap, \.own.hasNormalColumnGap),
        pair("gap", ["row-gap", "column-gap"]),
        .alias("grid-gap", of: "gap"), .alias("grid-row-gap", of: "row-gap"),
        .alias("grid-column-gap", of: "column-gap"),
        .optional("column-width", { $1(&$0.box.columns.width) }, "auto") { $0.length(atLeast: 0) },
        .optional("column-count", { $1(&$0.box.columns.count) }, "auto") { $0.integer(atLeast: 1) },
        .optional("column-height", { $1(&$0.box.columns.height) }, "auto") { $0.length(atLeast: 0) },
        .keywords("column-wrap", { $1(&$0.box.columns.wraps) }, [("auto", nil), ("nowrap", false), ("wrap", true)]),
        .shorthand("columns", ["column-width", "column-count", "column-height", "column-wrap"]) { cursor, parts in
            // `auto` may be the value of either.
            var (seen, autos): (Set<Int>, Int) = ([], 0)
            while true {
                if cursor.keyword("auto") { autos += 1 } else if !parts.takeOnce([1, 0], &seen, &cursor) { break }
            }
            return 1...2 ~= autos + seen.count && (cursor.isAtEnd || cursor.slash() && parts.take(2, &cursor))
        },
        .keywords(
            "column-fill", { $1(&$0.box.columns.fillsInOrder) },
            [("balance", false), ("balance-all", false), ("auto", true)]),
        .flag("column-span", { $1(&$0.box.columns.spansAll) }, "none", "all"),
        .keywords("column-rule-style", { $1(&$0.box.columns.ruleStyle) }),
        .value("column-rule-width", { $1(&$0.box.columns.ruleWidth) }) { $0.lineWidth() },
        .value("column-rule-color", { $1(&$0.box.columns.ruleColor) }) { $0.colorOrCurrent() },
        border("column-rule", ["column-rule"]),
        .keywords("break-before", { $1(&$0.box.columns.breakBefore) }, also: oldBreaks),
        .keywords("break-after", { $1(&$0.box.columns.breakAfter) }, also: oldBreaks),
        .keywords("break-inside", { $1(&$0.box.columns.breakInside) }, also: [("avoid-region", .auto)]),
        .optional("page", { $1(&$0.box.columns.page) }, "auto") { $0.customIdent() },
        .value("string-set", { $1(&$0.box.columns.strings) }) { cursor in
            if cursor.keyword("none") { return [] }
            return cursor.commaList { cursor in
                cursor.customIdent(except: ["none"]).flatMap { name in
                    cursor.contentParts(allowsText: true).map { StringAssignment(name: name, parts: $0) }
                }
            }
        },
        leastLines("orphans") { $1(&$0.text.orphans) }, leastLines("widows") { $1(&$0.text.widows) },
    ]
        + ["before", "after", "inside"].flatMap { name in
            ["page-break-", "-webkit-column-break-"].map { Property.alias($0 + name, of: "break-" + name) }
        }
}

private func leastLines(_ name: String, _ field: @escaping StyleField<Int16>) -> Property {
    .value(name, inherited: true, field) { $0.integer(atLeast: 1).map { Int16(min($0, 1000)) } }
}

/// `always` is the old keyword for a page break; there are no regions here.
private let oldBreaks: [(StaticString, BreakBetween)] = [
    ("always", .page), ("all", .page), ("avoid-region", .auto), ("region", .auto),
]

/// A gap, which is 1em between columns if it is normal, and otherwise nothing.
private func gap(
    _ name: String, _ gap: WritableKeyPath<StyleValues, LengthPercentage> & Sendable,
    _ isNormal: WritableKeyPath<StyleValues, Bool> & Sendable
) -> Property {
    .custom(
        name,
        copy: {
            $0[keyPath: gap] = $1[keyPath: isNormal] ? .zero : $1[keyPath: gap]
            $0[keyPath: isNormal] = $1[keyPath: isNormal]
        }
    ) { cursor, values in
        let hasNormal = cursor.keyword("normal")
        guard let length = hasNormal ? .zero : cursor.lengthPercentage(atLeast: 0) else { return false }
        values[keyPath: gap] = length
        values[keyPath: isNormal] = hasNormal
        return true
    }
}
