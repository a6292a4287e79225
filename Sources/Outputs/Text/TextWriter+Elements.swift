// Text of elements in addition to their contents: markers, rules, images, controls, tables.

import FancyTextBasics
import FancyTextMarkup

extension TextWriter {
    /// The maximum indent of a line in columns.
    static let widestIndent = 200

    /// The number of columns by which a list indents contents other than items.
    static let listInset = 2

    /// A list marker for the next line; the lines after it are indented by its width.
    mutating func place(marker: String) {
        // A style sheet's string may contain anything.
        var bytes = options.keepsControls ? Array(marker.utf8) : SafeText.withoutControls(Array(marker.utf8))
        // A string of the author may not end in a space; full-width marks contain their own.
        if let last = marker.unicodeScalars.last, !last.properties.isWhitespace, DisplayWidth.cells(of: last.value) < 2
        {
            bytes.append(0x20)
        }
        place(marker: bytes, columns: DisplayWidth.cells(bytes))
    }

    mutating func place(marker bytes: [UInt8], columns: Int) {
        if marker.isEmpty {
            markerIndent = indent
            marker = bytes
        } else {
            marker += bytes
        }
        indent = min(indent + columns, Self.widestIndent)
    }

    /// Writes an `<hr>`.
    mutating func writeRule() {
        requireBreaks(1)
        guard !options.isSpeech else { return }
        let columns = max(3, min(options.width ?? 40, Self.widestIndent) - indent)
        writeOwn(String(repeating: "─", count: columns))
        requireBreaks(1)
    }

    /// Writes the text that represents an image or a lambda.
    mutating func writeAlternative(_ alternative: String) {
        // An image without a description does not change the spaces beside it.
        guard !alternative.isEmpty else {
            placeNothing()
            return
        }
        write(word: alternative)
        noteAtom()
    }

    /// Writes the text of a control: a button's label, an image's description.
    mutating func writeInput(_ input: NodeID, of tree: MarkupTree) {
        let label: String?
        switch tree.attribute(input, .type)?.lowercased() {
        case "submit", "reset", "button": label = tree.attribute(input, .value)
        case "image": label = tree.attribute(input, .alt)
        default: label = nil
        }
        if let label { write(word: label) }
        noteAtom()
    }

    /// Writes the lines of a table.
    ///
    /// - Parameter sourceSize: the size of the table's source in bytes, which limits the cost of alignment.
    mutating func writeTable(_ table: TableText, sourceSize: Int) {
        if keepsTables {
            if !table.isEmpty { keep(table) }
            return
        }
        let available = options.width.map { max(8, $0 - indent) }
        var isFirst = true
        table.writeLines(style: options.tables, width: available, budget: 8 * sourceSize + 65_536) { line in
            if !isFirst { forceBreak() }
            isFirst = false
            write(line: line)
        }
    }
}
