// Block formatting contexts (CSS 2.1 §9.4.1, §8.3.1, §9.5). In one pass: a box whose top is unknown while margins
// collapse is `unresolved` until the first content (a line, a border, clearance) sets it.

import FancyTextBoxes
import FancyTextCSS

/// Adjoining margins: the largest positive and the most negative (CSS 2.1 §8.3.1).
struct MarginStrut {
    var positive = LayoutUnit.zero, negative = LayoutUnit.zero
    /// The largest default margin of quirks mode. With `dropsQuirky` it collapses away, at the top of the body and of cells (HTML
    /// §15.3.10).
    var quirky = LayoutUnit.zero
    var dropsQuirky = false
    /// True while margins collapse away (`margin-trim`).
    var isTrimmed = false

    mutating func append(_ margin: LayoutUnit, isQuirky: Bool = false) {
        guard !isTrimmed else { return }
        if margin < .zero {
            negative.lower(to: margin)
        } else if !isQuirky {
            positive.raise(to: margin)
        } else if !dropsQuirky {
            quirky.raise(to: margin)
        }
    }
    var sum: LayoutUnit { max(positive, quirky) + negative }
}

/// The content box of a block container, in the coordinates of its formatting context's root.
struct BlockContainer {
    var fragment: Int
    var x, width: LayoutUnit
    /// The base of percentages; nil if the height depends on the contents.
    var percentageHeight: LayoutUnit?
}

/// A float after its layout, and the container between whose edges it is placed.
typealias LaidOutFloat = (fragment: Int, container: BlockContainer)

/// The space that a box with a formatting context of its own needs between floats.
private struct RoomBesideFloats {
    let box: Int
    let edges: BoxEdges
    let container: BlockContainer
    /// True if the box fills the available width; a table has at least the width of its contents.
    let isFlexible: Bool
    let isRightToLeft: Bool

    /// The minimum width of its border box.
    func width(_ engine: inout LayoutEngine) -> LayoutUnit {
        let constraint = engine.space(of: box, in: container)
        if !isFlexible { return engine.usedWidth(box, edges, constraint) }
        return engine.text.boxes[box].kind == .table
            ? engine.intrinsicWidths(box).minimum
            : engine.clampWidth(edges.frame.horizontal, of: box, edges, constraint)
    }

    /// The first height from `top` at which a border box of a size fits, and the edges there from which its margins are measured.
    func find(in floats: FloatSpace, top: LayoutUnit, width: LayoutUnit, height: LayoutUnit) -> (
        y: LayoutUnit, left: LayoutUnit, right: LayoutUnit
    ) {
        let (left, right) = (container.x, container.x + container.width)
        // If the width is fixed, the margin at the end is reduced.
        let first = isFlexible || !isRightToLeft ? left + edges.margin.left.nonNegative : left
        let last = isFlexible || isRightToLeft ? right - edges.margin.right.nonNegative : right
        let found = floats.opportunity(top: top, width: width, height: height, left: first, right: last)
        guard found.left > first || found.right < last else { return (found.y, left, right) }
        return (found.y, max(left, found.left - edges.margin.left), min(right, found.right + edges.margin.right))
    }
}

/// A block formatting context being filled; positions count from its root's border box.
struct Flow {
    var root: Int
    /// The bottom edge of the placed content; `strut` is below it.
    var y = LayoutUnit.zero
    var strut = MarginStrut()
    /// The next top edge after clearance, whatever the margins.
    var clearedTop: LayoutUnit?
    /// Set when the last box had clearance and no height: its margins do not adjoin its parent's bottom margin (CSS 2.1 §8.3.1).
    var endsInClearance = false
    /// The fragments whose top edge will be the end of the strut.
    var unresolved: [Int] = []
    var floats = FloatSpace()
    /// The floats met while the height was unknown.
    var waitingFloats: [LaidOutFloat] = []
    /// The positioned boxes met while the height was unknown.
    var waitingPositions: [Int] = []
    /// The list items whose markers need a first line.
    var waitingMarkers: [Int] = []
    var firstBaseline, lastBaseline: LayoutUnit?
    /// Set while the next line is trimmed at its top (`text-box-trim`).
    var trimsNextLine = false
    /// The bottom of the last line, and the distance by which it can be trimmed.
    var lastLine: (bottom: LayoutUnit, trim: LayoutUnit)?

