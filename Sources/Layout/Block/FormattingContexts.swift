// Boxes that establish a formatting context of their own: the entry to every kind of layout.
//
// In: a box and the space it gets. Out: a fragment with its size and contents, positions counting from its border box; the caller says
// where it lies. Each kind (blocks, flex, table, ruby, replaced) has a file; this one chooses.

extension Layouter {
    /// Lays out `box` as the root of a formatting context; returns its fragment.
    mutating func layoutIndependent(
        _ box: Int, constraint: Constraint, placement: BoxFragment.Placement, parent: Int, origin: Int
    ) -> Int {
        guard depth < depthLimit else {
            reportDepth(box)
            let index = newFragment(box, kind: .block, placement: placement, parent: parent, origin: origin)
            tree.boxes[index].end = index + 1
            return index
        }
        depth += 1
        defer { depth -= 1 }
        let index: Int
        switch text.boxes[box].kind {
        case .block, .tableCell, .tableCaption, .tableRowGroup, .tableRow, .tableColumn, .tableColumnGroup:
            index = layoutBlockRoot(box, constraint: constraint, placement: placement, parent: parent, origin: origin)
        case .flex:
            index = layoutFlex(box, constraint: constraint, placement: placement, parent: parent, origin: origin)
        case .table:
            index = layoutTable(box, constraint: constraint, placement: placement, parent: parent, origin: origin)
        case .image, .lambda:
            index = layoutReplaced(box, constraint: constraint, placement: placement, parent: parent, origin: origin)
        case .ruby:
            index = layoutRuby(box, constraint: constraint, placement: placement, parent: parent, origin: origin)
        }
        tree.boxes[index].end = tree.boxes.count
        return index
    }

    /// Appends the fragment of a box with its edges.
    mutating func startFragment(
        _ box: Int, kind: BoxFragment.Kind, edges: BoxEdges, placement: BoxFragment.Placement, parent: Int, origin: Int
    ) -> Int {
        let index = newFragment(box, kind: kind, placement: placement, parent: parent, origin: origin)
        tree.boxes[index].border = edges.border
        tree.boxes[index].padding = edges.padding
        tree.boxes[index].margin = edges.margin
        let style = text.styles[text.boxes[box].style].box
        if !text.boxes[box].isAnonymous {
            tree.boxes[index].clips = style.overflowX != .visible || style.overflowY != .visible
        }
        return index
    }

    private mutating func layoutBlockRoot(
        _ box: Int, constraint: Constraint, placement: BoxFragment.Placement, parent: Int, origin: Int
    ) -> Int {
        var edges = cellEdges(box) ?? boxEdges(box, percentageBase: constraint.percentageWidth)
        if isOnTerminal, let width = constraint.width { edges = yielding(edges, of: box, to: width) }
        let style = text.styles[text.boxes[box].style].box
        let width = usedWidth(box, edges: edges, constraint: constraint)
        let definite = definiteHeight(box, width: width, edges: edges, constraint: constraint)
        let kind: BoxFragment.Kind =
            switch text.boxes[box].kind {
            case .tableCell: .tableCell
            case .tableCaption: .tableCaption
            case .block, .flex, .table, .tableRowGroup, .tableRow, .tableColumn, .tableColumnGroup, .image, .lambda,
                .ruby:
                .block
            }
        let index = startFragment(box, kind: kind, edges: edges, placement: placement, parent: parent, origin: origin)
        tree.boxes[index].rect.width = width
        let firstLine = tree.lines.count
        var flow = Flow(root: index)
        flow.y = edges.frame.top
        if text.boxes[box].marker >= 0 { startMarker(ofItem: index, flow: &flow) }
        if text.boxes[box].legend >= 0 {
            flow.y = layoutLegend(text.boxes[box].legend, of: index, edges: edges) + edges.padding.top
        }
        let percentageHeight =
            constraint.heightIsIndefinite ? nil : definite.map { ($0 - edges.frame.vertical).nonNegative }
        layoutContents(
            of: box, fragment: index, x: edges.frame.left, width: (width - edges.frame.horizontal).nonNegative,
            percentageHeight: percentageHeight, flow: &flow)
        finishMarker(ofItem: index, box: box, flow: &flow)
        settle(&flow)
        var bottom = flow.y
        // `-webkit-line-clamp` only covers the text beyond it, which shows unless overflow hides it (as in browsers);
        // `line-clamp` and `line-count` leave it out.
        if style.lineClamp > 0, let mode = style.truncateMode ?? (style.display == .webkitBox ? nil : .tail),
            !text.boxes[box].isAnonymous, lineLimit == nil,
            flowLines(of: index, from: firstLine).count > style.lineClamp
        {
            // Laid out again with a limit: the text beyond it is left out.
            tree.boxes.removeSubrange(index...)
            tree.lines.removeSubrange(firstLine...)
            markerLines.removeAll { $0.container >= index }
            if let place = tailPlace, place.container >= index { tailPlace = nil }
            lineLimit = LineLimit(left: style.lineClamp, mode: mode)
            let again = layoutBlockRoot(
                box, constraint: constraint, placement: placement, parent: parent, origin: origin)
            lineLimit = nil
            return again
        }
        if style.textOverflow != .clip, style.overflowX != .visible, style.lineClamp == 0, !text.boxes[box].isAnonymous
        {
            coverOverflow(of: index, from: firstLine)
        }
        if style.lineClamp > 0, lineLimit == nil, !text.boxes[box].isAnonymous,
            let clamped = clampLines(of: index, from: firstLine, limit: style.lineClamp)
        {
            bottom = clamped
        } else {
            bottom = max(bottom, flow.floats.bottom)
        }
        let automatic = max(bottom, edges.frame.top) + edges.frame.bottom
        contentHeight = automatic
        tree.boxes[index].rect.height =
            definite ?? clampHeight(automatic, box: box, edges: edges, constraint: constraint)
        tree.boxes[index].firstBaseline = flow.firstBaseline
        tree.boxes[index].lastBaseline = flow.lastBaseline
        return index
    }

