// Paints display lists as shapes, text and pictures, for vector formats.
// Positions equal those of the pixel painter, which paints effects that vector formats lack (blurs, filters, masks, backdrops,
// conic gradients, colour glyphs): they become pictures, below which their text is kept invisibly.

import FancyTextBasics
import FancyTextCSS
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
        /// True if sinks that can draw SVG files as shapes do so.
        package var drawsVectorFiles = true
        /// The budget of painting pictures. The caller checks afterwards whether it was exceeded.
        package var meter = BudgetMeter()
        /// The part of the budget that pictures of this page do not use up.
        package var freePixels = 0
        package init() {}
    }

    /// The maximum number of pixels of one picture; a larger one is painted at a lower density.
    static let mostPixels: Float = 16_777_216
    /// The maximum number of copies of a tile; with more, the tiles become one picture.
    static let mostTiles = 4096

    private var painter = Painter()
    private let canvas = Bitmap()

    package init() {}

    /// Paints a list. Linear in its items, plus the cost of painting parts as pixels. Returns what is left of the free pixels.
    @discardableResult package mutating func paint(
        _ list: DisplayList, fonts: FontContext, pictures: some PictureSource, options: Options,
        on sink: some VectorSink
    ) -> Int {
        let page = options.page ?? Rect(list.size)
        let scale = options.scale
        let area = Rect(x: page.x * scale, y: page.y * scale, width: page.width * scale, height: page.height * scale)
        let surface = VectorSurface(
            sink, area: area, isPart: options.page != nil, items: list.items.count, meter: options.meter)
        surface.freePixels = options.freePixels
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
        return surface.freePixels
    }
}

/// The walk over a display list that writes it to a vector file.
struct VectorWalk<Sink: VectorSink, Pictures: PictureSource> {
    var painter: Painter
    let canvas: Bitmap
    let surface: VectorSurface
    let fonts: FontContext
    let pictures: Pictures
    let options: VectorPainter.Options
    let sink: Sink
    /// The lambdas whose drawing is painted, outermost first: parts of the document of which the drawing shows everything.
    var lambdas: [DocumentPart] = []

    mutating func draw(_ list: DisplayList, _ transform: Transform) {
        var transforms: [Transform] = []
        var transform = transform
        var links = list.links[...]
        var position = 0
        func place(_ link: DisplayLink) {
            guard surface.affordsItem() else { return }
            let map = surface.whole.after(transform)
            // Each page has the links that are on it.
            let page = options.page.map { ($0.y * options.scale, $0.maxY * options.scale) }
            let boxes = link.boxes.filter { box in
                let place = map.bounds(of: box)
                return page.map { top, bottom in place.maxY > top && place.y < bottom } ?? true
            }
            if !boxes.isEmpty { sink.link(link, boxes: boxes, map: map) }
        }
        while position < list.items.count, surface.affordsItem() {
            let index = position
            position += 1
            while let link = links.first, link.item <= index { place(links.removeFirst()) }
            let item = list.items[index]
            if item.nesting > 0 { transforms.append(transform) }
            switch item {
            case .fill(let shape, let fill):
                self.fill(Path(shape.transformed(transform).pixelSnapped), item, fill, list, transform)
            case .path(let path, let fill): self.fill(path.transformed(transform), item, fill, list, transform)
            case .strokePath(let path, let color, let width):
                let outline = Stroker.stroke(path, transform, width: width * transform.scaleX)
                if surface.affords(outline) { sink.fill(outline, isEvenOdd: false, with: .color(color)) }
            case .boxShadow(let box, let shadow):
                guard shadow.color.alpha > 0, !box.rect.isEmpty else { continue }
                draw(shadow, of: box.transformed(transform).pixelSnapped, scale: transform.scaleX, list)
            case .border(let border): BorderPainter.paint(border, transform, surface)
            case .glyphs(let run): drawGlyphs(run, list, transform)
            case .decoration(let line): draw(line, list, transform)
            case .image(let image): drawImage(image, list, transform)
            case .pushClip(let shape): surface.pushClip(shape.transformed(transform).pixelSnapped)
            case .pushClipPath(let path, let isEvenOdd):
                surface.pushClip(path.transformed(transform), isInverse: false, isEvenOdd: isEvenOdd)
            case .pushTransform(let inner): surface.pushTransform(Painter.deviceTransform(inner, transform))
            case .pushLayer(let layer):
                let end = Self.end(ofGroup: index, in: list.items)
                if Self.needsPixels(list.items[index..<end], layer) {
                    transforms.removeLast()
                    picture(ofLayer: layer, list.items[index..<end], list, transform)
                    position = max(position, end)
                } else {
                    surface.pushLayer(opacity: layer.opacity, composite: layer.composite)
                }
            case .backdrop(let shape, let filters, _): backdrop(shape, filters, at: index, list, transform)
            case .pop:
                transform = transforms.popLast() ?? transform
                surface.pop()
            case .cells: break
            }
        }
        for _ in transforms { surface.pop() }
        for link in links { place(link) }
    }

