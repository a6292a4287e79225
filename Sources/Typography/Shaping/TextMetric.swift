// The interface of text for layout: the fonts of a picture, or the cells of a terminal. In: font styles and text. Out: metrics and
// glyphs, in CSS pixels or cells.

import FancyTextCSS

package enum TextMetric {
    case fonts(FontContext)
    case cells(CellFont)

    private var fonts: FontContext? { if case .fonts(let fonts) = self { fonts } else { nil } }

    /// True if clusters are in visual order. Terminals reorder text by themselves.
    package var reordersText: Bool { fonts != nil }

    package func intern(_ style: FontStyle) -> FontChainID { fonts?.intern(style) ?? FontChainID(rawValue: 0) }

    package func primaryFont(_ chain: FontChainID) -> FontID { fonts?.primaryFont(chain) ?? FontID(rawValue: 0) }

    package func metrics(_ font: FontID) -> FontMetrics { fonts?.metrics(font) ?? CellFont.metrics }

    package func hyphen(_ chain: FontChainID) -> String { fonts?.hyphen(chain) ?? "-" }

    package func addedWidth(atStartOf run: ShapedRun, _ glyph: ShapedGlyph) -> Float {
        fonts?.addedWidth(atStartOf: run, glyph) ?? 0
    }

    /// This font at another size; cells have only one.
    package func font(_ font: FontID, scaledBy scale: Float) -> FontID { fonts?.font(font, scaledBy: scale) ?? font }

    /// Shapes a paragraph; see ``FontContext/shape(_:paragraph:spans:levels:into:)``.
    package func shape(
        _ text: UTF8Bytes, paragraph: Range<Int>, spans: [ShapingSpan], levels: [BidiRun], into result: inout ShapedText
    ) {
        switch self {
        case .fonts(let fonts): fonts.shape(text, paragraph: paragraph, spans: spans, levels: levels, into: &result)
        case .cells(let font): font.shape(text, paragraph: paragraph, spans: spans, into: &result)
        }
    }

    /// Shapes a part of a run again for the edge of a line; in cells nothing depends on its neighbours.
    package func reshape(
        _ run: ShapedRun, range: Range<Int>, text: UTF8Bytes, paragraph: Range<Int>, line: Range<Int>,
        into result: inout ShapedText
    ) {
        fonts?.reshape(run, range: range, text: text, paragraph: paragraph, line: line, into: &result)
    }
}
