// Affine transforms (CSS Transforms 1 §14: the six numbers of `matrix()`).

/// x' = xx·x + xy·y + x₀ and y' = yx·x + yy·y + y₀.
package struct Transform: Hashable, Sendable {
    package var xx: Float = 1, yx: Float = 0
    package var xy: Float = 0, yy: Float = 1
    package var x: Float = 0, y: Float = 0

    @inlinable package init() {}

    /// The numbers in the order of `matrix()`.
    @inlinable package init(xx: Float, yx: Float, xy: Float, yy: Float, x: Float, y: Float) {
        (self.xx, self.yx, self.xy, self.yy, self.x, self.y) = (xx, yx, xy, yy, x, y)
    }

    /// - Parameter skew: moves x by this much for each unit of y, before scaling: the slant of synthetic italics.
    @inlinable package init(scaleX: Float = 1, scaleY: Float = 1, x: Float = 0, y: Float = 0, skew: Float = 0) {
        self.init(xx: scaleX, yx: 0, xy: skew * scaleX, yy: scaleY, x: x, y: y)
    }

    /// Device pixels for each unit along the x axis, for an upright transform.
    @inlinable package var scaleX: Float { xx }
    @inlinable package var scaleY: Float { yy }

    @inline(__always) @inlinable package func apply(_ point: Point) -> Point {
        Point(x: xx * point.x + xy * point.y + x, y: yx * point.x + yy * point.y + y)
    }

    /// The transform that applies `inner` first, then this one.
    @inlinable package func after(_ inner: Transform) -> Transform {
        let origin = apply(Point(x: inner.x, y: inner.y))
        return Transform(
            xx: xx * inner.xx + xy * inner.yx, yx: yx * inner.xx + yy * inner.yx,
            xy: xx * inner.xy + xy * inner.yy, yy: yx * inner.xy + yy * inner.yy, x: origin.x, y: origin.y)
    }

    @inlinable package var determinant: Float { xx * yy - xy * yx }

    /// The inverse; nil for a transform that maps the plane to a line or a point.
    package var inverse: Transform? {
        let determinant = determinant
        guard determinant.isFinite, abs(determinant) > 1e-12, x.isFinite, y.isFinite else { return nil }
        let (a, b, c, d) = (yy / determinant, -yx / determinant, -xy / determinant, xx / determinant)
        return Transform(xx: a, yx: b, xy: c, yy: d, x: -(a * x + c * y), y: -(b * x + d * y))
    }

    /// True if the transform moves and scales only, without rotating or mirroring.
    @inlinable package var isUpright: Bool { xy == 0 && yx == 0 && xx > 0 && yy > 0 }

    /// The length of a transformed unit along each axis.
    package var stretch: (x: Float, y: Float) { ((xx * xx + yx * yx).squareRoot(), (xy * xy + yy * yy).squareRoot()) }

    /// The smallest rectangle around the transformed `rect`.
    package func bounds(of rect: Rect) -> Rect {
        let corners = rect.corners
        var low = apply(corners[0]), high = low
        for corner in corners {
            let corner = apply(corner)
            low = Point(x: min(low.x, corner.x), y: min(low.y, corner.y))
            high = Point(x: max(high.x, corner.x), y: max(high.y, corner.y))
        }
        return Rect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    }
}

extension Path {
    package func transformed(_ transform: Transform) -> Path {
        func map(_ point: Point) -> Point { transform.apply(point) }
        var result = self
        result.segments = segments.map { segment in
            switch segment {
            case .move(let point): .move(map(point))
            case .line(let point): .line(map(point))
            case .quadratic(let control, let end): .quadratic(control: map(control), end: map(end))
            case .cubic(let one, let other, let end): .cubic(control1: map(one), control2: map(other), end: map(end))
            case .close: .close
            }
        }
        return result
    }
}
