// An index of rules. In: parsed sheets. Out: entries (one selector of one rule) in cascade order, by the rightmost compound's id,
// class or name. A Bloom filter of the ancestors' names rejects most entries in a few instructions.

import FancyTextBasics
import FancyTextCSS
import FancyTextMarkup
import FancyTextSelectors

/// Hashes of names, ids and classes, each in its own space. The 64 bits are treated as unique.
enum NameHash {
    /// - Parameter folds: True to ignore ASCII case, as in quirks mode (Quirks Mode §2.1).
    private static func of(_ bytes: some Sequence<UInt8>, space: UInt64, folds: Bool) -> UInt64 {
        folds ? SeededHash.of(bytes.lazy.map(\.asciiLowercased), space: space) : SeededHash.of(bytes, space: space)
    }
    static func id(_ bytes: some Sequence<UInt8>, folds: Bool) -> UInt64 { of(bytes, space: 1, folds: folds) }
    static func className(_ bytes: some Sequence<UInt8>, folds: Bool) -> UInt64 { of(bytes, space: 2, folds: folds) }
    static func name(_ bytes: some Sequence<UInt8>) -> UInt64 { of(bytes, space: 3, folds: false) }
    /// - Parameter name: The name of an attribute outside the table of known ones.
    static func attribute(_ name: some Sequence<UInt8>) -> UInt64 { of(name, space: 4, folds: true) }
    static func attribute(_ id: AttributeID) -> UInt64 { SeededHash(space: 5 << 32 | UInt64(id.rawValue)).value }
    static func tag(_ tag: TagID) -> UInt64 { SeededHash(space: 6 << 32 | UInt64(tag.rawValue)).value }
}

