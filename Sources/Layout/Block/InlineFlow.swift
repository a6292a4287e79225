// The lines of a block container, each between the floats at its height.

import FancyTextBoxes
import FancyTextCSS

/// The state of a block container while its lines are made.
private struct Paragraph {
    let box: Int
    let container: BlockContainer
    let style: ComputedStyle
    /// The contents in the styles of the next line; `rest` has the styles of all lines after the first.
    var content: InlineContent
    let rest: InlineContent
    let indent: LayoutUnit
    let fit: LineFitting?
    /// The widths of the lines if a paragraph is broken as a whole.
    let scored: [LayoutUnit]?
    /// The space above the next line for ruby annotations.
    var roomAbove: LayoutUnit

    var line = LineBuilder()
    /// The start of the next line. `startsParagraph` is set after a forced break and at the beginning.
    var cursor: LineCursor
    var startsParagraph = true
    /// The base level of the text between forced breaks.
    var level: UInt8 = 0
    /// The indent of a line of code, with which it continues on a terminal.
    var codeIndent = LayoutUnit.zero
    var lineCount = 0
    /// With floats, lines are added only after all lines of the floats, because a box's lines are contiguous in the tree.
    var waitingLines: [LineFragment] = []
    var omitted = 0..<0
    /// The bottom of the line backgrounds of the line above.
    var barsBottom: LayoutUnit?
    /// The last float that was met; `delayedFloats` are those placed below the line.
    var lastFloat = -1
    var delayedFloats: [LaidOutFloat] = []

    /// Returns whether something beside the line narrows it.
    func isNarrowed(_ band: FloatBand) -> Bool { band.left > container.x || band.right < container.x + container.width }
}

private struct FoundLine {
    var end: LineEnd
    var omission: Omission?
    var height = FontHeight.empty
    var indent, y: LayoutUnit
    var band: FloatBand
    /// The width at which the line is broken, if it is not the band's; includes the indent.
    var breakWidth: LayoutUnit?

    var width: LayoutUnit { band.right - band.left - indent }
}

extension LayoutTree {
    /// Adds an inline box around all fragments of the last line.
    fileprivate mutating func wrapLastLine(in style: StyleID, _ info: InlineStyle) {
        let line = lines[lines.count - 1]
        let rects = line.fragments.map { inlines[$0].rect }
        guard let left = rects.map(\.x).min(), let right = rects.map(\.maxX).max() else { return }
        let box = InlineFragment(
            kind: .box, level: 0, style: style, element: boxes[line.container].element,
            rect: LayoutRect(
                x: left, y: line.baseline - info.text.ascent, width: right - left, height: info.text.height),
            baseline: line.baseline, text: line.text, font: info.font, children: line.fragments.count)
        inlines.insert(box, at: line.fragments.lowerBound)
        lines[lines.count - 1].fragments = line.fragments.lowerBound..<line.fragments.upperBound + 1
    }
}

extension LayoutEngine {
    /// Lays out the inline content of `box` as lines, beginning at the flow's height.
    mutating func layoutLines(of box: Int, in container: BlockContainer, flow: inout Flow) {
        let content = inlines.contents[inlines.inlineContent(of: box)]
        if content.isEmpty {
            if content.holdsOutOfFlow { meetOutOfFlow(content.items, in: container, flow: &flow) }
            return
        }
        if isPastLimit { return }
        let start = lineLimit == nil || !content.hasAtomics ? nil : (mark: mark, flow: flow)
        let omitted = layoutLines(of: box, content, without: 0..<0, in: container, flow: &flow)
        guard let start, omitted.contains(where: { inlines.flat[$0].kind == .atomic }) else { return }
        // Laid out again without the omitted boxes.
        takeBack(to: start.mark)
        flow = start.flow
        _ = layoutLines(of: box, content, without: omitted, in: container, flow: &flow)
    }

    /// Places the boxes out of the flow among items without lines.
    private mutating func meetOutOfFlow(_ items: Range<Int>, in container: BlockContainer, flow: inout Flow) {
        for item in items where inlines.flat[item].kind == .float {
            let box = inlines.flat[item].box
            if text.boxes[box].isPositioned {
                noteStaticPosition(of: box, in: container, flow: &flow)
            } else {
                meetFloat(box, in: container, flow: &flow)
            }
        }
    }

