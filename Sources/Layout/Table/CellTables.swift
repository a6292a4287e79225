// Tables on a terminal: one frame around neighbours, columns that can be told apart, and columns that fit.
//
// In: a table's grid and what its columns ask for. Out: whether its borders are drawn as lines between cells, the edges
// of its cells, widths that fit. Spacing of a pixel or two and paddings of one are nothing in cells, so what separates
// columns is decided here; and no table is wider than the screen: its columns are squeezed, and where not even a few
// letters would fit into each, its cells stand below each other.

import FancyTextBoxes
import FancyTextStyling

extension TableLayout {
    /// Borders of cells that no spacing keeps apart are drawn once, as the collapsed model does (CSS 2.1 §17.6.2).
    static func drawsLines<C>(_ grid: TableGrid, _ engine: inout LayoutEngine<C>) -> Bool {
        guard engine.snap.isOfCells else { return false }
        let style = engine.style(of: grid.box).text
        guard style.borderSpacingX < 1, style.borderSpacingY < 1 else { return false }
        return grid.cells.contains { cell in
            if engine.text.boxes[cell.box].isAnonymous { return false }
            let border = resolvedBorders(engine.style(of: cell.box).box.border, deviceScale: 1)
            return border.horizontal > .zero || border.vertical > .zero
        }
    }

    /// Edges of the cells of a table without lines: two blank cells between the texts of columns, or one on either side
    /// where backgrounds show.
    func separateCells<C>(_ engine: inout LayoutEngine<C>) {
        func isFilled(_ box: Int) -> Bool {
            box >= 0 && !engine.text.boxes[box].isAnonymous
                && engine.style(of: box).box.backgroundColor.alpha >= 128
        }
        let isFilled =
            grid.cells.contains { isFilled($0.box) } || grid.rows.contains { isFilled($0.box) || isFilled($0.group) }
            || grid.columns.contains { isFilled($0.box) || isFilled($0.group) }
        let spacing = LayoutUnit(engine.style(of: box).text.borderSpacingX)
        for cell in grid.cells {
            var edges = engine.boxEdges(cell.box, percentageBase: .zero)
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
            engine.givenEdges[cell.box] = edges
        }
    }

    /// Each column could show some letters of a word, or all of it.
    mutating func hasRoomForColumns<C>(
        _ edges: BoxEdges, _ constraint: Constraint, _ engine: inout LayoutEngine<C>
    ) -> Bool {
        guard snap.isOfCells, grid.columns.count > 1 else { return true }
        let width = constraint.width ?? constraint.available - edges.margin.horizontal
        guard !width.isUnlimited else { return true }
        let least = LayoutUnit(6)
        let needed = measureColumns(&engine).reduce(LayoutUnit.zero) { $0 + min($1.minimum, least) }
        return needed <= width - undistributable(edges)
    }

    /// The table's boxes as ordinary blocks.
    func becomeBlocks<C>(_ engine: inout LayoutEngine<C>) {
        for box in [box] + grid.captions + grid.rows.flatMap({ [$0.group, $0.box] }) + grid.cells.map(\.box) {
            engine.text.boxes[box].kind = .block
            engine.givenEdges[box] = nil
            engine.intrinsicMemo[box] = nil
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
