// Floats of one block formatting context, each placed once (CSS 2.1 §9.5.1), and the space they leave for lines and boxes.
// Positions are relative to the border box of the context's root.
//
// Each side is stored as its outline. No float begins above an earlier one (rule 5), so below the top of the latest float the
// outline only recedes: it is a stack of steps that a float's bottom truncates at one end. Above that top the outline no longer
// changes. A float costs a search among the steps; a query costs one more, and the stretches beside it.

import FancyTextBasics
import FancyTextCSS

/// The extent of the floats of one side into the space. Distances are positive into it: x on the left, −x on the right.
private struct FloatOutline {
    /// Above the top of the latest float, ascending, without free stretches.
    var settled: [(top: LayoutUnit, bottom: LayoutUnit, reach: LayoutUnit)] = []
    /// From that top down; the one with the highest bottom, which extends farthest, is the last.
    var steps: [(bottom: LayoutUnit, reach: LayoutUnit)] = []
    /// The lowest bottom of all floats.
    var bottom = LayoutUnit(raw: .min / 2)

    /// Moves the latest float's top down.
    mutating func settle(from top: LayoutUnit, to end: LayoutUnit) {
        var top = top
        while top < end, let step = steps.last {
            let bottom = min(step.bottom, end)
            if let last = settled.last, last.bottom == top, last.reach == step.reach {
                settled[settled.count - 1].bottom = bottom
            } else {
                settled.append((top, bottom, step.reach))
            }
            if step.bottom <= end { steps.removeLast() }
            top = bottom
        }
    }

    /// Adds a float with the latest top; one without a size only affects clearance.
    mutating func add(bottom end: LayoutUnit, reach: LayoutUnit, top: LayoutUnit, width: LayoutUnit) {
        bottom.raise(to: end)
        guard end > top, width > .zero else { return }
        let lower = steps.partitioningIndex({ $0.bottom <= end })
        if lower > 0, steps[lower - 1].reach >= reach { return }
        let upper = max(lower, steps.partitioningIndex({ $0.reach > reach }))
        steps.replaceSubrange(lower..<upper, with: CollectionOfOne((bottom: end, reach: reach)))
    }

    /// The extent of the floats between two heights; nil if there are no floats.
    func reach(from top: LayoutUnit, to end: LayoutUnit, latestTop: LayoutUnit) -> LayoutUnit? {
        var result: LayoutUnit?
        if top < latestTop {
            var index = settled.partitioningIndex({ $0.bottom > top })
            while index < settled.count, settled[index].top < end {
                result = max(result ?? settled[index].reach, settled[index].reach)
                index += 1
            }
        }
        if end > latestTop, let step = step(below: max(top, latestTop)) {
            result = max(result ?? step.reach, step.reach)
        }
        return result
    }

    /// The next height below `top` where the outline may recede; nil if it does not.
    func nextEdge(below top: LayoutUnit, latestTop: LayoutUnit) -> LayoutUnit? {
        if top < latestTop {
            let index = settled.partitioningIndex({ $0.bottom > top })
            if index < settled.count { return settled[index].bottom }
        }
        return step(below: max(top, latestTop))?.bottom
    }

    private func step(below y: LayoutUnit) -> (bottom: LayoutUnit, reach: LayoutUnit)? {
        let end = steps.partitioningIndex({ $0.bottom <= y })
        return end > 0 ? steps[end - 1] : nil
    }
}

/// The free space [left, right) between floats.
typealias FloatBand = (left: LayoutUnit, right: LayoutUnit)

private struct FloatOutlines {
    var lefts = FloatOutline(), rights = FloatOutline()

    var bottom: LayoutUnit { max(lefts.bottom, rights.bottom) }

    mutating func settle(from top: LayoutUnit, to end: LayoutUnit) {
        lefts.settle(from: top, to: end)
        rights.settle(from: top, to: end)
    }

    mutating func add(_ side: FloatSide, x: LayoutUnit, top: LayoutUnit, width: LayoutUnit, height: LayoutUnit) {
        if side == .right {
            rights.add(bottom: top + height, reach: -x, top: top, width: width)
        } else {
            lefts.add(bottom: top + height, reach: x + width, top: top, width: width)
        }
    }

    func narrow(_ band: inout FloatBand, from top: LayoutUnit, to end: LayoutUnit, latestTop: LayoutUnit) {
        if let reach = lefts.reach(from: top, to: end, latestTop: latestTop) { band.left.raise(to: reach) }
        if let reach = rights.reach(from: top, to: end, latestTop: latestTop) { band.right.lower(to: -reach) }
    }
}

struct FloatSpace {
    private var outlines = FloatOutlines()
    /// The outlines for lines, without the floats that have shapes, and those shapes; nil without any.
    private var forLines: (outlines: FloatOutlines, shapes: [FloatShape])?
    /// The top of the lowest placed float: no later float may be higher (rule 5).
    private var latestTop = LayoutUnit(raw: .min / 2)
    /// The number of stretches from which ended ones are dropped.
    private var pruneLimit = 64