    /// Returns the items that a limit omits. `left` are items that are not placed on any line.
    private mutating func layoutLines(
        of box: Int, _ content: InlineContent, without left: Range<Int>, in container: BlockContainer, flow: inout Flow
    ) -> Range<Int> {
        let roomAbove =
            content.hasAtomics || inlines.hasMarks
            ? roomAbove(container.fragment, margin: flow.strut.sum.nonNegative) : .zero
        settle(&flow)
        if content.hasAtomics {
            for item in content.items where inlines.flat[item].kind == .atomic && !left.contains(item) {
                let box = inlines.flat[item].box
                let fragment = tree.boxes[layoutShrunk(box, as: .atomic, in: container, root: flow.root)]
                inlines.atomicWidths[box] = fragment.rect.width + fragment.margin.horizontal
                inlines.overhangRuby(item: item, in: content.items, &tree)
            }
        }
        let style = text.styles[content.style]
        let width = container.width
        let fit = inlines.fitting(content, sizes: style.text.fitLines ?? options.fitLines, width: width)
        let isNarrowed = fit == nil && flow.floats.bottom > flow.y
        let scored =
            isNarrowed ? nil : inlines.scoredLineWidths(content, width: fit?.breakWidth ?? width, isFitted: fit != nil)
        let first = inlines.firstLineContent(of: box) ?? content
        // The indent is within the first letter.
        var indents = !isContinuation(box)
        if hasLineEdges, letter(in: content) != nil {
            flow.y += raise(ofLetterIn: content)
            indents = false
        }
        var paragraph = Paragraph(
            box: box, container: container, style: style, content: first, rest: content,
            indent: indents ? resolve(style.text.indent, width, grid: snap) : .zero, fit: fit,
            scored: scored, roomAbove: roomAbove, cursor: inlines.firstCursor(first))
        // The contents of floats make their own lines while this paragraph has the builder's arrays.
        swap(&paragraph.line, &line)
        paragraph.line.openItems.removeAll(keepingCapacity: true)
        while !stops(), layoutLine(&paragraph, flow: &flow) {}
        swap(&paragraph.line, &line)
        tree.lines += paragraph.waitingLines
        tree.boxes[container.fragment].lines = tree.lines.count - paragraph.lineCount..<tree.lines.count
        return paragraph.omitted
    }

