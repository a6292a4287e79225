// The rows of a table: their heights, and the positions of cells (CSS Tables 3 §3.10). Each cell is laid out at its
// width, rows get the heights of their cells, and contents move within their cells by `vertical-align`.

import FancyTextBoxes
import FancyTextCSS

struct TableRows {
    private let table: TableLayout
    /// The table's fragment.
    private let index: Int
    private let edges: BoxEdges
    private var widths: [LayoutUnit]
    private var lefts: [LayoutUnit]
    /// The widths that collapsed columns would have.
    private let fullWidths: [LayoutUnit]

    // By row.
    private var rows: [Int] = []
    private var heights: [LayoutUnit]
    /// The baselines that cells share; nil in rows without baseline-aligned cells.
    private var baselines: [LayoutUnit?]
    private var tops: [LayoutUnit]
    private var collapsed: Set<Int> = []
    private var sections: [(fragment: Int, rows: Range<Int>)] = []
    private var cells: [Int]
    /// True if some row has cells side by side: a limit counts each row as one line.
    private let isSideBySide: Bool
    /// The cells whose contents have percentages of the cells' heights, which the rows decide.
    private var dependent: Set<Int> = []
    /// True once the heights of the rows are known.
    private var isFinal = false

    init(_ table: TableLayout, index: Int, edges: BoxEdges, widths: [LayoutUnit]) {
        (self.table, self.index, self.edges, self.widths) = (table, index, edges, widths)
        fullWidths = widths
        lefts = Self.lefts(of: widths, table, edges)
        heights = Array(repeating: .zero, count: table.grid.rows.count)
        baselines = Array(repeating: nil, count: heights.count)
        tops = heights
        cells = Array(repeating: -1, count: table.grid.cells.count)
        isSideBySide = table.grid.rows.contains { $0.cells.count > 1 }
    }

    /// The column edges from the left; right-to-left tables begin at the right.
    private static func lefts(of widths: [LayoutUnit], _ table: TableLayout, _ edges: BoxEdges) -> [LayoutUnit] {
        var lefts: [LayoutUnit] = []
        var x = edges.frame.left + table.spacing.x
        for column in table.grid.isRightToLeft ? widths.reversed() : widths {
            lefts.append(x)
            x += column + table.spacing.x
        }
        return table.grid.isRightToLeft ? lefts.reversed() : lefts
    }

    /// Takes away the space of collapsed columns (CSS 2 §17.5.5).
    private mutating func collapseColumns(_ engine: inout LayoutEngine) {
        for (number, column) in table.grid.columns.enumerated() {
            let style = engine.ownStyle(of: column.box) ?? engine.ownStyle(of: column.group)
            if style?.text.visibility == .collapse { widths[number] = -table.spacing.x }
        }
        guard widths != fullWidths else { return }
        engine.tree.boxes[index].rect.width -= zip(fullWidths, widths).reduce(.zero) { $0 + $1.0 - $1.1 }
        lefts = Self.lefts(of: widths, table, edges)
    }

