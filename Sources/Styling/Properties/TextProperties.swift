// Text (CSS Text 4, Text Decoration 4, Inline 3, Lists 3, Tables): the inherited properties besides fonts.

func textProperties() -> [Property] {
    [
        .custom("color", "<color>", inherited: true, phase: .color, copy: { $0.text.color = $1.text.color }) {
            cursor, values in
            guard let color = cursor.color() else { return false }
            values.text.color = color
            return true
        },
        .value(
            "color-scheme", "normal | [ light | dark | <custom-ident> ]+ && only?", inherited: true,
            StyleField({ $0.inherited.prefersDark }, { $0.inherited.prefersDark = $1 }), phase: .font
        ) { cursor in
            if cursor.keyword("normal") { return .some(nil) }
            var names: [String] = []
            while let name = cursor.customIdent(except: ["normal"]) { names.append(name.asciiLowercased()) }
            guard names.contains(where: { $0 != "only" }) else { return nil }
            // The first of the schemes that the user's preference allows.
            let wanted = cursor.context.userPrefersDark ? "dark" : "light"
            if names.contains(wanted) { return .some(wanted == "dark") }
            return .some(names.contains("dark") ? true : names.contains("light") ? false : nil)
        },
        .value(
            "letter-spacing", "normal | <length-percentage>", inherited: true,
            StyleField({ $0.text.letterSpacing }, { $0.text.letterSpacing = $1 })
        ) { $0.spacing() },
        .value(
            "word-spacing", "normal | <length-percentage>", inherited: true,
            StyleField({ $0.text.wordSpacing }, { $0.text.wordSpacing = $1 })
        ) { $0.spacing() },
        .value(
            "line-height", "normal | <number [0,∞]> | <length-percentage [0,∞]>", inherited: true,
            StyleField({ $0.text.lineHeight }, { $0.text.lineHeight = $1 })
        ) { cursor in
            if cursor.keyword("normal") { return .normal }
            let start = cursor.index
            if let number = cursor.number(atLeast: 0) { return .number(ValueCursor.clamped(number)) }
            cursor.rewind(to: start)
            if let token = cursor.token, token.kind == .number { return nil }
            return cursor.lengthPercentage(atLeast: 0).map {
                .length(max(0, $0.resolved(against: Float(cursor.context.fontSize))))
            }
        },
        .keywords(
            "white-space-collapse", inherited: true,
            StyleField({ $0.text.whiteSpaceCollapse }, { $0.text.whiteSpaceCollapse = $1 }), collapseKeywords),
        .keywords(
            "text-wrap-mode", inherited: true, StyleField({ $0.text.wraps }, { $0.text.wraps = $1 }),
            [("wrap", true), ("nowrap", false)]),
        .keywords(
            "text-wrap-style", inherited: true, StyleField({ $0.text.wrapStyle }, { $0.text.wrapStyle = $1 }),
            wrapStyleKeywords),
        .custom(
            "text-transform",
            "none | [ capitalize | uppercase | lowercase ] || full-width || full-size-kana | math-auto",
            inherited: true,
            copy: {
                $0.text.transform = $1.text.transform
                $0.text.transformFullWidth = $1.text.transformFullWidth
                $0.text.transformFullSizeKana = $1.text.transformFullSizeKana
            }
        ) { cursor, values in
            var letters: TextTransformCase?
            var (width, kana) = (false, false)
            if !cursor.keyword("none"), !cursor.keyword("math-auto") {
                var count = 0
                while true {
                    if letters == nil,
                        let value = cursor.keyword(
                            [("capitalize", .capitalize), ("uppercase", .uppercase), ("lowercase", .lowercase)]
                                as [(StaticString, TextTransformCase)])
                    {
                        letters = value
                    } else if !width, cursor.keyword("full-width") {
                        width = true
                    } else if !kana, cursor.keyword("full-size-kana") {
                        kana = true
                    } else {
                        break
                    }
                    count += 1
                }
                guard count > 0 else { return false }
            }
            values.text.transform = letters ?? .none
            values.text.transformFullWidth = width
            values.text.transformFullSizeKana = kana
            return true
        },
        .custom(
            "text-align",
            "start | end | left | right | center | justify | match-parent | justify-all | -webkit-left | -webkit-right | -webkit-center",
            inherited: true,
            copy: {
                $0.text.align = $1.text.align
                $0.inherited.blockAlignment = $1.inherited.blockAlignment
            }
        ) { cursor, values in
            // Tables do not take over what an `align` attribute around them says (HTML §15.3.10, as browsers do).
            if cursor.keyword("-internal-table") {
                if values.inherited.blockAlignment != .none { values.text.align = .start }
                values.inherited.blockAlignment = .none
                return true
            }
            values.inherited.blockAlignment = .none
            if cursor.keyword("match-parent") {  // resolves to a side at once (CSS Text 4 §6.1)
                let isRightToLeft = cursor.context.parentIsRightToLeft
                switch cursor.context.parentAlign {
                case .start: values.text.align = isRightToLeft ? .right : .left
                case .end: values.text.align = isRightToLeft ? .left : .right
                case .left, .right, .center, .justify, .matchParent: values.text.align = cursor.context.parentAlign
                }
                return true
            }
            // Header cells are centred unless the alignment was set around them (HTML §15.3.8).
            if cursor.keyword("-internal-center") {
                values.text.align = cursor.context.parentAlign == .start ? .center : cursor.context.parentAlign
                return true
            }
            if let block = cursor.keyword(blockAlignKeywords) {
                values.inherited.blockAlignment = block
                values.text.align = block == .center ? .center : block == .left ? .left : .right
                return true
            }
            guard let align = cursor.keyword(alignKeywords) else { return false }
            values.text.align = align
            return true
        },
        .keywords(
            "text-align-last", inherited: true, StyleField({ $0.text.alignLast }, { $0.text.alignLast = $1 }),
            [
                ("auto", .auto), ("start", .start), ("end", .end), ("left", .left), ("right", .right),
                ("center", .center), ("justify", .justify),
            ]),
        .custom(
            "text-indent", "<length-percentage> && hanging? && each-line?", inherited: true,
            copy: {
                $0.text.indent = $1.text.indent
                $0.text.indentHanging = $1.text.indentHanging
                $0.text.indentEachLine = $1.text.indentEachLine
            }
        ) { cursor, values in
            var length: LengthPercentage?
            var (hanging, eachLine) = (false, false)
            while !cursor.isAtEnd {
                if !hanging, cursor.keyword("hanging") {
                    hanging = true
                } else if !eachLine, cursor.keyword("each-line") {
                    eachLine = true
                } else if length == nil, let value = cursor.lengthPercentage() {
                    length = value
                } else {
                    break
                }
            }
            guard let length else { return false }
            values.text.indent = length
            values.text.indentHanging = hanging
            values.text.indentEachLine = eachLine
            return true
        },
        .keywords(
            "hyphens", inherited: true, StyleField({ $0.text.hyphens }, { $0.text.hyphens = $1 }),
            [("none", .none), ("manual", .manual), ("auto", .auto)]),
        .value(
            "hyphenate-character", "auto | <string>", inherited: true,
            StyleField({ $0.text.hyphenateCharacter }, { $0.text.hyphenateCharacter = $1 })
        ) { cursor in
            cursor.keyword("auto") ? .some(nil) : cursor.string().map { .some($0) }
        },
        .value(
            "hyphenate-limit-zone", "<length-percentage [0,∞]>", inherited: true,
            StyleField({ $0.text.hyphenateLimitZone }, { $0.text.hyphenateLimitZone = $1 })
        ) { $0.lengthPercentage(atLeast: 0) },
        .keywords(
            "line-break", inherited: true, StyleField({ $0.text.lineBreak }, { $0.text.lineBreak = $1 }),
            [
                ("auto", .auto), ("loose", .loose), ("normal", .normal), ("strict", .strict), ("anywhere", .anywhere),
                ("after-white-space", .auto),
            ]),
        .keywords(
            "word-break", inherited: true, StyleField({ $0.text.wordBreak }, { $0.text.wordBreak = $1 }),
            [
                ("normal", .normal), ("break-all", .breakAll), ("keep-all", .keepAll), ("break-word", .breakWord),
                ("auto-phrase", .autoPhrase),
            ]),
        .keywords(
            "overflow-wrap", inherited: true, StyleField({ $0.text.overflowWrap }, { $0.text.overflowWrap = $1 }),
            [("normal", .normal), ("break-word", .breakWord), ("anywhere", .anywhere)]),
        .alias("word-wrap", of: "overflow-wrap"),
        .value(
            "tab-size", "<number [0,∞]> | <length [0,∞]>", inherited: true,
            StyleField({ $0.text.tabSize }, { $0.text.tabSize = $1 })
        ) { cursor in
            let start = cursor.index
            if let number = cursor.number(atLeast: 0) { return .spaces(ValueCursor.clamped(number)) }
            cursor.rewind(to: start)
            return cursor.length(atLeast: 0).map { .length($0) }
        },
        .custom(
            "text-shadow", "none | [ <color>? && <length>{2,3} ]#", inherited: true,
            copy: {
                $0.text.shadows = $1.text.shadows
                $0.inherited.shadowsInCurrentColor = $1.inherited.shadowsInCurrentColor
            }
        ) { cursor, values in
            guard let (shadows, current) = cursor.shadows(ofBox: false) else { return false }
            values.text.shadows = shadows
            values.inherited.shadowsInCurrentColor = current
            return true
        },
        .value(
            "-webkit-text-stroke-color", "<color>", inherited: true,
            StyleField({ $0.text.strokeColor }, { $0.text.strokeColor = $1 })
        ) { $0.colorOrCurrent() },
        .value(
            "-webkit-text-stroke-width", "<line-width>", inherited: true,
            StyleField({ $0.text.strokeWidth }, { $0.text.strokeWidth = $1 })
        ) { $0.lineWidth() },
        .value(
            "-webkit-text-fill-color", "<color>", inherited: true,
            StyleField({ $0.text.fillColor }, { $0.text.fillColor = $1 })
        ) { $0.colorOrCurrent() },
        .keywords(
            "visibility", inherited: true, StyleField({ $0.text.visibility }, { $0.text.visibility = $1 }),
            [("visible", .visible), ("hidden", .hidden), ("collapse", .collapse)]),
        .value(
            "list-style-type", "none | <string> | <counter-style>", inherited: true,
            StyleField({ $0.text.listStyleType }, { $0.text.listStyleType = $1 })
        ) { cursor in
            if cursor.keyword("none") { return CounterStyle.none }
            if let string = cursor.string() { return .string(string) }
            return cursor.counterStyle()
        },
        .keywords(
            "list-style-position", inherited: true,
            StyleField({ $0.text.listStyleInside }, { $0.text.listStyleInside = $1 }),
            [("outside", false), ("inside", true)]),
        .value(
            "list-style-image", "none | <image>", inherited: true,
            StyleField({ $0.text.listStyleImage }, { $0.text.listStyleImage = $1 })
        ) { cursor in
            cursor.keyword("none") ? .some(nil) : cursor.image().map { .some($0) }
        },
        .value(
            "quotes", "auto | none | match-parent | [ <string> <string> ]+", inherited: true,
            StyleField({ $0.text.quotes }, { $0.text.quotes = $1 })
        ) { cursor in
            if cursor.keyword("auto") || cursor.keyword("match-parent") { return .some(nil) }
            if cursor.keyword("none") { return .some([]) }
            var quotes: [String] = []
            while let open = cursor.string() {
                guard let close = cursor.string() else { return nil }
                quotes += [open, close]
            }
            return quotes.isEmpty ? nil : .some(quotes)
        },
        .keywords(
            "border-collapse", inherited: true,
            StyleField({ $0.text.collapsesBorders }, { $0.text.collapsesBorders = $1 }),
            [("separate", false), ("collapse", true)]),
        .custom(
            "border-spacing", "<length [0,∞]>{1,2}", inherited: true,
            copy: {
                $0.text.borderSpacingX = $1.text.borderSpacingX
                $0.text.borderSpacingY = $1.text.borderSpacingY
            }
        ) { cursor, values in
            guard let x = cursor.length(atLeast: 0) else { return false }
            values.text.borderSpacingX = x
            values.text.borderSpacingY = cursor.isAtEnd ? x : cursor.length(atLeast: 0) ?? x
            return true
        },
        .keywords(
            "caption-side", inherited: true, StyleField({ $0.text.captionSide }, { $0.text.captionSide = $1 }),
            [("top", .top), ("bottom", .bottom)]),
        .keywords(
            "empty-cells", inherited: true, StyleField({ $0.text.hidesEmptyCells }, { $0.text.hidesEmptyCells = $1 }),
            [("show", false), ("hide", true)]),
        .value(
            "text-underline-offset", "auto | <length-percentage>", inherited: true,
            StyleField({ $0.text.underlineOffset }, { $0.text.underlineOffset = $1 })
        ) { cursor in
            cursor.keyword("auto") ? .some(nil) : cursor.lengthPercentage().map { .some($0) }
        },
        .value(
            "text-underline-position", "auto | [ from-font | under ] || [ left | right ]", inherited: true,
            StyleField({ $0.text.underlinePosition }, { $0.text.underlinePosition = $1 })
        ) { cursor in
            if cursor.keyword("auto") { return .auto }
            var value: TextStyle.UnderlinePosition?
            var side: Bool?
            while true {
                if value == nil,
                    let keyword = cursor.keyword(
                        [("from-font", .fromFont), ("under", .under)] as [(StaticString, TextStyle.UnderlinePosition)])
                {
                    value = keyword
                } else if side == nil, let keyword = cursor.keyword([("left", true), ("right", true)]) {
                    side = keyword
                } else {
                    break
                }
            }
            return value == nil && side == nil ? nil : value ?? .auto
        },
        .keywords(
            "text-decoration-skip-ink", inherited: true, StyleField({ $0.text.skipsInk }, { $0.text.skipsInk = $1 }),
            [("auto", true), ("none", false), ("all", true)]),
        .value(
            "text-emphasis-style",
            "none | [ [ filled | open ] || [ dot | circle | double-circle | triangle | sesame ] ] | <string>",
            inherited: true, StyleField({ $0.text.emphasisMark }, { $0.text.emphasisMark = $1 })
        ) { $0.emphasisMark() },
        .value(
            "text-emphasis-color", "<color>", inherited: true,
            StyleField({ $0.text.emphasisColor }, { $0.text.emphasisColor = $1 })
        ) { $0.colorOrCurrent() },
        .custom(
            "text-justify", "auto | none | inter-word | inter-character | distribute", inherited: true,
            copy: {
                $0.text.justifyNone = $1.text.justifyNone
                $0.text.justifiesBetweenCharacters = $1.text.justifiesBetweenCharacters
            }
        ) { cursor, values in
            guard
                let kind = cursor.keyword([
                    ("auto", 0), ("none", 1), ("inter-word", 0), ("inter-character", 2), ("distribute", 2),
                ])
            else { return false }
            values.text.justifyNone = kind == 1
            values.text.justifiesBetweenCharacters = kind == 2
            return true
        },
        .value(
            "ruby-position", "[ alternate || [ over | under ] ] | inter-character", inherited: true,
            StyleField({ $0.text.rubyUnder }, { $0.text.rubyUnder = $1 })
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
/// What `align` attributes mean: the blocks inside are aligned too.
private let blockAlignKeywords: [(StaticString, InheritedCascadeState.BlockAlignment)] = [
    ("-webkit-left", .left), ("-webkit-right", .right), ("-webkit-center", .center),
]
