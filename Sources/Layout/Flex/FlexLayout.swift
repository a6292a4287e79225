// Flex boxes (CSS Flexible Box Layout 1 §9).
//
// In: a flex container and its space. Out: its items, each the root of a formatting context, placed along the main axis in one or several
// lines. Sizes are worked out in main and cross terms, from the start edges; the last step turns them into x and y.

import Boxes
import Styling

/// A flex item while its line is worked out; sizes are of the border box.
struct FlexItem {
    let box: Int
    let kind: StyledBox.Kind
    let isAnonymous: Bool
    let style: ComputedStyle
    let edges: BoxEdges
    let alignment: BoxStyle.BoxAlignment
    let mainMargin: LayoutUnit
    let crossMargin: LayoutUnit
    var base = LayoutUnit.zero
    var main = LayoutUnit.zero
    var cross = LayoutUnit.zero
    var minimum = LayoutUnit.zero
    var maximum = LayoutUnit.unlimited
    var isFrozen = false
    var baseline = LayoutUnit.zero
    var mainPosition = LayoutUnit.zero
    var crossPosition = LayoutUnit.zero

    init<C>(_ box: Int, isRow: Bool, container: ComputedStyle, width: LayoutUnit, _ engine: inout LayoutEngine<C>) {
        self.box = box
        kind = engine.text.boxes[box].kind
        isAnonymous = engine.text.boxes[box].isAnonymous
        style = engine.style(of: box)
        edges = engine.boxEdges(box, percentageBase: width)
        var alignment = isAnonymous ? nil : style.box.alignSelf
        if alignment == nil { alignment = container.box.alignItems }
        self.alignment = alignment == .normal ? .stretch : alignment ?? .stretch
        mainMargin = isRow ? edges.margin.horizontal : edges.margin.vertical
        crossMargin = isRow ? edges.margin.vertical : edges.margin.horizontal
    }

    var isReplaced: Bool { kind == .image || kind == .lambda }
    /// Margins as the style has them: nil for `auto`.
    var margin: Sides<LengthPercentage?> { isAnonymous ? Sides(LengthPercentage.zero) : style.box.margin }

    func autoMargins(isRow: Bool) -> Int {
        isRow
            ? (margin.left == nil ? 1 : 0) + (margin.right == nil ? 1 : 0)
            : (margin.top == nil ? 1 : 0) + (margin.bottom == nil ? 1 : 0)
    }

    /// An item stretches across unless its size or a margin there is its own.
    func canStretch(isRow: Bool) -> Bool {
        if isAnonymous { return true }
        return isRow
            ? style.box.height == .auto && margin.top != nil && margin.bottom != nil
            : style.box.width == .auto && margin.left != nil && margin.right != nil
    }
}

/// One flex container being laid out.
struct FlexLayout {
    struct Line {
        var items: Range<Int>
        var cross = LayoutUnit.zero
        var position = LayoutUnit.zero
    }

    private let box: Int
    private let constraint: Constraint
    private let style: ComputedStyle
    private let edges: BoxEdges
    private let flow: FlexFlow
    private let grid: LayoutGrid
    private let width: LayoutUnit
    private let definiteHeight: LayoutUnit?
    /// Of the content box.
    private let innerWidth: LayoutUnit
    private let innerHeight: LayoutUnit?
    /// What items are laid out in.
    private let itemConstraint: Constraint
    private let crossGap: LayoutUnit
    private var mainGap: LayoutUnit
    private var wraps: Bool
    private var items: [FlexItem]
    private var lines: [Line] = []

    init<C>(_ box: Int, in constraint: Constraint, _ engine: inout LayoutEngine<C>) {
        self.box = box
        self.constraint = constraint
        edges = engine.boxEdges(box, percentageBase: constraint.percentageWidth)
        let style = engine.style(of: box)
        self.style = style
        grid = engine.snap
        width = engine.usedWidth(box, edges, constraint)
        definiteHeight = engine.definiteHeight(box, width: width, edges, constraint)
        let innerWidth = (width - edges.frame.horizontal).nonNegative
        self.innerWidth = innerWidth
        innerHeight = definiteHeight.map { [edges] in ($0 - edges.frame.vertical).nonNegative }
        itemConstraint = Constraint(
            available: innerWidth, percentageHeight: constraint.heightIsIndefinite ? nil : innerHeight)
        let flow = engine.text.flexFlow(of: box)
        self.flow = flow
        wraps = style.box.flexWraps
        mainGap = resolve(flow.isRow ? style.box.columnGap : style.box.rowGap, innerWidth, grid: grid)
        crossGap = resolve(flow.isRow ? style.box.rowGap : style.box.columnGap, innerWidth, grid: grid)
        items = []
        for child in flow.items {
            items.append(FlexItem(child, isRow: flow.isRow, container: style, width: innerWidth, &engine))
        }
    }

