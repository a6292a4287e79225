// Formulas: rows, fractions, roots, scripts and limits (MathML Core §3). The distances are those of the font's MATH
// table, or rules of thumb.

import FancyTextBoxes
import FancyTextCSS
import FancyTextTypography

/// A child of a formula's box. Heights are from its baseline.
struct MathPart {
    var fragment = -1
    var role = MathRole(scheme: .token)
    var width = LayoutUnit.zero, ascent = LayoutUnit.zero, descent = LayoutUnit.zero
    /// The distance from the fragment's top to its baseline, and from there to its bottom.
    var baseline = LayoutUnit.zero, belowBaseline = LayoutUnit.zero
    /// How far the fragment is above its place, so that an operator is centered on the axis.
    var raise = LayoutUnit.zero

    /// True if the heights are those of the ink, without the edges around it.
    var isInk = false

    /// Returns whether the part is an operator that grows along `axis`.
    fileprivate func isStretched(_ axis: LayoutAxis) -> Bool {
        role.traits.contains(.stretchy) && role.traits.contains(.horizontal) == (axis == .horizontal)
    }
}

enum MathLayout {
    static func intrinsicWidths(_ box: Int, _ engine: inout LayoutEngine) -> IntrinsicWidths {
        let parts = engine.text.children(of: box).filter { !engine.text.boxes[$0].isPositioned }.map { child in
            var part = MathPart()
            part.role = engine.text.formulas[child] ?? part.role
            part.width = max(engine.contribution(child).maximum, engine.operatorWidth(child, part.role))
            return part
        }
        let style = engine.text.boxes[box].style
        let role = engine.text.formulas[box] ?? MathRole(scheme: .row)
        let font = MathArranger.font(of: style, &engine.inlines)
        let sign = role.scheme.isRoot ? engine.inlines.radicalSign(style, to: 0) : nil
        let width =
            MathArranger(role: role, font: font, sign: sign).arrange(parts).width
            + engine.boxEdges(box, percentageBase: .zero).frame.horizontal
        return IntrinsicWidths(width)
    }

    static func layOut(_ box: Int, as slot: FragmentSlot, _ engine: inout LayoutEngine) -> Int {
        let edges = engine.boxEdges(box, percentageBase: .zero)
        let style = engine.text.boxes[box].style
        let role = engine.text.formulas[box] ?? MathRole(scheme: .row)
        let index = engine.startFragment(box, kind: .ruby, edges: edges, as: slot)
        let font = MathArranger.font(of: style, &engine.inlines)
        let before = engine.mark
        var parts = layOutParts(of: box, in: index, at: edges.frame, font, &engine)
        if stretch(&parts, role, font, &engine), engine.relaidBoxes <= engine.relaidBoxesLimit {
            engine.relaidBoxes += engine.text.boxes[box].end - box
            engine.takeBack(to: before)
            parts = layOutParts(of: box, in: index, at: edges.frame, font, &engine)
            _ = stretch(&parts, role, font, &engine)
        }
        // The place of a part is that of its margin box (MathML Core §3.1.2).
        for index in parts.indices {
            let fragment = engine.tree.boxes[parts[index].fragment]
            let edges = parts[index].isInk ? fragment.edges.total : fragment.margin
            parts[index].width += fragment.margin.horizontal
            parts[index].ascent += edges.top
            parts[index].descent += edges.bottom
        }
        var arranger = MathArranger(role: role, font: font)
        if role.scheme.isRoot, let base = parts.first {
            arranger.sign = engine.inlines.radicalSign(style, to: arranger.signHeight(over: base).float)
        }
        let result = arranger.arrange(parts)
        let frame = edges.frame
        let baseline = result.ascent + frame.top
        for (part, place) in zip(parts, result.places) {
            let x = frame.left + place.x + engine.tree.boxes[part.fragment].margin.left
            let y = baseline - place.raise - part.raise - part.baseline
            engine.tree.boxes[part.fragment].rect.origin = LayoutPoint(x: x, y: y)
        }
        if let sign = arranger.sign, let place = result.sign {
            engine.tree.appendGeneratedLine(
                sign.text, style: style, engine.inlines.inlineStyle(style), container: index, x: frame.left + place.x,
                baseline: baseline - place.raise)
        }
        if let bar = result.bar {
            // A thinner bar could round to no pixels.
            let height = max(bar.thickness, engine.snap.pixels(1))
            let rect = LayoutRect(x: frame.left + bar.x, y: baseline - bar.top, width: bar.width, height: height)
            let (element, end) = (engine.tree.boxes[index].element, engine.tree.boxes.count + 1)
            engine.tree.boxes.append(
                BoxFragment(
                    box: box, style: role.bar, element: element, kind: .block, rect: rect, parent: index, end: end,
                    origin: index))
        }
        engine.tree.boxes[index].rect.size = (
            result.width + frame.horizontal, result.ascent + result.descent + frame.vertical
        )
        engine.tree.boxes[index].baselines = (baseline, baseline)
        return index
    }

