// Math functions (CSS Values 4 §10): `calc()`, `min()`, `clamp()`, `round()`, trigonometry …
//
// In: a cursor at a math function. Out: one number with its type, evaluated at once: what each unit means is known when
// values are computed. A sum of a length and a percentage stays linear (`px + percent`); where a function must compare
// the two, the percentage counts against the viewport's width.

import Glibc

/// A number with a type. `value` is in canonical units; `percent` is the percentage part of a length.
struct MathValue {
    var dimension: Unit.Dimension
    var value: Double
    var percent: Double = 0
    /// Powers of the dimension: products of lengths are legal within a calculation.
    var exponent = 1

    static func number(_ value: Double) -> MathValue { MathValue(dimension: .number, value: value) }

    var isPlain: Bool { exponent == 1 && percent == 0 }
}

/// What a percentage means where the calculation stands.
enum PercentMeaning { case none, percentIsLength }

private let deepestNesting = 48

extension ValueCursor {
    /// The value of the math function here; nil (and nothing consumed) if there is none or it is invalid.
    mutating func math(_ percent: PercentMeaning) -> MathValue? {
        guard let token, token.kind == .function else { return nil }
        let start = index
        guard let value = mathFunction(percent, 0), value.exponent == 1 else {
            rewind(to: start)
            return nil
        }
        return value
    }

    private mutating func mathFunction(_ percent: PercentMeaning, _ depth: Int) -> MathValue? {
        guard depth < deepestNesting, let token, token.kind == .function, let name = functionName else { return nil }
        guard let kind = Self.mathFunctions[name] else { return nil }
        // `round()` may begin with a keyword.
        return arguments { cursor in
            var strategy: Rounding = .nearest
            if kind == .round, let keyword = cursor.keyword(Self.roundings) {
                strategy = keyword
                guard cursor.comma() else { return nil }
            }
            var values: [MathValue] = []
            repeat {
                if kind == .clamp, cursor.keyword("none") {
                    values.append(MathValue(dimension: .number, value: .nan, exponent: 0))
                    continue
                }
                guard let value = cursor.sum(percent, depth + 1) else { return nil }
                values.append(value)
            } while cursor.comma()
            return Self.evaluate(kind, values, strategy, base: cursor.context.percentBase)
        }
    }

    private mutating func sum(_ percent: PercentMeaning, _ depth: Int) -> MathValue? {
        guard var left = product(percent, depth) else { return nil }
        while let token, token.kind == .delim {
            let byte = source.bytes[Int(token.start)]
            guard byte == 0x2B || byte == 0x2D else { break }
            // `+` and `-` need white space on both sides (§10.1).
            guard index > 0, source.tokens[index - 1].kind == .whitespace, index + 1 < end,
                source.tokens[index + 1].kind == .whitespace
            else { return nil }
            advance()
            guard let right = product(percent, depth), let sum = Self.add(left, right, byte == 0x2B ? 1 : -1) else {
                return nil
            }
            left = sum
        }
        return left
    }

    private mutating func product(_ percent: PercentMeaning, _ depth: Int) -> MathValue? {
        guard var left = term(percent, depth) else { return nil }
        while true {
            if delim(0x2A) {
                guard let right = term(percent, depth), let value = Self.multiply(left, right) else { return nil }
                left = value
            } else if slash() {
                guard let right = term(percent, depth), let value = Self.divide(left, right) else { return nil }
                left = value
            } else {
                return left
            }
        }
    }

    private mutating func term(_ percent: PercentMeaning, _ depth: Int) -> MathValue? {
        guard depth < deepestNesting, let token else { return nil }
        switch token.kind {
        case .number:
            advance()
            return .number(token.number)
        case .percentage:
            advance()
            guard percent == .percentIsLength else { return MathValue(dimension: .percent, value: token.number) }
            return MathValue(dimension: .length, value: 0, percent: token.number)
        case .dimension:
            guard let unit = Unit(source, token) else { return nil }
            advance()
            return MathValue(
                dimension: unit.dimension,
                value: token.number * (unit.dimension == .length ? unit.pixels(context) : unit.scale))
        case .openParen:
            return arguments { cursor in cursor.sum(percent, depth + 1) }
        case .function:
            return mathFunction(percent, depth)
        case .ident:
            if let constant = keyword(Self.constants) { return .number(constant) }
            let name = source.name(of: token)
            guard let variable = variables.first(where: { $0.name == name.asciiLowercased() }) else { return nil }
            advance()
            return .number(variable.value)
        default:
            return nil
        }
    }

