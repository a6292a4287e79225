// Strokes outlines: each contour becomes two offset contours with opposite directions. Outer joins of flattened contours are mitred
// up to the limit of CSS and SVG (4), beyond it bevelled.

import FancyTextBasics

struct Polyline {
    var points: [Point]
    /// For each point, true if it is inside a curve: the outline bends there, but has no join.
    var isSmooth: [Bool]
    var isClosed: Bool
}

enum Stroker {
    private static let miterLimit: Float = 4

    /// Returns the area that a pen of `width` covers along `path`, to be filled with the non-zero rule.
    static func stroke(_ path: Path, _ transform: Transform = Transform(), width: Float) -> Path {
        var result = Path()
        let half = width / 2
        guard half > 0 else { return result }
        for line in contours(path, transform) where line.points.count > 1 {
            let isRing = line.isClosed && line.points.count > 2
            let there = side(line.points, line.isSmooth, isClosed: isRing, half)
            let back = side(line.points.reversed(), line.isSmooth.reversed(), isClosed: isRing, half)
            for outline in isRing ? [there, back] : [there + back] { result.append(Path(polygon: outline)) }
        }
        return result
    }

    /// Polylines of a path, without repeated points.
    static func contours(_ path: Path, _ transform: Transform = Transform()) -> [Polyline] {
        var result: [Polyline] = []
        var points: [Point] = []
        var isSmooth: [Bool] = []
        func finish(_ isClosed: Bool) {
            if isClosed, points.count > 1, points.first == points.last {
                points.removeLast()
                isSmooth.removeLast()
            }
            if !points.isEmpty { result.append(Polyline(points: points, isSmooth: isSmooth, isClosed: isClosed)) }
            (points, isSmooth) = ([], [])
        }
        func append(_ point: Point, isSmooth smooth: Bool = false) {
            guard points.last != point else { return }
            points.append(point)
            isSmooth.append(smooth)
        }
        path.flattened(transform, tolerance: 0.03) { step in
            switch step {
            case .move(let point):
                finish(false)
                append(point)
            case .line(let point): append(point)
            case .chord(let point, let endsCurve):
                guard !points.isEmpty else { return }
                append(point, isSmooth: true)
                // The end of a curve is a join.
                if endsCurve { isSmooth[isSmooth.count - 1] = false }
            case .close: finish(true)
            }
        }
        finish(false)
        return result
    }

    /// The line at distance `half` to the right of the direction (with y down, to the viewer's left), with joins.
    private static func side(_ points: [Point], _ isSmooth: [Bool], isClosed: Bool, _ half: Float) -> [Point] {
        let count = points.count
        var outline: [Point] = []
        outline.reserveCapacity(count * 2)
        func normal(_ a: Point, _ b: Point) -> Point {
            let way = b - a
            return way.length > 0 ? Point(x: way.y / way.length * half, y: -way.x / way.length * half) : .zero
        }
        let segments = isClosed ? count : count - 1
        var previous = isClosed ? normal(points[count - 1], points[0]) : .zero
        for index in 0..<segments {
            let (a, b) = (points[index], points[(index + 1) % count])
            let current = normal(a, b)
            if isSmooth[index] {
                // Inside a curve, the offset curve is kept even where it turns back on itself, as in Skia.
                outline += [a + previous, a + current]
            } else if index > 0 || isClosed {
                corner(&outline, at: a, previous, current, half)
            } else {
                outline.append(a + current)
            }
            if index == segments - 1 && !isClosed { outline.append(b + current) }
            previous = current
        }
        return outline
    }

    private static func corner(_ line: inout [Point], at point: Point, _ before: Point, _ after: Point, _ half: Float) {
        let (cross, dot) = (before.x * after.y - before.y * after.x, before.x * after.x + before.y * after.y)
        let square = half * half
        // 1 / sin²(half the angle between the segments) = 2 / (1 + cos of the turn).
        let denominator = 1 + dot / square
        // Nearly straight: one point is enough.
        if dot > 0.999 * square { return line.append(point + after) }
        line.append(point + before)
        if cross <= 0 {
            // On the inside of the turn, the line passes through the corner itself, so that the loop stays within the stroke.
            line.append(point)
        } else if denominator > 0, 2 / denominator <= Self.miterLimit * Self.miterLimit {
            line.append(point + (before + after) / denominator)
        }
        line.append(point + after)
    }

    /// Splits a polyline into alternating dashes and gaps; dashes outside of `seen` are left out, those of length 0 are points.
    static func dashes(_ contour: Polyline, dash: Float, gap: Float, within seen: Rect) -> [[Point]] {
        let period = Double(dash) + Double(gap)
        guard period > 0.01, contour.points.count > 1 else { return [contour.points] }
        let points = contour.isClosed ? contour.points + [contour.points[0]] : contour.points
        var result: [[Point]] = []
        // A limit for extremely long lines; no picture shows more dashes.
        var rest = 100_000
        /// The index of the next dash. `current` is the dash continued from earlier segments.
        var next = 0.0
        var current: [Point] = []
        var start = 0.0
        for (a, b) in zip(points, points.dropFirst()) {
            let (dx, dy) = (Double(b.x - a.x), Double(b.y - a.y))
            let length = (dx * dx + dy * dy).squareRoot()
            guard length > 0, length.isFinite else { continue }
            defer { start += length }
            func point(_ distance: Double) -> Point {
                Point(x: Float(Double(a.x) + dx * distance / length), y: Float(Double(a.y) + dy * distance / length))
            }
            if !current.isEmpty {
                let end = (next - 1) * period + Double(dash) - start
                guard end < length else {
                    current.append(b)
                    continue
                }
                result.append(current + [point(end)])
                current = []
            }
            guard let part = Self.part(of: a, b, within: seen) else { continue }
            next = max(next, ((start + part.from * length - Double(dash)) / period).rounded(.up))
            while next * period < start + part.to * length, rest > 0 {
                rest -= 1
                let from = next * period - start
                next += 1
                // The dash may have begun on an earlier segment, outside the visible area.
                let first = point(max(0, from))
                if dash <= 0 {
                    result.append([first])
                } else if from + Double(dash) < length {
                    result.append([first, point(from + Double(dash))])
                } else {
                    current = [first, b]
                    break
                }
            }
        }
        if current.count > 1 { result.append(current) }
        return result
    }

    /// The part of a segment within a rectangle, as shares of its length (Liang and Barsky 1984).
    private static func part(of a: Point, _ b: Point, within rect: Rect) -> (from: Double, to: Double)? {
        var (from, to) = (0.0, 1.0)
        let sides = [
            (a.x - b.x, a.x - rect.x), (b.x - a.x, rect.maxX - a.x), (a.y - b.y, a.y - rect.y),
            (b.y - a.y, rect.maxY - a.y),
        ]
        for (way, room) in sides {
            if way == 0 {
                if room < 0 { return nil }
                continue
            }
            let share = Double(room) / Double(way)
            if way < 0 { from = max(from, share) } else { to = min(to, share) }
        }
        return from <= to ? (from, to) : nil
    }
}
