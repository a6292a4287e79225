// Borders of the collapsed model (CSS 2.1 §17.6.2): on each edge of the grid the border that wins.
//
// In: a table's grid. Out: edges row by row and column by column, and what of them lies outside the table's frame. Made once for
// a table and kept, since measuring and laying out both need them.

import Boxes
import Styling

struct CollapsedBorders {
    var columns: Int
    /// Of each row's top, and the last one's bottom: `columns` a row.
    var horizontal: [BorderSide] = []
    /// Of each column's start, and the last one's end: `columns + 1` a row. They count from the start side of the table,
    /// which is on the right where it is written from there.
    var vertical: [BorderSide] = []
    /// Half the outer borders.
    var frame = Edges()
}

extension Layouter {
    func collapses(_ grid: TableGrid) -> Bool {
        text.styles[text.boxes[grid.box].style].text.collapsesBorders || (isOnTerminal && drawsLines(grid))
    }

    /// Nil where borders are separate.
    mutating func collapsedBorders(of grid: TableGrid) -> CollapsedBorders? {
        guard collapses(grid) else { return nil }
        if let known = collapsedBorders[grid.box] { return known }
        let borders = collapseBorders(grid)
        collapsedBorders[grid.box] = borders
        return borders
    }

    private func collapseBorders(_ grid: TableGrid) -> CollapsedBorders {
        let columns = grid.columns.count
        let rows = grid.rows.count
        var result = CollapsedBorders(columns: columns)
        guard columns > 0, rows > 0 else { return result }
        result.horizontal = Array(repeating: BorderSide(), count: (rows + 1) * columns)
        result.vertical = Array(repeating: BorderSide(), count: rows * (columns + 1))
        func sides(_ box: Int) -> Sides<BorderSide>? {
            guard box >= 0, !text.boxes[box].isAnonymous else { return nil }
            var border = text.styles[text.boxes[box].style].box.border
            if grid.isRightToLeft { swap(&border.left, &border.right) }
            return border
        }
        for cell in grid.cells {
            guard let border = sides(cell.box) else { continue }
            for column in cell.column..<cell.column + cell.columnSpan {
                win(&result.horizontal[cell.row * columns + column], border.top)
                win(&result.horizontal[(cell.row + cell.rowSpan) * columns + column], border.bottom)
            }
            for row in cell.row..<cell.row + cell.rowSpan {
                win(&result.vertical[row * (columns + 1) + cell.column], border.left)
                win(&result.vertical[row * (columns + 1) + cell.column + cell.columnSpan], border.right)
            }
        }
        func frame(_ border: Sides<BorderSide>, rows rowRange: Range<Int>, columns columnRange: Range<Int>) {
            for column in columnRange {
                win(&result.horizontal[rowRange.lowerBound * columns + column], border.top)
                win(&result.horizontal[rowRange.upperBound * columns + column], border.bottom)
            }
            for row in rowRange {
                win(&result.vertical[row * (columns + 1) + columnRange.lowerBound], border.left)
                win(&result.vertical[row * (columns + 1) + columnRange.upperBound], border.right)
            }
        }
        for row in 0..<rows {
            if let border = sides(grid.rows[row].box) { frame(border, rows: row..<row + 1, columns: 0..<columns) }
        }
        var row = 0
        while row < rows {
            let section = grid.rows[row].group
            var end = row + 1
            while end < rows, grid.rows[end].group == section { end += 1 }
            if let border = sides(section) { frame(border, rows: row..<end, columns: 0..<columns) }
            row = end
        }
        for column in 0..<columns {
            if let border = sides(grid.columns[column].box) {
                frame(border, rows: 0..<rows, columns: column..<column + 1)
            }
            if let border = sides(grid.columns[column].group) {
                let isFirst = column == 0 || grid.columns[column - 1].group != grid.columns[column].group
                let isLast = column == columns - 1 || grid.columns[column + 1].group != grid.columns[column].group
                for row in 0..<rows {
                    if isFirst { win(&result.vertical[row * (columns + 1) + column], border.left) }
                    if isLast { win(&result.vertical[row * (columns + 1) + column + 1], border.right) }
                }
                win(&result.horizontal[column], border.top)
                win(&result.horizontal[rows * columns + column], border.bottom)
            }
        }
        if let border = sides(grid.box) { frame(border, rows: 0..<rows, columns: 0..<columns) }

        var frameEdges = Edges()
        for column in 0..<columns {
            frameEdges.top = max(frameEdges.top, halves(result.horizontal[column]).before)
            frameEdges.bottom = max(frameEdges.bottom, halves(result.horizontal[rows * columns + column]).after)
        }
        for row in 0..<rows {
            let first = halves(result.vertical[row * (columns + 1)])
            let last = halves(result.vertical[row * (columns + 1) + columns])
            frameEdges.left = max(frameEdges.left, grid.isRightToLeft ? last.before : first.before)
            frameEdges.right = max(frameEdges.right, grid.isRightToLeft ? first.after : last.after)
        }
        result.frame = frameEdges
        return result
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
        if isOnTerminal, !collapses(grid) { return separateCells(grid) }
        guard let borders = collapsedBorders(of: grid), grid.columns.count > 0 else { return }
        let columns = grid.columns.count
        for cell in grid.cells where collapsedCellEdges[cell.box] == nil {
            var border = Edges()
            for column in cell.column..<cell.column + cell.columnSpan {
                border.top = max(border.top, halves(borders.horizontal[cell.row * columns + column]).after)
                border.bottom = max(
                    border.bottom, halves(borders.horizontal[(cell.row + cell.rowSpan) * columns + column]).before)
            }
            for row in cell.row..<cell.row + cell.rowSpan {
                let first = halves(borders.vertical[row * (columns + 1) + cell.column])
                let last = halves(borders.vertical[row * (columns + 1) + cell.column + cell.columnSpan])
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
