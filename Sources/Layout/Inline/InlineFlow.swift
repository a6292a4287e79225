// The lines of a block container.
//
// In: a box with inline content, its place in a block formatting context. Out: line after line, each between the floats at its height, appended to the tree.

import Styling

extension Layouter {
    /// Lays out the inline content of `box` as lines from the flow's height.
    mutating func layoutLines(
        of box: Int, fragment: Int, x: LayoutUnit, width: LayoutUnit, percentageHeight: LayoutUnit?, flow: inout Flow
    ) {
        let index = inlineContent(of: box)
        var content = contents[index]
        if content.isEmpty {
            guard content.hasFloats else { return }
            for item in content.items where flat[item].kind == .float {
                meetFloat(
                    Int(flat[item].link), parent: fragment, x: x, width: width, percentageHeight: percentageHeight,
                    flow: &flow)
            }
            return
        }
        if let limit = lineLimit, limit.left <= 0 { return }
        let roomAbove = flow.strut.sum.nonNegative
        settle(&flow)
        if content.hasAtomics {
            for item in content.items where flat[item].kind == .atomic {
                layoutAtomic(
                    Int(flat[item].link), parent: fragment, width: width, percentageHeight: percentageHeight,
                    origin: flow.root)
                overhangRuby(item: item, in: content.items)
            }
        }
        let blockStyle = text.styles[content.style]
        let textStyle = blockStyle.text
        let indent = isContinuation(box) ? .zero : resolve(textStyle.indent, width, grid: snap)
        let fit = fitting(content, width: width, textStyle: textStyle)
        let isBesideFloats = flow.floats.bottom > flow.y
        let scored =
            fit != nil || isBesideFloats ? nil : scoredLineWidths(content, width: width, textStyle: textStyle)
        var lineIndex = 0
        let rest = content
        let first = firstLineContent(of: box)
        if let first { content = first }
        lineTextStart = content.textStart
        openItems.removeAll(keepingCapacity: true)
        /// Lines of a paragraph with floats, until those of the floats are all in the tree: a box's lines lie together there.
        var ownLines: [LineFragment] = []
        var lineCount = 0
        var cursor = firstCursor(content)
        var startsParagraph = true
        var isFirstLine = true
        var placedFloats = -1
        /// Where the backgrounds behind the line above end.
        var barsBottom: LayoutUnit?
        while true {
            let takesIndent = (isFirstLine || (startsParagraph && textStyle.indentEachLine)) != textStyle.indentHanging
            let lineIndent = takesIndent ? indent : .zero
            var y = flow.y
            var band = flow.floats.band(top: y, height: .epsilon, left: x, right: x + width)
            var end = LineEnd(next: cursor)
            var height = FontHeight.empty
            let openBefore = openItems
            var attempts = 0
            let balanced = fit?.breakWidth ?? scored.flatMap { lineIndex < $0.count ? $0[lineIndex] + lineIndent : nil }
            var omission: Omission?
            lineScale = 1
            // Moves down until the line fits beside the floats; a float's bottom edge each time.
            while true {
                let floatsBefore = placedFloats
                var available = min(band.right - band.left, balanced ?? .unlimited) - lineIndent
                if fit != nil { available = (balanced ?? width) - lineIndent }
                var lineFlow = flow
                let lineY = y
                let onFloat: FloatHandler? =
                    content.hasFloats
                    ? { layouter, item, position in
                        let free = layouter.meetLineFloat(
                            item, position: position + lineIndent, y: lineY, x: x, width: width,
                            percentageHeight: percentageHeight,
                            parent: fragment, placed: &placedFloats, flow: &lineFlow)
                        return min(free, balanced ?? .unlimited) - lineIndent
                    } : nil
                // A word is not broken on a terminal while it fits below the floats.
                let isBeside = isOnTerminal && (band.left > x || band.right < x + width)
                end = findLineEnd(
                    content, from: cursor, available: available, indent: lineIndent, percentageBase: width,
                    breaksWords: !isBeside, onFloat: onFloat)
                if isOnTerminal, end.overflows, !isBeside, yieldsToWidth(box) {
                    wrapsAlways = true
                    end = findLineEnd(
                        content, from: cursor, available: available, indent: lineIndent, percentageBase: width,
                        onFloat: onFloat)
                    wrapsAlways = false
                }
                if placedFloats != floatsBefore {
                    flow = lineFlow
                    band = flow.floats.band(top: y, height: .epsilon, left: x, right: x + width)
                }
                attempts += 1
                if end.overflows, band.left > x || band.right < x + width, let next = flow.floats.nextEdge(below: y),
                    attempts < 10_000
                {
                    y = next
                    band = flow.floats.band(top: y, height: .epsilon, left: x, right: x + width)
                    continue
                }
                openItems = openBefore
                omission = nil
                if let limit = lineLimit, limit.left == 1 {
                    let style = content.style
                    let tail = limit.mode == .clip ? nil : tailContent(for: style)
                    let left = self.omission(
                        content, from: cursor, available: band.right - band.left - lineIndent, percentageBase: width,
                        mode: limit.mode, tail: tail)
                    omission = left
                    end.next = LineCursor(item: content.items.upperBound, offset: content.textCount)
                    end.isLast = true
                    end.hyphen = nil
                    tree.isTruncated = true
                    tree.truncationOffset = documentRange(content, from: left.from, to: end.next).lowerBound
                    if left.from.item >= content.items.upperBound {
                        tree.truncationOffset = documentRange(content, from: cursor, to: end.next).upperBound
                    }
                }
                height = collectLine(content, from: cursor, to: end, omission: omission)
                if content.hasAtomics { makeRoomForAnnotations(&height, room: isFirstLine ? roomAbove : .zero) }
                if let fit, omission == nil {
                    height = scaleLine(
                        height, fit, available: band.right - band.left - lineIndent, percentageBase: width)
                }
                let whole = flow.floats.band(top: y, height: height.height, left: x, right: x + width)
                if whole.left > band.left || whole.right < band.right, attempts < 10_000, omission == nil {
                    // A float that begins lower down reaches into the line.
                    if end.width + lineIndent <= whole.right - whole.left {
                        band = whole
                        break
                    }
                    band = whole
                    continue
                }
                break
            }
            let bars = backgroundReach()
            if let bars, let barsBottom {
                height.ascent = max(height.ascent, barsBottom + bars.gap + bars.above - y)
            }
            barsBottom = bars.map { y + height.ascent + $0.below }
            let endsParagraph = end.isForced || end.isLast
            if lineLimit != nil { lineLimit?.left -= 1 }
            let level = content.isPlaintext ? paragraphLevel(content, at: cursor.offset) : content.baseLevel
            placeLine(
                content, from: cursor, to: end, height: height,
                at: LinePlacement(
                    container: fragment, left: band.left, width: band.right - band.left, indent: lineIndent, y: y,
                    percentageBase: width,
                    endsParagraph: endsParagraph, level: level, hasTail: omission?.tail != nil))
            lineScale = 1
            if content.hasFloats { ownLines.append(tree.lines.removeLast()) } else { lineCount += 1 }
            if omission?.tail != nil, let tail = tailRect { tailPlace = (fragment, tail) }
            noteBaseline(y + height.ascent, flow: &flow)
            flow.y = y + height.height + LayoutUnit(textStyle.lineSpacing)
            if !delayedFloats.isEmpty {
                for float in delayedFloats {
                    placeFloat(float.fragment, top: flow.y, left: float.left, right: float.right, flow: &flow)
                }
                delayedFloats.removeAll(keepingCapacity: true)
            }
            if end.isForced, flow.floats.bottom > flow.y {
                flow.y = max(flow.y, flow.floats.clearance(clearSide(ofBreakBefore: end.next)))
            }
            flow.floats.retire(above: flow.y)
            isFirstLine = false
            lineIndex += 1
            startsParagraph = end.isForced
            if end.isLast || end.next == cursor { break }
            cursor = end.next
            if end.isForced, !hasContent(content, from: cursor) { break }
            if first != nil, content.items != rest.items {
                // The lines after a styled first one: the same items, shaped in their own styles.
                let shift = rest.items.lowerBound - content.items.lowerBound
                cursor = self.cursor(rest, atItem: cursor.item + shift, offset: cursor.offset)
                for open in openItems.indices { openItems[open] += shift }
                if placedFloats >= 0 { placedFloats += shift }
                content = rest
                lineTextStart = content.textStart
            }
        }
        tree.lines.append(contentsOf: ownLines)
        tree.boxes[fragment].lines = tree.lines.count - lineCount - ownLines.count..<tree.lines.count
        flow.contentBottom = max(flow.contentBottom, flow.y)
    }

