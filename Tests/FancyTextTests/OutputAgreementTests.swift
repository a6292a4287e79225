// All outputs of a document agree on the order of the text, the row and column of each table cell, and the numbers of lists. The
// documents are random; their expected contents are recorded in the simplest way while they are generated.

import FancyTextBasics
import FancyText
import Foundation
import FancyTextLayout
import FancyTextTestSupport
import Testing

/// A random document whose words, `w1x`, `w2x` …, occur once each, and its expected contents.
private struct SampleDocument {
    struct Cell {
        var word: String
        var row, column, rowSpan, columnSpan: Int
        var isHead: Bool
    }
    struct Table {
        var cells: [Cell] = []
        var isRightToLeft: Bool
        /// True if the table has neither header cells nor rows of several cells, so it only positions text.
        var isLayout = true
        /// The number of first rows that are heads, if other rows follow; Markdown joins them.
        var headRows = 0
    }
    struct Item {
        var word: String
        /// The marker, such as `iv.`; empty for a bullet.
        var marker: String
        var number: Int?
        var isInside: Bool
    }
    struct Flex {
        /// The words from left to right, or from top to bottom.
        var words: [String]
        var isRow: Bool
    }

    private(set) var html = "<style>"
    /// All words in source order.
    private(set) var words: [String] = []
    /// All words in the order in which they are shown: table groups may move.
    private(set) var shown: [String] = []
    /// The words of the blocks that follow each other vertically.
    private(set) var blocks: [[String]] = []
    private(set) var tables: [Table] = []
    private(set) var items: [Item] = []
    private(set) var flexes: [Flex] = []
    private var body = ""
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
        for _ in 0..<Int.random(in: 2...4, using: &random) {
            let first = shown.count
            addBlock(isRightToLeft: false, depth: 0)
            blocks.append(Array(shown[first...]))
        }
        html += "</style>" + body
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    private mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func word() -> String {
        words.append("w\(words.count)x")
        return words[words.count - 1]
    }

    private mutating func shownWord() -> String {
        shown.append(word())
        return shown[shown.count - 1]
    }

    private mutating func addBlock(isRightToLeft: Bool, depth: Int) {
        switch pick(0...(depth == 0 ? 6 : 5)) {
        case 0: body += "<p>\(shownWord()) \(shownWord())</p>"
        case 1: addGeneratedContent()
        case 2: addList(depth: 0)
        case 3: addTable(isRightToLeft: isRightToLeft)
        case 4: addFlex(isRightToLeft: isRightToLeft)
        case 5:
            let side = chance(50) ? "left" : "right"
            body += "<div style='overflow:hidden'><div style='float:\(side)'>\(shownWord())</div>"
            body += "<p>\(shownWord())</p></div>"
        default:
            body += "<div dir=rtl>"
            addBlock(isRightToLeft: true, depth: 1)
            addBlock(isRightToLeft: true, depth: 1)
            body += "</div>"
        }
    }

    private mutating func addGeneratedContent() {
        let before = shownWord()
        let text = shownWord()
        let after = shownWord()
        html += ".\(text)::before{content:'\(before) '}.\(text)::after{content:' \(after)'}"
        body += "<p class=\(text)>\(text)</p>"
    }

    // MARK: Lists

    private mutating func addList(depth: Int) {
        let count = pick(1...4)
        let isInside = chance(25)
        let style = isInside ? " style='list-style-position:inside'" : " style='list-style-position:outside'"
        guard chance(75) else {
            body += "<ul\(style)>"
            for _ in 0..<count {
                let word = shownWord()
                body += "<li>\(word)"
                items.append(Item(word: word, marker: "", number: nil, isInside: isInside))
                if depth < 2, chance(20) { addList(depth: depth + 1) }
                body += "</li>"
            }
            body += "</ul>"
            return
        }
        let isReversed = chance(30)
        let isLettered = chance(20)
        var number = isReversed ? count : 1
        body += "<ol\(style)\(isReversed ? " reversed" : "")\(isLettered ? " type=a" : "")"
        if chance(40) {
            number = isLettered ? pick(5...20) : pick(-2...120)
            body += " start=\(number)"
        }
        body += ">"
        for _ in 0..<count {
            let word = shownWord()
            body += "<li"
            if !isLettered, chance(25) {
                number = pick(0...40)
                body += " value=\(number)"
            }
            body += ">\(word)"
            let letter = String(UnicodeScalar(UInt8(96 + max(0, min(26, number)))))
            items.append(
                Item(word: word, marker: "\(isLettered ? letter : "\(number)").", number: number, isInside: isInside))
            if depth < 2, chance(20) { addList(depth: depth + 1) }
            body += "</li>"
            number += isReversed ? -1 : 1
        }
        body += "</ol>"
    }