    /// The top edge of a box that begins here.
    var nextTop: LayoutUnit { clearedTop ?? y + strut.sum }

    /// Returns whether the top of `fragment` is unknown. Unresolved fragments ascend, and settling empties the list.
    func waits(_ fragment: Int) -> Bool { (unresolved.first ?? .max) <= fragment }
}

extension LayoutEngine {
    /// Sets the height of all unresolved fragments to the sum of the margins collapsed until now.
    mutating func settle(_ flow: inout Flow) {
        (flow.y, flow.clearedTop, flow.endsInClearance) = (flow.nextTop, nil, false)
        flow.strut = MarginStrut()
        for fragment in flow.unresolved { tree.boxes[fragment].rect.y = flow.y }
        flow.unresolved.removeAll(keepingCapacity: true)
        placeWaiting(at: flow.y, flow: &flow)
    }

    private mutating func placeWaiting(at y: LayoutUnit, flow: inout Flow) {
        for box in flow.waitingPositions {
            staticPositions[box]?.vertical.start = y
            staticPositions[box]?.vertical.end = y
        }
        flow.waitingPositions.removeAll(keepingCapacity: true)
        guard !flow.waitingFloats.isEmpty else { return }
        let waiting = flow.waitingFloats
        flow.waitingFloats.removeAll(keepingCapacity: true)
        for float in waiting { placeFloat(float, top: y, flow: &flow) }
    }

    /// Notes the baseline of a line or box at `y` of the context, and places pending list markers beside it.
    mutating func noteBaseline(_ y: LayoutUnit, flow: inout Flow) {
        if flow.firstBaseline == nil { flow.firstBaseline = y }
        flow.lastBaseline = y
        guard !flow.waitingMarkers.isEmpty else { return }
        for item in flow.waitingMarkers { placeMarker(ofItem: item, baseline: y) }
        flow.waitingMarkers.removeAll(keepingCapacity: true)
    }

    // MARK: Children

    /// Lays out the contents of `box` from the flow's position: its lines or its block children.
    mutating func layoutContents(of box: Int, in container: BlockContainer, flow: inout Flow) {
        if text.boxes[box].holdsInlines { return layoutLines(of: box, in: container, flow: &flow) }
        var child = box + 1
        let end = text.boxes[box].end
        while child < end {
            // Nothing follows the last line of a limit.
            if isPastLimit { break }
            if child != text.boxes[box].legend { layoutChild(child, in: container, flow: &flow) }
            child = text.boxes[child].end
        }
    }

    mutating func layoutChild(_ box: Int, in container: BlockContainer, flow: inout Flow) {
        var container = container
        let outerName = pageName
        if let pages = options.pages {
            let name = columns(of: box)?.page ?? pageName
            let isCover = fillsFirstPage(box, name, pages, in: container, flow)
            if name != pageName || isCover {
                // A page of another name, or the first one, may have another width.
                let usual = pages.area(of: pageName, isFirst: false).width
                container.width = (container.width + (pages.area(of: name, isFirst: isCover).width - usual)).nonNegative
                pageName = name
            }
        }
        defer { pageName = outerName }
        if text.boxes[box].isPositioned {
            noteStaticPosition(of: box, in: container, flow: &flow)
        } else if let style = ownStyle(of: box), style.box.float != .none {
            meetFloat(box, in: container, flow: &flow)
        } else if text.establishesContext(box) {
            layoutIndependentChild(box, in: container, flow: &flow)
        } else {
            layoutBlockChild(box, in: container, flow: &flow)
        }
    }

