// Values of positioned layout and clipping (CSS Positioned Layout 3, CSS Overflow 4).

/// `position` (CSS Positioned Layout 3 §2).
package enum Position: String, Sendable {
    case `static`, relative, absolute, fixed, sticky

    package var isOutOfFlow: Bool { self == .absolute || self == .fixed }
}

/// `top` … `left` and `z-index`.
package struct PositionStyle: RareGroup {
    /// nil is `auto`.
    package var inset = Sides<LengthPercentage?>(nil)
    /// nil is `auto`.
    package var zIndex: Int?

    package init() {}
}

/// `overflow-clip-margin` (CSS Overflow 4 §3.2): the distance that contents may extend beyond the box of `overflow: clip`.
package struct ClipMargin: Equatable, Sendable {
    package var box: BackgroundBox
    /// CSS pixels beyond the box, ≥ 0.
    package var distance: Float

    package init(box: BackgroundBox = .paddingBox, distance: Float = 0) { (self.box, self.distance) = (box, distance) }
}
