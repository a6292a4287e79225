// Box shadows (CSS Backgrounds 3 §7.1). Only the corners and edges of a shadow vary, so a small copy of the shape is blurred and
// stretched along its middle rows and columns: the cost depends on the radii and the blur, not on the box.

import FancyTextBasics
import FancyTextCSS

enum ShadowPainter {
    /// - Parameter box: The border box (outer shadows) or padding box (inset ones) in device pixels, aligned to whole pixels.
    static func paint(
        _ box: RoundedRect, _ shadow: Shadow, scale: Float, _ canvas: Bitmap, _ cache: inout ShadowCache
    ) {
        guard shadow.color.alpha > 0, !(shadow.inset && box.rect.isEmpty) else { return }
        let paint = Paint(shadow.color)
        let sigma = max(0, shadow.blur) / 2 * scale
        let shape = shape(of: shadow, box, scale: scale)
        if canvas.transform != nil {
            paintTransformed(box, shape, sigma: sigma, isInset: shadow.inset, paint, canvas, &cache)
        } else if shadow.inset {
            canvas.pushClip(box)
            paintInset(box.rect.pixelCover, hole: shape, sigma: sigma, paint, canvas, &cache)
            canvas.pop()
        } else if !shape.rect.isEmpty {
            let reach = sigma > 0.1 ? Blur.reach(sigma: sigma) : 0
            let blurred = sigma > 0.1 ? cache.mask(of: shape, sigma: sigma, canvas) : nil
            let visible = shape.rect.pixelCover.outset(by: reach).intersection(canvas.visibleArea)
            for (area, isRound) in bands(around: box, within: visible) {
                canvas.pushClip(RoundedRect(rect: area.rect))
                // The shadow is not drawn under the box itself, even where the box is transparent.
                if isRound { canvas.pushClip(Path(box), isInverse: true) }
                if let blurred {
                    blurred.rows(area) { x, y, coverage, count in
                        canvas.blend(x: x, y: y, coverage: coverage, count: count, paint: paint)
                    }
                } else {
                    canvas.fill(shape, paint: paint)
                }
                if isRound { canvas.pop() }
                canvas.pop()
            }
        }
    }

    static func paintSharp(
        _ box: RoundedRect, _ shape: RoundedRect, isInset: Bool, _ paint: Paint, _ surface: some ShapeSurface
    ) {
        guard isInset || !shape.rect.isEmpty else { return }
        let hasHole = isInset && !shape.rect.isEmpty
        surface.pushClip(Path(box), isInverse: !isInset)
        if hasHole { surface.pushClip(Path(shape), isInverse: true) }
        surface.fill(isInset ? box : shape, paint: paint)
        if hasHole { surface.pop() }
        surface.pop()
    }

    static func shape(of shadow: Shadow, _ box: RoundedRect, scale: Float) -> RoundedRect {
        var shape = box.outset(by: shadow.inset ? -shadow.spread * scale : shadow.spread * scale)
        shape.rect = shape.rect.offsetBy(x: shadow.x * scale, y: shadow.y * scale)
        return shape
    }

    /// Paints a shadow under a transform that is not axis-aligned: its mask is computed untransformed.
    private static func paintTransformed(
        _ box: RoundedRect, _ shape: RoundedRect, sigma: Float, isInset: Bool, _ paint: Paint, _ canvas: Bitmap,
        _ cache: inout ShadowCache
    ) {
        guard sigma > 0.1, !shape.rect.isEmpty else { return paintSharp(box, shape, isInset: isInset, paint, canvas) }
        canvas.pushClip(Path(box), isInverse: !isInset)
        defer { canvas.pop() }
        let whole = isInset ? box.rect.pixelCover : shape.rect.pixelCover.outset(by: Blur.reach(sigma: sigma))
        let area = whole.intersection(canvas.visibleArea.outset(by: 1))
        // A shadow that is mostly out of view is limited to its visible part.
        guard !area.isEmpty, area.width < 20_000, area.count < 1 << 26, canvas.holds(area.count) else { return }
        defer { canvas.release(area.count) }
        canvas.note(area.count * 8)
        let mask = Bitmap.Mask(area: area, fill: isInset ? 255 : 0)
        cache.mask(of: shape, sigma: sigma, canvas).rows(area) { x, y, coverage, count in
            let start = area.index(x: x, y: y)
            for index in 0..<count { mask.bytes[start + index] = isInset ? 255 - coverage[index] : coverage[index] }
        }
        canvas.blend(mask, paint: paint)
    }

    /// `area` without the inside of `box`: above, left, right, below.
    private static func bands(around box: RoundedRect, within area: DeviceRect) -> [(area: DeviceRect, isRound: Bool)] {
        let (cover, depths) = (box.rect.pixelCover, box.radii.depths.map { Int(bounded: $0.rounded(.up)) })
        let (top, bottom) = (cover.minY + depths.top, cover.maxY - depths.bottom)
        guard top < bottom else { return area.isEmpty ? [] : [(area, true)] }
        let beside = area.rows(top, bottom)
        let all = [
            (area.rows(area.minY, top), !box.isRectangle), (beside.columns(area.minX, cover.minX), false),
            (beside.columns(cover.maxX, area.maxX), false), (area.rows(bottom, area.maxY), !box.isRectangle),
        ]
        return all.map { (area: $0.0.intersection(area), isRound: $0.1) }.filter { !$0.area.isEmpty }
    }