    /// The bottom of the floats on the sides of `clear`; far above if there is no float.
    func clearance(_ clear: ClearSide) -> LayoutUnit {
        switch clear {
        case .none: LayoutUnit(raw: .min / 2)
        case .left: outlines.lefts.bottom
        case .right: outlines.rights.bottom
        case .both: bottom
        }
    }

    var bottom: LayoutUnit { outlines.bottom }

    /// The free band for a line from `top` of height `height` in a container between `left` and `right`.
    func lineBand(top: LayoutUnit, height: LayoutUnit, left: LayoutUnit, right: LayoutUnit) -> FloatBand {
        guard let forLines, top < bottom else { return band(top: top, height: height, left: left, right: right) }
        var result = (left: left, right: right)
        let end = max(top + height, top + .epsilon)
        forLines.outlines.narrow(&result, from: top, to: end, latestTop: latestTop)
        for shape in forLines.shapes {
            guard let reach = shape.reach(from: top, to: end) else { continue }
            if shape.side == .right { result.right.lower(to: -reach) } else { result.left.raise(to: reach) }
        }
        return result
    }

    /// The free band for a box from `top` of height `height` in a container between `left` and `right`.
    func band(top: LayoutUnit, height: LayoutUnit, left: LayoutUnit, right: LayoutUnit) -> FloatBand {
        var result = (left: left, right: right)
        if top < bottom {
            outlines.narrow(&result, from: top, to: max(top + height, top + .epsilon), latestTop: latestTop)
        }
        return result
    }

    /// The next height below `top` at which more may be free for a line; nil if all is. Beside a shape it is a pixel lower, or a 64th
    /// of a tall one.
    func nextLineEdge(below top: LayoutUnit) -> LayoutUnit? {
        let edge = nextEdge(below: top)
        let steps = forLines?.shapes.lazy.filter { $0.bounds.y <= top.float && $0.bounds.maxY > top.float }.map {
            top + max(LayoutUnit(1), LayoutUnit($0.bounds.height / 64))
        }
        guard let step = steps?.min() else { return edge }
        return edge.map { min($0, step) } ?? step
    }

    /// The next height below `top` at which more may be free; nil if everything is free.
    func nextEdge(below top: LayoutUnit) -> LayoutUnit? {
        let left = outlines.lefts.nextEdge(below: top, latestTop: latestTop)
        let right = outlines.rights.nextEdge(below: top, latestTop: latestTop)
        guard let left, let right else { return left ?? right }
        return min(left, right)
    }

    /// The first height from `top` at which a box of `width` × `height` fits between the floats.
    func opportunity(top: LayoutUnit, width: LayoutUnit, height: LayoutUnit, left: LayoutUnit, right: LayoutUnit) -> (
        y: LayoutUnit, left: LayoutUnit, right: LayoutUnit
    ) {
        var y = top
        while true {
            let free = band(top: y, height: height, left: left, right: right)
            guard free.right - free.left < width, free.left != left || free.right != right,
                let next = nextEdge(below: y)
            else { return (y, free.left, free.right) }
            y = next
        }
    }

    /// Places a float's margin box, in which `makeShape` makes its shape, at or below `top`; returns its corner.
    mutating func place(
        _ side: FloatSide, width: LayoutUnit, height: LayoutUnit, top: LayoutUnit, left: LayoutUnit, right: LayoutUnit,
        makeShape: ((_ margins: Rect) -> FloatShape?)? = nil
    ) -> (x: LayoutUnit, y: LayoutUnit) {
        let found = opportunity(top: max(top, latestTop), width: width, height: height, left: left, right: right)
        // A float that is too wide for the container overflows on the other side. Margins may place it beyond its own side.
        let x = side == .right ? found.right - width : found.left
        let width = width.nonNegative
        outlines.settle(from: latestTop, to: found.y)
        forLines?.outlines.settle(from: latestTop, to: found.y)
        latestTop = found.y
        let place = Rect(x: x.float, y: found.y.float, width: width.float, height: height.float)
        if let shape = makeShape?(place), (forLines?.shapes.count ?? 0) < Self.mostShapes {
            if forLines == nil { forLines = (outlines, []) }
            forLines?.shapes.append(shape)
        } else {
            forLines?.outlines.add(side, x: x, top: found.y, width: width, height: height)
        }
        outlines.add(side, x: x, top: found.y, width: width, height: height)
        return (x, found.y)
    }

    /// More shapes than this in one context have no effect.
    private static let mostShapes = 64

    func band(top: LayoutUnit, height: LayoutUnit = .epsilon, in container: BlockContainer) -> FloatBand {
        lineBand(top: top, height: height, left: container.x, right: container.x + container.width)
    }

    /// Called when the flow has reached `y`: drops stretches that end above it, once there are many.
    mutating func retire(above y: LayoutUnit) {
        forLines?.shapes.removeAll { $0.bounds.maxY <= y.float }
        func count() -> Int { outlines.lefts.settled.count + outlines.rights.settled.count }
        guard count() > pruneLimit else { return }
        outlines.lefts.settled.removeAll { $0.bottom <= y }
        outlines.rights.settled.removeAll { $0.bottom <= y }
        pruneLimit = max(64, count() * 2)
    }
}
