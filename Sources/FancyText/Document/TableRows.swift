// A table as rows of texts: cells that span several places fill them all, and the heads are found. In: an element. Out: the
// heads and the rows of its table.

import FancyTextBoxes
import FancyTextMarkup

extension Document {
    package struct TableRows: Sendable {
        /// The name of each column; empty if the table has no heads.
        package var heads: [String] = []
        package var rows: [[String]] = []

        /// The heads, with numbers where names are missing or repeated.
        package var names: [String] {
            var used: Set<String> = []
            var numbers: [String: Int] = [:]
            return heads.enumerated().map { column, head in
                let own = head.isEmpty ? "\(column + 1)" : head
                var name = own
                while !used.insert(name).inserted {
                    numbers[own, default: 1] += 1
                    name = "\(own) \(numbers[own] ?? 0)"
                }
                return name
            }
        }
    }

    /// The rows of the table that an element is or contains; nil if there is none, or if the budget is exceeded.
    ///
    /// The heads are the rows of `thead`, or else the first rows of `th` cells; the names of several rows are joined.
    package func tableRows(of element: NodeID, budget: inout SelectBudget) -> TableRows? {
        guard let table = tree.subtree(element).first(where: { tree.tag($0) == .table }) else { return nil }
        let texts = tree.isXML ? nil : ElementTexts(textStyles)
        func isShown(_ node: NodeID) -> Bool { texts?.isShown(node) ?? true }
        var grid = TableGrid()
        var heads = 0
        var isHead = true
        var parent: NodeID?
        for (row, group) in rows(of: table, where: isShown) {
            let cells = tree.children(row).filter { (tree.tag($0) == .td || tree.tag($0) == .th) && isShown($0) }
            isHead = isHead && !cells.isEmpty && (group == .thead || cells.allSatisfy { tree.tag($0) == .th })
            if tree.parent(row) != parent { grid.beginGroup() }
            parent = tree.parent(row)
            grid.beginRow()
            for cell in cells {
                let text = Self.trimmed(texts?.text(of: cell) ?? innerText(of: cell))
                let columns = BoxGenerator.span(of: cell, .colspan, 1...1000, in: tree)
                grid.add(text, columns: columns, rows: BoxGenerator.span(of: cell, .rowspan, 0...65_534, in: tree))
                budget.spend(grid.takeGrowth())
                if budget.isExceeded { return nil }
            }
            grid.endRow()
            budget.spend(grid.takeGrowth())
            if budget.isExceeded { return nil }
            if isHead { heads += 1 }
        }
        let width = grid.rows.map(\.count).max() ?? 0
        budget.spend(width * grid.rows.count * TableGrid.cost)
        if budget.isExceeded { return nil }
        grid.widen(to: width)
        var result = TableRows(rows: grid.rows)
        // A table of heads alone has no columns to name.
        guard heads < grid.rows.count else { return result }
        result.rows.removeFirst(heads)
        for column in 0..<(heads > 0 ? width : 0) {
            var parts: [String] = []
            for row in grid.rows.prefix(heads) where parts.last != row[column] { parts.append(row[column]) }
            result.heads.append(parts.filter { !$0.isEmpty }.joined(separator: " "))
        }
        return result
    }

    /// The shown rows of a table with their groups, in the order of display; not those of tables in its cells.
    private func rows(of table: NodeID, where isShown: (NodeID) -> Bool) -> [(row: NodeID, group: TagID)] {
        var parts: [TagID: [(NodeID, TagID)]] = [:]
        for child in tree.children(table) where tree.kind(child) == .element && isShown(child) {
            let tag = tree.tag(child)
            switch tag {
            case .tr: parts[.tbody, default: []].append((child, .tbody))
            case .thead, .tbody, .tfoot:
                let rows = tree.children(child).filter { tree.tag($0) == .tr && isShown($0) }
                parts[tag, default: []] += rows.map { ($0, tag) }
            default: break
            }
        }
        return [TagID.thead, .tbody, .tfoot].flatMap { parts[$0] ?? [] }
    }
}

/// Rows in which cells fill all places that they span.
private struct TableGrid {
    private(set) var rows: [[String]] = []
    /// For each column, the text of the cell that reaches down into the row, and the number of rows that it still covers.
    private var open: [(text: String, rows: Int)] = []

    /// The bytes that were added since the latest ``takeGrowth()``.
    private var growth = 0

    /// The bytes that a cell takes besides its text.
    static let cost = 64

    /// Ends the cells of the rows before, which reach into no other group.
    mutating func beginGroup() { open = [] }

    mutating func beginRow() { rows.append([]) }

    mutating func takeGrowth() -> Int {
        defer { growth = 0 }
        return growth
    }

    private mutating func append(_ text: String) {
        rows[rows.count - 1].append(text)
        growth += text.utf8.count + Self.cost
    }

    /// Places a cell after those of the row, and after cells that reach into it. One of 0 rows reaches to the end of its group.
    mutating func add(_ text: String, columns: Int, rows count: Int) {
        takeOpen()
        for _ in 0..<columns {
            let column = rows[rows.count - 1].count
            append(text)
            while open.count <= column { open.append(("", 0)) }
            open[column] = (text, count == 0 ? .max : count - 1)
        }
    }

    /// Fills rows that end before the others.
    mutating func widen(to width: Int) {
        for index in rows.indices where rows[index].count < width {
            rows[index] += Array(repeating: "", count: width - rows[index].count)
        }
    }

    private mutating func takeOpen() {
        while case let column = rows[rows.count - 1].count, column < open.count, open[column].rows > 0 {
            append(open[column].text)
            open[column].rows -= 1
        }
    }

    /// Ends the row with the cells that reach into it.
    mutating func endRow() {
        let end = (open.lastIndex { $0.rows > 0 } ?? -1) + 1
        while rows[rows.count - 1].count < end {
            takeOpen()
            if rows[rows.count - 1].count < end { append("") }
        }
    }
}
