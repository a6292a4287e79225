// Block formatting contexts: boxes below one another with collapsing margins, beside floats (CSS 2.1 §9.4.1, §8.3.1, §9.5).
//
// In: a box whose children are blocks or inline content. Out: fragments placed in the coordinates of the context's root. One pass: a box whose top edge is not
// known yet, because margins still collapse, waits in `unresolved`; the first content (a line, a border, a
// replaced box, clearance) settles the height for all that wait.

import Styling

/// Margins that adjoin: the largest positive and the most negative (CSS 2.1 §8.3.1).
struct MarginStrut {
    var positive = LayoutUnit.zero
    var negative = LayoutUnit.zero

    mutating func append(_ margin: LayoutUnit) {
        if margin >= .zero { positive = max(positive, margin) } else { negative = min(negative, margin) }
    }
    var sum: LayoutUnit { positive + negative }
}

/// A block formatting context being filled; positions count from its root's border box.
struct Flow {
    var root: Int
    /// Bottom edge of what has been placed; `strut` hangs below it.
    var y = LayoutUnit.zero
    var strut = MarginStrut()
    /// Fragments whose top is where the strut will end.
    var unresolved: [Int] = []
    var floats = FloatSpace()
    /// Floats met while the height was open.
    var waitingFloats: [(fragment: Int, left: LayoutUnit, right: LayoutUnit)] = []
    /// List items whose marker waits for a first line.
    var waitingMarkers: [Int] = []
    var firstBaseline: LayoutUnit?
    var lastBaseline: LayoutUnit?
    /// Lowest edge of anything in flow.
    var contentBottom = LayoutUnit.zero

    init(root: Int) { self.root = root }
}

extension Layouter {
    /// Settles the height of all that waits: the margins so far have collapsed to their sum.
    mutating func settle(_ flow: inout Flow) {
        flow.y += flow.strut.sum
        flow.strut = MarginStrut()
        if !flow.unresolved.isEmpty {
            for fragment in flow.unresolved { tree.boxes[fragment].rect.y = flow.y }
            flow.unresolved.removeAll(keepingCapacity: true)
        }
        placeWaitingFloats(&flow)
    }

    mutating func placeWaitingFloats(_ flow: inout Flow) {
        guard !flow.waitingFloats.isEmpty else { return }
        let waiting = flow.waitingFloats
        flow.waitingFloats.removeAll(keepingCapacity: true)
        for float in waiting {
            placeFloat(float.fragment, top: flow.y, left: float.left, right: float.right, flow: &flow)
        }
    }

    /// Notes the baseline of a line or box at `y` of the context, and puts waiting list markers beside it.
    mutating func noteBaseline(_ y: LayoutUnit, flow: inout Flow) {
        if flow.firstBaseline == nil { flow.firstBaseline = y }
        flow.lastBaseline = y
        guard !flow.waitingMarkers.isEmpty else { return }
        for item in flow.waitingMarkers { placeMarker(ofItem: item, baseline: y) }
        flow.waitingMarkers.removeAll(keepingCapacity: true)
    }

    // MARK: Children

    /// Lays out the contents of `box` from the flow's position: its lines or its block children.
    mutating func layoutContents(
        of box: Int, fragment: Int, x: LayoutUnit, width: LayoutUnit, percentageHeight: LayoutUnit?, flow: inout Flow
    ) {
        if text.boxes[box].holdsInlines {
            layoutLines(
                of: box, fragment: fragment, x: x, width: width, percentageHeight: percentageHeight, flow: &flow)
            return
        }
        var child = box + 1
        let end = text.boxes[box].end
        while child < end {
            // After the last line of a limit nothing follows.
            if let limit = lineLimit, limit.left <= 0 { break }
            if child == text.boxes[box].legend {
                child = text.boxes[child].end
                continue
            }
            let style = text.styles[text.boxes[child].style].box
            if style.float != .none, !text.boxes[child].isAnonymous {
                meetFloat(child, parent: fragment, x: x, width: width, percentageHeight: percentageHeight, flow: &flow)
            } else if isIndependent(child) {
                layoutIndependentChild(
                    child, parent: fragment, x: x, width: width, percentageHeight: percentageHeight, flow: &flow)
            } else {
                layoutBlockChild(
                    child, parent: fragment, x: x, width: width, percentageHeight: percentageHeight, flow: &flow)
            }
            child = text.boxes[child].end
        }
    }