    /// Lays out the whole table, of a definite height or at least `least` high; returns the height of the border box.
    mutating func layOut(definite: LayoutUnit?, least: LayoutUnit, _ engine: inout LayoutEngine) -> LayoutUnit {
        let grid = table.grid
        if widths == fullWidths { collapseColumns(&engine) }
        if !isFinal { findDependentCells(isDefinite: definite != nil, &engine) }
        let (before, isMeasuring, start) = (engine.mark, engine.isMeasuring, self)
        let isTrial = !dependent.isEmpty && !isFinal && engine.relaidBoxes < engine.relaidBoxesLimit
        if isTrial { engine.isMeasuring = true }
        var row = 0
        // There are no rows after the last line of a limit.
        while row < grid.rows.count, !engine.isPastLimit {
            let group = grid.rows[row].group
            let start = row
            let section = engine.newFragment(group, kind: .tableRowGroup, as: .child(of: index))
            engine.tree.boxes[section].isContextRoot = false
            while row < grid.rows.count, grid.rows[row].group == group, !engine.isPastLimit {
                layOutRow(row, in: section, &engine)
                row += 1
            }
            engine.tree.boxes[section].end = engine.tree.boxes.count
            sections.append((section, start..<row))
        }
        heights.removeSubrange(row...)
        baselines.removeSubrange(row...)
        tops.removeSubrange(row...)
        growRows(definite: definite ?? least, &engine)
        engine.isMeasuring = isMeasuring
        if isTrial, !isMeasuring {
            // Again, with cells of these heights.
            engine.takeBack(to: before)
            engine.relaidBoxes += engine.text.boxes[table.box].end - table.box
            let known = heights
            self = start
            (heights, isFinal) = (known, true)
            return layOut(definite: definite, least: least, &engine)
        }

        var y = edges.frame.top + (rows.isEmpty ? .zero : table.spacing.y)
        for row in heights.indices {
            tops[row] = y
            // The columns of a collapsed row keep their widths (CSS 2 §17.5.5).
            let isCollapsed = engine.style(of: grid.rows[row].box).text.visibility == .collapse
            if isCollapsed {
                heights[row] = .zero
                collapsed.insert(row)
            }
            y += isCollapsed ? .zero : heights[row] + table.spacing.y
        }
        let (left, width) = rowPlace(engine.tree.boxes[index].rect.width)
        for row in rows.indices {
            engine.tree.boxes[rows[row]].rect = LayoutRect(x: left, y: tops[row], width: width, height: heights[row])
        }
        for section in sections {
            engine.tree.boxes[section.fragment].rect = LayoutRect(
                x: left, y: tops[section.rows.lowerBound], width: width, height: extent(of: section.rows))
        }
        for (number, cell) in grid.cells.enumerated() where cells[number] >= 0 {
            let height = extent(of: cell.rows.clamped(to: heights.indices))
            alignCell(cells[number], box: cell.box, height: height, rowBaseline: baselines[cell.row] ?? .zero, &engine)
            engine.tree.boxes[cells[number]].rect.y = tops[cell.row]
            engine.tree.boxes[cells[number]].rect.height = height
        }
        appendUnderlays(left: left, width: width, &engine)
        if let baseline = baseline(engine.tree) { engine.tree.boxes[index].baselines = (baseline, baseline) }
        if let borders = table.borders {
            let first = engine.tree.collapsedBorders.count
            engine.tree.collapsedBorders += borders.bars(lefts: lefts, widths: widths, tops: tops, heights: heights)
            engine.tree.boxes[index].collapsedBorders = first..<engine.tree.collapsedBorders.count
        }
        return (rows.isEmpty ? edges.frame.top : y) + edges.frame.bottom
    }

    /// The left edge and the width of rows. Percentages of cells' padding are of this width.
    private func rowPlace(_ tableWidth: LayoutUnit) -> (left: LayoutUnit, width: LayoutUnit) {
        (edges.frame.left + table.spacing.x, (tableWidth - edges.frame.horizontal - table.spacing.x * 2).nonNegative)
    }

    /// The distance from the top of the first row to the bottom of the last one that is not collapsed.
    private func extent(of rows: Range<Int>) -> LayoutUnit {
        let last = rows.last { !collapsed.contains($0) } ?? rows.lowerBound
        return tops[last] + heights[last] - tops[rows.lowerBound]
    }

    /// The height of consecutive rows and the spacing between them.
    private func total(_ rows: Range<Int>) -> LayoutUnit {
        rows.reduce(table.spacing.y * (rows.count - 1)) { $0 + heights[$1] }
    }

    private func span(of columns: Range<Int>) -> (x: LayoutUnit, width: LayoutUnit) {
        let columns = columns.clamped(to: widths.indices)
        guard let first = columns.first, let last = columns.last else { return (edges.frame.left, .zero) }
        let width = columns.reduce(table.spacing.x * (columns.count - 1)) { $0 + widths[$1] }
        return (table.grid.isRightToLeft ? lefts[last] : lefts[first], width)
    }

    private mutating func layOutRow(_ row: Int, in section: Int, _ engine: inout LayoutEngine) {
        let box = table.grid.rows[row].box
        let fragment = engine.newFragment(box, kind: .tableRow, as: FragmentSlot(parent: section, origin: index))
        engine.tree.boxes[fragment].isContextRoot = false
        rows.append(fragment)
        engine.tree.boxes[fragment].isOneLine = isSideBySide
        if let limit = engine.lineLimit, isSideBySide {
            layOutCells(of: row, asOneLineOf: limit, in: fragment, &engine)
        } else {
            let height = heightToFill(row, &engine)
            for number in table.grid.rows[row].cells { layOutCell(number, in: fragment, height: height, &engine) }
        }
        var above: LayoutUnit?
        var below = LayoutUnit.zero
        for number in table.grid.rows[row].cells {
            let cell = table.grid.cells[number]
            let laidOut = engine.tree.boxes[cells[number]]
            if table.alignment(of: cell.box, &engine) == nil, let baseline = laidOut.firstBaseline {
                above = max(above ?? baseline, baseline)
                // Below the baseline only contents count, not the height added by the cell's `height`.
                if cell.rowSpan == 1 { below.raise(to: laidOut.automaticHeight - baseline) }
            }
            if cell.rowSpan == 1 { heights[row].raise(to: laidOut.rect.height) }
        }
        baselines[row] = above
        defer { engine.tree.boxes[fragment].end = engine.tree.boxes.count }
        if isFinal { return }
        heights[row].raise(to: (above ?? .zero) + below)
        if case .length(let height)? = engine.ownStyle(of: box)?.box.height, !height.isRelative {
            heights[row].raise(to: LayoutUnit(height.px))
        }
    }

