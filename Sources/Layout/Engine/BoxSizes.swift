// Widths, heights and edges of boxes (CSS 2.1 §10, CSS Sizing 3, CSS Containment 2 §3).
//
// In: a box's computed sizes and its space. Out: border-box sizes on the layout grid. Heights by the contents come from their layout.

import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup

/// The space for the layout of a box.
struct Constraint: Hashable {
    /// The width of the margin box to fill or not to exceed.
    var available: LayoutUnit
    /// The bases of percentages: the containing block's content box. Heights are nil if they depend on the contents.
    var percentageWidth: LayoutUnit
    var percentageHeight: LayoutUnit?
    /// True if `width: auto` is by the contents (CSS 2.1 §10.3.5), not the available one; nil: for form controls only.
    var shrinksToFit: Bool?
    /// The border box's size if the parent's layout sets it (flex items, table cells).
    var width, height: LayoutUnit?
    /// True if `height` is not a definite base for percentages of children.
    var heightIsIndefinite = false
    /// The height of the margin box not to exceed by a box with lines in that direction; nil if it is `percentageHeight`.
    var availableHeight: LayoutUnit?
    /// The base of percentages of edges, if it is not `percentageWidth`.
    var edgeBase: LayoutUnit?
    var percentageOfEdges: LayoutUnit { edgeBase ?? percentageWidth }

    init(
        available: LayoutUnit, percentageWidth: LayoutUnit? = nil, percentageHeight: LayoutUnit? = nil,
        shrinksToFit: Bool? = nil, width: LayoutUnit? = nil, height: LayoutUnit? = nil
    ) {
        (self.available, self.percentageWidth) = (available, percentageWidth ?? available)
        (self.percentageHeight, self.shrinksToFit) = (percentageHeight, shrinksToFit)
        (self.width, self.height) = (width, height)
    }
}

/// An axis of a flow: along its lines, or across them.
enum LayoutAxis {
    case horizontal, vertical

    var other: LayoutAxis { self == .horizontal ? .vertical : .horizontal }
}

extension Sides {
    func ends(_ axis: LayoutAxis) -> (start: Value, end: Value) { axis == .horizontal ? (left, right) : (top, bottom) }
}

extension Edges { func along(_ axis: LayoutAxis) -> LayoutUnit { axis == .horizontal ? horizontal : vertical } }

extension BoxStyle {
    /// The ratio of width to height; nil without one, or if it is not positive.
    var usedRatio: Float? { if let aspectRatio, aspectRatio > 0 { aspectRatio } else { nil } }
    /// True if contents that do not fit can be scrolled.
    var scrolls: Bool { !overflowX.leavesContents || !overflowY.leavesContents }
    func size(_ axis: LayoutAxis) -> SizeValue { axis == .horizontal ? width : height }
    func leastSize(_ axis: LayoutAxis) -> SizeValue { axis == .horizontal ? minWidth : minHeight }
    func mostSize(_ axis: LayoutAxis) -> SizeValue { axis == .horizontal ? maxWidth : maxHeight }
    var hasRelativeHeight: Bool { height.isRelative || minHeight.isRelative || maxHeight.isRelative }
    func gap(_ axis: LayoutAxis) -> LengthPercentage { axis == .horizontal ? columnGap : rowGap }
    func overflow(_ axis: LayoutAxis) -> Overflow { axis == .horizontal ? overflowX : overflowY }
    /// Returns whether a side has padding or a border: 0 is the top, 1 right, 2 bottom, 3 left.
    func hasFrame(onSide side: Int) -> Bool { padding[clockwise: side] != .zero || border[clockwise: side].width != 0 }
}

extension LayoutEngine {
    /// The size of the border box in an axis for a value of its style, and next, a size between the limits of its style.
    mutating func resolveSize(
        _ value: SizeValue, _ axis: LayoutAxis, of box: Int, _ edges: BoxEdges, _ constraint: Constraint
    ) -> LayoutUnit? {
        axis == .horizontal
            ? resolveWidth(value, of: box, edges, constraint) : resolveHeight(value, of: box, edges, constraint)
    }
    mutating func clampSize(
        _ size: LayoutUnit, _ axis: LayoutAxis, of box: Int, _ edges: BoxEdges, _ constraint: Constraint
    ) -> LayoutUnit {
        axis == .horizontal
            ? clampWidth(size, of: box, edges, constraint) : clampHeight(size, of: box, edges, constraint)
    }

