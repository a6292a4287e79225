// Mixes two values (CSS Values 4 §3). In: their tokens, and the share of the second. Out: CSS text, so that each property parses it
// like any other value; nil if the values do not have the same form.

import FancyTextCSS

struct ValueMix {
    /// 0 is the first value, 1 the second.
    let share: Double
    var roundsIntegers = false

    /// A value, or one of its component values.
    struct Value {
        let source: CSSSource
        let range: Range<Int>

        var token: CSSToken { source.tokens[range.lowerBound] }
        var text: String { source.text(range) }
        var word: String { source.word(of: token) }
        var isNone: Bool { text.split(whereSeparator: \.isWhitespace) == ["none"] }
        /// The component values, without white space.
        var components: [Value] {
            source.components(range).map { Value(source: source, range: $0) }.filter { $0.token.kind != .whitespace }
        }
        var arguments: [Value] {
            let (start, end) = (range.lowerBound + 1, min(Int(token.match), range.upperBound))
            return Value(source: source, range: start..<max(start, end)).components
        }
        var unit: String { token.kind == .percentage ? "%" : token.kind == .dimension ? word : "" }
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
        if a.isNone, !b.isNone { return mixWithNothing(b, share) }
        if b.isNone, !a.isNone { return mixWithNothing(a, 1 - share) }
        return mix(a.components, b.components)
    }

    private func mix(_ first: [Value], _ second: [Value]) -> String? {
        guard first.count == second.count else { return nil }
        let parts = zip(first, second).compactMap { mix(component: $0, $1) }
        return parts.count == first.count ? parts.joined(separator: " ") : nil
    }

    private func mix(component a: Value, _ b: Value) -> String? {
        if isNumeric(a), isNumeric(b) {
            return number(a, b) ?? "calc((\(a.text)) * \(1 - share) + (\(b.text)) * \(share))"
        }
        if isColor(a), isColor(b) {
            return "color-mix(in srgb, \(a.text) \(100 * (1 - share))%, \(b.text) \(100 * share)%)"
        }
        if a.token.kind == .function, b.token.kind == .function {
            let name = a.word
            guard name == b.word, name != "var", name != "env" else { return nil }
            return mix(a.arguments, b.arguments).map { "\(name)(\($0))" }
        }
        return a.text == b.text ? a.text : nil
    }

    private func isNumeric(_ value: Value) -> Bool {
        switch value.token.kind {
        case .number, .percentage, .dimension: true
        case .function: Self.calculations.contains(value.word)
        default: false
        }
    }

    private func isColor(_ value: Value) -> Bool {
        switch value.token.kind {
        case .hash: true
        case .function: Self.colors.contains(value.word)
        case .ident: value.word == "currentcolor" || ColorNames.color(value.word, isDark: false) != nil
        default: false
        }
    }

    /// Mixes two numbers of one unit; 0 is compatible with every unit.
    private func number(_ a: Value, _ b: Value) -> String? {
        let (first, second, from, to) = (a.token, b.token, a.unit, b.unit)
        guard first.kind != .function, second.kind != .function else { return nil }
        guard from == to || first.number == 0 && from.isEmpty || second.number == 0 && to.isEmpty else { return nil }
        let number = first.number + (second.number - first.number) * share
        if roundsIntegers, first.isInteger, second.isInteger, from.isEmpty, to.isEmpty, abs(number) < 1e9 {
            return String(Int(bounded: (number + 0.5).rounded(.down), by: 1e9))
        }
        return "\(number)\(from.isEmpty ? to : from)"
    }

    private func mixWithNothing(_ value: Value, _ share: Double) -> String? {
        var parts: [String] = []
        for component in value.components {
            guard component.token.kind == .function else { return nil }
            let name = component.word
            let nothing = Self.multiplying.contains(name) ? 1.0 : 0
            var text = "\(name)("
            for argument in component.arguments {
                let token = argument.token
                if token.kind == .comma {
                    text += ","
                } else if argument.range.count == 1, isNumeric(argument) {
                    let start = token.kind == .percentage ? 100 * nothing : nothing
                    text += " \(start + (token.number - start) * share)\(argument.unit)"
                } else {
                    return nil
                }
            }
            // Their neutral arguments are not all 0 or all 1.
            if ["matrix", "matrix3d", "perspective", "rotate3d"].contains(name) { return nil }
            parts.append(text + ")")
        }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
