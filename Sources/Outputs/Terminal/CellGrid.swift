// The screen of a terminal as rows of cells, filled by the painter and written by the pen. A cell has a glyph of the CellFont,
// a text style and a background, each 4 bytes. Rows have storage up to the last painted column, so memory is bounded by rows ×
// width, and for lines that exceed the screen by their contents.

struct CellGrid {
    struct Cell {
        /// The glyph; 0 for none.
        var glyph: UInt32 = 0
        /// The index in ``TerminalLooks``; 0 for a cell without text.
        var style: UInt32 = 0
        /// The index in ``TerminalLooks``; 0 for the terminal's own background.
        var background: UInt32 = 0
    }

    /// The second cell of a wide glyph.
    static let continuation = UInt32.max
    /// Marks glyphs that are line pieces: see ``BoxLines``.
    static let lineFlag: UInt32 = 0x8000_0000

    private(set) var rows: [[Cell]] = []
    /// Pictures as escape sequences, by row: column, height in rows, bytes.
    private(set) var pictures: [Int: [(column: Int, rows: Int, sequence: [UInt8])]] = [:]
    /// The end of the columns that may be painted.
    private let end: Int

    /// The number of cells that may still be added; a row counts as one more.
    private var room: Int
    /// True if cells were left out because the capacity was used up.
    private(set) var isFull = false

    init(end: Int, room: Int) { (self.end, self.room) = (end, room) }

    /// Adds cells up to `column`; returns false, without adding any, if the capacity does not suffice.
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

    /// Writes a glyph of `width` cells; partly covered glyphs are blanked.
    mutating func put(_ glyph: UInt32, width: Int, _ column: Int, _ row: Int, style: UInt32) {
        let next = column + width
        guard row >= 0, column >= 0, width > 0, next <= end, reach(row, next) else { return }
        if rows[row][column].glyph == Self.continuation, column > 0 { rows[row][column - 1].glyph = 0x20 }
        if next < rows[row].count, rows[row][next].glyph == Self.continuation { rows[row][next].glyph = 0x20 }
        for place in column..<next {
            rows[row][place].glyph = place == column ? glyph : Self.continuation
            rows[row][place].style = style
        }
    }

    /// The glyph in a cell; 0 for none.
    func glyph(_ column: Int, _ row: Int) -> UInt32 {
        rows.indices.contains(row) && rows[row].indices.contains(column) ? rows[row][column].glyph : 0
    }

    /// The line pieces in a cell; 0 for none.
    func lines(_ column: Int, _ row: Int) -> UInt32 {
        let glyph = glyph(column, row)
        return glyph != Self.continuation && glyph & Self.lineFlag != 0 ? glyph & ~Self.lineFlag : 0
    }

    /// Returns whether a cell contains a letter or a symbol.
    func hasText(_ column: Int, _ row: Int) -> Bool {
        let glyph = glyph(column, row)
        return glyph != 0 && glyph != 0x20 && (glyph == Self.continuation || glyph & Self.lineFlag == 0)
    }

    /// Adds line pieces to a cell, joined with those in it. Text is kept.
    mutating func draw(_ lines: UInt32, _ column: Int, _ row: Int, style: UInt32) {
        let known = self.lines(column, row)
        if known == 0, glyph(column, row) != 0 { return }
        put(BoxLines.joined(known, lines) | Self.lineFlag, width: 1, column, row, style: style)
    }

    mutating func clearLines(columns: Range<Int>, row: Int) {
        for column in columns.clamped(to: 0..<end) where lines(column, row) != 0 {
            rows[row][column].glyph = 0
            rows[row][column].style = 0
        }
    }

    mutating func put(picture sequence: [UInt8], _ column: Int, _ row: Int, rows height: Int) {
        guard row >= 0, column >= 0, column < end, reach(row + height - 1, 0) else { return }
        pictures[row, default: []].append((column, height, sequence))
    }
}
