// Caches that make equal elements cheap: declarations by their text, computed styles by their inputs.

import FancyTextBasics
import FancyTextMarkup

struct StyleCache: Sendable {
    /// Blocks other than those of rules: default styles, hints, inline styles. Block 0 is empty.
    var blocks: [DeclarationBlock]
    private var byText: [String: UInt32] = ["": 0]
    /// Default styles by tag and variant.
    private var defaults: [UInt32: UInt32] = [:]

    /// Styles by the inputs they were computed from.
    private var styles = KeyTable()
    /// Matched declarations by their blocks.
    private var matches = KeyTable()
    var matched: [MatchedDeclarations] = []

    init() {
        blocks = [DeclarationBlock(source: CSSSource(bytes: []), declarations: [], customs: [])]
    }

    /// The block of an attribute's text; `parse` is called once for each distinct text.
    mutating func block(_ text: String, _ parse: () -> DeclarationBlock) -> UInt32 {
        if let known = byText[text] { return known }
        let block = parse()
        var index: UInt32 = 0
        if !block.isEmpty {
            index = UInt32(blocks.count)
            blocks.append(block)
        }
        byText[text] = index
        return index
    }

    /// The index of a tag's default style. Elements that differ only in their names can share a style.
    mutating func defaultBlock(
        _ tag: TagID, _ variant: DefaultStyles.Variant, in environment: ResolverEnvironment
    ) -> UInt32 {
        let key = UInt32(tag.rawValue) << 8 | UInt32(variant.rawValue)
        if let known = defaults[key] { return known }
        let css = DefaultStyles.css(tag, variant)
        let index = block(css) {
            environment.defaultBlocks.withLock { known in
                let block = known[css] ?? StylesheetParser.parseInline(css, context: environment.settings.context)
                known[css] = block
                return block
            }
        }
        defaults[key] = index
        return index
    }

    func style(_ key: [UInt32]) -> StyleID? { styles.find(key).map { StyleID(rawValue: $0) } }

    mutating func insert(_ key: [UInt32], _ style: StyleID) { styles.insert(key, style.rawValue) }

    func place(_ key: [UInt32]) -> Int? { matches.find(key).map { Int($0) } }

    mutating func insert(_ key: [UInt32], _ declarations: MatchedDeclarations) -> Int {
        matches.insert(key, UInt32(matched.count))
        matched.append(declarations)
        return matched.count - 1
    }
}

/// A hash table from lists of numbers to numbers.
private struct KeyTable: Sendable {
    private var index = HashIndex()
    private var entries: [Entry] = []
    private var keys: [UInt32] = []

    private struct Entry {
        var start: UInt32
        var count: UInt32
        var value: UInt32
    }

    private static func hash(_ key: [UInt32]) -> UInt64 {
        var hash = SeededHash()
        for word in key { hash.add(UInt64(word)) }
        return hash.value
    }

    func find(_ key: [UInt32]) -> UInt32? {
        index.position(of: Self.hash(key)) { place in
            let entry = entries[place]
            return keys[Int(entry.start)..<Int(entry.start + entry.count)].elementsEqual(key)
        }.map { entries[$0].value }
    }

    mutating func insert(_ key: [UInt32], _ value: UInt32) {
        index.insert(entries.count, hash: Self.hash(key))
        entries.append(Entry(start: UInt32(keys.count), count: UInt32(key.count), value: value))
        keys += key
    }
}
