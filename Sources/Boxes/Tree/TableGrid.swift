// The grid of a table: the row and column of each cell (HTML §4.9.12, CSS Tables 3 §3). In: a table's boxes. Out: its rows from top
// to bottom, its cells with their slots, its columns in logical order. The grid is formed once, when box generation closes the
// table; every output with rows and columns reads it.

import FancyTextCSS

/// The rows, columns and cells of one table; boxes are indices into ``BoxTree/boxes``.
package struct TableGrid: Sendable, Equatable {
    package struct Cell: Sendable, Equatable {
        package var box: Int
        /// The first slot of the cell.
        package var row, column: Int
        /// At least 1; spans end with the row group.
        package var rowSpan, columnSpan: Int
        /// True if it spans merged columns: its width is not that of a column.
        package var isMerged = false

        package var rows: Range<Int> { row..<row + rowSpan }
        package var columns: Range<Int> { column..<column + columnSpan }
    }

    package struct Row: Sendable, Equatable {
        package var box: Int
        package var group: Int
        /// The cells that begin in the row, by column.
        package var cells: Range<Int>
    }

    package struct Column: Sendable, Equatable {
        /// The column's box, or that of a column group without columns; −1 for none.
        package var box = -1
        package var group = -1
    }

    package var box: Int
    /// The rows from top to bottom: those of the first header group, of the bodies, of the first footer group (CSS 2 §17.2).
    package var rows: [Row] = []
    /// The cells row by row.
    package var cells: [Cell] = []
    /// The columns in text order: from the right if ``isRightToLeft``.
    package var columns: [Column] = []
    package var captions: [Int] = []
    /// True if the first column is the rightmost (CSS Writing Modes 4 §2.1).
    package var isRightToLeft = false

    /// The rows of each row group, and the columns of each column group.
    package var sections: [Range<Int>] { rows.indices.runs { rows[$0].group == rows[$1].group } }
    package var columnGroups: [Range<Int>] { columns.indices.runs { columns[$0].group == columns[$1].group } }

    /// Merges each column in which no cell begins with the one before it (CSS Tables 3, "Track merging").
    package mutating func mergeColumns() {
        var begins = columns.map { $0.box >= 0 || $0.group >= 0 }
        for cell in cells { begins[cell.column] = true }
        guard begins.contains(false) else { return }
        // For each column, how many of those before it stay.
        let numbers = begins.reduce(into: [0]) { $0.append($0[$0.count - 1] + ($1 ? 1 : 0)) }
        for index in cells.indices {
            let columns = cells[index].columns
            cells[index].column = numbers[columns.lowerBound]
            cells[index].columnSpan = numbers[columns.upperBound] - numbers[columns.lowerBound]
            cells[index].isMerged = cells[index].columnSpan < columns.count
        }
        columns = columns.indices.filter { begins[$0] }.map { columns[$0] }
    }
}

extension BoxTree {
    package func tableGrid(_ box: Int) -> TableGrid {
        let table = boxes[box].table
        return table >= 0 ? tables[table] : TableGrid(box: box)
    }

    /// Forms the grid of a table whose boxes are complete. O(boxes + columns), and rows × columns / 64 if cells span rows.
    package mutating func formTable(_ box: Int) {
        let grid = TableFormer(box, of: self).grid
        boxes[box].table = tables.count
        tables.append(grid)
    }
}

/// The algorithm for forming a table (HTML §4.9.12), applied to boxes; missing parts have been added as anonymous boxes.
private struct TableFormer {
    private(set) var grid: TableGrid
    private var covered = CoveredColumns()

    /// Larger spans are limited to this (HTML §4.9.11).
    private static let widestSpan = 1000
    /// Spans add no columns after this many; only cells do.
    private static let spannedColumns = 10_000

