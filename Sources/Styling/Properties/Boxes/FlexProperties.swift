// Flexible boxes and alignment (CSS Flexbox 1, Align 3).

func flexProperties() -> [Property] {
    [
        .keywords("flex-direction", { $1(&$0.box.flexDirection) }),
        .value("flex-wrap", both({ $1(&$0.box.flexWraps) }, { $1(&$0.box.flexWrapReverse) })) {
            $0.keyword([("nowrap", (false, false)), ("wrap", (true, false)), ("wrap-reverse", (true, true))])
        },
        .anyOrder("flex-flow", ["flex-direction", "flex-wrap"]),
        .value("flex-grow", { $1(&$0.box.flexGrow) }) { $0.number(atLeast: 0).map(ValueCursor.clamped) },
        .value("flex-shrink", { $1(&$0.box.flexShrink) }) { $0.number(atLeast: 0).map(ValueCursor.clamped) },
        .value("flex-basis", { $1(&$0.box.flexBasis) }) { $0.keyword("content") ? .content : $0.size() },
        .shorthand("flex", ["flex-grow", "flex-shrink", "flex-basis"]) { cursor, parts in
            // 0%: the contents decide where the container's size is indefinite.
            let zeroShare = Float(MathValue.zeroPercent)
            let isNone = cursor.keyword("none")
            parts.parts = [
                ShorthandParts.set { $0.box.flexGrow = isNone ? 0 : 1 },
                ShorthandParts.set { $0.box.flexShrink = isNone ? 0 : 1 },
                ShorthandParts.set {
                    $0.box.flexBasis = isNone ? .auto : .length(LengthPercentage(fraction: zeroShare))
                },
            ]
            if isNone { return true }
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
        .value("order", { $1(&$0.box.order) }) { $0.integer() },
    ]
}
