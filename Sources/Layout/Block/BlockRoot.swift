// Block containers that establish a block formatting context: cells, captions, inline blocks, floats, boxes that clip.

import FancyTextCSS

extension LayoutEngine {
    mutating func layoutBlockRoot(_ box: Int, in constraint: Constraint, as slot: FragmentSlot) -> Int {
        let before = mark
        var edges = edges(of: box, percentageBase: constraint.percentageOfEdges)
        if let width = constraint.width { edges = yielding(edges, of: box, to: width) }
        let (style, own) = (style(of: box), ownStyle(of: box))
        // A line clamp counts all lines of the box, and columns break between lines, so they must exist while measuring.
        let makesColumns = own?.hasColumns == true
        let clamp = own?.box.lineClamp ?? 0
        let isMeasured = isMeasuring
        if style.box.lineClamp > 0 || makesColumns { isMeasuring = false }
        defer { isMeasuring = isMeasured }
        let width = usedWidth(box, edges, constraint)
        let definite = definiteHeight(box, width: width, edges, constraint)
        let kind = text.boxes[box].kind
        let index = startFragment(
            box, kind: kind == .tableCell ? .tableCell : kind == .tableCaption ? .tableCaption : .block, edges: edges,
            as: slot)
        tree.boxes[index].rect.width = width
        let firstLine = tree.lines.count
        var flow = Flow(root: index, y: edges.frame.top)
        flow.strut.dropsQuirky = style.box.quirks.contains(.dropsMargins)
        if text.boxes[box].marker >= 0 { flow.waitingMarkers.append(index) }
        if text.boxes[box].legend >= 0 {
            flow.y = layoutLegend(text.boxes[box].legend, of: index, edges: edges) + edges.padding.top
        }
        let percentageHeight =
            constraint.heightIsIndefinite ? nil : definite.map { ($0 - flow.y - edges.frame.bottom).nonNegative }
        let container = BlockContainer(
            fragment: index, x: edges.frame.left, width: (width - edges.frame.horizontal).nonNegative,
            percentageHeight: percentageHeight)
        tree.boxes[index].hasDefiniteHeight = percentageHeight != nil
        let edgesOfLines = beginTrimming(box, in: index, &flow)
        if makesColumns {
            let top = edges.frame.vertical
            let most = clampHeight(.unlimited, of: box, edges, constraint)
            layoutColumns(
                of: box, in: container, height: definite.map { ($0 - top).nonNegative },
                limit: most.isUnlimited ? nil : (most - top).nonNegative, flow: &flow)
        } else {
            layoutContents(of: box, in: container, flow: &flow)
        }
        finishMarker(ofItem: index, box: box, flow: &flow)
        if let edgesOfLines { endTrimming(edgesOfLines, in: index, &flow) }
        if style.box.quirks.contains(.dropsMargins) { flow.strut.quirky = .zero }
        settle(&flow)
        // `-webkit-line-clamp` only covers the text after it, as in browsers; the others and a given tail omit it.
        if clamp > 0, lineLimit == nil,
            let mode = style.box.truncateMode ?? (style.box.display == .webkitBox && options.tail == nil ? nil : .tail),
            tree.flowLines(of: index, from: firstLine).count > clamp
        {
            // Laid out again with a limit, which omits the text after it.
            takeBack(to: before)
            lineLimit = newLimit(of: clamp, mode)
            let again = layoutBlockRoot(box, in: constraint, as: slot)
            lineLimit = nil
            return again
        }
        if own != nil, style.box.textOverflow != .clip, style.box.overflowX != .visible, clamp == 0 {
            tree.coverOverflow(of: index, from: firstLine, in: &inlines)
        }
        var bottom = max(flow.y, flow.floats.bottom)
        if clamp > 0, lineLimit == nil,
            let clamped = tree.clampLines(of: index, from: firstLine, limit: clamp, in: &inlines)
        {
            bottom = clamped
        }
        let contents = max(bottom, edges.frame.top) - edges.frame.top
        let controlHeight = controlHeight(box)
        let automatic = (controlHeight ?? contents) + edges.frame.vertical
        tree.boxes[index].automaticHeight = automatic
        tree.boxes[index].rect.height = finalHeight(definite, contents: automatic, of: box, edges, constraint)
        tree.boxes[index].baselines = (flow.firstBaseline, flow.lastBaseline)
        placeControlContents(index, of: box, edges, height: controlHeight ?? contents)
        if own?.alignsContent == true, kind != .tableCell, text.boxes[box].control < 0 {
            // The contents move within the height (CSS Box Alignment 3 §5.1.1).
            let isSafe = style.box.safeAlignments.contains(.alignContent) || tree.boxes[index].isScrollContainer
            let distribution = ContentDistribution(alignment: style.box.alignContent, isSafe: isSafe)
            let free = tree.boxes[index].rect.height - automatic
            let shift = snap.floor(distribution.spread(free: free, count: 1).offset)
            tree.boxes[index].contentShift += shift
            if tree.boxes[index].legend >= 0 { tree.boxes[tree.boxes[index].legend].rect.y -= shift }
            tree.boxes[index].baselines = (flow.firstBaseline.map { $0 + shift }, flow.lastBaseline.map { $0 + shift })
        }
        return index
    }

