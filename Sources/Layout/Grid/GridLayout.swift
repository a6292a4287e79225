// Grid containers (CSS Grid 2): items in the areas found by placement, each the root of a formatting context. Columns
// are sized by the intrinsic widths of items, rows by the items' heights in those columns.

import FancyTextCSS

/// A baseline of an item, and the space that moves it to the shared one (§11.6; CSS Box Alignment 3 §9.3).
struct SharedBaseline {
    /// The distance from the start of the margin box, or from its end.
    var distance: LayoutUnit
    var isAtEnd: Bool
    var shim = LayoutUnit.zero

    func offset(in free: LayoutUnit) -> LayoutUnit { isAtEnd ? free - shim : shim }
}

/// A grid item while track sizes are computed; sizes are of the border box.
struct GridItem {
    let box: Int
    let area: GridArea
    let isReplaced, isAnonymous: Bool
    let style: ComputedStyle
    let justify, align: ItemAlignment
    /// The edges; percentages are resolved as soon as the area's width is known.
    var edges = BoxEdges()
    /// The width contributions of the margin box.
    var widths = TrackItem(range: 0..<0)
    var width = LayoutUnit.zero, height = LayoutUnit.zero
    /// The baselines that the item shares with others in its column and in its row.
    var across, down: SharedBaseline?

    init(_ box: Int, area: GridArea, container: ComputedStyle, _ engine: inout LayoutEngine) {
        (self.box, self.area, isReplaced) = (box, area, engine.text.boxes[box].isReplaced)
        isAnonymous = engine.text.boxes[box].isAnonymous
        style = engine.style(of: box)
        justify = ItemAlignment(.horizontal, of: isAnonymous ? nil : style, in: container, isReplaced: isReplaced)
        align = ItemAlignment(.vertical, of: isAnonymous ? nil : style, in: container, isReplaced: isReplaced)
    }

    /// The margins set by the style: nil for `auto`.
    private var margin: Sides<LengthPercentage?> { isAnonymous ? Sides(LengthPercentage.zero) : style.box.margin }

    /// Returns whether only the alignment decides about the size.
    private func isAutomatic(_ axis: LayoutAxis) -> Bool {
        let (start, end) = margin.ends(axis)
        return start != nil && end != nil && (isAnonymous || style.box.size(axis) == .auto)
    }
    var hasRatio: Bool { !isAnonymous && !isReplaced && style.box.usedRatio != nil }

    /// True if the item fills the area's width: no style or margin sets it, nor a height that the style stretches.
    var stretchesAcross: Bool {
        guard justify.stretches, isAutomatic(.horizontal) else { return false }
        return !hasRatio || justify.isExplicit || !(align.isExplicit && isAutomatic(.vertical))
    }
    /// True if the item fills the area's height, unless that follows from the width.
    var stretchesDown: Bool {
        guard align.stretches, isAutomatic(.vertical) else { return false }
        return !hasRatio || align.isExplicit || takesWidthFromHeight
    }

    /// True if the aspect ratio and the area's height decide the width.
    var takesWidthFromHeight: Bool { hasRatio && style.box.width == .auto && !stretchesAcross }

    /// Returns whether the item is a grid whose tracks in an axis are those of the outer grid.
    func isSubgrid(_ axis: LayoutAxis, _ engine: LayoutEngine) -> Bool {
        let tracks = axis == .horizontal ? style.box.grid.columns : style.box.grid.rows
        return !isAnonymous && engine.text.boxes[box].kind == .grid && tracks.isSubgrid
    }

    /// The offset of the margin box in an area of this size.
    func offset(across size: LayoutUnit, isRightToLeft: Bool, grid: LayoutGrid) -> LayoutUnit {
        let margins = isRightToLeft ? (margin.right, margin.left) : (margin.left, margin.right)
        let free = size - width - edges.margin.horizontal
        if let across, margins.0 != nil, margins.1 != nil { return across.offset(in: free) }
        return justify.offset(free: free, margins, grid: grid)
    }
    func offset(down size: LayoutUnit, grid: LayoutGrid) -> LayoutUnit {
        let free = size - height - edges.margin.vertical
        if let down, margin.top != nil, margin.bottom != nil { return down.offset(in: free) }
        return align.offset(free: free, margin.ends(.vertical), grid: grid)
    }
}

