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
package enum PseudoBox: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case element, before, after, marker, firstLetter, firstLine
    /// Parts of form controls.
    case placeholder, fileButton, track, bar, thumb
    /// The contents of a `details` after its summary.
    case detailsContent
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
        /// True if all compounds except the rightmost consist of names only.
        var isCompleteAbove: Bool
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
        /// The tests that the names of the rightmost compound do not decide.
        var subjectTests: FancyTextSelectors.Compound
        var ranked: RankedBlock
        var container: ContainerQuery?
        var scope: ScopedSelector?
        /// The place of its level, layer and specificity in the order of the cascade.
        var place: UInt32
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
    /// The `@page` rules in ascending order of precedence.
    let pageRules: [PageRule]
    let registered: RegisteredProperties
    let featureValues: FontFeatureValues
    package let counterStyles: CounterStyles
    package var isEmpty: Bool { entries.isEmpty }
    /// True if ids and classes are compared without regard to ASCII case.
    let foldsNames: Bool
    /// True if some rule has `::first-letter` or `::first-line`.
    package let stylesFirstText: Bool
    /// True if some rule is in a scope.
    let hasScopes: Bool
    /// True if some rule has a container query.
    let hasContainerQueries: Bool
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
    static let ancestorFilterBits = 4096
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

    init(_ sources: [Source], foldsNames: Bool = false) {
        var builder = RuleIndexBuilder(sources, foldsNames: foldsNames)
        builder.addAll()
        self.foldsNames = foldsNames
        stylesFirstText = builder.stylesFirstText
        entries = builder.entries
        hasContainerQueries = entries.contains { $0.container != nil }
        hasScopes = entries.contains { $0.scope != nil }
        keyframes = builder.keyframes()
        pageRules = builder.pageRules()
        registered = RegisteredProperties(sources.lazy.flatMap { $0.sheet.registrations })
        featureValues = FontFeatureValues(sources.lazy.flatMap { $0.sheet.featureValues })
        counterStyles = CounterStyles(sources.lazy.flatMap { $0.sheet.counterRules })
        universal = builder.universal
        forRoot = builder.forRoot
        rootEntries = builder.rootEntries
        knownAttributes = builder.knownAttributes
        otherAttributes = builder.otherAttributes
        asksForParents = builder.asksForParents
        asksForAncestors = builder.asksForAncestors
        ancestorFilter = Self.copy(builder.ancestorBits)
        tests = Self.copy(builder.tests)
        compounds = Self.copy(builder.compounds)
        hashes = Self.copy(builder.hashes)
        let keyed = builder.keyed.sorted { ($0.hash, $0.number) < ($1.hash, $1.number) }
        let stretches = Self.stretches(keyed.map(\.hash))
        var index = HashIndex()
        index.reserve(stretches.count)
        for (position, stretch) in stretches.enumerated() { index.insert(position, hash: stretch.hash) }
        stretchIndex = index
        self.stretches = Self.copy(stretches)
        candidateMemory = Self.copy(
            keyed.map { Candidate($0.number, ancestor: builder.tests[Int($0.number)].ancestors[0]) })
    }

    @inline(__always)
    static func ancestorBit(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 40) & 4095 }

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
