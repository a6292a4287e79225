// Flex boxes (CSS Flexible Box Layout 1 §9): items along the main axis in lines, each the root of a formatting context.
// Sizes and positions are along the axes, from the start edges; the last step converts them to x and y.

import FancyTextCSS

struct FlexLayout {
    struct Line {
        var items: Range<Int>
        var cross = LayoutUnit.zero, position = LayoutUnit.zero
        /// The extents above and below the shared first baseline; `last` has those for the shared last baseline.
        var first = Extents(), last = Extents()
    }

    struct Extents { var above = LayoutUnit.zero, below = LayoutUnit.zero }

    private let box: Int
    private let constraint: Constraint
    private let style: ComputedStyle
    private let edges: BoxEdges
    private let isRow: Bool
    /// True if items follow each other from right to left, or from bottom to top.
    private let isMirrored: Bool
    private let positioned: [Int]
    private let grid: LayoutGrid
    private let width: LayoutUnit
    private let definiteHeight: LayoutUnit?
    private let innerWidth: LayoutUnit
    private let innerHeight: LayoutUnit?
    private let itemConstraint: Constraint
    private let crossGap: LayoutUnit
    private var mainGap: LayoutUnit
    private var wraps: Bool
    private var items: [FlexItem]
    private var lines: [Line] = []

    init(_ box: Int, in constraint: Constraint, _ engine: inout LayoutEngine) {
        (self.box, self.constraint) = (box, constraint)
        edges = engine.boxEdges(box, percentageBase: constraint.percentageOfEdges)
        let style = engine.style(of: box)
        (self.style, grid) = (style, engine.snap)
        width = engine.usedWidth(box, edges, constraint)
        definiteHeight = engine.definiteHeight(box, width: width, edges, constraint)
        let innerWidth = (width - edges.frame.horizontal).nonNegative
        self.innerWidth = innerWidth
        innerHeight = definiteHeight.map { [edges] in ($0 - edges.frame.vertical).nonNegative }
        itemConstraint = Constraint(
            available: innerWidth, percentageHeight: constraint.heightIsIndefinite ? nil : innerHeight)
        let (boxes, positioned) = engine.text.items(of: box)
        let isRow = style.isFlexRow
        (self.isRow, self.positioned) = (isRow, positioned)
        (isMirrored, wraps) = (style.isFlexMirrored, style.box.flexWraps)
        let columnGap = resolve(style.box.columnGap, innerWidth, grid: grid)
        let rowGap = resolve(style.box.rowGap, itemConstraint.percentageHeight ?? .zero, grid: grid)
        (mainGap, crossGap) = isRow ? (columnGap, rowGap) : (rowGap, columnGap)
        items = []
        for child in boxes {
            items.append(
                FlexItem(
                    child, across: isRow ? .vertical : .horizontal, container: style, width: innerWidth, &engine))
        }
    }

    private var main: LayoutAxis { isRow ? .horizontal : .vertical }
    private var across: LayoutAxis { main.other }
    /// True if lines follow each other, and cross positions are measured, from the right or the bottom.
    private var mirrorsCross: Bool {
        isRow ? style.box.flexWrapReverse : style.box.flexWrapReverse != (style.text.direction == .rtl)
    }
    /// The space along the lines and across them; nil if it depends on the items.
    private var mainSpace: LayoutUnit? { isRow ? innerWidth : innerHeight }
    private var crossSpace: LayoutUnit? { isRow ? innerHeight : innerWidth }

    static func intrinsicWidths(_ box: Int, _ engine: inout LayoutEngine) -> IntrinsicWidths {
        let style = engine.style(of: box)
        let isRow = style.isFlexRow
        // Neighbours that would touch on a terminal have a cell between them.
        let gap = max(
            !style.box.columnGap.isRelative ? LayoutUnit(style.box.columnGap.px) : .zero, engine.snap.leastDistance)
        let items = engine.text.items(of: box).inFlow
        // The items of a row in a container of this height are known to stretch to it (§9.8).
        let space = engine.heights.base.map {
            Constraint(available: .unlimited, width: .zero, height: $0 + engine.edges(of: box).frame.vertical)
        }
        let row = isRow ? space.map { FlexLayout(box, in: $0, &engine) } : nil
        let widths = items.indices.map { i in
            guard isRow else { return engine.signedContribution(items[i]) }
            return rowContribution(items[i], height: row.flatMap { $0.definiteCross($0.items[i], &engine) }, &engine)
        }
        let gaps = isRow ? gap * max(0, items.count - 1) : .zero
        let (minima, maxima) = (widths.map(\.minimum), widths.map(\.maximum))
        var result = IntrinsicWidths(
            minimum: isRow && !style.box.flexWraps ? minima.reduce(.zero, +) + gaps : minima.reduce(.zero, max),
            maximum: isRow ? maxima.reduce(.zero, +) + gaps : maxima.reduce(.zero, max)
        ).nonNegative
        if !isRow, style.box.flexWraps { result.maximum = columnsWidth(box, widest: result.maximum, &engine) }
        return result
    }

