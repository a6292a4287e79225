// Pictures in vector files: embedded files, and parts that are painted as pixels.

import FancyTextBasics
import FancyTextCSS

extension VectorWalk {
    mutating func drawImage(_ item: ImageItem, _ list: DisplayList, _ transform: Transform) {
        let (rect, clip, step) = item.placed(transform)
        guard rect.width > 0, rect.height > 0, !clip.rect.isEmpty, surface.sees(clip.rect) else { return }
        let source: String
        switch pictures.content(of: item) {
        case .picture(let name): source = name
        case .list(let drawing):
            guard lambdas.count < 8, drawing.size.width > 0, drawing.size.height > 0 else { return }
            lambdas.append(item.part)
            defer { lambdas.removeLast() }
            surface.pushClip(clip)
            if drawing.background.alpha > 0 {
                surface.fill(RoundedRect(rect: rect), paint: Paint(drawing.background))
            }
            draw(drawing, drawing.fitting(rect))
            return surface.pop()
        case nil: return
        }
        let part = item.part.box >= 0 ? lambdas.first ?? item.part : nil
        let tiles = Self.tiles(rect, clip.rect, step)
        guard tiles.count <= VectorPainter.mostTiles, let picture = picture(source, rect)
        else { return self.picture(of: [.image(item)], list, transform, showing: part) }
        if case .file(let file, nil) = picture, sink.drawsVectorFiles {
            guard surface.affords(parts: (file.plainParts ?? 0) * tiles.count) else { return }
        }
        let isCut = !clip.isRectangle || tiles.contains { !clip.rect.contains($0) }
        if isCut { surface.pushClip(clip) }
        let isPixelated = item.isPixelated && picture.isEnlarged(in: rect)
        for tile in tiles { sink.draw(picture, in: tile, isPixelated: isPixelated, of: part) }
        var isDrawn = false
        if case .file(_, nil) = picture { isDrawn = sink.drawsVectorFiles }
        if part != nil { keepText(of: source, in: rect, isDrawn: isDrawn) }
        if isCut { surface.pop() }
    }

    /// Writes the text of an SVG file invisibly, unless the sink draws it as text.
    private func keepText(of source: String, in rect: Rect, isDrawn: Bool = false) {
        guard options.drawsVectorFiles, let texts = pictures.file(source: source)?.texts[isDrawn ? 1 : 0],
            !texts.isEmpty, surface.affords(parts: texts.utf8.count / 16)
        else { return }
        sink.show(texts, in: rect)
    }

    /// The positions of a picture's copies that are visible in `clip`, at most one more than ``VectorPainter/mostTiles``.
    static func tiles(_ rect: Rect, _ clip: Rect, _ step: Size?) -> [Rect] {
        guard let step else { return [rect] }
        func starts(_ first: Float, _ length: Float, _ step: Float, _ low: Float, _ high: Float) -> [Float] {
            var (result, at) = ([] as [Float], first - ((first + length - low) / step).rounded(.down) * step)
            while at < high, result.count <= VectorPainter.mostTiles {
                if at + length > low { result.append(at) }
                at += step
            }
            return result
        }
        let columns = starts(rect.x, rect.width, step.width, clip.x, clip.maxX)
        let rows = starts(rect.y, rect.height, step.height, clip.y, clip.maxY)
        guard columns.count * rows.count <= VectorPainter.mostTiles
        else { return Array(repeating: rect, count: VectorPainter.mostTiles + 1) }
        return rows.flatMap { y in columns.map { Rect(x: $0, y: y, width: rect.width, height: rect.height) } }
    }

    /// The picture for a rectangle: its file, unless it has many more pixels than will be visible.
    private func picture(_ source: String, _ rect: Rect) -> VectorPicture? {
        let file = pictures.file(source: source)
        let isVector = file?.format == .svg
        if let file, isVector, !file.needsPixels, options.drawsVectorFiles,
            !sink.drawsVectorFiles || file.plainParts != nil && !(file.hasLinks && sink.refusesLinks)
        {
            return .file(file, nil)
        }
        // Effects of SVG files are mostly blurs and noise, which a higher density does not improve.
        let density = isVector ? 1 : options.density
        let stretch = surface.whole.stretch
        let width = Int(bounded: (rect.width * stretch.x * density).rounded(.up))
        let height = Int(bounded: (rect.height * stretch.y * density).rounded(.up))
        guard width > 0, height > 0, let pixels = pictures.picture(source: source, width: width, height: height)
        else { return nil }
        let isMuchLarger = pixels.width > 2 * width && pixels.height > 2 * height
        if let file, file.format != .svg, !isMuchLarger { return .file(file, pixels) }
        return .pixels(isMuchLarger ? ImageScaler.scale(pixels, width: width, height: height) : pixels)
    }

    /// Draws items as a picture in the coordinates of the group, with `density` pixels per device pixel, by default the option.
    mutating func picture(
        of items: [DisplayItem], _ list: DisplayList, _ transform: Transform, density: Float? = nil,
        showing content: DocumentPart? = nil
    ) {
        var part = list
        part.items = [.pushLayer(LayerItem())] + items + [.pop]
        guard let extent = LayerBounds(part, transform, nil, fonts)[0] else { return }
        let area = extent.intersection(surface.visibleArea.outset(by: 1))
        guard !area.isEmpty else { return }
        var density = density ?? options.density * stretch
        let count = Float(area.width) * Float(area.height)
        if count * density * density > VectorPainter.mostPixels {
            density = (VectorPainter.mostPixels / count).squareRoot()
        }
        part.items = items
        guard let picture = pixels(of: part, transform, area, density) else { return }
        sink.draw(.pixels(picture.pixels), in: picture.rect, isPixelated: false, of: content)
    }

