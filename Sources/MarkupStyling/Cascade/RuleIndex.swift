// Rules by what their selectors ask for: an element is tried only against rules that could match it.
//
// In: parsed sheets. Out: entries (one selector of one rule) in the order of the cascade, found through hash tables of
// the rightmost compound's id, class or name. An entry also knows names that some ancestor must have, which a Bloom
// filter of the ancestors refutes in a few instructions, and – when it is made of names only – how to be matched against
// the stack of ancestors without looking at the tree.

import MarkupSyntax

enum SelectorCompiler {
    static func isValid(_ text: String) -> Bool { (try? SelectorList.parse(text)) != nil }
}

/// Hashes of names, ids and classes, each in its own space. 64 bits: taken for the names themselves.
enum NameHash {
    static func of(_ bytes: some Sequence<UInt8>, space: UInt64) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ (space &* 0x9E37_79B9_7F4A_7C15)
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return hash ^ (hash >> 29)
    }
    static func id(_ bytes: some Sequence<UInt8>) -> UInt64 { of(bytes, space: 1) }
    static func className(_ bytes: some Sequence<UInt8>) -> UInt64 { of(bytes, space: 2) }
    static func name(_ bytes: some Sequence<UInt8>) -> UInt64 { of(bytes, space: 3) }
    static func tag(_ tag: TagID) -> UInt64 { (UInt64(tag.rawValue) &+ 1) &* 0xD6E8_FEB8_6659_FD93 }
}

/// Which box a rule styles.
package enum PseudoBox: UInt8, Hashable, Sendable, CaseIterable {
    case element, before, after, marker, firstLetter, firstLine
}

final class RuleIndex: Sendable {
    /// A compound of names only: the hashes that an element must all have.
    struct Compound {
        var firstHash: UInt32
        var hashCount: UInt16
        var isChild: Bool
    }

    /// What matching reads of an entry; plain memory, so that trying a rule counts no references.
    struct Test {
        /// Hashes of which some ancestor must have each; 0 is none.
        var ancestors: SIMD4<UInt64>
        /// Compounds from right to left, when the selector is made of names, ids, classes, ` ` and `>` alone; else none.
        var firstCompound: UInt32
        var compoundCount: UInt16
        var pseudo: PseudoBox
        var hasImportant: Bool
        var isCode: Bool
        /// The order among important declarations.
        var importantRank: UInt32
    }

    struct Entry: Sendable {
        var selector: Selector
        var ranked: RankedBlock
        /// `.default` alone: GSFancyText's name for the root.
        var isDefault: Bool
        fileprivate var pseudo: PseudoBox
        fileprivate var chain: [(hashes: [UInt64], isChild: Bool)]
        fileprivate var ancestors: [UInt64]
    }

    let entries: [Entry]
    let isEmpty: Bool
    private let buckets: [UInt64: Range<Int32>]
    let bucketed: [UInt32]
    let universal: [UInt32]
    /// By entry.
    nonisolated(unsafe) let tests: UnsafePointer<Test>
    nonisolated(unsafe) let compounds: UnsafePointer<Compound>
    nonisolated(unsafe) let hashes: UnsafePointer<UInt64>

    static let none = RuleIndex([])

    /// A sheet with the level of its rules and its place among the sheets.
    struct Source: Sendable {
        var sheet: Stylesheet
        var text: CSSSource
        var level: CascadeLevel
        var selectors: [SelectorList?]

        /// Parses the selectors of a sheet; those that are invalid are reported and their rules dropped.
        init(_ sheet: Stylesheet, _ text: CSSSource, level: CascadeLevel, log: inout DiagnosticLog) {
            self.sheet = sheet
            self.text = text
            self.level = level
            selectors = []
            selectors.reserveCapacity(sheet.rules.count)
            for rule in sheet.rules {
                do throws(SelectorError) {
                    selectors.append(try SelectorList.parse(rule.selectors))
                } catch {
                    selectors.append(nil)
                    let source = rule.block.source
                    let isPrefixed = rule.selectors.contains(":-")
                    log.report(
                        Diagnostic(
                            isPrefixed ? .note : .warning, "invalid selector: \(error.message)",
                            at: source.location(ofByte: rule.offset + Self.byteOffset(error.column, rule.selectors)),
                            excerpt: source.line(ofByte: rule.offset)))
                }
            }
        }

