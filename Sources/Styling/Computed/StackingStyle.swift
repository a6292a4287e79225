// Effects on painting order and containing blocks.

extension ComputedStyle {
    /// True if a value other than `position` and `z-index` makes a stacking context (CSS Transforms 1 §3, Filter Effects 1 §5,
    /// CSS Masking 1 §3, Compositing 1 §3, CSS Containment 2 §3).
    package var hasGroupEffect: Bool {
        if box.opacity < 1 || box.isolates || !box.contain.isDisjoint(with: [.layout, .paint]) { return true }
        if !box.$transform, box.transform.isTransforming { return true }
        if !box.$mask, box.mask.isMasking { return true }
        guard !box.$effects else { return false }
        let effects = box.effects
        return !effects.filters.isEmpty || !effects.backdropFilters.isEmpty || effects.clip != nil
            || effects.blendMode != .normal
    }

    /// True if the box is the containing block of its absolute and fixed descendants, whatever its own position.
    package var containsFixedBoxes: Bool {
        if !box.contain.isDisjoint(with: [.layout, .paint]) { return true }
        if !box.$transform, box.transform.isTransforming { return true }
        return !box.$effects && !(box.effects.filters.isEmpty && box.effects.backdropFilters.isEmpty)
    }
}
