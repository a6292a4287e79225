// `shape-outside` (CSS Shapes 1): the part of a float's margin box beside which lines are shorter. As in
// `FloatOutline`, distances are positive into the space: x on the left, −x on the right.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS

struct FloatShape {
    let side: FloatSide
    /// The margin box, beyond which a shape has no effect.
    let bounds: Rect
    private let outline: Outline
    private let margin: Float

    private enum Outline {
        /// With the radii at the end that reaches into the space, above and below.
        case box(Rect, above: (x: Float, y: Float), below: (x: Float, y: Float))
        case ellipse(center: Point, x: Float, y: Float)
        case polygon([Point])
        /// The extents of rows of pixels from a height on; nil for empty ones.
        case rows([Float?], top: Float)
    }

    /// A polygon with more corners has no effect, nor has a larger image.
    private static let mostCorners = 1000
    private static let mostPixels: Float = 4_000_000

    /// Shapes have the axes of the page, `bounds`, the margin box, those of the flow. Percentages of `shape-margin`
    /// are of `base`, the width of the containing block.
    init?(
        _ style: ComputedStyle, _ fragment: BoxFragment, in bounds: Rect, _ axes: WritingMode, base: LayoutUnit,
        images: any ReplacedSizes
    ) {
        guard !style.box.$floatShape, let source = style.box.floatShape.source else { return nil }
        side = style.box.float
        let isRight = side == .right
        let toFlow = axes.boxTransform(to: bounds)
        let margin = max(0, style.box.floatShape.margin.resolved(against: base.float))
        self.margin = margin
        self.bounds = Self.flipped(bounds, isRight)
        func area(of box: ReferenceBox) -> Rect {
            (toFlow.inverse ?? Transform()).bounds(of: fragment.area(of: box, in: bounds))
        }
        func flow(_ point: Point) -> Point {
            let point = toFlow.apply(point)
            return Point(x: isRight ? -point.x : point.x, y: point.y)
        }
        func flow(_ radius: (x: Float, y: Float)) -> (x: Float, y: Float) {
            axes.isVertical ? (radius.y, radius.x) : radius
        }
        let shape: ClipShape
        switch source {
        case .shape(let given): shape = given
        case .image(let image):
            let area = area(of: .contentBox)
            let (width, height) = (area.width.rounded(), area.height.rounded())
            guard width * height <= Self.mostPixels,
                let covered = images.coverage(
                    of: image, width: Int(width), height: Int(height), above: style.box.floatShape.threshold)
            else { return nil }
            var rows: [Float?] = Array(repeating: nil, count: Int(bounded: bounds.height.rounded(.up)))
            for (index, isCovered) in covered.enumerated() where isCovered {
                let (row, column) = index.quotientAndRemainder(dividingBy: Int(width))
                let pixel = Self.flipped(
                    toFlow.bounds(of: Rect(x: area.x + Float(column), y: area.y + Float(row), width: 1, height: 1)),
                    isRight)
                let place = Int(bounded: (pixel.y - bounds.y).rounded())
                guard rows.indices.contains(place) else { continue }
                rows[place] = max(rows[place] ?? pixel.maxX, pixel.maxX)
            }
            outline = .rows(Self.grown(rows, by: margin), top: bounds.y)
            return
        }
        let area = area(of: shape.box)
        let rect: Rect
        // Clockwise from the top left.
        var radii: [(x: Float, y: Float)] = []
        switch shape.shape.map({ $0.outline(in: area) }) {
        case nil:
            rect = area
            let border = (toFlow.inverse ?? Transform()).bounds(of: fragment.area(of: .borderBox, in: bounds))
            let (left, right) = (border.x - area.x, area.maxX - border.maxX)
            let (top, bottom) = (border.y - area.y, area.maxY - border.maxY)
            for (corner, change) in zip(
                style.box.cornerRadii, [(left, top), (right, top), (right, bottom), (left, bottom)])
            {
                let (x, y) = (corner.x.resolved(against: border.width), corner.y.resolved(against: border.height))
                radii.append(x > 0 && y > 0 ? (x + change.0, y + change.1) : (0, 0))
            }
        case .some(nil): return nil
        case .box(let inset, let corners)??:
            rect = inset
            radii = corners.map { ($0.x.resolved(against: inset.width), $0.y.resolved(against: inset.height)) }
        case .ellipse(let center, let x, let y)??:
            let radius = flow((x, y))
            outline = .ellipse(center: flow(center), x: radius.x, y: radius.y)
            return
        case .polygon(let points, _)??:
            guard points.count <= Self.mostCorners else { return nil }
            outline = .polygon(points.map(flow))
            return
        }
        func radius(_ corner: Int) -> (x: Float, y: Float) {
            guard radii.count == 4 else { return (margin, margin) }
            let given = radii[axes.corners[corner]]
            let used = flow((min(rect.width, max(0, given.x)), min(rect.height, max(0, given.y))))
            return (used.x + margin, used.y + margin)
        }
        let inFlow = toFlow.bounds(of: rect)
        let grown = Rect(
            x: inFlow.x - margin, y: inFlow.y - margin, width: inFlow.width + 2 * margin,
            height: inFlow.height + 2 * margin)
        outline = .box(Self.flipped(grown, isRight), above: radius(isRight ? 0 : 1), below: radius(isRight ? 3 : 2))
    }