    private static func layOutParts(
        of box: Int, in index: Int, at frame: Edges, _ font: MathFont?, _ engine: inout LayoutEngine
    ) -> [MathPart] {
        var parts: [MathPart] = []
        for child in engine.text.children(of: box) {
            if engine.text.boxes[child].isPositioned {
                engine.staticPositions[child] = StaticPosition(
                    container: index, horizontal: .at(frame.left), vertical: .at(frame.top))
                continue
            }
            let constraint = Constraint(available: .unlimited, percentageWidth: .zero, shrinksToFit: true)
            let fragment = engine.layOut(child, in: constraint, as: .child(of: index))
            var part = engine.measured(fragment, of: child, font)
            if let target = engine.operatorSizes[child] {
                engine.stretch(&part, isVertical: target.isVertical, to: target.size)
            }
            parts.append(part)
        }
        return parts
    }

    /// Makes operators as large as what they enclose or span, where the font has such glyphs (MathML Core §3.2.4). Returns whether
    /// operators in embellished ones have got other sizes, for which the parts are laid out again.
    private static func stretch(
        _ parts: inout [MathPart], _ role: MathRole, _ font: MathFont?, _ engine: inout LayoutEngine
    ) -> Bool {
        guard let font else { return false }
        var hasChanged = false
        func stretch(_ part: inout MathPart, isVertical: Bool, to size: Float) {
            guard let core = part.role.core else { return engine.stretch(&part, isVertical: isVertical, to: size) }
            if engine.operatorSizes[core]?.size != size { hasChanged = true }
            engine.operatorSizes[core] = (isVertical, size)
        }
        switch role.scheme {
        case .row, .padded:
            let fixed = parts.filter { !$0.isStretched(.vertical) }
            guard !fixed.isEmpty, fixed.count < parts.count else { return false }
            let (above, below) = (fixed.map(\.ascent).max() ?? .zero, fixed.map(\.descent).max() ?? .zero)
            let axis = LayoutUnit(font[.axis])
            for index in parts.indices where parts[index].isStretched(.vertical) {
                let isSymmetric = parts[index].role.traits.contains(.symmetric)
                let size = isSymmetric ? max(above - axis, below + axis) * 2 : above + below
                stretch(&parts[index], isVertical: true, to: size.float)
            }
        case .scripts(let places):
            // Scripts beside the base do not stretch it.
            if places.contains(where: { [.sub, .sup, .preSub, .preSup].contains($0) }) { return false }
            let fixed = parts.filter { !$0.isStretched(.horizontal) }
            let width = (fixed.isEmpty ? parts : fixed).map(\.width).max() ?? .zero
            for index in parts.indices where parts[index].isStretched(.horizontal) {
                stretch(&parts[index], isVertical: false, to: width.float)
            }
        case .token, .fraction, .root, .space: break
        }
        return hasChanged
    }
}

