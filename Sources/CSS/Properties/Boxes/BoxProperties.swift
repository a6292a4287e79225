// Boxes (CSS Display 3, Box 4, Sizing 3, Inline 3, Overflow 3): properties that are not inherited.

func boxProperties() -> [Property] {
    let margins = sided("margin") { name, side in
        .value(name, { $1(&$0.box.margin[clockwise: side]) }) { $0.margin() }
    }
    let paddings = sided("padding") { name, side in
        .value(name, { $1(&$0.box.padding[clockwise: side]) }) { $0.lengthPercentage(atLeast: 0) }
    }
    return margins + paddings + [
        .custom(
            "display", both({ $1(&$0.box.display) }, both({ $1(&$0.box.marksItem) }, { $1(&$0.own.isLegacyBox) }))
        ) { cursor, values in
            guard let value = cursor.display() else { return false }
            // Written only on a change: a write copies shared storage.
            if values.box.display != value.display { values.box.display = value.display }
            if values.box.marksItem != value.marksItem { values.box.marksItem = value.marksItem }
            if values.own.isLegacyBox != value.isLegacy { values.own.isLegacyBox = value.isLegacy }
            return true
        },
        .value("float", { $1(&$0.box.float) }) { $0.inlineSide().map { $0 ? .right : .left } ?? $0.keyword() },
        .value("clear", { $1(&$0.box.clear) }) { $0.inlineSide().map { $0 ? .right : .left } ?? $0.keyword() },
        .value("width", { $1(&$0.box.width) }) { $0.size() },
        .value("height", { $1(&$0.box.height) }) { $0.size() },
        .value("min-width", { $1(&$0.box.minWidth) }) { $0.size() },
        .value("min-height", { $1(&$0.box.minHeight) }) { $0.size() },
        .value("max-width", { $1(&$0.box.maxWidth) }) { $0.size(none: "none") },
        .value("max-height", { $1(&$0.box.maxHeight) }) { $0.size(none: "none") },
        .value("aspect-ratio", both({ $1(&$0.box.aspectRatio) }, { $1(&$0.box.prefersNaturalRatio) })) {
            $0.aspectRatio()
        },
        .flag("box-sizing", { $1(&$0.box.sizesBorderBox) }, "content-box", "border-box"),
        .value("opacity", { $1(&$0.box.opacity) }) { $0.share() },
        .keywords("overflow-x", { $1(&$0.box.overflowX) }, also: [("overlay", .auto)]),
        .keywords("overflow-y", { $1(&$0.box.overflowY) }, also: [("overlay", .auto)]),
        .logical("overflow-inline", of: "overflow-x"),
        .logical("overflow-block", of: "overflow-y"),
        pair("overflow", ["overflow-x", "overflow-y"]),
        .flag("box-decoration-break", { $1(&$0.box.clonesDecorationAtBreaks) }, "slice", "clone"),
        .keywords("object-fit", { $1(&$0.box.objectFit) }),
        .keywords(
            "image-rendering", inherited: true, { $1(&$0.text.pixelatesImages) },
            [
                ("auto", false), ("smooth", false), ("high-quality", false), ("crisp-edges", true), ("pixelated", true),
                ("-webkit-optimize-contrast", false), ("optimizespeed", false), ("optimizequality", false),
            ]),
        .value("object-position", { $1(&$0.box.objectPosition) }) { $0.position() },
    ] + ["", "min-", "max-"].flatMap { logicalSizes($0) }
}

