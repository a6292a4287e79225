// Text (CSS Text 4, Text Decoration 4, Inline 3, Lists 3, Tables): the inherited properties besides fonts.

import MarkupSyntax

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

/// Attributes of an attributed string that CSS has no property for, and GSFancyText's own names (SPEC Y5, L11).
func fancyProperties() -> [Property] {
    [
        .alias("text-color", of: "color"),
        .alias("foreground-color", of: "color"),
        .keywords(
            "truncate-mode", inherited: false, StyleField({ $0.box.truncateMode }, { $0.box.truncateMode = $1 }),
            [
                ("none", nil), ("tail", .tail), ("end", .tail), ("head", .head), ("start", .head), ("middle", .middle),
                ("word", .word), ("clip", .clip),
            ]),
        .value(
            "line-count", "none | <integer [0,∞]>", inherited: false,
            StyleField({ $0.box.lineClamp }, { $0.box.lineClamp = $1 })
        ) { $0.keyword("none") ? 0 : $0.integer(atLeast: 0) },
        .value(
            "-ft-segment-min-width", "auto | <length-percentage [0,∞]>", inherited: false,
            StyleField({ $0.own.segmentMinWidth }, { $0.own.segmentMinWidth = $1 })
        ) { $0.keyword("auto") ? .some(nil) : $0.lengthPercentage(atLeast: 0).map { .some($0) } },
        .value(
            "-ft-tab-stops", "none | <length [0,∞]>+", inherited: true,
            StyleField({ $0.text.tabStops }, { $0.text.tabStops = $1 })
        ) { cursor in
            if cursor.keyword("none") { return [] }
            var stops: [Float] = []
            while let stop = cursor.length(atLeast: 0) { stops.append(stop) }
            return stops.isEmpty ? nil : stops.sorted()
        },
        .value(
            "-ft-obliqueness", "<number>", inherited: true,
            StyleField({ $0.text.obliqueness }, { $0.text.obliqueness = $1 })
        ) { $0.number().map { ValueCursor.clamped(max(-10, min(10, $0))) } },
        .value(
            "-ft-expansion", "<number>", inherited: true, StyleField({ $0.text.expansion }, { $0.text.expansion = $1 })
        ) { $0.number().map { ValueCursor.clamped(max(-5, min(5, $0))) } },
        .value(
            "-ft-text-effect", "none | <custom-ident> | <string>", inherited: true,
            StyleField({ $0.text.textEffect }, { $0.text.textEffect = $1 })
        ) { cursor in
            cursor.keyword("none") ? .some(nil) : (cursor.string() ?? cursor.customIdent()).map { .some($0) }
        },
        .value(
            "-ft-link", "none | <string> | <url>", inherited: true, StyleField({ $0.text.link }, { $0.text.link = $1 })
        ) { cursor in
            cursor.keyword("none") ? .some(nil) : (cursor.string() ?? cursor.url()).map { .some($0) }
        },
        .value(
            "-ft-line-spacing", "normal | <length>", inherited: true,
            StyleField({ $0.text.lineSpacing }, { $0.text.lineSpacing = $1 })
        ) { $0.keyword("normal") ? 0 : $0.length() },
        .value(
            "-ft-minimum-line-height", "none | <length [0,∞]>", inherited: true,
            StyleField({ $0.text.minimumLineHeight }, { $0.text.minimumLineHeight = $1 })
        ) { $0.keyword("none") ? 0 : $0.length(atLeast: 0) },
        .value(
            "-ft-maximum-line-height", "none | <length [0,∞]>", inherited: true,
            StyleField({ $0.text.maximumLineHeight }, { $0.text.maximumLineHeight = $1 })
        ) { $0.keyword("none") ? 0 : $0.length(atLeast: 0) },
        .value(
            "text-fit", "none | [ grow | shrink | consistent | per-line | per-line-all ]+ || <length [0,∞]>{1,2}",
            inherited: true, StyleField({ $0.text.fitLines }, { $0.text.fitLines = $1 })
        ) { cursor in
            if cursor.keyword("none") { return .some(nil) }
            var sizes: [Float] = []
            var count = 0
            while !cursor.isAtEnd {
                if cursor.keyword([("grow", 0), ("shrink", 0), ("consistent", 0), ("per-line", 0), ("per-line-all", 0)])
                    == nil
                {
                    guard sizes.count < 2, let size = cursor.length(atLeast: 0) else { return nil }
                    sizes.append(size)
                }
                count += 1
            }
            guard count > 0 else { return nil }
            return .some(
                TextStyle.FitLines(
                    minimumSize: sizes.first ?? 1, maximumSize: sizes.count > 1 ? max(sizes[0], sizes[1]) : 10_000))
        },
        .value(
            "-ft-line-background", "none | <color> && <length [0,∞]>{0,4} && joined?", inherited: true,
            StyleField({ $0.text.lineBackground }, { $0.text.lineBackground = $1 })
        ) { cursor in
            if cursor.keyword("none") { return .some(nil) }
            var color: Color?
            var lengths: [Float] = []
            var joins = false
            while !cursor.isAtEnd {
                if !joins, cursor.keyword("joined") {
                    joins = true
                } else if lengths.count < 4, let length = cursor.length(atLeast: 0) {
                    lengths.append(length)
                } else if color == nil, let value = cursor.color() {
                    color = value
                } else {
                    return nil
                }
            }
            guard let color else { return nil }
            func length(_ index: Int) -> Float { index < lengths.count ? lengths[index] : 0 }
            return .some(
                TextStyle.LineBackground(
                    color: color, paddingX: length(0), paddingY: lengths.count > 1 ? lengths[1] : length(0),
                    radius: length(2),
                    gap: length(3), joinsCorners: joins))
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
private let blockAlignKeywords: [(StaticString, InheritedExtras.BlockAlignment)] = [
    ("-webkit-left", .left), ("-webkit-right", .right), ("-webkit-center", .center),
]

extension ValueCursor {
    /// `letter-spacing`, `word-spacing`: percentages are of the font size.
    mutating func spacing() -> Float? {
        if keyword("normal") { return 0 }
        return lengthPercentage().map { $0.resolved(against: Float(context.fontSize)) }
    }

    /// `<line-width>` (CSS Backgrounds 3 §3.3).
    mutating func lineWidth() -> Float? {
        keyword([("thin", 1), ("medium", 3), ("thick", 5)] as [(StaticString, Float)]) ?? length(atLeast: 0)
    }

    mutating func shadows(ofBox isBox: Bool) -> ([Shadow], [Bool])? {
        if keyword("none") { return ([], []) }
        var shadows: [Shadow] = []
        var current: [Bool] = []
        repeat {
            var lengths: [Float] = []
            var color: Color??
            var inset = false
            while !isAtEnd {
                if isBox, !inset, keyword("inset") {
                    inset = true
                } else if lengths.isEmpty, let x = length() {
                    guard let y = length() else { return nil }
                    lengths = [x, y]
                    let start = index
                    guard let blur = length(atLeast: 0) else {
                        rewind(to: start)
                        continue
                    }
                    lengths.append(blur)
                    if isBox, let spread = length() { lengths.append(spread) }
                } else if color == nil, let value = colorOrCurrent() {
                    color = .some(value)
                } else {
                    break
                }
            }
            guard lengths.count >= 2 else { return nil }
            let resolved = color.flatMap { $0 }
            shadows.append(
                Shadow(
                    x: lengths[0], y: lengths[1], blur: lengths.count > 2 ? lengths[2] : 0,
                    spread: lengths.count > 3 ? lengths[3] : 0,
                    color: resolved ?? context.currentColor, inset: inset))
            current.append(resolved == nil)
        } while comma()
        return (shadows, current)
    }

    mutating func counterStyle() -> CounterStyle? {
        if isFunction("symbols") {
            let symbols: [String]? = arguments { cursor in
                let kind =
                    cursor.keyword([("cyclic", 1), ("numeric", 2), ("alphabetic", 2), ("symbolic", 1), ("fixed", 1)])
                    ?? 1
                var symbols: [String] = []
                while let symbol = cursor.string() { symbols.append(symbol) }
                return symbols.count >= kind ? symbols : nil
            }
            return symbols.map { $0.count == 1 ? .string($0[0]) : .string($0[0] + " ") }
        }
        guard let name = customIdent(except: ["none"]) else { return nil }
        // Predefined names are not case-sensitive.
        let lower = name.asciiLowercased()
        return .named(CounterText.isKnown(lower) ? lower : name)
    }

    /// The mark of `text-emphasis-style`; without a shape it is a circle in horizontal text (CSS Text Decoration 4 §3.1).
    fileprivate mutating func emphasisMark() -> String?? {
        if keyword("none") { return .some(nil) }
        if let mark = string() { return .some(mark.first.map { String($0) } ?? "") }
        var isFilled: Bool?
        var shape: Int?
        while true {
            if isFilled == nil, let fill = keyword([("filled", true), ("open", false)]) {
                isFilled = fill
            } else if shape == nil,
                let named = keyword([("dot", 0), ("circle", 1), ("double-circle", 2), ("triangle", 3), ("sesame", 4)])
            {
                shape = named
            } else {
                break
            }
        }
        guard isFilled != nil || shape != nil else { return nil }
        let marks = isFilled ?? true ? ["•", "●", "◉", "▲", "﹅"] : ["◦", "○", "◎", "△", "﹆"]
        return .some(marks[shape ?? 1])
    }
}
