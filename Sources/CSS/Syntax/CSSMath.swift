// Math functions (CSS Values 4 §10): `calc()`, `min()`, `clamp()`, `round()`, trigonometry …
//
// In: a cursor at a math function. Out: one number with its type, evaluated at once. A sum of a length and a percentage stays
// linear (`px + percent`), and `min()`, `max()` and `clamp()` put bounds on it. Other expressions (`round()` of a percentage, a sum
// of two values that both have bounds) resolve the percentage against the viewport's width.

import FancyTextPlatform

/// A number with a type. `value` is in canonical units; `percent` is the percentage part of a length.
struct MathValue {
    var dimension: Unit.Dimension
    var value: Double
    var percent: Double = 0
    /// Powers of the dimension: products of lengths are legal within a calculation.
    var exponent = 1
    /// nil means no bound; the lower bound wins over the upper one.
    var low, high: Sum?

    struct Sum { var value, percent: Double }

    /// A percentage that comes to zero, kept so that the value still depends on its base (CSS Values 4 §10.11).
    static let zeroPercent = 1e-30

    /// `percent`, replaced by ``zeroPercent`` if it is zero and was computed from percentages (`isRelative`).
    private static func kept(_ percent: Double, _ isRelative: Bool) -> Double {
        percent == 0 && isRelative ? zeroPercent : percent
    }

    static func number(_ value: Double) -> MathValue { MathValue(dimension: .number, value: value) }

    /// The keyword `none` of `clamp()`.
    static let none = MathValue(dimension: .number, value: .nan, exponent: 0)
    var isNone: Bool { exponent == 0 && value.isNaN }

    private var isBounded: Bool { low != nil || high != nil }
    private var sum: Sum { Sum(value: value, percent: percent) }

    /// The value with its percentages resolved against `base`.
    func resolved(_ base: Double) -> MathValue {
        guard percent != 0 || isBounded else { return self }
        func pixels(_ sum: Sum) -> Double { sum.value + sum.percent / 100 * base }
        var result = pixels(sum)
        if let high { result = min(result, pixels(high)) }
        if let low { result = max(result, pixels(low)) }
        return MathValue(dimension: dimension, value: result, exponent: exponent)
    }

    /// The value multiplied by a number. A negative number swaps lower and upper bounds.
    func scaled(by factor: Double) -> MathValue {
        func scaled(_ sum: Sum) -> Sum {
            Sum(value: sum.value * factor, percent: sum.percent == 0 ? 0 : Self.kept(sum.percent * factor, true))
        }
        let (low, high) = factor < 0 ? (high, low) : (low, high)
        return with(scaled(sum), low: low.map(scaled), high: high.map(scaled))
    }

    /// Adds a value of the same type. Percentages are resolved against `base` if both have bounds.
    func plus(_ other: MathValue, _ base: Double) -> MathValue {
        if isBounded, other.isBounded { return plus(other.resolved(base), base) }
        let (bounded, term) = other.isBounded ? (other, sum) : (self, other.sum)
        func moved(_ sum: Sum) -> Sum {
            Sum(
                value: sum.value + term.value,
                percent: Self.kept(sum.percent + term.percent, sum.percent != 0 || term.percent != 0))
        }
        return with(moved(bounded.sum), low: bounded.low.map(moved), high: bounded.high.map(moved))
    }

    /// The smaller (or greater) of two sums, if their order is the same for every base ≥ 0; else `nil`.
    private static func extreme(_ a: Sum, _ b: Sum, _ pick: (Double, Double) -> Double) -> Sum? {
        if a.percent == b.percent { return Sum(value: pick(a.value, b.value), percent: a.percent) }
        if a.value == b.value { return Sum(value: a.value, percent: pick(a.percent, b.percent)) }
        return nil
    }

    private func with(_ sum: Sum, low: Sum?, high: Sum?) -> MathValue {
        MathValue(
            dimension: dimension, value: sum.value, percent: sum.percent, exponent: exponent, low: low, high: high)
    }

