// The places of the parts of a formula's box, relative to its baseline.

import FancyTextBoxes
import FancyTextStyling
import FancyTextTypography

/// The parts of a box in their places. Heights are from its baseline.
struct MathArrangement {
    var width = LayoutUnit.zero, ascent = LayoutUnit.zero, descent = LayoutUnit.zero
    var places: [(x: LayoutUnit, raise: LayoutUnit)] = []
    var sign: (x: LayoutUnit, raise: LayoutUnit)?
    var bar: (x: LayoutUnit, top: LayoutUnit, width: LayoutUnit, thickness: LayoutUnit)?

    /// Puts the next part at `x`, with its baseline `raise` above that of the box.
    mutating func place(_ part: MathPart, x: LayoutUnit, raise: LayoutUnit = .zero) {
        let isFirst = places.isEmpty
        places.append((x, raise))
        width.raise(to: x + part.width)
        ascent = isFirst ? part.ascent + raise : max(ascent, part.ascent + raise)
        descent = isFirst ? part.descent - raise : max(descent, part.descent - raise)
    }
}

/// A radical sign, with its ink around the baseline.
struct MathSign {
    var text: GeneratedText
    var ascent, descent: LayoutUnit
    /// By how much the widest sign of the font is wider, which Blink leaves free after the base.
    var slack = LayoutUnit.zero
}

extension MathRole.Scheme { var isRoot: Bool { if case .root = self { true } else { false } } }

/// Arranges the parts of one box by its role and its font's distances.
struct MathArranger {
    let role: MathRole
    let font: MathFont?
    var sign: MathSign?

    /// The font of a style; nil for cells.
    static func font(of style: StyleID, _ inlines: inout InlineContents) -> MathFont? {
        guard case .fonts(let fonts) = inlines.metric else { return nil }
        return fonts.mathFont(inlines.inlineStyle(style).font)
    }

    private func distance(_ distance: MathDistance) -> LayoutUnit { LayoutUnit(font?[distance] ?? 0) }

    /// A distance that has a value of its own in display style.
    private func distance(_ inline: MathDistance, _ display: MathDistance) -> LayoutUnit {
        distance(role.isDisplay ? display : inline)
    }

    func arrange(_ parts: [MathPart]) -> MathArrangement {
        switch role.scheme {
        case .token, .row: return row(parts)
        case .padded(let width, let ascent, let descent, let left, let raise):
            var result = row(parts)
            for index in result.places.indices {
                result.places[index].x += LayoutUnit(left)
                result.places[index].raise += LayoutUnit(raise)
            }
            if let width { result.width = LayoutUnit(width).nonNegative }
            if let ascent { result.ascent = LayoutUnit(ascent).nonNegative }
            if let descent { result.descent = LayoutUnit(descent).nonNegative }
            return result
        case .space(let width, let ascent, let descent):
            var result = MathArrangement()
            result.width = LayoutUnit(width).nonNegative
            (result.ascent, result.descent) = (LayoutUnit(ascent), LayoutUnit(descent))
            return result
        case .fraction(let thickness): return parts.count == 2 ? fraction(parts, thickness) : row(parts)
        case .root(let hasIndex): return parts.isEmpty ? row(parts) : root(parts, hasIndex)
        case .scripts(let places): return parts.count == places.count + 1 ? scripts(parts, places) : row(parts)
        }
    }

    private func row(_ parts: [MathPart]) -> MathArrangement {
        var result = MathArrangement()
        var x = LayoutUnit.zero
        for part in parts {
            x += LayoutUnit(part.role.before)
            result.place(part, x: x)
            x += part.width + LayoutUnit(part.role.after)
        }
        result.width = x
        return result
    }

