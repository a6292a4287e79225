// Coverage of glyphs, and masks of paths for clips, shadows and strokes. Out: pixels of the topmost layer.
// Glyphs in one colour over one plain backdrop, the usual case, are blended by tables.

import FancyTextBasics

extension Bitmap {
    /// The coverage of the pixels of `area`; pixels outside of it are clipped.
    final class Mask {
        let area: DeviceRect
        var bytes: [UInt8]
        init(area: DeviceRect, fill: UInt8 = 0) {
            (self.area, bytes) = (area, [UInt8](repeating: fill, count: area.count))
        }

        /// The coverage interpolated between the centres of four pixels, which have whole coordinates.
        func coverage(x: Float, y: Float) -> UInt8 {
            guard x.isFinite, y.isFinite else { return 0 }
            let (left, top) = (x.rounded(.down), y.rounded(.down))
            let (column, row) = (Int(bounded: left) - area.minX, Int(bounded: top) - area.minY)
            guard column >= -1, row >= -1, column < area.width, row < area.height else { return 0 }
            func at(_ column: Int, _ row: Int) -> Float {
                column >= 0 && row >= 0 && column < area.width && row < area.height
                    ? Float(bytes[row * area.width + column]) : 0
            }
            let (u, v) = (x - left, y - top)
            let upper = at(column, row) * (1 - u) + at(column + 1, row) * u
            let lower = at(column, row + 1) * (1 - u) + at(column + 1, row + 1) * u
            return UInt8(upper * (1 - v) + lower * v + 0.5)
        }

        /// Clears the coverage of a rectangle, which may be partly or wholly outside the mask.
        func clear(_ rect: DeviceRect) {
            let part = rect.intersection(area)
            guard !part.isEmpty else { return }
            for y in part.minY..<part.maxY {
                let start = area.index(x: part.minX, y: y)
                for index in start..<start + part.width { bytes[index] = 0 }
            }
        }

        func outset(by room: Int) -> Mask {
            let result = Mask(area: area.outset(by: room))
            for y in area.minY..<area.maxY {
                let (start, row) = (result.area.index(x: area.minX, y: y), area.index(x: area.minX, y: y))
                result.bytes.replaceSubrange(start..<start + area.width, with: bytes[row..<row + area.width])
            }
            return result
        }
    }

    func mask(of path: Path, _ transform: Transform = Transform(), area: DeviceRect, isEvenOdd: Bool = false) -> Mask {
        let mask = Mask(area: area)
        rasterizer.begin(area)
        rasterizer.add(path, transform)
        mask.bytes.withUnsafeMutableBufferPointer { bytes in
            guard let bytes = bytes.baseAddress else { return }
            rasterizer.finish(isEvenOdd: isEvenOdd) { x, y, coverage, count in
                (bytes + area.index(x: x, y: y)).update(from: coverage, count: count)
            }
        }
        return mask
    }

    /// Fills a path whose parts overlap, such as a stroke's outline, non-zero. Areas alone do not tell whether two parts cover the
    /// same half of a pixel, so coverage is limited per sixteenth of a pixel before it is added up; the error is invisible.
    func fillOverlapping(_ path: Path, paint: Paint) {
        let path = transform.map { path.transformed($0) } ?? path
        guard let area = path.bounds()?.pixelCover.intersection(clip.area), !area.isEmpty else { return }
        inDevicePixels { blend(overlappingMask(of: path, area: area), paint: paint) }
    }

    func overlappingMask(of path: Path, area: DeviceRect) -> Mask {
        let mask = Mask(area: area)
        // Works in strips to limit the number of fine cells.
        for top in stride(from: area.minY, to: area.maxY, by: 16) {
            addOverlapping(path, area.rows(top, min(top + 16, area.maxY)), to: mask)
        }
        return mask
    }

    private func addOverlapping(_ path: Path, _ strip: DeviceRect, to mask: Mask) {
        let shift = 2
        let fine = 1 << shift
        rasterizer.begin(
            DeviceRect(
                minX: strip.minX * fine, minY: strip.minY * fine, maxX: strip.maxX * fine, maxY: strip.maxY * fine))
        rasterizer.add(path, Transform(scaleX: Float(fine), scaleY: Float(fine)))
        var sums = [UInt16](repeating: 0, count: strip.count)
        rasterizer.finish { x, y, coverage, count in
            // Masks may extend left of and above the canvas; shifts round down there too, unlike division.
            let row = ((y >> shift) - strip.minY) * strip.width - strip.minX
            for index in 0..<count where coverage[index] > 0 {
                sums[row + ((x + index) >> shift)] += UInt16(coverage[index])
            }
        }
        let start = mask.area.index(x: strip.minX, y: strip.minY)
        for index in sums.indices { mask.bytes[start + index] = UInt8((sums[index] + 8) / 16) }
    }

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
