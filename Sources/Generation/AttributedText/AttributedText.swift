// A document as attributed text: a sequence of paragraphs, including the markers of lists and the structure of tables. In: a
// BoxTree and its styled tree. Out: one text with runs and paragraphs, and a map from the bytes of the styled text. JSON and the
// public StyledText both read it, so they agree. Boxes are visited in document order. Each box with inline content is a paragraph,
// whose separator is written when the next one begins. A cell is written separately and then inserted into its row.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup
import FancyTextStyling

/// A text in which a list item reads `1.⇥One` and the cells of a row are on one line.
package struct AttributedText: Sendable {
    /// A range with one style, from one text node, marker or separator; it belongs to one paragraph.
    package struct Run: Sendable {
        /// The bytes in `text`.
        package var range: Range<Int>
        package var style: StyleID
        package var element: NodeID
        /// The bytes in the source; empty for generated text.
        package var source: Range<Int>
        /// Index into ``BoxTree/links``; −1 for none.
        package var link: Int
        /// Index into `paragraphs`.
        package var paragraph: Int
        package var kind: Kind
    }

    package enum Kind: UInt8, Sendable {
        case text
        case marker
        /// The end of a paragraph: a line feed, or tabs or spaces before the next cell.
        case separator
    }

    package struct Paragraph: Sendable {
        /// The bytes in `text`, including the separator at the end.
        package var range: Range<Int>
        /// The length of the separator in bytes; 0 at the end of the text.
        package var separatorLength = 0
        /// The style of the block; `element` is its element, the root for text outside of all elements.
        package var style: StyleID
        package var element: NodeID
        /// Index into `attributes`.
        package var attributes: Int
        package var marker: ParagraphMarker?
        /// The number of list items that contain the paragraph.
        package var listLevel: Int
        package var cell: ParagraphCell?
    }

    package internal(set) var text: [UInt8] = []
    /// Both are ascending, without gaps, covering the text.
    package internal(set) var runs: [Run] = []
    package internal(set) var paragraphs: [Paragraph] = []
    /// Different attributes, each once.
    package internal(set) var attributes: [MarkupStyle.Paragraph] = []
    /// Ranges copied from the styled text, ascending in both texts.
    var origins: [(source: Int, target: Int, count: Int)] = []

    /// O(text + boxes).
    package init(_ source: BoxTree, _ styled: StyledTree, tables: TableForm = .tabs) {
        var builder = AttributedTextBuilder(source, styled, tables)
        if !source.boxes.isEmpty { builder.walk(0) }
        self = builder.result
        attributes = builder.attributes
    }

    init() {}

    /// The offset in this text of a byte of the styled text; omitted text maps to the end of the text before it. O(log runs).
    package func offset(of source: Int) -> Int {
        let next = origins.partitioningIndex { $0.source > source }
        guard next > 0 else { return 0 }
        let origin = origins[next - 1]
        return origin.target + min(source - origin.source, origin.count)
    }

    fileprivate var lastLineWidth: Int { DisplayWidth.cells(text[(text.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0)...]) }

    /// Truncates text that is wider than `width`, with three dots.
    fileprivate mutating func cut(to width: Int) {
        guard DisplayWidth.cells(text) > width else { return }
        var (end, columns) = (0, 0)
        text.withUnsafeBufferPointer { bytes in
            while end < bytes.count {
                let next = GraphemeBreaker.next(bytes, end, end: bytes.count)
                columns += DisplayWidth.cells(bytes, end..<next)
                if columns > width { break }
                end = next
            }
        }
        let last = runs.lastIndex { $0.range.lowerBound < end } ?? 0
        guard runs.indices.contains(last) else { return }
        let paragraph = runs[last].paragraph
        runs.removeSubrange((last + 1)...)
        paragraphs.removeSubrange((paragraph + 1)...)
        text.removeSubrange(end...)
        text += "...".utf8
        runs[last].range = runs[last].range.lowerBound..<text.count
        if runs[last].kind == .separator { runs[last].kind = .text }
        paragraphs[paragraph].range = paragraphs[paragraph].range.lowerBound..<text.count
        paragraphs[paragraph].separatorLength = 0
        origins.removeAll { $0.target >= end }
        if let last = origins.indices.last {
            origins[last].count = min(origins[last].count, end - origins[last].target)
        }
    }
}