struct GridLayout {
    private let box: Int
    let style: ComputedStyle
    let grid: LayoutGrid
    private let columns, rows: Axis
    let placement: GridPlacement
    var items: [GridItem]
    let given: [LayoutAxis: SubgridAxis]?
    /// The contributions of the items in subgrids to the columns.
    var inSubgrids: [TrackItem] = []
    /// True if the widths of some items depend on heights.
    private var usesHeights = false

    private struct Axis {
        let template: GridTemplate
        let lines: GridLines
    }

    init(_ box: Int, columns: GridSpace, rows: GridSpace, _ engine: inout LayoutEngine) {
        let (style, grid, given) = (engine.style(of: box), engine.snap, engine.subgrids[box])
        (self.box, self.style, self.grid, self.given) = (box, style, grid, given)
        let template = style.box.grid
        func axis(
            _ axis: LayoutAxis, _ list: TrackList, automatic: [TrackSize], in space: GridSpace,
            areas: [(name: String, tracks: Range<Int>)], areaTracks: Int
        ) -> Axis {
            let template = GridTemplate(
                given?[axis]?.template(naming: list) ?? list, automatic: automatic, space: space,
                gap: Self.gap(style.box.gap(axis), of: space.definite, grid: grid), grid: grid)
            let lines = GridLines(lineNames: template.lineNames, areas: areas, areaTracks: areaTracks)
            return Axis(template: template, lines: lines)
        }
        let across = axis(
            .horizontal, template.columns, automatic: template.autoColumns, in: columns,
            areas: template.areas.areas.map { ($0.name, $0.columns) }, areaTracks: template.areas.columnCount)
        let down = axis(
            .vertical, template.rows, automatic: template.autoRows, in: rows,
            areas: template.areas.areas.map { ($0.name, $0.rows) }, areaTracks: template.areas.rowCount)
        (self.columns, self.rows) = (across, down)
        let boxes = engine.text.items(of: box).inFlow
        let placement = GridPlacement(
            boxes.map { item in
                guard let place = engine.ownStyle(of: item)?.box.gridItem
                else { return GridPlacement.Item(column: .automatic(span: 1), row: .automatic(span: 1)) }
                return GridPlacement.Item(
                    column: across.lines.position(start: place.columnStart, end: place.columnEnd),
                    row: down.lines.position(start: place.rowStart, end: place.rowEnd))
            }, explicitColumns: across.lines.trackCount, explicitRows: down.lines.trackCount,
            flowsInColumns: template.flowsInColumns, isDense: template.isDense
        ).limited(columns: given?[.horizontal]?.sizes.count, rows: given?[.vertical]?.sizes.count)
        self.placement = placement
        items = []
        items.reserveCapacity(boxes.count)
        for (item, area) in zip(boxes, placement.areas) {
            items.append(GridItem(item, area: area, container: style, &engine))
        }
    }

    static func gap(_ gap: LengthPercentage, of space: LayoutUnit?, grid: LayoutGrid) -> LayoutUnit {
        resolve(gap, space ?? .zero, grid: grid).nonNegative
    }

    static func intrinsicWidths(_ box: Int, _ engine: inout LayoutEngine) -> IntrinsicWidths {
        let edges = engine.edges(of: box)
        let limits = Constraint(available: .unlimited)
        let style = engine.style(of: box)
        func limit(_ size: SizeValue) -> LayoutUnit? {
            guard !size.isByContents, let width = engine.resolveWidth(size, of: box, edges, limits) else { return nil }
            return (width - edges.frame.horizontal).nonNegative
        }
        let most = limit(style.box.maxWidth)
        let space = GridSpace(minimum: limit(style.box.minWidth) ?? .zero, maximum: most)
        var layout = GridLayout(box, columns: space, rows: GridSpace(), &engine)
        layout.measureWidths(in: layout.unsized(.vertical, in: GridSpace(definite: engine.heights.base)), &engine)
        return IntrinsicWidths(
            minimum: layout.columns(in: GridSpace(), aim: .minContent, &engine).total,
            maximum: layout.columns(in: GridSpace(), aim: .maxContent, &engine).total)
    }