    private static let constants: [(StaticString, Double)] = [
        ("pi", .pi), ("e", M_E), ("infinity", .infinity), ("-infinity", -.infinity), ("nan", .nan),
    ]

    // MARK: Arithmetic with types

    private static func add(_ a: MathValue, _ b: MathValue, _ sign: Double) -> MathValue? {
        guard a.dimension == b.dimension, a.exponent == b.exponent else { return nil }
        return MathValue(
            dimension: a.dimension, value: a.value + sign * b.value, percent: a.percent + sign * b.percent,
            exponent: a.exponent)
    }

    private static func multiply(_ a: MathValue, _ b: MathValue) -> MathValue? {
        if a.dimension == .number {
            return MathValue(
                dimension: b.dimension, value: a.value * b.value, percent: a.value * b.percent, exponent: b.exponent)
        }
        if b.dimension == .number { return multiply(b, a) }
        guard a.dimension == b.dimension, a.percent == 0, b.percent == 0 else { return nil }
        return power(a.dimension, a.value * b.value, a.exponent + b.exponent)
    }

    private static func divide(_ a: MathValue, _ b: MathValue) -> MathValue? {
        if b.dimension == .number {
            return MathValue(
                dimension: a.dimension, value: a.value / b.value, percent: a.percent == 0 ? 0 : a.percent / b.value,
                exponent: a.exponent)
        }
        guard b.percent == 0, a.percent == 0 else { return nil }
        if a.dimension == .number { return power(b.dimension, a.value / b.value, -b.exponent) }
        guard a.dimension == b.dimension else { return nil }
        return power(a.dimension, a.value / b.value, a.exponent - b.exponent)
    }

    private static func power(_ dimension: Unit.Dimension, _ value: Double, _ exponent: Int) -> MathValue? {
        guard abs(exponent) < 100 else { return nil }
        return exponent == 0 ? .number(value) : MathValue(dimension: dimension, value: value, exponent: exponent)
    }

    // MARK: Functions

    private enum Rounding { case nearest, up, down, toZero }
    private static let roundings: [(StaticString, Rounding)] = [
        ("nearest", .nearest), ("up", .up), ("down", .down), ("to-zero", .toZero),
    ]

    private enum Function {
        case calc, min, max, clamp, round, mod, rem, sin, cos, tan, asin, acos, atan, atan2, pow, sqrt, hypot, log, exp,
            abs, sign
    }

    private static let mathFunctions: [String: Function] = [
        "calc": .calc, "-webkit-calc": .calc, "min": .min, "max": .max, "clamp": .clamp, "round": .round, "mod": .mod,
        "rem": .rem, "sin": .sin, "cos": .cos, "tan": .tan, "asin": .asin, "acos": .acos, "atan": .atan,
        "atan2": .atan2,
        "pow": .pow, "sqrt": .sqrt, "hypot": .hypot, "log": .log, "exp": .exp, "abs": .abs, "sign": .sign,
    ]