/// The list marker that a paragraph begins with.
public struct ParagraphMarker: Hashable, Sendable {
    /// The marker's length in bytes at the paragraph's beginning, with the tab after it.
    public var length: Int
    /// As a list shows it, with the space that follows: `3. `.
    public var label: String
    /// The item's number; nil for bullets and words.
    public var number: Int?
    /// Whether the marker is inside the first line; then a space of its own takes the place of the tab.
    public var isInside: Bool

    package init(length: Int, label: String, number: Int? = nil, isInside: Bool) {
        (self.length, self.label, self.number, self.isInside) = (length, label, number, isInside)
    }
}

/// The table cell that contains a paragraph.
public struct ParagraphCell: Hashable, Sendable {
    /// Tells the tables of a text apart.
    public var table: Int
    /// From the top, from 0.
    public var row: Int
    /// From the beginning of the row, from 0.
    public var column: Int
    /// At least 1.
    public var rowSpan: Int
    /// At least 1.
    public var columnSpan: Int
    /// Whether the cell is a `th`.
    public var isHeader: Bool
}

/// The form of a table row's cells in text.
public enum TableForm: Hashable, Sendable {
    /// Separated by tabs: one for each column up to the next cell.
    case tabs
    /// Padded with spaces to the width of their column, and `spacing` more before the next.
    ///
    /// `fixedMaxLength` is the width of all columns: longer cells are truncated with three dots. Without it nothing is truncated,
    /// and a column is as wide as its widest cell. Widths count terminal cells: 2 for East Asian characters.
    case padded(spacing: Int = 3, fixedMaxLength: Int? = nil)
}

struct AttributedTextBuilder {
    private let source: BoxTree
    private let styled: StyledTree
    private let tables: TableForm
    private(set) var result = AttributedText()
    /// List items whose markers are written with the next text, outermost first.
    private var waiting: [Int] = []
    private var cell: ParagraphCell?
    private var tableCount = 0
    private var known: [AttributesKey: Int] = [:]
    private(set) var attributes: [MarkupStyle.Paragraph] = []

    private typealias Piece = (cell: TableGrid.Cell, text: AttributedText)

    private struct AttributesKey: Hashable {
        var style: StyleID
        var left, right, before, after: Float
        var isContinued: Bool
        var listStyle: String?
    }

    init(_ source: BoxTree, _ styled: StyledTree, _ tables: TableForm) {
        (self.source, self.styled, self.tables) = (source, styled, tables)
        result.text.reserveCapacity(source.text.count)
        result.runs.reserveCapacity(source.runs.count)
    }

    // MARK: Boxes

    mutating func walk(_ index: Int) {
        let box = source.boxes[index]
        if box.marker >= 0 { waiting.append(index) }
        if box.kind == .table {
            walkTable(index)
        } else if box.holdsInlines {
            walkInlines(index)
        } else {
            for child in source.children(of: index) { walk(child) }
        }
        // An item without text.
        if waiting.last == index { beginParagraph(of: index, isContinued: false) }
    }

    private mutating func walkInlines(_ index: Int) {
        let items = source.boxes[index].items
        var (isOpen, isContinued) = (false, false)
        for item in items {
            switch source.items[item] {
            case .text(let run):
                if source.runs[run].range.isEmpty { break }
                var kind = AttributedText.Kind.text
                if !isOpen {
                    let inside = isContinued ? nil : insideMarker(of: index, first: run)
                    beginParagraph(of: index, isContinued: isContinued, inside: inside)
                    isOpen = true
                    if inside != nil { kind = .marker }
                }
                append(run, kind: kind)
            case .atomic(let box, let offset):
                if !isOpen { beginParagraph(of: index, isContinued: isContinued) }
                isOpen = true
                if let run = source.run(at: offset) { append(run, kind: .text) }
                walkInside(box, &isOpen, &isContinued)
            case .float(let box): walkInside(box, &isOpen, &isContinued)
            case .open, .close, .breakOpportunity: break
            }
        }
    }

