// Data tables as GitHub's tables, and layout tables as the blocks in their cells.

import FancyTextBoxes
import FancyTextStyling

extension MarkdownWriter {
    mutating func tableBlocks(_ box: Int, depth: Int) -> [Block] {
        let grid = text.tableGrid(box)
        var result: [Block] = []
        for caption in grid.captions { result += blocks(of: caption, depth: depth) }
        let isData = BoxContents.isData(grid, text, tree, contents)
        var (part, rest) = (grid, grid.rows[...])
        while !rest.isEmpty {
            // A cell of a whole row with blocks separates the tables above and below it.
            let end = isData ? nil : rest.firstIndex { isOneBlock($0, of: grid) }
            part.rows = Array(rest[..<max(rest.startIndex + 1, end ?? rest.endIndex)])
            rest = rest.dropFirst(part.rows.count)
            if !isData {
                let ends = part.rows.lazy.flatMap { grid.cells[$0.cells] }.map { $0.column + $0.columnSpan }
                part.columns = Array(grid.columns.prefix(ends.max() ?? 0))
            }
            if isData || BoxContents.isData(part, text, tree, contents) {
                result.append(Block(lines: tableLines(part)))
            } else {
                for row in part.rows { result += rowBlocks(grid.cells[row.cells].map(\.box), depth: depth) }
            }
        }
        return result
    }

    private func isOneBlock(_ row: TableGrid.Row, of grid: TableGrid) -> Bool {
        grid.cells[row.cells].contains { $0.columnSpan == grid.columns.count && contents[$0.box].extent == .blocks }
    }

    /// A row of a layout table: adjacent words are one line, other cells have their own lines.
    private mutating func rowBlocks(_ cells: [Int], depth: Int) -> [Block] {
        guard cells.allSatisfy({ contents[$0].extent == .words }) else {
            return cells.flatMap { blocks(of: $0, depth: depth) }
        }
        let line = inlineText(cells, isSingleLine: false)
        // The lines of one cell end before the next one.
        if cells.count > 1, line.contains("\n") { return cells.flatMap { blocks(of: $0, depth: depth) } }
        return [paragraph(line)]
    }

    /// Columns in logical order, regardless of `direction`; a slot that a spanning cell covers is empty.
    private mutating func tableLines(_ grid: TableGrid) -> [String] {
        var lines: [String] = []
        let columns = grid.columns.count
        guard let first = grid.rows.first, let last = grid.rows.last else { return [] }
        // Header cells are centred by default, so the first data cell of a column gives its alignment.
        var alignments = [TextAlign?](repeating: nil, count: columns)
        let heads = headRows(grid)
        let body = grid.rows[max(0, heads - 1)].cells.upperBound
        for cell in grid.cells[body..<last.cells.upperBound] + grid.cells[first.cells.lowerBound..<body]
        where alignments[cell.column] == nil {
            alignments[cell.column] = text.styles[text.boxes[cell.box].style].text.align
        }
        for (index, row) in grid.rows.enumerated() where index == 0 || index >= heads {
            var values: [String] = []
            for cell in grid.cells[row.cells] where heads < 2 || index > 0 {
                values += repeatElement("", count: cell.column - values.count)
                values.append(inlineText([cell.box], isSingleLine: true, inTable: true))
            }
            if index == 0, heads > 1 { values = joinedHeads(grid, rows: heads) }
            if index > 0, !values.isEmpty, values.allSatisfy(\.isEmpty) { continue }
            // Only the header row needs all columns; readers fill the other rows.
            let filled = index == 0 ? columns : min(columns, Self.filledColumns)
            values += repeatElement("", count: max(0, filled - values.count))
            lines.append("| " + values.joined(separator: " | ") + " |")
            if index == 0 { lines.append("|" + alignments.map(Self.delimiter).joined(separator: "|") + "|") }
        }
        return lines
    }

    /// The number of rows of heads before the others; 0 for tables of heads alone, and for wide ones.
    private func headRows(_ grid: TableGrid) -> Int {
        let hasHead = grid.rows.first.map { tag($0.group) == .thead } ?? false
        let heads = grid.rows.prefix { row in
            hasHead
                ? tag(row.group) == .thead
                : !row.cells.isEmpty && grid.cells[row.cells].allSatisfy { tag($0.box) == .th }
        }
        return heads.count < grid.rows.count && grid.columns.count <= Self.filledColumns ? heads.count : 0
    }

    /// The heads of each column in several rows, joined: GitHub's tables have one row of heads.
    private mutating func joinedHeads(_ grid: TableGrid, rows: Int) -> [String] {
        var names = [[String]](repeating: [], count: grid.columns.count)
        for cell in grid.cells[..<grid.rows[rows - 1].cells.upperBound] {
            let name = inlineText([cell.box], isSingleLine: true, inTable: true)
            let columns = cell.column..<cell.column + cell.columnSpan
            for column in columns.clamped(to: names.indices) where !name.isEmpty { names[column].append(name) }
        }
        return names.map { $0.joined(separator: " ") }
    }

    /// Rows are filled with empty cells up to this number of columns, or that of the header row.
    private static let filledColumns = 100

    private static func delimiter(_ align: TextAlign?) -> String {
        switch align {
        case .left: ":---"
        case .center: ":---:"
        case .right, .end: "---:"
        case .start, .justify, .matchParent, nil: "---"
        }
    }
}
