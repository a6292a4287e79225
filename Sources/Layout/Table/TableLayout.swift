// Tables: rows and cells in their places (CSS 2.1 §17, CSS Tables 3).
//
// In: a table box and its space. Out: a fragment for the table's grid with its sections, rows and cells, inside of a wrapper with the captions if there are
// any. Columns first, then each cell is laid out at its width, rows take the heights of their cells, and contents move
// within their cells as `vertical-align` says.

import Boxes
import Styling

extension Layouter {
    mutating func layoutTable(
        _ box: Int, constraint: Constraint, placement: BoxFragment.Placement, parent: Int, origin: Int
    ) -> Int {
        let grid = text.tableGrid(box)
        noteCollapsedCells(grid)
        let edges = tableEdges(grid, percentageBase: constraint.percentageWidth)
        if isOnTerminal, !hasRoomForColumns(grid, edges: edges, constraint: constraint) {
            becomeBlocks(grid)
            return layoutIndependent(box, constraint: constraint, placement: placement, parent: parent, origin: origin)
        }
        let width = tableWidth(box, grid: grid, edges: edges, constraint: constraint)
        guard !grid.captions.isEmpty else {
            return layoutTableGrid(
                box, grid: grid, edges: edges, width: width, constraint: constraint, placement: placement,
                parent: parent, origin: origin)
        }
        let wrapper = newFragment(box, kind: .tableWrapper, placement: placement, parent: parent, origin: origin)
        tree.boxes[wrapper].margin = edges.margin
        tree.boxes[wrapper].rect.width = width
        var y = LayoutUnit.zero
        for caption in grid.captions where text.styles[text.boxes[caption].style].text.captionSide == .top {
            placeCaption(caption, wrapper: wrapper, width: width, y: &y)
        }
        var inner = edges
        inner.margin = Edges()
        let index = layoutTableGrid(
            box, grid: grid, edges: inner, width: width, constraint: constraint, placement: .inFlow, parent: wrapper,
            origin: wrapper)
        tree.boxes[index].end = tree.boxes.count
        tree.boxes[index].rect.y = y
        if let baseline = tree.boxes[index].firstBaseline { tree.boxes[wrapper].firstBaseline = y + baseline }
        y += tree.boxes[index].rect.height
        for caption in grid.captions where text.styles[text.boxes[caption].style].text.captionSide == .bottom {
            placeCaption(caption, wrapper: wrapper, width: width, y: &y)
        }
        tree.boxes[wrapper].rect.height = y
        tree.boxes[wrapper].lastBaseline = tree.boxes[wrapper].firstBaseline
        fragmentOfBox[box] = Int32(clamping: wrapper)
        return wrapper
    }

    private mutating func placeCaption(_ caption: Int, wrapper: Int, width: LayoutUnit, y: inout LayoutUnit) {
        let index = layoutIndependent(
            caption, constraint: Constraint(available: width), placement: .inFlow, parent: wrapper, origin: wrapper)
        let margin = tree.boxes[index].margin
        tree.boxes[index].rect.x = margin.left
        tree.boxes[index].rect.y = y + margin.top
        y += margin.vertical + tree.boxes[index].rect.height
    }

    /// The grid's border box: the specified width or as much as the contents like, and at least what they need.
    private mutating func tableWidth(_ box: Int, grid: TableGrid, edges: BoxEdges, constraint: Constraint) -> LayoutUnit
    {
        if let width = constraint.width { return width }
        let style = text.styles[text.boxes[box].style].box
        let isAnonymous = text.boxes[box].isAnonymous
        let specified =
            isAnonymous
            ? nil
            : resolveWidth(
                style.width, box: box, edges: edges, constraint: constraint, sizesBorderBox: style.sizesBorderBox)
        if style.fixedTableLayout, let specified, !isAnonymous {
            return clampWidth(specified, box: box, style: style, edges: edges, constraint: constraint)
        }
        let widths = intrinsicWidths(box)
        var width =
            specified
            ?? max(widths.minimum, min((constraint.available - edges.margin.horizontal).nonNegative, widths.maximum))
        if !isAnonymous { width = clampWidth(width, box: box, style: style, edges: edges, constraint: constraint) }
        if isOnTerminal { return narrowed(max(width, widths.minimum), edges: edges, constraint: constraint) }
        return max(width, widths.minimum)
    }

