// Rounded rectangles and other plain shapes as paths, and curves as chords.

import FancyTextBasics
import FancyTextPlatform

extension Path {
    package mutating func move(_ x: Float, _ y: Float) { segments.append(.move(Point(x: x, y: y))) }
    package mutating func line(_ x: Float, _ y: Float) { segments.append(.line(Point(x: x, y: y))) }
    package mutating func close() { segments.append(.close) }
    package mutating func append(_ other: Path) { segments.append(contentsOf: other.segments) }

    package init(polygon points: [Point]) {
        self.init(line: points)
        if !points.isEmpty { close() }
    }

    package init(line points: [Point]) {
        self.init()
        for (index, point) in points.enumerated() { segments.append(index == 0 ? .move(point) : .line(point)) }
    }

    /// The distance of a cubic quarter ellipse's control points from its ends, as a share of the radius (error below 0.03%).
    private static let quarter: Float = 0.552_284_75

    /// Appends the outline of `shape`. Clockwise outlines add to the area, counter-clockwise ones cut it out.
    package mutating func append(_ shape: RoundedRect, clockwise: Bool = true) {
        let (rect, radii) = (shape.rect, shape.radii)
        let (left, top, right, bottom) = (rect.x, rect.y, rect.maxX, rect.maxY)
        func point(_ x: Float, _ y: Float) -> Point { Point(x: x, y: y) }
        func add(polygon points: [Point]) { append(Path(polygon: clockwise ? points : points.reversed())) }
        let tips = [point(left, top), point(right, top), point(right, bottom), point(left, bottom)]
        if radii.isZero { return add(polygon: tips) }
        // The start and the end of each corner, clockwise from the top left.
        let ends = [
            (point(left, top + radii.topLeft.height), point(left + radii.topLeft.width, top)),
            (point(right - radii.topRight.width, top), point(right, top + radii.topRight.height)),
            (point(right, bottom - radii.bottomRight.height), point(right - radii.bottomRight.width, bottom)),
            (point(left + radii.bottomLeft.width, bottom), point(left, bottom - radii.bottomLeft.height)),
        ]
        if radii.curvatures != SIMD4(repeating: 1) {
            return add(
                polygon: tips.indices.flatMap {
                    Self.superellipse(from: ends[$0].0, tip: tips[$0], to: ends[$0].1, curvature: radii.curvatures[$0])
                })
        }
        let share = 1 - Self.quarter
        var corners = zip(tips, ends).map { tip, ends in
            [ends.0, tip + (ends.0 - tip) * share, tip + (ends.1 - tip) * share, ends.1]
        }
        if !clockwise { corners = corners.reversed().map { $0.reversed() } }
        for (index, points) in corners.enumerated() {
            segments.append(index == 0 ? .move(points[0]) : .line(points[0]))
            segments.append(.cubic(control1: points[1], control2: points[2], end: points[3]))
        }
        close()
    }

    /// The points of xⁿ + yⁿ = 1 with n = 2^curvature between a corner's ends, mirrored for negative ones (CSS Borders 4 §3.1).
    private static func superellipse(from start: Point, tip: Point, to end: Point, curvature: Float) -> [Point] {
        let inner = start + end - tip
        if curvature == 0 || start == tip || end == tip { return [start, end] }
        // Beyond this value no pixel differs from the corner itself.
        if abs(curvature) > 7 { return [start, curvature > 0 ? tip : inner, end] }
        let center = curvature > 0 ? inner : tip
        let power = 2 / exp2(abs(curvature))
        let steps = 32
        return (0...steps).map { step in
            let angle = Float(step) / Float(steps) * .pi / 2
            // Rounding may make cosines negative, and negative numbers have no real power.
            var (u, v) = (pow(max(0, cos(angle)), power), pow(max(0, sin(angle)), power))
            if step == 0 { (u, v) = (1, 0) }
            if step == steps { (u, v) = (0, 1) }
            return center + (start - center) * u + (end - center) * v
        }
    }

    package init(_ shape: RoundedRect) {
        self.init()
        append(shape)
    }

    /// The smallest rectangle that contains all points and control points; `nil` for an empty path.
    package func bounds(_ transform: Transform = Transform()) -> Rect? {
        var (low, high) = (Point(x: .infinity, y: .infinity), Point(x: -.infinity, y: -.infinity))
        func include(_ point: Point) {
            let point = transform.apply(point)
            low = Point(x: min(low.x, point.x), y: min(low.y, point.y))
            high = Point(x: max(high.x, point.x), y: max(high.y, point.y))
        }
        for segment in segments {
            switch segment {
            case .move(let point), .line(let point): include(point)
            case .quadratic(let control, let end):
                include(control)
                include(end)
            case .cubic(let control1, let control2, let end):
                include(control1)
                include(control2)
                include(end)
            case .close: break
            }
        }
        guard low.x <= high.x, low.y <= high.y else { return nil }
        return Rect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    }

    package static func ellipse(_ rect: Rect) -> Path {
        Path(RoundedRect(rect: rect, radii: CornerRadii(all: Size(width: rect.width / 2, height: rect.height / 2))))
    }

    static func circle(centerX: Float, centerY: Float, radius: Float) -> Path {
        .ellipse(Rect(x: centerX - radius, y: centerY - radius, width: 2 * radius, height: 2 * radius))
    }

    enum Step {
        case move(Point), line(Point), close
        case chord(Point, endsCurve: Bool)
    }

    /// Passes the transformed path to `body`, its curves as chords within a tolerance in the units of the transformed points.
    @inline(__always) func flattened(_ transform: Transform, tolerance: Float, _ body: (Step) -> Void) {
        var (start, last) = (Point.zero, Point.zero)
        func addChords(_ steps: Float, to end: Point, _ point: (_ t: Float) -> Point) {
            let count = steps.isFinite ? max(1, Int(bounded: steps.rounded(.up), by: 256)) : 1
            for step in 1..<count { body(.chord(point(Float(step) / Float(count)), endsCurve: false)) }
            body(.chord(end, endsCurve: true))
            last = end
        }
        for segment in segments {
            switch segment {
            case .move(let point):
                last = transform.apply(point)
                start = last
                body(.move(last))
            case .line(let point):
                last = transform.apply(point)
                body(.line(last))
            case .quadratic(let control, let end):
                // A chord of 1/n of the curve deviates by |a − 2b + c| / (4n²).
                let (a, b, c) = (last, transform.apply(control), transform.apply(end))
                let steps = ((a - b * 2 + c).length / (4 * tolerance)).squareRoot()
                addChords(steps, to: c) { .onCurve(at: $0, a, b, c) }
            case .cubic(let control1, let control2, let end):
                // Second differences bound the distance: √3/18·|…| ≤ 3/16·max|…| for a chord of the whole curve.
                let (a, b) = (last, transform.apply(control1))
                let (c, d) = (transform.apply(control2), transform.apply(end))
                let (one, other) = (a - b * 2 + c, b - c * 2 + d)
                let most = Point(x: max(abs(one.x), abs(other.x)), y: max(abs(one.y), abs(other.y)))
                let steps = (most.length * 0.75 / tolerance).squareRoot()
                addChords(steps, to: d) { .onCurve(at: $0, a, b, c, d) }
            case .close:
                last = start
                body(.close)
            }
        }
    }
}
