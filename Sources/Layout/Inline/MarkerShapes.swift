// The shapes of markers: disc, circle, square and disclosure triangles, sized by the font's ascent as in browsers.

import FancyTextStyling

/// The metrics of marker shapes in whole pixels, from the font's rounded ascent.
struct MarkerShapeMetrics {
    /// The distance of the left edge from the item's content edge.
    var offset: Int
    /// The distance of the top below the top of the font's ascent, and the side.
    var top, size: Int

    init(ascent: Int) {
        let twoThirds = ascent * 2 / 3
        offset = twoThirds + 8 + 1 - 1
        top = 3 * (ascent - twoThirds) / 2
        size = (twoThirds + 1) / 2
    }
}

extension InlineContents {
    /// The characters of the symbols in text.
    private static let symbols = [
        "disc": "\u{2022}", "circle": "\u{25E6}", "square": "\u{25AA}", "disclosure-open": "\u{25BE}",
        "disclosure-closed": "\u{25B8}",
    ]

    /// Makes a symbol inside its item as wide as in browsers. A bullet has its shape, a pixel beside it, and one em of space; a
    /// disclosure triangle has 0.66 em and 0.4 em of space.
    mutating func widenInsideMarker(_ content: InlineContent) {
        let style = text.styles[content.style].text
        guard style.listStyleInside, case .named(let name) = style.listStyleType, let bullet = Self.symbols[name],
            let item = content.items.first(where: { flat[$0].kind == .text }), flat[item].parent >= 0,
            text.styles[flat[Int(flat[item].parent)].style].box.unicodeBidi == .isolate, !flat[item].runs.isEmpty
        else { return }
        let bytes = inlineText[content.textStart + Int(flat[item].start)..<content.textStart + Int(flat[item].end)]
        guard bytes.elementsEqual(Array(bullet.utf8) + [0x20]) else { return }
        let info = inlineStyle(flat[item].style)
        let width =
            name.hasPrefix("disclosure")
            ? (LayoutUnit(info.fontSize.float * 0.66) + LayoutUnit(info.fontSize.float * 0.4)).float
            : Float(MarkerShapeMetrics(ascent: (info.text.ascent + info.drop).rounded).size + 1) + info.fontSize.float
        var advance: Float = 0
        var last: Int?
        for run in flat[item].runs {
            for glyph in shaped.runs[Int(run)].glyphs {
                advance += shaped.glyphs[glyph].advance
                last = glyph
            }
        }
        if let last { shaped.glyphs[last].advance += width - advance }
    }
}
