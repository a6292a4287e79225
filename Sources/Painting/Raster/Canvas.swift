// Shapes, masks and pixels in; a picture out: the compositor.
//
// A canvas is a stack of layers (opacity groups) of premultiplied pixels and a stack of clips. A clip is a rectangle of whole
// pixels and, only when an edge is round or fractional, a mask of coverage. Everything ends in ``blend(x:y:coverage:count:paint:)``
// or in the solid-rectangle fast path. Coordinates are device pixels.

import Basics
import Styling

/// Gives the colours of a row: gradients and pictures.
protocol RowShader: AnyObject {
    /// Writes the premultiplied colours of the pixels from (x, y) to the right.
    func fill(_ row: UnsafeMutableBufferPointer<UInt32>, x: Int, y: Int)
    /// Whether all its pixels are opaque, so that they can be written in place.
    var fillsOpaquely: Bool { get }
}

extension RowShader {
    var fillsOpaquely: Bool { false }
}

enum Paint {
    /// Premultiplied.
    case solid(UInt32)
    case shader(any RowShader)
}

/// A drawing surface; see the file's head. Not thread-safe: one task owns it. Its storage is reused by ``reset(width:height:background:)``.
package final class Canvas {
    package private(set) var width = 0
    package private(set) var height = 0

    private struct Layer {
        var pixels: UnsafeMutablePointer<UInt32>
        var area: DeviceRect
        var opacity: UInt32
        /// Rows that something was drawn on.
        var drawn = Int.max..<Int.max

        /// Gives back the pixels of a layer above the picture.
        func free() { PixelStorage.freeCleared(pixels, count: area.width * area.height) }
    }

    private struct Clip {
        var area: DeviceRect
        var mask: Mask?
    }

    private enum Saved {
        case clip(Clip)
        case layer(Clip)
    }

    private var base: UnsafeMutablePointer<UInt32>
    private var capacity = 0
    private var layers: [Layer] = []
    private var clip = Clip(area: DeviceRect(minX: 0, minY: 0, maxX: 0, maxY: 0), mask: nil)
    private var saved: [Saved] = []
    var rasterizer = CoverageRasterizer()
    private var rowPixels: [UInt32] = []
    private var rowCoverage: [UInt8] = []

    package init() {
        base = PixelStorage.allocate(1)
    }

    package convenience init(width: Int, height: Int, background: Color = .transparent) {
        self.init()
        reset(width: width, height: height, background: background)
    }

    deinit {
        for layer in layers.dropFirst() { layer.free() }
        PixelStorage.free(base)
    }

    /// Starts an empty picture. O(width × height).
    package func reset(width: Int, height: Int, background: Color) {
        reset(width: width, rows: 0..<max(0, height), background: background)
    }

    /// Starts some rows of an empty picture: what falls on others is clipped. Its height is then the number of these rows.
    package func reset(width: Int, rows: Range<Int>, background: Color) {
        for layer in layers.dropFirst() { layer.free() }
        self.width = max(0, width)
        height = rows.count
        let count = self.width * self.height
        if count > capacity {
            PixelStorage.free(base)
            base = PixelStorage.allocate(count)
            capacity = count
        }
        base.update(repeating: Pixel.premultiplied(background), count: count)
        let area = DeviceRect(minX: 0, minY: rows.lowerBound, maxX: self.width, maxY: rows.upperBound)
        layers = [Layer(pixels: base, area: area, opacity: 255)]
        clip = Clip(area: area, mask: nil)
        saved.removeAll(keepingCapacity: true)
        if rowPixels.count < self.width {
            rowPixels = [UInt32](repeating: 0, count: self.width)
            rowCoverage = [UInt8](repeating: 0, count: self.width)
        }
    }

    /// The pixels of the whole picture, row by row. Valid inside `body` only.
    package func withPixels<Result>(_ body: (UnsafeBufferPointer<UInt32>) throws -> Result) rethrows -> Result {
        try body(UnsafeBufferPointer(start: base, count: width * height))
    }

    /// A copy of the picture.
    package func makePixmap() -> Pixmap {
        withPixels { Pixmap(width: width, height: height, pixels: Array($0)) }
    }

    /// What can still be seen: nothing outside of this needs to be drawn.
    package var visibleArea: DeviceRect { clip.area }

    // MARK: Clips and layers

    /// Clips everything until the matching ``pop()`` to a shape. Whole-pixel rectangles cost nothing.
    package func pushClip(_ shape: RoundedRect) {
        saved.append(.clip(clip))
        let rect = shape.rect
        let cover = rect.pixelCover
        let isWhole =
            Float(cover.minX) == rect.x && Float(cover.minY) == rect.y && Float(cover.maxX) == rect.maxX
            && Float(cover.maxY) == rect.maxY
        clip.area = clip.area.intersection(cover)
        guard !clip.area.isEmpty, !(shape.isRectangle && isWhole) else { return }
        intersectClip(with: Path(shape), isInverse: false)
    }

    /// Clips everything until the matching ``pop()`` to the inside of a path, or to the outside of it.
    package func pushClip(_ path: Path, isInverse: Bool = false) {
        saved.append(.clip(clip))
        if !isInverse {
            guard let bounds = path.bounds() else {
                clip.area.maxX = clip.area.minX
                return
            }
            clip.area = clip.area.intersection(bounds.pixelCover)
        }
        guard !clip.area.isEmpty else { return }
        intersectClip(with: path, isInverse: isInverse)
    }

    private func intersectClip(with path: Path, isInverse: Bool) {
        let area = clip.area
        let mask = Mask(area: area, fill: isInverse ? 255 : 0)
        rasterizer.begin(area)
        rasterizer.add(path)
        mask.bytes.withUnsafeMutableBufferPointer { bytes in
            guard let bytes = bytes.baseAddress else { return }
            rasterizer.finish { x, y, coverage, count in
                let target = bytes + (y - area.minY) * area.width + (x - area.minX)
                if isInverse {
                    Blend.multiplyByInverse(target, of: coverage, count: count)
                } else {
                    target.update(from: coverage, count: count)
                }
            }
            guard let outer = clip.mask else { return }
            outer.bytes.withUnsafeBufferPointer { other in
                guard let other = other.baseAddress else { return }
                for y in area.minY..<area.maxY {
                    let source = other + (y - outer.area.minY) * outer.area.width + (area.minX - outer.area.minX)
                    Blend.multiply(bytes + (y - area.minY) * area.width, by: source, count: area.width)
                }
            }
        }
        clip.mask = mask
    }

    /// Draws everything until the matching ``pop()`` into a layer that is then composited as one.
    package func pushOpacity(_ opacity: Float) {
        saved.append(.layer(clip))
        let area = clip.area
        // Fresh memory: rows that nothing is drawn on are never touched.
        let pixels = PixelStorage.allocateCleared(area.width * area.height)
        layers.append(
            Layer(pixels: pixels, area: area, opacity: UInt32(max(0, min(1, opacity.isNaN ? 1 : opacity)) * 255 + 0.5)))
        // The clip's mask applies once, when the layer comes back.
        clip.mask = nil
    }

    /// Ends the innermost clip or layer; without one, nothing happens.
    package func pop() {
        guard let last = saved.popLast() else { return }
        switch last {
        case .clip(let outer):
            clip = outer
        case .layer(let outer):
            clip = outer
            let layer = layers.removeLast()
            defer { layer.free() }
            guard layer.opacity > 0, !layer.area.isEmpty else { return }
            let area = layer.area
            for y in layer.drawn {
                let source = layer.pixels + (y - area.minY) * area.width
                let target = pointer(x: area.minX, y: y)
                if let mask = clip.mask {
                    if layer.opacity < 255 {
                        for x in 0..<area.width { source[x] = Pixel.scale(source[x], by: layer.opacity) }
                    }
                    withRow(of: mask, x: area.minX, y: y) {
                        Blend.pixels(target, source, coverage: $0, count: area.width)
                    }
                } else if layer.opacity == 255 {
                    Blend.pixels(target, source, count: area.width)
                } else {
                    Blend.pixels(target, source, count: area.width, opacity: layer.opacity)
                }
            }
        }
    }

    @inline(__always)
    private func pointer(x: Int, y: Int) -> UnsafeMutablePointer<UInt32> {
        let index = layers.count - 1
        if index > 0 { noteRow(y, ofLayer: index) }
        let layer = layers[index]
        return layer.pixels + ((y - layer.area.minY) * layer.area.width + (x - layer.area.minX))
    }

    private func noteRow(_ y: Int, ofLayer index: Int) {
        let drawn = layers[index].drawn
        if drawn.contains(y) { return }
        layers[index].drawn = drawn.isEmpty ? y..<y + 1 : min(drawn.lowerBound, y)..<max(drawn.upperBound, y + 1)
    }

    @inline(__always)
    private func withRow(of mask: Mask, x: Int, y: Int, _ body: (UnsafePointer<UInt8>) -> Void) {
        mask.bytes.withUnsafeBufferPointer { bytes in
            guard let bytes = bytes.baseAddress else { return }
            body(bytes + (y - mask.area.minY) * mask.area.width + (x - mask.area.minX))
        }
    }

    // MARK: Filling

    /// Blends part of a row. `coverage` nil is full coverage.
    func blend(x: Int, y: Int, coverage: UnsafePointer<UInt8>?, count: Int, paint: Paint) {
        let area = clip.area
        guard y >= area.minY && y < area.maxY else { return }
        let from = max(x, area.minX)
        let to = min(x + count, area.maxX)
        guard from < to else { return }
        let length = to - from
        let target = pointer(x: from, y: y)
        var coverage = coverage.map { $0 + (from - x) }
        rowCoverage.withUnsafeMutableBufferPointer { scratch in
            guard let scratch = scratch.baseAddress else { return }
            if let mask = clip.mask {
                withRow(of: mask, x: from, y: y) { scratch.update(from: $0, count: length) }
                if let coverage { Blend.multiply(scratch, by: coverage, count: length) }
                coverage = UnsafePointer(scratch)
            }
            switch paint {
            case .solid(let color):
                if let coverage {
                    Blend.solid(target, coverage: coverage, count: length, color: color)
                } else {
                    Blend.solid(target, count: length, color: color)
                }
            case .shader(let shader) where coverage == nil && shader.fillsOpaquely:
                shader.fill(UnsafeMutableBufferPointer(start: target, count: length), x: from, y: y)
            case .shader(let shader):
                rowPixels.withUnsafeMutableBufferPointer { row in
                    guard let source = row.baseAddress else { return }
                    shader.fill(UnsafeMutableBufferPointer(start: source, count: length), x: from, y: y)
                    if let coverage {
                        Blend.pixels(target, source, coverage: coverage, count: length)
                    } else {
                        Blend.pixels(target, source, count: length)
                    }
                }
            }
        }
    }

    /// Fills whole pixels.
    func fill(_ rect: DeviceRect, paint: Paint) {
        let area = rect.intersection(clip.area)
        guard !area.isEmpty else { return }
        if case .solid(let color) = paint, clip.mask == nil {
            if color == 0 { return }
            for y in area.minY..<area.maxY { Blend.solid(pointer(x: area.minX, y: y), count: area.width, color: color) }
            return
        }
        for y in area.minY..<area.maxY { blend(x: area.minX, y: y, coverage: nil, count: area.width, paint: paint) }
    }

    /// Fills a rectangle whose edges may lie between pixels.
    func fill(_ rect: Rect, paint: Paint) {
        guard !rect.isEmpty else { return }
        let cover = rect.pixelCover.intersection(clip.area)
        guard !cover.isEmpty else { return }
        func share(_ from: Float, _ to: Float, _ pixel: Int) -> Float {
            max(0, min(to, Float(pixel + 1)) - max(from, Float(pixel)))
        }
        var columns = [UInt8](repeating: 255, count: cover.width)
        let columnShares = (cover.minX..<cover.maxX).lazy.map { share(rect.x, rect.maxX, $0) }
        let isWide = columnShares.allSatisfy { $0 >= 1 }
        for y in cover.minY..<cover.maxY {
            let part = share(rect.y, rect.maxY, y)
            if part >= 1 && isWide {
                blend(x: cover.minX, y: y, coverage: nil, count: cover.width, paint: paint)
            } else if part > 0 {
                for (index, column) in columnShares.enumerated() {
                    columns[index] = UInt8(min(1, part * column) * 255 + 0.5)
                }
                columns.withUnsafeBufferPointer {
                    blend(x: cover.minX, y: y, coverage: $0.baseAddress, count: cover.width, paint: paint)
                }
            }
        }
    }

    /// Fills a path, non-zero.
    func fill(_ path: Path, _ transform: Transform = Transform(), paint: Paint) {
        guard let bounds = path.bounds(transform) else { return }
        fill(path, transform, within: bounds.pixelCover, paint: paint)
    }

    /// Fills the part of a path that lies within `bounds`, non-zero.
    func fill(_ path: Path, _ transform: Transform, within bounds: DeviceRect, paint: Paint) {
        let area = bounds.intersection(clip.area)
        guard !area.isEmpty else { return }
        rasterizer.begin(area)
        rasterizer.add(path, transform)
        // `blend` never rasterizes, so the rasterizer can be lent out meanwhile.
        var borrowed = CoverageRasterizer()
        swap(&borrowed, &rasterizer)
        borrowed.finish { x, y, coverage, count in blend(x: x, y: y, coverage: coverage, count: count, paint: paint) }
        swap(&borrowed, &rasterizer)
    }

    /// Fills a rounded rectangle: the rows between the corners are filled whole.
    func fill(_ shape: RoundedRect, paint: Paint) {
        guard !shape.rect.isEmpty else { return }
        if shape.isRectangle {
            let cover = shape.rect.pixelCover
            if Float(cover.minX) == shape.rect.x && Float(cover.minY) == shape.rect.y
                && Float(cover.maxX) == shape.rect.maxX
                && Float(cover.maxY) == shape.rect.maxY
            {
                fill(cover, paint: paint)
            } else {
                fill(shape.rect, paint: paint)
            }
            return
        }
        let path = Path(shape)
        let cover = shape.rect.pixelCover
        let radii = shape.radii
        let top = pixelInt((shape.rect.y + max(radii.topLeft.height, radii.topRight.height)).rounded(.up))
        let bottom = pixelInt((shape.rect.maxY - max(radii.bottomLeft.height, radii.bottomRight.height)).rounded(.down))
        guard top + 1 < bottom else {
            fill(path, Transform(), within: cover, paint: paint)
            return
        }
        fill(
            path, Transform(), within: DeviceRect(minX: cover.minX, minY: cover.minY, maxX: cover.maxX, maxY: top),
            paint: paint)
        fill(
            RoundedRect(
                rect: Rect(x: shape.rect.x, y: Float(top), width: shape.rect.width, height: Float(bottom - top))),
            paint: paint)
        fill(
            path, Transform(), within: DeviceRect(minX: cover.minX, minY: bottom, maxX: cover.maxX, maxY: cover.maxY),
            paint: paint)
    }

    // MARK: Masks and pixels

    /// Blends a glyph's coverage. `table` maps coverage (text contrast); nil leaves it.
    func blendGlyph(
        _ coverage: UnsafePointer<UInt8>, stride: Int, area: DeviceRect, table: UnsafePointer<UInt8>?, paint: Paint
    ) {
        let visible = area.intersection(clip.area)
        guard !visible.isEmpty else { return }
        if case .solid(let color) = paint, clip.mask == nil, let table {
            for y in visible.minY..<visible.maxY {
                let source = coverage + (y - area.minY) * stride + (visible.minX - area.minX)
                Blend.solid(
                    pointer(x: visible.minX, y: y), coverage: source, table: table, count: visible.width, color: color)
            }
            return
        }
        var row = [UInt8](repeating: 0, count: visible.width)
        for y in visible.minY..<visible.maxY {
            let source = coverage + (y - area.minY) * stride + (visible.minX - area.minX)
            row.withUnsafeMutableBufferPointer { row in
                guard let row = row.baseAddress else { return }
                if let table {
                    for x in 0..<visible.width { row[x] = table[Int(source[x])] }
                } else {
                    row.update(from: source, count: visible.width)
                }
                blend(x: visible.minX, y: y, coverage: row, count: visible.width, paint: paint)
            }
        }
    }

    /// Blends a mask of coverage, moved by whole pixels.
    func blend(_ mask: Mask, offsetX: Int = 0, offsetY: Int = 0, paint: Paint) {
        let area = DeviceRect(
            minX: mask.area.minX + offsetX, minY: mask.area.minY + offsetY, maxX: mask.area.maxX + offsetX,
            maxY: mask.area.maxY + offsetY)
        let visible = area.intersection(clip.area)
        guard !visible.isEmpty else { return }
        mask.bytes.withUnsafeBufferPointer { bytes in
            guard let bytes = bytes.baseAddress else { return }
            for y in visible.minY..<visible.maxY {
                let row = bytes + (y - area.minY) * area.width + (visible.minX - area.minX)
                blend(x: visible.minX, y: y, coverage: row, count: visible.width, paint: paint)
            }
        }
    }
}
