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
            let isNone = cursor.keyword("none")
            // 0%: the contents decide where the container's size is indefinite.
            let basis = isNone ? .auto : SizeValue.length(LengthPercentage(fraction: Float(MathValue.zeroPercent)))
            parts.parts = [
                .set { $0.box.flexGrow = isNone ? 0 : 1 }, .set { $0.box.flexShrink = isNone ? 0 : 1 },
                .set { $0.box.flexBasis = basis },
            ]
            if isNone { return true }
            var seen: Set<Int> = []
            while !cursor.isAtEnd {
                let hadGrow = seen.contains(0)
                guard parts.takeOnce([0, 2], &seen, &cursor) else { return false }
                if !hadGrow, seen.contains(0) { _ = parts.take(1, &cursor) }
            }
            return !seen.isEmpty
        },
        .value("order", { $1(&$0.box.order) }) { $0.integer() },
        content("justify-content", .justifyContent, { $1(&$0.box.justifyContent) }),
        content("align-content", .alignContent, { $1(&$0.box.alignContent) }),
        content("justify-items", .justifyItems, { $1(&$0.box.justifyItems) }),
        content("align-items", .alignItems, { $1(&$0.box.alignItems) }),
        own("justify-self", .justifySelf, { $1(&$0.box.justifySelf) }),
        own("align-self", .alignSelf, { $1(&$0.box.alignSelf) }),
        place("place-content", ["align-content", "justify-content"]),
        place("place-items", ["align-items", "justify-items"]),
        place("place-self", ["align-self", "justify-self"]),
    ]
}

/// The alignment of a container's contents, or of all its items.
private func content(
    _ name: String, _ use: SafeAlignments, _ field: @escaping StyleField<BoxStyle.BoxAlignment>
) -> Property { .value(name, withSafety(of: use, field)) { $0.boxAlignment(use) } }

/// A property of one item; `nil` is `auto`, the container's value.
private func own(
    _ name: String, _ use: SafeAlignments, _ field: @escaping StyleField<BoxStyle.BoxAlignment?>
) -> Property {
    .value(name, withSafety(of: use, field)) { $0.keyword("auto") ? (nil, nil) : $0.boxAlignment(use).map { ($0, $1) } }
}

private func withSafety<Alignment>(
    of use: SafeAlignments, _ field: @escaping StyleField<Alignment>
) -> StyleField<(Alignment, Bool?)> {
    { values, body in
        var isSafe = values.box.safeAlignments[use]
        field(&values) { alignment in
            var both = (alignment, isSafe)
            body(&both)
            (alignment, isSafe) = both
        }
        values.box.safeAlignments[use] = isSafe
    }
}

/// A shorthand for both axes. `start` replaces `justify-content`'s missing baseline alignment (CSS Box Alignment 3 §5.3).
private func place(_ name: String, _ longhands: [String]) -> Property {
    .shorthand(name, longhands) { cursor, parts in
        var other = cursor
        guard parts.take(0, &cursor) else { return false }
        guard cursor.isAtEnd else { return parts.take(1, &cursor) }
        if parts.take(1, &other), other.isAtEnd { return true }
        parts.parts[1] = .set {
            $0.box.justifyContent = .start
            $0.box.safeAlignments[.justifyContent] = nil
        }
        return true
    }
}

extension ValueCursor {
    fileprivate mutating func boxAlignment(_ use: SafeAlignments) -> (BoxStyle.BoxAlignment, Bool?)? {
        let isContent = use == .justifyContent || use == .alignContent
        let isInlineAxis = use == .justifyContent || use == .justifyItems || use == .justifySelf
        func one(of allowed: [BoxStyle.BoxAlignment]) -> BoxStyle.BoxAlignment? {
            attempt { $0.keyword().flatMap { allowed.contains($0) ? $0 : nil } }
        }
        let distributions: [BoxStyle.BoxAlignment] = isContent ? [.spaceBetween, .spaceAround, .spaceEvenly] : []
        if let value = one(of: [.normal, .stretch] + distributions) { return (value, nil) }
        if use != .justifyContent {
            let written = choice("first", "last")
            if keyword("baseline") { return (written == true ? .lastBaseline : .baseline, nil) }
            if written != nil { return nil }
        }
        if use == .justifyItems {
            // The keyword only affects items that inherit it from an ancestor; no element relies on that.
            if keyword("legacy") { return (one(of: [.left, .right, .center]) ?? .normal, nil) }
            let start = index
            if let side = one(of: [.left, .right, .center]), keyword("legacy") { return (side, nil) }
            rewind(to: start)
        }
        let isSafe = choice("unsafe", "safe")
        var positions: [BoxStyle.BoxAlignment] = [.center, .start, .end, .flexStart, .flexEnd]
        if !isContent { positions += [.selfStart, .selfEnd] }
        if isInlineAxis { positions += [.left, .right] }
        return one(of: positions).map { ($0, isSafe) }
    }
}
