// Floats of one block formatting context, and the space they leave for lines and boxes.
//
// In: floats in document order, each placed once (CSS 2.1 §9.5.1). Out: for a height, the left and right edges that are
// free; for a width, the first height where it fits; the height below which a side is clear. Positions count from the
// border box of the context's root. Floats that end above the flow are dropped now and then, so that the cost of a query
// is the number of floats beside it.

import MarkupStyling

struct FloatSpace {
    struct Placed {
        var rect: LayoutRect
        var side: FloatSide
    }
    private(set) var placed: [Placed] = []
    /// How many floats there may be before those that ended are dropped.
    private var pruneLimit = 64
    /// Top of the lowest float so far: no later float may be higher (rule 5).
    private var lowestTop = LayoutUnit(raw: .min / 2)
    private(set) var leftBottom = LayoutUnit(raw: .min / 2)
    private(set) var rightBottom = LayoutUnit(raw: .min / 2)

    /// Bottom of the floats on the side that `clear` names; far above if there is none.
    func clearance(_ clear: ClearSide) -> LayoutUnit {
        switch clear {
        case .none: LayoutUnit(raw: .min / 2)
        case .left: leftBottom
        case .right: rightBottom
        case .both: max(leftBottom, rightBottom)
        }
    }

    var bottom: LayoutUnit { max(leftBottom, rightBottom) }

    /// The free band [left, right) for a box from `top` of height `height` in a container between `left` and `right`.
    func band(top: LayoutUnit, height: LayoutUnit, left: LayoutUnit, right: LayoutUnit) -> (
        left: LayoutUnit, right: LayoutUnit
    ) {
        var result = (left: left, right: right)
        if top >= bottom { return result }
        let end = max(top + height, top + .epsilon)
        for index in placed.indices {
            let float = placed[index].rect
            guard float.y < end, float.maxY > top else { continue }
            switch placed[index].side {
            case .left: result.left = max(result.left, float.maxX)
            case .right: result.right = min(result.right, float.x)
            case .none: break
            }
        }
        return result
    }

    /// The next height below `top` at which a float ends; nil if none does.
    func nextEdge(below top: LayoutUnit) -> LayoutUnit? {
        var result: LayoutUnit?
        for index in placed.indices {
            let edge = placed[index].rect.maxY
            if edge > top { result = min(result ?? edge, edge) }
        }
        return result
    }

    /// The first height from `top` where a box of `width` × `height` fits between the floats.
    func opportunity(top: LayoutUnit, width: LayoutUnit, height: LayoutUnit, left: LayoutUnit, right: LayoutUnit) -> (
        y: LayoutUnit, left: LayoutUnit, right: LayoutUnit
    ) {
        var y = top
        while true {
            let free = band(top: y, height: height, left: left, right: right)
            if free.right - free.left >= width || (free.left == left && free.right == right) {
                return (y, free.left, free.right)
            }
            guard let next = nextEdge(below: y) else { return (y, free.left, free.right) }
            y = next
        }
    }

    /// Places a float's margin box no higher than `top`; returns its top left corner.
    mutating func place(
        _ side: FloatSide, width: LayoutUnit, height: LayoutUnit, top: LayoutUnit, left: LayoutUnit, right: LayoutUnit
    ) -> (
        x: LayoutUnit, y: LayoutUnit
    ) {
        let found = opportunity(top: max(top, lowestTop), width: width, height: height, left: left, right: right)
        let x = side == .right ? max(found.right - width, found.left) : found.left
        lowestTop = found.y
        placed.append(Placed(rect: LayoutRect(x: x, y: found.y, width: width, height: height), side: side))
        if side == .right {
            rightBottom = max(rightBottom, found.y + height)
        } else {
            leftBottom = max(leftBottom, found.y + height)
        }
        return (x, found.y)
    }

    /// The flow has reached `y`: floats that end above it are dropped once there are many.
    mutating func retire(above y: LayoutUnit) {
        guard placed.count > pruneLimit else { return }
        placed.removeAll { $0.rect.maxY <= y }
        pruneLimit = max(64, placed.count * 2)
    }
}
