// `<image>`: URLs and gradients (CSS Images 4 §2–3).

extension ValueCursor {
    mutating func image() -> ImageSource? {
        if let url = url() { return .url(source.absolute(url)) }
        guard let name = functionName else { return nil }
        let repeats = name.contains("repeating")
        switch name {
        case "linear-gradient", "repeating-linear-gradient", "-webkit-linear-gradient",
            "-webkit-repeating-linear-gradient":
            return gradient(repeats: repeats) { $0.linearShape(isPrefixed: name.hasPrefix("-")) }
        case "-webkit-radial-gradient", "-webkit-repeating-radial-gradient":
            return gradient(repeats: repeats, interpolates: false) { $0.prefixedRadialShape() }
        case "-webkit-gradient": return arguments { $0.oldGradient() }
        case "radial-gradient", "repeating-radial-gradient": return gradient(repeats: repeats) { $0.radialShape() }
        case "conic-gradient", "repeating-conic-gradient":
            return gradient(repeats: repeats, angular: true) { cursor in
                guard let from = cursor.keyword("from") ? cursor.angle(unitlessZero: true) : 0 else { return nil }
                return cursor.center().map { .conic(from: Float(from), center: $0) }
            }
        case "image-set", "-webkit-image-set": return arguments { $0.imageSet() }
        case "image":
            return arguments { cursor in
                cursor.color().map {
                    let stop = GradientStop(color: $0, position: nil)
                    return .gradient(Gradient(shape: .linear(angle: 0), stops: [stop, stop]))
                }
            }
        default: return nil
        }
    }

    /// The best of the candidates of `image-set()`, at the scale 1 so that its natural size is right.
    private mutating func imageSet() -> ImageSource? {
        let candidates = commaList { cursor -> ImageCandidate<ImageSource>?? in
            guard let image = cursor.string().map({ .url(cursor.source.absolute($0)) }) ?? cursor.image()
            else { return nil }
            var (density, isDrawn) = (1.0, true)
            while let token = cursor.token, token.kind != .comma {
                if let type = cursor.function("type", { $0.string() }) {
                    isDrawn = ImageType.isDrawn(type)
                } else if let written = cursor.resolution() {
                    density = written
                } else {
                    return nil
                }
            }
            return .some(isDrawn ? ImageCandidate(image: image, density: density) : nil)
        }
        return candidates.flatMap { ImageCandidate.best(of: $0.compactMap { $0 }, for: 1)?.image }
    }

    /// A gradient of a shape with the colour space after `in`, which may be before or after the shape.
    private mutating func gradient(
        repeats: Bool, angular: Bool = false, interpolates: Bool = true,
        _ shape: (inout ValueCursor) -> Gradient.Shape?
    ) -> ImageSource? {
        arguments { cursor in
            let start = cursor.index
            var interpolation: ColorInterpolation?
            var isLegacy = true
            guard !interpolates || cursor.interpolation(&interpolation), let shape = shape(&cursor),
                !interpolates || cursor.interpolation(&interpolation), cursor.index == start || cursor.comma(),
                let stops = cursor.colorStops(angular: angular, isLegacy: &isLegacy)
            else { return nil }
            var gradient = Gradient(shape: shape, stops: stops, isRepeating: repeats)
            gradient.interpolation = interpolation ?? (isLegacy ? nil : ColorInterpolation())
            return .gradient(gradient)
        }
    }

    /// Reads `in` and the colour space after it. It may occur once; false is an error.
    private mutating func interpolation(_ interpolation: inout ColorInterpolation?) -> Bool {
        !keyword("in") || once(&interpolation) { $0.colorInterpolation() }
    }

    private mutating func linearShape(isPrefixed: Bool) -> Gradient.Shape? {
        let sides: [(StaticString, (Int8, Int8))] = [
            ("left", (-1, 0)), ("right", (1, 0)), ("top", (0, -1)), ("bottom", (0, 1)),
        ]
        func sum(_ cursor: inout ValueCursor) -> (x: Int8, y: Int8)? {
            guard let first = cursor.keyword(sides) else { return nil }
            guard let second = cursor.keyword(sides) else { return first }
            guard (first.0 == 0) != (second.0 == 0) else { return nil }
            return (first.0 + second.0, first.1 + second.1)
        }
        // The old syntax names the side where the gradient starts.
        if isPrefixed, token?.kind == .ident, let side = attempt(sum) { return .linearTo(x: -side.x, y: -side.y) }
        if keyword("to") { return sum(&self).map { .linearTo(x: $0.x, y: $0.y) } }
        return .linear(angle: angle(unitlessZero: true).map { Float(isPrefixed ? 90 - $0 : $0) } ?? 180)
    }

    private mutating func radialShape() -> Gradient.Shape? {
        var (circle, extent): (Bool?, Gradient.RadialExtent?)
        var lengths: [LengthPercentage] = []
        while once(&circle, "ellipse", "circle")
            || lengths.isEmpty && once(&extent, { $0.radialExtent() })
            || extent == nil && lengths.isEmpty && radii(&lengths)
        {}
        if let x = lengths.first {
            // One length is the radius of a circle, two are those of an ellipse.
            let isCircle = lengths.count == 1
            guard circle == nil || circle == isCircle, !isCircle || !x.isRelative else { return nil }
            (circle, extent) = (isCircle, .size(x, lengths[lengths.count - 1]))
        }
        return center().map { .radial(circle: circle ?? false, extent: extent ?? .farthestCorner, center: $0) }
    }

