// The output side of text extraction: collapses white space, keeps required line breaks, indents and wraps lines.

import FancyTextBasics
import FancyTextGeneration
import FancyTextMarkup

struct TextWriter {
    /// The output until now, and the number of its bytes.
    var out: [UInt8] = []
    var position: Int { out.count }
    let options: PlainTextOptions
    /// The number of line breaks due before the next content.
    var breaks = 0
    var space = false
    /// True while the line contains only its prefix.
    var atLineStart = true
    /// The prefix of each line, as columns of white space.
    var indent = 0
    /// A list marker that the next line starts with, right-aligned into the indent.
    var marker: [UInt8] = [], markerIndent = 0
    private var endsInForcedBreak = false
    /// The number of open inline boxes without contents, which have no effect if they end empty.
    private var entering = 0
    /// The start and end of the last inline box with text.
    private var boxStart = -1, boxEnd = -1
    /// All open inline boxes, outermost first.
    private var openBoxes: [InlineBox] = []
    /// The space pending before the outermost box.
    private var outerSpace = false, outerAtLineStart = false
    /// The end of an atomic box: text before it does not belong to the line's text.
    var atomEnd = -1
    /// The end of a word that represents a picture or a control: a letter directly after it begins a new word.
    private var wordEnd = -1
    /// The start of the open link's text, and the end of the previous link's, as ``position``.
    private var linkStart = -1, linkEnd = -1
    /// True if the open link begins a word only because it is a link.
    private var linkBeginsWord = false
    /// True if the source contains U+0000, which is only decoded in whole trees.
    var hasNull = false
    /// The start of the current line in `out`, the start of its text, and whether it may be wrapped.
    private var lineStart = 0 { didSet { lines += 1 } }
    /// The number of lines until now.
    private var lines = 0
    private var lineText = 0, lineIndent = 0
    var mayWrap = true
    let keepsControls: Bool
    /// True if tables are kept separately, with ``TableText/placeholder`` for each.
    var keepsTables = false
    private(set) var tables: [TableText] = []
    private var wrapper: LineWrapper?

    /// - Parameter expected: the approximate length of the text.
    init(_ options: PlainTextOptions, expected: Int = 0) {
        out.reserveCapacity(expected)
        self.options = options
        keepsControls = options.keepsControls
    }

    init(cellsOf options: PlainTextOptions, keepsTables: Bool) {
        var options = options
        options.width = nil
        self.init(options)
        self.keepsTables = keepsTables
    }

    // MARK: Breaks

    private struct InlineBox: BitwiseCopyable {
        /// True for a control: a button's label is not part of adjacent words.
        var isControl = false
        /// The start of its text; negative while it has no text.
        var start = -1
        /// True if it has more than one line.
        var isBroken = false
    }

    /// Puts an inline box that continues on another line on its own lines.
    private mutating func breakBoxes() {
        guard !options.isSpeech else { return }
        var start = -1
        for index in openBoxes.indices where openBoxes[index].start >= 0 && !openBoxes[index].isBroken {
            if start < 0 { start = openBoxes[index].start }
            openBoxes[index].isBroken = true
        }
        guard start > lineText else { return }
        let tail = Array(out[start...])
        out.removeSubrange(start...)
        while out.count > lineText, out.last == 0x20 { out.removeLast() }
        endLine()
        out.append(0x0A)
        lineStart = out.count
        fill(0x20, lineIndent)
        lineText = out.count
        out += tail
        (boxStart, boxEnd, atomEnd, wordEnd) = (-1, -1, -1, -1)
    }

    /// Requires at least this many line breaks before the next content.
    mutating func requireBreaks(_ count: Int) {
        space = false
        if !out.isEmpty, entering == 0 {
            // A forced break at the end of a block shows no empty line; an empty line also counts as a margin.
            let present = endsInForcedBreak ? (out.suffix(2).elementsEqual([0x0A, 0x0A]) ? 2 : 1) : 0
            breaks = max(breaks, count &- present)
        }
        atLineStart = true
    }

    /// Adds a line break that does not merge with others: `<br>`, or a newline of preformatted text.
    mutating func forceBreak() {
        space = false
        if breaks > 0 || !marker.isEmpty || entering > 0 { begin() }
        if !openBoxes.isEmpty { breakBoxes() }
        endLine()
        if options.isSpeech { speakBreak() } else { out.append(0x0A) }
        startLine()
        (lineIndent, atLineStart, endsInForcedBreak) = (indent, true, true)
    }

