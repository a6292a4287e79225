// Boxes (CSS Display 3, Box 4, Sizing 3, Borders, Flexbox, Align, Inline 3, Overflow): what is not inherited.

func boxProperties() -> [Property] {
    [
        .custom(
            "display",
            "[ <display-outside> || <display-inside> ] | <display-listitem> | <display-internal> | <display-box> | <display-legacy>",
            inherited: false,
            copy: {
                $0.box.display = $1.box.display
                $0.own.isLegacyBox = $1.own.isLegacyBox
                $0.own.isGrid = $1.own.isGrid
            }
        ) { cursor, values in
            values.own.isGrid = false
            guard let (display, isLegacy) = cursor.display(&values.own.isGrid) else { return false }
            values.box.display = display
            values.own.isLegacyBox = isLegacy
            return true
        },
        .keywords(
            "float", inherited: false, StyleField({ $0.box.float }, { $0.box.float = $1 }),
            [("none", .none), ("left", .left), ("right", .right), ("inline-start", .left), ("inline-end", .right)]),
        .keywords(
            "position", inherited: false, StyleField({ $0.own.isPositioned }, { $0.own.isPositioned = $1 }),
            [
                ("static", false), ("relative", false), ("absolute", true), ("fixed", true), ("sticky", false),
                ("-webkit-sticky", false),
            ]
        ).withoutEffect,
        .keywords(
            "clear", inherited: false, StyleField({ $0.box.clear }, { $0.box.clear = $1 }),
            [
                ("none", .none), ("left", .left), ("right", .right), ("both", .both), ("inline-start", .left),
                ("inline-end", .right),
            ]),
        .value("width", sizeSyntax, inherited: false, StyleField({ $0.box.width }, { $0.box.width = $1 })) {
            $0.size()
        },
        .value("height", sizeSyntax, inherited: false, StyleField({ $0.box.height }, { $0.box.height = $1 })) {
            $0.size()
        },
        .value("min-width", sizeSyntax, inherited: false, StyleField({ $0.box.minWidth }, { $0.box.minWidth = $1 })) {
            $0.size()
        },
        .value("min-height", sizeSyntax, inherited: false, StyleField({ $0.box.minHeight }, { $0.box.minHeight = $1 }))
        { $0.size() },
        .value("max-width", maximumSyntax, inherited: false, StyleField({ $0.box.maxWidth }, { $0.box.maxWidth = $1 }))
        { $0.size(none: "none") },
        .value(
            "max-height", maximumSyntax, inherited: false, StyleField({ $0.box.maxHeight }, { $0.box.maxHeight = $1 })
        ) { $0.size(none: "none") },
        .logical("inline-size", ltr: "width", rtl: "width"),
        .logical("block-size", ltr: "height", rtl: "height"),
        .logical("min-inline-size", ltr: "min-width", rtl: "min-width"),
        .logical("min-block-size", ltr: "min-height", rtl: "min-height"),
        .logical("max-inline-size", ltr: "max-width", rtl: "max-width"),
        .logical("max-block-size", ltr: "max-height", rtl: "max-height"),
        .value(
            "aspect-ratio", "auto || <ratio>", inherited: false,
            StyleField({ $0.box.aspectRatio }, { $0.box.aspectRatio = $1 })
        ) { cursor in
            var isAuto = cursor.keyword("auto")
            guard let first = cursor.number(atLeast: 0) else { return isAuto ? .some(nil) : nil }
            var second = 1.0
            if cursor.slash() {
                guard let number = cursor.number(atLeast: 0) else { return nil }
                second = number
            }
            if !isAuto { isAuto = cursor.keyword("auto") }
            return .some(first > 0 && second > 0 ? Float(first / second) : nil)
        },
        .keywords(
            "box-sizing", inherited: false, StyleField({ $0.box.sizesBorderBox }, { $0.box.sizesBorderBox = $1 }),
            [("content-box", false), ("border-box", true)]),
        .value(
            "margin-top", marginSyntax, inherited: false, StyleField({ $0.box.margin.top }, { $0.box.margin.top = $1 })
        ) { $0.margin() },
        .value(
            "margin-right", marginSyntax, inherited: false,
            StyleField({ $0.box.margin.right }, { $0.box.margin.right = $1 })
        ) { $0.margin() },
        .value(
            "margin-bottom", marginSyntax, inherited: false,
            StyleField({ $0.box.margin.bottom }, { $0.box.margin.bottom = $1 })
        ) { $0.margin() },
        .value(
            "margin-left", marginSyntax, inherited: false,
            StyleField({ $0.box.margin.left }, { $0.box.margin.left = $1 })
        ) { $0.margin() },
        .logical("margin-inline-start", ltr: "margin-left", rtl: "margin-right"),
        .logical("margin-inline-end", ltr: "margin-right", rtl: "margin-left"),
        .logical("margin-block-start", ltr: "margin-top", rtl: "margin-top"),
        .logical("margin-block-end", ltr: "margin-bottom", rtl: "margin-bottom"),
        .value(
            "padding-top", paddingSyntax, inherited: false,
            StyleField({ $0.box.padding.top }, { $0.box.padding.top = $1 })
        ) { $0.lengthPercentage(atLeast: 0) },
        .value(
            "padding-right", paddingSyntax, inherited: false,
            StyleField({ $0.box.padding.right }, { $0.box.padding.right = $1 })
        ) { $0.lengthPercentage(atLeast: 0) },
        .value(
            "padding-bottom", paddingSyntax, inherited: false,
            StyleField({ $0.box.padding.bottom }, { $0.box.padding.bottom = $1 })
        ) { $0.lengthPercentage(atLeast: 0) },
        .value(
            "padding-left", paddingSyntax, inherited: false,
            StyleField({ $0.box.padding.left }, { $0.box.padding.left = $1 })
        ) { $0.lengthPercentage(atLeast: 0) },
        .logical("padding-inline-start", ltr: "padding-left", rtl: "padding-right"),
        .logical("padding-inline-end", ltr: "padding-right", rtl: "padding-left"),
        .logical("padding-block-start", ltr: "padding-top", rtl: "padding-top"),
        .logical("padding-block-end", ltr: "padding-bottom", rtl: "padding-bottom"),
        .value(
            "border-top-width", "<line-width>", inherited: false,
            StyleField({ $0.own.borderWidth.top }, { $0.own.borderWidth.top = $1 })
        ) { $0.lineWidth() },
        .value(
            "border-right-width", "<line-width>", inherited: false,
            StyleField({ $0.own.borderWidth.right }, { $0.own.borderWidth.right = $1 })
        ) { $0.lineWidth() },
        .value(
            "border-bottom-width", "<line-width>", inherited: false,
            StyleField({ $0.own.borderWidth.bottom }, { $0.own.borderWidth.bottom = $1 })
        ) { $0.lineWidth() },
        .value(
            "border-left-width", "<line-width>", inherited: false,
            StyleField({ $0.own.borderWidth.left }, { $0.own.borderWidth.left = $1 })
        ) { $0.lineWidth() },
        .keywords(
            "border-top-style", inherited: false,
            StyleField({ $0.box.border.top.style }, { $0.box.border.top.style = $1 }), lineStyles),
        .keywords(
            "border-right-style", inherited: false,
            StyleField({ $0.box.border.right.style }, { $0.box.border.right.style = $1 }), lineStyles),
        .keywords(
            "border-bottom-style", inherited: false,
            StyleField({ $0.box.border.bottom.style }, { $0.box.border.bottom.style = $1 }), lineStyles),
        .keywords(
            "border-left-style", inherited: false,
            StyleField({ $0.box.border.left.style }, { $0.box.border.left.style = $1 }), lineStyles),
        .value(
            "border-top-color", "<color>", inherited: false,
            StyleField({ $0.own.borderColor.top }, { $0.own.borderColor.top = $1 })
        ) { $0.colorOrCurrent() },
        .value(
            "border-right-color", "<color>", inherited: false,
            StyleField({ $0.own.borderColor.right }, { $0.own.borderColor.right = $1 })
        ) { $0.colorOrCurrent() },
        .value(
            "border-bottom-color", "<color>", inherited: false,
            StyleField({ $0.own.borderColor.bottom }, { $0.own.borderColor.bottom = $1 })
        ) { $0.colorOrCurrent() },
        .value(
            "border-left-color", "<color>", inherited: false,
            StyleField({ $0.own.borderColor.left }, { $0.own.borderColor.left = $1 })
        ) { $0.colorOrCurrent() },
        .logical("border-inline-start-width", ltr: "border-left-width", rtl: "border-right-width"),
        .logical("border-inline-end-width", ltr: "border-right-width", rtl: "border-left-width"),
        .logical("border-block-start-width", ltr: "border-top-width", rtl: "border-top-width"),
        .logical("border-block-end-width", ltr: "border-bottom-width", rtl: "border-bottom-width"),
        .logical("border-inline-start-style", ltr: "border-left-style", rtl: "border-right-style"),
        .logical("border-inline-end-style", ltr: "border-right-style", rtl: "border-left-style"),
        .logical("border-block-start-style", ltr: "border-top-style", rtl: "border-top-style"),
        .logical("border-block-end-style", ltr: "border-bottom-style", rtl: "border-bottom-style"),
        .logical("border-inline-start-color", ltr: "border-left-color", rtl: "border-right-color"),
        .logical("border-inline-end-color", ltr: "border-right-color", rtl: "border-left-color"),
        .logical("border-block-start-color", ltr: "border-top-color", rtl: "border-top-color"),
        .logical("border-block-end-color", ltr: "border-bottom-color", rtl: "border-bottom-color"),
        .value(
            "border-top-left-radius", radiusSyntax, inherited: false,
            StyleField({ $0.own.radii[0] }, { $0.own.radii[0] = $1 })
        ) { $0.cornerRadius() },
        .value(
            "border-top-right-radius", radiusSyntax, inherited: false,
            StyleField({ $0.own.radii[1] }, { $0.own.radii[1] = $1 })
        ) { $0.cornerRadius() },
        .value(
            "border-bottom-right-radius", radiusSyntax, inherited: false,
            StyleField({ $0.own.radii[2] }, { $0.own.radii[2] = $1 })
        ) { $0.cornerRadius() },
        .value(
            "border-bottom-left-radius", radiusSyntax, inherited: false,
            StyleField({ $0.own.radii[3] }, { $0.own.radii[3] = $1 })
        ) { $0.cornerRadius() },
        .logical("border-start-start-radius", ltr: "border-top-left-radius", rtl: "border-top-right-radius"),
        .logical("border-start-end-radius", ltr: "border-top-right-radius", rtl: "border-top-left-radius"),
        .logical("border-end-start-radius", ltr: "border-bottom-left-radius", rtl: "border-bottom-right-radius"),
        .logical("border-end-end-radius", ltr: "border-bottom-right-radius", rtl: "border-bottom-left-radius"),
        .value(
            "outline-width", "<line-width>", inherited: false,
            StyleField({ $0.own.outlineWidth }, { $0.own.outlineWidth = $1 })
        ) { $0.lineWidth() },
        .keywords(
            "outline-style", inherited: false, StyleField({ $0.box.outlineStyle }, { $0.box.outlineStyle = $1 }),
            lineStyles.filter { $0.1 != .hidden } + [("auto", .solid)]),
        .value(
            "outline-color", "auto | <color>", inherited: false,
            StyleField({ $0.own.outlineColor }, { $0.own.outlineColor = $1 })
        ) { $0.keyword("auto") || $0.keyword("invert") ? .some(nil) : $0.colorOrCurrent() },
        .value(
            "outline-offset", "<length>", inherited: false,
            StyleField({ $0.box.outlineOffset }, { $0.box.outlineOffset = $1 })
        ) { $0.length() },
        .custom(
            "box-shadow", "none | [ inset? && <length>{2,4} && <color>? ]#", inherited: false,
            copy: {
                $0.box.boxShadows = $1.box.boxShadows
                $0.own.boxShadowsInCurrentColor = $1.own.boxShadowsInCurrentColor
            }
        ) { cursor, values in
            guard let (shadows, current) = cursor.shadows(ofBox: true) else { return false }
            values.box.boxShadows = shadows
            values.own.boxShadowsInCurrentColor = current
            return true
        },
        .value(
            "opacity", "<number> | <percentage>", inherited: false,
            StyleField({ $0.box.opacity }, { $0.box.opacity = $1 })
        ) { $0.numberOrPercentage().map { Float(max(0, min(1, $0.isNaN ? 0 : $0))) } },
        .keywords(
            "overflow-x", inherited: false, StyleField({ $0.box.overflowX }, { $0.box.overflowX = $1 }),
            overflowKeywords),
        .keywords(
            "overflow-y", inherited: false, StyleField({ $0.box.overflowY }, { $0.box.overflowY = $1 }),
            overflowKeywords),
        .logical("overflow-inline", ltr: "overflow-x", rtl: "overflow-x"),
        .logical("overflow-block", ltr: "overflow-y", rtl: "overflow-y"),
        .value(
            "vertical-align",
            "baseline | sub | super | top | text-top | middle | bottom | text-bottom | <length-percentage>",
            inherited: false, StyleField({ $0.box.verticalAlign }, { $0.box.verticalAlign = $1 })
        ) { cursor in
            cursor.keyword(verticalAlignKeywords) ?? cursor.lengthPercentage().map { .length($0) }
        },
        .keywords(
            "unicode-bidi", inherited: false, StyleField({ $0.box.unicodeBidi }, { $0.box.unicodeBidi = $1 }),
            [
                ("normal", .normal), ("embed", .embed), ("isolate", .isolate), ("bidi-override", .bidiOverride),
                ("isolate-override", .isolateOverride), ("plaintext", .plaintext), ("-webkit-isolate", .isolate),
                ("-webkit-isolate-override", .isolateOverride), ("-webkit-plaintext", .plaintext),
            ]),
        .value(
            "text-decoration-line",
            "none | [ underline || overline || line-through || blink ] | spelling-error | grammar-error",
            inherited: false, StyleField({ $0.own.decorationLines }, { $0.own.decorationLines = $1 })
        ) { cursor in
            if cursor.keyword("none") || cursor.keyword("spelling-error") || cursor.keyword("grammar-error") {
                return []
            }
            var lines: TextDecoration.Lines = []
            var seen = 0
            while let (line, bit) = cursor.keyword([
                ("underline", (TextDecoration.Lines.underline, 1)), ("overline", (.overline, 2)),
                ("line-through", (.lineThrough, 4)), ("blink", ([], 8)),
            ]) {
                guard seen & bit == 0 else { return nil }
                seen |= bit
                lines.formUnion(line)
            }
            return seen == 0 ? nil : lines
        },
        .keywords(
            "text-decoration-style", inherited: false,
            StyleField({ $0.own.decorationStyle }, { $0.own.decorationStyle = $1 }),
            [("solid", .solid), ("double", .double), ("dotted", .dotted), ("dashed", .dashed), ("wavy", .wavy)]),
        .value(
            "text-decoration-color", "<color>", inherited: false,
            StyleField({ $0.own.decorationColor }, { $0.own.decorationColor = $1 })
        ) { $0.colorOrCurrent() },
        .value(
            "text-decoration-thickness", "auto | from-font | <length-percentage>", inherited: false,
            StyleField({ $0.own.decorationThickness }, { $0.own.decorationThickness = $1 })
        ) { cursor in
            cursor.keyword(
                [("auto", DecorationThickness.auto), ("from-font", .fromFont)] as [(StaticString, DecorationThickness)])
                ?? cursor.lengthPercentage().map { .length($0) }
        },
        .value(
            "text-overflow", "[ clip | ellipsis | <string> ]{1,2}", inherited: false,
            StyleField({ $0.box.textOverflow }, { $0.box.textOverflow = $1 })
        ) { cursor in
            func one() -> BoxStyle.TextOverflow? {
                cursor.keyword([("clip", BoxStyle.TextOverflow.clip), ("ellipsis", .ellipsis)])
                    ?? cursor.string().map { .string($0) }
            }
            guard let first = one() else { return nil }
            return cursor.isAtEnd ? first : one()  // the end's value when both sides are given
        },
        .value(
            "-webkit-line-clamp", "none | <integer [1,∞]>", inherited: false,
            StyleField({ $0.box.lineClamp }, { $0.box.lineClamp = $1 })
        ) { $0.keyword("none") ? 0 : $0.integer(atLeast: 1) },
        .value(
            "line-clamp", "none | <integer [1,∞]> || <block-ellipsis>", inherited: false,
            StyleField({ $0.box.lineClamp }, { $0.box.lineClamp = $1 })
        ) { cursor in
            if cursor.keyword("none") { return 0 }
            guard let lines = cursor.integer(atLeast: 1) else { return nil }
            if !cursor.isAtEnd, !cursor.keyword("auto"), !cursor.keyword("no-ellipsis"), cursor.string() == nil {
                return nil
            }
            return lines
        },
        .keywords(
            "-webkit-box-orient", inherited: false,
            StyleField({ $0.own.webkitBoxOrientIsVertical }, { $0.own.webkitBoxOrientIsVertical = $1 }),
            [("horizontal", false), ("vertical", true), ("inline-axis", false), ("block-axis", true)]),
        .alias("box-orient", of: "-webkit-box-orient"),
        .keywords(
            "box-decoration-break", inherited: false,
            StyleField({ $0.box.clonesDecorationAtBreaks }, { $0.box.clonesDecorationAtBreaks = $1 }),
            [("slice", false), ("clone", true)]),
        .keywords(
            "table-layout", inherited: false, StyleField({ $0.box.fixedTableLayout }, { $0.box.fixedTableLayout = $1 }),
            [("auto", false), ("fixed", true)]),
        .keywords(
            "flex-direction", inherited: false, StyleField({ $0.box.flexDirection }, { $0.box.flexDirection = $1 }),
            flexDirections),
        .custom(
            "flex-wrap", "nowrap | wrap | wrap-reverse", inherited: false,
            copy: {
                $0.box.flexWraps = $1.box.flexWraps
                $0.box.flexWrapReverse = $1.box.flexWrapReverse
            }
        ) { cursor, values in
            guard let wrap = cursor.keyword([("nowrap", 0), ("wrap", 1), ("wrap-reverse", 2)]) else { return false }
            values.box.flexWraps = wrap > 0
            values.box.flexWrapReverse = wrap == 2
            return true
        },
        .value(
            "flex-grow", "<number [0,∞]>", inherited: false, StyleField({ $0.box.flexGrow }, { $0.box.flexGrow = $1 })
        ) { $0.number(atLeast: 0).map(ValueCursor.clamped) },
        .value(
            "flex-shrink", "<number [0,∞]>", inherited: false,
            StyleField({ $0.box.flexShrink }, { $0.box.flexShrink = $1 })
        ) { $0.number(atLeast: 0).map(ValueCursor.clamped) },
        .value(
            "flex-basis", "content | <'width'>", inherited: false,
            StyleField({ $0.box.flexBasis }, { $0.box.flexBasis = $1 })
        ) { $0.keyword("content") ? .content : $0.size() },
        .value("order", "<integer>", inherited: false, StyleField({ $0.box.order }, { $0.box.order = $1 })) {
            $0.integer()
        },
        .value(
            "justify-content", alignmentSyntax, inherited: false,
            StyleField({ $0.box.justifyContent }, { $0.box.justifyContent = $1 })
        ) { $0.boxAlignment(.justifyContent) },
        .value(
            "align-items", alignmentSyntax, inherited: false,
            StyleField({ $0.box.alignItems }, { $0.box.alignItems = $1 })
        ) { $0.boxAlignment(.items) },
        .value(
            "align-content", alignmentSyntax, inherited: false,
            StyleField({ $0.box.alignContent }, { $0.box.alignContent = $1 })
        ) { $0.boxAlignment(.content) },
        .value(
            "align-self", "auto | \(alignmentSyntax)", inherited: false,
            StyleField({ $0.box.alignSelf }, { $0.box.alignSelf = $1 })
        ) { $0.keyword("auto") ? .some(nil) : $0.boxAlignment(.items).map { .some($0) } },
        .value(
            "row-gap", "normal | <length-percentage [0,∞]>", inherited: false,
            StyleField({ $0.box.rowGap }, { $0.box.rowGap = $1 })
        ) { $0.keyword("normal") ? .zero : $0.lengthPercentage(atLeast: 0) },
        .value(
            "column-gap", "normal | <length-percentage [0,∞]>", inherited: false,
            StyleField({ $0.box.columnGap }, { $0.box.columnGap = $1 })
        ) { $0.keyword("normal") ? .zero : $0.lengthPercentage(atLeast: 0) },
        .keywords(
            "object-fit", inherited: false, StyleField({ $0.box.objectFit }, { $0.box.objectFit = $1 }),
            [("fill", .fill), ("contain", .contain), ("cover", .cover), ("none", .none), ("scale-down", .scaleDown)]),
        .value(
            "object-position", "<position>", inherited: false,
            StyleField({ $0.box.objectPosition }, { $0.box.objectPosition = $1 })
        ) { $0.position() },
    ]
}

