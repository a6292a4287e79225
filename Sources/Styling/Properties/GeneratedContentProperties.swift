// Generated content and counters (CSS Content 3, CSS Lists 3 §4).

func generatedContentProperties() -> [Property] {
    [
        .value(
            "content",
            "normal | none | [ <content-replacement> | <content-list> ] [ / [ <string> | <counter> | <attr()> ]+ ]?",
            inherited: false, StyleField({ $0.box.content }, { $0.box.content = $1 })
        ) { $0.content() },
        .value(
            "counter-reset", "none | [ <counter-name> <integer>? | reversed(<counter-name>) <integer>? ]+",
            inherited: false, StyleField({ $0.box.counterReset }, { $0.box.counterReset = $1 })
        ) { $0.counterChanges(0, allowsReversed: true) },
        .value(
            "counter-set", "none | [ <counter-name> <integer>? ]+", inherited: false,
            StyleField({ $0.box.counterSet }, { $0.box.counterSet = $1 })
        ) { $0.counterChanges(0) },
        .value(
            "counter-increment", "none | [ <counter-name> <integer>? ]+", inherited: false,
            StyleField({ $0.box.counterIncrement }, { $0.box.counterIncrement = $1 })
        ) { $0.counterChanges(1) },
    ]
}

extension ValueCursor {
    fileprivate mutating func counterChanges(_ standard: Int, allowsReversed: Bool = false) -> [CounterChange]? {
        if keyword("none") { return [] }
        var changes: [CounterChange] = []
        while !isAtEnd {
            let name: String?
            if allowsReversed, isFunction("reversed") {
                name = arguments { $0.customIdent(except: ["none"]) }
            } else {
                name = customIdent(except: ["none"])
            }
            guard let name else { return nil }
            let start = index
            let value = integer()
            if value == nil { rewind(to: start) }
            changes.append(CounterChange(name: name, value: value ?? standard))
        }
        return changes.isEmpty ? nil : changes
    }

    /// `normal` is the inner nil; `none` is no part.
    fileprivate mutating func content() -> [ContentPart]?? {
        if keyword("normal") { return .some(nil) }
        if keyword("none") { return .some([]) }
        guard let parts = contentParts() else { return nil }
        if slash() {
            guard contentParts() != nil else { return nil }  // the alternative text: not shown
        }
        return .some(parts)
    }

    private mutating func contentParts() -> [ContentPart]? {
        var parts: [ContentPart] = []
        while let token {
            if token.kind == .delim { break }
            guard let part = contentPart() else { return nil }
            parts.append(part)
        }
        return parts.isEmpty ? nil : parts
    }

    private static let quoteKeywords: [(StaticString, ContentPart)] = [
        ("open-quote", .openQuote), ("close-quote", .closeQuote), ("no-open-quote", .noOpenQuote),
        ("no-close-quote", .noCloseQuote),
    ]

    private mutating func contentPart() -> ContentPart? {
        if let string = string() { return .string(string) }
        if let quote = keyword(Self.quoteKeywords) { return quote }
        if let image = image() { return .image(image) }
        if isFunction("counter") {
            return arguments { cursor in
                guard let name = cursor.customIdent(except: ["none"]) else { return nil }
                guard cursor.comma() else { return .counter(name: name, style: .named("decimal")) }
                return cursor.counterStyleOrNone().map { .counter(name: name, style: $0) }
            }
        }
        if isFunction("counters") {
            return arguments { cursor in
                guard let name = cursor.customIdent(except: ["none"]), cursor.comma(), let separator = cursor.string()
                else { return nil }
                guard cursor.comma() else {
                    return .counters(name: name, separator: separator, style: .named("decimal"))
                }
                return cursor.counterStyleOrNone().map { .counters(name: name, separator: separator, style: $0) }
            }
        }
        if isFunction("attr") {
            return arguments { cursor in
                guard let name = cursor.ident() else { return nil }
                // A type and a fallback may follow (CSS Values 5 §7.7); text is what `content` can use.
                if !cursor.isAtEnd, cursor.token?.kind != .comma { cursor.skipComponent() }
                if cursor.comma() { cursor.skipToEnd() }
                return .attribute(name.asciiLowercased())
            }
        }
        return nil
    }

    private mutating func counterStyleOrNone() -> CounterStyle? {
        if keyword("none") { return CounterStyle.none }
        if let string = string() { return .string(string) }
        return counterStyle()
    }
}