    /// Whether the box establishes a formatting context of its own.
    func isIndependent(_ box: Int) -> Bool {
        switch text.boxes[box].kind {
        case .block:
            if text.boxes[box].isAnonymous { return false }
            if text.boxes[box].isFieldset { return true }
            let style = text.styles[text.boxes[box].style].box
            switch style.display {
            case .flowRoot, .inlineBlock, .tableCell, .tableCaption, .webkitBox, .ruby: return true
            case .none, .contents, .block, .inline, .listItem, .flex, .inlineFlex, .grid, .inlineGrid, .table,
                .inlineTable,
                .tableRowGroup, .tableHeaderGroup, .tableFooterGroup, .tableRow, .tableColumn, .tableColumnGroup,
                .rubyText, .rubyBase:
                break
            }
            return style.overflowX != .visible || style.overflowY != .visible || style.lineClamp > 0
        case .flex, .table, .tableRowGroup, .tableRow, .tableCell, .tableCaption, .tableColumn, .tableColumnGroup,
            .image, .lambda, .ruby:
            return true
        }
    }

    mutating func newFragment(
        _ box: Int, kind: BoxFragment.Kind, placement: BoxFragment.Placement, parent: Int, origin: Int
    ) -> Int {
        let styled = text.boxes[box]
        var fragment = BoxFragment(
            box: box, style: styled.style, element: styled.element, kind: kind, placement: placement, parent: parent,
            origin: origin)
        fragment.isAnonymous = styled.isAnonymous
        tree.boxes.append(fragment)
        fragmentOfBox[box] = Int32(clamping: tree.boxes.count - 1)
        return tree.boxes.count - 1
    }

    /// Lays out a block that takes part in the flow around it.
    mutating func layoutBlockChild(
        _ box: Int, parent: Int, x: LayoutUnit, width available: LayoutUnit, percentageHeight: LayoutUnit?,
        flow: inout Flow
    ) {
        guard depth < depthLimit else { return reportDepth(box) }
        depth += 1
        defer { depth -= 1 }
        let style = text.styles[text.boxes[box].style]
        var edges = boxEdges(box, percentageBase: available)
        if isOnTerminal, text.boxes[box].marker >= 0 { makeRoomForMarker(of: box, x: x, width: available, &edges) }
        let constraint = Constraint(available: available, percentageHeight: percentageHeight)
        let borderWidth = usedWidth(box, edges: edges, constraint: constraint)
        let margins = usedMargins(box, edges: edges, width: borderWidth, available: available, parent: parent)

        let fragment = newFragment(box, kind: .block, placement: .inFlow, parent: parent, origin: flow.root)
        tree.boxes[fragment].isContextRoot = false
        tree.boxes[fragment].border = edges.border
        tree.boxes[fragment].padding = edges.padding
        tree.boxes[fragment].margin = margins
        tree.boxes[fragment].rect.x = x + margins.left
        tree.boxes[fragment].rect.width = borderWidth

        if !text.boxes[box].isAnonymous { clear(style.box.clear, margin: margins.top, flow: &flow) }
        flow.strut.append(margins.top)
        flow.unresolved.append(fragment)
        let definite = definiteHeight(box, width: borderWidth, edges: edges, constraint: constraint)
        if edges.border.top + edges.padding.top > .zero {
            settle(&flow)
            flow.y += edges.border.top + edges.padding.top
        }
        if text.boxes[box].marker >= 0 { startMarker(ofItem: fragment, flow: &flow) }

        let contentX = x + margins.left + edges.frame.left
        let contentWidth = (borderWidth - edges.frame.horizontal).nonNegative
        // Per cents are of the closest box that an element made (CSS 2 §9.2.1.1).
        // In quirks mode, of the closest that has a height (Quirks Mode §3.5).
        let isOfElement =
            !text.boxes[box].isAnonymous && (box > 0 || !text.isDocument)
            && (definite != nil || text.documentMode != .quirks)
        layoutContents(
            of: box, fragment: fragment, x: contentX, width: contentWidth,
            percentageHeight: isOfElement ? definite.map { ($0 - edges.frame.vertical).nonNegative } : percentageHeight,
            flow: &flow)
        finishMarker(ofItem: fragment, box: box, flow: &flow)

        // Still open: nothing in the box had a height, so its top and bottom margins adjoin.
        let isOpen = waits(fragment, flow)
        let bottomFrame = edges.border.bottom + edges.padding.bottom
        if isOpen {
            let height = clampHeight(definite ?? edges.frame.vertical, box: box, edges: edges, constraint: constraint)
            if height > .zero {
                settle(&flow)
                flow.y += height
                tree.boxes[fragment].rect.height = height
            }
        } else {
            let top = tree.boxes[fragment].rect.y
            var bottom = flow.y
            var automatic = bottom - top
            if bottomFrame > .zero {
                bottom += flow.strut.sum
                flow.strut = MarginStrut()
                automatic = bottom + bottomFrame - top
            }
            let height = clampHeight(definite ?? automatic.nonNegative, box: box, edges: edges, constraint: constraint)
            if definite != nil || height != automatic.nonNegative {
                // The children's margins stay inside of a box whose height is not theirs.
                flow.strut = MarginStrut()
            }
            while let empty = flow.unresolved.last, empty > fragment {
                tree.boxes[empty].rect.y = flow.y
                flow.unresolved.removeLast()
            }
            tree.boxes[fragment].rect.height = height
            flow.y = top + height
        }
        flow.strut.append(margins.bottom)
        flow.contentBottom = max(flow.contentBottom, flow.y)
        tree.boxes[fragment].end = tree.boxes.count
    }

