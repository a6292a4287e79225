// Paints borders as browsers do (CSS Backgrounds 3 §4). Dashes and dots are fitted, so that sides begin and end with one.
// Sides of one colour are filled as one path: the shared mitre edges cancel in the exact-area rasterizer and leave no seam.

import FancyTextBasics
import FancyTextCSS
import FancyTextPlatform

enum BorderPainter {
    private struct Edge: Equatable {
        var width: Int
        var style: BorderLineStyle
        var color: Color
        var isVisible: Bool { width > 0 && color.alpha > 0 }
        var length: Float { Float(width) }
    }

    private enum Part {
        case whole, outerThird, innerThird, outerHalf, innerHalf

        /// The start and end of the part, measured from the outer edge of a side `width` wide.
        func range(_ width: Int) -> (from: Float, to: Float) {
            let (third, half, full) = (Float((width + 1) / 3), Float(width - width / 2), Float(width))
            return switch self {
            case .whole: (0, full)
            case .outerThird: (0, third)
            case .innerThird: (full - third, full)
            case .outerHalf: (0, half)
            case .innerHalf: (half, full)
            }
        }
    }

    static func paint(_ item: BorderItem, _ transform: Transform, _ canvas: some ShapeSurface) {
        let outer = item.outer.transformed(transform).pixelSnapped
        guard outer.rect.width > 0, outer.rect.height > 0, outer.rect.width < 1e7, outer.rect.height < 1e7
        else { return }
        let edges = item.sides.map { side in
            // Widths are whole device pixels, at least one (CSS Backgrounds 4 §3.3).
            let visible = side.width > 0 && side.style.isDrawn
            let width = visible ? max(1, Int(bounded: (side.width * transform.scaleX + 0.001).rounded(.down))) : 0
            // Lines that are too thin for their style are solid, as in browsers.
            let style =
                switch side.style {
                case .double where width < 3, .groove where width < 2, .ridge where width < 2: BorderLineStyle.solid
                case .none, .hidden, .solid, .dotted, .dashed, .inset, .outset, .double, .groove, .ridge: side.style
                }
            return Edge(width: width, style: style, color: side.color)
        }
        let (sides, color) = (edges.clockwise, edges.top.color)
        guard sides.contains(where: \.isVisible) else { return }
        if sides.allSatisfy({ $0.style == .solid && $0.color == color && $0.isVisible }) {
            return fillRing(outer, edges.map(\.length), color, canvas)
        }
        var stripes: [(part: Part, color: Color, sides: [Int])] = []
        func add(_ part: Part, _ color: Color, _ side: Int) {
            if let index = stripes.firstIndex(where: { $0.part == part && $0.color == color }) {
                stripes[index].sides.append(side)
            } else {
                stripes.append((part, color, [side]))
            }
        }
        var dashed: [Int] = []
        for (side, edge) in sides.enumerated() where edge.isVisible {
            // Light falls on the right and bottom sides of what is sunk.
            let isDark = (side == 1 || side == 2) != (edge.style == .inset || edge.style == .groove)
            switch edge.style {
            case .none, .hidden: break
            case .solid: add(.whole, edge.color, side)
            case .double:
                add(.outerThird, edge.color, side)
                add(.innerThird, edge.color, side)
            case .inset, .outset: add(.whole, shaded(edge.color, darken: isDark), side)
            case .groove, .ridge:
                add(.outerHalf, shaded(edge.color, darken: isDark), side)
                add(.innerHalf, shaded(edge.color, darken: !isDark), side)
            case .dotted, .dashed: dashed.append(side)
            }
        }
        for (part, color, sides) in stripes { fill(part, Paint(color), sides, outer, edges, canvas) }
        paintDashes(dashed, outer, edges, canvas)
    }

    /// The two colours of the 3D styles as in Chromium: lighter and darker than the border's; both lighter if it is nearly black.
    static func shaded(_ color: Color, darken: Bool) -> Color {
        func distance(to channel: Int) -> Int {
            [color.red, color.green, color.blue].reduce(0) { $0 + (Int($1) - channel) * (Int($1) - channel) }
        }
        if distance(to: 0) <= 3 * 0x20 * 0x20 {
            return darken ? shifted(color, by: 0.33) : shifted(shifted(color, by: 0.33), by: 0.33)
        }
        if !darken, distance(to: 0xFF) <= 3 * 0x14 * 0x14 { return color }
        return shifted(color, by: darken ? -0.33 : 0.33)
    }

