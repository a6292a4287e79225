// Lists' numbers and markers, and tables laid out in columns (SPEC S1).

import Basics
import Markup
import Styling

extension TextExtractor {
    // MARK: Lists

    func startOfList(_ n: NodeID, _ tag: TagID) -> List {
        guard tag == .ol else { return List(next: 1, step: 1) }
        let start = tree.attribute(n, .start).flatMap { Self.integer($0) }
        guard tree.hasAttribute(n, "reversed") else { return List(next: start ?? 1, step: 1) }
        var items = 0
        for child in tree.children(n) where tree.kind(child) == .element && tree.tag(child) == .li { items += 1 }
        return List(next: start ?? items, step: -1)
    }

    /// HTML's rules for integers: leading white space, a sign, digits; what follows is ignored.
    static func integer(_ text: String) -> Int? {
        var value: Int?
        var negative = false
        var started = false
        for byte in text.utf8 {
            if !started, byte.isHTMLSpace { continue }
            if !started, byte == 0x2D || byte == 0x2B {
                negative = byte == 0x2D
            } else if byte.isASCIIDigit {
                value = min((value ?? 0) * 10 + Int(byte - 0x30), 1_000_000_000)
            } else {
                break
            }
            started = true
        }
        return value.map { negative ? -$0 : $0 }
    }

    mutating func startItem(_ n: NodeID, _ writer: inout TextWriter, _ lists: inout [List]) {
        var number = 1
        if lists.isEmpty { lists.append(List(next: 1, step: 1)) }
        if let value = tree.attribute(n, .value).flatMap({ Self.integer($0) }) { lists[lists.count - 1].next = value }
        number = lists[lists.count - 1].next
        lists[lists.count - 1].next += lists[lists.count - 1].step
        let style = styles.listStyleType(n, in: tree)
        guard style != "none", !options.isSpeech else { return }
        if style == bullet.style {
            place(bullet.bytes, columns: bullet.columns, &writer)
            return
        }
        let marker: String
        if let first = style.utf8.first, first == 0x22 || first == 0x27 {
            marker = String(style.dropFirst().dropLast())
        } else {
            marker = CounterText.text(number, style: style) + CounterText.suffix(style: style)
        }
        // A style sheet's string may hold anything.
        let bytes = options.keepsControls ? Array(marker.utf8) : Self.withoutControls(Array(marker.utf8))
        let columns = DisplayWidth.cells(bytes)
        if style == "disc" || style == "circle" || style == "square" { bullet = (style, bytes, columns) }
        place(bytes, columns: columns, &writer)
    }

    private func place(_ marker: [UInt8], columns: Int, _ writer: inout TextWriter) {
        if writer.marker.isEmpty {
            writer.markerIndent = writer.indent
            writer.marker = marker
        } else {
            writer.marker += marker
        }
        writer.indent = min(writer.indent + columns, 200)
    }

    // MARK: Tables as columns

    /// Whether the table has rows of several cells; others only lay text out. So do rows of more cells than any page is
    /// wide: their cells follow one another.
    func isDataTable(_ n: NodeID) -> Bool {
        if let role = tree.attribute(n, .role)?.lowercased(), role == "presentation" || role == "none" { return false }
        // Only the table's own rows: what cells hold is passed over, so nested tables are each looked at once.
        var cells = 0
        var most = 0
        var at = n.index + 1
        let end = tree.subtreeEnd(n).index
        while at < end {
            let node = NodeID(index: at)
            at += 1
            guard tree.kind(node) == .element else { continue }
            switch tree.tag(node) {
            case .tr: cells = 0
            case .tbody, .thead, .tfoot: break
            case .td, .th:
                cells += 1
                most = max(most, cells)
                if most > TableText.mostCells { return false }
                at = tree.subtreeEnd(node).index
            default: at = tree.subtreeEnd(node).index
            }
        }
        return most > 1
    }

    mutating func writeTable(_ table: NodeID, _ box: TextBox, _ writer: inout TextWriter, tableDepth: Int) {
        var plain = options
        plain.width = nil
        var cell = TextWriter(plain, source: sourceBytes, out: GrowableBuffer(capacity: 1 << 10))
        defer { cell.out.free() }
        var layout = TableText()
        collect(table, box, &layout, &cell, tableDepth)
        let available = options.width.map { max(8, $0 - writer.indent) }
        var isFirst = true
        layout.writeLines(
            style: options.tables, width: available, budget: 8 * (tree.sourceRange(table).count) + 65_536
        ) { line in
            if !isFirst { writer.forceBreak() }
            isFirst = false
            if !line.isEmpty { line.withUnsafeBufferPointer { writer.write($0, .pre, decode: nil) } }
        }
    }

    private mutating func collect(
        _ parent: NodeID, _ box: TextBox, _ layout: inout TableText, _ cell: inout TextWriter, _ tableDepth: Int
    ) {
        // Rows may stand at any depth below the table.
        var at = parent.index + 1
        let end = tree.subtreeEnd(parent).index
        while at < end {
            let node = NodeID(index: at)
            guard tree.kind(node) == .element else {
                at += 1
                continue
            }
            let own = styles.box(node, in: tree, parent: box)
            if own.display == .none || own.display == .column {
                at = tree.subtreeEnd(node).index
                continue
            }
            switch own.display {
            case .row:
                layout.startRow()
                at += 1
            case .rowGroup: at += 1
            case .cell:
                write(node, own, &cell, tableDepth)
                layout.addCell(
                    UnsafeBufferPointer(start: cell.out.base, count: cell.out.count),
                    columns: tree.attribute(node, .colspan).flatMap { Self.integer($0) } ?? 1,
                    rows: tree.attribute(node, .rowspan).flatMap { Self.integer($0) } ?? 1)
                at = tree.subtreeEnd(node).index
            default:
                // A caption, or what stands in the table as if it were one.
                write(node, own, &cell, tableDepth)
                layout.addCaption(UnsafeBufferPointer(start: cell.out.base, count: cell.out.count))
                at = tree.subtreeEnd(node).index
            }
        }
    }

    /// Writes a cell's text, and nothing else, to `writer`.
    private mutating func write(_ cell: NodeID, _ box: TextBox, _ writer: inout TextWriter, _ tableDepth: Int) {
        writer.reset()
        guard tree.firstChild(cell) != nil else { return }
        walk(cell, &writer, box, tableDepth: tableDepth)
        writer.endText()
    }
}
