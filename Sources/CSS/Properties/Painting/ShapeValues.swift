// `<basic-shape>` (CSS Shapes 1 §3, CSS Shapes 2 §2).

import FancyTextBasics

extension ValueCursor {
    mutating func basicShape() -> BasicShape? { anyFunction { $0.basicShape($1) } }

    private mutating func basicShape(_ name: String) -> BasicShape? {
        switch name {
        case "inset":
            guard let sides = fourSides({ $0.lengthPercentage() }), let radii = roundedCorners() else { return nil }
            return .inset(sides, radii: radii)
        case "xywh":
            guard let x = lengthPercentage(), let y = lengthPercentage(), let width = lengthPercentage(atLeast: 0),
                let height = lengthPercentage(atLeast: 0), let radii = roundedCorners()
            else { return nil }
            // The bounds of `min()` and `max()` are lost.
            func rest(after start: LengthPercentage, _ size: LengthPercentage) -> LengthPercentage {
                LengthPercentage(px: start.px + size.px, fraction: start.fraction + size.fraction).fromEnd
            }
            return .inset(
                Sides(top: y, right: rest(after: x, width), bottom: rest(after: y, height), left: x), radii: radii)
        case "rect":
            guard let top = margin(), let right = margin(), let bottom = margin(), let left = margin(),
                let radii = roundedCorners()
            else { return nil }
            let (end, below) = (right?.fromEnd ?? .zero, bottom?.fromEnd ?? .zero)
            return .inset(Sides(top: top ?? .zero, right: end, bottom: below, left: left ?? .zero), radii: radii)
        case "circle":
            let radius = shapeRadius() ?? .closestSide
            return center().map { .circle(radius, center: $0) }
        case "ellipse":
            let x = shapeRadius()
            guard let y = x == nil ? .closestSide : shapeRadius() else { return nil }
            return center().map { .ellipse(x ?? .closestSide, y, center: $0) }
        case "polygon":
            guard let isEvenOdd = fillRule() else { return nil }
            return commaList { $0.point() }.map { .polygon($0, isEvenOdd: isEvenOdd) }
        case "path":
            guard let isEvenOdd = fillRule(), let data = string(), let path = PathData.path(data) else { return nil }
            let zoom = Float(context.zoom)
            return .path(path.transformed(Transform(scaleX: zoom, scaleY: zoom)), isEvenOdd: isEvenOdd)
        case "shape":
            let isEvenOdd = choice("nonzero", "evenodd") ?? false
            guard keyword("from"), let start = position(), comma() else { return nil }
            return commaList { $0.shapeCommand() }.map { .commands(from: start, $0, isEvenOdd: isEvenOdd) }
        default: return nil
        }
    }

    // MARK: shape()

    private mutating func point() -> Gradient.Position? {
        guard let x = lengthPercentage(), let y = lengthPercentage() else { return nil }
        return Gradient.Position(x: x, y: y)
    }

    /// `<position>` after `to`, `<coordinate-pair>` after `by` (CSS Shapes 2 §2.1).
    private mutating func end(isRelative: Bool) -> Gradient.Position? { isRelative ? point() : position() }

    /// The end of a horizontal or vertical line.
    private mutating func end(isRelative: Bool, _ first: StaticString, _ last: StaticString) -> LengthPercentage? {
        let sides: [(StaticString, Float)] = [(first, 0), ("center", 0.5), (last, 1)]
        return (isRelative ? nil : keyword(sides).map { LengthPercentage(fraction: $0) }) ?? lengthPercentage()
    }

    /// `<position> | <coordinate-pair> [ from [ start | end | origin ] ]?`
    private mutating func control(isRelative: Bool) -> ShapeCommand.Control? {
        guard let point = end(isRelative: isRelative) else { return nil }
        let origin: ShapeCommand.Origin? = keyword("from") ? keyword() : isRelative ? .start : .box
        return origin.map { ShapeCommand.Control(point: point, origin: $0) }
    }

    private mutating func shapeCommand() -> ShapeCommand? {
        if keyword("close") { return .close }
        enum Name: String { case move, line, hline, vline, curve, smooth, arc }
        guard let name: Name = keyword(), let isRelative = choice("to", "by") else { return nil }
        switch name {
        case .hline:
            return end(isRelative: isRelative, "left", "right").map { .horizontal($0, isRelative: isRelative) }
        case .vline:
            return end(isRelative: isRelative, "top", "bottom").map { .vertical($0, isRelative: isRelative) }
        case .move: return end(isRelative: isRelative).map { .move($0, isRelative: isRelative) }
        case .line: return end(isRelative: isRelative).map { .line($0, isRelative: isRelative) }
        case .curve:
            guard let end = end(isRelative: isRelative), keyword("with"), let first = control(isRelative: isRelative)
            else { return nil }
            guard slash() else { return .curve(end, isRelative: isRelative, first, nil) }
            return control(isRelative: isRelative).map { .curve(end, isRelative: isRelative, first, $0) }
        case .smooth:
            guard let end = end(isRelative: isRelative) else { return nil }
            guard keyword("with") else { return .smooth(end, isRelative: isRelative, nil) }
            return control(isRelative: isRelative).map { .smooth(end, isRelative: isRelative, $0) }
        case .arc: return arc(isRelative: isRelative)
        }
    }

    /// `<coordinate-pair> of <length-percentage>{1,2} && [ cw | ccw ]? && [ large | small ]? && [ rotate <angle> ]?`
    private mutating func arc(isRelative: Bool) -> ShapeCommand? {
        guard let end = end(isRelative: isRelative) else { return nil }
        var (radii, isClockwise, isLarge, rotation): (Gradient.Position?, Bool?, Bool?, Double?)
        func radiiHere(_ cursor: inout ValueCursor) -> Gradient.Position? {
            guard cursor.keyword("of"), let x = cursor.lengthPercentage() else { return nil }
            return Gradient.Position(x: x, y: cursor.lengthPercentage() ?? x)
        }
        while once(&radii, radiiHere) || once(&isClockwise, "ccw", "cw") || once(&isLarge, "small", "large")
            || once(&rotation, { $0.keyword("rotate") ? $0.angle() : nil })
        {}
        guard let radii else { return nil }
        return .arc(
            end, isRelative: isRelative, radii: radii, isClockwise: isClockwise ?? false, isLarge: isLarge ?? false,
            rotation: Float(rotation ?? 0))
    }

    /// `[ <fill-rule>, ]?`
    private mutating func fillRule() -> Bool? {
        guard let isEvenOdd = choice("nonzero", "evenodd") else { return false }
        return comma() ? isEvenOdd : nil
    }

    /// `[ round <border-radius> ]?`; empty without.
    private mutating func roundedCorners() -> [CornerRadius]? { keyword("round") ? cornerRadii() : [] }

    private mutating func shapeRadius() -> Gradient.RadialExtent? {
        radialExtent() ?? lengthPercentage(atLeast: 0).map { .size($0, $0) }
    }

    /// `[ at <position> ]?`
    mutating func center() -> Gradient.Position? { keyword("at") ? position() : .center }
}
