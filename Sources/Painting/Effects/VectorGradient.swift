// Gradients for outputs that draw them natively.

import FancyTextBasics
import FancyTextStyling

package struct VectorGradient {
    package enum Shape {
        case linear(from: Point, to: Point)
        /// From the centre to the ellipse.
        case radial(center: Point, radii: Size)
    }
    package var shape: Shape
    /// Offsets from 0 to 1 in ascending order; colours between them are mixed without being premultiplied.
    package var stops: [(offset: Float, color: Color)] = []
    package var repeats = false

    init(shape: Shape) { self.shape = shape }
}
