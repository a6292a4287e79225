// Ruby: a base with a small annotation over or under it (CSS Ruby 1): an atomic box with the height and baseline of the
// base. The annotation, outside of it, adjoins the base's em box and uses space between lines.

import FancyTextCSS
import FancyTextTypography

enum RubyLayout {
    static func intrinsicWidths(_ box: Int, _ engine: inout LayoutEngine) -> IntrinsicWidths {
        // A base and its annotation are not broken.
        IntrinsicWidths(engine.text.children(of: box).map { engine.contribution($0).maximum }.max() ?? .zero)
    }

    static func layOut(_ box: Int, as slot: FragmentSlot, _ engine: inout LayoutEngine) -> Int {
        let index = engine.startFragment(box, kind: .ruby, edges: BoxEdges(), as: slot)
        let width = intrinsicWidths(box, &engine).maximum
        engine.tree.boxes[index].rect.width = width
        let children = engine.text.children(of: box)
        var baseBaseline = LayoutUnit.zero, baseInset = LayoutUnit.zero
        var base = FontHeight.empty
        for (number, child) in children.enumerated() {
            var inner = Constraint(available: width)
            inner.width = min(engine.intrinsicWidths(child).maximum, width)
            let firstLine = engine.tree.lines.count
            let fragment = engine.layOut(child, in: inner, as: .child(of: index))
            let lines = firstLine..<engine.tree.lines.count
            let free = width - engine.tree.boxes[fragment].rect.width
            let inset = free > .zero ? spread(lines, by: free, &engine.inlines, &engine.tree) : nil
            engine.tree.boxes[fragment].rect.x = inset == nil ? engine.snap.floor(free / 2) : .zero
            let em = emBox(ofLines: lines, style: engine.text.boxes[child].style, &engine.inlines, &engine.tree)
            if number == 0 {
                base = em
                baseInset = inset ?? engine.snap.floor(free / 2)
                baseBaseline = engine.tree.boxes[fragment].firstBaseline ?? .zero
                engine.tree.boxes[index].emBottom = baseBaseline + em.descent
                engine.tree.boxes[index].rect.height = engine.tree.boxes[fragment].rect.height
                engine.tree.boxes[index].baselines = (baseBaseline, baseBaseline)
            } else {
                // The em boxes of base and annotation touch.
                let annotation = engine.tree.boxes[fragment]
                if engine.style(of: child).text.rubyUnder {
                    let baseline = baseBaseline + base.descent + em.ascent
                    engine.tree.boxes[fragment].rect.y = baseline - (annotation.firstBaseline ?? .zero)
                    let last = engine.tree.boxes[fragment].rect.y + (annotation.lastBaseline ?? .zero)
                    engine.tree.boxes[index].annotationBottom = last + em.descent
                } else {
                    let baseline = baseBaseline - base.ascent - em.descent
                    engine.tree.boxes[fragment].rect.y = baseline - (annotation.lastBaseline ?? annotation.rect.height)
                    let first = engine.tree.boxes[fragment].rect.y + (annotation.firstBaseline ?? .zero)
                    engine.tree.boxes[index].annotationTop.lower(to: first - em.ascent)
                }
                let half = engine.snap.floor(LayoutUnit(engine.style(of: child).font.size / 2))
                engine.tree.boxes[index].overhang = min(baseInset, half)
            }
        }
        return index
    }

    /// The em box around the baseline of all fonts in the lines, in whole pixels as in Blink; of the block's own font without text.
    private static func emBox(
        ofLines lines: Range<Int>, style: StyleID, _ inlines: inout InlineContents, _ tree: inout LayoutTree
    ) -> FontHeight {
        let isCentral = inlines.inlineStyle(style).isCentral
        var result = FontHeight.empty
        for line in lines {
            for fragment in tree.lines[line].fragments where tree.inlines[fragment].kind == .text {
                let metrics = inlines.metric.metrics(tree.inlines[fragment].font)
                result.unite(FontHeight(emBoxOf: metrics, isCentral: isCentral))
            }
        }
        let own = inlines.inlineStyle(style).metrics
        return result.isEmpty ? FontHeight(emBoxOf: own, isCentral: isCentral) : result
    }