    /// Writes a box inside inline content; the paragraph around it continues after it.
    private mutating func walkInside(_ box: Int, _ isOpen: inout Bool, _ isContinued: inout Bool) {
        let count = result.paragraphs.count
        // A pending marker is not written to text inside the box.
        let outer = waiting
        waiting = []
        walk(box)
        waiting = outer
        guard result.paragraphs.count > count else { return }
        if isOpen { isContinued = true }
        isOpen = false
    }

    // MARK: Tables

    private mutating func walkTable(_ index: Int) {
        let grid = source.tableGrid(index)
        let table = tableCount
        tableCount += 1
        let rows = grid.rows.indices.map { (box: grid.rows[$0].box, row: Int?($0)) }
        let parts = (rows + grid.captions.map { (box: $0, row: nil) }).sorted { $0.box < $1.box }
        // Rows that show nothing are ignored.
        let shown = grid.rows.indices.filter { row in grid.rows[row].cells.contains { shows(grid.cells[$0].box) } }
        let numbers = Dictionary(uniqueKeysWithValues: zip(shown, 0...))
        var written: [[Piece]] = []
        for part in parts {
            guard let row = part.row else {
                append(rows: written)
                written = []
                walk(part.box)
                continue
            }
            guard let number = numbers[row] else { continue }
            let cells = grid.rows[row].cells.map { index in
                var cell = grid.cells[index]
                cell.rowSpan = (row..<row + cell.rowSpan).count { numbers[$0] != nil }
                cell.row = number
                return cell
            }
            written.append(cells.map { ($0, piece($0, table: table)) })
        }
        append(rows: written)
    }

    private func shows(_ index: Int) -> Bool {
        source.boxes[index..<source.boxes[index].end].contains { $0.marker >= 0 || !$0.text.isEmpty }
    }

    private mutating func piece(_ place: TableGrid.Cell, table: Int) -> AttributedText {
        let (outer, outerCell) = (result, cell)
        result = AttributedText()
        let element = source.boxes[place.box].element
        cell = ParagraphCell(
            table: table, row: place.row, column: place.column, rowSpan: place.rowSpan, columnSpan: place.columnSpan,
            isHeader: styled.tree.tag(element) == .th)
        walk(place.box)
        if result.paragraphs.isEmpty { beginParagraph(of: place.box, isContinued: false) }
        let piece = result
        (result, cell) = (outer, outerCell)
        return piece
    }

    private mutating func append(rows: [[Piece]]) {
        var rows = rows
        var widths: [Int: Int] = [:]
        var spacing = 0
        if case .padded(let space, let length) = tables {
            spacing = max(0, space)
            for row in rows.indices {
                for (place, piece) in rows[row].enumerated() {
                    let column = piece.cell.column
                    if let length {
                        rows[row][place].text.cut(to: max(0, length))
                        widths[column] = max(0, length)
                    } else if piece.cell.columnSpan == 1 {
                        widths[column] = max(widths[column] ?? 0, piece.text.lastLineWidth)
                    }
                }
            }
        }
        for pieces in rows {
            var (column, width) = (0, 0)
            for (cell, text) in pieces {
                let between: [UInt8]
                switch tables {
                case .tabs: between = Array(repeating: 0x09, count: cell.column - column)
                case .padded:
                    // The distance from the end of the previous cell to the start of this one.
                    let start = (column..<cell.column).reduce(0) { $0 + (widths[$1] ?? 0) + spacing }
                    between = Array(repeating: 0x20, count: max(cell.column > 0 ? min(1, spacing) : 0, start - width))
                }
                append(text, after: cell.column == pieces.first?.cell.column ? [0x0A] + between : between)
                (column, width) = (cell.column, text.lastLineWidth)
            }
        }
    }

