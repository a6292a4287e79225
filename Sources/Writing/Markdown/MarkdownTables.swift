// Data tables as GitHub's tables, and layout tables as the blocks in their cells.

import FancyTextBoxes
import FancyTextMarkup
import FancyTextStyling

extension MarkdownWriter {
    mutating func tableBlocks(_ box: Int, depth: Int) -> [Block] {
        let grid = text.tableGrid(box)
        var result: [Block] = []
        for caption in grid.captions { result += blocks(of: caption, depth: depth) }
        if BoxContents.isData(grid, text, tree, contents) {
            result.append(Block(lines: tableLines(grid)))
        } else {
            for row in grid.rows { result += rowBlocks(grid.cells[row.cells].map(\.box), depth: depth) }
        }
        return result
    }

    /// A row of a layout table: adjacent words are one line, other cells have their own lines.
    private mutating func rowBlocks(_ cells: [Int], depth: Int) -> [Block] {
        guard cells.allSatisfy({ contents[$0].extent == .words }) else {
            return cells.flatMap { blocks(of: $0, depth: depth) }
        }
        return [paragraph(inlineText(cells, isSingleLine: false))]
    }

    /// Columns in logical order, regardless of `direction`; a slot that a spanning cell covers is empty.
    private mutating func tableLines(_ grid: TableGrid) -> [String] {
        var lines: [String] = []
        let columns = grid.columns.count
        guard !grid.rows.isEmpty else { return [] }
        // Header cells are centred by default, so the first data cell of a column gives its alignment.
        var alignments = [TextAlign?](repeating: nil, count: columns)
        for cell in grid.cells[grid.rows[0].cells.upperBound...] + grid.cells[grid.rows[0].cells]
        where alignments[cell.column] == nil {
            alignments[cell.column] = text.styles[text.boxes[cell.box].style].text.align
        }
        for (index, row) in grid.rows.enumerated() {
            var values: [String] = []
            for cell in grid.cells[row.cells] {
                values += repeatElement("", count: cell.column - values.count)
                values.append(inlineText([cell.box], isSingleLine: true, inTable: true))
            }
            // Only the header row needs all columns; readers fill the other rows.
            let filled = index == 0 ? columns : min(columns, Self.filledColumns)
            values += repeatElement("", count: max(0, filled - values.count))
            lines.append("| " + values.joined(separator: " | ") + " |")
            if index == 0 { lines.append("|" + alignments.map(Self.delimiter).joined(separator: "|") + "|") }
        }
        return lines
    }

    /// Rows are filled with empty cells up to this number of columns, or that of the header row.
    private static let filledColumns = 100

    private static func delimiter(_ align: TextAlign?) -> String {
        switch align {
        case .left: ":---"
        case .center: ":---:"
        case .right, .end: "---:"
        case .start, .justify, .matchParent, nil: "---"
        }
    }
}
