// Properties that only this library has: attributes of attributed strings that CSS lacks, and GSFancyText's names.

func fancyProperties() -> [Property] {
    [
        .alias("text-color", of: "color"),
        .alias("foreground-color", of: "color"),
        .keywords(
            "truncate-mode", { $1(&$0.box.truncateMode) },
            [
                ("none", nil), ("tail", .tail), ("end", .tail), ("head", .head), ("start", .head), ("middle", .middle),
                ("word", .word), ("clip", .clip),
            ]),
        .value("line-count", { $1(&$0.box.lineClamp) }) { $0.keyword("none") ? 0 : $0.integer(atLeast: 0) },
        .value("-ft-segment-min-width", { $1(&$0.own.segmentMinWidth) }) {
            $0.optional("auto") { $0.lengthPercentage(atLeast: 0) }
        },
        .value("-ft-tab-stops", inherited: true, { $1(&$0.text.tabStops) }) { cursor in
            if cursor.keyword("none") { return [] }
            let stops = cursor.many { $0.length(atLeast: 0) }
            return stops.isEmpty ? nil : stops.sorted()
        },
        .value("-ft-obliqueness", inherited: true, { $1(&$0.text.obliqueness) }) {
            $0.number().map { ValueCursor.clamped(max(-10, min(10, $0))) }
        },
        .value("-ft-expansion", inherited: true, { $1(&$0.text.expansion) }) {
            $0.number().map { ValueCursor.clamped(max(-5, min(5, $0))) }
        },
        .flag("-ft-tightening", inherited: true, { $1(&$0.text.allowsTightening) }, "none", "allow"),
        .value("-ft-text-effect", inherited: true, { $1(&$0.text.textEffect) }) {
            $0.optional("none") { $0.string() ?? $0.customIdent() }
        },
        .value("-ft-link", inherited: true, { $1(&$0.text.link) }) { $0.optional("none") { $0.string() ?? $0.url() } },
        .value("-ft-decorations", { $1(&$0.own.decorations) }) { $0.keyword("none") ? [] : $0.commaList(decoration) },
        .value("-ft-line-spacing", inherited: true, { $1(&$0.text.lineSpacing) }) {
            $0.keyword("normal") ? 0 : $0.length()
        },
        .value("-ft-minimum-line-height", inherited: true, { $1(&$0.text.minimumLineHeight) }) {
            $0.keyword("none") ? 0 : $0.length(atLeast: 0)
        },
        .value("-ft-maximum-line-height", inherited: true, { $1(&$0.text.maximumLineHeight) }) {
            $0.keyword("none") ? 0 : $0.length(atLeast: 0)
        },
        .value("text-fit", inherited: true, { $1(&$0.text.fitLines) }) { cursor in
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
        .value("-ft-line-background", inherited: true, { $1(&$0.text.lineBackground) }) { cursor in
            if cursor.keyword("none") { return .some(nil) }
            var color: Color?
            var lengths: [Float] = []
            var joins = false
            while !cursor.isAtEnd {
                if cursor.once(&joins, "joined") || cursor.once(&color, { $0.color() }) { continue }
                guard lengths.count < 4, let length = cursor.length(atLeast: 0) else { return nil }
                lengths.append(length)
            }
            guard let color else { return nil }
            func length(_ index: Int) -> Float { index < lengths.count ? lengths[index] : 0 }
            return .some(
                TextStyle.LineBackground(
                    color: color, paddingX: length(0), paddingY: lengths.count > 1 ? lengths[1] : length(0),
                    radius: length(2), gap: length(3), joinsCorners: joins))
        },
    ]
}

/// One line of `-ft-decorations`, its parts in any order.
private func decoration(_ cursor: inout ValueCursor) -> OwnDecoration? {
    var lines: TextDecoration.Lines?
    var style: DecorationStyle?
    var thickness: Float?
    var color: Color?
    let names: [(StaticString, TextDecoration.Lines)] = [
        ("underline", .underline), ("line-through", .lineThrough), ("overline", .overline),
    ]
    while cursor.once(&lines, names) || cursor.once(&style, decorationStyles)
        || cursor.once(&thickness, { $0.length(atLeast: 0) }) || cursor.once(&color, { $0.color() })
    {}
    return lines.map { lines in
        OwnDecoration(
            lines: lines, style: style ?? .solid, color: color,
            thickness: thickness.map { .length(LengthPercentage(px: $0)) } ?? .auto)
    }
}