    /// The extents of rows with circles of a radius around all covered pixels.
    private static func grown(_ rows: [Float?], by margin: Float) -> [Float?] {
        guard margin > 0 else { return rows }
        let reach = min(rows.count, Int(bounded: margin.rounded(.up)))
        return rows.indices.map { row in
            (max(0, row - reach)..<min(rows.count, row + reach + 1)).compactMap { other in
                let distance = Float(max(0, abs(other - row) - 1))
                return distance < margin ? rows[other].map { $0 + width(margin, margin, at: distance) } : nil
            }.max()
        }
    }

    private static func flipped(_ rect: Rect, _ isRight: Bool) -> Rect {
        isRight ? Rect(x: -rect.maxX, y: rect.y, width: rect.width, height: rect.height) : rect
    }

    /// The extent of the shape between two heights; nil if it has none there.
    func reach(from top: LayoutUnit, to end: LayoutUnit) -> LayoutUnit? {
        let (top, bottom) = (max(top.float, bounds.y), min(end.float, bounds.maxY))
        guard top < bottom, let reach = extent(top, bottom) else { return nil }
        return LayoutUnit(min(reach, bounds.maxX))
    }

    private func extent(_ top: Float, _ bottom: Float) -> Float? {
        switch outline {
        case .box(let rect, let above, let below):
            guard rect.width > 0, rect.height > 0, top < rect.maxY, bottom > rect.y else { return nil }
            if bottom < rect.y + above.y {
                return rect.maxX - above.x + Self.width(above.x, above.y, at: rect.y + above.y - bottom)
            }
            if top > rect.maxY - below.y {
                return rect.maxX - below.x + Self.width(below.x, below.y, at: top - rect.maxY + below.y)
            }
            return rect.maxX
        case .ellipse(let center, let x, let y):
            let distance = max(0, top - center.y, center.y - bottom)
            guard x > 0, y > 0, distance < y + margin else { return nil }
            return center.x + Self.width(x + margin, y + margin, at: distance)
        case .polygon(let points): return extent(of: points, top, bottom)
        case .rows(let rows, let start):
            let first = max(0, Int(bounded: (top - start).rounded(.down)))
            let end = min(rows.count, Int(bounded: (bottom - start).rounded(.up)))
            return first < end ? rows[first..<end].compactMap(\.self).max() : nil
        }
    }

    /// Half the width of an ellipse with two radii at a distance from its centre.
    private static func width(_ x: Float, _ y: Float, at distance: Float) -> Float {
        y > 0 ? x * max(0, 1 - distance / y * (distance / y)).squareRoot() : x
    }

    /// The polygon grown by the margin is the union of its edges, moved outwards, and of circles around its corners.
    private func extent(of points: [Point], _ top: Float, _ bottom: Float) -> Float? {
        guard points.count > 2, var last = points.last else { return nil }
        var result: Float?
        func add(_ x: Float) { result = max(result ?? x, x) }
        func add(_ a: Point, _ b: Point) {
            let (low, high) = a.y < b.y ? (a, b) : (b, a)
            guard low.y < bottom, high.y > top else { return }
            func x(at y: Float) -> Float {
                high.y == low.y ? max(a.x, b.x) : low.x + (high.x - low.x) * (y - low.y) / (high.y - low.y)
            }
            add(x(at: max(low.y, top)))
            add(x(at: min(high.y, bottom)))
        }
        for point in points {
            let length = (point - last).length
            if margin > 0, length > 0 {
                for out in [margin, -margin] {
                    let (x, y) = ((point.y - last.y) / length * out, (last.x - point.x) / length * out)
                    add(Point(x: last.x + x, y: last.y + y), Point(x: point.x + x, y: point.y + y))
                }
                let distance = max(0, top - point.y, point.y - bottom)
                if distance < margin { add(point.x + Self.width(margin, margin, at: distance)) }
            } else {
                add(last, point)
            }
            last = point
        }
        return result
    }
}

extension BoxFragment {
    /// The rectangle of a reference box, given the margin box.
    fileprivate func area(of box: ReferenceBox, in margins: Rect) -> Rect {
        var edges = Edges()
        switch box {
        case .marginBox: break
        case .borderBox, .viewBox: edges = margin
        case .paddingBox: edges = margin + border
        case .contentBox: edges = margin + border + padding
        }
        return Rect(
            x: margins.x + edges.left.float, y: margins.y + edges.top.float,
            width: max(0, margins.width - edges.horizontal.float), height: max(0, margins.height - edges.vertical.float)
        )
    }
}
