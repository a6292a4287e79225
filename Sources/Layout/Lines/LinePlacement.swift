// The second half of building a line: places the pieces that `collect` gathered, in visual order, as fragments.

import FancyTextCSS
import FancyTextTypography

struct LinePlacement {
    var container: Int
    /// The band between floats, in the formatting context's coordinates.
    var left, width, indent, y, percentageBase: LayoutUnit
    var endsParagraph: Bool
    var level: UInt8
    /// True if the line ends in the tail of a truncation.
    var hasTail = false
}

extension LineBuilder {
    /// Appends the collected line at its place; returns the rectangle of a truncation's tail in it.
    mutating func place(
        _ content: InlineContent, from start: LineCursor, to end: LineEnd, height: FontHeight, at place: LinePlacement,
        in inlines: inout InlineContents, _ tree: inout LayoutTree
    ) -> LayoutRect? {
        percentageBase = place.percentageBase
        let baseline = place.y + height.ascent
        // The baselines of inline boxes, outermost first, so that each base is computed before the boxes relative to it.
        baselines.removeAll(keepingCapacity: true)
        for state in states {
            baselines.append(baselines.isEmpty ? baseline : baselines[state.base] + scaled(state.shift))
        }
        if pieces.contains(where: { $0.kind == .tab }) { measureTabs(from: place.indent, in: content.style, &inlines) }
        BidiParagraph.order(pieces.map(\.level), into: &visual)
        findExtents()
        var width = assignPositions(&inlines)

        let style = inlines.text.styles[content.style]
        let isRightToLeft = place.level & 1 == 1
        let available = place.width - place.indent
        var hang = LayoutUnit.ceil(hanging)
        // Preserved spaces before a forced break, or at the end, hang only as far as they do not fit (CSS Text 3 §4.1.2).
        if place.endsParagraph, hang > .zero, !hangsAlways { hang.lower(to: (width - available).nonNegative) }
        let free = available - (width - hang)
        let alignment = effectiveAlignment(style, endsParagraph: place.endsParagraph)
        let isJustified =
            alignment == .justify && free > .zero && style.text.justify != .none && justify(by: free.float, &inlines)
        if isJustified { width = assignPositions(&inlines) }
        let offset =
            isJustified
            ? .zero : alignmentOffset(alignment, isRightToLeft: isRightToLeft, free: free, grid: inlines.snap)
        // Hanging space at the end of a right-to-left line extends to the left.
        let x =
            place.left + offset + (isRightToLeft ? .zero : place.indent)
            - (isRightToLeft && inlines.metric.reordersText ? hang : .zero)

        // In the paragraph's direction, a positioned box comes after all pieces before it. Between pieces of the other direction
        // it has theirs, like a neutral character (UAX #9, rule N1).
        var edge: Float = isRightToLeft ? width.float : 0
        var seen = 0
        for index in positioned.indices {
            while seen < min(positioned[index].piece, pieces.count) {
                let piece = pieces[seen]
                edge = isRightToLeft ? min(edge, piece.x) : max(edge, piece.x + piece.advance)
                seen += 1
            }
            positioned[index].x = x + LayoutUnit(edge)
            positioned[index].isRightToLeft = isRightToLeft
            guard seen > 0, seen < pieces.count, pieces[seen - 1].level & 1 == pieces[seen].level & 1,
                pieces[seen].level & 1 != place.level & 1
            else { continue }
            let before = pieces[seen - 1]
            positioned[index].x = x + LayoutUnit(isRightToLeft ? before.x + before.advance : before.x)
            positioned[index].isRightToLeft.toggle()
        }
        let firstFragment = tree.inlines.count
        emitFragments(x: x, &inlines, &tree)
        let line = LineFragment(
            container: place.container, text: inlines.documentRange(content, from: start, to: end.next),
            rect: LayoutRect(x: x, y: place.y, width: width, height: height.height), baseline: baseline,
            fragments: firstFragment..<tree.inlines.count, endsParagraph: place.endsParagraph,
            isTruncated: place.hasTail)
        tree.lines.append(line)
        guard place.hasTail else { return nil }
        let added = tree.inlines[line.fragments].filter { $0.kind == .generated }.map(\.rect)
        return added.dropFirst().reduce(added.first) { $0?.united(with: $1) }.flatMap { $0.width > .zero ? $0 : nil }
    }