    private static func end(ofGroup start: Int, in items: [DisplayItem]) -> Int {
        var depth = 0
        for index in start..<items.count {
            depth += items[index].nesting
            if depth == 0, items[index].nesting < 0 { return index + 1 }
        }
        return items.count
    }

    /// Returns whether a layer has to be painted as pixels: filters and masks act on pixels.
    private static func needsPixels(_ group: ArraySlice<DisplayItem>, _ layer: LayerItem) -> Bool {
        func isBlended(_ layer: LayerItem) -> Bool { if case .blend = layer.composite { true } else { false } }
        if !layer.filters.isEmpty || layer.isLuminanceMask || !isBlended(layer) { return true }
        var depth = 0
        for item in group {
            if depth == 1, case .pushLayer(let inner) = item, !isBlended(inner) { return true }
            depth += item.nesting
        }
        return false
    }

    private mutating func fill(
        _ path: Path, _ item: DisplayItem, _ fill: Fill, _ list: DisplayList, _ transform: Transform
    ) {
        guard let bounds = path.bounds(), surface.affords(path, within: bounds) else { return }
        if case .tiles(let gradient, let box, let step) = fill {
            let tiles = Self.tiles(
                RoundedRect(rect: box).transformed(transform).rect, bounds,
                Size(width: step.width * transform.scaleX, height: step.height * transform.scaleY))
            guard tiles.count <= VectorPainter.mostTiles else { return picture(of: [item], list, transform) }
            let paints = tiles.map(\.pixelSnapped).compactMap { tile in
                GradientShader(gradient, box: tile, scale: transform.scaleX).vector().map { (tile, $0) }
            }
            guard paints.count == tiles.count else { return picture(of: [item], list, transform) }
            surface.pushClip(path)
            for (tile, paint) in paints {
                let path = Path(RoundedRect(rect: tile))
                if surface.affords(path) { sink.fill(path, isEvenOdd: false, with: .gradient(paint)) }
            }
            surface.pop()
        } else if let paint = paint(fill, transform) {
            sink.fill(path, isEvenOdd: false, with: paint)
        } else {
            picture(of: [item], list, transform)
        }
    }

    /// The paint of a vector format; `nil` for a fill that vector formats cannot express.
    private func paint(_ fill: Fill, _ transform: Transform) -> VectorPaint? {
        switch fill {
        case .color(let color): return .color(color)
        case .gradient(let gradient, let box):
            let box = RoundedRect(rect: box).transformed(transform).rect.pixelSnapped
            return GradientShader(gradient, box: box, scale: transform.scaleX).vector().map { .gradient($0) }
        case .tiles: return nil
        }
    }

    /// Draws a box's shadow. A blurred shadow is a picture, clipped at the exact edge of the box.
    private mutating func draw(_ shadow: Shadow, of box: RoundedRect, scale: Float, _ list: DisplayList) {
        let sigma = shadow.blur / 2 * scale
        let shape = ShadowPainter.shape(of: shadow, box, scale: scale)
        guard sigma > 0.1
        else { return ShadowPainter.paintSharp(box, shape, isInset: shadow.inset, Paint(shadow.color), surface) }
        guard shadow.inset || !shape.rect.isEmpty else { return }
        var path = Path(shape)
        if shadow.inset {
            path = Path(RoundedRect(rect: box.rect.pixelCover.outset(by: Blur.reach(sigma: sigma)).rect))
            if !shape.rect.isEmpty { path.append(shape, clockwise: false) }
        }
        // Opaque, so that the blur uses the full range of alpha.
        var color = shadow.color
        color.alpha = 255
        surface.pushClip(Path(box), isInverse: !shadow.inset)
        let opacity = Float(shadow.color.alpha) / 255
        if opacity < 1 { surface.pushLayer(opacity: opacity, composite: .blend(.normal)) }
        picture(
            of: [.pushLayer(LayerItem(filters: [.blur(sigma)])), .path(path, .color(color)), .pop], list, Transform(),
            density: density(of: shadow, scale))
        if opacity < 1 { surface.pop() }
        surface.pop()
    }

    /// The density of the picture of a blurred shadow; `nil` for a sharp one.
    private func density(of shadow: Shadow, _ scale: Float) -> Float? { density(ofBlur: shadow.blur / 2 * scale) }

    /// How much a transform around the group enlarges it, for more pixels.
    var stretch: Float {
        let stretch = surface.whole.stretch
        return max(1, min(4, max(stretch.x, stretch.y)))
    }

    /// The density of what filters blur; `nil` without a blur, or if a filter after it can show its steps.
    func density(of filters: [FilterFunction], _ scale: Float) -> Float? {
        for filter in filters.reversed() {
            switch filter {
            // At least 1, so that thin lines are no thicker than in a picture.
            case .blur(let sigma): return density(ofBlur: sigma * scale).map { max(1, $0) * stretch }
            case .grayscale, .hueRotate, .invert, .opacity, .saturate, .sepia: continue
            case .brightness, .contrast, .dropShadow, .projection, .reference, .element: return nil
            }
        }
        return nil
    }

    /// Two pixels per standard deviation show all detail.
    private func density(ofBlur sigma: Float) -> Float? {
        sigma > 0.1 ? min(options.density, max(0.125, 2 / sigma)) : nil
    }