    // MARK: Tables

    private mutating func addTable(isRightToLeft inherited: Bool) {
        let direction = chance(20) ? " dir=rtl" : chance(20) ? " dir=ltr" : ""
        var table = Table(isRightToLeft: direction.isEmpty ? inherited : direction == " dir=rtl")
        body += "<table\(direction)\(chance(40) ? " border=1" : "")>"
        if chance(20) { body += "<caption>\(shownWord())</caption>" }
        var groups: [(name: String, rows: [[Cell]])] = []
        for index in 0..<pick(1...3) {
            let name = ["thead", "tbody", "tfoot"][pick(0...2)]
            body += "<\(name)>"
            let (start, rows) = (body.endIndex, addRows(isFirst: index == 0))
            if name == "thead" || body[start...].contains("<th ") || rows.contains(where: { $0.count > 1 }) {
                table.isLayout = false
            }
            groups.append((name, rows))
            body += "</\(name)>"
        }
        body += "</table>"
        // The first header group is at the top, the first footer group at the bottom.
        let header = groups.firstIndex { $0.name == "thead" }
        let footer = groups.firstIndex { $0.name == "tfoot" }
        let others = groups.indices.filter { $0 != header && $0 != footer }
        var row = 0
        for group in [header].compactMap(\.self) + others + [footer].compactMap(\.self) {
            for cells in groups[group].rows {
                let isHead =
                    header == nil ? !cells.isEmpty && cells.allSatisfy(\.isHead) : groups[group].name == "thead"
                if table.headRows == row, isHead { table.headRows += 1 }
                for var cell in cells {
                    cell.row = row
                    shown.append(cell.word)
                    table.cells.append(cell)
                }
                row += 1
            }
        }
        if table.headRows == row { table.headRows = 0 }
        tables.append(table)
    }

    /// The rows of one group, cells without overlap.
    private mutating func addRows(isFirst: Bool) -> [[Cell]] {
        let count = pick(1...3)
        var taken = Array(repeating: Set<Int>(), count: count)
        var rows: [[Cell]] = []
        for row in 0..<count {
            body += "<tr>"
            var cells: [Cell] = []
            var column = 0
            for _ in 0..<pick(isFirst && row == 0 ? 1...3 : 0...3) {
                while taken[row].contains(column) { column += 1 }
                var columnSpan = chance(25) ? pick(2...3) : 1
                while (column..<column + columnSpan).contains(where: taken[row].contains) { columnSpan -= 1 }
                let rowSpan = chance(25) ? pick(0...4) : 1
                let reached = rowSpan == 0 ? count - row : min(rowSpan, count - row)
                for below in row..<row + reached { taken[below].formUnion(column..<column + columnSpan) }
                let (word, isHead) = (word(), chance(30))
                body += "<\(isHead ? "th" : "td") colspan=\(columnSpan) rowspan=\(rowSpan)>\(word)"
                cells.append(
                    Cell(word: word, row: row, column: column, rowSpan: reached, columnSpan: columnSpan, isHead: isHead)
                )
                column += columnSpan
            }
            rows.append(cells)
        }
        return rows
    }

    // MARK: Flex containers

    private mutating func addFlex(isRightToLeft: Bool) {
        let isRow = chance(70)
        let isReversed = chance(40)
        let direction = (isRow ? "row" : "column") + (isReversed ? "-reverse" : "")
        var children: [(order: Int, index: Int, word: String)] = []
        body += "<div style='display:flex;gap:9px;flex-direction:\(direction)'>"
        for index in 0..<pick(2...5) {
            let order = chance(50) ? pick(-1...2) : 0
            children.append((order, index, shownWord()))
            body += "<div style='order:\(order)'>\(children[index].word)</div>"
        }
        body += "</div>"
        var words = children.sorted { ($0.order, $0.index) < ($1.order, $1.index) }.map(\.word)
        if isReversed != (isRow && isRightToLeft) { words.reverse() }
        flexes.append(Flex(words: words, isRow: isRow))
    }
}