    private var isRow: Bool { flow.isRow }
    /// Room along and across the lines; nil where it depends on the items.
    private var mainSpace: LayoutUnit? { isRow ? innerWidth : innerHeight }
    private var crossSpace: LayoutUnit? { isRow ? innerHeight : innerWidth }

    static func intrinsicWidths<C>(_ box: Int, _ engine: inout LayoutEngine<C>) -> IntrinsicWidths {
        let style = engine.style(of: box).box
        let isRow = style.flexDirection == .row || style.flexDirection == .rowReverse
        var gap = !style.columnGap.isRelative ? LayoutUnit(style.columnGap.px) : .zero
        // Neighbours that would touch on a terminal stand off by a cell.
        if engine.isOnTerminal { gap = max(gap, .cell) }
        var result = IntrinsicWidths()
        var count = 0
        for child in engine.text.flexFlow(of: box).items {
            let widths = engine.contribution(child)
            if isRow {
                result.maximum += widths.maximum
                result.minimum = style.flexWraps ? max(result.minimum, widths.minimum) : result.minimum + widths.minimum
            } else {
                result.maximum = max(result.maximum, widths.maximum)
                result.minimum = max(result.minimum, widths.minimum)
            }
            count += 1
        }
        if isRow, count > 1 {
            result.maximum += gap * (count - 1)
            if !style.flexWraps { result.minimum += gap * (count - 1) }
        }
        return result
    }

    mutating func layOut<C>(as slot: FragmentSlot, _ engine: inout LayoutEngine<C>) -> Int {
        let index = engine.startFragment(box, kind: .flex, edges: edges, as: slot)
        engine.tree.boxes[index].rect.width = width
        for i in items.indices { sizeItem(i, parent: index, &engine) }
        if engine.isOnTerminal, isRow { yieldToWidth() }
        breakLines()
        for line in lines { resolveFlexibleLengths(line.items) }
        for i in items.indices { measureAcross(i, parent: index, &engine) }
        let crossExtent = placeLines(&engine)
        var mainExtent = mainSpace ?? .zero
        if mainSpace == nil {
            let longest = lines.map { mainSize(of: $0.items) }.max() ?? .zero
            mainExtent =
                engine.clampHeight(longest + edges.frame.vertical, of: box, edges, constraint) - edges.frame.vertical
        }
        for line in lines {
            placeOnMainAxis(line.items, size: mainExtent)
            placeOnCrossAxis(line, &engine)
        }
        let baseline = layOutItems(in: index, mainExtent: mainExtent, crossExtent: crossExtent, &engine)
        let automatic = (isRow ? crossExtent : mainExtent) + edges.frame.vertical
        engine.tree.boxes[index].automaticHeight = automatic
        engine.tree.boxes[index].rect.height =
            definiteHeight ?? engine.clampHeight(automatic, of: box, edges, constraint)
        engine.tree.boxes[index].firstBaseline = baseline
        engine.tree.boxes[index].lastBaseline = baseline
        if !flow.positioned.isEmpty { noteStaticPositions(in: index, &engine) }
        return index
    }

