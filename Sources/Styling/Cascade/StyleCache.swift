// What makes equal elements cheap: declarations by their text, computed styles by what they were computed from.

import Basics
import Markup

struct StyleCache: Sendable {
    /// Blocks besides the rules': default styles, hints, inline styles. Index 0 is the empty one.
    var blocks: [DeclarationBlock]
    private var byText: [String: UInt32] = ["": 0]
    /// Default styles by tag, and by tag and circumstances; `.max` is not read yet.
    private var defaults = [UInt32](repeating: .max, count: Int(TagID.knownCount))
    private var variants: [UInt32: UInt32] = [:]

    /// Open addressing; 0 is free, else an entry's index plus 1.
    private var slots: [UInt32] = Array(repeating: 0, count: 256)
    private var entries: [Entry] = []
    private var keys: [UInt32] = []

    /// The latest styles of elements that nothing but their parents' and default styles decide, found by both.
    private var plains = [Plain](repeating: Plain(), count: 512)

    private struct Plain {
        var parent = UInt32.max
        var block: UInt32 = 0
        var style = StyleID.root
    }

    private struct Entry {
        var hash: UInt64
        var start: UInt32
        var count: UInt32
        var style: StyleID
    }

    init() {
        blocks = [DeclarationBlock(source: CSSSource(bytes: []), declarations: [], customs: [])]
    }

    /// The block of an attribute's text; `parse` is called for the first one of its kind.
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

    /// The default style of a tag.
    mutating func defaultBlock(_ tag: TagID, _ variant: DefaultStyles.Variant, context: ValueContext) -> UInt32 {
        let key = UInt32(tag.rawValue) << 8 | UInt32(variant.rawValue)
        if variant.isEmpty, tag.isKnown {
            let known = defaults[Int(tag.rawValue)]
            if known != .max { return known }
        } else if let known = variants[key] {
            return known
        }
        let css = DefaultStyles.css(tag, variant)
        let index = block(css) {
            var log = DiagnosticLog()
            return StylesheetParser.parseInline(CSSSource(bytes: Array(css.utf8)), context: context, log: &log)
        }
        if variant.isEmpty, tag.isKnown { defaults[Int(tag.rawValue)] = index } else { variants[key] = index }
        return index
    }

    @inline(__always)
    func plain(_ parent: StyleID, _ block: UInt32) -> StyleID? {
        let known = plains[Self.place(parent, block)]
        return known.parent == parent.rawValue && known.block == block ? known.style : nil
    }

    mutating func note(plain style: StyleID, _ parent: StyleID, _ block: UInt32) {
        plains[Self.place(parent, block)] = Plain(parent: parent.rawValue, block: block, style: style)
    }

    @inline(__always)
    private static func place(_ parent: StyleID, _ block: UInt32) -> Int {
        Int((parent.rawValue &* 37 &+ block &* 101) & 511)
    }

    static func hash(_ key: UnsafeBufferPointer<UInt32>) -> UInt64 {
        var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
        for word in key {
            hash = (hash ^ UInt64(word)) &* 0xD6E8_FEB8_6659_FD93
            hash ^= hash >> 32
        }
        return hash
    }

    func find(_ key: UnsafeBufferPointer<UInt32>, _ hash: UInt64) -> StyleID? {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            let entry = entries[Int(slots[slot] - 1)]
            if entry.hash == hash, Int(entry.count) == key.count {
                var isEqual = true
                for index in 0..<key.count where keys[Int(entry.start) + index] != key[index] {
                    isEqual = false
                    break
                }
                if isEqual { return entry.style }
            }
            slot = (slot + 1) & mask
        }
        return nil
    }

    mutating func insert(_ key: UnsafeBufferPointer<UInt32>, _ hash: UInt64, _ style: StyleID) {
        if (entries.count + 1) * 2 > slots.count {
            slots = Array(repeating: 0, count: slots.count * 2)
            for (index, entry) in entries.enumerated() { place(entry.hash, UInt32(index + 1)) }
        }
        entries.append(Entry(hash: hash, start: UInt32(keys.count), count: UInt32(key.count), style: style))
        keys += key
        place(hash, UInt32(entries.count))
    }

    private mutating func place(_ hash: UInt64, _ value: UInt32) {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = value
    }
}
