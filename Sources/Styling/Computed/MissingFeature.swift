// Features of CSS that an element asks for and that have no effect here, with the places that ask.
//
// In: declarations of properties whose effect is missing. Out: values of an element's style, by which the cascade decides which of
// them apply.

/// The computed value of a property whose effect is missing: where it was declared.
///
/// All values of a property are equal: elements that ask for the same feature share a style.
package struct MissingFeature: Hashable, Sendable {
    /// The property's, or that of an at-rule.
    package let name: String
    let source: CSSSource
    /// The token that asks.
    let token: Int

    /// The feature that a value asks for; nil where the value is one of `neutral`, which `|` separates.
    init?(_ name: StaticString, _ source: CSSSource, _ value: Range<Int>, neutral: String) {
        if neutral == "*" { return nil }
        let words = neutral.split(separator: "|")
        let parts = source.text(value).asciiLowercased().split(separator: ",").map {
            $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        if !parts.isEmpty, parts.allSatisfy({ part in words.contains { $0 == part } }) { return nil }
        self.init(name.description, source, value)
    }

    /// - Parameter value: The tokens of the value, after the name that the warning is about.
    init(_ name: String, _ source: CSSSource, _ value: Range<Int>) {
        self.name = name
        self.source = source
        var token = max(0, value.lowerBound - 1)
        while token > 0, source.tokens[token].kind == .whitespace || source.tokens[token].kind == .colon { token -= 1 }
        self.token = token
    }

    package static func == (a: MissingFeature, b: MissingFeature) -> Bool { a.name == b.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension StyleValues {
    /// What an element asks for by a property whose effect is missing.
    func missing(_ name: StaticString, inherited isInherited: Bool) -> MissingFeature? {
        let features = isInherited ? inherited.missing : own.missing
        return features.isEmpty ? nil : features.first { $0.name == name.description }
    }

    mutating func setMissing(_ name: StaticString, inherited isInherited: Bool, _ feature: MissingFeature?) {
        // What is already so is not written: a change would copy what is shared.
        guard feature != nil || missing(name, inherited: isInherited) != nil else { return }
        func set(_ features: inout [MissingFeature]) {
            features.removeAll { $0.name == name.description }
            if let feature { features.append(feature) }
        }
        if isInherited { set(&inherited.missing) } else { set(&own.missing) }
    }
}

extension ComputedStyle {
    /// The features that an element of this style asks for and that have no effect here.
    package var missing: [MissingFeature] { inherited.missing + sharedOwn.value.missing }
}
