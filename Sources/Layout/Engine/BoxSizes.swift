// Widths, heights and edges of boxes (CSS 2.1 §10, CSS Sizing 3).
//
// In: a box's computed sizes and the space it is given. Out: border-box sizes on the layout grid. Heights that depend on the
// contents come from the layout of the contents; this file clamps them.

import FancyTextStyling

/// What a box is laid out in.
struct Constraint: Hashable {
    /// Width to fill or to stay below: the margin box's.
    var available: LayoutUnit
    /// Bases of per cents: the containing block's content box. Heights are nil when they depend on the contents.
    var percentageWidth: LayoutUnit
    var percentageHeight: LayoutUnit?
    /// `width: auto` takes the width of the contents (CSS 2.1 §10.3.5) instead of the space.
    var shrinksToFit = false
    /// The border box's size where the surrounding layout decides it (flex items, table cells).
    var width: LayoutUnit?
    var height: LayoutUnit?
    /// `height` is not a definite base for the per cents of children.
    var heightIsIndefinite = false

    init(
        available: LayoutUnit, percentageWidth: LayoutUnit? = nil, percentageHeight: LayoutUnit? = nil,
        shrinksToFit: Bool = false
    ) {
        self.available = available
        self.percentageWidth = percentageWidth ?? available
        self.percentageHeight = percentageHeight
        self.shrinksToFit = shrinksToFit
    }
}

extension LayoutEngine {
    /// Edges as the style says.
    func boxEdges(_ box: Int, percentageBase: LayoutUnit) -> BoxEdges {
        // An anonymous box has its container's style for inheritance only.
        if text.boxes[box].isAnonymous { return BoxEdges() }
        let edges = BoxEdges(
            style(of: box), percentageBase: percentageBase, grid: snap, deviceScale: deviceScale)
        return yielding(edges, of: box, to: percentageBase)
    }

    /// Edges as the layout around the box gives them, or else its style.
    func edges(of box: Int, percentageBase: LayoutUnit = .zero) -> BoxEdges {
        givenEdges[box] ?? boxEdges(box, percentageBase: percentageBase)
    }

    /// The border box's width for a `width`-like value of its style; nil for `auto`.
    mutating func resolveWidth(_ value: SizeValue, of box: Int, _ edges: BoxEdges, _ constraint: Constraint)
        -> LayoutUnit?
    {
        switch value {
        case .auto: return nil
        case .length(let length):
            if length.isRelative, constraint.percentageWidth.isUnlimited { return nil }
            let resolved = resolve(length, constraint.percentageWidth, grid: snap).nonNegative
            let frame = edges.frame.horizontal
            return style(of: box).box.sizesBorderBox ? max(resolved, frame) : resolved + frame
        case .minContent: return automaticWidths(box, edges, constraint).minimum
        case .maxContent, .content: return automaticWidths(box, edges, constraint).maximum
        case .fitContent(let limit):
            let widths = automaticWidths(box, edges, constraint)
            let space =
                limit.map { resolve($0, constraint.percentageWidth, grid: snap) } ?? constraint.available
                - edges.margin.horizontal
            return max(widths.minimum, min(space, widths.maximum))
        }
    }

    /// Clamps a border-box width between `min-width` and `max-width`; the minimum wins.
    mutating func clampWidth(_ width: LayoutUnit, of box: Int, _ edges: BoxEdges, _ constraint: Constraint)
        -> LayoutUnit
    {
        if text.boxes[box].isAnonymous { return width }
        let style = style(of: box)
        var width = width
        let largest =
            style.box.maxWidth == .auto ? nil : resolveWidth(style.box.maxWidth, of: box, edges, constraint)
        let transferred = transferredWidths(box, edges, constraint)
        if let limit = transferred?.most { width = min(width, limit) }
        if let limit = transferred?.least { width = max(width, largest.map { min($0, limit) } ?? limit) }
        if let largest { width = min(width, largest) }
        if style.box.minWidth != .auto, let limit = resolveWidth(style.box.minWidth, of: box, edges, constraint) {
            width = max(width, limit)
        }
        return max(narrowed(width, edges, constraint), edges.frame.horizontal)
    }

