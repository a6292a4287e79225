// Text (CSS Text 4, Inline 3, Ruby 1): the inherited properties besides fonts and decorations.

func textProperties() -> [Property] {
    [
        .value(
            "color", "<color>", inherited: true, .init({ $0.text.color }, { $0.text.color = $1 }), phase: .color
        ) { $0.color() },
        .value(
            "color-scheme", "normal | [ light | dark | <custom-ident> ]+ && only?", inherited: true,
            .init({ $0.inherited.prefersDark }, { $0.inherited.prefersDark = $1 }), phase: .font
        ) { cursor in
            if cursor.keyword("normal") { return .some(nil) }
            var names: [String] = []
            while let name = cursor.customIdent(except: ["normal"]) { names.append(name.asciiLowercased()) }
            guard names.contains(where: { $0 != "only" }) else { return nil }
            // The first scheme that the user's preference allows.
            let wanted = cursor.userPrefersDark ? "dark" : "light"
            if names.contains(wanted) { return .some(wanted == "dark") }
            return .some(names.contains("dark") ? true : names.contains("light") ? false : nil)
        },
        .value(
            "letter-spacing", "normal | <length-percentage>", inherited: true,
            .init({ $0.text.letterSpacing }, { $0.text.letterSpacing = $1 })
        ) { $0.spacing() },
        .value(
            "word-spacing", "normal | <length-percentage>", inherited: true,
            .init({ $0.text.wordSpacing }, { $0.text.wordSpacing = $1 })
        ) { $0.spacing() },
        .value(
            "line-height", "normal | <number [0,∞]> | <length-percentage [0,∞]>", inherited: true,
            .init({ $0.text.lineHeight }, { $0.text.lineHeight = $1 })
        ) { cursor in
            if cursor.keyword("normal") { return .normal }
            let start = cursor.index
            if let number = cursor.number(atLeast: 0) { return .number(ValueCursor.clamped(number)) }
            cursor.rewind(to: start)
            if let token = cursor.token, token.kind == .number { return nil }
            if let token = cursor.token, token.kind == .percentage, let whole = cursor.percentage(atLeast: 0) {
                // Chromium drops the fraction of a percentage.
                return .length(ValueCursor.clamped((whole * 100).rounded(.towardZero) / 100) * Float(cursor.fontSize))
            }
            return cursor.lengthPercentage(atLeast: 0).map { .length(max(0, cursor.pixels(of: $0))) }
        },
        .value(
            "text-transform",
            "none | [ capitalize | uppercase | lowercase ] || full-width || full-size-kana | math-auto",
            inherited: true,
            .init(
                { ($0.text.transform, $0.text.transformFullWidth, $0.text.transformFullSizeKana) },
                { ($0.text.transform, $0.text.transformFullWidth, $0.text.transformFullSizeKana) = $1 })
        ) { $0.textTransform() },
        .value(
            "tab-size", "<number [0,∞]> | <length [0,∞]>", inherited: true,
            .init({ $0.text.tabSize }, { $0.text.tabSize = $1 })
        ) { cursor in
            let start = cursor.index
            if let number = cursor.number(atLeast: 0) { return .spaces(ValueCursor.clamped(number)) }
            cursor.rewind(to: start)
            return cursor.length(atLeast: 0).map { .length($0) }
        },
        .keywords(
            "visibility", inherited: true, .init({ $0.text.visibility }, { $0.text.visibility = $1 }),
            [("visible", .visible), ("hidden", .hidden), ("collapse", .collapse)]),
        .value(
            "ruby-position", "[ alternate || [ over | under ] ] | inter-character", inherited: true,
            .init({ $0.text.rubyUnder }, { $0.text.rubyUnder = $1 })
        ) { cursor in
            if cursor.keyword("inter-character") { return false }
            var isUnder: Bool?
            var alternates = false
            while true {
                if isUnder == nil, let side = cursor.keyword([("over", false), ("under", true)]) {
                    isUnder = side
                } else if !alternates, cursor.keyword("alternate") {
                    alternates = true
                } else {
                    break
                }
            }
            return isUnder ?? (alternates ? false : nil)
        },
    ]
}

