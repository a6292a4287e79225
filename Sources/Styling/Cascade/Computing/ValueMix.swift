// Mixes two values (CSS Values 4 §3). In: their tokens, and the share of the second. Out: CSS text, so that each property parses it
// like any other value; nil if the values do not have the same form.

struct ValueMix {
    /// 0 is the first value, 1 the second.
    let share: Double
    var roundsIntegers = false

    struct Value {
        let source: CSSSource
        let range: Range<Int>
    }

    /// Functions that change nothing at 1 instead of 0.
    private static let multiplying: Set<String> = [
        "scale", "scalex", "scaley", "scalez", "scale3d", "brightness", "contrast", "saturate", "opacity",
    ]
    private static let colors: Set<String> = [
        "rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color", "color-mix", "light-dark",
    ]
    private static let calculations: Set<String> = ["calc", "min", "max", "clamp"]

    func mix(_ a: Value, _ b: Value) -> String? {
        if isNone(a), !isNone(b) { return mixWithNothing(b, share) }
        if isNone(b), !isNone(a) { return mixWithNothing(a, 1 - share) }
        return mix(a.source, components(a), b.source, components(b))
    }

    private func isNone(_ value: Value) -> Bool {
        value.source.text(value.range).split(whereSeparator: \.isWhitespace) == ["none"]
    }

    /// The ranges of component values, without white space.
    private func components(_ value: Value) -> [Range<Int>] {
        value.source.components(value.range).filter { value.source.tokens[$0.lowerBound].kind != .whitespace }
    }

    private func arguments(_ source: CSSSource, _ function: Range<Int>) -> [Range<Int>] {
        let end = min(Int(source.tokens[function.lowerBound].match), function.upperBound)
        return components(Value(source: source, range: function.lowerBound + 1..<max(end, function.lowerBound + 1)))
    }

    private func mix(_ a: CSSSource, _ first: [Range<Int>], _ b: CSSSource, _ second: [Range<Int>]) -> String? {
        guard first.count == second.count else { return nil }
        let parts = zip(first, second).compactMap { mix(a, $0, b, $1) }
        return parts.count == first.count ? parts.joined(separator: " ") : nil
    }

    private func mix(_ a: CSSSource, _ from: Range<Int>, _ b: CSSSource, _ to: Range<Int>) -> String? {
        let (first, second) = (a.tokens[from.lowerBound], b.tokens[to.lowerBound])
        let (x, y) = (a.text(from), b.text(to))
        if isNumeric(a, first), isNumeric(b, second) {
            return number(a, first, b, second) ?? "calc((\(x)) * \(1 - share) + (\(y)) * \(share))"
        }
        if isColor(a, first), isColor(b, second) {
            return "color-mix(in srgb, \(x) \(100 * (1 - share))%, \(y) \(100 * share)%)"
        }
        if first.kind == .function, second.kind == .function {
            let name = a.word(of: first)
            guard name == b.word(of: second), name != "var", name != "env" else { return nil }
            return mix(a, arguments(a, from), b, arguments(b, to)).map { "\(name)(\($0))" }
        }
        return x == y ? x : nil
    }

    private func isNumeric(_ source: CSSSource, _ token: CSSToken) -> Bool {
        switch token.kind {
        case .number, .percentage, .dimension: true
        case .function: Self.calculations.contains(source.word(of: token))
        default: false
        }
    }

    private func isColor(_ source: CSSSource, _ token: CSSToken) -> Bool {
        switch token.kind {
        case .hash: return true
        case .function: return Self.colors.contains(source.word(of: token))
        case .ident:
            let name = source.word(of: token)
            return name == "currentcolor" || ColorNames.color(name, isDark: false) != nil
        default: return false
        }
    }

    private func unit(_ source: CSSSource, _ token: CSSToken) -> String {
        token.kind == .percentage ? "%" : token.kind == .dimension ? source.word(of: token) : ""
    }

    /// Mixes two numbers of one unit; 0 is compatible with every unit.
    private func number(_ a: CSSSource, _ first: CSSToken, _ b: CSSSource, _ second: CSSToken) -> String? {
        guard first.kind != .function, second.kind != .function else { return nil }
        let (from, to) = (unit(a, first), unit(b, second))
        guard from == to || first.number == 0 && from.isEmpty || second.number == 0 && to.isEmpty else { return nil }
        let number = first.number + (second.number - first.number) * share
        if roundsIntegers, first.isInteger, second.isInteger, from.isEmpty, to.isEmpty, abs(number) < 1e9 {
            return String(Int(bounded: (number + 0.5).rounded(.down), by: 1e9))
        }
        return "\(number)\(from.isEmpty ? to : from)"
    }

    /// Mixes `none` and a list of functions.
    private func mixWithNothing(_ value: Value, _ share: Double) -> String? {
        var parts: [String] = []
        for component in components(value) {
            let token = value.source.tokens[component.lowerBound]
            guard token.kind == .function else { return nil }
            let name = value.source.word(of: token)
            let nothing = Self.multiplying.contains(name) ? 1.0 : 0
            var text = "\(name)("
            for argument in arguments(value.source, component) {
                let token = value.source.tokens[argument.lowerBound]
                if token.kind == .comma {
                    text += ","
                } else if argument.count == 1, isNumeric(value.source, token) {
                    let start = token.kind == .percentage ? 100 * nothing : nothing
                    text += " \(start + (token.number - start) * share)\(unit(value.source, token))"
                } else {
                    return nil
                }
            }
            // Their neutral arguments are not all 0 or all 1.
            guard name != "matrix", name != "matrix3d", name != "perspective", name != "rotate3d" else { return nil }
            parts.append(text + ")")
        }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
