// Spacing of fullwidth punctuation (CSS Text 4 §8.4, `text-spacing-trim: normal`).
//
// In: shaped runs. Out: the same with the blank half of fullwidth brackets, commas and stops taken away where two of them meet:
// an opening one after punctuation loses its left half, a closing one before closing punctuation its right half.

import TextShaping

private enum PunctuationClass { case other, opening, closing, middle, space }

private func classify(_ scalar: UInt32) -> PunctuationClass {
    switch scalar {
    case 0x3008, 0x300A, 0x300C, 0x300E, 0x3010, 0x3014, 0x3016, 0x3018, 0x301A, 0x301D, 0xFF08, 0xFF3B, 0xFF5B, 0xFF5F: .opening
    case 0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0x3015, 0x3017, 0x3019, 0x301B, 0x301E, 0x301F, 0xFF09, 0xFF3D, 0xFF5D, 0xFF60,
        0x3001, 0x3002, 0xFF0C, 0xFF0E:
        .closing
    case 0x30FB, 0xFF1A, 0xFF1B: .middle
    case 0x3000: .space
    default: .other
    }
}

extension Layouter {
    /// Trims the punctuation of the runs from `first` on. Only glyphs as wide as their font's size are touched.
    mutating func trimPunctuation(_ content: InlineContent, from first: Int) {
        for index in first..<shaped.runs.count {
            let run = shaped.runs[index]
            guard run.level & 1 == 0, !run.glyphs.isEmpty else { continue }
            let em = fonts.metrics(run.font).size
            guard em > 0 else { continue }
            var previous = PunctuationClass.other
            var previousAt = -1
            for at in run.glyphs {
                let kind = punctuation(content.textStart + Int(shaped.glyphs[at].cluster))
                guard kind != .other || previous != .other else { continue }
                let isFull = abs(shaped.glyphs[at].advance - run.letterSpacing - em) < em / 64
                switch kind {
                case .opening:
                    if previous != .other, isFull {
                        shaped.glyphs[at].advance -= em / 2
                        shaped.glyphs[at].xOffset -= em / 2
                    }
                case .closing, .middle, .space:
                    if previous == .closing, previousAt >= 0, abs(shaped.glyphs[previousAt].advance - run.letterSpacing - em) < em / 64 {
                        shaped.glyphs[previousAt].advance -= em / 2
                    }
                case .other: break
                }
                previous = isFull || kind == .other ? kind : .other
                previousAt = at
            }
        }
    }

    /// Class of the character at `index` of the inline text: U+3000–301F, U+30FB and U+FFxx are three bytes each.
    @inline(__always)
    private func punctuation(_ index: Int) -> PunctuationClass {
        let byte = inlineText[index]
        guard byte == 0xE3 || byte == 0xEF, index + 2 < inlineText.count else { return .other }
        return classify(UInt32(byte & 0x0F) << 12 | UInt32(inlineText[index + 1] & 0x3F) << 6 | UInt32(inlineText[index + 2] & 0x3F))
    }
}