extension InlineContents {
    /// Appends glyphs that draw `glyph` at least `size` long, from the baseline up or to the right; nil if the font has none.
    /// Their extents are in CSS pixels: `length` in the direction of growth, and the ink around the baseline in whole pixels.
    fileprivate mutating func stretch(
        _ glyph: ShapedGlyph, _ font: MathFont, isVertical: Bool, to size: Float, in box: Float? = nil
    ) -> (glyphs: Range<Int>, width: Float, length: Float, ascent: Float, descent: Float)? {
        guard let stretched = font.stretched(glyph.id, isVertical: isVertical, to: size) else { return nil }
        let first = shaped.glyphs.count
        let width = isVertical ? stretched.parts.map { font.advance(of: $0.glyph) }.max() ?? 0 : stretched.length
        // The glyphs are centered in a box of another width.
        let shift = box.map { ($0 - width) / 2 } ?? 0
        var (ascent, descent) = (-Float.infinity, -Float.infinity)
        for (number, piece) in stretched.parts.enumerated() {
            let ink = font.ink(of: piece.glyph) ?? (0, 0)
            var part = glyph
            part.id = piece.glyph
            part.advance = number + 1 == stretched.parts.count ? width : 0
            part.xOffset = shift
            if isVertical { part.yOffset = piece.offset + ink.descent } else { part.xOffset += piece.offset }
            ascent.raise(to: ink.ascent.rounded(.up))
            descent.raise(to: ink.descent.rounded(.up))
            shaped.glyphs.append(part)
        }
        return (first..<shaped.glyphs.count, width, stretched.length, ascent, descent)
    }

    /// A radical sign at least `height` high, where the font has one.
    fileprivate mutating func radicalSign(_ style: StyleID, to height: Float) -> MathSign? {
        guard case .fonts(let fonts) = metric else { return nil }
        var text = shapeGenerated(Array("√".utf8), style: style, level: 0)
        guard let run = text.runs.first, run.glyphs.count == 1 else { return nil }
        let font = fonts.mathFont(run.font)
        let glyph = shaped.glyphs[run.glyphs.lowerBound]
        guard MathArranger.font(of: style, &self)?.hasTable == true,
            let stretched = stretch(glyph, font, isVertical: true, to: height)
        else {
            let rows = fonts.glyphRows(run.font, glyph.id) ?? (0, 0)
            return MathSign(text: text, ascent: LayoutUnit(rows.above), descent: LayoutUnit(rows.below))
        }
        text.runs[0].glyphs = stretched.glyphs
        (text.runs[0].advance, text.width) = (stretched.width, stretched.width)
        let slack = LayoutUnit((font.widest(glyph.id) ?? stretched.width) - stretched.width).nonNegative
        return MathSign(text: text, ascent: LayoutUnit(stretched.length), descent: .zero, slack: slack)
    }
}

extension LayoutEngine {
    fileprivate mutating func measured(_ fragment: Int, of child: Int, _ font: MathFont?) -> MathPart {
        let placed = tree.boxes[fragment]
        var baseline = placed.firstBaseline ?? placed.rect.height
        // Centered on the axis (MathML Core §3.6.1).
        if text.boxes[child].kind == .table, let font { baseline = placed.rect.height / 2 + LayoutUnit(font[.axis]) }
        let below = placed.rect.height - baseline
        var part = MathPart(
            fragment: fragment, width: placed.rect.width, ascent: baseline, descent: below, baseline: baseline,
            belowBaseline: below)
        part.role = text.formulas[child] ?? part.role
        if text.boxes[child].kind != .math, let ink = ink(of: placed.lines, letter: part.role.letter) {
            (part.ascent, part.descent) = (LayoutUnit(ink.ascent), LayoutUnit(ink.descent))
            part.isInk = true
            part.width.raise(to: operatorWidth(child, part.role))
            if part.role.isDisplay, part.role.traits.contains(.large), let font {
                center(&part, ink: ink.ascent + ink.descent, from: -ink.descent, font)
                if let least = font.displayOperatorHeight { stretch(&part, isVertical: true, to: least) }
            }
        }
        return part
    }

