import FancyTextWriting
import Testing

@testable import FancyTextBasics
@testable import FancyTextGeneration
@testable import FancyTextMarkup
@testable import FancyTextOutputs
@testable import FancyTextStyling
@testable import FancyTextWriting

/// Resolves the styles that text depends on.
let textResolver = MarkupStyleResolver(options: StyleOptions()).forText

/// One set of options for each kind of text that can be read from the tree.
func textModes(wrappedAt width: Int, _ tables: TableStyle) -> [PlainTextOptions] {
    var wrapped = PlainTextOptions()
    wrapped.width = width
    wrapped.tables = tables
    var lines = PlainTextOptions()
    lines.tables = .none
    return [PlainTextOptions(), wrapped, lines]
}

/// Returns whether text read from the tree equals that of the boxes; if not, records an issue with the first difference.
func isSameText(_ read: String, _ whole: String, of name: String, _ options: PlainTextOptions) -> Bool {
    guard read != whole else { return true }
    let same = zip(read.unicodeScalars, whole.unicodeScalars).prefix { $0 == $1 }.count
    func around(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.dropFirst(max(0, same - 60)).prefix(160)))
            .debugDescription
    }
    Issue.record(
        """
        \(name.prefix(2500))
        tables \(options.tables), width \(options.width ?? 0)
        tree:  \(around(read))
        boxes: \(around(whole))
        """)
    return false
}

/// Returns whether text read from the tree equals that of the boxes; nil if it cannot be read by its styles.
func readsLikeBoxes(_ tree: MarkupTree, _ options: PlainTextOptions, _ name: String) -> Bool? {
    var log = DiagnosticLog()
    let opened = PlainText.opened(tree) ?? tree
    let styled = textResolver.resolve(opened, log: &log)
    let fast = styled.extractedText(options)
    guard PlainText.shown(styled, log: &log) == nil, let fast else { return nil }
    var own = DiagnosticLog()
    let boxes = BoxGenerator.generate(styled, limits: Limits(), log: &own)
    // Nested boxes beyond the limit give a message.
    guard own.entries.isEmpty else { return nil }
    let read = String(decoding: fast, as: UTF8.self)
    let whole = String(decoding: PlainTextWriter.text(of: boxes, styled, options: options), as: UTF8.self)
    return isSameText(read, whole, of: name, options)
}
