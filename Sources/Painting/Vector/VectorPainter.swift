// Paints display lists as shapes, text and pictures, for vector formats.
// Positions equal those of the pixel painter, which paints effects that vector formats lack (blurs, filters, masks, backdrops,
// conic gradients, colour glyphs): they become pictures, below which their text is kept invisibly.

import FancyTextBasics
import FancyTextTypography

/// Paints lists on a sink; keeps a canvas for parts that become pictures. One task owns it.
package struct VectorPainter {
    package struct Options: Sendable {
        /// Device pixels per CSS pixel; boxes snap to device pixels.
        package var scale: Float = 1
        /// Picture pixels per device pixel.
        package var density: Float = 2
        /// The part of the list to paint, in CSS pixels: one page.
        package var page: Rect?
        /// The budget of painting pictures. The caller checks afterwards whether it was exceeded.
        package var meter = BudgetMeter()
        package init() {}
    }

    /// The maximum number of pixels of one picture; a larger one is painted at a lower density.
    static let mostPixels: Float = 16_777_216
    /// The maximum number of copies of a tile; with more, the tiles become one picture.
    static let mostTiles = 4096

    private var painter = Painter()
    private let canvas = Bitmap()

    package init() {}

    /// Paints a list. Linear in its items, plus the cost of painting parts as pixels.
    package mutating func paint(
        _ list: DisplayList, fonts: FontContext, pictures: some PictureSource, options: Options,
        on sink: some VectorSink
    ) {
        let page = options.page ?? Rect(list.size)
        let scale = options.scale
        let area = Rect(x: page.x * scale, y: page.y * scale, width: page.width * scale, height: page.height * scale)
        let surface = VectorSurface(
            sink, area: area, isPart: options.page != nil, items: list.items.count, meter: options.meter)
        var walk = VectorWalk(
            painter: painter, canvas: canvas, surface: surface, fonts: fonts, pictures: pictures, options: options,
            sink: sink)
        if list.background.alpha > 0 { surface.fill(RoundedRect(rect: area), paint: Paint(list.background)) }
        let whole = Transform(scaleX: scale, scaleY: scale)
        for destination in list.destinations {
            let y = min(max(destination.place.y, 0), max(0, list.size.height - 1))
            guard page.y <= y, y < page.maxY else { continue }
            sink.place(destination, map: surface.whole.after(whole))
        }
        walk.draw(list, whole)
        painter = walk.painter
    }
}
