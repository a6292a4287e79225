// One line: from a range of inline content to fragments with places.
//
// In: where the line begins and ends. Out, in two steps: `collectLine` gathers the pieces of the line in logical order and the
// heights of its inline boxes (CSS 2.1 §10.8); `placeLine` reorders by bidi levels (UAX #9 L2), aligns, justifies and appends
// the fragments. Between the two the caller knows the line's height and may decide to move it past a float.

import Basics
import Markup
import Styling
import Typography

/// A leaf of a line.
struct LinePiece {
    enum Kind: UInt8 { case text, atomic, tab, empty, generated }
    var kind: Kind
    var level: UInt8
    /// The last piece of its item: the position after it is rounded up to the layout grid.
    var endsItem = false
    var style: StyleID
    var element: NodeID
    /// Index in ``Layouter/lineStates``.
    var state: Int
    /// Bytes of the context's text.
    var start: Int
    var end: Int
    var delta: Int
    var glyphs: Range<Int> = 0..<0
    var font = FontID(rawValue: 0)
    var advance: Float = 0
    /// Of an atomic: its box.
    var box = -1
    var x: Float = 0
}

/// An inline box as far as it lies on the line.
struct LineState {
    var style: StyleID
    var element: NodeID
    var parent: Int
    var metrics: FontHeight
    var hasStart: Bool
    var hasEnd: Bool
    /// Baseline relative to `base`'s baseline, down.
    var shift = LayoutUnit.zero
    /// The state whose baseline `shift` counts from.
    var base: Int
    /// Leaves in it, those of nested boxes that are closed included.
    var leaves = 0
    /// After the last state nested in it, once it is closed.
    var end = 0
    /// Boxes and pieces that wait for this one's height (`text-top`, `text-bottom`; `top`, `bottom`).
    var hasPending = false
    /// Root of an aligned subtree: the line's root or a box aligned `top` or `bottom`.
    var isAlignmentRoot = false
    /// An atomic box rather than an inline one.
    var isAtomic = false
    var isPending = false
    var isClosed = false
    // While placing: the positions of its first and last piece from left to right, and its open fragment.
    var firstPosition = Int.max
    var lastPosition = -1
    var fragment = -1
}

extension Layouter {
    /// Gathers the pieces between `start` and `end` into `pieces` and computes heights; returns the line's.
    ///
    /// `openItems` holds the inline boxes that are open where the line begins, and afterwards those open at its end.
    mutating func collectLine(
        _ content: InlineContent, from start: LineCursor, to end: LineEnd, omission: Omission? = nil
    ) -> FontHeight {
        pieces.removeAll(keepingCapacity: true)
        lineStates.removeAll(keepingCapacity: true)
        let root = inlineStyle(content.style)
        lineStates.append(
            LineState(
                style: content.style, element: text.boxes[0].element, parent: -1, metrics: root.box, hasStart: true,
                hasEnd: true, base: 0))
        lineStates[0].isAlignmentRoot = true
        var current = 0
        for open in openItems { current = openState(open, parent: current, hasStart: false) }
        if let omission {
            collectRange(content, from: start, to: omission.from, state: &current)
            trimTrailingSpaces()
            if let tail = omission.tail { collectTail(contents[tail], state: current) }
            collectRange(content, from: omission.from, to: omission.to, state: &current, isOmitted: true)
            collectRange(content, from: omission.to, to: end.next, state: &current)
        } else {
            collectRange(content, from: start, to: end.next, state: &current)
        }
        trimTrailingSpaces()
        if let hyphen = end.hyphen { appendHyphen(hyphen, state: current) }
        var open = current
        while open > 0 {
            if lineStates[open].leaves == 0 {
                addLeaf(
                    LinePiece(
                        kind: .empty, level: content.baseLevel, style: lineStates[open].style,
                        element: lineStates[open].element,
                        state: open, start: end.next.offset, end: end.next.offset, delta: 0))
            }
            if text.styles[lineStates[open].style].box.clonesDecorationAtBreaks { lineStates[open].hasEnd = true }
            let parent = lineStates[open].parent
            closeState(open)
            open = parent
        }
        resolvePending(0)
        return lineStates[0].metrics
    }

