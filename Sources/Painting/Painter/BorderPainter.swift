// Paints borders as browsers do (CSS Backgrounds 3 §4). Dashes and dots are fitted, so that sides begin and end with one.
//
// Sides of one colour are filled as one path: the shared mitre edges cancel in the exact-area rasterizer and leave no seam.

import FancyTextBasics
import FancyTextPlatform
import FancyTextStyling

enum BorderPainter {
    private struct Edge {
        var width: Int
        var style: BorderLineStyle
        var color: Color
        var isVisible: Bool { width > 0 && color.alpha > 0 }
    }

    /// The part of a side's width that a stripe covers, and its colour.
    private struct Stripe: Hashable {
        var part: Part
        var color: Color
    }

    private enum Part: Hashable {
        case whole, outerThird, innerThird, outerHalf, innerHalf

        /// The start and end of the part, measured from the outer edge of a side `width` wide.
        func range(_ width: Int) -> (from: Float, to: Float) {
            let third = Float((width + 1) / 3)
            let half = Float(width - width / 2)
            let full = Float(width)
            switch self {
            case .whole: return (0, full)
            case .outerThird: return (0, third)
            case .innerThird: return (full - third, full)
            case .outerHalf: return (0, half)
            case .innerHalf: return (half, full)
            }
        }
    }

    static func paint(_ item: BorderItem, _ transform: Transform, _ canvas: some ShapeSurface) {
        let outer = item.outer.transformed(transform).pixelSnapped
        guard outer.rect.width > 0, outer.rect.height > 0, outer.rect.width < 1e7, outer.rect.height < 1e7 else {
            return
        }
        func edge(_ side: BorderSide) -> Edge {
            // Widths are whole device pixels, at least one (CSS Backgrounds 4 §3.3).
            let visible = side.width > 0 && side.style != .none && side.style != .hidden
            let width = visible ? max(1, Int(bounded: (side.width * transform.scaleX + 0.001).rounded(.down))) : 0
            return Edge(width: width, style: effectiveStyle(side.style, width), color: side.color)
        }
        let edges = [edge(item.sides.top), edge(item.sides.right), edge(item.sides.bottom), edge(item.sides.left)]
        guard edges.contains(where: \.isVisible) else { return }
        let isUniform = edges.allSatisfy { $0.style == edges[0].style && $0.color == edges[0].color && $0.isVisible }
        if isUniform && edges[0].style == .solid {
            fillRing(outer, edges.map { Float($0.width) }, edges[0].color, canvas)
            return
        }
        var stripes: [(stripe: Stripe, sides: [Int])] = []
        func add(_ part: Part, _ color: Color, _ side: Int) {
            let stripe = Stripe(part: part, color: color)
            if let index = stripes.firstIndex(where: { $0.stripe == stripe }) {
                stripes[index].sides.append(side)
            } else {
                stripes.append((stripe, [side]))
            }
        }
        var dashed: [Int] = []
        for (side, edge) in edges.enumerated() where edge.isVisible {
            let isLit = side == 1 || side == 2
            let dark = shaded(edge.color, darken: true)
            let light = shaded(edge.color, darken: false)
            switch edge.style {
            case .none, .hidden: break
            case .solid: add(.whole, edge.color, side)
            case .double:
                add(.outerThird, edge.color, side)
                add(.innerThird, edge.color, side)
            case .inset: add(.whole, isLit ? light : dark, side)
            case .outset: add(.whole, isLit ? dark : light, side)
            case .groove:
                add(.outerHalf, isLit ? light : dark, side)
                add(.innerHalf, isLit ? dark : light, side)
            case .ridge:
                add(.outerHalf, isLit ? dark : light, side)
                add(.innerHalf, isLit ? light : dark, side)
            case .dotted, .dashed: dashed.append(side)
            }
        }
        for (stripe, sides) in stripes { fill(stripe, sides, outer, edges, canvas) }
        paintDashes(dashed, outer, edges, canvas)
    }

