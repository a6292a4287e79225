// Distances and larger glyphs for formulas (MathML Core §5).
//
// In: a font. Out: the constants and variants of its MATH table, read by HarfBuzz; rules of thumb for fonts without one.

import CFancyTextTextLibraries

/// A distance of formulas: a constant of the MATH table, and Chromium's substitute for it in fonts without one.
package struct MathDistance: Equatable, Sendable {
    fileprivate enum Fallback: Equatable, Sendable {
        case zero, radicalGap
        /// Multiples of the thickness of bars and of the x-height.
        case rules(Float), xHeights(Float)
        /// A fraction of the font size, both in whole pixels.
        case ems(Int, Int)
        case ratio(Float)
    }

    fileprivate let constant: hb_ot_math_constant_t
    fileprivate let fallback: Fallback

    private init(_ constant: hb_ot_math_constant_t, _ fallback: Fallback) {
        (self.constant, self.fallback) = (constant, fallback)
    }

    package static let axis = Self(HB_OT_MATH_CONSTANT_AXIS_HEIGHT, .xHeights(0.5))
    package static let bar = Self(HB_OT_MATH_CONSTANT_FRACTION_RULE_THICKNESS, .rules(1))
    package static let numeratorShift = Self(HB_OT_MATH_CONSTANT_FRACTION_NUMERATOR_SHIFT_UP, .zero)
    package static let numeratorDisplayShift = Self(
        HB_OT_MATH_CONSTANT_FRACTION_NUMERATOR_DISPLAY_STYLE_SHIFT_UP, .zero)
    package static let denominatorShift = Self(HB_OT_MATH_CONSTANT_FRACTION_DENOMINATOR_SHIFT_DOWN, .zero)
    package static let denominatorDisplayShift = Self(
        HB_OT_MATH_CONSTANT_FRACTION_DENOMINATOR_DISPLAY_STYLE_SHIFT_DOWN, .zero)
    package static let numeratorGap = Self(HB_OT_MATH_CONSTANT_FRACTION_NUMERATOR_GAP_MIN, .rules(1))
    package static let numeratorDisplayGap = Self(HB_OT_MATH_CONSTANT_FRACTION_NUM_DISPLAY_STYLE_GAP_MIN, .rules(3))
    package static let denominatorGap = Self(HB_OT_MATH_CONSTANT_FRACTION_DENOMINATOR_GAP_MIN, .rules(1))
    package static let denominatorDisplayGap = Self(HB_OT_MATH_CONSTANT_FRACTION_DENOM_DISPLAY_STYLE_GAP_MIN, .rules(3))
    package static let stackTopShift = Self(HB_OT_MATH_CONSTANT_STACK_TOP_SHIFT_UP, .zero)
    package static let stackTopDisplayShift = Self(HB_OT_MATH_CONSTANT_STACK_TOP_DISPLAY_STYLE_SHIFT_UP, .zero)
    package static let stackBottomShift = Self(HB_OT_MATH_CONSTANT_STACK_BOTTOM_SHIFT_DOWN, .zero)
    package static let stackBottomDisplayShift = Self(HB_OT_MATH_CONSTANT_STACK_BOTTOM_DISPLAY_STYLE_SHIFT_DOWN, .zero)
    package static let stackGap = Self(HB_OT_MATH_CONSTANT_STACK_GAP_MIN, .rules(3))
    package static let stackDisplayGap = Self(HB_OT_MATH_CONSTANT_STACK_DISPLAY_STYLE_GAP_MIN, .rules(7))
    package static let radicalBar = Self(HB_OT_MATH_CONSTANT_RADICAL_RULE_THICKNESS, .rules(1))
    package static let radicalGap = Self(HB_OT_MATH_CONSTANT_RADICAL_VERTICAL_GAP, .rules(1.25))
    package static let radicalDisplayGap = Self(HB_OT_MATH_CONSTANT_RADICAL_DISPLAY_STYLE_VERTICAL_GAP, .radicalGap)
    package static let radicalExtraAscender = Self(HB_OT_MATH_CONSTANT_RADICAL_EXTRA_ASCENDER, .rules(1))
    package static let kernBeforeDegree = Self(HB_OT_MATH_CONSTANT_RADICAL_KERN_BEFORE_DEGREE, .ems(5, 18))
    package static let kernAfterDegree = Self(HB_OT_MATH_CONSTANT_RADICAL_KERN_AFTER_DEGREE, .ems(-10, 18))
    package static let degreeRaise = Self(HB_OT_MATH_CONSTANT_RADICAL_DEGREE_BOTTOM_RAISE_PERCENT, .ratio(0.6))
    package static let subscriptShift = Self(HB_OT_MATH_CONSTANT_SUBSCRIPT_SHIFT_DOWN, .xHeights(0.5))
    package static let subscriptTop = Self(HB_OT_MATH_CONSTANT_SUBSCRIPT_TOP_MAX, .xHeights(0.8))
    package static let subscriptDrop = Self(HB_OT_MATH_CONSTANT_SUBSCRIPT_BASELINE_DROP_MIN, .xHeights(0.5))
    package static let superscriptShift = Self(HB_OT_MATH_CONSTANT_SUPERSCRIPT_SHIFT_UP, .xHeights(1))
    package static let superscriptBottom = Self(HB_OT_MATH_CONSTANT_SUPERSCRIPT_BOTTOM_MIN, .xHeights(0.25))
    package static let superscriptDrop = Self(HB_OT_MATH_CONSTANT_SUPERSCRIPT_BASELINE_DROP_MAX, .xHeights(0.5))
    package static let superscriptBottomWithSubscript = Self(
        HB_OT_MATH_CONSTANT_SUPERSCRIPT_BOTTOM_MAX_WITH_SUBSCRIPT, .xHeights(0.8))
    package static let scriptGap = Self(HB_OT_MATH_CONSTANT_SUB_SUPERSCRIPT_GAP_MIN, .rules(4))
    package static let spaceAfterScript = Self(HB_OT_MATH_CONSTANT_SPACE_AFTER_SCRIPT, .ems(1, 5))
    package static let upperLimitGap = Self(HB_OT_MATH_CONSTANT_UPPER_LIMIT_GAP_MIN, .zero)
    package static let upperLimitRise = Self(HB_OT_MATH_CONSTANT_UPPER_LIMIT_BASELINE_RISE_MIN, .zero)
    package static let lowerLimitGap = Self(HB_OT_MATH_CONSTANT_LOWER_LIMIT_GAP_MIN, .zero)
    package static let lowerLimitDrop = Self(HB_OT_MATH_CONSTANT_LOWER_LIMIT_BASELINE_DROP_MIN, .zero)
    package static let stretchGapAbove = Self(HB_OT_MATH_CONSTANT_STRETCH_STACK_GAP_ABOVE_MIN, .zero)
    package static let stretchGapBelow = Self(HB_OT_MATH_CONSTANT_STRETCH_STACK_GAP_BELOW_MIN, .zero)
    package static let stretchShiftUp = Self(HB_OT_MATH_CONSTANT_STRETCH_STACK_TOP_SHIFT_UP, .zero)
    package static let stretchShiftDown = Self(HB_OT_MATH_CONSTANT_STRETCH_STACK_BOTTOM_SHIFT_DOWN, .zero)
    package static let overbarGap = Self(HB_OT_MATH_CONSTANT_OVERBAR_VERTICAL_GAP, .rules(3))
    package static let underbarGap = Self(HB_OT_MATH_CONSTANT_UNDERBAR_VERTICAL_GAP, .rules(3))
    package static let overbarExtra = Self(HB_OT_MATH_CONSTANT_OVERBAR_EXTRA_ASCENDER, .rules(1))
    package static let underbarExtra = Self(HB_OT_MATH_CONSTANT_UNDERBAR_EXTRA_DESCENDER, .rules(1))
    package static let accentBase = Self(HB_OT_MATH_CONSTANT_ACCENT_BASE_HEIGHT, .xHeights(0.5))
}