    /// Gathers the pieces of a stretch of content; of an omitted one only the boxes that end or begin.
    private mutating func collectRange(
        _ content: InlineContent, from start: LineCursor, to end: LineCursor, state current: inout Int,
        isOmitted: Bool = false
    ) {
        var item = start.item
        let last = end.item
        while item < content.items.upperBound,
            item < last || (item == last && flat[item].kind == .text && end != cursor(atItem: item))
        {
            let flatItem = flat[item]
            switch flatItem.kind {
            case .open:
                openItems.append(item)
                current = openState(item, parent: current, hasStart: true)
            case .close:
                guard current != 0 else { break }
                if lineStates[current].leaves == 0 {
                    addLeaf(
                        LinePiece(
                            kind: .empty, level: content.baseLevel, style: flatItem.style, element: flatItem.element,
                            state: current,
                            start: Int(flatItem.start), end: Int(flatItem.end), delta: flatItem.delta))
                }
                lineStates[current].hasEnd = true
                let parent = lineStates[current].parent
                closeState(current)
                current = parent
                if !openItems.isEmpty { openItems.removeLast() }
            case .text:
                if isOmitted { break }
                collectText(
                    item, content, state: current, from: item == start.item ? start : nil, to: item == last ? end : nil)
            case .tab:
                if isOmitted { break }
                var piece = LinePiece(
                    kind: .tab, level: flatItem.level, style: flatItem.style, element: flatItem.element, state: current,
                    start: Int(flatItem.start), end: Int(flatItem.end), delta: flatItem.delta)
                piece.font = inlineStyle(flatItem.style).font
                piece.endsItem = true
                addLeaf(piece)
                uniteText(flatItem.style, state: current)
            case .atomic:
                if isOmitted { break }
                let box = Int(flatItem.link)
                if pieces.isEmpty { keepRubyInside(box) }
                var piece = LinePiece(
                    kind: .atomic, level: flatItem.level, style: flatItem.style, element: flatItem.element,
                    state: current,
                    start: Int(flatItem.start), end: Int(flatItem.end), delta: flatItem.delta)
                piece.box = box
                piece.advance = atomicWidth(box).float
                piece.endsItem = true
                let index = lineStates.count
                var state = LineState(
                    style: flatItem.style, element: flatItem.element, parent: current, metrics: atomicHeight(box),
                    hasStart: true,
                    hasEnd: true, base: current)
                state.isAtomic = true
                lineStates.append(state)
                piece.state = index
                addLeaf(piece)
                closeState(index)
            case .newline:
                if !isOmitted { uniteText(flatItem.style, state: current) }
            case .float, .wordBreak: break
            }
            item += 1
        }
    }

    /// Gathers the tail of a truncation inside the box that the text before it ends in.
    private mutating func collectTail(_ tail: InlineContent, state: Int) {
        let first = pieces.count
        let outerOpen = openItems
        var current = state
        collectRange(
            tail, from: firstCursor(tail), to: LineCursor(item: tail.items.upperBound, offset: tail.textCount),
            state: &current)
        openItems = outerOpen
        for index in first..<pieces.count where pieces[index].kind == .text { pieces[index].kind = .generated }
    }

    /// At the start of a line there is no text that an annotation could reach over.
    private mutating func keepRubyInside(_ box: Int) {
        let index = Int(fragmentOfBox[box])
        guard index >= 0, tree.boxes[index].kind == .ruby else { return }
        let isRightToLeft = text.styles[text.boxes[box].style].text.direction == .rtl
        if isRightToLeft { tree.boxes[index].margin.right = .zero } else { tree.boxes[index].margin.left = .zero }
        atomicWidths[box] = tree.boxes[index].rect.width + tree.boxes[index].margin.horizontal
    }

    private mutating func addLeaf(_ piece: LinePiece) {
        pieces.append(piece)
        var state = piece.state
        lineStates[state].leaves += 1
        // Others learn of it when the box closes.
        while lineStates[state].isClosed {
            state = lineStates[state].parent
            lineStates[state].leaves += 1
        }
    }

    private mutating func openState(_ item: Int, parent: Int, hasStart: Bool) -> Int {
        let style = flat[item].style
        let info = inlineStyle(style)
        var state = LineState(
            style: style, element: flat[item].element, parent: parent, metrics: info.box, hasStart: hasStart,
            hasEnd: false, base: parent)
        if !hasStart, text.styles[style].box.clonesDecorationAtBreaks { state.hasStart = true }
        switch info.verticalAlign {
        case .top, .bottom: state.isAlignmentRoot = true
        case .baseline, .sub, .super, .middle, .textTop, .textBottom, .length: break
        }
        lineStates.append(state)
        return lineStates.count - 1
    }

    /// Text of another style than its inline box's counts with its own height.
    private mutating func uniteText(_ style: StyleID, state: Int) {
        if style != lineStates[state].style { lineStates[state].metrics.unite(inlineStyle(style).box) }
    }

