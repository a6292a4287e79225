// Tables (and flex rows) on a grid of cells: columns sized from what their contents need, lines drawn with box characters
// when any cell has a border (CSS 2.1 §17.5.2.2 in cells).

import Basics
import Boxes
import Layout
import Styling

extension ANSIWriter {
    private struct Cell {
        var box: Int
        var row, column: Int
        var rowSpan, columnSpan: Int
    }

    private struct Grid {
        var cells: [Cell] = []
        var rows = 0
        var columns = 0
        /// Index into `cells` for each place, row by row; −1 for an empty one.
        var places: [Int] = []
        func cell(_ row: Int, _ column: Int) -> Int {
            row >= 0 && row < rows && column >= 0 && column < columns ? places[row * columns + column] : -1
        }
    }

    /// Most columns that are laid out; what a wider row holds beyond is left out.
    private static let columnLimit = 1000

    mutating func tableLines(_ box: Int, width: Int, background: Color?, depth: Int) -> [TerminalLine] {
        let table = text.tableGrid(box)
        let grid = visualGrid(table)
        var lines: [TerminalLine] = []
        let style = text.styles[text.boxes[box].style]
        if grid.columns > 0 {
            let hasLines = grid.cells.contains { isBordered($0.box) } || isBordered(box)
            let gap = hasLines ? 3 : 2
            let edge = hasLines ? 2 : 0
            let free = max(grid.columns, width - 2 * edge - gap * (grid.columns - 1))
            let widths = columnWidths(
                grid, free: free, fills: fillsWidth(style.box), background: background, depth: depth)
            lines = draw(grid, widths, hasLines: hasLines, gap: gap, background: background, depth: depth)
        }
        let full = max(lines.first?.width ?? 0, min(width, 20))
        for caption in table.captions {
            let text = layout(caption, width: full, background: background, depth: depth + 1)
            lines = style.text.captionSide == .bottom ? lines + text : text + lines
        }
        return lines
    }

    /// Children of a flex row side by side; nil when they do not fit.
    mutating func flexRow(_ flow: FlexFlow, of box: Int, width: Int, background: Color?, depth: Int) -> [TerminalLine]?
    {
        var grid = Grid()
        for child in flow.visualItems {
            grid.cells.append(Cell(box: child, row: 0, column: grid.columns, rowSpan: 1, columnSpan: 1))
            grid.columns += 1
        }
        guard grid.columns > 0, grid.columns < 64 else { return nil }
        grid.rows = 1
        grid.places = Array(0..<grid.columns)
        let gap = max(1, cells(text.styles[text.boxes[box].style].box.columnGap.px))
        var widths: [Int] = []
        for cell in grid.cells {
            widths.append(contentWidth(cell.box, limit: width, background: background, depth: depth).most)
        }
        guard widths.reduce(0, +) + gap * (grid.columns - 1) <= width else { return nil }
        return draw(grid, widths, hasLines: false, gap: gap, background: background, depth: depth)
    }

    // MARK: The grid

    /// The table's grid with its columns from left to right.
    private func visualGrid(_ table: TableGrid) -> Grid {
        var grid = Grid()
        grid.rows = table.rows.count
        grid.columns = min(table.columns.count, Self.columnLimit)
        grid.places = [Int](repeating: -1, count: grid.rows * grid.columns)
        for cell in table.cells where cell.column < grid.columns {
            let span = min(cell.columnSpan, grid.columns - cell.column)
            let column = table.isRightToLeft ? grid.columns - cell.column - span : cell.column
            for row in cell.row..<cell.row + cell.rowSpan {
                for place in column..<column + span { grid.places[row * grid.columns + place] = grid.cells.count }
            }
            grid.cells.append(
                Cell(box: cell.box, row: cell.row, column: column, rowSpan: cell.rowSpan, columnSpan: span))
        }
        return grid
    }

    private func isBordered(_ box: Int) -> Bool {
        func isVisible(_ side: BorderSide) -> Bool {
            side.width > 0 && side.style != .none && side.style != .hidden && side.color.alpha >= 64
        }
        let border = text.styles[text.boxes[box].style].box.border
        return isVisible(border.top) || isVisible(border.right) || isVisible(border.bottom) || isVisible(border.left)
    }

    private func fillsWidth(_ style: BoxStyle) -> Bool {
        if case .length(let length) = style.width { return length.fraction >= 1 }
        return false
    }

    // MARK: Widths

    /// The narrowest and the widest that a cell's contents are: its longest word and its longest line.
    private mutating func contentWidth(_ box: Int, limit: Int, background: Color?, depth: Int) -> ContentWidth {
        let key = ContentKey(box: box, limit: limit)
        if let known = contentWidths[key] { return known }
        func widest(_ lines: [TerminalLine]) -> Int { lines.map(\.settled.trimmed.width).max() ?? 0 }
        // Laid out as wide as the whole table may be: wider contents are wrapped in any case.
        let most = max(1, widest(cellLines(box, width: limit, alignsLeft: true, background: nil, depth: depth)))
        var least = 1
        var run = 0
        let range = text.boxes[box].text.clamped(to: 0..<text.text.count)
        text.text.withUnsafeBufferPointer { bytes in
            var at = range.lowerBound
            while at < range.upperBound {
                if bytes[at] == 0x20 || bytes[at] == 0x0A || bytes[at] == 0x09 {
                    run = 0
                    at += 1
                } else {
                    let next = GraphemeBreaker.next(bytes, at, end: range.upperBound)
                    let size = DisplayWidth.cells(bytes, at..<next)
                    run = size == 2 ? 2 : run + size
                    least = max(least, run)
                    at = next
                }
            }
        }
        let result = ContentWidth(least: min(least, most), most: most)
        contentWidths[key] = result
        return result
    }