        private static func byteOffset(_ column: Int, _ text: String) -> Int {
            text.unicodeScalars.prefix(max(0, column - 1)).reduce(0) { $0 + UTF8.width($1) }
        }
    }

    init(_ sources: [Source]) {
        struct Draft {
            var entry: Entry
            var bucket: UInt64?
            var key: (UInt64, UInt64, UInt64)
            var importantRank: UInt32 = 0
        }
        var drafts: [Draft] = []
        var order: UInt64 = 0
        for source in sources {
            let layers = Self.layerOrder(source.sheet.layers)
            for (rule, list) in zip(source.sheet.rules, source.selectors) {
                order += 1
                guard let list else { continue }
                for selector in list.selectors {
                    let pseudo: PseudoBox
                    switch selector.pseudoElement {
                    case nil: pseudo = .element
                    case .before: pseudo = .before
                    case .after: pseudo = .after
                    case .marker: pseudo = .marker
                    case .firstLetter: pseudo = .firstLetter
                    case .firstLine: pseudo = .firstLine
                    case .text, .attribute, .html, .other: continue
                    }
                    let layer = rule.layer >= 0 ? layers[rule.layer] : UInt32.max
                    let (entry, bucket) = Self.entry(
                        selector, RankedBlock(block: rule.block, level: source.level, layer: layer), pseudo)
                    drafts.append(
                        Draft(
                            entry: entry, bucket: bucket,
                            key: (UInt64(source.level.rawValue) << 32 | UInt64(layer), selector.specificity.rank, order)
                        ))
                }
            }
        }
        drafts.sort { $0.key < $1.key }
        // Among important declarations earlier layers win; specificity and order count as ever.
        let important = drafts.indices.filter { drafts[$0].entry.ranked.block.hasImportant }.sorted { a, b in
            let (first, second) = (drafts[a], drafts[b])
            if first.entry.ranked.level != second.entry.ranked.level {
                return first.entry.ranked.level < second.entry.ranked.level
            }
            if first.entry.ranked.layer != second.entry.ranked.layer {
                return first.entry.ranked.layer > second.entry.ranked.layer
            }
            return (first.key.1, first.key.2) < (second.key.1, second.key.2)
        }
        for (rank, index) in important.enumerated() { drafts[index].importantRank = UInt32(rank) }
        entries = drafts.map(\.entry)
        isEmpty = entries.isEmpty

        var keyed: [(UInt64, UInt32)] = []
        var universal: [UInt32] = []
        for (index, draft) in drafts.enumerated() {
            if let bucket = draft.bucket {
                keyed.append((bucket, UInt32(index)))
            } else {
                universal.append(UInt32(index))
            }
        }
        keyed.sort { ($0.0, $0.1) < ($1.0, $1.1) }
        var buckets: [UInt64: Range<Int32>] = [:]
        var start = 0
        while start < keyed.count {
            var end = start + 1
            while end < keyed.count, keyed[end].0 == keyed[start].0 { end += 1 }
            buckets[keyed[start].0] = Int32(start)..<Int32(end)
            start = end
        }
        self.buckets = buckets
        bucketed = keyed.map(\.1)
        self.universal = universal

        let tests = UnsafeMutablePointer<Test>.allocate(capacity: max(1, drafts.count))
        var compounds: [Compound] = []
        var hashes: [UInt64] = []
        for (index, draft) in drafts.enumerated() {
            let entry = draft.entry
            let first = UInt32(compounds.count)
            for compound in entry.chain {
                compounds.append(
                    Compound(
                        firstHash: UInt32(hashes.count), hashCount: UInt16(clamping: compound.hashes.count),
                        isChild: compound.isChild))
                hashes += compound.hashes
            }
            var ancestors = SIMD4<UInt64>.zero
            for (position, hash) in entry.ancestors.prefix(4).enumerated() { ancestors[position] = hash }
            (tests + index).initialize(
                to: Test(
                    ancestors: ancestors, firstCompound: first, compoundCount: UInt16(clamping: entry.chain.count),
                    pseudo: entry.pseudo,
                    hasImportant: entry.ranked.block.hasImportant, isCode: entry.ranked.level == .code,
                    importantRank: draft.importantRank))
        }
        self.tests = UnsafePointer(tests)
        self.compounds = Self.copy(compounds)
        self.hashes = Self.copy(hashes)
    }

