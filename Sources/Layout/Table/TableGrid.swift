// The grid of a table: which cell stands where (HTML §4.9.12, CSS Tables 3 §3).
//
// In: a table box. Out: rows in painting order, cells with their slots, columns with what `col` says, borders of the collapsed model. Made once for
// a table and kept, since measuring and laying out both need it.

import Styling

struct TableCell {
    var box: Int
    var row: Int
    var column: Int
    var rowSpan: Int
    var columnSpan: Int
}

struct TableGrid {
    /// Boxes; −1 for a row or section that no box stands for.
    var rows: [Int] = []
    /// The row group of each row; −1 directly in the table.
    var sections: [Int] = []
    var cells: [TableCell] = []
    /// Column boxes by column; −1 without.
    var columnBoxes: [Int] = []
    var columnGroups: [Int] = []
    var columnCount = 0
    var captions: [Int] = []
    var collapses = false
    /// Widths of the borders that won: horizontal edges row by row, and vertical ones.
    var horizontalEdges: [BorderSide] = []
    var verticalEdges: [BorderSide] = []
    /// Half the outer borders, for the collapsed model.
    var collapsedFrame = Edges()
    var isRightToLeft = false
    /// Cells that begin in each row.
    var cellsOfRow: [Range<Int>] = []
}

extension Layouter {
    /// More columns than this make no sense to a reader; a larger span is cut (HTML §4.9.11).
    private static var widestSpan: Int { 1000 }

    mutating func tableGrid(_ box: Int) -> TableGrid {
        if let known = tableGrids[box] { return known }
        var grid = TableGrid()
        var headers: [Int] = []
        var bodies: [Int] = []
        var footers: [Int] = []
        for child in text.children(of: box) {
            switch text.boxes[child].kind {
            case .tableCaption: grid.captions.append(child)
            case .tableColumn: appendColumns(child, group: -1, &grid)
            case .tableColumnGroup:
                let columns = text.children(of: child).filter { text.boxes[$0].kind == .tableColumn }
                if columns.isEmpty { appendColumns(child, group: child, &grid) }
                for column in columns { appendColumns(column, group: child, &grid) }
            case .tableRowGroup:
                switch text.styles[text.boxes[child].style].box.display {
                case .tableHeaderGroup where headers.isEmpty && !text.boxes[child].isAnonymous: headers.append(child)
                case .tableFooterGroup where footers.isEmpty && !text.boxes[child].isAnonymous: footers.append(child)
                case .none, .contents, .block, .flowRoot, .inline, .inlineBlock, .listItem, .flex, .inlineFlex, .table,
                    .inlineTable,
                    .tableRowGroup, .tableHeaderGroup, .tableFooterGroup, .tableRow, .tableCell, .tableColumn,
                    .tableColumnGroup,
                    .tableCaption, .ruby, .rubyText, .rubyBase, .webkitBox:
                    bodies.append(child)
                }
            case .tableRow, .tableCell, .block, .flex, .table, .image, .lambda, .ruby: bodies.append(child)
            }
        }
        /// For each column, the row below the last cell that covers it.
        var covered: [Int] = []
        for section in headers + bodies + footers {
            let isGroup = text.boxes[section].kind == .tableRowGroup
            let rows = isGroup ? text.children(of: section) : [section]
            let firstRow = grid.rows.count
            for row in rows {
                let number = grid.rows.count
                grid.rows.append(text.boxes[row].kind == .tableRow ? row : -1)
                grid.sections.append(isGroup ? section : -1)
                let firstCell = grid.cells.count
                let cells = text.boxes[row].kind == .tableRow ? text.children(of: row) : [row]
                var column = 0
                for cell in cells {
                    while column < covered.count, covered[column] > number { column += 1 }
                    let span = min(max(1, text.boxes[cell].columnSpan), Layouter.widestSpan)
                    let left = rows.count - (number - firstRow)
                    let rowSpan = text.boxes[cell].rowSpan == 0 ? left : min(max(1, text.boxes[cell].rowSpan), left)
                    while covered.count < column + span { covered.append(0) }
                    for slot in column..<column + span { covered[slot] = max(covered[slot], number + rowSpan) }
                    grid.cells.append(
                        TableCell(box: cell, row: number, column: column, rowSpan: rowSpan, columnSpan: span))
                    column += span
                    grid.columnCount = max(grid.columnCount, column)
                }
                grid.cellsOfRow.append(firstCell..<grid.cells.count)
            }
            // Cells do not reach out of their group.
            for slot in covered.indices { covered[slot] = 0 }
        }
        grid.columnCount = max(grid.columnCount, grid.columnBoxes.count)
        while grid.columnBoxes.count < grid.columnCount {
            grid.columnBoxes.append(-1)
            grid.columnGroups.append(-1)
        }
        grid.collapses =
            text.styles[text.boxes[box].style].text.collapsesBorders || (isOnTerminal && drawsLines(box, grid))
        if grid.collapses { collapseBorders(box, &grid) }
        tableGrids[box] = grid
        return grid
    }

