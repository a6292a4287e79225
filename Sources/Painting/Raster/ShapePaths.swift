// Rounded rectangles and other plain shapes as paths.

import Basics

extension Path {
    package mutating func move(_ x: Float, _ y: Float) { segments.append(.move(Point(x: x, y: y))) }
    package mutating func line(_ x: Float, _ y: Float) { segments.append(.line(Point(x: x, y: y))) }
    package mutating func close() { segments.append(.close) }

    /// A polygon.
    package init(polygon points: [Point]) {
        self.init()
        for (index, point) in points.enumerated() { segments.append(index == 0 ? .move(point) : .line(point)) }
        if !points.isEmpty { close() }
    }

    /// Control points of a cubic quarter ellipse lie this share of the radius from its ends (error below 0.03%).
    private static let quarter: Float = 0.552_284_75

    /// Appends the outline of `shape`, clockwise, or counter-clockwise to cut it out of what surrounds it.
    package mutating func append(_ shape: RoundedRect, clockwise: Bool = true) {
        let rect = shape.rect
        let radii = shape.radii
        let (left, top, right, bottom) = (rect.x, rect.y, rect.maxX, rect.maxY)
        if radii == .zero {
            let corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
            let points = (clockwise ? corners : corners.reversed()).map { Point(x: $0.0, y: $0.1) }
            segments.append(contentsOf: Path(polygon: points).segments)
            return
        }
        // Each corner as start, two controls, end; clockwise from the top left.
        func corner(_ start: (Float, Float), _ tip: (Float, Float), _ end: (Float, Float)) -> [Point] {
            let share = 1 - Self.quarter
            return [
                Point(x: start.0, y: start.1),
                Point(x: tip.0 + (start.0 - tip.0) * share, y: tip.1 + (start.1 - tip.1) * share),
                Point(x: tip.0 + (end.0 - tip.0) * share, y: tip.1 + (end.1 - tip.1) * share),
                Point(x: end.0, y: end.1),
            ]
        }
        var corners = [
            corner((left, top + radii.topLeft.height), (left, top), (left + radii.topLeft.width, top)),
            corner((right - radii.topRight.width, top), (right, top), (right, top + radii.topRight.height)),
            corner(
                (right, bottom - radii.bottomRight.height), (right, bottom), (right - radii.bottomRight.width, bottom)),
            corner((left + radii.bottomLeft.width, bottom), (left, bottom), (left, bottom - radii.bottomLeft.height)),
        ]
        if !clockwise { corners = corners.reversed().map { $0.reversed() } }
        for (index, points) in corners.enumerated() {
            segments.append(index == 0 ? .move(points[0]) : .line(points[0]))
            segments.append(.cubic(control1: points[1], control2: points[2], end: points[3]))
        }
        close()
    }

    package init(_ shape: RoundedRect) {
        self.init()
        append(shape)
    }

    /// The smallest rectangle that holds all points and control points; nil for an empty path.
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
    /// Multiplied and moved: CSS pixels to device pixels.
    package func transformed(_ transform: Transform) -> RoundedRect {
        func scaled(_ size: Size) -> Size {
            Size(width: size.width * transform.scaleX, height: size.height * transform.scaleY)
        }
        let origin = transform.apply(Point(x: rect.x, y: rect.y))
        return RoundedRect(
            rect: Rect(
                x: origin.x, y: origin.y, width: rect.width * transform.scaleX, height: rect.height * transform.scaleY),
            radii: CornerRadii(
                topLeft: scaled(radii.topLeft), topRight: scaled(radii.topRight),
                bottomRight: scaled(radii.bottomRight),
                bottomLeft: scaled(radii.bottomLeft)))
    }

    /// Edges moved to the nearest whole pixels, as browsers place boxes (CSS Backgrounds does not say; all engines do).
    package var pixelSnapped: RoundedRect {
        RoundedRect(rect: rect.pixelSnapped, radii: radii).fitted
    }

    package var isRectangle: Bool { radii == .zero }

    /// The shape with each edge moved inwards; radii shrink with it (CSS Backgrounds 3 §4.2).
    package func inset(top: Float, right: Float, bottom: Float, left: Float) -> RoundedRect {
        func shrunk(_ size: Size, _ dx: Float, _ dy: Float) -> Size {
            guard size.width > dx, size.height > dy else { return .zero }
            return Size(width: size.width - dx, height: size.height - dy)
        }
        let inner = rect.insetBy(left: left, top: top, right: right, bottom: bottom)
        return RoundedRect(
            rect: inner,
            radii: CornerRadii(
                topLeft: shrunk(radii.topLeft, left, top), topRight: shrunk(radii.topRight, right, top),
                bottomRight: shrunk(radii.bottomRight, right, bottom),
                bottomLeft: shrunk(radii.bottomLeft, left, bottom)))
    }

    /// The shape grown by `distance` on each side as a shadow's spread does: sharp corners stay sharp, and small radii grow
    /// less than their box (CSS Backgrounds 3 §7.1.1).
    package func outset(by distance: Float) -> RoundedRect {
        if distance < 0 { return inset(top: -distance, right: -distance, bottom: -distance, left: -distance) }
        func grown(_ radius: Float) -> Float {
            guard radius < distance else { return radius + distance }
            let ratio = radius / distance - 1
            return radius + distance * (1 + ratio * ratio * ratio)
        }
        func grown(_ size: Size) -> Size {
            size.width <= 0 || size.height <= 0
                ? .zero : Size(width: grown(size.width), height: grown(size.height))
        }
        return RoundedRect(
            rect: Rect(
                x: rect.x - distance, y: rect.y - distance, width: rect.width + 2 * distance,
                height: rect.height + 2 * distance),
            radii: CornerRadii(
                topLeft: grown(radii.topLeft), topRight: grown(radii.topRight), bottomRight: grown(radii.bottomRight),
                bottomLeft: grown(radii.bottomLeft))
        ).fitted
    }

    /// Radii reduced so that neighbours do not overlap (CSS Backgrounds 3 §4.5).
    package var fitted: RoundedRect {
        if radii == .zero { return self }
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
        result.radii = CornerRadii(
            topLeft: scaled(radii.topLeft), topRight: scaled(radii.topRight), bottomRight: scaled(radii.bottomRight),
            bottomLeft: scaled(radii.bottomLeft))
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

    /// All pixels that it touches.
    package var pixelCover: DeviceRect {
        DeviceRect(
            minX: pixelInt(x.rounded(.down)), minY: pixelInt(y.rounded(.down)), maxX: pixelInt(maxX.rounded(.up)),
            maxY: pixelInt(maxY.rounded(.up)))
    }
}

extension Path {
    /// The ellipse that fills `rect`.
    package static func ellipse(_ rect: Rect) -> Path {
        let radius = Size(width: rect.width / 2, height: rect.height / 2)
        return Path(
            RoundedRect(
                rect: rect,
                radii: CornerRadii(topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius)))
    }
}