    private mutating func append(_ piece: AttributedText, after separator: [UInt8]) {
        endParagraph(separator)
        let offset = result.text.count
        let first = result.paragraphs.count
        result.text += piece.text
        for var run in piece.runs {
            run.range = run.range.shifted(by: offset)
            run.paragraph += first
            result.runs.append(run)
        }
        for var paragraph in piece.paragraphs {
            paragraph.range = paragraph.range.shifted(by: offset)
            result.paragraphs.append(paragraph)
        }
        for origin in piece.origins { result.origins.append((origin.source, origin.target + offset, origin.count)) }
    }

    // MARK: Paragraphs

    private mutating func beginParagraph(of box: Int, isContinued: Bool, inside: ParagraphMarker? = nil) {
        endParagraph()
        let block = source.chain(from: box).first { !source.boxes[$0].isAnonymous } ?? 0
        let element = source.boxes[box].element
        let start = result.text.count
        var listStyle = inside == nil ? nil : styled.computed(element).text.listStyleType.name
        if let item = waiting.last { listStyle = style(of: item).text.listStyleType.name }
        result.paragraphs.append(
            AttributedText.Paragraph(
                range: start..<start, style: source.boxes[block].style, element: element,
                attributes: attributes(of: box, block: block, isContinued: isContinued, listStyle: listStyle),
                marker: inside, listLevel: listLevel(of: box), cell: cell))
        for item in waiting { appendMarker(of: item) }
        waiting = []
    }

    /// A separator has the attributes of the paragraph that it ends.
    private mutating func endParagraph(_ separator: [UInt8] = [0x0A]) {
        guard let last = result.paragraphs.indices.last else { return }
        let paragraph = result.paragraphs[last]
        let before = result.runs.last.flatMap { $0.paragraph == last ? $0 : nil }
        append(
            separator, style: before?.style ?? paragraph.style, element: before?.element ?? paragraph.element,
            link: before?.link ?? -1, kind: .separator)
        result.paragraphs[last].separatorLength = separator.count
    }

    private mutating func appendMarker(of index: Int) {
        let box = source.boxes[index]
        let marker = source.markers[box.marker]
        let last = result.paragraphs.count - 1
        let words = Array(marker.text.utf8.reversed().drop { $0 == 0x20 }.reversed()) + [0x09]
        append(words, style: marker.style, element: box.element, link: box.link, kind: .marker)
        result.paragraphs[last].marker = ParagraphMarker(
            length: result.text.count - result.paragraphs[last].range.lowerBound, label: marker.text,
            number: marker.number, isInside: false)
    }

    /// The marker that an item's text begins with (`list-style-position: inside`).
    private func insideMarker(of box: Int, first run: Int) -> ParagraphMarker? {
        let run = source.runs[run]
        let style = styled.computed(run.element)
        guard run.isMarker, run.element == source.boxes[box].element, style.isListItem, style.text.listStyleInside,
            style.text.listStyleType.name != "none"
        else { return nil }
        let label = String(decoding: source.text[run.range], as: UTF8.self)
        return ParagraphMarker(length: run.range.count, label: label, number: nil, isInside: true)
    }

    private func style(of box: Int) -> ComputedStyle { source.styles[source.boxes[box].style] }

    private mutating func append(_ index: Int, kind: AttributedText.Kind) {
        let run = source.runs[index]
        let start = result.text.count
        // An identifier of one letter is drawn in italics, but reads as it is written, as in other outputs.
        let isLetter = source.styles[run.style].text.transform == .mathAuto
        let text = isLetter ? styled.tree.textContent(run.element).trimmed(\.isHTMLSpace) : source.text[run.range]
        append(text, style: run.style, element: run.element, source: run.source, link: run.link, kind: kind)
        if !isLetter, let last = result.origins.last, last.source + last.count == run.range.lowerBound,
            last.target + last.count == start
        {
            result.origins[result.origins.count - 1].count += run.range.count
        } else {
            result.origins.append((run.range.lowerBound, start, text.count))
        }
    }

