// The lines of a table's rows: cells beside each other, or with tabs between them.

import FancyTextBasics

extension TableText {
    // MARK: Lines

    /// A line of a cell in its columns.
    private struct Piece {
        var text: ArraySlice<UInt8>
        var columns: Int
    }

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

    private func pieces(of cell: Cell, _ width: Int, _ style: TableStyle, _ wrapper: LineWrapper) -> [Piece] {
        var pieces: [Piece] = []
        for line in lines[cell.lines] {
            let text = text[line.text]
            if let table = line.table.map({ inner[$0] }) {
                // Each of its lines is after the start of the cell's line, or after as many spaces.
                var start = Array(text)
                table.writeLines(
                    style: style, width: max(1, width - line.columns), budget: 16 * table.size + 4096, isInside: true
                ) { inside in
                    pieces.append(
                        Piece(text: (start + inside)[...], columns: line.columns + DisplayWidth.cells(inside)))
                    start = Array(repeating: 0x20, count: line.columns)
                }
            } else if line.columns <= width {
                pieces.append(Piece(text: text, columns: line.columns))
            } else {
                text.withUnsafeBufferPointer {
                    wrapper.wrap($0, width: width, indent: 0, breaksWords: true) { piece, _ in
                        pieces.append(Piece(text: Array(piece)[...], columns: DisplayWidth.cells(piece)))
                    }
                }
            }
        }
        return pieces
    }

    func border(_ widths: [Int], _ left: String, _ middle: String, _ right: String) -> [UInt8] {
        Array((left + widths.map { String(repeating: "─", count: $0 + 2) }.joined(separator: middle) + right).utf8)
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