    /// Makes the next line; false if it was the last.
    private mutating func layoutLine(_ paragraph: inout Paragraph, flow: inout Flow) -> Bool {
        var found = findLine(&paragraph, flow: &flow)
        if !flow.waitingMarkers.isEmpty {
            found.y += riseOfMarkers(over: found.height.ascent, at: found.y, in: paragraph.container.fragment, flow)
        }
        let bars = paragraph.line.backgroundReach(&inlines)
        if let bars, let barsBottom = paragraph.barsBottom {
            found.height.ascent.raise(to: barsBottom + bars.gap + bars.above - found.y)
        }
        paragraph.barsBottom = bars.map { found.y + found.height.ascent + $0.below }
        let content = paragraph.content
        let end = found.end
        if hasLineEdges, flow.trimsNextLine {
            found.y -= found.height.ascent - edgesOfText(content.style).over
            flow.trimsNextLine = false
        }
        if lineLimit != nil { lineLimit?.left -= 1 }
        if paragraph.startsParagraph { paragraph.level = inlines.baseLevel(content, at: paragraph.cursor.offset) }
        let tailRect = paragraph.line.place(
            content, from: paragraph.cursor, to: end, height: found.height,
            at: LinePlacement(
                container: paragraph.container.fragment, left: found.band.left,
                width: found.band.right - found.band.left, indent: found.indent, y: found.y,
                percentageBase: paragraph.container.width, endsParagraph: end.isForced || end.isLast,
                level: paragraph.level, hasTail: found.omission?.tail?.startsBelow == false), in: &inlines, &tree)
        if paragraph.lineCount == 0, let style = text.firstLines[paragraph.box]?.box {
            tree.wrapLastLine(in: style, inlines.inlineStyle(style))
        }
        if let tailRect { tailPlace = (paragraph.container.fragment, tailRect) }
        if let omission = found.omission {
            let shift = paragraph.rest.items.lowerBound - content.items.lowerBound
            let first = omission.from.item + shift
            paragraph.omitted = first..<max(first, omission.to.item + shift)
        }
        noteStaticPositions(paragraph, found)
        if content.hasAtomics || inlines.hasMarks, let line = tree.lines.last { paragraph.roomAbove = roomBelow(line) }
        if content.hasFloats { paragraph.waitingLines.append(tree.lines.removeLast()) }
        paragraph.lineCount += 1
        noteBaseline(found.y + (axes.invertsLines ? found.height.descent : found.height.ascent), flow: &flow)
        flow.y = found.y + found.height.height + LayoutUnit(paragraph.style.text.lineSpacing)
        if hasLineEdges { flow.lastLine = (flow.y, found.height.descent - edgesOfText(content.style).under) }
        if let tail = found.omission?.tail { layoutLinesBelow(of: tail, &paragraph, flow: &flow) }
        for float in paragraph.delayedFloats { placeFloat(float, top: flow.y, flow: &flow) }
        paragraph.delayedFloats.removeAll(keepingCapacity: true)
        if end.isForced, flow.floats.bottom > flow.y, end.next.item > 0,
            case let lineBreak = inlines.flat[end.next.item - 1], lineBreak.kind == .newline
        {
            flow.y.raise(to: flow.floats.clearance(text.styles[lineBreak.style].box.clear))
        }
        flow.floats.retire(above: flow.y)
        if end.isLast || end.next == paragraph.cursor { return false }
        if end.isForced, !inlines.hasContent(content, from: end.next) {
            meetOutOfFlow(end.next.item..<content.items.upperBound, in: paragraph.container, flow: &flow)
            return false
        }
        (paragraph.startsParagraph, paragraph.cursor) = (end.isForced, end.next)
        if content.items != paragraph.rest.items {
            // After a styled first line the same items continue, shaped in their own styles.
            let shift = paragraph.rest.items.lowerBound - content.items.lowerBound
            paragraph.cursor = inlines.cursor(paragraph.rest, atItem: end.next.item + shift, offset: end.next.offset)
            for open in paragraph.line.openItems.indices { paragraph.line.openItems[open] += shift }
            if paragraph.lastFloat >= 0 { paragraph.lastFloat += shift }
            paragraph.content = paragraph.rest
        }
        return true
    }

    /// The space for annotations above the first line of a block: its padding, and without a border above the margin and what the
    /// block before leaves below its em boxes.
    private mutating func roomAbove(_ block: Int, margin: LayoutUnit) -> LayoutUnit {
        let own = tree.boxes[block]
        // A box measured for its widths has no parent.
        guard own.border.top == .zero, own.parent >= 0 else { return own.padding.top }
        let room = own.padding.top + margin
        let before = sequence(first: block - 1) { [tree] in tree.boxes[$0].parent }
            .first { $0 <= own.parent || tree.boxes[$0].parent == own.parent }
        guard let before, before > own.parent, tree.boxes[before].border.bottom == .zero,
            style(of: tree.boxes[before].box).box.float == .none, !text.boxes[tree.boxes[before].box].isPositioned,
            let line = tree.boxes[before].lines.last
        else { return room }
        return room + tree.boxes[before].padding.bottom + roomBelow(tree.lines[line])
    }

    /// The space between a line's em boxes and its bottom, for annotations of the next; below 0 if one extends below.
    private mutating func roomBelow(_ line: LineFragment) -> LayoutUnit {
        var lowest = line.baseline
        var annotations = LayoutUnit.zero
        for fragment in tree.inlines[line.fragments] {
            switch fragment.kind {
            case .text, .generated:
                let em = FontHeight(emBoxOf: inlines.metric.metrics(fragment.font))
                let bottom = fragment.baseline + em.descent
                lowest.raise(to: bottom)
                guard inlines.hasMarks, case let marks = inlines.inlineStyle(fragment.style).marks, marks < .zero
                else { break }
                annotations.raise(to: bottom - marks - line.rect.y)
            case .atomic where fragment.payload >= 0:
                let box = tree.boxes[fragment.payload]
                lowest.raise(to: box.kind == .ruby ? fragment.rect.y + box.emBottom : fragment.rect.maxY)
                if box.annotationBottom > .zero {
                    annotations.raise(to: fragment.rect.y + box.annotationBottom - line.rect.y)
                }
            case .atomic, .box: break
            }
        }
        let room = (line.rect.maxY - lowest).nonNegative
        return annotations > .zero ? min(room, line.rect.height - annotations) : room
    }

