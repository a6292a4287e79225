// Styled text built by hand, for tests of the writers that read it.

@testable import FancyTextBasics
@testable import FancyTextBoxes
@testable import FancyTextCSS
@testable import FancyTextGeneration
@testable import FancyTextMarkup
@testable import FancyTextOutputs
@testable import FancyTextStyling
@testable import FancyTextWriting

/// Builds boxes in preorder; `block` nests by closures.
struct StyledTextBuilder {
    var text: BoxTree

    init() {
        text = BoxTree(
            styles: StyleTable(root: ComputedStyle(font: FontStyle(), text: TextStyle(), box: BoxStyle())))
        text.boxes.append(StyledBox(kind: .block, style: .root, element: NodeID(0), parent: -1))
    }

    mutating func style(_ edit: (inout FontStyle, inout TextStyle, inout BoxStyle) -> Void) -> StyleID {
        var (font, text, box) = (FontStyle(), TextStyle(), BoxStyle())
        edit(&font, &text, &box)
        return self.text.styles.append(ComputedStyle(font: font, text: text, box: box))
    }

    /// Adds a box with the contents that `body` adds.
    mutating func box(
        _ kind: StyledBox.Kind = .block, _ style: StyleID = .root, marker: String? = nil, parent: Int = 0,
        _ body: (inout StyledTextBuilder, Int) -> Void
    ) {
        var box = StyledBox(kind: kind, style: style, element: NodeID(0), parent: parent, isAnonymous: style == .root)
        if let marker {
            box.marker = text.markers.count
            text.markers.append(ListMarker(text: marker, number: Int(marker.prefix { $0.isNumber }), style: .root))
        }
        let index = text.boxes.count
        text.boxes.append(box)
        let start = text.text.count
        body(&self, index)
        text.boxes[index].end = text.boxes.count
        text.boxes[index].text = start..<text.text.count
        if kind == .table { text.formTable(index) }
        text.boxes[0].end = text.boxes.count
        text.boxes[0].text = 0..<text.text.count
    }

    /// Adds a table of one row group, whose rows `body` adds.
    mutating func table(_ body: (inout StyledTextBuilder, Int) -> Void) {
        box(.table) { doc, table in doc.box(.tableRowGroup, parent: table, body) }
    }

    /// Adds a block of inline text; each part is a string and its style.
    mutating func paragraph(
        _ parts: [(String, StyleID)], _ kind: StyledBox.Kind = .block, style: StyleID = .root, marker: String? = nil,
        parent: Int = 0
    ) {
        box(kind, style, marker: marker, parent: parent) { builder, index in
            builder.text.boxes[index].holdsInlines = true
            let first = builder.text.items.count
            for (string, style) in parts {
                let start = builder.text.text.count
                builder.text.text += Array(string.utf8)
                builder.text.runs.append(
                    StyledRun(range: start..<builder.text.text.count, style: style, element: NodeID(0)))
                builder.text.items.append(.text(run: builder.text.runs.count - 1))
            }
            builder.text.boxes[index].items = first..<builder.text.items.count
        }
        text.text.append(0x0A)
        text.boxes[0].text = 0..<text.text.count
    }

    func ansi(width: Int = 40, colors: TerminalColors = .plain, _ edit: (inout ANSIOptions) -> Void = { _ in })
        -> String
    {
        var options = ANSIOptions()
        options.width = width
        options.colors = colors
        options.background = .color(.black)
        edit(&options)
        var log = DiagnosticLog()
        var context = TerminalWriter.Context()
        var writer = TerminalWriter(text, tree: nil, options: options)
        let bytes = writer.write(&context, log: &log)
        return String(decoding: bytes, as: UTF8.self).map { $0 == "\u{1B}" ? "␛" : String($0) }.joined()
    }

    func markdown() -> String {
        var writer = MarkdownWriter(text, tree: nil)
        var log = DiagnosticLog()
        return String(decoding: writer.write(log: &log), as: UTF8.self)
    }
}
