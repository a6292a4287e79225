// Decorations painted with text (CSS Text Decoration 4, Compatibility §5): lines, emphasis marks, shadows, strokes.

func decorationProperties() -> [Property] {
    [
        .value("text-decoration-line", { $1(&$0.own.decoration.lines) }) { cursor in
            if cursor.keyword("none") || cursor.keyword("spelling-error") || cursor.keyword("grammar-error") {
                return []
            }
            // Nothing blinks in a picture.
            let blink = TextDecoration.Lines(rawValue: 8)
            return cursor.options(decorationLines + [("blink", blink)])?.subtracting(blink)
        },
        .keywords("text-decoration-style", { $1(&$0.own.decoration.style) }, decorationStyles),
        .value("text-decoration-color", { $1(&$0.own.decoration.color) }) { $0.colorOrCurrent() },
        .value("text-decoration-thickness", { $1(&$0.own.decoration.thickness) }) {
            $0.keyword([("auto", .auto), ("from-font", .fromFont)]) ?? $0.lengthPercentage().map { .length($0) }
        },
        .anyOrder("text-decoration", names("text-decoration-", "line style color thickness")),
        .optional("text-underline-offset", inherited: true, { $1(&$0.text.underlineOffset) }, "auto") {
            $0.lengthPercentage()
        },
        .value(
            "text-underline-position", inherited: true,
            both({ $1(&$0.text.underlinePosition) }, { $1(&$0.text.underlinesRight) })
        ) { cursor in
            if cursor.keyword("auto") { return (.auto, nil) }
            var (value, isRight): (TextStyle.UnderlinePosition?, Bool?)
            while cursor.once(&value, [("from-font", .fromFont), ("under", .under)])
                || cursor.once(&isRight, "left", "right")
            {}
            return value == nil && isRight == nil ? nil : (value ?? .auto, isRight)
        },
        .keywords(
            "text-decoration-skip-ink", inherited: true, { $1(&$0.text.skipsInk) },
            [("auto", true), ("none", false), ("all", true)]),
        .optional("text-emphasis-style", inherited: true, { $1(&$0.text.emphasisMark) }, "none") { cursor in
            if let mark = cursor.string() { return String(mark.prefix(1)) }
            var (isFilled, shape): (Bool?, (open: String, filled: String)?)
            let shapes: [(StaticString, (open: String, filled: String))] = [
                ("dot", ("◦", "•")), ("circle", ("○", "●")), ("double-circle", ("◎", "◉")), ("triangle", ("△", "▲")),
                ("sesame", ("﹆", "﹅")),
            ]
            if !cursor.anyOrder({ $0.once(&isFilled, "open", "filled") || $0.once(&shape, shapes) }) { return nil }
            // Without a shape it is a circle in horizontal text (CSS Text Decoration 4 §3.1).
            return isFilled ?? true ? shape?.filled ?? "●" : shape?.open ?? "○"
        },
        .value("text-emphasis-color", inherited: true, { $1(&$0.text.emphasisColor) }) { $0.colorOrCurrent() },
        .value(
            "text-emphasis-position", inherited: true,
            both({ $1(&$0.text.emphasizesUnder) }, { $1(&$0.text.emphasizesLeft) })
        ) { cursor in
            if cursor.keyword("auto") { return (false, false) }
            var (isUnder, isLeft): (Bool?, Bool?)
            while cursor.once(&isUnder, "over", "under") || cursor.once(&isLeft, "right", "left") {}
            return isUnder.map { ($0, isLeft ?? false) }
        },
        .anyOrder("text-emphasis", ["text-emphasis-style", "text-emphasis-color"]),
        .value(
            "text-shadow", inherited: true, both({ $1(&$0.text.shadows) }, { $1(&$0.inherited.shadowsInCurrentColor) })
        ) { $0.shadows(ofBox: false) },
        .value("-webkit-text-stroke-color", inherited: true, { $1(&$0.text.strokeColor) }) { $0.colorOrCurrent() },
        .value("-webkit-text-stroke-width", inherited: true, { $1(&$0.text.strokeWidth) }) { $0.lineWidth() },
        .value("paint-order", inherited: true, { $1(&$0.text.strokesFirst) }) { cursor in
            // The fill is the first among parts without a name (SVG 2 §13.8).
            if cursor.keyword("normal") { return false }
            var (fill, stroke, markers, strokesFirst) = (false, false, false, false)
            while cursor.once(&fill, "fill") || cursor.once(&stroke, "stroke") || cursor.once(&markers, "markers") {
                if stroke, !fill { strokesFirst = true }
            }
            return fill || stroke || markers ? strokesFirst : nil
        },
        .anyOrder("-webkit-text-stroke", ["-webkit-text-stroke-width", "-webkit-text-stroke-color"]),
        .value("-webkit-text-fill-color", inherited: true, { $1(&$0.text.fillColor) }) { $0.colorOrCurrent() },
    ]
}

let decorationLines: [(StaticString, TextDecoration.Lines)] = [
    ("underline", .underline), ("overline", .overline), ("line-through", .lineThrough),
]
let decorationStyles: [(StaticString, DecorationStyle)] = [
    ("solid", .solid), ("double", .double), ("dotted", .dotted), ("dashed", .dashed), ("wavy", .wavy),
]
