// Fonts as files that carry them need them: the font's own bytes, and which of its shapes text uses.

import CTextLibraries
import Styling

/// The program of a font: what draws its glyphs at any size.
package struct FontProgram {
    /// Equal for fonts that differ only in size and synthetic styles.
    package struct Key: Hashable {
        private let face: ObjectIdentifier
        private let variations: [FontVariation]

        fileprivate init(_ instance: FontInstance) {
            face = ObjectIdentifier(instance.face)
            variations = instance.variations
        }
    }

    package let key: Key
    package let family: String
    /// CSS pixels per em.
    package let size: Float
    /// Synthetic bold: how much wider strokes become, in CSS pixels; 0 for none.
    package let emboldening: Float
    /// Synthetic italic: the tangent of the slant.
    package let slant: Float
    package let isScalable: Bool
    /// Glyphs are pictures, or layers of colours.
    package let hasColor: Bool
    /// The places of all axes in 16.16 fixed point, in the font's order; empty for a font without axes.
    package let coordinates: [Int]
    fileprivate let face: FontFace
    fileprivate let variations: [FontVariation]

    fileprivate init(_ instance: FontInstance) {
        key = Key(instance)
        face = instance.face
        variations = instance.variations
        family = face.family
        size = instance.size
        emboldening = instance.isEmboldened ? instance.size * Synthesis.emboldening : 0
        slant = instance.isSlanted ? Synthesis.slant : 0
        isScalable = face.isScalable
        hasColor = face.hasColor
        coordinates = face.axes.map { axis in
            fixed16(instance.variations.last { $0.tag == axis.tag }?.value ?? axis.standard)
        }
    }

    /// What the bytes of ``file`` belong to.
    package var owner: AnyObject { face.file }

    /// The font file's bytes and which of its faces it is.
    package var file: (bytes: UnsafeRawPointer, count: Int, index: Int) { (face.file.bytes, face.file.count, face.index) }
}

extension FontContext {
    package func program(of font: FontID) -> FontProgram { FontProgram(instances[Int(font.rawValue)]) }

    /// The character that a glyph stands for by the font's character map; nil when it stands for none. The first call looks at
    /// all characters of the font.
    package func character(of glyph: UInt32, font: FontID) -> UInt32? {
        instances[Int(font.rawValue)].face.scalars[glyph]
    }

    /// The glyph for a character by the font's character map; 0 when it has none.
    package func glyph(for scalar: UInt32, font: FontID) -> UInt32 {
        instances[Int(font.rawValue)].face.glyph(for: scalar)
    }
}

