// Tables as text: cells in, aligned lines out.

import Basics
import Markup

/// Rows of cells, laid out by display width.
struct TableText {
    /// A cell's text, as a range of all text, and the columns that it covers.
    private struct Cell: BitwiseCopyable {
        var start: UInt32
        var end: UInt32
        var column: UInt16
        var span: UInt16
    }

    /// A row group's place: the head comes first and the foot last, wherever they stand (CSS 2 §17.2).
    enum Group: UInt8, BitwiseCopyable { case head, body, foot }

    private static let mostColumns = 64
    /// Tables in cells of tables: below this many, the inner ones are lines.
    static let deepest = 6
    /// Rows of more cells are no rows of a table that anyone could read.
    static let mostCells = 4 * mostColumns
    /// No column is wider, so that one long cell does not push every row apart.
    private static let widestColumn = 100

    private var text: [UInt8] = []
    private var captions: [UInt8] = []
    private var cells: [Cell] = []
    /// The first cell of each row.
    private var rows: [Int32] = []
    private var groups: [(group: Group, firstRow: Int)] = []
    /// For each column, how many further rows a cell from above covers.
    private var covered: [Int32] = []
    /// The first column is the rightmost.
    var isRightToLeft = false

    mutating func addCaption(_ text: UnsafeBufferPointer<UInt8>) {
        guard !text.isEmpty else { return }
        captions.append(contentsOf: text)
        captions.append(0x0A)
    }

    /// Cells span no further than their row group (HTML §4.9.12).
    mutating func startGroup(_ group: Group) {
        groups.append((group, rows.count))
        covered.removeAll(keepingCapacity: true)
    }

    mutating func startRow() {
        if groups.isEmpty { startGroup(.body) }
        if !rows.isEmpty { for k in covered.indices where covered[k] > 0 { covered[k] -= 1 } }
        rows.append(Int32(truncatingIfNeeded: cells.count))
    }

    /// Puts a cell into the first free place of its row (HTML §4.9.12).
    ///
    /// - Parameter span: rows; 0 for all that the group has.
    mutating func addCell(_ content: UnsafeBufferPointer<UInt8>, columns: Int, rows span: Int) {
        if rows.isEmpty { startRow() }
        let isFirst = cells.count == Int(rows[rows.count - 1])
        var column = isFirst ? 0 : Int(cells[cells.count - 1].column) + Int(cells[cells.count - 1].span)
        while column < covered.count, covered[column] > 0 { column += 1 }
        addCell(content, column: column, span: columns)
        let end = column + Int(cells[cells.count - 1].span)
        guard span != 1, end <= Self.mostCells * 4 else { return }
        while covered.count < end { covered.append(0) }
        // Counted down at the start of each row: this row is one of them.
        for k in column..<end { covered[k] = span == 0 ? .max : Int32(truncatingIfNeeded: span) }
    }

    /// Adds a cell to the row, at a place that it is known to take.
    mutating func addCell(_ content: UnsafeBufferPointer<UInt8>, column: Int, span: Int) {
        if rows.isEmpty { startRow() }
        let start = UInt32(truncatingIfNeeded: text.count)
        text.append(contentsOf: content)
        cells.append(
            Cell(
                start: start, end: UInt32(truncatingIfNeeded: text.count),
                column: UInt16(truncatingIfNeeded: min(column, 1 << 15)),
                span: UInt16(truncatingIfNeeded: max(1, min(span, 1000)))))
    }

    /// The first head and the first foot among `groups`, moved to both ends.
    static func inOrder<Item>(_ groups: [Item], _ rank: (Item) -> Group) -> [Item] {
        guard groups.count > 1 else { return groups }
        var rest = groups
        let head = rest.firstIndex { rank($0) == .head }.map { rest.remove(at: $0) }
        let foot = rest.firstIndex { rank($0) == .foot }.map { rest.remove(at: $0) }
        return (head.map { [$0] } ?? []) + rest + (foot.map { [$0] } ?? [])
    }

    /// Whether an author says that the table is none.
    static func isPresentation(_ table: NodeID, _ tree: MarkupTree) -> Bool {
        guard let role = tree.attribute(table, .role)?.lowercased() else { return false }
        return role == "presentation" || role == "none"
    }

