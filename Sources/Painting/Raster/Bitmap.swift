// The compositor: draws shapes, masks and pixels into a picture.
// A canvas is a stack of layers of premultiplied pixels, a stack of clips and a transform. A clip is a rectangle of whole pixels
// and, only if an edge is round or fractional, a coverage mask. Shapes are given in pixels before the transform; rows, glyph
// pictures and layers in device pixels.

import FancyTextBasics
import FancyTextCSS
import FancyTextPlatform

/// A drawing surface. Not thread-safe: one task owns it. ``reset(width:rows:background:)`` reuses its storage.
package final class Bitmap {
    package private(set) var width = 0
    package private(set) var height = 0

    struct Layer {
        var pixels: UnsafeMutablePointer<UInt32>
        var area: DeviceRect
        var effect = LayerEffect()

        /// Frees the pixels of a layer above the picture.
        func free() { FancyTextPlatform.free(pixels) }
    }

    struct Clip {
        var area: DeviceRect
        var mask: Mask?
    }

    private var base: UnsafeMutablePointer<UInt32>
    private var capacity = 0
    private(set) var layers: [Layer] = []
    private(set) var clip = Clip(area: .empty)
    private(set) var transform: Transform?
    private(set) var inverse = Transform()
    /// The states outside of the open clips, transforms and layers, outermost first.
    private var saved: [(transform: Transform?, inverse: Transform, clip: Clip, isLayer: Bool)] = []
    var rasterizer = CoverageRasterizer()
    /// When the canvas has used up a budget, it draws nothing more.
    var meter = BudgetMeter()
    /// Painted pixels allowed in addition to the limit: large pictures need more.
    var allowance = 0
    /// The number of pixels touched since the meter was last updated.
    private var touched = 0
    private(set) var isExhausted = false
    private var rowPixels: [UInt32] = []
    private var rowCoverage: [UInt8] = []
    var grounds = Blend.GroundTables()

    package init() { base = .allocate(capacity: 1) }

    package convenience init(width: Int, height: Int, background: Color = .transparent) {
        self.init()
        reset(width: width, rows: 0..<max(0, height), background: background)
    }

    deinit {
        for layer in layers.dropFirst() { layer.free() }
        base.deallocate()
    }

    // MARK: Budgets

    /// Adds the cost of work on some pixels, in units of blending a colour over one.
    @inline(__always) func note(_ pixels: Int) {
        touched &+= pixels
        if touched > Self.noted { tellMeter() }
    }

    private static let noted = 1 << 20

    private func tellMeter() {
        if !meter.spend(touched, of: .paintedPixels, besides: allowance) { isExhausted = true }
        touched = 0
    }

    /// Charges bytes of layer memory to the budget. Returns false if the budget is exceeded.
    func holds(_ bytes: Int) -> Bool {
        guard !isExhausted, meter.spend(bytes, of: .layerBytes) else {
            isExhausted = true
            return false
        }
        return true
    }

    func release(_ bytes: Int) { meter.giveBack(bytes, of: .layerBytes) }

    /// Clears the canvas for some rows of a picture, whose number `height` then is; others are clipped. Linear in the pixels.
    package func reset(width: Int, rows: Range<Int>, background: Color) {
        for layer in layers.dropFirst() { layer.free() }
        (isExhausted, touched) = (meter.isSpent, 0)
        (self.width, height) = (max(0, width), rows.count)
        let count = self.width * self.height
        if count > capacity {
            base.deallocate()
            (base, capacity) = (.allocate(capacity: count), count)
        }
        base.update(repeating: Pixel.premultiplied(background), count: count)
        let area = DeviceRect(minX: 0, minY: rows.lowerBound, maxX: self.width, maxY: rows.upperBound)
        (layers, clip, transform) = ([Layer(pixels: base, area: area)], Clip(area: area), nil)
        saved.removeAll(keepingCapacity: true)
        widenRow(to: self.width)
    }

    private func widenRow(to width: Int) {
        guard rowPixels.count < width else { return }
        rowPixels = [UInt32](repeating: 0, count: width)
        rowCoverage = [UInt8](repeating: 0, count: width)
    }

    /// The pixels of the whole picture, row by row. Valid inside `body` only.
    package func withPixels<Result>(_ body: (UnsafeBufferPointer<UInt32>) throws -> Result) rethrows -> Result {
        try body(UnsafeBufferPointer(start: base, count: width * height))
    }

    /// The pixels of the whole picture, for callers that overwrite them. Valid inside `body` only.
    package func takePixels<Result, Failure: Error>(
        _ body: (UnsafeMutableBufferPointer<UInt32>) throws(Failure) -> Result
    ) throws(Failure) -> Result { try body(UnsafeMutableBufferPointer(start: base, count: width * height)) }

    package func makePixmap() -> Pixmap { withPixels { Pixmap(width: width, height: height, pixels: Array($0)) } }

    /// The area that can still be visible, before the transform. Drawing outside of it has no effect.
    package var visibleArea: DeviceRect {
        if transform == nil || clip.area.isEmpty { return clip.area }
        return inverse.bounds(of: clip.area.rect).pixelCover
    }

    private func save(isLayer: Bool = false) { saved.append((transform, inverse, clip, isLayer)) }

    // MARK: Transforms

    /// Applies a transform to shapes, before those pushed earlier, until the matching ``pop()``; without an inverse it hides them.
    func pushTransform(_ inner: Transform) {
        save()
        let whole = transform?.after(inner) ?? inner
        guard let back = whole.inverse else { return clip.area.maxX = clip.area.minX }
        (transform, inverse) = (whole, back)
    }

    func inDevicePixels(_ body: () -> Void) {
        let outer = transform
        transform = nil
        body()
        transform = outer
    }

    // MARK: Clips and layers

    /// Clips all drawing until the matching ``pop()`` to a shape. Rectangles of whole pixels cost nothing.
    package func pushClip(_ shape: RoundedRect) {
        var shape = shape
        if let transform {
            guard shape.isRectangle, transform.isUpright else { return pushClip(Path(shape)) }
            shape.rect = transform.bounds(of: shape.rect)
        }
        save()
        clip.area = clip.area.intersection(shape.rect.pixelCover)
        if !shape.isRectangle || shape.rect.wholePixels == nil { intersectClip(with: Path(shape)) }
    }

    /// Clips all drawing until the matching ``pop()`` to the inside of a path, or to its outside.
    package func pushClip(_ path: Path, isInverse: Bool = false, isEvenOdd: Bool = false) {
        let path = transform.map { path.transformed($0) } ?? path
        save()
        if !isInverse {
            guard let bounds = path.bounds() else { return clip.area.maxX = clip.area.minX }
            clip.area = clip.area.intersection(bounds.pixelCover)
        }
        intersectClip(with: path, isInverse: isInverse, isEvenOdd: isEvenOdd)
    }

    private func intersectClip(with path: Path, isInverse: Bool = false, isEvenOdd: Bool = false) {
        let area = clip.area
        guard !area.isEmpty else { return }
        guard holds(area.count) else { return clip.area.maxX = clip.area.minX }
        note(area.count)
        let mask = mask(of: path, area: area, isEvenOdd: isEvenOdd)
        mask.bytes.withUnsafeMutableBufferPointer { bytes in
            if isInverse { for index in bytes.indices { bytes[index] = 255 - bytes[index] } }
            guard let outer = clip.mask, let bytes = bytes.baseAddress else { return }
            for y in area.minY..<area.maxY {
                withRow(of: outer, x: area.minX, y: y) {
                    Blend.multiply(bytes + area.index(x: area.minX, y: y), by: $0, count: area.width)
                }
            }
        }
        clip.mask = mask
    }

    /// Draws into a layer until the matching ``pop()``, which composites it; nothing is drawn outside `bounds` in device pixels.
    func pushLayer(_ effect: LayerEffect = LayerEffect(), bounds: DeviceRect? = nil) {
        save(isLayer: true)
        // A blur carries pixels near the visible area into it.
        let reach = effect.reach
        var area = clip.area
        if reach > 0, !area.isEmpty { area = area.outset(by: reach) }
        if let bounds { area = area.intersection(bounds.isEmpty ? bounds : bounds.outset(by: reach)) }
        // A chain of filters may reach far beyond the visible area and the drawing; its effect there is faint.
        if reach > Self.farReach, let bounds, !bounds.isEmpty, !area.isEmpty {
            area = area.intersection(clip.area.union(bounds).outset(by: Self.farReach))
        }
        area = effect.area(of: bounds ?? clip.area, visible: clip.area, reach: Self.farReach) ?? area
        if area.isEmpty || !holds(area.count * 4) { (area.maxX, area.maxY) = (area.minX, area.minY) }
        let count = max(1, area.count)
        guard let memory = calloc(count, MemoryLayout<UInt32>.stride)
        else { fatalError("out of memory for a layer of \(count) pixels") }
        layers.append(Layer(pixels: memory.bindMemory(to: UInt32.self, capacity: count), area: area, effect: effect))
        // The clip's mask is applied once, when the layer is composited.
        clip = Clip(area: area)
        widenRow(to: area.width)
    }

    /// In device pixels: the reach of the widest single blur.
    private static let farReach = 1502

    /// Ends the innermost clip, transform or layer; without one, nothing happens.
    package func pop() {
        guard let outer = saved.popLast() else { return }
        if let mask = clip.mask, mask !== outer.clip.mask { release(mask.bytes.count) }
        (transform, inverse, clip) = (outer.transform, outer.inverse, outer.clip)
        guard outer.isLayer else { return }
        let layer = layers.removeLast()
        apply(layer.effect.filters, to: (layer.pixels, layer.area))
        composite(layer)
        layer.free()
        release(layer.area.count * 4)
    }

    /// - Parameter mirrors: If true, pixels beyond the edges mirror those inside; otherwise they are transparent.
    func apply(_ filters: [PixelFilter], to buffer: PixelBuffer, mirrors: Bool = false) {
        for filter in filters where !isExhausted {
            note(buffer.area.count * filter.work)
            if !isExhausted { filter.apply(to: buffer, mirrors: mirrors) }
        }
    }

    @inline(__always) func pointer(x: Int, y: Int) -> UnsafeMutablePointer<UInt32> {
        let layer = layers[layers.count - 1]
        return layer.pixels + layer.area.index(x: x, y: y)
    }

    @inline(__always) func withRow(of mask: Mask, x: Int, y: Int, _ body: (UnsafePointer<UInt8>) -> Void) {
        mask.bytes.withUnsafeBufferPointer { bytes in
            if let bytes = bytes.baseAddress { body(bytes + mask.area.index(x: x, y: y)) }
        }
    }

    // MARK: Filling

    /// Blends part of a row. If `coverage` is `nil`, it is full.
    func blend(x: Int, y: Int, coverage: UnsafePointer<UInt8>?, count: Int, paint: Paint) {
        let area = clip.area
        guard y >= area.minY && y < area.maxY else { return }
        let (from, to) = (max(x, area.minX), min(x + count, area.maxX))
        guard from < to, !isExhausted else { return }
        let length = to - from
        note(paint.work &* length)
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
                fill(UnsafeMutableBufferPointer(start: target, count: length), with: shader, x: from, y: y)
            case .shader(let shader):
                rowPixels.withUnsafeMutableBufferPointer { row in
                    guard let source = row.baseAddress else { return }
                    fill(UnsafeMutableBufferPointer(start: source, count: length), with: shader, x: from, y: y)
                    if let coverage {
                        Blend.pixels(target, source, coverage: coverage, count: length)
                    } else {
                        Blend.pixels(target, source, count: length)
                    }
                }
            }
        }
    }

    @inline(__always)
    private func fill(_ row: UnsafeMutableBufferPointer<UInt32>, with shader: any RowShader, x: Int, y: Int) {
        let middle = Point(x: Float(x) + 0.5, y: Float(y) + 0.5)
        if transform == nil { return shader.fill(row, from: middle, step: Point(x: 1, y: 0)) }
        shader.fill(row, from: inverse.apply(middle), step: Point(x: inverse.xx, y: inverse.yx))
    }

    func fill(_ rect: DeviceRect, paint: Paint) {
        if transform != nil { return fill(rect.rect, paint: paint) }
        let area = rect.intersection(clip.area)
        guard !area.isEmpty else { return }
        if case .solid(let color) = paint, clip.mask == nil {
            if color == 0 { return }
            note(area.count)
            for y in area.minY..<area.maxY { Blend.solid(pointer(x: area.minX, y: y), count: area.width, color: color) }
            return
        }
        for y in area.minY..<area.maxY { blend(x: area.minX, y: y, coverage: nil, count: area.width, paint: paint) }
    }

    /// Fills a rectangle whose edges may be between pixels.
    func fill(_ rect: Rect, paint: Paint) {
        guard !rect.isEmpty else { return }
        var rect = rect
        if let transform {
            guard transform.isUpright else { return fill(Path(RoundedRect(rect: rect)), paint: paint) }
            rect = transform.bounds(of: rect)
        }
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
                blend(x: cover.minX, y: y, coverage: columns, count: cover.width, paint: paint)
            }
        }
    }

    func fill(_ path: Path, paint: Paint) { fill(path, Transform(), paint: paint) }

    /// Fills a path under a transform and that of the canvas; a `table` maps its coverage (text contrast).
    func fill(_ path: Path, _ inner: Transform, table: [UInt8]? = nil, paint: Paint) {
        let whole = transform?.after(inner) ?? inner
        guard let bounds = path.bounds(whole)?.pixelCover else { return }
        fill(path, whole, device: bounds, table: table, paint: paint)
    }

    func fill(_ path: Path, within bounds: DeviceRect, paint: Paint) {
        guard transform != nil else { return fill(path, Transform(), device: bounds, table: nil, paint: paint) }
        let isClipped = !bounds.contains(path.bounds()?.pixelCover ?? bounds)
        if isClipped { pushClip(RoundedRect(rect: bounds.rect)) }
        fill(path, paint: paint)
        if isClipped { pop() }
    }

    private func fill(_ path: Path, _ whole: Transform, device bounds: DeviceRect, table: [UInt8]?, paint: Paint) {
        let area = bounds.intersection(clip.area)
        guard !area.isEmpty else { return }
        rasterizer.begin(area)
        rasterizer.add(path, whole)
        // `blend` never rasterizes, so the rasterizer can be borrowed during the calls.
        var borrowed = CoverageRasterizer()
        swap(&borrowed, &rasterizer)
        borrowed.finish { x, y, coverage, count in
            guard let table else { return blend(x: x, y: y, coverage: coverage, count: count, paint: paint) }
            blend(x: x, y: y, coverage: (0..<count).map { table[Int(coverage[$0])] }, count: count, paint: paint)
        }
        swap(&borrowed, &rasterizer)
    }

    /// Fills a rounded rectangle; the rows between the corners are filled without rasterizing.
    func fill(_ shape: RoundedRect, paint: Paint) {
        guard !shape.rect.isEmpty else { return }
        if shape.isRectangle {
            if transform == nil, let pixels = shape.rect.wholePixels { return fill(pixels, paint: paint) }
            return fill(shape.rect, paint: paint)
        }
        let path = Path(shape)
        if transform != nil { return fill(path, paint: paint) }
        let (cover, depths) = (shape.rect.pixelCover, shape.radii.depths)
        let top = Int(bounded: (shape.rect.y + depths.top).rounded(.up))
        let bottom = Int(bounded: (shape.rect.maxY - depths.bottom).rounded(.down))
        guard top + 1 < bottom else { return fill(path, within: cover, paint: paint) }
        fill(path, within: cover.rows(cover.minY, top), paint: paint)
        let middle = Rect(x: shape.rect.x, y: Float(top), width: shape.rect.width, height: Float(bottom - top))
        fill(RoundedRect(rect: middle), paint: paint)
        fill(path, within: cover.rows(bottom, cover.maxY), paint: paint)
    }
}
