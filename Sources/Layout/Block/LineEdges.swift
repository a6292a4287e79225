// `text-box-trim` and `initial-letter` (CSS Inline 3 §5–6), `margin-trim` (CSS Box 4 §3.3): where block containers
// begin and end in their first and last line, and the place of a first letter that is as high as several lines.

import FancyTextCSS

extension LayoutEngine {
    /// The distances from the baseline to the edges at which a line of text in a style is trimmed.
    mutating func edgesOfText(_ id: StyleID) -> (over: LayoutUnit, under: LayoutUnit) {
        let info = inlines.inlineStyle(id)
        let edge = text.styles[id].text.textBoxEdge
        let over: LayoutUnit =
            switch edge.over {
            case .text: info.text.ascent
            case .cap: LayoutUnit(info.metrics.capHeight)
            case .ex: LayoutUnit(info.metrics.xHeight)
            }
        return (over, edge.isUnderBaseline ? .zero : info.text.descent)
    }

    /// Notes that the first line in a box, or the margins above it, are trimmed. Returns the style for ``endTrimming(_:in:_:)``; nil if it trims nothing.
    mutating func beginTrimming(_ box: Int, in fragment: Int, _ flow: inout Flow) -> LineEdgeStyle? {
        var edges = LineEdgeStyle()
        if snap.isOfCells {
            // The row of a border or a padding is space enough.
            edges.trimsTopMargin = tree.boxes[fragment].frame.top > .zero
            edges.trimsBottomMargin = tree.boxes[fragment].frame.bottom > .zero
        } else {
            guard hasLineEdges, let style = ownStyle(of: box), !style.box.$lineEdges else { return nil }
            edges = style.box.lineEdges
        }
        if edges.trimsStart { flow.trimsNextLine = true }
        if edges.trimsTopMargin { flow.strut.isTrimmed = true }
        return edges
    }

    /// Ends the contents of a box inside of its last line, with the blocks that end there too, and without the margins below.
    mutating func endTrimming(_ edges: LineEdgeStyle, in fragment: Int, _ flow: inout Flow) {
        if edges.trimsStart { flow.trimsNextLine = false }
        flow.strut.isTrimmed = false
        if edges.trimsBottomMargin, !flow.waits(fragment) { flow.strut = MarginStrut() }
        guard edges.trimsEnd, let line = flow.lastLine, line.bottom == flow.y, flow.clearedTop == nil else { return }
        for index in tree.boxes.indices[(fragment + 1)...]
        where tree.boxes[index].origin == flow.root && !tree.boxes[index].isContextRoot
            && tree.boxes[index].rect.maxY == line.bottom
        {
            tree.boxes[index].rect.height -= line.trim
        }
        flow.y -= line.trim
        flow.lastLine = nil
    }

    /// The letter of `initial-letter` with which content begins: its box and its style.
    func letter(in content: InlineContent) -> (box: Int, initial: InitialLetter)? {
        guard let item = content.items.first(where: { inlines.flat[$0].kind != .open }),
            inlines.flat[item].kind == .float
        else { return nil }
        let box = inlines.flat[item].box
        guard !style(of: box).box.$lineEdges else { return nil }
        return style(of: box).box.lineEdges.initialLetter.map { (box, $0) }
    }

    /// The height of the lines above the first one that a letter raises.
    mutating func raise(ofLetterIn content: InlineContent) -> LayoutUnit {
        guard let (_, initial) = letter(in: content) else { return .zero }
        let lines = Int(bounded: initial.size.rounded(.up), by: 10_000) - initial.sink
        return lines > 0 ? inlines.inlineStyle(content.style).lineHeight * lines : .zero
    }

    /// Gives a float that is such a letter the width of its ink and the height of its lines, or down to its ink below them, and
    /// puts it on the baseline of the last one. Returns the height by which it begins above the first line.
    mutating func arrangeLetter(_ fragment: Int, in content: InlineContent) -> LayoutUnit {
        guard let (box, initial) = letter(in: content), tree.boxes[fragment].box == box,
            let baseline = tree.boxes[fragment].firstBaseline
        else { return .zero }
        let raise = raise(ofLetterIn: content)
        let info = inlines.inlineStyle(content.style)
        let wanted = raise + info.lineHeight * (initial.sink - 1) + info.box.ascent
        tree.boxes[fragment].rect.height = raise + info.lineHeight * initial.sink
        tree.boxes[fragment].contentShift += wanted - baseline
        guard case .fonts(let fonts) = inlines.metric else { return raise }
        for piece in tree.lines[tree.boxes[fragment].lines].flatMap(\.fragments) where tree.inlines[piece].kind == .text
        {
            let glyphs = inlines.shaped.glyphs[tree.inlines[piece].glyphs]
            var (left, right, bottom, x) = (Float.infinity, -Float.infinity, Float(0), Float(0))
            for glyph in glyphs {
                if let ink = fonts.ink(of: glyph.id, in: tree.inlines[piece].font) {
                    (left, right) = (min(left, x + ink.left), max(right, x + ink.right))
                    bottom.raise(to: ink.bottom)
                }
                x += glyph.advance
            }
            guard left < right else { continue }
            (left, right) = (left.rounded(.down), right.rounded(.up))
            tree.boxes[fragment].rect.height.raise(to: wanted + LayoutUnit(bottom))
            tree.inlines[piece].origin -= left
            tree.inlines[piece].rect.x -= LayoutUnit(left)
            tree.boxes[fragment].rect.width += LayoutUnit(right - left) - tree.inlines[piece].rect.width
        }
        return raise
    }
}
