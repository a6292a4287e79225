// Flex boxes (CSS Flexible Box Layout 1 §9).
//
// In: a flex container and its space. Out: its items, each the root of a formatting context, placed along the main axis in one or several
// lines. Sizes are worked out in main and cross terms, from the start edges; the last step turns them into x and y.

import Boxes
import Styling

/// A flex item while its line is worked out; sizes are of the border box.
struct FlexItem {
    var box: Int
    var edges: BoxEdges
    var style: ComputedStyle
    var base = LayoutUnit.zero
    var main = LayoutUnit.zero
    var cross = LayoutUnit.zero
    var minimum = LayoutUnit.zero
    var maximum = LayoutUnit.unlimited
    var mainMargin = LayoutUnit.zero
    var crossMargin = LayoutUnit.zero
    var isFrozen = false
    var baseline = LayoutUnit.zero
    var mainPosition = LayoutUnit.zero
    var crossPosition = LayoutUnit.zero
    var alignment = BoxStyle.BoxAlignment.stretch
}

/// What laying out a box at a width gave, without keeping the fragments.
struct Measurement: Hashable {
    var width: LayoutUnit
    var height: LayoutUnit
    var firstBaseline: LayoutUnit?
}

struct MeasurementKey: Hashable {
    var box: Int
    var width: LayoutUnit
    var height: LayoutUnit?
}

extension Layouter {
    /// Lays out a box and takes the fragments back; remembered by box and size.
    mutating func measure(_ box: Int, constraint: Constraint, parent: Int) -> Measurement {
        let key = MeasurementKey(box: box, width: constraint.width ?? constraint.available, height: constraint.height)
        if let known = measurements[key] { return known }
        let state = (
            tree.boxes.count, tree.lines.count, tree.inlines.count, tree.collapsedBorders.count, markerLines.count,
            tree.underlays.count
        )
        let tail = tailPlace
        let index = layoutIndependent(box, constraint: constraint, placement: .inFlow, parent: parent, origin: parent)
        let fragment = tree.boxes[index]
        // A tail placed in what is taken back is placed again.
        tailPlace = tail
        tree.boxes.removeSubrange(state.0...)
        tree.lines.removeSubrange(state.1...)
        tree.inlines.removeSubrange(state.2...)
        tree.collapsedBorders.removeSubrange(state.3...)
        markerLines.removeSubrange(state.4...)
        tree.underlays.removeSubrange(state.5...)
        let result = Measurement(
            width: fragment.rect.width, height: fragment.rect.height, firstBaseline: fragment.firstBaseline)
        measurements[key] = result
        return result
    }

