// The grid of a table: the row and column of each cell (HTML §4.9.12, CSS Tables 3 §3).
//
// In: a table's boxes. Out: its rows from top to bottom, its cells with the slots they take, its columns in logical order.
// Formed once, when box generation closes the table; every output that has rows and columns reads it.

import FancyTextStyling

/// Rows, columns and cells of one table; its places are indices into ``StyledText/boxes``.
package struct TableGrid: Sendable, Equatable {
    package struct Cell: Sendable, Equatable {
        package var box: Int
        /// The first slot.
        package var row, column: Int
        /// At least 1; spans end with the row group.
        package var rowSpan, columnSpan: Int

        package init(box: Int, row: Int, column: Int, rowSpan: Int = 1, columnSpan: Int = 1) {
            self.box = box
            self.row = row
            self.column = column
            self.rowSpan = rowSpan
            self.columnSpan = columnSpan
        }
    }

    package struct Row: Sendable, Equatable {
        package var box: Int
        /// The row group of the row.
        package var group: Int
        /// The cells that begin in it, by column.
        package var cells: Range<Int>
    }

    package struct Column: Sendable, Equatable {
        /// The column box that stands for it, or its column group's when that holds none; −1 without.
        package var box = -1
        package var group = -1
    }

    /// The table box.
    package var box: Int
    /// From top to bottom: those of the first header group, of the bodies, of the first footer group, wherever in the table
    /// they are written (CSS 2 §17.2).
    package var rows: [Row] = []
    /// Row by row.
    package var cells: [Cell] = []
    /// In the order of the text: from the right where ``isRightToLeft``.
    package var columns: [Column] = []
    package var captions: [Int] = []
    /// The first column is the rightmost (CSS Writing Modes 4 §2.1).
    package var isRightToLeft = false

    package init(box: Int) { self.box = box }
}

extension StyledText {
    /// The grid of a table box.
    package func tableGrid(_ box: Int) -> TableGrid {
        let table = boxes[box].table
        return table >= 0 ? tables[table] : TableGrid(box: box)
    }

    /// Forms the grid of table box `box`, all of whose boxes are there. O(boxes + columns), and rows × columns / 64 where
    /// cells span rows.
    package mutating func formTable(_ box: Int) {
        var former = TableFormer(box)
        former.form(from: self)
        boxes[box].table = tables.count
        tables.append(former.grid)
    }
}

/// The algorithm for forming a table (HTML §4.9.12), over boxes: anonymous ones have been put in where parts were missing.
private struct TableFormer {
    private(set) var grid: TableGrid
    private var covered = CoveredColumns()

    /// A larger span is cut (HTML §4.9.11).
    private static let widestSpan = 1000
    /// Spans add no columns beyond: cells of their own do.
    private static let spannedColumns = 10_000

    init(_ box: Int) { grid = TableGrid(box: box) }

    mutating func form(from text: StyledText) {
        grid.isRightToLeft = text.styles[text.boxes[grid.box].style].text.direction == .rtl
        var header: Int?
        var footer: Int?
        var bodies: [Int] = []
        for child in text.children(of: grid.box) {
            switch text.boxes[child].kind {
            case .tableCaption: grid.captions.append(child)
            case .tableColumn: appendColumns(child, group: -1, text)
            case .tableColumnGroup:
                let columns = text.children(of: child)
                if columns.isEmpty { appendColumns(child, group: child, text) }
                for column in columns { appendColumns(column, group: child, text) }
            case .tableRowGroup:
                let display = text.boxes[child].isAnonymous ? nil : text.styles[text.boxes[child].style].box.display
                if display == .tableHeaderGroup, header == nil {
                    header = child
                } else if display == .tableFooterGroup, footer == nil {
                    footer = child
                } else {
                    bodies.append(child)
                }
            case .tableRow, .tableCell, .block, .flex, .grid, .table, .image, .lambda, .ruby: break
            }
        }
        if let header { appendRows(of: header, text) }
        for body in bodies { appendRows(of: body, text) }
        if let footer { appendRows(of: footer, text) }
    }

    private mutating func appendColumns(_ box: Int, group: Int, _ text: StyledText) {
        let span = Self.span(text.boxes[box].columnSpan, from: grid.columns.count)
        grid.columns.append(contentsOf: repeatElement(TableGrid.Column(box: box, group: group), count: span))
    }

    private static func span(_ columns: Int, from column: Int) -> Int {
        max(1, min(columns, widestSpan, spannedColumns - column))
    }

    private mutating func appendRows(of group: Int, _ text: StyledText) {
        let rows = text.children(of: group)
        let end = grid.rows.count + rows.count
        for row in rows {
            let number = grid.rows.count
            let first = grid.cells.count
            var column = 0
            covered.advance(to: number)
            for cell in text.children(of: row) {
                column = covered.firstFree(from: column)
                let columnSpan = Self.span(text.boxes[cell].columnSpan, from: column)
                let left = end - number
                let rowSpan = text.boxes[cell].rowSpan == 0 ? left : max(1, min(text.boxes[cell].rowSpan, left))
                grid.cells.append(
                    TableGrid.Cell(
                        box: cell, row: number, column: column, rowSpan: rowSpan, columnSpan: columnSpan))
                if rowSpan > 1 { covered.cover(column..<column + columnSpan, until: number + rowSpan) }
                column += columnSpan
            }
            grid.rows.append(TableGrid.Row(box: row, group: group, cells: first..<grid.cells.count))
            let missing = column - grid.columns.count
            if missing > 0 { grid.columns.append(contentsOf: repeatElement(TableGrid.Column(), count: missing)) }
        }
    }
}

/// The columns that cells from rows above reach into.
private struct CoveredColumns {
    /// The first row that no cell from above reaches, by column.
    private var ends: [Int] = []
    /// A bit for each column that is covered.
    private var words: [UInt64] = []
    /// The columns that become free at a row.
    private var expiring: [Int: [Range<Int>]] = [:]
    private var row = 0

    /// Moves to a later row.
    mutating func advance(to row: Int) {
        while self.row < row {
            self.row += 1
            for columns in expiring.removeValue(forKey: self.row) ?? [] {
                for column in columns where ends[column] <= self.row {
                    words[column / 64] &= ~(1 << UInt64(column % 64))
                }
            }
        }
    }

    mutating func cover(_ columns: Range<Int>, until end: Int) {
        while ends.count < columns.upperBound { ends.append(0) }
        while words.count * 64 < columns.upperBound { words.append(0) }
        for column in columns {
            ends[column] = max(ends[column], end)
            words[column / 64] |= 1 << UInt64(column % 64)
        }
        expiring[end, default: []].append(columns)
    }

    /// The first column from `column` on that is not covered.
    func firstFree(from column: Int) -> Int {
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
