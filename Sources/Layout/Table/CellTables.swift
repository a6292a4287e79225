// Tables on a terminal. Borders are drawn as lines between cells. Spacing of a pixel or two is nothing in cells, so
// columns are separated here. No table is wider than the screen: its columns move together, then those with the
// longest words shrink. If not even words of 12 letters fit into each, its cells are placed below each other.

import FancyTextBoxes

extension TableLayout {
    /// Returns whether borders of cells without spacing are drawn once, as in the collapsed model (CSS 2.1 §17.6.2).
    static func drawsLines(_ grid: TableGrid, _ engine: inout LayoutEngine) -> Bool {
        guard engine.snap.isOfCells else { return false }
        let style = engine.style(of: grid.box).text
        guard style.borderSpacingX < 1, style.borderSpacingY < 1 else { return false }
        return grid.cells.contains { cell in
            guard let style = engine.ownStyle(of: cell.box) else { return false }
            let border = resolvedBorders(style.box.border, deviceScale: 1)
            return border.horizontal > .zero || border.vertical > .zero
        }
    }

    /// Sets the edges of the cells of a table without lines: two blank cells between the texts of columns, or one on either side
    /// if backgrounds are visible; one in a tight table.
    func separateCells(_ engine: inout LayoutEngine) {
        func isFilled(_ box: Int) -> Bool { (engine.ownStyle(of: box)?.box.backgroundColor.alpha ?? 0) >= 128 }
        let isFilled =
            grid.cells.contains { isFilled($0.box) } || grid.rows.contains { isFilled($0.box) || isFilled($0.group) }
            || grid.columns.contains { isFilled($0.box) || isFilled($0.group) }
        let spacing = LayoutUnit(engine.style(of: box).text.borderSpacingX)
        for cell in grid.cells {
            var edges = engine.boxEdges(cell.box, percentageBase: .zero)
            let own = edges.padding
            if isTight {
                tighten(&edges.padding, of: cell)
            } else if isFilled {
                (edges.padding.left, edges.padding.right) = (max(own.left, .cell), max(own.right, .cell))
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

    /// Leaves a blank cell of the padding in a tight table, between columns that no line separates.
    func tighten(_ padding: inout Edges, of cell: TableGrid.Cell, _ border: Edges = Edges()) {
        (padding.left, padding.right) = (.zero, .zero)
        guard cell.column > 0, border.horizontal == .zero else { return }
        if grid.isRightToLeft { padding.right = .cell } else { padding.left = .cell }
    }

    /// Returns whether the words of each column fit beside each other, or at least the beginnings of long ones. Moves the columns
    /// together, without the spacing of cells, if that keeps words or lines whole.
    mutating func fitsScreen(_ edges: BoxEdges, _ constraint: Constraint, _ engine: inout LayoutEngine) -> Bool {
        guard snap.isOfCells, grid.columns.count > 1 else { return true }
        var width: LayoutUnit {
            (constraint.width ?? constraint.available - edges.margin.horizontal) - undistributable(edges)
        }
        guard !width.isUnlimited else { return true }
        func needed(atMost most: LayoutUnit) -> LayoutUnit {
            measureColumns(&engine).reduce(LayoutUnit.zero) { $0 + min($1.minimum, most) }
        }
        let whole = measureColumns(&engine).reduce(LayoutUnit.zero) { $0 + $1.maximum }
        let gaps = LayoutUnit.cell * (grid.columns.count - 1)
        let row = grid.rows.first { $0.cells.count == grid.columns.count }?.cells ?? 0..<0
        let edgesOfRow = grid.cells[row].compactMap { engine.givenEdges[$0.box] }
        let isRuled = edgesOfRow.dropFirst().contains { $0.border.horizontal > .zero }
        let padding = isRuled ? .zero : edgesOfRow.reduce(LayoutUnit.zero) { $0 + $1.padding.horizontal }
        let isOneLineTogether = whole > width && whole - max(padding - gaps, gaps) <= width
        if needed(atMost: .unlimited) <= width, !isOneLineTogether { return true }
        (isTight, measuredColumns, spacing.x) = (true, nil, .zero)
        for box in [box] + grid.cells.map(\.box) { engine.intrinsicMemo[box] = nil }
        setEdgesOfCells(&engine)
        return needed(atMost: LayoutUnit(12)) <= width
    }

    /// Widths of columns with a sum of at most `room`: the widest columns get one width, the others keep theirs.
    func capped(_ widths: [LayoutUnit], to room: LayoutUnit) -> [LayoutUnit] {
        var (left, cap) = (room, room)
        for (index, width) in widths.sorted().enumerated() {
            cap = left / Int32(clamping: widths.count - index)
            if width > cap { break }
            left -= width
        }
        return widths.map { min($0, cap.nonNegative) }
    }
}