    /// The alignment by `text-align`, or by `text-align-last` at the end of a paragraph (CSS Text 3 §6).
    private func effectiveAlignment(_ style: ComputedStyle, endsParagraph: Bool) -> TextAlign {
        guard endsParagraph else { return style.text.align }
        switch style.text.alignLast {
        case .auto: return style.text.align == .justify ? .start : style.text.align
        case .start: return .start
        case .end: return .end
        case .left: return .left
        case .right: return .right
        case .center: return .center
        case .justify: return .justify
        }
    }

    /// The distance by which the line moves right; a line that is too wide overflows at the end of the block's direction.
    private func alignmentOffset(_ alignment: TextAlign, isRightToLeft: Bool, free: LayoutUnit, grid: LayoutGrid)
        -> LayoutUnit
    {
        guard let isRight = alignment.isRight(inRightToLeft: isRightToLeft)
        else { return isRightToLeft && free <= .zero ? free : grid.floor(free / 2).nonNegative }
        if isRight { return isRightToLeft ? free : free.nonNegative }
        return isRightToLeft ? min(free, .zero) : .zero
    }

    private mutating func measureTabs(from indent: LayoutUnit, in block: StyleID, _ inlines: inout InlineContents) {
        var x = indent.float
        for index in pieces.indices {
            if pieces[index].kind == .tab {
                pieces[index].advance = inlines.tabAdvance(pieces[index].style, in: block, position: x)
            }
            x += pieces[index].advance
        }
    }

    /// Finds the first and the last piece of each inline box, from left to right.
    private mutating func findExtents() {
        for (position, index) in visual.enumerated() {
            let state = pieces[index].state
            states[state].firstPosition.lower(to: position)
            states[state].lastPosition.raise(to: position)
        }
        // A box precedes those nested in it.
        for state in states.indices.dropFirst().reversed() {
            let parent = states[state].parent
            states[parent].firstPosition.lower(to: states[state].firstPosition)
            states[parent].lastPosition.raise(to: states[state].lastPosition)
        }
    }

    /// Adds up the edges that begin before each piece from left to right, and those that end after it.
    private mutating func sumEdges(_ inlines: inout InlineContents) {
        openingEdges.removeAll(keepingCapacity: true)
        closingEdges.removeAll(keepingCapacity: true)
        for state in states.indices.dropFirst() where states[state].lastPosition >= 0 {
            let edges = lineEdges(state, &inlines)
            guard edges.left != .zero || edges.right != .zero else { continue }
            if openingEdges.isEmpty {
                openingEdges.append(contentsOf: repeatElement(.zero, count: visual.count))
                closingEdges.append(contentsOf: repeatElement(.zero, count: visual.count))
            }
            openingEdges[states[state].firstPosition] += edges.left
            closingEdges[states[state].lastPosition] += edges.right
        }
    }

    /// The visible edges of inline box `state` on this line: left and right, margins included.
    private func lineEdges(_ state: Int, _ inlines: inout InlineContents) -> (left: LayoutUnit, right: LayoutUnit) {
        let lineState = states[state]
        guard !lineState.isAtomic, inlines.inlineStyles[Int(lineState.style.rawValue)].hasEdges, state > 0
        else { return (.zero, .zero) }
        let edges = inlines.inlineEdges(lineState.style, percentageBase: percentageBase)
        let isRightToLeft = inlines.inlineStyles[Int(lineState.style.rawValue)].direction == .rtl
        return (
            lineState.hasEdge(onLeft: true, isRightToLeft) ? edges.total.left : .zero,
            lineState.hasEdge(onLeft: false, isRightToLeft) ? edges.total.right : .zero
        )
    }