    /// The smaller of two values, or the greater one. Percentages are resolved against `base` if it needs more than two bounds.
    func extreme(_ other: MathValue, _ base: Double, isLeast: Bool) -> MathValue {
        func pick(_ a: Double, _ b: Double) -> Double { a.isNaN || b.isNaN ? .nan : isLeast ? min(a, b) : max(a, b) }
        if other.isBounded, !isBounded { return other.extreme(self, base, isLeast: isLeast) }
        let limit = other.isBounded ? other.resolved(base).sum : other.sum
        var resolvedExtreme: MathValue {
            resolved(base).extreme(with(limit, low: nil, high: nil).resolved(base), base, isLeast: isLeast)
        }
        if !isBounded {
            if let sum = Self.extreme(sum, limit, pick) { return with(sum, low: nil, high: nil) }
            // The sum that grows faster with the base is the value, the other one its bound.
            let (value, bound) = abs(percent) >= abs(limit.percent) ? (sum, limit) : (limit, sum)
            return isLeast ? with(value, low: nil, high: bound) : with(value, low: bound, high: nil)
        }
        let lowest = low.map { Self.extreme($0, limit, pick) }
        if case .some(nil) = lowest { return resolvedExtreme }
        if !isLeast { return with(sum, low: lowest ?? limit, high: high) }
        if let smaller = Self.extreme(sum, limit, pick) { return with(smaller, low: lowest ?? nil, high: high) }
        guard let highest = high.map({ Self.extreme($0, limit, pick) }) ?? limit else { return resolvedExtreme }
        return with(sum, low: lowest ?? nil, high: highest)
    }
}

private let deepestNesting = 48

extension ValueCursor {
    /// The value of the math function here; nil (and nothing consumed) if there is no valid one of these dimensions.
    mutating func math(of dimensions: [Unit.Dimension], percentIsLength: Bool = false) -> MathValue? {
        attempt { cursor in
            let value = cursor.mathFunction(percentIsLength, 0)
            return value.flatMap { $0.exponent == 1 && dimensions.contains($0.dimension) ? $0 : nil }
        }
    }

    private mutating func mathFunction(_ percentIsLength: Bool, _ depth: Int) -> MathValue? {
        guard depth < deepestNesting, let name = functionName,
            let kind = MathArguments.Function(rawValue: name == "-webkit-calc" ? "calc" : name)
        else { return nil }
        // `round()` may begin with a keyword.
        return arguments { cursor in
            var strategy: MathArguments.Rounding = .nearest
            if kind == .round, let keyword: MathArguments.Rounding = cursor.keyword() {
                strategy = keyword
                guard cursor.comma() else { return nil }
            }
            var values: [MathValue] = []
            repeat {
                if kind == .clamp, cursor.keyword("none") {
                    values.append(.none)
                    continue
                }
                guard let value = cursor.sum(percentIsLength, depth + 1) else { return nil }
                values.append(value)
            } while cursor.comma()
            return MathArguments(values, base: cursor.context.percentBase)?.result(of: kind, strategy)
        }
    }

    private mutating func sum(_ percentIsLength: Bool, _ depth: Int) -> MathValue? {
        guard var left = product(percentIsLength, depth) else { return nil }
        while let token, token.kind == .delim {
            let byte = source.bytes[Int(token.start)]
            guard byte == 0x2B || byte == 0x2D else { break }
            // `+` and `-` need white space on both sides (§10.1).
            guard index > 0, source.tokens[index - 1].kind == .whitespace, index + 1 < end,
                source.tokens[index + 1].kind == .whitespace
            else { return nil }
            advance()
            guard let right = product(percentIsLength, depth), left.dimension == right.dimension,
                left.exponent == right.exponent
            else { return nil }
            left = left.plus(byte == 0x2B ? right : right.scaled(by: -1), context.percentBase)
        }
        return left
    }

    private mutating func product(_ percentIsLength: Bool, _ depth: Int) -> MathValue? {
        guard var left = term(percentIsLength, depth) else { return nil }
        while let operation = delim(0x2A) ? Self.multiply : slash() ? Self.divide : nil {
            guard let right = term(percentIsLength, depth), let value = operation(left, right) else { return nil }
            left = value
        }
        return left
    }