    /// A positioned child would stand as if it were the only item, in the container's content box (§4.1).
    private func noteStaticPositions<C>(in index: Int, _ engine: inout LayoutEngine<C>) {
        let content = engine.tree.boxes[index].rect.height - edges.frame.vertical
        let mirrorsCross = isRow ? style.box.flexWrapReverse : style.box.flexWrapReverse != (style.text.direction == .rtl)
        func axis(from start: LayoutUnit, _ length: LayoutUnit, _ value: BoxStyle.BoxAlignment, isMirrored: Bool)
            -> StaticPosition.Axis
        {
            let isAtEnd: Bool
            switch value {
            case .center, .spaceAround, .spaceEvenly:
                return StaticPosition.Axis(start: start, end: start + length, alignment: .center)
            case .normal, .stretch, .baseline, .flexStart, .spaceBetween: isAtEnd = isMirrored
            case .flexEnd, .lastBaseline: isAtEnd = !isMirrored
            case .start, .selfStart, .left: isAtEnd = false
            case .end, .selfEnd, .right: isAtEnd = true
            }
            return StaticPosition.Axis(start: start, end: start + length, alignment: isAtEnd ? .end : .start)
        }
        for child in flow.positioned {
            let own = engine.style(of: child).box.alignSelf ?? style.box.alignItems
            let across = { axis(from: $0, $1, own, isMirrored: mirrorsCross) }
            let along = { [style, flow] in axis(from: $0, $1, style.box.justifyContent, isMirrored: flow.isMirrored) }
            engine.staticPositions[child] = StaticPosition(
                container: index,
                horizontal: (isRow ? along : across)(edges.frame.left, innerWidth),
                vertical: (isRow ? across : along)(edges.frame.top, content))
        }
    }

    /// Lays out the items in their final sizes and places; returns the container's baseline.
    private func layOutItems<C>(
        in index: Int, mainExtent: LayoutUnit, crossExtent: LayoutUnit, _ engine: inout LayoutEngine<C>
    ) -> LayoutUnit? {
        let isRightToLeft = style.text.direction == .rtl
        let mirrorsCross = isRow ? style.box.flexWrapReverse : style.box.flexWrapReverse != isRightToLeft
        var firstBaseline: LayoutUnit?
        for item in items {
            var inner = itemConstraint
            inner.width = isRow ? item.main : item.cross
            let stretches = !isRow || (item.alignment == .stretch && item.canStretch(isRow: true))
            let height = isRow ? item.cross : item.main
            let isFlexible = item.kind == .flex || item.kind == .table || item.kind == .image
            if stretches, isFlexible || definiteHeight != nil || !isRow { inner.height = height }
            if !isRow, mainSpace == nil, !isFlexible { inner.heightIsIndefinite = true }
            let fragment = engine.layOut(item.box, in: inner, as: .child(of: index))
            if stretches { engine.tree.boxes[fragment].rect.height = height }
            let main =
                flow.isMirrored ? mainExtent - item.mainPosition - item.main - item.mainMargin : item.mainPosition
            let cross =
                mirrorsCross ? crossExtent - item.crossPosition - item.cross - item.crossMargin : item.crossPosition
            let margin = engine.tree.boxes[fragment].margin
            engine.tree.boxes[fragment].rect.x = edges.frame.left + margin.left + (isRow ? main : cross)
            engine.tree.boxes[fragment].rect.y = edges.frame.top + margin.top + (isRow ? cross : main)
            if firstBaseline == nil, let baseline = engine.tree.boxes[fragment].firstBaseline {
                firstBaseline = engine.tree.boxes[fragment].rect.y + baseline
            }
        }
        return firstBaseline
    }

    // MARK: The main axis

    /// Flex base size and limits of an item along the main axis (§9.2, §4.5).
    private mutating func sizeItem<C>(_ i: Int, parent: Int, _ engine: inout LayoutEngine<C>) {
        var item = items[i]
        let style = item.style.box
        let isRow = isRow
        let itemConstraint = itemConstraint
        func resolve(_ value: SizeValue) -> LayoutUnit? {
            isRow
                ? engine.resolveWidth(value, of: item.box, item.edges, itemConstraint)
                : engine.resolveHeight(value, of: item.box, item.edges, itemConstraint)
        }
        let contents: IntrinsicWidths
        if !isRow {
            var inner = itemConstraint
            inner.width = columnItemWidth(item, isMultiline: false, &engine)
            let height = engine.measure(item.box, in: inner, parent: parent).height
            contents = IntrinsicWidths(minimum: height, maximum: height)
        } else if item.isReplaced {
            let width = engine.replacedSize(item.box, item.edges, itemConstraint).width
            contents = IntrinsicWidths(minimum: width, maximum: width)
        } else {
            contents = engine.intrinsicWidths(item.box)
        }
        let frame = isRow ? item.edges.frame.horizontal : item.edges.frame.vertical
        var basis = item.isAnonymous ? .auto : style.flexBasis
        if basis == .auto, !item.isAnonymous { basis = isRow ? style.width : style.height }
        item.base = max(resolve(basis) ?? contents.maximum, frame)
        let largest = isRow ? style.maxWidth : style.maxHeight
        if !item.isAnonymous, largest != .auto { item.maximum = resolve(largest) ?? .unlimited }
        let smallest = isRow ? style.minWidth : style.minHeight
        let overflow = isRow ? style.overflowX : style.overflowY
        if !item.isAnonymous, smallest != .auto {
            item.minimum = resolve(smallest) ?? .zero
        } else if item.isAnonymous || overflow == .visible || overflow == .clip {
            var automatic = contents.minimum
            if isRow, !item.isAnonymous, let width = resolve(style.width) { automatic = min(automatic, width) }
            item.minimum = min(automatic, item.maximum)
        }
        item.minimum = max(item.minimum, frame)
        item.main = min(max(item.base, item.minimum), max(item.maximum, item.minimum))
        items[i] = item
    }

