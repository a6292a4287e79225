// Transforms (CSS Transforms 1 and 2).

import FancyTextBasics

func transformProperties() -> [Property] {
    [
        .value("transform", { $1(&$0.box.transform.functions) }) { cursor in
            if cursor.keyword("none") { return [] }
            let functions: [TransformFunction] = cursor.many { cursor in
                cursor.functionName.flatMap { name in cursor.arguments { $0.transformArguments(of: name) } }
            }
            return functions.isEmpty ? nil : functions
        },
        .value("translate", { $1(&$0.box.transform.translate) }) { $0.optional("none") { $0.translation() } },
        .value("rotate", { $1(&$0.box.transform.rotate) }) { $0.optional("none") { $0.rotation() } },
        .value("scale", { $1(&$0.box.transform.scale) }) { $0.optional("none") { $0.scale() } },
        .value("transform-origin", { $1(&$0.box.transform.origin) }) { cursor in
            guard let origin = cursor.position(limit: 2), let depth = cursor.isAtEnd ? 0 : cursor.length() else {
                return nil
            }
            return TransformStyle.Origin(position: origin, z: depth, isInitial: false)
        },
        .flag("transform-style", { $1(&$0.box.transform.sharesSpace) }, "flat", "preserve-3d"),
        .value("perspective", { $1(&$0.box.transform.perspective) }) { $0.optional("none") { $0.length(atLeast: 0) } },
        .value("perspective-origin", { $1(&$0.box.transform.perspectiveOrigin) }) { $0.position() },
        .flag("backface-visibility", { $1(&$0.box.transform.hidesBack) }, "visible", "hidden"),
        .keywords("transform-box", { $1(&$0.box.transform.referenceBox) }),
    ]
}

extension ValueCursor {
    fileprivate mutating func transformArguments(of name: String) -> TransformFunction? {
        switch name {
        case "matrix":
            guard let m = numbers(6) else { return nil }
            return .matrix(Transform3D(Transform(xx: m[0], yx: m[1], xy: m[2], yy: m[3], x: m[4], y: m[5])))
        case "matrix3d":
            guard let m = numbers(16) else { return nil }
            return .matrix(
                Transform3D(columns: (0..<4).map { SIMD4(m[$0 * 4], m[$0 * 4 + 1], m[$0 * 4 + 2], m[$0 * 4 + 3]) }))
        case "translate":
            guard let x = lengthPercentage() else { return nil }
            guard comma() else { return .translate(x, .zero, 0) }
            return lengthPercentage().map { .translate(x, $0, 0) }
        case "translatex": return lengthPercentage().map { .translate($0, .zero, 0) }
        case "translatey": return lengthPercentage().map { .translate(.zero, $0, 0) }
        case "translatez": return length().map { .translate(.zero, .zero, $0) }
        case "translate3d":
            guard let x = lengthPercentage(), comma(), let y = lengthPercentage(), comma(), let z = length() else {
                return nil
            }
            return .translate(x, y, z)
        case "scale":
            guard let x = numberOrPercentage() else { return nil }
            guard comma() else { return scale(x, x, 1) }
            return numberOrPercentage().map { scale(x, $0, 1) }
        case "scalex": return numberOrPercentage().map { scale($0, 1, 1) }
        case "scaley": return numberOrPercentage().map { scale(1, $0, 1) }
        case "scalez": return numberOrPercentage().map { scale(1, 1, $0) }
        case "scale3d":
            guard let x = numberOrPercentage(), comma(), let y = numberOrPercentage(), comma(),
                let z = numberOrPercentage()
            else { return nil }
            return scale(x, y, z)
        case "rotate", "rotatez": return angle(unitlessZero: true).map { .matrix(.rotation(degrees: $0)) }
        case "rotatex": return angle(unitlessZero: true).map { .matrix(.rotation(degrees: $0, x: 1, z: 0)) }
        case "rotatey": return angle(unitlessZero: true).map { .matrix(.rotation(degrees: $0, y: 1, z: 0)) }
        case "rotate3d":
            guard let axis = numbers(3), comma(), let angle = angle(unitlessZero: true) else { return nil }
            return .matrix(
                .rotation(degrees: angle, x: Double(axis[0]), y: Double(axis[1]), z: Double(axis[2])))
        case "skew":
            guard let x = angle(unitlessZero: true) else { return nil }
            guard comma() else { return .matrix(.skew(x: x, y: 0)) }
            return angle(unitlessZero: true).map { .matrix(.skew(x: x, y: $0)) }
        case "skewx": return angle(unitlessZero: true).map { .matrix(.skew(x: $0, y: 0)) }
        case "skewy": return angle(unitlessZero: true).map { .matrix(.skew(x: 0, y: $0)) }
        case "perspective":
            if keyword("none") { return .matrix(.identity) }
            return length(atLeast: 0).map { .matrix(.perspective($0)) }
        default: return nil
        }
    }

    private func scale(_ x: Double, _ y: Double, _ z: Double) -> TransformFunction {
        .matrix(.scale(Self.clamped(x), Self.clamped(y), Self.clamped(z)))
    }

    private mutating func numbers(_ count: Int) -> [Float]? {
        var result: [Float] = []
        repeat {
            guard let number = number() else { return nil }
            result.append(Self.clamped(number))
        } while result.count < count && comma()
        return result.count == count ? result : nil
    }

    fileprivate mutating func translation() -> TransformFunction? {
        guard let x = lengthPercentage() else { return nil }
        guard !isAtEnd else { return .translate(x, .zero, 0) }
        guard let y = lengthPercentage() else { return nil }
        guard !isAtEnd else { return .translate(x, y, 0) }
        return length().map { .translate(x, y, $0) }
    }

    fileprivate mutating func rotation() -> TransformFunction? {
        var angle = angle()
        var axis = SIMD3<Double>(0, 0, 1)
        if let named = keyword(
            [("x", SIMD3(1, 0, 0)), ("y", SIMD3(0, 1, 0)), ("z", SIMD3(0, 0, 1))] as [(StaticString, SIMD3<Double>)])
        {
            axis = named
        } else if angle == nil || !isAtEnd {
            guard let x = number(), let y = number(), let z = number() else { return nil }
            axis = SIMD3(x, y, z)
        }
        if angle == nil { angle = self.angle() }
        return angle.map { .matrix(.rotation(degrees: $0, x: axis.x, y: axis.y, z: axis.z)) }
    }

    fileprivate mutating func scale() -> TransformFunction? {
        guard let x = numberOrPercentage() else { return nil }
        guard !isAtEnd else { return scale(x, x, 1) }
        guard let y = numberOrPercentage() else { return nil }
        guard !isAtEnd else { return scale(x, y, 1) }
        return numberOrPercentage().map { scale(x, y, $0) }
    }
}