    /// Finds the cells with contents whose heights are percentages, in a table or of cells with a height (CSS Tables 3 §3.10.5).
    private mutating func findDependentCells(isDefinite: Bool, _ engine: inout LayoutEngine) {
        guard engine.lineLimit == nil else { return }
        let isDefinite = isDefinite && engine.ownStyle(of: table.box)?.box.height ?? .auto != .auto
        for (number, cell) in table.grid.cells.enumerated() where !engine.crosses(cell.box) {
            guard isDefinite || engine.ownStyle(of: cell.box)?.box.height.absolute != nil else { continue }
            // In browsers, percentages of pictures are of the cell's own height.
            for child in engine.text.children(of: cell.box) where !engine.text.boxes[child].isReplaced {
                let boxes = engine.text.boxes[child].isAnonymous ? engine.text.children(of: child) : [child]
                if boxes.contains(where: { engine.style(of: $0).box.hasRelativeHeight }) { dependent.insert(number) }
            }
        }
    }

    /// Lays out the cells of a row that a limit counts as one line. In the last, the last cell with text has the tail.
    private mutating func layOutCells(
        of row: Int, asOneLineOf limit: LineLimit, in fragment: Int, _ engine: inout LayoutEngine
    ) {
        let start = engine.mark
        engine.lineLimit = nil
        var last: (cell: Int, lines: Int)?
        for number in table.grid.rows[row].cells {
            let firstLine = engine.tree.lines.count
            layOutCell(number, in: fragment, &engine)
            let lines = engine.tree.flowLines(of: cells[number], from: firstLine).count
            if lines > 0 { last = (number, lines) }
        }
        engine.lineLimit = limit
        guard let last else { return }
        engine.lineLimit?.left -= 1
        guard limit.left == 1 else { return }
        engine.takeBack(to: start)
        for number in table.grid.rows[row].cells {
            engine.lineLimit = nil
            if number == last.cell {
                engine.lineLimit = limit
                engine.lineLimit?.left = last.lines
                engine.lineLimit?.givesBack = false
            }
            layOutCell(number, in: fragment, &engine)
        }
        engine.lineLimit = limit
        engine.lineLimit?.left = 0
    }

    /// The space of a cell, whose edges are set.
    private func space(
        of cell: TableGrid.Cell, _ place: (x: LayoutUnit, width: LayoutUnit), _ engine: inout LayoutEngine
    ) -> Constraint {
        let constraint = Constraint(
            available: place.width, percentageWidth: rowPlace(engine.tree.boxes[index].rect.width).width,
            width: place.width)
        table.setEdges(of: cell, percentageBase: constraint.percentageWidth, &engine)
        return constraint
    }

    /// The height of a row that cells fill whose lines are across the table's; nil without such cells.
    private func heightToFill(_ row: Int, _ engine: inout LayoutEngine) -> LayoutUnit? {
        let cells = table.grid.rows[row].cells.map { table.grid.cells[$0] }.filter { $0.rowSpan == 1 }
        // A loop, because a closure that asks the engine copies it for each row.
        var isFilled = false
        for cell in cells where engine.crosses(cell.box) { isFilled = true }
        guard isFilled else { return nil }
        return cells.map { cell in
            let place = span(of: cell.columns)
            return engine.measure(cell.box, in: space(of: cell, place, &engine), parent: index).height
        }.max()
    }