package final class RuleIndex: Sendable {
    /// The part of an entry that matching reads first, without reference counting.
    struct Test {
        /// Hashes that ancestors must have, each at least once; 0 is unused.
        var ancestors: SIMD4<UInt64>
        /// True if the selector is one compound of names, ids, classes and attributes only.
        var isComplete: Bool
        /// The start and count of the rightmost compound's names in ``RuleEntries/hashes``.
        var firstSubject: UInt32
        var subjectCount: UInt16
        var pseudo: PseudoBox
        var hasImportant, isCode: Bool
        var importantRank: UInt32
    }

    struct Entry: Sendable {
        var selector: Selector
        var ranked: RankedBlock
        var container: ContainerQuery?
        var scope: ScopedSelector?
        /// The place of its level, layer and specificity in the order of the cascade.
        var place: UInt32 = 0
    }

    let rules: RuleEntries
    let keyframes: [String: KeyframesRule]
    /// In ascending order of precedence.
    let pageRules: [PageRule]
    let registered: RegisteredProperties
    let featureValues: FontFeatureValues
    package let counterStyles: CounterStyles
    package var isEmpty: Bool { rules.entries.isEmpty }
    package var stylesFirstText: Bool { rules.stylesFirstText }
    let hasScopes: Bool
    let hasContainerQueries: Bool

    static let none = RuleIndex([])

    struct Source: Sendable {
        var sheet: Stylesheet
        var text: CSSSource
        var level: CascadeLevel
        var selectors: [SelectorList?]
        private var layerRanks: [UInt32] = []

        /// Parses the selectors of a sheet. Invalid ones are reported (unless `isTextOnly` those of other browsers) and dropped.
        init(
            _ sheet: Stylesheet, _ text: CSSSource, level: CascadeLevel, isTextOnly: Bool = false,
            log: inout DiagnosticLog
        ) {
            (self.sheet, self.text, self.level, selectors) = (sheet, text, level, [])
            selectors.reserveCapacity(sheet.rules.count)
            for rule in sheet.rules {
                do throws(SelectorError) {
                    selectors.append(try SelectorList.parse(rule.selectors))
                } catch {
                    selectors.append(nil)
                    let source = rule.block.source
                    // Pseudo-classes and pseudo-elements that begin with a dash are specific to one browser.
                    let isPrefixed = rule.selectors.utf8.firstRange(of: ":-".utf8) != nil
                    if isPrefixed, isTextOnly { continue }
                    let place = TextPlace(source, Self.offset(error.column, of: rule))
                    let message = "invalid selector: \(error.message)"
                    log.report(Diagnostic(isPrefixed ? .note : .warning, .invalidSelector, message, at: place))
                }
            }
        }

        /// A number that orders rules by level and layer.
        func rank(ofLayer layer: Int) -> UInt64 { UInt64(level.rawValue) << 32 | UInt64(layerRank(layer)) }

        func ranked(_ block: DeclarationBlock, in layer: Int) -> RankedBlock {
            RankedBlock(block: block, level: level, layer: layerRank(layer))
        }

        private func layerRank(_ layer: Int) -> UInt32 { layer >= 0 ? layerRanks[layer] : .max }

        /// Ranks the layers of all sheets of a level in the order in which their names first appear (CSS Cascade 5 §6.4.3). A layer's
        /// own rules win over those of layers nested in it.
        static func ranked(_ sources: [Source]) -> [Source] {
            // A layer without a name is that of one sheet.
            let names = sources.enumerated().map { number, source in
                source.sheet.layers.map { "\(source.level).\($0.replacing("\u{1}", with: "\u{1}\(number) "))" }
            }
            var places: [String: Int] = [:]
            for name in names.joined() where places[name] == nil { places[name] = places.count }
            func key(_ name: String) -> [Int] {
                let ends = name.indices.filter { name[$0] == "." }.dropFirst() + [name.endIndex]
                return ends.map { places[String(name[..<$0])] ?? 0 } + [.max]
            }
            let order = places.keys.map { (name: $0, key: key($0)) }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            let ranks = Dictionary(uniqueKeysWithValues: zip(order.map(\.name), UInt32(0)...))
            return zip(sources, names).map { source, names in
                var source = source
                source.layerRanks = names.map { ranks[$0] ?? 0 }
                return source
            }
        }

        /// The offset in the sheet of a column of a rule's selector; for a nested rule, the start of its own selector.
        private static func offset(_ column: Int, of rule: StyleRule) -> Int {
            guard rule.block.source.bytes[rule.offset...].starts(with: rule.selectors.utf8) else { return rule.offset }
            return rule.selectors.unicodeScalars.prefix(max(0, column - 1)).reduce(rule.offset) { $0 + UTF8.width($1) }
        }
    }

    init(_ sources: [Source], foldsNames: Bool = false) {
        let sources = Source.ranked(sources)
        rules = RuleEntries(sources, foldsNames: foldsNames)
        hasContainerQueries = rules.entries.contains { $0.container != nil }
        hasScopes = rules.entries.contains { $0.scope != nil }
        keyframes = RuleEntries.keyframes(sources)
        pageRules = RuleEntries.pageRules(sources)
        registered = RegisteredProperties(sources.lazy.flatMap { $0.sheet.registrations })
        featureValues = FontFeatureValues(sources.lazy.flatMap { $0.sheet.featureValues })
        counterStyles = CounterStyles(sources.lazy.flatMap { $0.sheet.counterRules })
    }
}

/// A counting Bloom filter of the ancestors' names, which rejects most descendant selectors at once.
struct AncestorFilter {
    private static let size: UInt16 = 4096
    /// The counters. The last one stands for the absence of a name and is never 0.
    private var counts = [UInt16](repeating: 0, count: Int(size)) + [.max]

    mutating func add(_ hash: UInt64) { change(hash) { if $0 < .max { $0 += 1 } } }

    mutating func remove(_ hash: UInt64) { change(hash) { if $0 > 0, $0 < .max { $0 -= 1 } } }

    @inline(__always)
    private mutating func change(_ hash: UInt64, _ body: (inout UInt16) -> Void) {
        let (a, b) = Self.slots(hash)
        body(&counts[Int(a)])
        body(&counts[Int(b)])
    }

    /// Returns whether some ancestor may have the name. The hash 0 stands for no name and is always contained.
    @inline(__always)
    func mayContain(_ hash: UInt64) -> Bool {
        let (a, b) = Self.slots(hash)
        return counts[Int(a)] > 0 && counts[Int(b)] > 0
    }

    @inline(__always)
    private static func slots(_ hash: UInt64) -> (UInt16, UInt16) {
        if hash == 0 { return (size, size) }
        return (UInt16(hash & 4095), UInt16((hash >> 20) & 4095))
    }
}
