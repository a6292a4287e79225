// Borders of the collapsed model (CSS 2.1 §17.6.2): on each edge of the grid the border that wins; their widths
// outside the table's frame and in each cell, and bars at the final positions of columns and rows.

import FancyTextBoxes
import FancyTextStyling

struct CollapsedBorders {
    let columns: Int
    let isRightToLeft: Bool
    /// The winning border at the top of each row and at the bottom of the last one: `columns` per row.
    private var horizontal: [BorderSide] = []
    /// The winning border at the start of each column and at the end of the last one: `columns + 1` per row. They begin at the
    /// start side of the table, which is on the right in right-to-left tables.
    private var vertical: [BorderSide] = []
    /// The part of the outer borders that is inside the table's frame.
    private(set) var frame = Edges()
    /// True on a terminal, where a border takes one cell and is after its grid line.
    private let isOfCells: Bool
    /// The highest border at the top of each row, on a terminal: its cells leave that line free.
    private var rowTops: [LayoutUnit] = []

    init(_ grid: TableGrid, _ text: BoxTree, isOfCells: Bool) {
        (columns, isRightToLeft, self.isOfCells) = (grid.columns.count, grid.isRightToLeft, isOfCells)
        let columns = columns
        let rows = grid.rows.count
        guard columns > 0, rows > 0 else { return }
        horizontal = Array(repeating: BorderSide(), count: (rows + 1) * columns)
        vertical = Array(repeating: BorderSide(), count: rows * (columns + 1))
        func sides(_ box: Int) -> Sides<BorderSide>? {
            guard box >= 0, !text.boxes[box].isAnonymous else { return nil }
            var border = text.styles[text.boxes[box].style].box.border
            if grid.isRightToLeft { swap(&border.left, &border.right) }
            return border
        }
        func surround(_ border: Sides<BorderSide>, rows rowRange: Range<Int>, columns columnRange: Range<Int>) {
            for column in columnRange {
                Self.win(&horizontal[rowRange.lowerBound * columns + column], border.top)
                Self.win(&horizontal[rowRange.upperBound * columns + column], border.bottom)
            }
            for row in rowRange {
                Self.win(&vertical[row * (columns + 1) + columnRange.lowerBound], border.left)
                Self.win(&vertical[row * (columns + 1) + columnRange.upperBound], border.right)
            }
        }
        for cell in grid.cells {
            guard let border = sides(cell.box) else { continue }
            surround(
                border, rows: cell.row..<cell.row + cell.rowSpan, columns: cell.column..<cell.column + cell.columnSpan)
        }
        for row in 0..<rows {
            if let border = sides(grid.rows[row].box) { surround(border, rows: row..<row + 1, columns: 0..<columns) }
        }
        for section in grid.sections {
            if let border = sides(grid.rows[section.lowerBound].group) {
                surround(border, rows: section, columns: 0..<columns)
            }
        }
        for group in grid.columnGroups {
            for column in group {
                guard let border = sides(grid.columns[column].box) else { continue }
                surround(border, rows: 0..<rows, columns: column..<column + 1)
            }
            if let border = sides(grid.columns[group.lowerBound].group) {
                surround(border, rows: 0..<rows, columns: group)
            }
        }
        if let border = sides(grid.box) { surround(border, rows: 0..<rows, columns: 0..<columns) }

        var frameEdges = Edges()
        for column in 0..<columns {
            frameEdges.top = max(frameEdges.top, halves(horizontal[column]).before)
            frameEdges.bottom = max(frameEdges.bottom, halves(horizontal[rows * columns + column]).after)
        }
        for row in 0..<rows {
            let first = halves(vertical[row * (columns + 1)])
            let last = halves(vertical[row * (columns + 1) + columns])
            frameEdges.left = max(frameEdges.left, grid.isRightToLeft ? last.before : first.before)
            frameEdges.right = max(frameEdges.right, grid.isRightToLeft ? first.after : last.after)
        }
        frame = frameEdges
        guard isOfCells else { return }
        rowTops = (0..<rows).map { row in
            horizontal[row * columns..<(row + 1) * columns].map { halves($0).after }.max() ?? .zero
        }
    }