    private mutating func layoutTableGrid(
        _ box: Int, grid: TableGrid, edges: BoxEdges, width: LayoutUnit, constraint: Constraint,
        placement: BoxFragment.Placement, parent: Int,
        origin: Int
    ) -> Int {
        let style = text.styles[text.boxes[box].style].box
        let index = startFragment(box, kind: .table, edges: edges, placement: placement, parent: parent, origin: origin)
        tree.boxes[index].clips = false
        tree.boxes[index].paintsBorder = !collapses(grid)
        tree.boxes[index].rect.width = width
        let spacing = borderSpacing(grid)
        let collapsed = collapsedBorders(of: grid)
        let distributable = (width - undistributable(grid, edges: edges, spacing: spacing.x)).nonNegative
        let widths: [LayoutUnit]
        if style.fixedTableLayout, style.width != .auto, !text.boxes[box].isAnonymous {
            let exact = fixedColumnWidths(box, grid: grid, target: distributable)
            widths = isOnTerminal ? squeezed(exact, to: distributable) : exact
            let used = widths.reduce(undistributable(grid, edges: edges, spacing: spacing.x), +)
            tree.boxes[index].rect.width = max(width, used)
        } else {
            let exact = distributeWidth(
                distributable, over: measureColumns(box, grid: grid), percentageBase: distributable)
            widths = isOnTerminal ? squeezed(exact, to: distributable) : exact
        }
        // Column edges from the left; right-to-left tables begin at the right.
        var lefts: [LayoutUnit] = []
        var x = edges.frame.left + spacing.x
        for column in grid.isRightToLeft ? widths.reversed() : widths {
            lefts.append(x)
            x += column + spacing.x
        }
        if grid.isRightToLeft { lefts.reverse() }
        func span(_ cell: TableGrid.Cell) -> (x: LayoutUnit, width: LayoutUnit) {
            let last = min(cell.column + cell.columnSpan, widths.count) - 1
            guard cell.column < widths.count, last >= cell.column else { return (edges.frame.left, .zero) }
            var total = spacing.x * (last - cell.column)
            for column in cell.column...last { total += widths[column] }
            return (grid.isRightToLeft ? lefts[last] : lefts[cell.column], total)
        }

        // Fragments of sections, rows and cells, in order.
        let rowCount = grid.rows.count
        var rowHeights = [LayoutUnit](repeating: .zero, count: rowCount)
        var rowBaselines = [LayoutUnit](repeating: .zero, count: rowCount)
        var rowFragments = [Int](repeating: -1, count: rowCount)
        var cellFragments = [Int](repeating: -1, count: grid.cells.count)
        var cellHeights = [LayoutUnit](repeating: .zero, count: grid.cells.count)
        var sectionFragments: [(fragment: Int, rows: Range<Int>)] = []
        var row = 0
        let frameHeight = edges.frame.vertical
        let definite = definiteHeight(box, width: width, edges: edges, constraint: constraint)
        while row < rowCount {
            let section = grid.rows[row].group
            var sectionEnd = row + 1
            while sectionEnd < rowCount, grid.rows[sectionEnd].group == section { sectionEnd += 1 }
            let sectionFragment = newFragment(
                section, kind: .tableRowGroup, placement: .inFlow, parent: index, origin: index)
            tree.boxes[sectionFragment].isContextRoot = false
            for current in row..<sectionEnd {
                let rowBox = grid.rows[current].box
                let parentFragment = newFragment(
                    rowBox, kind: .tableRow, placement: .inFlow, parent: sectionFragment, origin: index)
                tree.boxes[parentFragment].isContextRoot = false
                rowFragments[current] = parentFragment
                var above = LayoutUnit.zero
                var below = LayoutUnit.zero
                for number in grid.rows[current].cells {
                    let cell = grid.cells[number]
                    let place = span(cell)
                    let fragment = layoutCell(
                        cell.box, width: place.width, parent: parentFragment, origin: index, collapses: collapsed != nil
                    )
                    cellFragments[number] = fragment
                    tree.boxes[fragment].rect.x = place.x
                    let height = tree.boxes[fragment].rect.height
                    cellHeights[number] = contentHeight
                    if alignsBaseline(cell.box), let baseline = tree.boxes[fragment].firstBaseline {
                        above = max(above, baseline)
                        if cell.rowSpan == 1 { below = max(below, height - baseline) }
                    }
                    if cell.rowSpan == 1 { rowHeights[current] = max(rowHeights[current], height) }
                }
                rowBaselines[current] = above
                rowHeights[current] = max(rowHeights[current], above + below)
                if !text.boxes[rowBox].isAnonymous,
                    case .length(let height) = text.styles[text.boxes[rowBox].style].box.height, !height.isRelative
                {
                    rowHeights[current] = max(rowHeights[current], LayoutUnit(height.px))
                }
                tree.boxes[parentFragment].end = tree.boxes.count
            }
            tree.boxes[sectionFragment].end = tree.boxes.count
            sectionFragments.append((sectionFragment, row..<sectionEnd))
            row = sectionEnd
        }
        growRows(
            &rowHeights, grid: grid, cellFragments: cellFragments, spacing: spacing.y, frame: frameHeight,
            definite: definite)

        // Heights down the table.
        var tops = [LayoutUnit](repeating: .zero, count: rowCount)
        var y = edges.frame.top + (rowCount > 0 ? spacing.y : .zero)
        for current in 0..<rowCount {
            tops[current] = y
            y += rowHeights[current] + spacing.y
        }
        let innerLeft = edges.frame.left + spacing.x
        let innerWidth = (tree.boxes[index].rect.width - edges.frame.horizontal - spacing.x * 2).nonNegative
        for current in 0..<rowCount {
            tree.boxes[rowFragments[current]].rect = LayoutRect(
                x: innerLeft, y: tops[current], width: innerWidth, height: rowHeights[current])
        }
        for section in sectionFragments {
            let top = tops[section.rows.lowerBound]
            let last = section.rows.upperBound - 1
            tree.boxes[section.fragment].rect = LayoutRect(
                x: innerLeft, y: top, width: innerWidth, height: tops[last] + rowHeights[last] - top)
        }
        for (number, cell) in grid.cells.enumerated() {
            let fragment = cellFragments[number]
            guard fragment >= 0 else { continue }
            let last = min(cell.row + cell.rowSpan, rowCount) - 1
            let height = tops[last] + rowHeights[last] - tops[cell.row]
            tree.boxes[fragment].rect.y = tops[cell.row]
            alignCell(
                fragment, box: cell.box, height: height, natural: cellHeights[number],
                rowBaseline: rowBaselines[cell.row])
            tree.boxes[fragment].rect.height = height
        }
        appendUnderlays(
            grid, cellFragments: cellFragments, tops: tops, heights: rowHeights, left: innerLeft, width: innerWidth
        ) { column, count in
            span(TableGrid.Cell(box: -1, row: 0, column: column, rowSpan: 1, columnSpan: count))
        }
        if let firstRow = grid.rows.first?.cells {
            var baseline: LayoutUnit?
            if rowBaselines[0] > .zero {
                baseline = tops[0] + rowBaselines[0]
            } else {
                for number in firstRow where cellFragments[number] >= 0 {
                    if let own = tree.boxes[cellFragments[number]].firstBaseline {
                        baseline = max(
                            baseline ?? .zero, tops[0] + own + tree.boxes[cellFragments[number]].contentShift)
                    }
                }
            }
            tree.boxes[index].firstBaseline = baseline ?? tops[0] + rowHeights[0]
            tree.boxes[index].lastBaseline = tree.boxes[index].firstBaseline
        }
        let automatic = (rowCount > 0 ? y : edges.frame.top) + edges.frame.bottom
        contentHeight = automatic
        tree.boxes[index].rect.height = max(
            automatic, definite ?? clampHeight(automatic, box: box, edges: edges, constraint: constraint))
        if let collapsed {
            appendCollapsedBorders(
                collapsed, table: index, lefts: lefts, widths: widths, tops: tops, heights: rowHeights,
                isRightToLeft: grid.isRightToLeft)
        }
        return index
    }