    private mutating func columnWidths(_ grid: Grid, free: Int, fills: Bool, background: Color?, depth: Int) -> [Int] {
        var least = [Int](repeating: 1, count: grid.columns)
        var most = [Int](repeating: 1, count: grid.columns)
        for pass in 0..<2 {
            for cell in grid.cells where (cell.columnSpan == 1) == (pass == 0) {
                let size = contentWidth(cell.box, limit: free, background: background, depth: depth)
                if cell.columnSpan == 1 {
                    least[cell.column] = max(least[cell.column], size.least)
                    most[cell.column] = max(most[cell.column], size.most)
                } else {
                    // What a spanning cell needs beyond its columns goes to the last of them, a bit to each.
                    let columns = cell.column..<cell.column + cell.columnSpan
                    for (need, isMost) in [(size.least, false), (size.most, true)] {
                        let have =
                            columns.reduce(0) { $0 + (isMost ? most[$1] : least[$1]) } + 2 * (cell.columnSpan - 1)
                        guard need > have else { continue }
                        for (index, column) in columns.enumerated() {
                            let share =
                                (need - have) * (index + 1) / cell.columnSpan - (need - have) * index / cell.columnSpan
                            if isMost { most[column] += share } else { least[column] += share }
                        }
                    }
                }
            }
        }
        let total = most.reduce(0, +)
        if total <= free {
            guard fills else { return most }
            let rest = free - total
            return most.indices.map { most[$0] + rest * ($0 + 1) / most.count - rest * $0 / most.count }
        }
        let needed = least.reduce(0, +)
        if needed >= free {
            // Not even the longest words fit: in proportion, each at least one cell.
            var widths = least.map { max(1, $0 * free / max(1, needed)) }
            var over = widths.reduce(0, +) - free
            while over > 0, let index = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[index] > 1 {
                widths[index] -= 1
                over -= 1
            }
            return widths
        }
        // The room above the least goes by how much each column could use.
        let wish = total - needed
        let rest = free - needed
        var widths: [Int] = []
        var wished = 0
        var given = 0
        for column in least.indices {
            wished += most[column] - least[column]
            let until = rest * wished / max(1, wish)
            widths.append(least[column] + until - given)
            given = until
        }
        return widths
    }

    // MARK: Drawing

    private mutating func cellLines(_ box: Int, width: Int, alignsLeft: Bool, background: Color?, depth: Int)
        -> [TerminalLine]
    {
        let item = text.boxes[box]
        let style = text.styles[item.style]
        let color = style.box.backgroundColor.alpha >= 128 ? style.box.backgroundColor : background
        if item.kind == .tableCell {
            var lines: [TerminalLine] = []
            if item.holdsInlines {
                lines = inlineLines(box, width: width, background: color, depth: depth + 1)
            } else {
                for child in text.children(of: box) {
                    if !lines.isEmpty {
                        lines += [TerminalLine](
                            repeating: TerminalLine(),
                            count: lineCount(text.styles[text.boxes[child].style].box.margin.top?.px ?? 0))
                    }
                    lines += layout(child, width: width, background: color, depth: depth + 1)
                }
            }
            guard alignsLeft else { return lines.map(\.settled) }
            // Only the contents' own width counts when measuring.
            return lines.map { line in
                var line = line.settled
                if let first = line.pieces.first, first.text.allSatisfy({ $0 == 0x20 }) {
                    line.width -= first.width
                    line.pieces.removeFirst()
                }
                return line
            }
        }
        return layout(box, width: width, background: background, depth: depth + 1).map(\.settled)
    }

    private mutating func draw(_ grid: Grid, _ widths: [Int], hasLines: Bool, gap: Int, background: Color?, depth: Int)
        -> [TerminalLine]
    {
        var contents: [[TerminalLine]] = []
        var heights = [Int](repeating: 0, count: grid.rows)
        func span(_ cell: Cell) -> Int {
            widths[cell.column..<cell.column + cell.columnSpan].reduce(0, +) + gap * (cell.columnSpan - 1)
        }
        for cell in grid.cells {
            contents.append(
                cellLines(cell.box, width: span(cell), alignsLeft: false, background: background, depth: depth))
            if cell.rowSpan == 1 { heights[cell.row] = max(heights[cell.row], contents[contents.count - 1].count) }
        }
        for (index, cell) in grid.cells.enumerated() where cell.rowSpan > 1 {
            let rows = cell.row..<cell.row + cell.rowSpan
            let have = rows.reduce(0) { $0 + heights[$1] } + (hasLines ? cell.rowSpan - 1 : 0)
            if contents[index].count > have { heights[rows.upperBound - 1] += contents[index].count - have }
        }
        heights = heights.map { max(1, $0) }
        var lines: [TerminalLine] = []
        for row in 0..<grid.rows {
            if hasLines { lines.append(ruleLine(grid, widths, below: row, contents, heights)) }
            for line in 0..<heights[row] {
                lines.append(
                    textLine(
                        grid, widths, contents, heights, row: row, line: line, hasLines: hasLines, gap: gap,
                        background: background))
            }
        }
        if hasLines { lines.append(ruleLine(grid, widths, below: grid.rows, contents, heights)) }
        return lines
    }