/// Properties that decide the position of inline content in its box and the visible part of it.
func inlineProperties() -> [Property] {
    [
        .value("vertical-align", { $1(&$0.box.verticalAlign) }) {
            $0.keyword(verticalAlignKeywords) ?? $0.lengthPercentage().map { .length($0) }
        },
        // The part of `vertical-align` that is computed; `alignment-baseline`, the other part, has no effect here.
        .shorthand("baseline-shift", ["vertical-align"]) { cursor, parts in
            let shifts: [(StaticString, VerticalAlign)] = [
                ("baseline", .baseline), ("sub", .sub), ("super", .super), ("top", .top), ("center", .middle),
                ("bottom", .bottom),
            ]
            let value = cursor.keyword(shifts) ?? cursor.lengthPercentage().map { .length($0) }
            guard let value else { return false }
            parts.parts[0] = .set { $0.box.verticalAlign = value }
            return true
        },
        .keywords(
            "unicode-bidi", { $1(&$0.box.unicodeBidi) },
            also: [
                ("-webkit-isolate", .isolate), ("-webkit-isolate-override", .isolateOverride),
                ("-webkit-plaintext", .plaintext),
            ]),
        .value("text-overflow", { $1(&$0.box.textOverflow) }) { cursor in
            func one() -> BoxStyle.TextOverflow? {
                cursor.keyword([("clip", .clip), ("ellipsis", .ellipsis)]) ?? cursor.string().map { .string($0) }
            }
            guard let first = one() else { return nil }
            return cursor.isAtEnd ? first : one()  // the end's value when both sides are given
        },
        .value("-webkit-line-clamp", { $1(&$0.own.webkitLineClamp) }) {
            $0.keyword("none") ? 0 : $0.integer(atLeast: 1)
        },
        .value("line-clamp", { $1(&$0.box.lineClamp) }) { cursor in
            if cursor.keyword("none") { return 0 }
            guard let lines = cursor.integer(atLeast: 1) else { return nil }
            return cursor.isAtEnd || cursor.keyword("auto") ? lines : nil
        },
        .keywords(
            "-webkit-box-orient", { $1(&$0.own.webkitBoxOrientIsVertical) },
            [("horizontal", false), ("vertical", true), ("inline-axis", false), ("block-axis", true)]),
        .alias("box-orient", of: "-webkit-box-orient"),
    ]
}

/// Positioned layout, stacking, clipping (CSS Positioned Layout 3, CSS Overflow 4).
func positionProperties() -> [Property] {
    let insets = sided("inset", isBare: true) { name, side in
        .value(name, { $1(&$0.box.positioned.inset[clockwise: side]) }) { $0.margin() }
    }
    return insets + [
        .keywords("position", { $1(&$0.box.position) }, also: [("-webkit-sticky", .sticky)]),
        .optional("z-index", { $1(&$0.box.positioned.zIndex) }, "auto") { $0.integer() },
        .flag("isolation", { $1(&$0.box.isolates) }, "auto", "isolate"),
        .value("appearance", { $1(&$0.box.isNative) }) { cursor in
            cursor.ident().flatMap { $0.hasPrefix("-") ? nil : $0.asciiLowercased() != "none" }
        }
        .lacking { $0 == "base-select" },
        .flag("field-sizing", { $1(&$0.box.fitsText) }, "fixed", "content"),
        .optional("accent-color", inherited: true, { $1(&$0.text.accent) }, "auto") { $0.color() },
        .value("overflow-clip-margin", { $1(&$0.box.overflowClipMargin) }) { cursor in
            var (box, distance): (BackgroundBox?, Float?)
            while cursor.once(&box, { $0.layerBox() }) || cursor.once(&distance, { $0.length(atLeast: 0) }) {}
            guard box != nil || distance != nil else { return nil }
            return ClipMargin(box: box ?? .paddingBox, distance: distance ?? 0)
        },
        Property.optional("shape-outside", { $1(&$0.box.floatShape.source) }, "none") {
            $0.image().map { .image($0) } ?? $0.clipShape(standard: .marginBox).map { .shape($0) }
        }.lacking { value in ["path(", "shape("].contains { value.contains($0) } },
        .value("shape-image-threshold", { $1(&$0.box.floatShape.threshold) }) { $0.share() },
        .value("shape-margin", { $1(&$0.box.floatShape.margin) }) { $0.lengthPercentage(atLeast: 0) },
    ]
}