private let sizeSyntax =
    "auto | <length-percentage [0,∞]> | min-content | max-content | fit-content | stretch | fit-content(<length-percentage [0,∞]>)"
private let maximumSyntax =
    "none | <length-percentage [0,∞]> | min-content | max-content | fit-content | stretch | fit-content(<length-percentage [0,∞]>)"
private let marginSyntax = "auto | <length-percentage>"
private let paddingSyntax = "<length-percentage [0,∞]>"
private let radiusSyntax = "<length-percentage [0,∞]>{1,2}"
private let alignmentSyntax =
    "normal | stretch | <baseline-position> | <content-distribution> | <overflow-position>? <content-position>"

let lineStyles: [(StaticString, BorderLineStyle)] = [
    ("none", .none), ("hidden", .hidden), ("dotted", .dotted), ("dashed", .dashed), ("solid", .solid),
    ("double", .double),
    ("groove", .groove), ("ridge", .ridge), ("inset", .inset), ("outset", .outset),
]
private let overflowKeywords: [(StaticString, Overflow)] = [
    ("visible", .visible), ("hidden", .hidden), ("clip", .clip), ("scroll", .scroll), ("auto", .auto),
    ("overlay", .auto),
]
private let verticalAlignKeywords: [(StaticString, VerticalAlign)] = [
    ("baseline", .baseline), ("sub", .sub), ("super", .super), ("top", .top), ("text-top", .textTop),
    ("middle", .middle),
    ("bottom", .bottom), ("text-bottom", .textBottom), ("-webkit-baseline-middle", .middle),
]
private let flexDirections: [(StaticString, BoxStyle.FlexDirection)] = [
    ("row", .row), ("row-reverse", .rowReverse), ("column", .column), ("column-reverse", .columnReverse),
]