    mutating func radialExtent() -> Gradient.RadialExtent? { keyword(Array(Self.extents.prefix(4))) }

    private static let extents: [(StaticString, Gradient.RadialExtent)] = [
        ("closest-side", .closestSide), ("farthest-side", .farthestSide), ("closest-corner", .closestCorner),
        ("farthest-corner", .farthestCorner), ("contain", .closestSide), ("cover", .farthestCorner),
    ]

    private mutating func radii(_ lengths: inout [LengthPercentage]) -> Bool {
        while lengths.count < 2, let length = lengthPercentage(atLeast: 0) { lengths.append(length) }
        return !lengths.isEmpty
    }

    /// `[ <position>, ]? [ [ <shape> || <size> ] | <length-percentage>{2}, ]?` (Compatibility 1 §3.1.2).
    private mutating func prefixedRadialShape() -> Gradient.Shape? {
        var center: Gradient.Position?
        _ = once(&center) { $0.position() }
        // The comma after the position stays for the caller, when nothing else follows it before the colours.
        let afterPosition = index
        if center != nil, !comma() { return nil }
        let start = index
        var (isCircle, extent): (Bool?, Gradient.RadialExtent?)
        while once(&isCircle, "ellipse", "circle") || once(&extent, Self.extents) {}
        if isCircle == nil, extent == nil, let x = lengthPercentage(atLeast: 0) {
            guard let y = lengthPercentage(atLeast: 0) else { return nil }
            extent = .size(x, y)
        }
        if index == start { rewind(to: afterPosition) }
        return .radial(circle: isCircle ?? false, extent: extent ?? .farthestCorner, center: center ?? .center)
    }

    /// `-webkit-gradient(linear, <point>, <point>, <stop>#)` along a side or from corner to corner (Compatibility 1 §3.1.1).
    private mutating func oldGradient() -> ImageSource? {
        let columns: [(StaticString, Float)] = [("left", 0), ("center", 0.5), ("right", 1)]
        let rows: [(StaticString, Float)] = [("top", 0), ("center", 0.5), ("bottom", 1)]
        func coordinate(_ cursor: inout ValueCursor, _ sides: [(StaticString, Float)]) -> Float? {
            cursor.keyword(sides) ?? cursor.percentage().map { Float($0) } ?? (cursor.number() == 0 ? 0 : nil)
        }
        func point(_ cursor: inout ValueCursor) -> SIMD2<Float>? {
            guard cursor.comma(), let x = coordinate(&cursor, columns), let y = coordinate(&cursor, rows)
            else { return nil }
            return SIMD2(x, y)
        }
        guard keyword("linear"), let from = point(&self), let to = point(&self) else { return nil }
        let way = to - from
        guard abs(way.x) == 1 || way.x == 0, abs(way.y) == 1 || way.y == 0, way != .zero else { return nil }
        var stops: [GradientStop] = []
        while comma() {
            guard let name = functionName, ["from", "to", "color-stop"].contains(name) else { return nil }
            let stop = arguments { cursor -> GradientStop? in
                var position: Double? = name == "from" ? 0 : 1
                if name == "color-stop" {
                    position = cursor.numberOrPercentage()
                    if position != nil, !cursor.comma() { return nil }
                }
                let place = position.map { LengthPercentage(fraction: Float($0)) }
                return cursor.color().map { GradientStop(color: $0, position: place) }
            }
            guard let stop else { return nil }
            stops.append(stop)
        }
        // Stops may come in any order. Stops with the same position keep their order.
        if stops.allSatisfy({ $0.position != nil }) {
            stops.sort { ($0.position?.fraction ?? 0) < ($1.position?.fraction ?? 0) }
        }
        guard stops.count > 1 else { return nil }
        return .gradient(Gradient(shape: .linearTo(x: Int8(way.x), y: Int8(way.y)), stops: stops))
    }

    /// At least one stop; hints only between stops (CSS Images 4 §3.4.1). Angles count as fractions of a turn. Modern colours (CSS
    /// Color 4 §4.1) clear `isLegacy`.
    private mutating func colorStops(angular: Bool, isLegacy: inout Bool) -> [GradientStop]? {
        var stops: [GradientStop] = []
        func offset(_ cursor: inout ValueCursor) -> LengthPercentage? {
            guard angular else { return cursor.lengthPercentage() }
            if let angle = cursor.angle(unitlessZero: true) { return LengthPercentage(fraction: Float(angle / 360)) }
            return cursor.percentage().map { LengthPercentage(fraction: Float($0)) }
        }
        var hintOpen = true
        repeat {
            let early = offset(&self)  // a hint, or a position written before its colour
            if let early, isAtEnd || token?.kind == .comma {
                guard !hintOpen else { return nil }
                hintOpen = true
                stops.append(GradientStop(color: .transparent, position: early, isHint: true))
                continue
            }
            if let name = functionName, Self.modernColors.contains(name) { isLegacy = false }
            guard let color = colorValue() else { return nil }
            var stop = GradientStop(color: color.color, position: early ?? offset(&self))
            if color.isClipped { stop.wide = color }
            stops.append(stop)
            if stop.position != nil, let second = offset(&self) {
                stop.position = second
                stops.append(stop)
            }
            hintOpen = false
        } while comma()
        return hintOpen || stops.isEmpty ? nil : stops
    }

    private static let modernColors: Set<String> = ["lab", "lch", "oklab", "oklch", "color", "color-mix"]
}
