// Effects on painting order and containing blocks.

extension BoxStyle {
    /// True if a value other than `position` and `z-index` makes a stacking context (CSS Transforms 1 §3, Filter Effects 1 §5,
    /// CSS Masking 1 §3, Compositing 1 §3, CSS Containment 2 §3).
    package var hasGroupEffect: Bool {
        if opacity < 1 || isolates || !contain.isDisjoint(with: [.layout, .paint]) { return true }
        if !$transform, transform.isTransforming { return true }
        if !$mask, mask.isMasking { return true }
        guard !$effects else { return false }
        return !effects.filters.isEmpty || !effects.backdropFilters.isEmpty || effects.clip != nil
            || effects.blendMode != .normal
    }

    /// True if the box is the containing block of its absolute and fixed descendants, whatever its own position.
    package var containsFixedBoxes: Bool {
        if !contain.isDisjoint(with: [.layout, .paint]) { return true }
        if !$transform, transform.isTransforming { return true }
        return !$effects && !(effects.filters.isEmpty && effects.backdropFilters.isEmpty)
    }
}
