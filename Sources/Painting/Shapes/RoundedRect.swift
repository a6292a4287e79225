// Rectangles with round corners, in CSS pixels.

import FancyTextBasics

/// Radii of a rounded box in CSS pixels, already reduced so that they fit (CSS Backgrounds 3 §4.5).
package struct CornerRadii: Hashable, Sendable {
    package var topLeft, topRight, bottomRight, bottomLeft: Size
    /// The parameters of the superellipses, clockwise from the top left: 1 is an ellipse (CSS Borders 4 §3).
    package var curvatures = SIMD4<Float>(repeating: 1)
    package init(topLeft: Size, topRight: Size, bottomRight: Size, bottomLeft: Size) {
        self.topLeft = topLeft
        self.topRight = topRight
        self.bottomRight = bottomRight
        self.bottomLeft = bottomLeft
    }
    package init(all radius: Size) {
        self.init(topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius)
    }
    package init(all radius: Float) { self.init(all: Size(width: radius, height: radius)) }
    package static let zero = CornerRadii(all: 0)

    package var isZero: Bool { topLeft == .zero && topRight == .zero && bottomRight == .zero && bottomLeft == .zero }

    package func map(_ change: (Size) -> Size) -> CornerRadii {
        var result = self
        result.topLeft = change(topLeft)
        result.topRight = change(topRight)
        result.bottomRight = change(bottomRight)
        result.bottomLeft = change(bottomLeft)
        return result
    }
}

package struct RoundedRect: Hashable, Sendable {
    package var rect: Rect
    package var radii: CornerRadii
    package init(rect: Rect, radii: CornerRadii = .zero) {
        self.rect = rect
        self.radii = radii
    }
}
