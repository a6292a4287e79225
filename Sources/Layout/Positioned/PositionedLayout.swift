// Absolutely positioned boxes (CSS Positioned Layout 3 §4, CSS 2.1 §10.3.7–10.3.8, §10.6.4–10.6.5), appended as
// children of their containing blocks in document order. So a block that is itself positioned gets its position before
// its contents, and there is no recursion from one positioned box into the next.

import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup

/// The placement of a positioned box in one axis; lengths are relative to the containing block's start.
private struct PositionedAxis {
    var size: LayoutUnit
    /// `left` or `top`, and `right` or `bottom`; nil for `auto`.
    var start, end: LayoutUnit?
    /// The static position, used if neither is set.
    var natural: StaticPosition.Axis
    /// The margins; nil for `auto`.
    var startMargin, endMargin: LayoutUnit?
    /// True if the containing block's contents begin at the end of this axis.
    var startsAtEnd: Bool
    /// The alignment between the insets if both are set.
    var alignment: ItemAlignment
    var isHorizontal: Bool

    /// True if an automatic size fills the space between the insets.
    var isFilled: Bool { start != nil && end != nil && alignment.stretches }

    var margins: LayoutUnit { (startMargin ?? .zero) + (endMargin ?? .zero) }

    var available: LayoutUnit {
        if start == nil, end == nil {
            switch natural.alignment {
            case .start: return size - natural.start
            case .center:
                let middle = natural.start + (natural.end - natural.start) / 2
                return min(middle, size - middle) * 2
            case .end: return natural.end
            }
        }
        return size - (start ?? .zero) - (end ?? .zero)
    }

    /// The offset of the margin box from its start inset (CSS Box Alignment 3 §4.4, §6.1.2). A box that overflows the space between
    /// the insets stays in the containing block if it fits there; otherwise it begins where that begins.
    private func aligned(_ free: LayoutUnit, start: LayoutUnit, end: LayoutUnit) -> LayoutUnit {
        let position = alignment.isSafe == true && free < .zero ? .start : alignment.position
        let offset = (startsAtEnd ? position.opposite : position).offset(in: free)
        if alignment.stretches || alignment.isSafe != nil || free >= .zero { return offset }
        let (least, most) = (min(.zero, .zero - start), free + max(.zero, end))
        return startsAtEnd ? min(max(offset, least), most) : max(min(offset, most), least)
    }

    /// The start of the border box, and its margins.
    func place(_ length: LayoutUnit) -> (position: LayoutUnit, startMargin: LayoutUnit, endMargin: LayoutUnit) {
        var (before, after) = (startMargin ?? .zero, endMargin ?? .zero)
        switch (start, end) {
        case let (start?, end?):
            let free = size - start - end - length - before - after
            switch (startMargin, endMargin) {
            case (nil, nil):
                if free < .zero, isHorizontal {
                    if startsAtEnd { before = free } else { after = free }
                } else {
                    before = free / 2
                    after = free - before
                }
            case (nil, _): before = free
            case (_, nil): after = free
            case (_, _): return (start + aligned(free, start: start, end: end) + before, before, after)
            }
            return (start + before, before, after)
        case let (start?, nil): return (start + before, before, after)
        case let (nil, end?): return (size - end - after - length, before, after)
        case (nil, nil):
            switch natural.alignment {
            case .start: return (natural.start + before, before, after)
            case .center:
                let room = natural.end - natural.start
                return (natural.start + (room - length - before - after) / 2 + before, before, after)
            case .end: return (natural.end - after - length, before, after)
            }
        }
    }
}