    /// The width of all columns of a container whose columns wrap, laid out at the width of the widest item, as in browsers.
    private static func columnsWidth(_ box: Int, widest: LayoutUnit, _ engine: inout LayoutEngine) -> LayoutUnit {
        let (before, isMeasuring, frame) = (engine.mark, engine.isMeasuring, engine.edges(of: box).frame)
        engine.isMeasuring = true
        engine.heights.isUsed = true
        var space = Constraint(available: widest, width: widest + frame.horizontal)
        space.height = engine.heights.base.map { $0 + frame.vertical }
        var layout = FlexLayout(box, in: space, &engine)
        _ = layout.layOut(as: .child(of: 0), &engine)
        engine.takeBack(to: before)
        engine.isMeasuring = isMeasuring
        return layout.measureLines()
    }

    /// The contribution of an item to a row: its base size limits what does not grow or shrink (CSS Flexbox 1 §9.9.1).
    private static func rowContribution(
        _ item: Int, height: LayoutUnit?, _ engine: inout LayoutEngine
    ) -> IntrinsicWidths {
        let widths = engine.signedContribution(item, height: height)
        let style = engine.style(of: item).box
        guard !engine.text.boxes[item].isAnonymous, style.flexGrow == 0 || style.flexShrink == 0 else { return widths }
        let edges = engine.edges(of: item)
        let space = Constraint(available: .unlimited, percentageHeight: engine.heights.base)
        guard let base = engine.resolveWidth(style.flexBasis, of: item, edges, space) else { return widths }
        let margin = edges.margin.horizontal
        var least = edges.frame.horizontal
        if style.minWidth == .auto, style.overflowX.leavesContents {
            least = min(widths.minimum - margin, engine.intrinsicWidths(item).minimum)
        }
        func limited(_ width: LayoutUnit) -> LayoutUnit {
            var width = width - margin
            if style.flexGrow == 0 { width.lower(to: base) }
            if style.flexShrink == 0 { width.raise(to: base) }
            return engine.clampWidth(max(width, least), of: item, edges, space) + margin
        }
        return IntrinsicWidths(minimum: limited(widths.minimum), maximum: limited(widths.maximum))
    }

    mutating func layOut(as slot: FragmentSlot, _ engine: inout LayoutEngine) -> Int {
        let index = engine.startFragment(box, kind: .flex, edges: edges, as: slot)
        engine.tree.boxes[index].rect.width = width
        engine.tree.boxes[index].hasDefiniteHeight = itemConstraint.percentageHeight != nil
        for i in items.indices { sizeItem(i, parent: index, &engine) }
        if engine.snap.isOfCells, isRow { yieldToWidth() }
        breakLines(within: mainSpace ?? inner(engine.clampHeight(.unlimited, of: box, edges, constraint)))
        let longest =
            lines.map { line in
                line.items.reduce(mainGap * max(0, line.items.count - 1)) { $0 + items[$1].main + items[$1].mainMargin }
            }.max() ?? .zero
        let mainExtent =
            mainSpace ?? inner(engine.clampHeight(longest + edges.frame.vertical, of: box, edges, constraint))
        for line in lines { resolveFlexibleLengths(line.items, filling: mainExtent) }
        for i in items.indices { measureAcross(i, parent: index, &engine) }
        let natural = measureLines()
        let crossExtent =
            crossSpace ?? inner(engine.clampHeight(natural + edges.frame.vertical, of: box, edges, constraint))
        placeLines(in: crossExtent)
        for line in lines {
            placeOnMainAxis(line.items, size: mainExtent)
            placeOnCrossAxis(line, &engine)
        }
        layOutItems(in: index, mainExtent: mainExtent, crossExtent: crossExtent, &engine)
        let automatic = (engine.containedHeight(box) ?? (isRow ? natural : longest)) + edges.frame.vertical
        engine.tree.boxes[index].automaticHeight = automatic
        engine.tree.boxes[index].rect.height =
            engine.finalHeight(definiteHeight, contents: automatic, of: box, edges, constraint)
        if !positioned.isEmpty { noteStaticPositions(in: index, &engine) }
        return index
    }