    private mutating func term(_ percentIsLength: Bool, _ depth: Int) -> MathValue? {
        guard depth < deepestNesting, let token else { return nil }
        switch token.kind {
        case .number:
            advance()
            return .number(token.number)
        case .percentage:
            advance()
            guard percentIsLength else { return MathValue(dimension: .percent, value: token.number) }
            return MathValue(
                dimension: .length, value: 0, percent: token.number == 0 ? MathValue.zeroPercent : token.number)
        case .dimension:
            guard let unit = Unit(source, token) else { return nil }
            advance()
            return MathValue(
                dimension: unit.dimension,
                value: token.number * (unit.dimension == .length ? unit.pixels(context) : unit.scale))
        case .openParen: return arguments { cursor in cursor.sum(percentIsLength, depth + 1) }
        case .function: return mathFunction(percentIsLength, depth)
        case .ident:
            if let constant = keyword(Self.constants) { return .number(constant) }
            let name = source.name(of: token)
            guard let variable = variables.first(where: { $0.name == name.asciiLowercased() }) else { return nil }
            advance()
            return .number(variable.value)
        default: return nil
        }
    }

    private static let constants: [(StaticString, Double)] = [
        ("pi", .pi), ("e", M_E), ("infinity", .infinity), ("-infinity", -.infinity), ("nan", .nan),
    ]

    // MARK: Arithmetic with types

    private static func multiply(_ a: MathValue, _ b: MathValue) -> MathValue? {
        if a.dimension == .number { return b.scaled(by: a.value) }
        if b.dimension == .number { return a.scaled(by: b.value) }
        guard a.dimension == b.dimension, a.percent == 0, b.percent == 0 else { return nil }
        return power(a.dimension, a.value * b.value, a.exponent + b.exponent)
    }

    private static func divide(_ a: MathValue, _ b: MathValue) -> MathValue? {
        if b.dimension == .number { return a.scaled(by: 1 / b.value) }
        guard b.percent == 0, a.percent == 0 else { return nil }
        if a.dimension == .number { return power(b.dimension, a.value / b.value, -b.exponent) }
        guard a.dimension == b.dimension else { return nil }
        return power(a.dimension, a.value / b.value, a.exponent - b.exponent)
    }

    private static func power(_ dimension: Unit.Dimension, _ value: Double, _ exponent: Int) -> MathValue? {
        guard abs(exponent) < 100 else { return nil }
        return exponent == 0 ? .number(value) : MathValue(dimension: dimension, value: value, exponent: exponent)
    }
}

private struct MathArguments {
    enum Rounding: String {
        case nearest, up, down
        case toZero = "to-zero"
    }
    enum Function: String {
        case calc, min, max, clamp, round, mod, rem, sin, cos, tan, asin, acos, atan, atan2, pow, sqrt, hypot, log, exp,
            abs, sign, progress
    }

    private let values: [MathValue]
    private let first: MathValue
    private let base: Double
    /// True if all are plain percentages, which are computed as numbers; otherwise percentages are resolved first.
    private let isOfPercent: Bool

    init?(_ values: [MathValue], base: Double) {
        guard let first = values.first else { return nil }
        (self.values, self.first, self.base) = (values, first, base)
        isOfPercent =
            values.contains { $0.percent != 0 }
            && values.allSatisfy { ($0.value == 0 || $0.value.isNaN) && $0.low == nil && $0.high == nil }
    }

    private func numbers(_ range: ClosedRange<Int>) -> Bool {
        range.contains(values.count) && values.allSatisfy { $0.dimension == .number }
    }

    /// Returns whether all values are of one type. `none` of `clamp()` is compatible with every type.
    private func isOneType(_ range: ClosedRange<Int>) -> Bool {
        let typed = values.filter { !$0.isNone }
        guard range.contains(values.count), let lead = typed.first else { return false }
        return typed.allSatisfy { $0.dimension == lead.dimension && $0.exponent == lead.exponent }
    }

