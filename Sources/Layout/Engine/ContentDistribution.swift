// The distribution of free space among lines or items (CSS Box Alignment 3 §5).
//
// In: the alignment, the free space, and the number of items. Out: the offset of the first item and the distance between items.

import FancyTextStyling

extension BoxStyle.BoxAlignment {
    /// The place of a single box in free space.
    var place: StaticPosition.Alignment {
        switch self {
        case .normal, .start, .selfStart, .flexStart, .stretch, .baseline, .left, .spaceBetween: .start
        case .center, .spaceAround, .spaceEvenly: .center
        case .end, .selfEnd, .flexEnd, .right, .lastBaseline: .end
        }
    }
}

/// A value of `justify-content` or `align-content`.
struct ContentDistribution {
    var alignment: BoxStyle.BoxAlignment
    /// True if overflowing content begins at the start.
    var isSafe: Bool

    /// The offset of the first item, and the distance added between items.
    func spread(free: LayoutUnit, count: Int) -> (offset: LayoutUnit, between: LayoutUnit) {
        let distributed = max(free, .zero)
        switch alignment {
        case .normal, .start, .selfStart, .flexStart, .stretch, .baseline, .left: return (.zero, .zero)
        case .end, .selfEnd, .flexEnd, .right, .lastBaseline: return (isSafe ? distributed : free, .zero)
        case .center: return ((isSafe ? distributed : free) / 2, .zero)
        case .spaceBetween: return (.zero, count > 1 ? distributed / Int32(count - 1) : .zero)
        case .spaceAround:
            let between = count > 0 ? distributed / Int32(count) : .zero
            return (between / 2, between)
        case .spaceEvenly:
            let between = distributed / Int32(count + 1)
            return (between, between)
        }
    }
}
