// Ruby: a base with a small annotation over or under it (CSS Ruby 1).
//
// In: a ruby box with its base and annotation blocks. Out: an atomic box as wide as the wider of the two, whose height and
// baseline are the base's; the annotation lies outside, against the base's em box, and takes part of the room between lines.

import MarkupStyling
import TextShaping

extension Layouter {
    mutating func rubyIntrinsicWidths(_ box: Int) -> IntrinsicWidths {
        var result = IntrinsicWidths()
        for child in text.children(of: box) {
            let widths = contribution(child, constraint: Constraint(available: .unlimited))
            result.maximum = max(result.maximum, widths.maximum)
        }
        // A pair of base and annotation does not break.
        result.minimum = result.maximum
        return result
    }

    mutating func layoutRuby(
        _ box: Int, constraint: Constraint, placement: BoxFragment.Placement, parent: Int, origin: Int
    ) -> Int {
        let edges = BoxEdges(margin: Edges(), border: Edges(), padding: Edges())
        let index = startFragment(box, kind: .ruby, edges: edges, placement: placement, parent: parent, origin: origin)
        let width = rubyIntrinsicWidths(box).maximum
        tree.boxes[index].rect.width = width
        let children = text.children(of: box)
        var baseBaseline = LayoutUnit.zero
        for (number, child) in children.enumerated() {
            var inner = Constraint(available: width)
            inner.width = min(intrinsicWidths(child).maximum, width)
            let firstLine = tree.lines.count
            let fragment = layoutIndependent(child, constraint: inner, placement: .inFlow, parent: index, origin: index)
            let free = width - tree.boxes[fragment].rect.width
            let spreads = free > .zero && spread(lines: firstLine..<tree.lines.count, by: free)
            tree.boxes[fragment].rect.x = spreads ? .zero : free / 2
            let info = inlineStyle(text.boxes[child].style)
            if number == 0 {
                baseBaseline = tree.boxes[fragment].firstBaseline ?? .zero
                tree.boxes[index].rect.height = tree.boxes[fragment].rect.height
                tree.boxes[index].firstBaseline = baseBaseline
                tree.boxes[index].lastBaseline = baseBaseline
            } else {
                let base = inlineStyle(text.boxes[children[0]].style)
                let em = emBox(base)
                if text.styles[text.boxes[child].style].text.rubyUnder {
                    tree.boxes[fragment].rect.y = baseBaseline + em.descent
                } else {
                    let height =
                        tree.boxes[fragment].lastBaseline.map { $0 + info.text.descent }
                        ?? tree.boxes[fragment].rect.height
                    tree.boxes[fragment].rect.y = baseBaseline - em.ascent - height
                }
                tree.boxes[index].annotationTop = min(tree.boxes[index].annotationTop, tree.boxes[fragment].rect.y)
            }
        }
        return index
    }

    /// The font's em box about the baseline: its height shared like ascent and descent.
    private func emBox(_ style: InlineStyle) -> FontHeight {
        let metrics = style.metrics
        let whole = metrics.ascent + metrics.descent
        // Fonts of ideographs carry room for other scripts around their em box, which begins 12% below the baseline.
        let share = whole > metrics.size * 1.4 || whole <= 0 ? 0.88 : metrics.ascent / whole
        let ascent = LayoutUnit((metrics.size * share).rounded())
        return FontHeight(ascent: ascent, descent: LayoutUnit(metrics.size) - ascent)
    }

    /// `ruby-align: space-around`: spreads ideographs and kana over the spare room; false for other text.
    private mutating func spread(lines: Range<Int>, by space: LayoutUnit) -> Bool {
        guard lines.count == 1 else { return false }
        var count = 0
        for fragment in tree.lines[lines.lowerBound].fragments where tree.inlines[fragment].kind == .text {
            count += tree.inlines[fragment].glyphs.count
            for offset in tree.inlines[fragment].text
            where offset < text.text.count && text.text[offset] < 0x80
                || (text.text[offset] >= 0xC0 && text.text[offset] < 0xE2)
            { return false }
        }
        guard count > 0 else { return false }
        let share = space.float / Float(count)
        var moved: Float = 0
        for fragment in tree.lines[lines.lowerBound].fragments where tree.inlines[fragment].kind == .text {
            tree.inlines[fragment].origin += moved
            tree.inlines[fragment].rect.x = .floor(tree.inlines[fragment].origin)
            let first = shaped.glyphs.count
            for at in tree.inlines[fragment].glyphs {
                var glyph = shaped.glyphs[at]
                glyph.advance += share
                glyph.xOffset += share / 2
                moved += share
                shaped.glyphs.append(glyph)
            }
            tree.inlines[fragment].glyphs = first..<shaped.glyphs.count
            tree.inlines[fragment].rect.width += .round(share * Float(shaped.glyphs.count - first))
        }
        return true
    }
}
