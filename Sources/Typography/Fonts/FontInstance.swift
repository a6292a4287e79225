// A concrete font: a face at a size, with its axes set and its synthetic styles. A FontID refers to one.

import CFancyTextTextLibraries
import FancyTextBasics
import FancyTextCSS

/// The parameters of synthesis, equal to Skia's, so that text looks as in Chromium.
enum Synthesis {
    /// Tangent of the slant of a synthesized italic.
    static let slant: Float = 0.25
    /// The share of the em by which a synthesized bold widens outlines: 1/24 up to 9 px, 1/32 from 36 px, interpolated between.
    static func emboldening(ofSize size: Float) -> Float {
        let place = (min(max(size, 9), 36) - 9) / 27
        return (1 - place) / 24 + place / 32
    }
    /// Synthesized small capitals are upper-case letters at this share of the font size.
    static let smallCapitals: Float = 0.7
}

struct FontSettings: Hashable {
    var size: Float
    var variations: [FontVariation]
    var isEmboldened, isSlanted: Bool
    /// True if advances are whole pixels: for a picture font in the style's list, but not for a fallback (measured in Chromium).
    var roundsAdvances: Bool
}

final class FontInstance {
    let id: FontID
    let face: FontFace
    let settings: FontSettings
    var size: Float { settings.size }
    let metrics: FontMetrics
    let shaper: OpaquePointer
    let scaler: ScalerFace
    /// The change that the `halt` feature makes to a glyph of full-width punctuation, in CSS pixels.
    typealias GlyphChange = (advance: Float, offset: Float)
    var halfWidths: [UInt32: GlyphChange] = [:]
    /// True if full-width punctuation can lose its blank half.
    private(set) lazy var canTrimPunctuation = face.positionings.contains(openTypeTag("halt"))
    /// False if the font's ascent is above each upright character, and its height is their advance.
    private(set) lazy var hasVerticalMetrics = face.hasTable("vmtx")
    /// True if quotation marks are as wide as ideographs.
    private(set) lazy var hasWideQuotes = ([0x201C, 0x201D] as [UInt32]).allSatisfy {
        let glyph = face.glyph(for: $0)
        return glyph != 0 && advance(glyph) > size * 0.99
    }
    init?(id: FontID, face: FontFace, _ settings: FontSettings) {
        (self.id, self.face, self.settings) = (id, face, settings)
        scaler = face.scaler(variations: settings.variations)
        // 16.16 pixels per em. FreeType truncates sizes to 1/64 pixel, and browsers use its advances.
        let scale = Int32(bounded: settings.size * 64) * 1024
        guard let shapingFace = face.shapingFace, let shaper = harfbuzz.fontCreate(shapingFace) else { return nil }
        self.shaper = shaper
        harfbuzz.fontSetScale(shaper, scale, scale)
        let variations = settings.variations.map { hb_variation_t(tag: $0.tag, value: $0.value) }
        if !variations.isEmpty { harfbuzz.fontSetVariations(shaper, variations, UInt32(variations.count)) }
        metrics = FontMetrics(scaler: scaler, face: face, size: settings.size, shaper: shaper)
    }

    deinit { harfbuzz.fontDestroy(shaper) }

    func extents(of glyph: UInt32) -> hb_glyph_extents_t? {
        var extents = hb_glyph_extents_t()
        return harfbuzz.fontExtents(shaper, glyph, &extents) != 0 ? extents : nil
    }

    func advance(_ glyph: UInt32) -> Float { Float(harfbuzz.fontAdvance(shaper, glyph)) / 65536 }

