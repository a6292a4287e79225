// Counter styles that authors define (CSS Counter Styles 3 §2–3). In: a value and the name of a style. Out: its text.

package struct CounterRule: Hashable, Sendable {
    package enum System: Hashable, Sendable {
        case cyclic, numeric, alphabetic, symbolic, additive
        case fixed(first: Int)
        case extends(String)
        // Those of predefined styles alone.
        case paddedDecimal
        /// The symbols are ten digits, and markers for 10, 100 and 1000. Chinese alone writes a zero for skipped places.
        case longhand(isInformal: Bool, writesZeros: Bool)

        /// True if a negative value is the negative sign and its magnitude (§3.2).
        var usesNegativeSign: Bool {
            switch self {
            case .cyclic, .fixed: false
            case .numeric, .alphabetic, .symbolic, .additive, .extends, .paddedDecimal, .longhand: true
            }
        }
    }

    package struct Weight: Hashable, Sendable {
        package var value: Int
        package var symbol: String

        package init(value: Int, symbol: String) { (self.value, self.symbol) = (value, symbol) }
    }

    package var name: String
    package var system = System.symbolic
    package var symbols: [String] = []
    /// The symbols of an additive system, in descending order.
    package var weights: [Weight] = []
    package var negative: [String]?
    package var prefix, suffix: String?
    /// nil is `auto`.
    package var ranges: [ClosedRange<Int>]?
    package var pad: Weight?
    package var fallback: String?

    /// True if it has the symbols that its system needs, and no others (§3.1).
    package var isValid: Bool {
        switch system {
        case .cyclic, .fixed, .symbolic, .paddedDecimal, .longhand: !symbols.isEmpty
        case .numeric, .alphabetic: symbols.count > 1
        case .additive: !weights.isEmpty
        case .extends: symbols.isEmpty && weights.isEmpty
        }
    }

    /// The longest representation in symbols; larger values use the fallback.
    private static let longest = 120

    /// The representation of a value, with its sign and padding; nil if there is none.
    func text(_ value: Int) -> String? {
        guard (ranges ?? [automaticRange]).contains(where: { $0.contains(value) }) else { return nil }
        let isNegative = value < 0 && system.usesNegativeSign
        guard let text = initial(isNegative ? Int(clamping: value.magnitude) : value) else { return nil }
        let sign = isNegative ? negative ?? ["-"] : []
        let missing = (pad?.value ?? 0) - text.count - sign.reduce(0) { $0 + $1.count }
        let padding = missing > 0 ? String(repeating: pad?.symbol ?? "", count: min(missing, Self.longest)) : ""
        return (sign.first ?? "") + padding + text + (sign.dropFirst().first ?? "")
    }

    /// The representation of a value by the system's symbols, without sign and padding; nil if there is none.
    func initial(_ value: Int) -> String? {
        let count = symbols.count
        switch system {
        case .cyclic: return symbols[((value &- 1) % count + count) % count]
        case .fixed(let first):
            let (place, isTooFar) = value.subtractingReportingOverflow(first)
            return !isTooFar && symbols.indices.contains(place) ? symbols[place] : nil
        case .numeric, .alphabetic:
            let isBijective = system == .alphabetic
            guard value > 0 else { return isBijective ? nil : symbols[0] }
            var (rest, result) = (value, "")
            while rest > 0 {
                if isBijective { rest -= 1 }
                result = symbols[rest % count] + result
                rest /= count
            }
            return result
        case .symbolic:
            guard value > 0, (value - 1) / count < Self.longest else { return nil }
            return String(repeating: symbols[(value - 1) % count], count: (value - 1) / count + 1)
        case .additive:
            if value == 0 { return weights.last.flatMap { $0.value == 0 ? $0.symbol : nil } }
            var (rest, result) = (value, "")
            for weight in weights where weight.value > 0 {
                let times = rest / weight.value
                guard times <= Self.longest else { return nil }
                result += String(repeating: weight.symbol, count: times)
                rest -= times * weight.value
            }
            return rest == 0 ? result : nil
        case .extends: return nil
        case .paddedDecimal: return (value < 10 ? "0" : "") + String(value)
        case .longhand(let isInformal, let writesZeros):
            return longhand(value, isInformal: isInformal, writesZeros: writesZeros)
        }
    }

    /// The values that the system can represent (§3.5).
    private var automaticRange: ClosedRange<Int> {
        switch system {
        case .cyclic, .numeric, .fixed, .extends, .paddedDecimal, .longhand: Int.min...Int.max
        case .alphabetic, .symbolic: 1...Int.max
        case .additive: 0...Int.max
        }
    }
}

extension CounterRule {
    package init(name: String) { self.init(name: name, system: .symbolic) }
}

/// The counter styles of a document: its own rules, which replace predefined styles of their names, and the predefined ones.
package struct CounterStyles: Sendable {
    /// With the descriptors of the styles that they extend.
    private let rules: [String: CounterRule]

    package static let predefined = CounterStyles([])

    /// - Parameter rules: in cascade order: the last rule of a name counts.
    package init(_ rules: some Sequence<CounterRule>) {
        let written = Dictionary(rules.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        self.rules = written.mapValues { Self.extended($0, by: written) }
    }

    package func defines(_ style: String) -> Bool { rules[style] != nil }

    /// The name that neither a rule defines nor CSS predefines: the style counts as `decimal`; nil for others.
    package func undefinedName(_ style: CounterStyle) -> String? {
        if case .named(let name) = style, !defines(name), !CounterText.isKnown(name) { name } else { nil }
    }

    /// The text of a value, without prefix and suffix.
    package func text(_ value: Int, style: CounterStyle) -> String {
        switch style {
        case .none: ""
        case .string(let string): string
        case .named(let name): text(value, name, 0)
        }
    }

    package func marker(_ value: Int, style: String) -> String {
        let rule = rule(style)
        return (rule?.prefix ?? "") + text(value, style, 0) + (rule?.suffix ?? ". ")
    }

    private static let mostSteps = 16

    private func rule(_ style: String) -> CounterRule? { rules[style] ?? CounterText.rules[style] }

    /// An unknown style counts as `decimal` (§2).
    private func text(_ value: Int, _ style: String, _ steps: Int) -> String {
        guard style != "decimal", steps < Self.mostSteps, let rule = rule(style) else { return String(value) }
        return rule.text(value) ?? text(value, rule.fallback ?? "decimal", steps + 1)
    }

    /// A rule with the descriptors of the styles that it extends. Each style of a circle extends `decimal` (§3.1.7).
    private static func extended(_ rule: CounterRule, by rules: [String: CounterRule]) -> CounterRule {
        func base(_ style: String) -> String? {
            if case .extends(let base)? = rules[style]?.system { base } else { nil }
        }
        var rule = rule
        var style = rule.name
        for step in 1... {
            guard case .extends(var name) = rule.system else { break }
            let isInCircle = sequence(first: name, next: base).prefix(mostSteps).contains(style)
            if isInCircle || step == mostSteps { name = "decimal" }
            let decimal = CounterRule(name: "", system: .numeric, symbols: (0...9).map(String.init))
            let other = rules[name] ?? CounterText.rules[name] ?? decimal
            (rule.system, rule.symbols, rule.weights) = (other.system, other.symbols, other.weights)
            rule.negative = rule.negative ?? other.negative
            rule.prefix = rule.prefix ?? other.prefix
            rule.suffix = rule.suffix ?? other.suffix
            rule.ranges = rule.ranges ?? other.ranges
            rule.pad = rule.pad ?? other.pad
            rule.fallback = rule.fallback ?? other.fallback
            style = name
        }
        return rule
    }
}
