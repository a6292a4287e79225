// Builds one line in two steps: `collect` gathers its pieces in logical order and the heights of its inline boxes (CSS
// 2.1 §10.8); `place` reorders by bidi levels (UAX #9 L2), aligns, justifies and appends the fragments. Between the two
// the caller knows the line's height and may move it past a float.

import FancyTextCSS
import FancyTextMarkup
import FancyTextTypography

struct LinePiece {
    enum Kind: UInt8 { case text, atomic, tab, empty, generated }
    var kind: Kind
    var level: UInt8
    /// True for the last piece of its item: the position after it is rounded up to the layout grid.
    var endsItem = false
    var style: StyleID
    var element: NodeID
    /// The index in ``LineBuilder/states``.
    var state: Int
    /// The range in bytes of the context's text.
    var start, end: Int
    var delta: Int
    var glyphs: Range<Int> = 0..<0
    var font = FontID(rawValue: 0)
    var isUpright = false
    var stretch: Float = 1
    var advance: Float = 0
    /// For an atomic piece, its box.
    var box = -1
    var x: Float = 0
}

extension LinePiece {
    init(_ kind: Kind, _ item: FlatItem, state: Int) {
        self.init(
            kind: kind, level: item.level, style: item.style, element: item.element, state: state,
            start: Int(item.start), end: Int(item.end), delta: item.delta)
    }
}

/// The part of an inline box on the line.
struct LineState {
    var style: StyleID
    var element: NodeID
    var parent: Int
    var metrics: FontHeight
    var hasStart, hasEnd: Bool
    /// The baseline's offset below that of `base`.
    var shift = LayoutUnit.zero
    /// The state to whose baseline `shift` is relative.
    var base: Int
    /// The number of leaves in it, including those of closed nested boxes.
    var leaves = 0
    /// True if its own font and line height are part of `metrics`.
    var countsItself = true
    /// One past the last state nested in it, once it is closed.
    var end = 0
    /// Set when boxes or pieces in it are aligned by its height (`text-top`, `text-bottom`; `top`, `bottom`).
    var hasPending = false
    /// True for the root of an aligned subtree: the line's root or a box aligned `top` or `bottom`.
    var isAlignmentRoot = false
    var isAtomic = false, isPending = false, isClosed = false
    // While placing: the positions of its first and last piece from left to right, and its open fragment.
    var firstPosition = Int.max
    var lastPosition = -1, fragment = -1

    func hasEdge(onLeft isLeft: Bool, _ isRightToLeft: Bool) -> Bool { isLeft == isRightToLeft ? hasEnd : hasStart }
}

/// Builds one line after the other; each paragraph under layout has one.
struct LineBuilder {
    /// The inline boxes open at the start of the line, and those open at its end once it is collected.
    var openItems: [Int] = []
    /// The tail's own inline boxes that are open at the start of its next line.
    var openTailItems: [Int] = []
    /// The pieces in logical order.
    var pieces: [LinePiece] = []
    /// The states, each before those nested in it; the first is the line's root.
    var states: [LineState] = []
    /// The ratio of the size of the line's glyphs to the computed one.
    var scale: Float = 1
    /// The start of the text of the line's content in ``InlineContents/inlineText``.
    var textStart = 0
    var hanging: Float = 0
    /// True if it hangs even before a forced break: ideographic spaces where white space collapses.
    var hangsAlways = false

    /// The absolutely positioned boxes met in the line, each before a piece; `x` and the direction are set when the line is placed.
    var positioned: [(box: Int, piece: Int, x: LayoutUnit, isRightToLeft: Bool)] = []

    /// With the line height quirk, the style of white space of the block that counts only if something follows it on the line.
    private var lateSpace: StyleID?

    // Used while placing.
    var percentageBase = LayoutUnit.zero
    var baselines: [LayoutUnit] = []
    var visual: [Int] = []
    var openFragments: [Int] = []
    var path: [Int] = []
    var openingEdges: [LayoutUnit] = []
    var closingEdges: [LayoutUnit] = []
    var pieceRight: Float = 0
    var innerRight: LayoutUnit?