    /// Lays out a cell at its width and at least the height of its style, or at `height` if its lines are across.
    private mutating func layOutCell(
        _ number: Int, in row: Int, height: LayoutUnit? = nil, _ engine: inout LayoutEngine
    ) {
        let cell = table.grid.cells[number]
        var place = span(of: cell.columns)
        // A cell of collapsed columns has its height all the same.
        let isGone = place.width <= .zero && widths != fullWidths
        if isGone { place.width = fullWidths[cell.columns.clamped(to: fullWidths.indices)].reduce(.zero, +) }
        var constraint = space(of: cell, place, &engine)
        if cell.rowSpan == 1, engine.crosses(cell.box) { constraint.height = height }
        let isSized = isFinal && dependent.contains(number)
        if isSized { constraint.height = total(cell.rows.clamped(to: heights.indices)) }
        constraint.heightIsIndefinite = !isSized && dependent.contains(number)
        let around = engine.unsizedCell
        engine.unsizedCell = constraint.heightIsIndefinite ? cell.box : -1
        let fragment = engine.layOut(cell.box, in: constraint, as: FragmentSlot(parent: row, origin: index))
        engine.unsizedCell = around
        cells[number] = fragment
        engine.tree.boxes[fragment].rect.x = place.x
        if isGone {
            engine.tree.boxes[fragment].rect.width = .zero
            (engine.tree.boxes[fragment].clips, engine.tree.boxes[fragment].isHidden) = (true, true)
        }
        let isSeparate = table.borders == nil
        engine.tree.boxes[fragment].kind = .tableCell
        engine.tree.boxes[fragment].paintsBorder = isSeparate
        engine.tree.boxes[fragment].margin = Edges()
        // The `height` of a cell is a minimum.
        if !isSized { engine.tree.boxes[fragment].rect.height.raise(to: engine.tree.boxes[fragment].automaticHeight) }
        if engine.style(of: cell.box).text.hidesEmptyCells, isSeparate, engine.tree.boxes[fragment].lines.isEmpty,
            fragment + 1 == engine.tree.boxes.count
        {
            engine.tree.boxes[fragment].isHidden = true
        }
    }

    /// The baseline of the first row.
    private func baseline(_ tree: LayoutTree) -> LayoutUnit? {
        guard !rows.isEmpty, let first = table.grid.rows.first?.cells else { return nil }
        if let shared = baselines[0] { return tops[0] + shared }
        // The bottom content edge of the cells (CSS 2.1 §17.5.3).
        let below = first.map { tree.boxes[cells[$0]].frame.bottom }.min()
        return tops[0] + (heights[0] - (below ?? .zero)).nonNegative
    }

    private func alignCell(
        _ fragment: Int, box: Int, height: LayoutUnit, rowBaseline: LayoutUnit, _ engine: inout LayoutEngine
    ) {
        if engine.crosses(box) { return }
        let cell = engine.tree.boxes[fragment]
        // Contents are higher than their cell only with a collapsed row.
        let isUnsafe = engine.style(of: box).box.safeAlignments[.alignContent] == false
        // A cell that is higher than all pages has its contents at its top, which the first of its pages shows.
        let name = engine.pageName
        let isDivided = engine.options.pages.map { pages in
            height > max(pages.area(of: name, isFirst: true).height, pages.area(of: name, isFirst: false).height)
        }
        let free =
            isDivided ?? false
            ? .zero : isUnsafe ? height - cell.automaticHeight : (height - cell.automaticHeight).nonNegative
        let shift = table.alignment(of: box, &engine)?.offset(in: free, grid: table.snap)
        engine.tree.boxes[fragment].contentShift =
            shift ?? cell.firstBaseline.map { (rowBaseline - $0).nonNegative } ?? .zero
    }