    private mutating func startLine() {
        lineStart = out.count
        lineText = out.count
        mayWrap = true
    }

    /// Adds a full stop to a sentence that a break ends without punctuation.
    private mutating func speakBreak() {
        while out.last == 0x20 { out.removeLast() }
        guard let last = String(decoding: out.suffix(3), as: UTF8.self).unicodeScalars.last else { return }
        if !"\n.!?:;,。！？…".unicodeScalars.contains(last) { out.append(0x2E) }
        if last != "\n" { out.append(0x20) }
    }

    /// Writes the breaks, the space and the prefix that are due before content.
    mutating func begin() {
        if breaks > 0 || atLineStart {
            beginLine()
        } else if space {
            out.append(0x20)
            (space, endsInForcedBreak) = (false, false)
        }
    }

    private mutating func beginLine() {
        if breaks > 0 {
            if !openBoxes.isEmpty { breakBoxes() }
            endLine()
            if options.isSpeech { speakBreak() } else { fill(0x0A, breaks) }
            breaks = 0
            startLine()
        }
        if entering > 0 {
            beginInside()
        } else {
            space = false
            writePrefix()
        }
        (atLineStart, endsInForcedBreak) = (false, false)
    }

    /// Writes pending spaces, and a marker that the boxes begin with, before the first content of inline boxes.
    private mutating func beginInside() {
        let begun = openBoxes.count - entering..<openBoxes.count
        entering = 0
        defer { boxStart = out.count }
        if outerAtLineStart {
            writePrefix()
            for index in begun { openBoxes[index].start = out.count }
            return
        }
        let isControl = openBoxes[begun].contains { $0.isControl }
        if outerSpace || followsBox || isControl && !endsInOpening { out.append(0x20) }
        for index in begun { openBoxes[index].start = out.count }
        space = false
        if !options.isSpeech { out += marker }
        marker = []
    }

    /// Returns whether a box with a word ends here: adjacent boxes are two words, unless they are single letters of one.
    private var followsBox: Bool {
        boxEnd == out.count && boxStart >= 0 && out[boxStart..<boxEnd].count { $0 & 0xC0 != 0x80 } > 1
    }

    private mutating func fill(_ byte: UInt8, _ count: Int) { out += repeatElement(byte, count: count) }

    private mutating func writePrefix() {
        guard !options.isSpeech else { return }
        lineIndent = indent
        fill(0x20, marker.isEmpty ? indent : markerIndent)
        out += marker
        marker = []
        lineText = out.count
    }

    /// The line of the next content.
    var nextLine: Int { breaks > 0 ? lines + 1 : lines }

    /// Separates a cell of a layout table from its row, which began in a line: by a space, or after several lines by a break.
    mutating func separateCell(ofRowFrom line: Int) {
        if lines > line, !options.isSpeech { requireBreaks(1) } else { space = true }
    }

    /// Marks a control without text: it separates words.
    mutating func placeAtom() {
        if !atLineStart, breaks == 0 { space = true }
        atomEnd = out.count
    }

    /// Begins an inline block: leading white space collapses.
    mutating func beginInlineBlock(isControl: Bool = false) {
        if entering == 0 {
            (outerSpace, outerAtLineStart) = (space, atLineStart)
            (space, atLineStart) = (false, true)
        }
        entering += 1
        openBoxes.append(InlineBox(isControl: isControl))
    }

    mutating func endInlineBlock() {
        let box = openBoxes.popLast() ?? InlineBox()
        if entering > 0 {
            entering -= 1
            if entering == 0 { (space, atLineStart) = (outerSpace, outerAtLineStart) }
            return
        }
        if box.isBroken { return requireBreaks(1) }
        (space, breaks, atLineStart) = (false, 0, false)
        (atomEnd, boxEnd) = (out.count, out.count)
        if box.isControl, endsInLetter { wordEnd = out.count }
    }

    /// Writes a separate word without spaces in the source; a single character may be a letter of a word.
    mutating func write(word: String) {
        let isWord = word.utf8.count > 1
        if isWord, let first = word.utf8.first { separate(from: first) }
        write(own: word)
        if isWord, endsInLetter { wordEnd = out.count }
    }

    /// Begins a link: directly after another link it is a separate word.
    mutating func beginLink() {
        linkStart = position
        linkBeginsWord = linkStart == linkEnd && wordEnd != out.count && endsInLetter
        if linkBeginsWord { wordEnd = out.count }
    }

