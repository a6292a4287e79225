// Tables in cells: of those that are wider than the screen, each row becomes a record, with the column headers before its
// cells; in others, the space at lines between rows is reduced. In: styled text with tables, and a width in cells. Out: the
// text with records in place of wide tables.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS

extension CellText {
    /// Converts tables to records: with a header row if the longest words of their columns do not fit beside each other, those with
    /// frames around cells if not even a few letters do. Linear in the text of tables.
    mutating func writeWideTables() {
        for table in text.tables where text.boxes[table.box].kind == .table {
            let around = space(beside: table.box)
            let room = Int(bounded: around.left + around.room + around.right)
            if let heads = heads(of: table) {
                if neededWidth(of: table) > room { makeRecords(table, heads.columns, first: heads.rows) }
            } else if hasFrames(table), neededWidth(of: table, atMost: Self.leastColumn) > room {
                makeRecords(table, [], first: 0)
            }
            if text.boxes[table.box].kind == .table, around.left + around.right > 0 {
                widen(table.box, to: [neededWidth(of: table, atMost: Self.mostOfLine, spacing: 3, isOfLines: true)])
            }
        }
    }

    /// The number of columns that the widest table needs to keep its words whole, including its surroundings; 0 without tables.
    var widestTable: Int {
        text.tables.map { neededWidth(of: $0, spacing: 3) + options.width - roomFor($0.box) }.max() ?? 0
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
            restyle(index, .limited, to: room) { $0.maxWidth = .length(LengthPercentage(px: Float(room))) }
        }
    }

    /// By column, its header cells from top to bottom, and the number of their rows; nil unless rows of `th`s come first, the last
    /// with a cell for each column.
    private func heads(of table: TableGrid) -> (rows: Int, columns: [[Int]])? {
        guard table.columns.count > 1 else { return nil }
        let rows = table.rows.prefix { row in table.cells[row.cells].allSatisfy { tag(of: text.boxes[$0.box]) == .th } }
            .count
        guard rows > 0, rows < table.rows.count else { return nil }
        var columns = [[Int]](repeating: [], count: table.columns.count)
        var ends = Set<Int>()
        for cell in table.cells where cell.row < rows && cell.columnSpan < columns.count {
            for column in cell.columns { columns[column].append(cell.box) }
            if cell.rows.upperBound >= rows, cell.columnSpan == 1 { ends.insert(cell.column) }
        }
        let cells = table.cells.lazy.filter { $0.row >= rows }
        guard ends.count == columns.count, cells.allSatisfy({ $0.columnSpan == 1 || $0.columnSpan == columns.count })
        else { return nil }
        return (rows, columns)
    }

    func roomFor(_ box: Int) -> Int { max(1, Int(bounded: space(beside: box).room)) }

    /// The columns that a box has within the boxes around it, and those beside them that can give way to its lines: up to the
    /// screen, a box beside others, a frame, or a marker on the same line.
    func space(beside box: Int) -> (left: Float, room: Float, right: Float) {
        let path = text.chain(from: text.boxes[box].parent).filter { !text.boxes[$0].isAnonymous }
        var (left, room, right) = (Float(0), Float(options.width), Float(0))
        /// True in a box whose width depends on its contents: there is nothing beside a box of a given width.
        var fitsContents = false
        for at in path.reversed() {
            let (style, base) = (text.styles[text.boxes[at].style].box, room)
            func used(_ margin: LengthPercentage?, _ border: BorderSide, _ padding: LengthPercentage) -> Float {
                [margin ?? .zero, padding].reduce(border.width.rounded(.down)) {
                    $0 + ($1.px + $1.fraction * base).rounded()
                }
            }
            let start = used(style.margin.left, style.border.left, style.padding.left)
            let end = used(style.margin.right, style.border.right, style.padding.right)
            // As in layout, these take at most half.
            let share = min(1, base / 2 / max(1, start + end))
            left += (start * share).rounded(.down)
            right += (end * share).rounded(.down)
            room -= (start * share).rounded(.down) + (end * share).rounded(.down)
            if text.boxes[at].marker >= 0, !(at..<box).contains(where: hasItems) { left = 0 }
            let isBeside = isBesideOthers(at)
            for case .length(let length) in [style.width, style.maxWidth] where !isBeside {
                let rest = max(0, (room - length.px - length.fraction * base).rounded(.down))
                let before = style.margin.left != nil ? 0 : style.margin.right != nil ? rest : (rest / 2).rounded(.down)
                room -= rest
                if !fitsContents { (left, right) = (left + before, right + rest - before) }
            }
            let isShared = isBeside || style.columns.count != nil || style.columns.width != nil
            if isShared || style.border.left.width + style.border.right.width > 0 { (left, right) = (0, 0) }
            fitsContents = fitsContents || isShared && at > 0
        }
        return isBesideOthers(box) ? (0, room, 0) : (left, room, right)
    }

    func isBesideOthers(_ index: Int) -> Bool {
        let box = text.boxes[index]
        guard box.kind == .block || box.kind == .table, !box.isPositioned, box.parent >= 0 else { return true }
        let parent = text.boxes[box.parent]
        return text.styles[box.style].box.float != .none || parent.holdsItems || parent.holdsInlines
    }

    /// Returns whether cells have borders, of which each cell would have its own in a record.
    private func hasFrames(_ table: TableGrid) -> Bool {
        table.cells.lazy.map { text.boxes[$0.box] }.contains { !$0.isAnonymous && text.styles[$0.style].box.hasLines }
    }

    /// The width that the longest word of a column has at least.
    private static let leastColumn = 12
    /// The length of lines for which margins beside a table give way; longer ones are prose.
    private static let mostOfLine = 40

    /// The number of cells for the columns' longest words or lines, of which `most` letters count, and the spaces or frames around.
    private func neededWidth(
        of table: TableGrid, atMost most: Int = .max, spacing: Int = 1, isOfLines: Bool = false
    ) -> Int {
        var widths = [Int](repeating: 0, count: table.columns.count)
        for cell in table.cells where cell.columnSpan == 1 && cell.column < widths.count {
            widths[cell.column] = max(widths[cell.column], lengths(in: cell.box, ofLines: isOfLines).max() ?? 0)
        }
        return widths.reduce(spacing > 1 || hasFrames(table) ? 1 : -1) { $0 + min($1, most) + spacing }
    }

    /// The lengths of the lines, or else of the words and of the parts of paths, which may be broken after `/`.
    func lengths(in box: Int, ofLines: Bool) -> [Int] {
        var lengths: [Int] = []
        for index in subtree(box) where text.boxes[index].holdsInlines {
            lengths.append(0)
            for item in text.items[text.boxes[index].items] {
                guard case .text(let run) = item else { continue }
                let words = text.text[text.runs[run].range].split(omittingEmptySubsequences: false) {
                    ofLines ? $0 == 0x0A : $0 <= 0x20 || $0 == 0x2F && !options.isWide
                }
                for (place, word) in words.enumerated() {
                    if place > 0 { lengths.append(0) }
                    lengths[lengths.count - 1] += DisplayWidth.cells(word) + 7 * word.count { $0 == 0x09 }
                }
            }
        }
        return lengths
    }

    /// - Parameter first: the number of the first row that is not a header.
    private mutating func makeRecords(_ table: TableGrid, _ heads: [[Int]], first: Int) {
        let labels = heads.map { label(of: $0) }
        for box in [table.box] + table.captions + table.rows.flatMap({ [$0.group, $0.box] }) + table.cells.map(\.box) {
            text.boxes[box].kind = .block
        }
        for head in heads.joined() {
            for box in subtree(head) { text.boxes[box].items = 0..<0 }
        }
        for (number, row) in table.rows.enumerated() {
            restyle(row.box, number > first ? .laterRecord : .record) {
                Self.makePlain(&$0)
                if number > first { $0.margin.top = LengthPercentage(px: 1) }
            }
            for cell in table.cells[row.cells] {
                restyle(cell.box, .cell, Self.makePlain, text: { $0.align = .start })
                guard number >= first, cell.columnSpan == 1, labels.indices.contains(cell.column),
                    let box = subtree(cell.box).first(where: { hasItems($0) }), text.boxes[box].marker < 0,
                    !labels[cell.column].isEmpty
                else { continue }
                let colon = makeRun(": ".utf8, style: text.boxes[cell.box].style, element: text.boxes[cell.box].element)
                setItems(labels[cell.column] + [.text(run: colon)] + Array(text.items[text.boxes[box].items]), of: box)
            }
        }
        for box in Set(table.rows.map(\.group)).sorted() + [table.box] where box >= 0 {
            restyle(box, .record, Self.makePlain)
        }
    }

    /// The text of header cells on one line, with which the cells below them begin.
    private mutating func label(of heads: [Int]) -> [InlineItem] {
        var items: [InlineItem] = []
        for head in heads {
            var space = items.isEmpty ? [] : [UInt8(0x20)]
            for case .text(let run) in subtree(head).flatMap({ text.items[text.boxes[$0].items] }) {
                let source = text.runs[run]
                let words = space + text.text[source.range].map { $0 == 0x0A ? 0x20 : $0 }
                items.append(.text(run: makeRun(words, style: source.style, element: source.element)))
                space = []
            }
        }
        return items
    }

    static func makePlain(_ box: inout BoxStyle) {
        (box.border, box.padding) = (Sides(BorderSide()), Sides(.zero))
        (box.width, box.minWidth, box.maxWidth) = (.auto, .auto, .auto)
        box.display = .block
    }

    /// Reduces the paddings of cells at lines between rows, which take half of a line of each, and removes the margins at their ends.
    mutating func closeRuledRows() {
        func isRuled(_ box: Int) -> Bool {
            guard box >= 0, !text.boxes[box].isAnonymous else { return false }
            let border = text.styles[text.boxes[box].style].box.border
            return border.top.width > 0 || border.bottom.width > 0
        }
        for table in text.tables {
            // What follows rows of words would be read as one more.
            let isOuter = !text.chain(from: table.box).contains { text.boxes[$0].kind == .tableCell }
            if isOuter, table.rows.count > 1, table.columns.count > 1, !hasFrames(table) {
                restyle(table.box, .apart) { style in
                    style.margin.bottom = style.margin.bottom.map { .init(px: max(1, $0.px), fraction: $0.fraction) }
                }
            }
            guard table.cells.contains(where: { isRuled($0.box) }) || table.rows.contains(where: { isRuled($0.box) })
            else { continue }
            for cell in table.cells {
                if isRuled(cell.box) || isRuled(table.rows[cell.row].box) { removeMargins(in: cell.box) }
                guard table.rows.count > 1, !text.boxes[cell.box].isAnonymous else { continue }
                let padding = originals[text.boxes[cell.box].style].box.padding
                let top = vertical(padding.top, isAtBorder: true)
                let bottom = vertical(padding.bottom, isAtBorder: true)
                restyle(cell.box, .ruled) { ($0.padding.top, $0.padding.bottom) = (top, bottom) }
            }
        }
    }

    private mutating func removeMargins(in cell: Int) {
        for isFirst in [true, false] {
            var box = cell
            while !text.boxes[box].holdsInlines, text.boxes[box].kind == .block || box == cell,
                let child = isFirst ? text.children(of: box).first : text.children(of: box).last
            {
                box = child
                guard text.boxes[box].kind == .block || text.boxes[box].kind == .table else { break }
                if text.boxes[box].isAnonymous { continue }
                restyle(box, isFirst ? .first : .last) { $0.margin[clockwise: isFirst ? 0 : 2] = .zero }
            }
        }
    }
}
