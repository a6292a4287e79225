// The row and column of each cell (HTML §4.9.12).

import Testing

@Suite struct TableGridTests {
    /// The grid of the first table, one line for each row: text and spans at each cell's first slot, `.` elsewhere.
    private func grid(_ html: String) throws -> [String] {
        let text = boxes(html)
        let table = try #require(text.boxes.firstIndex { $0.kind == .table })
        let grid = text.tableGrid(table)
        var slots = Array(repeating: Array(repeating: ".", count: grid.columns.count), count: grid.rows.count)
        for cell in grid.cells {
            #expect(grid.rows[cell.row].cells.contains { grid.cells[$0] == cell })
            var name = text.string(cell.box)
            if cell.rowSpan > 1 || cell.columnSpan > 1 { name += "\(cell.rowSpan)x\(cell.columnSpan)" }
            slots[cell.row][cell.column] = name
        }
        return slots.map { $0.joined(separator: " ") }
    }

    @Test func cellsBelowASpanStandInFreeColumns() throws {
        let table = "<table><tr><td rowspan=2>a<td>b<td rowspan=3>c<tr><td>d<tr><td>e<td>f</table>"
        #expect(try grid(table) == ["a2x1 b c3x1", ". d .", "e f ."])
    }

    @Test func aColumnSpanTakesItsColumns() throws {
        #expect(try grid("<table><tr><td colspan=2>a<td>b<tr><td>c<td>d<td>e</table>") == ["a1x2 . b", "c d e"])
    }

    @Test func rowSpansEndWithTheirGroup() throws {
        let head = "<thead><tr><th rowspan=2>h<th>i"
        let table = "<table>\(head)<tbody><tr><td rowspan=0>a<td>b<tr><td>c<tbody><tr><td>d</table>"
        #expect(try grid(table) == ["h i", "a2x1 b", ". c", "d ."])
    }

    @Test func headAndFootStandAtTheirEndsWhereverTheyAreWritten() throws {
        let table = "<table><tfoot><tr><td>f<tbody><tr><td>b<thead><tr><td>h<tfoot><tr><td>g</table>"
        #expect(try grid(table) == ["h", "b", "g", "f"])
    }

    @Test func overlappingCellsStandWhereTheyBegin() throws {
        // The second row's span reaches under the cell from above (HTML calls this a table model error).
        let table = "<table><tr><td>a<td rowspan=2>b<tr><td colspan=2>c<td>d</table>"
        #expect(try grid(table) == ["a b2x1 .", "c1x2 . d"])
    }

    @Test func missingPartsArePutIn() throws {
        let table = "<div style='display:table'><p>a</p><i>b</i><b style='display:table-cell'>c</b></div>"
        #expect(try grid(table) == ["a\nb c"])
    }

    @Test func columnsHaveTheirBoxes() throws {
        let text = boxes("<table dir=rtl><col span=2><colgroup span=2><colgroup><col><tr><td>a</table>")
        let grid = try #require(text.tables.first)
        #expect(grid.columns.count == 5 && grid.isRightToLeft)
        #expect(grid.columns[0] == grid.columns[1] && grid.columns[0].box != grid.columns[0].group)
        #expect(grid.columns[2].box == grid.columns[2].group && grid.columns[2] == grid.columns[3])
        #expect(text.boxes[grid.columns[4].box].parent == grid.columns[4].group)
    }

    @Test func nestedTablesHaveGridsOfTheirOwn() throws {
        let text = boxes("<table><tr><td>a<table><tr><td>b<td>c</table><td>d<caption>e</table>")
        #expect(text.tables.map(\.columns.count) == [2, 2])
        #expect(text.tables.map { $0.cells.map { text.string($0.box) } } == [["b", "c"], ["a\nb\nc", "d"]])
        #expect(text.tables[1].captions.map(text.string) == ["e"])
        for box in text.boxes.indices where text.boxes[box].kind == .table {
            #expect(text.tableGrid(box).box == box)
        }
    }

    @Test func wideAndTallTablesAreFormedInLinearTime() throws {
        // Each row's only cell is to the right of 5,000 cells that span down to it.
        let head = "<tr>" + String(repeating: "<td rowspan=0>", count: 5_000)
        let text = boxes("<table>" + head + String(repeating: "<tr><td colspan=1000>", count: 20_000) + "</table>")
        let grid = try #require(text.tables.first)
        #expect(grid.cells.last?.column == 5_000 && grid.columns.count == 6_000)
    }

    @Test func spansAloneMakeNoEndOfColumns() throws {
        let text = boxes("<table><tr>" + String(repeating: "<td colspan=1000>", count: 5_000) + "</table>")
        #expect(try #require(text.tables.first).columns.count == 10_000 + 4_990)
    }
}
