// The fills of shapes.
//
// In: a colour, or a source of colours along a line. Out: premultiplied pixels for the canvas.

import FancyTextBasics

/// Gives the colours along a line: gradients and pictures.
protocol RowShader: AnyObject {
    /// Writes the premultiplied colours of points, each `step` from the one before. Without a transform these are the
    /// middles of a row's pixels, one pixel apart.
    func fill(_ row: UnsafeMutableBufferPointer<UInt32>, from start: Point, step: Point)
    /// Whether all its pixels are opaque, so that they can be written in place.
    var fillsOpaquely: Bool { get }
}

extension RowShader {
    var fillsOpaquely: Bool { false }
}

enum Paint {
    /// Premultiplied.
    case solid(UInt32)
    case shader(any RowShader)

    /// The cost of blending one pixel, in units of one opaque fill.
    var work: Int {
        switch self {
        case .solid: 2
        case .shader: 6
        }
    }
}