    /// Returns whether a box is the document's first, in a container as wide as the pages, and as high as the first page or followed
    /// by a forced break.
    private func fillsFirstPage(
        _ box: Int, _ name: String, _ pages: PageAreas, in container: BlockContainer, _ flow: Flow
    ) -> Bool {
        guard flow.root == 0, flow.y == .zero, !text.boxes[box].isPositioned,
            container.width == pages.area(of: pageName, isFirst: false).width
        else { return false }
        if columns(of: box)?.breakAfter.forcesPage == true { return true }
        guard case .length(let height) = style(of: box).box.height, !height.isRelative else { return false }
        return LayoutUnit(height.px + 1) >= pages.area(of: name, isFirst: true).height
    }

    private func columns(of box: Int) -> ColumnStyle? {
        guard let style = ownStyle(of: box), !style.box.$columns else { return nil }
        return style.box.columns
    }

    /// Lays out a block that takes part in the surrounding flow.
    mutating func layoutBlockChild(_ box: Int, in container: BlockContainer, flow: inout Flow) {
        if stops() { return }
        guard depth < depthLimit else { return reportDepth(box) }
        depth += 1
        defer { depth -= 1 }
        let style = ownStyle(of: box)
        var edges = boxEdges(box, percentageBase: container.width)
        if text.boxes[box].marker >= 0 { makeRoomForMarker(of: box, x: container.x, width: container.width, &edges) }
        let constraint = space(of: box, in: container)
        let borderWidth = usedWidth(box, edges, constraint)
        let margins = usedMargins(box, edges, width: borderWidth, available: container.width, in: container.fragment)
        edges.margin = margins

        let fragment = newFragment(box, kind: .block, as: FragmentSlot(parent: container.fragment, origin: flow.root))
        tree.boxes[fragment].isContextRoot = false
        tree.boxes[fragment].edges = edges
        tree.boxes[fragment].rect.x = container.x + margins.left
        tree.boxes[fragment].rect.width = borderWidth

        let definite = definiteHeight(box, width: borderWidth, edges, constraint)
        // A constant: with `??` in an argument, a call of a method that does not change the engine copies the engine.
        let emptyHeight = definite ?? edges.frame.vertical
        if let style, style.box.clear != .none {
            let isLeaf = text.boxes[box].end == box + 1 && text.boxes[box].items.isEmpty
            let isEmpty = isLeaf && clampHeight(emptyHeight, of: box, edges, constraint) <= .zero
            if !isEmpty || !clearEmpty(style.box.clear, margins.top, in: container, flow: &flow) {
                var strut = flow.strut
                strut.append(margins.top)
                if edges.frame.top == .zero { appendMarginsAtTop(of: box, width: borderWidth, to: &strut) }
                clear(style.box.clear, strut: strut, flow: &flow)
            }
        }
        let quirks = style?.box.quirks ?? []
        flow.strut.append(margins.top, isQuirky: quirks.contains(.marginTop))
        flow.unresolved.append(fragment)
        if edges.frame.top > .zero || isRoot(box) {
            settle(&flow)
            flow.y += edges.frame.top
            flow.trimsNextLine = false
        }
        if text.boxes[box].marker >= 0 { flow.waitingMarkers.append(fragment) }
        let edgesOfLines = beginTrimming(box, in: fragment, &flow)

        // Percentages are of the nearest element's box (CSS 2 §9.2.1.1), in quirks mode with a height (Quirks §3.5).
        let isOfElement =
            style != nil && (box > 0 || !text.isDocument) && (definite != nil || text.documentMode != .quirks)
        // The body of such a page fills the viewport (Quirks §3.4).
        let isBody = text.documentMode == .quirks && definite == nil && isRoot(text.boxes[box].parent)
        let frame = edges.frame.vertical + (isBody ? margins.vertical : .zero)
        let base = isOfElement ? definite : container.percentageHeight
        let inner = BlockContainer(
            fragment: fragment, x: container.x + margins.left + edges.frame.left,
            width: (borderWidth - edges.frame.horizontal).nonNegative,
            percentageHeight: isOfElement || isBody ? base.map { ($0 - frame).nonNegative } : base)
        if let style { tree.boxes[fragment].clips = style.box.overflowX == .clip || style.box.overflowY == .clip }
        tree.boxes[fragment].hasDefiniteHeight = inner.percentageHeight != nil
        if quirks.contains(.dropsMargins) { flow.strut.dropsQuirky = true }
        layoutContents(of: box, in: inner, flow: &flow)
        finishMarker(ofItem: fragment, box: box, flow: &flow)
        if let edgesOfLines { endTrimming(edgesOfLines, in: fragment, &flow) }

        finishBlock(fragment, of: box, definite: definite, constraint, in: container, flow: &flow)
    }

