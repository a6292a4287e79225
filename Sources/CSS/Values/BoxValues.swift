// Values of positioned layout, clipping and alignment (CSS Positioned Layout 3, CSS Overflow 4, CSS Box Alignment 3), and quirks.

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

/// The alignments of a box that are safe or unsafe (CSS Box Alignment 3 §4.4): in a safe one, overflowing contents start where they
/// can still be seen.
package struct SafeAlignments: OptionSet, Equatable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    package static let justifyContent = SafeAlignments(rawValue: 1)
    package static let alignContent = SafeAlignments(rawValue: 2)
    package static let justifyItems = SafeAlignments(rawValue: 4)
    package static let alignItems = SafeAlignments(rawValue: 8)
    package static let justifySelf = SafeAlignments(rawValue: 16)
    package static let alignSelf = SafeAlignments(rawValue: 32)

    /// True for a safe alignment, false for an unsafe one, and nil if the style does not say.
    package subscript(use: SafeAlignments) -> Bool? {
        get { contains(use) ? true : contains(use.unsafe) ? false : nil }
        set {
            subtract(use.union(use.unsafe))
            if let newValue { formUnion(newValue ? use : use.unsafe) }
        }
    }

    private var unsafe: SafeAlignments { SafeAlignments(rawValue: rawValue << 8) }
}

/// Quirks-mode differences in the layout of a box that its style decides.
package struct BoxQuirks: OptionSet, Equatable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The margin is the default one of its element: it collapses at the edge of the body or of a cell.
    package static let marginTop = BoxQuirks(rawValue: 1)
    package static let marginBottom = BoxQuirks(rawValue: 2)
    /// A cell's `height` includes its padding and border (Quirks Mode §3.7).
    package static let height = BoxQuirks(rawValue: 4)
    /// Default margins of the contents (``marginTop``, ``marginBottom``) collapse at this box's edges: the body and cells.
    package static let dropsMargins = BoxQuirks(rawValue: 8)
}
