// Styled text in, Markdown out: CommonMark with GitHub's tables and strikethrough, escaped so that a parser reads
// back the same text with the same structure.
//
// Blocks follow the box tree, named by their elements; a block becomes lines, and containers put their prefix before
// the lines of what they hold. Inline formatting is in MarkdownInline.swift.

import FancyTextBasics
import FancyTextBoxes
import FancyTextMarkup
import FancyTextStyling

package struct MarkdownWriter {
    let text: StyledText
    let tree: MarkupTree?
    private let limits: Limits
    private var log = DiagnosticLog()

    package init(_ text: StyledText, tree: MarkupTree?, limits: Limits = Limits()) {
        self.text = text
        self.tree = tree
        self.limits = limits
    }

    /// The whole text, ended by a line feed. Linear in the text times the nesting.
    package mutating func write(log: inout DiagnosticLog) -> [UInt8] {
        guard !text.boxes.isEmpty else { return [] }
        let lines = blockLines(0, depth: 0)
        log.merge(self.log)
        guard !lines.isEmpty else { return [] }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    // MARK: Blocks

    func name(_ box: Int) -> String {
        let item = text.boxes[box]
        guard let tree, !item.isAnonymous, tree.kind(item.element) == .element else { return "" }
        return tree.name(item.element)
    }

    private mutating func blockLines(_ box: Int, depth: Int) -> [String] {
        guard depth < limits.layoutDepth else {
            log.report(
                Diagnostic(
                    .warning, .boxesTooDeep, "boxes nested deeper than \(limits.layoutDepth) are not written",
                    at: tree?.location(text.boxes[box].element)))
            return []
        }
        let item = text.boxes[box]
        let name = name(box)
        switch item.kind {
        case .table: return tableLines(box)
        case .image, .lambda: return [imageText(item)].filter { !$0.isEmpty }
        case .block, .flex, .grid, .tableRowGroup, .tableRow, .tableCell, .tableCaption, .tableColumn,
            .tableColumnGroup, .ruby:
            break
        }
        switch name {
        case "h1", "h2", "h3", "h4", "h5", "h6":
            let level = Int(name.utf8.last ?? 0x31) - 0x30
            let content = inlineText(box, isSingleLine: true)
            return content.isEmpty ? [] : [String(repeating: "#", count: level) + " " + Self.escapedHeadingEnd(content)]
        case "hr": return ["***"]
        case "pre", "listing", "xmp": return codeLines(box)
        case "blockquote": return childLines(box, depth: depth).map { $0.isEmpty ? ">" : "> " + $0 }
        default: break
        }
        if item.holdsInlines {
            let content = inlineText(box, isSingleLine: false)
            return content.isEmpty
                ? [] : content.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        return childLines(box, depth: depth)
    }

    /// The children with an empty line between; items of a list are joined closely when none holds paragraphs.
    private mutating func childLines(_ box: Int, depth: Int) -> [String] {
        let item = text.boxes[box]
        if item.holdsInlines {
            let content = inlineText(box, isSingleLine: false)
            return content.isEmpty
                ? [] : content.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        let children = text.children(of: box)
        let isLoose = children.contains { text.boxes[$0].marker >= 0 && isLooseItem($0) }
        var lines: [String] = []
        var previousKind = ""
        for child in children {
            var block =
                text.boxes[child].marker >= 0 ? itemLines(child, depth: depth) : blockLines(child, depth: depth + 1)
            guard !block.isEmpty else { continue }
            let kind = text.boxes[child].marker >= 0 ? "item" : isList(child) ? "list \(isOrderedList(child))" : "block"
            if !lines.isEmpty {
                if kind == "item" && previousKind == "item" {
                    if isLoose { lines.append("") }
                } else if kind.hasPrefix("list") && kind == previousKind {
                    // Two lists in a row would be read as one; a comment keeps them apart.
                    lines += ["", "<!-- -->", ""]
                } else if !(kind.hasPrefix("list") && depth > 0 && text.boxes[box].marker >= 0 && !isLooseItem(box)) {
                    lines.append("")
                }
            }
            lines += block
            block = []
            previousKind = kind
        }
        return lines
    }

    private func isList(_ box: Int) -> Bool {
        text.boxes[box].end > box + 1 && !text.boxes[box].holdsInlines && text.boxes[box + 1].marker >= 0
    }

    private func isOrderedList(_ box: Int) -> Bool {
        box + 1 < text.boxes[box].end && text.boxes[box + 1].marker >= 0
            && Self.ordinal(text.markers[text.boxes[box + 1].marker]) != nil
    }

    /// The number that CommonMark can write: up to nine digits (CommonMark §5.2). Readers count on from a list's first.
    private static func ordinal(_ marker: ListMarker) -> Int? {
        marker.number.flatMap { (0...999_999_999).contains($0) ? $0 : nil }
    }

    private func isLooseItem(_ box: Int) -> Bool {
        text.children(of: box).contains { name($0) == "p" }
    }

    private mutating func itemLines(_ box: Int, depth: Int) -> [String] {
        let marker = text.markers[text.boxes[box].marker]
        let bullet = Self.ordinal(marker).map { "\($0). " } ?? "- "
        let lines =
            name(box) == "li" || text.boxes[box].holdsInlines
            ? childLines(box, depth: depth + 1) : blockLines(box, depth: depth + 1)
        let indent = String(repeating: " ", count: bullet.utf8.count)
        guard let first = lines.first else { return [String(bullet.dropLast())] }
        return [bullet + first] + lines.dropFirst().map { $0.isEmpty ? "" : indent + $0 }
    }

    private func codeLines(_ box: Int) -> [String] {
        let range = text.boxes[box].text.clamped(to: 0..<text.text.count)
        var content = String(decoding: DisplayText.withoutControls(text.text[range]), as: UTF8.self)
        // What stands for pictures and controls is no code.
        content.unicodeScalars.removeAll { $0 == "\u{FFFC}" }
        if content.hasSuffix("\n") { content.removeLast() }
        var longest = 0
        var run = 0
        for byte in content.utf8 {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: max(3, longest + 1))
        return [fence + language(of: box)]
            + content.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) + [fence]
    }

    /// `language-x` of the `pre` or of the `code` in it, HTML's convention.
    private func language(of box: Int) -> String {
        guard let tree, tree.kind(text.boxes[box].element) == .element else { return "" }
        let element = text.boxes[box].element
        for node in [element] + (tree.firstChild(element).map { [$0] } ?? []) where tree.kind(node) == .element {
            let classes = tree.attribute(node, "class") ?? ""
            for name in classes.split(whereSeparator: \.isWhitespace) {
                for prefix in ["language-", "lang-"] where name.hasPrefix(prefix) {
                    let value = name.dropFirst(prefix.count)
                    if !value.contains("`") { return String(value) }
                }
            }
        }
        return ""
    }

    // MARK: Tables

    /// Columns in their logical order, whatever `direction` says; a slot that a cell above or before reaches into is empty.
    private mutating func tableLines(_ box: Int) -> [String] {
        let grid = text.tableGrid(box)
        var lines: [String] = []
        for caption in grid.captions { lines += [inlineText(caption, isSingleLine: true), ""] }
        let columns = grid.columns.count
        guard columns > 0, !grid.rows.isEmpty else { return lines }
        // The head is centred by default: the first cell below tells how a column is aligned.
        var alignments = [TextAlign?](repeating: nil, count: columns)
        for cell in grid.cells[grid.rows[0].cells.upperBound...] + grid.cells[grid.rows[0].cells]
        where alignments[cell.column] == nil {
            alignments[cell.column] = text.styles[text.boxes[cell.box].style].text.align
        }
        for (index, row) in grid.rows.enumerated() {
            var values: [String] = []
            for cell in grid.cells[row.cells] {
                values += repeatElement("", count: cell.column - values.count)
                values.append(inlineText(cell.box, isSingleLine: true, inTable: true))
            }
            // Only the head needs all columns; readers fill the other rows.
            let filled = index == 0 ? columns : min(columns, Self.filledColumns)
            values += repeatElement("", count: max(0, filled - values.count))
            lines.append("| " + values.joined(separator: " | ") + " |")
            if index == 0 { lines.append("|" + alignments.map(Self.delimiter).joined(separator: "|") + "|") }
        }
        return lines
    }

    /// A row of fewer cells than this and than the head's is filled with empty ones.
    private static let filledColumns = 100

    private static func delimiter(_ align: TextAlign?) -> String {
        switch align {
        case .left: ":---"
        case .center: ":---:"
        case .right, .end: "---:"
        case .start, .justify, .matchParent, nil: "---"
        }
    }

    /// A heading's trailing number signs would be taken for its closing sequence.
    private static func escapedHeadingEnd(_ content: String) -> String {
        guard content.hasSuffix("#") else { return content }
        return String(content.dropLast()) + "\\#"
    }
}

/// Text for files: control characters that no text format keeps.
enum DisplayText {
    static func withoutControls(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.filter { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x09 }
    }
}