    /// Gives each cell the backgrounds below its own: of its column group, column, section and row.
    private mutating func appendUnderlays(
        _ grid: TableGrid, cellFragments: [Int], tops: [LayoutUnit], heights: [LayoutUnit], left: LayoutUnit,
        width: LayoutUnit, span: (_ column: Int, _ count: Int) -> (x: LayoutUnit, width: LayoutUnit)
    ) {
        func hasBackground(_ box: Int) -> Bool {
            guard box >= 0, !text.boxes[box].isAnonymous else { return false }
            let style = text.styles[text.boxes[box].style].box
            return style.backgroundColor.alpha > 0 || !style.backgroundLayers.isEmpty
        }
        let columnGroups = grid.columns.map { hasBackground($0.group) }
        let columns = grid.columns.map { hasBackground($0.box) }
        let sections = grid.rows.map { hasBackground($0.group) }
        let rows = grid.rows.map { hasBackground($0.box) }
        guard (columnGroups + columns + sections + rows).contains(true) else { return }
        func rowRect(_ range: Range<Int>) -> LayoutRect {
            LayoutRect(
                x: left, y: tops[range.lowerBound], width: width,
                height: tops[range.upperBound - 1] + heights[range.upperBound - 1] - tops[range.lowerBound])
        }
        func columnRect(_ range: Range<Int>) -> LayoutRect {
            let place = span(range.lowerBound, range.count)
            let rows = rowRect(0..<tops.count)
            return LayoutRect(x: place.x, y: rows.y, width: place.width, height: rows.height)
        }
        /// For each place, the run of equal boxes around it.
        func extents(_ boxes: [Int]) -> [Range<Int>] {
            var result: [Range<Int>] = []
            while result.count < boxes.count {
                let start = result.count
                let end = boxes[start...].firstIndex { $0 != boxes[start] } ?? boxes.count
                result.append(contentsOf: repeatElement(start..<end, count: end - start))
            }
            return result
        }
        let groupExtents = extents(grid.columns.map(\.group))
        let sectionExtents = extents(grid.rows.map(\.group))
        for (number, cell) in grid.cells.enumerated() where cellFragments[number] >= 0 {
            let first = tree.underlays.count
            func add(_ box: Int, _ rect: LayoutRect) {
                tree.underlays.append(TableUnderlay(style: text.boxes[box].style, rect: rect))
            }
            if columnGroups[cell.column] {
                add(grid.columns[cell.column].group, columnRect(groupExtents[cell.column]))
            }
            if columns[cell.column] { add(grid.columns[cell.column].box, columnRect(cell.column..<cell.column + 1)) }
            if sections[cell.row] { add(grid.rows[cell.row].group, rowRect(sectionExtents[cell.row])) }
            if rows[cell.row] { add(grid.rows[cell.row].box, rowRect(cell.row..<cell.row + 1)) }
            tree.boxes[cellFragments[number]].underlays = first..<tree.underlays.count
        }
    }

