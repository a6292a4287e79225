// Text of elements in addition to their contents: markers, rules, images, controls, tables.

import FancyTextBasics
import FancyTextMarkup

extension TextWriter {
    /// The maximum indent of a line in columns: deep lists stay readable, and text stays linear in its source.
    static let widestIndent = 40

    private static let widestRule = 64

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
        let columns = max(3, min(options.width ?? 40, Self.widestRule) - indent)
        writeOwn(String(repeating: "─", count: columns))
        requireBreaks(1)
    }

    /// Writes the text that represents an image or a lambda.
    mutating func writeAlternative(_ alternative: String, isBlock: Bool) {
        if isBlock { requireBreaks(1) }
        // An image without a description does not change the spaces beside it.
        if alternative.isEmpty {
            placeNothing()
        } else {
            write(word: alternative)
            noteAtom()
        }
        if isBlock { requireBreaks(1) }
    }

    /// Writes an element whose text is not that of its contents; false for others.
    mutating func writeElement(_ element: NodeID, of tree: MarkupTree, isBlock: Bool, isVisible: Bool) -> Bool {
        switch tree.tag(element) {
        case .br: if isVisible { forceBreak() }
        case .wbr, .embed: break
        case .hr: writeRule()
        case .input:
            if isBlock { requireBreaks(1) }
            if isVisible {
                if let label = ControlText.label(ofInput: element, in: tree) { write(word: label) }
                noteAtom()
            }
            if isBlock { requireBreaks(1) }
        case .textarea: if isBlock { requireBreaks(1) } else { placeAtom() }
        case .iframe, .video, .audio, .canvas: if isBlock { requireBreaks(1) } else { placeNothing() }
        default: return false
        }
        return true
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

package enum ControlText {
    /// The state of a check box or radio button.
    package static func mark(isRadio: Bool, isOn: Bool) -> Unicode.Scalar {
        isRadio ? (isOn ? "◉" : "○") : isOn ? "☑" : "☐"
    }

    /// The label of an `input`: a button's value, a picture's description; nil for fields, whose text can be edited.
    static func label(ofInput input: NodeID, in tree: MarkupTree) -> String? {
        switch tree.inputType(input) {
        case .submit, .reset, .button: tree.attribute(input, .value)
        case .image: tree.attribute(input, .alt)
        default: nil
        }
    }
}