    mutating func flexIntrinsicWidths(_ box: Int) -> IntrinsicWidths {
        let style = text.styles[text.boxes[box].style].box
        let isRow = style.flexDirection == .row || style.flexDirection == .rowReverse
        var gap = !style.columnGap.isRelative ? LayoutUnit(style.columnGap.px) : .zero
        // Neighbours that would touch on a terminal stand off by a cell.
        if isOnTerminal { gap = max(gap, .cell) }
        var result = IntrinsicWidths()
        var count = 0
        let constraint = Constraint(available: .unlimited)
        for child in text.children(of: box) {
            let widths = contribution(child, constraint: constraint)
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

    mutating func layoutFlex(
        _ box: Int, constraint: Constraint, placement: BoxFragment.Placement, parent: Int, origin: Int
    ) -> Int {
        let edges = boxEdges(box, percentageBase: constraint.percentageWidth)
        let computed = text.styles[text.boxes[box].style]
        let style = computed.box
        let width = usedWidth(box, edges: edges, constraint: constraint)
        let definite = definiteHeight(box, width: width, edges: edges, constraint: constraint)
        let index = startFragment(box, kind: .flex, edges: edges, placement: placement, parent: parent, origin: origin)
        tree.boxes[index].rect.width = width
        let innerWidth = (width - edges.frame.horizontal).nonNegative
        let innerHeight = definite.map { ($0 - edges.frame.vertical).nonNegative }
        let flow = text.flexFlow(of: box)
        let isRow = flow.isRow
        var mainGap = resolve(isRow ? style.columnGap : style.rowGap, innerWidth, grid: snap)
        let crossGap = resolve(isRow ? style.rowGap : style.columnGap, innerWidth, grid: snap)
        var items = flow.items.map { child in
            var item = FlexItem(
                box: child, edges: boxEdges(child, percentageBase: innerWidth),
                style: text.styles[text.boxes[child].style])
            let own: BoxStyle.BoxAlignment? = text.boxes[child].isAnonymous ? nil : item.style.box.alignSelf
            let alignment = own ?? (style.alignItems == .normal ? .stretch : style.alignItems)
            item.alignment = alignment == .normal ? .stretch : alignment
            item.mainMargin = isRow ? item.edges.margin.horizontal : item.edges.margin.vertical
            item.crossMargin = isRow ? item.edges.margin.vertical : item.edges.margin.horizontal
            return item
        }
        let space = isRow ? innerWidth : innerHeight
        let childConstraint = flexConstraint(
            innerWidth: innerWidth, innerHeight: constraint.heightIsIndefinite ? nil : innerHeight)
        for i in items.indices { sizeFlexItem(&items[i], isRow: isRow, constraint: childConstraint, parent: index) }
        var wraps = style.flexWraps
        if isOnTerminal, isRow {
            if items.contains(where: { touchesNeighbors($0) }) { mainGap = max(mainGap, .cell) }
            for i in items.indices { narrow(&items[i], to: innerWidth) }
            wraps = wraps || !fit(items, into: innerWidth, gap: mainGap)
        }

        // Lines (§9.3), then main sizes (§9.7).
        var lines: [Range<Int>] = []
        var start = 0
        if wraps, let space {
            var used = LayoutUnit.zero
            for i in items.indices {
                let outer = min(max(items[i].base, items[i].minimum), items[i].maximum) + items[i].mainMargin
                if i > start, used + mainGap + outer > space {
                    lines.append(start..<i)
                    start = i
                    used = outer
                } else {
                    used += outer + (i > start ? mainGap : .zero)
                }
            }
        }
        if start < items.count { lines.append(start..<items.count) }
        for line in lines { resolveFlexibleLengths(&items, line, space: space, gap: mainGap, isRow: isRow) }

        // Cross sizes (§9.4).
        for i in items.indices {
            if isRow {
                var itemConstraint = childConstraint
                itemConstraint.width = items[i].main
                let measured = measure(items[i].box, constraint: itemConstraint, parent: index)
                items[i].cross = measured.height
                items[i].baseline = measured.firstBaseline ?? measured.height
            } else {
                items[i].cross = columnItemWidth(items[i], constraint: childConstraint, isMultiline: wraps)
            }
        }
        var lineCross: [LayoutUnit] = lines.map { line in
            var size = LayoutUnit.zero
            var above = LayoutUnit.zero
            var below = LayoutUnit.zero
            for i in line {
                if isRow, items[i].alignment == .baseline {
                    above = max(above, items[i].edges.margin.top + items[i].baseline)
                    below = max(below, items[i].cross - items[i].baseline + items[i].edges.margin.bottom)
                } else {
                    size = max(size, items[i].cross + items[i].crossMargin)
                }
            }
            return max(size, above + below)
        }
        let crossSpace = isRow ? innerHeight : innerWidth
        if let crossSpace, lines.count == 1, !wraps { lineCross = [crossSpace] }
        if lines.count == 1, isRow, !wraps, crossSpace == nil {
            // A single line is as high as the container's limits ask.
            let limited = clampHeight(
                lineCross[0] + edges.frame.vertical, box: box, edges: edges, constraint: constraint)
            lineCross[0] = limited - edges.frame.vertical
        }
        let totalCross = lineCross.reduce(LayoutUnit.zero, +) + crossGap * max(0, lines.count - 1)
        var linePositions = [LayoutUnit](repeating: .zero, count: lines.count)
        if let crossSpace, lines.count > 1 || wraps {
            let free = crossSpace - totalCross
            if (style.alignContent == .stretch || style.alignContent == .normal), free > .zero, !lines.isEmpty {
                for i in lines.indices { lineCross[i] += snap.floor(free / Int32(lines.count)) }
            }
            let spread = distribute(
                style.alignContent == .normal ? .stretch : style.alignContent,
                free: crossSpace - lineCross.reduce(.zero, +) - crossGap * max(0, lines.count - 1),
                count: lines.count)
            var at = spread.offset
            for i in lines.indices {
                linePositions[i] = snap.floor(at)
                at += lineCross[i] + crossGap + spread.between
            }
        } else {
            var at = LayoutUnit.zero
            for i in lines.indices {
                linePositions[i] = at
                at += lineCross[i] + crossGap
            }
        }
        let mainSize =
            space ?? lines.map { line in
                line.reduce(LayoutUnit.zero) { $0 + items[$1].main + items[$1].mainMargin } + mainGap
                    * max(0, line.count - 1)
            }.max() ?? .zero
        let finalMain =
            isRow
            ? innerWidth
            : (space
                ?? (clampHeight(mainSize + edges.frame.vertical, box: box, edges: edges, constraint: constraint)
                    - edges.frame.vertical))
        for (number, line) in lines.enumerated() {
            placeOnMainAxis(
                &items, line, size: finalMain, gap: mainGap, justify: style.justifyContent, isRow: isRow,
                isReversed: style.flexDirection == .rowReverse || style.flexDirection == .columnReverse)
            placeOnCrossAxis(
                &items, line, position: linePositions[number], size: lineCross[number], isRow: isRow,
                isMultiline: wraps)
        }

        // Fragments in their final sizes and places.
        let crossExtent = crossSpace ?? totalCross
        let isRightToLeft = computed.text.direction == .rtl
        let mirrorsCross = isRow ? style.flexWrapReverse : style.flexWrapReverse != isRightToLeft
        var firstBaseline: LayoutUnit?
        for i in items.indices {
            let item = items[i]
            var itemConstraint = childConstraint
            itemConstraint.width = isRow ? item.main : item.cross
            let stretches = isRow ? item.alignment == .stretch && canStretch(item, isRow: true) : true
            let height = isRow ? item.cross : item.main
            let isFlexible =
                text.boxes[item.box].kind == .flex || text.boxes[item.box].kind == .table
                || text.boxes[item.box].kind == .image
            if stretches, isFlexible || definite != nil || !isRow { itemConstraint.height = height }
            if !isRow, space == nil, !isFlexible { itemConstraint.heightIsIndefinite = true }
            let fragment = layoutIndependent(
                item.box, constraint: itemConstraint, placement: .inFlow, parent: index, origin: index)
            if stretches { tree.boxes[fragment].rect.height = height }
            let outerMain = item.main + item.mainMargin
            let outerCross = item.cross + item.crossMargin
            let main = flow.isMirrored ? finalMain - item.mainPosition - outerMain : item.mainPosition
            let cross = mirrorsCross ? crossExtent - item.crossPosition - outerCross : item.crossPosition
            let margin = tree.boxes[fragment].margin
            tree.boxes[fragment].rect.x = edges.frame.left + margin.left + (isRow ? main : cross)
            tree.boxes[fragment].rect.y = edges.frame.top + margin.top + (isRow ? cross : main)
            if firstBaseline == nil, let baseline = tree.boxes[fragment].firstBaseline {
                firstBaseline = tree.boxes[fragment].rect.y + baseline
            }
        }
        let content = isRow ? crossExtent : finalMain
        let automatic = content + edges.frame.vertical
        contentHeight = automatic
        tree.boxes[index].rect.height =
            definite ?? clampHeight(automatic, box: box, edges: edges, constraint: constraint)
        tree.boxes[index].firstBaseline = firstBaseline
        tree.boxes[index].lastBaseline = firstBaseline
        return index
    }

    private func flexConstraint(innerWidth: LayoutUnit, innerHeight: LayoutUnit?) -> Constraint {
        Constraint(available: innerWidth, percentageHeight: innerHeight)
    }

    /// Flex base size and limits of an item along the main axis (§9.2, §4.5).
    private mutating func sizeFlexItem(_ item: inout FlexItem, isRow: Bool, constraint: Constraint, parent: Int) {
        let style = item.style.box
        let isAnonymous = text.boxes[item.box].isAnonymous
        let basis: SizeValue = isAnonymous ? .auto : style.flexBasis
        let frame = isRow ? item.edges.frame.horizontal : item.edges.frame.vertical
        let isReplaced = text.boxes[item.box].kind == .image || text.boxes[item.box].kind == .lambda
        if isRow {
            let property: SizeValue = basis == .auto ? (isAnonymous ? .auto : style.width) : basis
            let specified = resolveWidth(
                property, box: item.box, edges: item.edges, constraint: constraint, sizesBorderBox: style.sizesBorderBox
            )
            let widths: IntrinsicWidths
            if isReplaced {
                let size = replacedSize(item.box, edges: item.edges, constraint: constraint)
                widths = IntrinsicWidths(minimum: size.width, maximum: size.width)
            } else {
                widths = intrinsicWidths(item.box)
            }
            item.base = max(specified ?? widths.maximum, frame)
            if !isAnonymous, style.maxWidth != .auto {
                item.maximum =
                    resolveWidth(
                        style.maxWidth, box: item.box, edges: item.edges, constraint: constraint,
                        sizesBorderBox: style.sizesBorderBox) ?? .unlimited
            }
            if !isAnonymous, style.minWidth != .auto {
                item.minimum =
                    resolveWidth(
                        style.minWidth, box: item.box, edges: item.edges, constraint: constraint,
                        sizesBorderBox: style.sizesBorderBox) ?? .zero
            } else if isAnonymous || style.overflowX == .visible || style.overflowX == .clip {
                var automatic = widths.minimum
                if !isAnonymous,
                    let width = resolveWidth(
                        style.width, box: item.box, edges: item.edges, constraint: constraint,
                        sizesBorderBox: style.sizesBorderBox)
                {
                    automatic = min(automatic, width)
                }
                item.minimum = min(automatic, item.maximum)
            }
        } else {
            let property: SizeValue = basis == .auto ? (isAnonymous ? .auto : style.height) : basis
            var measured = constraint
            measured.width = columnItemWidth(item, constraint: constraint, isMultiline: false)
            let content = measure(item.box, constraint: measured, parent: parent).height
            let specified = resolveHeight(
                property, edges: item.edges, constraint: constraint, sizesBorderBox: style.sizesBorderBox)
            item.base = max(specified ?? content, frame)
            if !isAnonymous, style.maxHeight != .auto {
                item.maximum =
                    resolveHeight(
                        style.maxHeight, edges: item.edges, constraint: constraint, sizesBorderBox: style.sizesBorderBox
                    ) ?? .unlimited
            }
            if !isAnonymous, style.minHeight != .auto {
                item.minimum =
                    resolveHeight(
                        style.minHeight, edges: item.edges, constraint: constraint, sizesBorderBox: style.sizesBorderBox
                    ) ?? .zero
            } else if isAnonymous || style.overflowY == .visible || style.overflowY == .clip {
                item.minimum = min(content, item.maximum)
            }
        }
        item.minimum = max(item.minimum, frame)
        item.main = min(max(item.base, item.minimum), max(item.maximum, item.minimum))
    }

    /// Width of an item of a column: the container's if it stretches, else by its contents. Among several columns it stretches
    /// only when the column's width is known.
    private mutating func columnItemWidth(_ item: FlexItem, constraint: Constraint, isMultiline: Bool) -> LayoutUnit {
        var constraint = constraint
        let style = item.style.box
        let isReplaced = text.boxes[item.box].kind == .image || text.boxes[item.box].kind == .lambda
        if isReplaced { return replacedSize(item.box, edges: item.edges, constraint: constraint).width }
        constraint.shrinksToFit =
            isMultiline || !(item.alignment == .stretch && canStretch(item, isRow: false)) || style.width != .auto
        return usedWidth(item.box, edges: item.edges, constraint: constraint)
    }

    /// An item stretches across unless its size or a margin there is its own.
    private func canStretch(_ item: FlexItem, isRow: Bool) -> Bool {
        if text.boxes[item.box].isAnonymous { return true }
        let style = item.style.box
        return isRow
            ? style.height == .auto && style.margin.top != nil && style.margin.bottom != nil
            : style.width == .auto && style.margin.left != nil && style.margin.right != nil
    }

    /// §9.7.
    private func resolveFlexibleLengths(
        _ items: inout [FlexItem], _ line: Range<Int>, space: LayoutUnit?, gap: LayoutUnit, isRow: Bool
    ) {
        guard let space else { return }
        defer {
            for (i, main) in zip(line, snap.rounded(line.map { items[$0].main })) { items[i].main = main }
        }
        let gaps = gap * max(0, line.count - 1)
        var hypothetical = gaps
        for i in line { hypothetical += items[i].main + items[i].mainMargin }
        let grows = hypothetical < space
        func factor(_ item: FlexItem) -> Float {
            if text.boxes[item.box].isAnonymous { return grows ? 0 : 1 }
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

    private func placeOnMainAxis(
        _ items: inout [FlexItem], _ line: Range<Int>, size: LayoutUnit, gap: LayoutUnit,
        justify: BoxStyle.BoxAlignment, isRow: Bool, isReversed: Bool
    ) {
        var free = size - gap * max(0, line.count - 1)
        var autos = 0
        for i in line {
            free -= items[i].main + items[i].mainMargin
            autos += autoMargins(items[i], isRow: isRow)
        }
        var spread = (offset: LayoutUnit.zero, between: LayoutUnit.zero)
        let share = autos > 0 && free > .zero ? free / Int32(autos) : .zero
        if autos == 0 || free <= .zero {
            // `start` and `end` are of the writing direction: in a reversed container the other ends of the axis.
            var justify = justify
            if isReversed {
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
            let margin =
                text.boxes[items[i].box].isAnonymous
                ? Sides<LengthPercentage?>(LengthPercentage.zero) : items[i].style.box.margin
            let hasStart = isRow ? margin.left == nil : margin.top == nil
            let hasEnd = isRow ? margin.right == nil : margin.bottom == nil
            if hasStart { at += share }
            items[i].mainPosition = snap.floor(at)
            at += items[i].main + items[i].mainMargin + gap + spread.between
            if hasEnd { at += share }
        }
    }

    private func autoMargins(_ item: FlexItem, isRow: Bool) -> Int {
        guard !text.boxes[item.box].isAnonymous else { return 0 }
        let margin = item.style.box.margin
        return isRow
            ? (margin.left == nil ? 1 : 0) + (margin.right == nil ? 1 : 0)
            : (margin.top == nil ? 1 : 0) + (margin.bottom == nil ? 1 : 0)
    }

    private mutating func placeOnCrossAxis(
        _ items: inout [FlexItem], _ line: Range<Int>, position: LayoutUnit, size: LayoutUnit, isRow: Bool,
        isMultiline: Bool
    ) {
        var above = LayoutUnit.zero
        for i in line where items[i].alignment == .baseline && isRow {
            above = max(above, items[i].edges.margin.top + items[i].baseline)
        }
        for i in line {
            if items[i].alignment == .stretch, canStretch(items[i], isRow: isRow), isRow {
                var constraint = Constraint(available: size)
                constraint.height = nil
                items[i].cross = clampHeight(
                    (size - items[i].crossMargin).nonNegative, box: items[i].box, edges: items[i].edges,
                    constraint: constraint)
            } else if items[i].alignment == .stretch, canStretch(items[i], isRow: isRow), isMultiline {
                let width = (size - items[i].crossMargin).nonNegative
                items[i].cross =
                    text.boxes[items[i].box].isAnonymous
                    ? width
                    : clampWidth(
                        width, box: items[i].box, style: items[i].style.box, edges: items[i].edges,
                        constraint: Constraint(available: size))
            }
            let free = size - items[i].cross - items[i].crossMargin
            let margin =
                text.boxes[items[i].box].isAnonymous
                ? Sides<LengthPercentage?>(LengthPercentage.zero) : items[i].style.box.margin
            let startAuto = isRow ? margin.top == nil : margin.left == nil
            let endAuto = isRow ? margin.bottom == nil : margin.right == nil
            var offset = LayoutUnit.zero
            if startAuto || endAuto {
                offset = startAuto ? snap.floor(endAuto ? free / 2 : free).nonNegative : .zero
            } else {
                switch items[i].alignment {
                case .normal, .stretch, .start, .flexStart, .selfStart, .left, .spaceBetween: offset = .zero
                case .end, .flexEnd, .selfEnd, .lastBaseline, .right: offset = free
                case .center, .spaceAround, .spaceEvenly: offset = snap.floor(free / 2)
                case .baseline: offset = isRow ? above - items[i].edges.margin.top - items[i].baseline : .zero
                }
            }
            items[i].crossPosition = position + offset
        }
    }
}