    /// Lays out a cell at its width; its height is at least what its style asks for.
    private mutating func layoutCell(_ box: Int, width: LayoutUnit, parent: Int, origin: Int, collapses: Bool) -> Int {
        var constraint = Constraint(available: width)
        constraint.width = width
        let index = layoutIndependent(box, constraint: constraint, placement: .inFlow, parent: parent, origin: origin)
        tree.boxes[index].kind = .tableCell
        tree.boxes[index].paintsBorder = !collapses
        tree.boxes[index].margin = Edges()
        // `height` of a cell is a minimum.
        tree.boxes[index].rect.height = max(tree.boxes[index].rect.height, contentHeight)
        let style = text.styles[text.boxes[box].style]
        if style.text.hidesEmptyCells, !collapses, tree.boxes[index].lines.isEmpty, index + 1 == tree.boxes.count {
            tree.boxes[index].isHidden = true
        }
        return index
    }

    private func alignsBaseline(_ box: Int) -> Bool {
        if text.boxes[box].isAnonymous { return true }
        switch text.styles[text.boxes[box].style].box.verticalAlign {
        case .top, .middle, .bottom: return false
        case .baseline, .sub, .super, .textTop, .textBottom, .length: return true
        }
    }

    private mutating func alignCell(
        _ fragment: Int, box: Int, height: LayoutUnit, natural: LayoutUnit, rowBaseline: LayoutUnit
    ) {
        let free = height - natural
        let alignment: VerticalAlign =
            text.boxes[box].isAnonymous ? .baseline : text.styles[text.boxes[box].style].box.verticalAlign
        let shift: LayoutUnit
        switch alignment {
        case .top: shift = .zero
        case .middle: shift = snap.floor(free / 2)
        case .bottom: shift = free
        case .baseline, .sub, .super, .textTop, .textBottom, .length:
            shift = tree.boxes[fragment].firstBaseline.map { (rowBaseline - $0).nonNegative } ?? .zero
        }
        tree.boxes[fragment].contentShift = shift
    }