    static func layOut(
        _ box: Int, in constraint: Constraint, as slot: FragmentSlot, _ engine: inout LayoutEngine
    ) -> Int {
        let edges = engine.boxEdges(box, percentageBase: constraint.percentageOfEdges)
        let width = engine.usedWidth(box, edges, constraint)
        let definite = engine.definiteHeight(box, width: width, edges, constraint)
        let frame = edges.frame.vertical
        func inner(_ height: LayoutUnit) -> LayoutUnit { (height - frame).nonNegative }
        let index = engine.startFragment(box, kind: .grid, edges: edges, as: slot)
        engine.tree.boxes[index].rect.width = width

        let across = GridSpace(definite: (width - edges.frame.horizontal).nonNegative)
        var down = GridSpace(definite: definite.map(inner))
        if definite == nil {
            down.minimum = inner(engine.clampHeight(.zero, of: box, edges, constraint))
            let most = engine.clampHeight(.unlimited, of: box, edges, constraint)
            if !most.isUnlimited { down.maximum = inner(most) }
        }
        var layout = GridLayout(box, columns: across, rows: down, &engine)
        layout.measureWidths(in: layout.unsized(.vertical, in: down), &engine)
        var columnPositions = layout.positions(of: layout.columns(in: across, aim: .layout, &engine))
        var rows = layout.rows(in: down, columns: columnPositions, parent: index, &engine)
        if layout.usesHeights {
            // Columns are sized once more if the heights of rows change the widths of items (§12.1).
            let widths = layout.items.map(\.widths)
            layout.measureWidths(in: rows, areSized: true, &engine)
            if layout.items.map(\.widths) != widths, engine.relaidBoxes <= engine.relaidBoxesLimit {
                engine.relaidBoxes += engine.text.boxes[box].end - box
                columnPositions = layout.positions(of: layout.columns(in: across, aim: .layout, &engine))
                rows = layout.rows(in: down, columns: columnPositions, parent: index, &engine)
            }
        }
        let automatic = rows.total + frame
        let height = engine.finalHeight(definite, contents: automatic, of: box, edges, constraint)
        if definite == nil,
            layout.rows.template.hasPercentages(layout.placement.rows) || layout.style.box.rowGap.isRelative
        {
            // The tracks have set the height to which their percentages refer.
            rows = layout.rows(in: GridSpace(definite: inner(height)), columns: columnPositions, parent: index, &engine)
        }
        let rowPositions = TrackPositions(
            rows, first: layout.placement.rows.lowerBound, space: inner(height),
            alignment: ContentDistribution(
                alignment: layout.style.box.alignContent,
                isSafe: layout.style.box.safeAlignments.contains(.alignContent)), grid: layout.grid)
        layout.layOutItems(in: index, columns: columnPositions, rows: rowPositions, &engine)
        engine.tree.boxes[index].automaticHeight = automatic
        engine.tree.boxes[index].rect.height = height
        layout.placePositioned(in: index, columns: columnPositions, rows: rowPositions, &engine)
        return index
    }

    // MARK: Columns

    /// Collects the width contributions of the items to columns that depend on them. Before the rows are sized, only those with
    /// a fixed maximum have a known height (§12.1), and the only row that of its container.
    mutating func measureWidths(in rows: TrackSizing? = nil, areSized: Bool = false, _ engine: inout LayoutEngine) {
        for i in items.indices {
            items[i].widths.range = items[i].area.columns.shifted(by: -placement.columns.lowerBound)
        }
        inSubgrids = []
        let sizing = unsized(.horizontal, in: GridSpace(), aim: .maxContent)
        let outer = engine.heights
        for i in items.indices
        where sizing.dependsOnContents(items[i].widths.range) || items[i].justify.sharesBaseline {
            // The number of rows decides in which columns a subgrid places its items.
            if items[i].isSubgrid(.vertical, engine), engine.subgrids[items[i].box]?[.vertical] == nil {
                let gap = ownGap(.vertical, of: items[i]) ?? gap(.vertical, in: GridSpace())
                giveUnsized(.vertical, gap: gap, to: items[i], &engine)
            }
            if items[i].isSubgrid(.horizontal, engine) {
                measureWidths(inSubgrid: i, &engine)
                continue
            }
            engine.heights.base = rows.flatMap { rows in
                let range = rowRange(of: items[i])
                if areSized { return rows.size(of: range) }
                return rows.fixedMaximum(of: range) ?? (rows.tracks.count == 1 ? rows.space.definite : nil)
            }
            items[i].edges = engine.edges(of: items[i].box)
            let height = stretchedHeight(of: items[i], in: engine.heights.base, &engine)
            engine.heights.isUsed = items[i].stretchesDown && (items[i].hasRatio || items[i].isReplaced)
            let wishes = engine.contribution(items[i].box, height: height)
            (items[i].widths.minContent, items[i].widths.maxContent) = (wishes.minimum, wishes.maximum)
            items[i].across = baselineAcross(
                items[i], width: wishes.maximum - items[i].edges.margin.horizontal, &engine)
            usesHeights = usesHeights || engine.heights.isUsed
        }
        engine.heights = outer
        engine.heights.isUsed = outer.isUsed || usesHeights
        shareBaselines(\.across, .horizontal)
        for i in items.indices {
            guard let shim = items[i].across?.shim else { continue }
            items[i].widths.minContent += shim
            items[i].widths.maxContent += shim
        }
    }

