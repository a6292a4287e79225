// Properties that only this library has: attributes of attributed strings that CSS lacks, and GSFancyText's names.

/// Attributes of an attributed string that CSS has no property for, and GSFancyText's own names.
func fancyProperties() -> [Property] {
    [
        .alias("text-color", of: "color"),
        .alias("foreground-color", of: "color"),
        .keywords(
            "truncate-mode", .init({ $0.box.truncateMode }, { $0.box.truncateMode = $1 }),
            [
                ("none", nil), ("tail", .tail), ("end", .tail), ("head", .head), ("start", .head), ("middle", .middle),
                ("word", .word), ("clip", .clip),
            ]),
        .value("line-count", "none | <integer [0,∞]>", .init({ $0.box.lineClamp }, { $0.box.lineClamp = $1 })) {
            $0.keyword("none") ? 0 : $0.integer(atLeast: 0)
        },
        .value(
            "-ft-segment-min-width", "auto | <length-percentage [0,∞]>",
            .init({ $0.own.segmentMinWidth }, { $0.own.segmentMinWidth = $1 })
        ) { $0.keyword("auto") ? .some(nil) : $0.lengthPercentage(atLeast: 0).map { .some($0) } },
        .value(
            "-ft-tab-stops", "none | <length [0,∞]>+", inherited: true,
            .init({ $0.text.tabStops }, { $0.text.tabStops = $1 })
        ) { cursor in
            if cursor.keyword("none") { return [] }
            var stops: [Float] = []
            while let stop = cursor.length(atLeast: 0) { stops.append(stop) }
            return stops.isEmpty ? nil : stops.sorted()
        },
        .value(
            "-ft-obliqueness", "<number>", inherited: true, .init({ $0.text.obliqueness }, { $0.text.obliqueness = $1 })
        ) { $0.number().map { ValueCursor.clamped(max(-10, min(10, $0))) } },
        .value("-ft-expansion", "<number>", inherited: true, .init({ $0.text.expansion }, { $0.text.expansion = $1 })) {
            $0.number().map { ValueCursor.clamped(max(-5, min(5, $0))) }
        },
        .keywords(
            "-ft-tightening", inherited: true, .init({ $0.text.allowsTightening }, { $0.text.allowsTightening = $1 }),
            [("none", false), ("allow", true)]),
        .value(
            "-ft-text-effect", "none | <custom-ident> | <string>", inherited: true,
            .init({ $0.text.textEffect }, { $0.text.textEffect = $1 })
        ) { cursor in
            cursor.keyword("none") ? .some(nil) : (cursor.string() ?? cursor.customIdent()).map { .some($0) }
        },
        .value("-ft-link", "none | <string> | <url>", inherited: true, .init({ $0.text.link }, { $0.text.link = $1 })) {
            cursor in
            cursor.keyword("none") ? .some(nil) : (cursor.string() ?? cursor.url()).map { .some($0) }
        },
        .value(
            "-ft-decorations",
            "none | [ [ underline | line-through | overline ] || <'text-decoration-style'> || <color> || <length [0,∞]> ]#",
            inherited: false, StyleField({ $0.own.decorations }, { $0.own.decorations = $1 })
        ) { cursor in
            if cursor.keyword("none") { return [] }
            var decorations: [OwnDecoration] = []
            repeat {
                guard let decoration = decoration(&cursor) else { return nil }
                decorations.append(decoration)
            } while cursor.comma()
            return decorations
        },
        .value(
            "-ft-line-spacing", "normal | <length>", inherited: true,
            .init({ $0.text.lineSpacing }, { $0.text.lineSpacing = $1 })
        ) { $0.keyword("normal") ? 0 : $0.length() },
        .value(
            "-ft-minimum-line-height", "none | <length [0,∞]>", inherited: true,
            .init({ $0.text.minimumLineHeight }, { $0.text.minimumLineHeight = $1 })
        ) { $0.keyword("none") ? 0 : $0.length(atLeast: 0) },
        .value(
            "-ft-maximum-line-height", "none | <length [0,∞]>", inherited: true,
            .init({ $0.text.maximumLineHeight }, { $0.text.maximumLineHeight = $1 })
        ) { $0.keyword("none") ? 0 : $0.length(atLeast: 0) },
        .value(
            "text-fit", "none | [ grow | shrink | consistent | per-line | per-line-all ]+ || <length [0,∞]>{1,2}",
            inherited: true, .init({ $0.text.fitLines }, { $0.text.fitLines = $1 })
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
            .init({ $0.text.lineBackground }, { $0.text.lineBackground = $1 })
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

/// One line of `-ft-decorations`, its parts in any order.
private func decoration(_ cursor: inout ValueCursor) -> OwnDecoration? {
    var result = OwnDecoration(lines: [])
    var style: DecorationStyle?
    while true {
        if result.lines.isEmpty,
            let line = cursor.keyword(
                [("underline", .underline), ("line-through", .lineThrough), ("overline", .overline)]
                    as [(StaticString, TextDecoration.Lines)])
        {
            result.lines = line
        } else if style == nil,
            let known = cursor.keyword(
                [
                    ("solid", .solid), ("double", .double), ("dotted", .dotted), ("dashed", .dashed), ("wavy", .wavy),
                ] as [(StaticString, DecorationStyle)])
        {
            style = known
        } else if result.thickness == .auto, let length = cursor.length(atLeast: 0) {
            result.thickness = .length(LengthPercentage(px: length))
        } else if result.color == nil, let color = cursor.color() {
            result.color = color
        } else {
            break
        }
    }
    result.style = style ?? .solid
    return result.lines.isEmpty ? nil : result
}
