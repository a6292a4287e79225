// Containment, and effects on painting order and containing blocks.

extension ComputedStyle {
    /// The containment by all properties, without that which parts of tables and ruby cannot have (CSS Containment 2 §3).
    package var containment: Containment {
        let all = box.$container ? box.contain : box.contain.union(box.container.containment)
        if all.isEmpty { return all }
        if box.display == .tableCell { return all.subtracting([.size, .inlineSize]) }
        return box.display.isInnerPart ? all.subtracting([.size, .inlineSize, .layout, .paint]) : all
    }

    /// True if containment or a container type makes an independent formatting context.
    package var isContained: Bool {
        !containment.isDisjoint(with: [.layout, .paint]) || !box.$container && box.container.type != .normal
    }

    /// True if `content-visibility` hides the contents of a box that can be independent of their size.
    package var skipsContents: Bool {
        guard !box.$container, box.container.contentVisibility == .hidden else { return false }
        return switch box.display.level {
        case .block, .atomicInline: box.display != .table && box.display != .inlineTable
        case .none, .contents, .inline, .tablePart: false
        }
    }

    /// Returns whether `will-change` names properties with an effect.
    package func expects(_ changes: ExpectedChanges) -> Bool {
        !box.$container && !box.container.changes.isDisjoint(with: changes)
    }

    /// True if a value other than `position` and `z-index` makes a stacking context (CSS Transforms 1 §3, Filter Effects 1 §5,
    /// CSS Masking 1 §3, Compositing 1 §3, CSS Containment 2 §3).
    package var hasGroupEffect: Bool {
        if box.opacity < 1 || box.isolates || !containment.isDisjoint(with: [.layout, .paint]) { return true }
        if expects(.stacking) || box.position != .static && expects(.zIndex) { return true }
        if isTransformed || isSpatial || isMasked { return true }
        guard !box.$effects else { return false }
        let effects = box.effects
        return !effects.filters.isEmpty || !effects.backdropFilters.isEmpty || effects.clip != nil
            || effects.blendMode != .normal
    }

    /// True if the box and its children are planes in one space. Effects on the group flatten it (CSS Transforms 2 §4.1).
    package var sharesSpace: Bool {
        guard !box.$transform, box.transform.sharesSpace, box.opacity == 1, !box.isolates,
            !containment.contains(.paint), !isMasked
        else { return false }
        guard !box.$effects else { return true }
        let effects = box.effects
        return effects.filters.isEmpty && effects.clip == nil && effects.blendMode == .normal
    }

    /// True if the box is the containing block of its absolute and fixed descendants, whatever its own position.
    package var containsFixedBoxes: Bool {
        if !containment.isDisjoint(with: [.layout, .paint]) || expects(.containsFixed) { return true }
        return isTransformed || isSpatial || isFiltered
    }

    /// True if the box or the content below it is filtered, which makes any box a containing block (Filter Effects 1 §5).
    package var isFiltered: Bool {
        expects(.filter) || !box.$effects && !(box.effects.filters.isEmpty && box.effects.backdropFilters.isEmpty)
    }

    package var containsAbsoluteBoxes: Bool { box.position != .static || containsFixedBoxes || expects(.position) }

    /// True if the box is transformed, even by the identity.
    package var isTransformed: Bool { !box.$transform && box.transform.isTransforming }

    private var isMasked: Bool { !box.$mask && box.mask.isMasking }

    /// True if the box's children are in a space, which makes it a stacking context (CSS Transforms 2 §4, §5).
    private var isSpatial: Bool { !box.$transform && (box.transform.sharesSpace || box.transform.perspective != nil) }
}