/// The position of a word: pixels, or columns and lines.
private struct Place {
    var x, y, maxX, maxY: Double
}

@Suite struct OutputAgreementTests {
    private static let documents = 1_000

    /// The errors of the outputs of a document.
    private struct Failures {
        var found: [String] = []
        mutating func check(_ isRight: Bool, _ what: @autoclosure () -> String) {
            if !isRight { found.append(what()) }
        }
    }

    @Test func allOutputsAgree() throws {
        var wrong = 0
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        let renderer = Renderer(fonts: fonts)
        for seed in 1...Self.documents {
            let sample = SampleDocument(seed: UInt64(seed))
            var document = MarkupParser().parse(sample.html)
            var failures = Failures()
            try checkLayout(sample, &document, renderer, &failures)
            checkTerminal(sample, &document, renderer, &failures)
            checkMarkdown(sample, document.markdown(), &failures)
            try checkJSON(sample, renderer.json(&document), &failures)
            guard !failures.found.isEmpty else { continue }
            Issue.record("document \(seed): \(failures.found.joined(separator: "; "))\n\(sample.html)")
            wrong += 1
            if wrong == 5 { break }
        }
    }

    private static func words(in text: some StringProtocol) -> [String] {
        String(text).matches(of: /w[0-9]+x/).map { String($0.output) }
    }

    // MARK: Layout

    private func checkLayout(
        _ sample: SampleDocument, _ document: inout Document, _ renderer: Renderer, _ failures: inout Failures
    ) throws {
        var options = RenderOptions()
        options.width = .pixels(2_000)
        let tree = try renderer.layoutTree(&document, options)
        let text = document.styledContents()
        var places: [String: Place] = [:]
        for fragment in tree.inlines where fragment.kind == .text {
            let rect = fragment.rect.rect
            let place = Place(
                x: Double(rect.x), y: Double(rect.y), maxX: Double(rect.maxX), maxY: Double(rect.maxY))
            for word in Self.words(in: String(decoding: text.text[fragment.text], as: UTF8.self)) {
                places[word] = place
            }
        }
        checkPlaces(sample, places, "layout", &failures)

        /// The first word of a box.
        func word(_ box: Int) -> String {
            Self.words(in: String(decoding: text.text[text.boxes[box].text], as: UTF8.self)).first ?? ""
        }
        var cells: [String: Rect] = [:]
        var markers: [String: String] = [:]
        for box in tree.boxes {
            switch box.kind {
            case .tableCell: cells[word(box.box)] = box.rect.rect
            case .marker: markers[word(box.box)] = text.markers[text.boxes[box.box].marker].text
            default: break
            }
        }
        for table in sample.tables {
            for cell in table.cells {
                guard let own = cells[cell.word] else { continue }
                for other in table.cells {
                    guard let rect = cells[other.word] else { continue }
                    let (start, otherStart) = table.isRightToLeft ? (-own.maxX, -rect.maxX) : (own.x, rect.x)
                    failures.check(
                        cell.row == other.row ? own.y == rect.y : cell.row > other.row || own.y < rect.y,
                        "layout: rows of \(cell.word) and \(other.word)")
                    failures.check(
                        cell.column == other.column
                            ? abs(start - otherStart) < 0.1 : cell.column > other.column || start < otherStart,
                        "layout: columns of \(cell.word) and \(other.word)")
                }
            }
        }
        for item in sample.items where !item.isInside && !item.marker.isEmpty {
            let marker = markers[item.word]?.trimmingCharacters(in: .whitespaces)
            failures.check(marker == item.marker, "layout: \(item.word) has marker \(marker ?? "none")")
        }
    }

