// The number of terminal cells of a grapheme cluster, and the characters that may reach a terminal.

import CFancyTextUnicode

package enum DisplayWidth {
    /// The cells of the cluster at `range`: 0, 1 or 2, the width of its widest character.
    package static func cells(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int {
        if range.count == 1 { return text[range.lowerBound] >= 0x20 && text[range.lowerBound] != 0x7F ? 1 : 0 }
        var (width, regionals, previous) = (0, 0, UInt32(0))
        for (_, value) in UTF8Scalars(text, range) {
            // A presentation selector makes any possible emoji wide, including the digits of keycaps (UTS #51 §1.4.3).
            if value == 0xFE0F, width == 1, unicodeRecord(previous).has(UnicodeFlagEmoji) { width = 2 }
            if value == 0xFE0E && width == 2 { width = 1 }
            if (0x1F1E6...0x1F1FF).contains(value) { regionals += 1 }
            width = max(width, cells(of: value))
            previous = value
        }
        return regionals >= 2 ? 2 : width
    }

    /// The cells of one character by UAX #11 and its general category.
    package static func cells(of scalar: UInt32) -> Int {
        if scalar < 0x7F { return scalar < 0x20 ? 0 : 1 }
        if scalar < 0xA0 { return 0 }
        let record = unicodeRecord(scalar)
        if record.isWide { return 2 }
        // The soft hyphen is ignorable, but is shown at the end of a line; the writer handles that. Vowels and finals of Hangul
        // syllables join their initial.
        return record.isDefaultIgnorable || record.isMark || (0x1160...0x11FF).contains(scalar) ? 0 : 1
    }

    /// The cells of UTF-8 text without line breaks. Linear.
    @inlinable package static func cells(_ text: some Sequence<UInt8>) -> Int {
        if let cells = text.withContiguousStorageIfAvailable({ cells($0) }) { return cells }
        return Array(text).withUnsafeBufferPointer { cells($0) }
    }

    @usableFromInline package static func cells(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        var (index, sum) = (0, 0)
        while index < text.count {
            // Most clusters are single ASCII characters, which no mark follows.
            if text[index] &- 0x20 < 0x5F, index + 1 == text.count || text[index + 1] < 0x80 {
                sum += 1
                index += 1
                continue
            }
            let end = GraphemeBreaker.next(text, index, end: text.count)
            sum += cells(text, index..<end)
            index = end
        }
        return sum
    }

    /// The text without harmful characters: controls become pictures (U+2400…) or U+FFFD, bidi controls are removed.
    package static func cleaned(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> [UInt8] {
        var result: [UInt8] = []
        for (_, value) in UTF8Scalars(text, range) {
            switch value {
            case 0..<0x20: UTF8Scan.append(0x2400 + value, to: &result)
            case 0x7F: UTF8Scan.append(0x2421, to: &result)
            case 0x80..<0xA0: UTF8Scan.append(0xFFFD, to: &result)
            case 0x2028...0x202E, 0x2066...0x2069, 0xFFF9...0xFFFB: break
            default: UTF8Scan.append(value, to: &result)
            }
        }
        return result
    }

    /// Text that is safe to write to a terminal.
    package static func sanitized(_ text: some Sequence<UInt8>) -> [UInt8] {
        Array(text).withUnsafeBufferPointer { cleaned($0, 0..<$0.count) }
    }
}