    /// The advance of a picture, from its strike scaled to the size; nil for outline fonts.
    func pictureAdvance(_ glyph: UInt32) -> Float? {
        guard !face.isScalable, let strike = scaler.selectStrike(size), strike > 0 else { return nil }
        let metricsOnly = Int32(1 << 22)  // FT_LOAD_BITMAP_METRICS_ONLY
        guard FT_Load_Glyph(scaler.face, glyph, Int32(FT_LOAD_COLOR) | metricsOnly) == 0,
            let slot = scaler.face.pointee.glyph
        else { return nil }
        let advance = Float(slot.pointee.advance.x) / 64 * size / strike
        return settings.roundsAdvances ? advance.rounded() : advance
    }
}

extension FontMetrics {
    /// Reads the metrics as Skia does with FreeType, and rounds as Blink does for line layout.
    /// FreeType returns the ascender and descender of hhea or OS/2, with MVAR; other heights come from OS/2 or are measured.
    fileprivate init(scaler: ScalerFace, face: FontFace, size: Float, shaper: OpaquePointer) {
        self.init()
        self.size = size
        func measured(_ scalar: UInt32, _ measure: (_ glyph: UInt32) -> Float?) -> Float? {
            let glyph = face.glyph(for: scalar)
            return glyph == 0 ? nil : measure(glyph)
        }
        func advance(_ scalar: UInt32) -> Float? {
            measured(scalar) { Float(harfbuzz.fontAdvance(shaper, $0)) / 65536 }
        }
        func top(_ scalar: UInt32) -> Float? { measured(scalar) { scaler.hintedTop(of: $0, size: size) } }
        let (record, os2) = (scaler.face.pointee, scaler.os2)
        let unit = size / face.unitsPerEm
        if face.isScalable {
            ascent = Float(record.ascender) * unit
            descent = -Float(record.descender) * unit
            lineGap = max(0, Float(Int(record.height) + Int(record.descender) - Int(record.ascender)) * unit)
        } else if let strike = scaler.selectStrike(size), let chosen = record.size {
            let scale = size / strike / 64
            ascent = Float(chosen.pointee.metrics.ascender) * scale
            descent = -Float(chosen.pointee.metrics.descender) * scale
            lineGap = max(0, Float(chosen.pointee.metrics.height) * scale - ascent - descent)
        }
        let typographic = os2.map { (ascent: Float($0.sTypoAscender), descent: -Float($0.sTypoDescender)) }
        let (above, below) = typographic.flatMap { $0.ascent > 0 && $0.descent >= 0 ? $0 : nil } ?? (ascent, descent)
        emDescent = above + below > 0 ? size * below / (above + below) : 0
        spaceAdvance = advance(0x20) ?? 0
        zeroAdvance = advance(0x30) ?? size / 2
        averageAdvance = os2.map { Float($0.xAvgCharWidth) * unit } ?? zeroAdvance
        if face.isScalable { widestGlyph = Float(record.bbox.xMax - record.bbox.xMin) * unit }
        let designedX = Float(os2?.sxHeight ?? 0) * unit
        xHeight = designedX > 0 ? designedX : top(0x78) ?? ascent * 0.56
        let designedCap = (os2?.version ?? 0) >= 2 ? Float(os2?.sCapHeight ?? 0) * unit : 0
        capHeight = designedCap > 0 ? designedCap : top(0x48) ?? ascent
        underlineThickness = Float(record.underline_thickness) * unit
        underlinePosition = -Float(record.underline_position) * unit
        if underlineThickness <= 0 {
            (underlineThickness, underlinePosition) = (size / 14, size / 10)
        }
        if let share = face.adjustment.ascent { ascent = share * size }
        if let share = face.adjustment.descent { descent = share * size }
        if let share = face.adjustment.lineGap { lineGap = share * size }
        isSystemFont = !face.isWebFont
        round(toPixelsOf: 1)
    }
}

/// A typeface: a font file with axis values and synthetic styles. Equal for fonts whose outlines differ only in size.
package struct FontProgram: Hashable {
    private let face: ObjectIdentifier
    private var settings: FontSettings

    init(_ instance: FontInstance) {
        face = ObjectIdentifier(instance.face)
        settings = instance.settings
        settings.size = 0
    }
}
