// Dashed and dotted lines. In: a line. Out: the outlines of its dashes.

import FancyTextBasics

/// A dash is two widths long (three under 3 pixels), a gap one (two), adjusted to whole dashes. Dots are round from 4 pixels on.
enum DashedLine {
    /// - Parameters:
    ///   - seen: The visible area: dashes outside of it are left out.
    ///   - thickness: The width of the stroke, where it differs from the width that dash lengths are multiples of.
    static func path(
        along line: Path, width: Float, isDotted: Bool, within seen: DeviceRect, thickness: Float? = nil
    ) -> Path {
        var result = Path()
        let seen = seen.outset(by: Int(bounded: (max(width, thickness ?? width)).rounded(.up)) + 1).rect
        let isRound = isDotted && !hasSquareDots(width: width)
        let dash = isDotted ? width : width * (width >= 3 ? 2 : 3)
        let gap = isDotted ? width : width * (width >= 3 ? 1 : 2)
        let pen = thickness ?? width
        for var contour in Stroker.contours(line) {
            let isClosed = contour.isClosed
            if isRound && !isClosed { contour.points = shortened(contour.points, by: width / 2) }
            // Chromium fits dashes into a whole number of pixels; the rest of a closed contour begins another dash.
            let length = isClosed ? length(contour).rounded(.down) : length(contour)
            if isRound {
                // Dots are dashes of length zero, whose round caps extend half a width to both sides.
                let step = bestGap(
                    length: isClosed ? length : length + width, dash: width, gap: width, isClosed: isClosed)
                for dot in Stroker.dashes(contour, dash: 0, gap: step + width - 0.01, within: seen) {
                    if let point = dot.first {
                        result.append(.circle(centerX: point.x, centerY: point.y, radius: width / 2))
                    }
                }
            } else {
                // The spacing of square dots is fixed, so that all of them are on whole pixels.
                let gap = isDotted ? gap : bestGap(length: length, dash: dash, gap: gap, isClosed: isClosed)
                guard gap > 0 else {
                    let line = isClosed ? Path(polygon: contour.points) : Path(line: contour.points)
                    result.append(Stroker.stroke(line, width: pen))
                    continue
                }
                for piece in Stroker.dashes(contour, dash: dash, gap: gap, within: seen) where piece.count > 1 {
                    result.append(Stroker.stroke(Path(line: piece), width: pen))
                }
            }
        }
        return result
    }

    static func hasSquareDots(width: Float) -> Bool { width <= 3 }

    /// Square dots along a horizontal or vertical line on whole pixels: one at each end, the others centred between them. The gap
    /// beside an end is half a width to one and a half.
    static func squareDots(from: Point, to: Point, width: Int, within seen: DeviceRect) -> Path {
        let isHorizontal = from.y == to.y
        let length = Int(bounded: isHorizontal ? to.x - from.x : to.y - from.y)
        var path = Path()
        func dot(_ start: Int, _ count: Int) {
            guard count > 0 else { return }
            let (at, extent, half) = (Float(start), Float(count), Float(width) / 2)
            path.append(
                RoundedRect(
                    rect: isHorizontal
                        ? Rect(x: from.x + at, y: from.y - half, width: extent, height: half * 2)
                        : Rect(x: from.x - half, y: from.y + at, width: half * 2, height: extent)))
        }
        let between = length - 2 * width
        guard between > 0 else {
            dot(0, length)
            return path
        }
        dot(0, width)
        dot(length - width, width)
        // Twice the gap beside an end dot, starting from the smallest allowed gap.
        let least = 2 * ((width + 1) / 2)
        let room = least + (between + width - least) % (2 * width)
        let count = (between + width - room) / (2 * width)
        // A half pixel is rounded to the next odd position.
        var start = width + room / 2
        if room % 2 == 1, start % 2 == 0 { start += 1 }
        let edge = isHorizontal ? seen.minX - Int(bounded: from.x) : seen.minY - Int(bounded: from.y)
        let end = isHorizontal ? seen.maxX - Int(bounded: from.x) : seen.maxY - Int(bounded: from.y)
        let first = max(0, (edge - start) / (2 * width) - 1)
        for index in stride(from: first, to: count, by: 1) {
            let place = start + index * 2 * width
            if place > end { break }
            dot(place, width)
        }
        if width == 1, room == 3 { dot(1, 1) }
        if width == 3, room == 9 {
            dot(width, 1)
            dot(length - width - 1, 1)
        }
        return path
    }

    /// The gap nearest to `gap` that lets a whole number of dashes fit.
    private static func bestGap(length: Float, dash: Float, gap: Float, isClosed: Bool) -> Float {
        let available = isClosed ? length : length + gap
        let fewest = (available / (dash + gap)).rounded(.down)
        let most = fewest + 1
        let narrowest = (length - most * dash) / (isClosed ? most : most - 1)
        let fewGaps = isClosed ? fewest : fewest - 1
        guard fewGaps > 0 else { return max(narrowest, 0) }
        let widest = (length - fewest * dash) / fewGaps
        return narrowest <= 0 || abs(widest - gap) < abs(narrowest - gap) ? widest : narrowest
    }

    private static func length(_ contour: Polyline) -> Float {
        let points = contour.isClosed ? contour.points + contour.points.prefix(1) : contour.points
        return zip(points, points.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length }
    }

    private static func shortened(_ points: [Point], by distance: Float) -> [Point] {
        guard points.count == 2 else { return points }
        let (a, b) = (points[0], points[1])
        let length = (b - a).length
        guard length > 2 * distance else { return [(a + b) / 2] }
        let step = (b - a) / length * distance
        return [a + step, b - step]
    }
}
