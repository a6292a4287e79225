// Indexes rules by the names in their selectors, so that an element is only tested against rules that could match it.
//
// In: parsed sheets. Out: entries (one selector of one rule) in cascade order, in hash tables keyed by the rightmost compound's
// id, class or name. An entry also records names that some ancestor must have; a Bloom filter of the ancestors rejects most
// entries in a few instructions. An entry made of names only is matched against the stack of ancestors without access to the
// tree.

import FancyTextBasics
import FancyTextMarkup
import FancyTextSelectors

/// Hashes of names, ids and classes, each in its own space. The 64 bits are treated as unique.
enum NameHash {
    static func of(_ bytes: some Sequence<UInt8>, space: UInt64) -> UInt64 { SeededHash.of(bytes, space: space) }
    /// - Parameter folds: True to ignore ASCII case, as in quirks mode (Quirks Mode §2.1).
    static func id(_ bytes: some Sequence<UInt8>, folds: Bool) -> UInt64 {
        folds ? of(bytes.lazy.map(\.asciiLowercased), space: 1) : of(bytes, space: 1)
    }
    static func className(_ bytes: some Sequence<UInt8>, folds: Bool) -> UInt64 {
        folds ? of(bytes.lazy.map(\.asciiLowercased), space: 2) : of(bytes, space: 2)
    }
    static func name(_ bytes: some Sequence<UInt8>) -> UInt64 { of(bytes, space: 3) }
    /// - Parameter name: The name of an attribute outside the table of known ones.
    static func attribute(_ name: some Sequence<UInt8>) -> UInt64 { of(name.lazy.map(\.asciiLowercased), space: 4) }
    static func attribute(_ id: AttributeID) -> UInt64 { SeededHash(space: 5 << 32 | UInt64(id.rawValue)).value }
    /// The key of rules for children of an element with the name.
    static func ofParent(_ hash: UInt64) -> UInt64 { ~hash }
    /// The key of rules for an element with a name that has an ancestor with an id or a class.
    @inline(__always)
    static func below(_ hash: UInt64, _ ancestor: UInt64) -> UInt64 {
        var both = SeededHash(space: hash)
        both.add(ancestor)
        return both.value
    }
    /// The key of all rules for an element with a name that has such an ancestor.
    static func below(_ hash: UInt64) -> UInt64 { SeededHash(space: hash).value }
    static func tag(_ tag: TagID) -> UInt64 { SeededHash(space: 6 << 32 | UInt64(tag.rawValue)).value }
}

/// The box that a rule styles.
package enum PseudoBox: UInt8, Hashable, Sendable, CaseIterable {
    case element, before, after, marker, firstLetter, firstLine
}

