// Members of a record: named values of each match of a selector. In: `name=selector`, `name[]=selector` for every match,
// `name=selector{name=…,name=…}` for a nested record. Out: a tree of members, and for each element a JSON value or the text of
// a cell.

import FancyTextMarkup

package struct RecordField: Sendable {
    /// The reason why a member cannot be parsed.
    package enum Mistake: Error, Sendable {
        /// A one-line message about the whole member.
        case form(String)
        case selector(String, SelectorError)
    }

    package let name: String
    package let query: SelectorQuery
    /// True if the value is an array of all matches, false if it is the first match.
    package let isList: Bool
    /// Members of the record made from a match; empty if the match is written as text.
    package let members: [RecordField]

    private static let deepest = 16

    package init(_ text: String) throws(Mistake) { try self.init(text[...], depth: 0) }

    private init(_ text: Substring, depth: Int) throws(Mistake) {
        guard depth < Self.deepest else { throw .form("records are nested deeper than \(Self.deepest)") }
        let cut = text.firstIndex(of: "=") ?? text.endIndex
        var name = text[..<cut]
        isList = name.hasSuffix("[]")
        if isList { name = name.dropLast(2) }
        name = name.trimmed(\.isWhitespace)
        guard cut < text.endIndex, !name.isEmpty else { throw .form("a member needs name=selector, not '\(text)'") }
        self.name = String(name)
        var selector = text[text.index(after: cut)...].trimmed(\.isWhitespace)
        var members: [RecordField] = []
        if let open = Self.places(of: "{", in: selector).first {
            guard selector.last == "}" else { throw .form("'{' without '}' at the end of '\(text)'") }
            let inner = selector[selector.index(after: open)...].dropLast()
            for part in Self.parts(inner) { members.append(try RecordField(part, depth: depth + 1)) }
            selector = selector[..<open].trimmed(\.isWhitespace)
            if selector.isEmpty { selector = ":scope" }
        }
        self.members = members
        do throws(SelectorError) { query = try SelectorQuery(String(selector), isRelative: true) } catch {
            throw .selector(String(selector), error)
        }
    }

    /// True if a value of the member, or of a nested one, is visible text, which depends on styles.
    package var readsStyles: Bool { query.output == .innerText || members.contains { $0.readsStyles } }

    /// Splits the members between braces: a comma without a following `name=` belongs to a selector.
    private static func parts(_ text: Substring) -> [Substring] {
        var parts: [Substring] = []
        var start = text.startIndex
        for comma in places(of: ",", in: text) {
            let rest = text[text.index(after: comma)...].drop(while: \.isWhitespace)
            let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
            let behind = rest[name.endIndex...]
            guard !name.isEmpty, behind.hasPrefix("=") || behind.hasPrefix("[]=") else { continue }
            parts.append(text[start..<comma])
            start = text.index(after: comma)
        }
        parts.append(text[start...])
        return parts
    }

    /// The positions of a character outside of quotes, brackets, braces and escapes.
    private static func places(of wanted: Character, in text: Substring) -> [Substring.Index] {
        var places: [Substring.Index] = []
        var quote: Character?
        var depth = 0
        var isEscaped = false
        for index in text.indices {
            let character = text[index]
            if isEscaped || character == "\\" {
                isEscaped.toggle()
            } else if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else {
                if depth == 0, character == wanted { places.append(index) }
                if "([{".contains(character) { depth += 1 }
                if ")]}".contains(character) { depth -= 1 }
            }
        }
        return places
    }
}

extension Document {
    /// How the values of records are written.
    package struct RecordStyle: Sendable {
        /// True if white space is collapsed, and trimmed at the ends.
        package var isTrimmed = false
        package var isPretty = false
        /// The first member of each record, which names the file.
        package var file: String?

        package init() {}
    }

    /// The remaining budget of a selector's matches: each contains all matches below it, so nested elements and members multiply.
    package struct SelectBudget: Sendable {
        /// Bytes.
        private(set) var left: Int
        /// Bytes of the record being written, which is kept until it is complete.
        fileprivate var held = 0

        package init(_ left: Int) { self.left = left }

        package var isExceeded: Bool { left < 0 }

        package mutating func spend(_ bytes: Int) { left -= bytes }

        /// The number of bytes that may be held at one time: a growing buffer takes more than its contents.
        package var mostHeld: Int { left / 4 }

        fileprivate var isSpent: Bool { held > mostHeld }

        fileprivate mutating func endRecord() {
            if isSpent { left = -1 }
            held = 0
        }

        /// Subtracts the cost of examining nodes for a selector or a value.
        package mutating func look(at nodes: Int) { left -= 8 * nodes }
    }

    /// The record of a match as JSON; truncated if the budget is exceeded.
    package func record(
        of node: NodeID, fields: [RecordField], style: RecordStyle, budget: inout SelectBudget
    ) -> [UInt8] {
        var json = JSONBuffer(pretty: style.isPretty)
        writeRecord(of: node, fields, style, &json, &budget)
        budget.endRecord()
        return json.bytes
    }

