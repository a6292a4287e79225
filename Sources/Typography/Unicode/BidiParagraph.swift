// Finds the bidi runs of a paragraph. In: UTF-8, with formatting characters for its styles. Out: ranges of one embedding level. A
// scan of the bytes detects text without any right-to-left character.

import FancyTextBasics
import CFancyTextUnicode

/// A range of one embedding level.
package struct BidiRun: Hashable, Sendable {
    /// The range in the bytes of the text.
    package var range: Range<Int>
    package var level: UInt8
    @inlinable package init(range: Range<Int>, level: UInt8) {
        self.range = range
        self.level = level
    }
}

/// The base direction of a paragraph.
package enum BidiBase: UInt8, Hashable, Sendable {
    case ltr, rtl
    /// The direction of the first strong character, else left to right (`dir=auto`, `unicode-bidi: plaintext`).
    case auto
}

/// A formatting character before the byte at `offset` that is not part of the text: it represents `dir`, `unicode-bidi`, `<bdo>`
/// or `<bdi>` (CSS Writing Modes 4 §2.4.2).
package struct BidiControl: Hashable, Sendable {
    package var offset: Int
    /// LRE … PDI, or U+FFFC for an atomic inline that has no byte in the text.
    package var scalar: UInt32
    package init(offset: Int, scalar: UInt32) {
        self.offset = offset
        self.scalar = scalar
    }
}

package struct BidiParagraph: Sendable {
    package var baseLevel: UInt8
    /// Ascending over the paragraph, without gaps.
    package var runs: [BidiRun]

    /// Resolves a range of the text as one paragraph. Linear; only a scan of the bytes if nothing is right to left.
    ///
    /// - Parameter controls: ascending by offset.
    package static func resolve(
        _ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, base: BidiBase, controls: [BidiControl] = []
    ) -> BidiParagraph {
        let plain = BidiParagraph(baseLevel: 0, runs: range.isEmpty ? [] : [BidiRun(range: range, level: 0)])
        if base != .rtl, controls.allSatisfy({ $0.scalar == 0xFFFC }), !hasRightToLeft(text, range) { return plain }
        // For each character the byte that it comes from (−1 for a control).
        var algorithm = BidiAlgorithm()
        var offsets: [Int] = []
        algorithm.reserve(range.count + controls.count)
        offsets.reserveCapacity(range.count + controls.count)
        func append(_ value: UInt32, _ offset: Int) {
            algorithm.append(value)
            offsets.append(offset)
        }
        // A forced break ends a bidi paragraph; open embeddings are opened again after it (CSS Writing Modes 4 §2.4.4).
        var open: [UInt32] = []
        var index = range.lowerBound
        var control = 0
        while index <= range.upperBound {
            while control < controls.count, controls[control].offset <= index {
                let value = controls[control].scalar
                switch value {
                case 0x202A, 0x202B, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068: open.append(value)
                case 0x202C, 0x2069: _ = open.popLast()
                default: break
                }
                append(value, -1)
                control += 1
            }
            guard index < range.upperBound else { break }
            let (value, length) = scalar(in: text, at: index, end: range.upperBound)
            append(value, index)
            if value == 0x0A || value == 0x2029 || value == 0x85 { for value in open { append(value, -1) } }
            index += length
        }
        let baseLevel = algorithm.resolve(base: base)
        var runs: [BidiRun] = []
        var last: UInt8 = 0
        var start = range.lowerBound
        var isFirst = true
        for (position, offset) in offsets.enumerated() where offset >= 0 {
            let found = algorithm.levels[position]
            if isFirst {
                last = found
                isFirst = false
            } else if found != last {
                runs.append(BidiRun(range: start..<offset, level: last))
                start = offset
                last = found
            }
        }
        if start < range.upperBound { runs.append(BidiRun(range: start..<range.upperBound, level: last)) }
        return BidiParagraph(baseLevel: baseLevel, runs: runs)
    }

    /// Returns whether any character can have another level than 0: right-to-left letters, Arabic numbers, formatting characters.
    package static func hasRightToLeft(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound {
            // U+0590, the first such character, has the lead byte 0xD6.
            let lead = text[index]
            if lead < 0xD6 {
                index += 1
                continue
            }
            let (value, length) = scalar(in: text, at: index, end: range.upperBound)
            if unicodeRecord(value).has(UnicodeFlagRightToLeft) { return true }
            index += length
        }
        return false
    }

    /// The left-to-right order of pieces with these levels (UAX #9, L2): indices into `levels`. O(count × distinct levels).
    package static func visualOrder(_ levels: [UInt8]) -> [Int] {
        var order = Array(levels.indices)
        guard let highest = levels.max(), highest > 0 else { return order }
        let lowestOdd = levels.lazy.filter { $0 & 1 == 1 }.min() ?? highest + 1
        var level = highest
        while level >= lowestOdd, level > 0 {
            var start = 0
            while start < order.count {
                guard levels[order[start]] >= level else {
                    start += 1
                    continue
                }
                var end = start + 1
                while end < order.count, levels[order[end]] >= level { end += 1 }
                order[start..<end].reverse()
                start = end
            }
            level -= 1
        }
        return order
    }
}
