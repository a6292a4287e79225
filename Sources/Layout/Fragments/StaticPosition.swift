// Static positions of absolutely positioned boxes (CSS Positioned Layout 3 §4.1).

/// The static-position rectangle of a box, in the coordinates of `container`'s origin.
struct StaticPosition {
    enum Alignment { case start, center, end }

    /// One axis of the static-position rectangle, and the box's alignment in it.
    struct Axis {
        var start = LayoutUnit.zero
        var end = LayoutUnit.zero
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

    /// The fragment that would contain the box in the flow.
    var container: Int
    var horizontal: Axis
    var vertical: Axis
}
