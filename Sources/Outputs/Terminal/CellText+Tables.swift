// Tables that are wider than the screen: each row becomes a record, with the column headers before its cells.
//
// In: styled text with tables, and a width in cells. Out: the text with records in their place.

import FancyTextBasics
import FancyTextBoxes
import FancyTextMarkup
import FancyTextStyling

extension CellText {
    /// Converts tables to records: with a header row if the longest words of their columns do not fit beside each other, those with
    /// frames around cells if not even a few letters do.
    ///
    /// - Complexity: linear in the text of tables.
    mutating func writeWideTables() {
        for table in text.tables where text.boxes[table.box].kind == .table {
            let room = roomFor(table.box)
            if let heads = heads(of: table) {
                if neededWidth(of: table) > room { makeRecords(table, heads) }
            } else if hasFrames(table), neededWidth(of: table, atMost: Self.leastColumn) > room {
                makeRecords(table, [])
            }
        }
    }

    /// The number of columns that the widest table needs to keep its words whole, including its surroundings; 0 without tables.
    var widestTable: Int {
        text.tables.map { neededWidth(of: $0) + options.width - roomFor($0.box) }.max() ?? 0
    }

    /// Limits text outside of tables to the screen's width if the layout is wider because of a table.
    mutating func keepTextToScreen() {
        var insideUntil = 0
        for index in text.boxes.indices.dropFirst() {
            let box = text.boxes[index]
            if box.kind == .table { insideUntil = max(insideUntil, box.end) }
            guard index >= insideUntil, box.kind == .block, !box.isAnonymous, box.holdsInlines || box.end == index + 1
            else { continue }
            let room = roomFor(index)
            text.boxes[index].style = variant(of: box.style, .limited, to: room) {
                $0.maxWidth = .length(LengthPercentage(px: Float(room)))
            }
        }
    }

    /// The header cells of a first row of `th`s, if each is above one column of cells.
    private func heads(of table: TableGrid) -> [Int]? {
        guard let tree, table.rows.count > 1, table.columns.count > 1 else { return nil }
        let first = table.cells[table.rows[0].cells]
        guard first.count == table.columns.count,
            first.allSatisfy({ cell in
                let element = text.boxes[cell.box].element
                return Int(element.index) < tree.count && tree.kind(element) == .element && tree.tag(element) == .th
            }),
            table.cells.allSatisfy({ $0.columnSpan == 1 && $0.rowSpan == 1 && text.boxes[$0.box].holdsInlines })
        else { return nil }
        return first.map(\.box)
    }

    /// The number of columns that a box has within the paddings around it.
    func roomFor(_ box: Int) -> Int {
        var room = Float(options.width)
        var at = text.boxes[box].parent
        while at >= 0 {
            if !text.boxes[at].isAnonymous {
                let style = text.styles[text.boxes[at].style].box
                room -= style.padding.left.px + style.padding.right.px
                room -= (style.margin.left?.px ?? 0) + (style.margin.right?.px ?? 0)
            }
            at = text.boxes[at].parent
        }
        return max(1, Int(bounded: room))
    }

    /// Returns whether cells have borders, of which each cell would have its own in a record.
    private func hasFrames(_ table: TableGrid) -> Bool {
        table.cells.contains { cell in
            let border = text.styles[text.boxes[cell.box].style].box.border
            return !text.boxes[cell.box].isAnonymous
                && [border.top, border.right, border.bottom, border.left].contains { $0.width > 0 }
        }
    }

    /// The width that the longest word of a column has at least.
    private static let leastColumn = 6

    /// The number of cells for the longest words of the columns, with a frame and a space on both sides.
    ///
    /// - Parameter most: the number of letters of a word that count.
    private func neededWidth(of table: TableGrid, atMost most: Int = .max) -> Int {
        var widths = [Int](repeating: 0, count: table.columns.count)
        for cell in table.cells where cell.columnSpan == 1 && cell.column < widths.count {
            widths[cell.column] = max(widths[cell.column], longestWord(in: cell.box))
        }
        return widths.reduce(1) { $0 + min($1, most) + 3 }
    }

    private func longestWord(in box: Int) -> Int {
        var longest = 0
        var current = 0
        for index in box..<max(box + 1, text.boxes[box].end) where text.boxes[index].holdsInlines {
            for item in text.items[text.boxes[index].items] {
                guard case .text(let run) = item else { continue }
                let words = text.text[text.runs[run].range].split(omittingEmptySubsequences: false) { $0 <= 0x20 }
                for (place, word) in words.enumerated() {
                    if place > 0 { current = 0 }
                    current += DisplayWidth.cells(word)
                    longest = max(longest, current)
                }
            }
            current = 0
        }
        return longest
    }

    private mutating func makeRecords(_ table: TableGrid, _ heads: [Int]) {
        let labels = heads.map { box in
            text.items[text.boxes[box].items].compactMap { item -> Int? in
                if case .text(let run) = item { run } else { nil }
            }
        }
        for box in [table.box] + table.captions + table.rows.flatMap({ [$0.group, $0.box] }) + table.cells.map(\.box) {
            text.boxes[box].kind = .block
        }
        for head in heads { text.boxes[head].items = 0..<0 }
        let first = heads.isEmpty ? 0 : 1
        for (number, row) in table.rows.enumerated() {
            text.boxes[row.box].style = variant(of: text.boxes[row.box].style, number > first ? .laterRecord : .record)
            {
                Self.makePlain(&$0)
                if number > first { $0.margin.top = LengthPercentage(px: 1) }
            }
            for cell in table.cells[row.cells] {
                text.boxes[cell.box].style = variant(of: text.boxes[cell.box].style, .record, Self.makePlain)
                guard number >= first, !heads.isEmpty, !text.boxes[cell.box].items.isEmpty else { continue }
                let element = text.boxes[cell.box].element
                var items: [InlineItem] = []
                for run in labels[cell.column] {
                    let label = text.runs[run]
                    items.append(
                        .text(run: makeRun(Array(text.text[label.range]), style: label.style, element: label.element)))
                }
                if !items.isEmpty {
                    items.append(.text(run: makeRun(": ".utf8, style: text.boxes[cell.box].style, element: element)))
                }
                setItems(items + Array(text.items[text.boxes[cell.box].items]), of: cell.box)
            }
        }
        text.boxes[table.box].style = variant(of: text.boxes[table.box].style, .record, Self.makePlain)
    }

    private static func makePlain(_ box: inout BoxStyle) {
        box.border = Sides(BorderSide())
        box.padding = Sides(.zero)
        (box.width, box.minWidth, box.maxWidth) = (.auto, .auto, .auto)
        box.display = .block
    }
}
