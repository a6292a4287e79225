// Text in Western letters, shaped without HarfBuzz where the font's rules leave the letters as they are: glyphs by the character
// map, their advances, kerning of pairs. Browsers had such a way for long ("simple text"). Here it is for the fonts in the
// program: to load HarfBuzz and have it read their tables takes longer than to lay out a card.
//
// In: the tables of a font file. Out: for a size and the axes, the glyphs of a text with their places and marks, those that
// HarfBuzz gives; nothing where that is not certain.

import Basics
import CTextLibraries

/// A face's letters, and what happens between them.
final class SimpleFace {
    /// The letters: ASCII, Latin-1 without the soft hyphen, and the usual punctuation beyond. Each has a slot, from 1 on.
    static let scalars: [UInt32] =
        Array(0x20...0x7E) + Array(0xA0...0xAC) + Array(0xAE...0xFF) + [
            0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2026, 0x20AC,
        ]
    private static let slots: (latin: [UInt8], punctuation: [UInt8]) = {
        var (latin, punctuation) = ([UInt8](repeating: 0, count: 0x100), [UInt8](repeating: 0, count: 0x100))
        for (index, scalar) in scalars.enumerated() {
            switch scalar {
            case ..<0x100: latin[Int(scalar)] = UInt8(index + 1)
            case 0x2000..<0x2100: punctuation[Int(scalar - 0x2000)] = UInt8(index + 1)
            default: break
            }
        }
        return (latin, punctuation)
    }()

    /// The slot of a character; 0 for others.
    @inline(__always)
    static func slot(_ scalar: UInt32) -> UInt8 {
        switch scalar {
        case ..<0x100: slots.latin[Int(scalar)]
        case 0x2000..<0x2100: slots.punctuation[Int(scalar - 0x2000)]
        default: 0
        }
    }

    let characters: CharacterMap
    let unitsPerEm: Int
    /// By slot; 0 for letters that the font does not have, or takes for marks.
    let letters: [UInt16]
    let substitutions: SubstitutionRules
    private let substitution: OpenTypeTable
    let kerning: PairKerning
    /// Names of the features of `GSUB` and `GPOS`.
    let substitutionFeatures, positioningFeatures: [UInt32]
    private let metrics: OpenTypeTable
    private let longMetrics: Int
    private let advanceVariations: AdvanceVariations?

    /// The change of advances along the axes (`HVAR`).
    private struct AdvanceVariations {
        let store: VariationStore
        let map: OpenTypeTable?
    }

    /// nil when the font is shaped by more than `GSUB` and `GPOS`, or does with Western letters what is not understood here.
    /// Linear in the letters and in the font's rules for them.
    ///
    /// - Parameter other: a face that may have the same rules, as the italic one of a family has.
    init?(_ file: FontFile, like other: SimpleFace? = nil) {
        // Apple's and Graphite's ways to shape, and axes that are bent.
        let unknown: [StaticString] = ["morx", "mort", "kerx", "Silf", "avar"]
        guard let characters = file.table("cmap").flatMap(CharacterMap.init), let head = file.table("head"),
            let header = file.table("hhea"), let metrics = file.table("hmtx"),
            let substitution = file.table("GSUB"), let positioning = file.table("GPOS"),
            let definitions = file.table("GDEF"),
            unknown.allSatisfy({ file.table($0) == nil }),
            let substitutionLayout = LayoutTable(substitution, extensionKind: 7),
            let positioningLayout = LayoutTable(positioning, extensionKind: 9)
        else { return nil }
        let classes = definitions.part(definitions.number16(4))
        var letters: [UInt16] = [0]
        for scalar in Self.scalars {
            let glyph = characters.glyph(scalar)
            letters.append(glyph < 0xFFFF && classes.glyphClass(Int(glyph)) != 3 ? UInt16(glyph) : 0)
        }
        let known = other.flatMap { $0.letters == letters && $0.substitution == substitution ? $0.substitutions : nil }
        guard let substitutions = known ?? SubstitutionRules(substitution, substitutionLayout, letters: letters),
            let kerning = PairKerning(positioningLayout, definitions: definitions)
        else { return nil }
        self.characters = characters
        self.letters = letters
        self.substitution = substitution
        self.substitutions = substitutions
        self.kerning = kerning
        self.metrics = metrics
        unitsPerEm = head.number16(18)
        longMetrics = header.number16(34)
        substitutionFeatures = substitutionLayout.tags
        positioningFeatures = positioningLayout.tags
        advanceVariations = file.table("HVAR").map { table in
            let map = table.number32(8)
            return AdvanceVariations(
                store: VariationStore(table.part(table.number32(4))), map: map == 0 ? nil : table.part(map))
        }
        guard unitsPerEm > 0, longMetrics > 0 else { return nil }
    }

    /// What the axes change.
    struct Variation {
        /// Of the advances, and of the kerning.
        fileprivate(set) var advances: [Float] = []
        fileprivate(set) var kerning: [Float] = []
        var isDefault: Bool { advances.isEmpty && kerning.isEmpty }
    }

