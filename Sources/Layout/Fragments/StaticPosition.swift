// Static positions of absolutely positioned boxes (CSS Positioned Layout 3 §4.1).

import FancyTextStyling

/// The static-position rectangle of a box, in the coordinates of `container`'s origin.
struct StaticPosition {
    enum Alignment {
        case start, center, end

        var opposite: Alignment { self == .start ? .end : self == .end ? .start : .center }
    }

    /// One axis of the static-position rectangle, and the box's alignment in it.
    struct Axis {
        var start = LayoutUnit.zero, end = LayoutUnit.zero
        var alignment = Alignment.start

        /// A point rather than a range.
        static func at(_ position: LayoutUnit, _ alignment: Alignment = .start) -> Axis {
            Axis(start: position, end: position, alignment: alignment)
        }

        mutating func move(by distance: LayoutUnit) {
            start += distance
            end += distance
        }
    }

    /// Turns the rectangle to the page; it remains relative to `box`.
    mutating func turn(_ axes: WritingMode, in box: LayoutRect) {
        guard axes.isVertical else { return }
        let rect = axes.page(
            LayoutRect(
                x: horizontal.start, y: vertical.start, width: horizontal.end - horizontal.start,
                height: vertical.end - vertical.start), in: box)
        let (along, across) = (horizontal.alignment, vertical.alignment)
        horizontal = Axis(start: rect.x, end: rect.maxX, alignment: axes.startsRight ? across.opposite : across)
        vertical = Axis(start: rect.y, end: rect.maxY, alignment: axes == .sidewaysLR ? along.opposite : along)
    }

    /// The fragment that would contain the box in the flow.
    var container: Int
    var horizontal, vertical: Axis
}
