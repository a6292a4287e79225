// Text (CSS Text 4, Inline 3, Ruby 1): the inherited properties besides fonts and decorations.

func textProperties() -> [Property] {
    [
        .value("color", { $1(&$0.text.color) }, stage: .color) { $0.color() },
        .value("color-scheme", { $1(&$0.inherited.prefersDark) }, stage: .fonts) { cursor in
            if cursor.keyword("normal") { return .some(nil) }
            let names = cursor.many { $0.customIdent(except: ["normal"])?.asciiLowercased() }
            guard names.contains(where: { $0 != "only" }) else { return nil }
            // The scheme that the parent's text is written for: tokens of code keep their contrast in every block.
            if names == ["-ft-text"] { return .some(cursor.context.currentColor.isLight) }
            // The first scheme that the user's preference allows.
            let schemes = cursor.context.userPrefersDark ? ["dark", "light"] : ["light", "dark"]
            return .some(schemes.first(where: names.contains).map { $0 == "dark" })
        },
        .value("letter-spacing", { $1(&$0.text.letterSpacing) }) { $0.spacing() },
        .value("word-spacing", { $1(&$0.text.wordSpacing) }) { $0.spacing() },
        .value("line-height", { $1(&$0.text.lineHeight) }) { cursor in
            if cursor.keyword("normal") { return .normal }
            if let number = cursor.number(atLeast: 0) { return .number(ValueCursor.clamped(number)) }
            if cursor.token?.kind == .number { return nil }
            if cursor.token?.kind == .percentage, let whole = cursor.percentage(atLeast: 0) {
                // Chromium drops the fraction of a percentage. The product of 1.15 and 100 is a little less than 115.
                let share = ValueCursor.clamped((whole * 100 + 1e-6).rounded(.towardZero) / 100)
                return .length(share * Float(cursor.context.fontSize))
            }
            return cursor.lengthPercentage(atLeast: 0).map { .length(max(0, cursor.pixels(of: $0))) }
        },
        .value(
            "text-transform",
            both(
                { $1(&$0.text.transform) },
                both({ $1(&$0.text.transformFullWidth) }, { $1(&$0.text.transformFullSizeKana) }))
        ) { cursor in
            if cursor.keyword("none") || cursor.keyword("math-auto") { return (.none, (false, false)) }
            let cases: [(StaticString, TextTransformCase)] = [
                ("capitalize", .capitalize), ("uppercase", .uppercase), ("lowercase", .lowercase),
            ]
            var (letters, width, kana): (TextTransformCase?, Bool, Bool) = (nil, false, false)
            let isRead = cursor.anyOrder {
                $0.once(&letters, cases) || $0.once(&width, "full-width") || $0.once(&kana, "full-size-kana")
            }
            return isRead ? (letters ?? .none, (width, kana)) : nil
        },
        .value("tab-size", { $1(&$0.text.tabSize) }) {
            $0.number(atLeast: 0).map { .spaces(ValueCursor.clamped($0)) } ?? $0.length(atLeast: 0).map { .length($0) }
        },
        .keywords("visibility", { $1(&$0.text.visibility) }),
        .value("ruby-position", { $1(&$0.text.rubyUnder) }) { cursor in
            if cursor.keyword("inter-character") { return false }
            var isUnder: Bool?
            var alternates = false
            while cursor.once(&isUnder, "over", "under") || cursor.once(&alternates, "alternate") {}
            return isUnder ?? (alternates ? false : nil)
        },
        // Line breaking, and the alignment of text in lines.
        .keywords("white-space-collapse", { $1(&$0.text.whiteSpaceCollapse) }),
        .flag("text-wrap-mode", { $1(&$0.text.wraps) }, "nowrap", "wrap"),
        .keywords("text-wrap-style", { $1(&$0.text.wrapStyle) }),
        .shorthand("white-space", ["white-space-collapse", "text-wrap-mode"]) { cursor, parts in
            if let (collapse, wraps) = cursor.keyword(whiteSpaces) {
                parts.parts = [.set { $0.text.whiteSpaceCollapse = collapse }, .set { $0.text.wraps = wraps }]
                return true
            }
            return parts.anyOrder(0..<2, &cursor)
        },
        .anyOrder("text-wrap", ["text-wrap-mode", "text-wrap-style"]),
        .custom("text-align", both({ $1(&$0.text.align) }, { $1(&$0.inherited.blockAlignment) })) { $0.textAlign(&$1) },
        .keywords("text-align-last", { $1(&$0.text.alignLast) }),
        .keywords("text-justify", { $1(&$0.text.justify) }, also: [("distribute", .interCharacter)]),
        .value(
            "text-indent",
            both({ $1(&$0.text.indent) }, both({ $1(&$0.text.indentHanging) }, { $1(&$0.text.indentEachLine) }))
        ) { cursor in
            var length: LengthPercentage?
            var (hanging, eachLine) = (false, false)
            while cursor.once(&hanging, "hanging") || cursor.once(&eachLine, "each-line")
                || cursor.once(&length, { $0.lengthPercentage() })
            {}
            return length.map { ($0, (hanging, eachLine)) }
        },
        .keywords("hyphens", { $1(&$0.text.hyphens) }),
        .optional("hyphenate-character", { $1(&$0.text.hyphenateCharacter) }, "auto") { $0.string() },
        .value("hyphenate-limit-zone", { $1(&$0.text.hyphenateLimitZone) }) { $0.lengthPercentage(atLeast: 0) },
        .keywords("line-break", { $1(&$0.text.lineBreak) }, also: [("after-white-space", .auto)]),
        .keywords("word-break", inherited: true, { $1(&$0.text.wordBreak) }).lacking { $0 == "auto-phrase" },
        .keywords("overflow-wrap", { $1(&$0.text.overflowWrap) }),
        .alias("word-wrap", of: "overflow-wrap"),
    ]
}

