// Text in columns (CSS Multi-column 1): a row of them above and below each box that spans all columns. Contents are
// laid out in one long column, which is broken at allowed places, and the parts are moved beside each other.

import FancyTextCSS

/// The number of columns and their width (§3.4).
struct ColumnGeometry {
    let count: Int
    let width, gap: LayoutUnit

    init(_ style: BoxStyle, available: LayoutUnit, grid: LayoutGrid) {
        let gap = resolve(style.columnGap, available, grid: grid).nonNegative
        self.gap = gap
        var count = style.columns.count ?? Self.most
        if let width = style.columns.width {
            // Chromium's least width.
            let one = max(LayoutUnit(width), LayoutUnit(1)) + gap
            count.lower(to: max(1, Int(((available + gap).raw) / one.raw)))
        }
        self.count = max(1, min(count, Self.most))
        width = grid.floor((available - gap * (self.count - 1)).nonNegative / Int32(self.count))
    }

    private static let most = 10_000
}

extension ColumnStyle {
    /// The intrinsic widths of a container of columns with contents of these widths (CSS Sizing 3 §5).
    func widths(of contents: IntrinsicWidths, gap: LayoutUnit) -> IntrinsicWidths {
        let number = count ?? 1
        let gaps = gap * (number - 1)
        guard let width = width.map({ LayoutUnit($0) }) else {
            return IntrinsicWidths(minimum: contents.minimum * number + gaps, maximum: contents.maximum * number + gaps)
        }
        return IntrinsicWidths(
            minimum: min(contents.minimum, width), maximum: max(contents.maximum, width) * number + gaps)
    }
}