    private mutating func collectText(
        _ item: Int, _ content: InlineContent, state: Int, from: LineCursor?, to: LineCursor?
    ) {
        let flatItem = flat[item]
        let info = inlineStyle(flatItem.style)
        let firstRun = from?.run ?? Int(flatItem.runs.lowerBound)
        let lastRun = to?.run ?? Int(flatItem.runs.upperBound) - 1
        uniteText(flatItem.style, state: state)
        guard firstRun <= lastRun, lastRun < shaped.runs.count else { return }
        for run in firstRun...lastRun {
            let glyphRun = shaped.runs[run]
            let count = glyphRun.glyphs.count
            let skipped = run == firstRun ? from?.glyph ?? 0 : 0
            let taken = run == lastRun ? to?.glyph ?? count : count
            guard taken > skipped else { continue }
            var start = glyphRun.text.lowerBound
            var end = glyphRun.text.upperBound
            if skipped > 0 { start = from?.offset ?? start }
            if taken < count { end = to?.offset ?? end }
            let isReversed = glyphRun.level & 1 == 1
            let glyphs =
                isReversed
                ? glyphRun.glyphs.upperBound - taken..<glyphRun.glyphs.upperBound - skipped
                : glyphRun.glyphs.lowerBound + skipped..<glyphRun.glyphs.lowerBound + taken
            var piece = LinePiece(
                kind: .text, level: glyphRun.level, style: flatItem.style, element: flatItem.element, state: state,
                start: start, end: end,
                delta: flatItem.delta)
            piece.glyphs = glyphs
            piece.font = glyphRun.font
            piece.endsItem = run == lastRun
            let startsLine = skipped > 0 || pieces.isEmpty
            let cutsStart = startsLine && startsUnsafely(glyphRun, logical: skipped)
            let cutsEnd = taken < count && startsUnsafely(glyphRun, logical: taken)
            if cutsStart || cutsEnd { reshape(&piece, run, content, startsLine: startsLine, endsLine: taken < count) }
            var advance: Float = 0
            for glyph in piece.glyphs { advance += shaped.glyphs[glyph].advance }
            piece.advance = advance
            if info.countsUsedFonts, glyphRun.font != info.font {
                lineStates[state].metrics.unite(fontBoxHeight(glyphRun.font))
            }
            addLeaf(piece)
        }
    }

    /// A break before the glyph at logical index `logical` of `run` would change the glyphs around it.
    private func startsUnsafely(_ run: ShapedRun, logical: Int) -> Bool {
        let at = run.level & 1 == 1 ? run.glyphs.upperBound - 1 - logical : run.glyphs.lowerBound + logical
        return shaped.glyphs[at].isUnsafeToBreak
    }

    /// Collapsible white space at the end of the line vanishes, that which is kept hangs (CSS Text 3 §4.1.2).
    private mutating func trimTrailingSpaces() {
        var index = pieces.count - 1
        lineHang = 0
        hangsAlways = false
        while index >= 0 {
            switch pieces[index].kind {
            case .empty, .generated: break
            case .atomic: return
            case .tab:
                return
            case .text:
                let info = inlineStyle(pieces[index].style)
                if info.breaksSpaces { return }
                let isReversed = pieces[index].level & 1 == 1
                while !pieces[index].glyphs.isEmpty {
                    let range = pieces[index].glyphs
                    let at = isReversed ? range.lowerBound : range.upperBound - 1
                    let glyph = shaped.glyphs[at]
                    let position = lineTextStart + Int(glyph.cluster)
                    guard hangsAtLineEnd(position) else { break }
                    if info.collapsesSpaces, inlineText[position] == 0x20 {
                        pieces[index].glyphs = isReversed ? at + 1..<range.upperBound : range.lowerBound..<at
                        pieces[index].end = min(pieces[index].end, Int(glyph.cluster))
                        pieces[index].advance -= glyph.advance
                    } else {
                        // Stays where it is, but the line is aligned as if it were not there.
                        var hang: Float = 0
                        var probe = isReversed ? range.lowerBound : range.upperBound - 1
                        while range.contains(probe),
                            hangsAtLineEnd(lineTextStart + Int(shaped.glyphs[probe].cluster))
                        {
                            hang += shaped.glyphs[probe].advance
                            probe += isReversed ? 1 : -1
                        }
                        lineHang += hang
                        if info.collapsesSpaces { hangsAlways = true }
                        if range.contains(probe) { return }
                        break
                    }
                }
                if !pieces[index].glyphs.isEmpty, info.collapsesSpaces { return }
                if pieces[index].glyphs.isEmpty {
                    pieces[index].advance = 0
                    pieces[index].kind = .empty
                    pieces[index].end = pieces[index].start
                }
            }
            index -= 1
        }
    }

    private func hangsAtLineEnd(_ position: Int) -> Bool {
        inlineText.withUnsafeBufferPointer { isHangingSpace($0, position) }
    }

