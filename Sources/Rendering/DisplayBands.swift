// A display list cut into bands of rows: each band is painted from what reaches into it.

import TextLayout
import TextShaping

/// The items of a list by the rows that they can reach.
package struct DisplayBands {
    private let list: DisplayList
    /// The list's items, long runs of glyphs in parts.
    private var items: [DisplayItem] = []
    /// Device rows that each item may touch; for shapes, which clipping makes cheap, all.
    private var extents: [Range<Int>] = []
    private static let everywhere = Int.min..<Int.max
    /// Rows after which a run of glyphs goes on in another part.
    private static let partHeight = 64

    /// Looks at every glyph once.
    package init(_ list: DisplayList, fonts: some GlyphSource, scale: Float) {
        self.list = list
        for item in list.items {
            if case .glyphs(let glyphs) = item {
                append(glyphs, fonts, scale)
            } else {
                items.append(item)
                extents.append(Self.everywhere)
            }
        }
    }

    /// What has to be painted for some rows, in the list's order.
    package func list(for rows: Range<Int>) -> DisplayList {
        var part = list
        part.items = zip(items, extents).compactMap { $1.overlaps(rows) ? $0 : nil }
        return part
    }

    private mutating func append(_ item: GlyphsItem, _ fonts: some GlyphSource, _ scale: Float) {
        let range = item.glyphs.clamped(to: 0..<list.glyphs.count)
        var part = item
        var start = range.lowerBound
        var extent: Range<Int>?
        func close(at end: Int) {
            guard start < end else { return }
            part.glyphs = start..<end
            items.append(.glyphs(part))
            extents.append(Self.withShadows(extent ?? 0..<0, item, scale))
            start = end
            extent = nil
        }
        for index in range {
            let glyph = list.glyphs[index]
            let place = Painter.snapped(Point(x: glyph.x * scale, y: glyph.y * scale))
            let picture = fonts.picture(
                font: item.font, glyph: glyph.id, subpixel: place.subpixel, scale: scale, skew: item.skew,
                stretch: item.stretch)
            let area = picture?.area(at: place)
            // Without a picture it has no ink, as a space, or is an outline that may reach anywhere.
            if area == nil, fonts.outline(font: item.font, glyph: glyph.id).isEmpty { continue }
            let rows = area.map { $0.minY..<max($0.minY, $0.maxY) } ?? Self.everywhere
            let union = extent.map { min($0.lowerBound, rows.lowerBound)..<max($0.upperBound, rows.upperBound) } ?? rows
            // Shadows lie below all glyphs of their run, so such a run stays whole.
            if let reached = extent, item.shadows.isEmpty,
                Self.height(union) > max(Self.partHeight, Self.height(reached))
            {
                close(at: index)
                extent = rows
            } else {
                extent = union
            }
        }
        close(at: range.upperBound)
    }

    private static func height(_ rows: Range<Int>) -> Int {
        rows == everywhere ? .max : rows.upperBound - rows.lowerBound
    }

    private static func withShadows(_ rows: Range<Int>, _ item: GlyphsItem, _ scale: Float) -> Range<Int> {
        guard rows != everywhere else { return rows }
        var (top, bottom) = (rows.lowerBound, rows.upperBound)
        for shadow in item.shadows {
            let shift = pixelInt((shadow.y * scale).rounded(.awayFromZero))
            top = min(top, rows.lowerBound + shift - 1)
            bottom = max(bottom, rows.upperBound + shift + 1)
        }
        return top..<bottom
    }
}
