// `<basic-shape>` (CSS Shapes 1 §3, CSS Shapes 2 §2).

import Basics

extension ValueCursor {
    mutating func basicShape() -> BasicShape? {
        guard let name = functionName else { return nil }
        return arguments { $0.basicShape(name) }
    }

    private mutating func basicShape(_ name: String) -> BasicShape? {
        switch name {
        case "inset":
            var sides: [LengthPercentage] = []
            while sides.count < 4, let side = lengthPercentage() { sides.append(side) }
            guard let first = sides.first, let radii = roundedCorners() else { return nil }
            let right = sides.count > 1 ? sides[1] : first
            let bottom = sides.count > 2 ? sides[2] : first
            return .inset(
                Sides(top: first, right: right, bottom: bottom, left: sides.count > 3 ? sides[3] : right), radii: radii)
        case "xywh":
            guard let x = lengthPercentage(), let y = lengthPercentage(), let width = lengthPercentage(atLeast: 0),
                let height = lengthPercentage(atLeast: 0), let radii = roundedCorners()
            else { return nil }
            return .inset(
                Sides(top: y, right: (x + width).fromEnd, bottom: (y + height).fromEnd, left: x), radii: radii)
        case "rect":
            func side() -> LengthPercentage?? { keyword("auto") ? .some(nil) : lengthPercentage().map { .some($0) } }
            guard let top = side(), let right = side(), let bottom = side(), let left = side(),
                let radii = roundedCorners()
            else { return nil }
            return .inset(
                Sides(
                    top: top ?? .zero, right: right?.fromEnd ?? .zero, bottom: bottom?.fromEnd ?? .zero,
                    left: left ?? .zero), radii: radii)
        case "circle":
            let radius = shapeRadius() ?? .closestSide
            return center().map { .circle(radius, center: $0) }
        case "ellipse":
            guard let x = shapeRadius() else {
                return center().map { .ellipse(.closestSide, .closestSide, center: $0) }
            }
            guard let y = shapeRadius() else { return nil }
            return center().map { .ellipse(x, y, center: $0) }
        case "polygon":
            let isEvenOdd = fillRule()
            if isEvenOdd != nil, !comma() { return nil }
            let points = commaList { cursor -> Gradient.Position? in
                guard let x = cursor.lengthPercentage(), let y = cursor.lengthPercentage() else { return nil }
                return Gradient.Position(x: x, y: y)
            }
            return points.map { .polygon($0, isEvenOdd: isEvenOdd ?? false) }
        case "path":
            let isEvenOdd = fillRule()
            if isEvenOdd != nil, !comma() { return nil }
            guard let data = string(), let path = PathData.path(data) else { return nil }
            return .path(path, isEvenOdd: isEvenOdd ?? false)
        default: return nil
        }
    }

    private mutating func fillRule() -> Bool? {
        keyword([("nonzero", false), ("evenodd", true)] as [(StaticString, Bool)])
    }

    /// `[ round <border-radius> ]?`; empty without.
    private mutating func roundedCorners() -> [CornerRadius]? { keyword("round") ? cornerRadii() : [] }

    private mutating func shapeRadius() -> BasicShape.ShapeRadius? {
        let keywords: [(StaticString, BasicShape.ShapeRadius)] = [
            ("closest-side", .closestSide), ("farthest-side", .farthestSide), ("closest-corner", .closestCorner),
            ("farthest-corner", .farthestCorner),
        ]
        return keyword(keywords) ?? lengthPercentage(atLeast: 0).map { .length($0) }
    }

    /// `[ at <position> ]?`
    private mutating func center() -> Gradient.Position? { keyword("at") ? position() : .center }
}

extension LengthPercentage {
    /// The sum; bounds of `min()` and `max()` are lost.
    fileprivate static func + (a: LengthPercentage, b: LengthPercentage) -> LengthPercentage {
        LengthPercentage(px: a.px + b.px, fraction: a.fraction + b.fraction)
    }
}
