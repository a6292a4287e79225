// Justification (CSS Text 3 §6.4): lines whose spaces grow until they fill the width.
//
// In: the collected pieces of a line and the room that is left. Out: pieces with glyphs of their own, whose advances take it up.

import Basics
import Typography

enum JustificationClass { case none, space, ideograph }

extension LineBuilder {
    /// Spreads `space` over the line's justification opportunities; false if there is none.
    mutating func justify(by space: Float, _ inlines: inout InlineContents) -> Bool {
        var count = 0
        var isAfterOpportunity = true
        /// `text-justify: none` of an inline box in the line.
        func isKept(_ index: Int) -> Bool { inlines.text.styles[pieces[index].style].text.justifyNone }
        for index in visual where pieces[index].kind == .text {
            if isKept(index) {
                isAfterOpportunity = false
                continue
            }
            for glyph in pieces[index].glyphs {
                switch inlines.justificationClass(inlines.shaped.glyphs[glyph], textStart: textStart) {
                case .none: isAfterOpportunity = false
                case .space:
                    count += 1
                    isAfterOpportunity = true
                case .ideograph:
                    count += isAfterOpportunity ? 1 : 2
                    isAfterOpportunity = true
                }
            }
        }
        if isAfterOpportunity, count > 0 { count -= 1 }
        guard count > 0 else { return false }
        let share = space / Float(count)
        let total = count
        var left = count
        /// What the next opportunity takes: whole cells, if room comes in those.
        func nextShare() -> Float {
            guard inlines.isOnTerminal else { return share }
            let before = Float(total - left)
            return ((before + 1) * share + 0.01).rounded(.down) - (before * share + 0.01).rounded(.down)
        }
        isAfterOpportunity = true
        for index in visual where pieces[index].kind == .text {
            if isKept(index) {
                isAfterOpportunity = false
                continue
            }
            let range = pieces[index].glyphs
            let first = inlines.shaped.glyphs.count
            var advance: Float = 0
            for at in range {
                var glyph = inlines.shaped.glyphs[at]
                switch inlines.justificationClass(glyph, textStart: textStart) {
                case .none: isAfterOpportunity = false
                case .space:
                    if left > 0 {
                        glyph.advance += nextShare()
                        left -= 1
                    }
                    isAfterOpportunity = true
                case .ideograph:
                    if !isAfterOpportunity, left > 0 {
                        let before = nextShare()
                        glyph.advance += before
                        glyph.xOffset += before
                        left -= 1
                    }
                    if left > 0 {
                        glyph.advance += nextShare()
                        left -= 1
                    }
                    isAfterOpportunity = true
                }
                advance += glyph.advance
                inlines.shaped.glyphs.append(glyph)
            }
            pieces[index].glyphs = first..<inlines.shaped.glyphs.count
            pieces[index].advance = advance
        }
        return true
    }
}

extension InlineContents {
    /// Spaces take space; ideographs and kana take it on both sides (`text-justify: auto`).
    func justificationClass(_ glyph: ShapedGlyph, textStart: Int) -> JustificationClass {
        let at = textStart + Int(glyph.cluster)
        let byte = inlineText[at]
        if byte == 0x20 { return .space }
        if byte < 0x80 { return .none }
        if byte == 0xC2 { return inlineText[at + 1] == 0xA0 ? .space : .none }
        let value = inlineText.withUnsafeBufferPointer { scalar(in: $0, at: at, end: $0.count).value }
        return isIdeographOrKana(value) ? .ideograph : .none
    }
}

/// Characters that justification may separate: Han, kana, Bopomofo, CJK symbols, Yi, fullwidth forms (not Hangul, which has spaces).
func isIdeographOrKana(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x2E80...0x312F, 0x3190...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xF900...0xFAFF, 0xFE30...0xFE4F,
        0xFF00...0xFFEF,
        0x16FE0...0x18AFF, 0x1B000...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFF:
        return true
    default: return false
    }
}
