// Values that properties of boxes take: margins, sizes, borders, alignment.

extension ValueCursor {
    mutating func margin() -> LengthPercentage?? {
        keyword("auto") ? .some(nil) : lengthPercentage().map { .some($0) }
    }

    mutating func size(none: StaticString = "auto") -> SizeValue? {
        if keyword(none) { return .auto }
        if let value = keyword(
            [
                ("min-content", SizeValue.minContent), ("max-content", .maxContent), ("fit-content", .fitContent(nil)),
                ("-webkit-fit-content", .fitContent(nil)), ("-webkit-min-content", .minContent),
                ("-webkit-max-content", .maxContent),
                ("min-intrinsic", .minContent), ("intrinsic", .maxContent), ("stretch", .length(.init(fraction: 1))),
                ("-webkit-fill-available", .length(.init(fraction: 1))),
            ] as [(StaticString, SizeValue)])
        {
            return value
        }
        if isFunction("fit-content") {
            return arguments { $0.lengthPercentage(atLeast: 0) }.map { .fitContent($0) }
        }
        return lengthPercentage(atLeast: 0).map { .length($0) }
    }

    mutating func cornerRadius() -> CornerRadius? {
        guard let x = lengthPercentage(atLeast: 0) else { return nil }
        var radius = CornerRadius()
        radius.x = x
        radius.y = x
        if !isAtEnd {
            guard let y = lengthPercentage(atLeast: 0) else { return nil }
            radius.y = y
        }
        return radius
    }

    /// `display` and whether it is one of the old flexible boxes.
    mutating func display(_ isGrid: inout Bool) -> (Display, Bool)? {
        if keyword("inline-grid") {
            isGrid = true
            return (.inlineFlex, false)
        }
        if let display = keyword(Self.singleDisplays) { return (display, false) }
        if let display = keyword(
            [
                ("-webkit-box", Display.webkitBox), ("-webkit-inline-box", .inlineFlex), ("-webkit-flex", .flex),
                ("-webkit-inline-flex", .inlineFlex),
            ] as [(StaticString, Display)])
        {
            return (display, display == .webkitBox)
        }
        var outside: Bool?  // true is inline
        var inside: Inside?
        var isListItem = false
        var count = 0
        while !isAtEnd {
            if outside == nil, let value = keyword([("block", false), ("inline", true)]) {
                outside = value
            } else if inside == nil, let value = keyword(Self.insides) {
                inside = value
            } else if !isListItem, keyword("list-item") {
                isListItem = true
            } else {
                return nil
            }
            count += 1
        }
        guard count > 0 else { return nil }
        if isListItem {
            guard inside == nil || inside == .flow || inside == .flowRoot else { return nil }
            return (outside == true ? (inside == .flowRoot ? .inlineBlock : .inline) : .listItem, false)
        }
        let isInline = outside ?? (inside == .ruby)
        isGrid = inside == .grid
        return switch inside ?? .flow {
        case .flow: (isInline ? .inline : .block, false)
        case .flowRoot: (isInline ? .inlineBlock : .flowRoot, false)
        case .table: (isInline ? .inlineTable : .table, false)
        case .flex: (isInline ? .inlineFlex : .flex, false)
        case .grid: (isInline ? .inlineFlex : .flex, false)
        case .ruby: (isInline ? .ruby : .block, false)
        case .math: (isInline ? .inline : .block, false)
        }
    }

    private enum Inside: Sendable { case flow, flowRoot, table, flex, grid, ruby, math }
    private static let insides: [(StaticString, Inside)] = [
        ("flow", .flow), ("flow-root", .flowRoot), ("table", .table), ("flex", .flex), ("grid", .grid), ("ruby", .ruby),
        ("math", .math),
    ]
    private static let singleDisplays: [(StaticString, Display)] = [
        ("none", .none), ("contents", .contents), ("inline-block", .inlineBlock), ("inline-table", .inlineTable),
        ("inline-flex", .inlineFlex), ("table-row-group", .tableRowGroup),
        ("table-header-group", .tableHeaderGroup), ("table-footer-group", .tableFooterGroup), ("table-row", .tableRow),
        ("table-cell", .tableCell), ("table-column-group", .tableColumnGroup), ("table-column", .tableColumn),
        ("table-caption", .tableCaption), ("ruby-base", .rubyBase), ("ruby-text", .rubyText),
    ]

    enum AlignmentUse: Sendable { case justifyContent, content, items }

    mutating func boxAlignment(_ use: AlignmentUse) -> BoxStyle.BoxAlignment? {
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