    private func appendColumns(_ box: Int, group: Int, _ grid: inout TableGrid) {
        for _ in 0..<min(max(1, text.boxes[box].columnSpan), Layouter.widestSpan) where grid.columnBoxes.count < 10_000
        {
            grid.columnBoxes.append(box)
            grid.columnGroups.append(group)
        }
    }

    // MARK: Collapsed borders (CSS 2.1 §17.6.2)

    private func collapseBorders(_ table: Int, _ grid: inout TableGrid) {
        let columns = grid.columnCount
        let rows = grid.rows.count
        guard columns > 0, rows > 0 else { return }
        grid.horizontalEdges = Array(repeating: BorderSide(), count: (rows + 1) * columns)
        grid.verticalEdges = Array(repeating: BorderSide(), count: rows * (columns + 1))
        // Vertical edges count from the start side of the table, which is on the right where it is written from there.
        let isRightToLeft = text.styles[text.boxes[table].style].text.direction == .rtl
        func sides(_ box: Int) -> Sides<BorderSide>? {
            guard box >= 0, !text.boxes[box].isAnonymous else { return nil }
            var border = text.styles[text.boxes[box].style].box.border
            if isRightToLeft { swap(&border.left, &border.right) }
            return border
        }
        for cell in grid.cells {
            guard let border = sides(cell.box) else { continue }
            for column in cell.column..<cell.column + cell.columnSpan {
                win(&grid.horizontalEdges[cell.row * columns + column], border.top)
                win(&grid.horizontalEdges[(cell.row + cell.rowSpan) * columns + column], border.bottom)
            }
            for row in cell.row..<cell.row + cell.rowSpan {
                win(&grid.verticalEdges[row * (columns + 1) + cell.column], border.left)
                win(&grid.verticalEdges[row * (columns + 1) + cell.column + cell.columnSpan], border.right)
            }
        }
        func frame(_ border: Sides<BorderSide>, rows rowRange: Range<Int>, columns columnRange: Range<Int>) {
            for column in columnRange {
                win(&grid.horizontalEdges[rowRange.lowerBound * columns + column], border.top)
                win(&grid.horizontalEdges[rowRange.upperBound * columns + column], border.bottom)
            }
            for row in rowRange {
                win(&grid.verticalEdges[row * (columns + 1) + columnRange.lowerBound], border.left)
                win(&grid.verticalEdges[row * (columns + 1) + columnRange.upperBound], border.right)
            }
        }
        for row in 0..<rows {
            if let border = sides(grid.rows[row]) { frame(border, rows: row..<row + 1, columns: 0..<columns) }
        }
        var row = 0
        while row < rows {
            let section = grid.sections[row]
            var end = row + 1
            while end < rows, grid.sections[end] == section, section >= 0 { end += 1 }
            if let border = sides(section) { frame(border, rows: row..<end, columns: 0..<columns) }
            row = end
        }
        for column in 0..<columns {
            if let border = sides(grid.columnBoxes[column]) {
                frame(border, rows: 0..<rows, columns: column..<column + 1)
            }
            if let border = sides(grid.columnGroups[column]) {
                let isFirst = column == 0 || grid.columnGroups[column - 1] != grid.columnGroups[column]
                let isLast = column == columns - 1 || grid.columnGroups[column + 1] != grid.columnGroups[column]
                for row in 0..<rows {
                    if isFirst { win(&grid.verticalEdges[row * (columns + 1) + column], border.left) }
                    if isLast { win(&grid.verticalEdges[row * (columns + 1) + column + 1], border.right) }
                }
                win(&grid.horizontalEdges[column], border.top)
                win(&grid.horizontalEdges[rows * columns + column], border.bottom)
            }
        }
        if let border = sides(table) { frame(border, rows: 0..<rows, columns: 0..<columns) }

        var frameEdges = Edges()
        for column in 0..<columns {
            frameEdges.top = max(frameEdges.top, halves(grid.horizontalEdges[column]).before)
            frameEdges.bottom = max(frameEdges.bottom, halves(grid.horizontalEdges[rows * columns + column]).after)
        }
        for row in 0..<rows {
            let first = halves(grid.verticalEdges[row * (columns + 1)])
            let last = halves(grid.verticalEdges[row * (columns + 1) + columns])
            frameEdges.left = max(frameEdges.left, isRightToLeft ? last.before : first.before)
            frameEdges.right = max(frameEdges.right, isRightToLeft ? first.after : last.after)
        }
        grid.isRightToLeft = isRightToLeft
        grid.collapsedFrame = frameEdges
    }