/// Line breaking, and the alignment of text in lines.
func lineProperties() -> [Property] {
    [
        .keywords(
            "white-space-collapse", inherited: true,
            .init({ $0.text.whiteSpaceCollapse }, { $0.text.whiteSpaceCollapse = $1 }), collapseKeywords),
        .keywords(
            "text-wrap-mode", inherited: true, .init({ $0.text.wraps }, { $0.text.wraps = $1 }),
            [("wrap", true), ("nowrap", false)]),
        .keywords(
            "text-wrap-style", inherited: true, .init({ $0.text.wrapStyle }, { $0.text.wrapStyle = $1 }),
            wrapStyleKeywords),
        .shorthand(
            "white-space",
            "normal | pre | pre-wrap | pre-line | nowrap | break-spaces | <'white-space-collapse'> || <'text-wrap-mode'>",
            ["white-space-collapse", "text-wrap-mode"]
        ) { cursor, parts in
            if let (collapse, wraps) = cursor.keyword(whiteSpaces) {
                parts.parts = [
                    ShorthandParts.set { $0.text.whiteSpaceCollapse = collapse },
                    ShorthandParts.set { $0.text.wraps = wraps },
                ]
                return true
            }
            return parts.anyOrder(0..<2, &cursor)
        },
        .shorthand("text-wrap", "<'text-wrap-mode'> || <'text-wrap-style'>", ["text-wrap-mode", "text-wrap-style"]) {
            cursor, parts in
            parts.anyOrder(0..<2, &cursor)
        },
        .custom(
            "text-align",
            "start | end | left | right | center | justify | match-parent | justify-all | -webkit-left | -webkit-right | -webkit-center",
            inherited: true,
            copy: {
                $0.text.align = $1.text.align
                $0.inherited.blockAlignment = $1.inherited.blockAlignment
            }, read: { cursor, values in cursor.textAlign(&values) }),
        .keywords(
            "text-align-last", inherited: true, .init({ $0.text.alignLast }, { $0.text.alignLast = $1 }),
            [
                ("auto", .auto), ("start", .start), ("end", .end), ("left", .left), ("right", .right),
                ("center", .center), ("justify", .justify),
            ]),
        .keywords(
            "text-justify", inherited: true, .init({ $0.text.justify }, { $0.text.justify = $1 }),
            [
                ("auto", .auto), ("none", .none), ("inter-word", .interWord), ("inter-character", .interCharacter),
                ("distribute", .interCharacter),
            ]),
        .value(
            "text-indent", "<length-percentage> && hanging? && each-line?", inherited: true,
            .init(
                { ($0.text.indent, $0.text.indentHanging, $0.text.indentEachLine) },
                { ($0.text.indent, $0.text.indentHanging, $0.text.indentEachLine) = $1 })
        ) { $0.textIndent() },
        .keywords(
            "hyphens", inherited: true, .init({ $0.text.hyphens }, { $0.text.hyphens = $1 }),
            [("none", .none), ("manual", .manual), ("auto", .auto)]),
        .value(
            "hyphenate-character", "auto | <string>", inherited: true,
            .init({ $0.text.hyphenateCharacter }, { $0.text.hyphenateCharacter = $1 })
        ) { cursor in
            cursor.keyword("auto") ? .some(nil) : cursor.string().map { .some($0) }
        },
        .value(
            "hyphenate-limit-zone", "<length-percentage [0,∞]>", inherited: true,
            .init({ $0.text.hyphenateLimitZone }, { $0.text.hyphenateLimitZone = $1 })
        ) { $0.lengthPercentage(atLeast: 0) },
        .keywords(
            "line-break", inherited: true, .init({ $0.text.lineBreak }, { $0.text.lineBreak = $1 }),
            [
                ("auto", .auto), ("loose", .loose), ("normal", .normal), ("strict", .strict), ("anywhere", .anywhere),
                ("after-white-space", .auto),
            ]),
        .keywords(
            "word-break", inherited: true, .init({ $0.text.wordBreak }, { $0.text.wordBreak = $1 }),
            [
                ("normal", .normal), ("break-all", .breakAll), ("keep-all", .keepAll), ("break-word", .breakWord),
                ("auto-phrase", .autoPhrase),
            ]
        ).lacking { $0 == "auto-phrase" },
        .keywords(
            "overflow-wrap", inherited: true, .init({ $0.text.overflowWrap }, { $0.text.overflowWrap = $1 }),
            [("normal", .normal), ("break-word", .breakWord), ("anywhere", .anywhere)]),
        .alias("word-wrap", of: "overflow-wrap"),
    ]
}

/// Tables (CSS 2 §17): inherited properties of cells and captions, and column widths.
func tableProperties() -> [Property] {
    [
        .keywords(
            "table-layout", .init({ $0.box.fixedTableLayout }, { $0.box.fixedTableLayout = $1 }),
            [("auto", false), ("fixed", true)]),
        .keywords(
            "border-collapse", inherited: true, .init({ $0.text.collapsesBorders }, { $0.text.collapsesBorders = $1 }),
            [("separate", false), ("collapse", true)]),
        .value(
            "border-spacing", "<length [0,∞]>{1,2}", inherited: true,
            .init(
                { ($0.text.borderSpacingX, $0.text.borderSpacingY) },
                { ($0.text.borderSpacingX, $0.text.borderSpacingY) = $1 })
        ) { cursor in
            guard let x = cursor.length(atLeast: 0) else { return nil }
            return (x, cursor.isAtEnd ? x : cursor.length(atLeast: 0) ?? x)
        },
        .keywords(
            "caption-side", inherited: true, .init({ $0.text.captionSide }, { $0.text.captionSide = $1 }),
            [("top", .top), ("bottom", .bottom)]),
        .keywords(
            "empty-cells", inherited: true, .init({ $0.text.hidesEmptyCells }, { $0.text.hidesEmptyCells = $1 }),
            [("show", false), ("hide", true)]),
    ]
}

