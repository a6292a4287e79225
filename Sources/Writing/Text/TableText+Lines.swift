// The lines of a table's rows: cells beside each other, or with tabs between them.

import FancyTextBasics

extension TableText {
    // MARK: Lines

    /// A line of a cell in the current row: a range of the whole text, or of the output of tables in cells.
    struct Piece: BitwiseCopyable {
        var start: Int
        var end: Int
        var isInner: Bool
        var columns: Int
    }

    /// Buffers for the lines of a row, reused for each row.
    struct RowLines {
        var pieces: [Piece] = []
        /// The first piece of each cell, and the end of the last cell's.
        var firsts: [Int] = []
        /// The output of tables in cells.
        var inner: [UInt8] = []
        var output = GrowableBuffer<UInt8>(capacity: 256)
        var wrapper: LineWrapper?
    }

    /// - Parameters:
    ///   - offsets: the start of each column, and the one after the last.
    ///   - gaps: the text after each column.
    func writeLines(
        of row: ArraySlice<Cell>, _ offsets: [Int], _ gaps: [Int], _ style: TableStyle,
        _ memory: inout RowLines, _ emit: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        memory.pieces.removeAll(keepingCapacity: true)
        memory.firsts.removeAll(keepingCapacity: true)
        memory.inner.removeAll(keepingCapacity: true)
        var height = 1
        for cell in row {
            let first = memory.pieces.count
            memory.firsts.append(first)
            let end = Int(cell.column) + Int(cell.span)
            let width = max(1, offsets[end] - offsets[Int(cell.column)] - gaps[end - 1])
            for line in lines(of: cell) {
                if line.table >= 0 { appendTable(line, width, style, &memory) } else { append(line, width, &memory) }
            }
            height = max(height, memory.pieces.count - first)
        }
        memory.firsts.append(memory.pieces.count)
        text.withUnsafeBufferPointer { text in
            for k in 0..<height {
                memory.output.count = 0
                writeLine(k, of: row, offsets, style == .grid, text, &memory)
                emit(UnsafeBufferPointer(start: memory.output.base, count: memory.output.count))
            }
        }
    }

    private func append(_ line: Line, _ width: Int, _ memory: inout RowLines) {
        let start = Int(line.start)
        if Int(line.columns) <= width {
            memory.pieces.append(Piece(start: start, end: Int(line.end), isInner: false, columns: Int(line.columns)))
            return
        }
        let wrapper = memory.wrapper ?? LineWrapper()
        memory.wrapper = wrapper
        text[start..<Int(line.end)].withUnsafeBufferPointer { line in
            wrapper.wrap(line, width: width, indent: 0, breaksWords: true) { piece, _ in
                let at = start + (piece.baseAddress.flatMap { piece in line.baseAddress.map { piece - $0 } } ?? 0)
                memory.pieces.append(
                    Piece(start: at, end: at + piece.count, isInner: false, columns: DisplayWidth.cells(piece)))
            }
        }
    }

    /// Appends the lines of a table in a cell: each after the start of the cell's line, or after as many spaces.
    private func appendTable(_ line: Line, _ width: Int, _ style: TableStyle, _ memory: inout RowLines) {
        let indent = Int(line.columns)
        let table = inner[Int(line.table)]
        var isFirst = true
        table.writeLines(
            style: style, width: max(1, width - indent), budget: 16 * table.size + 4096, isInside: true
        ) { inside in
            let start = memory.inner.count
            if isFirst {
                memory.inner.append(contentsOf: text[Int(line.start)..<Int(line.end)])
            } else {
                memory.inner.append(contentsOf: repeatElement(0x20, count: indent))
            }
            isFirst = false
            memory.inner.append(contentsOf: inside)
            let columns = indent + DisplayWidth.cells(inside)
            memory.pieces.append(Piece(start: start, end: memory.inner.count, isInner: true, columns: columns))
        }
    }

    private func writeLine(
        _ k: Int, of row: ArraySlice<Cell>, _ offsets: [Int], _ isGrid: Bool, _ text: UnsafeBufferPointer<UInt8>,
        _ memory: inout RowLines
    ) {
        var at = 0
        var column = 0
        func pad(to target: Int) {
            memory.output.append(repeating: 0x20, count: target - at)
            at = max(at, target)
        }
        func rule(through last: Int) {
            while column <= last {
                pad(to: offsets[column] - 2)
                for byte in "│".utf8 { memory.output.append(byte) }
                at += 1
                column += 1
            }
        }
        for (index, cell) in row.enumerated() {
            if isGrid {
                rule(through: Int(cell.column))
                column = Int(cell.column) + Int(cell.span)
            }
            let number = memory.firsts[index] + k
            guard number < memory.firsts[index + 1] else { continue }
            let piece = memory.pieces[number]
            guard piece.end > piece.start else { continue }
            pad(to: offsets[Int(cell.column)])
            if piece.isInner {
                memory.inner.withUnsafeBufferPointer {
                    memory.output.append(contentsOf: UnsafeBufferPointer(rebasing: $0[piece.start..<piece.end]))
                }
            } else {
                memory.output.append(contentsOf: UnsafeBufferPointer(rebasing: text[piece.start..<piece.end]))
            }
            at += piece.columns
        }
        if isGrid { rule(through: offsets.count - 1) }
        while memory.output.count > 0, memory.output[memory.output.count - 1] == 0x20 { memory.output.count -= 1 }
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
                let gap = isPadded ? Int(cell.column) - column : position == 0 ? 0 : 1
                for _ in 0..<max(0, gap) { line += separator }
                column = Int(cell.column)
                appendFlat(cell, to: &line)
            }
            if isPadded { for _ in 0..<max(0, columnCount - 1 - column) { line += separator } }
            line.withUnsafeBufferPointer(emit)
        }
    }

    /// Appends a cell's text as one line.
    private func appendFlat(_ cell: Cell, to line: inout [UInt8]) {
        var isFirst = true
        for piece in lines(of: cell) {
            if !isFirst { line.append(0x20) }
            isFirst = false
            line += text[Int(piece.start)..<Int(piece.end)].lazy.map { $0 == 0x09 ? 0x20 : $0 }
            guard piece.table >= 0 else { continue }
            let inner = inner[Int(piece.table)]
            for (position, cell) in inner.cells.enumerated() {
                if position > 0 { line.append(0x20) }
                inner.appendFlat(cell, to: &line)
            }
        }
    }
}