    private static func paintInset(
        _ area: DeviceRect, hole: RoundedRect, sigma: Float, _ paint: Paint, _ canvas: Bitmap,
        _ cache: inout ShadowCache
    ) {
        let area = area.intersection(canvas.visibleArea)
        guard !area.isEmpty else { return }
        guard !hole.rect.isEmpty else { return canvas.fill(area, paint: paint) }
        guard sigma > 0.1 else {
            canvas.pushClip(Path(hole), isInverse: true)
            canvas.fill(area, paint: paint)
            return canvas.pop()
        }
        var row = [UInt8](repeating: 255, count: area.width)
        var next = area.minY
        func full(to y: Int) {
            if next < y { canvas.fill(area.rows(next, min(y, area.maxY)), paint: paint) }
            next = max(next, y)
        }
        cache.mask(of: hole, sigma: sigma, canvas).rows(area) { x, y, coverage, count in
            full(to: y)
            for index in row.indices { row[index] = 255 }
            for index in 0..<count { row[x - area.minX + index] = 255 - coverage[index] }
            canvas.blend(x: area.minX, y: y, coverage: row, count: area.width, paint: paint)
            next = y + 1
        }
        full(to: area.maxY)
    }
}

/// The blurred coverage of a rounded rectangle in compact form: the identical columns and rows in its middle are stored once.
struct StretchedMask {
    private let small: Bitmap.Mask
    private(set) var area: DeviceRect
    /// The column and row of `small` that are repeated, and the number of additional repetitions.
    private let column, row, extraColumns, extraRows: Int

    /// The largest radius. The shadow of a shape with larger radii is cut to the visible area.
    private static let largestSide = 8192

    init(_ shape: RoundedRect, sigma: Float, _ canvas: Bitmap) {
        let reach = Blur.reach(sigma: sigma)
        var shape = shape
        let seen = canvas.visibleArea.outset(by: 2 * reach)
        var cover = shape.rect.pixelCover
        let isHuge = shape.radii.depths.clockwise.contains { $0 > Float(Self.largestSide) }
        if isHuge || cover.width > 50_000_000 || cover.height > 50_000_000 {
            shape = RoundedRect(rect: cover.intersection(seen).rect)
            cover = shape.rect.pixelCover
        }
        area = cover.outset(by: reach)
        let ends = shape.radii.depths.map { reach + 1 + Int(bounded: $0.rounded(.up)) }
        extraColumns = max(0, cover.width - (ends.left + ends.right + 1))
        extraRows = max(0, cover.height - (ends.top + ends.bottom + 1))
        (column, row) = (reach + ends.left, reach + ends.top)
        var compact = shape
        compact.rect.width -= Float(extraColumns)
        compact.rect.height -= Float(extraRows)
        small = canvas.mask(of: Path(compact), area: compact.rect.pixelCover.outset(by: reach))
        Blur.gaussian(small, sigma: sigma)
    }

    func moved(x: Int, y: Int) -> StretchedMask {
        var result = self
        result.area = DeviceRect(minX: area.minX + x, minY: area.minY + y, maxX: area.maxX + x, maxY: area.maxY + y)
        return result
    }

    /// Calls `body(x, y, coverage, count)` for each row of the shadow within `bounds`.
    func rows(_ bounds: DeviceRect, _ body: (Int, Int, UnsafePointer<UInt8>, Int) -> Void) {
        let part = area.intersection(bounds)
        guard !part.isEmpty else { return }
        let width = small.area.width
        var line = [UInt8](repeating: 0, count: area.width)
        var lineRow = -1
        small.bytes.withUnsafeBufferPointer { bytes in
            guard let bytes = bytes.baseAddress else { return }
            line.withUnsafeMutableBufferPointer { line in
                guard let line = line.baseAddress else { return }
                for y in part.minY..<part.maxY {
                    let place = y - area.minY
                    let source = min(small.area.height - 1, place <= row ? place : max(row, place - extraRows))
                    if source != lineRow {
                        let from = bytes + source * width
                        let head = min(column, width)
                        line.update(from: from, count: head)
                        if head < width {
                            (line + head).update(repeating: from[head], count: extraColumns)
                            (line + head + extraColumns).update(from: from + head, count: width - head)
                        }
                        lineRow = source
                    }
                    body(part.minX, y, line + (part.minX - area.minX), part.width)
                }
            }
        }
    }
}

/// The most recently blurred shapes: boxes with the same style often have the same shadow.
struct ShadowCache {
    private var entries: [(shape: RoundedRect, sigma: Float, mask: StretchedMask)] = []
    private static let most = 4

    mutating func mask(of shape: RoundedRect, sigma: Float, _ canvas: Bitmap) -> StretchedMask {
        func made(_ shape: RoundedRect) -> StretchedMask {
            // The size of a mask is about the reach of the blur.
            canvas.note(16 * Blur.reach(sigma: sigma) * Blur.reach(sigma: sigma))
            return StretchedMask(shape, sigma: sigma, canvas)
        }
        // Masks depend only on the fractional part of the shape's position.
        let (x, y) = (shape.rect.x.rounded(.down), shape.rect.y.rounded(.down))
        guard abs(x) < 1e6, abs(y) < 1e6, shape.rect.width < 8192, shape.rect.height < 8192 else { return made(shape) }
        var local = shape
        local.rect = shape.rect.offsetBy(x: -x, y: -y)
        let known = entries.first { $0.shape == local && $0.sigma == sigma }?.mask
        let mask = known ?? made(local)
        if known == nil {
            if entries.count == Self.most { entries.removeFirst() }
            entries.append((local, sigma, mask))
        }
        return mask.moved(x: Int(bounded: x), y: Int(bounded: y))
    }
}