    private func inner(_ height: LayoutUnit) -> LayoutUnit {
        height.isUnlimited ? height : (height - edges.frame.vertical).nonNegative
    }

    // MARK: The main axis

    /// The border-box size of an item across its line, if it is definite (§9.8).
    private func definiteCross(_ item: FlexItem, _ engine: inout LayoutEngine) -> LayoutUnit? {
        var size: LayoutUnit?
        if item.stretches {
            size = wraps ? nil : crossSpace.map { ($0 - item.crossMargin).nonNegative }
        } else if !item.isAnonymous {
            size = engine.resolveSize(item.style.box.size(across), across, of: item.box, item.edges, itemConstraint)
        }
        return size.map { engine.clampSize($0, across, of: item.box, item.edges, itemConstraint) }
    }

    /// The main size of an item by its contents: its preferred one, and the minimum.
    private func contentSizes(_ item: FlexItem, parent: Int, _ engine: inout LayoutEngine) -> IntrinsicWidths {
        var space = itemConstraint
        let cross = definiteCross(item, &engine)
        if item.isReplaced {
            if isRow { space.height = cross } else { space.width = cross }
            let size = engine.replacedSize(item.box, item.edges, space, ignoresWidth: isRow, ignoresHeight: !isRow)
            let main = isRow ? size.width : size.height
            guard isRow else { return IntrinsicWidths(main) }
            // A picture that has only a ratio fills its line, but may shrink.
            (space.available, space.percentageWidth) = (.unlimited, .unlimited)
            let least = engine.replacedSize(item.box, item.edges, space, ignoresWidth: true).width
            return IntrinsicWidths(minimum: min(main, least), maximum: main)
        }
        var sizes: IntrinsicWidths
        if isRow {
            space.height = cross
            sizes = engine.framedWidths(item.box, item.edges, space)
        } else {
            space.width = cross ?? columnItemWidth(item, &engine)
            sizes = IntrinsicWidths(engine.measure(item.box, in: space, parent: parent).automaticHeight)
        }
        guard let ratio = item.aspectRatio else { return sizes }
        if let cross = isRow ? cross : space.width {
            sizes.maximum = engine.transferred(cross, by: ratio, of: item.box, item.edges, toWidth: isRow)
            sizes.minimum.raise(to: sizes.maximum)
        }
        let limits = engine.transferredLimits(item.box, item.edges, itemConstraint, by: ratio, toWidth: isRow)
        if let most = limits.most { sizes.minimum.lower(to: most) }
        if let least = limits.least { sizes.minimum.raise(to: least) }
        return sizes
    }

    /// Computes the flex base size and the limits of an item along the main axis (§9.2, §4.5).
    private mutating func sizeItem(_ i: Int, parent: Int, _ engine: inout LayoutEngine) {
        var item = items[i]
        let style = item.style
        let (isRow, main, itemConstraint) = (isRow, main, itemConstraint)
        func resolve(_ value: SizeValue) -> LayoutUnit? {
            engine.resolveSize(value, main, of: item.box, item.edges, itemConstraint)
        }
        let contents = contentSizes(item, parent: parent, &engine)
        let frame = item.edges.frame.along(main)
        // A table's `height` does not include its captions (CSS 2.1 §17.4), so its total height depends on its contents.
        let hasCaption = !isRow && item.kind == .table && !engine.text.tableGrid(item.box).captions.isEmpty
        let specified = item.isAnonymous || hasCaption ? nil : resolve(style.box.size(main))
        var definite: LayoutUnit?
        if !item.isAnonymous { definite = style.box.flexBasis == .auto ? specified : resolve(style.box.flexBasis) }
        item.hasDefiniteMain = isRow || innerHeight != nil || definite != nil
        item.base = max(definite ?? contents.maximum, frame)
        let (largest, smallest) = (style.box.mostSize(main), style.box.leastSize(main))
        if !item.isAnonymous, largest != .auto {
            item.maximum = resolve(largest) ?? (largest.isByContents ? contents.maximum : .unlimited)
        }
        let overflow = style.box.overflow(main)
        if !item.isAnonymous, smallest != .auto {
            item.minimum = resolve(smallest) ?? (smallest.isByContents ? contents.minimum : .zero)
        } else if item.isAnonymous || overflow == .visible || overflow == .clip {
            item.minimum = min(specified.map { min($0, contents.minimum) } ?? contents.minimum, item.maximum)
        }
        item.minimum.raise(to: frame)
        item.main = min(max(item.base, item.minimum), max(item.maximum, item.minimum))
        items[i] = item
    }

