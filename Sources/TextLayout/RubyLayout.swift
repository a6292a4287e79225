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
        var base: (ascent: Float, descent: Float) = (0, 0)
        for (number, child) in children.enumerated() {
            var inner = Constraint(available: width)
            inner.width = min(intrinsicWidths(child).maximum, width)
            let firstLine = tree.lines.count
            let fragment = layoutIndependent(child, constraint: inner, placement: .inFlow, parent: index, origin: index)
            let free = width - tree.boxes[fragment].rect.width
            let spreads = free > .zero && spread(lines: firstLine..<tree.lines.count, by: free)
            tree.boxes[fragment].rect.x = spreads ? .zero : free / 2
            let em = emBox(ofLines: firstLine..<tree.lines.count, style: text.boxes[child].style)
            if number == 0 {
                base = em
                baseBaseline = tree.boxes[fragment].firstBaseline ?? .zero
                tree.boxes[index].rect.height = tree.boxes[fragment].rect.height
                tree.boxes[index].firstBaseline = baseBaseline
                tree.boxes[index].lastBaseline = baseBaseline
            } else {
                // The em boxes of base and annotation touch.
                let annotation = tree.boxes[fragment]
                if text.styles[text.boxes[child].style].text.rubyUnder {
                    let baseline = LayoutUnit((baseBaseline.float + base.descent + em.ascent).rounded())
                    tree.boxes[fragment].rect.y = baseline - (annotation.firstBaseline ?? .zero)
                } else {
                    let baseline = LayoutUnit((baseBaseline.float - base.ascent - em.descent).rounded())
                    tree.boxes[fragment].rect.y = baseline - (annotation.lastBaseline ?? annotation.rect.height)
                }
                tree.boxes[index].annotationTop = min(tree.boxes[index].annotationTop, tree.boxes[fragment].rect.y)
            }
        }
        return index
    }

    /// The em boxes about the baseline of all fonts in the lines, that of the block's own font included.
    private mutating func emBox(ofLines lines: Range<Int>, style: StyleID) -> (ascent: Float, descent: Float) {
        var result = emBox(inlineStyle(style).metrics)
        for line in lines {
            for fragment in tree.lines[line].fragments where tree.inlines[fragment].kind == .text {
                let own = emBox(fonts.metrics(tree.inlines[fragment].font))
                result = (max(result.ascent, own.ascent), max(result.descent, own.descent))
            }
        }
        return result
    }

    /// A font's em box: its size shared like ascent and descent.
    private func emBox(_ metrics: FontMetrics) -> (ascent: Float, descent: Float) {
        let whole = metrics.ascent + metrics.descent
        // Fonts of ideographs carry room for other scripts around their em box, which begins 12% below the baseline.
        let share = whole > metrics.size * 1.4 || whole <= 0 ? 0.88 : metrics.ascent / whole
        return (metrics.size * share, metrics.size * (1 - share))
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