    /// Replaces the style of lines that are too thin for it by `solid`, as browsers do.
    private static func effectiveStyle(_ style: BorderLineStyle, _ width: Int) -> BorderLineStyle {
        switch style {
        case .double: width < 3 ? .solid : .double
        case .groove, .ridge: width < 2 ? .solid : style
        case .none, .hidden, .solid, .dotted, .dashed, .inset, .outset: style
        }
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

    // MARK: Filled styles

    private static func fillRing(_ outer: RoundedRect, _ widths: [Float], _ color: Color, _ canvas: some ShapeSurface) {
        let paint = Paint.solid(Pixel.premultiplied(color))
        let inner = outer.inset(by: widths)
        let cover = outer.rect.pixelCover
        if inner.rect.isEmpty { return canvas.fill(outer, paint: paint) }
        let hole = inner.rect.pixelCover
        let radii = outer.radii
        var top = hole.minY
        var bottom = hole.maxY
        if !outer.isRectangle {
            top = max(top, cover.minY + Int(bounded: max(radii.topLeft.height, radii.topRight.height).rounded(.up)))
            bottom = min(
                bottom, cover.maxY - Int(bounded: max(radii.bottomLeft.height, radii.bottomRight.height).rounded(.up)))
        }
        let path = Path(outer, without: inner)
        guard top < bottom, canvas.transform == nil else {
            canvas.fill(path, Transform(), within: cover, paint: paint)
            return
        }
        func band(_ minX: Int, _ minY: Int, _ maxX: Int, _ maxY: Int) {
            let area = DeviceRect(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
            if outer.isRectangle {
                canvas.fill(area, paint: paint)
            } else {
                canvas.fill(path, Transform(), within: area, paint: paint)
            }
        }
        band(cover.minX, cover.minY, cover.maxX, top)
        canvas.fill(DeviceRect(minX: cover.minX, minY: top, maxX: hole.minX, maxY: bottom), paint: paint)
        canvas.fill(DeviceRect(minX: hole.maxX, minY: top, maxX: cover.maxX, maxY: bottom), paint: paint)
        band(cover.minX, bottom, cover.maxX, cover.maxY)
    }

    private static func fill(
        _ stripe: Stripe, _ sides: [Int], _ outer: RoundedRect, _ edges: [Edge], _ canvas: some ShapeSurface
    ) {
        let paint = Paint.solid(Pixel.premultiplied(stripe.color))
        let outside = outer.inset(by: edges.map { stripe.part.range($0.width).from })
        let inside = outer.inset(by: edges.map { stripe.part.range($0.width).to })
        let ring = Path(outside, without: inside)
        if sides.count == 4 { return canvas.fill(ring, paint: paint) }
        var path = Path()
        if outer.isRectangle {
            let (a, b) = (corners(outside.rect), corners(inside.rect))
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

    /// The corners of a rectangle, clockwise from the top left.
    private static func corners(_ rect: Rect) -> [Point] {
        [
            Point(x: rect.x, y: rect.y), Point(x: rect.maxX, y: rect.y), Point(x: rect.maxX, y: rect.maxY),
            Point(x: rect.x, y: rect.maxY),
        ]
    }

    /// The part of the box between the mitres of a side, up to the middle of the box; and the pixels that the side can reach.
    private static func mitred(_ side: Int, _ outer: RoundedRect, _ edges: [Edge]) -> (quad: [Point], reach: DeviceRect)
    {
        let rect = outer.rect
        let points = corners(rect)
        func inner(_ corner: Int) -> Point {
            // The vertical and horizontal sides that meet in this corner.
            let x = Float(edges[corner == 0 || corner == 3 ? 3 : 1].width)
            let y = Float(edges[corner < 2 ? 0 : 2].width)
            let share = min(x > 0 ? rect.width / 2 / x : .infinity, y > 0 ? rect.height / 2 / y : .infinity)
            guard share.isFinite else { return points[corner] }
            let signX: Float = corner == 0 || corner == 3 ? 1 : -1
            let signY: Float = corner < 2 ? 1 : -1
            return Point(x: points[corner].x + signX * x * share, y: points[corner].y + signY * y * share)
        }
        let next = (side + 1) % 4
        let cover = rect.pixelCover
        let radii = [outer.radii.topLeft, outer.radii.topRight, outer.radii.bottomRight, outer.radii.bottomLeft]
        let isHorizontal = side % 2 == 0
        let depths =
            [side, next].map { isHorizontal ? radii[$0].height : radii[$0].width } + [Float(edges[side].width)]
        let depth = Int(bounded: (depths.max() ?? 0).rounded(.up)) + 1
        var reach = cover
        switch side {
        case 0: reach.maxY = min(cover.maxY, cover.minY + depth)
        case 1: reach.minX = max(cover.minX, cover.maxX - depth)
        case 2: reach.minY = max(cover.minY, cover.maxY - depth)
        default: reach.maxX = min(cover.maxX, cover.minX + depth)
        }
        return ([points[side], points[next], inner(next), inner(side)], reach)
    }

    // MARK: Dashes and dots

    private static func paintDashes(_ sides: [Int], _ outer: RoundedRect, _ edges: [Edge], _ canvas: some ShapeSurface)
    {
        guard !sides.isEmpty else { return }
        let seen = canvas.visibleArea
        if outer.isRectangle {
            // Opaque sides of one colour may overlap in the corners; others are clipped at the mitre.
            let needsMitre =
                Set(edges.filter(\.isVisible).map(\.color)).count > 1 || edges.contains { $0.color.alpha < 255 }
            for side in sides {
                let edge = edges[side]
                let width = Float(edge.width)
                let from = center(of: side, outer.rect, width, atEnd: false)
                let to = center(of: side, outer.rect, width, atEnd: true)
                let path =
                    edge.style == .dotted && DashedLine.hasSquareDots(width: width)
                    ? DashedLine.squareDots(from: from, to: to, width: edge.width, within: seen)
                    : DashedLine.path(
                        along: Path(line: [from, to]), width: width, isDotted: edge.style == .dotted, within: seen)
                canvas.pushClip(needsMitre ? Path(polygon: mitred(side, outer, edges).quad) : Path(outer))
                canvas.fill(path, paint: .solid(Pixel.premultiplied(edge.color)))
                canvas.pop()
            }
            return
        }
        // If all sides have the same line, it is painted without mitres.
        let isUniform =
            sides.count == 4
            && edges.allSatisfy { ($0.style, $0.width, $0.color) == (edges[0].style, edges[0].width, edges[0].color) }
        for side in isUniform ? [0] : sides {
            let edge = edges[side]
            let width = Float(edge.width)
            // The dashes follow a line half a width inside the box, on whole pixels.
            let line = outer.inset(by: edges.map { Float($0.width / 2) })
            let isDotted = edge.style == .dotted
            if !isUniform { canvas.pushClip(Path(polygon: mitred(side, outer, edges).quad)) }
            if isDotted && !DashedLine.hasSquareDots(width: width) {
                let path = DashedLine.path(along: loop(line), width: width, isDotted: true, within: seen)
                canvas.fill(path, paint: .solid(Pixel.premultiplied(edge.color)))
            } else {
                // Strokes are clipped to the ring, so that its edges are like those of a solid border.
                canvas.pushClip(Path(outer, without: outer.inset(by: edges.map { Float($0.width) })))
                let path = DashedLine.path(
                    along: loop(line), width: width, isDotted: isDotted, within: seen, thickness: width * 2.2)
                canvas.fill(path, paint: .solid(Pixel.premultiplied(edge.color)))
                canvas.pop()
            }
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

    private static func center(of side: Int, _ rect: Rect, _ width: Float, atEnd: Bool) -> Point {
        let half = width / 2
        switch side {
        case 0: return Point(x: atEnd ? rect.maxX : rect.x, y: rect.y + half)
        case 1: return Point(x: rect.maxX - half, y: atEnd ? rect.maxY : rect.y)
        case 2: return Point(x: atEnd ? rect.maxX : rect.x, y: rect.maxY - half)
        default: return Point(x: rect.x + half, y: atEnd ? rect.maxY : rect.y)
        }
    }
}

extension RoundedRect {
    fileprivate func inset(by sides: [Float]) -> RoundedRect {
        inset(top: sides[0], right: sides[1], bottom: sides[2], left: sides[3])
    }
}

extension Path {
    /// The ring between two shapes.
    fileprivate init(_ outer: RoundedRect, without inner: RoundedRect) {
        self.init(outer)
        append(inner, clockwise: false)
    }
}