    /// Width of an item of a column: the container's if it stretches, else by its contents. Among several columns it stretches
    /// only when the column's width is known.
    private func columnItemWidth<C>(_ item: FlexItem, isMultiline: Bool, _ engine: inout LayoutEngine<C>) -> LayoutUnit
    {
        var inner = itemConstraint
        if item.isReplaced { return engine.replacedSize(item.box, item.edges, inner).width }
        inner.shrinksToFit =
            isMultiline || !(item.alignment == .stretch && item.canStretch(isRow: false))
            || item.style.box.width != .auto
        return engine.usedWidth(item.box, item.edges, inner)
    }

    /// Collects the items into lines (§9.3).
    private mutating func breakLines() {
        var start = 0
        if wraps, let mainSpace {
            var used = LayoutUnit.zero
            for i in items.indices {
                let outer = min(max(items[i].base, items[i].minimum), items[i].maximum) + items[i].mainMargin
                if i > start, used + mainGap + outer > mainSpace {
                    lines.append(Line(items: start..<i))
                    start = i
                    used = outer
                } else {
                    used += outer + (i > start ? mainGap : .zero)
                }
            }
        }
        if start < items.count { lines.append(Line(items: start..<items.count)) }
    }

    /// Length of a line.
    private func mainSize(of line: Range<Int>) -> LayoutUnit {
        line.reduce(mainGap * max(0, line.count - 1)) { $0 + items[$1].main + items[$1].mainMargin }
    }

    /// Lets the items of a line grow or shrink until it is full (§9.7).
    private mutating func resolveFlexibleLengths(_ line: Range<Int>) {
        guard let space = mainSpace else { return }
        let isRow = isRow
        let gaps = mainGap * max(0, line.count - 1)
        let grows = mainSize(of: line) < space
        defer {
            for (i, main) in zip(line, grid.rounded(line.map { items[$0].main })) { items[i].main = main }
        }
        func factor(_ item: FlexItem) -> Float {
            if item.isAnonymous { return grows ? 0 : 1 }
            return grows ? item.style.box.flexGrow : item.style.box.flexShrink
        }
        /// Items shrink in proportion to their content boxes.
        func shrinkWeight(_ item: FlexItem) -> Float {
            let frame = isRow ? item.edges.frame.horizontal : item.edges.frame.vertical
            return factor(item) * (item.base - frame).nonNegative.float
        }
        for i in line {
            items[i].isFrozen =
                factor(items[i]) == 0 || (grows ? items[i].base > items[i].main : items[i].base < items[i].main)
            if !items[i].isFrozen { items[i].main = items[i].base }
        }
        var initialFree: LayoutUnit?
        for _ in 0...line.count {
            var used = gaps
            var factors: Float = 0
            var scaled: Float = 0
            for i in line {
                used += items[i].mainMargin + (items[i].isFrozen ? items[i].main : items[i].base)
                guard !items[i].isFrozen else { continue }
                factors += factor(items[i])
                scaled += shrinkWeight(items[i])
            }
            guard factors > 0 else { return }
            var free = space - used
            if initialFree == nil { initialFree = free }
            if factors < 1, let initial = initialFree {
                let part = LayoutUnit(initial.float * factors)
                if abs(part.raw) < abs(free.raw) { free = part }
            }
            var violation = LayoutUnit.zero
            var targets: [(index: Int, size: LayoutUnit, violation: LayoutUnit)] = []
            for i in line where !items[i].isFrozen {
                let share =
                    grows
                    ? factor(items[i]) / factors : (scaled > 0 ? shrinkWeight(items[i]) / scaled : 0)
                let size = items[i].base + LayoutUnit(free.float * share)
                let clamped = max(min(size, items[i].maximum), items[i].minimum)
                violation += clamped - size
                targets.append((i, clamped, clamped - size))
            }
            var froze = false
            for target in targets {
                items[target.index].main = target.size
                if violation == .zero || (violation > .zero && target.violation > .zero)
                    || (violation < .zero && target.violation < .zero)
                {
                    items[target.index].isFrozen = true
                    froze = true
                }
            }
            if !froze || violation == .zero { return }
        }
    }