    /// Lays out a fieldset's legend over the top border (HTML §15.3.13); returns where the padding begins below both.
    private mutating func layoutLegend(_ legend: Int, of fieldset: Int, edges: BoxEdges) -> LayoutUnit {
        let inner = (tree.boxes[fieldset].rect.width - edges.frame.horizontal).nonNegative
        let constraint = Constraint(available: inner, shrinksToFit: true)
        let index = layoutIndependent(
            legend, constraint: constraint, placement: .inFlow, parent: fieldset, origin: fieldset)
        let size = (width: tree.boxes[index].rect.width, height: tree.boxes[index].rect.height)
        let own = boxEdges(legend, percentageBase: inner)
        let margins = usedMargins(legend, edges: own, width: size.width, available: inner, parent: fieldset)
        tree.boxes[index].margin = margins
        tree.boxes[index].rect.x = edges.frame.left + margins.left
        // Centred on the border where that is thicker; else the border moves down to the legend's middle.
        let y = margins.top + snap.floor((edges.border.top - size.height) / 2).nonNegative
        tree.boxes[index].rect.y = y
        tree.boxes[fieldset].legend = index
        return max(edges.border.top, y + size.height + margins.bottom)
    }

    // MARK: Atomic inlines

    /// Lays out an inline-level box and notes its width and height for the line it will be on.
    mutating func layoutAtomic(_ box: Int, parent: Int, width: LayoutUnit, percentageHeight: LayoutUnit?, origin: Int) {
        let constraint = Constraint(available: width, percentageHeight: percentageHeight, shrinksToFit: true)
        let index = layoutApart(box, constraint: constraint, placement: .atomic, parent: parent, origin: origin)
        let fragment = tree.boxes[index]
        atomicWidths[box] = fragment.rect.width + fragment.margin.horizontal
    }

    func atomicWidth(_ box: Int) -> LayoutUnit { atomicWidths[box] }

    /// Ascent and descent of an atomic box's margin box about its baseline (CSS 2.1 §10.8.1).
    func atomicHeight(_ box: Int) -> FontHeight {
        let index = Int(fragmentOfBox[box])
        guard index >= 0 else { return FontHeight(ascent: .zero, descent: .zero) }
        let fragment = tree.boxes[index]
        let whole = fragment.rect.height + fragment.margin.vertical
        let baseline: LayoutUnit?
        switch fragment.kind {
        case .block, .tableCell, .tableCaption: baseline = fragment.clips ? nil : fragment.lastBaseline
        case .flex, .table, .tableWrapper, .ruby: baseline = fragment.firstBaseline
        case .image where fragment.lines.isEmpty: baseline = nil
        case .image: baseline = fragment.firstBaseline
        case .lambda, .canvas, .tableRowGroup, .tableRow, .tableColumn, .marker: baseline = nil
        }
        guard let baseline else { return FontHeight(ascent: whole, descent: .zero) }
        let ascent = fragment.margin.top + baseline
        return FontHeight(ascent: ascent, descent: whole - ascent)
    }
}
