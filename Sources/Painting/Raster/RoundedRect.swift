// Rectangles with round corners, in CSS pixels.

import Basics

/// Radii of a rounded box in CSS pixels, already reduced so that they fit (CSS Backgrounds 3 §4.5).
package struct CornerRadii: Hashable, Sendable {
    package var topLeft, topRight, bottomRight, bottomLeft: Size
    package init(topLeft: Size, topRight: Size, bottomRight: Size, bottomLeft: Size) {
        self.topLeft = topLeft
        self.topRight = topRight
        self.bottomRight = bottomRight
        self.bottomLeft = bottomLeft
    }
    package static let zero = CornerRadii(topLeft: .zero, topRight: .zero, bottomRight: .zero, bottomLeft: .zero)
}

package struct RoundedRect: Hashable, Sendable {
    package var rect: Rect
    package var radii: CornerRadii
    package init(rect: Rect, radii: CornerRadii = .zero) {
        self.rect = rect
        self.radii = radii
    }
}
