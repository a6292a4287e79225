// Boxes on a terminal: text beyond its edge is lost. So widths are limits, margins and paddings use at most half of
// the width, and even lines that may not wrap do so in the end.

import FancyTextBasics

extension LayoutEngine {
    /// Edges that leave half of `width`, unless the contents need less; margins and paddings shrink, borders go.
    func yielding(_ edges: BoxEdges, of box: Int, to width: LayoutUnit) -> BoxEdges {
        guard snap.isOfCells, width > .zero, !width.isUnlimited else { return edges }
        // Room that was made for the contents is known to be enough.
        if let known = intrinsicMemo[box]?.widths, known.maximum + edges.margin.horizontal <= width { return edges }
        let limit = snap.floor(width / 2)
        var result = edges
        if result.border.horizontal > .zero, result.border.horizontal + .cell * 2 > width {
            (result.border.left, result.border.right) = (.zero, .zero)
        }
        let soft = result.margin.horizontal + result.padding.horizontal
        let room = (limit - result.border.horizontal).nonNegative
        guard soft > room else { return result }
        func shrink(_ length: inout LayoutUnit) { length = snap.floor(length.scaled(by: room, over: soft)) }
        shrink(&result.margin.left)
        shrink(&result.margin.right)
        shrink(&result.padding.left)
        shrink(&result.padding.right)
        return result
    }

    /// A border-box width within the available width.
    func narrowed(_ width: LayoutUnit, _ edges: BoxEdges, _ constraint: Constraint) -> LayoutUnit {
        guard snap.isOfCells, constraint.width == nil, !constraint.available.isUnlimited else { return width }
        return min(width, max(constraint.available - edges.margin.horizontal, .cell))
    }

    /// Returns whether a line of `box` that does not fit wraps although its style forbids it. Preformatted text (`pre`) extends
    /// beyond the edge of the screen, unless something is beside it. With `text-overflow` the line is truncated instead.
    func yieldsToWidth(_ box: Int) -> Bool {
        guard snap.isOfCells else { return false }
        var owner = box
        while text.boxes[owner].isAnonymous, text.boxes[owner].parent >= 0 { owner = text.boxes[owner].parent }
        let block = style(of: owner)
        if block.box.textOverflow != .clip, block.box.overflowX != .visible { return false }
        if block.text.whiteSpaceCollapse == .collapse || block.text.wraps { return true }
        return text.chain(from: owner).contains { around in
            text.boxes[around].kind == .tableCell || style(of: around).box.float != .none
                || around != owner && text.boxes[around].holdsItems
        }
    }

    /// Reserves space on the screen for an outside marker: a list without an indent gets the width of its markers.
    func makeRoomForMarker(of box: Int, x: LayoutUnit, width: LayoutUnit, _ edges: inout BoxEdges) {
        guard snap.isOfCells else { return }
        let marker = text.markers[text.boxes[box].marker].text.utf8
        let cells = DisplayWidth.cells(DisplayWidth.sanitized(marker))
        guard cells > 0 else { return }
        let hasSpace = marker.last == 0x20 || marker.first == 0x20
        let needed = min(LayoutUnit(hasSpace ? cells : cells + 1), snap.floor(width / 2))
        if style(of: box).text.direction == .rtl {
            let right = (edges.margin.right + edges.frame.right).nonNegative
            let room = right + (tree.boxes[0].rect.width - x - width).nonNegative
            edges.padding.right += (needed - room).nonNegative
        } else {
            edges.padding.left += (needed - x - edges.margin.left - edges.frame.left).nonNegative
        }
    }
}
