// An item of a flex container: its style on both axes, its resolved sizes and positions; and the items' shares of a line.

import FancyTextBoxes
import FancyTextCSS

/// A flex item during layout of its line; sizes are of the border box.
struct FlexItem {
    let box: Int
    /// The axis across its line.
    private let across: LayoutAxis
    let kind: StyledBox.Kind
    let isAnonymous: Bool
    let style: ComputedStyle
    let edges: BoxEdges
    let alignment: Alignment
    /// True with `safe` in `alignment`: overflowing contents are aligned to the start.
    let isSafe: Bool
    let mainMargin, crossMargin: LayoutUnit
    /// The flex base size (§9.2), and the limits on the main axis.
    var base = LayoutUnit.zero, minimum = LayoutUnit.zero
    var maximum = LayoutUnit.unlimited
    var main = LayoutUnit.zero, cross = LayoutUnit.zero
    /// The distance from the top of the border box to the baseline, in rows.
    var baseline = LayoutUnit.zero
    /// The positions of the margin box from the starts of the axes.
    var mainStart = LayoutUnit.zero, crossStart = LayoutUnit.zero
    /// True if percentages of the main size can be resolved, although the contents set that size.
    var hasDefiniteMain = false

    /// The item's alignment between the edges of its line (§8.3).
    enum Alignment {
        /// The edges in the direction in which lines follow each other.
        case start, end
        case center, stretch
        case baseline, lastBaseline

        /// `align-self` of an item.
        init(_ value: BoxStyle.BoxAlignment, of item: ComputedStyle, in container: ComputedStyle) {
            /// True if the start of the axis is the container's end.
            let isReversed = container.box.flexWrapReverse
            let isTurned = !container.isFlexRow && item.text.direction != container.text.direction
            switch value {
            case .normal, .stretch: self = .stretch
            case .flexStart, .spaceBetween: self = .start
            case .flexEnd: self = .end
            case .center, .spaceAround, .spaceEvenly: self = .center
            case .start, .left: self = isReversed ? .end : .start
            case .end, .right: self = isReversed ? .start : .end
            case .selfStart: self = isReversed != isTurned ? .end : .start
            case .selfEnd: self = isReversed != isTurned ? .start : .end
            case .baseline: self = .baseline
            case .lastBaseline: self = .lastBaseline
            }
        }
    }

    init(_ box: Int, across: LayoutAxis, container: ComputedStyle, width: LayoutUnit, _ engine: inout LayoutEngine) {
        (self.box, self.across) = (box, across)
        (kind, isAnonymous) = (engine.text.boxes[box].kind, engine.text.boxes[box].isAnonymous)
        style = engine.style(of: box)
        edges = engine.boxEdges(box, percentageBase: width)
        let own = isAnonymous ? nil : style.box.alignSelf
        isSafe =
            own == nil
            ? container.box.safeAlignments.contains(.alignItems) : style.box.safeAlignments.contains(.alignSelf)
        alignment = Alignment(own ?? container.box.alignItems, of: isAnonymous ? container : style, in: container)
        (mainMargin, crossMargin) = (edges.margin.along(across.other), edges.margin.along(across))
    }

    var isReplaced: Bool { kind == .image || kind == .lambda }
    /// The ratio of width to height of a box that is not a picture.
    var aspectRatio: Float? { isAnonymous || isReplaced ? nil : style.box.usedRatio }
    /// The margins set by the style: nil for `auto`.
    private var margin: Sides<LengthPercentage?> { isAnonymous ? Sides(LengthPercentage.zero) : style.box.margin }

    func autoMargins(_ axis: LayoutAxis, isMirrored: Bool = false) -> (start: Bool, end: Bool) {
        let (start, end) = margin.ends(axis)
        return isMirrored ? (end == nil, start == nil) : (start == nil, end == nil)
    }

    /// Returns whether the item stretches across its line: neither its size nor a margin there is set otherwise.
    var stretches: Bool {
        alignment == .stretch
            && (isAnonymous || style.box.size(across) == .auto && autoMargins(across) == (false, false))
    }

    var sharesBaseline: Bool {
        (alignment == .baseline || alignment == .lastBaseline) && autoMargins(across) == (false, false)
    }

    /// The distances from the baseline (in a column the left edge, as in Chromium) to the margin box's edges.
    var extents: (above: LayoutUnit, below: LayoutUnit) {
        across == .vertical
            ? (edges.margin.top + baseline, cross - baseline + edges.margin.bottom)
            : (edges.margin.left, cross + edges.margin.right)
    }
}

/// The items of one line and the space that they share (CSS Flexible Box Layout 1 §9.7).
struct FlexibleLengths {
    /// The input for one item; sizes are of the border box.
    struct Item {
        var base, minimum, maximum, margin: LayoutUnit
        /// The width of borders and padding, which do not shrink.
        var frame: LayoutUnit
        var growth, shrinkage: Float

        var hypothetical: LayoutUnit { max(min(base, maximum), minimum) }
    }

    private let items: [Item]
    private let grows: Bool
    private var isFrozen: [Bool] = []
    private(set) var sizes: [LayoutUnit] = []

    init(_ items: [Item], filling space: LayoutUnit) {
        self.items = items
        grows = items.reduce(LayoutUnit.zero) { $0 + $1.hypothetical + $1.margin } < space
        for item in items {
            let isFrozen = factor(item) == 0 || (grows ? item.base > item.hypothetical : item.base < item.hypothetical)
            self.isFrozen.append(isFrozen)
            sizes.append(isFrozen ? item.hypothetical : item.base)
        }
        resolve(space)
    }

    private func factor(_ item: Item) -> Float { grows ? item.growth : item.shrinkage }
    /// Items shrink in proportion to their content boxes.
    private func weight(_ item: Item) -> Float {
        grows ? item.growth : item.shrinkage * (item.base - item.frame).nonNegative.float
    }

    private mutating func resolve(_ space: LayoutUnit) {
        var initialFree: LayoutUnit?
        // Every round freezes at least one item.
        for _ in 0...items.count {
            var free = space
            var factors: Float = 0
            var weights: Float = 0
            for (i, item) in items.enumerated() {
                free -= item.margin + (isFrozen[i] ? sizes[i] : item.base)
                guard !isFrozen[i] else { continue }
                factors += factor(item)
                weights += weight(item)
            }
            guard factors > 0 else { return }
            let initial = initialFree ?? free
            initialFree = initial
            if factors < 1 {
                let part = LayoutUnit(initial.float * factors)
                if abs(part.raw) < abs(free.raw) { free = part }
            }
            var total = LayoutUnit.zero
            var violations: [(index: Int, amount: LayoutUnit)] = []
            for (i, item) in items.enumerated() where !isFrozen[i] {
                let share = weights > 0 ? weight(item) / weights : 0
                let target = item.base + LayoutUnit(free.float * share)
                sizes[i] = max(min(target, item.maximum), item.minimum)
                total += sizes[i] - target
                violations.append((i, sizes[i] - target))
            }
            guard total != .zero else { return }
            for violation in violations where violation.amount != .zero {
                if (total > .zero) == (violation.amount > .zero) { isFrozen[violation.index] = true }
            }
        }
    }
}