    /// Sets the x of each piece from the start of the line; returns the line's width.
    private mutating func assignPositions(_ inlines: inout InlineContents) -> LayoutUnit {
        sumEdges(&inlines)
        var x = LayoutUnit.zero
        var within: Float = 0
        for (position, index) in visual.enumerated() {
            let piece = pieces[index]
            if !openingEdges.isEmpty, openingEdges[position] != .zero {
                x = x + .ceil(within) + openingEdges[position]
                within = 0
            }
            pieces[index].x = x.float + within
            within += piece.advance
            if piece.endsItem || piece.kind != .text {
                x += piece.kind == .tab ? .round(within) : .ceil(within)
                within = 0
            }
            if !closingEdges.isEmpty, closingEdges[position] != .zero {
                x = x + .ceil(within) + closingEdges[position]
                within = 0
            }
        }
        return x + .ceil(within)
    }

    /// A height on the line multiplied by the scale of its glyphs, in whole pixels if that is not 1.
    func scaled(_ size: LayoutUnit) -> LayoutUnit { scale == 1 ? size : LayoutUnit((size.float * scale).rounded()) }

    private mutating func emitFragments(x: LayoutUnit, _ inlines: inout InlineContents, _ tree: inout LayoutTree) {
        for index in states.indices { states[index].fragment = -1 }
        openFragments.removeAll(keepingCapacity: true)
        for (position, index) in visual.enumerated() {
            let piece = pieces[index]
            // Closes the boxes that do not contain this piece; states nested in a box follow it.
            while let top = openFragments.last, piece.state < top || piece.state >= states[top].end {
                closeFragment(top, before: position, right: x + .ceil(pieceRight), &inlines, &tree)
            }
            // Opens those that do, outermost first.
            path.removeAll(keepingCapacity: true)
            var state = states[piece.state].isAtomic ? states[piece.state].parent : piece.state
            while state > 0, states[state].fragment < 0 {
                path.append(state)
                state = states[state].parent
            }
            var left = x + .floor(piece.x)
            for state in path where states[state].firstPosition == position { left -= lineEdges(state, &inlines).left }
            for state in path.reversed() {
                openFragment(state, at: position, left: &left, level: piece.level, &inlines, &tree)
            }
            emitPiece(piece, x: x, &inlines, &tree)
            pieceRight = piece.x + piece.advance
        }
        while let top = openFragments.last {
            closeFragment(top, before: visual.count, right: x + .ceil(pieceRight), &inlines, &tree)
        }
    }

    private mutating func openFragment(
        _ state: Int, at position: Int, left: inout LayoutUnit, level: UInt8, _ inlines: inout InlineContents,
        _ tree: inout LayoutTree
    ) {
        let (lineState, baseline) = (states[state], baselines[state])
        let info = inlines.inlineStyles[Int(lineState.style.rawValue)]
        let edges = inlines.inlineEdges(lineState.style, percentageBase: percentageBase)
        let isRightToLeft = info.direction == .rtl
        let hasLeft = lineState.firstPosition == position && lineState.hasEdge(onLeft: true, isRightToLeft)
        let rect = LayoutRect(
            x: hasLeft ? left + edges.margin.left : left, y: baseline - scaled(info.text.ascent) - edges.frame.top,
            height: scaled(info.text.height) + edges.frame.vertical)
        left = hasLeft ? rect.x + edges.frame.left : rect.x
        states[state].fragment = tree.inlines.count
        openFragments.append(state)
        tree.inlines.append(
            InlineFragment(
                kind: .box, level: level, hasStartEdge: hasLeft && !isRightToLeft,
                hasEndEdge: hasLeft && isRightToLeft, style: lineState.style, element: lineState.element, rect: rect,
                baseline: baseline + scaled(info.drop), text: 0..<0, font: info.font))
    }

