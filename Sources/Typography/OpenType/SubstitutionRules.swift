// What a font's substitutions do to Western letters: whether a text is left as it is.
//
// In: the `GSUB` table. Out: for each lookup of the features that are on by themselves, the sequences of letters that it acts on.
// What they are replaced by is of no interest: HarfBuzz does that.

/// Letters of a ``SimpleFace``, by their slots.
struct LetterSet: Equatable {
    private var bits = SIMD4<UInt64>.zero

    init() {}
    init(_ slot: Int) { insert(slot) }

    @inline(__always)
    func contains(_ slot: UInt8) -> Bool { bits[Int(slot >> 6)] >> UInt64(slot & 63) & 1 != 0 }

    mutating func insert(_ slot: Int) { bits[slot >> 6] |= 1 << UInt64(slot & 63) }

    mutating func formUnion(_ other: LetterSet) { bits |= other.bits }

    func intersection(_ other: LetterSet) -> LetterSet {
        var result = self
        result.bits &= other.bits
        return result
    }

    var isEmpty: Bool { bits == .zero }
}

/// The substitutions of one face.
struct SubstitutionRules {
    /// Letters before, at and after a place. Where they stand there, the rule holds.
    private struct Rule {
        /// From the place on backwards.
        var before: [LetterSet] = []
        /// At the place and behind it, without those that are only looked at.
        var input: [LetterSet]
        var after: [LetterSet] = []
        /// Otherwise it keeps the rules behind it from doing so.
        var substitutes: Bool
    }

    private struct Lookup {
        /// Of the rules that could hold for a letter, the first decides.
        var rules: [Rule] = []
        var starts = LetterSet()
    }

    private var lookups: [Lookup] = []
    private var starts = LetterSet()

    /// Features that are on by themselves for text from left to right, and `locl` (HarfBuzz's default shaper).
    private static let features =
        (["rvrn", "ltra", "ltrm", "rand", "ccmp", "locl", "rlig", "calt", "clig", "liga", "rclt"] as [StaticString])
        .map(openTypeTag)

    /// - Parameters:
    ///   - layout: of the table.
    ///   - letters: the glyph of each slot; 0 for none.
    /// - Returns: nil when the table does what is not understood here.
    init?(_ table: OpenTypeTable, _ layout: LayoutTable, letters: [UInt16]) {
        var wanted: [Int] = []
        for system in layout.languageSystems { layout.addLookups(of: system, Self.features, to: &wanted) }
        var reader = Reader(table: table, letters: letters)
        for number in wanted.sorted() {
            var lookup = Lookup()
            guard layout.flags(number) & LayoutTable.ignoresLetters == 0 else { return nil }
            for subtable in layout.subtables(number) {
                guard let rules = reader.rules(subtable.table, kind: subtable.kind) else { return nil }
                lookup.rules += rules
            }
            for rule in lookup.rules { lookup.starts.formUnion(rule.input[0]) }
            guard !lookup.starts.isEmpty else { continue }
            starts.formUnion(lookup.starts)
            lookups.append(lookup)
        }
    }

    /// Whether the text stays as it is.
    ///
    /// - Parameter unsafe: is called with the places whose letters a rule looked at, and kept as they are: between them lines
    ///   cannot be broken without shaping anew.
    /// - Complexity: the letters that rules begin with, times the rules.
    func keep(_ text: UnsafeBufferPointer<UInt8>, unsafe: (Range<Int>) -> Void) -> Bool {
        guard text.contains(where: starts.contains) else { return true }
        for lookup in lookups {
            var place = 0
            while place < text.count {
                guard lookup.starts.contains(text[place]),
                    let rule = lookup.rules.first(where: { Self.holds($0, text, place) })
                else {
                    place += 1
                    continue
                }
                if rule.substitutes { return false }
                let end = place + rule.input.count
                unsafe(place - rule.before.count..<end + rule.after.count)
                place = end
            }
        }
        return true
    }

    private static func holds(_ rule: Rule, _ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
        let end = place + rule.input.count
        guard rule.input[0].contains(text[place]), place >= rule.before.count, end + rule.after.count <= text.count
        else {
            return false
        }
        for offset in 1..<max(1, rule.input.count) where !rule.input[offset].contains(text[place + offset]) {
            return false
        }
        for offset in rule.before.indices where !rule.before[offset].contains(text[place - 1 - offset]) { return false }
        for offset in rule.after.indices where !rule.after[offset].contains(text[end + offset]) { return false }
        return true
    }

    // MARK: Reading

    /// Reads subtables. Sets that are empty make a rule that never holds, which is left out.
    private struct Reader {
        let table: OpenTypeTable
        let letters: [UInt16]
        /// The slots of the glyphs that letters have; 0 for others.
        private var slots: [UInt8] = []
        /// By the coverage's place in the table: many rules share few.
        private var known: [(place: Int, set: LetterSet)] = []