    init(_ box: Int, of text: BoxTree) {
        grid = TableGrid(box: box)
        grid.isRightToLeft = text.styles[text.boxes[grid.box].style].text.direction == .rtl
        var groups: [Int] = []
        for child in text.children(of: grid.box) {
            switch text.boxes[child].kind {
            case .tableCaption: grid.captions.append(child)
            case .tableColumn: appendColumns(child, group: -1, text)
            case .tableColumnGroup:
                let columns = text.children(of: child)
                if columns.isEmpty { appendColumns(child, group: child, text) }
                for column in columns { appendColumns(column, group: child, text) }
            case .tableRowGroup: groups.append(child)
            case .tableRow, .tableCell, .block, .flex, .grid, .table, .image, .lambda, .ruby, .math: break
            }
        }
        func first(_ display: Display) -> Int? {
            groups.first { !text.boxes[$0].isAnonymous && text.styles[text.boxes[$0].style].box.display == display }
        }
        let (header, footer) = (first(.tableHeaderGroup), first(.tableFooterGroup))
        for case let group? in [header] + groups.filter({ $0 != header && $0 != footer }) + [footer] {
            appendRows(of: group, text)
        }
    }

    private mutating func appendColumns(_ box: Int, group: Int, _ text: BoxTree) {
        let span = Self.span(text.boxes[box].columnSpan, from: grid.columns.count)
        grid.columns.append(contentsOf: repeatElement(TableGrid.Column(box: box, group: group), count: span))
    }

    private static func span(_ columns: Int, from column: Int) -> Int {
        max(1, min(columns, widestSpan, spannedColumns - column))
    }

    private mutating func appendRows(of group: Int, _ text: BoxTree) {
        let rows = text.children(of: group)
        let end = grid.rows.count + rows.count
        for row in rows {
            let (number, first) = (grid.rows.count, grid.cells.count)
            var column = 0
            covered.advance(to: number)
            for cell in text.children(of: row) {
                column = covered.firstFree(from: column)
                let columnSpan = Self.span(text.boxes[cell].columnSpan, from: column)
                let left = end - number
                let rowSpan = text.boxes[cell].rowSpan == 0 ? left : max(1, min(text.boxes[cell].rowSpan, left))
                grid.cells.append(
                    TableGrid.Cell(box: cell, row: number, column: column, rowSpan: rowSpan, columnSpan: columnSpan))
                if rowSpan > 1 { covered.cover(column..<column + columnSpan, until: number + rowSpan) }
                column += columnSpan
            }
            grid.rows.append(TableGrid.Row(box: row, group: group, cells: first..<grid.cells.count))
            let missing = column - grid.columns.count
            if missing > 0 { grid.columns.append(contentsOf: repeatElement(TableGrid.Column(), count: missing)) }
        }
    }
}

/// The columns covered by cells from rows above. The first row is 0, or 1.
package struct CoveredColumns {
    /// For each column, the first row that no cell from above covers.
    private var ends: [Int] = []
    /// A bit for each covered column.
    private var words: [UInt64] = []
    /// The columns that become free at a row.
    private var expiring: [Int: [Range<Int>]] = [:]
    private var row = 0

    package init() {}

    /// Moves to a later row.
    package mutating func advance(to row: Int) {
        while self.row < row {
            self.row += 1
            for columns in expiring.removeValue(forKey: self.row) ?? [] {
                for column in columns where ends[column] <= self.row {
                    words[column / 64] &= ~(1 << UInt64(column % 64))
                }
            }
        }
    }

    package mutating func cover(_ columns: Range<Int>, until end: Int) {
        while ends.count < columns.upperBound { ends.append(0) }
        while words.count * 64 < columns.upperBound { words.append(0) }
        for column in columns {
            ends[column] = max(ends[column], end)
            words[column / 64] |= 1 << UInt64(column % 64)
        }
        expiring[end, default: []].append(columns)
    }

    /// The first column from `column` on that is not covered.
    package func firstFree(from column: Int) -> Int {
        var word = column / 64
        guard word < words.count else { return column }
        var free = ~words[word] & (~0 << UInt64(column % 64))
        while free == 0 {
            word += 1
            guard word < words.count else { return word * 64 }
            free = ~words[word]
        }
        return word * 64 + free.trailingZeroBitCount
    }
}
