// Text of elements besides their contents: markers, rules, images, controls, tables.

import FancyTextBasics
import FancyTextMarkup

extension TextWriter {
    /// Columns that a line is set in at most.
    static let widestIndent = 200

    /// The number of columns by which a list indents contents other than items.
    static let listInset = 2

    /// A list marker for the next line; the lines after it are indented by its width.
    mutating func place(marker: String) {
        // A style sheet's string may hold anything.
        var bytes = options.keepsControls ? Array(marker.utf8) : SafeText.withoutControls(Array(marker.utf8))
        // A string of an author's own need not end in a space; marks of full width have room of their own.
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

    /// `<hr>`.
    mutating func writeRule() {
        requireBreaks(1)
        guard !options.isSpeech else { return }
        let columns = max(3, min(options.width ?? 40, Self.widestIndent) - indent)
        writeOwn(String(repeating: "─", count: columns))
        requireBreaks(1)
    }

    /// The text that stands for an image or a lambda.
    mutating func writeAlternative(_ alternative: String) {
        // An image without a description leaves the spaces around it as they are.
        guard !alternative.isEmpty else {
            placeNothing()
            return
        }
        write(word: alternative)
        noteAtom()
    }

    /// The text of a control: a button's label, an image's description.
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

    /// The lines of a table.
    ///
    /// - Parameter sourceSize: bytes of the source that the table takes: aligning it must not multiply them.
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
