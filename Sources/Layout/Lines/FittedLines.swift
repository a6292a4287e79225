// Type Mode: the glyphs of lines are scaled to fill the width.
//
// In: a block's content and the allowed sizes. Out: the places where its lines break, and each collected line scaled. A paragraph
// between manual breaks is one line while its size is above the minimum. Otherwise it wraps, and its lines are balanced, so that
// their sizes are similar.

import FancyTextStyling

/// The parameters for fitting the lines of a block.
struct LineFitting {
    /// The line width, in the block's own font size, at which lines break.
    var breakWidth: LayoutUnit
    /// The limits of the scale.
    var smallest: Float
    var largest: Float
}

extension InlineContents {
    /// The fitting that applies to `content`; nil for ordinary lines.
    mutating func fitting(_ content: InlineContent, sizes: TextStyle.FitLines?, width: LayoutUnit) -> LineFitting? {
        guard let sizes, !content.hasFloats, width > .zero else { return nil }
        let size = text.styles[content.style].font.size
        guard size > 0 else { return nil }
        let smallest = max(0.01, (sizes.minimumSize > 0 ? sizes.minimumSize : size) / size)
        let largest = max(smallest, (sizes.maximumSize > 0 ? sizes.maximumSize : .greatestFiniteMagnitude) / size)
        let longest = LayoutUnit(min(width.float / smallest, 1_000_000))
        // Sizes that differ by a few per cent look alike.
        let breakWidth = balancedWidth(content, width: longest, tolerance: LayoutUnit(longest.float / 32))
        return LineFitting(breakWidth: breakWidth ?? longest, smallest: smallest, largest: largest)
    }

    /// The narrowest width that needs no more lines (up to ten); nil if it does not apply.
    ///
    /// - Parameter tolerance: the allowed excess over the narrowest width.
    private mutating func balancedWidth(_ content: InlineContent, width: LayoutUnit, tolerance: LayoutUnit)
        -> LayoutUnit?
    {
        guard text.styles[content.style].text.wraps, content.textCount < 4096 else { return nil }
        let whole = countLines(content, width: width, limit: 11)
        let lines = whole.count
        guard lines > 1, lines <= 10 else { return nil }
        // Between a width below that of equal lines and the widest line of the best known division.
        var low = LayoutUnit(whole.total.float / Float(lines) * 0.8)
        var high = whole.widest
        while high - low > tolerance {
            let middle = LayoutUnit(raw: (low.raw + high.raw) / 2)
            let tried = countLines(content, width: middle, limit: lines + 1)
            if tried.count <= lines { high = min(middle, tried.widest) } else { low = middle }
        }
        return high
    }

    /// The number of lines of `content` at `width`, the widest of them and their sum. Returns `limit` lines if there are as many
    /// or more, or if anything overflows.
    private mutating func countLines(_ content: InlineContent, width: LayoutUnit, limit: Int) -> (
        count: Int, widest: LayoutUnit, total: LayoutUnit
    ) {
        var cursor = firstCursor(content)
        var count = 0
        var widest = LayoutUnit.zero
        var total = LayoutUnit.zero
        while count < limit {
            let end = findLineEnd(content, from: cursor, available: width, percentageBase: width)
            count += 1
            if end.overflows { break }
            widest = max(widest, end.width)
            total += end.width
            if end.isLast || end.next == cursor { return (count, widest, total) }
            cursor = end.next
            if end.isForced, !hasContent(content, from: cursor) { return (count, widest, total) }
        }
        return (limit, widest, total)
    }
}

extension LineBuilder {
    /// Scales the glyphs of the collected line so that it is `available` wide, within limits; returns the line's new height.
    mutating func scale(
        _ height: FontHeight, _ fit: LineFitting, available: LayoutUnit, percentageBase: LayoutUnit,
        in inlines: inout InlineContents
    ) -> FontHeight {
        var glyphWidth: Float = 0
        var fixed: Float = 0
        for piece in pieces {
            switch piece.kind {
            case .text, .generated: glyphWidth += piece.advance
            case .atomic, .tab: fixed += piece.advance
            case .empty: break
            }
        }
        for state in states.dropFirst() where !state.isAtomic {
            if state.hasStart { fixed += inlines.startEdge(state.style, percentageBase: percentageBase).float }
            if state.hasEnd { fixed += inlines.endEdge(state.style, percentageBase: percentageBase).float }
        }
        guard glyphWidth > 0 else { return height }
        let scale = min(max((available.float - fixed) / glyphWidth, fit.smallest), fit.largest)
        guard scale > 0, abs(scale - 1) > 1e-5 else { return height }
        self.scale = scale
        for index in pieces.indices {
            switch pieces[index].kind {
            case .atomic, .tab, .empty: continue
            case .text, .generated: break
            }
            let first = inlines.shaped.glyphs.count
            for at in pieces[index].glyphs {
                var glyph = inlines.shaped.glyphs[at]
                glyph.advance *= scale
                glyph.xOffset *= scale
                glyph.yOffset *= scale
                inlines.shaped.glyphs.append(glyph)
            }
            pieces[index].glyphs = first..<inlines.shaped.glyphs.count
            pieces[index].advance *= scale
            pieces[index].font = inlines.metric.font(pieces[index].font, scaledBy: scale)
        }
        var result = FontHeight(ascent: scaled(height.ascent), descent: scaled(height.descent))
        for piece in pieces where piece.kind == .atomic { result.unite(states[piece.state].metrics) }
        return result
    }
}
