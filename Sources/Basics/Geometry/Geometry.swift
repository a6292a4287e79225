// Points, rectangles and paths in CSS pixels, origin at the top left, y down.

package struct Point: Hashable, Sendable {
    package var x, y: Float
    @inlinable package init(x: Float, y: Float) {
        self.x = x
        self.y = y
    }
    package static let zero = Point(x: 0, y: 0)
}

package struct Size: Hashable, Sendable {
    package var width, height: Float
    @inlinable package init(width: Float, height: Float) {
        self.width = width
        self.height = height
    }
    package static let zero = Size(width: 0, height: 0)
}

package struct Rect: Hashable, Sendable {
    package var x, y, width, height: Float
    @inlinable package init(x: Float, y: Float, width: Float, height: Float) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
    @inlinable package var maxX: Float { x + width }
    @inlinable package var maxY: Float { y + height }
    @inlinable package var isEmpty: Bool { width <= 0 || height <= 0 }
    @inlinable package func insetBy(left: Float, top: Float, right: Float, bottom: Float) -> Rect {
        Rect(x: x + left, y: y + top, width: max(0, width - left - right), height: max(0, height - top - bottom))
    }
    @inlinable package func offsetBy(x dx: Float, y dy: Float) -> Rect {
        Rect(x: x + dx, y: y + dy, width: width, height: height)
    }
    /// The intersection of two rectangles; empty if they do not overlap.
    package func intersection(_ other: Rect) -> Rect {
        let (left, top) = (max(x, other.x), max(y, other.y))
        return Rect(
            x: left, y: top, width: max(0, min(maxX, other.maxX) - left), height: max(0, min(maxY, other.maxY) - top))
    }
}

/// Move, line, quadratic and cubic segments: the outlines of glyphs and shapes.
package struct Path: Hashable, Sendable {
    package enum Segment: Hashable, Sendable {
        case move(Point)
        case line(Point)
        case quadratic(control: Point, end: Point)
        case cubic(control1: Point, control2: Point, end: Point)
        case close
    }
    package var segments: [Segment] = []
    package init() {}
    package var isEmpty: Bool { segments.isEmpty }
}