    /// Rows grow for cells that span several, then for the height of the table (CSS Tables 3 §3.10).
    private func growRows(
        _ heights: inout [LayoutUnit], grid: TableGrid, cellFragments: [Int], spacing: LayoutUnit, frame: LayoutUnit,
        definite: LayoutUnit?
    ) {
        let isFixed = fixedRows(grid, count: heights.count)
        var spanning = grid.cells.indices.filter { grid.cells[$0].rowSpan > 1 && cellFragments[$0] >= 0 }
        spanning.sort { (grid.cells[$0].rowSpan, $0) < (grid.cells[$1].rowSpan, $1) }
        for number in spanning {
            let cell = grid.cells[number]
            let rows = cell.row..<min(cell.row + cell.rowSpan, heights.count)
            guard !rows.isEmpty else { continue }
            var total = spacing * (rows.count - 1)
            for row in rows { total += heights[row] }
            grow(
                &heights, Array(rows), isFixed: isFixed,
                by: tree.boxes[cellFragments[number]].rect.height - total, prefersLast: true)
        }
        guard let definite, !heights.isEmpty else { return }
        var total = frame + spacing * (heights.count + 1)
        for height in heights { total += height }
        grow(&heights, Array(heights.indices), isFixed: isFixed, by: definite - total, prefersLast: false)
    }

    /// Which rows have a height in lengths, of their own or of a cell that lies in them alone.
    private func fixedRows(_ grid: TableGrid, count: Int) -> [Bool] {
        func isFixed(_ box: Int) -> Bool {
            guard box >= 0, !text.boxes[box].isAnonymous,
                case .length(let height) = text.styles[text.boxes[box].style].box.height
            else { return false }
            return !height.isRelative
        }
        var result = (0..<count).map { $0 < grid.rows.count && isFixed(grid.rows[$0].box) }
        for cell in grid.cells where cell.rowSpan == 1 && cell.row < count && isFixed(cell.box) {
            result[cell.row] = true
        }
        return result
    }

