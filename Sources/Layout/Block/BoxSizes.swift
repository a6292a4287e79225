// Widths, heights and edges of boxes (CSS 2.1 §10, CSS Sizing 3).
//
// In: a box's computed sizes and the space it is given. Out: border-box sizes on the layout grid. Heights that depend on the
// contents come from the layout of the contents; this file clamps them.

import Styling

/// What a box is laid out in.
struct Constraint {
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

/// The edges of a box, resolved.
struct BoxEdges {
    var margin: Edges
    var border: Edges
    var padding: Edges

    var frame: Edges { border + padding }
}

extension Layouter {
    func boxEdges(_ box: Int, percentageBase: LayoutUnit) -> BoxEdges {
        let style = text.styles[text.boxes[box].style].box
        // An anonymous box has its container's style for inheritance only.
        if text.boxes[box].isAnonymous { return BoxEdges(margin: Edges(), border: Edges(), padding: Edges()) }
        let edges = BoxEdges(
            margin: resolvedMargins(style, base: percentageBase, grid: snap),
            border: resolvedBorders(style, deviceScale: options.deviceScale),
            padding: resolvedPadding(style, base: percentageBase, grid: snap))
        return isOnTerminal ? yielding(edges, of: box, to: percentageBase) : edges
    }

    /// The border box's width for a `width`-like value; nil for `auto`.
    mutating func resolveWidth(
        _ value: SizeValue, box: Int, edges: BoxEdges, constraint: Constraint, sizesBorderBox: Bool
    ) -> LayoutUnit? {
        switch value {
        case .auto: return nil
        case .length(let length):
            if length.isRelative, constraint.percentageWidth.isUnlimited { return nil }
            let resolved = resolve(length, constraint.percentageWidth, grid: snap).nonNegative
            return sizesBorderBox ? max(resolved, edges.frame.horizontal) : resolved + edges.frame.horizontal
        case .minContent: return intrinsicWidths(box).minimum
        case .maxContent, .content: return intrinsicWidths(box).maximum
        case .fitContent(let limit):
            let widths = intrinsicWidths(box)
            let space =
                limit.map { resolve($0, constraint.percentageWidth, grid: snap) } ?? constraint.available
                - edges.margin.horizontal
            return max(widths.minimum, min(space, widths.maximum))
        }
    }

    /// Clamps a border-box width between `min-width` and `max-width`; the minimum wins.
    mutating func clampWidth(_ width: LayoutUnit, box: Int, style: BoxStyle, edges: BoxEdges, constraint: Constraint)
        -> LayoutUnit
    {
        var width = width
        if style.maxWidth != .auto,
            let limit = resolveWidth(
                style.maxWidth, box: box, edges: edges, constraint: constraint, sizesBorderBox: style.sizesBorderBox)
        {
            width = min(width, limit)
        }
        if style.minWidth != .auto,
            let limit = resolveWidth(
                style.minWidth, box: box, edges: edges, constraint: constraint, sizesBorderBox: style.sizesBorderBox)
        {
            width = max(width, limit)
        }
        if isOnTerminal { width = narrowed(width, edges: edges, constraint: constraint) }
        return max(width, edges.frame.horizontal)
    }

    /// The border-box width of a block or of a box of a formatting context of its own.
    mutating func usedWidth(_ box: Int, edges: BoxEdges, constraint: Constraint) -> LayoutUnit {
        if let width = constraint.width { return width }
        let isAnonymous = text.boxes[box].isAnonymous
        let style = text.styles[text.boxes[box].style].box
        let space = (constraint.available - edges.margin.horizontal).nonNegative
        if isAnonymous, !constraint.shrinksToFit { return space }
        let specified =
            isAnonymous
            ? nil
            : resolveWidth(
                style.width, box: box, edges: edges, constraint: constraint, sizesBorderBox: style.sizesBorderBox)
        let width: LayoutUnit
        if let specified {
            width = specified
        } else if !isAnonymous, let ratio = style.aspectRatio, ratio > 0,
            let height = resolveHeight(
                style.height, edges: edges, constraint: constraint, sizesBorderBox: style.sizesBorderBox)
        {
            let content = (height - edges.frame.vertical).nonNegative
            width = LayoutUnit(content.float * ratio) + edges.frame.horizontal
        } else if constraint.shrinksToFit {
            let widths = intrinsicWidths(box)
            width = max(widths.minimum, min(space, widths.maximum))
        } else {
            width = space
        }
        return isAnonymous ? width : clampWidth(width, box: box, style: style, edges: edges, constraint: constraint)
    }

    /// The border box's height for a `height`-like value; nil where it depends on the contents.
    func resolveHeight(_ value: SizeValue, edges: BoxEdges, constraint: Constraint, sizesBorderBox: Bool) -> LayoutUnit?
    {
        switch value {
        case .auto, .minContent, .maxContent, .fitContent, .content: return nil
        case .length(let length):
            if length.isRelative, constraint.percentageHeight == nil { return nil }
            let resolved = resolve(length, constraint.percentageHeight ?? .zero, grid: snap).nonNegative
            return sizesBorderBox ? max(resolved, edges.frame.vertical) : resolved + edges.frame.vertical
        }
    }

    /// The border-box height before the contents are known; nil for `auto`.
    func definiteHeight(_ box: Int, width: LayoutUnit, edges: BoxEdges, constraint: Constraint) -> LayoutUnit? {
        if let height = constraint.height { return height }
        if text.boxes[box].isAnonymous { return nil }
        let style = text.styles[text.boxes[box].style].box
        if let height = resolveHeight(
            style.height, edges: edges, constraint: constraint, sizesBorderBox: style.sizesBorderBoxHeight)
        {
            return clampHeight(height, box: box, edges: edges, constraint: constraint)
        }
        if let ratio = style.aspectRatio, ratio > 0,
            style.width != .auto || constraint.width != nil || !constraint.shrinksToFit
        {
            let base = style.sizesBorderBox ? width : width - edges.frame.horizontal
            let height = LayoutUnit(base.float / ratio) + (style.sizesBorderBox ? .zero : edges.frame.vertical)
            return clampHeight(height, box: box, edges: edges, constraint: constraint)
        }
        return nil
    }

    func clampHeight(_ height: LayoutUnit, box: Int, edges: BoxEdges, constraint: Constraint) -> LayoutUnit {
        if text.boxes[box].isAnonymous { return height }
        let style = text.styles[text.boxes[box].style].box
        var height = height
        if style.maxHeight != .auto,
            let limit = resolveHeight(
                style.maxHeight, edges: edges, constraint: constraint, sizesBorderBox: style.sizesBorderBox)
        {
            height = min(height, limit)
        }
        if style.minHeight != .auto,
            let limit = resolveHeight(
                style.minHeight, edges: edges, constraint: constraint, sizesBorderBox: style.sizesBorderBox)
        {
            height = max(height, limit)
        }
        return max(height, edges.frame.vertical)
    }
}
