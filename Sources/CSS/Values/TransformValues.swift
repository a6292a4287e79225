// Values of transforms (CSS Transforms 1 and 2).

import FancyTextBasics
import FancyTextPlatform

/// A map of space, column by column as in `matrix3d()` (CSS Transforms 2 §13).
package struct Transform3D: Equatable, Sendable {
    package var columns: [SIMD4<Float>]

    package static let identity = scale(1, 1, 1)

    /// - Precondition: four columns.
    init(columns: [SIMD4<Float>]) { self.columns = columns }

    package init(_ map: Transform) {
        self.init(columns: [
            SIMD4(map.xx, map.yx, 0, 0), SIMD4(map.xy, map.yy, 0, 0), SIMD4(0, 0, 1, 0), SIMD4(map.x, map.y, 0, 1),
        ])
    }

    package static func scale(_ x: Float, _ y: Float, _ z: Float) -> Transform3D {
        Transform3D(columns: [SIMD4(x, 0, 0, 0), SIMD4(0, y, 0, 0), SIMD4(0, 0, z, 0), SIMD4(0, 0, 0, 1)])
    }

    static func translation(_ x: Float, _ y: Float, _ z: Float) -> Transform3D {
        Transform3D(columns: [SIMD4(1, 0, 0, 0), SIMD4(0, 1, 0, 0), SIMD4(0, 0, 1, 0), SIMD4(x, y, z, 1)])
    }

    /// A rotation by degrees about an axis; the identity if the axis is zero (CSS Transforms 2 §13.1).
    static func rotation(degrees: Double, x: Double = 0, y: Double = 0, z: Double = 1) -> Transform3D {
        let length = (x * x + y * y + z * z).squareRoot()
        guard length > 0, length.isFinite, degrees.isFinite else { return identity }
        let (x, y, z) = (x / length, y / length, z / length)
        let (sine, cosine) = exactSineAndCosine(degrees)
        let rest = 1 - cosine
        func column(_ a: Double, _ b: Double, _ c: Double) -> SIMD4<Float> { SIMD4(Float(a), Float(b), Float(c), 0) }
        return Transform3D(columns: [
            column(cosine + x * x * rest, x * y * rest + z * sine, x * z * rest - y * sine),
            column(x * y * rest - z * sine, cosine + y * y * rest, y * z * rest + x * sine),
            column(x * z * rest + y * sine, y * z * rest - x * sine, cosine + z * z * rest), SIMD4(0, 0, 0, 1),
        ])
    }

    /// Angles in degrees.
    static func skew(x: Double, y: Double) -> Transform3D {
        func slope(_ degrees: Double) -> Float { Float(tan(degrees * .pi / 180)) }
        return Transform3D(Transform(xx: 1, yx: slope(y), xy: slope(x), yy: 1, x: 0, y: 0))
    }

    static func perspective(_ distance: Float) -> Transform3D {
        // Distances less than a pixel count as one pixel (CSS Transforms 2 §7).
        let depth = SIMD4(0, 0, 1, -1 / max(1, distance))
        return Transform3D(columns: [SIMD4(1, 0, 0, 0), SIMD4(0, 1, 0, 0), depth, SIMD4(0, 0, 0, 1)])
    }

    /// The composition that applies `inner` first, then this transform.
    package func after(_ inner: Transform3D) -> Transform3D {
        Transform3D(
            columns: inner.columns.map { column in
                columns[0] * column.x + columns[1] * column.y + columns[2] * column.z + columns[3] * column.w
            })
    }

    /// The transform of the screen plane, seen from straight ahead. A perspective that varies with x or y is left out.
    package var flattened: Transform {
        let scale = columns[3].w == 0 || !columns[3].w.isFinite ? 1 : 1 / columns[3].w
        return Transform(
            xx: columns[0].x * scale, yx: columns[0].y * scale, xy: columns[1].x * scale, yy: columns[1].y * scale,
            x: columns[3].x * scale, y: columns[3].y * scale)
    }

    /// The image of the screen plane, seen from straight ahead.
    package var projection: Projection { plane { SIMD3(Double($0.x), Double($0.y), Double($0.w)) } }

    /// The images of the screen plane in three of the four coordinates.
    private func plane(_ part: (SIMD4<Float>) -> SIMD3<Double>) -> Projection {
        Projection(x: part(columns[0]), y: part(columns[1]), origin: part(columns[3]))
    }

    /// True if parts of the screen plane come nearer than others and appear larger.
    package var hasVaryingPerspective: Bool { columns[0].w != 0 || columns[1].w != 0 || columns[3].w <= 0 }

    /// True if the back of the screen plane is seen: its normal points away after the transform (CSS Transforms 2 §8).
    package var showsBack: Bool {
        /// The determinant without the third column and a row.
        func minor(_ row: Int) -> Double {
            plane { column in SIMD3((0..<4).filter { $0 != row }.map { Double(column[$0]) }) }.determinant
        }
        let whole = (0..<4).reduce(0.0) { $0 + ($1 % 2 == 0 ? 1 : -1) * Double(columns[2][$1]) * minor($1) }
        return minor(2) * whole < 0
    }

    /// The distance of a point of the screen plane towards the viewer.
    package func depth(of point: Point) -> Float { columns[0].z * point.x + columns[1].z * point.y + columns[3].z }

    /// The perspective of a viewer at a distance from `origin` (CSS Transforms 2 §6).
    package static func perspective(_ distance: Float, at origin: Point) -> Transform3D {
        translation(origin.x, origin.y, 0).after(perspective(distance)).after(translation(-origin.x, -origin.y, 0))
    }

    /// Sine and cosine, exact for quarter turns.
    private static func exactSineAndCosine(_ degrees: Double) -> (Double, Double) {
        let turn = degrees.truncatingRemainder(dividingBy: 360)
        switch turn < 0 ? turn + 360 : turn {
        case 0: return (0, 1)
        case 90: return (1, 0)
        case 180: return (0, -1)
        case 270: return (-1, 0)
        default: return (sin(turn * .pi / 180), cos(turn * .pi / 180))
        }
    }
}

