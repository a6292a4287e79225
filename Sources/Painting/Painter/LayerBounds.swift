// The bounds of each layer of a display list, which limit the memory of the layer.

import FancyTextBasics
import FancyTextTypography

struct LayerBounds {
    private var bounds: [Int: DeviceRect] = [:]

    subscript(item: Int) -> DeviceRect? { bounds[item] }

    private enum Group {
        case clip(DeviceRect)
        case transform(Transform)
        case layer(item: Int, filters: [PixelFilter])
    }

    /// Visits every item of a list with layers once. The canvas's transform, `outer`, is applied after that of the list.
    init(_ list: DisplayList, _ transform: Transform, _ outer: Transform?, _ fonts: some GlyphSource) {
        guard list.items.contains(where: { if case .pushLayer = $0 { true } else { false } }) else { return }
        var whole = outer?.after(transform) ?? transform
        var groups: [(group: Group, extent: DeviceRect?)] = []
        func include(_ area: DeviceRect?) {
            guard let area, !area.isEmpty, let last = groups.indices.last else { return }
            groups[last].extent = groups[last].extent?.union(area) ?? area
        }
        for (index, item) in list.items.enumerated() {
            switch item {
            case .pushClip(let shape): groups.append((.clip(whole.reach(of: shape.rect)), nil))
            case .pushClipPath(let path, _): groups.append((.clip(whole.reach(of: path.bounds() ?? .zero)), nil))
            case .pushTransform(let inner):
                groups.append((.transform(whole), nil))
                whole = whole.after(inner)
            case .pushLayer(let layer):
                groups.append((.layer(item: index, filters: layer.filters.compactMap { PixelFilter($0, whole) }), nil))
            case .pop:
                guard let (group, extent) = groups.popLast() else { continue }
                switch group {
                case .clip(let area): include(extent?.intersection(area))
                case .transform(let outer):
                    whole = outer
                    include(extent)
                case .layer(let item, let filters):
                    bounds[item] = extent ?? .empty
                    include(filters.reduce(extent) { $1.extent(of: $0) })
                }
            case .glyphs(let glyphs): if !groups.isEmpty { include(Self.extent(of: glyphs, list, whole, fonts)) }
            case .fill, .path, .strokePath, .boxShadow, .border, .decoration, .image, .backdrop, .cells:
                if !groups.isEmpty, let rect = item.reach { include(whole.reach(of: rect)) }
            }
        }
    }

    /// The number of pixels that the layers of a picture may occupy at a time.
    private static let budget = 1 << 24

    /// The number of rows to paint at a time, so that nested layers stay within the budget; `nil` for all rows.
    static func bandHeight(_ list: DisplayList, width: Int, height: Int) -> Int? {
        guard width > 0, width * height > budget / 32 else { return nil }
        // The number of open layers, the largest number, and the number outside of each open group.
        var (depth, deepest) = (0, 0)
        var outer: [Int] = []
        for item in list.items {
            // A backdrop also depends on pixels outside the band.
            if case .backdrop = item { return nil }
            if item.nesting > 0 { outer.append(depth) }
            if item.nesting < 0 { depth = outer.popLast() ?? depth }
            if case .pushLayer = item { depth += 1 }
            deepest = max(deepest, depth)
        }
        guard deepest > 0 else { return nil }
        let rows = max(256, budget / (width * deepest))
        return rows < height ? rows : nil
    }

    private static func extent(
        of item: GlyphsItem, _ list: DisplayList, _ transform: Transform, _ fonts: some GlyphSource
    ) -> DeviceRect? {
        let areas = list.glyphs(of: item).compactMap { fonts.area(of: $0, item, transform) }
        guard let first = areas.first else { return nil }
        let scale = max(transform.stretch.x, transform.stretch.y)
        let reach = item.shadows.reduce(max(0, item.strokeWidth) * 4 * scale) { reach, shadow in
            max(reach, (max(abs(shadow.x), abs(shadow.y)) + 2 * shadow.blur) * scale + 2)
        }
        return areas.reduce(first) { $0.union($1) }.outset(by: Int(bounded: reach.rounded(.up)))
    }
}

extension DisplayList {
    /// The number of pixels of the largest picture that is painted only to measure it.
    private static let mostMeasured = 1 << 20

