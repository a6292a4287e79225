// Tables on a terminal: one frame around neighbours, columns that can be told apart, and columns that fit.
//
// In: a table's grid and what its columns ask for. Out: whether its borders are drawn as lines between cells, the edges of its cells, widths that fit. Spacing of a
// pixel or two and paddings of one are nothing in cells, so what separates columns is decided here; and no table is wider than the
// screen: its columns are squeezed, and where not even a few letters would fit into each, its cells stand below each other.

import Boxes
import Styling

extension Layouter {
    /// Borders of cells that no spacing keeps apart are drawn once, as the collapsed model does (CSS 2.1 §17.6.2).
    func drawsLines(_ grid: TableGrid) -> Bool {
        let style = text.styles[text.boxes[grid.box].style].text
        guard style.borderSpacingX < 1, style.borderSpacingY < 1 else { return false }
        return grid.cells.contains { cell in
            if text.boxes[cell.box].isAnonymous { return false }
            let border = resolvedBorders(text.styles[text.boxes[cell.box].style].box, deviceScale: 1)
            return border.horizontal > .zero || border.vertical > .zero
        }
    }

    /// Edges of the cells of a table without lines: two blank cells between the texts of columns, or one on either side where
    /// backgrounds show.
    mutating func separateCells(_ grid: TableGrid) {
        guard let first = grid.cells.first, collapsedCellEdges[first.box] == nil else { return }
        func isFilled(_ box: Int) -> Bool {
            box >= 0 && !text.boxes[box].isAnonymous
                && text.styles[text.boxes[box].style].box.backgroundColor.alpha >= 128
        }
        let isFilled =
            grid.cells.contains { isFilled($0.box) } || grid.rows.contains { isFilled($0.box) || isFilled($0.group) }
            || grid.columns.contains { isFilled($0.box) || isFilled($0.group) }
        let style = text.styles[text.boxes[grid.box].style].text
        let spacing = LayoutUnit(style.borderSpacingX)
        for cell in grid.cells {
            var edges = boxEdges(cell.box, percentageBase: .zero)
            let own = edges.padding
            if isFilled {
                edges.padding.left = max(own.left, .cell)
                edges.padding.right = max(own.right, .cell)
            } else if cell.column > 0 {
                if grid.isRightToLeft {
                    edges.padding.right = max(own.right, .cell * 2 - own.left - spacing)
                } else {
                    edges.padding.left = max(own.left, .cell * 2 - own.right - spacing)
                }
            }
            collapsedCellEdges[cell.box] = edges
        }
    }

    /// Each column could show some letters of a word, or all of it.
    mutating func hasRoomForColumns(_ grid: TableGrid, edges: BoxEdges, constraint: Constraint) -> Bool {
        guard grid.columns.count > 1 else { return true }
        let width = constraint.width ?? constraint.available - edges.margin.horizontal
        guard !width.isUnlimited else { return true }
        let room = width - undistributable(grid, edges: edges, spacing: borderSpacing(grid).x)
        let least = LayoutUnit(6)
        return measureColumns(grid.box, grid: grid).reduce(LayoutUnit.zero) { $0 + min($1.minimum, least) } <= room
    }

    /// The table's boxes as ordinary blocks.
    mutating func becomeBlocks(_ grid: TableGrid) {
        for box in [grid.box] + grid.captions + grid.rows.flatMap({ [$0.group, $0.box] }) + grid.cells.map(\.box) {
            text.boxes[box].kind = .block
            collapsedCellEdges[box] = nil
            intrinsicMemo[box] = nil
        }
    }

    /// Columns no wider than `room` in sum: all keep what a short word takes, the rest is shared by what they asked for.
    func squeezed(_ widths: [LayoutUnit], to room: LayoutUnit) -> [LayoutUnit] {
        let total = widths.reduce(LayoutUnit.zero, +)
        guard total > room, room > .zero else { return widths }
        let least = widths.map { min($0, LayoutUnit(6)) }
        let kept = least.reduce(LayoutUnit.zero, +)
        guard kept < room else { return snap.rounded(widths.map { $0.scaled(by: room, over: total) }) }
        return snap.rounded(
            zip(widths, least).map { $1 + ($0 - $1).scaled(by: room - kept, over: total - kept) })
    }
}