    /// Arguments of one type, as numbers.
    private func same(_ range: ClosedRange<Int>) -> [Double]? {
        guard isOneType(range) else { return nil }
        return values.map { isOfPercent ? $0.percent : $0.resolved(base).value }
    }

    /// A result of the arguments' type.
    private func like(_ value: Double) -> MathValue {
        MathValue(
            dimension: first.dimension, value: isOfPercent ? 0 : value, percent: isOfPercent ? value : 0,
            exponent: first.exponent)
    }

    func result(of function: Function, _ strategy: Rounding) -> MathValue? {
        switch function {
        case .calc: return values.count == 1 ? first : nil
        case .min, .max:
            guard isOneType(1...10_000) else { return nil }
            return values.dropFirst().reduce(first) { $0.extreme($1, base, isLeast: function == .min) }
        case .clamp:
            guard isOneType(3...3), !values[1].isNone else { return nil }
            let lowered = values[2].isNone ? values[1] : values[1].extreme(values[2], base, isLeast: true)
            return first.isNone ? lowered : lowered.extreme(first, base, isLeast: false)
        case .round:
            guard let all = same(1...2), all.count == 2 || first.dimension == .number else { return nil }
            return like(Self.round(all[0], to: all.count == 2 ? abs(all[1]) : 1, strategy))
        case .mod: return same(2...2).map { like($0[0] - $0[1] * ($0[0] / $0[1]).rounded(.down)) }
        case .rem: return same(2...2).map { like(fmod($0[0], $0[1])) }
        case .sin, .cos, .tan:
            guard values.count == 1, first.dimension == .number || first.dimension == .angle, first.exponent == 1
            else { return nil }
            let radians = first.dimension == .angle ? first.value * .pi / 180 : first.value
            return .number(function == .sin ? sin(radians) : function == .cos ? cos(radians) : tan(radians))
        case .asin, .acos, .atan:
            guard numbers(1...1) else { return nil }
            let radians =
                function == .asin ? asin(first.value) : function == .acos ? acos(first.value) : atan(first.value)
            return MathValue(dimension: .angle, value: radians * 180 / .pi)
        case .atan2: return same(2...2).map { MathValue(dimension: .angle, value: atan2($0[0], $0[1]) * 180 / .pi) }
        case .pow: return numbers(2...2) ? .number(pow(first.value, values[1].value)) : nil
        case .sqrt: return numbers(1...1) ? .number(first.value.squareRoot()) : nil
        case .hypot: return same(1...10_000).map { all in like(all.reduce(0) { $0 + $1 * $1 }.squareRoot()) }
        case .log:
            guard numbers(1...2) else { return nil }
            return .number(values.count == 2 ? log(first.value) / log(values[1].value) : log(first.value))
        case .exp: return numbers(1...1) ? .number(exp(first.value)) : nil
        case .abs: return same(1...1).map { like(abs($0[0])) }
        case .sign: return same(1...1).map { .number($0[0] > 0 ? 1 : $0[0] < 0 ? -1 : $0[0]) }
        case .progress:
            // CSS Values 5 §10.3.
            guard let all = same(3...3) else { return nil }
            let share = all[1] == all[2] ? 0 : (all[0] - all[1]) / (all[2] - all[1])
            return .number(share.isNaN ? share : min(1, max(0, share)))
        }
    }

    private static func round(_ value: Double, to step: Double, _ strategy: Rounding) -> Double {
        if step == 0 || step.isNaN || value.isNaN { return .nan }
        if step.isInfinite {
            return strategy == .up && value > 0 ? .infinity : strategy == .down && value < 0 ? -.infinity : 0
        }
        let ratio = value / step
        return switch strategy {
        case .nearest: (ratio + 0.5).rounded(.down) * step
        case .up: ratio.rounded(.up) * step
        case .down: ratio.rounded(.down) * step
        case .toZero: ratio.rounded(.towardZero) * step
        }
    }
}
