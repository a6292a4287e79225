// Values of transforms (CSS Transforms 1 and 2).

import FancyTextBasics
import FancyTextPlatform

/// A map of space, column by column as in `matrix3d()` (CSS Transforms 2 §13).
package struct Transform3D: Equatable, Sendable {
    package var columns: [SIMD4<Float>]

    package static let identity = Transform3D(columns: [
        SIMD4(1, 0, 0, 0), SIMD4(0, 1, 0, 0), SIMD4(0, 0, 1, 0), SIMD4(0, 0, 0, 1),
    ])

    /// - Precondition: four columns.
    init(columns: [SIMD4<Float>]) { self.columns = columns }

    static func scale(_ x: Float, _ y: Float, _ z: Float) -> Transform3D {
        Transform3D(columns: [SIMD4(x, 0, 0, 0), SIMD4(0, y, 0, 0), SIMD4(0, 0, z, 0), SIMD4(0, 0, 0, 1)])
    }

    static func translation(_ x: Float, _ y: Float, _ z: Float) -> Transform3D {
        var result = identity
        result.columns[3] = SIMD4(x, y, z, 1)
        return result
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
        var result = identity
        result.columns[1].x = Float(tan(x * .pi / 180))
        result.columns[0].y = Float(tan(y * .pi / 180))
        return result
    }

    static func perspective(_ distance: Float) -> Transform3D {
        var result = identity
        // Distances less than a pixel count as one pixel (CSS Transforms 2 §7).
        result.columns[2].w = -1 / max(1, distance)
        return result
    }

    /// The composition that applies `inner` first, then this transform.
    func after(_ inner: Transform3D) -> Transform3D {
        Transform3D(
            columns: inner.columns.map { column in
                columns[0] * column.x + columns[1] * column.y + columns[2] * column.z + columns[3] * column.w
            })
    }

    /// The transform of the screen plane, seen from straight ahead. A perspective that varies with x or y is left out.
    var flattened: Transform {
        let scale = columns[3].w == 0 || !columns[3].w.isFinite ? 1 : 1 / columns[3].w
        return Transform(
            xx: columns[0].x * scale, yx: columns[0].y * scale, xy: columns[1].x * scale, yy: columns[1].y * scale,
            x: columns[3].x * scale, y: columns[3].y * scale)
    }

    /// True if the transform moves anything out of the screen plane.
    fileprivate var isSpatial: Bool {
        columns[0].z != 0 || columns[0].w != 0 || columns[1].z != 0 || columns[1].w != 0 || columns[3].z != 0
            || columns[2] != SIMD4(0, 0, 1, 0)
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

    fileprivate var isSpatial: Bool {
        switch self {
        case .translate(_, _, let z): z != 0
        case .matrix(let matrix): matrix.isSpatial
        }
    }

    fileprivate func resolved(against size: Size) -> Transform3D {
        switch self {
        case .translate(let x, let y, let z):
            .translation(x.resolved(against: size.width), y.resolved(against: size.height), z)
        case .matrix(let matrix): matrix
        }
    }
}

/// `transform` and the related properties.
package struct TransformStyle: RareGroup {
    package var functions: [TransformFunction] = []
    /// nil is `none`, here and below.
    package var translate: TransformFunction?
    package var rotate: TransformFunction?
    package var scale: TransformFunction?
    package var originX = LengthPercentage(fraction: 0.5)
    package var originY = LengthPercentage(fraction: 0.5)
    package var originZ: Float = 0
    /// False if the origin is the initial one: the centre of a box, or the corner of an element in an `svg`.
    package var hasOrigin = false
    package var referenceBox = TransformBox.viewBox
    /// `backface-visibility: hidden`.
    package var hidesBack = false

    package enum TransformBox: UInt8, Equatable, Sendable {
        case viewBox, contentBox, borderBox, fillBox, strokeBox
        /// The box of an element outside of an `svg`, which has no fill, stroke or view box.
        package var isContentBox: Bool { self == .contentBox || self == .fillBox }
    }

    package init() {}

    /// True if the box is transformed, even by the identity (CSS Transforms 2 §6).
    package var isTransforming: Bool { !functions.isEmpty || translate != nil || rotate != nil || scale != nil }

    /// True if the transform moves the box out of the screen plane.
    package var isSpatial: Bool {
        ([translate, rotate, scale].compactMap { $0 } + functions).contains { $0.isSpatial }
    }

    /// The transform of a box (CSS Transforms 2 §8): to its origin, `translate`, `rotate`, `scale`, `transform`, and back.
    ///
    /// - Parameter box: the reference box, in CSS pixels.
    package func resolved(in box: Rect) -> Transform { spatial(in: box).flattened }

    /// True if the back of the box is seen: its normal points away after the transform (CSS Transforms 2 §8).
    package var showsBack: Bool {
        guard isSpatial else { return false }
        let c = spatial(in: Rect(x: 0, y: 0, width: 1, height: 1)).columns
        let normal = c[0].x * c[1].y - c[1].x * c[0].y
        let determinant =
            c[2].z * normal - c[2].y * (c[0].x * c[1].z - c[1].x * c[0].z) + c[2].x
            * (c[0].y * c[1].z - c[1].y * c[0].z)
        return normal * determinant < 0
    }

    /// True if parts of the box are nearer than others and would be larger.
    package var hasVaryingPerspective: Bool {
        guard isSpatial else { return false }
        let transform = spatial(in: Rect(x: 0, y: 0, width: 1, height: 1))
        return transform.columns[0].w != 0 || transform.columns[1].w != 0
    }

    private func spatial(in box: Rect) -> Transform3D {
        let size = Size(width: box.width, height: box.height)
        let x = box.x + originX.resolved(against: box.width)
        let y = box.y + originY.resolved(against: box.height)
        var result = Transform3D.translation(x, y, originZ)
        for function in [translate, rotate, scale] {
            if let function { result = result.after(function.resolved(against: size)) }
        }
        for function in functions { result = result.after(function.resolved(against: size)) }
        return result.after(.translation(-x, -y, -originZ))
    }
}
