// `@property` (CSS Properties and Values 1): custom properties with an initial value, a syntax and their own inheritance. In: the
// rules of all sheets. Out: the custom properties with which an element begins, given those of its parent.

import FancyTextCSS

struct CustomRegistration: Sendable {
    /// Without the dashes.
    var name: String
    /// nil for `*`.
    var syntax: ValueSyntax?
    var inherits: Bool
    var initial: CustomValue?
    /// Whether a zero is a length rather than a number.
    var isLength: Bool
}

/// The registrations of a document by name; the last one of a name counts.
struct RegisteredProperties: Sendable {
    let byName: [String: CustomRegistration]

    init(_ registrations: some Sequence<CustomRegistration>) {
        byName = Dictionary(registrations.map { ($0.name, $0) }) { $1 }
    }

    var isEmpty: Bool { byName.isEmpty }

    /// The custom properties that an element inherits, and the initial values of others. The same object if nothing changes.
    func inheriting(_ parent: CustomProperties) -> CustomProperties {
        let changed = byName.values.filter { registration in
            let own = parent.values[registration.name]
            return (registration.inherits ? own ?? registration.initial : registration.initial) != own
        }
        if changed.isEmpty { return parent }
        var values = parent.values
        for registration in changed { values[registration.name] = registration.initial }
        return CustomProperties(values)
    }

    /// Values that do not have the syntax of their registration count as `unset` (CSS Properties and Values 1 §2.4).
    func checked(
        _ properties: CustomProperties, declared: some Sequence<String>, inheriting base: CustomProperties,
        _ context: ValueContext
    ) -> CustomProperties {
        var values = properties.values
        for name in declared {
            guard let rule = byName[name], let syntax = rule.syntax, let value = values[name] else { continue }
            var cursor = ValueCursor(value.source, value.range, context: context)
            if !syntax.matches(&cursor) {
                values[name] = base.values[name]
            } else if rule.isLength {
                values[name] = value.withUnit
            }
        }
        return values == properties.values ? properties : CustomProperties(values)
    }

    /// The values with font-relative lengths in pixels, as descendants inherit them (CSS Properties and Values 1 §2.4).
    func computed(
        _ properties: CustomProperties, inheriting base: CustomProperties, _ context: ValueContext,
        from account: inout ByteAccount
    ) -> CustomProperties {
        var values = properties.values
        for (name, rule) in byName where rule.syntax != nil {
            // The parent's values are computed already.
            guard let value = values[name], value != base.values[name] else { continue }
            var (text, isRelative): ([UInt8], Bool) = ([], false)
            for index in value.range {
                let token = value.source.tokens[index]
                var cursor = ValueCursor(value.source, index..<index + 1, context: context)
                if value.dependsOnFont(token), let px = cursor.length() {
                    text += ((text.isEmpty ? "" : " ") + CSSWriter.pixels(px / Float(context.zoom))).utf8
                    isRelative = true
                } else {
                    text += value.source.bytes[Int(token.start)..<Int(token.end)]
                }
            }
            guard isRelative, account.take(text.count) else { continue }
            let source = CSSSource(text)
            values[name] = CustomValue(source: source, range: source.tokens.indices)
        }
        return values == properties.values ? properties : CustomProperties(values)
    }
}

extension CustomValue {
    fileprivate func dependsOnFont(_ token: CSSToken) -> Bool {
        token.kind == .dimension && Unit(source, token)?.isShareOfFont == true
    }

    /// The value of a length: a calculation needs the unit of a zero.
    fileprivate var withUnit: CustomValue {
        let range = source.trimmed(range)
        guard range.count == 1, let token = source.tokens[range].first, token.kind == .number, token.number == 0
        else { return self }
        let zero = CSSSource("0px")
        return CustomValue(source: zero, range: zero.tokens.indices)
    }
}

extension ValueSyntax {
    /// The syntax of an `@property` rule: types and keywords separated by bars; nil if it is not one.
    init?(registered text: String) {
        let units = text.split(separator: "|", omittingEmptySubsequences: false).map {
            $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        for unit in units {
            var word = unit[...]
            if let last = word.last, last == "+" || last == "#" { word.removeLast() }
            let isType = word.first == "<" && word.last == ">" && Self.registeredTypes.contains(String(word))
            let isName = word.first.map { $0.isLetter || $0 == "-" || $0 == "_" } ?? false
            guard isType || isName && word.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
            else { return nil }
        }
        self.init(
            units.joined(separator: " | ").replacing("<transform-list>", with: "<transform-function>+")
                .replacing("<resolution>", with: "<any-value>"))
    }

    private static let registeredTypes: Set = [
        "<length>", "<number>", "<percentage>", "<length-percentage>", "<string>", "<color>", "<image>", "<url>",
        "<integer>", "<angle>", "<time>", "<resolution>", "<transform-function>", "<transform-list>", "<custom-ident>",
    ]
}

extension StylesheetParser {
    mutating func registerProperty(_ prelude: Range<Int>, _ body: Range<Int>, _ start: Int) {
        let name = source.text(prelude).cssTrimmed()
        var (syntax, inherits): (String?, Bool?) = (nil, nil)
        var initial: CustomValue?
        descriptors(body) { parser, name, _, value in
            var cursor = parser.cursor(value)
            switch name {
            case "syntax": syntax = cursor.string()
            case "inherits": inherits = cursor.choice("false", "true")
            case "initial-value": initial = CustomValue(source: parser.source, range: parser.source.trimmed(value))
            default: return false
            }
            return true
        }
        let isUniversal = syntax.map { $0.cssTrimmed() == "*" } ?? false
        let grammar = isUniversal ? nil : syntax.flatMap { ValueSyntax(registered: $0) }
        // Only the universal syntax needs no initial value.
        let hasInitial = initial.map { initial in
            var cursor = cursor(initial.range)
            return grammar?.matches(&cursor) == true
                && !initial.source.tokens[initial.range].contains(where: initial.dependsOnFont)
        }
        guard name.hasPrefix("--"), name.utf8.count > 2, isUniversal || hasInitial == true, let inherits else {
            return warn(
                .invalidSyntax, "@property needs a name, syntax, inherits and an initial-value of that syntax: ignored",
                at: start)
        }
        let types = (syntax ?? "").split { "|<>".contains($0) }
        let number = types.first { $0.hasPrefix("length") || $0 == "number" || $0 == "integer" }
        let isLength = number?.hasPrefix("length") == true
        sheet.registrations.append(
            CustomRegistration(
                name: String(name.dropFirst(2)), syntax: grammar, inherits: inherits,
                initial: isLength ? initial?.withUnit : initial, isLength: isLength))
    }

    /// Reads the descriptors of a rule; `take` returns false for an unknown name.
    mutating func descriptors(
        _ body: Range<Int>, expected: String = "a descriptor",
        _ take: (inout StylesheetParser, _ name: String, _ token: CSSToken, _ value: Range<Int>) -> Bool
    ) {
        for range in source.declarations(in: body) {
            let first = source.tokens[range.lowerBound]
            if let colon = source.colon(in: range),
                take(&self, source.word(of: first), first, (colon + 1)..<range.upperBound)
            {
                continue
            }
            warn(.invalidSyntax, "expected \(expected): ignored", at: range.lowerBound)
        }
    }
}