/// Fonts with few glyphs.
package enum FontSubset {
    /// Whether HarfBuzz's subsetter is installed.
    package static var isAvailable: Bool { csubsetter_load() != nil }

    /// An OpenType font of some of a font's glyphs at its place in the axes, without hints and without tables for layout.
    ///
    /// - Parameter characters: The glyph that each character stands for, whatever the font's own map says.
    /// - Returns: nil when the font's format cannot be cut.
    package static func make(_ program: FontProgram, characters: [UInt32: UInt32]) -> [UInt8]? {
        guard let table = csubsetter_load(), let source = sourceBlob(program, table.pointee) else { return nil }
        let subsetter = table.pointee
        defer { subsetter.blobDestroy(source) }
        guard let face = subsetter.faceCreate(source, UInt32(program.face.index & 0xFFFF)) else { return nil }
        defer { subsetter.faceDestroy(face) }
        guard let input = subsetter.inputCreate() else { return nil }
        defer { subsetter.inputDestroy(input) }
        for glyph in characters.values { subsetter.setAdd(subsetter.inputGlyphs(input), glyph) }
        let dropped = subsetter.inputSet(input, HB_SUBSET_SETS_DROP_TABLE_TAG)
        for tag in ["GSUB", "GPOS", "GDEF", "BASE", "JSTF", "kern", "MATH", "DSIG", "STAT", "meta", "SVG ", "sbix"] {
            subsetter.setAdd(dropped, tag.utf8.reduce(0) { $0 << 8 | UInt32($1) })
        }
        subsetter.inputSetFlags(input, HB_SUBSET_FLAGS_NO_HINTING.rawValue)
        for (axis, place) in zip(program.face.axes, program.coordinates) {
            guard subsetter.inputPinAxis(input, face, axis.tag, Float(place) / 65536) != 0 else { return nil }
        }
        guard let plan = subsetter.planCreate(face, input) else { return nil }
        defer { subsetter.planDestroy(plan) }
        guard let cut = subsetter.planExecute(plan) else { return nil }
        defer { subsetter.faceDestroy(cut) }
        let glyphs = subsetter.planGlyphs(plan)
        let map = characters.sorted { $0.key < $1.key }.map { (scalar: $0.key, glyph: subsetter.mapGet(glyphs, $0.value)) }
        guard map.allSatisfy({ $0.glyph <= UInt16.max }) else { return nil }
        return assemble(cut, CharacterMap.table(map), subsetter)
    }

    /// The font's bytes as HarfBuzz reads them: those of a compressed font unpacked by FreeType.
    private static func sourceBlob(_ program: FontProgram, _ subsetter: CSubsetterTable) -> OpaquePointer? {
        let file = program.face.file
        guard program.face.isPacked else {
            return subsetter.blobCreate(
                file.bytes.assumingMemoryBound(to: CChar.self), UInt32(clamping: file.count), HB_MEMORY_MODE_READONLY,
                nil, nil)
        }
        guard let bytes = program.face.unpacked() else { return nil }
        return bytes.withUnsafeBytes {
            subsetter.blobCreate(
                $0.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(clamping: bytes.count),
                HB_MEMORY_MODE_DUPLICATE, nil, nil)
        }
    }

    /// The face's tables with another character map.
    private static func assemble(_ face: OpaquePointer, _ map: [UInt8], _ subsetter: CSubsetterTable) -> [UInt8]? {
        var tags = [hb_tag_t](repeating: 0, count: 64)
        var count = UInt32(tags.count)
        _ = subsetter.faceTableTags(face, 0, &count, &tags)
        guard let builder = subsetter.builderCreate() else { return nil }
        defer { subsetter.faceDestroy(builder) }
        let ownMap = openTypeTag("cmap")
        for tag in tags.prefix(Int(count)) where tag != ownMap {
            let blob = subsetter.faceTable(face, tag)
            _ = subsetter.builderAdd(builder, tag, blob)
            subsetter.blobDestroy(blob)
        }
        let mapBlob = map.withUnsafeBytes {
            subsetter.blobCreate(
                $0.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(map.count), HB_MEMORY_MODE_DUPLICATE, nil,
                nil)
        }
        _ = subsetter.builderAdd(builder, ownMap, mapBlob)
        subsetter.blobDestroy(mapBlob)
        guard let whole = subsetter.faceBlob(builder) else { return nil }
        defer { subsetter.blobDestroy(whole) }
        var length: UInt32 = 0
        guard let data = subsetter.blobData(whole, &length), length > 0 else { return nil }
        return Array(UnsafeRawBufferPointer(start: data, count: Int(length)))
    }
}

/// OpenType's `cmap` table.
enum CharacterMap {
    /// A table of characters in ascending order: those of the basic plane in format 4, all in format 12.
    static func table(_ map: [(scalar: UInt32, glyph: UInt32)]) -> [UInt8] {
        var bytes: [UInt8] = []
        func put16(_ value: Int) { bytes += [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)] }
        func put32(_ value: Int) {
            put16(value >> 16)
            put16(value)
        }
        /// Runs in which characters and glyphs go up together.
        func runs(_ map: some Sequence<(scalar: UInt32, glyph: UInt32)>) -> [(first: Int, last: Int, glyph: Int)] {
            var result: [(first: Int, last: Int, glyph: Int)] = []
            for entry in map {
                let (scalar, glyph) = (Int(entry.scalar), Int(entry.glyph))
                if let run = result.last, scalar == run.last + 1, glyph == run.glyph + scalar - run.first {
                    result[result.count - 1].last = scalar
                } else {
                    result.append((scalar, scalar, glyph))
                }
            }
            return result
        }
        let basic = runs(map.lazy.filter { $0.scalar < 0xFFFF }) + [(0xFFFF, 0xFFFF, 0)]
        let all = runs(map)
        let basicLength = 16 + 8 * basic.count
        put16(0)
        put16(2)
        for (encoding, offset) in [(1, 20), (10, 20 + basicLength)] {
            put16(3)
            put16(encoding)
            put32(offset)
        }
        put16(4)
        put16(basicLength)
        put16(0)
        put16(2 * basic.count)
        var power = 1
        var exponent = 0
        while power * 2 <= basic.count {
            power *= 2
            exponent += 1
        }
        put16(2 * power)
        put16(exponent)
        put16(2 * (basic.count - power))
        for run in basic { put16(run.last) }
        put16(0)
        for run in basic { put16(run.first) }
        for run in basic { put16(run.first == 0xFFFF ? 1 : run.glyph - run.first) }
        for _ in basic { put16(0) }
        put16(12)
        put16(0)
        put32(16 + 12 * all.count)
        put32(0)
        put32(all.count)
        for run in all {
            put32(run.first)
            put32(run.last)
            put32(run.glyph)
        }
        return bytes
    }
}
