// The entries of a rule index in cascade order, and the names through which they are found. In: parsed sheets.

import FancyTextCSS
import FancyTextMarkup
import FancyTextSelectors

struct RuleEntries: Sendable {
    private(set) var entries: [RuleIndex.Entry] = []
    /// By index of the entry.
    private(set) var tests: [RuleIndex.Test] = []
    private(set) var hashes: [UInt64] = []
    /// The entries that are found through a name, id, class or attribute, by its hash.
    private(set) var byName: [UInt64: [UInt32]] = [:]
    private(set) var universal: [UInt32] = []
    /// Entries that match only the root element, whatever its name.
    private(set) var forRoot: [UInt32] = []
    /// The known attributes that selectors test, and a filter of the hashes of other attributes.
    private(set) var knownAttributes = AttributeSet()
    private(set) var otherAttributes: UInt64 = 0
    /// True if ids and classes are compared without regard to ASCII case.
    let foldsNames: Bool
    /// True if some rule has `::first-letter` or `::first-line`.
    let stylesFirstText: Bool

    /// One selector of a rule, before entries are sorted in cascade order: by level and layer, then specificity, then position.
    private typealias Draft = (entry: RuleIndex.Entry, pseudo: PseudoBox, key: (UInt64, UInt64, UInt64))

    init(_ sources: [RuleIndex.Source], foldsNames: Bool) {
        self.foldsNames = foldsNames
        let drafts = Self.drafts(sources)
        stylesFirstText = drafts.contains { $0.pseudo == .firstLetter || $0.pseudo == .firstLine }
        entries.reserveCapacity(drafts.count)
        tests.reserveCapacity(drafts.count)
        let ranks = Self.importantRanks(drafts)
        var place: UInt32 = 0
        var lastKey: (UInt64, UInt64)?
        for position in drafts.indices.sorted(by: { drafts[$0].key < drafts[$1].key }) {
            var draft = drafts[position]
            let key = (draft.key.0, draft.key.1)
            if lastKey.map({ $0 != key }) ?? true { place += 1 }
            lastKey = key
            draft.entry.place = place
            add(draft, importantRank: ranks[position])
        }
    }

    // MARK: Entries

    private mutating func add(_ draft: Draft, importantRank: UInt32) {
        let number = UInt32(entries.count)
        let (entry, parts) = (draft.entry, draft.entry.selector.parts)
        entries.append(entry)
        for name in parts.flatMap(\.attributes) {
            if let id = name.id {
                knownAttributes.insert(id)
            } else {
                otherAttributes |= Self.filterBit(NameHash.attribute(name.bytes))
            }
        }
        let firstSubject = hashes.count
        hashes += parts[0].hashes(foldsNames)
        tests.append(
            RuleIndex.Test(
                ancestors: Self.ancestors(parts, foldsNames), isComplete: parts.count == 1 && parts[0].isComplete,
                firstSubject: UInt32(firstSubject), subjectCount: UInt16(clamping: hashes.count - firstSubject),
                pseudo: draft.pseudo, hasImportant: entry.ranked.block.hasImportant,
                isCode: entry.ranked.level == .code, importantRank: importantRank))
        // An entry is filed under a name that its elements must have.
        if let bucket = parts[0].bucket(foldsNames) {
            byName[bucket, default: []].append(number)
        } else if entry.selector.asksForRoot {
            forRoot.append(number)
        } else {
            universal.append(number)
        }
    }

    @inline(__always)
    static func filterBit(_ hash: UInt64) -> UInt64 { 1 << (hash & 63) }

    /// Up to four hashes that ancestors must have.
    private static func ancestors(_ parts: [SelectorPart], _ foldsNames: Bool) -> SIMD4<UInt64> {
        var ancestors = SIMD4<UInt64>.zero
        var count = 0
        // The compound to the left of a sibling combinator is not an ancestor, but the one to the left of that may be.
        for (part, right) in zip(parts.dropFirst(), parts) where right.isInAncestor {
            for hash in part.hashes(foldsNames).suffix(2) where count < 4 {
                ancestors[count] = hash
                count += 1
            }
        }
        return ancestors
    }

    // MARK: The order of the cascade