    private mutating func pixels(
        of list: DisplayList, _ transform: Transform, _ area: DeviceRect, _ density: Float,
        background: Color = .transparent
    ) -> (pixels: Pixmap, rect: Rect)? {
        // The offset is whole pixels, so that boxes snap as they do in shapes.
        var part = DisplayList(
            size: Size(width: Float(area.width) / transform.scaleX, height: Float(area.height) / transform.scaleX),
            background: background)
        part.glyphs = list.glyphs
        let offset = Transform(
            x: (transform.x - Float(area.minX)) / transform.scaleX,
            y: (transform.y - Float(area.minY)) / transform.scaleY)
        part.items = [.pushTransform(offset)] + list.items + [.pop]
        var options = PaintOptions(scale: transform.scaleX * density)
        options.meter = self.options.meter
        let size = Painter.pixelSize(of: part, scale: options.scale)
        // The pixels are not only painted, but also scanned, copied, stored and compressed.
        let left = options.meter.left(of: .paintedPixels)
        guard options.meter.spend(8 * size.width * size.height, of: .paintedPixels) else { return nil }
        defer {
            let free = min(surface.freePixels, left - options.meter.left(of: .paintedPixels))
            surface.freePixels -= free
            options.meter.giveBack(free, of: .paintedPixels)
        }
        painter.paint(part, rows: 0..<size.height, fonts: fonts, pictures: pictures, options: options, into: canvas)
        let inked = canvas.withPixels { Self.ink($0, size.width, size.height) }
        guard !inked.isEmpty else { return nil }
        let place = Rect(
            x: Float(area.minX) + Float(inked.minX) / density, y: Float(area.minY) + Float(inked.minY) / density,
            width: Float(inked.width) / density, height: Float(inked.height) / density)
        return (canvas.layer(depth: 0).pixmap(of: inked), place)
    }

    private static func ink(_ pixels: UnsafeBufferPointer<UInt32>, _ width: Int, _ height: Int) -> DeviceRect {
        var result = DeviceRect(minX: width, minY: height, maxX: 0, maxY: 0)
        for y in 0..<height {
            let row = UnsafeBufferPointer(rebasing: pixels[y * width..<(y + 1) * width])
            if let first = row.firstIndex(where: { $0 != 0 }), let last = row.lastIndex(where: { $0 != 0 }) {
                result = result.union(DeviceRect(minX: first, minY: y, maxX: last + 1, maxY: y + 1))
            }
        }
        return result
    }

    /// Draws a layer as a picture with the layer's blend mode, with its text below.
    mutating func picture(
        ofLayer layer: LayerItem, _ group: ArraySlice<DisplayItem>, _ list: DisplayList, _ transform: Transform
    ) {
        var inner = layer
        inner.composite = .blend(.normal)
        keepText(of: group, list, transform)
        let isBlended = layer.composite != .blend(.normal)
        if isBlended { surface.pushLayer(opacity: 1, composite: layer.composite) }
        let density = density(of: layer.filters, transform.scaleX)
        picture(of: [.pushLayer(inner)] + group.dropFirst(), list, transform, density: density)
        if isBlended { surface.pop() }
    }

    /// Writes the text of a picture's glyphs invisibly.
    func keepText(of items: ArraySlice<DisplayItem>, _ list: DisplayList, _ transform: Transform) {
        var isTransform: [Bool] = []
        for item in items {
            switch item {
            case .glyphs(let glyphs): if !glyphs.text.isEmpty { sink.show(text(of: glyphs, list, transform)) }
            case .image(let image):
                if !image.isLambda, image.part.box >= 0 { keepText(of: image.source, in: image.placed(transform).rect) }
            case .pushTransform(let inner):
                isTransform.append(true)
                surface.pushTransform(Painter.deviceTransform(inner, transform))
            case .pushClip, .pushClipPath, .pushLayer: isTransform.append(false)
            case .pop: if isTransform.popLast() == true { surface.pop() }
            case .fill, .path, .strokePath, .boxShadow, .border, .decoration, .backdrop, .cells: break
            }
        }
        for isOpen in isTransform where isOpen { surface.pop() }
    }

    /// Draws a filtered backdrop: everything painted before the box, as pixels.
    mutating func backdrop(
        _ shape: RoundedRect, _ filters: [FilterFunction], at index: Int, _ list: DisplayList, _ transform: Transform
    ) {
        let shape = shape.transformed(transform).pixelSnapped
        guard surface.sees(shape.rect), let inverse = surface.whole.inverse else { return }
        var before = list
        let open = list.items[...index].reduce(0) { $0 + $1.nesting }
        before.items = Array(list.items[...index]) + Array(repeating: .pop, count: max(0, open))
        let reach = filters.compactMap { PixelFilter($0, transform) }.reduce(0) { $0 + $1.reach }
        let area = surface.whole.bounds(of: shape.rect).pixelCover.outset(by: reach)
        let density = density(of: filters, transform.scaleX) ?? options.density
        guard let picture = pixels(of: before, transform, area, density, background: list.background) else { return }
        surface.pushClip(shape)
        surface.pushTransform(inverse)
        sink.draw(.pixels(picture.pixels), in: picture.rect, isPixelated: false, of: nil)
        surface.pop()
        surface.pop()
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
    fileprivate func isEnlarged(in rect: Rect) -> Bool {
        switch self {
        case .file(_, nil): false
        case .file(_, let pixels?), .pixels(let pixels):
            rect.width > Float(pixels.width) || rect.height > Float(pixels.height)
        }
    }
}
