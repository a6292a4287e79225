// Styled texts built by hand, without the cascade and box generation.

@testable import FancyTextBasics
@testable import FancyTextBoxes
@testable import FancyTextCSS
@testable import FancyTextLayout
@testable import FancyTextMarkup
@testable import FancyTextTypography

/// Builds a BoxTree box by box.
struct DocumentBuilder {
    var text: BoxTree
    private var open: [Int] = []

    init(_ configure: (inout FontStyle, inout TextStyle, inout BoxStyle) -> Void = { _, _, _ in }) {
        var font = FontStyle()
        font.families = [.named("Inter")]
        var textStyle = TextStyle()
        var box = BoxStyle()
        box.display = .block
        configure(&font, &textStyle, &box)
        text = BoxTree(styles: StyleTable(root: ComputedStyle(font: font, text: textStyle, box: box)))
        begin(.block, style: .root)
    }

    /// A style that inherits from `parent`, with the box's properties initial.
    mutating func style(
        from parent: StyleID = .root, display: Display = .block,
        _ configure: (inout FontStyle, inout TextStyle, inout BoxStyle) -> Void = { _, _, _ in }
    ) -> StyleID {
        var font = text.styles[parent].font
        var textStyle = text.styles[parent].text
        var box = BoxStyle()
        box.display = display
        configure(&font, &textStyle, &box)
        return text.styles.append(ComputedStyle(font: font, text: textStyle, box: box))
    }

    @discardableResult
    mutating func begin(_ kind: StyledBox.Kind, style: StyleID) -> Int {
        let box = StyledBox(kind: kind, style: style, element: NodeID(text.boxes.count), parent: open.last ?? -1)
        text.boxes.append(box)
        open.append(text.boxes.count - 1)
        return text.boxes.count - 1
    }

    mutating func end() {
        let box = open.removeLast()
        text.boxes[box].end = text.boxes.count
        if text.boxes[box].kind == .table { text.formTable(box) }
    }

    /// Adds a block with the contents that `contents` adds.
    mutating func block(_ kind: StyledBox.Kind = .block, style: StyleID, _ contents: (inout DocumentBuilder) -> Void) {
        begin(kind, style: style)
        contents(&self)
        end()
    }

    /// A block of one text.
    mutating func paragraph(_ string: String, style: StyleID, kind: StyledBox.Kind = .block) {
        block(kind, style: style) { $0.inlines { $0.run(string, style: style) } }
    }

    /// Adds inline items, which `contents` adds, to the innermost open box.
    mutating func inlines(_ contents: (inout DocumentBuilder) -> Void) {
        let box = open[open.count - 1]
        if !text.text.isEmpty {
            text.text.append(0x0A)
            text.runs.append(
                StyledRun(
                    range: text.text.count - 1..<text.text.count, style: .root, element: NodeID(0), isGenerated: true))
        }
        let start = text.text.count
        let pendingBefore = pending
        pending = []
        contents(&self)
        let first = text.items.count
        text.items.append(contentsOf: pending)
        pending = pendingBefore
        text.boxes[box].holdsInlines = true
        text.boxes[box].items = first..<text.items.count
        text.boxes[box].text = start..<text.text.count
    }
    private var pending: [InlineItem] = []

    mutating func run(_ string: String, style: StyleID) {
        let start = text.text.count
        text.text.append(contentsOf: string.utf8)
        text.runs.append(StyledRun(range: start..<text.text.count, style: style, element: NodeID(0)))
        pending.append(.text(run: text.runs.count - 1))
    }

    mutating func span(style: StyleID, _ contents: (inout DocumentBuilder) -> Void) {
        pending.append(.open(style: style, element: NodeID(1)))
        contents(&self)
        pending.append(.close)
    }

    mutating func float(style: StyleID, _ contents: (inout DocumentBuilder) -> Void) {
        let item = pending.count
        pending.append(.float(box: text.boxes.count))
        _ = item
        block(style: style, contents)
    }

    mutating func atomic(style: StyleID, _ contents: (inout DocumentBuilder) -> Void) {
        let offset = text.text.count
        text.text.append(contentsOf: [0xEF, 0xBF, 0xBC])
        text.runs.append(StyledRun(range: offset..<offset + 3, style: style, element: NodeID(0)))
        pending.append(.atomic(box: text.boxes.count, offset: offset))
        block(style: style, contents)
    }

    mutating func finish() -> BoxTree {
        while !open.isEmpty { end() }
        return text
    }
}

/// A context with the embedded fonts only.
func makeContext() throws -> LayoutContext {
    var configuration = FontOptions()
    configuration.usesSystemFonts = false
    return LayoutContext(fonts: try FontContext(configuration: configuration))
}

func layOut(_ text: BoxTree, width: Float?, _ configure: (inout LayoutOptions) -> Void = { _ in }) throws
    -> LayoutTree
{
    var context = try makeContext()
    var options = LayoutOptions()
    options.width = width
    configure(&options)
    return layout(text, options: options, context: &context)
}

/// Places of the boxes by number, those of `kinds` only.
func places(_ tree: LayoutTree, kinds: Set<BoxFragment.Kind> = [.block]) -> [Rect] {
    tree.boxes.filter { kinds.contains($0.kind) }.map(\.rect.rect)
}
