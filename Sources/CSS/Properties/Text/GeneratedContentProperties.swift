// Lists, generated content and counters (CSS Lists 3, Content 3, Counter Styles 3).

func generatedContentProperties() -> [Property] {
    [
        .value("list-style-type", inherited: true, { $1(&$0.text.listStyleType) }) { $0.counterStyle() },
        .flag("list-style-position", inherited: true, { $1(&$0.text.listStyleInside) }, "outside", "inside"),
        .value("list-style-image", inherited: true, { $1(&$0.text.listStyleImage) }) { $0.backgroundImage() },
        .shorthand("list-style", ["list-style-position", "list-style-image", "list-style-type"]) { cursor, parts in
            // `none` may be the value of the image, the type or both.
            var nones = 0
            var seen: Set<Int> = []
            while !cursor.isAtEnd {
                if cursor.keyword("none") { nones += 1 } else if !parts.takeOnce(0..<3, &seen, &cursor) { return false }
            }
            let open = (seen.contains(1) ? 0 : 1) + (seen.contains(2) ? 0 : 1)
            guard nones <= open, nones + seen.count > 0 else { return false }
            if nones > 0, !seen.contains(2) { parts.parts[2] = .set { $0.text.listStyleType = .none } }
            return true
        },
        .value("quotes", inherited: true, { $1(&$0.text.quotes) }) { cursor in
            if cursor.keyword("auto") || cursor.keyword("match-parent") { return .some(nil) }
            if cursor.keyword("none") { return .some([]) }
            return cursor.some { $0.string() }.flatMap { $0.count % 2 == 0 ? .some($0) : nil }
        },
        .value("content", { $1(&$0.box.content) }) { $0.content() },
        .value("counter-reset", { $1(&$0.box.counterReset) }) { $0.counterChanges(0, allowsReversed: true) },
        .value("counter-set", { $1(&$0.box.counterSet) }) { $0.counterChanges(0) },
        .value("counter-increment", { $1(&$0.box.counterIncrement) }) { $0.counterChanges(1) },
        .value("bookmark-level", { $1(&$0.box.bookmark.level) }) { cursor in
            if cursor.keyword("none") { return .some(0) }
            return cursor.integer().flatMap { $0 >= 1 ? .some($0) : nil }
        },
        .value("bookmark-label", { $1(&$0.box.bookmark.label) }) {
            $0.contentParts(allowsText: true).map { .some($0) }
        },
        .flag("bookmark-state", { $1(&$0.box.bookmark.isClosed) }, "open", "closed"),
    ]
}

extension ValueCursor {
    fileprivate mutating func counterChanges(_ standard: Int, allowsReversed: Bool = false) -> [CounterChange]? {
        if keyword("none") { return [] }
        return some { cursor in
            let reversed = allowsReversed ? cursor.function("reversed") { $0.customIdent(except: ["none"]) } : nil
            let name = reversed ?? cursor.customIdent(except: ["none"])
            return name.map { CounterChange(name: $0, value: cursor.integer() ?? standard) }
        }
    }

    /// `content`: the inner `nil` is `normal`; `none` has no parts.
    package mutating func content() -> [ContentPart]?? {
        if keyword("normal") { return .some(nil) }
        if keyword("none") { return .some([]) }
        guard let parts = contentParts() else { return nil }
        // The alternative text is not shown.
        return slash() && contentParts() == nil ? nil : .some(parts)
    }

    /// - Parameter allowsText: True if `content()` may be a part.
    mutating func contentParts(allowsText: Bool = false) -> [ContentPart]? {
        var parts: [ContentPart] = []
        while let token, token.kind != .delim, token.kind != .comma {
            let isText = allowsText && isFunction("content")
            let text: ContentPart? = isText ? arguments { $0.isAtEnd || $0.keyword("text") ? .elementText : nil } : nil
            guard let part = isText ? text : contentPart() else { return nil }
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
        if context.isPageMargin, isFunction("string") {
            return arguments { cursor in
                guard let name = cursor.customIdent(except: ["none"]) else { return nil }
                return (cursor.comma() ? cursor.keyword() : .first).map { .named(name, $0) }
            }
        }
        let isList = isFunction("counters")
        if isList || isFunction("counter") {
            return arguments { $0.counter(isSeparated: isList) }.map { .counter(name: $0, separator: $1, style: $2) }
        }
        if !context.isPageMargin, let target = target() { return target }
        return function("attr") { cursor in
            guard let name = cursor.ident() else { return nil }
            // A type and a fallback may follow (CSS Values 5 §7.7); `content` always uses the value as text.
            if !cursor.isAtEnd, cursor.token?.kind != .comma { cursor.skipComponent() }
            let fallback = cursor.comma() ? cursor.string() : nil
            cursor.skipToEnd()
            return .attribute(name.asciiLowercased(), fallback: fallback ?? "")
        }
    }

    /// The arguments of `counter()`, or of `counters()`: a name, a separator, a style.
    private mutating func counter(isSeparated: Bool) -> (name: String, separator: String?, style: CounterStyle)? {
        guard let name = customIdent(except: ["none"]) else { return nil }
        let separator = isSeparated && comma() ? string() : nil
        if isSeparated, separator == nil { return nil }
        return (comma() ? counterStyle() : .named("decimal")).map { (name, separator, $0) }
    }

    private mutating func target() -> ContentPart? {
        if isFunction("target-text") {
            return arguments { cursor in
                guard let target = cursor.linkTarget() else { return nil }
                let isLetter = cursor.comma() ? cursor.choice("content", "first-letter") : false
                return isLetter.map { .target(target, .text(isLetter: $0)) }
            }
        }
        let hasSeparator = isFunction("target-counters")
        guard hasSeparator || isFunction("target-counter") else { return nil }
        return arguments { cursor in
            guard let target = cursor.linkTarget(), cursor.comma() else { return nil }
            return cursor.counter(isSeparated: hasSeparator).map {
                .target(target, .counter(name: $0, separator: $1, style: $2))
            }
        }
    }

    private mutating func linkTarget() -> LinkTarget? {
        if let string = string() { return .url(string) }
        if case .url(let url)? = image() { return .url(url) }
        return function("attr") { cursor in
            let name = cursor.ident()
            if cursor.keyword("url") {}
            return cursor.isAtEnd ? name.map { .attribute($0.asciiLowercased()) } : nil
        }
    }

    fileprivate mutating func counterStyle() -> CounterStyle? {
        if keyword("none") { return CounterStyle.none }
        if let string = string() { return .string(string) }
        if isFunction("symbols") {
            let symbols: [String]? = arguments { cursor in
                /// The least number of symbols of each system.
                let systems =
                    [("cyclic", 1), ("numeric", 2), ("alphabetic", 2), ("symbolic", 1), ("fixed", 1)]
                    as [(StaticString, Int)]
                let (least, symbols) = (cursor.keyword(systems) ?? 1, cursor.many { $0.string() })
                return symbols.count >= least ? symbols : nil
            }
            return symbols.map { $0.count == 1 ? .string($0[0]) : .string($0[0] + " ") }
        }
        return counterStyleName().map { .named($0) }
    }

    /// The name of a counter style. Predefined names are not case-sensitive.
    package mutating func counterStyleName() -> String? {
        guard let name = customIdent(except: ["none"]) else { return nil }
        let lower = name.asciiLowercased()
        return CounterText.isKnown(lower) ? lower : name
    }
}