    /// The baseline of an item for its column: that of lines across those of the grid, or else the edge of the box under lines there.
    private func baselineAcross(_ item: GridItem, width: LayoutUnit, _ engine: inout LayoutEngine) -> SharedBaseline? {
        guard item.justify.sharesBaseline else { return nil }
        var (isAtEnd, width, isRightToLeft) = (item.justify.isLastBaseline, width, style.text.direction == .rtl)
        var distance =
            engine.axes.isVertical ? style.hasCentralBaseline ? width / 2 : width : isRightToLeft ? width : .zero
        if isAtEnd { distance = width - distance }
        if engine.crosses(item.box) {
            let space = Constraint(
                available: .unlimited, percentageHeight: engine.heights.base, shrinksToFit: true)
            let measured = engine.measure(item.box, in: space, parent: -1)
            width = measured.width
            if let own = isAtEnd ? measured.crossBaselines.last.map({ width - $0 }) : measured.crossBaselines.first {
                // The block axis of the item may begin at the end of the column.
                let (start, outer) = (item.style.startsAtEnd, style.startsAtEnd)
                let isOpposed = engine.axes.isVertical ? start.bottom != outer.bottom : start.right != outer.right
                (distance, isAtEnd) = (own, isAtEnd != isOpposed)
            }
        }
        let margin = item.edges.margin
        return SharedBaseline(
            distance: distance + (isAtEnd == isRightToLeft ? margin.left : margin.right), isAtEnd: isAtEnd)
    }

    /// For each track that collapses when empty, whether it has items. Linear in items and tracks.
    private func occupied(_ tracks: Range<Int>, _ axis: LayoutAxis) -> [Bool] {
        guard !tracks.isEmpty else { return [] }
        var changes = Array(repeating: 0, count: tracks.upperBound + 1)
        for item in items {
            let covered = item.area.along(axis).clamped(to: 0..<tracks.upperBound)
            changes[covered.lowerBound] += 1
            changes[covered.upperBound] -= 1
        }
        var count = 0
        return changes.map { change in
            count += change
            return count > 0
        }
    }

    private func rowRange(of item: GridItem) -> Range<Int> { item.area.rows.shifted(by: -placement.rows.lowerBound) }

    func template(_ axis: LayoutAxis) -> GridTemplate { (axis == .horizontal ? columns : rows).template }

    private func unsized(_ axis: LayoutAxis, in space: GridSpace, aim: TrackSizing.Aim = .layout) -> TrackSizing {
        let occupied = occupied(template(axis).collapsible, axis)
        let range = axis == .horizontal ? placement.columns : placement.rows
        let tracks = template(axis).tracks(range, of: space.definite, grid: grid) { occupied[$0] }
        return TrackSizing(tracks, gap: gap(axis, in: space), space: space, aim: aim, grid: grid)
    }

    mutating func columns(in space: GridSpace, aim: TrackSizing.Aim, _ engine: inout LayoutEngine) -> TrackSizing {
        var sizing = unsized(.horizontal, in: space, aim: aim)
        for i in items.indices where sizing.dependsOnContents(items[i].widths.range) {
            let edges = engine.edges(of: items[i].box)
            items[i].widths.minimum = minimum(
                of: items[i], .horizontal, items[i].widths, outside: edges.margin.horizontal, sizing, edges, &engine)
        }
        sizing.size(items.map(\.widths) + inSubgrids, stretches: style.box.justifyContent.stretchesTracks)
        if grid.isOfCells, aim == .layout, let definite = space.definite { sizing.shrink(to: definite) }
        return sizing
    }