    /// Keeps the winning border: hidden, then the wider, then by style; the earlier one if equal.
    private static func win(_ current: inout BorderSide, _ other: BorderSide) {
        var other = other
        // CSS 2.1 §17.6.3: in this model 3D styles are drawn between the cells.
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

    private static func rank(_ style: BorderLineStyle) -> Int {
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

    private func edgeWidth(_ side: BorderSide) -> LayoutUnit {
        switch side.style {
        case .none, .hidden: return .zero
        case .dotted, .dashed, .solid, .double, .groove, .ridge, .inset, .outset:
            guard side.width > 0 else { return .zero }
            return LayoutUnit(side.width < 1 ? 1 : side.width.rounded(.down))
        }
    }

    /// The widths of a border on both sides of its grid line, in painting order: half each, except on a terminal.
    private func halves(_ side: BorderSide) -> (before: LayoutUnit, after: LayoutUnit) {
        let width = edgeWidth(side)
        return isOfCells ? (.zero, width) : (width / 2, width / 2)
    }

    /// The widths of the borders around a cell that are inside the cell.
    func border(of cell: TableGrid.Cell) -> Edges {
        var border = Edges()
        for column in cell.column..<cell.column + cell.columnSpan {
            border.top = max(border.top, halves(horizontal[cell.row * columns + column]).after)
            border.bottom = max(border.bottom, halves(horizontal[(cell.row + cell.rowSpan) * columns + column]).before)
        }
        if isOfCells { border.top = rowTops[cell.row] }
        for row in cell.row..<cell.row + cell.rowSpan {
            let first = halves(vertical[row * (columns + 1) + cell.column])
            let last = halves(vertical[row * (columns + 1) + cell.column + cell.columnSpan])
            border.left = max(border.left, isRightToLeft ? last.after : first.after)
            border.right = max(border.right, isRightToLeft ? first.before : last.before)
        }
        return border
    }

    /// All borders in the table's coordinates; each is centred on its grid line.
    func bars(lefts: [LayoutUnit], widths: [LayoutUnit], tops: [LayoutUnit], heights: [LayoutUnit]) -> [CollapsedBorder]
    {
        var result: [CollapsedBorder] = []
        let rows = tops.count
        guard columns > 0, rows > 0 else { return result }
        func lineX(_ line: Int) -> LayoutUnit {
            if isRightToLeft { return line < columns ? lefts[line] + widths[line] : lefts[columns - 1] }
            return line < columns ? lefts[line] : lefts[columns - 1] + widths[columns - 1]
        }
        func lineY(_ line: Int) -> LayoutUnit { line < rows ? tops[line] : tops[rows - 1] + heights[rows - 1] }
        /// The widest vertical border that meets the horizontal line at a corner: the horizontal bar extends across it.
        func reach(_ row: Int, _ column: Int) -> (before: LayoutUnit, after: LayoutUnit) {
            var widest = BorderSide()
            for row in [row - 1, row] where row >= 0 && row < rows {
                let side = vertical[row * (columns + 1) + column]
                if edgeWidth(side) > edgeWidth(widest) { widest = side }
            }
            return halves(widest)
        }
        for row in 0...rows {
            func side(_ column: Int) -> BorderSide { horizontal[row * columns + column] }
            for run in (0..<columns).runs({ side($0) == side($1) }) where edgeWidth(side(run.lowerBound)) > .zero {
                let side = side(run.lowerBound)
                let (first, last) = isRightToLeft ? (run.upperBound, run.lowerBound) : (run.lowerBound, run.upperBound)
                let left = lineX(first) - reach(row, first).before
                let right = lineX(last) + reach(row, last).after
                result.append(
                    CollapsedBorder(
                        rect: LayoutRect(
                            x: left, y: lineY(row) - halves(side).before, width: right - left, height: edgeWidth(side)),
                        side: side, isHorizontal: true))
            }
        }
        for column in 0...columns {
            func side(_ row: Int) -> BorderSide { vertical[row * (columns + 1) + column] }
            for run in (0..<rows).runs({ side($0) == side($1) }) where edgeWidth(side(run.lowerBound)) > .zero {
                let side = side(run.lowerBound)
                result.append(
                    CollapsedBorder(
                        rect: LayoutRect(
                            x: lineX(column) - halves(side).before, y: lineY(run.lowerBound), width: edgeWidth(side),
                            height: lineY(run.upperBound) - lineY(run.lowerBound)), side: side, isHorizontal: false))
            }
        }
        return result
    }
}