extension LayoutEngine {
    /// Lays out all absolutely positioned boxes; `canvas` is the initial containing block. O(boxes + layout).
    mutating func layoutPositionedBoxes(canvas: LayoutRect) {
        guard text.boxes.contains(where: \.isPositioned) else { return }
        var inlineAreas = InlineAreas()
        for box in text.boxes.indices where text.boxes[box].isPositioned {
            let block = text.boxes[box].containingBlock
            var parent = 0
            var area = canvas
            var long: LongBlock?
            if block > 0 {
                parent = Int(tree.fragmentOfBox[block])
                // The box was omitted together with its container.
                guard tree.boxes.indices.contains(parent), tree.boxes[parent].box == block else { continue }
                var fragment = tree.boxes[parent]
                long = longBlocks[block]
                if let long { fragment.rect = long.rect(of: fragment, in: tree) }
                area = fragment.paddingBox
                if fragment.legend >= 0, case let legend = tree.boxes[fragment.legend] {
                    let first = (tree.parts(of: tree.boxes[parent]).first ?? fragment).paddingBox
                    let below = (legend.rect.maxY + legend.margin.bottom - first.y).nonNegative
                    (area.y, area.height) = (area.y + below, area.height - below)
                }
                if let own = positionedAreas[box] {
                    area = fragment.axes.page(own, in: fragment.rect).moved(by: fragment.rect.origin)
                }
            }
            if let element = text.boxes[box].containingInline {
                guard let rect = inlineAreas.area(of: element, in: tree, text, longBlocks) else { continue }
                area = rect
            }
            layoutPositioned(box, in: area, parent: parent, long)
        }
    }

    private mutating func layoutPositioned(_ box: Int, in area: LayoutRect, parent: Int, _ long: LongBlock?) {
        let style = style(of: box)
        let inset = style.box.positioned.inset
        let natural = staticPosition(of: box, in: area)
        // The container of the box was omitted: only boxes placed on the canvas remain (CSS Overflow 4 §5.1).
        if natural == nil {
            let isPlaced = (inset.left ?? inset.right) != nil && (inset.top ?? inset.bottom) != nil
            guard isPlaced, lineLimit == nil || text.boxes[box].containingBlock == 0 else { return }
        }
        let edges = boxEdges(box, percentageBase: area.width)
        let around = text.styles[parent > 0 ? tree.boxes[parent].style : .root]
        let ends = around.startsAtEnd
        // Here `auto` behaves as `normal`, whatever the parent sets for its items (CSS Box Alignment 3 §6.1, §6.2).
        let normal = ItemAlignment(stretches: true)
        let along = style.box.justifySelf == nil ? normal : ItemAlignment(.horizontal, of: style, in: around)
        let across = style.box.alignSelf == nil ? normal : ItemAlignment(.vertical, of: style, in: around)
        let isVertical = around.text.writingMode.isVertical
        func axis(
            _ axis: LayoutAxis, _ size: LayoutUnit, _ natural: StaticPosition.Axis?, startsAtEnd: Bool,
            _ alignment: ItemAlignment
        ) -> PositionedAxis {
            let (inset, margin, used) = (inset.ends(axis), style.box.margin.ends(axis), edges.margin.ends(axis))
            return PositionedAxis(
                size: size, start: inset.start.map { resolve($0, size, grid: snap) },
                end: inset.end.map { resolve($0, size, grid: snap) }, natural: natural ?? StaticPosition.Axis(),
                startMargin: margin.start.map { _ in used.start }, endMargin: margin.end.map { _ in used.end },
                startsAtEnd: startsAtEnd, alignment: alignment, isHorizontal: axis == .horizontal)
        }
        let horizontal = axis(
            .horizontal, area.width, natural?.horizontal, startsAtEnd: ends.right, isVertical ? across : along)
        let vertical = axis(
            .vertical, area.height, natural?.vertical, startsAtEnd: ends.bottom, isVertical ? along : across)

        var constraint = Constraint(
            available: horizontal.available, percentageWidth: area.width, percentageHeight: area.height,
            shrinksToFit: text.boxes[box].kind != .image)
        constraint.availableHeight = vertical.available
        // Replaced boxes and tables have a size of their own (CSS 2.1 §10.3.8).
        if !text.boxes[box].isReplaced, text.boxes[box].kind != .table {
            let hasRatio = style.box.usedRatio != nil
            if style.box.width == .auto, horizontal.isFilled, !hasRatio || style.box.height == .auto {
                constraint.width = clampWidth(
                    (horizontal.available - horizontal.margins).nonNegative, of: box, edges, constraint)
            }
            let takesWidthFromHeight = hasRatio && style.box.width == .auto && !horizontal.isFilled
            if style.box.height == .auto, vertical.isFilled, !hasRatio || takesWidthFromHeight {
                constraint.height = clampHeight(
                    (vertical.available - vertical.margins).nonNegative, of: box, edges, constraint)
            }
        }
        let first = tree.boxes.count
        let index = layOutApart(
            box, in: constraint, as: FragmentSlot(placement: .positioned, parent: parent, origin: -1))
        let x = horizontal.place(tree.boxes[index].rect.width)
        let y = vertical.place(tree.boxes[index].rect.height)
        tree.boxes[index].rect.origin = LayoutPoint(x: area.x + x.position, y: area.y + y.position)
        tree.boxes[index].margin = Edges(
            top: y.startMargin, right: x.endMargin, bottom: y.endMargin, left: x.startMargin)
        if let long {
            breakIntoColumns(index, of: box, in: long, parent: parent)
        } else if options.pages != nil, style.box.position != .fixed {
            breakIntoPages(index, of: box)
        }
        settlePlaces(from: first)
    }