        init(table: OpenTypeTable, letters: [UInt16]) {
            self.table = table
            self.letters = letters
            slots = [UInt8](repeating: 0, count: Int(letters.max() ?? 0) + 1)
            for (slot, glyph) in letters.enumerated() where glyph != 0 { slots[Int(glyph)] = UInt8(slot) }
        }

        @inline(__always)
        private func slot(_ glyph: Int) -> Int { glyph < slots.count ? Int(slots[glyph]) : 0 }

        /// Letters that a coverage has.
        private mutating func set(_ coverage: OpenTypeTable) -> LetterSet {
            let place = table.count - coverage.count
            for entry in known where entry.place == place { return entry.set }
            var set = LetterSet()
            for record in 0..<coverage.number16(2) {
                let isRange = coverage.number16(0) == 2
                let entry = 4 + (isRange ? 6 : 2) * record
                let first = coverage.number16(entry)
                let last = min(isRange ? coverage.number16(entry + 2) : first, slots.count - 1)
                guard first <= last else { continue }
                for glyph in first...last where slots[glyph] != 0 { set.insert(Int(slots[glyph])) }
            }
            known.append((place, set))
            return set
        }

        mutating func rules(_ subtable: OpenTypeTable, kind: Int) -> [Rule]? {
            switch (kind, subtable.number16(0)) {
            case (1, _), (2, _), (3, _), (8, _): return [everywhere(subtable)].filter { !$0.input[0].isEmpty }
            case (4, 1): return ligatures(subtable)
            case (5, 3): return sequence(subtable)
            case (6, 3): return chain(subtable)
            case (6, 1...2): return groups(subtable)
            case (5, _), (6, _): return [everywhere(subtable)].filter { !$0.input[0].isEmpty }
            default: return nil
            }
        }

        /// A subtable that may act on each letter that it covers.
        private mutating func everywhere(_ subtable: OpenTypeTable) -> Rule {
            Rule(input: [set(subtable.part(subtable.number16(2)))], substitutes: true)
        }

        private func ligatures(_ subtable: OpenTypeTable) -> [Rule] {
            let coverage = subtable.part(subtable.number16(2))
            var rules: [Rule] = []
            for (first, glyph) in letters.enumerated() where glyph != 0 {
                guard let index = coverage.coverageIndex(Int(glyph)), index < subtable.number16(4) else { continue }
                let group = subtable.part(subtable.number16(6 + 2 * index))
                for entry in 0..<group.number16(0) {
                    let ligature = group.part(group.number16(2 + 2 * entry))
                    let others = (1..<max(1, ligature.number16(2))).lazy.map { slot(ligature.number16(2 + 2 * $0)) }
                    guard !others.contains(0) else { continue }
                    rules.append(Rule(input: [LetterSet(first)] + others.map { LetterSet($0) }, substitutes: true))
                }
            }
            return rules
        }

        /// Coverages that begin at `place`, after their number.
        private mutating func sets(_ subtable: OpenTypeTable, _ place: inout Int) -> [LetterSet] {
            let count = subtable.number16(place)
            let sets = (0..<count).map { set(subtable.part(subtable.number16(place + 2 + 2 * $0))) }
            place += 2 + 2 * count
            return sets
        }

        private func rule(_ before: [LetterSet], _ input: [LetterSet], _ after: [LetterSet], substitutes: Bool)
            -> [Rule]
        {
            guard !input.isEmpty, !(before + input + after).contains(where: \.isEmpty) else { return [] }
            return [Rule(before: before, input: input, after: after, substitutes: substitutes)]
        }

        private mutating func sequence(_ subtable: OpenTypeTable) -> [Rule] {
            let count = subtable.number16(2)
            let input = (0..<count).map { set(subtable.part(subtable.number16(6 + 2 * $0))) }
            return rule([], input, [], substitutes: subtable.number16(4) > 0)
        }

        private mutating func chain(_ subtable: OpenTypeTable) -> [Rule] {
            var place = 2
            let before = sets(subtable, &place)
            let input = sets(subtable, &place)
            let after = sets(subtable, &place)
            return rule(before, input, after, substitutes: subtable.number16(place) > 0)
        }