    /// The width of an item of a column: the container's if it stretches in the only column, else by its contents.
    private func columnItemWidth(_ item: FlexItem, _ engine: inout LayoutEngine) -> LayoutUnit {
        var inner = itemConstraint
        inner.shrinksToFit = wraps || !item.stretches
        return engine.usedWidth(item.box, item.edges, inner)
    }

    /// Collects the items into lines (§9.3).
    private mutating func breakLines(within space: LayoutUnit) {
        var start = 0
        if wraps, !space.isUnlimited {
            var used = LayoutUnit.zero
            for i in items.indices {
                let outer = items[i].main + items[i].mainMargin
                if i > start, used + mainGap + outer > space {
                    lines.append(Line(items: start..<i))
                    (start, used) = (i, outer)
                } else {
                    used += outer + (i > start ? mainGap : .zero)
                }
            }
        }
        if start < items.count { lines.append(Line(items: start..<items.count)) }
    }

    private mutating func resolveFlexibleLengths(_ line: Range<Int>, filling space: LayoutUnit) {
        let lengths = FlexibleLengths(
            items[line].map { item in
                FlexibleLengths.Item(
                    base: item.base, minimum: item.minimum, maximum: item.maximum, margin: item.mainMargin,
                    frame: item.edges.frame.along(main), growth: item.isAnonymous ? 0 : item.style.box.flexGrow,
                    shrinkage: item.isAnonymous ? 1 : item.style.box.flexShrink)
            }, filling: space - mainGap * max(0, line.count - 1))
        for (i, main) in zip(line, grid.rounded(lengths.sizes)) { items[i].main = main }
    }

    /// Aligns the items of a line (§9.5).
    private mutating func placeOnMainAxis(_ line: Range<Int>, size: LayoutUnit) {
        func autoMargins(_ item: FlexItem) -> (start: Bool, end: Bool) {
            item.autoMargins(main, isMirrored: isMirrored)
        }
        var free = size - mainGap * max(0, line.count - 1)
        var autos = 0
        for i in line {
            free -= items[i].main + items[i].mainMargin
            let margins = autoMargins(items[i])
            autos += (margins.start ? 1 : 0) + (margins.end ? 1 : 0)
        }
        let share = autos > 0 && free > .zero ? free / Int32(autos) : .zero
        let spread =
            share > .zero ? (offset: .zero, between: .zero) : justification(free).spread(free: free, count: line.count)
        var at = spread.offset
        for i in line {
            let margins = autoMargins(items[i])
            if margins.start { at += share }
            items[i].mainStart = grid.floor(at)
            at += items[i].main + items[i].mainMargin + mainGap + spread.between
            if margins.end { at += share }
        }
    }

    /// `justify-content` with `start`, `end`, `left` and `right`, converted to the direction of the flow.
    private func justification(_ free: LayoutUnit) -> ContentDistribution {
        var alignment = style.box.justifyContent
        if alignment == .left || alignment == .right {
            alignment = !isRow ? .start : (alignment == .left) == isMirrored ? .flexEnd : .flexStart
        }
        return distribution(alignment, safeBy: .justifyContent, isReversed: style.isFlexReversed, free)
    }

    /// An alignment with `start` and `end`, which refer to the writing direction, converted to that of the flow. Overflowing
    /// contents begin at the start if they are aligned safely or have space around them.
    private func distribution(
        _ alignment: BoxStyle.BoxAlignment, safeBy use: SafeAlignments, isReversed: Bool, _ free: LayoutUnit
    ) -> ContentDistribution {
        var alignment = alignment
        let isSafe = style.box.safeAlignments.contains(use) || alignment == .spaceAround || alignment == .spaceEvenly
        if isSafe, free < .zero { alignment = .start }
        switch alignment {
        case .start, .selfStart, .baseline: alignment = isReversed ? .flexEnd : .flexStart
        case .end, .selfEnd, .lastBaseline: alignment = isReversed ? .flexStart : .flexEnd
        case .normal, .center, .stretch, .left, .right, .flexStart, .flexEnd, .spaceBetween, .spaceAround, .spaceEvenly:
            break
        }
        return ContentDistribution(alignment: alignment, isSafe: false)
    }

