// Layers of a canvas: compositing them, and reading the pixels below them.

import FancyTextCSS

extension Bitmap {
    /// Composites a layer that has ended onto the one below it.
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

    /// The layer `depth` below the innermost one.
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
