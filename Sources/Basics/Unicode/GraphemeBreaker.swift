// Grapheme cluster boundaries by UAX #29 §3.1 (extended clusters).

import CFancyTextUnicode

package enum GraphemeBreaker {
    /// The end of the cluster that starts at `start`. `start` must be a boundary, below `end`. O(length of the cluster).
    package static func next(_ text: UnsafeBufferPointer<UInt8>, _ start: Int, end: Int) -> Int {
        let first = text[start]
        if first < 0x80, start + 1 >= end || text[start + 1] < 0x80 {
            return first == 0x0D && start + 1 < end && text[start + 1] == 0x0A ? start + 2 : start + 1
        }
        var (value, length) = scalar(in: text, at: start, end: end)
        var index = start + length
        var record = unicodeRecord(value)
        var isPictographic = record.has(UnicodeFlagExtendedPictographic)
        var regionals = Int(record.grapheme) == GraphemeRegionalIndicator ? 1 : 0
        while index < end {
            let before = Int(record.grapheme)
            (value, length) = scalar(in: text, at: index, end: end)
            let next = unicodeRecord(value)
            let after = Int(next.grapheme)
            guard joins(before, after, isPictographic && next.has(UnicodeFlagExtendedPictographic), regionals)
            else { return index }
            regionals = after == GraphemeRegionalIndicator ? regionals + 1 : 0
            // GB11 looks back over Extend* from the joiner.
            if after != GraphemeExtend && after != GraphemeZWJ {
                isPictographic = next.has(UnicodeFlagExtendedPictographic)
            }
            record = next
            index += length
        }
        return end
    }

    /// GB3–GB13 for two neighbours.
    @inline(__always)
    private static func joins(_ before: Int, _ after: Int, _ bothPictographic: Bool, _ regionals: Int) -> Bool {
        if before == GraphemeCR { return after == GraphemeLF }
        if before == GraphemeLF || before == GraphemeControl { return false }
        switch after {
        case GraphemeCR, GraphemeLF, GraphemeControl: return false
        case GraphemeExtend, GraphemeZWJ, GraphemeSpacingMark: return true
        case GraphemeL, GraphemeLV, GraphemeLVT: if before == GraphemeL { return true }
        case GraphemeV: if before == GraphemeL || before == GraphemeV || before == GraphemeLV { return true }
        case GraphemeT:
            if before == GraphemeV || before == GraphemeLV || before == GraphemeT || before == GraphemeLVT {
                return true
            }
        case GraphemeRegionalIndicator: if before == GraphemeRegionalIndicator, regionals % 2 == 1 { return true }
        default: break
        }
        return before == GraphemePrepend || before == GraphemeZWJ && bothPictographic
    }

    /// Returns whether a cluster starts at `index`, without looking before `start`. O(distance to the last ASCII byte).
    package static func isBoundary(_ text: UnsafeBufferPointer<UInt8>, _ index: Int, start: Int, end: Int) -> Bool {
        if index <= start || index >= end { return true }
        if text[index] & 0xC0 == 0x80 { return false }
        if text[index] < 0x80, text[index - 1] < 0x80 { return !(text[index] == 0x0A && text[index - 1] == 0x0D) }
        // Steps back to a certain boundary: after ASCII.
        var sure = index
        while sure > start, text[sure - 1] >= 0x80 { sure -= 1 }
        if sure > start { sure -= 1 }
        while sure < index { sure = next(text, sure, end: end) }
        return sure == index
    }
}
