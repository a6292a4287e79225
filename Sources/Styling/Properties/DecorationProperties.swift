// Decorations painted with text (CSS Text Decoration 4, Compatibility §5): lines, emphasis marks, shadows, strokes.

func decorationProperties() -> [Property] {
    [
        .value(
            "text-decoration-line",
            "none | [ underline || overline || line-through || blink ] | spelling-error | grammar-error",
            .init({ $0.own.decorationLines }, { $0.own.decorationLines = $1 })
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
            "text-decoration-style", .init({ $0.own.decorationStyle }, { $0.own.decorationStyle = $1 }),
            [("solid", .solid), ("double", .double), ("dotted", .dotted), ("dashed", .dashed), ("wavy", .wavy)]),
        .value("text-decoration-color", "<color>", .init({ $0.own.decorationColor }, { $0.own.decorationColor = $1 })) {
            $0.colorOrCurrent()
        },
        .value(
            "text-decoration-thickness", "auto | from-font | <length-percentage>",
            .init({ $0.own.decorationThickness }, { $0.own.decorationThickness = $1 })
        ) { cursor in
            cursor.keyword(
                [("auto", DecorationThickness.auto), ("from-font", .fromFont)] as [(StaticString, DecorationThickness)])
                ?? cursor.lengthPercentage().map { .length($0) }
        },
        .shorthand(
            "text-decoration",
            "<'text-decoration-line'> || <'text-decoration-thickness'> || <'text-decoration-style'> || <'text-decoration-color'>",
            ["text-decoration-line", "text-decoration-style", "text-decoration-color", "text-decoration-thickness"]
        ) { cursor, parts in
            parts.anyOrder(0..<4, &cursor)
        },
        .alias("-webkit-text-decoration", of: "text-decoration"),
        .value(
            "text-underline-offset", "auto | <length-percentage>", inherited: true,
            .init({ $0.text.underlineOffset }, { $0.text.underlineOffset = $1 })
        ) { cursor in
            cursor.keyword("auto") ? .some(nil) : cursor.lengthPercentage().map { .some($0) }
        },
        .value(
            "text-underline-position", "auto | [ from-font | under ] || [ left | right ]", inherited: true,
            .init({ $0.text.underlinePosition }, { $0.text.underlinePosition = $1 })
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
            "text-decoration-skip-ink", inherited: true, .init({ $0.text.skipsInk }, { $0.text.skipsInk = $1 }),
            [("auto", true), ("none", false), ("all", true)]),
        .value(
            "text-emphasis-style",
            "none | [ [ filled | open ] || [ dot | circle | double-circle | triangle | sesame ] ] | <string>",
            inherited: true, .init({ $0.text.emphasisMark }, { $0.text.emphasisMark = $1 })
        ) { $0.emphasisMark() },
        .value(
            "text-emphasis-color", "<color>", inherited: true,
            .init({ $0.text.emphasisColor }, { $0.text.emphasisColor = $1 })
        ) { $0.colorOrCurrent() },
        .shorthand(
            "text-emphasis", "<'text-emphasis-style'> || <'text-emphasis-color'>",
            ["text-emphasis-style", "text-emphasis-color"]
        ) { cursor, parts in
            parts.anyOrder(0..<2, &cursor)
        },
        .alias("-webkit-text-emphasis", of: "text-emphasis"),
        .alias("-webkit-text-emphasis-style", of: "text-emphasis-style"),
        .alias("-webkit-text-emphasis-color", of: "text-emphasis-color"),
        .value(
            "text-shadow", "none | [ <color>? && <length>{2,3} ]#", inherited: true,
            .init(
                { ($0.text.shadows, $0.inherited.shadowsInCurrentColor) },
                { ($0.text.shadows, $0.inherited.shadowsInCurrentColor) = $1 })
        ) { $0.shadows(ofBox: false) },
        .value(
            "-webkit-text-stroke-color", "<color>", inherited: true,
            .init({ $0.text.strokeColor }, { $0.text.strokeColor = $1 })
        ) { $0.colorOrCurrent() },
        .value(
            "-webkit-text-stroke-width", "<line-width>", inherited: true,
            .init({ $0.text.strokeWidth }, { $0.text.strokeWidth = $1 })
        ) { $0.lineWidth() },
        .value(
            "paint-order", "normal | [ fill || stroke || markers ]", inherited: true,
            .init({ $0.text.strokesFirst }, { $0.text.strokesFirst = $1 })
        ) { $0.paintOrder() },
        .shorthand(
            "-webkit-text-stroke", "<line-width> || <color>",
            ["-webkit-text-stroke-width", "-webkit-text-stroke-color"]
        ) { cursor, parts in
            parts.anyOrder(0..<2, &cursor)
        },
        .value(
            "-webkit-text-fill-color", "<color>", inherited: true,
            .init({ $0.text.fillColor }, { $0.text.fillColor = $1 })
        ) { $0.colorOrCurrent() },
    ]
}

extension ValueCursor {
    /// `paint-order`: true if the stroke is painted before the fill. Parts that are not named come last, the fill before the
    /// stroke (SVG 2 §13.8).
    fileprivate mutating func paintOrder() -> Bool? {
        if keyword([("normal", true)] as [(StaticString, Bool)]) != nil { return false }
        var order: [PaintedPart] = []
        while !isAtEnd {
            guard
                let part = keyword(
                    [("fill", .fill), ("stroke", .stroke), ("markers", .markers)] as [(StaticString, PaintedPart)]),
                !order.contains(part)
            else { return nil }
            order.append(part)
        }
        guard !order.isEmpty else { return nil }
        return order.first { $0 != .markers } == .stroke
    }

    private enum PaintedPart { case fill, stroke, markers }

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
