// Rounded rectangles and other plain shapes as paths.

import FancyTextBasics
import FancyTextPlatform

extension Path {
    package mutating func move(_ x: Float, _ y: Float) { segments.append(.move(Point(x: x, y: y))) }
    package mutating func line(_ x: Float, _ y: Float) { segments.append(.line(Point(x: x, y: y))) }
    package mutating func close() { segments.append(.close) }

    package init(polygon points: [Point]) {
        self.init(line: points)
        if !points.isEmpty { close() }
    }

    /// An open line through some points.
    package init(line points: [Point]) {
        self.init()
        for (index, point) in points.enumerated() { segments.append(index == 0 ? .move(point) : .line(point)) }
    }

    /// The distance of a cubic quarter ellipse's control points from its ends, as a share of the radius (error below 0.03%).
    private static let quarter: Float = 0.552_284_75

    /// Appends the outline of `shape`. Clockwise outlines add to the area, counter-clockwise ones cut it out.
    package mutating func append(_ shape: RoundedRect, clockwise: Bool = true) {
        let rect = shape.rect
        let radii = shape.radii
        let (left, top, right, bottom) = (rect.x, rect.y, rect.maxX, rect.maxY)
        func point(_ x: Float, _ y: Float) -> Point { Point(x: x, y: y) }
        func add(polygon points: [Point]) { append(Path(polygon: clockwise ? points : points.reversed())) }
        let tips = [point(left, top), point(right, top), point(right, bottom), point(left, bottom)]
        if radii.isZero { return add(polygon: tips) }
        // The start and the end of each corner, clockwise from the top left.
        let ends = [
            (point(left, top + radii.topLeft.height), point(left + radii.topLeft.width, top)),
            (point(right - radii.topRight.width, top), point(right, top + radii.topRight.height)),
            (point(right, bottom - radii.bottomRight.height), point(right - radii.bottomRight.width, bottom)),
            (point(left + radii.bottomLeft.width, bottom), point(left, bottom - radii.bottomLeft.height)),
        ]
        if radii.curvatures != SIMD4(repeating: 1) {
            return add(
                polygon: tips.indices.flatMap {
                    Self.superellipse(from: ends[$0].0, tip: tips[$0], to: ends[$0].1, curvature: radii.curvatures[$0])
                })
        }
        let share = 1 - Self.quarter
        var corners = zip(tips, ends).map { tip, ends in
            func control(_ end: Point) -> Point {
                point(tip.x + (end.x - tip.x) * share, tip.y + (end.y - tip.y) * share)
            }
            return [ends.0, control(ends.0), control(ends.1), ends.1]
        }
        if !clockwise { corners = corners.reversed().map { $0.reversed() } }
        for (index, points) in corners.enumerated() {
            segments.append(index == 0 ? .move(points[0]) : .line(points[0]))
            segments.append(.cubic(control1: points[1], control2: points[2], end: points[3]))
        }
        close()
    }

    /// The points of xⁿ + yⁿ = 1 with n = 2^curvature between a corner's ends, mirrored for negative ones (CSS Borders 4 §3.1).
    private static func superellipse(from start: Point, tip: Point, to end: Point, curvature: Float) -> [Point] {
        let inner = Point(x: start.x + end.x - tip.x, y: start.y + end.y - tip.y)
        if curvature == 0 || start == tip || end == tip { return [start, end] }
        // Beyond this value no pixel differs from the corner itself.
        if abs(curvature) > 7 { return [start, curvature > 0 ? tip : inner, end] }
        let center = curvature > 0 ? inner : tip
        let power = 2 / exp2(abs(curvature))
        let steps = 32
        return (0...steps).map { step in
            let angle = Float(step) / Float(steps) * .pi / 2
            // Rounding may make cosines negative, and negative numbers have no real power.
            var (u, v) = (pow(max(0, cos(angle)), power), pow(max(0, sin(angle)), power))
            if step == 0 { (u, v) = (1, 0) }
            if step == steps { (u, v) = (0, 1) }
            return Point(
                x: center.x + (start.x - center.x) * u + (end.x - center.x) * v,
                y: center.y + (start.y - center.y) * u + (end.y - center.y) * v)
        }
    }

    package init(_ shape: RoundedRect) {
        self.init()
        append(shape)
    }

    /// The smallest rectangle that contains all points and control points; `nil` for an empty path.
    package func bounds(_ transform: Transform = Transform()) -> Rect? {
        var low = Point(x: .infinity, y: .infinity)
        var high = Point(x: -.infinity, y: -.infinity)
        func include(_ point: Point) {
            let point = transform.apply(point)
            low = Point(x: min(low.x, point.x), y: min(low.y, point.y))
            high = Point(x: max(high.x, point.x), y: max(high.y, point.y))
        }
        for segment in segments {
            switch segment {
            case .move(let point), .line(let point): include(point)
            case .quadratic(let control, let end):
                include(control)
                include(end)
            case .cubic(let control1, let control2, let end):
                include(control1)
                include(control2)
                include(end)
            case .close: break
            }
        }
        guard low.x <= high.x, low.y <= high.y else { return nil }
        return Rect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    }
}

