// Tables as text: arranges cells in aligned lines. A table in a cell is not text of the cell: it is laid out again in the columns
// that the cell gets, so words of different columns never share one. In the cell's text a NUL, which
// no text contains, represents the table.

import FancyTextBasics
import FancyTextBoxes
import FancyTextMarkup

struct TableText {
    /// A cell's text and lines, as ranges of those of the table, and the columns that it covers.
    struct Cell {
        var text, lines: Range<Int>
        var column, span: Int
        /// The measure of its own lines, except those that end in tables.
        var measure: Measure
    }

    /// A line of a cell, up to the table in which it may end, as a range of the whole text, and its width on a terminal.
    struct Line {
        var text: Range<Int>
        var columns: Int
        /// The index of the table in which it ends.
        var table: Int?
    }

    /// Represents a table in the text of a cell.
    static let placeholder: UInt8 = 0

    static let mostColumns = 64
    /// The nesting depth of tables at which inner tables become plain lines.
    static let deepest = 6
    /// Rows with more cells are not readable as a table.
    static let mostCells = 4 * mostColumns
    /// The maximum width of a column, so that one long cell does not separate the columns of every row.
    private static let widestColumn = 100

    var text: [UInt8] = []
    private var captions: [UInt8] = []
    var inner: [TableText] = []
    private(set) var cells: [Cell] = []
    private(set) var lines: [Line] = []
    /// The first cell of each row.
    var rows: [Int] = []
    /// True if the first column is the rightmost.
    var isRightToLeft = false

    mutating func addCaption(_ text: [UInt8]) { if !text.isEmpty { captions += text + [0x0A] } }

    mutating func startRow() { rows.append(cells.count) }

    mutating func addCell(_ content: [UInt8], tables: [TableText], column: Int, span: Int) {
        if rows.isEmpty { startRow() }
        let (start, firstLine) = (text.count, lines.count)
        text.append(contentsOf: content)
        let measure = addLines(content, at: start)
        cells.append(
            Cell(
                text: start..<text.count, lines: firstLine..<lines.count, column: min(column, 1 << 15),
                span: max(1, min(span, 1000)), measure: measure))
        inner += tables
    }