    /// Lays out a fieldset's legend over the top border (HTML §15.3.13); returns the start of the padding, below both.
    private mutating func layoutLegend(_ legend: Int, of fieldset: Int, edges: BoxEdges) -> LayoutUnit {
        let inner = (tree.boxes[fieldset].rect.width - edges.frame.horizontal).nonNegative
        let constraint = Constraint(available: inner, shrinksToFit: true)
        let index = layOut(legend, in: constraint, as: .child(of: fieldset))
        let size = tree.boxes[index].rect.size
        let own = boxEdges(legend, percentageBase: inner)
        // It is not aligned by the `justify-items` of the fieldset.
        let margins = usedMargins(legend, own, width: size.width, available: inner, in: index)
        tree.boxes[index].margin = margins
        // The legend is centred on a thicker border; otherwise the border moves down to the legend's middle.
        let y = margins.top + snap.floor((edges.border.top - size.height) / 2).nonNegative
        tree.boxes[index].rect.origin = LayoutPoint(x: edges.frame.left + margins.left, y: y)
        tree.boxes[fieldset].legend = index
        return max(edges.border.top, y + size.height + margins.bottom)
    }

    mutating func blockWidths(_ box: Int) -> IntrinsicWidths {
        // Measured first: as an argument of a method that does not change the engine, it would work on a copy of the engine.
        let widths = flowWidths(box)
        return inColumns(widths, of: box)
    }

    func inColumns(_ contents: IntrinsicWidths, of box: Int) -> IntrinsicWidths {
        guard let style = ownStyle(of: box), style.hasColumns, !text.boxes[box].holdsItems else { return contents }
        return style.box.columns.widths(of: contents, gap: resolve(style.box.columnGap, .zero, grid: snap))
    }

    private mutating func flowWidths(_ box: Int) -> IntrinsicWidths {
        if text.boxes[box].holdsInlines { return inlineWidths(box) }
        var result = IntrinsicWidths()
        var floats = LayoutUnit.zero
        var child = box + 1
        while child < text.boxes[box].end {
            defer { child = text.boxes[child].end }
            if text.boxes[child].isPositioned { continue }
            let widths = contribution(child)
            result.minimum.raise(to: widths.minimum)
            if isOfFloats(child) {
                floats += widths.maximum
            } else {
                let line = text.establishesContext(child) ? floats + widths.maximum : max(floats, widths.maximum)
                result.maximum.raise(to: line)
                floats = .zero
            }
        }
        result.maximum.raise(to: floats)
        return result
    }