package final class RuleIndex: Sendable {
    /// The names in a compound: hashes that an element must all have.
    struct Compound {
        var firstHash: UInt32
        var hashCount: UInt16
        var isChild: Bool
    }

    /// The part of an entry that matching reads. It is plain memory, so that testing a rule needs no reference counting.
    struct Test {
        /// Hashes that ancestors must have, each at least once; 0 is unused.
        var ancestors: SIMD4<UInt64>
        /// The compounds' names from right to left, if only ` ` and `>` join them. Otherwise the count is 0.
        var firstCompound: UInt32
        var compoundCount: UInt16
        /// True if the selector consists of names, ids, classes and attributes only.
        var isComplete: Bool
        /// True if it depends only on the presence or absence of these: elements with the same names match alike.
        var isOfNames: Bool
        /// True if all compounds except the rightmost consist of names only.
        var isOfNamesAbove: Bool
        /// The start and count of the rightmost compound's names among the hashes.
        var firstSubject: UInt32
        var subjectCount: UInt16
        var pseudo: PseudoBox
        var hasImportant: Bool
        var isCode: Bool
        /// The order among important declarations.
        var importantRank: UInt32
    }

    struct Entry: Sendable {
        var selector: Selector
        var ranked: RankedBlock
        /// True for `.default` alone, GSFancyText's name for the root.
        var isDefault: Bool
    }

    /// An entry found through a name.
    struct Candidate {
        var number: UInt32
        /// The slots of the ancestor filter for the first name that an ancestor must have.
        var slots: (UInt16, UInt16)

        init(_ number: UInt32, ancestor hash: UInt64) {
            self.number = number
            slots = AncestorFilter.slots(hash)
        }
    }

    let entries: [Entry]
    /// Keyframes by name.
    let keyframes: [String: KeyframesRule]
    let registered: RegisteredProperties
    let namingRules: [NamingRule]
    package let isEmpty: Bool
    /// True if ids and classes are compared without regard to ASCII case.
    let foldsNames: Bool
    /// True if some rule has `::first-letter` or `::first-line`.
    package let stylesFirstText: Bool
    /// All entries that are found through a name, grouped by name.
    nonisolated(unsafe) private let candidateMemory: UnsafePointer<Candidate>
    /// For each name, the range of its entries; `stretchIndex` finds them by hash.
    nonisolated(unsafe) private let stretches: UnsafePointer<Stretch>
    private let stretchIndex: HashIndex
    /// Entries that may match any element.
    let universal: [Candidate]
    /// Entries that match only the root element, whatever its name.
    let forRoot: [Candidate]
    /// The entries with ``Entry/isDefault``.
    let rootEntries: [UInt32]
    /// The known attributes that selectors test, and a filter of the hashes of other attributes.
    let knownAttributes: AttributeSet
    let otherAttributes: UInt64
    /// True if some rule is found through the names of an element's parent.
    let asksForParents: Bool
    /// True if some rule is found through an id or a class of an ancestor, in addition to the element's name.
    let asksForAncestors: Bool
    /// A filter of the hashes of these ids and classes.
    nonisolated(unsafe) private let ancestorFilter: UnsafePointer<UInt64>
    private static let ancestorFilterBits = 4096
    /// A filter of the element names, ids and classes that occur in selectors.
    nonisolated(unsafe) let names: NameFilter
    /// By index of the entry.
    nonisolated(unsafe) let tests: UnsafePointer<Test>
    nonisolated(unsafe) let compounds: UnsafePointer<Compound>
    nonisolated(unsafe) let hashes: UnsafePointer<UInt64>

    static let none = RuleIndex([])

    /// A sheet with the cascade level of its rules.
    struct Source: Sendable {
        var sheet: Stylesheet
        var text: CSSSource
        var level: CascadeLevel
        var selectors: [SelectorList?]

        /// Parses the selectors of a sheet. Invalid selectors are reported and their rules dropped.
        /// - Parameter isTextOnly: True to suppress messages about selectors of other browsers.
        init(
            _ sheet: Stylesheet, _ text: CSSSource, level: CascadeLevel, isTextOnly: Bool = false,
            log: inout DiagnosticLog
        ) {
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
                    let isPrefixed = Self.hasPrefix(rule.selectors)
                    if isPrefixed, isTextOnly { continue }
                    log.report(
                        source.diagnostic(
                            isPrefixed ? .note : .warning, .invalidSelector, "invalid selector: \(error.message)",
                            atByte: Self.offset(error.column, of: rule)))
                }
            }
        }

        /// Returns whether a pseudo-class or pseudo-element begins with a dash, as those specific to one browser do.
        private static func hasPrefix(_ selectors: String) -> Bool {
            var previous: UInt8 = 0
            for byte in selectors.utf8 {
                if previous == 0x3A, byte == 0x2D { return true }
                previous = byte
            }
            return false
        }

        /// The offset in the sheet of a column of a rule's selector. The selector of a nested rule contains those of its parents,
        /// which are written elsewhere: the offset is then the start of its own.
        private static func offset(_ column: Int, of rule: StyleRule) -> Int {
            guard rule.block.source.bytes[rule.offset...].starts(with: rule.selectors.utf8) else { return rule.offset }
            return rule.selectors.unicodeScalars.prefix(max(0, column - 1)).reduce(rule.offset) { $0 + UTF8.width($1) }
        }
    }

    /// One selector of a rule, before entries are sorted in cascade order.
    private struct Draft {
        var selector: Selector
        var ranked: RankedBlock
        var pseudo: PseudoBox
        /// Level and layer, then specificity, then position.
        var key: (UInt64, UInt64, UInt64)
    }

    init(_ sources: [Source], foldsNames: Bool = false) {
        self.foldsNames = foldsNames
        let drafts = Self.drafts(sources)
        stylesFirstText = drafts.contains { $0.pseudo == .firstLetter || $0.pseudo == .firstLine }
        let order = drafts.indices.sorted { drafts[$0].key < drafts[$1].key }
        let ranks = Self.importantRanks(drafts)
        var entries: [Entry] = []
        entries.reserveCapacity(drafts.count)
        var keyed: [(hash: UInt64, number: UInt32)] = []
        keyed.reserveCapacity(drafts.count)
        var universal: [Candidate] = []
        var forRoot: [Candidate] = []
        var defaults: [UInt32] = []
        var known = AttributeSet()
        var others: UInt64 = 0
        let names = NameFilter()
        var asksForParents = false
        var asksForAncestors = false
        var ancestorBits = [UInt64](repeating: 0, count: Self.ancestorFilterBits / 64)
        let tests = UnsafeMutablePointer<Test>.allocate(capacity: max(1, drafts.count))
        var compounds: [Compound] = []
        var hashes: [UInt64] = []
        func note(_ parts: [SelectorPart]) {
            for part in parts {
                names.insert(part)
                for name in part.attributes {
                    if let id = name.id {
                        known.insert(id)
                    } else {
                        others |= Self.filterBit(NameHash.attribute(name.bytes))
                    }
                }
            }
        }
        for position in order {
            let draft = drafts[position]
            let number = UInt32(entries.count)
            let parts = draft.selector.parts
            let isDefault = parts.count == 1 && parts[0].isDefaultClass
            entries.append(Entry(selector: draft.selector, ranked: draft.ranked, isDefault: isDefault))
            if isDefault { defaults.append(number) }
            note(parts)
            let isComplete = parts.allSatisfy(\.isComplete)
            let isOfNames = draft.selector.asksForNamesOnly
            if isOfNames, !isComplete { note(draft.selector.innerParts) }
            let first = compounds.count
            let firstSubject = hashes.count
            let ancestors = Self.compile(parts, foldsNames, &compounds, &hashes)
            (tests + Int(number)).initialize(
                to: Test(
                    ancestors: ancestors, firstCompound: UInt32(first),
                    compoundCount: UInt16(clamping: compounds.count - first),
                    isComplete: isComplete, isOfNames: isOfNames,
                    isOfNamesAbove: parts.dropFirst().allSatisfy(\.isComplete),
                    firstSubject: UInt32(firstSubject),
                    subjectCount: UInt16(clamping: parts[0].nameCount), pseudo: draft.pseudo,
                    hasImportant: draft.ranked.block.hasImportant, isCode: draft.ranked.level == .code,
                    importantRank: ranks[position]))
            if let bucket = parts[0].bucket(foldsNames) {
                if parts[0].ids.isEmpty, parts[0].classes.isEmpty,
                    let ancestor = Self.ancestorKey(parts, foldsNames)
                {
                    // `.note p`: many elements have this name, but few are below that class.
                    keyed.append((NameHash.below(bucket, ancestor), number))
                    keyed.append((NameHash.below(bucket), number))
                    asksForAncestors = true
                    let bit = Self.ancestorBit(ancestor)
                    ancestorBits[bit >> 6] |= 1 << UInt64(bit & 63)
                } else {
                    keyed.append((bucket, number))
                }
            } else if parts[0].link == .child, parts.count > 1, let bucket = parts[1].nameBucket(foldsNames) {
                // `li > *`: found through the names of the parent.
                keyed.append((NameHash.ofParent(bucket), number))
                asksForParents = true
            } else if draft.selector.asksForRoot {
                forRoot.append(Candidate(number, ancestor: ancestors[0]))
            } else {
                universal.append(Candidate(number, ancestor: ancestors[0]))
            }
        }
        self.entries = entries
        keyframes = Self.keyframes(sources)
        registered = RegisteredProperties(sources.lazy.flatMap { $0.sheet.registrations })
        namingRules = sources.flatMap { $0.sheet.namingRules }
        self.universal = universal
        self.forRoot = forRoot
        rootEntries = defaults
        knownAttributes = known
        otherAttributes = others
        self.names = names
        self.asksForParents = asksForParents
        self.asksForAncestors = asksForAncestors
        ancestorFilter = Self.copy(ancestorBits)
        isEmpty = entries.isEmpty
        self.tests = UnsafePointer(tests)
        self.compounds = Self.copy(compounds)
        self.hashes = Self.copy(hashes)
        keyed.sort { ($0.hash, $0.number) < ($1.hash, $1.number) }
        let stretches = Self.stretches(keyed.map(\.hash))
        var index = HashIndex()
        index.reserve(stretches.count)
        for (position, stretch) in stretches.enumerated() { index.insert(position, hash: stretch.hash) }
        stretchIndex = index
        self.stretches = Self.copy(stretches)
        candidateMemory = Self.copy(
            keyed.map { Candidate($0.number, ancestor: tests[Int($0.number)].ancestors[0]) })
    }

    private static func drafts(_ sources: [Source]) -> [Draft] {
        var drafts: [Draft] = []
        drafts.reserveCapacity(sources.reduce(0) { $0 + $1.selectors.count })
        var order: UInt64 = 0
        for source in sources {
            let layers = layerOrder(source.sheet.layers)
            for (rule, list) in zip(source.sheet.rules, source.selectors) {
                order += 1
                guard let list else { continue }
                for selector in list.selectors where !selector.matchesNothing {
                    let pseudo: PseudoBox
                    switch selector.pseudoElement {
                    case nil: pseudo = .element
                    case .before: pseudo = .before
                    case .after: pseudo = .after
                    case .marker: pseudo = .marker
                    case .firstLetter: pseudo = .firstLetter
                    case .firstLine: pseudo = .firstLine
                    case .other(let name):
                        drafts += missingPart(name, of: selector, rule, source, layers, order)
                        continue
                    case .text, .ownText, .innerText, .attribute, .html: continue
                    }
                    let layer = rule.layer >= 0 ? layers[rule.layer] : UInt32.max
                    drafts.append(
                        Draft(
                            selector: selector,
                            ranked: RankedBlock(block: rule.block, level: source.level, layer: layer), pseudo: pseudo,
                            key: (UInt64(source.level.rawValue) << 32 | UInt64(layer), selector.specificity.rank, order)
                        ))
                }
            }
        }
        return drafts
    }

    /// For a rule about an unsupported part of a control: entries that report its use for the elements that show the part.
    private static func missingPart(
        _ name: String, of selector: Selector, _ rule: StyleRule, _ source: Source, _ layers: [UInt32], _ order: UInt64
    ) -> [Draft] {
        let css = rule.block.source
        guard let part = ControlParts.all.first(where: { $0.name.description.dropFirst(2) == name }),
            let token = css.tokens.firstIndex(where: { Int($0.start) >= rule.offset }),
            let block = DeclarationBlock(askingFor: part.name, atToken: token, of: css)
        else { return [] }
        let layer = rule.layer >= 0 ? layers[rule.layer] : UInt32.max
        return part.tags.compactMap { selector.restricted(to: $0) }.map { selector in
            Draft(
                selector: selector, ranked: RankedBlock(block: block, level: source.level, layer: layer),
                pseudo: .element,
                key: (UInt64(source.level.rawValue) << 32 | UInt64(layer), selector.specificity.rank, order))
        }
    }

    /// The keyframes rule that applies for each name: the last one of the highest level and layer.
    private static func keyframes(_ sources: [Source]) -> [String: KeyframesRule] {
        var found: [String: (rule: KeyframesRule, rank: UInt64)] = [:]
        for source in sources where !source.sheet.keyframes.isEmpty {
            let layers = layerOrder(source.sheet.layers)
            for rule in source.sheet.keyframes {
                let layer = rule.layer >= 0 ? layers[rule.layer] : UInt32.max
                let rank = UInt64(source.level.rawValue) << 32 | UInt64(layer)
                if let known = found[rule.name], known.rank > rank { continue }
                found[rule.name] = (rule, rank)
            }
        }
        return found.mapValues(\.rule)
    }

    /// The order among important declarations: earlier layers win, and specificity and position count as usual.
    private static func importantRanks(_ drafts: [Draft]) -> [UInt32] {
        var ranks = [UInt32](repeating: 0, count: drafts.count)
        let important = drafts.indices.filter { drafts[$0].ranked.block.hasImportant }.sorted { a, b in
            let (first, second) = (drafts[a], drafts[b])
            if first.ranked.level != second.ranked.level { return first.ranked.level < second.ranked.level }
            if first.ranked.layer != second.ranked.layer { return first.ranked.layer > second.ranked.layer }
            return (first.key.1, first.key.2) < (second.key.1, second.key.2)
        }
        for (rank, position) in important.enumerated() { ranks[position] = UInt32(rank) }
        return ranks
    }

    /// Appends the names of a selector's compounds, unless siblings are involved. Returns up to four hashes that ancestors must
    /// have.
    private static func compile(
        _ parts: [SelectorPart], _ foldsNames: Bool, _ compounds: inout [Compound], _ hashes: inout [UInt64]
    ) -> SIMD4<UInt64> {
        var ancestors = SIMD4<UInt64>.zero
        var ancestorCount = 0
        var isAncestor = false
        let hasSiblings = parts.contains { $0.link == .sibling }
        for (place, part) in parts.enumerated() {
            let first = hashes.count
            part.appendHashes(to: &hashes, foldsNames)
            if isAncestor {
                for hash in hashes[first...].suffix(2) where ancestorCount < 4 {
                    ancestors[ancestorCount] = hash
                    ancestorCount += 1
                }
            }
            if !hasSiblings {
                compounds.append(
                    Compound(
                        firstHash: UInt32(first), hashCount: UInt16(clamping: hashes.count - first),
                        isChild: part.link == .child))
            } else if place > 0 {
                hashes.removeSubrange(first...)
            }
            // The compound to the left of a sibling combinator is not an ancestor, but the one to the left of that may be.
            isAncestor = part.link == .descendant || part.link == .child
        }
        return ancestors
    }

    /// The id or class of the nearest ancestor for which the selector requires one; `nil` if there is no such ancestor.
    private static func ancestorKey(_ parts: [SelectorPart], _ foldsNames: Bool) -> UInt64? {
        // The compound to the left of a sibling combinator is not an ancestor.
        for (part, link) in zip(parts.dropFirst(), parts.map(\.link)) {
            guard link == .descendant || link == .child else { return nil }
            if let id = part.ids.first { return NameHash.id(id, folds: foldsNames) }
            if let name = part.classes.first { return NameHash.className(name, folds: foldsNames) }
        }
        return nil
    }

    @inline(__always)
    private static func ancestorBit(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 40) & 4095 }

    /// Returns whether some rule may be found through an ancestor with the id or class.
    @inline(__always)
    func mayAsk(forAncestor hash: UInt64) -> Bool {
        let bit = Self.ancestorBit(hash)
        return ancestorFilter[bit >> 6] & (1 &<< UInt64(bit & 63)) != 0
    }

    /// The bit of a hash in ``otherAttributes``.
    @inline(__always)
    static func filterBit(_ hash: UInt64) -> UInt64 { 1 << (hash & 63) }

    private static func copy<T: BitwiseCopyable>(_ array: [T]) -> UnsafePointer<T> {
        let memory = UnsafeMutablePointer<T>.allocate(capacity: max(1, array.count))
        memory.initialize(from: array, count: array.count)
        return UnsafePointer(memory)
    }

    deinit {
        tests.deallocate()
        compounds.deallocate()
        hashes.deallocate()
        candidateMemory.deallocate()
        stretches.deallocate()
        ancestorFilter.deallocate()
        names.free()
    }

    /// The range of a name's entries among the candidates: `start..<end`.
    private struct Stretch {
        var hash: UInt64
        var start: UInt32
        var end: UInt32
    }

    /// The ranges of equal hashes in an ascending list.
    private static func stretches(_ hashes: [UInt64]) -> [Stretch] {
        var stretches: [Stretch] = []
        var start = 0
        while start < hashes.count {
            var end = start + 1
            while end < hashes.count, hashes[end] == hashes[start] { end += 1 }
            stretches.append(Stretch(hash: hashes[start], start: UInt32(start), end: UInt32(end)))
            start = end
        }
        return stretches
    }

    /// The entries found through a name, id or class.
    @inline(__always)
    func candidates(_ hash: UInt64) -> UnsafeBufferPointer<Candidate> {
        guard let position = stretchIndex.position(of: hash, where: { stretches[$0].hash == hash }) else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        let stretch = stretches[position]
        return UnsafeBufferPointer(
            start: candidateMemory + Int(stretch.start), count: Int(stretch.end) - Int(stretch.start))
    }

    /// The rank of each layer. A layer's own rules win over those of layers nested in it.
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

