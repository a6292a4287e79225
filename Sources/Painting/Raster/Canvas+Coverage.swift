// Glyphs and masks on a canvas. In: coverage, one byte per pixel, its position and a paint. Out: pixels of the topmost layer.
// Glyphs in one colour over one plain backdrop, the usual case, are blended by tables.

import FancyTextBasics

extension Bitmap {
    /// Blends the coverage of one glyph. `table` maps coverage (text contrast).
    func blendGlyph(_ coverage: UnsafePointer<UInt8>, stride: Int, area: DeviceRect, table: [UInt8], paint: Paint) {
        let visible = area.intersection(clip.area)
        guard !visible.isEmpty, !isExhausted else { return }
        note(2 * visible.count)
        func source(_ y: Int) -> UnsafePointer<UInt8> {
            coverage + (y - area.minY) * stride + (visible.minX - area.minX)
        }
        if case .solid(let color) = paint, clip.mask == nil {
            let first = pointer(x: visible.minX, y: visible.minY)
            let corner = first.pointee
            // On a gradient, both corners rarely have the same colour.
            let isPlain = corner == pointer(x: visible.maxX - 1, y: visible.maxY - 1).pointee
            let results =
                isPlain ? grounds.results(ground: corner, color: color, table: table, pixels: visible.count) : nil
            return Blend.glyph(
                first, rowLength: layers[layers.count - 1].area.width, coverage: source(visible.minY), stride: stride,
                width: visible.width, height: visible.height, table: table, color: color,
                ground: results.map { (corner, $0) })
        }
        var row = [UInt8](repeating: 0, count: visible.width)
        for y in visible.minY..<visible.maxY {
            let source = source(y)
            for x in row.indices { row[x] = table[Int(source[x])] }
            blend(x: visible.minX, y: y, coverage: row, count: visible.width, paint: paint)
        }
    }

    func blend(_ mask: Mask, paint: Paint) {
        if let transform { return blend(mask, through: transform, paint: paint) }
        let visible = mask.area.intersection(clip.area)
        guard !visible.isEmpty else { return }
        for y in visible.minY..<visible.maxY {
            withRow(of: mask, x: visible.minX, y: y) {
                blend(x: visible.minX, y: y, coverage: $0, count: visible.width, paint: paint)
            }
        }
    }

    /// Blends a transformed mask: its coverage is interpolated between pixel centres.
    private func blend(_ mask: Mask, through transform: Transform, paint: Paint) {
        let visible = transform.bounds(of: mask.area.outset(by: 1).rect).pixelCover.intersection(clip.area)
        guard !visible.isEmpty, !mask.area.isEmpty else { return }
        var row = [UInt8](repeating: 0, count: visible.width)
        for y in visible.minY..<visible.maxY {
            let start = inverse.apply(Point(x: Float(visible.minX) + 0.5, y: Float(y) + 0.5))
            for x in 0..<visible.width {
                row[x] = mask.coverage(
                    x: start.x + Float(x) * inverse.xx - 0.5, y: start.y + Float(x) * inverse.yx - 0.5)
            }
            blend(x: visible.minX, y: y, coverage: row, count: visible.width, paint: paint)
        }
    }
}
