// The output of `select`: the options of a run, evaluated once, and their application to a document.
// In: a document. Out: its matches as text, HTML, JSON, records or a picture, and their number.

import FancyText
import FancyTextMarkup

struct MatchWriter: Sendable {
    let command: SelectCommand
    let parser: MarkupParser
    let format: RenderFormat
    let main: SelectorQuery
    let removed: [(text: String, selectors: SelectorList)]
    let fields: [RecordField]
    /// The only match to print, from 1, or from the end with -1.
    let nth: Int?
    let isColored: Bool
    let namesFiles: Bool
    /// The unit of `source`; nil for bytes.
    let offsets: OffsetUnit?
    let options: RenderOptions
    let terminal: ANSIOptions
    /// True if matches are printed as tables.
    let isTable: Bool
    /// The form of records as rows; nil for JSON.
    let cells: CellFormat?

    var content: OutputSink.Content {
        // JSON quotes characters of the input as they are.
        isColored && !command.count && language != nil ? .colored : format == .json ? .text : format.content
    }

    /// The first row of a table of records.
    var header: [UInt8]? {
        guard let cells, !isTable else { return nil }
        return cells.row((namesFiles ? ["file"] : []) + fields.map(\.name)) + [0x0A]
    }

    /// Writes the matches of a document, perhaps fetched from a URL. Returns their number; 0 if none has a requested attribute.
    func append(
        _ document: inout Document, of file: String, at url: String?, _ renderer: Renderer?, to sink: OutputSink,
        _ result: FileResult
    ) throws -> Int {
        if let base = command.base.text { document.resolveURLs(against: base) }
        var matches = document.matches(of: main)
        if let nth {
            let index = nth > 0 ? nth - 1 : matches.count + nth
            matches = matches.indices.contains(index) ? [matches[index]] : []
        }
        if matches.isEmpty || command.count { return matches.count }
        let isMarkdown = format == .markdown && !isTable
        guard isMarkdown || renderer != nil else {
            let isWritten = try write(matches, &document, of: file, to: sink)
            let attributes = command.attr.filter { name in !matches.contains { document.tree.hasAttribute($0, name) } }
            let members = fields.filter { field in !matches.contains { document.has(field, below: $0) } }
            result.missingNames = Set(attributes + members.map(\.name))
            return isWritten ? matches.count : 0
        }
        document.keepOnly(matches)
        if isMarkdown {
            sink.append(document.keptMarkdownBytes())
        } else if let renderer {
            let options = command.input.placed(options, file, at: url)
            sink.append(
                try format.picture().map { try renderer.picture(&document, as: $0, options) }
                    ?? renderer.ansi(&document, options, terminal))
        }
        return matches.count
    }

    /// Returns false if nothing was written, because no match has a requested attribute.
    private func write(
        _ matches: [NodeID], _ document: inout Document, of file: String, to sink: OutputSink
    ) throws -> Bool {
        let name = namesFiles ? InputArguments.displayName(file) : nil
        let separator = command.nul ? [0] : Array((command.separator.text ?? "\n").utf8)
        // An explicit separator is written between results, not after each.
        let standsBetween = !command.nul && command.separator.isGiven
        var isFirst = true
        let limit = parser.syntax.limits[.selectedBytes]
        var budget = Document.SelectBudget(min(limit, .max / 2) + 16 * document.tree.source.count)
        func put(_ piece: UnsafeBufferPointer<UInt8>) {
            if standsBetween, !isFirst { sink.append(separator) }
            // The file's name is before a value or an element, and in a row or record.
            if let name, fields.isEmpty, !isTable { sink.append(name: "\(name):") }
            sink.append(piece, as: language)
            if !standsBetween { sink.append(separator) }
            isFirst = false
            budget.spend(piece.count)
        }
        func checkSize() throws(RenderError) {
            if budget.isExceeded { throw .overBudget(.selectedBytes, limit: limit) }
        }
        if readsStyles { document.prepareInnerText() }
        let offsets = offsets.flatMap { $0 == .utf8 ? nil : OffsetMap(Array(document.tree.source), unit: $0) }
        var isEmpty = true
        for match in matches {
            var pieces = pieces(document, match, offsets, name, &budget)
            // An empty line separates tables.
            if cells == .markdown, match == matches.last, name == nil { _ = pieces.popLast() }
            // A truncated value is not written.
            try checkSize()
            isEmpty = isEmpty && pieces.isEmpty
            for piece in pieces { piece.withUnsafeBufferPointer(put) }
            try checkSize()
        }
        if isEmpty, isTable {
            throw CommandFailure("'\(command.selector)' matches no table; --field names the columns of other elements")
        }
        if standsBetween, !isFirst { sink.append([0x0A]) }
        return !isEmpty
    }

