// `var()` (CSS Variables 1 §3). In: tokens with `var()`. Out: text without references, or nil if a reference has no value. Cycles
// make every property in them invalid. The size of the result is limited: doubling variables cannot exhaust memory.

package struct VariableResolver {
    private static let longest = 1 << 18
    private static let deepest = 64

    private let inherited: CustomProperties

    package init(_ inherited: CustomProperties) { self.inherited = inherited }

    /// - Parameter account: The bytes that may still be produced. If they do not suffice, the result is `nil`.
    package func substitute(_ source: CSSSource, _ range: Range<Int>, from account: inout ByteAccount) -> [UInt8]? {
        var out: [UInt8] = []
        guard write(source, range, into: &out, 0, { inherited.values[$0] }), account.take(out.count) else { return nil }
        return out
    }

    /// The inherited properties merged with `declared`, whose values win; `nil` removes a property.
    package func merging(_ declared: [String: CustomValue?], from account: inout ByteAccount) -> CustomProperties {
        var result = inherited.values
        for (name, value) in declared where value == nil { result[name] = nil }
        var state: [String: Bool] = [:]  // false while being resolved, true when done

        func resolve(_ name: String, _ depth: Int) {
            guard state[name] == nil, let found = declared[name], let value = found else { return }
            let isTooDeep = depth >= Self.deepest
            if isTooDeep || !value.source.hasReference(value.range) {
                state[name] = true
                result[name] = isTooDeep ? nil : value
                return
            }
            state[name] = false
            var isCyclic = false
            var out: [UInt8] = []
            let isResolved = write(value.source, value.range, into: &out, 0) { reference in
                if state[reference] == false {
                    isCyclic = true
                    return nil
                }
                resolve(reference, depth + 1)
                return declared[reference] != nil && state[reference] != true ? nil : result[reference]
            }
            state[name] = true
            guard isResolved, !isCyclic, account.take(out.count) else {
                // An invalid property has no value in a cycle, else the inherited one (`unset`).
                result[name] = isCyclic ? nil : inherited.values[name]
                return
            }
            let source = CSSSource(out)
            result[name] = CustomValue(source: source, range: source.tokens.indices)
        }
        for name in declared.keys.sorted() { resolve(name, 0) }
        return CustomProperties(result)
    }

    private func write(
        _ source: CSSSource, _ range: Range<Int>, into out: inout [UInt8], _ depth: Int,
        _ look: (String) -> CustomValue?
    ) -> Bool {
        guard depth < Self.deepest else { return false }
        var index = range.lowerBound
        while index < range.upperBound {
            let token = source.tokens[index]
            let isVariable = token.kind == .function && source.name(of: token, is: "var")
            guard isVariable || token.kind == .function && source.name(of: token, is: "env") else {
                out += source.bytes[Int(token.start)..<Int(token.end)]
                // Tokens that a comment separated stay separate.
                if index + 1 < range.upperBound, source.tokens[index + 1].start > token.end { out += "/**/".utf8 }
                index += 1
                guard out.count < Self.longest else { return false }
                continue
            }
            guard let (name, fallback) = source.reference(at: index, before: range.upperBound) else { return false }
            out += "/**/".utf8
            if isVariable, let value = look(String(name.dropFirst(2))) {
                guard write(value.source, value.range, into: &out, depth + 1, look) else { return false }
            } else if !isVariable, name.hasPrefix("safe-area-inset-") || name.hasPrefix("keyboard-inset-") {
                // Nothing covers the edges of a picture.
                out += "0px".utf8
            } else if let fallback {
                guard write(source, fallback, into: &out, depth + 1, look) else { return false }
            } else {
                return false
            }
            out += "/**/".utf8
            index = source.past(index, before: range.upperBound)
        }
        return true
    }
}

/// A budget of bytes that a document may produce.
package struct ByteAccount {
    private var left: Int
    /// True if more was requested than was left.
    package private(set) var isOverdrawn = false

    package init(_ bytes: Int) { left = bytes }

    /// Returns false if too few bytes are left, and from then on always.
    package mutating func take(_ bytes: Int) -> Bool {
        isOverdrawn = isOverdrawn || bytes > left
        if !isOverdrawn { left -= bytes }
        return !isOverdrawn
    }
}