    /// Adds to each cell the backgrounds below its own: those of its column group, column, section and row.
    private func appendUnderlays(left: LayoutUnit, width: LayoutUnit, _ engine: inout LayoutEngine) {
        let grid = table.grid
        func hasBackground(_ box: Int) -> Bool { engine.ownStyle(of: box)?.hasBackground == true }
        let sources = grid.columns.flatMap { [$0.group, $0.box] } + grid.rows.flatMap { [$0.group, $0.box] }
        guard sources.contains(where: hasBackground) else { return }
        func rowRect(_ rows: Range<Int>) -> LayoutRect {
            let range = rows.clamped(to: tops.indices)
            return LayoutRect(
                x: left, y: tops[range.lowerBound], width: width,
                height: tops[range.upperBound - 1] + heights[range.upperBound - 1] - tops[range.lowerBound])
        }
        func columnRect(_ range: Range<Int>) -> LayoutRect {
            let place = span(of: range)
            let rows = rowRect(tops.indices)
            return LayoutRect(x: place.x, y: rows.y, width: place.width, height: rows.height)
        }
        let groupExtents = grid.columnGroups.flatMap { repeatElement($0, count: $0.count) }
        let sectionExtents = grid.sections.flatMap { repeatElement($0, count: $0.count) }
        for (number, cell) in grid.cells.enumerated() where cells[number] >= 0 {
            let first = engine.tree.underlays.count
            func add(_ box: Int, _ rect: @autoclosure () -> LayoutRect) {
                guard hasBackground(box) else { return }
                engine.tree.underlays.append(TableUnderlay(style: engine.text.boxes[box].style, rect: rect()))
            }
            let (column, row) = (grid.columns[cell.column], grid.rows[cell.row])
            add(column.group, columnRect(groupExtents[cell.column]))
            add(column.box, columnRect(cell.column..<cell.column + 1))
            add(row.group, rowRect(sectionExtents[cell.row]))
            add(row.box, rowRect(cell.row..<cell.row + 1))
            engine.tree.boxes[cells[number]].underlays = first..<engine.tree.underlays.count
        }
    }

    /// Grows rows for cells that span several, then for the height of the table (CSS Tables 3 §3.10).
    private mutating func growRows(definite: LayoutUnit, _ engine: inout LayoutEngine) {
        let grid = table.grid
        // The heights in the styles of each row and of its cells that are in that row only.
        func length(_ box: Int) -> [LengthPercentage] {
            if case .length(let height)? = engine.ownStyle(of: box)?.box.height { [height] } else { [] }
        }
        var lengths = grid.rows.map { length($0.box) }
        for cell in grid.cells where cell.rowSpan == 1 { lengths[cell.row] += length(cell.box) }
        var isFixed = lengths.map { $0.contains { !$0.isRelative } }
        let spanning = grid.cells.indices.filter { grid.cells[$0].rowSpan > 1 && cells[$0] >= 0 }
        for number in spanning.sorted(by: { (grid.cells[$0].rowSpan, $0) < (grid.cells[$1].rowSpan, $1) }) {
            let cell = grid.cells[number]
            let rows = cell.rows.clamped(to: heights.indices)
            guard !rows.isEmpty else { continue }
            let excess = engine.tree.boxes[cells[number]].rect.height - total(rows)
            grow(Array(rows), isFixed: isFixed, by: excess, prefersLast: true)
        }
        guard !heights.isEmpty else { return }
        let outside = edges.frame.vertical + table.spacing.y * (heights.count + 1)
        var free = definite - heights.reduce(outside, +)
        // Rows with percentages come first. They are of the rows with the spacing between them, and not more than 100% together.
        let base = (definite - edges.frame.vertical - table.spacing.y * 2).float
        var rest: Float = 1
        var wanted: [(row: Int, size: LayoutUnit)] = []
        for row in heights.indices {
            let share = min(rest, lengths[row].filter(\.isRelative).map(\.fraction).max() ?? 0)
            guard share > 0 else { continue }
            rest -= share
            isFixed[row] = true
            wanted.append((row, (LayoutUnit(base * share) - heights[row]).nonNegative))
        }
        let sum = wanted.reduce(LayoutUnit.zero) { $0 + $1.size }
        let given = min(sum, free.nonNegative)
        if given > .zero { for (row, size) in wanted { heights[row] += given.scaled(by: size, over: sum) } }
        free -= given
        grow(Array(heights.indices), isFixed: isFixed, by: free, prefersLast: false)
    }

    /// Distributes `excess` by the rows' heights; if all are zero to the last one with `prefersLast`, or equally.
    private mutating func grow(_ rows: [Int], isFixed: [Bool], by excess: LayoutUnit, prefersLast: Bool) {
        guard excess > .zero else { return }
        // Rows without a height of their own come first, those with contents before empty ones.
        let open = rows.filter { !isFixed[$0] }
        let filled = open.filter { heights[$0] > .zero }
        let rows = filled.isEmpty ? (open.isEmpty ? rows : open) : filled
        guard let last = rows.last else { return }
        let (snap, total) = (table.snap, rows.reduce(LayoutUnit.zero) { $0 + heights[$1] })
        if total != .zero {
            heights.add(excess, at: rows) { snap.floor(excess.scaled(by: $1, over: total)) }
        } else if prefersLast {
            heights[last] += excess
        } else {
            for row in rows { heights[row] += snap.floor(excess / Int32(rows.count)) }
        }
    }
}
