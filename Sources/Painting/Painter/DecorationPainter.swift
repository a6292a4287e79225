// Paints underlines, overlines and lines through (CSS Text Decoration 4 §2.2) as Chromium does.

import FancyTextBasics

enum DecorationPainter {
    static func paint(_ item: DecorationItem, _ transform: Transform, _ canvas: Bitmap) {
        guard item.width > 0, item.thickness > 0, item.x.isFinite, item.y.isFinite, item.width.isFinite else { return }
        let seen = canvas.visibleArea.outset(by: 2000)
        for shadow in item.shadows.reversed() where shadow.color.alpha > 0 {
            let moved = transform.moved(for: shadow)
            let sigma = shadow.blur / 2 * transform.scaleX
            let reach = sigma > 0.1 ? Blur.reach(sigma: sigma) : 0
            guard let mask = mask(item, moved, seen, room: reach, canvas) else { continue }
            Blur.gaussian(mask, sigma: sigma)
            canvas.blend(mask, paint: Paint(shadow.color))
        }
        // Rotated lines have sharp edges only as shapes.
        if item.style == .solid || item.style == .double || canvas.transform != nil {
            paintShapes(item, transform, canvas)
        } else if item.color.alpha > 0, let mask = mask(item, transform, seen, room: 0, canvas) {
            canvas.blend(mask, paint: Paint(item.color))
        }
    }

    /// Paints the line without its shadows, as shapes.
    static func paintShapes(_ item: DecorationItem, _ transform: Transform, _ surface: some ShapeSurface) {
        guard item.width > 0, item.thickness > 0, item.x.isFinite, item.y.isFinite, item.width.isFinite,
            item.color.alpha > 0
        else { return }
        let path = path(item, transform, surface.visibleArea.outset(by: 2000))
        let paint = Paint(item.color)
        switch item.style {
        case .solid, .double: surface.fill(path, paint: paint)
        case .dotted, .dashed, .wavy:
            surface.pushClip(bands(item, transform, top: lineTop(item, transform) - 10_000, height: 20_000))
            surface.fillOverlapping(path, paint: paint)
            surface.pop()
        }
    }

    /// The coverage of the line with `room` around it; `nil` if nothing is visible.
    private static func mask(
        _ item: DecorationItem, _ transform: Transform, _ seen: DeviceRect, room: Int, _ canvas: Bitmap
    ) -> Bitmap.Mask? {
        let path = path(item, transform, seen)
        guard let bounds = path.bounds()?.pixelCover else { return nil }
        var area = bounds.intersection(canvas.visibleArea.outset(by: room))
        if item.style == .wavy {
            // The path of a wave extends beyond both ends of the line.
            func edge(_ x: Float) -> Int { Int(bounded: (x * transform.scaleX + transform.x + 0.5).rounded(.down)) }
            (area.minX, area.maxX) = (max(area.minX, edge(item.x)), min(area.maxX, edge(item.x + item.width)))
        }
        guard !area.isEmpty else { return nil }
        let mask = canvas.overlappingMask(of: path, area: area)
        // Gaps do not clear the coverage that dashes have above the line's first row.
        let top = item.style == .wavy ? area.minY : Int(bounded: lineTop(item, transform))
        for gap in gaps(item, transform) {
            mask.clear(DeviceRect(minX: Int(bounded: gap.from), minY: top, maxX: Int(bounded: gap.to), maxY: area.maxY))
        }
        return room > 0 ? mask.outset(by: room) : mask
    }

    /// The line's outline in device pixels. Waves are limited to their visible part.
    private static func path(_ item: DecorationItem, _ transform: Transform, _ seen: DeviceRect) -> Path {
        let scale = transform.scaleX
        let origin = transform.apply(Point(x: item.x, y: item.y))
        let length = item.width * scale
        let thickness = max(1, min(10_000, item.thickness * scale))
        // Straight lines are on whole pixels and a whole number of pixels thick: antialiased ones would look grey and uneven.
        let whole = thickness.rounded(.down)
        let top = lineTop(item, transform)
        // The second line of `double` follows after a gap of one pixel. A wave is offset by as much.
        let step = whole + 1
        switch item.style {
        case .solid: return bands(item, transform, top: top, height: whole)
        case .double:
            var path = bands(item, transform, top: top, height: whole)
            path.append(bands(item, transform, top: item.growth < 0 ? top - step : top + step, height: whole))
            return path
        case .dotted, .dashed:
            let width = thickness.rounded()
            let middle = top + width / 2
            let ends = [origin.x, origin.x + length].map { Point(x: $0.rounded(.down), y: middle) }
            return DashedLine.path(
                along: Path(line: ends), width: width, isDotted: item.style == .dotted, within: seen,
                thickness: thickness)
        case .wavy:
            return wave(from: origin.x, length: length, y: top + Float(item.growth) * step + 0.5, thickness, seen)
        }
    }

    private static func lineTop(_ item: DecorationItem, _ transform: Transform) -> Float {
        let thickness = max(1, min(10_000, item.thickness * transform.scaleX))
        return (item.y * transform.scaleY + transform.y - thickness / 2 + 0.5).rounded(.down)
    }

    /// The gaps as ranges of whole device pixels in x, from left to right.
    private static func gaps(_ item: DecorationItem, _ transform: Transform) -> [(from: Float, to: Float)] {
        func edge(_ x: Float) -> Float { (x * transform.scaleX + transform.x - 0.5).rounded(.up) }
        return item.gaps.map { (edge($0.from), edge($0.to)) }.sorted { $0.from < $1.from }
    }

    /// The parts of the line between the gaps, with an extent across the line.
    private static func bands(_ item: DecorationItem, _ transform: Transform, top: Float, height: Float) -> Path {
        var path = Path()
        var from = item.x * transform.scaleX + transform.x
        let end = (item.x + item.width) * transform.scaleX + transform.x
        func add(to: Float) { path.append(RoundedRect(rect: Rect(x: from, y: top, width: to - from, height: height))) }
        for gap in gaps(item, transform) {
            if gap.from > from { add(to: min(gap.from, end)) }
            from = max(from, gap.to)
        }
        if from < end { add(to: end) }
        return path
    }

    /// The stroke of a wave of cubic curves, four steps a period; control points are `distance` above and below the middle.
    private static func wave(
        from x: Float, length: Float, y middle: Float, _ thickness: Float, _ seen: DeviceRect
    ) -> Path {
        let (step, distance) = (0.5 + (2 * thickness + 0.5).rounded(), 0.5 + (3 * thickness + 0.5).rounded())
        var path = Path()
        // The wave begins one period before the line and ends one after it, so that its ends are cut like parts of a longer wave.
        let skipped = max(0, ((Float(seen.minX) - x) / (2 * step)).rounded(.down) - 1)
        var position = x + (skipped - 1) * 2 * step
        let end = min(x + length, Float(seen.maxX)) + 2 * step
        path.move(position, middle)
        var count = 0
        while position < end && count < 50_000 {
            path.segments.append(
                .cubic(
                    control1: Point(x: position + step, y: middle + distance),
                    control2: Point(x: position + step, y: middle - distance),
                    end: Point(x: position + 2 * step, y: middle)))
            position += 2 * step
            count += 1
        }
        return Stroker.stroke(path, width: thickness)
    }
}