    /// - Parameter coordinates: of all axes, normalized; empty for the font as it is.
    func variation(_ coordinates: [Int]) -> Variation {
        guard !coordinates.isEmpty else { return Variation() }
        return Variation(
            advances: advanceVariations?.store.shares(coordinates) ?? [],
            kerning: kerning.store?.shares(coordinates) ?? [])
    }

    /// A glyph's advance in units of the em.
    func advance(_ glyph: Int, _ variation: Variation) -> Int {
        let advance = metrics.number16(4 * min(glyph, longMetrics - 1))
        guard !variation.advances.isEmpty, let advanceVariations else { return advance }
        var (outer, inner) = (0, glyph)
        if let map = advanceVariations.map {
            // DeltaSetIndexMap: the last entry stands for all glyphs behind it.
            let isLong = map.number16(0) >> 8 == 1
            let format = map.number16(0) & 0xFF
            let count = isLong ? map.number32(2) : map.number16(2)
            let width = (format >> 4 & 3) + 1
            let innerBits = format & 15 + 1
            let place = (isLong ? 6 : 4) + width * min(glyph, count - 1)
            var entry = 0
            for byte in 0..<width { entry = entry << 8 | map.signed8(place + byte) & 0xFF }
            (outer, inner) = (entry >> innerBits, entry & (1 << innerBits - 1))
        }
        return advance + Int(advanceVariations.store.delta(outer, inner, shares: variation.advances).rounded())
    }
}

/// A ``SimpleFace`` at a size, with its axes set.
final class SimpleFont {
    let face: SimpleFace
    private let variation: SimpleFace.Variation
    /// 16.16 pixels for a unit of the em.
    private let multiplier: Float
    /// By slot, in 16.16 pixels; once asked for.
    private var advances = [Int32](repeating: .min, count: SimpleFace.scalars.count + 1)

    /// - Parameters:
    ///   - scale: 16.16 pixels per em.
    ///   - coordinates: of all axes, normalized; empty for the font as it is.
    init(_ face: SimpleFace, scale: Int32, coordinates: [Int]) {
        self.face = face
        variation = face.variation(coordinates)
        multiplier = Float(scale) / Float(face.unitsPerEm)
    }

    // As HarfBuzz scales and rounds: whole units in double precision, others not.

    private func scaled(_ units: Int) -> Int32 { Self.rounded(Double(units) * Double(multiplier)) }
    private func scaled(_ units: Float) -> Int32 { Self.rounded(Double(units * multiplier)) }

    private static func rounded(_ value: Double) -> Int32 {
        Int32(max(-0x4000_0000, min(0x4000_0000, (value + 0.5).rounded(.down))))
    }

    /// A glyph's advance, in 16.16 pixels.
    func advance(_ glyph: UInt32) -> Int32 { scaled(face.advance(Int(glyph), variation)) }

    private func advance(slot: UInt8) -> Int32 {
        let known = advances[Int(slot)]
        if known != .min { return known }
        let made = advance(UInt32(face.letters[Int(slot)]))
        advances[Int(slot)] = made
        return made
    }

    /// Appends the glyphs of a text; false, and nothing is appended, when it has other than letters or when the font would
    /// substitute some of them.
    ///
    /// - Parameter slots: is written over.
    /// - Complexity: linear in the text.
    func shape(
        _ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, kerns: Bool, slots: inout [UInt8],
        into glyphs: inout [ShapedGlyph]
    ) -> Bool {
        slots.removeAll(keepingCapacity: true)
        let unit: Float = 1 / 65536
        let first = glyphs.count
        glyphs.reserveCapacity(first + range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            let (value, length) = scalar(in: text, at: index, end: range.upperBound)
            let slot = SimpleFace.slot(value)
            let glyph = face.letters[Int(slot)]
            guard glyph != 0 else {
                glyphs.removeSubrange(first...)
                return false
            }
            slots.append(slot)
            glyphs.append(
                ShapedGlyph(
                    id: UInt32(glyph), cluster: UInt32(truncatingIfNeeded: index),
                    advance: Float(advance(slot: slot)) * unit))
            index += length
        }
        let isKept = slots.withUnsafeBufferPointer { slots in
            face.substitutions.keep(slots) { places in
                for place in places.dropFirst() { glyphs[first + place].isUnsafeToBreak = true }
            }
        }
        guard isKept else {
            glyphs.removeSubrange(first...)
            return false
        }
        guard kerns else { return true }
        for place in 0..<max(0, slots.count - 1) {
            let pair = (face.letters[Int(slots[place])], face.letters[Int(slots[place + 1])])
            var advance = advance(slot: slots[place])
            var isKerned = false
            face.kerning.find(pair.0, pair.1, shares: variation.isDefault ? nil : variation.kerning) { change in
                isKerned = true
                advance &+= scaled(change.value)
                advance &+= scaled(change.delta)
            }
            guard isKerned else { continue }
            glyphs[first + place].advance = Float(advance) * unit
            glyphs[first + place + 1].isUnsafeToBreak = true
        }
        return true
    }
}
