// Curves to chords. In: a path and a tolerance. Out: its lines, and the chords of its curves, at most 256 for each.

import FancyTextBasics

extension Path {
    enum Step {
        case move(Point), line(Point), close
        /// A chord to a point of a curve, or to its end.
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
