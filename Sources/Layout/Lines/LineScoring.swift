// Breaks lines with regard to the whole paragraph (CSS Text 4 §6.2: `text-wrap: balance` and `pretty`; fitted lines):
// the best set of breaks has the least sum of squares of the lines' free space, found by dynamic programming over all
// opportunities (Knuth and Plass, "Breaking paragraphs into lines", 1981). Paragraphs and lines are those of Chromium.

/// The text between two successive opportunities: the distances from the start of the paragraph to the start of the chunk, and to
/// the last ink of a line that ends with it.
private typealias BreakChunk = (start: Float, end: Float)

extension InlineContents {
    /// Paragraphs with more lines are not balanced.
    private static let mostBalancedLines = 6
    /// The number of lines at the end that are broken anew if the last word is alone, and the least number of words for that.
    private static let prettyWindow = 4
    private static let fewestPrettyWords = 4
    /// The cost of a last line of one word, in square pixels of free space.
    private static let loneWordCost: Float = 50_000

    /// The widths of the lines of `content`, balanced in any style if `isFitted`; nil if each line is filled.
    mutating func scoredLineWidths(_ content: InlineContent, width: LayoutUnit, isFitted: Bool) -> [LayoutUnit]? {
        let style = text.styles[content.style]
        let isBalanced = isFitted || style.text.wrapStyle == .balance
        guard isBalanced || style.text.wrapStyle == .pretty, style.text.wraps, !content.hasFloats,
            content.textCount < 1 << 16
        else { return nil }
        let ownIndent = style.text.indentHanging ? .zero : resolve(style.text.indent, width, grid: snap)
        var result: [LayoutUnit] = []
        var isChanged = false
        var cursor = firstCursor(content)
        var indent = ownIndent
        while true {
            guard let paragraph = breakChunks(content, from: cursor, width: width) else { return nil }
            let first = width - indent
            let greedy = Self.greedyLines(paragraph.chunks, first: first.float, width: width.float)
            var ends = greedy
            if isBalanced {
                // Chromium balances no lines after a forced break.
                let isShort = cursor == firstCursor(content) && greedy.count <= Self.mostBalancedLines
                if greedy.count > 1, isFitted || isShort {
                    ends =
                        Self.bestLines(
                            paragraph.chunks, from: 0, first: first.float, width: width.float, countsLast: true)
                        ?? greedy
                }
            } else if let last = greedy.last, greedy.count > 1, paragraph.chunks.count >= Self.fewestPrettyWords,
                last - greedy[greedy.count - 2] == 1,
                (paragraph.chunks[last - 1].end - paragraph.chunks[last - 1].start) * 3 < width.float
            {
                let kept = max(0, greedy.count - Self.prettyWindow)
                let start = kept > 0 ? greedy[kept - 1] : 0
                let best = Self.bestLines(
                    paragraph.chunks, from: start, first: kept > 0 ? width.float : first.float, width: width.float,
                    countsLast: false)
                if let best { ends = Array(greedy[..<kept]) + best }
            }
            var start = 0
            for end in ends {
                result.append(LayoutUnit.ceil(paragraph.chunks[end - 1].end - paragraph.chunks[start].start))
                start = end
            }
            isChanged = isChanged || ends != greedy
            guard let next = paragraph.next else { return isChanged ? result : nil }
            cursor = next
            indent = style.text.indentEachLine ? ownIndent : .zero
        }
    }

    /// The chunks up to the next forced break, and the position where the text continues; nil when one is wider than `width`.
    private mutating func breakChunks(_ content: InlineContent, from start: LineCursor, width: LayoutUnit) -> (
        chunks: [BreakChunk], next: LineCursor?
    )? {
        let edges = clusterEdges(content, from: start, percentageBase: width).edges
        var edge = 0
        var chunks: [BreakChunk] = []
        var cursor = start
        var x: Float = 0
        while true {
            let end = findLineEnd(content, from: cursor, available: .zero, percentageBase: width, breaksWords: false)
            guard end.width <= width else { return nil }
            chunks.append((x, x + end.width.float))
            if end.isForced || end.isLast || end.next == cursor {
                return (chunks, end.isForced && end.next.item < content.items.upperBound ? end.next : nil)
            }
            cursor = end.next
            while edge < edges.count, edges[edge].cursor.offset < cursor.offset { edge += 1 }
            guard edge < edges.count else { return (chunks, nil) }
            x = edges[edge].x
        }
    }

    /// The ends of lines (one past their last chunk) when each has as many chunks as fit.
    private static func greedyLines(_ chunks: [BreakChunk], first: Float, width: Float) -> [Int] {
        var result: [Int] = []
        var start = 0
        for index in chunks.indices where index > start {
            let limit = result.isEmpty ? first : width
            if chunks[index].end - chunks[start].start > limit + 1 / 64 {
                result.append(index)
                start = index
            }
        }
        result.append(chunks.count)
        return result
    }

    /// The breaks with the least sum of squares of free space; nil if some line would overflow. If the last line does
    /// not count, one word on it costs something. O(chunks · chunks in a line).
    private static func bestLines(
        _ chunks: [BreakChunk], from start: Int, first: Float, width: Float, countsLast: Bool
    ) -> [Int]? {
        let count = chunks.count
        guard count - start > 1 else { return nil }
        var scores = [Float](repeating: .infinity, count: count + 1)
        var previous = [Int](repeating: -1, count: count + 1)
        scores[start] = 0
        for end in start + 1...count {
            for from in (start..<end).reversed() {
                let free = (from == start ? first : width) - (chunks[end - 1].end - chunks[from].start)
                if free < -1 / 64 { break }
                var cost = free * free
                if end == count, !countsLast { cost = end - from == 1 ? loneWordCost : 0 }
                if scores[from] + cost < scores[end] {
                    scores[end] = scores[from] + cost
                    previous[end] = from
                }
            }
        }
        guard scores[count] < .infinity else { return nil }
        var result: [Int] = []
        var end = count
        while end > start {
            result.append(end)
            end = previous[end]
        }
        return result.reversed()
    }
}
