// CSS features that an element uses and that have no effect here, as values of its style: the cascade decides which apply.

/// The place of the declaration of a property whose effect is missing. All of one name are equal, so that elements share styles.
package struct MissingFeature: Hashable, Sendable {
    /// The name of the property or at-rule; a whole declaration if its variables make it invalid.
    package let name: String
    package let source: CSSSource
    /// The token that the message points at.
    package let token: Int
    package let reason: Reason

    /// The reason for the missing effect. Variables make a value invalid when they are replaced (CSS Variables 1 §3.1).
    package enum Reason { case unsupported, emptyVariable, invalidVariables }

    /// - Parameter value: The tokens of the value, after the name that the warning is about.
    package init(_ name: String, _ source: CSSSource, _ value: Range<Int>, _ reason: Reason = .unsupported) {
        (self.name, self.source, self.reason) = (name, source, reason)
        var token = max(0, value.lowerBound - 1)
        while token > 0, source.tokens[token].kind == .whitespace || source.tokens[token].kind == .colon { token -= 1 }
        self.token = token
    }

    package static func == (a: MissingFeature, b: MissingFeature) -> Bool { a.name == b.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension StyleValues {
    /// The feature that an element uses through a property whose effect is missing.
    package func missing(_ name: String, inherited isInherited: Bool) -> MissingFeature? {
        let features = isInherited ? inherited.missing : own.missing
        return features.isEmpty ? nil : features.first { $0.name == name }
    }

    package mutating func setMissing(_ name: String, inherited isInherited: Bool, _ feature: MissingFeature?) {
        // Written only on a change: a write copies shared storage.
        guard feature != nil || missing(name, inherited: isInherited) != nil else { return }
        func set(_ features: inout [MissingFeature]) {
            features.removeAll { $0.name == name }
            if let feature { features.append(feature) }
        }
        if isInherited { set(&inherited.missing) } else { set(&own.missing) }
    }
}

extension ComputedStyle {
    package var missing: [MissingFeature] { inherited.missing + groups.own.value.missing }
}