let collapseKeywords: [(StaticString, WhiteSpaceCollapse)] = [
    ("collapse", .collapse), ("preserve", .preserve), ("preserve-breaks", .preserveBreaks),
    ("break-spaces", .breakSpaces),
    ("preserve-spaces", .preserveSpaces),
]
let wrapStyleKeywords: [(StaticString, TextWrapStyle)] = [
    ("auto", .auto), ("balance", .balance), ("pretty", .pretty), ("stable", .stable),
]
private let alignKeywords: [(StaticString, TextAlign)] = [
    ("start", .start), ("end", .end), ("left", .left), ("right", .right), ("center", .center), ("justify", .justify),
    ("justify-all", .justify),
]
/// The values of `align` attributes, which also align the blocks inside.
private let blockAlignKeywords: [(StaticString, InheritedCascadeState.BlockAlignment)] = [
    ("-webkit-left", .left), ("-webkit-right", .right), ("-webkit-center", .center),
]
private let whiteSpaces: [(StaticString, (WhiteSpaceCollapse, Bool))] = [
    ("normal", (.collapse, true)), ("pre", (.preserve, false)), ("nowrap", (.collapse, false)),
    ("pre-wrap", (.preserve, true)),
    ("pre-line", (.preserveBreaks, true)), ("break-spaces", (.breakSpaces, true)),
    ("-webkit-nowrap", (.collapse, false)),
]

extension ValueCursor {
    /// `letter-spacing`, `word-spacing`: percentages are of the font size.
    fileprivate mutating func spacing() -> Float? {
        if keyword("normal") { return 0 }
        return lengthPercentage().map { pixels(of: $0) }
    }

    fileprivate mutating func textTransform() -> (TextTransformCase, fullWidth: Bool, fullSizeKana: Bool)? {
        var letters: TextTransformCase?
        var (width, kana) = (false, false)
        if !keyword("none"), !keyword("math-auto") {
            var count = 0
            while true {
                if letters == nil,
                    let value = keyword(
                        [("capitalize", .capitalize), ("uppercase", .uppercase), ("lowercase", .lowercase)]
                            as [(StaticString, TextTransformCase)])
                {
                    letters = value
                } else if !width, keyword("full-width") {
                    width = true
                } else if !kana, keyword("full-size-kana") {
                    kana = true
                } else {
                    break
                }
                count += 1
            }
            guard count > 0 else { return nil }
        }
        return (letters ?? .none, width, kana)
    }

    fileprivate mutating func textIndent() -> (LengthPercentage, isHanging: Bool, eachLine: Bool)? {
        var length: LengthPercentage?
        var (hanging, eachLine) = (false, false)
        while !isAtEnd {
            if !hanging, keyword("hanging") {
                hanging = true
            } else if !eachLine, keyword("each-line") {
                eachLine = true
            } else if length == nil, let value = lengthPercentage() {
                length = value
            } else {
                break
            }
        }
        return length.map { ($0, hanging, eachLine) }
    }

    fileprivate mutating func textAlign(_ values: inout StyleValues) -> Bool {
        // Tables do not inherit the alignment of an `align` attribute around them (HTML §15.3.10, as browsers do).
        if keyword("-internal-table") {
            if values.inherited.blockAlignment != .none { values.text.align = .start }
            values.inherited.blockAlignment = .none
            return true
        }
        values.inherited.blockAlignment = .none
        if keyword("match-parent") {  // resolves to a side at once (CSS Text 4 §6.1)
            let isRightToLeft = context.parentIsRightToLeft
            switch context.parentAlign {
            case .start: values.text.align = isRightToLeft ? .right : .left
            case .end: values.text.align = isRightToLeft ? .left : .right
            case .left, .right, .center, .justify, .matchParent: values.text.align = context.parentAlign
            }
            return true
        }
        // Header cells are centred unless the alignment was set around them (HTML §15.3.8).
        if keyword("-internal-center") {
            values.text.align = context.parentAlign == .start ? .center : context.parentAlign
            return true
        }
        if let block = keyword(blockAlignKeywords) {
            values.inherited.blockAlignment = block
            values.text.align = block == .center ? .center : block == .left ? .left : .right
            return true
        }
        guard let align = keyword(alignKeywords) else { return false }
        values.text.align = align
        return true
    }
}