    /// The width of an operator's widest glyph, as wide as which it is at any height; zero for others.
    fileprivate mutating func operatorWidth(_ child: Int, _ role: MathRole) -> LayoutUnit {
        guard let character = role.stretched, role.traits.contains(.stretchy), !role.traits.contains(.horizontal),
            case .fonts(let fonts) = inlines.metric,
            MathArranger.font(of: text.boxes[child].style, &inlines)?.hasTable == true
        else { return .zero }
        let shown = inlines.shapeGenerated(Array(String(character).utf8), style: text.boxes[child].style, level: 0)
        guard let run = shown.runs.first, run.glyphs.count == 1 else { return .zero }
        let glyph = inlines.shaped.glyphs[run.glyphs.lowerBound].id
        return LayoutUnit(fonts.mathFont(run.font).widest(glyph) ?? 0)
    }

    /// Centers an operator's ink, which begins at `bottom` above the baseline, on the axis, as in Blink.
    private mutating func center(_ part: inout MathPart, ink height: Float, from bottom: Float, _ font: MathFont) {
        for line in tree.boxes[part.fragment].lines {
            for index in tree.lines[line].fragments {
                tree.inlines[index].rect.y = tree.lines[line].baseline - LayoutUnit(bottom + height)
            }
        }
        part.raise = LayoutUnit(font[.axis] - bottom - height / 2)
        part.ascent = LayoutUnit(font[.axis] + height / 2)
        part.descent = LayoutUnit(height / 2 - font[.axis])
    }

    /// The ink of the glyphs on lines around the baseline, in whole pixels as Blink has it.
    private mutating func ink(of lines: Range<Int>, letter: Character?) -> (ascent: Float, descent: Float)? {
        guard case .fonts(let fonts) = inlines.metric else { return nil }
        if let letter, let fragment = lines.first.flatMap({ tree.lines[$0].fragments.first }) {
            let shown = inlines.shapeGenerated(
                Array(String(letter).utf8), style: tree.inlines[fragment].style, level: 0)
            if let run = shown.runs.first, let glyph = run.glyphs.first,
                let rows = fonts.glyphRows(run.font, inlines.shaped.glyphs[glyph].id)
            {
                return (Float(rows.above), Float(rows.below))
            }
        }
        var result: (ascent: Float, descent: Float)?
        for line in lines {
            for fragment in tree.inlines[tree.lines[line].fragments] where !fragment.glyphs.isEmpty {
                for glyph in inlines.shaped.glyphs[fragment.glyphs] {
                    guard let rows = fonts.glyphRows(fragment.font, glyph.id) else { continue }
                    result = (
                        max(result?.ascent ?? -.infinity, Float(rows.above)),
                        max(result?.descent ?? -.infinity, Float(rows.below))
                    )
                }
            }
        }
        return result
    }

    fileprivate mutating func stretch(_ part: inout MathPart, isVertical: Bool, to size: Float) {
        guard case .fonts(let fonts) = inlines.metric, let line = tree.boxes[part.fragment].lines.first,
            let place = tree.lines[line].fragments.first(where: { tree.inlines[$0].glyphs.count == 1 })
        else { return }
        let old = inlines.shaped.glyphs[tree.inlines[place].glyphs.lowerBound]
        let font = fonts.mathFont(tree.inlines[place].font)
        let box = isVertical && !part.isStretched(.vertical) ? nil : part.width.float
        guard let stretched = inlines.stretch(old, font, isVertical: isVertical, to: size, in: box) else {
            // Browsers center an operator without larger glyphs too.
            if isVertical, box != nil {
                center(&part, ink: (part.ascent + part.descent).float, from: .zero - part.descent.float, font)
            }
            return
        }
        tree.inlines[place].glyphs = stretched.glyphs
        if box == nil { part.width = LayoutUnit(stretched.width) }
        tree.boxes[part.fragment].rect.width = part.width
        if isVertical {
            center(&part, ink: stretched.length, from: 0, font)
        } else {
            (part.ascent, part.descent) = (LayoutUnit(stretched.ascent), LayoutUnit(stretched.descent))
        }
    }
}

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
        guard let deepest = above.map(\.descent).max(), let highest = below.map(\.ascent).max()
        else { return (up, down) }
        let missing = distance(.scriptGap) - (up - deepest + down - highest)
        if missing > .zero {
            let lift = min(missing, (distance(.superscriptBottomWithSubscript) - (up - deepest)).nonNegative)
            up += lift
            down += missing - lift
        }
        return (up, down)
    }
}