    /// Gathers the pieces between `start` and `end`; returns the line's height, which the block's own font gives a
    /// minimum if it `hasStrut`. `openItems` has the inline boxes open at the start, afterwards at the end.
    mutating func collect(
        _ content: InlineContent, from start: LineCursor, to end: LineEnd, omission: Omission? = nil, hasStrut: Bool,
        in inlines: inout InlineContents, _ tree: inout LayoutTree
    ) -> FontHeight {
        (textStart, scale) = (content.textStart, 1)
        pieces.removeAll(keepingCapacity: true)
        states.removeAll(keepingCapacity: true)
        positioned.removeAll(keepingCapacity: true)
        lateSpace = nil
        let root = inlines.inlineStyle(content.style)
        states.append(
            LineState(
                style: content.style, element: inlines.text.boxes[0].element, parent: -1,
                metrics: hasStrut ? root.box : .empty, hasStart: true, hasEnd: true, base: 0, countsItself: hasStrut,
                isAlignmentRoot: true))
        var current = 0
        for open in openItems { current = openState(open, parent: current, hasStart: false, &inlines) }
        if let omission {
            collectRange(content, from: start, to: omission.from, state: &current, &inlines, &tree)
            trimTrailingSpaces(&inlines)
            if let tail = omission.tail { collectTail(tail, state: current, &inlines, &tree) }
            collectRange(
                content, from: omission.from, to: omission.to, state: &current, isOmitted: true, &inlines, &tree)
            collectRange(content, from: omission.to, to: end.next, state: &current, &inlines, &tree)
        } else {
            collectRange(content, from: start, to: end.next, state: &current, &inlines, &tree)
        }
        trimTrailingSpaces(&inlines)
        if let hyphen = end.hyphen { appendHyphen(hyphen, state: current, &inlines) }
        var open = current
        while open > 0 { open = leaveOpenState(open, at: end.next.offset, content, &inlines) }
        resolvePending(0, &inlines)
        return states[0].metrics.isEmpty ? FontHeight(ascent: .zero, descent: .zero) : states[0].metrics
    }

    /// The extent of the line backgrounds above and below the baseline of the collected line, and their distance from those of
    /// the line above (`-ft-line-background`); nil if none keeps a distance.
    func backgroundReach(_ inlines: inout InlineContents) -> (above: LayoutUnit, below: LayoutUnit, gap: LayoutUnit)? {
        var reach: (above: LayoutUnit, below: LayoutUnit, gap: LayoutUnit)?
        for piece in pieces where piece.kind != .empty {
            guard let background = inlines.text.styles[piece.style].text.lineBackground, background.gap > 0
            else { continue }
            var lowered = LayoutUnit.zero
            var state = piece.state
            while state > 0 {
                lowered += scaled(states[state].shift)
                state = states[state].base
            }
            let padding = LayoutUnit(background.paddingY)
            var (ascent, descent) = (states[piece.state].metrics.ascent, states[piece.state].metrics.descent)
            if piece.kind != .atomic {
                let metrics = inlines.inlineStyle(piece.style).text
                ascent = scaled(metrics.ascent)
                descent = scaled(metrics.height) - ascent
            }
            let known = reach ?? (-LayoutUnit.unlimited, -LayoutUnit.unlimited, .zero)
            reach = (
                max(known.above, ascent - lowered + padding), max(known.below, descent + lowered + padding),
                max(known.gap, LayoutUnit(background.gap))
            )
        }
        return reach
    }

