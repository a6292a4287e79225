// Transforms (CSS Transforms 1 and 2).

import FancyTextBasics

func transformProperties() -> [Property] {
    [
        .value("transform", { $1(&$0.box.transform.functions) }) {
            $0.keyword("none") ? [] : $0.some { $0.anyFunction { $0.transformArguments(of: $1) } }
        },
        .optional("translate", { $1(&$0.box.transform.translate) }, "none") { $0.translation(1...3, commas: false) },
        .optional("rotate", { $1(&$0.box.transform.rotate) }, "none") { $0.rotation() },
        .optional("scale", { $1(&$0.box.transform.scale) }, "none") { $0.scale(1...3, commas: false) },
        .value("transform-origin", { $1(&$0.box.transform.origin) }) { cursor in
            cursor.position(limit: 2).flatMap { position in
                (cursor.isAtEnd ? 0 : cursor.length()).map { .init(position: position, z: $0, isInitial: false) }
            }
        },
        .flag("transform-style", { $1(&$0.box.transform.sharesSpace) }, "flat", "preserve-3d"),
        .optional("perspective", { $1(&$0.box.transform.perspective) }, "none") { $0.length(atLeast: 0) },
        .value("perspective-origin", { $1(&$0.box.transform.perspectiveOrigin) }) { $0.position() },
        .flag("backface-visibility", { $1(&$0.box.transform.hidesBack) }, "visible", "hidden"),
        .keywords("transform-box", { $1(&$0.box.transform.referenceBox) }),
    ]
}

extension ValueCursor {
    fileprivate mutating func transformArguments(of name: String) -> TransformFunction? {
        switch name {
        case "matrix":
            return numbers(6).map { m in
                .matrix(Transform3D(Transform(xx: m[0], yx: m[1], xy: m[2], yy: m[3], x: m[4], y: m[5])))
            }
        case "matrix3d":
            return numbers(16).map { m in
                .matrix(Transform3D(columns: stride(from: 0, to: 16, by: 4).map { SIMD4(m[$0..<$0 + 4]) }))
            }
        case "translate": return translation(1...2, commas: true)
        case "translatex": return lengthPercentage().map { .translate($0, .zero, 0) }
        case "translatey": return lengthPercentage().map { .translate(.zero, $0, 0) }
        case "translatez": return length().map { .translate(.zero, .zero, $0) }
        case "translate3d": return translation(3...3, commas: true)
        case "scale": return scale(1...2, commas: true)
        case "scalex": return factor().map { .matrix(.scale($0, 1, 1)) }
        case "scaley": return factor().map { .matrix(.scale(1, $0, 1)) }
        case "scalez": return factor().map { .matrix(.scale(1, 1, $0)) }
        case "scale3d": return scale(3...3, commas: true)
        case "rotate", "rotatez": return angle(unitlessZero: true).map { .matrix(.rotation(degrees: $0)) }
        case "rotatex": return angle(unitlessZero: true).map { .matrix(.rotation(degrees: $0, x: 1, z: 0)) }
        case "rotatey": return angle(unitlessZero: true).map { .matrix(.rotation(degrees: $0, y: 1, z: 0)) }
        case "rotate3d":
            guard let axis = numbers(3), comma(), let angle = angle(unitlessZero: true) else { return nil }
            return .matrix(.rotation(degrees: angle, x: Double(axis[0]), y: Double(axis[1]), z: Double(axis[2])))
        case "skew":
            return values(1...2, commas: true) { $0.angle(unitlessZero: true) }
                .map { .matrix(.skew(x: $0[0], y: $0.count > 1 ? $0[1] : 0)) }
        case "skewx": return angle(unitlessZero: true).map { .matrix(.skew(x: $0, y: 0)) }
        case "skewy": return angle(unitlessZero: true).map { .matrix(.skew(x: 0, y: $0)) }
        case "perspective":
            if keyword("none") { return .matrix(.identity) }
            return length(atLeast: 0).map { .matrix(.perspective($0)) }
        default: return nil
        }
    }

    private mutating func values<Value>(
        _ counts: ClosedRange<Int>, commas: Bool, _ read: (inout ValueCursor) -> Value?
    ) -> [Value]? {
        var values: [Value] = []
        repeat {
            guard let value = read(&self) else { return nil }
            values.append(value)
        } while values.count < counts.upperBound && (commas ? comma() : !isAtEnd)
        return counts.contains(values.count) ? values : nil
    }

    private mutating func numbers(_ count: Int) -> [Float]? {
        values(count...count, commas: true) { $0.number().map(Self.clamped) }
    }

    private mutating func factor() -> Float? { numberOrPercentage().map(Self.clamped) }

    fileprivate mutating func translation(_ counts: ClosedRange<Int>, commas: Bool) -> TransformFunction? {
        var place = 0
        let way = values(counts, commas: commas) { cursor in
            place += 1
            return place < 3 ? cursor.lengthPercentage() : cursor.length().map { LengthPercentage(px: $0) }
        }
        return way.map { .translate($0[0], $0.count > 1 ? $0[1] : .zero, $0.count > 2 ? $0[2].px : 0) }
    }

    fileprivate mutating func rotation() -> TransformFunction? {
        let early = angle()
        let axes: [(StaticString, SIMD3<Double>)] = [
            ("x", SIMD3(1, 0, 0)), ("y", SIMD3(0, 1, 0)), ("z", SIMD3(0, 0, 1)),
        ]
        var axis = keyword(axes)
        if axis == nil, early == nil || !isAtEnd {
            guard let x = number(), let y = number(), let z = number() else { return nil }
            axis = SIMD3(x, y, z)
        }
        guard let degrees = early ?? angle() else { return nil }
        return .matrix(.rotation(degrees: degrees, x: axis?.x ?? 0, y: axis?.y ?? 0, z: axis?.z ?? 1))
    }

    fileprivate mutating func scale(_ counts: ClosedRange<Int>, commas: Bool) -> TransformFunction? {
        values(counts, commas: commas) { $0.factor() }.map { factors in
            .matrix(.scale(factors[0], factors[min(1, factors.count - 1)], factors.count > 2 ? factors[2] : 1))
        }
    }
}