    /// Notes the static positions of a line's positioned boxes. Inline ones are in the line; blocks are at its start, or at that of
    /// the next line if content precedes them. As in browsers they have the height of the line, and no width.
    private mutating func noteStaticPositions(_ paragraph: Paragraph, _ found: FoundLine) {
        let container = paragraph.container
        for place in paragraph.line.positioned {
            var isRightToLeft = paragraph.style.text.direction == .rtl
            var x = isRightToLeft ? container.x + container.width : container.x
            var y = found.y
            if style(of: place.box).box.hasInlineStaticPosition {
                (x, isRightToLeft) = (place.x, place.isRightToLeft)
            } else if place.piece > 0 {
                y += found.height.height
            }
            let alignment = staticAlignment(of: place.box, in: paragraph.style, isRightToLeft: isRightToLeft)
            staticPositions[place.box] = StaticPosition(
                container: container.fragment, horizontal: .at(x, alignment.along),
                vertical: StaticPosition.Axis(start: y, end: y + found.height.height, alignment: alignment.across))
        }
    }

    /// Finds and collects the next line. It moves down to the next bottom edge of a float until it fits.
    private mutating func findLine(_ paragraph: inout Paragraph, flow: inout Flow) -> FoundLine {
        let style = paragraph.style
        let isFirst = paragraph.lineCount == 0
        let mayIndent = isFirst || (paragraph.startsParagraph && style.text.indentEachLine)
        let takesIndent = mayIndent != style.text.indentHanging
        if snap.isOfCells, paragraph.startsParagraph, style.text.whiteSpaceCollapse == .preserve {
            let line = inlines.inlineText[(paragraph.content.textStart + paragraph.cursor.offset)...]
            let spaces = line.prefix(paragraph.container.width.rounded / 2).prefix { $0 == 0x20 }.count
            paragraph.codeIndent = .cell * spaces
        }
        var found = FoundLine(
            end: LineEnd(next: paragraph.cursor),
            indent: takesIndent ? paragraph.indent : paragraph.startsParagraph ? .zero : paragraph.codeIndent,
            y: flow.y, band: flow.floats.band(top: flow.y, in: paragraph.container))
        found.breakWidth = paragraph.fit?.breakWidth
        if let scored = paragraph.scored, paragraph.lineCount < scored.count {
            found.breakWidth = scored[paragraph.lineCount] + found.indent
        }
        let openItems = paragraph.line.openItems
        var attempts = 0
        while true {
            findEnd(of: &found, &paragraph, flow: &flow)
            attempts += 1
            if found.end.overflows, style.text.wraps, paragraph.isNarrowed(found.band), attempts < 10_000,
                let next = flow.floats.nextLineEdge(below: found.y)
            {
                found.y = next
                found.band = flow.floats.band(top: next, in: paragraph.container)
                continue
            }
            (paragraph.line.openItems, found.omission) = (openItems, nil)
            if lineLimit?.left == 1 { omitRest(of: &found, paragraph) }
            found.height = paragraph.line.collect(
                paragraph.content, from: paragraph.cursor, to: found.end, omission: found.omission,
                hasStrut: inlines.countsEmptyBoxes || text.boxes[paragraph.box].alwaysHasStrut
                    || (isFirst && text.boxes[paragraph.box].marker >= 0), in: &inlines, &tree)
            if paragraph.content.hasAtomics || inlines.hasMarks {
                paragraph.line.makeRoomForAnnotations(
                    &found.height, room: paragraph.roomAbove,
                    strut: FontHeight(emBoxOf: inlines.inlineStyle(paragraph.content.style).metrics), &inlines, tree)
            }
            if let fit = paragraph.fit, found.omission == nil {
                found.height = paragraph.line.scale(
                    found.height, fit, available: found.width, percentageBase: paragraph.container.width, in: &inlines)
            }
            guard attempts < 10_000, found.omission == nil else { return found }
            // A float that begins lower narrows the line; a line that became lower may reach less of it.
            let whole = flow.floats.band(top: found.y, height: found.height.height, in: paragraph.container)
            let isNarrower = whole.left > found.band.left || whole.right < found.band.right
            found.band = whole
            if !isNarrower || found.end.width <= found.width { return found }
        }
    }