    /// Returns whether a box has only floats, which are beside the boxes after it: floats between blocks are in anonymous boxes.
    private mutating func isOfFloats(_ box: Int) -> Bool {
        guard text.boxes[box].isAnonymous, text.boxes[box].holdsInlines else { return false }
        let index = inlines.inlineContent(of: box)
        return inlines.contents[index].isEmpty && inlines.contents[index].hasFloats
    }

    private mutating func inlineWidths(_ box: Int) -> IntrinsicWidths {
        let index = inlines.inlineContent(of: box)
        let content = inlines.contents[index]
        var result = IntrinsicWidths()
        /// The widths of the floats, by item in ascending order: each is beside the line that contains its position.
        var floats: [(item: Int, width: LayoutUnit, clears: Bool)] = []
        if content.hasFloats {
            for item in content.items where inlines.flat[item].kind == .float {
                let box = inlines.flat[item].box
                if text.boxes[box].isPositioned { continue }
                let widths = contribution(box)
                result.minimum.raise(to: widths.minimum)
                floats.append((item, widths.maximum, style(of: box).box.clear != .none))
            }
            if content.isEmpty {
                var beside = LayoutUnit.zero
                for float in floats {
                    beside = float.clears ? float.width : beside + float.width
                    result.maximum.raise(to: beside)
                }
            }
        }
        guard !content.isEmpty else { return result }
        let indent = text.styles[content.style].text.indent
        let firstIndent = !indent.isRelative ? LayoutUnit(indent.px) : .zero
        for isMinimum in [false, true] {
            if content.hasAtomics {
                for item in content.items where inlines.flat[item].kind == .atomic {
                    let widths = contribution(inlines.flat[item].box)
                    inlines.atomicWidths[inlines.flat[item].box] = isMinimum ? widths.minimum : widths.maximum
                }
            }
            var cursor = inlines.firstCursor(content)
            var lineIndent = firstIndent
            var nextFloat = 0
            // Browsers measure the words of a text together, except the first one if content precedes it. So the edges that close
            // after them are added to the widest.
            var (text, widest) = (-1, LayoutUnit.zero)
            while true {
                let end = inlines.findLineEnd(
                    content, from: cursor, available: .zero, indent: lineIndent, percentageBase: .zero,
                    ignoresFit: !isMinimum, isMinContent: isMinimum)
                if isMinimum {
                    result.minimum.raise(to: end.width + lineIndent)
                    let (first, last) = (cursor.item, end.next.item)
                    if text >= 0, first == text, last == text, !end.isLast {
                        widest.raise(to: end.width)
                    } else if text >= 0, first == text, last > text,
                        end.isLast || end.next == inlines.cursor(atItem: last)
                    {
                        result.minimum.raise(to: widest + (edges(text + 1..<last, .close) ?? .zero))
                    }
                    if last != text {
                        let isAlone = !end.isLast && edges(first..<last, .open) == .zero
                        (text, widest) = (last, isAlone ? end.width : .zero)
                    }
                } else {
                    var beside = LayoutUnit.zero
                    while nextFloat < floats.count, end.isLast || floats[nextFloat].item < end.next.item {
                        // A float that clears others is below the line.
                        let float = floats[nextFloat]
                        if !float.clears { beside += float.width }
                        result.maximum.raise(to: float.width)
                        nextFloat += 1
                    }
                    result.maximum.raise(to: end.width + lineIndent + beside)
                }
                if end.isLast || end.next == cursor { break }
                (cursor, lineIndent) = (end.next, .zero)
            }
        }
        return result
    }

    /// The sum of the widths of consecutive inline boxes' edges of one kind; nil if there is anything else among the items.
    private mutating func edges(_ items: Range<Int>, _ kind: FlatItem.Kind) -> LayoutUnit? {
        var result = LayoutUnit.zero
        for item in items {
            let current = inlines.flat[item]
            guard current.kind == kind else { return nil }
            result += inlines.edge(current.style, isStart: kind == .open, percentageBase: .zero)
        }
        return result
    }
}
