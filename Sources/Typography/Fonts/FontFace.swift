// One face of a font file: its names, ranges, axes, and its handles for HarfBuzz and FreeType, created on first use.

import CFancyTextTextLibraries
import FancyTextBasics
import FancyTextCSS

enum AxisTag {
    static let weight = openTypeTag("wght")
    static let width = openTypeTag("wdth")
    static let slant = openTypeTag("slnt")
    static let italic = openTypeTag("ital")
    static let opticalSize = openTypeTag("opsz")
}

package struct FontAxis: Hashable, Sendable {
    var tag: UInt32
    package var minimum, standard, maximum: Float

    package var name: String { withUnsafeBytes(of: tag.bigEndian) { String(decoding: $0, as: UTF8.self) } }

    /// The axes of an `fvar` table, with defaults limited to their ranges.
    static func all(in table: FontTable) -> [FontAxis] {
        let stride = 20
        guard let first = table.number(4, 2), let count = table.number(8, 2), table.number(10, 2) == stride
        else { return [] }
        return (0..<count).compactMap { axis in
            guard let record = table.part(first + stride * axis, stride), let tag = record.number(0, 4)
            else { return nil }
            func value(_ offset: Int) -> Float {
                Float(Int32(truncatingIfNeeded: record.number(offset, 4) ?? 0)) / 65536
            }
            let standard = value(8)
            return FontAxis(
                tag: UInt32(truncatingIfNeeded: tag), minimum: min(value(4), standard), standard: standard,
                maximum: max(value(12), standard))
        }
    }
}

let harfbuzz: CHarfBuzzTable = {
    guard let table = charfbuzz_load() else { fatalError("HarfBuzz (libharfbuzz.so.0) cannot be loaded") }
    return table.pointee
}()

/// FreeType, whose state belongs to one context.
final class FontLibraries {
    let library: FT_Library

    init?() {
        var library: FT_Library?
        guard FT_Init_FreeType(&library) == 0, let library else { return nil }
        self.library = library
    }

    deinit { _ = FT_Done_FreeType(library) }
}

/// A FreeType face with its axes set, and its current size.
final class ScalerFace {
    let face: FT_Face
    fileprivate let libraries: FontLibraries
    private let file: FontFile
    let variations: [FontVariation]
    /// The current size in 26.6 pixels per em; 0 for none.
    private var currentSize: FT_F26Dot6 = 0
    private var currentStrike = -1
    private var isReadyForHinting = false
    /// The autohinter's map of glyphs to scripts; nil if it is not changed.
    private var scripts: UnsafeMutablePointer<FT_UShort>?

    init?(file: FontFile, index: Int, axes: [FontAxis] = [], variations: [FontVariation] = [], libraries: FontLibraries)
    {
        var face: FT_Face?
        let bytes = file.bytes.assumingMemoryBound(to: FT_Byte.self)
        guard FT_New_Memory_Face(libraries.library, bytes, file.count, index, &face) == 0, let face else { return nil }
        (self.face, self.file, self.libraries, self.variations) = (face, file, libraries, variations)
        if !axes.isEmpty {
            var coordinates = axes.map { axis in
                fixed16(variations.last { $0.tag == axis.tag }?.value ?? axis.standard)
            }
            _ = FT_Set_Var_Design_Coordinates(face, FT_UInt(coordinates.count), &coordinates)
        }
    }

    deinit { _ = FT_Done_Face(face) }

    var isScalable: Bool { face.pointee.face_flags & FT_Long(FT_FACE_FLAG_SCALABLE) != 0 }
    var hasColor: Bool { face.pointee.face_flags & FT_Long(FT_FACE_FLAG_COLOR) != 0 }
    var strikeCount: Int { Int(face.pointee.num_fixed_sizes) }

    /// FT_LOAD_TARGET_LIGHT, a macro that Swift does not import.
    static let lightHinting: FT_Int32 = 1 << 16

    /// Sets the size in pixels per em for the next glyphs. Cheap if it is the current one.
    func setSize(_ pixels: Float) -> Bool {
        let size = FT_F26Dot6((min(max(pixels, 1.0 / 64), 16_000) * 64).rounded())
        if size == currentSize { return true }
        currentStrike = -1
        currentSize = FT_Set_Char_Size(face, size, size, 72, 72) == 0 ? size : 0
        return currentSize != 0
    }

    /// The top of a glyph in whole pixels, measured on its hinted outline as by Skia; nil for a glyph without an outline.
    func hintedTop(of glyph: UInt32, size: Float) -> Float? {
        guard isScalable, setSize(size), FT_Load_Glyph(face, glyph, Self.lightHinting) == 0,
            let slot = face.pointee.glyph, slot.pointee.outline.n_points > 0
        else { return nil }
        var box = FT_BBox()
        FT_Outline_Get_CBox(&slot.pointee.outline, &box)
        return Float((box.yMax + 63) >> 6)
    }

