// The inner loop of line breaking: a scan over one glyph run, on raw buffers so that a cluster costs few nanoseconds.

import FancyTextBasics
import FancyTextTypography

struct ClusterScan {
    enum Stop { case end, overflow, hyphen, mustEnd }

    // The run.
    var lower, count: Int
    var isReversed: Bool
    /// The start of the content's text and flags.
    var textStart: Int
    /// True if lines wrap here, so that opportunities count.
    var wraps: Bool
    /// True if spaces hang or are removed at the end of a line.
    var hangsSpaces, keepsSpaces: Bool
    /// The width before this item; `limit` is the end of the line.
    var done, limit: Float
    /// Set when something already overflows: the next opportunity ends the line.
    var overflowing: Bool
    /// True on a terminal: an opportunity after a hyphen is like one with a hyphen.
    var stopsAfterHyphens: Bool

    // The position of the scan.
    var glyph: Int
    var x, ink: Float
    var hasContent: Bool
    /// The first glyph and byte of the cluster at which the scan stopped.
    var clusterGlyph = 0, clusterOffset = 0
    /// The last soft opportunity: the number of glyphs before it, its byte, the width of ink before it. −1 for none.
    var softGlyph = -1
    var softOffset = 0
    var softInk: Float = 0

    /// Continues the scan from `glyph`; `skipsFlag` ignores the opportunity before the first cluster.
    mutating func run(
        _ glyphs: UnsafeBufferPointer<ShapedGlyph>, _ flags: UnsafeBufferPointer<UInt8>,
        _ text: UnsafeBufferPointer<UInt8>, skipsFlag: Bool
    ) -> Stop {
        var skips = skipsFlag
        let upper = lower + count - 1
        while glyph < count {
            let first = glyph
            var at = isReversed ? upper - glyph : lower + glyph
            let cluster = glyphs[at].cluster
            let offset = Int(cluster)
            let flag = flags[textStart + offset]
            if flag != 0, wraps, hasContent, !skips {
                let isHyphen =
                    flag == BreakFlag.hyphen
                    || stopsAfterHyphens && !overflowing && offset > 0 && text[textStart + offset - 1] == 0x2D
                if isHyphen || overflowing {
                    clusterGlyph = first
                    clusterOffset = offset
                    return isHyphen ? .hyphen : .mustEnd
                }
                softGlyph = first
                (softOffset, softInk) = (offset, ink)
            }
            skips = false
            var advance = glyphs[at].advance
            glyph += 1
            while glyph < count {
                at = isReversed ? upper - glyph : lower + glyph
                guard glyphs[at].cluster == cluster else { break }
                advance += glyphs[at].advance
                glyph += 1
            }
            if hangsSpaces, isHangingSpace(text, textStart + offset) {
                x += advance
                if keepsSpaces || text[textStart + offset] != 0x20 { hasContent = true }
                continue
            }
            if done + x + advance > limit, !overflowing {
                glyph = first
                clusterGlyph = first
                clusterOffset = offset
                return .overflow
            }
            x += advance
            ink = done + x
            hasContent = true
        }
        return .end
    }

    /// Accepts one cluster, whatever its width.
    mutating func takeCluster(_ glyphs: [ShapedGlyph]) {
        let upper = lower + count - 1
        func at(_ glyph: Int) -> Int { isReversed ? upper - glyph : lower + glyph }
        guard glyph < count else { return }
        let cluster = glyphs[at(glyph)].cluster
        while glyph < count, glyphs[at(glyph)].cluster == cluster {
            x += glyphs[at(glyph)].advance
            glyph += 1
        }
        ink = done + x
        hasContent = true
    }
}
