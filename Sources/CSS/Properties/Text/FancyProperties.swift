// Properties that only this library has: attributes of attributed strings that CSS lacks, and GSFancyText's names.

func fancyProperties() -> [Property] {
    [
        .alias("text-color", of: "color"), .alias("foreground-color", of: "color"),
        .optional("truncate-mode", { $1(&$0.box.truncateMode) }, "none") {
            $0.keyword() ?? $0.keyword([("end", .tail), ("start", .head)])
        },
        .value("line-count", { $1(&$0.box.lineClamp) }) { $0.keyword("none") ? 0 : $0.integer(atLeast: 0) },
        .optional("-ft-segment-min-width", { $1(&$0.own.segmentMinWidth) }, "auto") { $0.lengthPercentage(atLeast: 0) },
        .value("-ft-tab-stops", inherited: true, { $1(&$0.text.tabStops) }) { cursor in
            cursor.keyword("none") ? [] : cursor.some { $0.length(atLeast: 0) }?.sorted()
        },
        .value("-ft-obliqueness", inherited: true, { $1(&$0.text.obliqueness) }) {
            $0.number().map { ValueCursor.clamped(max(-10, min(10, $0))) }
        },
        .value("-ft-expansion", inherited: true, { $1(&$0.text.expansion) }) {
            $0.number().map { ValueCursor.clamped(max(-5, min(5, $0))) }
        },
        .flag("-ft-tightening", inherited: true, { $1(&$0.text.allowsTightening) }, "none", "allow"),
        .optional("-ft-text-effect", inherited: true, { $1(&$0.text.textEffect) }, "none") {
            $0.string() ?? $0.customIdent()
        },
        .optional("-ft-link", inherited: true, { $1(&$0.text.link) }, "none") { $0.string() ?? $0.url() },
        .value("-ft-decorations", { $1(&$0.own.decorations) }) { $0.keyword("none") ? [] : $0.commaList(decoration) },
        .value("-ft-line-spacing", inherited: true, { $1(&$0.text.lineSpacing) }) {
            $0.keyword("normal") ? 0 : $0.length()
        },
        .value("-ft-minimum-line-height", inherited: true, { $1(&$0.text.minimumLineHeight) }) { $0.lengthOrNone() },
        .value("-ft-maximum-line-height", inherited: true, { $1(&$0.text.maximumLineHeight) }) { $0.lengthOrNone() },
        .optional("text-fit", inherited: true, { $1(&$0.text.fitLines) }, "none") { cursor in
            let words: [StaticString] = ["grow", "shrink", "consistent", "per-line", "per-line-all"]
            var sizes: [Float] = []
            if cursor.isAtEnd { return nil }
            while !cursor.isAtEnd {
                if words.contains(where: { cursor.keyword($0) }) { continue }
                guard sizes.count < 2, let size = cursor.length(atLeast: 0) else { return nil }
                sizes.append(size)
            }
            let largest = sizes.count > 1 ? max(sizes[0], sizes[1]) : 10_000
            return TextStyle.FitLines(minimumSize: sizes.first ?? 1, maximumSize: largest)
        },
        .optional("-ft-line-background", inherited: true, { $1(&$0.text.lineBackground) }, "none") { cursor in
            var (color, joins, lengths): (Color?, Bool, [Float]) = (nil, false, [])
            while !cursor.isAtEnd {
                if cursor.once(&joins, "joined") || cursor.once(&color, { $0.color() }) { continue }
                guard lengths.count < 4, let length = cursor.length(atLeast: 0) else { return nil }
                lengths.append(length)
            }
            guard let color else { return nil }
            func length(_ index: Int) -> Float { index < lengths.count ? lengths[index] : 0 }
            return TextStyle.LineBackground(
                color: color, paddingX: length(0), paddingY: lengths.count > 1 ? lengths[1] : length(0),
                radius: length(2), gap: length(3), joinsCorners: joins)
        },
    ]
}

extension ValueCursor {
    fileprivate mutating func lengthOrNone() -> Float? { keyword("none") ? 0 : length(atLeast: 0) }
}

/// One line of `-ft-decorations`, its parts in any order.
private func decoration(_ cursor: inout ValueCursor) -> OwnDecoration? {
    var (lines, style): (TextDecoration.Lines?, DecorationStyle?)
    var (thickness, color): (Float?, Color?)
    while cursor.once(&lines, decorationLines) || cursor.once(&style, decorationStyles)
        || cursor.once(&thickness, { $0.length(atLeast: 0) }) || cursor.once(&color, { $0.color() })
    {}
    return lines.map {
        let thickness = thickness.map { DecorationThickness.length(LengthPercentage(px: $0)) }
        return OwnDecoration(lines: $0, style: style ?? .solid, color: color, thickness: thickness ?? .auto)
    }
}