    func boxEdges(_ box: Int, percentageBase: LayoutUnit) -> BoxEdges {
        guard let style = ownStyle(of: box) else { return BoxEdges() }
        let edges = BoxEdges(style, percentageBase: percentageBase, grid: snap, deviceScale: deviceScale)
        return yielding(edges, of: box, to: percentageBase)
    }

    /// The edges set by the parent's layout, or else by the style.
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
        case .stretch:
            // The margin box fills the container (CSS Sizing 4 §6.1).
            if constraint.percentageWidth.isUnlimited { return nil }
            // The insets of a positioned box leave less than the containing block.
            let room = text.boxes[box].isPositioned ? constraint.available : constraint.percentageWidth
            return max(room - edges.margin.horizontal, edges.frame.horizontal)
        case .minContent: return automaticWidths(box, edges, constraint).minimum
        case .maxContent, .content: return automaticWidths(box, edges, constraint).maximum
        case .fitContent(let limit):
            let space =
                limit.map { resolve($0, constraint.percentageWidth, grid: snap) } ?? constraint.available
                - edges.margin.horizontal
            return automaticWidths(box, edges, constraint).fitted(to: space)
        }
    }

    /// Clamps a border-box width between `min-width` and `max-width`; the minimum wins.
    mutating func clampWidth(_ width: LayoutUnit, of box: Int, _ edges: BoxEdges, _ constraint: Constraint)
        -> LayoutUnit
    {
        guard let style = ownStyle(of: box) else { return width }
        var width = width
        let largest = resolveWidth(style.box.maxWidth, of: box, edges, constraint)
        let transferred = transferredWidths(box, edges, constraint)
        if let limit = transferred?.most { width.lower(to: limit) }
        if let limit = transferred?.least { width.raise(to: largest.map { min($0, limit) } ?? limit) }
        if let largest { width.lower(to: largest) }
        if let least = resolveWidth(style.box.minWidth, of: box, edges, constraint) { width.raise(to: least) }
        return max(narrowed(width, edges, constraint), edges.frame.horizontal)
    }

    /// The limits of the height converted by an aspect ratio, for a width that is not set by the style (CSS Sizing 4 §5.3).
    private func transferredWidths(_ box: Int, _ edges: BoxEdges, _ constraint: Constraint) -> (
        least: LayoutUnit?, most: LayoutUnit?
    )? {
        let style = style(of: box)
        guard let ratio = style.box.usedRatio, !text.boxes[box].isReplaced else { return nil }
        switch style.box.width {
        case .length, .stretch: if !style.box.width.isRelative || !constraint.percentageWidth.isUnlimited { return nil }
        case .auto, .minContent, .maxContent, .fitContent, .content: break
        }
        guard resolveHeight(style.box.height, of: box, edges, constraint) == nil else { return nil }
        return transferredLimits(box, edges, constraint, by: ratio, toWidth: true)
    }

    /// The limits of the other axis, converted by an aspect ratio; nil for none.
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
        let axis: LayoutAxis = toWidth ? .vertical : .horizontal
        return (transferred(style.box.leastSize(axis)), transferred(style.box.mostSize(axis)))
    }

    /// The border-box width of a block, or of a box with a formatting context of its own.
    mutating func usedWidth(_ box: Int, _ edges: BoxEdges, _ constraint: Constraint) -> LayoutUnit {
        if let width = constraint.width { return width }
        let space = (constraint.available - edges.margin.horizontal).nonNegative
        let style = ownStyle(of: box)
        if style == nil, constraint.shrinksToFit != true { return space }
        var width = space
        if let style, let specified = resolveWidth(style.box.width, of: box, edges, constraint) {
            width = specified
        } else if let ratioWidth = ratioWidth(box, edges, constraint) {
            width = ratioWidth
        } else if constraint.shrinksToFit ?? (text.boxes[box].control >= 0) {
            width = framedWidths(box, edges, constraint).fitted(to: space)
        }
        return clampWidth(width, of: box, edges, constraint)
    }

    /// The border-box width from a height of the style by an aspect ratio; at least what the contents need (CSS Sizing 4 §5.2).
    private mutating func ratioWidth(_ box: Int, _ edges: BoxEdges, _ constraint: Constraint) -> LayoutUnit? {
        guard let style = ownStyle(of: box), let ratio = style.box.usedRatio,
            let height = constraint.height ?? resolveHeight(style.box.height, of: box, edges, constraint)
        else { return nil }
        let clamped = constraint.height ?? clampHeight(height, of: box, edges, constraint)
        let width = transferred(clamped, by: ratio, of: box, edges, toWidth: true)
        let leaves = style.box.minWidth == .auto && style.box.overflowX.leavesContents
        return leaves ? max(width, intrinsicWidths(box, in: constraint).minimum) : width
    }

    /// The widths of the border box by its contents, or by a ratio and its height.
    mutating func automaticWidths(_ box: Int, _ edges: BoxEdges, _ constraint: Constraint) -> IntrinsicWidths {
        if text.boxes[box].isReplaced, constraint.height != nil {
            return IntrinsicWidths(replacedSize(box, edges, constraint, ignoresWidth: true).width)
        }
        if !text.boxes[box].isReplaced, let width = ratioWidth(box, edges, constraint) { return IntrinsicWidths(width) }
        return framedWidths(box, edges, constraint)
    }

    /// The widths by the contents, with the percentages of padding that are 0 for the container (CSS Sizing 3 §5.2.1).
    mutating func framedWidths(_ box: Int, _ edges: BoxEdges, _ constraint: Constraint) -> IntrinsicWidths {
        let widths = intrinsicWidths(box, in: constraint)
        guard let padding = ownStyle(of: box)?.box.padding, padding.left.isRelative || padding.right.isRelative,
            !crosses(box), !text.boxes[box].isReplaced
        else { return widths }
        return widths + (edges.frame.horizontal - self.edges(of: box).frame.horizontal)
    }

    /// The border box's height for a `height`-like value of its style; nil if it depends on the contents.
    func resolveHeight(
        _ value: SizeValue, of box: Int, _ edges: BoxEdges, _ constraint: Constraint, sizesBorderBox: Bool? = nil
    ) -> LayoutUnit? {
        switch value {
        case .auto, .minContent, .maxContent, .fitContent, .content: return nil
        case .stretch:
            return constraint.percentageHeight.map { max($0 - stretchedMargins(box, edges), edges.frame.vertical) }
        case .length(let length):
            guard let size = resolve(length, ofKnown: constraint.percentageHeight, grid: snap)
            else { return isEmptied(box) ? edges.frame.vertical : nil }
            let (resolved, frame) = (size.nonNegative, edges.frame.vertical)
            return sizesBorderBox ?? style(of: box).box.sizesBorderBox ? max(resolved, frame) : resolved + frame
        }
    }

    /// Returns whether a box scrolls in a cell whose height is unknown: it does not count for that, as in browsers.
    private func isEmptied(_ box: Int) -> Bool {
        guard unsizedCell >= 0, style(of: box).box.scrolls else { return false }
        let parent = text.boxes[box].parent
        return parent == unsizedCell || text.boxes[parent].isAnonymous && text.boxes[parent].parent == unsizedCell
    }

    /// The vertical margins that `stretch` leaves room for: not those that adjoin the parent's (CSS Sizing 4 §6.1).
    private func stretchedMargins(_ box: Int, _ edges: BoxEdges) -> LayoutUnit {
        let parent = text.boxes[box].parent
        guard parent >= 0, text.boxes[parent].kind == .block, !text.establishesContext(parent),
            style(of: box).box.display.level == .block, style(of: box).box.float == .none, !text.boxes[box].isPositioned
        else { return edges.margin.vertical }
        let around = boxEdges(parent, percentageBase: .zero).frame
        return (around.top > .zero ? edges.margin.top : .zero) + (around.bottom > .zero ? edges.margin.bottom : .zero)
    }

    /// The border-box height before the contents are known; nil for `auto`.
    func definiteHeight(_ box: Int, width: LayoutUnit, _ edges: BoxEdges, _ constraint: Constraint) -> LayoutUnit? {
        if let height = constraint.height { return height }
        guard let style = ownStyle(of: box) else { return nil }
        var height = resolveHeight(
            style.box.height, of: box, edges, constraint, sizesBorderBox: style.sizesBorderBoxHeight)
        if height == nil, text.boxes[box].kind != .tableCell, let ratio = style.box.usedRatio {
            height = transferred(width, by: ratio, of: box, edges, toWidth: false)
        }
        // In browsers, items of a flex box do not grow into a height that stands for theirs.
        if height == nil, text.boxes[box].kind != .flex, let contained = containedHeight(box) {
            height = contained + edges.frame.vertical
        }
        return height.map { clampHeight($0, of: box, edges, constraint) }
    }

    /// The border-box height once the contents are laid out; limits like `min-content` are by them (CSS Sizing 3 §3.2).
    func finalHeight(
        _ definite: LayoutUnit?, contents: LayoutUnit, of box: Int, _ edges: BoxEdges, _ constraint: Constraint
    ) -> LayoutUnit {
        if constraint.height != nil || text.boxes[box].isAnonymous { return definite ?? contents }
        let style = style(of: box).box
        var height = definite ?? clampHeight(contents, of: box, edges, constraint)
        // Heights by an aspect ratio grow if the contents need more (CSS Sizing 4 §5.2).
        if style.usedRatio != nil, style.minHeight == .auto, style.overflowY.leavesContents,
            containedHeight(box) == nil, resolveHeight(style.height, of: box, BoxEdges(), constraint) == nil
        {
            height = clampHeight(max(height, contents), of: box, edges, constraint)
        }
        if style.maxHeight.isByContents { height = clampHeight(min(height, contents), of: box, edges, constraint) }
        if style.minHeight.isByContents { height.raise(to: contents) }
        return height
    }

    /// The border-box size in one axis from that in the other by a ratio of width to height.
    func transferred(_ size: LayoutUnit, by ratio: Float, of box: Int, _ edges: BoxEdges, toWidth: Bool) -> LayoutUnit {
        // With `auto` the ratio applies to the content box, whatever `box-sizing` is (CSS Sizing 4 §5.1).
        let style = style(of: box)
        let frame = style.box.sizesBorderBox && !style.box.prefersNaturalRatio ? Edges() : edges.frame
        let (before, after) = toWidth ? (frame.vertical, frame.horizontal) : (frame.horizontal, frame.vertical)
        let content = (size - before).nonNegative.float
        return LayoutUnit(toWidth ? content * ratio : content / ratio) + after
    }

    func clampHeight(_ height: LayoutUnit, of box: Int, _ edges: BoxEdges, _ constraint: Constraint) -> LayoutUnit {
        guard let style = ownStyle(of: box) else { return height }
        var height = height
        if let most = resolveHeight(style.box.maxHeight, of: box, edges, constraint) { height.lower(to: most) }
        if let least = resolveHeight(style.box.minHeight, of: box, edges, constraint) { height.raise(to: least) }
        return max(height, edges.frame.vertical)
    }

    /// The width of the content box that stands for that of the contents; nil without size containment.
    func containedWidth(_ box: Int) -> LayoutUnit? {
        guard let style = containedStyle(box), !style.containment.isDisjoint(with: [.size, .inlineSize])
        else { return nil }
        return LayoutUnit(style.box.container.intrinsicWidth ?? 0)
    }

    func containedHeight(_ box: Int) -> LayoutUnit? {
        guard let style = containedStyle(box), style.containment.contains(.size) else { return nil }
        if let height = style.box.container.intrinsicHeight { return LayoutUnit(height) }
        // The height of menus and list boxes does not depend on their contents.
        return switch control(of: box)?.kind {
        case .menu, .listBox: nil
        default: .zero
        }
    }

    /// The style of a box to which size containment applies.
    private func containedStyle(_ box: Int) -> ComputedStyle? {
        switch text.boxes[box].kind {
        case .block, .flex, .grid, .image, .lambda, .tableCaption: ownStyle(of: box)
        case .table, .tableCell, .tableRowGroup, .tableRow, .tableColumn, .tableColumnGroup, .ruby, .math: nil
        }
    }

    /// Hides the size and the baselines of a fragment's contents from the boxes around it.
    mutating func contain(_ index: Int) {
        let fragment = tree.boxes[index]
        guard let style = ownStyle(of: fragment.box) else { return }
        if let height = containedHeight(fragment.box) {
            tree.boxes[index].automaticHeight = height + fragment.frame.vertical
        }
        if style.containment.contains(.layout) { tree.boxes[index].baselines = (nil, nil) }
    }
}

extension LayoutTree {
    package func containerSizes(in text: BoxTree) -> [NodeID: ContainerSize] {
        var sizes: [NodeID: ContainerSize] = [:]
        for fragment in boxes where fragment.box >= 0 && !fragment.isAnonymous && fragment.kind != .marker {
            let style = text.styles[text.boxes[fragment.box].style]
            guard !style.box.$container, style.box.container.type != .normal else { continue }
            let rect = fragment.rect.inset(by: fragment.frame)
            sizes[fragment.element] = ContainerSize(width: Double(rect.width.float), height: Double(rect.height.float))
        }
        return sizes
    }
}