    /// Changes the value (the largest channel, 0–1) and keeps the hue.
    private static func shifted(_ color: Color, by amount: Float) -> Color {
        let channels = [color.red, color.green, color.blue].map { Float($0) / 255 }
        let value = channels.max() ?? 0
        let target = max(0, min(1, value + amount))
        let result = channels.map { UInt8(max(0, min(255, (value == 0 ? target : $0 * target / value) * 255.998))) }
        return Color(red: result[0], green: result[1], blue: result[2], alpha: color.alpha)
    }

    private static func fillRing(
        _ outer: RoundedRect, _ widths: Sides<Float>, _ color: Color, _ canvas: some ShapeSurface
    ) {
        let paint = Paint(color)
        let inner = outer.inset(by: widths)
        if inner.rect.isEmpty { return canvas.fill(outer, paint: paint) }
        let (cover, hole) = (outer.rect.pixelCover, inner.rect.pixelCover)
        let depths = outer.radii.depths.map { Int(bounded: $0.rounded(.up)) }
        let (top, bottom) = (max(hole.minY, cover.minY + depths.top), min(hole.maxY, cover.maxY - depths.bottom))
        let path = Path(outer, without: inner)
        guard top < bottom, canvas.transform == nil else { return canvas.fill(path, within: cover, paint: paint) }
        func fill(_ area: DeviceRect) {
            if outer.isRectangle {
                canvas.fill(area, paint: paint)
            } else {
                canvas.fill(path, within: area, paint: paint)
            }
        }
        let beside = cover.rows(top, bottom)
        fill(cover.rows(cover.minY, top))
        canvas.fill(beside.columns(cover.minX, hole.minX), paint: paint)
        canvas.fill(beside.columns(hole.maxX, cover.maxX), paint: paint)
        fill(cover.rows(bottom, cover.maxY))
    }

    private static func fill(
        _ part: Part, _ paint: Paint, _ sides: [Int], _ outer: RoundedRect, _ edges: Sides<Edge>,
        _ canvas: some ShapeSurface
    ) {
        let outside = outer.inset(by: edges.map { part.range($0.width).from })
        let inside = outer.inset(by: edges.map { part.range($0.width).to })
        let ring = Path(outside, without: inside)
        if sides.count == 4 { return canvas.fill(ring, paint: paint) }
        var path = Path()
        if outer.isRectangle {
            let (a, b) = (outside.rect.corners, inside.rect.corners)
            for side in sides {
                let next = (side + 1) % 4
                path.append(Path(polygon: [a[side], a[next], b[next], b[side]]))
            }
            return canvas.fill(path, paint: paint)
        }
        var reach = DeviceRect(minX: .max, minY: .max, maxX: .min, maxY: .min)
        for side in sides {
            let (quad, area) = mitred(side, outer, edges)
            path.append(Path(polygon: quad))
            reach = reach.union(area)
        }
        canvas.pushClip(RoundedRect(rect: reach.rect))
        canvas.pushClip(ring)
        canvas.fill(path, paint: paint)
        canvas.pop()
        canvas.pop()
    }

    /// The part of the box between the mitres of a side, up to the middle of the box; and the pixels that the side can reach.
    private static func mitred(
        _ side: Int, _ outer: RoundedRect, _ edges: Sides<Edge>
    ) -> (quad: [Point], reach: DeviceRect) {
        let rect = outer.rect
        let points = rect.corners
        func inner(_ corner: Int) -> Point {
            let (isLeft, isTop) = (corner == 0 || corner == 3, corner < 2)
            // The vertical and horizontal sides that meet in this corner.
            let (x, y) = (
                isLeft ? edges.left.length : edges.right.length, isTop ? edges.top.length : edges.bottom.length
            )
            let share = min(x > 0 ? rect.width / 2 / x : .infinity, y > 0 ? rect.height / 2 / y : .infinity)
            return share.isFinite
                ? points[corner] + Point(x: isLeft ? x : -x, y: isTop ? y : -y) * share : points[corner]
        }
        let next = (side + 1) % 4
        let cover = rect.pixelCover
        let depth =
            Int(bounded: max(outer.radii.depths[clockwise: side], edges[clockwise: side].length).rounded(.up)) + 1
        var reach = cover
        switch side {
        case 0: reach.maxY = min(cover.maxY, cover.minY + depth)
        case 1: reach.minX = max(cover.minX, cover.maxX - depth)
        case 2: reach.minY = max(cover.minY, cover.maxY - depth)
        default: reach.maxX = min(cover.maxX, cover.minX + depth)
        }
        return ([points[side], points[next], inner(next), inner(side)], reach)
    }