    /// Margins with `auto` resolved: what is left over is shared (CSS 2.1 §10.3.3).
    func usedMargins(_ box: Int, edges: BoxEdges, width: LayoutUnit, available: LayoutUnit, parent: Int) -> Edges {
        var margins = edges.margin
        guard !text.boxes[box].isAnonymous else { return margins }
        let style = text.styles[text.boxes[box].style].box
        let free = available - width - margins.horizontal
        let isRightToLeft = parent >= 0 && text.styles[tree.boxes[parent].style].text.direction == .rtl
        switch (style.margin.left == nil, style.margin.right == nil) {
        case (true, true):
            let left = snap.floor(free / 2).nonNegative
            margins.left = left
            margins.right = free - left
        case (true, false): margins.left = free.nonNegative
        case (false, true): margins.right = free
        case (false, false): if isRightToLeft { margins.left += free }
        }
        return margins
    }

    /// Moves the flow below the floats that `side` names, if the box's top would be above (CSS 2.1 §9.5.2).
    private mutating func clear(_ side: ClearSide, margin: LayoutUnit, flow: inout Flow) {
        guard side != .none else { return }
        if !flow.waitingFloats.isEmpty {
            // The floats need a height to be clear of.
            settle(&flow)
        }
        let edge = flow.floats.clearance(side)
        var strut = flow.strut
        strut.append(margin)
        guard edge > flow.y + strut.sum else { return }
        settle(&flow)
        // The margin still counts as part of the box, above its top edge; clearance makes up the rest.
        flow.y = edge - margin
    }

