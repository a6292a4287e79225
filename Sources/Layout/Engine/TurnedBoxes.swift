// Boxes whose contents have other axes than the flow around them (CSS Writing Modes 4 §7). Their own fragment has the
// axes of that flow, those of the contents have their own, until the tree is finished.

import FancyTextCSS

extension LayoutEngine {
    /// The writing mode of a box; that of the body is the document's (CSS Writing Modes 4 §8).
    func mode(of box: Int) -> WritingMode { box == 0 ? rootMode : style(of: box).text.writingMode }

    /// Returns whether the contents of a box have other axes than the flow around it.
    func isTurned(_ box: Int) -> Bool { hasVerticalText && mode(of: box) != axes }

    /// Makes the axes of a flow those of all styles.
    mutating func enter(_ mode: WritingMode) {
        guard mode != axes else { return }
        let current = text.styles
        turnedStyles[axes] = current
        var styles = turnedStyles[mode] ?? (turnedStyles[.horizontalTB] ?? current).turned(to: mode)
        // Styles that layout added meanwhile have neither sizes nor edges.
        for added in current.styles.dropFirst(styles.styles.count) { _ = styles.append(added) }
        (text.styles, axes) = (styles, mode)
    }

    /// Lays out a box whose contents have other axes; its own fragment has those of the flow around it.
    mutating func layOutTurned(_ box: Int, in constraint: Constraint, as slot: FragmentSlot) -> Int {
        let (outer, own) = (axes, mode(of: box))
        let crosses = crosses(box)
        let given = givenEdges[box]
        givenEdges[box] = given?.map { own.sides(outer.page($0)) }
        let space = crosses ? crossed(constraint, around: box) : constraint
        enter(own)
        let index = layOut(box, in: space, as: slot)
        enter(outer)
        givenEdges[box] = given
        tree.boxes[index].edges = tree.boxes[index].edges.map { outer.sides(own.page($0)) }
        if crosses { tree.boxes[index].crossBaselines = tree.boxes[index].baselines }
        tree.boxes[index].baselines = (nil, nil)
        if crosses {
            if text.boxes[box].kind == .tableCell {
                // In the direction of its own lines.
                let free = (tree.boxes[index].rect.height - tree.boxes[index].automaticHeight).nonNegative
                let place = text.styles[tree.boxes[index].style].box.verticalAlign.placeInCell ?? .start
                if place != .start { tree.boxes[index].contentShift = place.offset(in: free, grid: snap) }
            }
            tree.boxes[index].rect.turnSize()
            tree.boxes[index].automaticHeight = tree.boxes[index].rect.height
        }
        return index
    }

    /// Returns whether the lines of a box are across those of the current flow.
    func crosses(_ box: Int) -> Bool { hasVerticalText && mode(of: box).isVertical != axes.isVertical }

    /// A space in the axes of a flow across it: lines end where the page's would (CSS Writing Modes 4 §7.3).
    private func crossed(_ constraint: Constraint, around child: Int) -> Constraint {
        var room = axes.isVertical ? screen.width : screen.height
        var box = text.boxes[child].parent
        while box > 0, text.boxes[box].isAnonymous { box = text.boxes[box].parent }
        if box >= 0 {
            let edges = edges(of: box)
            let most = clampHeight(.unlimited, of: box, edges, Constraint(available: .unlimited))
            if !most.isUnlimited { room = most - edges.frame.vertical }
        }
        let base = constraint.percentageWidth.isUnlimited ? nil : constraint.percentageWidth
        var result = Constraint(
            available: constraint.availableHeight ?? constraint.percentageHeight ?? room,
            percentageWidth: constraint.percentageHeight ?? room, percentageHeight: base, shrinksToFit: true,
            width: constraint.height, height: constraint.width)
        result.edgeBase = base ?? .zero
        return result
    }

    /// The widths of a box with other axes. Across its own lines a box has only one.
    mutating func turnedWidths(_ box: Int) -> IntrinsicWidths {
        let (outer, own) = (axes, mode(of: box))
        if !crosses(box) {
            enter(own)
            defer { enter(outer) }
            return intrinsicWidths(box)
        }
        let space = Constraint(available: .unlimited, percentageHeight: heights.base, shrinksToFit: true)
        return IntrinsicWidths(measure(box, in: space, parent: -1).width)
    }
}
