// The fills of shapes. In: a colour, or a source of colours along a line. Out: premultiplied pixels for the canvas.

import FancyTextBasics
import FancyTextStyling

/// A source of colours along a line: gradients and pictures.
protocol RowShader: AnyObject {
    /// Writes the premultiplied colours of points, each `step` from the previous one: without a transform, of a row's pixels.
    func fill(_ row: UnsafeMutableBufferPointer<UInt32>, from start: Point, step: Point)
    /// True if all pixels are opaque, so that they can be written in place.
    var fillsOpaquely: Bool { get }
    /// The cost of one pixel; see ``Paint/work``.
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