    private static func paintDashes(
        _ sides: [Int], _ outer: RoundedRect, _ edges: Sides<Edge>, _ canvas: some ShapeSurface
    ) {
        guard !sides.isEmpty else { return }
        let seen = canvas.visibleArea
        // Opaque sides of one colour may overlap in the corners of a rectangle; others are clipped at the mitre.
        let needsMitre =
            Set(edges.clockwise.filter(\.isVisible).map(\.color)).count > 1
            || edges.clockwise.contains { $0.color.alpha < 255 }
        // If all round sides have the same line, it is painted without mitres.
        let isUniform = !outer.isRectangle && sides.count == 4 && edges == Sides(edges.top)
        for side in isUniform ? [0] : sides {
            let (edge, width) = (edges[clockwise: side], edges[clockwise: side].length)
            let isDotted = edge.style == .dotted
            let hasSquareDots = isDotted && DashedLine.hasSquareDots(width: width)
            let mitre = Path(polygon: mitred(side, outer, edges).quad)
            if outer.isRectangle {
                let (from, to) = middle(of: side, outer.rect, width)
                let path =
                    hasSquareDots
                    ? DashedLine.squareDots(from: from, to: to, width: edge.width, within: seen)
                    : DashedLine.path(along: Path(line: [from, to]), width: width, isDotted: isDotted, within: seen)
                canvas.pushClip(needsMitre ? mitre : Path(outer))
                canvas.fill(path, paint: Paint(edge.color))
                canvas.pop()
                continue
            }
            if !isUniform { canvas.pushClip(mitre) }
            // Strokes are clipped to the ring, so that its edges are like those of a solid border.
            let isStroke = !isDotted || hasSquareDots
            if isStroke { canvas.pushClip(Path(outer, without: outer.inset(by: edges.map(\.length)))) }
            // The dashes follow a line half a width inside the box, on whole pixels.
            let path = DashedLine.path(
                along: loop(outer.inset(by: edges.map { Float($0.width / 2) })), width: width, isDotted: isDotted,
                within: seen, thickness: isStroke ? width * 2.2 : nil)
            canvas.fill(path, paint: Paint(edge.color))
            if isStroke { canvas.pop() }
            if !isUniform { canvas.pop() }
        }
    }

    /// The outline, clockwise from the left end of the top side, with corners as long as four chords, as in Skia's path measure.
    private static func loop(_ shape: RoundedRect) -> Path {
        let rect = shape.rect
        let radii = [shape.radii.topRight, shape.radii.bottomRight, shape.radii.bottomLeft, shape.radii.topLeft]
        var path = Path()
        path.move(rect.x + shape.radii.topLeft.width, rect.y)
        for (corner, radius) in radii.enumerated() {
            let centerX = corner < 2 ? rect.maxX - radius.width : rect.x + radius.width
            let centerY = corner == 0 || corner == 3 ? rect.y + radius.height : rect.maxY - radius.height
            for step in 0...4 {
                let angle = (Float(corner - 1) + Float(step) / 4) * .pi / 2
                path.line(centerX + radius.width * cos(angle), centerY + radius.height * sin(angle))
            }
        }
        path.close()
        return path
    }

    private static func middle(of side: Int, _ rect: Rect, _ width: Float) -> (from: Point, to: Point) {
        let half = width / 2
        if side % 2 == 0 {
            let y = side == 0 ? rect.y + half : rect.maxY - half
            return (Point(x: rect.x, y: y), Point(x: rect.maxX, y: y))
        }
        let x = side == 3 ? rect.x + half : rect.maxX - half
        return (Point(x: x, y: rect.y), Point(x: x, y: rect.maxY))
    }
}

extension Path {
    fileprivate init(_ outer: RoundedRect, without inner: RoundedRect) {
        self.init(outer)
        append(inner, clockwise: false)
    }
}