    private mutating func draw(_ line: DecorationItem, _ list: DisplayList, _ transform: Transform) {
        for shadow in line.shadows.reversed() where shadow.color.alpha > 0 {
            var part = line
            if let density = density(of: shadow, transform.scaleX) {
                (part.color, part.shadows) = (.transparent, [shadow])
                picture(of: [.decoration(part)], list, transform, density: density)
            } else {
                (part.color, part.shadows) = (shadow.color, [])
                DecorationPainter.paintShapes(part, transform.moved(for: shadow), surface)
            }
        }
        DecorationPainter.paintShapes(line, transform, surface)
    }

    private mutating func drawGlyphs(_ item: GlyphsItem, _ list: DisplayList, _ transform: Transform) {
        let glyphs = list.glyphs(of: item)
        guard let first = glyphs.first, surface.seesLine(transform.apply(first.point)) else { return }
        for shadow in item.shadows.reversed() where shadow.color.alpha > 0 {
            let density = density(of: shadow, transform.scaleX)
            if density != nil || fonts.hasColor(item.font) {
                var part = item
                (part.strokeWidth, part.fill, part.shadows) = (0, .color(.transparent), [shadow])
                picture(of: [.glyphs(part)], list, transform, density: density)
            } else {
                fillOutlines(glyphs, item, .color(shadow.color), transform.moved(for: shadow))
            }
        }
        var text = text(of: item, list, transform)
        guard let paint = paint(item.fill, transform), fonts.hasPlainOutlines(item.font) else {
            // The picture shows the glyphs.
            var part = item
            part.shadows = []
            picture(of: [.glyphs(part)], list, transform)
            if !item.text.isEmpty { sink.show(text) }
            return
        }
        if item.fill.color?.alpha != 0 { text.paint = paint }
        if let color = item.strokeColor, item.strokeWidth > 0, color.alpha > 0 {
            text.stroke = (color, item.strokeWidth * transform.scaleX)
        }
        if !item.text.isEmpty { return sink.show(text) }
        if let paint = text.paint { fillOutlines(glyphs, item, paint, transform) }
        guard let stroke = text.stroke else { return }
        for glyph in glyphs {
            let outline = fonts.glyphOutline(item.font, glyph.id)
            guard !outline.isEmpty else { continue }
            let line = Stroker.stroke(outline, Painter.placed(glyph, item, transform), width: stroke.width)
            sink.fill(line, isEvenOdd: false, with: .color(stroke.color))
        }
    }

    private func fillOutlines(
        _ glyphs: ArraySlice<PositionedGlyph>, _ item: GlyphsItem, _ paint: VectorPaint, _ transform: Transform
    ) {
        var path = Path()
        for glyph in glyphs {
            let outline = fonts.glyphOutline(item.font, glyph.id)
            var placed = Painter.placed(glyph, item, transform)
            placed.y = baseline(placed.y)
            path.append(outline.transformed(placed))
        }
        if !path.isEmpty { sink.fill(path, isEvenOdd: false, with: paint) }
    }

    /// Snaps a baseline to whole pixels, as the pixel painter does, unless the group is rotated or scaled.
    private func baseline(_ y: Float) -> Float { surface.isTurned ? y : (y + 0.5).rounded(.down) }

    /// The glyphs of an item with their text, without a paint.
    func text(of item: GlyphsItem, _ list: DisplayList, _ transform: Transform) -> VectorText {
        let size = fonts.size(of: item.font)
        let range = item.glyphs.clamped(to: 0..<list.glyphs.count)
        var result = VectorText(
            font: item.font, glyphs: [], clusters: [], text: list.text?.bytes ?? [], isRightToLeft: item.isRightToLeft,
            size: Size(width: size * transform.scaleX * item.stretch, height: size * transform.scaleY), skew: item.skew,
            scale: Size(width: transform.scaleX * item.stretch, height: transform.scaleY),
            part: lambdas.first ?? item.part)
        if item.part.link >= 0 { result.link = list.links.first { $0.id == item.part.link }?.target }
        result.glyphs = list.glyphs[range].map { glyph in
            let origin = transform.apply(glyph.point)
            return PositionedGlyph(id: glyph.id, x: origin.x, y: baseline(origin.y))
        }
        guard let starts = list.text?.clusters, range.upperBound <= starts.count else { return result }
        result.clusters = range.runs { starts[$0] == starts[$1] }.map { run in
            let start = Int(starts[run.lowerBound])
            return .init(text: start..<start, glyphs: run.shifted(by: -range.lowerBound))
        }
        // Each cluster ends where the next one in text order begins.
        let inOrder = result.clusters.indices.sorted {
            result.clusters[$0].text.lowerBound < result.clusters[$1].text.lowerBound
        }
        for (place, index) in inOrder.enumerated() {
            let start = result.clusters[index].text.lowerBound
            let isLast = place + 1 == inOrder.count
            let end = isLast ? item.text.upperBound : result.clusters[inOrder[place + 1]].text.lowerBound
            result.clusters[index].text = start..<max(start, min(end, result.text.count))
        }
        return result
    }
}