    // MARK: The cross axis

    /// Computes the hypothetical cross size of an item and its baseline (§9.4).
    private mutating func measureAcross(_ i: Int, parent: Int, _ engine: inout LayoutEngine) {
        let item = items[i]
        var inner = itemConstraint
        guard isRow else {
            inner.height = item.main
            if item.isReplaced {
                items[i].cross = engine.replacedSize(item.box, item.edges, inner).width
            } else if let ratio = item.aspectRatio, item.hasDefiniteMain, item.style.box.width == .auto,
                wraps || !item.stretches
            {
                items[i].cross = engine.clampWidth(
                    engine.transferred(item.main, by: ratio, of: item.box, item.edges, toWidth: true), of: item.box,
                    item.edges, inner)
            } else {
                items[i].cross = columnItemWidth(item, &engine)
            }
            return
        }
        inner.width = item.main
        let measured = engine.measure(item.box, in: inner, parent: parent)
        items[i].cross = measured.height
        let baseline = item.alignment == .lastBaseline ? measured.lastBaseline : measured.firstBaseline
        items[i].baseline = baseline ?? engine.synthesizedBaseline(measured.height, in: style)
    }

    /// Computes the cross sizes of the lines by their items (§9.4); returns the total.
    private mutating func measureLines() -> LayoutUnit {
        for number in lines.indices {
            var line = lines[number]
            for item in items[line.items] {
                guard item.sharesBaseline else {
                    line.cross.raise(to: item.cross + item.crossMargin)
                    continue
                }
                let extents = item.extents
                let shared: WritableKeyPath<Line, Extents> = item.alignment == .baseline ? \.first : \.last
                line[keyPath: shared].above.raise(to: extents.above)
                line[keyPath: shared].below.raise(to: extents.below)
                line.cross.raise(to: line[keyPath: shared].above + line[keyPath: shared].below)
            }
            lines[number] = line
        }
        return lines.reduce(crossGap * max(0, lines.count - 1)) { $0 + $1.cross }
    }

    /// Places the lines in the container and distributes its free space (§9.4, §9.6).
    private mutating func placeLines(in space: LayoutUnit) {
        guard wraps else {
            if !lines.isEmpty { lines[0].cross = space }
            return
        }
        let alignment = style.box.alignContent
        var free = lines.reduce(space - crossGap * max(0, lines.count - 1)) { $0 - $1.cross }
        if alignment == .normal || alignment == .stretch, free > .zero {
            grid.share(&free, among: Array(lines.indices)) { lines[$0].cross += $1 }
        }
        let spread = distribution(alignment, safeBy: .alignContent, isReversed: style.box.flexWrapReverse, free).spread(
            free: free, count: lines.count)
        var at = spread.offset
        for number in lines.indices {
            lines[number].position = grid.floor(at)
            at += lines[number].cross + crossGap + spread.between
        }
    }

    /// Stretches and aligns the items of a line (§9.4, §9.6).
    private mutating func placeOnCrossAxis(_ line: Line, _ engine: inout LayoutEngine) {
        let isReversed = style.box.flexWrapReverse
        for i in line.items {
            var item = items[i]
            if item.stretches {
                let size = (line.cross - item.crossMargin).nonNegative
                item.cross = engine.clampSize(size, across, of: item.box, item.edges, itemConstraint)
            }
            let free = line.cross - item.cross - item.crossMargin
            /// Items that do not fit overflow the end of the writing direction.
            let kept = isReversed ? free : .zero
            var offset = LayoutUnit.zero
            let margins = item.autoMargins(across, isMirrored: mirrorsCross)
            switch (margins.start, margins.end) {
            case (false, false):
                switch item.alignment {
                case .stretch, .start: offset = .zero
                case .end: offset = free
                case .center: offset = grid.floor(free / 2)
                case .baseline, .lastBaseline: offset = baselineOffset(item, line, free: free)
                }
                if item.isSafe, free < .zero { offset = kept }
            case (_, _) where free < .zero: offset = kept
            case (true, true): offset = grid.floor(free / 2)
            case (true, false): offset = free
            case (false, true): offset = .zero
            }
            item.crossStart = line.position + offset
            items[i] = item
        }
    }