    /// The minimum size of an item's margin box in its tracks (§6.6, §12.5), if its contents ask for `asked`.
    private func minimum(
        of item: GridItem, _ axis: LayoutAxis, _ asked: TrackItem, outside: LayoutUnit, _ sizing: TrackSizing,
        _ edges: BoxEdges, _ engine: inout LayoutEngine
    ) -> LayoutUnit {
        var hasContentMinimum = sizing.hasContentMinimum(asked.range)
        if !item.isAnonymous {
            let style = item.style.box
            // A percentage behaves as `auto` while the container's size is unknown (CSS Sizing 3 §5.2.1).
            guard style.size(axis) == .auto || style.size(axis).isRelative else { return asked.minContent }
            if style.leastSize(axis) != .auto {
                let space = Constraint(available: .unlimited)
                let least = engine.resolveSize(style.leastSize(axis), axis, of: item.box, edges, space)
                return (least ?? edges.frame.along(axis)) + outside
            }
            if style.overflow(axis) != .visible, style.overflow(axis) != .clip { hasContentMinimum = false }
        }
        let frame = edges.frame.along(axis) + outside
        guard hasContentMinimum else { return frame }
        // On a terminal, words that are wider than in a picture keep their width.
        guard !grid.isOfCells, let most = sizing.fixedMaximum(of: asked.range) else { return asked.minContent }
        return max(frame, min(asked.minContent, most))
    }

    /// The positions of the columns in their space, with left and right in text direction.
    func positions(of columns: TrackSizing) -> TrackPositions {
        let isRightToLeft = style.text.direction == .rtl
        var alignment = style.box.justifyContent
        if alignment == .left { alignment = isRightToLeft ? .end : .start }
        if alignment == .right { alignment = isRightToLeft ? .start : .end }
        return TrackPositions(
            columns, first: placement.columns.lowerBound, space: columns.space.definite ?? .zero,
            alignment: ContentDistribution(
                alignment: alignment, isSafe: style.box.safeAlignments.contains(.justifyContent)), grid: grid)
    }

    // MARK: Rows

    private mutating func rows(
        in space: GridSpace, columns: TrackPositions, parent: Int, _ engine: inout LayoutEngine
    ) -> TrackSizing {
        var sizing = unsized(.vertical, in: space)
        sizing.size(
            heights(sizing, columns: columns, parent: parent, &engine),
            stretches: style.box.alignContent.stretchesTracks)
        return sizing
    }

    /// The contributions of the items to the rows, in the columns of their widths.
    mutating func heights(
        _ sizing: TrackSizing, columns: TrackPositions, parent: Int, _ engine: inout LayoutEngine
    ) -> [TrackItem] {
        var inSubgrids: [TrackItem] = []
        for i in items.indices {
            let area = columns.extent(of: items[i].area.columns).size
            items[i].edges = engine.boxEdges(items[i].box, percentageBase: area)
            give(columns, .horizontal, to: items[i], &engine)
            if items[i].isSubgrid(.vertical, engine) {
                items[i].height = items[i].edges.frame.vertical
                guard sizing.dependsOnContents(rowRange(of: items[i])) else { continue }
                inSubgrids += heights(
                    inSubgrid: items[i], rowRange(of: items[i]), gap: sizing.gap, width: area, parent: parent, &engine)
                continue
            }
            guard sizing.dependsOnContents(rowRange(of: items[i])) || items[i].align.sharesBaseline else { continue }
            let constraint = self.constraint(of: items[i], width: area, height: nil, &engine)
            let measured = engine.measure(items[i].box, in: constraint, parent: parent)
            items[i].height = measured.height
            if items[i].align.sharesBaseline {
                let (margin, isLast) = (items[i].edges.margin, items[i].align.isLastBaseline)
                let baseline =
                    (isLast ? measured.lastBaseline : measured.firstBaseline)
                    ?? engine.synthesizedBaseline(measured.height, in: style)
                items[i].down = SharedBaseline(
                    distance: isLast ? margin.bottom + measured.height - baseline : margin.top + baseline,
                    isAtEnd: isLast)
            }
        }
        shareBaselines(\.down, .vertical)
        return items.map { item in
            var asked = TrackItem(range: rowRange(of: item))
            let outside = item.edges.margin.vertical + (item.down?.shim ?? .zero)
            asked.minContent = (item.height + outside).nonNegative
            asked.maxContent = asked.minContent
            asked.minimum = minimum(
                of: item, .vertical, asked, outside: outside, sizing, item.edges, &engine)
            return asked
        } + inSubgrids
    }