    /// Gathers the pieces of a range of content; for an omitted range only the boxes that end in it or extend beyond it.
    private mutating func collectRange(
        _ content: InlineContent, from start: LineCursor, to end: LineCursor, state current: inout Int,
        isOmitted: Bool = false, _ inlines: inout InlineContents, _ tree: inout LayoutTree
    ) {
        var item = start.item
        let last = end.item
        while item < content.items.upperBound,
            item < last || (item == last && inlines.flat[item].kind == .text && end != inlines.cursor(atItem: item))
        {
            let flatItem = inlines.flat[item]
            switch flatItem.kind {
            case .open:
                let close = Int(flatItem.link)
                if isOmitted, close < last {
                    item = close
                    break
                }
                openItems.append(item)
                current = openState(item, parent: current, hasStart: true, &inlines)
            case .close:
                guard current != 0 else { break }
                if states[current].leaves == 0 {
                    var piece = LinePiece(.empty, flatItem, state: current)
                    piece.level = content.baseLevel
                    addLeaf(piece)
                }
                states[current].hasEnd = true
                let parent = states[current].parent
                closeState(current, &inlines)
                current = parent
                if !openItems.isEmpty { openItems.removeLast() }
            case _ where isOmitted: break
            case .text:
                collectText(
                    item, content, state: current, from: item == start.item ? start : nil, to: item == last ? end : nil,
                    &inlines)
            case .tab:
                var piece = LinePiece(.tab, flatItem, state: current)
                piece.font = inlines.inlineStyle(flatItem.style).font
                piece.endsItem = true
                addLeaf(piece)
                uniteControl(flatItem.style, state: current, &inlines)
            case .atomic:
                uniteLateSpace(&inlines)
                let box = Int(flatItem.link)
                if pieces.isEmpty { keepRubyInside(box, &inlines, &tree) }
                var piece = LinePiece(.atomic, flatItem, state: states.count)
                (piece.box, piece.advance) = (box, inlines.atomicWidths[box].float)
                piece.endsItem = true
                let root = inlines.inlineStyle(content.style)
                states.append(
                    LineState(
                        style: flatItem.style, element: flatItem.element, parent: current,
                        metrics: tree.atomicHeight(box, isCentral: root.isCentral, isInverted: root.isInverted),
                        hasStart: true, hasEnd: true, base: current, isAtomic: true))
                addLeaf(piece)
                closeState(piece.state, &inlines)
            case .newline: uniteControl(flatItem.style, state: current, &inlines)
            case .float:
                let box = Int(flatItem.link)
                if inlines.text.boxes[box].isPositioned { positioned.append((box, pieces.count, .zero, false)) }
            case .wordBreak: break
            }
            item += 1
        }
    }

    /// Gathers the first line of a tail inside the box in which the text before it ends.
    private mutating func collectTail(
        _ tail: TailContent, state: Int, _ inlines: inout InlineContents, _ tree: inout LayoutTree
    ) {
        let first = pieces.count
        let outerOpen = openItems
        let content = inlines.contents[tail.content]
        openItems.removeAll(keepingCapacity: true)
        var current = state
        collectRange(content, from: tail.lines[0].start, to: tail.lines[0].end, state: &current, &inlines, &tree)
        while current != state { current = leaveOpenState(current, at: 0, content, &inlines) }
        (openTailItems, openItems) = (openItems, outerOpen)
        markGenerated(from: first)
    }

    /// Gathers a line of a tail below the text; returns its height.
    mutating func collectTailLine(
        _ line: TailContent.Line, of content: InlineContent, hasStrut: Bool, in inlines: inout InlineContents,
        _ tree: inout LayoutTree
    ) -> FontHeight {
        swap(&openItems, &openTailItems)
        let height = collect(
            content, from: line.start, to: LineEnd(next: line.end), hasStrut: hasStrut, in: &inlines, &tree)
        swap(&openItems, &openTailItems)
        markGenerated(from: 0)
        return height
    }

    private mutating func markGenerated(from first: Int) {
        for index in first..<pieces.count where pieces[index].kind == .text { pieces[index].kind = .generated }
    }

    /// Closes a box that continues on the next line; returns its parent.
    private mutating func leaveOpenState(
        _ open: Int, at offset: Int, _ content: InlineContent, _ inlines: inout InlineContents
    ) -> Int {
        if states[open].leaves == 0 {
            addLeaf(
                LinePiece(
                    kind: .empty, level: content.baseLevel, style: states[open].style, element: states[open].element,
                    state: open, start: offset, end: offset, delta: 0))
        }
        if inlines.text.styles[states[open].style].box.clonesDecorationAtBreaks { states[open].hasEnd = true }
        let parent = states[open].parent
        closeState(open, &inlines)
        return parent
    }

