// Values of positioned layout, clipping and containment (CSS Positioned Layout 3, CSS Overflow 4, CSS Containment 2).

/// `position` (CSS Positioned Layout 3 §2).
package enum Position: UInt8, Hashable, Sendable {
    case `static`, relative, absolute, fixed, sticky

    /// Taken out of the flow.
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
package struct ClipMargin: Hashable, Sendable {
    package var box: BackgroundBox
    /// CSS pixels beyond the box, ≥ 0.
    package var distance: Float

    package init(box: BackgroundBox = .paddingBox, distance: Float = 0) {
        self.box = box
        self.distance = distance
    }
}

/// `contain` (CSS Containment 2 §2): the effects outside the box that its contents cannot have.
package struct Containment: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let size = Containment(rawValue: 1)
    package static let inlineSize = Containment(rawValue: 2)
    package static let layout = Containment(rawValue: 4)
    package static let paint = Containment(rawValue: 8)
    package static let style = Containment(rawValue: 16)
    package static let content: Containment = [.layout, .paint, .style]
    package static let strict: Containment = [.size, .layout, .paint, .style]
}