    /// Moves the items of a row or a column to the baseline that is farthest from its edge (§11.6; CSS Box Alignment 3 §9.3).
    private mutating func shareBaselines(_ path: WritableKeyPath<GridItem, SharedBaseline?>, _ axis: LayoutAxis) {
        var farthest: [BaselineGroup: LayoutUnit] = [:]
        for item in items {
            guard let own = item[keyPath: path] else { continue }
            farthest[BaselineGroup(item, own, axis), default: own.distance].raise(to: own.distance)
        }
        for i in items.indices {
            guard let own = items[i][keyPath: path], let shared = farthest[BaselineGroup(items[i], own, axis)]
            else { continue }
            items[i][keyPath: path]?.shim = shared - own.distance
        }
    }

    private struct BaselineGroup: Hashable {
        var track: Int
        var isAtEnd: Bool

        init(_ item: GridItem, _ baseline: SharedBaseline, _ axis: LayoutAxis) {
            isAtEnd = baseline.isAtEnd
            track = isAtEnd ? item.area.along(axis).upperBound - 1 : item.area.along(axis).lowerBound
        }
    }

    // MARK: Items

    /// The height of an item that fills an area of this height.
    private func stretchedHeight(of item: GridItem, in area: LayoutUnit?, _ engine: inout LayoutEngine) -> LayoutUnit? {
        guard item.stretchesDown, let area else { return nil }
        return engine.clampHeight(
            (area - item.edges.margin.vertical).nonNegative, of: item.box, item.edges,
            Constraint(available: .unlimited, percentageHeight: area))
    }

    /// The constraint for the layout of an item in an area; its height is nil while the rows are not sized.
    func constraint(
        of item: GridItem, width: LayoutUnit, height: LayoutUnit?, _ engine: inout LayoutEngine
    ) -> Constraint {
        var constraint = Constraint(available: width, percentageHeight: height, shrinksToFit: !item.stretchesAcross)
        constraint.height = stretchedHeight(of: item, in: height, &engine)
        if item.takesWidthFromHeight, let height = constraint.height, let ratio = item.style.box.aspectRatio {
            constraint.width = engine.clampWidth(
                engine.transferred(height, by: ratio, of: item.box, item.edges, toWidth: true), of: item.box,
                item.edges, constraint)
        } else if item.stretchesAcross {
            let room = (width - item.edges.margin.horizontal).nonNegative
            // A height set by the style affects the width, unless the style is `stretch`.
            constraint.width =
                item.isReplaced || item.justify.isExplicit || engine.control(of: item.box) != nil
                ? engine.clampWidth(room, of: item.box, item.edges, constraint)
                : engine.usedWidth(item.box, item.edges, constraint)
        } else if !item.isReplaced {
            constraint.width = engine.usedWidth(item.box, item.edges, constraint)
        }
        return constraint
    }

    private mutating func layOutItems(
        in index: Int, columns: TrackPositions, rows: TrackPositions, _ engine: inout LayoutEngine
    ) {
        let frame = engine.tree.boxes[index].frame
        let innerWidth = (engine.tree.boxes[index].rect.width - frame.horizontal).nonNegative
        let isRightToLeft = style.text.direction == .rtl
        var baselines = ContainerBaselines()
        for i in items.indices {
            let across = columns.extent(of: items[i].area.columns)
            let down = rows.extent(of: items[i].area.rows)
            let constraint = self.constraint(of: items[i], width: across.size, height: down.size, &engine)
            give(columns, .horizontal, to: items[i], &engine)
            give(rows, .vertical, to: items[i], &engine)
            let fragment = engine.layOutItem(items[i].box, in: constraint, edges: items[i].edges, as: .child(of: index))
            (items[i].width, items[i].height) = engine.tree.boxes[fragment].rect.size
            let item = items[i]
            var x = across.start + item.offset(across: across.size, isRightToLeft: isRightToLeft, grid: grid)
            if isRightToLeft { x = innerWidth - x - item.width - item.edges.margin.horizontal }
            let y = down.start + item.offset(down: down.size, grid: grid)
            engine.tree.boxes[fragment].margin = item.edges.margin
            engine.tree.boxes[fragment].rect.origin = LayoutPoint(
                x: frame.left + x + item.edges.margin.left, y: frame.top + y + item.edges.margin.top)
            if !item.isAnonymous, item.style.box.position == .relative {
                engine.tree.itemAreas[item.box] = LayoutRect(
                    x: across.start, y: down.start, width: across.size, height: down.size)
            }
            baselines.add(item, engine.tree.boxes[fragment])
        }
        engine.tree.boxes[index].baselines = (baselines.first?.y, baselines.last?.y)
    }

