// Curves to chords. In: a Bézier curve and a tolerance. Out: calls with the ends of its chords, at most 256.

import FancyTextBasics

/// Flattens curves to chords within a tolerance (in the units of the points).
enum Flattening {
    @inline(__always)
    static func quadratic(_ a: Point, _ b: Point, _ c: Point, tolerance: Float, _ line: (Point, Point) -> Void) {
        // A chord of 1/n of the curve deviates by |a − 2b + c| / (4n²).
        let dx = a.x - 2 * b.x + c.x
        let dy = a.y - 2 * b.y + c.y
        let steps = count(((dx * dx + dy * dy).squareRoot() / (4 * tolerance)).squareRoot())
        var last = a
        for step in 1...steps {
            let point = step == steps ? c : .onCurve(at: Float(step) / Float(steps), a, b, c)
            line(last, point)
            last = point
        }
    }

    @inline(__always)
    static func cubic(_ a: Point, _ b: Point, _ c: Point, _ d: Point, tolerance: Float, _ line: (Point, Point) -> Void)
    {
        // Second differences bound the distance: √3/18·|…| ≤ 3/16·max|…| for a chord of the whole curve.
        let dx = max(abs(a.x - 2 * b.x + c.x), abs(b.x - 2 * c.x + d.x))
        let dy = max(abs(a.y - 2 * b.y + c.y), abs(b.y - 2 * c.y + d.y))
        let steps = count(((dx * dx + dy * dy).squareRoot() * 0.75 / tolerance).squareRoot())
        var last = a
        for step in 1...steps {
            let point = step == steps ? d : .onCurve(at: Float(step) / Float(steps), a, b, c, d)
            line(last, point)
            last = point
        }
    }

    private static func count(_ steps: Float) -> Int {
        steps.isFinite ? max(1, Int(bounded: steps.rounded(.up), by: 256)) : 1
    }
}
