// Writes styled text as Markdown: CommonMark with GitHub's tables and strikethrough, escaped so that a parser reads back the same
// text with the same structure. Blocks follow the box tree, named by their elements. A block becomes lines, and containers add
// their prefix to the lines of their contents. Floats, positioned boxes and inline-level boxes with more than words are blocks too,
// and split the paragraph that contains them.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup

package struct MarkdownWriter {
    let text: BoxTree
    let tree: MarkupTree?
    let limits: Limits
    /// The contents of each box, by kind.
    let contents: [BoxContents]
    let roles: TextRoles
    var log = DiagnosticLog()
    /// True while a table cell is written, which is one line.
    var isInCell = false
    /// The run of the latest marker that was written as a bullet or number, not as text.
    var writtenMarker = -1

    package init(_ text: BoxTree, tree: MarkupTree?, limits: Limits = Limits()) {
        (self.text, self.tree, self.limits) = (text, tree, limits)
        contents = BoxContents.all(of: text, tree)
        roles = TextRoles(tree)
    }

    /// Returns all of the Markdown, ending with a line feed. Linear in the text times the nesting.
    package mutating func write(log: inout DiagnosticLog) -> [UInt8] {
        guard !text.boxes.isEmpty else { return [] }
        let lines = lines(of: blocks(of: 0, depth: 0))
        log.merge(self.log)
        guard !lines.isEmpty else { return [] }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    // MARK: Blocks

    /// Lines that form one Markdown block, without the prefixes of the enclosing blocks.
    struct Block {
        enum Kind: Equatable {
            /// An item, with its number in an ordered list.
            case item(isLoose: Bool, number: Int?)
            case list(isOrdered: Bool), other
        }

        /// The kinds of its first and last lines, which decide what may precede or follow it.
        var first = Kind.other
        var last = Kind.other
        var lines: [String]
    }

    func tag(_ box: Int) -> TagID { BoxContents.tag(of: box, in: text, tree) }

    /// Returns whether a box nested in `depth` boxes is too deep to be written, and reports it.
    mutating func isTooDeep(_ box: Int, _ depth: Int) -> Bool {
        guard depth >= limits.layoutDepth else { return false }
        let message = "boxes nested deeper than \(limits.layoutDepth) are not written"
        log.warn(.boxesTooDeep, message, at: tree?.location(text.boxes[box].element))
        return true
    }

    private mutating func block(_ box: Int, depth: Int) -> Block {
        let marker = text.boxes[box].marker
        // The definition of terms is an item below them: Markdown has no definitions.
        guard marker >= 0 || tag(box) == .li || tag(box) == .dd && tag(text.boxes[box].parent + 1) == .dt
        else { return joined(ownBlocks(box, depth: depth)) }
        var number = marker >= 0 ? number(of: text.markers[marker]) : nil
        if marker < 0, let inside = insideMarker(of: box) {
            number = inside.number
            writtenMarker = inside.run
        }
        var inner = ownBlocks(box, depth: depth)
        // An item without a marker and contents is not visible.
        if marker < 0, inner.allSatisfy(\.lines.isEmpty) { return Block(lines: []) }
        let isLoose = text.children(of: box).contains { tag($0) == .p }
        if let other = number, !Self.ordinals.contains(other) {
            inner.insert(paragraph("\(other)."), at: 0)
            number = nil
        }
        return itemBlock(inner, number: number, isLoose: isLoose)
    }

    /// The Markdown of a box, without its list marker.
    private mutating func ownBlocks(_ box: Int, depth: Int) -> [Block] {
        let tag = tag(box)
        let level = tag.headingLevel
        if level > 0 { return [Block(lines: headingLines(inlineText([box], isSingleLine: true), level: level))] }
        switch text.boxes[box].kind {
        case .table where ![.pre, .listing, .xmp, .blockquote].contains(tag): return tableBlocks(box, depth: depth + 1)
        case .image, .lambda: return [paragraph(Self.escapedLineStart(imageText(text.boxes[box])))]
        case .block, .flex, .grid, .table, .tableRowGroup, .tableRow, .tableCell, .tableCaption, .tableColumn,
            .tableColumnGroup, .ruby, .math:
            break
        }
        switch tag {
        case .hr: return [Block(lines: ["***"])]
        case .pre, .listing, .xmp: return [Block(lines: codeLines(box))]
        case .blockquote:
            let lines = lines(of: blocks(of: box, depth: depth + 1))
            return [Block(lines: lines.map { $0.isEmpty ? ">" : "> " + $0 })]
        default: return blocks(of: box, depth: depth + 1)
        }
    }

    private func headingLines(_ content: String, level: Int) -> [String] {
        // Trailing number signs would be read as the heading's closing sequence.
        let text = content.hasSuffix("#") ? String(content.dropLast()) + "\\#" : content
        return content.isEmpty ? [] : [String(repeating: "#", count: level) + " " + text]
    }

    mutating func blocks(of box: Int, depth: Int) -> [Block] {
        guard !isTooDeep(box, depth) else { return [] }
        let item = text.boxes[box]
        if item.holdsInlines {
            let items = item.items.clamped(to: 0..<text.items.count)
            return blocks(of: box, items: items, around: item.element, depth: depth)
        }
        return text.children(of: box).map { block($0, depth: depth) }
    }

    /// The paragraphs of inline contents, and the blocks between them.
    private mutating func blocks(of box: Int, items: Range<Int>, around: NodeID, depth: Int) -> [Block] {
        guard contents[box].splitsParagraph else { return [paragraph(inlineText([box], isSingleLine: false))] }
        var blocks: [Block] = []
        var (start, at) = (items.lowerBound, items.lowerBound)
        while at < items.upperBound {
            var end = at + 1
            if let block = blockInLine(box, around, at: &end, limit: items.upperBound, depth: depth) {
                blocks.append(paragraph(inlineText(box, items: start..<at)))
                blocks.append(block)
                start = end
            }
            at = end
        }
        blocks.append(paragraph(inlineText(box, items: start..<items.upperBound)))
        return blocks
    }

    /// The block that begins with the item before `end`, if there is one; `end` is moved to its end.
    private mutating func blockInLine(
        _ box: Int, _ around: NodeID, at end: inout Int, limit: Int, depth: Int
    ) -> Block? {
        switch text.items[end - 1] {
        case .atomic(let child, _): return contents[child].extent != .words ? block(child, depth: depth) : nil
        case .float(let child):
            return BoxContents.takesLines(child, text, tree, contents) ? block(child, depth: depth) : nil
        case .open(let style, let element):
            guard let tag = BoxContents.inlineBlock(element, around: around, in: tree) else { return nil }
            let inner = end..<text.endOfInline(end - 1, limit)
            end = min(inner.upperBound + 1, limit)
            let level = tag.headingLevel
            guard level > 0 else { return itemBlock(blocks(of: box, items: inner, around: element, depth: depth)) }
            let content = inlineText(box, items: inner, style: style, isSingleLine: true)
            return Block(lines: headingLines(content, level: level))
        case .text, .close, .breakOpportunity: return nil
        }
    }

    func paragraph(_ content: String) -> Block { Block(lines: content.isEmpty ? [] : Self.lines(of: content)) }

    /// Joins blocks into one, which gets the kinds of the first and the last.
    private func joined(_ blocks: [Block]) -> Block {
        let shown = blocks.filter { !$0.lines.isEmpty }
        var result = Block(lines: lines(of: shown))
        guard let first = shown.first, let last = shown.last else { return result }
        (result.first, result.last) = (first.first, last.last)
        // The kind of a list comes from its items.
        if case .item = first.first { result.first = .list(isOrdered: first.lines[0].first?.isNumber == true) }
        if case .item = last.last { result.last = .list(isOrdered: last.lines[0].first?.isNumber == true) }
        return result
    }

    /// The lines of blocks with an empty line between them; list items are joined without one if none contains paragraphs.
    func lines(of blocks: [Block], isTightItem: Bool = false) -> [String] {
        let isLoose = blocks.contains { if case .item(true, _) = $0.first { true } else { false } }
        var lines: [String] = []
        var previous = Block.Kind.other
        var delimiter = "."
        for block in blocks where !block.lines.isEmpty {
            if !lines.isEmpty {
                switch (previous, block.first) {
                case (.item(_, let last), .item(_, let number)):
                    if isLoose { lines.append("") }
                    // Readers count from the first number; another delimiter begins another list (CommonMark §5.3).
                    if let last, let number, number != last + 1 { delimiter = delimiter == "." ? ")" : "." }
                // Two lists in a row would be read as one; a comment keeps them apart.
                case (.list, .list) where previous == block.first: lines += ["", "<!-- -->", ""]
                // Only such a list can interrupt a paragraph (CommonMark §5.3).
                case (_, .list)
                where isTightItem && (block.lines[0].hasPrefix("- ") || block.lines[0].hasPrefix("1. ")): break
                default: lines.append("")
                }
            }
            lines += block.lines
            if delimiter == ")", case .item(_, let number?) = block.first {
                let written = lines[lines.count - block.lines.count].dropFirst("\(number).".count)
                lines[lines.count - block.lines.count] = "\(number))\(written)"
            }
            previous = block.last
        }
        return lines
    }

    // MARK: Lists

    private func itemBlock(_ blocks: [Block], number: Int? = nil, isLoose: Bool = false) -> Block {
        let bullet = number.map { "\($0). " } ?? "- "
        let lines = lines(of: blocks, isTightItem: !isLoose)
        let indent = String(repeating: " ", count: bullet.utf8.count)
        let first = lines.first.map { bullet + $0 } ?? String(bullet.dropLast())
        let kind = Block.Kind.item(isLoose: isLoose, number: number)
        let rest = lines.dropFirst().map { $0.isEmpty ? "" : indent + $0 }
        return Block(first: kind, last: kind, lines: [first] + rest)
    }

    /// The run of a marker that an item's text begins with (`list-style-position: inside`), and its number. Words stay text.
    private func insideMarker(of box: Int) -> (run: Int, number: Int?)? {
        guard text.styles[text.boxes[box].style].isListItem,
            let first = (box..<text.boxes[box].end).first(where: { text.boxes[$0].holdsInlines }),
            case .text(let run)? = text.items[text.boxes[first].items].dropFirst().first, text.runs[run].isMarker,
            text.runs[run].element == text.boxes[box].element
        else { return nil }
        let label = text.text[text.runs[run].range].filter { $0 != 0x20 }
        if String(decoding: label, as: UTF8.self).count == 1 { return (run, nil) }
        let digits = label.prefix(while: \.isASCIIDigit)
        guard digits.count == label.count - 1, let number = Int(String(decoding: digits, as: UTF8.self))
        else { return nil }
        return Self.ordinals.contains(number) ? (run, number) : nil
    }

    /// The number that a marker shows; nil for a symbol, as of a counter style of bullets.
    private func number(of marker: ListMarker) -> Int? {
        marker.text.contains { $0.isLetter || $0.isNumber } ? marker.number : nil
    }

    /// The numbers of items that CommonMark has: up to nine digits (CommonMark §5.2).
    private static let ordinals = 0...999_999_999

    // MARK: Code

    private func codeLines(_ box: Int) -> [String] {
        var range = text.boxes[box].text.clamped(to: 0..<text.text.count)
        // The runs of a box in a line are after those of the line.
        let boxes = text.boxes[box..<max(box + 1, text.boxes[box].end)]
        let runs = boxes.flatMap { text.items[$0.items].compactMap(\.run) }.map { text.runs[$0] }
            .sorted { $0.range.lowerBound < $1.range.lowerBound }
        // Line feeds before the first text separate blocks.
        if let start = runs.first?.range.lowerBound, range.contains(start) { range = start..<range.upperBound }
        var (bytes, done): ([UInt8], Int) = ([], range.lowerBound)
        for run in runs where range.contains(run.range) && run.range.lowerBound >= done {
            let label = String(decoding: text.text[run.range], as: UTF8.self)
            guard let script = ScriptForm.inCode(label, roles[run.element]) else { continue }
            bytes += text.text[done..<run.range.lowerBound] + script.utf8
            done = run.range.upperBound
        }
        bytes += text.text[done..<range.upperBound]
        var content = String(decoding: Self.cleaned(bytes), as: UTF8.self)
        // Placeholders of pictures and controls are removed from code.
        if content.utf8.contains(0xEF) { content.unicodeScalars.removeAll { $0 == "\u{FFFC}" } }
        if content.hasSuffix("\n") { content.removeLast() }
        let fence = String(repeating: "`", count: max(3, (Self.backticks(in: content).max() ?? 0) + 1))
        return [fence + language(of: box)] + Self.lines(of: content) + [fence]
    }

    /// The language of the `pre` or of the `code` in it.
    private func language(of box: Int) -> String {
        let element = text.boxes[box].element
        guard let tree else { return "" }
        let label =
            CodeLanguage.label(of: element, in: tree)
            ?? tree.firstChild(element).flatMap { CodeLanguage.label(of: $0, in: tree) }
        guard let label, !label.contains("`") else { return "" }
        return String(decoding: Self.cleaned(label.utf8), as: UTF8.self)
    }

    static func lines(of content: String) -> [String] {
        content.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    // MARK: Tables

    /// Data tables as GitHub's tables, and layout tables as the blocks in their cells.
    mutating func tableBlocks(_ box: Int, depth: Int) -> [Block] {
        let grid = text.tableGrid(box)
        var result: [Block] = []
        for caption in grid.captions { result += blocks(of: caption, depth: depth) }
        let isData = BoxContents.isData(grid, text, tree, contents)
        var (part, rest) = (grid, grid.rows[...])
        while !rest.isEmpty {
            // A cell of a whole row with blocks separates the tables above and below it.
            let end = isData ? nil : rest.firstIndex { isOneBlock($0, of: grid) }
            part.rows = Array(rest[..<max(rest.startIndex + 1, end ?? rest.endIndex)])
            rest = rest.dropFirst(part.rows.count)
            if !isData {
                let ends = part.rows.lazy.flatMap { grid.cells[$0.cells] }.map(\.columns.upperBound)
                part.columns = Array(grid.columns.prefix(ends.max() ?? 0))
            }
            if isData || BoxContents.isData(part, text, tree, contents) {
                result.append(Block(lines: tableLines(part)))
            } else {
                for row in part.rows { result += rowBlocks(grid.cells[row.cells].map(\.box), depth: depth) }
            }
        }
        return result
    }

    private func isOneBlock(_ row: TableGrid.Row, of grid: TableGrid) -> Bool {
        grid.cells[row.cells].contains { $0.columnSpan == grid.columns.count && contents[$0.box].extent == .blocks }
    }

    /// A row of a layout table: adjacent words are one line, other cells have their own lines.
    private mutating func rowBlocks(_ cells: [Int], depth: Int) -> [Block] {
        guard cells.allSatisfy({ contents[$0].extent == .words })
        else { return cells.flatMap { blocks(of: $0, depth: depth) } }
        let line = inlineText(cells, isSingleLine: false)
        // The lines of one cell end before the next one.
        if cells.count > 1, line.contains("\n") { return cells.flatMap { blocks(of: $0, depth: depth) } }
        return [paragraph(line)]
    }

    /// Columns in logical order, regardless of `direction`; a slot that a spanning cell covers is empty.
    private mutating func tableLines(_ grid: TableGrid) -> [String] {
        var lines: [String] = []
        let columns = grid.columns.count
        guard let first = grid.rows.first, let last = grid.rows.last else { return [] }
        // Header cells are centred by default, so the first data cell of a column gives its alignment.
        var alignments = [TextAlign?](repeating: nil, count: columns)
        let heads = headRows(grid)
        let body = grid.rows[max(0, heads - 1)].cells.upperBound
        for cell in grid.cells[body..<last.cells.upperBound] + grid.cells[first.cells.lowerBound..<body]
        where alignments[cell.column] == nil {
            alignments[cell.column] = text.styles[text.boxes[cell.box].style].text.align
        }
        for (index, row) in grid.rows.enumerated() where index == 0 || index >= heads {
            var values: [String] = []
            for cell in grid.cells[row.cells] where heads < 2 || index > 0 {
                values += repeatElement("", count: cell.column - values.count)
                values.append(inlineText([cell.box], isSingleLine: true, inTable: true))
            }
            if index == 0, heads > 1 { values = joinedHeads(grid, rows: heads) }
            if index > 0, !values.isEmpty, values.allSatisfy(\.isEmpty) { continue }
            // Only the header row needs all columns; readers fill the other rows.
            let filled = index == 0 ? columns : min(columns, Self.filledColumns)
            values += repeatElement("", count: max(0, filled - values.count))
            lines.append("| " + values.joined(separator: " | ") + " |")
            if index == 0 { lines.append("|" + alignments.map(Self.delimiter).joined(separator: "|") + "|") }
        }
        return lines
    }

    /// The number of rows of heads before the others; 0 for tables of heads alone, and for wide ones.
    private func headRows(_ grid: TableGrid) -> Int {
        let hasHead = grid.rows.first.map { tag($0.group) == .thead } ?? false
        let heads = grid.rows.prefix { row in
            hasHead
                ? tag(row.group) == .thead
                : !row.cells.isEmpty && grid.cells[row.cells].allSatisfy { tag($0.box) == .th }
        }
        return heads.count < grid.rows.count && grid.columns.count <= Self.filledColumns ? heads.count : 0
    }

    /// The heads of each column in several rows, joined: GitHub's tables have one row of heads.
    private mutating func joinedHeads(_ grid: TableGrid, rows: Int) -> [String] {
        var names = [[String]](repeating: [], count: grid.columns.count)
        for cell in grid.cells[..<grid.rows[rows - 1].cells.upperBound] {
            let name = inlineText([cell.box], isSingleLine: true, inTable: true)
            let columns = cell.columns
            for column in columns.clamped(to: names.indices) where !name.isEmpty { names[column].append(name) }
        }
        return names.map { $0.joined(separator: " ") }
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
