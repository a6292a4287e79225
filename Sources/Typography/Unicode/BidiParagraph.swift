// Finds the bidi runs of a paragraph (UAX #9) by ICU. In: UTF-8, with formatting characters. Out: ranges of one level.

import FancyTextBasics
import CFancyTextICU
import CFancyTextUnicode

package struct BidiRun: Hashable, Sendable {
    /// The range in the bytes of the text.
    package var range: Range<Int>
    package var level: UInt8
    @inlinable package init(range: Range<Int>, level: UInt8) { (self.range, self.level) = (range, level) }
}

package enum BidiBase: UInt8, Hashable, Sendable {
    case ltr, rtl
    /// The direction of the first strong character, else left to right (`dir=auto`, `unicode-bidi: plaintext`).
    case auto
}

/// A formatting character before a byte, not part of the text, for `dir`, `unicode-bidi` (CSS Writing Modes 4 §2.4.2).
package struct BidiControl: Hashable, Sendable {
    package var offset: Int
    /// LRE … PDI, or U+FFFC for an atomic inline that has no byte in the text.
    package var scalar: UInt32
    package init(offset: Int, scalar: UInt32) { (self.offset, self.scalar) = (offset, scalar) }
}

package struct BidiParagraph: Sendable {
    package var baseLevel: UInt8
    /// Ascending over the paragraph, without gaps.
    package var runs: [BidiRun]

    /// Resolves a range of the text as one paragraph, linearly; one run without right-to-left characters or without ICU. The
    /// controls are ascending by offset.
    package static func resolve(
        _ text: UTF8Bytes, _ range: Range<Int>, base: BidiBase, controls: [BidiControl] = []
    ) -> BidiParagraph {
        let isRightToLeft = hasRightToLeft(text, range)
        let level: UInt8 = base == .rtl ? 1 : 0
        let run = BidiRun(range: range, level: isRightToLeft ? 1 : 2 * level)
        let plain = BidiParagraph(baseLevel: level, runs: range.isEmpty ? [] : [run])
        if base != .rtl, !isRightToLeft, controls.allSatisfy({ $0.scalar == 0xFFFC }) { return plain }
        // The offset of a control is −1.
        var units = TextUnits()
        // A forced break ends a bidi paragraph; open embeddings are opened again after it (CSS Writing Modes 4 §2.4.4).
        var open: [UInt32] = []
        var (index, control) = (range.lowerBound, 0)
        while index <= range.upperBound {
            while control < controls.count, controls[control].offset <= index {
                let value = controls[control].scalar
                switch value {
                case 0x202A, 0x202B, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068: open.append(value)
                case 0x202C, 0x2069: _ = open.popLast()
                default: break
                }
                units.append(value, at: -1)
                control += 1
            }
            guard index < range.upperBound else { break }
            let (value, length) = scalar(in: text, at: index, end: range.upperBound)
            units.append(value, at: index)
            if value == 0x0A || value == 0x2029 || value == 0x85 { for value in open { units.append(value, at: -1) } }
            index += length
        }
        let resolved = units.withLevels(base: base == .auto ? UInt8(CICUBidiAutomatic) : level) { found, levels in
            // ICU makes the base level of text in one direction that of the text.
            var result = BidiParagraph(baseLevel: base == .auto ? found & 1 : level, runs: [])
            for (offset, level) in zip(units.offsets, levels) where offset >= 0 && result.runs.last?.level != level {
                if let last = result.runs.indices.last {
                    result.runs[last].range = result.runs[last].range.lowerBound..<offset
                }
                result.runs.append(BidiRun(range: offset..<range.upperBound, level: level))
            }
            return result
        }
        return resolved ?? plain
    }

    /// Returns whether the levels of a text can be computed. Only for text with right-to-left characters ICU is loaded.
    package static func canResolve(_ text: [UInt8]) -> Bool {
        text.withUnsafeBufferPointer { !hasRightToLeft($0, 0..<$0.count) } || cicu_load() != nil
    }

    /// Returns whether any character can have another level than 0: right-to-left letters, Arabic numbers, formatting characters.
    package static func hasRightToLeft(_ text: UTF8Bytes, _ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound {
            // U+0590, the first such character, has the lead byte 0xD6.
            if text[index] < 0xD6 {
                index += 1
                continue
            }
            let (value, length) = scalar(in: text, at: index, end: range.upperBound)
            if unicodeRecord(value).has(UnicodeFlagRightToLeft) { return true }
            index += length
        }
        return false
    }

    /// Fills `order` with the indices of pieces with these levels from left to right (UAX #9, L2). O(count × distinct levels).
    package static func order(_ levels: [UInt8], into order: inout [Int]) {
        order.removeAll(keepingCapacity: true)
        order.append(contentsOf: 0..<levels.count)
        guard let highest = levels.max(), highest > 0 else { return }
        let lowestOdd = levels.lazy.filter { $0 & 1 == 1 }.min() ?? highest + 1
        for level in (lowestOdd..<highest + 1).reversed() {
            var start = 0
            while start < order.count {
                let end = order[start...].firstIndex { levels[$0] < level } ?? order.count
                order[start..<end].reverse()
                start = end + 1
            }
        }
    }
}

/// Text as ICU reads it: UTF-16, each unit with the place of its character in UTF-8.
struct TextUnits {
    private(set) var units: [UInt16] = []
    /// For each unit, the place of its character.
    private(set) var offsets: [Int] = []

    mutating func append(_ value: UInt32, at offset: Int) {
        for unit in (Unicode.Scalar(value) ?? "\u{FFFD}").utf16 {
            units.append(unit)
            offsets.append(offset)
        }
    }

    /// Passes the base level of the first paragraph and the embedding level of each unit (UAX #9) to `body`; nil without ICU.
    func withLevels<Result>(base: UInt8, _ body: (_ base: UInt8, _ levels: UTF8Bytes) -> Result) -> Result? {
        guard let count = Int32(exactly: units.count), count > 0, let icu = cicu_load()?.pointee,
            let bidi = icu.bidiOpen()
        else { return nil }
        defer { icu.bidiClose(bidi) }
        return units.withUnsafeBufferPointer { text in
            var status: CICUStatus = 0
            icu.bidiSetText(bidi, text.baseAddress, count, base, nil, &status)
            guard let levels = icu.bidiLevels(bidi, &status), status <= 0 else { return nil }
            return body(icu.bidiBaseLevel(bidi), UnsafeBufferPointer(start: levels, count: units.count))
        }
    }
}
