// Numbers and markers of lists, and tables in columns.

import FancyTextBasics
import FancyTextBoxes
import FancyTextMarkup
import FancyTextStyling

extension TextExtractor {
    // MARK: Lists

    func startOfList(_ n: NodeID, _ tag: TagID) -> List {
        let step = tag == .ol && tree.hasAttribute(n, .reversed) ? -1 : 1
        return List(next: BoxGenerator.listStart(n, in: tree) + step, step: step)
    }

    mutating func startItem(_ n: NodeID) {
        var style = "none"
        switch styles.marker(n) {
        case .none: break
        case .named(let name): style = name
        case .string(let string): writer.place(marker: string)
        case .unknown: needsBoxes = true
        }
        var number = 1
        if let list = lists.last {
            let value = tree.tag(n) == .li ? tree.attribute(n, .value).flatMap { BoxGenerator.integer($0) } : nil
            number = value ?? list.next
            lists[lists.count - 1].next = number + list.step
        } else if !["disc", "circle", "square", "none"].contains(style) {
            // The scope of a number outside of a list depends on counters.
            needsBoxes = true
        }
        guard style != "none" else { return }
        let bytes = Array(CounterStyles.predefined.marker(number, style: style).utf8)
        writer.place(marker: bytes, columns: DisplayWidth.cells(bytes))
    }

    // MARK: Tables as columns

    /// The groups, rows, cells and other parts of a data table; nil for a layout table, which is one without rows of several
    /// cells. Tables with more cells in a row than a page is wide are also treated as layout tables.
    mutating func dataParts(of table: NodeID, _ box: TextBox) -> [(node: NodeID, box: TextBox)]? {
        if TableText.isPresentation(table, tree) { return nil }
        let parts = parts(of: table, box)
        if parts.contains(where: { $0.box.display == .unknown }) { needsBoxes = true }
        let cells = parts.split { $0.box.display == .row }.map { $0.count { $0.box.display == .cell } }
        guard let most = cells.max(), most > 1, most <= TableText.mostCells else { return nil }
        return parts
    }

    /// Returns whether a caption, header group or footer group is not in its visual position.
    func isOutOfOrder(_ table: NodeID) -> Bool {
        let parts: [TagID] = [.caption, .thead, .tbody, .tfoot]
        let groups = tree.children(table).map { tree.tag($0) }.filter(parts.contains).drop { $0 == .caption }
        return groups.contains(.caption) || groups.dropFirst().contains(.thead) && groups.first != .thead
            || groups.dropLast().contains(.tfoot)
    }

    /// The parts of a table, except the contents of cells: nested tables are visited once each.
    private func parts(of table: NodeID, _ box: TextBox) -> [(node: NodeID, box: TextBox)] {
        var parts: [(node: NodeID, box: TextBox)] = []
        /// The open groups and rows.
        var open: [(end: NodeID, box: TextBox)] = []
        tree.forEachDescendant(of: table) { node in
            guard tree.kind(node) == .element else { return true }
            while let last = open.last, last.end <= node { open.removeLast() }
            let own = self.box(node, parent: open.last?.box ?? box)
            if own.display != .none { parts.append((node, own)) }
            guard own.display == .row || own.display == .rowGroup else { return false }
            open.append((tree.subtreeEnd(node), own))
            return true
        }
        return parts
    }

    mutating func writeTable(_ table: NodeID, _ box: TextBox, _ parts: [(node: NodeID, box: TextBox)]) {
        var layout = TableText()
        layout.isRightToLeft = box.isRightToLeft
        var (covered, column, firstRow) = (CoveredColumns(), 0, 0)
        for (node, own) in parts {
            guard !needsBoxes else { return }
            switch own.display {
            case .rowGroup: (covered, firstRow) = (CoveredColumns(), layout.rows.count)
            case .row:
                // Rows outside of groups are in an anonymous group.
                if tree.parent(node) == table { needsBoxes = true }
                layout.startRow()
                covered.advance(to: layout.rows.count - firstRow)
                column = 0
            case .cell:
                let cell = text(ofCell: node, own)
                let row = layout.rows.count - firstRow
                column = covered.firstFree(from: column)
                let end = column + BoxGenerator.span(of: node, .colspan, 1...1000, in: tree)
                layout.addCell(cell.text, tables: cell.tables, column: column, span: end - column)
                let rows = BoxGenerator.span(of: node, .rowspan, 0...65534, in: tree)
                if rows != 1, end <= TableText.mostCells * 4 {
                    covered.cover(column..<end, until: rows == 0 ? .max : row + rows)
                }
                column = end
            case .caption: layout.addCaption(text(ofCell: node, own).text)
            case .column: break
            default:
                // Misplaced content gets its own row, unless it is not visible.
                if tree.firstChild(node) != nil || own.display != .block { needsBoxes = true }
            }
        }
        if !needsBoxes { writer.writeTable(layout, sourceSize: tree.sourceRange(table).count) }
    }

    /// The text of a cell, and the tables in it.
    private mutating func text(ofCell cell: NodeID, _ box: TextBox) -> (text: [UInt8], tables: [TableText]) {
        guard tree.firstChild(cell) != nil else { return ([], []) }
        let writer = TextWriter(cellsOf: options, keepsTables: box.display == .cell)
        var inner = TextExtractor(tree: tree, styles: styles, options: options, writer: writer)
        (inner.lists, inner.summaries, inner.tableDepth) = (lists, summaries, tableDepth + 1)
        let text = inner.text(of: cell, in: box)
        if text == nil { needsBoxes = true }
        return (text ?? [], inner.writer.tables)
    }
}