    /// Aligns the items of a line (§9.5).
    private mutating func placeOnMainAxis(_ line: Range<Int>, size: LayoutUnit) {
        var free = size - mainGap * max(0, line.count - 1)
        var autos = 0
        for i in line {
            free -= items[i].main + items[i].mainMargin
            autos += items[i].autoMargins(isRow: isRow)
        }
        var spread = (offset: LayoutUnit.zero, between: LayoutUnit.zero)
        let share = autos > 0 && free > .zero ? free / Int32(autos) : .zero
        if autos == 0 || free <= .zero {
            // `start` and `end` are of the writing direction: in a reversed container the other ends of the axis.
            var justify = style.box.justifyContent
            if style.box.flexDirection == .rowReverse || style.box.flexDirection == .columnReverse {
                switch justify {
                case .start, .left: justify = .end
                case .end, .right: justify = .start
                // What does not fit is kept safe at the start.
                case .spaceAround, .spaceEvenly: if free < .zero { justify = .end }
                case .normal, .center, .stretch, .baseline, .lastBaseline, .flexStart, .flexEnd, .selfStart, .selfEnd,
                    .spaceBetween:
                    break
                }
            }
            spread = distribute(justify, free: free, count: line.count)
        }
        var at = spread.offset
        for i in line {
            let margin = items[i].margin
            let hasStart = isRow ? margin.left == nil : margin.top == nil
            let hasEnd = isRow ? margin.right == nil : margin.bottom == nil
            if hasStart { at += share }
            items[i].mainPosition = grid.floor(at)
            at += items[i].main + items[i].mainMargin + mainGap + spread.between
            if hasEnd { at += share }
        }
    }

    // MARK: The cross axis

    /// Hypothetical cross size of an item, and its baseline (§9.4).
    private mutating func measureAcross<C>(_ i: Int, parent: Int, _ engine: inout LayoutEngine<C>) {
        guard isRow else {
            items[i].cross = columnItemWidth(items[i], isMultiline: wraps, &engine)
            return
        }
        var inner = itemConstraint
        inner.width = items[i].main
        let measured = engine.measure(items[i].box, in: inner, parent: parent)
        items[i].cross = measured.height
        items[i].baseline = measured.firstBaseline ?? measured.height
    }

    /// How far items above and below the baseline of their line reach.
    private func baselineExtents(of line: Range<Int>) -> (above: LayoutUnit, below: LayoutUnit) {
        var result = (above: LayoutUnit.zero, below: LayoutUnit.zero)
        for i in line where isRow && items[i].alignment == .baseline {
            let item = items[i]
            result.above = max(result.above, item.edges.margin.top + item.baseline)
            result.below = max(result.below, item.cross - item.baseline + item.edges.margin.bottom)
        }
        return result
    }

    /// Gives lines their cross sizes and positions (§9.4, §9.6); returns the extent of all.
    private mutating func placeLines<C>(_ engine: inout LayoutEngine<C>) -> LayoutUnit {
        for number in lines.indices {
            let line = lines[number].items
            let extents = baselineExtents(of: line)
            lines[number].cross = extents.above + extents.below
            for i in line where !isRow || items[i].alignment != .baseline {
                lines[number].cross = max(lines[number].cross, items[i].cross + items[i].crossMargin)
            }
        }
        if lines.count == 1, !wraps {
            if let crossSpace {
                lines[0].cross = crossSpace
            } else {
                // A single line is as high as the container's limits ask.
                let limited = engine.clampHeight(lines[0].cross + edges.frame.vertical, of: box, edges, constraint)
                lines[0].cross = limited - edges.frame.vertical
            }
        }
        let gaps = crossGap * max(0, lines.count - 1)
        let total = lines.reduce(gaps) { $0 + $1.cross }
        var spread = (offset: LayoutUnit.zero, between: LayoutUnit.zero)
        if let crossSpace, lines.count > 1 || wraps {
            let alignment = style.box.alignContent == .normal ? .stretch : style.box.alignContent
            if alignment == .stretch, crossSpace > total, !lines.isEmpty {
                let share = grid.floor((crossSpace - total) / Int32(lines.count))
                for number in lines.indices { lines[number].cross += share }
            }
            spread = distribute(
                alignment, free: crossSpace - lines.reduce(gaps) { $0 + $1.cross }, count: lines.count)
        }
        var at = spread.offset
        for number in lines.indices {
            lines[number].position = grid.floor(at)
            at += lines[number].cross + crossGap + spread.between
        }
        return crossSpace ?? total
    }

