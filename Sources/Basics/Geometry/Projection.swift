// Projective maps of the plane: the pictures of a plane in space (CSS Transforms 2 §3).

/// A linear map of homogeneous coordinates. A point whose third coordinate is not positive is behind the viewer.
package struct Projection: Hashable, Sendable {
    /// The images of the unit vectors and of the origin.
    package var x, y, origin: SIMD3<Double>

    package init(x: SIMD3<Double>, y: SIMD3<Double>, origin: SIMD3<Double>) {
        (self.x, self.y, self.origin) = (x, y, origin)
    }

    package init(_ map: Transform) {
        self.init(
            x: SIMD3(Double(map.xx), Double(map.yx), 0), y: SIMD3(Double(map.xy), Double(map.yy), 0),
            origin: SIMD3(Double(map.x), Double(map.y), 1))
    }

    @inline(__always)
    package func apply(_ point: SIMD3<Double>) -> SIMD3<Double> { x * point.x + y * point.y + origin * point.z }

    /// The map that applies `inner` first, then this one.
    package func after(_ inner: Projection) -> Projection {
        Projection(x: apply(inner.x), y: apply(inner.y), origin: apply(inner.origin))
    }

    package var determinant: Double { (x * y.cross(origin)).sum() }

    /// The inverse; nil for a plane that is seen from its edge.
    package var inverse: Projection? {
        let size = determinant
        guard size.isFinite, abs(size) > 1e-9 else { return nil }
        let rows = [y.cross(origin) / size, origin.cross(x) / size, x.cross(y) / size]
        func column(_ index: Int) -> SIMD3<Double> { SIMD3(rows[0][index], rows[1][index], rows[2][index]) }
        return Projection(x: column(0), y: column(1), origin: column(2))
    }

    /// The smallest rectangle around the image of the part of `rect` that is in front of the viewer. `nil` if no part is.
    package func bounds(of rect: Rect) -> Rect? {
        let corners = rect.corners.map { apply(SIMD3(Double($0.x), Double($0.y), 1)) }
        let nearest = 1e-4
        var (low, high) = (SIMD2<Double>(repeating: .infinity), SIMD2<Double>(repeating: -.infinity))
        func include(_ point: SIMD3<Double>) {
            let place = SIMD2(point.x, point.y) / point.z
            (low, high) = (pointwiseMin(low, place), pointwiseMax(high, place))
        }
        for (index, corner) in corners.enumerated() {
            let next = corners[(index + 1) % 4]
            if corner.z >= nearest { include(corner) }
            if (corner.z >= nearest) != (next.z >= nearest) {
                var point = corner + (next - corner) * ((nearest - corner.z) / (next.z - corner.z))
                point.z = nearest
                include(point)
            }
        }
        guard low.x <= high.x, low.y <= high.y else { return nil }
        return Rect(x: Float(low.x), y: Float(low.y), width: Float(high.x - low.x), height: Float(high.y - low.y))
    }
}

extension SIMD3<Double> {
    package func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }
}