extension SelectorPart {
    /// The hash of the rarest name that an element must have; that of an attribute if the compound has no names. `nil` if any
    /// element may match.
    fileprivate func bucket(_ folds: Bool) -> UInt64? { nameBucket(folds) ?? attributes.first.map(Self.hash) }

    /// The hash of the rarest name, ignoring attributes.
    fileprivate func nameBucket(_ folds: Bool) -> UInt64? {
        if let id = ids.first { return NameHash.id(id, folds: folds) }
        if let name = classes.first { return NameHash.className(name, folds: folds) }
        if let tag { return NameHash.tag(tag) }
        return name.map { NameHash.name($0) }
    }

    private static func hash(_ name: AttributeName) -> UInt64 {
        name.id.map { NameHash.attribute($0) } ?? NameHash.attribute(name.bytes)
    }

    /// The number of hashes that ``appendHashes(to:_:)`` appends.
    fileprivate var nameCount: Int {
        (tag == nil ? 0 : 1) + (name == nil ? 0 : 1) + classes.count + ids.count + attributes.count
    }

    fileprivate func appendHashes(to hashes: inout [UInt64], _ folds: Bool) {
        if let tag { hashes.append(NameHash.tag(tag)) }
        if let name { hashes.append(NameHash.name(name)) }
        for name in classes { hashes.append(NameHash.className(name, folds: folds)) }
        for id in ids { hashes.append(NameHash.id(id, folds: folds)) }
        for name in attributes { hashes.append(Self.hash(name)) }
    }