    /// Limits of the height that an aspect ratio makes limits of a width that is not the style's own (CSS Sizing 4 §5.3).
    private func transferredWidths(_ box: Int, _ edges: BoxEdges, _ constraint: Constraint) -> (
        least: LayoutUnit?, most: LayoutUnit?
    )? {
        let style = style(of: box)
        guard let ratio = style.box.aspectRatio, ratio > 0, text.boxes[box].kind != .image,
            text.boxes[box].kind != .lambda
        else { return nil }
        switch style.box.width {
        case .length(let length): if !length.isRelative || !constraint.percentageWidth.isUnlimited { return nil }
        case .auto, .minContent, .maxContent, .fitContent, .content: break
        }
        guard resolveHeight(style.box.height, of: box, edges, constraint) == nil else { return nil }
        return transferredLimits(box, edges, constraint, by: ratio, toWidth: true)
    }

    /// The limits that an aspect ratio makes of those of the other axis; nil where there are none.
    func transferredLimits(
        _ box: Int, _ edges: BoxEdges, _ constraint: Constraint, by ratio: Float, toWidth: Bool
    ) -> (least: LayoutUnit?, most: LayoutUnit?) {
        let style = style(of: box)
        func limit(_ value: SizeValue) -> LayoutUnit? {
            guard case .length(let length) = value else { return nil }
            if toWidth { return resolveHeight(value, of: box, edges, constraint) }
            if length.isRelative, constraint.percentageWidth.isUnlimited { return nil }
            let size = resolve(length, constraint.percentageWidth, grid: snap).nonNegative
            return style.box.sizesBorderBox ? max(size, edges.frame.horizontal) : size + edges.frame.horizontal
        }
        func transferred(_ value: SizeValue) -> LayoutUnit? {
            limit(value).map { self.transferred($0, by: ratio, of: box, edges, toWidth: toWidth) }
        }
        return toWidth
            ? (transferred(style.box.minHeight), transferred(style.box.maxHeight))
            : (transferred(style.box.minWidth), transferred(style.box.maxWidth))
    }

    /// The border-box width of a block or of a box of a formatting context of its own.
    mutating func usedWidth(_ box: Int, _ edges: BoxEdges, _ constraint: Constraint) -> LayoutUnit {
        if let width = constraint.width { return width }
        let isAnonymous = text.boxes[box].isAnonymous
        let style = style(of: box)
        let space = (constraint.available - edges.margin.horizontal).nonNegative
        if isAnonymous, !constraint.shrinksToFit { return space }
        let width: LayoutUnit
        if !isAnonymous, let specified = resolveWidth(style.box.width, of: box, edges, constraint) {
            width = specified
        } else if let ratioWidth = ratioWidth(box, edges, constraint) {
            width = ratioWidth
        } else if constraint.shrinksToFit || text.boxes[box].control >= 0 {
            let widths = intrinsicWidths(box)
            width = max(widths.minimum, min(space, widths.maximum))
        } else {
            width = space
        }
        return clampWidth(width, of: box, edges, constraint)
    }

    /// The border-box width that an aspect ratio gives to a height of the style; no less than the contents need (CSS
    /// Sizing 4 §5.2).
    private mutating func ratioWidth(_ box: Int, _ edges: BoxEdges, _ constraint: Constraint) -> LayoutUnit? {
        guard !text.boxes[box].isAnonymous else { return nil }
        let style = style(of: box)
        guard let ratio = style.box.aspectRatio, ratio > 0,
            let height = constraint.height ?? resolveHeight(style.box.height, of: box, edges, constraint)
        else { return nil }
        let clamped = constraint.height ?? clampHeight(height, of: box, edges, constraint)
        let width = transferred(clamped, by: ratio, of: box, edges, toWidth: true)
        let leaves = style.box.minWidth == .auto && style.box.overflowX.leavesContents
        return leaves ? max(width, intrinsicWidths(box).minimum) : width
    }