    /// Places positioned children in the area that they name, or else in the padding box. If the container is not their
    /// containing block, their static position is in its content box (§9).
    private func placePositioned(
        in index: Int, columns: TrackPositions, rows: TrackPositions, _ engine: inout LayoutEngine
    ) {
        let fragment = engine.tree.boxes[index]
        let frame = fragment.frame
        let isRightToLeft = style.text.direction == .rtl
        for child in box + 1..<engine.text.boxes[box].end where engine.text.boxes[child].isPositioned {
            let (isContained, isChild) = (
                engine.text.boxes[child].containingBlock == box, engine.text.boxes[child].parent == box
            )
            guard isContained || isChild else { continue }
            let own = engine.style(of: child)
            var area = LayoutRect(x: .zero, y: .zero, width: fragment.rect.width, height: fragment.rect.height)
            if isContained {
                let place = own.box.gridItem
                let across = self.columns.lines.edges(
                    start: place.columnStart, end: place.columnEnd, in: placement.columns)
                let down = self.rows.lines.edges(start: place.rowStart, end: place.rowEnd, in: placement.rows)
                var left = across.start.map { frame.left + columns.start(ofLine: $0) }
                var right = across.end.map { frame.left + columns.end(ofLine: $0) }
                if isRightToLeft {
                    let width = fragment.rect.width - frame.right + frame.left
                    (left, right) = (right.map { width - $0 }, left.map { width - $0 })
                }
                let top = down.start.map { frame.top + rows.start(ofLine: $0) } ?? fragment.border.top
                let bottom = down.end.map { frame.top + rows.end(ofLine: $0) } ?? area.height - fragment.border.bottom
                (area.x, area.y) = (left ?? fragment.border.left, top)
                area.width = ((right ?? area.width - fragment.border.right) - area.x).nonNegative
                area.height = (bottom - top).nonNegative
                engine.positionedAreas[child] = area
            } else {
                area = area.inset(by: frame)
            }
            guard isChild else { continue }
            let along = ItemAlignment(.horizontal, of: own, in: style).position
            let across = ItemAlignment(.vertical, of: own, in: style).position
            engine.staticPositions[child] = StaticPosition(
                container: index,
                horizontal: StaticPosition.Axis(
                    start: area.x, end: area.maxX, alignment: isRightToLeft ? along.opposite : along),
                vertical: StaticPosition.Axis(start: area.y, end: area.maxY, alignment: across))
        }
    }
}

/// The baselines of a grid: of items in its first and last row that share them, or the first there (§11.6).
private struct ContainerBaselines {
    typealias Candidate = (rank: (row: Int, sharing: Int, column: Int), y: LayoutUnit)

    var first, last: Candidate?

    mutating func add(_ item: GridItem, _ fragment: BoxFragment) {
        func offer(_ best: inout Candidate?, row: Int, isShared: Bool, column: Int, _ baseline: LayoutUnit?) {
            let rank = (row, isShared && item.down != nil ? 0 : 1, column)
            guard best.map({ rank < $0.rank }) ?? true else { return }
            best = (rank, fragment.rect.y + (baseline ?? fragment.rect.height))
        }
        let (rows, column, isLast) = (item.area.rows, item.area.columns.lowerBound, item.align.isLastBaseline)
        offer(&first, row: rows.lowerBound, isShared: !isLast, column: column, fragment.firstBaseline)
        offer(&last, row: -rows.upperBound, isShared: isLast, column: -column, fragment.lastBaseline)
    }
}
