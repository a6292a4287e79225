// The grammar of `@counter-style` (CSS Counter Styles 3 §2–3). In: a rule. Out: its descriptors, for ``CounterStyles``.

import FancyTextCSS

extension StylesheetParser {
    /// The predefined styles that rules cannot replace (§2).
    private static let fixedNames: Set = [
        "none", "decimal", "disc", "square", "circle", "disclosure-open", "disclosure-closed",
    ]

    mutating func counterStyle(_ prelude: Range<Int>, _ body: Range<Int>, _ start: Int) {
        var cursor = self.cursor(prelude)
        var rule = CounterRule(name: cursor.counterStyleName() ?? "none")
        let isAlone = cursor.isAtEnd
        descriptors(body) { parser, name, _, value in
            var (cursor, changed) = (parser.cursor(value), rule)
            let isValid = cursor.counterDescriptor(name, &changed)
            if isValid { rule = changed }
            return isValid
        }
        guard isAlone, rule.isValid, !Self.fixedNames.contains(rule.name) else {
            let message = "@counter-style needs a name that may be defined, and the symbols of its system: ignored"
            return warn(.invalidSyntax, message, at: start)
        }
        sheet.counterRules.append(rule)
    }
}

extension ValueCursor {
    /// A symbol; its end is cut off if it is very long, because a representation may repeat it.
    private mutating func symbol() -> String? { (string() ?? customIdent()).map { String($0.prefix(1000)) } }

    private mutating func weight() -> CounterRule.Weight? {
        var value: Int?
        var symbol: String?
        while once(&value, { $0.integer(atLeast: 0) }) || once(&symbol, { $0.symbol() }) {}
        guard let value, let symbol else { return nil }
        return CounterRule.Weight(value: value, symbol: symbol)
    }

    private mutating func bound(_ infinite: Int) -> Int? { keyword("infinite") ? infinite : integer() }

    /// Reads a descriptor; false for an unknown name or an invalid value.
    fileprivate mutating func counterDescriptor(_ name: String, _ rule: inout CounterRule) -> Bool {
        switch name {
        case "system":
            let simple: [(StaticString, CounterRule.System)] = [
                ("cyclic", .cyclic), ("numeric", .numeric), ("alphabetic", .alphabetic), ("symbolic", .symbolic),
                ("additive", .additive),
            ]
            if let system = keyword(simple) {
                rule.system = system
            } else if keyword("fixed") {
                rule.system = .fixed(first: isAtEnd ? 1 : integer() ?? 1)
            } else if keyword("extends"), let base = counterStyleName() {
                rule.system = .extends(base)
            } else {
                return false
            }
        case "symbols": rule.symbols = many { $0.symbol() }
        case "additive-symbols":
            guard let weights = commaList({ $0.weight() }),
                zip(weights, weights.dropFirst()).allSatisfy({ $0.value > $1.value })
            else { return false }
            rule.weights = weights
        case "negative":
            let signs = many { $0.symbol() }
            guard (1...2).contains(signs.count) else { return false }
            rule.negative = signs
        case "prefix": rule.prefix = symbol()
        case "suffix": rule.suffix = symbol()
        case "pad":
            guard let weight = weight() else { return false }
            rule.pad = weight
        case "fallback": rule.fallback = counterStyleName()
        case "range":
            rule.ranges = nil
            if keyword("auto") { break }
            rule.ranges = commaList { cursor in
                guard let low = cursor.bound(.min), let high = cursor.bound(.max), low <= high else { return nil }
                return low...high
            }
            if rule.ranges == nil { return false }
        case "speak-as": skipToEnd()
        default: return false
        }
        return isAtEnd
    }
}