    /// Widths of the border box by its contents, or by a ratio and its height.
    mutating func automaticWidths(_ box: Int, _ edges: BoxEdges, _ constraint: Constraint) -> IntrinsicWidths {
        if text.boxes[box].kind != .image, text.boxes[box].kind != .lambda,
            let width = ratioWidth(box, edges, constraint)
        {
            return IntrinsicWidths(minimum: width, maximum: width)
        }
        return intrinsicWidths(box)
    }

    /// The border box's height for a `height`-like value of its style; nil where it depends on the contents.
    func resolveHeight(
        _ value: SizeValue, of box: Int, _ edges: BoxEdges, _ constraint: Constraint, sizesBorderBox: Bool? = nil
    ) -> LayoutUnit? {
        switch value {
        case .auto, .minContent, .maxContent, .fitContent, .content: return nil
        case .length(let length):
            if length.isRelative, constraint.percentageHeight == nil { return nil }
            let resolved = resolve(length, constraint.percentageHeight ?? .zero, grid: snap).nonNegative
            let frame = edges.frame.vertical
            return sizesBorderBox ?? style(of: box).box.sizesBorderBox ? max(resolved, frame) : resolved + frame
        }
    }

    /// The border-box height before the contents are known; nil for `auto`.
    func definiteHeight(_ box: Int, width: LayoutUnit, _ edges: BoxEdges, _ constraint: Constraint) -> LayoutUnit? {
        if let height = constraint.height { return height }
        if text.boxes[box].isAnonymous { return nil }
        let style = style(of: box)
        var height = resolveHeight(
            style.box.height, of: box, edges, constraint, sizesBorderBox: style.box.sizesBorderBoxHeight)
        if height == nil, let ratio = style.box.aspectRatio, ratio > 0 {
            height = transferred(width, by: ratio, of: box, edges, toWidth: false)
        }
        return height.map { clampHeight($0, of: box, edges, constraint) }
    }

    /// The border-box height is by an aspect ratio, and grows where the contents need more (CSS Sizing 4 §5.2).
    func growsBeyondRatio(_ box: Int, _ constraint: Constraint) -> Bool {
        guard constraint.height == nil, !text.boxes[box].isAnonymous else { return false }
        let style = style(of: box)
        guard let ratio = style.box.aspectRatio, ratio > 0, style.box.minHeight == .auto,
            style.box.overflowY.leavesContents
        else {
            return false
        }
        return resolveHeight(style.box.height, of: box, BoxEdges(), constraint) == nil
    }

    /// One border-box size by the other and a ratio of width to height.
    func transferred(
        _ size: LayoutUnit, by ratio: Float, of box: Int, _ edges: BoxEdges, toWidth: Bool
    ) -> LayoutUnit {
        // With `auto` the ratio is of the content box whatever `box-sizing` says (CSS Sizing 4 §5.1).
        let style = style(of: box)
        let frame = style.box.sizesBorderBox && !style.box.prefersNaturalRatio ? Edges() : edges.frame
        let (before, after) = toWidth ? (frame.vertical, frame.horizontal) : (frame.horizontal, frame.vertical)
        let content = (size - before).nonNegative.float
        return LayoutUnit(toWidth ? content * ratio : content / ratio) + after
    }

    /// Clamps a border-box height between `min-height` and `max-height`; the minimum wins.
    func clampHeight(_ height: LayoutUnit, of box: Int, _ edges: BoxEdges, _ constraint: Constraint) -> LayoutUnit {
        if text.boxes[box].isAnonymous { return height }
        let style = style(of: box)
        var height = height
        if style.box.maxHeight != .auto, let limit = resolveHeight(style.box.maxHeight, of: box, edges, constraint) {
            height = min(height, limit)
        }
        if style.box.minHeight != .auto, let limit = resolveHeight(style.box.minHeight, of: box, edges, constraint) {
            height = max(height, limit)
        }
        return max(height, edges.frame.vertical)
    }
}
