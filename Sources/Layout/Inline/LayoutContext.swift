// The context that callers pass to layout: fonts, hyphenators and line breaks, kept from one document to the next.

import FancyTextMarkup
import FancyTextTypography

/// State that is kept from one document to the next: fonts with their caches. One layout uses it at a time.
package final class LayoutContext {
    let metric: TextMetric
    let lineBreaks: LineBreakFinder
    /// The hyphenators by language; nil if there are no patterns.
    var hyphenators: [String: Hyphenator?] = [:]
    /// The first element whose boxes were omitted because they are nested too deep; nil for none.
    package var leftOut: NodeID?

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
