// The screen of a terminal as rows of cells, filled by the painter and written by the pen.
//
// A cell holds a glyph of the CellFont, a text style and a background, each 4 bytes. Rows have storage as far as
// something was painted in them, so memory is bounded by rows × width, and lines that reach over the edge of the screen
// by what they hold.

import FancyTextStyling

struct CellGrid {
    struct Cell {
        /// 0 for none.
        var glyph: UInt32 = 0
        /// Index in ``TerminalLooks``; 0 for a cell without text.
        var style: UInt32 = 0
        /// Index in ``TerminalLooks``; 0 for the terminal's own.
        var background: UInt32 = 0
    }

    /// The second cell of a wide glyph.
    static let continuation = UInt32.max
    /// Marks glyphs that are pieces of lines: see ``BoxLines``.
    static let lineFlag: UInt32 = 0x8000_0000

    private(set) var rows: [[Cell]] = []
    /// Pictures as escape sequences, by row: column, height in rows, bytes.
    private(set) var pictures: [Int: [(column: Int, rows: Int, sequence: [UInt8])]] = [:]
    /// One past the last column that anything may be painted in.
    private let end: Int

    /// Cells that may be held besides those that are; a row counts as one more.
    private var room: Int
    /// Something was left out for want of room.
    private(set) var isFull = false

    /// - Parameters:
    ///   - end: the screen's width, and what text may reach over its edge.
    ///   - room: cells that may be held.
    init(end: Int, room: Int) {
        self.end = end
        self.room = room
    }

    /// Makes cells as far as `column`; false, and none made, where there is no room for them.
    private mutating func reach(_ row: Int, _ column: Int) -> Bool {
        let missingRows = max(0, row + 1 - rows.count)
        let missing = missingRows + max(0, column - (missingRows > 0 ? 0 : rows[row].count))
        guard missing > 0 else { return true }
        guard missing <= room else {
            isFull = true
            return false
        }
        room -= missing
        rows.append(contentsOf: repeatElement([], count: missingRows))
        rows[row].append(contentsOf: repeatElement(Cell(), count: missing - missingRows))
        return true
    }

    /// Gives the cells of a rectangle a background.
    mutating func fill(columns: Range<Int>, rows range: Range<Int>, background: UInt32) {
        let columns = columns.clamped(to: 0..<end)
        guard !columns.isEmpty, range.upperBound > 0 else { return }
        for row in max(0, range.lowerBound)..<range.upperBound {
            guard reach(row, columns.upperBound) else { return }
            rows[row].withUnsafeMutableBufferPointer { cells in
                for column in columns { cells[column].background = background }
            }
        }
    }

    /// Writes a glyph of `width` cells; what it covers in part is blanked.
    mutating func put(_ glyph: UInt32, width: Int, _ column: Int, _ row: Int, style: UInt32) {
        guard row >= 0, column >= 0, width > 0, column + width <= end else { return }
        withRow(row, through: column + width) { Self.put(glyph, width: width, column, style: style, in: $0) }
    }

    /// Sets a cell of the given row; columns beyond its ends are ignored.
    @inline(__always)
    static func put(
        _ glyph: UInt32, width: Int, _ column: Int, style: UInt32, in cells: UnsafeMutableBufferPointer<Cell>
    ) {
        let next = column + width
        guard column >= 0, width > 0, next <= cells.count else { return }
        if cells[column].glyph == continuation, column > 0 { cells[column - 1].glyph = 0x20 }
        if next < cells.count, cells[next].glyph == continuation { cells[next].glyph = 0x20 }
        cells[column].glyph = glyph
        cells[column].style = style
        for rest in column + 1..<max(column + 1, next) {
            cells[rest].glyph = continuation
            cells[rest].style = style
        }
    }

    /// Gives access to a row, which extends to `end` or to the edge of the paintable area.
    mutating func withRow(_ row: Int, through end: Int, _ body: (UnsafeMutableBufferPointer<Cell>) -> Void) {
        guard row >= 0, end > 0 else { return }
        guard reach(row, min(end, self.end)) else { return }
        rows[row].withUnsafeMutableBufferPointer { body($0) }
    }

    /// Writes spaces into the given row; returns the column after them.
    static func blank(_ count: Int, _ column: Int, style: UInt32, in cells: UnsafeMutableBufferPointer<Cell>) -> Int {
        for offset in 0..<count { put(0x20, width: 1, column + offset, style: style, in: cells) }
        return column + count
    }

    func hasGlyph(_ column: Int, _ row: Int) -> Bool {
        rows.indices.contains(row) && rows[row].indices.contains(column) && rows[row][column].glyph != 0
    }

    /// The line pieces in a cell; 0 for none.
    func lines(_ column: Int, _ row: Int) -> UInt32 {
        guard rows.indices.contains(row), rows[row].indices.contains(column) else { return 0 }
        let glyph = rows[row][column].glyph
        return glyph != Self.continuation && glyph & Self.lineFlag != 0 ? glyph & ~Self.lineFlag : 0
    }

    /// Whether a letter or a symbol stands in a cell.
    func hasText(_ column: Int, _ row: Int) -> Bool {
        guard rows.indices.contains(row), rows[row].indices.contains(column) else { return false }
        let glyph = rows[row][column].glyph
        return glyph != 0 && glyph != 0x20 && (glyph == Self.continuation || glyph & Self.lineFlag == 0)
    }

    /// Adds pieces of lines to those in a cell: they join. Text stays.
    mutating func draw(_ lines: UInt32, _ column: Int, _ row: Int, style: UInt32) {
        if hasGlyph(column, row), self.lines(column, row) == 0 { return }
        put(BoxLines.joined(self.lines(column, row), lines) | Self.lineFlag, width: 1, column, row, style: style)
    }

    /// Takes away the lines in a stretch of a row.
    mutating func clearLines(columns: Range<Int>, row: Int) {
        for column in columns.clamped(to: 0..<end) where lines(column, row) != 0 {
            rows[row][column].glyph = 0
            rows[row][column].style = 0
        }
    }

    mutating func put(picture sequence: [UInt8], _ column: Int, _ row: Int, rows height: Int) {
        guard row >= 0, column >= 0, column < end else { return }
        guard reach(row + height - 1, 0) else { return }
        pictures[row, default: []].append((column, height, sequence))
    }
}