    /// By how many CSS pixels visible paint extends beyond the canvas. Only a small picture whose paint may extend by more than
    /// `margin` is painted to measure it. The result is 0 for others, and for distant paint, which may be hidden on purpose.
    package func visibleOverflow(beyond margin: Int, _ fonts: some GlyphSource, _ pictures: some PictureSource) -> Int {
        guard let reach = reach(fonts), case let canvas = self.canvas else { return 0 }
        func distance(_ area: DeviceRect) -> Int {
            max(-area.minX, -area.minY, area.maxX - canvas.maxX, area.maxY - canvas.maxY)
        }
        guard distance(reach) > margin, distance(reach) < max(canvas.width, canvas.height, 200) else { return 0 }
        let area = reach.union(canvas)
        guard area.width * area.height <= Self.mostMeasured else { return 0 }
        var whole = self
        (whole.size, whole.background) = (area.rect.size, .transparent)
        whole.items = [.pushTransform(Transform(x: Float(-area.minX), y: Float(-area.minY)))] + items + [.pop]
        let bitmap = Bitmap()
        var painter = Painter()
        painter.paint(whole, fonts: fonts, pictures: pictures, into: bitmap)
        let pixels = bitmap.makePixmap().pixels
        var farthest = 0
        for y in area.minY..<area.maxY {
            let isBeside = y < 0 || y >= canvas.maxY
            for columns in isBeside ? [area.minX..<area.maxX] : [area.minX..<0, canvas.maxX..<area.maxX] {
                // A trace of a shadow's end is invisible.
                for x in columns where pixels[area.index(x: x, y: y)] >> 24 > 12 {
                    farthest = max(farthest, -x, -y, x + 1 - canvas.maxX, y + 1 - canvas.maxY)
                }
            }
        }
        return farthest
    }

    /// Returns whether a short list paints nothing on the canvas, but something beside it.
    package func isBesideCanvas(_ fonts: some GlyphSource) -> Bool {
        guard items.count < 256, size.width > 0, let reach = reach(fonts) else { return false }
        return !reach.isEmpty && reach.intersection(canvas).isEmpty
    }

    private var canvas: DeviceRect {
        DeviceRect(minX: 0, minY: 0, maxX: Int(bounded: size.width), maxY: Int(bounded: size.height))
    }

    /// The bounds of all paint; nil if there is none.
    private func reach(_ fonts: some GlyphSource) -> DeviceRect? {
        var whole = self
        whole.items = [.pushLayer(LayerItem())] + items + [.pop]
        return LayerBounds(whole, Transform(), nil, fonts)[0]
    }
}

extension Transform {
    /// The device pixels of a rectangle, with a margin for snapping and antialiasing.
    fileprivate func reach(of rect: Rect) -> DeviceRect { bounds(of: rect).pixelCover.outset(by: 2) }
}

extension GlyphSource {
    /// The picture of a glyph with the slant and the stretch of its run.
    func picture(of glyph: PositionedGlyph, _ item: GlyphsItem, subpixel: Int, scale: Float) -> GlyphMask? {
        picture(
            GlyphKey(
                font: item.font, glyph: glyph.id, subpixel: subpixel, scale: scale, skew: item.skew,
                stretch: item.stretch))
    }

    /// The device pixels that a glyph can touch, without its stroke and shadows; nil if it has no ink.
    func area(of glyph: PositionedGlyph, _ item: GlyphsItem, _ transform: Transform) -> DeviceRect? {
        // Too large to be rendered just for measuring.
        if size(of: item.font) * max(transform.stretch.x, transform.stretch.y) > 1_024 {
            let bounds = glyphOutline(item.font, glyph.id, hintedAt: nil).bounds() ?? reach(of: item.font)
            return transform.reach(of: bounds.offsetBy(x: glyph.x, y: glyph.y))
        }
        let place = Painter.snapped(transform.apply(glyph.point))
        if transform.isUpright, transform.scaleX == transform.scaleY,
            let picture = picture(of: glyph, item, subpixel: place.subpixel, scale: transform.scaleX)
        {
            return picture.area(at: place)
        }
        let local =
            picture(of: glyph, item, subpixel: 0, scale: 1)?.area(at: (0, 0, 0))
            ?? glyphOutline(item.font, glyph.id, hintedAt: nil).bounds()?.pixelCover
        return local.map { transform.reach(of: $0.outset(by: 1).rect.offsetBy(x: glyph.x, y: glyph.y)) }
    }
}

extension DisplayItem {
    /// The area that a shape, a line or a picture may paint, in CSS pixels; nil for a path without points, and for other items.
    package var reach: Rect? {
        switch self {
        case .fill(let shape, _), .backdrop(let shape, _, _): return shape.rect
        case .border(let border): return border.outer.rect
        case .path(let path, _): return path.bounds()
        // Mitres may extend to twice their length limit.
        case .strokePath(let path, _, let width): return path.bounds()?.grown(by: 4 * width)
        case .boxShadow(let box, let shadow):
            return box.rect.offsetBy(x: shadow.x, y: shadow.y).grown(by: abs(shadow.spread) + 1.5 * shadow.blur + 2)
        case .decoration(let line):
            // Waves extend furthest, and only across the line.
            let height = 8 * max(2, line.thickness)
            let own = Rect(x: line.x, y: line.y - height, width: line.width, height: 2 * height)
                .grown(by: line.thickness)
            return own.grown(by: line.shadows.map { max(abs($0.x), abs($0.y)) + 1.5 * $0.blur + 2 }.max() ?? 0)
        case .image(let image): return image.clip.rect
        case .glyphs, .pushClip, .pushClipPath, .pushTransform, .pushLayer, .pop, .cells: return nil
        }
    }
}