    /// Returns whether a box is that of the root element, which contains the margins and floats of its contents.
    private func isRoot(_ box: Int) -> Bool { box == 1 && text.hasRootElement }

    /// Sets the height, `definite` or by the contents, of a block and moves the flow to its bottom margin.
    private mutating func finishBlock(
        _ fragment: Int, of box: Int, definite: LayoutUnit?, _ constraint: Constraint, in container: BlockContainer,
        flow: inout Flow
    ) {
        let (edges, margins) = (tree.boxes[fragment].edges, tree.boxes[fragment].margin)
        let isQuirky = ownStyle(of: box)?.box.quirks.contains(.marginBottom) == true
        // True if nothing in the box had a height, so that its top and bottom margins adjoin.
        let isOpen = flow.waits(fragment)
        if isOpen {
            // A constant: with `??` in an argument, the call copies the engine.
            let empty = definite ?? edges.frame.vertical
            let height = clampHeight(empty, of: box, edges, constraint)
            if height > .zero {
                settle(&flow)
                flow.y += height
                tree.boxes[fragment].rect.height = height
            } else if !flow.waits(container.fragment) {
                // Its margins do not adjoin its parent's, as if it had a border below (CSS 2.1 §8.3.1). It and the unresolved
                // fragments in it are at the end of the margins before its bottom margin.
                let top = flow.nextTop
                while let waiting = flow.unresolved.last, waiting >= fragment {
                    tree.boxes[waiting].rect.y = top
                    flow.unresolved.removeLast()
                }
                placeWaiting(at: top, flow: &flow)
            }
            if let cleared = flow.clearedTop, flow.unresolved.isEmpty {
                // The next box is placed relative to that edge; the top margins are above it.
                flow.y = cleared - flow.strut.sum
                (flow.clearedTop, flow.endsInClearance) = (nil, true)
            }
        } else {
            let top = tree.boxes[fragment].rect.y
            var bottom = flow.y
            var automatic = bottom - top
            if edges.frame.bottom > .zero || flow.endsInClearance || isRoot(box) {
                bottom += flow.strut.sum
                if isRoot(box) { bottom.raise(to: flow.floats.bottom) }
                flow.strut = MarginStrut()
                automatic = bottom + edges.frame.bottom - top
            }
            let height = finalHeight(definite, contents: automatic.nonNegative, of: box, edges, constraint)
            if definite != nil || height != automatic.nonNegative {
                // The children's margins remain inside of a box whose height does not depend on them.
                flow.strut = MarginStrut()
            }
            (tree.boxes[fragment].rect.height, tree.boxes[fragment].automaticHeight) = (height, automatic.nonNegative)
            flow.y = top + height
            flow.endsInClearance = false
        }
        flow.strut.append(margins.bottom, isQuirky: isQuirky)
        tree.boxes[fragment].end = tree.boxes.count
    }

    /// The space of a block: its width is that of its contents if its alignment does not stretch it (CSS Box Alignment 3 §6.1.1).
    fileprivate func space(of box: Int, in container: BlockContainer) -> Constraint {
        var space = Constraint(available: container.width, percentageHeight: container.percentageHeight)
        if let style = ownStyle(of: box), !text.boxes[box].isReplaced {
            space.shrinksToFit = !ItemAlignment(
                .horizontal, of: style, in: text.styles[tree.boxes[container.fragment].style],
                isReplaced: text.boxes[box].control >= 0
            ).stretches
        } else if text.boxes[box].holdsItems {
            // The items of a fieldset fill its height.
            space.height = container.percentageHeight
        }
        return space
    }

