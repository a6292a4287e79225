// The alignment of boxes in free space (CSS Box Alignment 3 §5–6): in grid areas, in block containers, between insets,
// in static-position rectangles; and the distances between lines or items.

import FancyTextCSS

/// The static-position rectangle of a box, in the coordinates of `container`'s origin.
struct StaticPosition {
    enum Alignment {
        case start, center, end

        var opposite: Alignment { self == .start ? .end : self == .end ? .start : .center }

        func offset(in free: LayoutUnit, grid: LayoutGrid = .fine) -> LayoutUnit {
            switch self {
            case .start: .zero
            case .center: grid.floor(free / 2)
            case .end: free
            }
        }
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

extension BoxStyle.BoxAlignment {
    /// True if content alignment stretches `auto` tracks (CSS Grid 2 §12.8).
    var stretchesTracks: Bool { self == .normal || self == .stretch }

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
        case .normal, .start, .selfStart, .flexStart, .stretch, .baseline, .left, .center, .end, .selfEnd, .flexEnd,
            .right, .lastBaseline:
            return (alignment.place.offset(in: isSafe ? distributed : free), .zero)
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

/// The alignment of a box in one axis, in the directions of its container.
struct ItemAlignment {
    var position = StaticPosition.Alignment.start
    var stretches = false
    /// True if the style is `stretch`.
    var isExplicit = false
    /// Nil if the style does not say.
    var isSafe: Bool?
    /// True if the item takes part in baseline alignment, by its first or last baseline.
    var sharesBaseline = false, isLastBaseline = false

    /// The offset of the margin box if `free` of the area is left; `auto` margins are nil.
    func offset(
        free: LayoutUnit, _ margins: (start: LengthPercentage?, end: LengthPercentage?), grid: LayoutGrid
    ) -> LayoutUnit {
        switch (margins.start, margins.end) {
        case (nil, nil): return grid.floor(free / 2).nonNegative
        case (nil, _): return free.nonNegative
        case (_, nil): return .zero
        case (_, _): break
        }
        return position.offset(in: isSafe == true ? free.nonNegative : free, grid: grid)
    }
}

extension ItemAlignment {
    /// `justify-self` in the horizontal axis, which is that of lines, or `align-self`; `item` is nil for an anonymous box.
    init(_ axis: LayoutAxis, of item: ComputedStyle?, in container: ComputedStyle, isReplaced: Bool = false) {
        let isAlongLines = axis == .horizontal
        let isRightToLeft = isAlongLines && container.text.direction == .rtl
        let own = isAlongLines ? item?.box.justifySelf : item?.box.alignSelf
        let alignment = own ?? (isAlongLines ? container.box.justifyItems : container.box.alignItems)
        self.init(position: alignment.place)
        isSafe =
            own == nil
            ? container.box.safeAlignments[isAlongLines ? .justifyItems : .alignItems]
            : item?.box.safeAlignments[isAlongLines ? .justifySelf : .alignSelf]
        switch alignment {
        case .normal: stretches = !isReplaced
        case .stretch: (stretches, isExplicit) = (true, true)
        case .left: if isRightToLeft { position = .end }
        case .right: if isRightToLeft || !isAlongLines { position = .start }
        case .selfStart, .selfEnd:
            let (own, outer) = ((item ?? container).startsAtEnd, container.startsAtEnd)
            let isAcross = isAlongLines == container.text.writingMode.isVertical
            if isAcross ? own.bottom != outer.bottom : own.right != outer.right { position = position.opposite }
        case .baseline: sharesBaseline = true
        case .lastBaseline: (sharesBaseline, isLastBaseline) = (true, true)
        case .start, .end, .center, .flexStart, .flexEnd, .spaceBetween, .spaceAround, .spaceEvenly: break
        }
    }
}

extension LayoutEngine {
    /// The baseline of a box without lines: its side under the lines of the flow, or its middle (CSS Box Alignment 3 §9.1).
    func synthesizedBaseline(_ height: LayoutUnit, in style: ComputedStyle) -> LayoutUnit {
        if axes.isVertical, style.hasCentralBaseline { return height / 2 }
        return axes.invertsLines ? .zero : height
    }

    /// The alignments of a box in its static-position rectangle in a block container, along the lines and across them (CSS Box
    /// Alignment 3 §6.1.2, §6.2.2). As in browsers, the container's `align-items` does not apply.
    func staticAlignment(
        of box: Int, in container: ComputedStyle, isRightToLeft: Bool
    ) -> (along: StaticPosition.Alignment, across: StaticPosition.Alignment) {
        let style = style(of: box)
        let along = ItemAlignment(.horizontal, of: style, in: container).position
        let across = style.box.alignSelf == nil ? .start : ItemAlignment(.vertical, of: style, in: container).position
        return (isRightToLeft ? along.opposite : along, across)
    }
}