/// A font at a size, for formulas. Lengths are in CSS pixels.
package struct MathFont {
    private let instance: FontInstance
    package let hasTable: Bool

    fileprivate init(_ instance: FontInstance) {
        self.instance = instance
        hasTable = instance.face.shapingFace.map { instance.harfbuzz.mathHasData($0) != 0 } ?? false
    }

    package var metrics: FontMetrics { instance.metrics }

    /// A distance of the MATH table, or its rule of thumb (MathML Core §5.1).
    package subscript(_ distance: MathDistance) -> Float {
        if hasTable { return Float(constant(distance.constant)) / (distance == .degreeRaise ? 100 : 65536) }
        switch distance.fallback {
        case .zero: return 0
        case .rules(let count): return metrics.underlineThickness * count
        case .xHeights(let count): return metrics.xHeight * count
        case .ems(let count, let whole): return Float(Int(bounded: instance.size.rounded()) * count / whole)
        case .ratio(let ratio): return ratio
        case .radicalGap: return metrics.underlineThickness + metrics.xHeight / 4
        }
    }

    /// The least height of large operators in display style; nil where the font has no larger ones.
    package var displayOperatorHeight: Float? {
        hasTable ? Float(constant(HB_OT_MATH_CONSTANT_DISPLAY_OPERATOR_MIN_HEIGHT)) / 65536 : nil
    }

    private func constant(_ constant: hb_ot_math_constant_t) -> Int32 {
        instance.harfbuzz.mathConstant(instance.shaper, constant)
    }

    /// The shares of the font size for scripts and for scripts of scripts; nil in fonts without a MATH table.
    package var scriptScales: (first: Float, second: Float)? {
        guard hasTable else { return nil }
        func share(_ value: hb_ot_math_constant_t, _ fallback: Float) -> Float {
            let percent = constant(value)
            return percent > 0 && percent <= 100 ? Float(percent) / 100 : fallback
        }
        return (
            share(HB_OT_MATH_CONSTANT_SCRIPT_PERCENT_SCALE_DOWN, 0.71),
            share(HB_OT_MATH_CONSTANT_SCRIPT_SCRIPT_PERCENT_SCALE_DOWN, 0.5041)
        )
    }

    /// The ink of a glyph above and below the baseline, both growing away from it; nil for none.
    package func ink(of glyph: UInt32) -> (ascent: Float, descent: Float)? {
        guard let extents = instance.extents(of: glyph) else { return nil }
        let top = Float(extents.y_bearing) / 65536
        return (top, -(top + Float(extents.height) / 65536))
    }

    package func advance(of glyph: UInt32) -> Float { instance.advance(glyph) }

    // MARK: Stretching

    /// The widest of the glyphs that draw `glyph` at any height; nil if there is only one.
    package func widest(_ glyph: UInt32) -> Float? {
        guard hasTable else { return nil }
        let glyphs =
            variants(of: glyph, HB_DIRECTION_BTT).map(\.glyph) + parts(of: glyph, HB_DIRECTION_BTT).map(\.glyph)
        return glyphs.map(advance).max()
    }

    private func variants(of glyph: UInt32, _ direction: hb_direction_t) -> [hb_ot_math_glyph_variant_t] {
        var variants = [hb_ot_math_glyph_variant_t](repeating: hb_ot_math_glyph_variant_t(), count: 32)
        var count = UInt32(variants.count)
        _ = instance.harfbuzz.mathVariants(instance.shaper, glyph, direction, 0, &count, &variants)
        return Array(variants.prefix(Int(count)))
    }

    private func parts(of glyph: UInt32, _ direction: hb_direction_t) -> [hb_ot_math_glyph_part_t] {
        var parts = [hb_ot_math_glyph_part_t](repeating: hb_ot_math_glyph_part_t(), count: 16)
        var count = UInt32(parts.count)
        _ = instance.harfbuzz.mathAssembly(instance.shaper, glyph, direction, 0, &count, &parts, nil)
        return Array(parts.prefix(Int(count)))
    }

    /// The length of a glyph's ink in whole pixels, by which Blink chooses among variants.
    private func length(_ glyph: UInt32, isVertical: Bool) -> Float {
        guard let extents = instance.extents(of: glyph) else { return 0 }
        let start = Float(isVertical ? extents.y_bearing : extents.x_bearing) / 65536
        let end = start + Float(isVertical ? extents.height : extents.width) / 65536
        return max(start, end).rounded(.up) - min(start, end).rounded(.down)
    }

    /// The glyphs that draw `glyph` `size` long, with their distances from the bottom or left; nil for none (OpenType, MATH).
    package func stretched(_ glyph: UInt32, isVertical: Bool, to size: Float) -> (
        parts: [(glyph: UInt32, offset: Float)], length: Float
    )? {
        guard hasTable else { return nil }
        let direction = isVertical ? HB_DIRECTION_BTT : HB_DIRECTION_LTR
        let known = variants(of: glyph, direction).map {
            (glyph: $0.glyph, length: length($0.glyph, isVertical: isVertical))
        }
        if let variant = known.first(where: { $0.length >= size }) { return ([(variant.glyph, 0)], variant.length) }
        if let assembled = assembled(glyph, direction, to: size) { return assembled }
        guard let largest = known.last else { return nil }
        return ([(largest.glyph, 0)], largest.length)
    }

    private func assembled(_ glyph: UInt32, _ direction: hb_direction_t, to size: Float) -> (
        parts: [(glyph: UInt32, offset: Float)], length: Float
    )? {
        let parts = parts(of: glyph, direction)
        guard !parts.isEmpty else { return nil }
        let overlap = Float(instance.harfbuzz.mathOverlap(instance.shaper, direction)) / 65536
        func isExtender(_ part: hb_ot_math_glyph_part_t) -> Bool {
            part.flags.rawValue & HB_OT_MATH_GLYPH_PART_FLAG_EXTENDER.rawValue != 0
        }
        func length(_ part: hb_ot_math_glyph_part_t) -> Float { Float(part.full_advance) / 65536 }
        let fixed = parts.filter { !isExtender($0) }
        let extenders = parts.filter(isExtender)
        let growth = extenders.reduce(Float(0)) { $0 + length($1) - overlap }
        guard growth > 0 else { return nil }
        let least = fixed.reduce(overlap) { $0 + length($1) - overlap }
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

extension FontInstance {
    fileprivate var harfbuzz: CHarfBuzzTable { face.libraries.harfbuzz.pointee }

    fileprivate func extents(of glyph: UInt32) -> hb_glyph_extents_t? {
        var extents = hb_glyph_extents_t()
        return harfbuzz.fontExtents(shaper, glyph, &extents) != 0 ? extents : nil
    }
}

extension FontContext {
    /// The ink of a glyph, from its origin to the right and down; nil for none.
    package func ink(of glyph: UInt32, in font: FontID) -> (left: Float, right: Float, bottom: Float)? {
        guard let extents = instances[Int(font.rawValue)].extents(of: glyph), extents.width != 0 else { return nil }
        let left = Float(extents.x_bearing) / 65536
        return (left, left + Float(extents.width) / 65536, Float(-extents.y_bearing - extents.height) / 65536)
    }

    package func mathFont(_ font: FontID) -> MathFont { MathFont(instances[Int(font.rawValue)]) }
}
