// The bounds of each layer of a display list, which limit the memory of the layer.

import FancyTextBasics
import FancyTextStyling

/// The device pixels that the contents of layers can touch.
struct LayerBounds {
    /// The bounds, by the index of the item that begins the layer.
    private var bounds: [Int: DeviceRect] = [:]

    subscript(item: Int) -> DeviceRect? { bounds[item] }

    private enum Group {
        case clip(DeviceRect)
        case transform(Transform)
        case layer(item: Int, reach: Int)
    }

    /// Visits every item once. A list without layers is not visited.
    ///
    /// - Parameters:
    ///   - transform: the transform of the list's CSS pixels; `outer`: the canvas's transform, which is applied after it.
    init(_ list: DisplayList, _ transform: Transform, _ outer: Transform?, _ fonts: some GlyphSource) {
        let hasLayers = list.items.contains { if case .pushLayer = $0 { true } else { false } }
        guard hasLayers else { return }
        var whole = outer?.after(transform) ?? transform
        var groups: [(group: Group, extent: DeviceRect?)] = []
        func include(_ area: DeviceRect?) {
            guard let area, !area.isEmpty, let last = groups.indices.last else { return }
            groups[last].extent = groups[last].extent?.union(area) ?? area
        }
        for (index, item) in list.items.enumerated() {
            switch item {
            case .pushClip(let shape): groups.append((.clip(Self.device(shape.rect, whole)), nil))
            case .pushClipPath(let path, _):
                groups.append((.clip(Self.device(path.bounds() ?? Rect(x: 0, y: 0, width: 0, height: 0), whole)), nil))
            case .pushTransform(let inner):
                groups.append((.transform(whole), nil))
                whole = whole.after(inner)
            case .pushLayer(let layer):
                let reach = layer.filters.compactMap { PixelFilter($0, whole) }.reduce(0) { $0 + $1.reach }
                groups.append((.layer(item: index, reach: reach), nil))
            case .pop:
                guard let (group, extent) = groups.popLast() else { continue }
                switch group {
                case .clip(let area): include(extent?.intersection(area))
                case .transform(let outer):
                    whole = outer
                    include(extent)
                case .layer(let item, let reach):
                    bounds[item] = extent ?? DeviceRect(minX: 0, minY: 0, maxX: 0, maxY: 0)
                    include(extent?.outset(by: reach))
                }
            case .glyphs(let glyphs):
                if !groups.isEmpty { include(Self.extent(of: glyphs, list, whole, fonts)) }
            case .fill, .path, .strokePath, .boxShadow, .border, .decoration, .image, .backdrop, .cells:
                if !groups.isEmpty, let rect = Self.extent(of: item) { include(Self.device(rect, whole)) }
            }
        }
    }

    /// The number of pixels that the layers of a picture may occupy at a time.
    private static let budget = 1 << 24

    /// The number of rows to paint at a time, so that nested layers stay within the budget; `nil` for all rows.
    static func bandHeight(_ list: DisplayList, width: Int, height: Int) -> Int? {
        guard width > 0, width * height > budget / 32 else { return nil }
        var (depth, deepest) = (0, 0)
        var isLayer: [Bool] = []
        for item in list.items {
            switch item {
            case .pushLayer:
                isLayer.append(true)
                depth += 1
                deepest = max(deepest, depth)
            case .pushClip, .pushClipPath, .pushTransform: isLayer.append(false)
            case .pop: if isLayer.popLast() == true { depth -= 1 }
            // A backdrop also depends on pixels outside the band.
            case .backdrop: return nil
            case .fill, .path, .strokePath, .boxShadow, .border, .glyphs, .decoration, .image, .cells: break
            }
        }
        guard deepest > 0 else { return nil }
        let rows = max(256, budget / (width * deepest))
        return rows < height ? rows : nil
    }

    /// The device pixels of a rectangle, with a margin for snapping and antialiasing.
    private static func device(_ rect: Rect, _ transform: Transform) -> DeviceRect {
        transform.bounds(of: rect).pixelCover.outset(by: 2)
    }

    /// The area that an item may paint, in CSS pixels.
    private static func extent(of item: DisplayItem) -> Rect? {
        func grown(_ rect: Rect, by reach: Float) -> Rect {
            Rect(
                x: rect.x - reach, y: rect.y - reach, width: rect.width + 2 * reach, height: rect.height + 2 * reach)
        }
        switch item {
        case .fill(let shape, _): return shape.rect
        case .border(let border): return border.outer.rect
        case .path(let path, _): return path.bounds()
        // Mitres may extend to twice their length limit.
        case .strokePath(let path, _, let width): return path.bounds().map { grown($0, by: 4 * width) }
        case .boxShadow(let box, let shadow):
            return grown(box.rect, by: abs(shadow.spread) + max(abs(shadow.x), abs(shadow.y)) + 2 * shadow.blur + 2)
        case .decoration(let line):
            var reach = 8 * max(2, line.thickness) + 2
            for shadow in line.shadows {
                reach = max(reach, 8 * max(2, line.thickness) + max(abs(shadow.x), abs(shadow.y)) + 2 * shadow.blur + 4)
            }
            return grown(Rect(x: line.x, y: line.y, width: line.width, height: 0), by: reach)
        case .image(let image): return image.clip.rect
        case .backdrop(let backdrop): return backdrop.shape.rect
        case .glyphs, .pushClip, .pushClipPath, .pushTransform, .pushLayer, .pop, .cells: return nil
        }
    }

    private static func extent(
        of item: GlyphsItem, _ list: DisplayList, _ transform: Transform, _ fonts: some GlyphSource
    ) -> DeviceRect? {
        var result: DeviceRect?
        let isSquare = transform.isUpright && transform.scaleX == transform.scaleY
        for glyph in list.glyphs[item.glyphs.clamped(to: 0..<list.glyphs.count)] {
            let origin = transform.apply(Point(x: glyph.x, y: glyph.y))
            var area: DeviceRect?
            if let bounds = fonts.largeBounds(
                font: item.font, glyph: glyph.id, scale: max(transform.stretch.x, transform.stretch.y))
            {
                area = device(bounds.offsetBy(x: glyph.x, y: glyph.y), transform)
            } else if isSquare {
                let place = Painter.snapped(origin)
                area =
                    fonts.picture(
                        font: item.font, glyph: glyph.id, subpixel: place.subpixel, scale: transform.scaleX,
                        skew: item.skew, stretch: item.stretch)?.area(at: place)
            }
            if area == nil {
                let picture = fonts.picture(
                    font: item.font, glyph: glyph.id, subpixel: 0, scale: 1, skew: item.skew, stretch: item.stretch)
                if let local = picture?.area(at: (0, 0, 0))
                    ?? fonts.outline(font: item.font, glyph: glyph.id).bounds()?
                    .pixelCover
                {
                    area = device(local.outset(by: 1).rect.offsetBy(x: glyph.x, y: glyph.y), transform)
                }
            }
            if let area { result = result?.union(area) ?? area }
        }
        guard var area = result else { return nil }
        let scale = max(transform.stretch.x, transform.stretch.y)
        var reach = max(0, item.strokeWidth) * 4 * scale
        for shadow in item.shadows {
            reach = max(reach, (max(abs(shadow.x), abs(shadow.y)) + 2 * shadow.blur) * scale + 2)
        }
        area = area.outset(by: Int(bounded: reach.rounded(.up)))
        return area
    }
}