private let sizeKeywords: [(StaticString, SizeValue)] = [
    ("min-content", .minContent), ("max-content", .maxContent), ("fit-content", .fitContent(nil)),
    ("-webkit-fit-content", .fitContent(nil)), ("-webkit-min-content", .minContent),
    ("-webkit-max-content", .maxContent), ("min-intrinsic", .minContent), ("intrinsic", .maxContent),
    ("stretch", .stretch), ("-webkit-fill-available", .stretch),
]
private let verticalAlignKeywords: [(StaticString, VerticalAlign)] = [
    ("baseline", .baseline), ("sub", .sub), ("super", .super), ("top", .top), ("text-top", .textTop),
    ("middle", .middle), ("bottom", .bottom), ("text-bottom", .textBottom), ("-webkit-baseline-middle", .middle),
]

extension ValueCursor {
    /// `inline-start` or `inline-end`, resolved with the parent's direction; true is right.
    fileprivate mutating func inlineSide() -> Bool? {
        choice("inline-start", "inline-end").map { $0 != context.parentIsRightToLeft }
    }

    mutating func share() -> Float? { numberOrPercentage().map { Float(max(0, min(1, $0.isNaN ? 0 : $0))) } }

    mutating func margin() -> LengthPercentage?? { optional("auto") { $0.lengthPercentage() } }

    mutating func size(none: StaticString = "auto") -> SizeValue? {
        if keyword(none) { return .auto }
        if let value = keyword(sizeKeywords) { return value }
        return function("fit-content") { $0.lengthPercentage(atLeast: 0) }.map { .fitContent($0) }
            ?? lengthPercentage(atLeast: 0).map { .length($0) }
    }

    /// `auto || <ratio>`. A ratio with a side of 0 or infinity counts as `auto` (CSS Sizing 4 §4.1).
    mutating func aspectRatio() -> (ratio: Float?, isAuto: Bool)? {
        var isAuto = keyword("auto")
        guard let first = number(atLeast: 0) else { return isAuto ? (nil, true) : nil }
        guard let second = slash() ? number(atLeast: 0) : 1 else { return nil }
        _ = once(&isAuto, "auto")
        let ratio = Float(first / second)
        return ratio > 0 && ratio.isFinite ? (ratio, isAuto) : (nil, true)
    }

    /// `display`, whether it is one of the old flexible boxes, and whether a box that is no list item has a marker.
    mutating func display() -> (display: Display, isLegacy: Bool, marksItem: Bool)? {
        let prefixed: [(StaticString, Display)] = [
            ("-webkit-inline-box", .inlineFlex), ("-webkit-flex", .flex), ("-webkit-inline-flex", .inlineFlex),
        ]
        let start = index
        if let display = keyword() ?? keyword(prefixed), isAtEnd { return (display, display == .webkitBox, false) }
        rewind(to: start)
        var (outside, inside, isListItem): (Bool?, Inside?, Bool) = (nil, nil, false)  // true is inline
        while once(&outside, "block", "inline") || once(&inside, { $0.keyword() }) || once(&isListItem, "list-item") {}
        guard outside != nil || inside != nil || isListItem else { return nil }
        if isListItem, ![nil, .flow, .flowRoot].contains(inside) { return nil }
        let isInline = outside ?? (inside == .ruby)
        let display: Display =
            switch inside ?? .flow {
            case .flow, .math: isInline ? .inline : .block
            case .flowRoot: isInline ? .inlineBlock : .flowRoot
            case .table: isInline ? .inlineTable : .table
            case .flex: isInline ? .inlineFlex : .flex
            case .grid: isInline ? .inlineGrid : .grid
            case .ruby: isInline ? .ruby : .block
            }
        if isListItem, display == .block { return (.listItem, false, false) }
        return (display, false, isListItem)
    }

    private enum Inside: String { case flow, table, flex, grid, ruby, math, flowRoot = "flow-root" }
}