    /// Keeps the border that wins: hidden, then the wider, then by style; the one that came first if equal.
    private func win(_ current: inout BorderSide, _ other: BorderSide) {
        var other = other
        // CSS 2.1 §17.6.3: in this model the 3D styles lie between the cells.
        if other.style == .inset { other.style = .ridge }
        if other.style == .outset { other.style = .groove }
        if current.style == .hidden || other.style == .none { return }
        if other.style == .hidden || current.style == .none {
            current = other
            return
        }
        if other.width > current.width || (other.width == current.width && rank(other.style) > rank(current.style)) {
            current = other
        }
    }

    private func rank(_ style: BorderLineStyle) -> Int {
        switch style {
        case .none: 0
        case .inset: 1
        case .groove: 2
        case .outset: 3
        case .ridge: 4
        case .dotted: 5
        case .dashed: 6
        case .solid: 7
        case .double: 8
        case .hidden: 9
        }
    }

    func edgeWidth(_ side: BorderSide) -> LayoutUnit {
        switch side.style {
        case .none, .hidden: return .zero
        case .dotted, .dashed, .solid, .double, .groove, .ridge, .inset, .outset:
            guard side.width > 0 else { return .zero }
            return LayoutUnit(side.width < 1 ? 1 : side.width.rounded(.down))
        }
    }

    /// What a collapsed border takes on either side of its grid line, in painting order: half of it, but a border that is one cell
    /// of a terminal lies behind its line.
    func halves(_ side: BorderSide) -> (before: LayoutUnit, after: LayoutUnit) {
        let width = edgeWidth(side)
        return isOnTerminal ? (.zero, width) : (width / 2, width / 2)
    }

    /// Edges of a cell of a table with collapsed borders: half of each border around it; nil for any other box.
    func cellEdges(_ box: Int) -> BoxEdges? { collapsedCellEdges[box] }

    /// Notes the edges of all cells of a table with collapsed borders.
    mutating func noteCollapsedCells(_ grid: TableGrid) {
        if isOnTerminal, !grid.collapses { return separateCells(grid) }
        guard grid.collapses, grid.columnCount > 0 else { return }
        let columns = grid.columnCount
        for cell in grid.cells where collapsedCellEdges[cell.box] == nil {
            var border = Edges()
            for column in cell.column..<cell.column + cell.columnSpan {
                border.top = max(border.top, halves(grid.horizontalEdges[cell.row * columns + column]).after)
                border.bottom = max(
                    border.bottom, halves(grid.horizontalEdges[(cell.row + cell.rowSpan) * columns + column]).before)
            }
            for row in cell.row..<cell.row + cell.rowSpan {
                let first = halves(grid.verticalEdges[row * (columns + 1) + cell.column])
                let last = halves(grid.verticalEdges[row * (columns + 1) + cell.column + cell.columnSpan])
                border.left = max(border.left, grid.isRightToLeft ? last.after : first.after)
                border.right = max(border.right, grid.isRightToLeft ? first.before : last.before)
            }
            let style = text.styles[text.boxes[cell.box].style].box
            var padding = text.boxes[cell.box].isAnonymous ? Edges() : resolvedPadding(style, base: .zero, grid: snap)
            if isOnTerminal { (padding.left, padding.right) = (max(padding.left, .cell), max(padding.right, .cell)) }
            collapsedCellEdges[cell.box] = BoxEdges(margin: Edges(), border: border, padding: padding)
        }
    }
}