/// The edges of lines and of boxes around them (CSS Inline 3 §4–6), and tables.
func edgeProperties() -> [Property] {
    [
        .keywords(
            "margin-trim", both({ $1(&$0.box.lineEdges.trimsTopMargin) }, { $1(&$0.box.lineEdges.trimsBottomMargin) }),
            edges(["none", "block-start", "block-end", "block"])),
        .keywords(
            "text-box-trim", both({ $1(&$0.box.lineEdges.trimsStart) }, { $1(&$0.box.lineEdges.trimsEnd) }),
            edges(["none", "trim-start", "trim-end", "trim-both"])),
        .value("text-box-edge", inherited: true, { $1(&$0.text.textBoxEdge) }) { cursor in
            if cursor.keyword("auto") { return TextBoxEdge() }
            guard let over: TextBoxEdge.Over = cursor.keyword() else { return nil }
            let isUnderBaseline = cursor.choice("text", "alphabetic") ?? (over == .text ? false : nil)
            return isUnderBaseline.map { TextBoxEdge(over: over, isUnderBaseline: $0) }
        },
        .shorthand("text-box", ["text-box-trim", "text-box-edge"]) { cursor, parts in
            if cursor.keyword("normal") { return true }
            guard parts.anyOrder(0..<2, &cursor) else { return false }
            if case .initial = parts.parts[0] {
                parts.parts[0] = .set { ($0.box.lineEdges.trimsStart, $0.box.lineEdges.trimsEnd) = (true, true) }
            }
            return true
        },
        .optional("initial-letter", { $1(&$0.box.lineEdges.initialLetter) }, "normal") { cursor in
            let early = cursor.choice("drop", "raise")
            guard let size = cursor.number(atLeast: 1) else { return nil }
            let isRaised = early ?? cursor.choice("drop", "raise")
            let sink = isRaised == true ? 1 : isRaised == nil && !cursor.isAtEnd ? cursor.integer(atLeast: 1) : nil
            return InitialLetter(size: ValueCursor.clamped(size), sink: sink ?? Int(bounded: size, by: 10_000))
        },
        // Tables (CSS 2 §17).
        .flag("table-layout", { $1(&$0.box.fixedTableLayout) }, "auto", "fixed"),
        .flag("-ft-table-fit", { $1(&$0.box.shrinksTable) }, "none", "shrink"),
        .flag("border-collapse", inherited: true, { $1(&$0.text.collapsesBorders) }, "separate", "collapse"),
        .value(
            "border-spacing", inherited: true, both({ $1(&$0.text.borderSpacingX) }, { $1(&$0.text.borderSpacingY) })
        ) { cursor in
            guard let x = cursor.length(atLeast: 0) else { return nil }
            return (x, cursor.isAtEnd ? x : cursor.length(atLeast: 0) ?? x)
        },
        .keywords("caption-side", inherited: true, { $1(&$0.text.captionSide) }),
        .flag("empty-cells", inherited: true, { $1(&$0.text.hidesEmptyCells) }, "show", "hide"),
    ]
}

/// Keywords for neither edge, the first, the last, both.
private func edges(_ words: [StaticString]) -> [(StaticString, (Bool, Bool))] {
    Array(zip(words, [(false, false), (true, false), (false, true), (true, true)]))
}

private let alignKeywords: [(StaticString, TextAlign)] = [
    ("start", .start), ("end", .end), ("left", .left), ("right", .right), ("center", .center), ("justify", .justify),
    ("justify-all", .justify),
]
/// The values of `align` attributes, which also align the blocks inside.
private let blockAlignKeywords: [(StaticString, TextAlign)] = [
    ("-webkit-left", .left), ("-webkit-right", .right), ("-webkit-center", .center),
]
private let whiteSpaces: [(StaticString, (WhiteSpaceCollapse, Bool))] = [
    ("normal", (.collapse, true)), ("pre", (.preserve, false)), ("nowrap", (.collapse, false)),
    ("pre-wrap", (.preserve, true)), ("pre-line", (.preserveBreaks, true)), ("break-spaces", (.breakSpaces, true)),
    ("-webkit-nowrap", (.collapse, false)),
]

extension ValueCursor {
    /// `letter-spacing`, `word-spacing`: percentages are of the font size.
    fileprivate mutating func spacing() -> Float? { keyword("normal") ? 0 : lengthPercentage().map { pixels(of: $0) } }

    fileprivate mutating func textAlign(_ values: inout StyleValues) -> Bool {
        let (around, parent) = (values.inherited.blockAlignment, context.parentAlign)
        values.inherited.blockAlignment = nil
        // Tables do not inherit the alignment of an `align` attribute around them (HTML §15.3.10, as browsers do).
        if keyword("-internal-table") {
            if around != nil { values.text.align = .start }
            return true
        }
        if keyword("match-parent") {  // resolves to a side at once (CSS Text 4 §6.1)
            let startSide: TextAlign = context.parentIsRightToLeft ? .right : .left
            let endSide: TextAlign = context.parentIsRightToLeft ? .left : .right
            values.text.align = parent == .start ? startSide : parent == .end ? endSide : parent
            return true
        }
        // Header cells are centred unless the alignment was set around them (HTML §15.3.8).
        if keyword("-internal-center") {
            values.text.align = parent == .start ? .center : parent
            return true
        }
        let block = keyword(blockAlignKeywords)
        guard let align = block ?? keyword(alignKeywords) else { return false }
        (values.text.align, values.inherited.blockAlignment) = (align, block)
        return true
    }
}
