// Distances and larger glyphs for formulas (MathML Core §5). In: a font. Out: the constants and variants of its MATH table, read by
// HarfBuzz; rules of thumb for fonts without one.

import CFancyTextTextLibraries
import FancyTextCSS

/// A distance of formulas. The numbers are those of the MATH table's constants, in their order (OpenType, MathConstants).
package enum MathDistance: UInt32, Sendable {
    case axis = 5, accentBase
    case subscriptShift = 8, subscriptTop, subscriptDrop, superscriptShift
    case superscriptBottom = 13, superscriptDrop, scriptGap, superscriptBottomWithSubscript, spaceAfterScript
    case upperLimitGap, upperLimitRise, lowerLimitGap, lowerLimitDrop
    case stackTopShift, stackTopDisplayShift, stackBottomShift, stackBottomDisplayShift, stackGap, stackDisplayGap
    case stretchShiftUp, stretchShiftDown, stretchGapAbove, stretchGapBelow
    case numeratorShift, numeratorDisplayShift, denominatorShift, denominatorDisplayShift
    case numeratorGap, numeratorDisplayGap, bar, denominatorGap, denominatorDisplayGap
    case overbarGap = 43
    case overbarExtra = 45, underbarGap
    case underbarExtra = 48, radicalGap, radicalDisplayGap, radicalBar, radicalExtraAscender
    case kernBeforeDegree, kernAfterDegree, degreeRaise
}