    /// Keeps an annotation at the start of a line inside its box, because there is no text over which it could extend.
    private mutating func keepRubyInside(_ box: Int, _ inlines: inout InlineContents, _ tree: inout LayoutTree) {
        let index = Int(tree.fragmentOfBox[box])
        guard index >= 0, tree.boxes[index].kind == .ruby else { return }
        let isRightToLeft = inlines.text.styles[inlines.text.boxes[box].style].text.direction == .rtl
        if isRightToLeft { tree.boxes[index].margin.right = .zero } else { tree.boxes[index].margin.left = .zero }
        inlines.atomicWidths[box] = tree.boxes[index].rect.width + tree.boxes[index].margin.horizontal
    }

    private mutating func addLeaf(_ piece: LinePiece) {
        pieces.append(piece)
        var state = piece.state
        states[state].leaves += 1
        // Open boxes get it when the box closes.
        while states[state].isClosed {
            state = states[state].parent
            states[state].leaves += 1
        }
    }

    private mutating func openState(_ item: Int, parent: Int, hasStart: Bool, _ inlines: inout InlineContents) -> Int {
        let style = inlines.flat[item].style
        let info = inlines.inlineStyle(style)
        let counts = inlines.countsEmptyBoxes || inlines.hasInlineFrame(style)
        let isAlignmentRoot = info.verticalAlign == .top || info.verticalAlign == .bottom
        states.append(
            LineState(
                style: style, element: inlines.flat[item].element, parent: parent, metrics: counts ? info.box : .empty,
                hasStart: hasStart || inlines.text.styles[style].box.clonesDecorationAtBreaks, hasEnd: false,
                base: parent, countsItself: counts, isAlignmentRoot: isAlignmentRoot))
        return states.count - 1
    }

    /// Adds the height of a text. That of its inline box is included from the beginning, except with the line height quirk.
    private mutating func uniteText(_ style: StyleID, state: Int, _ inlines: inout InlineContents) {
        guard style != states[state].style || !states[state].countsItself else { return }
        states[state].metrics.unite(inlines.inlineStyle(style).box)
        if style == states[state].style { states[state].countsItself = true }
    }

    private mutating func uniteLateSpace(_ inlines: inout InlineContents) {
        guard let style = lateSpace else { return }
        lateSpace = nil
        uniteText(style, state: 0, &inlines)
    }

    /// Adds the height of a forced break or tab, like text; with the line height quirk, to boxes without content.
    private mutating func uniteControl(_ style: StyleID, state: Int, _ inlines: inout InlineContents) {
        if states[state].countsItself || states[state].metrics.isEmpty { uniteText(style, state: state, &inlines) }
    }

    private mutating func collectText(
        _ item: Int, _ content: InlineContent, state: Int, from: LineCursor?, to: LineCursor?,
        _ inlines: inout InlineContents
    ) {
        let flatItem = inlines.flat[item]
        let info = inlines.inlineStyle(flatItem.style)
        let firstRun = from?.run ?? Int(flatItem.runs.lowerBound)
        let lastRun = to?.run ?? Int(flatItem.runs.upperBound) - 1
        guard firstRun <= lastRun, lastRun < inlines.shaped.runs.count
        else { return uniteText(flatItem.style, state: state, &inlines) }
        if state == 0, !states[0].countsItself, info.collapsesSpaces,
            inlines.shaped.runs[firstRun...lastRun].allSatisfy({ run in
                run.text.allSatisfy { inlines.inlineText[textStart + $0] == 0x20 }
            })
        {
            lateSpace = flatItem.style
        } else {
            uniteLateSpace(&inlines)
            uniteText(flatItem.style, state: state, &inlines)
        }
        for run in firstRun...lastRun {
            let glyphRun = inlines.shaped.runs[run]
            let count = glyphRun.glyphs.count
            let skipped = run == firstRun ? from?.glyph ?? 0 : 0
            let taken = run == lastRun ? to?.glyph ?? count : count
            guard taken > skipped else { continue }
            var start = glyphRun.text.lowerBound
            var end = glyphRun.text.upperBound
            if skipped > 0 { start = from?.offset ?? start }
            if taken < count { end = to?.offset ?? end }
            var piece = LinePiece(.text, flatItem, state: state)
            piece.level = glyphRun.level
            (piece.start, piece.end) = (start, end)
            piece.glyphs = inlines.glyphsOnLine(
                run, skipped..<taken, start..<end, content, startsLine: skipped > 0 || pieces.isEmpty)
            piece.font = glyphRun.font
            (piece.isUpright, piece.stretch) = (glyphRun.isUpright, glyphRun.stretch)
            piece.endsItem = run == lastRun
            piece.advance = inlines.shaped.glyphs.advance(of: piece.glyphs)
            if info.countsUsedFonts, glyphRun.font != info.font {
                states[state].metrics.unite(inlines.fontBoxHeight(glyphRun.font, isCentral: info.isCentral))
            }
            addLeaf(piece)
        }
    }