    /// A numerator above a denominator (MathML Core §3.3.2).
    private func fraction(_ parts: [MathPart], _ thickness: Float?) -> MathArrangement {
        let (above, below) = (parts[0], parts[1])
        let bar = thickness.map { LayoutUnit($0).nonNegative } ?? distance(.bar)
        let axis = distance(.axis)
        var (up, down): (LayoutUnit, LayoutUnit)
        if bar == .zero {
            up = distance(.stackTopShift, .stackTopDisplayShift)
            down = distance(.stackBottomShift, .stackBottomDisplayShift)
            let missing = distance(.stackGap, .stackDisplayGap) - (up - above.descent + down - below.ascent)
            if missing > .zero {
                up += missing / 2
                down += missing - missing / 2
            }
        } else {
            let half = bar / 2
            up = max(
                distance(.numeratorShift, .numeratorDisplayShift),
                axis + half + distance(.numeratorGap, .numeratorDisplayGap) + above.descent)
            down = max(
                distance(.denominatorShift, .denominatorDisplayShift),
                half - axis + distance(.denominatorGap, .denominatorDisplayGap) + below.ascent)
        }
        let width = max(above.width, below.width)
        var result = MathArrangement()
        result.place(above, x: (width - above.width) / 2, raise: up)
        result.place(below, x: (width - below.width) / 2, raise: .zero - down)
        if bar > .zero { result.bar = (.zero, axis + bar / 2, width, bar) }
        return result
    }

    /// The height of the sign that encloses a base, from the base's ink to the bar's top.
    func signHeight(over base: MathPart) -> LayoutUnit {
        base.ascent + base.descent + distance(.radicalGap, .radicalDisplayGap) + distance(.radicalBar)
    }

    /// A base under a radical sign (MathML Core §3.3.3).
    private func root(_ parts: [MathPart], _ hasIndex: Bool) -> MathArrangement {
        let base = parts[0]
        let bar = distance(.radicalBar)
        let gap = distance(.radicalGap, .radicalDisplayGap)
        let height = (sign?.ascent ?? .zero) + (sign?.descent ?? .zero)
        let top = base.ascent + gap + bar
        let raise = top - (sign?.ascent ?? .zero)
        var x = LayoutUnit.zero
        var result = MathArrangement()
        var index: (part: MathPart, x: LayoutUnit, raise: LayoutUnit)?
        if hasIndex, parts.count > 1 {
            let bottom = .zero - max(height - top, base.descent)
            let up = LayoutUnit(height.float * (font?[.degreeRaise] ?? 0)) + bottom + parts[1].descent
            let left = distance(.kernBeforeDegree).nonNegative
            index = (parts[1], left, up)
            x = left + (parts[1].width + distance(.kernAfterDegree)).nonNegative
        }
        result.sign = (x, raise)
        x += LayoutUnit(sign?.text.width ?? 0)
        result.place(base, x: x)
        if let index { result.place(index.part, x: index.x, raise: index.raise) }
        result.bar = (x, top, base.width, bar)
        result.ascent.raise(to: top + distance(.radicalExtraAscender))
        result.descent.raise(to: height - top)
        result.width += sign?.slack ?? .zero
        return result
    }

    /// A base with scripts beside it and limits over and under it (MathML Core §3.4).
    private func scripts(_ parts: [MathPart], _ places: [MathRole.Place]) -> MathArrangement {
        let base = parts[0]
        let rest = zip(parts.dropFirst(), places)
        func widest(_ shown: MathRole.Place...) -> LayoutUnit {
            rest.filter { shown.contains($1) }.map(\.0.width).max() ?? .zero
        }
        let limits = widest(.under, .over, .accentUnder, .accentOver)
        var (left, right) = columns(places, rest.map(\.0.width))
        let hasBefore = places.contains { $0 == .preSub || $0 == .preSup }
        let hasAfter = places.contains { $0 == .sub || $0 == .sup }
        var beforeBase = hasBefore ? distance(.spaceAfterScript) : .zero
        left += beforeBase
        let inner = max(base.width, limits)
        let (up, down) = shifts(base, rest.map { ($0, $1) })
        var result = MathArrangement()
        var afterBase = left + inner
        result.place(base, x: left + (inner - base.width) / 2)
        for (index, (part, place)) in rest.enumerated() {
            let isPair = index + 1 < places.count && Self.isPair(place, places[index + 1])
            let isSecond = index > 0 && Self.isPair(places[index - 1], place)
            let column = max(part.width, isPair ? parts[index + 2].width : .zero, isSecond ? parts[index].width : .zero)
            switch place {
            case .under, .accentUnder:
                let limit = limit(base, isOver: false, isAccent: place == .accentUnder)
                let drop = max(limit.shift, base.descent + limit.gap + part.ascent)
                result.place(part, x: left + (inner - part.width) / 2, raise: .zero - drop)
                result.descent.raise(to: drop + part.descent + limit.extra)
            case .over, .accentOver:
                let limit = limit(base, isOver: true, isAccent: place == .accentOver)
                let lift = max(limit.shift, base.ascent + limit.gap + part.descent)
                result.place(part, x: left + (inner - part.width) / 2, raise: lift)
                result.ascent.raise(to: lift + part.ascent + limit.extra)
            case .sub, .sup:
                result.place(part, x: afterBase, raise: place == .sup ? up : .zero - down)
                if !isPair { afterBase += column }
            case .preSub, .preSup:
                result.place(part, x: beforeBase + column - part.width, raise: place == .preSup ? up : .zero - down)
                if !isPair { beforeBase += column }
            }
        }
        if hasAfter { right += distance(.spaceAfterScript) }
        result.width = left + inner + right
        return result
    }