    /// The used margins: `auto` ones share the free width (CSS 2.1 §10.3.3), or it is aligned (CSS Align 3 §6.1.1).
    func usedMargins(_ box: Int, _ edges: BoxEdges, width: LayoutUnit, available: LayoutUnit, in parent: Int) -> Edges {
        var margins = edges.margin
        guard let style = ownStyle(of: box) else { return margins }
        let free = available - width - margins.horizontal
        let container = text.styles[tree.boxes[parent].style]
        let (left, right) = style.box.margin.ends(.horizontal)
        let offset = ItemAlignment(.horizontal, of: style, in: container).offset(free: free, (left, right), grid: snap)
        if left == nil { margins.left = offset }
        if right == nil { margins.right = free - offset }
        if left != nil, right != nil { margins.left += container.text.direction == .rtl ? free - offset : offset }
        return margins
    }

    /// Appends the top margins of the first blocks in a box, which adjoin its own top margin (CSS 2.1 §8.3.1).
    private func appendMarginsAtTop(of box: Int, width: LayoutUnit, to strut: inout MarginStrut) {
        var (box, width) = (box, width)
        while !text.boxes[box].holdsInlines {
            var child = box + 1
            let end = text.boxes[box].end
            while child < end, text.boxes[child].isPositioned || style(of: child).box.float != .none {
                child = text.boxes[child].end
            }
            guard child < end else { return }
            let edges = boxEdges(child, percentageBase: width)
            strut.append(edges.margin.top, isQuirky: style(of: child).box.quirks.contains(.marginTop))
            guard !text.establishesContext(child), edges.frame.top == .zero else { return }
            (box, width) = (child, width - edges.frame.horizontal)
        }
    }

    /// Moves the flow below the floats of `side` if a box's top would be above their bottom (CSS 2.1 §9.5.2).
    private mutating func clear(_ side: ClearSide, strut: MarginStrut, flow: inout Flow) {
        guard side != .none else { return }
        let isWaiting = flow.waitingFloats.contains { float in
            switch text.styles[tree.boxes[float.fragment].style].box.float {
            case .left: side != .right
            case .right: side != .left
            case .none, .footnote: false
            }
        }
        let edge = flow.floats.clearance(side)
        guard isWaiting || edge > flow.y + strut.sum else { return }
        settle(&flow)
        // Floats that waited would have moved down with the box's margin: they are above it, and the box begins at their end.
        flow.clearedTop = isWaiting ? flow.floats.clearance(side) : edge
    }

    /// Ends the margin above a box without height that clears floats. In Chromium these floats then extend below the top edge of
    /// its container, and later margins are measured from there. Returns false if no margin ends.
    private mutating func clearEmpty(
        _ side: ClearSide, _ margin: LayoutUnit, in container: BlockContainer, flow: inout Flow
    ) -> Bool {
        guard flow.waitingFloats.isEmpty, !isOpen(container, flow) else { return false }
        let edge = flow.floats.clearance(side)
        var strut = flow.strut
        strut.append(margin)
        guard edge <= flow.y + strut.sum, edge > tree.boxes[container.fragment].rect.y + strut.sum else { return false }
        flow.strut = strut
        settle(&flow)
        flow.y -= margin
        return true
    }

