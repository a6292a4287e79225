// `@font-feature-values` (CSS Fonts 4 §6.9).

extension StylesheetParser {
    /// Reads an `@font-feature-values` rule: blocks named by functions, in which each name has numbers.
    mutating func fontFeatureValues(_ prelude: Range<Int>, _ body: Range<Int>, _ start: Int) {
        var cursor = self.cursor(prelude)
        let families = (cursor.families() ?? []).compactMap { family in
            if case .named(let name) = family { name.lowercased() } else { nil }
        }
        guard !families.isEmpty else {
            return warn(.invalidSyntax, "@font-feature-values needs a family: ignored", at: start)
        }
        var values = FontFeatureValues.Rule(families: families)
        var index = body.lowerBound
        while let first = source.tokens[index..<body.upperBound].firstIndex(where: { $0.kind == .atKeyword }) {
            let (_, declarations, next) = rule(at: first, before: body.upperBound)
            index = next
            guard let kind = FontAlternate.Kind(rawValue: source.word(of: source.tokens[first])), let declarations
            else {
                warn(.unsupportedRule, "expected a function of 'font-variant-alternates': ignored", at: first)
                continue
            }
            Self.forEachDeclaration(source, declarations) { range in
                let name = source.tokens[range.lowerBound]
                let rest = source.trimmed(range.dropFirst())
                var value = self.cursor(rest.dropFirst())
                let numbers = value.many { $0.integer(atLeast: 0) }
                guard name.kind == .ident, rest.first.map({ source.tokens[$0].kind }) == .colon, value.isAtEnd,
                    !numbers.isEmpty, kind == .styleset || numbers.count <= (kind.takesList ? 2 : 1)
                else { return warn(.invalidSyntax, "expected a name and its numbers: ignored", at: range.lowerBound) }
                values.numbers[.init(kind: kind, name: source.name(of: name))] = numbers
            }
        }
        sheet.featureValues.append(values)
    }
}
