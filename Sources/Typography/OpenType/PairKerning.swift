// Kerning of fonts whose other placements only concern marks.
//
// In: the `GPOS` table, and two glyphs. Out: how much nearer or farther the second one stands, in units of the em.

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
    ///
    /// - Parameter shares: of ``store``; nil for the font as it is.
    func find(_ first: UInt16, _ second: UInt16, shares: [Float]?, _ apply: (Change) -> Void) {
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
                if place != 0, let shares {
                    isChange = true
                    let index = base.part(place)
                    if let store, index.number16(4) == 0x8000 {
                        change.delta = store.delta(index.number16(0), index.number16(2), shares: shares)
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