        /// Chains of glyphs (format 1) or of classes of glyphs (format 2), grouped by what they begin with.
        private mutating func groups(_ subtable: OpenTypeTable) -> [Rule] {
            let coverage = subtable.part(subtable.number16(2))
            let covered = set(coverage)
            guard !covered.isEmpty else { return [] }
            let isOfClasses = subtable.number16(0) == 2
            // What the letters are before, at and after the place.
            let names = (0..<3).map { part in
                let definition = subtable.part(subtable.number16(4 + 2 * part))
                return letters.map { glyph in
                    glyph == 0 ? -1 : isOfClasses ? definition.glyphClass(Int(glyph)) : Int(glyph)
                }
            }
            func named(_ name: Int, _ part: Int) -> LetterSet {
                var set = LetterSet()
                for (slot, other) in names[part].enumerated() where other == name { set.insert(slot) }
                return set
            }
            func beginning(_ group: Int) -> LetterSet {
                if isOfClasses { return named(group, 1).intersection(covered) }
                var set = LetterSet()
                for (slot, glyph) in self.letters.enumerated()
                where covered.contains(UInt8(slot)) && coverage.coverageIndex(Int(glyph)) == group {
                    set.insert(slot)
                }
                return set
            }
            let start = isOfClasses ? 10 : 4
            var rules: [Rule] = []
            for number in 0..<subtable.number16(start) {
                let offset = subtable.number16(start + 2 + 2 * number)
                let first = beginning(number)
                guard offset != 0, !first.isEmpty else { continue }
                let group = subtable.part(offset)
                for entry in 0..<group.number16(0) {
                    let record = group.part(group.number16(2 + 2 * entry))
                    var place = 0
                    /// The input goes without what the group begins with.
                    func part(_ part: Int) -> [LetterSet] {
                        let count = max(0, record.number16(place) - (part == 1 ? 1 : 0))
                        let sets = (0..<count).map { named(record.number16(place + 2 + 2 * $0), part) }
                        place += 2 + 2 * count
                        return sets
                    }
                    let before = part(0)
                    let input = [first] + part(1)
                    let after = part(2)
                    rules += rule(before, input, after, substitutes: record.number16(place) > 0)
                }
            }
            return rules
        }
    }
}

/// What `GSUB` and `GPOS` have in common, for text in Latin letters.
struct LayoutTable {
    private let features: OpenTypeTable
    private let lookupList: OpenTypeTable
    private let extensionKind: Int
    /// The default one first.
    private(set) var languageSystems: [OpenTypeTable] = []

    /// nil where features depend on the axes, or one is required.
    ///
    /// - Parameter extensionKind: the kind of lookups whose subtables lie elsewhere: 7 in `GSUB`, 9 in `GPOS`.
    init?(_ table: OpenTypeTable, extensionKind: Int) {
        guard table.number16(0) == 1, table.number16(2) == 0 || table.number32(10) == 0 else { return nil }
        self.extensionKind = extensionKind
        features = table.part(table.number16(6))
        lookupList = table.part(table.number16(8))
        let scripts = table.part(table.number16(4))
        var script: OpenTypeTable?
        for wanted in [openTypeTag("latn"), openTypeTag("DFLT")] where script == nil {
            for entry in 0..<scripts.number16(0) where scripts.number32(2 + 6 * entry) == Int(wanted) {
                script = scripts.part(scripts.number16(6 + 6 * entry))
            }
        }
        guard let script else { return }
        if script.number16(0) != 0 { languageSystems.append(script.part(script.number16(0))) }
        for entry in 0..<script.number16(2) { languageSystems.append(script.part(script.number16(8 + 6 * entry))) }
        if languageSystems.contains(where: { $0.number16(2) != 0xFFFF }) { return nil }
    }

    /// Names of all features.
    var tags: [UInt32] { (0..<features.number16(0)).map { UInt32(truncatingIfNeeded: features.number32(2 + 6 * $0)) } }

    /// Adds the lookups of a language system's features, each once.
    func addLookups(of system: OpenTypeTable, _ wanted: [UInt32], to result: inout [Int]) {
        for entry in 0..<system.number16(4) {
            let record = 2 + 6 * system.number16(6 + 2 * entry)
            guard wanted.contains(UInt32(truncatingIfNeeded: features.number32(record))) else { continue }
            let feature = features.part(features.number16(record + 4))
            for place in 0..<feature.number16(2) {
                let lookup = feature.number16(4 + 2 * place)
                if !result.contains(lookup) { result.append(lookup) }
            }
        }
    }

    /// The lookups of a language system's features, ascending.
    func lookups(of system: OpenTypeTable, _ wanted: [UInt32]) -> [Int] {
        var result: [Int] = []
        addLookups(of: system, wanted, to: &result)
        return result.sorted()
    }

    /// Flags of lookups that pass over base glyphs or ligatures.
    static let ignoresLetters = 0b110

    /// A lookup's flags.
    func flags(_ lookup: Int) -> Int { lookupList.part(lookupList.number16(2 + 2 * lookup)).number16(2) }

    /// A lookup's subtables, behind their extensions.
    func subtables(_ lookup: Int) -> [(kind: Int, table: OpenTypeTable)] {
        let head = lookupList.part(lookupList.number16(2 + 2 * lookup))
        let (kind, count) = (head.number16(0), head.number16(4))
        return (0..<count).map { entry in
            let subtable = head.part(head.number16(6 + 2 * entry))
            guard kind == extensionKind else { return (kind, subtable) }
            return (subtable.number16(2), subtable.part(subtable.number32(4)))
        }
    }
}