    /// Hints a glyph that is reached only by substitutions like those of characters: without HarfBuzz, as in Debian's build, the
    /// autohinter knows the script only of the latter.
    func prepareHinting(of glyph: UInt32, in font: FontFace) {
        if !isReadyForHinting {
            isReadyForHinting = true
            var property = FT_Prop_GlyphToScriptMap()
            property.face = face
            if font.hintsSubstitutes,
                FT_Property_Get(libraries.library, "autofitter", "glyph-to-script-map", &property) == 0
            {
                scripts = property.map
            }
        }
        // No character maps to the first glyph.
        guard let scripts, glyph > 0, glyph < face.pointee.num_glyphs else { return }
        // The upper bits mark digits and combining marks.
        let (style, place): (FT_UShort, Int) = (0x3FFF, Int(glyph))
        guard scripts[place] & style == scripts[0] & style, !font.characterGlyphs[place] else { return }
        let latin = Int(FT_Get_Char_Index(face, FontFace.latinLetter))
        scripts[place] = scripts[place] & ~style | scripts[latin] & style
    }

    /// Selects the smallest bitmap strike of at least `pixels` height, or else the largest; returns its pixels per em.
    func selectStrike(_ pixels: Float) -> Float? {
        guard let sizes = face.pointee.available_sizes, strikeCount > 0 else { return nil }
        var best = 0
        for index in 1..<max(1, strikeCount) {
            let (size, bestSize) = (Float(sizes[index].y_ppem) / 64, Float(sizes[best].y_ppem) / 64)
            if bestSize < pixels ? size > bestSize : size >= pixels && size < bestSize { best = index }
        }
        if best != currentStrike {
            currentSize = 0
            guard FT_Select_Size(face, FT_Int(best)) == 0 else { return nil }
            currentStrike = best
        }
        return Float(sizes[best].y_ppem) / 64
    }

    fileprivate func length(ofTable tag: UInt32) -> FT_ULong {
        var length: FT_ULong = 0
        return FT_Load_Sfnt_Table(face, FT_ULong(tag), 0, nil, &length) == 0 ? length : 0
    }

    /// A table, which FreeType unpacks if the file is compressed, or the whole file for tag 0; nil without the table.
    func bytes(ofTable tag: UInt32) -> [UInt8]? {
        var length = length(ofTable: tag)
        guard length > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(length))
        return FT_Load_Sfnt_Table(face, FT_ULong(tag), 0, &bytes, &length) == 0 ? bytes : nil
    }

    var os2: TT_OS2? {
        guard let table = FT_Get_Sfnt_Table(face, FT_SFNT_OS2) else { return nil }
        let os2 = table.assumingMemoryBound(to: TT_OS2.self).pointee
        return os2.version == 0xFFFF ? nil : os2
    }
}

/// A 16.16 fixed-point number, clamped; NaN becomes the largest.
@inline(__always) func fixed16(_ value: Float) -> Int { Int(bounded: (value * 65536).rounded(), by: 32767 * 65536) }

final class FontFace {
    let file: FontFile
    let index: Int
    var family: String
    /// Further names of the face: legacy family, full name, PostScript name.
    var otherNames: [String] = []
    private var isNamedAsFamily = false
    var weights, stretches: ClosedRange<Float>
    var isItalic: Bool
    var axes: [FontAxis] = []
    /// The characters of a `@font-face` rule's `unicode-range`; empty for all.
    var ranges: [ClosedRange<UInt32>] = []
    var adjustment = FontAdjustment()
    /// Set for fonts of the document or the program rather than the system: `@font-face`, the default family.
    var isWebFont = false
    /// True if it draws emoji in colour (CBDT, sbix, COLR, SVG).
    var hasColor: Bool { plain.hasColor || pictures != nil }
    var pictures: EmojiFont?
    var isScalable: Bool { plain.isScalable }
    var hasOutlines: Bool { isScalable && pictures == nil }
    let unitsPerEm: Float
    private let plain: ScalerFace
    private var variants: [ScalerFace] = []
    private var harfbuzzFace: OpaquePointer?
    private var coverageFont: OpaquePointer?
    private(set) lazy var substitutions = features(of: "GSUB")
    private(set) lazy var positionings = features(of: "GPOS")