    /// True for `.default` alone.
    fileprivate var isDefaultClass: Bool {
        isComplete && tag == nil && name == nil && ids.isEmpty && attributes.isEmpty
            && classes == [Array("default".utf8)]
    }
}

/// A filter of the names that selectors use: most classes of a page occur in no selector and need no hash. The owner calls
/// ``free()``.
struct NameFilter {
    /// Bits by known element name, followed by bits by the length and the end characters of ids and classes.
    private let words: UnsafeMutablePointer<UInt64>

    private static let tagWords = (Int(TagID.knownCount) + 63) / 64
    private static let wordCount = 16

    init() {
        words = .allocate(capacity: Self.tagWords + Self.wordCount)
        words.initialize(repeating: 0, count: Self.tagWords + Self.wordCount)
    }

    func free() { words.deallocate() }

    func insert(_ part: SelectorPart) {
        if let tag = part.tag, tag.isKnown { insert(bit: Int(tag.rawValue)) }
        for id in part.ids { insert(id) }
        for name in part.classes { insert(name) }
    }

    private func insert(_ name: [UInt8]) {
        name.withUnsafeBufferPointer { insert(bit: Self.tagWords * 64 + Self.place($0)) }
    }

    private func insert(bit: Int) { words[bit >> 6] |= 1 &<< UInt64(bit & 63) }

