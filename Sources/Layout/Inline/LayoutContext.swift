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

    /// The entries of the latest documents remain in ``knownStyles``.
    mutating func removeAll() {
        flat.removeAll(keepingCapacity: true)
        contents.removeAll(keepingCapacity: true)
        inlineText.removeAll(keepingCapacity: true)
        breaks.removeAll(keepingCapacity: true)
        shaped.runs.removeAll(keepingCapacity: true)
        contentOfBox.removeAll(keepingCapacity: true)
        inlineStyles.removeAll(keepingCapacity: true)
    }
}