    /// `ruby-align: space-around` (CSS Ruby 1 §4.4): free space is distributed to the justification opportunities, and half as
    /// much as to one of them to each end. Returns the space at the ends; nil if the line has anything other than text.
    private static func spread(
        _ lines: Range<Int>, by space: LayoutUnit, _ inlines: inout InlineContents, _ tree: inout LayoutTree
    ) -> LayoutUnit? {
        guard lines.count == 1 else { return nil }
        let fragments = tree.lines[lines.lowerBound].fragments.filter { tree.inlines[$0].kind != .box }
        guard let last = fragments.last, fragments.allSatisfy({ tree.inlines[$0].kind == .text }) else { return nil }
        let content = inlines.inlineContent(of: tree.boxes[tree.lines[lines.lowerBound].container].box)
        let textStart = inlines.contents[content].textStart
        /// True for each glyph, from left to right, after which space may be added.
        var opens: [Bool] = []
        var previous: (cluster: UInt32, mayOpen: Bool)?
        for fragment in fragments {
            for at in tree.inlines[fragment].glyphs {
                let glyph = inlines.shaped.glyphs[at]
                let kind = inlines.justificationClass(glyph, textStart: textStart, by: .auto)
                if let before = previous {
                    opens.append(before.cluster != glyph.cluster && (before.mayOpen || kind == .around))
                }
                previous = (glyph.cluster, kind != .none)
            }
        }
        guard previous != nil else { return nil }
        opens.append(false)
        let share = space.float / Float(opens.count { $0 } + 1)
        var moved: Float = 0
        var number = 0
        for fragment in fragments {
            tree.inlines[fragment].origin += moved
            tree.inlines[fragment].rect.x = .floor(tree.inlines[fragment].origin)
            let before = moved
            tree.inlines[fragment].glyphs = inlines.shaped.glyphs.appendCopies(of: tree.inlines[fragment].glyphs) {
                glyph in
                if number == 0 {
                    glyph.advance += share / 2
                    glyph.xOffset += share / 2
                    moved += share / 2
                }
                if opens[number] {
                    glyph.advance += share
                    moved += share
                }
                number += 1
                if number == opens.count { glyph.advance += share / 2 }
            }
            tree.inlines[fragment].rect.width += .round(moved - before + (fragment == last ? share / 2 : 0))
        }
        return .floor(share / 2)
    }
}

extension InlineContents {
    /// `ruby-overhang: auto` (CSS Ruby 1 §4.5): an annotation wider than its base extends over text beside it, by at most half of its
    /// font size and not beyond the base.
    mutating func overhangRuby(item: Int, in items: Range<Int>, _ tree: inout LayoutTree) {
        let box = Int(flat[item].link)
        let index = Int(tree.fragmentOfBox[box])
        guard index >= 0, tree.boxes[index].kind == .ruby, tree.boxes[index].overhang > .zero else { return }
        let size = text.styles[text.boxes[box].style].font.size
        /// Returns whether text no larger than the base is next to it.
        func isBesideText(_ step: Int) -> Bool {
            var at = item + step
            while items.contains(at) {
                switch flat[at].kind {
                case .open, .close: at += step
                case .text: return text.styles[flat[at].style].font.size <= size
                case .atomic, .float, .newline, .tab, .wordBreak: return false
                }
            }
            return false
        }
        let isRightToLeft = text.styles[text.boxes[box].style].text.direction == .rtl
        if isBesideText(isRightToLeft ? 1 : -1) { tree.boxes[index].margin.left -= tree.boxes[index].overhang }
        if isBesideText(isRightToLeft ? -1 : 1) { tree.boxes[index].margin.right -= tree.boxes[index].overhang }
        atomicWidths[box] = tree.boxes[index].rect.width + tree.boxes[index].margin.horizontal
    }
}
