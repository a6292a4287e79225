// A display list cut into bands of rows: each band is painted from what reaches into it.

import TextLayout
import TextShaping

/// The items of a list by the rows that they can reach.
package struct DisplayBands {
    private let list: DisplayList
    /// Device rows that each item may touch; for shapes, which clipping makes cheap, all.
    private let extents: [Range<Int>]
    private static let everywhere = Int.min..<Int.max

    /// Looks at every glyph once.
    package init(_ list: DisplayList, fonts: some GlyphSource, scale: Float) {
        self.list = list
        extents = list.items.map { item in
            guard case .glyphs(let glyphs) = item else { return Self.everywhere }
            return Self.extent(of: glyphs, list.glyphs, fonts, scale)
        }
    }

    /// What has to be painted for some rows, in the list's order.
    package func list(for rows: Range<Int>) -> DisplayList {
        var part = list
        part.items = zip(list.items, extents).compactMap { $1.overlaps(rows) ? $0 : nil }
        return part
    }

    private static func extent(
        of item: GlyphsItem, _ all: [PositionedGlyph], _ fonts: some GlyphSource, _ scale: Float
    ) -> Range<Int> {
        var (top, bottom) = (Int.max, Int.min)
        for glyph in all[item.glyphs.clamped(to: 0..<all.count)] {
            let place = Painter.snapped(Point(x: glyph.x * scale, y: glyph.y * scale))
            guard
                let picture = fonts.picture(
                    font: item.font, glyph: glyph.id, subpixel: place.subpixel, scale: scale, skew: item.skew,
                    stretch: item.stretch)
            else { return everywhere }
            let area = picture.area(at: place)
            top = min(top, area.minY)
            bottom = max(bottom, area.maxY)
        }
        guard top <= bottom else { return 0..<0 }
        for shadow in item.shadows {
            let shift = pixelInt((shadow.y * scale).rounded(.awayFromZero))
            top = min(top, top + shift - 1)
            bottom = max(bottom, bottom + shift + 1)
        }
        return top..<bottom
    }
}
