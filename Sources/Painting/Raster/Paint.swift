// The fills of shapes, colours or sources of colours along a line, and the surfaces that take them: pixel canvases, vector files.

import FancyTextBasics
import FancyTextCSS

/// A source of colours along a line: gradients and pictures.
protocol RowShader: AnyObject {
    /// Writes the premultiplied colours of points, each `step` from the previous one: without a transform, of a row's pixels.
    func fill(_ row: UnsafeMutableBufferPointer<UInt32>, from start: Point, step: Point)
    /// True if all pixels are opaque, so that they can be written in place.
    var fillsOpaquely: Bool { get }
    var work: Int { get }
}

extension RowShader {
    var fillsOpaquely: Bool { false }
    var work: Int { Paint.shaderWork }
}

enum Paint {
    case solid(UInt32)
    case shader(any RowShader)

    init(_ color: Color) { self = .solid(Pixel.premultiplied(color)) }

    /// The cost of blending one pixel, in units of one opaque fill.
    var work: Int {
        switch self {
        case .solid: 2
        case .shader(let shader): shader.work
        }
    }
    static let shaderWork = 6
}

/// A surface that shapes can be filled on, in pixels before its transform.
protocol ShapeSurface: AnyObject {
    var transform: Transform? { get }
    var visibleArea: DeviceRect { get }
    func fill(_ path: Path, paint: Paint)
    func fill(_ path: Path, within bounds: DeviceRect, paint: Paint)
    func fill(_ rect: DeviceRect, paint: Paint)
    func fill(_ shape: RoundedRect, paint: Paint)
    func fillOverlapping(_ path: Path, paint: Paint)
    func pushClip(_ shape: RoundedRect)
    func pushClip(_ path: Path, isInverse: Bool, isEvenOdd: Bool)
    func pop()
}

extension ShapeSurface {
    func pushClip(_ path: Path, isInverse: Bool = false) { pushClip(path, isInverse: isInverse, isEvenOdd: false) }
}

extension Bitmap: ShapeSurface {}
