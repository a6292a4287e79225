// Tables as text: cells in, aligned lines out (SPEC S1, S3).

/// Rows of cells, laid out by display width.
struct TableText {
    private struct Cell {
        var text: [UInt8]
        var column: Int
        var span: Int
    }

    private static let mostColumns = 64
    /// No column is wider, so that one long cell does not push every row apart.
    private static let widestColumn = 100

    private var rows: [[Cell]] = []
    /// For each column, how many further rows a cell from above covers.
    private var covered: [Int] = []

    mutating func startRow() {
        if !rows.isEmpty { for k in covered.indices where covered[k] > 0 { covered[k] -= 1 } }
        rows.append([])
    }

    mutating func addCell(_ text: [UInt8], columns: Int, rows span: Int) {
        if rows.isEmpty { startRow() }
        var column = rows[rows.count - 1].last.map { $0.column + $0.span } ?? 0
        while column < covered.count, covered[column] > 0 { column += 1 }
        let width = max(1, min(columns, Self.mostColumns))
        rows[rows.count - 1].append(Cell(text: text, column: column, span: width))
        let height = max(1, min(span, 65_534))
        guard column + width <= 4 * Self.mostColumns else { return }
        while covered.count < column + width { covered.append(0) }
        // Counted down at the start of each row: this row is one of them.
        if height > 1 { for k in column..<column + width { covered[k] = height } }
    }

    /// The table's lines. Falls back to tabs when alignment would cost more than `budget` bytes.
    func lines(style: TextOptions.Tables, width: Int?, budget: Int) -> [[UInt8]] {
        let columnCount = rows.map { $0.last.map { $0.column + $0.span } ?? 0 }.max() ?? 0
        guard columnCount > 0 else { return [] }
        var widths = naturalWidths(columnCount)
        let total = widths.reduce(0, +) + 3 * columnCount
        if style == .tsv || columnCount > Self.mostColumns || rows.count * total > budget { return tabbed() }
        let isGrid = style == .grid
        if let width { shrink(&widths, to: width - (isGrid ? 3 * columnCount + 1 : 2 * (columnCount - 1))) }
        var lines: [[UInt8]] = []
        if isGrid { lines.append(border(widths, "┌", "┬", "┐")) }
        for (r, row) in rows.enumerated() {
            if isGrid, r > 0 { lines.append(border(widths, "├", "┼", "┤")) }
            lines += self.lines(of: row, widths, isGrid)
        }
        if isGrid { lines.append(border(widths, "└", "┴", "┘")) }
        return lines
    }

    private func naturalWidths(_ columnCount: Int) -> [Int] {
        var widths = [Int](repeating: 0, count: columnCount)
        var spanning: [Cell] = []
        for row in rows {
            for cell in row {
                if cell.span > 1 {
                    spanning.append(cell)
                } else {
                    widths[cell.column] = max(widths[cell.column], min(Self.widest(cell.text), Self.widestColumn))
                }
            }
        }
        for cell in spanning {
            let range = cell.column..<min(cell.column + cell.span, columnCount)
            let missing =
                min(Self.widest(cell.text), Self.widestColumn) - range.reduce(2 * (range.count - 1)) { $0 + widths[$1] }
            if missing > 0 { widths[range.upperBound - 1] += missing }
        }
        return widths
    }

    private static func widest(_ text: [UInt8]) -> Int {
        text.split(separator: 0x0A).map { DisplayWidth.of(Array($0)) }.max() ?? 0
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

    private func lines(of row: [Cell], _ widths: [Int], _ isGrid: Bool) -> [[UInt8]] {
        var columns: [(cell: Cell, width: Int, lines: [[UInt8]])] = []
        var height = 1
        for cell in row {
            let range = cell.column..<min(cell.column + cell.span, widths.count)
            let gap = isGrid ? 3 : 2
            let width = range.reduce(gap * (range.count - 1)) { $0 + widths[$1] }
            var pieces: [[UInt8]] = []
            for line in cell.text.split(separator: 0x0A, omittingEmptySubsequences: false) {
                let line = Array(line)
                if DisplayWidth.of(line) <= width {
                    pieces.append(line)
                } else {
                    LineWrapper.wrap(line, width: max(1, width), indent: 0, opportunities: nil) { piece, _, _ in
                        pieces.append(Array(piece))
                    }
                }
            }
            height = max(height, pieces.count)
            columns.append((cell, width, pieces))
        }
        var out: [[UInt8]] = []
        for k in 0..<height {
            var line: [UInt8] = []
            var at = 0
            var column = 0
            func pad(to target: Int) {
                while at < target {
                    line.append(0x20)
                    at += 1
                }
            }
            func offset(_ column: Int) -> Int {
                widths[..<min(column, widths.count)].reduce(0, +) + column * (isGrid ? 3 : 2) + (isGrid ? 2 : 0)
            }
            for entry in columns {
                if isGrid {
                    while column <= entry.cell.column {
                        pad(to: offset(column) - 2)
                        line.append(contentsOf: Array("│".utf8))
                        at += 1
                        column += 1
                    }
                    column = entry.cell.column + entry.cell.span
                }
                pad(to: offset(entry.cell.column))
                if k < entry.lines.count {
                    line.append(contentsOf: entry.lines[k])
                    at += DisplayWidth.of(entry.lines[k])
                }
            }
            if isGrid {
                while column <= widths.count {
                    pad(to: offset(column) - 2)
                    line.append(contentsOf: Array("│".utf8))
                    at += 1
                    column += 1
                }
            }
            while line.last == 0x20 { line.removeLast() }
            out.append(line)
        }
        return out
    }

    private func border(_ widths: [Int], _ left: String, _ middle: String, _ right: String) -> [UInt8] {
        Array((left + widths.map { String(repeating: "─", count: $0 + 2) }.joined(separator: middle) + right).utf8)
    }

    private func tabbed() -> [[UInt8]] {
        rows.map { row in
            var line: [UInt8] = []
            for (k, cell) in row.enumerated() {
                if k > 0 { line.append(0x09) }
                line += cell.text.map { $0 == 0x0A || $0 == 0x09 ? 0x20 : $0 }
            }
            return line
        }
    }
}