    /// Finds the end of a line in its band; floats in the line may narrow the band.
    private mutating func findEnd(of found: inout FoundLine, _ paragraph: inout Paragraph, flow: inout Flow) {
        // A word is not broken on a terminal while it fits below the floats.
        let isBeside = snap.isOfCells && paragraph.isNarrowed(found.band)
        let yields = !isBeside && yieldsToWidth(paragraph.box)
        let floatsBefore = paragraph.lastFloat
        let available =
            paragraph.fit == nil
            ? min(found.band.right - found.band.left, found.breakWidth ?? .unlimited)
            : found.breakWidth ?? paragraph.container.width
        for wrapsAlways in [false, true] {
            var breaker = LineBreaker(
                paragraph.content, from: paragraph.cursor, available: available - found.indent, indent: found.indent,
                percentageBase: paragraph.container.width, breaksWords: !isBeside, wrapsAlways: wrapsAlways,
                in: &inlines)
            breaker.endsAtOverflow = yields && !wrapsAlways
            walk: while true {
                switch breaker.next(&inlines) {
                case .end(let end):
                    found.end = end
                    break walk
                case .float(let item, let position):
                    let free = meetLineFloat(item, at: position + found.indent, y: found.y, &paragraph, flow: &flow)
                    // The band of a float that was placed before is known for the height of the line.
                    let known = item > floatsBefore ? .unlimited : found.band.right - found.band.left
                    breaker.available = min(free, known, found.breakWidth ?? .unlimited) - found.indent
                }
            }
            guard found.end.overflows, yields else { break }
        }
        if paragraph.lastFloat != floatsBefore { found.band = flow.floats.band(top: found.y, in: paragraph.container) }
    }

    /// A limit on the number of lines, some of which the tail may use; `…` replaces a tail that needs all of them.
    mutating func newLimit(
        of lines: Int, _ mode: BoxStyle.TruncateMode, tail: TruncationTail = .given, isOfDocument: Bool = false
    ) -> LineLimit {
        var limit = LineLimit(left: lines, mode: mode, tail: tail, isOfDocument: isOfDocument)
        tree.tailFallback.raise(to: tail)
        guard mode != .clip, tail == .given, let given = options.tail else { return limit }
        let below = inlines.tailContent(given, for: .root, percentageBase: .zero).lines.count - 1
        if below < lines {
            limit.left -= below
            limit.linesBelow = below
        } else {
            limit.tail = .ellipsis
        }
        tree.tailFallback.raise(to: limit.tail)
        return limit
    }

    /// Makes the line the last one of a limit, unless the tail does not fit, which leaves its lines to the text.
    private mutating func omitRest(of found: inout FoundLine, _ paragraph: Paragraph) {
        let content = paragraph.content
        let tail = fittingTail(for: content.style, firstWidth: found.width, width: paragraph.container.width)
        guard let limit = lineLimit, limit.left == 1 else { return }
        let end = LineCursor(item: content.items.upperBound, offset: content.textCount)
        let omission =
            limit.mode != .clip && tail?.startsBelow != false
            ? Omission(from: found.end.next, to: end, tail: tail)
            : inlines.omission(
                content, from: paragraph.cursor, available: found.width, percentageBase: paragraph.container.width,
                mode: limit.mode, tail: tail)
        (found.omission, found.end.next, found.end.isLast) = (omission, end, true)
        found.end.hyphen = nil
        tree.isTruncated = true
        let isWhole = omission.from.item >= content.items.upperBound
        let lower =
            isWhole
            ? inlines.documentRange(content, from: paragraph.cursor, to: end).upperBound
            : inlines.documentRange(content, from: omission.from, to: end).lowerBound
        tree.truncationOffset = lower
        guard limit.isOfDocument else { return }
        // Collapsible white space before the tail is removed.
        let box = text.boxes[paragraph.box].text
        let shown = text.text[box.lowerBound..<(isWhole ? box.upperBound : max(lower, box.lowerBound))]
        let resumes = omission.to.item < content.items.upperBound
        tree.truncation = Truncation(
            box: paragraph.box, start: shown.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? box.lowerBound,
            resume: resumes ? inlines.documentRange(content, from: omission.to, to: end).lowerBound : nil,
            tail: limit.mode == .clip ? .none : limit.tail)
    }