/// A function of `transform`, or a value of `translate`, `rotate` or `scale`.
package enum TransformFunction: Equatable, Sendable {
    /// Percentages are of the reference box.
    case translate(LengthPercentage, LengthPercentage, Float)
    case matrix(Transform3D)
    /// Fits a view box into the reference box (SVG 2 §8.2). The alignment is the share of free space before it; nil stretches.
    case fit(Rect, alignment: Point?, covers: Bool)

    fileprivate func resolved(against size: Size) -> Transform3D {
        switch self {
        case .translate(let x, let y, let z):
            return .translation(x.resolved(against: size.width), y.resolved(against: size.height), z)
        case .matrix(let matrix): return matrix
        case .fit(let view, let alignment, let covers):
            var (across, down) = (size.width / view.width, size.height / view.height)
            if alignment != nil {
                across = covers ? max(across, down) : min(across, down)
                down = across
            }
            let free = alignment ?? .zero
            let x = (size.width - view.width * across) * free.x
            let y = (size.height - view.height * down) * free.y
            return Transform3D.translation(x, y, 0).after(.scale(across, down, 1))
                .after(.translation(-view.x, -view.y, 0))
        }
    }
}

package struct TransformStyle: RareGroup {
    package var functions: [TransformFunction] = []
    /// nil is `none`, here and below.
    package var translate, rotate, scale: TransformFunction?
    package var origin = Origin()
    package var referenceBox = TransformBox.viewBox
    /// `backface-visibility: hidden`.
    package var hidesBack = false
    /// `transform-style: preserve-3d`.
    package var sharesSpace = false
    /// The viewer's distance, for the box's children; nil is `none`.
    package var perspective: Float?
    package var perspectiveOrigin = Gradient.Position.center

    package struct Origin: Equatable, Sendable {
        package var position = Gradient.Position.center
        package var z: Float = 0
        /// True for the centre of a box, or the corner of an element in an `svg`.
        package var isInitial = true
    }

    package enum TransformBox: String, Sendable {
        case viewBox = "view-box", contentBox = "content-box", borderBox = "border-box", fillBox = "fill-box"
        case strokeBox = "stroke-box"
        /// The box of an element outside of an `svg`, which has no fill, stroke or view box.
        package var isContentBox: Bool { self == .contentBox || self == .fillBox }
    }

    package init() {}

    /// True if the box is transformed, even by the identity (CSS Transforms 2 §6).
    package var isTransforming: Bool { !functions.isEmpty || translate != nil || rotate != nil || scale != nil }

    /// A box's transform in CSS pixels: to its origin, `translate`, `rotate`, `scale`, `transform`, and back (CSS Transforms 2 §8).
    package func resolved(in box: Rect) -> Transform { spatial(in: box).flattened }

    package func spatial(in box: Rect) -> Transform3D {
        let size = Size(width: box.width, height: box.height)
        let place = origin.position.point(in: box)
        return ([translate, rotate, scale].compactMap { $0 } + functions)
            .reduce(Transform3D.translation(place.x, place.y, origin.z)) { $0.after($1.resolved(against: size)) }
            .after(.translation(-place.x, -place.y, -origin.z))
    }
}