    private func textLine(
        _ grid: Grid, _ widths: [Int], _ contents: [[TerminalLine]], _ heights: [Int], row: Int, line: Int,
        hasLines: Bool, gap: Int,
        background: Color?
    ) -> TerminalLine {
        var result = TerminalLine()
        let bar = Array("│".utf8)
        var column = 0
        while column < grid.columns {
            let index = grid.cell(row, column)
            let width: Int
            var step = 1
            var content = TerminalLine()
            var fill = TerminalStyle.plain
            if index >= 0 {
                let cell = grid.cells[index]
                step = cell.column + cell.columnSpan - column
                width = widths[column..<column + step].reduce(0, +) + gap * (step - 1)
                content = rowOfCell(cell, contents[index], heights, row: row, line: line, hasLines: hasLines)
                let style = text.styles[text.boxes[cell.box].style].box
                if style.backgroundColor.alpha >= 128 { fill = TerminalStyle(background: style.backgroundColor) }
            } else {
                width = widths[column]
            }
            if hasLines {
                if column == 0 { result.append(bar, width: 1, .plain) }
                result.space(1, background: fill)
            } else if column > 0 {
                result.space(gap)
            }
            let before = result.width
            result.append(content)
            result.pad(to: before + width, background: fill)
            if hasLines {
                result.space(1, background: fill)
                result.append(bar, width: 1, .plain)
            }
            column += step
        }
        return result
    }

    /// The line of a cell that shows at `line` of `row`, by its vertical alignment.
    private func rowOfCell(_ cell: Cell, _ lines: [TerminalLine], _ heights: [Int], row: Int, line: Int, hasLines: Bool)
        -> TerminalLine
    {
        let rule = hasLines ? 1 : 0
        let total = heights[cell.row..<cell.row + cell.rowSpan].reduce(0, +) + rule * (cell.rowSpan - 1)
        let place = heights[cell.row..<row].reduce(0, +) + rule * (row - cell.row) + line
        var first = 0
        switch text.styles[text.boxes[cell.box].style].box.verticalAlign {
        case .middle: first = (total - lines.count) / 2
        case .bottom, .textBottom: first = total - lines.count
        case .baseline, .sub, .super, .top, .textTop, .length: break
        }
        let index = place - first
        return lines.indices.contains(index) ? lines[index] : TerminalLine()
    }

    /// The rule above row `below`, with the junctions that the cells around each point ask for.
    private func ruleLine(_ grid: Grid, _ widths: [Int], below row: Int, _ contents: [[TerminalLine]], _ heights: [Int])
        -> TerminalLine
    {
        var result = TerminalLine()
        func different(_ a: Int, _ b: Int) -> Bool { a != b || a < 0 }
        for column in 0...grid.columns {
            let (aboveLeft, aboveRight) = (grid.cell(row - 1, column - 1), grid.cell(row - 1, column))
            let (belowLeft, belowRight) = (grid.cell(row, column - 1), grid.cell(row, column))
            let up = row > 0 && (column == 0 || column == grid.columns || different(aboveLeft, aboveRight))
            let down = row < grid.rows && (column == 0 || column == grid.columns || different(belowLeft, belowRight))
            let left = column > 0 && (row == 0 || row == grid.rows || different(aboveLeft, belowLeft))
            let right = column < grid.columns && (row == 0 || row == grid.rows || different(aboveRight, belowRight))
            let bits = (up ? 8 : 0) | (down ? 4 : 0) | (left ? 2 : 0) | (right ? 1 : 0)
            result.append(Array(Self.junctions[bits].utf8), width: 1, .plain)
            guard column < grid.columns else { break }
            if right {
                let count = widths[column] + 2
                result.append(Array(String(repeating: "─", count: count).utf8), width: count, .plain)
            } else {
                // A cell spans this rule: its text goes on.
                let cell = grid.cells[belowRight]
                result.space(1)
                let before = result.width
                if cell.column == column && cell.columnSpan == 1 {
                    result.append(rowOfCell(cell, contents[belowRight], heights, row: row, line: -1, hasLines: true))
                }
                result.pad(to: before + widths[column])
                result.space(1)
            }
        }
        return result
    }

    /// By up, down, left, right (8, 4, 2, 1).
    private static let junctions = [" ", "╶", "╴", "─", "╷", "┌", "┐", "┬", "╵", "└", "┘", "┴", "│", "├", "┤", "┼"]
}