    /// nil if FreeType cannot read the bytes as a font with this index.
    init?(file: FontFile, index: Int, libraries: FontLibraries) {
        guard let plain = ScalerFace(file: file, index: index, libraries: libraries) else { return nil }
        (self.file, self.index, self.plain) = (file, index, plain)
        let face = plain.face.pointee
        unitsPerEm = face.units_per_EM > 0 ? Float(face.units_per_EM) : 1000
        family = face.family_name.map { String(cString: $0) } ?? ""
        isItalic = face.style_flags & FT_Long(FT_STYLE_FLAG_ITALIC) != 0
        var weight: Float = face.style_flags & FT_Long(FT_STYLE_FLAG_BOLD) != 0 ? 700 : 400
        var stretch: Float = 100
        if let os2 = plain.os2 {
            if os2.usWeightClass >= 1, os2.usWeightClass <= 1000 { weight = Float(os2.usWeightClass) }
            let widths: [Float] = [50, 62.5, 75, 87.5, 100, 112.5, 125, 150, 200]
            if os2.usWidthClass >= 1, os2.usWidthClass <= 9 { stretch = widths[Int(os2.usWidthClass) - 1] }
        }
        (weights, stretches) = (weight...weight, stretch...stretch)
        readAxes()
        readNames()
    }

    deinit {
        if let coverageFont { harfbuzz.fontDestroy(coverageFont) }
        if let harfbuzzFace { harfbuzz.faceDestroy(harfbuzzFace) }
    }

    var faceCount: Int { Int(plain.face.pointee.num_faces) }

    /// Reads `fvar`: FreeType's `FT_Get_MM_Var` leaves a face that cannot draw CFF2 glyphs until coordinates are set.
    private func readAxes() {
        guard plain.face.pointee.face_flags & FT_Long(FT_FACE_FLAG_MULTIPLE_MASTERS) != 0 else { return }
        guard let table = plain.bytes(ofTable: openTypeTag("fvar")) else { return }
        axes = FontAxis.all(in: FontTable(file: table, range: 0..<table.count))
        // CSS weights are between 1 and 1000 (CSS Fonts 4 §2.2).
        for axis in axes where axis.tag == AxisTag.weight {
            weights = min(max(1, axis.minimum), 1000)...min(max(1, axis.maximum), 1000)
        }
        for axis in axes where axis.tag == AxisTag.width { stretches = axis.minimum...axis.maximum }
    }

    private func readNames() {
        for position in 0..<FT_Get_Sfnt_Name_Count(plain.face) {
            var name = FT_SfntName()
            guard FT_Get_Sfnt_Name(plain.face, position, &name) == 0, [1, 4, 6, 16].contains(name.name_id)
            else { continue }
            let bytes = UnsafeBufferPointer(start: name.string, count: Int(name.string_len))
            let text: String
            if name.platform_id == 3 || name.platform_id == 0 {
                let places = stride(from: 0, to: bytes.count - 1, by: 2)
                text = String(decoding: places.map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }, as: UTF16.self)
            } else if name.platform_id == 1, name.encoding_id == 0 {
                text = String(decoding: bytes.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
            } else {
                continue
            }
            if name.name_id == 4, text == family { isNamedAsFamily = true }
            if !text.isEmpty, text != family, !otherNames.contains(text) { otherNames.append(text) }
        }
    }

    /// Returns whether a full or PostScript name, in lower case, is one of the face's names.
    func answers(to name: String) -> Bool {
        isNamedAsFamily && family.lowercased() == name || otherNames.contains { $0.lowercased() == name }
    }

    var shapingFace: OpaquePointer? {
        if let harfbuzzFace { return harfbuzzFace }
        let signature = file.count >= 4 ? file.bytes.loadUnaligned(as: UInt32.self).bigEndian : 0
        if signature == openTypeTag("wOF2") || signature == openTypeTag("wOFF") {
            harfbuzzFace = harfbuzz.faceCreateForTables(
                { _, tag, context in
                    guard let context else { return nil }
                    return Unmanaged<FontFace>.fromOpaque(context).takeUnretainedValue().copyTable(tag)
                }, Unmanaged.passUnretained(self).toOpaque(), nil)
        } else {
            let bytes = file.bytes.assumingMemoryBound(to: CChar.self)
            let length = UInt32(clamping: file.count)
            guard let blob = harfbuzz.blobCreate(bytes, length, HB_MEMORY_MODE_READONLY, nil, nil) else { return nil }
            harfbuzzFace = harfbuzz.faceCreate(blob, UInt32(index & 0xFFFF))
            harfbuzz.blobDestroy(blob)
        }
        return harfbuzzFace
    }

    /// True if the font has distances and signs for formulas (OpenType's table MATH).
    private(set) lazy var hasFormulaTable = hasTable("MATH")

