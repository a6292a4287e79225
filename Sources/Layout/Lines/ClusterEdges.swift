// The places at which text can be truncated: the edges of grapheme clusters.
//
// In: prepared content and a place in it. Out: every edge from there to the end of the paragraph, with its distance on one
// unlimited line.

import FancyTextBasics

/// The places between clusters, with their distances from the line's start.
struct ClusterEdges {
    var edges: [(cursor: LineCursor, x: Float)] = []
    var end: LineCursor
    var total: Float = 0

    /// The last place at a distance of at most `limit`.
    func prefix(_ limit: Float) -> (cursor: LineCursor, x: Float) {
        var best = edges.first ?? (end, 0)
        for edge in edges where edge.x <= limit { best = edge }
        if total <= limit { best = (end, total) }
        return best
    }
    /// The first place after which the rest is at most `limit` wide.
    func suffix(_ limit: Float, after offset: Int) -> LineCursor {
        for edge in edges where edge.cursor.offset >= offset && total - edge.x <= limit { return edge.cursor }
        return end
    }
    func width(from cursor: LineCursor) -> Float {
        for edge in edges where edge.cursor == cursor { return total - edge.x }
        return 0
    }
}

extension InlineContents {
    /// All grapheme cluster edges from `start` to the end of its paragraph.
    mutating func clusterEdges(_ content: InlineContent, from start: LineCursor, percentageBase: LayoutUnit)
        -> ClusterEdges
    {
        var result = ClusterEdges(end: LineCursor(item: content.items.upperBound, offset: content.textCount))
        var x: Float = 0
        var item = start.item
        var isFirst = true
        while item < content.items.upperBound {
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
                var run = isFirst ? start.run : Int(current.runs.lowerBound)
                var glyph = isFirst ? start.glyph : 0
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
            isFirst = false
            item += 1
        }
        result.total = x
        return result
    }

    private func isGraphemeBoundary(_ content: InlineContent, _ offset: Int) -> Bool {
        let byte = inlineText[content.textStart + offset]
        if byte < 0x80, offset == 0 || inlineText[content.textStart + offset - 1] < 0x80 { return true }
        return inlineText[content.textRange].withUnsafeBufferPointer { bytes in
            return GraphemeBreaker.isBoundary(bytes, offset, start: 0, end: content.textCount)
        }
    }
}
