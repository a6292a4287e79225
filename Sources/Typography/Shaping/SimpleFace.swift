// Text in Western letters, shaped without HarfBuzz where the font's rules leave the letters as they are: glyphs by the character
// map, their advances, kerning of pairs. Browsers had such a way for long ("simple text"). Here it is for the fonts in the
// program: to load HarfBuzz and have it read their tables takes longer than to lay out a card.
//
// The glyphs, places and marks are those that HarfBuzz gives; where that is not certain, it is asked.

import Basics
import CTextLibraries
import CUnicode

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
        let machines: [StaticString] = ["morx", "mort", "kerx", "Silf", "avar"]
        guard let characters = CharacterMap(file), let head = OpenTypeTable("head", in: file),
            let header = OpenTypeTable("hhea", in: file), let metrics = OpenTypeTable("hmtx", in: file),
            let substitution = OpenTypeTable("GSUB", in: file), let positioning = OpenTypeTable("GPOS", in: file),
            let definitions = OpenTypeTable("GDEF", in: file),
            machines.allSatisfy({ OpenTypeTable($0, in: file) == nil }),
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
        guard let substitutions = known ?? SubstitutionRules(substitution, letters: letters),
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
        advanceVariations = OpenTypeTable("HVAR", in: file).map { table in
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

/// Kerning of pairs of letters (`GPOS`, lookup type 2).
struct PairKerning {
    private struct Subtable {
        let table: OpenTypeTable
        /// A number, the place of its change along the axes, or both, in this order.
        let hasValue, hasChange: Bool
        let coverage: OpenTypeTable
        var recordSize: Int { (hasValue ? 2 : 0) + (hasChange ? 2 : 0) }
    }

    /// By lookups: of a lookup's subtables, the first with a rule for the pair decides.
    private var lookups: [[Subtable]] = []
    let store: VariationStore?

    /// Features that are on by themselves: kerning, and what places marks, which are not among the letters.
    private static let kerning = [openTypeTag("kern")]
    private static let others = (["dist", "curs", "mark", "mkmk", "abvm", "blwm"] as [StaticString]).map(openTypeTag)

    /// nil when letters are placed in another way too, or in one that depends on the language.
    init?(_ layout: LayoutTable, definitions: OpenTypeTable) {
        let byLanguage = layout.languageSystems.map { layout.lookups(of: $0, Self.kerning) }
        let others = layout.languageSystems.flatMap { layout.lookups(of: $0, Self.others) }
        guard byLanguage.allSatisfy({ $0 == byLanguage[0] }),
            others.allSatisfy({ layout.subtables($0).allSatisfy { 4...6 ~= $0.kind } })
        else { return nil }
        for number in byLanguage.first ?? [] {
            guard layout.flags(number) & LayoutTable.ignoresLetters == 0 else { return nil }
            var subtables: [Subtable] = []
            for (kind, table) in layout.subtables(number) {
                let (first, second) = (table.number16(4), table.number16(6))
                guard kind == 2, 1...2 ~= table.number16(0), first & ~0x44 == 0, second == 0 else { return nil }
                subtables.append(
                    Subtable(
                        table: table, hasValue: first & 0x4 != 0, hasChange: first & 0x40 != 0,
                        coverage: table.part(table.number16(2))))
            }
            lookups.append(subtables)
        }
        // Kerning of the old kind is HarfBuzz's matter.
        guard layout.tags.contains(openTypeTag("kern")) else { return nil }
        let hasStore = definitions.number16(2) >= 3 && definitions.number32(14) != 0
        store = hasStore ? VariationStore(definitions.part(definitions.number32(14))) : nil
    }

    /// How much nearer or farther than its advance a glyph moves the next one.
    struct Change {
        /// In units of the em: by the font as it is, and by its axes.
        var value = 0
        var delta: Float = 0
    }

    /// Calls `apply` with what each lookup does to a pair, if anything.
    func find(_ first: UInt16, _ second: UInt16, _ variation: SimpleFace.Variation, _ apply: (Change) -> Void) {
        for subtables in lookups {
            for subtable in subtables {
                guard let (base, record) = Self.record(subtable, Int(first), Int(second)) else { continue }
                var change = Change()
                var isChange = false
                if subtable.hasValue {
                    change.value = base.signed16(record)
                    isChange = change.value != 0
                }
                let place = subtable.hasChange ? base.number16(record + (subtable.hasValue ? 2 : 0)) : 0
                if place != 0, !variation.isDefault {
                    isChange = true
                    let index = base.part(place)
                    if let store, index.number16(4) == 0x8000 {
                        change.delta = store.delta(index.number16(0), index.number16(2), shares: variation.kerning)
                    }
                }
                if isChange { apply(change) }
                break
            }
        }
    }

    /// The table that a pair's record counts from, and the record's place in it; nil when the subtable leaves the pair to the
    /// next one.
    private static func record(_ subtable: Subtable, _ first: Int, _ second: Int) -> (OpenTypeTable, Int)? {
        guard let index = subtable.coverage.coverageIndex(first) else { return nil }
        let table = subtable.table
        if table.number16(0) == 2 {
            let class1 = table.part(table.number16(8)).glyphClass(first)
            let class2 = table.part(table.number16(10)).glyphClass(second)
            let classes = table.number16(14)
            guard class1 < table.number16(12), class2 < classes else { return nil }
            return (table, 16 + (class1 * classes + class2) * subtable.recordSize)
        }
        guard index < table.number16(8) else { return nil }
        let pairs = table.part(table.number16(10 + 2 * index))
        let stride = 2 + subtable.recordSize
        guard let pair = pairs.lastRecord(pairs.number16(0), at: 2, stride: stride, notAbove: second),
            pairs.number16(2 + stride * pair) == second
        else { return nil }
        return (pairs, 4 + stride * pair)
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
            face.kerning.find(pair.0, pair.1, variation) { change in
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

extension FontContext {
    /// Shapes an item without HarfBuzz; false, and nothing is done, where that is not possible.
    func shapeSimply(
        _ item: ShapingItem, _ font: FontInstance, _ chain: FontChain, _ text: UnsafeBufferPointer<UInt8>,
        _ glyphs: inout [ShapedGlyph]
    ) -> Bool {
        guard let simple = font.simple, item.script == Itemizer.latin, !item.isRightToLeft else { return false }
        var kerns = true
        for feature in item.span.letterSpacing != 0 ? chain.featuresWithoutLigatures : chain.features {
            if feature.tag == openTypeTag("kern") {
                kerns = feature.value != 0
            } else if simple.face.substitutionFeatures.contains(feature.tag)
                || simple.face.positioningFeatures.contains(feature.tag)
            {
                return false
            }
        }
        let first = glyphs.count
        guard simple.shape(text, item.range, kerns: kerns, slots: &simpleSlots, into: &glyphs) else { return false }
        for position in first..<glyphs.count { noteAhead(glyphs[position].id, of: font) }
        return true
    }

    /// Whether text that has no more than these bytes could be shaped without HarfBuzz. Linear.
    package static func isSimple(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < text.count {
            if text[index] < 0x80 {
                index += 1
                continue
            }
            let (value, length) = scalar(in: text, at: index, end: text.count)
            guard SimpleFace.slot(value) != 0 else { return false }
            index += length
        }
        return true
    }
}