    /// The least distances between a base and its limit, and the space beyond that (MathML Core §3.4.4): of baselines, and of ink.
    private func limit(
        _ base: MathPart, isOver: Bool, isAccent: Bool
    ) -> (shift: LayoutUnit, gap: LayoutUnit, extra: LayoutUnit) {
        let traits = base.role.traits
        if traits.contains(.large) {
            return (
                distance(isOver ? .upperLimitRise : .lowerLimitDrop),
                distance(isOver ? .upperLimitGap : .lowerLimitGap), .zero
            )
        }
        if traits.contains(.stretchy), traits.contains(.horizontal) {
            return (
                distance(isOver ? .stretchShiftUp : .stretchShiftDown),
                distance(isOver ? .stretchGapAbove : .stretchGapBelow), .zero
            )
        }
        let least = LayoutUnit(-1_000_000)
        let extra = distance(isOver ? .overbarExtra : .underbarExtra)
        if isAccent { return (least, isOver ? (distance(.accentBase) - base.ascent).nonNegative : .zero, extra) }
        return (least, distance(isOver ? .overbarGap : .underbarGap), extra)
    }

    /// Returns whether two scripts share a column, one above the other.
    private static func isPair(_ first: MathRole.Place, _ second: MathRole.Place) -> Bool {
        (first == .sub && second == .sup) || (first == .preSub && second == .preSup)
    }

    /// The widths of all scripts before and after the base.
    private func columns(_ places: [MathRole.Place], _ widths: [LayoutUnit]) -> (before: LayoutUnit, after: LayoutUnit)
    {
        var (before, after) = (LayoutUnit.zero, LayoutUnit.zero)
        for (index, place) in places.enumerated() {
            var width = widths[index]
            if index > 0, Self.isPair(places[index - 1], place) { width = (width - widths[index - 1]).nonNegative }
            switch place {
            case .sub, .sup: after += width
            case .preSub, .preSup: before += width
            case .under, .over, .accentUnder, .accentOver: break
            }
        }
        return (before, after)
    }

    /// How far superscripts are raised, and subscripts lowered.
    private func shifts(_ base: MathPart, _ parts: [(MathPart, MathRole.Place)]) -> (up: LayoutUnit, down: LayoutUnit) {
        let above = parts.filter { $0.1 == .sup || $0.1 == .preSup }.map(\.0)
        let below = parts.filter { $0.1 == .sub || $0.1 == .preSub }.map(\.0)
        var up = max(distance(.superscriptShift), base.ascent - distance(.superscriptDrop))
        var down = max(distance(.subscriptShift), base.descent + distance(.subscriptDrop))
        for part in above { up.raise(to: part.descent + distance(.superscriptBottom)) }
        for part in below { down.raise(to: part.ascent - distance(.subscriptTop)) }
        guard let deepest = above.map(\.descent).max(), let highest = below.map(\.ascent).max() else {
            return (up, down)
        }
        let missing = distance(.scriptGap) - (up - deepest + down - highest)
        if missing > .zero {
            let lift = min(missing, (distance(.superscriptBottomWithSubscript) - (up - deepest)).nonNegative)
            up += lift
            down += missing - lift
        }
        return (up, down)
    }
}
