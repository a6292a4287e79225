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

    /// `auto || <ratio>`: a ratio with a side of 0 or infinity is none (CSS Sizing 4 §4.1).
    mutating func aspectRatio() -> (ratio: Float?, isAuto: Bool)? {
        var isAuto = keyword("auto")
        guard let first = number(atLeast: 0) else { return isAuto ? (nil, true) : nil }
        var second = 1.0
        if slash() {
            guard let number = number(atLeast: 0) else { return nil }
            second = number
        }
        if !isAuto { isAuto = keyword("auto") }
        let ratio = Float(first / second)
        return ratio > 0 && ratio.isFinite ? (ratio, isAuto) : (nil, true)
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
    mutating func display() -> (Display, Bool)? {
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
        return switch inside ?? .flow {
        case .flow: (isInline ? .inline : .block, false)
        case .flowRoot: (isInline ? .inlineBlock : .flowRoot, false)
        case .table: (isInline ? .inlineTable : .table, false)
        case .flex: (isInline ? .inlineFlex : .flex, false)
        case .grid: (isInline ? .inlineGrid : .grid, false)
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
        ("inline-flex", .inlineFlex), ("inline-grid", .inlineGrid), ("table-row-group", .tableRowGroup),
        ("table-header-group", .tableHeaderGroup), ("table-footer-group", .tableFooterGroup), ("table-row", .tableRow),
        ("table-cell", .tableCell), ("table-column-group", .tableColumnGroup), ("table-column", .tableColumn),
        ("table-caption", .tableCaption), ("ruby-base", .rubyBase), ("ruby-text", .rubyText),
    ]
}