extension LayoutEngine {
    /// Lays out the contents of a multi-column container; `height` and the `limit` are of its content box.
    mutating func layoutColumns(
        of box: Int, in container: BlockContainer, height: LayoutUnit?, limit: LayoutUnit?, flow: inout Flow
    ) {
        let style = style(of: box)
        var geometry = ColumnGeometry(style.box, available: container.width, grid: snap)
        let isRightToLeft = style.text.direction == .rtl
        var column = container
        column.width = geometry.width
        if isRightToLeft { column.x += container.width - geometry.width }
        let start = flow.y
        var rules: [CollapsedBorder] = []
        columnRows[box] = []
        // Columns with a height are in rows (CSS Multi-column 2 §4.5).
        let columns = style.box.columns
        let columnHeight = columns.height.map { LayoutUnit($0) }
        let wraps = columns.wraps ?? (columnHeight != nil)
        let rowHeight = wraps ? columnHeight ?? height : nil
        let isDefinite = (columnHeight ?? height) != nil
        // Content advances in each column, even in one without a height (CSS Fragmentation 3 §5.1).
        let excess = (LayoutUnit(1) - (rowHeight ?? LayoutUnit(1))).nonNegative
        let rows = rowHeight.map {
            ColumnSpace(
                first: $0 + excess, others: $0 + excess,
                gap: resolve(style.box.rowGap, height ?? .zero, grid: snap).nonNegative - excess)
        }
        let end = text.boxes[box].end
        var child = box + 1
        // True until something is placed below the trimmed margins at the top (`margin-trim`).
        var isTrimmed = flow.strut.isTrimmed
        repeat {
            // Margins between boxes that span all columns collapse.
            if child == end || !spansColumns(child) { settle(&flow) }
            flow.strut.isTrimmed = isTrimmed
            let (before, top) = (mark, flow)
            let firstChild = child
            var row = layoutRow(of: box, from: &child, in: column, flow: &flow)
            let known = ColumnRow(box: box, number: columnRows[box]?.count ?? 0)
            let space = rows?.dropping(row.top - start) ?? columnSpaces[known]
            let most = wraps ? nil : (columnHeight ?? height ?? limit)
            var contents = ColumnRowContents(
                top: row.top, room: most.map { max($0 - (row.top - start), .zero) }, space: space, isGiven: rows != nil,
                isDefinite: isDefinite, fillsInOrder: columns.fillsInOrder, grid: snap)
            func broken() -> (breaking: FlowBreaking, height: LayoutUnit) {
                (contents.flows, contents.repeated) = (row.flows, row.repeated)
                contents.lead = row.lead(of: row.flows[0].pieces)
                (contents.count, contents.bottom, contents.isLast) = (geometry.count, flow.y, child >= end)
                return contents.broken(in: space)
            }
            var (breaking, used) = broken()
            func layOutAgain() {
                relaidBoxes += text.boxes[box].end - box
                takeBack(to: before)
                (flow, child) = (top, firstChild)
                row = layoutRow(of: box, from: &child, in: column, flow: &flow)
                (breaking, used) = broken()
            }
            if snap.isOfCells, geometry.count > 1, used > Self.screen, relaidBoxes <= relaidBoxesLimit {
                // Higher columns than a screen cannot be read without scrolling back.
                var single = style.box
                (single.columns.count, single.columns.width) = (1, nil)
                geometry = ColumnGeometry(single, available: container.width, grid: snap)
                column = container
                layOutAgain()
            }
            for _ in 0..<Self.mostTrials where note(breaking.spaces) && relaidBoxes <= relaidBoxesLimit {
                layOutAgain()
            }
            let places = FlowPlaces(
                breaking, top: row.top, stride: geometry.width + geometry.gap, isRightToLeft: isRightToLeft)
            // Positioned boxes may extend into columns that nothing else fills.
            if places.count > 1
                || columns.fillsInOrder && (firstChild..<child).contains(where: holdsPositioned.contains)
            {
                move(row, to: places, boxes: firstChild..<child, holder: text.boxes[box].holdsInlines)
            }
            let rest = (child >= end ? height.map { $0 - (row.top - start) } : nil) ?? .zero
            rules += columnRules(style, geometry, places, column, height: rest, in: space)
            flow.y = row.top + (row.flows[0].pieces.isEmpty ? .zero : used)
            if let rows, flow.y > row.top {
                // The last row is as high as the others.
                let last = rows.dropping(row.top - start + breaking.strip.lastTop).first
                flow.y = row.top + breaking.strip.lastTop + last - excess
            }
            contents.tops = breaking.strip.tops.map { row.top + $0 } + [flow.y]
            columnRows[box, default: []].append(contents)
            flow.floats = FloatSpace()
            if child < end {
                flow.strut.isTrimmed = isTrimmed && flow.y == start
                isTrimmed = false
                layoutIndependentChild(child, in: container, flow: &flow)
                child = text.boxes[child].end
            }
        } while child < end
        if !rules.isEmpty {
            let first = tree.collapsedBorders.count
            tree.collapsedBorders += rules
            tree.boxes[flow.root].collapsedBorders = first..<tree.collapsedBorders.count
        }
    }

    /// The rows of a large terminal.
    private static var screen: LayoutUnit { LayoutUnit(50) }

    /// The most layouts of contents because containers in them are divided at other places.
    static var mostTrials: Int { 4 }

    /// Lays out the contents from `child` up to a box that spans all columns, in one long column.
    private mutating func layoutRow(
        of box: Int, from child: inout Int, in column: BlockContainer, flow: inout Flow
    ) -> FlowPieces {
        let end = text.boxes[box].end
        var row = FlowPieces(
            root: flow.root, firstBox: tree.boxes.count, firstMarkerLine: markerLines.count, top: flow.y)
        if text.boxes[box].holdsInlines {
            layoutLines(of: box, in: column, flow: &flow)
            row.collectLines(of: tree.boxes[flow.root], self)
            child = end
        } else {
            while child < end, !spansColumns(child) {
                if isPastLimit {
                    child = end
                    break
                }
                if child != text.boxes[box].legend { layoutChild(child, in: column, flow: &flow) }
                child = text.boxes[child].end
            }
            if tree.boxes.count > row.firstBox { settle(&flow) }
            row.collect(row.firstBox..<tree.boxes.count, self)
        }
        row.collectFloats(self)
        return row
    }