    /// The tail of the limit in force for a line of text with `style`: the first that fits of the given one, `…` and none (nil).
    /// One with fewer lines leaves the others to the text.
    private mutating func fittingTail(for style: StyleID, firstWidth: LayoutUnit, width: LayoutUnit) -> TailContent? {
        guard lineLimit?.mode != .clip else { return nil }
        while let kind = lineLimit?.tail, kind != .none {
            let given = kind == .given ? options.tail : nil
            let tail = inlines.tailContent(given, for: style, percentageBase: width)
            let widths = [firstWidth] + Array(repeating: width, count: tail.lines.count - 1)
            if zip(tail.lines, widths).allSatisfy({ $0.width <= $1.float + 1 / 64 }) { return tail }
            let other = given == nil ? TruncationTail.none : .ellipsis
            lineLimit?.tail = other
            tree.tailFallback.raise(to: other)
            guard let limit = lineLimit, limit.givesBack else { continue }
            lineLimit?.left += limit.linesBelow
            lineLimit?.linesBelow = 0
        }
        return nil
    }

    private mutating func layoutLinesBelow(of tail: TailContent, _ paragraph: inout Paragraph, flow: inout Flow) {
        let content = inlines.contents[tail.content]
        let container = paragraph.container
        for line in tail.lines.dropFirst() {
            let height = paragraph.line.collectTailLine(line, of: content, hasStrut: true, in: &inlines, &tree)
            let rect = paragraph.line.place(
                content, from: line.start, to: LineEnd(next: line.end), height: height,
                at: LinePlacement(
                    container: container.fragment, left: container.x, width: container.width, indent: .zero, y: flow.y,
                    percentageBase: container.width, endsParagraph: true, level: content.baseLevel, hasTail: true),
                in: &inlines, &tree)
            if let rect { tailPlace = (container.fragment, tailPlace.map { $0.rect.united(with: rect) } ?? rect) }
            // The text that it replaces is on the line above.
            let end = tree.truncationOffset ?? 0
            tree.lines[tree.lines.count - 1].text = end..<end
            if paragraph.content.hasFloats { paragraph.waitingLines.append(tree.lines.removeLast()) }
            paragraph.lineCount += 1
            flow.y += height.height + LayoutUnit(paragraph.style.text.lineSpacing)
        }
    }

    /// Returns whether a block is anonymous and follows another box: its first line has no indent (CSS Text 3 §8.1).
    private func isContinuation(_ box: Int) -> Bool {
        let parent = text.boxes[box].parent
        guard text.boxes[box].isAnonymous, parent >= 0, box != parent + 1 else { return false }
        return text.boxes[parent].kind == .block || text.boxes[parent].kind == .tableCell
    }

    /// Places a float met in a line: beside the line if it fits there, else below. Returns the new width of the line.
    private mutating func meetLineFloat(
        _ item: Int, at position: LayoutUnit, y: LayoutUnit, _ paragraph: inout Paragraph, flow: inout Flow
    ) -> LayoutUnit {
        var band = flow.floats.band(top: y, in: paragraph.container)
        let box = inlines.flat[item].box
        guard !text.boxes[box].isPositioned, item > paragraph.lastFloat else { return band.right - band.left }
        paragraph.lastFloat = item
        let index = layoutShrunk(box, as: .float, in: paragraph.container, root: flow.root)
        let raise = hasLineEdges ? arrangeLetter(index, in: paragraph.rest) : .zero
        let fragment = tree.boxes[index]
        let needed = fragment.rect.width + fragment.margin.horizontal
        let clearance = flow.floats.clearance(text.styles[fragment.style].box.clear)
        let float = (fragment: index, container: paragraph.container)
        // No float is above an earlier one (CSS 2.1 §9.5.1, rule 5), so it is delayed if others are.
        if paragraph.delayedFloats.isEmpty,
            position == .zero || (needed <= band.right - band.left - position && clearance <= y)
        {
            placeFloat(float, top: y - raise, flow: &flow)
        } else {
            // Rule 6: it is not above the line after it.
            paragraph.delayedFloats.append(float)
        }
        band = flow.floats.band(top: y, in: paragraph.container)
        return band.right - band.left
    }
}