    /// Stretches and aligns the items of a line (§9.4, §9.6).
    private mutating func placeOnCrossAxis<C>(_ line: Line, _ engine: inout LayoutEngine<C>) {
        let above = baselineExtents(of: line.items).above
        for i in line.items {
            var item = items[i]
            if item.alignment == .stretch, item.canStretch(isRow: isRow), isRow || wraps {
                let size = (line.cross - item.crossMargin).nonNegative
                let space = Constraint(available: line.cross)
                item.cross =
                    isRow
                    ? engine.clampHeight(size, of: item.box, item.edges, space)
                    : engine.clampWidth(size, of: item.box, item.edges, space)
            }
            let free = line.cross - item.cross - item.crossMargin
            let startIsAuto = isRow ? item.margin.top == nil : item.margin.left == nil
            let endIsAuto = isRow ? item.margin.bottom == nil : item.margin.right == nil
            var offset = LayoutUnit.zero
            if startIsAuto || endIsAuto {
                offset = startIsAuto ? grid.floor(endIsAuto ? free / 2 : free).nonNegative : .zero
            } else {
                switch item.alignment {
                case .normal, .stretch, .start, .flexStart, .selfStart, .left, .spaceBetween: offset = .zero
                case .end, .flexEnd, .selfEnd, .lastBaseline, .right: offset = free
                case .center, .spaceAround, .spaceEvenly: offset = grid.floor(free / 2)
                case .baseline: offset = isRow ? above - item.edges.margin.top - item.baseline : .zero
                }
            }
            item.crossPosition = line.position + offset
            items[i] = item
        }
    }

    /// Offset of the first thing and distance added between things (CSS Box Alignment 3 §5).
    private func distribute(_ alignment: BoxStyle.BoxAlignment, free: LayoutUnit, count: Int) -> (
        offset: LayoutUnit, between: LayoutUnit
    ) {
        switch alignment {
        case .normal, .start, .flexStart, .selfStart, .stretch, .baseline, .lastBaseline, .left: return (.zero, .zero)
        case .end, .flexEnd, .selfEnd, .right: return (free, .zero)
        case .center: return (free / 2, .zero)
        case .spaceBetween: return count > 1 && free > .zero ? (.zero, free / Int32(count - 1)) : (.zero, .zero)
        case .spaceAround:
            guard free > .zero, count > 0 else { return (.zero, .zero) }
            let between = free / Int32(count)
            return (between / 2, between)
        case .spaceEvenly:
            guard free > .zero else { return (.zero, .zero) }
            let between = free / Int32(count + 1)
            return (between, between)
        }
    }

    // MARK: Rows of cells

    /// On a terminal a row is no wider than the screen: items give way as far as they can, then the row wraps; and neighbours whose
    /// texts could touch stand off by a cell.
    private mutating func yieldToWidth() {
        let mayTouch = items.contains { item in
            item.mainMargin == .zero && item.edges.frame.horizontal == .zero
                && (item.isAnonymous || item.style.box.backgroundColor.alpha < 128)
        }
        if mayTouch { mainGap = max(mainGap, .cell) }
        var needed = mainGap * max(0, items.count - 1)
        for i in items.indices {
            let room = max(innerWidth - items[i].mainMargin, .cell)
            items[i].base = min(items[i].base, room)
            items[i].minimum = min(items[i].minimum, room)
            items[i].main = min(items[i].main, room)
            let shrinks = items[i].isAnonymous || items[i].style.box.flexShrink > 0
            needed += (shrinks ? items[i].minimum : items[i].main) + items[i].mainMargin
        }
        wraps = wraps || needed > innerWidth
    }
}