    /// An anonymous block after another box: its first line is not the container's, so it is not indented (CSS Text 3 §8.1).
    private func isContinuation(_ box: Int) -> Bool {
        let parent = text.boxes[box].parent
        guard text.boxes[box].isAnonymous, parent >= 0, box != parent + 1 else { return false }
        return text.boxes[parent].kind == .block || text.boxes[parent].kind == .tableCell
    }

    /// Ruby annotations that reach above the line make it higher, as far as the margin above has no room for them.
    private func makeRoomForAnnotations(_ height: inout FontHeight, room: LayoutUnit) {
        var needed = height.ascent
        for piece in pieces where piece.kind == .atomic {
            let index = Int(fragmentOfBox[piece.box])
            guard index >= 0, tree.boxes[index].kind == .ruby else { continue }
            needed = max(
                needed,
                lineStates[piece.state].metrics.ascent - lineStates[piece.state].shift - tree.boxes[index].annotationTop
                    - room)
        }
        height.ascent = needed
    }

    /// How far the backgrounds behind the collected line reach from its baseline, and their distance from those of the line
    /// above (`-ft-line-background`); nil when none keeps a distance.
    private mutating func backgroundReach() -> (above: LayoutUnit, below: LayoutUnit, gap: LayoutUnit)? {
        guard hasLineBackgrounds else { return nil }
        var reach: (above: LayoutUnit, below: LayoutUnit, gap: LayoutUnit)?
        for piece in pieces where piece.kind != .empty {
            guard let background = text.styles[piece.style].text.lineBackground, background.gap > 0 else { continue }
            var lowered = LayoutUnit.zero
            var state = piece.state
            while state > 0 {
                lowered += scaled(lineStates[state].shift)
                state = lineStates[state].base
            }
            let padding = LayoutUnit(background.paddingY)
            var (ascent, descent) = (lineStates[piece.state].metrics.ascent, lineStates[piece.state].metrics.descent)
            if piece.kind != .atomic {
                let metrics = inlineStyle(piece.style).text
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

    /// `clear` of the `<br>` that a line ended with.
    private func clearSide(ofBreakBefore cursor: LineCursor) -> ClearSide {
        guard cursor.item > 0, flat[cursor.item - 1].kind == .newline else { return .none }
        let id = flat[cursor.item - 1].style
        return text.styles[id].box.clear
    }

    /// Something that makes a line follows: a forced break at the very end makes none.
    func hasContent(_ content: InlineContent, from cursor: LineCursor) -> Bool {
        var item = cursor.item
        while item < content.items.upperBound {
            switch flat[item].kind {
            case .text:
                if !inlineStyles[Int(flat[item].style.rawValue)].collapsesSpaces { return true }
                for offset in Int(flat[item].start)..<Int(flat[item].end)
                where inlineText[content.textStart + offset] != 0x20 { return true }
            case .atomic, .newline, .tab, .wordBreak: return true
            case .open, .close: if inlineStyles[Int(flat[item].style.rawValue)].hasEdges { return true }
            case .float: break
            }
            item += 1
        }
        return false
    }

    /// A float met in a line: beside the line if it fits there, else below. Returns the width that the line then has.
    private mutating func meetLineFloat(
        _ item: Int, position: LayoutUnit, y: LayoutUnit, x: LayoutUnit, width: LayoutUnit,
        percentageHeight: LayoutUnit?, parent: Int,
        placed: inout Int, flow: inout Flow
    ) -> LayoutUnit {
        func free(_ flow: Flow) -> LayoutUnit {
            let band = flow.floats.band(top: y, height: .epsilon, left: x, right: x + width)
            return band.right - band.left
        }
        guard item > placed else { return free(flow) }
        let box = Int(flat[item].link)
        // The float's own lines use the same buffers.
        let outer = (openItems, lineTextStart, delayedFloats)
        delayedFloats.removeAll()
        defer { (openItems, lineTextStart) = (outer.0, outer.1) }
        let index = layoutFloat(box, parent: parent, width: width, percentageHeight: percentageHeight, flow: flow)
        let needed = tree.boxes[index].rect.width + tree.boxes[index].margin.horizontal
        delayedFloats = outer.2
        // No float is higher than an earlier one (CSS 2.1 §9.5.1, rule 5): it waits with those that wait.
        let mayStand = delayedFloats.isEmpty
        placed = item
        let clear = text.styles[tree.boxes[index].style].box.clear
        if mayStand, position == .zero || (needed <= free(flow) - position && flow.floats.clearance(clear) <= y) {
            placeFloat(index, top: y, left: x, right: x + width, flow: &flow)
        } else {
            // Keeps rule 6: no higher than the line after it.
            delayedFloats.append((index, x, x + width))
        }
        return free(flow)
    }
}