    /// The lowest character that maps to each glyph.
    private(set) lazy var scalars: [UInt32: UInt32] = {
        guard let shapingFace, let set = harfbuzz.setCreate() else { return [:] }
        defer { harfbuzz.setDestroy(set) }
        harfbuzz.faceScalars(shapingFace, set)
        var result: [UInt32: UInt32] = [:]
        var scalar = hb_codepoint_t.max
        while harfbuzz.setNext(set, &scalar) != 0 {
            let glyph = glyph(for: scalar)
            if glyph != 0, result[glyph] == nil { result[glyph] = scalar }
        }
        return result
    }()

    /// A table of a compressed font, unpacked by FreeType.
    private func copyTable(_ tag: UInt32) -> OpaquePointer? {
        guard tag != 0, let table = plain.bytes(ofTable: tag) else { return nil }
        return table.withUnsafeBytes {
            harfbuzz.blobCreate(
                $0.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(clamping: $0.count),
                HB_MEMORY_MODE_DUPLICATE, nil, nil)
        }
    }

    /// The glyph for a scalar by the face's character map; 0 if it has none.
    func glyph(for scalar: UInt32) -> UInt32 {
        if !ranges.isEmpty, !ranges.contains(where: { $0.contains(scalar) }) { return 0 }
        if coverageFont == nil, let shapingFace { coverageFont = harfbuzz.fontCreate(shapingFace) }
        guard let coverageFont else { return 0 }
        var glyph: hb_codepoint_t = 0
        return harfbuzz.fontNominalGlyph(coverageFont, scalar, &glyph) != 0 ? glyph : 0
    }

    /// True if glyphs that are reached only by substitutions (tabular figures, small capitals) are hinted like Latin letters: with
    /// TrueType outlines, and without scripts that join or stack letters by substitution.
    private(set) lazy var hintsSubstitutes: Bool = {
        let joined: [FT_ULong] = [0x0627, 0x0915, 0x0E01, 0x4E00, 0xAC00]
        let latin = FT_Get_Char_Index(plain.face, Self.latinLetter)
        return hasTable("glyf") && latin > 0 && latin < plain.face.pointee.num_glyphs
            && joined.allSatisfy { FT_Get_Char_Index(plain.face, $0) == 0 }
    }()

    static let latinLetter: FT_ULong = 0x48

    /// By glyph, whether a character maps to it, except private-use characters, to which fonts map alternate glyphs.
    fileprivate lazy var characterGlyphs: [Bool] = {
        var result = [Bool](repeating: false, count: max(0, Int(plain.face.pointee.num_glyphs)))
        var glyph: FT_UInt = 0
        var character = FT_Get_First_Char(plain.face, &glyph)
        while glyph != 0 {
            let isPrivate = (0xE000...0xF8FF).contains(character) || character >= 0xF0000
            if Int(glyph) < result.count, !isPrivate { result[Int(glyph)] = true }
            character = FT_Get_Next_Char(plain.face, character, &glyph)
        }
        return result
    }()

    func scaler(variations: [FontVariation]) -> ScalerFace {
        if variations.isEmpty || axes.isEmpty { return plain }
        if let known = variants.first(where: { $0.variations == variations }) { return known }
        let made = ScalerFace(file: file, index: index, axes: axes, variations: variations, libraries: plain.libraries)
        if let made { variants.append(made) }
        return made ?? plain
    }

    var canSlant: Bool { axes.contains { $0.tag == AxisTag.slant || $0.tag == AxisTag.italic } }

    /// The value, limited to the axis' range; nil without such an axis.
    func clamped(_ tag: UInt32, _ value: Float) -> Float? {
        axes.first { $0.tag == tag }.map { min(max(value, $0.minimum), $0.maximum) }
    }

    func hasTable(_ tag: StaticString) -> Bool { plain.length(ofTable: openTypeTag(tag)) > 0 }

    /// Returns whether the face's substitution table has all of these features; false for an empty list.
    func hasFeatures(_ tags: [StaticString]) -> Bool {
        !tags.isEmpty && tags.allSatisfy { substitutions.contains(openTypeTag($0)) }
    }

    func features(of table: StaticString) -> [UInt32] {
        var tags: [UInt32] = []
        guard let shapingFace else { return tags }
        var chunk = [hb_tag_t](repeating: 0, count: 64)
        while true {
            var count = UInt32(chunk.count)
            let start = UInt32(tags.count)
            let total = harfbuzz.layoutFeatureTags(shapingFace, openTypeTag(table), start, &count, &chunk)
            tags += chunk.prefix(Int(count))
            if count == 0 || tags.count >= total { return tags }
        }
    }
}