    /// Rows as they show.
    private func orderedRows() -> [Int] {
        let ranges = groups.indices.map {
            (groups[$0].group, groups[$0].firstRow..<($0 + 1 < groups.count ? groups[$0 + 1].firstRow : rows.count))
        }
        return Self.inOrder(ranges) { $0.0 }.flatMap { Array($0.1) }
    }

    private func row(_ index: Int) -> ArraySlice<Cell> {
        cells[Int(rows[index])..<(index + 1 < rows.count ? Int(rows[index + 1]) : cells.count)]
    }

    private func text(of cell: Cell) -> ArraySlice<UInt8> { text[Int(cell.start)..<Int(cell.end)] }

    /// Gives the table's lines to `emit`. Falls back to tabs when alignment would cost more than `budget` bytes.
    func writeLines(style: TextOptions.Tables, width: Int?, budget: Int, _ emit: ([UInt8]) -> Void) {
        for caption in captions.split(separator: 0x0A) { emit(Array(caption)) }
        let columnCount = cells.reduce(0) { max($0, Int($1.column) + Int($1.span)) }
        guard columnCount > 0 else { return }
        let order = orderedRows()
        var widths: [Int] = []
        if style != .tsv, columnCount <= Self.mostColumns { widths = naturalWidths(columnCount) }
        if isRightToLeft { widths.reverse() }
        let total = widths.reduce(0, +) + 3 * columnCount
        if widths.isEmpty || rows.count * total > budget {
            writeTabbed(order, emit)
            return
        }
        let isGrid = style == .grid
        if let width { shrink(&widths, to: width - (isGrid ? 3 * columnCount + 1 : 2 * (columnCount - 1))) }
        if isGrid { emit(border(widths, "┌", "┬", "┐")) }
        let gap = isGrid ? 3 : 2
        var offsets = [isGrid ? 2 : 0]
        for width in widths { offsets.append(offsets[offsets.count - 1] + width + gap) }
        var memory = RowLines()
        for (position, r) in order.enumerated() {
            if isGrid, position > 0 { emit(border(widths, "├", "┼", "┤")) }
            writeLines(of: shown(row(r), columnCount), offsets, isGrid, &memory, emit)
        }
        if isGrid { emit(border(widths, "└", "┴", "┘")) }
    }

    /// A row's cells from the left.
    private func shown(_ row: ArraySlice<Cell>, _ columnCount: Int) -> [Cell] {
        guard isRightToLeft else { return Array(row) }
        return row.reversed().map { cell in
            var cell = cell
            cell.column = UInt16(truncatingIfNeeded: columnCount - Int(cell.column) - Int(cell.span))
            return cell
        }
    }

    private func naturalWidths(_ columnCount: Int) -> [Int] {
        var widths = [Int](repeating: 0, count: columnCount)
        for cell in cells where cell.span == 1 {
            widths[Int(cell.column)] = max(widths[Int(cell.column)], min(widest(cell), Self.widestColumn))
        }
        for cell in cells where cell.span > 1 {
            let range = Int(cell.column)..<min(Int(cell.column) + Int(cell.span), columnCount)
            let missing =
                min(widest(cell), Self.widestColumn) - range.reduce(2 * (range.count - 1)) { $0 + widths[$1] }
            if missing > 0 { widths[range.upperBound - 1] += missing }
        }
        return widths
    }

    private func widest(_ cell: Cell) -> Int {
        text.withUnsafeBufferPointer { text in
            var most = 0
            Self.forEachLine(of: cell, in: text) { most = max(most, DisplayWidth.cells($0)) }
            return most
        }
    }

    /// The lines of a cell; the empty text is one.
    @inline(__always)
    private static func forEachLine(
        of cell: Cell, in text: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        guard let base = text.baseAddress, cell.end > cell.start else {
            body(UnsafeBufferPointer(start: nil, count: 0))
            return
        }
        var at = Int(cell.start)
        while true {
            let end = firstIndex(of: 0x0A, in: base, from: at, to: Int(cell.end))
            body(UnsafeBufferPointer(start: base + at, count: end - at))
            if end == Int(cell.end) { return }
            at = end + 1
        }
    }

