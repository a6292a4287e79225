// Type Mode: the glyphs of lines are scaled to fill the width.
//
// In: a block's content and the allowed sizes. Out: the places where its lines break, and each collected line scaled. A paragraph
// between manual breaks is one line while its size is above the minimum. Otherwise it wraps, and its lines are balanced
// (LineScoring.swift), so that their sizes are similar.

import FancyTextStyling

/// The parameters for fitting the lines of a block.
struct LineFitting {
    /// The largest line width, in the block's own font size.
    var breakWidth: LayoutUnit
    /// The limits of the scale.
    var smallest, largest: Float
}

extension InlineContents {
    /// The fitting that applies to `content`; nil for ordinary lines.
    func fitting(_ content: InlineContent, sizes: TextStyle.FitLines?, width: LayoutUnit) -> LineFitting? {
        guard let sizes, !content.hasFloats, width > .zero else { return nil }
        let size = text.styles[content.style].font.size
        guard size > 0 else { return nil }
        let smallest = max(0.01, (sizes.minimumSize > 0 ? sizes.minimumSize : size) / size)
        let largest = max(smallest, (sizes.maximumSize > 0 ? sizes.maximumSize : .greatestFiniteMagnitude) / size)
        return LineFitting(
            breakWidth: LayoutUnit(min(width.float / smallest, 1_000_000)), smallest: smallest, largest: largest)
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
            if state.hasStart {
                fixed += inlines.edge(state.style, isStart: true, percentageBase: percentageBase).float
            }
            if state.hasEnd { fixed += inlines.edge(state.style, isStart: false, percentageBase: percentageBase).float }
        }
        guard glyphWidth > 0 else { return height }
        let scale = min(max((available.float - fixed) / glyphWidth, fit.smallest), fit.largest)
        guard scale > 0, abs(scale - 1) > 1e-5 else { return height }
        self.scale = scale
        for index in pieces.indices where pieces[index].kind == .text || pieces[index].kind == .generated {
            pieces[index].glyphs = inlines.shaped.glyphs.appendCopies(of: pieces[index].glyphs) {
                $0.advance *= scale
                $0.xOffset *= scale
                $0.yOffset *= scale
            }
            pieces[index].advance *= scale
            pieces[index].font = inlines.metric.font(pieces[index].font, scaledBy: scale)
        }
        var result = FontHeight(ascent: scaled(height.ascent), descent: scaled(height.descent))
        for piece in pieces where piece.kind == .atomic { result.unite(states[piece.state].metrics) }
        return result
    }
}