    /// - Parameter tag: A known tag.
    @inline(__always)
    func mayAsk(for tag: TagID) -> Bool {
        words[Int(tag.rawValue) >> 6] & (1 &<< UInt64(tag.rawValue & 63)) != 0
    }

    /// Returns whether an id or a class may occur in a selector.
    @inline(__always)
    func mayAsk(for name: UnsafeBufferPointer<UInt8>) -> Bool {
        let place = Self.place(name)
        return words[Self.tagWords + place >> 6] & (1 &<< UInt64(place & 63)) != 0
    }

    /// The bit of an id or class. Names that differ only in ASCII case have the same bit.
    @inline(__always)
    private static func place(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        guard let base = name.baseAddress, !name.isEmpty else { return 0 }
        let ends = Int(base[0] | 0x20) &* 37 &+ Int(base[name.count &- 1] | 0x20) &* 101
        return (ends &+ name.count &* 17) & (wordCount * 64 - 1)
    }
}

/// A counting Bloom filter of the ancestors' names, which rejects most descendant selectors at once. The owner calls ``free()``.
struct AncestorFilter {
    /// The counters. The last one stands for the absence of a name and is never 0.
    let counts: UnsafeMutablePointer<UInt16>

    init() {
        counts = .allocate(capacity: Int(Self.size) + 1)
        counts.initialize(repeating: 0, count: Int(Self.size))
        counts[Int(Self.size)] = .max
    }

    func free() { counts.deallocate() }

    private static let size: UInt16 = 4096

    @inline(__always)
    func add(_ hash: UInt64) {
        let (a, b) = Self.slots(hash)
        if counts[Int(a)] < .max { counts[Int(a)] += 1 }
        if counts[Int(b)] < .max { counts[Int(b)] += 1 }
    }

    @inline(__always)
    func remove(_ hash: UInt64) {
        let (a, b) = Self.slots(hash)
        if counts[Int(a)] > 0, counts[Int(a)] < .max { counts[Int(a)] -= 1 }
        if counts[Int(b)] > 0, counts[Int(b)] < .max { counts[Int(b)] -= 1 }
    }

    /// Returns whether some ancestor may have the name. The hash 0 stands for no name and is always contained.
    @inline(__always)
    func mayContain(_ hash: UInt64) -> Bool {
        let (a, b) = Self.slots(hash)
        return counts[Int(a)] > 0 && counts[Int(b)] > 0
    }

    @inline(__always)
    static func slots(_ hash: UInt64) -> (UInt16, UInt16) {
        if hash == 0 { return (size, size) }
        return (UInt16(hash & 4095), UInt16((hash >> 20) & 4095))
    }
}
