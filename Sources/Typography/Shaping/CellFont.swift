// The font of a terminal: a glyph for each grapheme cluster, as wide as its cells. In: UTF-8 and its spans. Out: ShapedRuns whose
// glyphs identify the text of a cell; lengths are in cells. Text that must not reach a terminal is cleaned here. Clusters stay in
// logical order: terminals reorder text themselves (ECMA TR/53).

import FancyTextBasics

/// Maps clusters to glyphs. A glyph's id is its character; a cluster of several characters has an id above all characters.
package final class CellFont {
    private static let firstCluster: UInt32 = 0x20_0000
    private var clusters: [[UInt8]] = []
    private var numbers: [[UInt8]: UInt32] = [:]

    package init() {}

    package static let metrics: FontMetrics = {
        var result = FontMetrics()
        (result.size, result.ascent, result.roundedAscent, result.lineSpacing) = (1, 1, 1, 1)
        (result.zeroAdvance, result.spaceAdvance, result.averageAdvance, result.widestGlyph) = (1, 1, 1, 1)
        return result
    }()

    /// Appends the UTF-8 bytes of a glyph: its cluster, and the clusters of width 0 after it.
    package func append(_ glyph: UInt32, to bytes: inout [UInt8]) {
        if glyph < 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: glyph))
        } else if glyph < Self.firstCluster {
            UTF8Scan.append(glyph, to: &bytes)
        } else if Int(glyph - Self.firstCluster) < clusters.count {
            bytes.append(contentsOf: clusters[Int(glyph - Self.firstCluster)])
        }
    }

    /// The number of cells of a glyph: 1 or 2.
    package func cells(of glyph: UInt32) -> Int {
        if glyph < 0x300 { return 1 }
        if glyph < Self.firstCluster { return max(1, DisplayWidth.cells(of: glyph)) }
        let number = Int(glyph - Self.firstCluster)
        return number < clusters.count ? max(1, DisplayWidth.cells(clusters[number])) : 1
    }

    /// Shapes a paragraph like ``FontContext/shape(_:paragraph:spans:levels:into:)``. Linear in its length.
    func shape(_ text: UTF8Bytes, paragraph: Range<Int>, spans: [ShapingSpan], into result: inout ShapedText) {
        let paragraph = paragraph.clamped(to: 0..<text.count)
        for span in spans {
            let range = span.range.clamped(to: paragraph)
            guard !range.isEmpty else { continue }
            let first = result.glyphs.count
            var at = range.lowerBound
            while at < range.upperBound {
                let byte = text[at]
                if byte >= 0x20, byte < 0x7F, at + 1 >= range.upperBound || text[at + 1] < 0x80 {
                    result.glyphs.append(
                        ShapedGlyph(id: UInt32(byte), cluster: UInt32(truncatingIfNeeded: at), advance: 1))
                    at += 1
                    continue
                }
                let end = GraphemeBreaker.next(text, at, end: range.upperBound)
                let (id, cells) = glyph(text, at..<end)
                if cells == 0, id != ShapedGlyph.invisible, result.glyphs.count > first {
                    let last = result.glyphs.count - 1
                    result.glyphs[last].id = joined(result.glyphs[last].id, id)
                    at = end
                    continue
                }
                let advance = id == ShapedGlyph.invisible ? 0 : Float(max(1, cells))
                result.glyphs.append(ShapedGlyph(id: id, cluster: UInt32(truncatingIfNeeded: at), advance: advance))
                at = end
            }
            result.runs.append(
                ShapedRun(
                    font: FontID(rawValue: 0), style: span.style, text: range, glyphs: first..<result.glyphs.count,
                    level: 0))
        }
    }

    private func glyph(_ text: UTF8Bytes, _ cluster: Range<Int>) -> (id: UInt32, cells: Int) {
        let clean = DisplayWidth.cleaned(text, cluster)
        guard !clean.isEmpty else { return (ShapedGlyph.invisible, 0) }
        return clean.withUnsafeBufferPointer { text in
            let cells = DisplayWidth.cells(text, 0..<text.count)
            let (value, length) = scalar(in: text, at: 0, end: text.count)
            // A soft hyphen or a joiner has no cell.
            if value == 0xAD || cells == 0 && Self.isInvisible(value) { return (ShapedGlyph.invisible, 0) }
            return (length == text.count ? value : number(of: clean), cells)
        }
    }

    /// Returns whether a character is invisible. Hangul fillers are ignorable, but count as letters.
    private static func isInvisible(_ scalar: UInt32) -> Bool {
        unicodeRecord(scalar).isDefaultIgnorable && scalar != 0x1160 && scalar != 0xFFA0
    }

    /// The glyph of a cluster and the cluster of width 0 after it.
    private func joined(_ before: UInt32, _ mark: UInt32) -> UInt32 {
        guard before != ShapedGlyph.invisible else { return mark }
        var bytes: [UInt8] = []
        for glyph in [before, mark] { append(glyph, to: &bytes) }
        return number(of: bytes)
    }

    private func number(of cluster: [UInt8]) -> UInt32 {
        if let known = numbers[cluster] { return known }
        let number = Self.firstCluster + UInt32(clusters.count)
        numbers[cluster] = number
        clusters.append(cluster)
        return number
    }
}
