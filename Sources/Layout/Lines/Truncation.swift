// Truncation with a tail (CSS Overflow 4 §5.2): a limit on lines or height omits text, in whole clusters, so that the
// rest is as long as possible beside the tail. The line is built from the rest.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS

struct Omission {
    /// The first omitted place, and the first that is shown again (the end of the content in tail mode).
    var from, to: LineCursor
    /// The tail; nil truncates without one.
    var tail: TailContent?
}

struct LineLimit {
    /// The number of lines of the text that may still be placed, without those of the tail after its first.
    var left: Int
    var mode: BoxStyle.TruncateMode
    var tail = TruncationTail.given
    /// The number of lines of the tail below the last line of the text.
    var linesBelow = 0
    /// True for the limit of the document rather than of a box.
    var isOfDocument = false
    /// True if lines that the tail does not use show text. False in a row of a table, which is one line.
    var givesBack = true
}

extension InlineContents {
    /// Chooses the omitted part of the last line, so that the rest and the tail fit into `available`.
    mutating func omission(
        _ content: InlineContent, from start: LineCursor, available: LayoutUnit, percentageBase: LayoutUnit,
        mode: BoxStyle.TruncateMode, tail: TailContent?
    ) -> Omission {
        let end = LineCursor(item: content.items.upperBound, offset: content.textCount)
        let limit = available.float + 1 / 64 - (tail?.lines.first?.width ?? 0)
        guard limit >= 0 else { return Omission(from: start, to: end, tail: tail) }
        let clusters = clusterEdges(content, from: start, percentageBase: percentageBase)
        let prefix = prefix(of: clusters, mode == .middle ? limit / 2 : limit, from: start, content)
        switch mode {
        case .tail, .clip: return Omission(from: prefix.cursor, to: end, tail: tail)
        case .word:
            var available = LayoutUnit.floor(limit)
            while true {
                let line = findLineEnd(content, from: start, available: available, percentageBase: percentageBase)
                // A first word that is too long is truncated like any text.
                guard !line.overflows, !line.isForced, line.next.offset > start.offset,
                    line.next.offset <= prefix.cursor.offset
                else { return Omission(from: prefix.cursor, to: end, tail: tail) }
                let added = addedWidth(endingAt: line.next, from: start, content)
                if line.width.float + added <= limit { return Omission(from: line.next, to: end, tail: tail) }
                available = line.width - .epsilon
            }
        case .head:
            let suffix = suffix(of: clusters, limit, after: start.offset, content)
            return Omission(from: start, to: suffix.cursor, tail: tail)
        case .middle:
            let suffix = suffix(of: clusters, limit - prefix.width, after: prefix.cursor.offset, content)
            let again = self.prefix(of: clusters, limit - suffix.width, from: start, content)
            return Omission(
                from: again.cursor.offset <= suffix.cursor.offset ? again.cursor : prefix.cursor, to: suffix.cursor,
                tail: tail)
        }
    }

    /// The last place before which the text is at most `limit` wide on a line that ends there.
    private mutating func prefix(
        of clusters: ClusterEdges, _ limit: Float, from start: LineCursor, _ content: InlineContent
    ) -> (cursor: LineCursor, width: Float) {
        if clusters.total <= limit { return (clusters.end, clusters.total) }
        for edge in clusters.edges.reversed() where edge.x <= limit {
            let width = edge.x + addedWidth(endingAt: edge.cursor, from: start, content)
            if width <= limit { return (edge.cursor, width) }
        }
        return clusters.edges.first.map { ($0.cursor, $0.x) } ?? (clusters.end, 0)
    }

    /// The first place from byte `offset` on after which the text is at most `limit` wide on a line that begins there.
    private mutating func suffix(
        of clusters: ClusterEdges, _ limit: Float, after offset: Int, _ content: InlineContent
    ) -> (cursor: LineCursor, width: Float) {
        for edge in clusters.edges where edge.cursor.offset >= offset && clusters.total - edge.x <= limit {
            let width = clusters.total - edge.x + addedWidth(beginningAt: edge.cursor, content)
            if width <= limit { return (edge.cursor, width) }
        }
        return (clusters.end, 0)
    }

    /// How much wider text from `start` becomes where its last run is shaped again because the line ends at `cut`.
    private mutating func addedWidth(
        endingAt cut: LineCursor, from start: LineCursor, _ content: InlineContent
    ) -> Float {
        guard cut.glyph > 0 else { return 0 }
        let isFirst = start.item == cut.item && start.run == cut.run && start.glyph > 0
        let offset = isFirst ? start.offset : shaped.runs[cut.run].text.lowerBound
        return addedWidth(
            cut.run, (isFirst ? start.glyph : 0)..<cut.glyph, offset..<cut.offset, content, startsLine: isFirst)
    }