    private mutating func append(
        _ bytes: some Sequence<UInt8>, style: StyleID, element: NodeID, source: Range<Int> = 0..<0, link: Int,
        kind: AttributedText.Kind
    ) {
        let (start, last) = (result.text.count, result.paragraphs.count - 1)
        result.text += bytes
        result.runs.append(
            AttributedText.Run(
                range: start..<result.text.count, style: style, element: element, source: source, link: link,
                paragraph: last, kind: kind))
        result.paragraphs[last].range = result.paragraphs[last].range.lowerBound..<result.text.count
    }

    // MARK: Attributes

    /// Indents are measured from the edge of the cell or the canvas, and spacing is the collapsed margins.
    private mutating func attributes(of box: Int, block: Int, isContinued: Bool, listStyle: String?) -> Int {
        var (left, right): (Float, Float) = (0, 0)
        for index in source.chain(from: box).prefix(while: { !isFrame($0) }) {
            let box = style(of: index).box
            left += (box.margin.left?.px ?? 0) + box.border.left.width + box.padding.left.px
            right += (box.margin.right?.px ?? 0) + box.border.right.width + box.padding.right.px
        }
        let key = AttributesKey(
            style: source.boxes[block].style, left: left, right: right,
            before: isContinued ? 0 : margin(of: box, isTop: true), after: margin(of: box, isTop: false),
            isContinued: isContinued || (box != block && source.boxes[box].parent + 1 != box), listStyle: listStyle)
        if let index = known[key] { return index }
        let style = source.styles[key.style]
        var result = MarkupStyle.Paragraph(style)
        result.setIndents(left: left, right: right, of: style, hasFirstLine: !key.isContinued)
        result.paragraphSpacingBefore = key.before == 0 ? nil : key.before
        result.paragraphSpacing = key.after == 0 ? nil : key.after
        result.listStyle = listStyle
        known[key] = attributes.count
        attributes.append(result)
        return attributes.count - 1
    }

    private func listLevel(of box: Int) -> Int {
        source.chain(from: box).prefix { !isFrame($0) }.count {
            !source.boxes[$0].isAnonymous && style(of: $0).isListItem
        }
    }

    /// Returns whether indents are measured from this box: the canvas, with the body's margin, or a cell, with its padding.
    private func isFrame(_ index: Int) -> Bool {
        let box = source.boxes[index]
        if box.parent < 0 || box.kind == .tableCell { return true }
        let tag = styled.tree.tag(box.element)
        return !box.isAnonymous && (tag == .html || tag == .body)
    }

    /// The margins at an end of a box and those of the boxes that it begins or ends, collapsed (CSS 2 §8.3.1).
    private func margin(of box: Int, isTop: Bool) -> Float {
        var (positive, negative): (Float, Float) = (0, 0)
        let side = isTop ? 0 : 2
        var index = box
        while !isFrame(index) {
            let margin = style(of: index).box.margin[clockwise: side]?.px ?? 0
            (positive, negative) = (max(positive, margin), min(negative, margin))
            let parent = source.boxes[index].parent
            let isAtEdge = isTop ? parent + 1 == index : source.boxes[parent].end == source.boxes[index].end
            guard isAtEdge, collapses(parent) else { break }
            let around = style(of: parent).box
            let hasEdge = around.border[clockwise: side].width != 0 || around.padding[clockwise: side] != .zero
            if hasEdge || !isTop && around.height != .auto { break }
            index = parent
        }
        return positive + negative
    }

    /// Returns whether margins inside a box can collapse with its own, because it has no formatting context of its own.
    private func collapses(_ index: Int) -> Bool {
        let box = source.boxes[index]
        let style = source.styles[box.style]
        return box.kind == .block && !box.holdsInlines && style.box.float == .none && style.box.overflowX == .visible
            && (style.box.display == .block || style.box.display == .listItem)
    }
}

extension BoxTree {
    /// The run that contains a byte of the text. O(log runs).
    fileprivate func run(at offset: Int) -> Int? {
        let index = runs.partitioningIndex { $0.range.upperBound > offset }
        return index < runs.count ? index : nil
    }
}