    /// Removes collapsible white space at the end of the line; preserved white space hangs (CSS Text 3 §4.1.2).
    private mutating func trimTrailingSpaces(_ inlines: inout InlineContents) {
        var index = pieces.count - 1
        (hanging, hangsAlways) = (0, false)
        while index >= 0 {
            switch pieces[index].kind {
            case .empty, .generated: break
            case .atomic, .tab: return
            case .text:
                let info = inlines.inlineStyle(pieces[index].style)
                if info.breaksSpaces { return }
                let isReversed = pieces[index].level & 1 == 1
                while !pieces[index].glyphs.isEmpty {
                    let range = pieces[index].glyphs
                    let at = isReversed ? range.lowerBound : range.upperBound - 1
                    let glyph = inlines.shaped.glyphs[at]
                    let position = textStart + Int(glyph.cluster)
                    guard inlines.hangsAtLineEnd(position) else { return }
                    if info.collapsesSpaces, inlines.inlineText[position] == 0x20 {
                        pieces[index].glyphs = isReversed ? at + 1..<range.upperBound : range.lowerBound..<at
                        pieces[index].end.lower(to: Int(glyph.cluster))
                        pieces[index].advance -= glyph.advance
                    } else {
                        // It keeps its place, but the line is aligned as if it did not exist.
                        var hang: Float = 0
                        var probe = at
                        while range.contains(probe),
                            inlines.hangsAtLineEnd(textStart + Int(inlines.shaped.glyphs[probe].cluster))
                        {
                            hang += inlines.shaped.glyphs[probe].advance
                            probe += isReversed ? 1 : -1
                        }
                        hanging += hang
                        if info.collapsesSpaces { hangsAlways = true }
                        if range.contains(probe) { return }
                        break
                    }
                }
                if !pieces[index].glyphs.isEmpty, info.collapsesSpaces { return }
                if pieces[index].glyphs.isEmpty {
                    (pieces[index].advance, pieces[index].kind) = (0, .empty)
                    pieces[index].end = pieces[index].start
                }
            }
            index -= 1
        }
    }

    private mutating func appendHyphen(_ style: StyleID, state: Int, _ inlines: inout InlineContents) {
        // Placed beside the text that it ends, in the box of that text.
        let text = pieces.last { $0.kind == .text }
        let (level, owner) = (text?.level ?? 0, text?.state ?? state)
        let end = pieces.last?.end ?? 0
        let hyphen = inlines.shapeGenerated(inlines.hyphenText(style), style: style, level: level)
        for run in hyphen.runs {
            addLeaf(
                LinePiece(
                    kind: .generated, level: level, endsItem: true, style: style, element: states[owner].element,
                    state: owner, start: end, end: end, delta: pieces.last?.delta ?? 0, glyphs: run.glyphs,
                    font: run.font, isUpright: run.isUpright, advance: run.advance))
        }
    }