    /// The lowest edge of a positioned box that is not clipped; 0 for none.
    func lowestPositionedEdge() -> LayoutUnit {
        var lowest = LayoutUnit.zero
        for fragment in tree.boxes where fragment.placement == .positioned && fragment.rect.maxY > lowest {
            guard text.styles[fragment.style].box.position == .absolute,
                tree.nearest(from: fragment.parent, where: \.clips) == 0
            else { continue }
            lowest = fragment.rect.maxY + fragment.margin.bottom
        }
        return lowest
    }

    /// The box's static position, relative to the start of its containing block; nil if the flow there was omitted.
    private func staticPosition(of box: Int, in area: LayoutRect) -> StaticPosition? {
        guard var position = staticPositions[box], tree.boxes.indices.contains(position.container) else { return nil }
        let base = tree.contentOrigin(of: position.container)
        position.turn(tree.boxes[position.container].axes, in: tree.boxes[tree.base(of: position.container)].rect)
        let shift = text.boxes[box].containingInline.flatMap { tree.inlineShifts[$0] } ?? LayoutPoint()
        position.horizontal.move(by: base.x + shift.x - area.x)
        position.vertical.move(by: base.y + shift.y - area.y)
        return position
    }
}

/// The areas of inline boxes that are containing blocks: from the start of the first part to the end of the last (CSS 2.1 §10.1).
private struct InlineAreas {
    private var areas: [NodeID: LayoutRect]?

    /// The first call reads all lines. An area in one of `longBlocks`, which are in columns, is in the long column.
    mutating func area(
        of element: NodeID, in tree: LayoutTree, _ text: BoxTree, _ longBlocks: [Int: LongBlock]
    ) -> LayoutRect? {
        if let areas { return areas[element] }
        let blocks = Dictionary(
            text.boxes.compactMap { box in box.containingInline.map { ($0, box.containingBlock) } },
            uniquingKeysWith: { first, _ in first })
        // In the axes of the block around the lines, relative to that.
        var found: [NodeID: LayoutRect] = [:]
        var result: [NodeID: LayoutRect] = [:]
        for fragment in tree.inlines where fragment.kind == .box {
            guard let block = blocks[fragment.element], Int(fragment.style.rawValue) < text.styles.styles.count,
                case let index = Int(tree.fragmentOfBox[block]), tree.boxes.indices.contains(index)
            else { continue }
            let (long, axes) = (longBlocks[block], tree.boxes[index].axes)
            let frame = long?.rect(of: tree.boxes[index], in: tree) ?? tree.boxes[index].rect
            let style = text.styles[fragment.style]
            let isRightToLeft = style.text.direction == .rtl
            let border = axes.sides(resolvedBorders(style.box.border, deviceScale: 1))
            var rect = axes.flow(fragment.rect.moved(by: LayoutPoint() - frame.origin), in: frame)
            if let long { rect = long.unbroken(rect) }
            let (hasLeft, hasRight) =
                isRightToLeft
                ? (fragment.hasEndEdge, fragment.hasStartEdge) : (fragment.hasStartEdge, fragment.hasEndEdge)
            var area = rect.inset(
                by: Edges(
                    top: border.top, right: hasRight ? border.right : .zero, bottom: border.bottom,
                    left: hasLeft ? border.left : .zero))
            if let first = found[fragment.element] {
                let (left, right) = isRightToLeft ? (area.x, first.maxX) : (first.x, area.maxX)
                let bottom = max(first.maxY, area.maxY)
                area = LayoutRect(x: left, y: first.y, width: (right - left).nonNegative, height: bottom - first.y)
            }
            found[fragment.element] = area
            result[fragment.element] = axes.page(area, in: frame).moved(by: frame.origin)
        }
        areas = result
        return result[element]
    }
}