    private mutating func closeFragment(
        _ state: Int, before position: Int, right: LayoutUnit, _ inlines: inout InlineContents, _ tree: inout LayoutTree
    ) {
        openFragments.removeLast()
        let lineState = states[state]
        guard lineState.fragment >= 0 else { return }
        var right = right
        // The edges of nested boxes on the right are inside this one.
        if let inner = innerRight { right.raise(to: inner) }
        let isRightToLeft = inlines.inlineStyles[Int(lineState.style.rawValue)].direction == .rtl
        let hasRight = lineState.lastPosition < position && lineState.hasEdge(onLeft: false, isRightToLeft)
        let edges = inlines.inlineEdges(lineState.style, percentageBase: percentageBase)
        if hasRight { right += edges.frame.right }
        tree.inlines[lineState.fragment].rect.width = (right - tree.inlines[lineState.fragment].rect.x).nonNegative
        let edge: WritableKeyPath<InlineFragment, Bool> = isRightToLeft ? \.hasStartEdge : \.hasEndEdge
        if hasRight { tree.inlines[lineState.fragment][keyPath: edge] = true }
        tree.inlines[lineState.fragment].children = tree.inlines.count - lineState.fragment - 1
        states[state].fragment = -1
        innerRight = hasRight ? right + edges.margin.right : right
        if openFragments.isEmpty { innerRight = nil }
    }

    private mutating func emitPiece(
        _ piece: LinePiece, x: LayoutUnit, _ inlines: inout InlineContents, _ tree: inout LayoutTree
    ) {
        innerRight = nil
        let info = inlines.inlineStyle(piece.style)
        let baseline = baselines[piece.state]
        let left = x.float + piece.x
        let range = piece.start + piece.delta..<max(piece.start, piece.end) + piece.delta
        switch piece.kind {
        case .empty: return
        case .atomic:
            let fragment = Int(tree.fragmentOfBox[piece.box])
            guard fragment >= 0 else { return }
            let margin = tree.boxes[fragment].margin
            tree.boxes[fragment].rect.x = .floor(left) + margin.left
            tree.boxes[fragment].rect.y =
                baseline - states[piece.state].metrics.ascent
                + (inlines.inlineStyles[Int(states[0].style.rawValue)].isInverted ? margin.bottom : margin.top)
            tree.inlines.append(
                InlineFragment(
                    kind: .atomic, level: piece.level, style: piece.style, element: piece.element,
                    rect: tree.boxes[fragment].rect, baseline: baseline, text: range, font: info.font,
                    payload: fragment))
        case .text, .tab, .generated:
            tree.inlines.append(
                InlineFragment(
                    kind: piece.kind == .generated ? .generated : .text, level: piece.level, style: piece.style,
                    element: piece.element,
                    rect: LayoutRect(
                        x: .floor(left), y: baseline - scaled(info.text.ascent), width: .ceil(piece.advance),
                        height: scaled(info.text.height)),
                    baseline: piece.isUpright ? baseline : baseline + scaled(info.drop), text: range, font: piece.font,
                    glyphs: piece.glyphs, origin: left, isUpright: piece.isUpright, stretch: piece.stretch,
                    scale: scale))
        }
    }
}

extension TextAlign {
    /// Returns whether lines are on the right; nil if they are in the middle.
    func isRight(inRightToLeft isRightToLeft: Bool) -> Bool? {
        switch self {
        case .left: false
        case .right: true
        case .start, .justify, .matchParent: isRightToLeft
        case .end: !isRightToLeft
        case .center: nil
        }
    }
}

extension InlineContents {
    /// The document bytes of a range of the content.
    func documentRange(_ content: InlineContent, from start: LineCursor, to end: LineCursor) -> Range<Int> {
        func position(_ cursor: LineCursor, isEnd: Bool) -> Int? {
            if cursor.item < content.items.upperBound, flat[cursor.item].kind == .text,
                !isEnd || cursor.offset > Int(flat[cursor.item].start)
            {
                return cursor.offset + flat[cursor.item].delta
            }
            var index = isEnd ? cursor.item - 1 : cursor.item
            while content.items.contains(index) {
                switch flat[index].kind {
                case .text, .atomic, .newline, .tab:
                    return Int(isEnd ? flat[index].end : flat[index].start) + flat[index].delta
                case .open, .close, .float, .wordBreak: break
                }
                index += isEnd ? -1 : 1
            }
            return nil
        }
        let lower = position(start, isEnd: false) ?? position(end, isEnd: true) ?? 0
        return lower..<max(lower, position(end, isEnd: true) ?? lower)
    }
}