    private static func copy<T: BitwiseCopyable>(_ array: [T]) -> UnsafePointer<T> {
        let memory = UnsafeMutablePointer<T>.allocate(capacity: max(1, array.count))
        memory.initialize(from: array, count: array.count)
        return UnsafePointer(memory)
    }

    deinit {
        tests.deallocate()
        compounds.deallocate()
        hashes.deallocate()
    }

    /// Where in ``bucketed`` the entries stand that ask for a name, id or class.
    @inline(__always)
    func candidates(_ hash: UInt64) -> Range<Int32>? { buckets[hash] }

    /// The entry of a selector, and the hash that it is found by; nil if any element may match.
    private static func entry(_ selector: Selector, _ ranked: RankedBlock, _ pseudo: PseudoBox) -> (Entry, UInt64?) {
        let parts = selector.parts
        var chain: [(hashes: [UInt64], isChild: Bool)] = []
        var isSimple = true
        var ancestors: [UInt64] = []
        var isAncestor = false
        for part in parts {
            var hashes: [UInt64] = []
            if let tag = part.tag { hashes.append(NameHash.tag(tag)) }
            if let name = part.name { hashes.append(NameHash.name(name)) }
            for name in part.classes { hashes.append(NameHash.className(name)) }
            for id in part.ids { hashes.append(NameHash.id(id)) }
            if isAncestor { ancestors += hashes.suffix(2) }
            chain.append((hashes, part.link == .child))
            isSimple = isSimple && part.isComplete && part.link != .sibling
            // What stands left of a sibling combinator is no ancestor, what stands left of that may be one again.
            isAncestor = part.link == .descendant || part.link == .child
        }
        let right = parts[0]
        let bucket =
            right.ids.first.map { NameHash.id($0) } ?? right.classes.first.map { NameHash.className($0) } ?? right.tag
            .map { NameHash.tag($0) }
            ?? right.name.map { NameHash.name($0) }
        let entry = Entry(
            selector: selector, ranked: ranked,
            isDefault: parts.count == 1 && right.isComplete && right.tag == nil && right.name == nil
                && right.ids.isEmpty
                && right.classes == [Array("default".utf8)],
            pseudo: pseudo, chain: isSimple ? chain : [], ancestors: ancestors)
        return (entry, bucket)
    }

    /// The rank of each layer: a layer's own rules win over those of the layers within it.
    private static func layerOrder(_ names: [String]) -> [UInt32] {
        let paths = names.map { $0.split(separator: ".").map(String.init) }
        var firstSeen: [String: Int] = [:]
        for (index, name) in names.enumerated() { firstSeen[name] = index }
        func key(_ path: [String]) -> [Int] {
            var prefix = ""
            return path.map { part in
                prefix += (prefix.isEmpty ? "" : ".") + part
                return firstSeen[prefix] ?? 0
            } + [Int.max]
        }
        let keys = paths.map(key)
        let sorted = names.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }
        var ranks = [UInt32](repeating: 0, count: names.count)
        for (rank, index) in sorted.enumerated() { ranks[index] = UInt32(rank) }
        return ranks
    }
}

/// Which names ancestors have: refutes most descendant selectors at once (a counting Bloom filter).
struct AncestorFilter {
    private var counts = [UInt16](repeating: 0, count: 4096)

    @inline(__always)
    mutating func add(_ hash: UInt64) {
        let (a, b) = Self.slots(hash)
        if counts[a] < .max { counts[a] += 1 }
        if counts[b] < .max { counts[b] += 1 }
    }

    @inline(__always)
    mutating func remove(_ hash: UInt64) {
        let (a, b) = Self.slots(hash)
        if counts[a] > 0, counts[a] < .max { counts[a] -= 1 }
        if counts[b] > 0, counts[b] < .max { counts[b] -= 1 }
    }

    @inline(__always)
    func mayContain(_ hash: UInt64) -> Bool {
        let (a, b) = Self.slots(hash)
        return counts[a] > 0 && counts[b] > 0
    }

    @inline(__always)
    private static func slots(_ hash: UInt64) -> (Int, Int) { (Int(hash & 4095), Int((hash >> 20) & 4095)) }
}