    /// Lays out a box with a formatting context of its own beside floats (CSS 2.1 §9.5).
    mutating func layoutIndependentChild(
        _ box: Int, parent: Int, x: LayoutUnit, width available: LayoutUnit, percentageHeight: LayoutUnit?,
        flow: inout Flow
    ) {
        let style = text.styles[text.boxes[box].style].box
        let edges = boxEdges(box, percentageBase: available)
        clear(style.clear, margin: edges.margin.top, flow: &flow)
        flow.strut.append(edges.margin.top)
        settle(&flow)
        if text.boxes[box].marker >= 0 { flow.waitingMarkers.append(-1) }
        var constraint = Constraint(available: available, percentageHeight: percentageHeight)
        // Takes what room there is, down to its minimum.
        let isFlexible: Bool
        switch text.boxes[box].kind {
        case .block, .flex, .table: isFlexible = style.width == .auto
        case .tableRowGroup, .tableRow, .tableCell, .tableCaption, .tableColumn, .tableColumnGroup, .image, .lambda,
            .ruby:
            isFlexible = false
        }
        var y = flow.y
        var band = (left: x, right: x + available)
        if flow.floats.bottom > y {
            let needed: LayoutUnit
            if isFlexible {
                needed = intrinsicWidths(box).minimum
            } else {
                needed = usedWidth(box, edges: edges, constraint: constraint)
            }
            let found = flow.floats.opportunity(
                top: y, width: max(needed, .epsilon), height: .epsilon, left: x + edges.margin.left.nonNegative,
                right: x + available - edges.margin.right.nonNegative)
            y = found.y
            let isBeside = found.left > x + edges.margin.left || found.right < x + available - edges.margin.right
            if isBeside {
                band = (max(x, found.left - edges.margin.left), min(x + available, found.right + edges.margin.right))
                constraint.available = band.right - band.left
            }
        }
        let index = layoutIndependent(
            box, constraint: constraint, placement: .inFlow, parent: parent, origin: flow.root)
        let width = tree.boxes[index].rect.width
        let margins = usedMargins(box, edges: edges, width: width, available: band.right - band.left, parent: parent)
        tree.boxes[index].margin = margins
        tree.boxes[index].rect.x = band.left + margins.left
        tree.boxes[index].rect.y = y
        if flow.waitingMarkers.last == -1 { flow.waitingMarkers.removeLast() }
        if let baseline = tree.boxes[index].firstBaseline { noteBaseline(y + baseline, flow: &flow) }
        if let baseline = tree.boxes[index].lastBaseline { flow.lastBaseline = y + baseline }
        flow.y = y + tree.boxes[index].rect.height
        flow.strut.append(margins.bottom)
        flow.contentBottom = max(flow.contentBottom, flow.y)
    }

    // MARK: Floats

    /// Lays out a float and places it at the flow's height, or keeps it until that is known.
    mutating func meetFloat(
        _ box: Int, parent: Int, x: LayoutUnit, width: LayoutUnit, percentageHeight: LayoutUnit?, flow: inout Flow
    ) {
        let index = layoutFloat(box, parent: parent, width: width, percentageHeight: percentageHeight, flow: flow)
        // A box without lines that only holds floats has no place of its own in the flow: its container's counts.
        var container = parent
        while container > 0, tree.boxes[container].isAnonymous, waits(container, flow) {
            container = tree.boxes[container].parent
        }
        if waits(container, flow) {
            flow.waitingFloats.append((index, x, x + width))
        } else {
            placeFloat(index, top: flow.y + flow.strut.sum, left: x, right: x + width, flow: &flow)
        }
    }

    /// The top of `fragment` is not settled. (Waiting fragments ascend, and settling empties the list.)
    func waits(_ fragment: Int, _ flow: Flow) -> Bool { (flow.unresolved.first ?? .max) <= fragment }

    mutating func layoutFloat(_ box: Int, parent: Int, width: LayoutUnit, percentageHeight: LayoutUnit?, flow: Flow)
        -> Int
    {
        let constraint = Constraint(available: width, percentageHeight: percentageHeight, shrinksToFit: true)
        return layoutApart(box, constraint: constraint, placement: .float, parent: parent, origin: flow.root)
    }

    /// Places a laid out float no higher than `top` between `left` and `right`.
    mutating func placeFloat(_ index: Int, top: LayoutUnit, left: LayoutUnit, right: LayoutUnit, flow: inout Flow) {
        let fragment = tree.boxes[index]
        let style = text.styles[fragment.style].box
        let margin = fragment.margin
        let top = max(top, flow.floats.clearance(style.clear))
        let place = flow.floats.place(
            style.float, width: (fragment.rect.width + margin.horizontal).nonNegative,
            height: (fragment.rect.height + margin.vertical).nonNegative, top: top, left: left, right: right)
        tree.boxes[index].rect.x = place.x + margin.left
        tree.boxes[index].rect.y = place.y + margin.top
    }
}