    /// How much wider text becomes where its first run is shaped again because the line begins at `cut`.
    private mutating func addedWidth(beginningAt cut: LineCursor, _ content: InlineContent) -> Float {
        guard cut.glyph > 0 else { return 0 }
        let run = shaped.runs[cut.run]
        return addedWidth(
            cut.run, cut.glyph..<run.glyphs.count, cut.offset..<run.text.upperBound, content, startsLine: true)
    }

    private mutating func addedWidth(
        _ run: Int, _ part: Range<Int>, _ range: Range<Int>, _ content: InlineContent, startsLine: Bool
    ) -> Float {
        let glyphs = glyphsOnLine(run, part, range, content, startsLine: startsLine)
        return shaped.glyphs.advance(of: glyphs) - shaped.glyphs.advance(of: shaped.runs[run].glyphs(part))
    }

    /// A style of the tail, with inherited values from `around` where it equals the tail's own root.
    func adapted(_ own: ComputedStyle, root: ComputedStyle, around: ComputedStyle) -> ComputedStyle {
        var font = own.font
        if font.families == root.font.families { font.families = around.font.families }
        font.size = root.font.size > 0 ? own.font.size / root.font.size * around.font.size : around.font.size
        if font.weight == root.font.weight { font.weight = around.font.weight }
        if font.slant == root.font.slant { font.slant = around.font.slant }
        if font.language.isEmpty { font.language = around.font.language }
        var textStyle = own.text
        if textStyle.color == root.text.color { textStyle.color = around.text.color }
        if textStyle.lineHeight == root.text.lineHeight { textStyle.lineHeight = around.text.lineHeight }
        if textStyle.letterSpacing == root.text.letterSpacing { textStyle.letterSpacing = around.text.letterSpacing }
        if textStyle.shadows.isEmpty { textStyle.shadows = around.text.shadows }
        (textStyle.direction, textStyle.wraps) = (around.text.direction, around.text.wraps)
        return ComputedStyle(font: font, text: textStyle, box: own.box)
    }

    /// All grapheme cluster edges from `start` to the end of its paragraph.
    mutating func clusterEdges(_ content: InlineContent, from start: LineCursor, percentageBase: LayoutUnit)
        -> ClusterEdges
    {
        var result = ClusterEdges(end: LineCursor(item: content.items.upperBound, offset: content.textCount))
        var x: Float = 0
        for item in start.item..<max(start.item, content.items.upperBound) {
            let current = flat[item]
            switch current.kind {
            case .open, .close:
                let isOpen = current.kind == .open
                if isOpen, inlineStyle(current.style).hasEdges { result.edges.append((cursor(atItem: item), x)) }
                x += edge(current.style, isStart: isOpen, percentageBase: percentageBase).float
            case .newline:
                if item > start.item {
                    result.end = cursor(atItem: item)
                    result.edges.append((result.end, x))
                    result.total = x
                    return result
                }
            case .tab:
                result.edges.append((cursor(atItem: item), x))
                x += tabAdvance(current.style, in: content.style, position: x)
            case .atomic:
                result.edges.append((cursor(atItem: item), x))
                x += atomicWidths[Int(current.link)].float
            case .text:
                var run = item == start.item ? start.run : Int(current.runs.lowerBound)
                var glyph = item == start.item ? start.glyph : 0
                while run < Int(current.runs.upperBound) {
                    let glyphRun = shaped.runs[run]
                    let count = glyphRun.glyphs.count
                    while glyph < count {
                        let cluster = shaped.glyph(glyph, of: glyphRun).cluster
                        let offset = Int(cluster)
                        if isGraphemeBoundary(content, offset) {
                            result.edges.append((LineCursor(item: item, run: run, glyph: glyph, offset: offset), x))
                        }
                        while glyph < count, shaped.glyph(glyph, of: glyphRun).cluster == cluster {
                            x += shaped.glyph(glyph, of: glyphRun).advance
                            glyph += 1
                        }
                    }
                    run += 1
                    glyph = 0
                }
            case .float, .wordBreak: break
            }
        }
        result.total = x
        return result
    }

    private func isGraphemeBoundary(_ content: InlineContent, _ offset: Int) -> Bool {
        let byte = inlineText[content.textStart + offset]
        if byte < 0x80, offset == 0 || inlineText[content.textStart + offset - 1] < 0x80 { return true }
        return inlineText[content.textRange].withUnsafeBufferPointer { bytes in
            GraphemeBreaker.isBoundary(bytes, offset, start: 0, end: content.textCount)
        }
    }
}

/// The places between clusters, with their distances from the line's start.
struct ClusterEdges {
    var edges: [(cursor: LineCursor, x: Float)] = []
    var end: LineCursor
    var total: Float = 0
}
