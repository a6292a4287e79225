// Positioned layout, stacking, clipping, containment (CSS Positioned Layout 3, CSS Overflow 4, CSS Containment 2).

func positionProperties() -> [Property] {
    [
        .keywords(
            "position", inherited: false, StyleField({ $0.box.position }, { $0.box.position = $1 }),
            [
                ("static", .static), ("relative", .relative), ("absolute", .absolute), ("fixed", .fixed),
                ("sticky", .sticky), ("-webkit-sticky", .sticky),
            ]),
        inset("top", StyleField({ $0.box.positioned.inset.top }, { $0.box.positioned.inset.top = $1 })),
        inset("right", StyleField({ $0.box.positioned.inset.right }, { $0.box.positioned.inset.right = $1 })),
        inset("bottom", StyleField({ $0.box.positioned.inset.bottom }, { $0.box.positioned.inset.bottom = $1 })),
        inset("left", StyleField({ $0.box.positioned.inset.left }, { $0.box.positioned.inset.left = $1 })),
        .logical("inset-inline-start", ltr: "left", rtl: "right"),
        .logical("inset-inline-end", ltr: "right", rtl: "left"),
        .logical("inset-block-start", ltr: "top", rtl: "top"),
        .logical("inset-block-end", ltr: "bottom", rtl: "bottom"),
        .shorthand("inset", "<'top'>{1,4}", ["top", "right", "bottom", "left"]) { cursor, parts in
            parts.fourSides(&cursor)
        },
        .shorthand("inset-block", "<'top'>{1,2}", ["top", "bottom"]) { cursor, parts in parts.pair(&cursor) },
        .shorthand("inset-inline", "<'top'>{1,2}", ["inset-inline-start", "inset-inline-end"]) { cursor, parts in
            parts.pair(&cursor)
        },
        .value(
            "z-index", "auto | <integer>", inherited: false,
            StyleField({ $0.box.positioned.zIndex }, { $0.box.positioned.zIndex = $1 })
        ) { $0.keyword("auto") ? .some(nil) : $0.integer().map { .some($0) } },
        .keywords(
            "isolation", inherited: false, StyleField({ $0.box.isolates }, { $0.box.isolates = $1 }),
            [("auto", false), ("isolate", true)]),
        .value(
            "overflow-clip-margin", "<visual-box> || <length [0,∞]>", inherited: false,
            StyleField({ $0.box.overflowClipMargin }, { $0.box.overflowClipMargin = $1 })
        ) { $0.clipMargin() },
        .value(
            "contain", "none | strict | content | [ [ size | inline-size ] || layout || style || paint ]",
            inherited: false, StyleField({ $0.box.contain }, { $0.box.contain = $1 })
        ) { $0.containment() },
    ]
}

private func inset(_ name: StaticString, _ field: StyleField<LengthPercentage?>) -> Property {
    .value(name, "auto | <length-percentage>", inherited: false, field) { $0.margin() }
}

extension ValueCursor {
    fileprivate mutating func clipMargin() -> ClipMargin? {
        var margin = ClipMargin()
        var (hasBox, hasDistance) = (false, false)
        while !isAtEnd {
            if !hasBox,
                let box = keyword(
                    [
                        ("content-box", BackgroundBox.contentBox), ("padding-box", .paddingBox),
                        ("border-box", .borderBox),
                    ]
                        as [(StaticString, BackgroundBox)])
            {
                margin.box = box
                hasBox = true
            } else if !hasDistance, let distance = length(atLeast: 0) {
                margin.distance = distance
                hasDistance = true
            } else {
                return nil
            }
        }
        return hasBox || hasDistance ? margin : nil
    }

    fileprivate mutating func containment() -> Containment? {
        if let whole = keyword(
            [("none", []), ("strict", .strict), ("content", .content)] as [(StaticString, Containment)])
        {
            return whole
        }
        var result: Containment = []
        while let kind = keyword(
            [
                ("size", .size), ("inline-size", .inlineSize), ("layout", .layout), ("paint", .paint),
                ("style", .style),
            ] as [(StaticString, Containment)])
        {
            guard result.isDisjoint(with: kind) else { return nil }
            result.formUnion(kind)
        }
        return result.isEmpty || result.isSuperset(of: [.size, .inlineSize]) ? nil : result
    }
}
