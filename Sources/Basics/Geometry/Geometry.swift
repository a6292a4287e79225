// Points, rectangles and paths in CSS pixels, origin at the top left, y down.

package struct Point: Hashable, Sendable {
    package var x, y: Float
    @inlinable package init(x: Float, y: Float) { (self.x, self.y) = (x, y) }
    package static let zero = Point(x: 0, y: 0)

    @inlinable package static func + (a: Point, b: Point) -> Point { Point(x: a.x + b.x, y: a.y + b.y) }
    @inlinable package static func - (a: Point, b: Point) -> Point { Point(x: a.x - b.x, y: a.y - b.y) }
    @inlinable package static func * (a: Point, factor: Float) -> Point { Point(x: a.x * factor, y: a.y * factor) }
    @inlinable package static func / (a: Point, divisor: Float) -> Point { Point(x: a.x / divisor, y: a.y / divisor) }
    @inlinable package var length: Float { (x * x + y * y).squareRoot() }

    /// The point of a quadratic curve at `t`, from 0 to 1.
    @inlinable @inline(__always)
    package static func onCurve(at t: Float, _ start: Point, _ control: Point, _ end: Point) -> Point {
        let u = 1 - t
        let (a, b, c) = (u * u, 2 * u * t, t * t)
        return Point(x: a * start.x + b * control.x + c * end.x, y: a * start.y + b * control.y + c * end.y)
    }

    /// The point of a cubic curve at `t`, from 0 to 1.
    @inlinable @inline(__always)
    package static func onCurve(at t: Float, _ start: Point, _ one: Point, _ other: Point, _ end: Point) -> Point {
        let u = 1 - t
        let (a, b, c, d) = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
        return Point(
            x: a * start.x + b * one.x + c * other.x + d * end.x, y: a * start.y + b * one.y + c * other.y + d * end.y)
    }
}

package struct Size: Hashable, Sendable {
    package var width, height: Float
    @inlinable package init(width: Float, height: Float) { (self.width, self.height) = (width, height) }
    package static let zero = Size(width: 0, height: 0)
}

package struct Rect: Hashable, Sendable {
    package var x, y, width, height: Float
    @inlinable package init(x: Float, y: Float, width: Float, height: Float) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
    @inlinable package var maxX: Float { x + width }
    @inlinable package var maxY: Float { y + height }
    @inlinable package var isEmpty: Bool { width <= 0 || height <= 0 }
    /// The corners clockwise, from the top left.
    package var corners: [Point] {
        [Point(x: x, y: y), Point(x: maxX, y: y), Point(x: maxX, y: maxY), Point(x: x, y: maxY)]
    }
    @inlinable package func insetBy(left: Float, top: Float, right: Float, bottom: Float) -> Rect {
        Rect(x: x + left, y: y + top, width: max(0, width - left - right), height: max(0, height - top - bottom))
    }
    @inlinable package func offsetBy(x dx: Float, y dy: Float) -> Rect {
        Rect(x: x + dx, y: y + dy, width: width, height: height)
    }
    /// The intersection of two rectangles; empty if they do not overlap.
    package func intersection(_ other: Rect) -> Rect {
        let (left, top) = (max(x, other.x), max(y, other.y))
        return Rect(
            x: left, y: top, width: max(0, min(maxX, other.maxX) - left), height: max(0, min(maxY, other.maxY) - top))
    }
}

/// Move, line, quadratic and cubic segments: the outlines of glyphs and shapes.
package struct Path: Hashable, Sendable {
    package enum Segment: Hashable, Sendable {
        case move(Point)
        case line(Point)
        case quadratic(control: Point, end: Point)
        case cubic(control1: Point, control2: Point, end: Point)
        case close
    }
    package var segments: [Segment] = []
    package init() {}
    package var isEmpty: Bool { segments.isEmpty }

    /// The ends of the segments and of parts of each curve, for each subpath. Lines between 16 parts are within 1% of the outline.
    package func lines(quadratic: Int = 16, cubic: Int = 16) -> [[Point]] {
        var lines: [[Point]] = []
        func append(_ point: Point) {
            if lines.isEmpty { lines.append([.zero]) }
            lines[lines.count - 1].append(point)
        }
        for segment in segments {
            let start = lines.last?.last ?? .zero
            switch segment {
            case .move(let end): lines.append([end])
            case .line(let end): append(end)
            case .quadratic(let control, let end):
                for part in 1...quadratic { append(.onCurve(at: Float(part) / Float(quadratic), start, control, end)) }
            case .cubic(let first, let second, let end):
                for part in 1...cubic { append(.onCurve(at: Float(part) / Float(cubic), start, first, second, end)) }
            case .close: if let first = lines.last?.first { append(first) }
            }
        }
        return lines
    }
}