    /// Takes from the widest columns until they fit.
    private func shrink(_ widths: inout [Int], to width: Int) {
        var excess = widths.reduce(0, +) - max(width, widths.count)
        while excess > 0 {
            let most = widths.max() ?? 0
            guard most > 1 else { return }
            let second = widths.filter { $0 < most }.max() ?? 1
            let count = widths.filter { $0 == most }.count
            let step = max(1, min(most - max(second, 1), (excess + count - 1) / count))
            for k in widths.indices where widths[k] == most && excess > 0 {
                let cut = min(step, excess, widths[k] - 1)
                widths[k] -= cut
                excess -= cut
            }
        }
    }

    /// A line of a cell of the row that is written, a part of all text.
    private struct Line {
        var bytes: UnsafeBufferPointer<UInt8>
        var columns: Int
    }

    /// What the lines of a row are made in, its memory kept from row to row.
    private struct RowLines {
        var lines: [Line] = []
        /// The first line of each cell, and one past the last one's.
        var firsts: [Int] = []
        var output: [UInt8] = []
        let wrapper = LineWrapper()
    }

    /// - Parameter offsets: where the columns begin, and where one behind the last one would.
    private func writeLines(
        of row: [Cell], _ offsets: [Int], _ isGrid: Bool, _ memory: inout RowLines, _ emit: ([UInt8]) -> Void
    ) {
        text.withUnsafeBufferPointer { text in
            memory.lines.removeAll(keepingCapacity: true)
            memory.firsts.removeAll(keepingCapacity: true)
            var height = 1
            for cell in row {
                let first = memory.lines.count
                memory.firsts.append(first)
                let width = offsets[Int(cell.column) + Int(cell.span)] - offsets[Int(cell.column)] - (isGrid ? 3 : 2)
                Self.forEachLine(of: cell, in: text) { line in
                    let columns = DisplayWidth.cells(line)
                    if columns <= width {
                        memory.lines.append(Line(bytes: line, columns: columns))
                    } else {
                        memory.wrapper.wrap(line, width: max(1, width), indent: 0) { piece, _ in
                            memory.lines.append(Line(bytes: piece, columns: DisplayWidth.cells(piece)))
                        }
                    }
                }
                height = max(height, memory.lines.count - first)
            }
            memory.firsts.append(memory.lines.count)
            for k in 0..<height {
                memory.output.removeAll(keepingCapacity: true)
                writeLine(k, of: row, offsets, isGrid, &memory)
                emit(memory.output)
            }
        }
    }

    private func writeLine(
        _ k: Int, of row: [Cell], _ offsets: [Int], _ isGrid: Bool, _ memory: inout RowLines
    ) {
        var at = 0
        var column = 0
        func pad(to target: Int) {
            while at < target {
                memory.output.append(0x20)
                at += 1
            }
        }
        func rule(through last: Int) {
            while column <= last {
                pad(to: offsets[column] - 2)
                memory.output.append(contentsOf: "│".utf8)
                at += 1
                column += 1
            }
        }
        for (index, cell) in row.enumerated() {
            if isGrid {
                rule(through: Int(cell.column))
                column = Int(cell.column) + Int(cell.span)
            }
            pad(to: offsets[Int(cell.column)])
            let line = memory.firsts[index] + k
            if line < memory.firsts[index + 1] {
                memory.output.append(contentsOf: memory.lines[line].bytes)
                at += memory.lines[line].columns
            }
        }
        if isGrid { rule(through: offsets.count - 1) }
        while memory.output.last == 0x20 { memory.output.removeLast() }
    }

    private func border(_ widths: [Int], _ left: String, _ middle: String, _ right: String) -> [UInt8] {
        Array((left + widths.map { String(repeating: "─", count: $0 + 2) }.joined(separator: middle) + right).utf8)
    }

    private func writeTabbed(_ order: [Int], _ emit: ([UInt8]) -> Void) {
        for r in order {
            var line: [UInt8] = []
            for (k, cell) in row(r).enumerated() {
                if k > 0 { line.append(0x09) }
                line += text(of: cell).map { $0 == 0x0A || $0 == 0x09 ? 0x20 : $0 }
            }
            emit(line)
        }
    }
}
