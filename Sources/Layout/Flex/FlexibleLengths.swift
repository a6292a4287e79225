// The sizes of flex items along a filled line (CSS Flexible Box Layout 1 §9.7).

/// The items of one line and the space that they share.
struct FlexibleLengths {
    /// The input for one item; sizes are of the border box.
    struct Item {
        var base, minimum, maximum, margin: LayoutUnit
        /// The width of borders and padding, which do not shrink.
        var frame: LayoutUnit
        var growth, shrinkage: Float

        /// The base size within its limits.
        var hypothetical: LayoutUnit { max(min(base, maximum), minimum) }
    }

    private let items: [Item]
    private let grows: Bool
    private var isFrozen: [Bool] = []
    private(set) var sizes: [LayoutUnit] = []

    /// Grows or shrinks the items until they fill `space`.
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