    private func checkPlaces(
        _ sample: SampleDocument, _ places: [String: Place], _ output: String, _ failures: inout Failures
    ) {
        guard sample.words.allSatisfy({ places[$0] != nil }) else {
            failures.check(false, "\(output): words are missing")
            return
        }
        func place(_ word: String) -> Place { places[word] ?? Place(x: 0, y: 0, maxX: 0, maxY: 0) }
        for (above, below) in zip(sample.blocks, sample.blocks.dropFirst()) {
            let end = above.map { place($0).maxY }.max() ?? 0
            failures.check(below.allSatisfy { place($0).y >= end - 0.1 }, "\(output): block of \(below.first ?? "")")
        }
        for table in sample.tables {
            for cell in table.cells {
                for other in table.cells {
                    let (a, b) = (place(cell.word), place(other.word))
                    if cell.row + cell.rowSpan <= other.row {
                        failures.check(a.maxY <= b.y + 0.1, "\(output): \(cell.word) stands above \(other.word)")
                    }
                    if cell.column + cell.columnSpan <= other.column {
                        failures.check(
                            table.isRightToLeft ? b.maxX <= a.x + 0.1 : a.maxX <= b.x + 0.1,
                            "\(output): \(cell.word) stands before \(other.word)")
                    }
                }
            }
        }
        for flex in sample.flexes {
            for (word, next) in zip(flex.words, flex.words.dropFirst()) {
                let (a, b) = (place(word), place(next))
                failures.check(
                    flex.isRow ? a.maxX <= b.x + 0.1 && a.y == b.y : a.maxY <= b.y + 0.1,
                    "\(output): items \(word) and \(next)")
            }
        }
    }

    // MARK: Terminal

    private func checkTerminal(
        _ sample: SampleDocument, _ document: inout Document, _ renderer: Renderer, _ failures: inout Failures
    ) {
        var options = ANSIOptions()
        options.width = 300
        options.colors = .plain
        let output = String(decoding: renderer.ansi(&document, RenderOptions(), options), as: UTF8.self)
        var places: [String: Place] = [:]
        var lines: [String: String] = [:]
        for (number, line) in output.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = String(line)
            for match in line.matches(of: /w[0-9]+x/) {
                let start = Double(line.distance(from: line.startIndex, to: match.range.lowerBound))
                places[String(match.output)] = Place(
                    x: start, y: Double(number), maxX: start + Double(match.output.count), maxY: Double(number + 1))
                lines[String(match.output)] = line
            }
        }
        checkPlaces(sample, places, "terminal", &failures)
        for item in sample.items where !item.marker.isEmpty {
            // Left of the text or, for right-to-left text, to its right.
            let line = lines[item.word] ?? ""
            let words = line.split(separator: " ").map(String.init)
            failures.check(words.contains(item.marker), "terminal: marker of \(item.word) in \(line)")
        }
    }

    // MARK: Text formats

    private func checkMarkdown(_ sample: SampleDocument, _ markdown: String, _ failures: inout Failures) {
        if sample.tables.allSatisfy({ $0.headRows < 2 || $0.isLayout }) {
            failures.check(Self.words(in: markdown) == sample.shown, "markdown: the order of the text")
        }
        var slots: [String: (row: Int, column: Int)] = [:]
        var lines: [String: Substring] = [:]
        var row = 0
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            for word in Self.words(in: line) { lines[word] = line }
            guard line.hasPrefix("|") else {
                row = 0
                continue
            }
            for (column, cell) in line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().enumerated()
            {
                // The second line sets the alignment of columns.
                for word in Self.words(in: cell) { slots[word] = (row == 0 ? 0 : row - 1, column) }
            }
            row += 1
        }
        for table in sample.tables where !table.isLayout {
            for cell in table.cells {
                let slot = slots[cell.word] ?? (-1, -1)
                let isJoined = table.headRows > 1 && cell.row < table.headRows
                let column = cell.column + (isJoined ? cell.columnSpan - 1 : 0)
                failures.check(
                    slot == (max(0, cell.row - max(0, table.headRows - 1)), column),
                    "markdown: \(cell.word) in row \(slot.row), column \(slot.column)")
            }
        }
        for item in sample.items {
            let line = (lines[item.word] ?? "").replacing("\\", with: "")
            let marker: String
            if item.isInside {
                marker = item.marker
            } else {
                // CommonMark's numbers have no sign: such a number is a paragraph.
                if let number = item.number, number < 0 { continue }
                marker = item.number.map { "\($0)." } ?? "-"
            }
            // Another delimiter begins a list with another number.
            let isThere = [marker, marker.dropLast() + ")"].contains { line.contains("\($0) \(item.word)") }
            failures.check(isThere, "markdown: marker of \(item.word) in \(line)")
        }
    }

    private func checkJSON(_ sample: SampleDocument, _ json: [UInt8], _ failures: inout Failures) throws {
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
        let text = try #require(object["text"] as? String)
        failures.check(Self.words(in: text) == sample.words, "json: the order of the text")
        for item in sample.items where item.isInside {
            failures.check(text.contains("\(item.marker) \(item.word)"), "json: marker of \(item.word)")
        }
    }
}