    private func writeRecord(
        of node: NodeID, _ fields: [RecordField], _ style: RecordStyle, _ json: inout JSONBuffer,
        _ budget: inout SelectBudget
    ) {
        json.beginObject()
        if let file = style.file { json.member("file", file) }
        var inner = style
        inner.file = nil
        var matcher = SelectorMatcher(tree, scope: node)
        for field in fields where !budget.isSpent {
            json.key(field.name)
            budget.held += field.name.utf8.count
            write(field, matches(of: field, below: node, &matcher, &budget), inner, &json, &budget)
        }
        json.endObject()
    }

    private func matches(
        of field: RecordField, below node: NodeID, _ matcher: inout SelectorMatcher, _ budget: inout SelectBudget
    ) -> [NodeID] {
        if field.query.selectsScope { return [node] }
        var range = NodeID(index: node.index + 1)..<tree.subtreeEnd(node)
        if let siblings = field.query.siblings, let parent = tree.parent(node) {
            range = range.upperBound..<tree.subtreeEnd(parent)
            if siblings == "+" {
                // The next element, in which the selector may continue.
                var next = range.lowerBound
                while next < range.upperBound, tree.kind(next) != .element { next = tree.subtreeEnd(next) }
                range = next..<(next < range.upperBound ? tree.subtreeEnd(next) : next)
            }
        }
        let found = matcher.select(field.query.selectors, in: range, atMost: field.isList ? .max : 1)
        let end = (field.isList ? nil : found.first) ?? range.upperBound
        budget.look(at: Int(end.index - range.lowerBound.index))
        return found
    }

    /// Returns whether an element has a value for a member.
    package func has(_ field: RecordField, below node: NodeID) -> Bool {
        var (matcher, budget) = (SelectorMatcher(tree, scope: node), SelectBudget(.max / 2))
        return matches(of: field, below: node, &matcher, &budget).contains {
            if case .attribute(let name)? = field.query.output { tree.hasAttribute($0, name) } else { true }
        }
    }

    private func write(
        _ field: RecordField, _ nodes: [NodeID], _ style: RecordStyle, _ json: inout JSONBuffer,
        _ budget: inout SelectBudget
    ) {
        /// Writes a match; false for one without the attribute.
        func write(_ node: NodeID) -> Bool {
            if field.members.isEmpty {
                guard let value = value(of: field, node, style, &budget) else { return false }
                json.string(value)
            } else {
                writeRecord(of: node, field.members, style, &json, &budget)
            }
            return true
        }
        guard field.isList else {
            if !(nodes.first.map(write) ?? false) { json.null() }
            return
        }
        json.beginArray()
        // A match without the attribute adds no value to the array.
        for node in nodes where !budget.isSpent { _ = write(node) }
        json.endArray()
    }

    private func value(
        of field: RecordField, _ node: NodeID, _ style: RecordStyle, _ budget: inout SelectBudget
    ) -> String? {
        budget.look(at: nodeCount(of: node))
        guard let value = output(field.query.output ?? .text, of: node) else { return nil }
        let text = style.isTrimmed ? Self.trimmed(value) : value
        budget.held += text.utf8.count
        return text
    }

    /// The cells of a match's record: text, and JSON for arrays and records; truncated if the budget is exceeded.
    package func cells(
        of node: NodeID, fields: [RecordField], style: RecordStyle, budget: inout SelectBudget
    ) -> [String] {
        var matcher = SelectorMatcher(tree, scope: node)
        let cells = fields.map { field in
            let nodes = matches(of: field, below: node, &matcher, &budget)
            if field.isList || !field.members.isEmpty {
                var json = JSONBuffer()
                write(field, nodes, style, &json, &budget)
                return String(decoding: json.bytes, as: UTF8.self)
            }
            return nodes.first.flatMap { value(of: field, $0, style, &budget) } ?? ""
        }
        budget.endRecord()
        return cells
    }

    /// Text with each run of white space collapsed to one space, without white space at the ends.
    package static func trimmed(_ text: String) -> String {
        text.utf8.split(whereSeparator: \.isHTMLSpace).map { Substring($0) }.joined(separator: " ")
    }
}

/// Rows of cells as text.
package enum CellFormat: Sendable {
    /// RFC 4180.
    case csv
    /// Tabs between cells; tabs, line breaks and backslashes in them as escapes.
    case tsv
    case markdown

    package func row(_ cells: [String]) -> [UInt8] {
        switch self {
        case .csv: Array(cells.map(Self.quoted).joined(separator: ",").utf8)
        case .tsv: Array(cells.map(Self.escaped).joined(separator: "\t").utf8)
        case .markdown:
            Array("| \(cells.map { MarkdownWriter.escaped($0, inTable: true) }.joined(separator: " | ")) |".utf8)
        }
    }

    private static func quoted(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }) else { return text }
        return "\"" + text.escaped { $0 == "\"" ? "\"\"" : nil } + "\""
    }

    private static func escaped(_ text: String) -> String {
        text.escaped { ["\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\"][$0] }
    }
}