    private static func drafts(_ sources: [RuleIndex.Source]) -> [Draft] {
        var drafts: [Draft] = []
        drafts.reserveCapacity(sources.reduce(0) { $0 + $1.selectors.count })
        var order: UInt64 = 0
        for source in sources {
            for (rule, list) in zip(source.sheet.rules, source.selectors) {
                order += 1
                guard let list else { continue }
                func add(
                    _ selector: Selector, _ pseudo: PseudoBox, _ scope: ScopedSelector? = nil,
                    _ block: DeclarationBlock? = nil
                ) {
                    let specificity = scope?.selector.specificity ?? selector.specificity
                    let entry = RuleIndex.Entry(
                        selector: selector, ranked: source.ranked(block ?? rule.block, in: rule.layer),
                        container: rule.container, scope: scope)
                    let key = (source.rank(ofLayer: rule.layer), specificity.rank, order)
                    drafts.append((entry, pseudo, key))
                }
                for (number, selector) in list.selectors.enumerated() where !selector.matchesNothing {
                    var scope: ScopedSelector?
                    if let (condition, selectors) = rule.scope, selectors.indices.contains(number) {
                        scope = (condition, selectors[number])
                    }
                    switch selector.pseudoElement {
                    case nil: add(selector, .element, scope)
                    case .before: add(selector, .before, scope)
                    case .after: add(selector, .after, scope)
                    case .marker: add(selector, .marker, scope)
                    case .firstLetter: add(selector, .firstLetter, scope)
                    case .firstLine: add(selector, .firstLine, scope)
                    case .other(let name):
                        if let (box, tags) = PseudoBox.parts[name] {
                            let parts = tags.isEmpty ? [selector] : tags.compactMap { selector.restricted(to: $0) }
                            for part in parts { add(part, box, scope) }
                        } else if let (block, tags) = missingPart(name, rule) {
                            let parts = tags.compactMap { selector.restricted(to: $0) }
                            for part in parts { add(part, .element, nil, block) }
                        }
                    case .text, .ownText, .innerText, .attribute, .html: break
                    }
                }
            }
        }
        return drafts
    }

    /// For a rule about an unsupported part of a control: declarations that report its use, and the elements that show the part.
    private static func missingPart(_ name: String, _ rule: StyleRule) -> (DeclarationBlock, [TagID])? {
        let css = rule.block.source
        guard let part = ControlParts.all.first(where: { $0.name.dropFirst(2) == name }),
            let token = css.tokens.firstIndex(where: { Int($0.start) >= rule.offset }),
            let block = DeclarationBlock(askingFor: part.name, atToken: token, of: css)
        else { return nil }
        return (block, part.elements.compactMap { TagID.named(Array($0.utf8)) })
    }

    /// The keyframes rule that applies for each name: the last one of the highest level and layer.
    static func keyframes(_ sources: [RuleIndex.Source]) -> [String: KeyframesRule] {
        var found: [String: (rule: KeyframesRule, rank: UInt64)] = [:]
        for source in sources {
            for rule in source.sheet.keyframes {
                let rank = source.rank(ofLayer: rule.layer)
                if let known = found[rule.name], known.rank > rank { continue }
                found[rule.name] = (rule, rank)
            }
        }
        return found.mapValues(\.rule)
    }

    /// The `@page` rules in ascending order of precedence: by level, layer, specificity and position.
    static func pageRules(_ sources: [RuleIndex.Source]) -> [PageRule] {
        let found = sources.flatMap { source in
            source.sheet.pageRules.map { (rule: $0, rank: source.rank(ofLayer: $0.layer)) }
        }
        func key(_ place: Int) -> (UInt64, Int, Int) {
            (found[place].rank, found[place].rule.selector.specificity, place)
        }
        return found.indices.sorted { key($0) < key($1) }.map { found[$0].rule }
    }

    /// The order among important declarations: earlier layers win, and specificity and position count as usual.
    private static func importantRanks(_ drafts: [Draft]) -> [UInt32] {
        var ranks = [UInt32](repeating: 0, count: drafts.count)
        func key(_ index: Int) -> (CascadeLevel, UInt32, UInt64, UInt64) {
            let (ranked, key) = (drafts[index].entry.ranked, drafts[index].key)
            return (ranked.level, .max - ranked.layer, key.1, key.2)
        }
        let important = drafts.indices.filter { drafts[$0].entry.ranked.block.hasImportant }.sorted {
            key($0) < key($1)
        }
        for (rank, position) in important.enumerated() { ranks[position] = UInt32(rank) }
        return ranks
    }
}

extension SelectorPart {
    /// The hash of the rarest name or else an attribute that an element must have. `nil` if any element may match.
    fileprivate func bucket(_ folds: Bool) -> UInt64? {
        ids.first.map { NameHash.id($0, folds: folds) } ?? classes.first.map { NameHash.className($0, folds: folds) }
            ?? tag.map(NameHash.tag) ?? name.map { NameHash.name($0) } ?? attributes.first.map(Self.hash)
    }

    private static func hash(_ name: AttributeName) -> UInt64 {
        name.id.map { NameHash.attribute($0) } ?? NameHash.attribute(name.bytes)
    }

    fileprivate func hashes(_ folds: Bool) -> [UInt64] {
        let names = [tag.map(NameHash.tag), name.map { NameHash.name($0) }].compactMap(\.self)
        let classes = classes.map { NameHash.className($0, folds: folds) }
        return names + classes + ids.map { NameHash.id($0, folds: folds) } + attributes.map(Self.hash)
    }
}