    /// Aligns a finished inline or atomic box in its parent and adds its height to that of the parent.
    private mutating func closeState(_ index: Int, _ inlines: inout InlineContents) {
        guard !states[index].isClosed else { return }
        (states[index].isClosed, states[index].end) = (true, states.count)
        resolvePending(index, &inlines)
        let parent = states[index].parent
        states[parent].leaves += states[index].leaves
        guard !states[index].metrics.isEmpty else { return }
        let info = inlines.inlineStyle(states[index].style)
        let parentInfo = inlines.inlineStyle(states[parent].style)
        var shift = LayoutUnit.zero
        switch info.verticalAlign {
        case .baseline: break
        case .sub: shift = parentInfo.fontSize / 5 + .round(1 / inlines.deviceScale)
        case .super: shift = -(parentInfo.fontSize / 3 + .round(1 / inlines.deviceScale))
        case .length(let length): shift = -resolve(length, info.lineHeight, grid: inlines.snap)
        case .middle:
            let metrics = states[index].metrics
            shift = inlines.snap.round((metrics.ascent - metrics.descent) / 2 - .round(parentInfo.metrics.xHeight / 2))
        case .textTop, .textBottom:
            (states[index].isPending, states[parent].hasPending) = (true, true)
            return
        case .top, .bottom:
            states[index].isPending = true
            var ancestor = parent
            while ancestor > 0, !states[ancestor].isAlignmentRoot { ancestor = states[ancestor].parent }
            (states[index].base, states[ancestor].hasPending) = (ancestor, true)
            return
        }
        states[index].shift = shift
        var metrics = states[index].metrics
        metrics.move(shift)
        states[parent].metrics.unite(metrics)
    }

    /// Aligns the boxes whose alignment depends on the height of box `index`.
    private mutating func resolvePending(_ index: Int, _ inlines: inout InlineContents) {
        guard states[index].hasPending, index + 1 < states.count else { return }
        states[index].hasPending = false
        let text = inlines.inlineStyle(states[index].style).text
        let pending = (index + 1..<states.count).filter { states[$0].isPending && states[$0].base == index }
        for child in pending {
            var metrics = states[child].metrics
            let shift: LayoutUnit
            switch inlines.inlineStyle(states[child].style).verticalAlign {
            case .textTop: shift = metrics.ascent - text.ascent
            case .textBottom: shift = text.descent - metrics.descent
            case .top, .bottom, .baseline, .sub, .super, .middle, .length: continue
            }
            (states[child].isPending, states[child].shift) = (false, shift)
            metrics.move(shift)
            states[index].metrics.unite(metrics)
        }
        let atEdges = pending.filter { states[$0].isPending }
        func isAtTop(_ child: Int) -> Bool { inlines.inlineStyle(states[child].style).verticalAlign == .top }
        var height = states[index].metrics
        // The highest of them, or the first of the highest, makes the line higher at the other end.
        if let highest = atEdges.max(by: { states[$0].metrics.height < states[$1].metrics.height }) {
            let excess = (states[highest].metrics.height - height.height).nonNegative
            if isAtTop(highest) { height.descent += excess } else { height.ascent += excess }
        }
        for child in atEdges {
            let metrics = states[child].metrics
            states[child].isPending = false
            states[child].shift = isAtTop(child) ? metrics.ascent - height.ascent : height.descent - metrics.descent
        }
        states[index].metrics = height
    }

    /// Makes the line higher for ruby annotations and emphasis marks, unless the space above has `room` (below 0 if one of the line
    /// before extends below that). `strut` is the em box of the line's own font.
    func makeRoomForAnnotations(
        _ height: inout FontHeight, room: LayoutUnit, strut: FontHeight, _ inlines: inout InlineContents,
        _ tree: LayoutTree
    ) {
        if room < .zero { height.ascent.raise(to: strut.ascent - room) }
        for piece in pieces {
            let state = states[piece.state]
            let info = inlines.inlineStyle(piece.style)
            if piece.kind == .text, info.marks > .zero {
                let em = FontHeight(emBoxOf: inlines.metric.metrics(piece.font), isCentral: info.isCentral)
                height.ascent.raise(to: em.ascent + info.marks - state.shift - room)
            }
            guard piece.kind == .atomic, case let index = Int(tree.fragmentOfBox[piece.box]), index >= 0,
                tree.boxes[index].kind == .ruby
            else { continue }
            height.ascent.raise(to: state.metrics.ascent - state.shift - tree.boxes[index].annotationTop - room)
        }
    }
}