    /// Lays out a box with a formatting context of its own beside floats (CSS 2.1 §9.5).
    mutating func layoutIndependentChild(_ box: Int, in container: BlockContainer, flow: inout Flow) {
        let style = style(of: box)
        let edges = boxEdges(box, percentageBase: container.width)
        var strut = flow.strut
        strut.append(edges.margin.top)
        clear(style.box.clear, strut: strut, flow: &flow)
        let kinds: [StyledBox.Kind] = [.block, .flex, .grid, .table]
        var constraint = space(of: box, in: container)
        let wanted = RoomBesideFloats(
            box: box, edges: edges, container: container,
            isFlexible: kinds.contains(text.boxes[box].kind) && style.box.width == .auto
                && constraint.shrinksToFit != true,
            isRightToLeft: text.styles[tree.boxes[container.fragment].style].text.direction == .rtl)
        if flow.waitingFloats.isEmpty || staysBesideWaitingFloats(wanted, margin: edges.margin.top, flow) {
            flow.strut.append(edges.margin.top)
        }
        settle(&flow)
        flow.trimsNextLine = false
        if text.boxes[box].marker >= 0 { flow.waitingMarkers.append(-1) }
        var room = (y: flow.y, left: container.x, right: container.x + container.width)
        var height = LayoutUnit.epsilon
        var index: Int
        let before = mark
        while true {
            if flow.floats.bottom > room.y {
                room = wanted.find(in: flow.floats, top: room.y, width: wanted.width(&self), height: height)
                constraint.available = room.right - room.left
            }
            index = layOut(box, in: constraint, as: FragmentSlot(parent: container.fragment, origin: flow.root))
            let size = tree.boxes[index].rect
            guard flow.floats.bottom > room.y, size.height > height else { break }
            // Floats that begin lower may narrow the space.
            let width = wanted.isFlexible ? wanted.width(&self) : size.width
            let found = wanted.find(in: flow.floats, top: room.y, width: width, height: size.height)
            if found == room { break }
            relaidBoxes += text.boxes[box].end - box
            if !wanted.isFlexible || relaidBoxes > relaidBoxesLimit {
                room = found
                break
            }
            height = size.height
            takeBack(to: before)
        }
        let width = tree.boxes[index].rect.width
        let margins = usedMargins(box, edges, width: width, available: room.right - room.left, in: container.fragment)
        var y = room.y
        tree.boxes[index].margin = margins
        tree.boxes[index].rect.origin = LayoutPoint(x: room.left + margins.left, y: y)
        if flow.waitingMarkers.last == -1 { flow.waitingMarkers.removeLast() }
        if !flow.waitingMarkers.isEmpty, let baseline = tree.boxes[index].firstBaseline {
            y += riseOfMarkers(over: baseline, at: y, in: index, flow)
        }
        let lastBaseline = flow.lastBaseline
        if let baseline = tree.boxes[index].firstBaseline { noteBaseline(y + baseline, flow: &flow) }
        let kind = tree.boxes[index].kind
        if kind == .table || kind == .tableWrapper {
            // The last line of a block is not one of a table in it (CSS 2.1 §10.8.1).
            flow.lastBaseline = lastBaseline
        } else if kind != .flex, kind != .grid {
            // In browsers it is the first one of these. A scrollable block uses its bottom margin edge (CSS Align 3 §9.1).
            if tree.boxes[index].isScrollContainer, !crosses(box) {
                flow.lastBaseline = y + tree.boxes[index].rect.height + margins.bottom
            } else if let baseline = tree.boxes[index].lastBaseline {
                flow.lastBaseline = y + baseline
            }
        }
        flow.y = y + tree.boxes[index].rect.height
        flow.strut.append(margins.bottom)
    }

    /// Returns whether a box fits beside pending floats that its top margin would move down; if not, they are above it.
    private mutating func staysBesideWaitingFloats(_ wanted: RoomBesideFloats, margin: LayoutUnit, _ flow: Flow) -> Bool
    {
        var trial = flow
        trial.strut.append(margin)
        trial.unresolved.removeAll()
        trial.waitingPositions.removeAll()
        settle(&trial)
        return wanted.find(in: trial.floats, top: trial.y, width: wanted.width(&self), height: .epsilon).y == trial.y
    }

    // MARK: Out of the flow

    /// Returns whether the height at which a box out of the flow is met is still unknown.
    private func isOpen(_ container: BlockContainer, _ flow: Flow) -> Bool {
        // A box that has no lines, only such boxes, has no position of its own in the flow; that of its container counts.
        var owner = container.fragment
        while owner > 0, tree.boxes[owner].isAnonymous, flow.waits(owner) { owner = tree.boxes[owner].parent }
        return flow.waits(owner)
    }

