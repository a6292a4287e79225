// Underlines, overlines and lines through (CSS Text Decoration 4 §2.2) as Chromium draws them.

import MarkupStyling
import TextLayout
import TextShaping

enum DecorationPainter {
    static func paint(_ item: DecorationItem, _ transform: Transform, _ canvas: Canvas) {
        guard item.width > 0, item.thickness > 0, item.x.isFinite, item.y.isFinite, item.width.isFinite else { return }
        let seen = canvas.visibleArea.outset(by: 2000)
        for shadow in item.shadows.reversed() where shadow.color.alpha > 0 {
            var moved = transform
            moved.x += shadow.x * transform.scaleX
            moved.y += shadow.y * transform.scaleY
            let path = path(item, moved, seen)
            let paint = Paint.solid(Pixel.premultiplied(shadow.color))
            let sigma = shadow.blur / 2 * transform.scaleX
            guard sigma > 0.1 else {
                fill(path, item.style, paint, canvas)
                continue
            }
            let reach = Blur.reach(sigma: sigma)
            guard let bounds = path.bounds()?.pixelCover else { continue }
            let area = bounds.intersection(canvas.visibleArea.outset(by: reach)).outset(by: reach)
            guard !area.isEmpty else { continue }
            let mask = canvas.mask(of: path, area: area)
            Blur.gaussian(mask, sigma: sigma)
            canvas.blend(mask, paint: paint)
        }
        guard item.color.alpha > 0 else { return }
        fill(path(item, transform, seen), item.style, .solid(Pixel.premultiplied(item.color)), canvas)
    }

    private static func fill(_ path: Path, _ style: DecorationStyle, _ paint: Paint, _ canvas: Canvas) {
        // The stroke of a wave overlaps itself on the inside of each bend.
        if style == .wavy { canvas.fillOverlapping(path, paint: paint) } else { canvas.fill(path, paint: paint) }
    }

    /// The line in device pixels; waves only where they can be seen.
    private static func path(_ item: DecorationItem, _ transform: Transform, _ seen: DeviceRect) -> Path {
        let scale = transform.scaleX
        let origin = transform.apply(Point(x: item.x, y: item.y))
        let length = item.width * scale
        let thickness = max(1, min(10_000, item.thickness * scale))
        // Straight lines lie on whole pixels and are as thick: antialiased ones would look grey and uneven.
        let whole = thickness.rounded(.down)
        let top = (origin.y - thickness / 2 + 0.5).rounded(.down)
        let spans = visibleSpans(item, transform)
        var path = Path()
        func band(_ top: Float) {
            for span in spans {
                path.append(RoundedRect(rect: Rect(x: span.from, y: top, width: span.to - span.from, height: whole)))
            }
        }
        switch item.style {
        case .solid: band(top)
        case .double:
            // The second line follows after a gap of one pixel.
            let step = whole + 1
            band(top)
            band(item.growth < 0 ? top - step : top + step)
        case .dotted, .dashed:
            let width = thickness.rounded()
            let middle = top + width / 2
            let line = DashedLine.path(
                from: Point(x: origin.x, y: middle), to: Point(x: origin.x + length.rounded(.down), y: middle),
                width: width, isDotted: item.style == .dotted, thickness: thickness)
            path = cut(line, to: spans, isWhole: item.gaps.isEmpty)
        case .wavy:
            // Off the straight line's place by as much as the second line of `double` is.
            path = cut(
                wave(from: origin.x, length: length, y: top + Float(item.growth) * (whole + 1) + 0.5, thickness, seen),
                to: spans, isWhole: false)
        }
        return path
    }

    /// What the gaps leave, in device x; gaps begin and end between pixels.
    private static func visibleSpans(_ item: DecorationItem, _ transform: Transform) -> [(from: Float, to: Float)] {
        var spans: [(from: Float, to: Float)] = []
        var from = item.x
        let end = item.x + item.width
        for gap in item.gaps.sorted(by: { $0.from < $1.from }) {
            if gap.from > from { spans.append((from, min(gap.from, end))) }
            from = max(from, gap.to)
        }
        if from < end { spans.append((from, end)) }
        func edge(_ x: Float) -> Float {
            let edge = x * transform.scaleX + transform.x
            return x == item.x || x == end ? edge : (edge - 0.5).rounded(.up)
        }
        return spans.map { (edge($0.from), edge($0.to)) }
    }

    /// The stroke of a wave of cubic curves: one period is four steps long, control points lie at the wave's distance.
    private static func wave(from x: Float, length: Float, y middle: Float, _ thickness: Float, _ seen: DeviceRect)
        -> Path
    {
        let step = 0.5 + (2 * thickness + 0.5).rounded()
        let distance = 0.5 + (3 * thickness + 0.5).rounded()
        var path = Path()
        // Begins one period before the line and ends one after it, so that the cut ends are those of a longer wave.
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
        var stroker = Stroker(width: thickness)
        return stroker.stroke(path)
    }

    /// `path` cut at the ends of the spans: contours are polygons here, clipped to vertical strips one by one.
    private static func cut(_ path: Path, to spans: [(from: Float, to: Float)], isWhole: Bool) -> Path {
        if isWhole { return path }
        var result = Path()
        for contour in Stroker.contours(path) {
            guard let low = contour.points.map(\.x).min(), let high = contour.points.map(\.x).max() else { continue }
            for span in spans where span.from < high && span.to > low {
                let points = clip(clip(contour.points, x: span.from, keepsRight: true), x: span.to, keepsRight: false)
                result.append(Path(polygon: points))
            }
        }
        return result
    }

    /// Sutherland and Hodgman's clip against one vertical line.
    private static func clip(_ points: [Point], x: Float, keepsRight: Bool) -> [Point] {
        func isInside(_ point: Point) -> Bool { keepsRight ? point.x >= x : point.x <= x }
        var result: [Point] = []
        for (index, point) in points.enumerated() {
            let previous = points[index == 0 ? points.count - 1 : index - 1]
            if isInside(point) != isInside(previous) {
                let share = (x - previous.x) / (point.x - previous.x)
                result.append(Point(x: x, y: previous.y + (point.y - previous.y) * share))
            }
            if isInside(point) { result.append(point) }
        }
        return result
    }
}
