// Rectangles with round corners, in CSS pixels.

import FancyTextBasics
import FancyTextCSS

/// Radii of a rounded box in CSS pixels, already reduced so that they fit (CSS Backgrounds 3 §4.5).
package struct CornerRadii: Hashable, Sendable {
    package var topLeft, topRight, bottomRight, bottomLeft: Size
    /// The parameters of the superellipses, clockwise from the top left: 1 is an ellipse (CSS Borders 4 §3).
    package var curvatures = SIMD4<Float>(repeating: 1)

    package init(topLeft: Size, topRight: Size, bottomRight: Size, bottomLeft: Size) {
        (self.topLeft, self.topRight, self.bottomRight, self.bottomLeft) = (topLeft, topRight, bottomRight, bottomLeft)
    }
    package init(all radius: Size) {
        self.init(topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius)
    }
    package init(all radius: Float) { self.init(all: Size(width: radius, height: radius)) }
    package static let zero = CornerRadii(all: 0)

    package var isZero: Bool { topLeft == .zero && topRight == .zero && bottomRight == .zero && bottomLeft == .zero }

    /// The distances from each side that its corners reach inwards.
    var depths: Sides<Float> {
        Sides(
            top: max(topLeft.height, topRight.height), right: max(topRight.width, bottomRight.width),
            bottom: max(bottomLeft.height, bottomRight.height), left: max(topLeft.width, bottomLeft.width))
    }

    package func map(_ change: (Size) -> Size) -> CornerRadii {
        var result = self
        (result.topLeft, result.topRight) = (change(topLeft), change(topRight))
        (result.bottomRight, result.bottomLeft) = (change(bottomRight), change(bottomLeft))
        return result
    }
}

package struct RoundedRect: Hashable, Sendable {
    package var rect: Rect
    package var radii: CornerRadii

    package init(rect: Rect, radii: CornerRadii = .zero) { (self.rect, self.radii) = (rect, radii) }

    /// The shape scaled and moved: CSS pixels to device pixels.
    package func transformed(_ transform: Transform) -> RoundedRect {
        let (origin, scaleX, scaleY) = (
            transform.apply(Point(x: rect.x, y: rect.y)), transform.scaleX, transform.scaleY
        )
        return RoundedRect(
            rect: Rect(x: origin.x, y: origin.y, width: rect.width * scaleX, height: rect.height * scaleY),
            radii: radii.map { Size(width: $0.width * scaleX, height: $0.height * scaleY) })
    }

    /// The shape with its edges moved to the nearest whole pixels, as all engines place boxes.
    package var pixelSnapped: RoundedRect { RoundedRect(rect: rect.pixelSnapped, radii: radii).fitted }

    package var isRectangle: Bool { radii.isZero }

    /// The shape with each edge moved inwards; radii shrink with it (CSS Backgrounds 3 §4.2).
    package func inset(by sides: Sides<Float>) -> RoundedRect {
        func shrunk(_ size: Size, _ dx: Float, _ dy: Float) -> Size {
            size.width > dx && size.height > dy ? Size(width: size.width - dx, height: size.height - dy) : .zero
        }
        var result = self
        result.rect = rect.insetBy(left: sides.left, top: sides.top, right: sides.right, bottom: sides.bottom)
        result.radii.topLeft = shrunk(radii.topLeft, sides.left, sides.top)
        result.radii.topRight = shrunk(radii.topRight, sides.right, sides.top)
        result.radii.bottomRight = shrunk(radii.bottomRight, sides.right, sides.bottom)
        result.radii.bottomLeft = shrunk(radii.bottomLeft, sides.left, sides.bottom)
        return result
    }

    /// The shape grown as by a shadow's spread: sharp corners stay sharp, and small radii grow less (CSS Backgrounds 3 §7.1.1).
    package func outset(by distance: Float) -> RoundedRect {
        if distance < 0 { return inset(by: Sides(-distance)) }
        func grown(_ radius: Float) -> Float {
            guard radius < distance else { return radius + distance }
            let ratio = radius / distance - 1
            return radius + distance * (1 + ratio * ratio * ratio)
        }
        func grown(_ size: Size) -> Size {
            size.width <= 0 || size.height <= 0 ? .zero : Size(width: grown(size.width), height: grown(size.height))
        }
        return RoundedRect(rect: rect.grown(by: distance), radii: radii.map(grown)).fitted
    }

    /// Radii reduced so that neighbours do not overlap (CSS Backgrounds 3 §4.5).
    package var fitted: RoundedRect {
        if radii.isZero { return self }
        func share(_ length: Float, _ a: Float, _ b: Float) -> Float { a + b > length ? length / (a + b) : 1 }
        let factor = min(
            share(rect.width, radii.topLeft.width, radii.topRight.width),
            share(rect.width, radii.bottomLeft.width, radii.bottomRight.width),
            share(rect.height, radii.topLeft.height, radii.bottomLeft.height),
            share(rect.height, radii.topRight.height, radii.bottomRight.height))
        guard factor < 1 else { return self }
        return RoundedRect(rect: rect, radii: radii.map { Size(width: $0.width * factor, height: $0.height * factor) })
    }
}