    private mutating func appendHyphen(_ style: StyleID, state: Int) {
        // Beside the text that it ends, in that text's box.
        let level = pieces.last(where: { $0.kind == .text })?.level ?? 0
        let owner = pieces.last(where: { $0.kind == .text })?.state ?? state
        let hyphen = shapeGenerated(hyphenText(style), style: style, level: level)
        for run in hyphen.runs {
            var piece = LinePiece(
                kind: .generated, level: level, style: style, element: lineStates[owner].element, state: owner,
                start: pieces.last?.end ?? 0, end: pieces.last?.end ?? 0, delta: pieces.last?.delta ?? 0)
            piece.glyphs = run.glyphs
            piece.font = run.font
            piece.advance = run.advance
            piece.endsItem = true
            addLeaf(piece)
        }
    }

    // MARK: Heights

    /// Aligns a finished inline or atomic box in its parent and adds its height there.
    private mutating func closeState(_ index: Int) {
        guard !lineStates[index].isClosed else { return }
        lineStates[index].isClosed = true
        lineStates[index].end = lineStates.count
        resolvePending(index)
        let parent = lineStates[index].parent
        lineStates[parent].leaves += lineStates[index].leaves
        let info = inlineStyle(lineStates[index].style)
        let parentInfo = inlineStyle(lineStates[parent].style)
        var shift = LayoutUnit.zero
        switch info.verticalAlign {
        case .baseline: break
        case .sub: shift = parentInfo.fontSize / 5 + .round(1 / options.deviceScale)
        case .super: shift = -(parentInfo.fontSize / 3 + .round(1 / options.deviceScale))
        case .length(let length): shift = -resolve(length, info.lineHeight, grid: snap)
        case .middle:
            let metrics = lineStates[index].metrics
            shift = snap.round((metrics.ascent - metrics.descent) / 2 - .round(parentInfo.metrics.xHeight / 2))
        case .textTop, .textBottom:
            lineStates[index].isPending = true
            lineStates[parent].hasPending = true
            return
        case .top, .bottom:
            lineStates[index].isPending = true
            var ancestor = parent
            while ancestor > 0, !lineStates[ancestor].isAlignmentRoot { ancestor = lineStates[ancestor].parent }
            lineStates[index].base = ancestor
            lineStates[ancestor].hasPending = true
            return
        }
        lineStates[index].shift = shift
        var metrics = lineStates[index].metrics
        metrics.move(shift)
        lineStates[parent].metrics.unite(metrics)
    }

    /// Aligns the boxes that waited for the height of box `index`.
    private mutating func resolvePending(_ index: Int) {
        guard lineStates[index].hasPending, index + 1 < lineStates.count else { return }
        lineStates[index].hasPending = false
        let info = inlineStyle(lineStates[index].style)
        for child in (index + 1)..<lineStates.count where lineStates[child].isPending && lineStates[child].base == index
        {
            let metrics = lineStates[child].metrics
            let shift: LayoutUnit
            switch inlineStyle(lineStates[child].style).verticalAlign {
            case .textTop: shift = metrics.ascent - info.text.ascent
            case .textBottom: shift = info.text.descent - metrics.descent
            case .top, .bottom, .baseline, .sub, .super, .middle, .length: continue
            }
            lineStates[child].isPending = false
            lineStates[child].shift = shift
            var moved = metrics
            moved.move(shift)
            lineStates[index].metrics.unite(moved)
        }
        // What aligns to the top or bottom makes the line higher at the other end if it does not fit.
        // The highest of them decides, the first of equals.
        var height = lineStates[index].metrics
        var highest = -1
        for child in (index + 1)..<lineStates.count
        where lineStates[child].isPending && lineStates[child].base == index {
            if highest < 0 || lineStates[child].metrics.height > lineStates[highest].metrics.height { highest = child }
        }
        if highest >= 0 {
            let excess = (lineStates[highest].metrics.height - height.height).nonNegative
            if inlineStyle(lineStates[highest].style).verticalAlign == .top {
                height.descent += excess
            } else {
                height.ascent += excess
            }
        }
        for child in (index + 1)..<lineStates.count where lineStates[child].isPending && lineStates[child].base == index
        {
            lineStates[child].isPending = false
            let metrics = lineStates[child].metrics
            lineStates[child].shift =
                inlineStyle(lineStates[child].style).verticalAlign == .top
                ? metrics.ascent - height.ascent : height.descent - metrics.descent
        }
        lineStates[index].metrics = height
    }

    /// Ascent and descent of a fallback font with its own line height, for `line-height: normal`.
    mutating func fontBoxHeight(_ font: FontID) -> FontHeight {
        let index = Int(font.rawValue)
        if index < fontHeights.count, let known = fontHeights[index] { return known }
        let metrics = metrics(font)
        var height = roundedHeight(metrics)
        height.setLineHeight(.round(metrics.lineSpacing), deviceScale: options.deviceScale)
        if index < 4096 {
            while fontHeights.count <= index { fontHeights.append(nil) }
            fontHeights[index] = height
        }
        return height
    }
}