extension RoundedRect {
    /// The shape scaled and moved: CSS pixels to device pixels.
    package func transformed(_ transform: Transform) -> RoundedRect {
        func scaled(_ size: Size) -> Size {
            Size(width: size.width * transform.scaleX, height: size.height * transform.scaleY)
        }
        let origin = transform.apply(Point(x: rect.x, y: rect.y))
        return RoundedRect(
            rect: Rect(
                x: origin.x, y: origin.y, width: rect.width * transform.scaleX, height: rect.height * transform.scaleY),
            radii: radii.map(scaled))
    }

    /// The shape with its edges moved to the nearest whole pixels, as all engines place boxes.
    package var pixelSnapped: RoundedRect { RoundedRect(rect: rect.pixelSnapped, radii: radii).fitted }

    package var isRectangle: Bool { radii.isZero }

    /// The shape with each edge moved inwards; radii shrink with it (CSS Backgrounds 3 §4.2).
    package func inset(top: Float, right: Float, bottom: Float, left: Float) -> RoundedRect {
        func shrunk(_ size: Size, _ dx: Float, _ dy: Float) -> Size {
            guard size.width > dx, size.height > dy else { return .zero }
            return Size(width: size.width - dx, height: size.height - dy)
        }
        var result = RoundedRect(rect: rect.insetBy(left: left, top: top, right: right, bottom: bottom), radii: radii)
        result.radii.topLeft = shrunk(radii.topLeft, left, top)
        result.radii.topRight = shrunk(radii.topRight, right, top)
        result.radii.bottomRight = shrunk(radii.bottomRight, right, bottom)
        result.radii.bottomLeft = shrunk(radii.bottomLeft, left, bottom)
        return result
    }

    /// The shape grown as by a shadow's spread: sharp corners stay sharp, and small radii grow less (CSS Backgrounds 3 §7.1.1).
    package func outset(by distance: Float) -> RoundedRect {
        if distance < 0 { return inset(top: -distance, right: -distance, bottom: -distance, left: -distance) }
        func grown(_ radius: Float) -> Float {
            guard radius < distance else { return radius + distance }
            let ratio = radius / distance - 1
            return radius + distance * (1 + ratio * ratio * ratio)
        }
        func grown(_ size: Size) -> Size {
            size.width <= 0 || size.height <= 0 ? .zero : Size(width: grown(size.width), height: grown(size.height))
        }
        return RoundedRect(rect: rect.grown(by: distance), radii: radii.map(grown)).fitted
    }

    /// Radii reduced so that neighbours do not overlap (CSS Backgrounds 3 §4.5).
    package var fitted: RoundedRect {
        if radii.isZero { return self }
        func share(_ length: Float, _ a: Float, _ b: Float) -> Float { a + b > length ? length / (a + b) : 1 }
        let factor = min(
            min(
                share(rect.width, radii.topLeft.width, radii.topRight.width),
                share(rect.width, radii.bottomLeft.width, radii.bottomRight.width)),
            min(
                share(rect.height, radii.topLeft.height, radii.bottomLeft.height),
                share(rect.height, radii.topRight.height, radii.bottomRight.height)))
        guard factor < 1 else { return self }
        func scaled(_ size: Size) -> Size { Size(width: size.width * factor, height: size.height * factor) }
        var result = self
        result.radii = radii.map(scaled)
        return result
    }
}

extension Rect {
    package var pixelSnapped: Rect {
        let left = (x + 0.5).rounded(.down)
        let top = (y + 0.5).rounded(.down)
        return Rect(
            x: left, y: top, width: (maxX + 0.5).rounded(.down) - left, height: (maxY + 0.5).rounded(.down) - top)
    }

    /// The rectangle with its edges moved outwards.
    package func grown(by distance: Float) -> Rect {
        Rect(x: x - distance, y: y - distance, width: width + 2 * distance, height: height + 2 * distance)
    }

    package var pixelCover: DeviceRect {
        DeviceRect(
            minX: Int(bounded: x.rounded(.down)), minY: Int(bounded: y.rounded(.down)),
            maxX: Int(bounded: maxX.rounded(.up)), maxY: Int(bounded: maxY.rounded(.up)))
    }

    /// The area itself if its edges are between pixels, else nil.
    package var wholePixels: DeviceRect? {
        let cover = pixelCover
        let isWhole =
            Float(cover.minX) == x && Float(cover.minY) == y && Float(cover.maxX) == maxX && Float(cover.maxY) == maxY
        return isWhole ? cover : nil
    }
}

extension Path {
    package static func ellipse(_ rect: Rect) -> Path {
        Path(RoundedRect(rect: rect, radii: CornerRadii(all: Size(width: rect.width / 2, height: rect.height / 2))))
    }
}
