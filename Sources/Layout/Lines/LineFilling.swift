// Lines that fill the width: in Type Mode glyphs are scaled, with justification (CSS Text 3 §6.4) spaces or letters are
// moved. In Type Mode a paragraph between manual breaks is one line while its size is above the minimum; otherwise it
// wraps, and its lines are balanced (LineScoring.swift), so that their sizes are similar.

import FancyTextBasics
import FancyTextCSS
import FancyTextTypography

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

    /// The class of a glyph by `text-justify`. Space is added after spaces; with `auto` on both sides of ideographs and kana;
    /// with `inter-character` after every cluster.
    func justificationClass(_ glyph: ShapedGlyph, textStart: Int, by justify: TextJustify) -> JustificationClass {
        switch justify {
        case .none: return .none
        case .interCharacter: return .behind
        case .auto, .interWord: break
        }
        let at = textStart + Int(glyph.cluster)
        let byte = inlineText[at]
        if byte == 0x20 { return .behind }
        if byte < 0x80 { return .none }
        if byte == 0xC2 { return inlineText[at + 1] == 0xA0 ? .behind : .none }
        guard justify == .auto else { return .none }
        // Han, kana, Bopomofo, symbols, Yi, fullwidth, not Hangul.
        switch inlineText.withUnsafeBufferPointer({ scalar(in: $0, at: at, end: $0.count).value }) {
        case 0x2E80...0x312F, 0x3190...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xF900...0xFAFF, 0xFE30...0xFE4F,
            0xFF00...0xFFEF, 0x16FE0...0x18AFF, 0x1B000...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFF:
            return .around
        default: return .none
        }
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

    /// Distributes `space` over the line's justification opportunities; false without any.
    mutating func justify(by space: Float, _ inlines: inout InlineContents) -> Bool {
        /// For each glyph, whether space is added before and after it.
        var sides: [(before: Bool, after: Bool)] = []
        var isAfterOpportunity = true
        for index in visual where pieces[index].kind == .text {
            for glyph in pieces[index].glyphs {
                let kind = justificationClass(glyph, of: pieces[index], inlines)
                sides.append((kind == .around && !isAfterOpportunity, kind != .none))
                isAfterOpportunity = kind != .none
            }
        }
        let last = visual.last { pieces[$0].kind == .atomic || pieces[$0].kind == .text && !pieces[$0].glyphs.isEmpty }
        if let last, pieces[last].kind == .text { sides[sides.count - 1].after = false }
        let count = sides.reduce(0) { $0 + ($1.before ? 1 : 0) + ($1.after ? 1 : 0) }
        guard count > 0 else { return false }
        let share = space / Float(count)
        var number = 0
        for index in visual where pieces[index].kind == .text {
            var advance: Float = 0
            pieces[index].glyphs = inlines.shaped.glyphs.appendCopies(of: pieces[index].glyphs) { glyph in
                if sides[number].before {
                    glyph.advance += share
                    glyph.xOffset += share
                }
                if sides[number].after { glyph.advance += share }
                number += 1
                advance += glyph.advance
            }
            pieces[index].advance = advance
        }
        return true
    }

    /// The class of the glyph at `index`. Space after a cluster is added at its last glyph.
    private func justificationClass(_ index: Int, of piece: LinePiece, _ inlines: InlineContents) -> JustificationClass
    {
        let glyph = inlines.shaped.glyphs[index]
        let kind = inlines.justificationClass(
            glyph, textStart: textStart, by: inlines.text.styles[piece.style].text.justify)
        let isSplit = index + 1 < piece.glyphs.upperBound && inlines.shaped.glyphs[index + 1].cluster == glyph.cluster
        return kind == .behind && isSplit ? .none : kind
    }
}

/// The sides of a glyph at which space may be added: none, after it, or both.
enum JustificationClass { case none, behind, around }
