// Paints display lists as shapes, text and pictures, for vector formats.
//
// All positions equal those of the pixel painter; boxes and baselines snap to whole pixels too. Effects that vector formats lack
// (blurred shadows, filters, masks, backdrops, conic gradients, colour glyphs) are painted by the pixel painter and embedded as
// pictures. The text in them is kept below the picture, invisibly.

import FancyTextBasics
import FancyTextStyling
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
        /// The list's items that the page needs, from ``DisplayPages``; nil for all.
        package var items: [Int]?
        /// The list's links that may be on the page; `nil` for all.
        package var links: [Int]?
        /// The budget of painting pictures. The caller checks afterwards whether it was exceeded.
        package var meter = BudgetMeter()
        package init() {}
    }

    /// The maximum number of pixels of one picture; a larger one is painted at a lower density.
    private static let mostPixels: Float = 16_777_216
    /// The maximum number of copies of a tile; with more, the tiles become one picture.
    private static let mostTiles = 4096

    private var painter = Painter()
    private let canvas = Bitmap()

    package init() {}

    /// Paints a list. Linear in its items, plus the cost of painting parts as pixels.
    package mutating func paint(
        _ list: DisplayList, fonts: FontContext, pictures: inout some PictureSource, options: Options,
        on sink: some VectorSink
    ) {
        let page = options.page ?? Rect(x: 0, y: 0, width: list.size.width, height: list.size.height)
        let scale = options.scale
        let area = Rect(
            x: page.x * scale, y: page.y * scale, width: page.width * scale, height: page.height * scale)
        let surface = VectorSurface(
            sink, area: area, isPart: options.page != nil, items: options.items?.count ?? list.items.count,
            meter: options.meter)
        var walk = VectorWalk(
            painter: painter, canvas: canvas, surface: surface, fonts: fonts, options: options, sink: sink)
        if list.background.alpha > 0 {
            surface.fill(RoundedRect(rect: area), paint: .solid(Pixel.premultiplied(list.background)))
        }
        let whole = Transform(scaleX: scale, scaleY: scale)
        for destination in list.destinations {
            let y = min(max(destination.place.y, 0), max(0, list.size.height - 1))
            guard page.y <= y, y < page.maxY else { continue }
            sink.place(destination.name, at: destination.place, map: surface.whole.after(whole))
        }
        walk.draw(list, options.items, options.links, whole, &pictures)
        painter = walk.painter
    }

    /// The state of painting one list.
    private struct VectorWalk<Sink: VectorSink> {
        var painter: Painter
        let canvas: Bitmap
        let surface: VectorSurface
        let fonts: FontContext
        let options: Options
        let sink: Sink
        private var lambdaDepth = 0

        init(
            painter: Painter, canvas: Bitmap, surface: VectorSurface, fonts: FontContext, options: Options, sink: Sink
        ) {
            self.painter = painter
            self.canvas = canvas
            self.surface = surface
            self.fonts = fonts
            self.options = options
            self.sink = sink
        }

        /// - Parameter needed: The items to draw, in order; nil for all.
        mutating func draw(
            _ list: DisplayList, _ needed: [Int]?, _ neededLinks: [Int]?, _ transform: Transform,
            _ pictures: inout some PictureSource
        ) {
            var transforms: [Transform] = []
            var transform = transform
            var links = (neededLinks.map { $0.map { list.links[$0] } } ?? list.links)[...]
            let count = needed?.count ?? list.items.count
            var position = 0
            func place(_ link: DisplayLink) {
                guard surface.affordsItem() else { return }
                let map = surface.whole.after(transform)
                // Each page has the links that are on it.
                let page = options.page.map { ($0.y * options.scale, $0.maxY * options.scale) }
                let boxes = link.boxes.filter { box in
                    guard let (top, bottom) = page else { return true }
                    let place = map.bounds(of: box)
                    return place.maxY > top && place.y < bottom
                }
                if !boxes.isEmpty { sink.link(to: link.target, boxes: boxes, map: map) }
            }
            while position < count, surface.affordsItem() {
                let index = needed?[position] ?? position
                position += 1
                while let link = links.first, link.item <= index {
                    place(link)
                    links.removeFirst()
                }
                let item = list.items[index]
                switch item {
                case .fill(let shape, let fill):
                    let path = Path(shape.transformed(transform).pixelSnapped)
                    self.fill(path, item, fill, list, transform, &pictures)
                case .path(let path, let fill):
                    self.fill(path.transformed(transform), item, fill, list, transform, &pictures)
                case .strokePath(let path, let color, let width):
                    var stroker = Stroker(width: width * transform.scaleX)
                    let outline = stroker.stroke(path, transform)
                    if surface.affords(outline) { sink.fill(outline, isEvenOdd: false, with: .color(color)) }
                case .boxShadow(let box, let shadow):
                    guard shadow.color.alpha > 0, !box.rect.isEmpty else { continue }
                    draw(shadow, of: box.transformed(transform).pixelSnapped, scale: transform.scaleX, list, &pictures)
                case .border(let border): BorderPainter.paint(border, transform, surface)
                case .glyphs(let run): drawGlyphs(run, list, transform, &pictures)
                case .decoration(let line): draw(line, list, transform, &pictures)
                case .image(let image): drawImage(image, list, transform, &pictures)
                case .pushClip(let shape):
                    transforms.append(transform)
                    surface.pushClip(shape.transformed(transform).pixelSnapped)
                case .pushClipPath(let path, let isEvenOdd):
                    transforms.append(transform)
                    surface.pushClip(path.transformed(transform), isInverse: false, isEvenOdd: isEvenOdd)
                case .pushTransform(let inner):
                    transforms.append(transform)
                    surface.pushTransform(Painter.deviceTransform(inner, transform) ?? inner)
                case .pushLayer(let layer):
                    let end = Self.end(ofGroup: index, in: list.items)
                    if Self.needsPixels(list.items[index..<end], layer) {
                        picture(ofLayer: layer, list.items[index..<end], list, transform, &pictures)
                        while position < count, needed?[position] ?? position < end { position += 1 }
                    } else {
                        transforms.append(transform)
                        surface.pushLayer(opacity: layer.opacity, composite: layer.composite)
                    }
                case .backdrop(let backdrop): draw(backdrop, at: index, list, transform, &pictures)
                case .pop:
                    transform = transforms.popLast() ?? transform
                    surface.pop()
                case .cells: break
                }
            }
            for _ in transforms { surface.pop() }
            for link in links { place(link) }
        }

        /// The index after the item that ends a group.
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
            if !layer.filters.isEmpty || layer.isLuminanceMask { return true }
            guard case .blend = layer.composite else { return true }
            var depth = 0
            for item in group {
                if depth == 1, case .pushLayer(let inner) = item {
                    guard case .blend = inner.composite else { return true }
                }
                depth += item.nesting
            }
            return false
        }

        // MARK: Shapes

        private mutating func fill(
            _ path: Path, _ item: DisplayItem, _ fill: Fill, _ list: DisplayList, _ transform: Transform,
            _ pictures: inout some PictureSource
        ) {
            guard let bounds = path.bounds(), surface.affords(path, within: bounds) else { return }
            if case .tiles(let gradient, let box, let step) = fill {
                let tiles = Self.tiles(
                    RoundedRect(rect: box).transformed(transform).rect, bounds,
                    Size(width: step.width * transform.scaleX, height: step.height * transform.scaleY))
                let paints =
                    tiles.count > VectorPainter.mostTiles
                    ? []
                    : tiles.lazy.map(\.pixelSnapped).compactMap {
                        tile in GradientShader(gradient, box: tile, scale: transform.scaleX).vector().map { (tile, $0) }
                    }
                guard paints.count == tiles.count else {
                    return picture(of: [item], list, transform, density: nil, &pictures)
                }
                surface.pushClip(path, isInverse: false, isEvenOdd: false)
                for (tile, paint) in paints {
                    let path = Path(RoundedRect(rect: tile))
                    if surface.affords(path) { sink.fill(path, isEvenOdd: false, with: .gradient(paint)) }
                }
                surface.pop()
            } else if let paint = paint(fill, transform) {
                sink.fill(path, isEvenOdd: false, with: paint)
            } else {
                picture(of: [item], list, transform, density: nil, &pictures)
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
        private mutating func draw(
            _ shadow: Shadow, of box: RoundedRect, scale: Float, _ list: DisplayList,
            _ pictures: inout some PictureSource
        ) {
            let sigma = shadow.blur / 2 * scale
            let shape = ShadowPainter.shape(of: shadow, box, scale: scale)
            guard sigma > 0.1 else {
                let paint = Paint.solid(Pixel.premultiplied(shadow.color))
                return ShadowPainter.paintSharp(box, shape, isInset: shadow.inset, paint, surface)
            }
            guard shadow.inset || !shape.rect.isEmpty else { return }
            var path = Path(shape)
            if shadow.inset {
                path = Path(RoundedRect(rect: box.rect.pixelCover.outset(by: Blur.reach(sigma: sigma)).rect))
                if !shape.rect.isEmpty { path.append(shape, clockwise: false) }
            }
            // Opaque, so that the blur uses the full range of alpha.
            var color = shadow.color
            color.alpha = 255
            var blur = LayerItem()
            blur.filters = [.blur(sigma)]
            surface.pushClip(Path(box), isInverse: !shadow.inset, isEvenOdd: false)
            let opacity = Float(shadow.color.alpha) / 255
            if opacity < 1 { surface.pushLayer(opacity: opacity, composite: .blend(.normal)) }
            picture(
                of: [.pushLayer(blur), .path(path, .color(color)), .pop], list, Transform(),
                density: density(ofBlur: sigma), &pictures)
            if opacity < 1 { surface.pop() }
            surface.pop()
        }

        /// The density of a blurred picture: two pixels per standard deviation show all of its detail.
        private func density(ofBlur sigma: Float) -> Float { min(options.density, max(0.125, 2 / sigma)) }

        private mutating func draw(
            _ line: DecorationItem, _ list: DisplayList, _ transform: Transform, _ pictures: inout some PictureSource
        ) {
            for shadow in line.shadows.reversed() where shadow.color.alpha > 0 {
                var part = line
                if shadow.blur / 2 * transform.scaleX > 0.1 {
                    part.color = .transparent
                    part.shadows = [shadow]
                    let density = density(ofBlur: shadow.blur / 2 * transform.scaleX)
                    picture(of: [.decoration(part)], list, transform, density: density, &pictures)
                } else {
                    part.color = shadow.color
                    part.shadows = []
                    var moved = transform
                    moved.x += shadow.x * transform.scaleX
                    moved.y += shadow.y * transform.scaleY
                    DecorationPainter.paintShapes(part, moved, surface)
                }
            }
            DecorationPainter.paintShapes(line, transform, surface)
        }

        // MARK: Text

        private mutating func drawGlyphs(
            _ item: GlyphsItem, _ list: DisplayList, _ transform: Transform, _ pictures: inout some PictureSource
        ) {
            let range = item.glyphs.clamped(to: 0..<list.glyphs.count)
            guard !range.isEmpty, surface.seesLine(transform.apply(list.glyphs[range.lowerBound].point)) else { return }
            for shadow in item.shadows.reversed() where shadow.color.alpha > 0 {
                var part = item
                part.strokeWidth = 0
                if shadow.blur / 2 * transform.scaleX > 0.1 || fonts.hasColor(item.font) {
                    part.fill = .color(.transparent)
                    part.shadows = [shadow]
                    let sigma = shadow.blur / 2 * transform.scaleX
                    picture(
                        of: [.glyphs(part)], list, transform, density: sigma > 0.1 ? density(ofBlur: sigma) : nil,
                        &pictures)
                } else {
                    var moved = transform
                    moved.x += shadow.x * transform.scaleX
                    moved.y += shadow.y * transform.scaleY
                    fillOutlines(list.glyphs[range], item, .color(shadow.color), moved)
                }
            }
            var text = text(of: item, list, transform)
            let program = fonts.program(of: item.font)
            let paint = paint(item.fill, transform)
            guard let paint, program.hasPlainOutlines else {
                // The picture shows the glyphs.
                var part = item
                part.shadows = []
                picture(of: [.glyphs(part)], list, transform, density: nil, &pictures)
                if !item.text.isEmpty { sink.show(text) }
                return
            }
            if case .color(let color) = paint, color.alpha == 0 { text.paint = nil } else { text.paint = paint }
            if let color = item.strokeColor, item.strokeWidth > 0, color.alpha > 0 {
                text.stroke = (color, item.strokeWidth * transform.scaleX)
            }
            if !item.text.isEmpty {
                sink.show(text)
            } else {
                if let paint = text.paint { fillOutlines(list.glyphs[range], item, paint, transform) }
                if let stroke = text.stroke {
                    var stroker = Stroker(width: stroke.width)
                    for glyph in list.glyphs[range] {
                        let outline = fonts.outline(font: item.font, glyph: glyph.id)
                        guard !outline.isEmpty else { continue }
                        sink.fill(
                            stroker.stroke(outline, Painter.placed(glyph, item, transform)), isEvenOdd: false,
                            with: .color(stroke.color))
                    }
                }
            }
        }

        private func fillOutlines(
            _ glyphs: ArraySlice<PositionedGlyph>, _ item: GlyphsItem, _ paint: VectorPaint, _ transform: Transform
        ) {
            var path = Path()
            for glyph in glyphs {
                let outline = fonts.outline(font: item.font, glyph: glyph.id)
                var placed = Painter.placed(glyph, item, transform)
                placed.y = baseline(placed.y)
                path.append(outline.transformed(placed))
            }
            if !path.isEmpty { sink.fill(path, isEvenOdd: false, with: paint) }
        }

        /// Snaps a baseline to whole pixels, as the pixel painter does, unless the group is rotated or scaled.
        private func baseline(_ y: Float) -> Float {
            surface.isTurned ? y : (y + 0.5).rounded(.down)
        }

        /// The glyphs of an item with their text, without a paint.
        private func text(of item: GlyphsItem, _ list: DisplayList, _ transform: Transform) -> VectorText {
            let program = fonts.program(of: item.font)
            let range = item.glyphs.clamped(to: 0..<list.glyphs.count)
            var result = VectorText(
                font: item.font, glyphs: [], clusters: [], text: list.text?.bytes ?? [],
                isRightToLeft: item.isRightToLeft,
                size: Size(
                    width: program.size * transform.scaleX * item.stretch, height: program.size * transform.scaleY),
                skew: item.skew, scale: Size(width: transform.scaleX * item.stretch, height: transform.scaleY))
            if item.link >= 0 { result.link = list.links.first { $0.id == item.link }?.target }
            result.glyphs = list.glyphs[range].map { glyph in
                let origin = transform.apply(glyph.point)
                return PositionedGlyph(id: glyph.id, x: origin.x, y: baseline(origin.y))
            }
            guard let starts = list.text?.clusters, range.upperBound <= starts.count else { return result }
            var first = 0
            for index in range {
                let at = index - range.lowerBound
                if at + 1 == range.count || starts[index + 1] != starts[index] {
                    let start = Int(starts[index])
                    result.clusters.append(.init(text: start..<start, glyphs: first..<at + 1))
                    first = at + 1
                }
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

        // MARK: Pictures

        private mutating func drawImage(
            _ item: ImageItem, _ list: DisplayList, _ transform: Transform, _ pictures: inout some PictureSource
        ) {
            let rect = RoundedRect(rect: item.rect).transformed(transform).rect.pixelSnapped
            let clip = item.clip.transformed(transform).pixelSnapped
            guard rect.width > 0, rect.height > 0, !clip.rect.isEmpty, surface.sees(clip.rect) else { return }
            var source = item.source
            if item.isLambda {
                switch pictures.drawing(lambda: item.source) {
                case .picture(let name): source = name
                case .list(let drawing):
                    guard lambdaDepth < 8, drawing.size.width > 0, drawing.size.height > 0 else { return }
                    lambdaDepth += 1
                    defer { lambdaDepth -= 1 }
                    surface.pushClip(clip)
                    if drawing.background.alpha > 0 {
                        surface.fill(
                            RoundedRect(rect: rect), paint: .solid(Pixel.premultiplied(drawing.background)))
                    }
                    draw(
                        drawing, nil, nil,
                        Transform(
                            scaleX: rect.width / drawing.size.width, scaleY: rect.height / drawing.size.height,
                            x: rect.x, y: rect.y), &pictures)
                    surface.pop()
                    return
                case nil: return
                }
            }
            let step = item.tile.map {
                Size(
                    width: max(1, ($0.width * transform.scaleX).rounded()),
                    height: max(1, ($0.height * transform.scaleY).rounded()))
            }
            let tiles = Self.tiles(rect, clip.rect, step)
            guard tiles.count <= VectorPainter.mostTiles,
                let picture = picture(source, rect, &pictures)
            else { return self.picture(of: [.image(item)], list, transform, density: nil, &pictures) }
            if case .file(let file, nil) = picture, sink.drawsVectorFiles,
                !surface.affords(parts: (file.plainParts ?? 0) * tiles.count)
            {
                return
            }
            let isCut = !clip.isRectangle || tiles.contains { !clip.rect.contains($0) }
            if isCut { surface.pushClip(clip) }
            let isPixelated = item.isPixelated && picture.isEnlarged(in: rect)
            for tile in tiles { sink.draw(picture, in: tile, isPixelated: isPixelated) }
            if isCut { surface.pop() }
        }

        /// The positions of a picture's copies that are visible in `clip`, at most one more than ``VectorPainter/mostTiles``.
        private static func tiles(_ rect: Rect, _ clip: Rect, _ step: Size?) -> [Rect] {
            guard let step else { return [rect] }
            func starts(_ first: Float, _ length: Float, _ step: Float, _ low: Float, _ high: Float) -> [Float] {
                var result: [Float] = []
                var at = first - ((first + length - low) / step).rounded(.down) * step
                while at < high, result.count <= VectorPainter.mostTiles {
                    if at + length > low { result.append(at) }
                    at += step
                }
                return result
            }
            let columns = starts(rect.x, rect.width, step.width, clip.x, clip.maxX)
            let rows = starts(rect.y, rect.height, step.height, clip.y, clip.maxY)
            guard columns.count * rows.count <= VectorPainter.mostTiles else {
                return Array(repeating: rect, count: VectorPainter.mostTiles + 1)
            }
            return rows.flatMap { y in
                columns.map { Rect(x: $0, y: y, width: rect.width, height: rect.height) }
            }
        }

        /// The picture for a rectangle: its file, unless it has many more pixels than will be visible.
        private func picture(
            _ source: String, _ rect: Rect, _ pictures: inout some PictureSource
        ) -> VectorPicture? {
            let file = pictures.file(source: source)
            let isVector = file?.format == .svg
            if let file, isVector, !file.needsPixels, !sink.drawsVectorFiles || file.plainParts != nil {
                return .file(file, nil)
            }
            // Effects of SVG files are mostly blurs and noise, which a higher density does not improve.
            let density = isVector ? 1 : options.density
            let stretch = surface.whole.stretch
            let width = Int(bounded: (rect.width * stretch.x * density).rounded(.up))
            let height = Int(bounded: (rect.height * stretch.y * density).rounded(.up))
            guard width > 0, height > 0 else { return nil }
            guard let pixels = pictures.picture(source: source, width: width, height: height) else { return nil }
            let isMuchLarger = pixels.width > 2 * width && pixels.height > 2 * height
            if let file, file.format != .svg, !isMuchLarger { return .file(file, pixels) }
            return .pixels(isMuchLarger ? ImageScaler.scale(pixels, width: width, height: height) : pixels)
        }

        // MARK: Parts painted as pixels

        /// Draws items of a list as a picture, in the coordinates of the current group.
        ///
        /// - Parameter density: Picture pixels per device pixel; `nil` uses the option.
        private mutating func picture(
            of items: [DisplayItem], _ list: DisplayList, _ transform: Transform, density: Float?,
            _ pictures: inout some PictureSource
        ) {
            var part = list
            part.items = [.pushLayer(LayerItem())] + items + [.pop]
            guard let extent = LayerBounds(part, transform, nil, fonts)[0] else { return }
            let area = extent.intersection(surface.visibleArea.outset(by: 1))
            guard !area.isEmpty else { return }
            let stretch = surface.whole.stretch
            var density = density ?? options.density * max(1, min(4, max(stretch.x, stretch.y)))
            let count = Float(area.width) * Float(area.height)
            if count * density * density > VectorPainter.mostPixels {
                density = (VectorPainter.mostPixels / count).squareRoot()
            }
            part.items = items
            guard let picture = pixels(of: part, transform, area, density, &pictures) else { return }
            sink.draw(.pixels(picture.pixels), in: picture.rect, isPixelated: false)
        }

        /// The pixels of an area without its transparent borders; `nil` if the area is empty.
        private mutating func pixels(
            of list: DisplayList, _ transform: Transform, _ area: DeviceRect, _ density: Float,
            _ pictures: inout some PictureSource, background: Color = .transparent
        ) -> (pixels: Pixmap, rect: Rect)? {
            // The offset is whole pixels, so that boxes snap as they do in shapes.
            var part = DisplayList(
                size: Size(width: Float(area.width) / transform.scaleX, height: Float(area.height) / transform.scaleX),
                background: background)
            part.glyphs = list.glyphs
            part.items =
                [
                    .pushTransform(
                        Transform(
                            x: (transform.x - Float(area.minX)) / transform.scaleX,
                            y: (transform.y - Float(area.minY)) / transform.scaleY))
                ] + list.items + [.pop]
            var options = PaintOptions(scale: transform.scaleX * density)
            options.meter = self.options.meter
            let size = Painter.pixelSize(of: part, scale: options.scale)
            // The pixels are not only painted, but also scanned, copied, stored and compressed.
            guard options.meter.spend(8 * size.width * size.height, of: .paintedPixels) else { return nil }
            painter.paint(
                part, rows: 0..<size.height, fonts: fonts, pictures: &pictures, options: options, into: canvas)
            let whole = DeviceRect(minX: 0, minY: 0, maxX: size.width, maxY: size.height)
            let inked = canvas.withPixels { Self.ink($0, size.width, size.height) }.intersection(whole)
            guard !inked.isEmpty else { return nil }
            let pixmap = canvas.withPixels { all in
                Pixmap(
                    width: inked.width, height: inked.height,
                    pixels: (inked.minY..<inked.maxY).flatMap { row in
                        all[row * size.width + inked.minX..<row * size.width + inked.maxX]
                    })
            }
            return (
                pixmap,
                Rect(
                    x: Float(area.minX) + Float(inked.minX) / density,
                    y: Float(area.minY) + Float(inked.minY) / density,
                    width: Float(inked.width) / density, height: Float(inked.height) / density)
            )
        }

        /// The bounds of all pixels that are not transparent.
        private static func ink(_ pixels: UnsafeBufferPointer<UInt32>, _ width: Int, _ height: Int) -> DeviceRect {
            var result = DeviceRect(minX: width, minY: height, maxX: 0, maxY: 0)
            for y in 0..<height {
                let row = pixels[y * width..<(y + 1) * width]
                guard let first = row.firstIndex(where: { $0 != 0 }), let last = row.lastIndex(where: { $0 != 0 })
                else {
                    continue
                }
                result.minX = min(result.minX, first - y * width)
                result.maxX = max(result.maxX, last - y * width + 1)
                result.minY = min(result.minY, y)
                result.maxY = y + 1
            }
            return result
        }

        /// Draws a layer as a picture with the layer's blend mode, with its text below.
        private mutating func picture(
            ofLayer layer: LayerItem, _ group: ArraySlice<DisplayItem>, _ list: DisplayList, _ transform: Transform,
            _ pictures: inout some PictureSource
        ) {
            var items = Array(group)
            var inner = layer
            inner.composite = .blend(.normal)
            items[0] = .pushLayer(inner)
            keepText(of: group, list, transform)
            let isBlended = layer.composite != .blend(.normal)
            if isBlended { surface.pushLayer(opacity: 1, composite: layer.composite) }
            picture(of: items, list, transform, density: nil, &pictures)
            if isBlended { surface.pop() }
        }

        /// Writes the text of a picture's glyphs invisibly.
        private func keepText(of items: ArraySlice<DisplayItem>, _ list: DisplayList, _ transform: Transform) {
            var isTransform: [Bool] = []
            for item in items {
                switch item {
                case .glyphs(let glyphs):
                    if !glyphs.text.isEmpty { sink.show(text(of: glyphs, list, transform)) }
                case .pushTransform(let inner):
                    isTransform.append(true)
                    surface.pushTransform(Painter.deviceTransform(inner, transform) ?? inner)
                case .pushClip, .pushClipPath, .pushLayer: isTransform.append(false)
                case .pop: if isTransform.popLast() == true { surface.pop() }
                case .fill, .path, .strokePath, .boxShadow, .border, .decoration, .image, .backdrop, .cells: break
                }
            }
            for isOpen in isTransform where isOpen { surface.pop() }
        }

        /// Draws a filtered backdrop: everything painted before the box, as pixels.
        private mutating func draw(
            _ backdrop: BackdropItem, at index: Int, _ list: DisplayList, _ transform: Transform,
            _ pictures: inout some PictureSource
        ) {
            let shape = backdrop.shape.transformed(transform).pixelSnapped
            guard surface.sees(shape.rect), let inverse = surface.whole.inverse else { return }
            var before = list
            let open = list.items[...index].reduce(0) { $0 + $1.nesting }
            before.items = Array(list.items[...index]) + Array(repeating: .pop, count: max(0, open))
            let reach = backdrop.filters.compactMap { PixelFilter($0, transform) }.reduce(0) { $0 + $1.reach }
            let area = surface.whole.bounds(of: shape.rect).pixelCover.outset(by: reach)
            guard
                let picture = pixels(
                    of: before, transform, area, options.density, &pictures, background: list.background)
            else { return }
            surface.pushClip(shape)
            surface.pushTransform(inverse)
            sink.draw(.pixels(picture.pixels), in: picture.rect, isPixelated: false)
            surface.pop()
            surface.pop()
        }
    }
}

extension PictureFile {
    /// True for an SVG file with effects, which PDF and SVG readers draw differently or not at all.
    fileprivate var needsPixels: Bool {
        bytes.withUnsafeBufferPointer { bytes in
            bytes.indices.contains { at in
                switch bytes[at] {
                case 0x3C: bytes[at...].starts(with: "<filter".utf8) || bytes[at...].starts(with: "<mask".utf8)
                case 0x66: bytes[at...].starts(with: "filter:".utf8)
                case 0x6D: bytes[at...].starts(with: "mix-blend-mode".utf8)
                default: false
                }
            }
        }
    }
}

extension VectorPicture {
    /// True if the picture is shown larger than its pixel size.
    fileprivate func isEnlarged(in rect: Rect) -> Bool {
        switch self {
        case .file(_, nil): false
        case .file(_, let pixels?), .pixels(let pixels):
            rect.width > Float(pixels.width) || rect.height > Float(pixels.height)
        }
    }
}

extension PositionedGlyph {
    fileprivate var point: Point { Point(x: x, y: y) }
}

extension Rect {
    fileprivate func contains(_ other: Rect) -> Bool {
        x <= other.x && y <= other.y && maxX >= other.maxX && maxY >= other.maxY
    }
}
