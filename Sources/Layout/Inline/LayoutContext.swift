// State that is kept from one document to the next.

import FancyTextMarkup
import FancyTextTypography

/// State that is kept from one document to the next: fonts with their caches, and buffers. One layout uses it at a time.
package final class LayoutContext {
    let metric: TextMetric
    let lineBreaks: LineBreakFinder
    var hyphenators: [String: Hyphenator?] = [:]
    /// The first element whose boxes were omitted because they are nested too deep; nil for none.
    package var leftOut: NodeID?
    var buffers = LayoutBuffers()

    /// Creates a context for pictures.
    package init(fonts: FontContext) { (metric, lineBreaks) = (.fonts(fonts), LineBreakFinder()) }
    /// Creates a context for terminals: a pixel is a cell in both directions.
    package init(cells: CellFont) { (metric, lineBreaks) = (.cells(cells), LineBreakFinder(keepsNames: true)) }

    /// The fonts of a context for pictures. A context for terminals has none.
    package var fonts: FontContext {
        guard case .fonts(let fonts) = metric else { preconditionFailure("a context of cells has no fonts") }
        return fonts
    }
}

/// Arrays filled by a layout; kept for their capacity.
struct LayoutBuffers {
    var flat: [FlatItem] = []
    var contents: [InlineContent] = []
    var inlineText: [UInt8] = []
    var breaks: [UInt8] = []
    var shaped = ShapedText()
    var contentOfBox: [Int] = []
    var inlineStyles: [InlineStyle] = []
    var knownStyles = InlineStyleMemory()

    /// Longer arrays are freed: a long document needs the memory for its glyphs and its painting.
    private static let mostKept = 1 << 14

    /// The entries of the latest documents remain in ``knownStyles``.
    mutating func removeAll() {
        Self.empty(&flat)
        Self.empty(&contents)
        Self.empty(&inlineText)
        Self.empty(&breaks)
        Self.empty(&shaped.runs)
        Self.empty(&contentOfBox)
        Self.empty(&inlineStyles)
    }

    private static func empty<Element>(_ array: inout [Element]) {
        if array.count > mostKept { array = [] } else { array.removeAll(keepingCapacity: true) }
    }
}
