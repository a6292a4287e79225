// Borders over cells, in box-drawing characters.
//
// In: a border in cells, or the collapsed borders of a table. Out: lines in the grid, joined with those that they meet.

import FancyTextPainting
import FancyTextStyling

extension CellPainter {
    mutating func paintBorder(_ border: BorderItem) {
        let area = area(border.outer.rect)
        let sides = border.sides
        guard let firstColumn = area.columns.first, let lastColumn = area.columns.last, let firstRow = area.rows.first,
            let lastRow = area.rows.last
        else { return }
        let isRounded = !border.outer.radii.isZero
        func look(_ side: BorderSide) -> (weight: UInt32, flags: UInt32) { BoxLines.look(side, isRounded: isRounded) }
        let (hasLeft, hasRight) = (sides.left.width > 0, sides.right.width > 0)
        for (side, row, toCorner) in [(sides.top, firstRow, BoxLines.down), (sides.bottom, lastRow, BoxLines.up)]
        where side.width > 0 {
            let (weight, flags) = look(side)
            let number = self.look(of: side.color)
            for column in area.columns {
                let (isLeft, isRight) = (column == firstColumn && hasLeft, column == lastColumn && hasRight)
                var arms = isLeft || isRight ? 0 : BoxLines.horizontal * weight
                if isLeft { arms |= BoxLines.right * weight | toCorner * look(sides.left).weight }
                if isRight { arms |= BoxLines.left * weight | toCorner * look(sides.right).weight }
                grid.draw(arms | flags, column, row, style: number)
            }
        }
        let top = firstRow + (sides.top.width > 0 ? 1 : 0)
        let bottom = max(top, lastRow + (sides.bottom.width > 0 ? 0 : 1))
        for (side, column) in [(sides.left, firstColumn), (sides.right, lastColumn)] where side.width > 0 {
            let (weight, flags) = look(side)
            let number = self.look(of: side.color)
            for row in top..<bottom { grid.draw(BoxLines.vertical * weight | flags, column, row, style: number) }
        }
    }

    /// Paints the collapsed borders of a table. Each line is joined with those that it meets.
    mutating func paintCollapsedBorders(_ table: Int) {
        let visible = tree.collapsedBorders[tree.boxes[table].collapsedBorders].filter { $0.side.color.alpha >= 64 }
        let bars = visible.map {
            (
                bar: $0, area: area($0.rect.rect), look: BoxLines.look($0.side, isRounded: false),
                number: look(of: $0.side.color)
            )
        }
        for (bar, (columns, rows), look, number) in bars {
            let cells = bar.isHorizontal ? columns.map { ($0, rows.lowerBound) } : rows.map { (columns.lowerBound, $0) }
            let (first, middle, last) =
                bar.isHorizontal
                ? (BoxLines.right, BoxLines.horizontal, BoxLines.left) : (BoxLines.down, BoxLines.vertical, BoxLines.up)
            for (place, cell) in cells.enumerated() {
                var arms = place == 0 ? first : middle
                if place == cells.count - 1 { arms = bar.isHorizontal || place > 0 ? last : 0 }
                grid.draw(arms * look.weight | look.flags, cell.0, cell.1, style: number)
            }
        }
        // The ends: a line continues into the line that it meets, or to the edge of its cell. Vertical lines are painted first,
        // so that the horizontal ones find their corners.
        for (bar, (columns, rows), look, number) in bars.filter({ !$0.bar.isHorizontal })
            + bars.filter(\.bar.isHorizontal)
        {
            guard let firstColumn = columns.first, let lastColumn = columns.last, let firstRow = rows.first,
                let lastRow = rows.last
            else { continue }
            func draw(_ arm: UInt32, _ column: Int, _ row: Int) {
                grid.draw(arm * look.weight | look.flags, column, row, style: number)
            }
            if bar.isHorizontal {
                if !BoxLines.isVertical(grid.lines(firstColumn, firstRow)) {
                    draw(BoxLines.left, firstColumn, firstRow)
                }
                if grid.lines(lastColumn, firstRow) & (3 * BoxLines.right) != 0 {
                    // The next line begins in the corner in which this one ends.
                } else if BoxLines.isHorizontal(grid.lines(lastColumn + 1, firstRow)) {
                    draw(BoxLines.right, lastColumn, firstRow)
                    draw(BoxLines.left, lastColumn + 1, firstRow)
                } else if !BoxLines.isVertical(grid.lines(lastColumn, firstRow)) {
                    draw(BoxLines.right, lastColumn, firstRow)
                }
            } else {
                draw(BoxLines.down, firstColumn, lastRow)
                if grid.lines(firstColumn, lastRow + 1) != 0 { draw(BoxLines.up, firstColumn, lastRow + 1) }
                if !BoxLines.isHorizontal(grid.lines(firstColumn, firstRow)) {
                    draw(BoxLines.up, firstColumn, firstRow)
                }
            }
        }
    }
}