    /// Notes the heights that columns or pages leave for rows of containers in them; returns whether some have changed.
    mutating func note(_ spaces: [ColumnRow: ColumnSpace]) -> Bool {
        var hasChanged = false
        for (row, space) in spaces where columnSpaces.updateValue(space, forKey: row) != space { hasChanged = true }
        return hasChanged
    }

    /// Breaks a positioned box in the columns of its containing block.
    mutating func breakIntoColumns(_ index: Int, of box: Int, in block: LongBlock, parent: Int) {
        let outer = axes
        enter(block.axes)
        defer { enter(outer) }
        let frame = block.rect(of: tree.boxes[parent], in: tree)
        var place = axes.flow(tree.boxes[index].rect.moved(by: LayoutPoint() - frame.origin), in: frame)
        place.y += block.top
        let y = place.y
        tree.boxes[index].rect = place
        let edges = tree.boxes[index].edges
        (tree.boxes[index].border, tree.boxes[index].padding) = (axes.sides(edges.border), axes.sides(edges.padding))
        var row = FlowPieces(root: -1, firstBox: index, firstMarkerLine: 0, top: .zero)
        row.collectBox(index, self)
        row.collectFloats(self)
        var strip = block.places.strip
        var at = block.places.position(block.flow, at: y)
        while y < at.top, at.page > 0 {
            at.page -= 1
            at.top -= strip.height(of: at.page)
        }
        while y - at.top >= strip.height(of: at.page), strip.height(of: at.page) > .zero, !strip.isFull {
            at.top += strip.height(of: at.page)
            at.page = strip.page(after: at.page, name: -1)
        }
        var breaking = FlowBreaking(row.flows, repeated: row.repeated, on: strip)
        breaking.place(0, from: at, isFresh: y <= at.top)
        move(row, to: block.places.replacing(breaking), boxes: box..<text.boxes[box].end, holder: false)
        func page(_ rect: LayoutRect) -> LayoutRect {
            axes.page(rect.moved(by: LayoutPoint(y: .zero - block.top)), in: frame).moved(by: frame.origin)
        }
        tree.boxes[index].rect = page(tree.boxes[index].rect)
        (tree.boxes[index].border, tree.boxes[index].padding) = (edges.border, edges.padding)
        for part in tree.boxes[index].parts { tree.parts[part] = page(tree.parts[part]) }
    }

    func spansColumns(_ box: Int) -> Bool {
        guard let style = ownStyle(of: box), !text.boxes[box].isPositioned else { return false }
        return style.box.float == .none && style.box.columns.spansAll
    }

    /// The lines between columns that both have content (§4). Those of the last row end with the container, `height`
    /// below, or with the part of it that the columns or pages around, which leave `space`, divide from the rest.
    private func columnRules(
        _ style: ComputedStyle, _ geometry: ColumnGeometry, _ places: FlowPlaces, _ column: BlockContainer,
        height: LayoutUnit, in space: ColumnSpace?
    ) -> [CollapsedBorder] {
        guard places.count > 1, places.place(0).height > .zero else { return [] }
        let rule = style.box.columns
        let side = BorderSide(width: rule.ruleWidth, style: rule.ruleStyle, color: rule.ruleColor ?? style.text.color)
        let width = resolvedBorder(side, deviceScale: deviceScale)
        guard width > .zero else { return [] }
        func rest(_ number: Int) -> LayoutUnit {
            let top = places.place(number).top
            guard top == places.strip.lastTop else { return .zero }
            return min(height - top, space?.height(of: places.strip.row(of: number)) ?? .unlimited)
        }
        return (1..<places.count).filter { places.strip.column(of: $0) != 0 }.map { number in
            let x = column.x + places.x(of: number)
            let middle = style.text.direction == .rtl ? x + geometry.width + geometry.gap / 2 : x - geometry.gap / 2
            return CollapsedBorder(
                rect: LayoutRect(
                    x: middle - width / 2, y: places.top + places.place(number).top, width: width,
                    height: max(places.place(number).height, rest(number))), side: side, isHorizontal: false)
        }
    }
}
