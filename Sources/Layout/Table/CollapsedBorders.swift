// Borders of the collapsed model (CSS 2.1 §17.6.2): on each edge of the grid the border that wins; their widths
// outside the table's frame and in each cell, and bars at the final positions of columns and rows.

import FancyTextBoxes
import FancyTextCSS

/// The winning borders on the lines of a grid in one direction.
private struct BorderLines {
    private let length: Int
    private var sides: [BorderSide]

    init(lines: Int, length: Int) {
        self.length = length
        sides = Array(repeating: BorderSide(), count: lines * length)
    }

    subscript(line: Int, place: Int) -> BorderSide { sides[line * length + place] }

    /// The width of the widest border on a part of a line.
    func width(_ line: Int, _ part: Range<Int>) -> LayoutUnit {
        part.lazy.map { resolvedBorder(self[line, $0], deviceScale: 1) }.max() ?? .zero
    }

    /// The parts of a line, up to a place, with one visible border each.
    func runs(_ line: Int, to end: Int) -> [Range<Int>] {
        (0..<end).runs { self[line, $0] == self[line, $1] }.filter { width(line, $0.prefix(1)) > .zero }
    }

    mutating func offer(_ side: BorderSide, _ line: Int, _ part: Range<Int>) {
        for place in part { Self.win(&sides[line * length + place], side) }
    }

    /// Keeps the winning border: hidden, then the wider, then by style; the earlier one if equal.
    private static func win(_ current: inout BorderSide, _ other: BorderSide) {
        var other = other
        // CSS 2.1 §17.6.3: in this model 3D styles are drawn between the cells.
        if other.style == .inset { other.style = .ridge }
        if other.style == .outset { other.style = .groove }
        if current.style == .hidden || other.style == .none { return }
        if other.style == .hidden || current.style == .none || other.width > current.width
            || other.width == current.width && rank(other.style) > rank(current.style)
        {
            current = other
        }
    }

    /// The styles between equally wide borders, the weakest first.
    private static let ranks: [BorderLineStyle] = [
        .none, .inset, .groove, .outset, .ridge, .dotted, .dashed, .solid, .double, .hidden,
    ]
    private static func rank(_ style: BorderLineStyle) -> Int { ranks.firstIndex(of: style) ?? 0 }
}

struct CollapsedBorders {
    private let columns: Int
    private let isRightToLeft: Bool
    /// The borders at the top of each row and at the bottom of the last one.
    private var horizontal: BorderLines
    /// The borders at the start of each column, which is on the right in right-to-left tables, and at the end of the last.
    private var vertical: BorderLines
    /// The part of the outer borders that is inside the table's frame.
    private(set) var frame = Edges()
    /// True on a terminal, where a border takes one cell and is after its grid line.
    private let isOfCells: Bool
    /// The highest border at the top of each row, on a terminal: its cells leave that line free.
    private var rowTops: [LayoutUnit] = []

    init(_ grid: TableGrid, _ text: BoxTree, isOfCells: Bool) {
        let (rows, columns) = (grid.rows.count, grid.columns.count)
        (self.columns, isRightToLeft, self.isOfCells) = (columns, grid.isRightToLeft, isOfCells)
        horizontal = BorderLines(lines: rows + 1, length: columns)
        vertical = BorderLines(lines: columns + 1, length: rows)
        guard columns > 0, rows > 0 else { return }
        func surround(_ box: Int, rows: Range<Int>, columns: Range<Int>) {
            guard var border = text.ownStyle(of: box)?.box.border else { return }
            if grid.isRightToLeft { swap(&border.left, &border.right) }
            horizontal.offer(border.top, rows.lowerBound, columns)
            horizontal.offer(border.bottom, rows.upperBound, columns)
            vertical.offer(border.left, columns.lowerBound, rows)
            vertical.offer(border.right, columns.upperBound, rows)
        }
        let (allRows, allColumns) = (0..<rows, 0..<columns)
        for cell in grid.cells { surround(cell.box, rows: cell.rows, columns: cell.columns) }
        for row in allRows { surround(grid.rows[row].box, rows: row..<row + 1, columns: allColumns) }
        for section in grid.sections {
            surround(grid.rows[section.lowerBound].group, rows: section, columns: allColumns)
        }
        for group in grid.columnGroups {
            for column in group { surround(grid.columns[column].box, rows: allRows, columns: column..<column + 1) }
            surround(grid.columns[group.lowerBound].group, rows: allRows, columns: group)
        }
        surround(grid.box, rows: allRows, columns: allColumns)

        let (left, right) = beside(allColumns, allRows)
        frame = Edges(
            top: halves(horizontal.width(0, allColumns)).before, right: right.after,
            bottom: halves(horizontal.width(rows, allColumns)).after, left: left.before)
        if isOfCells { rowTops = allRows.map { halves(horizontal.width($0, allColumns)).after } }
    }

    /// The widths of a border on both sides of its grid line, in painting order: half each, except on a terminal.
    private func halves(_ width: LayoutUnit) -> (before: LayoutUnit, after: LayoutUnit) {
        isOfCells ? (.zero, width) : (width / 2, width / 2)
    }

    /// The borders on the left and the right of a part of the grid.
    private func beside(_ columns: Range<Int>, _ rows: Range<Int>) -> (
        left: (before: LayoutUnit, after: LayoutUnit), right: (before: LayoutUnit, after: LayoutUnit)
    ) {
        let first = halves(vertical.width(columns.lowerBound, rows))
        let last = halves(vertical.width(columns.upperBound, rows))
        return isRightToLeft ? (last, first) : (first, last)
    }

    /// The widths of the borders around a cell that are inside the cell.
    func border(of cell: TableGrid.Cell) -> Edges {
        let (left, right) = beside(cell.columns, cell.rows)
        let top = halves(horizontal.width(cell.row, cell.columns)).after
        let bottom = halves(horizontal.width(cell.rows.upperBound, cell.columns)).before
        return Edges(top: isOfCells ? rowTops[cell.row] : top, right: right.before, bottom: bottom, left: left.after)
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
            halves(vertical.width(column, max(0, row - 1)..<min(rows, row + 1)))
        }
        for row in 0...rows {
            for run in horizontal.runs(row, to: columns) {
                let width = horizontal.width(row, run)
                let (first, last) = isRightToLeft ? (run.upperBound, run.lowerBound) : (run.lowerBound, run.upperBound)
                let left = lineX(first) - reach(row, first).before
                let right = lineX(last) + reach(row, last).after
                let rect = LayoutRect(x: left, y: lineY(row) - halves(width).before, width: right - left, height: width)
                result.append(CollapsedBorder(rect: rect, side: horizontal[row, run.lowerBound], isHorizontal: true))
            }
        }
        for column in 0...columns {
            for run in vertical.runs(column, to: rows) {
                let width = vertical.width(column, run)
                let rect = LayoutRect(
                    x: lineX(column) - halves(width).before, y: lineY(run.lowerBound), width: width,
                    height: lineY(run.upperBound) - lineY(run.lowerBound))
                result.append(CollapsedBorder(rect: rect, side: vertical[column, run.lowerBound], isHorizontal: false))
            }
        }
        return result
    }
}