    /// Ends a link; a single letter may be part of a word that continues in the next link.
    mutating func endLink() {
        if position == linkStart {
            if linkBeginsWord { wordEnd = -1 }
        } else if out.count > 1, position - linkStart > 1, out[out.count - 2] != 0x20, out[out.count - 2] != 0x0A {
            linkEnd = position
        }
    }

    var followsWord: Bool { out.count == wordEnd }

    /// Writes a space before a byte that would continue the word before it.
    mutating func separate(from byte: UInt8) {
        let continues = !space && breaks == 0 && !atLineStart && entering == 0 && endsInLetter
        if continues, byte.isASCIIAlphanumeric { out.append(0x20) }
    }

    /// True after a space, an opening bracket, or at the start.
    private var endsInOpening: Bool { [0x20, 0x0A, 0x28, 0x5B, 0x7B, nil].contains(out.last) }

    private var endsInLetter: Bool { out.last?.isASCIIAlphanumeric == true }

    /// Marks content without text, across which spaces do not collapse.
    mutating func placeNothing() {
        space = space && !atLineStart
        atomEnd = out.count
    }

    /// Removes trailing spaces from the line and wraps it.
    private mutating func endLine() {
        guard let width = options.width, mayWrap, !options.isSpeech, out.count > lineStart,
            DisplayWidth.cells(out[lineStart...]) > width
        else { return }
        let line = Array(out[lineStart...])
        let wrapper = wrapper ?? LineWrapper()
        self.wrapper = wrapper
        let indent = min(lineIndent, width / 2)
        out.removeSubrange(lineStart...)
        line.withUnsafeBufferPointer { line in
            var isFirst = true
            wrapper.wrap(line, width: max(1, width), indent: indent) { piece, isHyphenated in
                if !isFirst {
                    out.append(0x0A)
                    fill(0x20, indent)
                }
                isFirst = false
                out.append(contentsOf: piece)
                if isHyphenated { out.append(0x2D) }
            }
        }
    }

    /// The text; the writer is at its end.
    mutating func finish() -> [UInt8] {
        endLine()
        return out
    }

    // MARK: Elements

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

    /// Writes the text that represents an image or a lambda.
    mutating func writeAlternative(_ alternative: String, isBlock: Bool) {
        if isBlock { requireBreaks(1) }
        // An image without a description does not change the spaces beside it.
        if alternative.isEmpty {
            placeNothing()
        } else {
            write(word: alternative)
            atomEnd = out.count
        }
        if isBlock { requireBreaks(1) }
    }

    /// Writes an element whose text is not that of its contents; false for others.
    mutating func writeElement(_ element: NodeID, of tree: MarkupTree, isBlock: Bool, isVisible: Bool) -> Bool {
        switch tree.tag(element) {
        case .br: if isVisible { forceBreak() }
        case .wbr, .embed: break
        case .hr:
            requireBreaks(1)
            if options.isSpeech { break }
            writeOwn(String(repeating: "─", count: max(3, min(options.width ?? 40, Self.widestRule) - indent)))
            requireBreaks(1)
        case .input, .progress, .meter:
            if isBlock { requireBreaks(1) }
            if isVisible {
                if let label = ControlText.label(of: element, in: tree) { write(word: label) }
                atomEnd = out.count
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
            if table.isEmpty { return }
            begin()
            out.append(TableText.placeholder)
            return tables.append(table)
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

    /// The full part of a gauge, from 0 to 1, as text.
    package static func percentage(_ share: Float) -> String { "\(Int(bounded: (share * 100).rounded()))%" }

    /// The label of an `input`, `progress` or `meter`: a button's value, a picture's description, the state of a box that cannot be
    /// changed, as in task lists, a gauge's percentage; nil for fields, whose content can be edited.
    static func label(of input: NodeID, in tree: MarkupTree) -> String? {
        guard tree.tag(input) == .input else { return BoxGenerator.share(ofGauge: input, in: tree).map(percentage) }
        let type = tree.inputType(input)
        return switch type {
        case .submit, .reset, .button: tree.attribute(input, .value)
        case .image: tree.attribute(input, .alt)
        case .checkbox, .radio:
            tree.hasAttribute(input, "disabled")
                ? String(mark(isRadio: type == .radio, isOn: tree.hasAttribute(input, "checked"))) : nil
        default: nil
        }
    }
}
