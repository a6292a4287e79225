// Compositing of complete layers: filters, then opacity, then the combination with the backdrop; and reading the pixels below them.

import FancyTextCSS

package enum Composite: Hashable, Sendable {
    case blend(BlendMode)
    /// The layer inside the backdrop; the layer outside the backdrop; the areas that only one of both covers (Compositing 1 §9).
    case sourceIn, sourceOut, exclusive
    /// The backdrop inside the layer: the layer is a mask.
    case destinationIn

    /// The cost per pixel, in units of half the cost of blending a colour over one.
    var work: Int {
        switch self {
        case .blend(.normal): 2
        case .blend: 16
        case .sourceIn, .sourceOut, .exclusive, .destinationIn: 10
        }
    }

    /// The Porter-Duff operators; `blend` has its own implementation.
    @inline(__always) func combine(_ source: UInt32, _ destination: UInt32) -> UInt32 {
        switch self {
        case .blend(let mode): mode.mix(source, onto: destination)
        case .sourceIn: Pixel.scale(source, by: destination >> 24)
        case .sourceOut: Pixel.scale(source, by: 255 - destination >> 24)
        case .exclusive:
            Pixel.scale(source, by: 255 - destination >> 24) &+ Pixel.scale(destination, by: 255 - source >> 24)
        case .destinationIn: Pixel.scale(destination, by: source >> 24)
        }
    }
}

struct LayerEffect {
    var opacity: Float = 1
    var composite = Composite.blend(.normal)
    var filters: [PixelFilter] = []

    /// The opacity, 0–255.
    var alpha: UInt32 { UInt32(UInt8(bounded: (opacity.isNaN ? 1 : opacity) * 255 + 0.5)) }

    /// The maximum distance that the filters together move a colour.
    var reach: Int { filters.reduce(0) { $0 + $1.reach } }

    /// The pixels that a layer with a projection or a `filter` element needs of the visible ones; `nil` for other layers.
    func area(of drawing: DeviceRect, visible: DeviceRect, reach far: Int) -> DeviceRect? {
        let regions = filters.compactMap { if case .element(let filter) = $0 { filter.region } else { nil } }
        if !regions.isEmpty {
            let isFirst = if case .element = filters[0] { true } else { false }
            // Any part of a region may depend on all of it.
            let areas = (isFirst ? regions : [drawing] + regions).filter { !$0.isEmpty }
            guard let first = areas.first, !visible.isEmpty else { return DeviceRect.empty }
            return areas.reduce(first) { $0.union($1) }.outset(by: reach).intersection(visible.outset(by: far))
        }
        guard case .projection(let projection)? = filters.last else { return nil }
        guard let back = projection.inverse?.bounds(of: visible.rect) else { return visible.intersection(drawing) }
        let source = drawing.intersection(back.pixelCover.outset(by: 2))
        guard !source.isEmpty else { return source }
        return source.union((PixelFilter.projection(projection).extent(of: source) ?? source).intersection(visible))
    }
}

typealias PixelBuffer = (pixels: UnsafeMutablePointer<UInt32>, area: DeviceRect)

extension Pixel {
    /// The luminance of a premultiplied pixel, 0–255 (CSS Masking 1 §7.10.1 gives the weights of linear light to sRGB).
    static func luminance(_ pixel: UInt32) -> UInt32 {
        ((pixel & 255) * 54 + ((pixel >> 8) & 255) * 183 + ((pixel >> 16) & 255) * 19 + 128) >> 8
    }

    /// The weighted sum of two pixels: `a` by a share of 255, the rest `b`.
    @inline(__always) static func mix(_ a: UInt32, _ b: UInt32, by share: UInt32) -> UInt32 {
        share == 255 ? a : scale(a, by: share) &+ scale(b, by: 255 - share)
    }
}

extension Bitmap {
    func composite(_ layer: Layer) {
        let opacity = layer.effect.alpha
        let area = layer.area.intersection(clip.area)
        note(layer.effect.composite.work * area.count)
        guard !isExhausted else { return }
        switch layer.effect.composite {
        case .blend(let mode):
            guard opacity > 0, !area.isEmpty else { return }
            for y in area.minY..<area.maxY {
                let source = layer.pixels + layer.area.index(x: area.minX, y: y)
                if opacity < 255 {
                    for x in 0..<area.width { source[x] = Pixel.scale(source[x], by: opacity) }
                }
                composite(source, x: area.minX, y: y, count: area.width, mode)
            }
        case .sourceIn, .sourceOut, .exclusive, .destinationIn:
            // These modes also act where the layer is empty and outside of it.
            for y in clip.area.minY..<clip.area.maxY {
                let target = pointer(x: clip.area.minX, y: y)
                let row = layer.pixels + (y - layer.area.minY) * layer.area.width
                let isInside = y >= layer.area.minY && y < layer.area.maxY
                for x in 0..<clip.area.width {
                    let column = clip.area.minX + x - layer.area.minX
                    var pixel: UInt32 = isInside && column >= 0 && column < layer.area.width ? row[column] : 0
                    if opacity < 255 { pixel = Pixel.scale(pixel, by: opacity) }
                    target[x] = layer.effect.composite.combine(pixel, target[x])
                }
            }
        }
    }

    /// Composites a row of a layer, of which the clip's mask covers a part.
    private func composite(_ source: UnsafePointer<UInt32>, x: Int, y: Int, count: Int, _ mode: BlendMode) {
        let target = pointer(x: x, y: y)
        guard let mask = clip.mask else {
            if mode == .normal { return Blend.pixels(target, source, count: count) }
            for x in 0..<count where source[x] != 0 { target[x] = mode.mix(source[x], onto: target[x]) }
            return
        }
        withRow(of: mask, x: x, y: y) { coverage in
            if mode == .normal { return Blend.pixels(target, source, coverage: coverage, count: count) }
            for x in 0..<count where source[x] != 0 {
                target[x] = Pixel.mix(mode.mix(source[x], onto: target[x]), target[x], by: UInt32(coverage[x]))
            }
        }
    }

    func layer(depth: Int) -> Layer { layers[max(0, layers.count - 1 - depth)] }
}

extension Bitmap.Layer {
    func pixmap(of part: DeviceRect) -> Pixmap {
        let rows = (part.minY..<part.maxY).flatMap { y in
            UnsafeBufferPointer(start: pixels + area.index(x: part.minX, y: y), count: part.width)
        }
        return Pixmap(width: part.width, height: part.height, pixels: rows)
    }
}