    /// Adds the lines of a cell; empty text is one line.
    private mutating func addLines(_ content: [UInt8], at place: Int) -> Measure {
        var result = Measure()
        var table = inner.count
        for part in content.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let hasTable = part.last == Self.placeholder
            let text = hasTable ? part.dropLast() : part
            let columns = DisplayWidth.cells(text)
            let start = place + part.startIndex
            lines.append(Line(text: start..<start + text.count, columns: columns, table: hasTable ? table : nil))
            if hasTable {
                table += 1
            } else if columns > result.minimal {
                let word = text.split(separator: 0x20).reduce(0) { max($0, DisplayWidth.cells($1)) }
                result.natural = max(result.natural, min(columns, Self.widestColumn), word)
                result.minimal = max(result.minimal, word)
            }
        }
        return result
    }

    /// Returns whether a table has rows of several cells in a readable number; other tables are for layout.
    package static func isData(_ grid: TableGrid) -> Bool {
        let most = grid.rows.lazy.map(\.cells.count).max() ?? 0
        return most > 1 && most <= mostCells
    }

    /// Returns whether the author marks the table as presentational.
    static func isPresentation(_ table: NodeID, _ tree: MarkupTree) -> Bool {
        ["presentation", "none"].contains(tree.attribute(table, .role)?.lowercased())
    }

    func row(_ index: Int) -> ArraySlice<Cell> {
        cells[rows[index]..<(index + 1 < rows.count ? rows[index + 1] : cells.count)]
    }

    /// True if the table has no visible text.
    var isEmpty: Bool { captions.isEmpty && text.isEmpty }

    /// The number of bytes of all text in it.
    var size: Int { inner.reduce(text.count + captions.count) { $0 + $1.size } }

    private var columnCount: Int { cells.reduce(0) { max($0, $1.column + $1.span) } }

    /// Passes the lines of the table, which may be inside a cell, to `emit`. Uses tabs if alignment would exceed `budget` bytes.
    func writeLines(
        style: TableStyle, width: Int?, budget: Int, isInside: Bool = false,
        _ emit: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        for caption in captions.split(separator: 0x0A) { caption.withUnsafeBufferPointer(emit) }
        let columnCount = columnCount
        guard columnCount > 0 else { return }
        var measures = style != .tsv && columnCount <= Self.mostColumns ? measures(columnCount, style) : []
        if isRightToLeft { measures.reverse() }
        var widths = measures.map(\.natural)
        guard !widths.isEmpty, rows.count * (widths.reduce(0, +) + 3 * columnCount) <= budget
        else { return writeTabbed(columnCount, budget, isInside, emit) }
        let isGrid = style == .grid
        var gaps = [Int](repeating: isGrid ? 3 : 2, count: columnCount)
        var frame = Self.frame(columnCount, style)
        if let width, !isGrid, widths.reduce(frame, +) > width {
            // Columns without text are narrowed first.
            let blank = blankColumns(columnCount)
            for column in 0..<columnCount - 1 where widths[column] == 0 || blank[column] {
                frame -= gaps[column]
                gaps[column] = 0
            }
        }
        if let width { Self.shrink(&widths, measures, to: width - frame) }
        func rule(_ left: String, _ middle: String, _ right: String) {
            guard isGrid else { return }
            let lines = widths.map { String(repeating: "─", count: $0 + 2) }.joined(separator: middle)
            Array((left + lines + right).utf8).withUnsafeBufferPointer(emit)
        }
        rule("┌", "┬", "┐")
        var offsets = [isGrid ? 2 : 0]
        for (width, gap) in zip(widths, gaps) { offsets.append(offsets[offsets.count - 1] + width + gap) }
        let wrapper = LineWrapper()
        for number in rows.indices {
            if number > 0 { rule("├", "┼", "┤") }
            writeLines(of: shown(row(number), columnCount), offsets, gaps, style, wrapper, emit)
        }
        rule("└", "┴", "┘")
    }

    /// Columns, from the left, that contain only single no-break spaces, used as separators.
    private func blankColumns(_ columnCount: Int) -> [Bool] {
        var isBlank = [Bool](repeating: true, count: columnCount)
        for cell in cells {
            let text = text[cell.text]
            if text.isEmpty || cell.span == 1 && text.elementsEqual([0xC2, 0xA0]) { continue }
            for column in cell.column..<min(cell.column + cell.span, columnCount) { isBlank[column] = false }
        }
        return isRightToLeft ? isBlank.reversed() : isBlank
    }

    /// The width of the frame and the gaps beside the columns.
    private static func frame(_ columnCount: Int, _ style: TableStyle) -> Int {
        style == .grid ? 3 * columnCount + 1 : 2 * (columnCount - 1)
    }

    /// The cells of a row, from the left.
    private func shown(_ row: ArraySlice<Cell>, _ columnCount: Int) -> ArraySlice<Cell> {
        guard isRightToLeft else { return row }
        var cells = Array(row.reversed())
        for index in cells.indices { cells[index].column = columnCount - cells[index].column - cells[index].span }
        return cells[...]
    }

    // MARK: Widths

    /// The possible widths of a column, in terminal cells.
    struct Measure {
        /// Without wrapping, up to ``TableText/widestColumn``.
        var natural = 0
        /// Without breaking words.
        var minimal = 0
        /// With one cluster on each line.
        var least = 1

        /// The results of a function for each kind of width.
        func combined(with other: Measure, _ result: (Int, Int) -> Int) -> Measure {
            Measure(
                natural: result(natural, other.natural), minimal: result(minimal, other.minimal),
                least: result(least, other.least))
        }
    }

    private func measures(_ columnCount: Int, _ style: TableStyle) -> [Measure] {
        var measures = [Measure](repeating: Measure(), count: columnCount)
        for cell in cells where cell.span == 1 {
            measures[cell.column] = measures[cell.column].combined(with: measure(cell, style), max)
        }
        for cell in cells where cell.span > 1 {
            let range = cell.column..<min(cell.column + cell.span, columnCount)
            let gaps = (style == .grid ? 3 : 2) * (range.count - 1)
            // The last column is widened by what the columns and gaps lack.
            let gap = Measure(natural: gaps, minimal: gaps, least: gaps)
            let present = measures[range].reduce(gap) { $0.combined(with: $1, +) }
            let missing = measure(cell, style).combined(with: present) { max(0, $0 - $1) }
            measures[range.upperBound - 1] = measures[range.upperBound - 1].combined(with: missing, +)
        }
        return measures
    }

    private func measure(_ cell: Cell, _ style: TableStyle) -> Measure {
        var result = cell.measure
        guard !inner.isEmpty else { return result }
        for line in lines[cell.lines] {
            guard let whole = line.table.map({ inner[$0].wholeMeasure(style) }) else { continue }
            result = result.combined(with: whole) { max($0, line.columns + $1) }
        }
        return result
    }

    private func wholeMeasure(_ style: TableStyle) -> Measure {
        let columnCount = columnCount
        guard columnCount > 0, columnCount <= Self.mostColumns else { return Measure() }
        let frame = Self.frame(columnCount, style)
        let empty = Measure(natural: frame, minimal: frame, least: frame)
        var result = measures(columnCount, style).reduce(empty) { $0.combined(with: $1, +) }
        result.natural = max(result.minimal, min(result.natural, Self.widestColumn))
        return result
    }

    /// Narrows the widest columns until all fit: first without breaking words, then in columns with more than their share.
    private static func shrink(_ widths: inout [Int], _ measures: [Measure], to width: Int) {
        shrink(&widths, to: width, floors: measures.map(\.minimal))
        let share = max(1, width / max(1, widths.count))
        shrink(&widths, to: width, floors: measures.map { min($0.minimal, max($0.least, share)) })
        shrink(&widths, to: width, floors: measures.map(\.least))
    }

    private static func shrink(_ widths: inout [Int], to width: Int, floors: [Int]) {
        var excess = widths.reduce(0, +) - width
        while excess > 0 {
            let open = widths.indices.filter { widths[$0] > floors[$0] }
            guard let most = open.map({ widths[$0] }).max() else { return }
            let widest = open.filter { widths[$0] == most }
            let next = open.map { widths[$0] == most ? floors[$0] : widths[$0] }.max() ?? 0
            let step = max(1, min(most - next, (excess + widest.count - 1) / widest.count))
            for k in widest where excess > 0 {
                let cut = min(step, excess, widths[k] - floors[k])
                widths[k] -= cut
                excess -= cut
            }
        }
    }

    // MARK: Lines

    /// - Parameters:
    ///   - offsets: the start of each column, and the one after the last.
    ///   - gaps: the text after each column.
    func writeLines(
        of row: ArraySlice<Cell>, _ offsets: [Int], _ gaps: [Int], _ style: TableStyle, _ wrapper: LineWrapper,
        _ emit: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        let parts = row.map { cell in
            let end = cell.column + cell.span
            return pieces(of: cell, max(1, offsets[end] - offsets[cell.column] - gaps[end - 1]), style, wrapper)
        }
        for k in 0..<(parts.reduce(1) { max($0, $1.count) }) {
            var line: [UInt8] = []
            var (at, column) = (0, 0)
            func pad(to target: Int) {
                line += repeatElement(0x20, count: max(0, target - at))
                at = max(at, target)
            }
            func rule(through last: Int) {
                guard style == .grid else { return }
                while column <= last {
                    pad(to: offsets[column] - 2)
                    line += "│".utf8
                    (at, column) = (at + 1, column + 1)
                }
            }
            for (cell, pieces) in zip(row, parts) {
                rule(through: cell.column)
                column = cell.column + cell.span
                guard k < pieces.count, !pieces[k].text.isEmpty else { continue }
                pad(to: offsets[cell.column])
                line += pieces[k].text
                at += pieces[k].columns
            }
            rule(through: offsets.count - 1)
            while line.last == 0x20 { line.removeLast() }
            line.withUnsafeBufferPointer(emit)
        }
    }

    /// The lines of a cell in its columns, and their widths.
    private func pieces(
        of cell: Cell, _ width: Int, _ style: TableStyle, _ wrapper: LineWrapper
    ) -> [(text: ArraySlice<UInt8>, columns: Int)] {
        var pieces: [(text: ArraySlice<UInt8>, columns: Int)] = []
        for line in lines[cell.lines] {
            let text = text[line.text]
            if let table = line.table.map({ inner[$0] }) {
                // Each of its lines is after the start of the cell's line, or after as many spaces.
                var start = Array(text)
                table.writeLines(
                    style: style, width: max(1, width - line.columns), budget: 16 * table.size + 4096, isInside: true
                ) { inside in
                    pieces.append(((start + inside)[...], line.columns + DisplayWidth.cells(inside)))
                    start = Array(repeating: 0x20, count: line.columns)
                }
            } else if line.columns <= width {
                pieces.append((text, line.columns))
            } else {
                text.withUnsafeBufferPointer {
                    wrapper.wrap($0, width: width, indent: 0, breaksWords: true) { piece, _ in
                        pieces.append((Array(piece)[...], DisplayWidth.cells(piece)))
                    }
                }
            }
        }
        return pieces
    }

    // MARK: Tabs

    /// Rows with a tab between columns; a slot that a spanning cell covers is empty.
    func writeTabbed(
        _ columnCount: Int, _ budget: Int, _ isInside: Bool, _ emit: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        let separator: [UInt8] = isInside ? [0x20, 0x20] : [0x09]
        // With so many empty slots, the table would not be readable.
        let isPadded = !isInside && rows.count * columnCount <= budget
        for number in rows.indices {
            var line: [UInt8] = []
            var column = 0
            for (position, cell) in row(number).enumerated() {
                let gap = isPadded ? cell.column - column : position == 0 ? 0 : 1
                for _ in 0..<max(0, gap) { line += separator }
                column = cell.column
                appendFlat(cell, to: &line)
            }
            if isPadded { for _ in 0..<max(0, columnCount - 1 - column) { line += separator } }
            line.withUnsafeBufferPointer(emit)
        }
    }

    /// Appends a cell's text as one line.
    private func appendFlat(_ cell: Cell, to line: inout [UInt8]) {
        for (position, piece) in lines[cell.lines].enumerated() {
            if position > 0 { line.append(0x20) }
            line += text[piece.text].lazy.map { $0 == 0x09 ? 0x20 : $0 }
            guard let inner = piece.table.map({ inner[$0] }) else { continue }
            for (position, cell) in inner.cells.enumerated() {
                if position > 0 { line.append(0x20) }
                inner.appendFlat(cell, to: &line)
            }
        }
    }
}