    /// Shares `excess` by the heights that rows have; rows without height take it when all are so.
    private func grow(
        _ heights: inout [LayoutUnit], _ rows: [Int], isFixed: [Bool], by excess: LayoutUnit, prefersLast: Bool
    ) {
        guard excess > .zero else { return }
        // Rows without a height of their own come first, those with contents before empty ones.
        let open = rows.filter { !isFixed[$0] }
        let filled = open.filter { heights[$0] > .zero }
        let rows = filled.isEmpty ? (open.isEmpty ? rows : open) : filled
        guard let last = rows.last else { return }
        let total = rows.reduce(LayoutUnit.zero) { $0 + heights[$1] }
        if total == .zero {
            if prefersLast {
                heights[last] += excess
            } else {
                for row in rows { heights[row] += snap.floor(excess / Int32(rows.count)) }
            }
            return
        }
        var given = LayoutUnit.zero
        for row in rows {
            let share = row == last ? excess - given : snap.floor(excess.scaled(by: heights[row], over: total))
            given += share
            heights[row] += share
        }
    }

    // MARK: Collapsed borders

    /// Bars for all borders of the collapsed model, in the table's coordinates; each is centred on its grid line.
    private mutating func appendCollapsedBorders(
        _ borders: CollapsedBorders, table: Int, lefts: [LayoutUnit], widths: [LayoutUnit], tops: [LayoutUnit],
        heights: [LayoutUnit], isRightToLeft: Bool
    ) {
        let columns = borders.columns
        let rows = tops.count
        guard columns > 0, rows > 0 else { return }
        let first = tree.collapsedBorders.count
        func lineX(_ line: Int) -> LayoutUnit {
            if isRightToLeft { return line < columns ? lefts[line] + widths[line] : lefts[columns - 1] }
            return line < columns ? lefts[line] : lefts[columns - 1] + widths[columns - 1]
        }
        func lineY(_ line: Int) -> LayoutUnit { line < rows ? tops[line] : tops[rows - 1] + heights[rows - 1] }
        /// Widest vertical border that meets the horizontal line at a corner: the horizontal bar reaches across it.
        func reach(_ row: Int, _ column: Int) -> (before: LayoutUnit, after: LayoutUnit) {
            var widest = BorderSide()
            for row in [row - 1, row] where row >= 0 && row < rows {
                let side = borders.vertical[row * (columns + 1) + column]
                if edgeWidth(side) > edgeWidth(widest) { widest = side }
            }
            return halves(widest)
        }
        for row in 0...rows {
            var column = 0
            while column < columns {
                let side = borders.horizontal[row * columns + column]
                let width = edgeWidth(side)
                var end = column + 1
                while end < columns, borders.horizontal[row * columns + end] == side { end += 1 }
                if width > .zero {
                    let a = isRightToLeft ? lineX(end) : lineX(column)
                    let b = isRightToLeft ? lineX(column) : lineX(end)
                    let left = a - reach(row, isRightToLeft ? end : column).before
                    let right = b + reach(row, isRightToLeft ? column : end).after
                    tree.collapsedBorders.append(
                        CollapsedBorder(
                            rect: LayoutRect(
                                x: left, y: lineY(row) - halves(side).before, width: right - left, height: width),
                            side: side, isHorizontal: true))
                }
                column = end
            }
        }
        for column in 0...columns {
            var row = 0
            while row < rows {
                let side = borders.vertical[row * (columns + 1) + column]
                let width = edgeWidth(side)
                var end = row + 1
                while end < rows, borders.vertical[end * (columns + 1) + column] == side { end += 1 }
                if width > .zero {
                    tree.collapsedBorders.append(
                        CollapsedBorder(
                            rect: LayoutRect(
                                x: lineX(column) - halves(side).before, y: lineY(row), width: width,
                                height: lineY(end) - lineY(row)), side: side,
                            isHorizontal: false))
                }
                row = end
            }
        }
        tree.boxes[table].collapsedBorders = first..<tree.collapsedBorders.count
    }
}