    /// Notes the static position of an absolutely positioned box: below the placed content.
    mutating func noteStaticPosition(of box: Int, in container: BlockContainer, flow: inout Flow) {
        let style = text.styles[tree.boxes[container.fragment].style]
        let isRightToLeft = style.text.direction == .rtl
        let alignment = staticAlignment(of: box, in: style, isRightToLeft: isRightToLeft)
        var horizontal = StaticPosition.Axis(
            start: container.x, end: container.x + container.width, alignment: alignment.along)
        if self.style(of: box).box.hasInlineStaticPosition {
            // It would be alone on a line beside the floats, with no width.
            let (left, right) = flow.floats.band(top: flow.nextTop, in: container)
            let isRight = style.text.align.isRight(inRightToLeft: isRightToLeft)
            horizontal = .at(isRight.map { $0 ? right : left } ?? left + (right - left) / 2, alignment.along)
        }
        staticPositions[box] = StaticPosition(
            container: container.fragment, horizontal: horizontal, vertical: .at(flow.nextTop, alignment.across))
        if isOpen(container, flow) { flow.waitingPositions.append(box) }
    }

    /// Lays out a float and places it at the flow's height, or keeps it until the height is known.
    mutating func meetFloat(_ box: Int, in container: BlockContainer, flow: inout Flow) {
        let index = layoutShrunk(box, as: .float, in: container, root: flow.root)
        // After clearance later margins do not move the box.
        if flow.clearedTop == nil, isOpen(container, flow) {
            flow.waitingFloats.append((index, container))
        } else {
            placeFloat((index, container), top: flow.nextTop, flow: &flow)
        }
    }

    /// Lays out a float or an inline-level box, which is as wide as its contents and has a formatting context of its own.
    mutating func layoutShrunk(
        _ box: Int, as placement: BoxFragment.Placement, in container: BlockContainer, root: Int
    ) -> Int {
        // A picture with a ratio but without a size is as wide as a block.
        let constraint = Constraint(
            available: container.width, percentageHeight: container.percentageHeight,
            shrinksToFit: text.boxes[box].kind != .image)
        return layOutApart(
            box, in: constraint, as: FragmentSlot(placement: placement, parent: container.fragment, origin: root))
    }

    /// Places a float after its layout, no higher than `top`.
    mutating func placeFloat(_ float: LaidOutFloat, top: LayoutUnit, flow: inout Flow) {
        let fragment = tree.boxes[float.fragment]
        let style = text.styles[fragment.style]
        let margin = fragment.margin
        let width = fragment.rect.width + margin.horizontal
        let (left, base) = (float.container.x, float.container.width)
        let place = flow.floats.place(
            style.box.float, width: width, height: (fragment.rect.height + margin.vertical).nonNegative,
            top: max(top, flow.floats.clearance(style.box.clear)), left: left, right: left + base,
            makeShape: style.box.$floatShape || snap.isOfCells
                ? nil
                : { [axes, replacedSizes] in
                    FloatShape(style, fragment, in: $0, axes, base: base, images: replacedSizes)
                })
        tree.boxes[float.fragment].rect.origin = LayoutPoint(x: place.x + margin.left, y: place.y + margin.top)
    }
}

extension BoxTree {
    func establishesContext(_ box: Int) -> Bool {
        switch boxes[box].kind {
        case .block:
            if boxes[box].isAnonymous { return false }
            if boxes[box].isFieldset || boxes[box].control >= 0 { return true }
            let style = styles[boxes[box].style]
            switch style.box.display {
            // Generated content is a block also where its style makes a table or a flex box.
            case .flowRoot, .inlineBlock, .tableCell, .tableCaption, .webkitBox, .ruby, .flex, .inlineFlex, .grid,
                .inlineGrid, .table, .inlineTable:
                return true
            case .none, .contents, .block, .inline, .listItem, .tableRowGroup, .tableHeaderGroup, .tableFooterGroup,
                .tableRow, .tableColumn, .tableColumnGroup, .rubyText, .rubyBase:
                break
            }
            return style.alignsContent || style.box.scrolls || style.box.lineClamp > 0 || style.hasColumns
                || style.isContained
        case .flex, .grid, .table, .tableRowGroup, .tableRow, .tableCell, .tableCaption, .tableColumn,
            .tableColumnGroup, .image, .lambda, .ruby, .math:
            return true
        }
    }
}