    /// The cross-axis start of the margin box of an item that shares a baseline. Items with a shared first baseline are at the
    /// start of their line, those with a shared last one at its end (§8.3).
    private func baselineOffset(_ item: FlexItem, _ line: Line, free: LayoutUnit) -> LayoutUnit {
        let isLast = item.alignment == .lastBaseline
        let shared = isLast ? line.last : line.first
        let extents = item.extents
        let (above, below) = (shared.above - extents.above, shared.below - extents.below)
        return isLast ? free - (mirrorsCross ? above : below) : mirrorsCross ? below : above
    }

    // MARK: Items in their places

    private func layOutItems(
        in index: Int, mainExtent: LayoutUnit, crossExtent: LayoutUnit, _ engine: inout LayoutEngine
    ) {
        var baselines: [(first: LayoutUnit, last: LayoutUnit)] = []
        for item in items {
            var inner = itemConstraint
            inner.width = isRow ? item.main : item.cross
            if !isRow {
                (inner.height, inner.heightIsIndefinite) = (item.main, !item.hasDefiniteMain)
            } else if item.stretches {
                inner.height = item.cross
            }
            let fragment = engine.layOutItem(item.box, in: inner, edges: item.edges, as: .child(of: index))
            if let height = inner.height { engine.tree.boxes[fragment].rect.height = height }
            let main = isMirrored ? mainExtent - item.mainStart - item.main - item.mainMargin : item.mainStart
            let cross = mirrorsCross ? crossExtent - item.crossStart - item.cross - item.crossMargin : item.crossStart
            let placed = engine.tree.boxes[fragment]
            let x = edges.frame.left + placed.margin.left + (isRow ? main : cross)
            let y = edges.frame.top + placed.margin.top + (isRow ? cross : main)
            engine.tree.boxes[fragment].rect.origin = LayoutPoint(x: x, y: y)
            let height = placed.rect.height
            baselines.append((y + (placed.firstBaseline ?? height), y + (placed.lastBaseline ?? height)))
        }
        // The baselines of the visually first and last items, or of one beside them that shares its baseline (§8.5).
        let visual = style.box.flexWrapReverse ? lines.reversed() : lines
        guard let first = visual.first?.items, let last = visual.last?.items else { return }
        func ends(_ line: Range<Int>) -> (Int, Int) {
            style.isFlexReversed ? (line.upperBound - 1, line.lowerBound) : (line.lowerBound, line.upperBound - 1)
        }
        let firstItem = first.first { isRow && items[$0].sharesBaseline } ?? ends(first).0
        let lastItem = last.last { isRow && items[$0].sharesBaseline } ?? (isRow ? ends(last).0 : ends(last).1)
        engine.tree.boxes[index].baselines = (baselines[firstItem].first, baselines[lastItem].last)
    }

    /// Notes the static positions of positioned children: as if each were the only item in the container's content box (§4.1).
    private func noteStaticPositions(in index: Int, _ engine: inout LayoutEngine) {
        let content = engine.tree.boxes[index].rect.height - edges.frame.vertical
        let (left, top) = (edges.frame.left, edges.frame.top)
        let place = justification(.zero).alignment.place
        let along = isMirrored ? place.opposite : place
        for child in positioned {
            let own = engine.style(of: child).box.alignSelf ?? style.box.alignItems
            let alignment = distribution(own, safeBy: .alignItems, isReversed: style.box.flexWrapReverse, .zero)
                .alignment
            let across = mirrorsCross ? alignment.place.opposite : alignment.place
            engine.staticPositions[child] = StaticPosition(
                container: index,
                horizontal: .init(start: left, end: left + innerWidth, alignment: isRow ? along : across),
                vertical: .init(start: top, end: top + content, alignment: isRow ? across : along))
        }
    }

    /// On a terminal the items of a row shrink, then it wraps. A cell separates neighbours whose texts could touch.
    private mutating func yieldToWidth() {
        let mayTouch = items.contains { item in
            item.mainMargin == .zero && item.edges.frame.horizontal == .zero
                && (item.isAnonymous || item.style.box.backgroundColor.alpha < 128)
        }
        if mayTouch { mainGap.raise(to: .cell) }
        var needed = mainGap * max(0, items.count - 1)
        for i in items.indices {
            let room = max(innerWidth - items[i].mainMargin, .cell)
            items[i].base.lower(to: room)
            items[i].minimum.lower(to: room)
            items[i].main.lower(to: room)
            let shrinks = items[i].isAnonymous || items[i].style.box.flexShrink > 0
            needed += (shrinks ? items[i].minimum : items[i].main) + items[i].mainMargin
        }
        wraps = wraps || needed > innerWidth
    }
}