    private static func evaluate(_ function: Function, _ values: [MathValue], _ strategy: Rounding, base: Double)
        -> MathValue?
    {
        guard let first = values.first else { return nil }
        func numbers(_ range: ClosedRange<Int>) -> Bool {
            range.contains(values.count) && values.allSatisfy { $0.dimension == .number }
        }
        /// All of one type; percentages resolved where they stand beside lengths.
        func same(_ range: ClosedRange<Int>) -> [MathValue]? {
            let typed = values.filter { $0.exponent != 0 || !$0.value.isNaN }
            guard range.contains(values.count), let lead = typed.first,
                typed.allSatisfy({ $0.dimension == lead.dimension && $0.exponent == lead.exponent })
            else { return nil }
            if typed.allSatisfy({ $0.percent == 0 }) { return values }
            if typed.allSatisfy({ $0.value == 0 }) { return values.map { swapped($0) } }
            return values.map {
                MathValue(dimension: $0.dimension, value: $0.value + $0.percent / 100 * base, exponent: $0.exponent)
            }
        }
        /// Percentages alone compare by themselves: they go through as values and come back as percentages.
        func swapped(_ value: MathValue) -> MathValue {
            MathValue(dimension: value.dimension, value: value.percent, percent: value.value, exponent: value.exponent)
        }
        let onlyPercent = values.contains { $0.percent != 0 } && values.allSatisfy { $0.value == 0 || $0.value.isNaN }
        func like(_ model: MathValue, _ value: Double) -> MathValue {
            let result = MathValue(dimension: model.dimension, value: value, exponent: model.exponent)
            return onlyPercent ? swapped(result) : result
        }

        switch function {
        case .calc:
            return values.count == 1 ? first : nil
        case .min:
            guard let all = same(1...10_000) else { return nil }
            return like(
                all[0], all.reduce(Double.infinity) { $0.isNaN || $1.value.isNaN ? .nan : Swift.min($0, $1.value) })
        case .max:
            guard let all = same(1...10_000) else { return nil }
            return like(
                all[0], all.reduce(-Double.infinity) { $0.isNaN || $1.value.isNaN ? .nan : Swift.max($0, $1.value) })
        case .clamp:
            guard let all = same(3...3) else { return nil }
            var value = all[1].value
            if !all[2].value.isNaN || all[2].exponent != 0 { value = Swift.min(value, all[2].value) }
            if !all[0].value.isNaN || all[0].exponent != 0 { value = Swift.max(value, all[0].value) }
            guard all[1].exponent != 0 else { return nil }
            return like(all[1], value)
        case .round:
            guard let all = same(1...2) else { return nil }
            if all.count == 1, first.dimension != .number { return nil }
            let a = all[0].value
            let step = all.count == 2 ? Swift.abs(all[1].value) : 1
            if step == 0 || step.isNaN || a.isNaN { return like(all[0], .nan) }
            if step.isInfinite {
                return like(all[0], strategy == .up && a > 0 ? .infinity : strategy == .down && a < 0 ? -.infinity : 0)
            }
            let ratio = a / step
            let rounded =
                switch strategy {
                case .nearest: (ratio + 0.5).rounded(.down)
                case .up: ratio.rounded(.up)
                case .down: ratio.rounded(.down)
                case .toZero: ratio.rounded(.towardZero)
                }
            return like(all[0], rounded * step)
        case .mod:
            guard let all = same(2...2) else { return nil }
            let (a, b) = (all[0].value, all[1].value)
            return like(all[0], a - b * (a / b).rounded(.down))
        case .rem:
            guard let all = same(2...2) else { return nil }
            return like(all[0], fmod(all[0].value, all[1].value))
        case .sin, .cos, .tan:
            guard values.count == 1, first.dimension == .number || first.dimension == .angle, first.exponent == 1 else {
                return nil
            }
            let radians = first.dimension == .angle ? first.value * .pi / 180 : first.value
            return .number(
                function == .sin ? Glibc.sin(radians) : function == .cos ? Glibc.cos(radians) : Glibc.tan(radians))
        case .asin, .acos, .atan:
            guard numbers(1...1) else { return nil }
            let radians =
                function == .asin
                ? Glibc.asin(first.value) : function == .acos ? Glibc.acos(first.value) : Glibc.atan(first.value)
            return MathValue(dimension: .angle, value: radians * 180 / .pi)
        case .atan2:
            guard let all = same(2...2) else { return nil }
            return MathValue(dimension: .angle, value: Glibc.atan2(all[0].value, all[1].value) * 180 / .pi)
        case .pow:
            return numbers(2...2) ? .number(Glibc.pow(first.value, values[1].value)) : nil
        case .sqrt:
            return numbers(1...1) ? .number(first.value.squareRoot()) : nil
        case .hypot:
            guard let all = same(1...10_000) else { return nil }
            return like(all[0], all.reduce(0) { $0 + $1.value * $1.value }.squareRoot())
        case .log:
            guard numbers(1...2) else { return nil }
            return .number(
                values.count == 2 ? Glibc.log(first.value) / Glibc.log(values[1].value) : Glibc.log(first.value))
        case .exp:
            return numbers(1...1) ? .number(Glibc.exp(first.value)) : nil
        case .abs:
            guard let all = same(1...1) else { return nil }
            return like(all[0], Swift.abs(all[0].value))
        case .sign:
            guard let all = same(1...1) else { return nil }
            return .number(all[0].value > 0 ? 1 : all[0].value < 0 ? -1 : all[0].value)
        }
    }
}