/// A font at a size, for formulas. Lengths are in CSS pixels.
package struct MathFont {
    private let instance: FontInstance
    package let hasTable: Bool

    fileprivate init(_ instance: FontInstance) {
        self.instance = instance
        hasTable = instance.face.shapingFace.map { harfbuzz.mathHasData($0) != 0 } ?? false
    }

    package var metrics: FontMetrics { instance.metrics }

    /// A distance of the MATH table, or Chromium's substitute for it in fonts without one (MathML Core §5.1).
    package subscript(_ distance: MathDistance) -> Float {
        if hasTable {
            let number = constant(hb_ot_math_constant_t(rawValue: distance.rawValue))
            return Float(number) / (distance == .degreeRaise ? 100 : 65536)
        }
        let (rule, height) = (metrics.underlineThickness, metrics.xHeight)
        /// A fraction of the font size, both in whole pixels.
        func ems(_ count: Int, _ whole: Int) -> Float { Float(Int(bounded: instance.size.rounded()) * count / whole) }
        switch distance {
        case .bar, .numeratorGap, .denominatorGap, .radicalBar, .radicalExtraAscender, .overbarExtra, .underbarExtra:
            return rule
        case .radicalGap: return rule * 1.25
        case .numeratorDisplayGap, .denominatorDisplayGap, .stackGap, .overbarGap, .underbarGap: return rule * 3
        case .scriptGap: return rule * 4
        case .stackDisplayGap: return rule * 7
        case .radicalDisplayGap: return rule + height / 4
        case .superscriptBottom: return height * 0.25
        case .axis, .accentBase, .subscriptShift, .subscriptDrop, .superscriptDrop: return height * 0.5
        case .subscriptTop, .superscriptBottomWithSubscript: return height * 0.8
        case .superscriptShift: return height
        case .spaceAfterScript: return ems(1, 5)
        case .kernBeforeDegree: return ems(5, 18)
        case .kernAfterDegree: return ems(-10, 18)
        case .degreeRaise: return 0.6
        case .numeratorShift, .numeratorDisplayShift, .denominatorShift, .denominatorDisplayShift, .stackTopShift,
            .stackTopDisplayShift, .stackBottomShift, .stackBottomDisplayShift, .upperLimitGap, .upperLimitRise,
            .lowerLimitGap, .lowerLimitDrop, .stretchGapAbove, .stretchGapBelow, .stretchShiftUp, .stretchShiftDown:
            return 0
        }
    }

    /// The least height of large operators in display style; nil where the font has no larger ones.
    package var displayOperatorHeight: Float? {
        hasTable ? Float(constant(HB_OT_MATH_CONSTANT_DISPLAY_OPERATOR_MIN_HEIGHT)) / 65536 : nil
    }

    private func constant(_ constant: hb_ot_math_constant_t) -> Int32 {
        harfbuzz.mathConstant(instance.shaper, constant)
    }

    /// The shares of the font size for scripts and for scripts of scripts; nil in fonts without a MATH table.
    package var scriptScales: ScriptScales? {
        guard hasTable else { return nil }
        func share(_ value: hb_ot_math_constant_t, _ fallback: Float) -> Float {
            let percent = constant(value)
            return percent > 0 && percent <= 100 ? Float(percent) / 100 : fallback
        }
        var scales = ScriptScales()
        scales.first = share(HB_OT_MATH_CONSTANT_SCRIPT_PERCENT_SCALE_DOWN, scales.first)
        scales.second = share(HB_OT_MATH_CONSTANT_SCRIPT_SCRIPT_PERCENT_SCALE_DOWN, scales.second)
        return scales
    }

    /// The ink of a glyph above and below the baseline, both growing away from it; nil for none.
    package func ink(of glyph: UInt32) -> (ascent: Float, descent: Float)? {
        guard let extents = instance.extents(of: glyph) else { return nil }
        let top = Float(extents.y_bearing) / 65536
        return (top, -(top + Float(extents.height) / 65536))
    }

    package func advance(of glyph: UInt32) -> Float { instance.advance(glyph) }

    /// The widest of the glyphs that draw `glyph` at any height; nil if there is only one.
    package func widest(_ glyph: UInt32) -> Float? {
        guard hasTable else { return nil }
        let (variants, parts) = (variants(of: glyph, HB_DIRECTION_BTT), parts(of: glyph, HB_DIRECTION_BTT))
        return (variants.map(\.glyph) + parts.map(\.glyph)).map(advance).max()
    }

    private func variants(of glyph: UInt32, _ direction: hb_direction_t) -> [hb_ot_math_glyph_variant_t] {
        var variants = [hb_ot_math_glyph_variant_t](repeating: hb_ot_math_glyph_variant_t(), count: 32)
        var count = UInt32(variants.count)
        _ = harfbuzz.mathVariants(instance.shaper, glyph, direction, 0, &count, &variants)
        return Array(variants.prefix(Int(count)))
    }

    private func parts(of glyph: UInt32, _ direction: hb_direction_t) -> [hb_ot_math_glyph_part_t] {
        var parts = [hb_ot_math_glyph_part_t](repeating: hb_ot_math_glyph_part_t(), count: 16)
        var count = UInt32(parts.count)
        _ = harfbuzz.mathAssembly(instance.shaper, glyph, direction, 0, &count, &parts, nil)
        return Array(parts.prefix(Int(count)))
    }

    /// The length of a glyph's ink in whole pixels, by which Blink chooses among variants.
    private func length(_ glyph: UInt32, isVertical: Bool) -> Float {
        guard let extents = instance.extents(of: glyph) else { return 0 }
        let start = Float(isVertical ? extents.y_bearing : extents.x_bearing) / 65536
        let end = start + Float(isVertical ? extents.height : extents.width) / 65536
        return max(start, end).rounded(.up) - min(start, end).rounded(.down)
    }

    package typealias Stretched = (parts: [(glyph: UInt32, offset: Float)], length: Float)

    /// The glyphs that draw `glyph` `size` long, with their distances from the bottom or left; nil for none (OpenType, MATH).
    package func stretched(_ glyph: UInt32, isVertical: Bool, to size: Float) -> Stretched? {
        guard hasTable else { return nil }
        let direction = isVertical ? HB_DIRECTION_BTT : HB_DIRECTION_LTR
        let known = variants(of: glyph, direction).map {
            (glyph: $0.glyph, length: length($0.glyph, isVertical: isVertical))
        }
        let fitting = known.first { $0.length >= size }
        if fitting == nil, let assembled = assembled(glyph, direction, to: size) { return assembled }
        return (fitting ?? known.last).map { (parts: [(glyph: $0.glyph, offset: 0)], length: $0.length) }
    }

    private func assembled(_ glyph: UInt32, _ direction: hb_direction_t, to size: Float) -> Stretched? {
        let parts = parts(of: glyph, direction)
        guard !parts.isEmpty else { return nil }
        let overlap = Float(harfbuzz.mathOverlap(instance.shaper, direction)) / 65536
        func isExtender(_ part: hb_ot_math_glyph_part_t) -> Bool {
            part.flags.rawValue & HB_OT_MATH_GLYPH_PART_FLAG_EXTENDER.rawValue != 0
        }
        func length(_ part: hb_ot_math_glyph_part_t) -> Float { Float(part.full_advance) / 65536 }
        let growth = parts.filter(isExtender).reduce(Float(0)) { $0 + length($1) - overlap }
        guard growth > 0 else { return nil }
        let least = parts.filter { !isExtender($0) }.reduce(overlap) { $0 + length($1) - overlap }
        // Each extender as often as needed, and all overlapping a little more to have the length asked for.
        let repeats = Int(bounded: ((size - least) / growth).rounded(.up), by: 200)
        let pieces = parts.flatMap { Array(repeating: $0, count: isExtender($0) ? max(0, repeats) : 1) }
        let whole = least + Float(max(0, repeats)) * growth
        let excess = pieces.count > 1 ? max(0, whole - size) / Float(pieces.count - 1) : 0
        var at: Float = 0
        var result: [(glyph: UInt32, offset: Float)] = []
        for piece in pieces {
            result.append((piece.glyph, at))
            at += length(piece) - overlap - excess
        }
        return (result, at + overlap + excess)
    }
}

extension FontContext {
    /// The ink of a glyph, from its origin to the right and down; nil for none.
    package func ink(of glyph: UInt32, in font: FontID) -> (left: Float, right: Float, bottom: Float)? {
        guard let extents = self[font].extents(of: glyph), extents.width != 0 else { return nil }
        let left = Float(extents.x_bearing) / 65536
        return (left, left + Float(extents.width) / 65536, Float(-extents.y_bearing - extents.height) / 65536)
    }

    package func mathFont(_ font: FontID) -> MathFont { MathFont(self[font]) }
}