    var readsStyles: Bool { isTable || main.output == .innerText || fields.contains { $0.readsStyles } }

    private var isJSON: Bool { fields.isEmpty && !isTable ? isMarkup && format == .json : cells == nil }

    /// True if results are elements, not values read from them.
    private var isMarkup: Bool {
        fields.isEmpty && !isTable && command.attr.isEmpty && main.output == nil && !command.text && format != .text
    }

    /// The language of results that can be coloured.
    private var language: OutputSink.Language? { isJSON ? .json : isMarkup && format == .html ? .html : nil }

    private func pieces(
        _ document: Document, _ match: NodeID, _ offsets: OffsetMap?, _ file: String?,
        _ budget: inout Document.SelectBudget
    ) -> [[UInt8]] {
        if !fields.isEmpty {
            var style = Document.RecordStyle()
            style.isTrimmed = command.trim
            style.isPretty = command.pretty
            style.file = file
            guard let cells else { return [document.record(of: match, fields: fields, style: style, budget: &budget)] }
            let own = document.cells(of: match, fields: fields, style: style, budget: &budget)
            return [cells.row((file.map { [$0] } ?? []) + own)]
        }
        if isTable { return rows(document, match, file, &budget) }
        if !command.attr.isEmpty { return command.attr.compactMap { document.tree.attribute(match, $0).map(value) } }
        if let output = main.output { return document.output(output, of: match).map { [value($0)] } ?? [] }
        // Nested matches are read once for each of their ancestors that match.
        budget.look(at: document.nodeCount(of: match))
        if command.text || format == .text {
            return [command.trim ? value(document.text(of: match)) : document.tree.textContent(match)]
        }
        if format == .json {
            let most = command.pretty ? budget.mostHeld : .max
            let json = document.tree.json(match, offsets: offsets, isPretty: command.pretty, atMost: most)
            if json.count >= most { budget.spend(.max / 2) }
            return [json]
        }
        if command.pretty { return [document.tree.prettyHTML(match, outer: !command.inner)] }
        return [document.tree.html(match, outer: !command.inner, fromSource: true)]
    }

    /// The rows of a match's table: lines of cells below their heads, or records, or arrays where there are no heads.
    private func rows(
        _ document: Document, _ match: NodeID, _ file: String?, _ budget: inout Document.SelectBudget
    ) -> [[UInt8]] {
        guard let table = document.tableRows(of: match, budget: &budget) else { return [] }
        let first = file.map { [$0] } ?? []
        if let cells {
            let rows = table.rows.map { cells.row(first + $0) }
            let heads = (file == nil ? [] : ["file"]) + table.heads
            guard cells == .markdown else { return (table.heads.isEmpty ? [] : [cells.row(heads)]) + rows }
            let width = first.count + (table.rows.first?.count ?? 0)
            let line = Array(("|" + String(repeating: "---|", count: width)).utf8)
            return [cells.row(table.heads.isEmpty ? Array(repeating: "", count: width) : heads), line] + rows + [[]]
        }
        let names = (file == nil ? [] : ["file"]) + table.names
        return table.rows.map { row in
            let cells = (first + row).map(JSONValue.string)
            let members = zip(names, cells).map { JSONMember(name: $0, value: $1) }
            return (table.heads.isEmpty ? JSONValue.array(cells) : .object(members)).json(pretty: command.pretty)
        }
    }

    private func value(_ text: String) -> [UInt8] { Array((command.trim ? Document.trimmed(text) : text).utf8) }
}
