// Relatively and stickily positioned boxes, which move with their contents after everything is placed (CSS Positioned Layout 3
// §3.3, §3.4). Nothing is scrolled, so sticky boxes move for scroll ports that show the start of their contents.

import FancyTextCSS

extension LayoutEngine {
    mutating func settlePlaces(from first: Int) {
        // The lines of the whole document are twice as much memory as needed otherwise: an array grows to its double.
        if first == 0 { tree.inlines.reserveCapacity(tree.inlines.count + markerLines.count) }
        for marker in markerLines {
            tree.appendGeneratedLine(
                marker.text, style: marker.style, inlines.inlineStyle(marker.style), container: marker.container,
                x: marker.x, baseline: marker.baseline)
        }
        markerLines.removeAll(keepingCapacity: true)
        guard hasRelativePositions else { return tree.finish(from: first) }
        let height = options.height.map { LayoutUnit($0) }
        let offsets = RelativeOffsets(styles: text.styles, canvasHeight: height, grid: snap)
        tree.finish(from: first, relativeOffset: offsets.offset)
    }
}

/// The distances by which relative and sticky positions move boxes. A tree in it would be copied when it is changed.
private struct RelativeOffsets {
    let styles: StyleTable
    let canvasHeight: LayoutUnit?
    let grid: LayoutGrid

    func offset(_ box: PlacedBox, _ tree: LayoutTree) -> LayoutPoint {
        switch styles[box.style].box.position {
        case .relative: relativeOffset(box, tree)
        case .sticky: stickyOffset(box, tree)
        case .static, .absolute, .fixed: LayoutPoint()
        }
    }

    private func length(_ value: LengthPercentage?, of base: LayoutUnit?) -> LayoutUnit? {
        value.flatMap { resolve($0, ofKnown: base, grid: grid) }
    }

    private func relativeOffset(_ box: PlacedBox, _ tree: LayoutTree) -> LayoutPoint {
        let block = tree.nearest(from: box.parent) { !$0.isAnonymous }
        let around = tree.boxes[block]
        let width = box.area?.width ?? (around.rect.width - around.frame.horizontal).nonNegative
        // Percentages of a height that depends on the contents count as `auto`.
        var height = box.area?.height
        if height != nil {
        } else if block == 0 {
            height = canvasHeight
        } else if around.kind.isPartOfTable || around.kind == .table,
            case .length(let set) = styles[around.style].box.height
        {
            // The height of a table, row or cell is a minimum; percentages are of the one that its style sets, as in browsers.
            height = set.isRelative ? nil : length(set, of: nil)
        } else if around.hasDefiniteHeight || around.placement == .positioned {
            height = (around.rect.height - around.frame.vertical).nonNegative
        }
        let inset = styles[box.style].box.positioned.inset
        let (left, right) = (length(inset.left, of: width), length(inset.right, of: width))
        let (top, bottom) = (length(inset.top, of: height), length(inset.bottom, of: height))
        let ends = styles[around.style].startsAtEnd
        var offset = LayoutPoint()
        if let right, ends.right || left == nil { offset.x = .zero - right } else { offset.x = left ?? .zero }
        if let bottom, ends.bottom || top == nil { offset.y = .zero - bottom } else { offset.y = top ?? .zero }
        return offset
    }

    private func stickyOffset(_ box: PlacedBox, _ tree: LayoutTree) -> LayoutPoint {
        let inset = styles[box.style].box.positioned.inset
        guard inset != Sides(nil) else { return LayoutPoint() }
        // Parts of tables stay in the table.
        let block = tree.nearest(from: box.parent) { !$0.isAnonymous && !$0.kind.isPartOfTable }
        let port = tree.nearest(from: box.parent, where: \.isScrollContainer)
        let (around, scroller) = (tree.boxes[block], tree.boxes[port])
        let isCanvas = port == 0
        // Browsers keep sticky boxes within the padding of the scrolled box too.
        let edges = scroller.border + (isCanvas ? Edges() : scroller.padding)
        let width = scroller.rect.width - edges.horizontal
        let height = isCanvas ? canvasHeight : scroller.rect.height - edges.vertical
        let ends = styles[around.style].startsAtEnd

        // The used margins of a box take up the rest of its line (CSS 2 §10.3.3); `auto` is zero here.
        let margins = styles[box.style].box.margin
        let left = length(margins.left, of: around.rect.width) ?? .zero
        let right = length(margins.right, of: around.rect.width) ?? .zero

        var x = StickyAxis(
            box: (box.rect.x, box.rect.width), margin: (left, right), block: (around.rect.x + around.frame.left, nil),
            port: (scroller.rect.x + edges.left, width),
            inset: (length(inset.left, of: width), length(inset.right, of: width)), endWins: ends.right)
        var y = StickyAxis(
            box: (box.rect.y, box.rect.height), margin: (box.margin.top, box.margin.bottom),
            block: (around.rect.y + around.frame.top, nil),
            port: (isCanvas ? .zero : scroller.rect.y + edges.top, height),
            inset: (length(inset.top, of: height), length(inset.bottom, of: height)), endWins: ends.bottom)
        // In the scrolled box itself a box may move as far as the contents reach.
        if block > 0, block != port {
            x.block.end = around.rect.x + around.rect.width - around.frame.right
            y.block.end = around.rect.y + around.rect.height - around.frame.bottom
        }
        return LayoutPoint(x: x.shift, y: y.shift)
    }
}

private struct StickyAxis {
    var box: (start: LayoutUnit, size: LayoutUnit)
    var margin: (start: LayoutUnit, end: LayoutUnit)
    /// The containing block; no end where nothing bounds it.
    var block: (start: LayoutUnit, end: LayoutUnit?)
    /// The scroll port; no size where it is as high as its contents.
    var port: (start: LayoutUnit, size: LayoutUnit?)
    var inset: (start: LayoutUnit?, end: LayoutUnit?)
    /// The inset at the start yields where the box does not fit between both.
    var endWins = false

    /// The distance that the box moves to be within the port's insets, without leaving its containing block.
    var shift: LayoutUnit {
        let end = box.start + box.size
        var least = inset.start.map { port.start + $0 }
        var most: LayoutUnit?
        if let size = port.size, let inset = inset.end { most = port.start + size - inset }
        if let from = least, let to = most, to - from < box.size {
            if endWins { least = to - box.size } else { most = from + box.size }
        }
        if let least, box.start < least {
            guard let limit = block.end else { return least - box.start }
            return min(least - box.start, (limit - margin.end - end).nonNegative)
        }
        if let most, end > most { return .zero - min(end - most, (box.start - margin.start - block.start).nonNegative) }
        return .zero
    }
}
