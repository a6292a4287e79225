// Parsing of pseudo-classes and pseudo-elements (selectors-4 §3.5, §3.6) and of An+B.

import FancyTextBasics
import FancyTextMarkup

extension SelectorParser {
    mutating func parsePseudo(
        _ compound: inout Compound, _ selector: inout Selector, allowsPseudoElements: Bool
    ) throws(SelectorError) {
        let start = at
        at += 1
        let isElement = current == 0x3A
        if isElement { at += 1 }
        let name = try word("a pseudo-class")
        let isFunction = current == 0x28
        if isElement || (!isFunction && Self.oldElements.contains(name)) {
            guard allowsPseudoElements else { throw error("a pseudo-element may not stand here", at: start) }
            try parsePseudoElement(name, isFunction, start, &selector)
            if let parts = supportedParts, !Self.hasEffect(selector.pseudoElement, name, parts) {
                throw error("'::\(name)' is not supported", at: start)
            }
            return
        }
        // User-action states may follow a pseudo-element. It is then never shown.
        guard selector.pseudoElement == nil || Self.dynamicStates.contains(name)
        else { throw error("nothing may follow a pseudo-element", at: start) }
        if isFunction {
            at += 1
            guard nesting < Self.mostNesting
            else { throw beyondLimit("functions are nested more than \(Self.mostNesting) deep") }
            nesting += 1
            defer { nesting -= 1 }
            try parseFunction(name, start, &compound, &selector)
        } else {
            guard let simple = Self.plain(name)
            else {
                var advice = Self.advice(name)
                if case .name(let prefix)? = compound.simples.last {
                    let escaped = String(decoding: prefix + [0x5C] + bytes[start..<at], as: UTF8.self)
                    advice = "; a name with a colon is written '\(escaped)'"
                }
                throw error("unknown pseudo-class ':\(name)'\(advice)", at: start)
            }
            compound.simples.append(simple)
            selector.specificity += Specificity(classes: 1)
        }
    }

    /// Returns whether a pseudo-element is styled as in a browser, or never visible in a still picture.
    private static func hasEffect(_ element: PseudoElement?, _ name: String, _ parts: Set<String>) -> Bool {
        switch element {
        case nil, .before, .after, .marker, .firstLine, .firstLetter: true
        case .text, .ownText, .innerText, .attribute, .html: false
        case .other:
            parts.contains(name) || unseenElements.contains(name)
                || name.hasPrefix("view-transition") || name.hasPrefix("-webkit-scroll")
        }
    }

    /// Pseudo-elements of interaction, and of content that scripts open.
    private static let unseenElements: Set<String> = [
        "selection", "backdrop", "cue", "grammar-error", "spelling-error", "target-text", "search-text", "highlight",
        "-webkit-resizer",
    ]

    /// Pseudo-elements that may be written with one colon (selectors-4 §3.6).
    private static let oldElements: Set<String> = ["before", "after", "first-line", "first-letter"]

    private mutating func parsePseudoElement(
        _ name: String, _ isFunction: Bool, _ start: Int, _ selector: inout Selector
    ) throws(SelectorError) {
        guard selector.pseudoElement == nil || name == "marker"
        else { throw error("nothing may follow a pseudo-element", at: start) }
        selector.specificity += Specificity(types: 1)
        if isFunction {
            at += 1
            skipSpace()
            let argument = try identifier("a name")
            selector.pseudoElement =
                name == "attr" ? .attribute(String(decoding: argument, as: UTF8.self)) : .other(name)
            switch name {
            case "attr": break
            case "part", "highlight", "view-transition-group", "view-transition-image-pair", "view-transition-old",
                "view-transition-new", "picker":
                while skipSpace(), startsIdentifier() { _ = self.name() }
            case "slotted", "cue": skipArguments()
            default: throw error("unknown pseudo-element '::\(name)()'", at: start)
            }
            skipSpace()
            try close(0x29)
            return
        }
        let isOther =
            Self.otherElements.contains(name)
            || name.hasPrefix("-webkit-") && (!isStrict || Self.prefixedElements.contains(name))
        guard let element = Self.plainElements[name] ?? (isOther ? .other(name) : nil) else {
            let nearest = Spelling.nearest(to: name, in: Self.plainElements.keys.sorted(), most: min(2, name.count / 2))
            let isAttribute = ["attr", "href", "src", "title", "value", "alt", "class", "id"].contains(name)
            let advice = isAttribute ? "; an attribute is '::attr(href)'" : nearest.map { "; did you mean '::\($0)'?" }
            throw error("unknown pseudo-element '::\(name)'\(advice ?? "")", at: start)
        }
        // The marker of a pseudo-element is not that of the element.
        selector.pseudoElement = selector.pseudoElement == nil ? element : .other("\(name) of a pseudo-element")
    }

    private static let otherElements: Set<String> = [
        "selection", "placeholder", "backdrop", "file-selector-button", "cue", "grammar-error", "spelling-error",
        "target-text", "details-content", "footnote-call", "footnote-marker", "footnote-area", "search-text",
        "view-transition", "scroll-marker", "scroll-marker-group", "column", "checkmark", "picker-icon",
    ]

    private static let plainElements: [String: PseudoElement] = [
        "before": .before, "after": .after, "marker": .marker, "first-line": .firstLine, "first-letter": .firstLetter,
        "text": .text, "own-text": .ownText, "inner-text": .innerText, "html": .html,
    ]

    /// Known pseudo-elements with the `-webkit-` prefix. A style sheet accepts any other one too (Compatibility §3).
    private static let prefixedElements: Set<String> = [
        "-webkit-scrollbar", "-webkit-scrollbar-thumb", "-webkit-scrollbar-track", "-webkit-scrollbar-track-piece",
        "-webkit-scrollbar-button", "-webkit-scrollbar-corner", "-webkit-resizer", "-webkit-input-placeholder",
        "-webkit-file-upload-button", "-webkit-inner-spin-button", "-webkit-outer-spin-button",
        "-webkit-search-cancel-button", "-webkit-slider-thumb", "-webkit-slider-runnable-track",
        "-webkit-progress-bar", "-webkit-progress-value", "-webkit-progress-inner-element", "-webkit-meter-bar",
        "-webkit-meter-optimum-value", "-webkit-calendar-picker-indicator", "-webkit-color-swatch",
    ]

    /// The CSS for jQuery's pseudo-classes, by name.
    private static func advice(_ name: String) -> String {
        switch name {
        case "eq", "first", "last", "nth":
            "; use --nth, which counts from 1 over all matches, or ':nth-child(n)', which counts children"
        case "gt": "; ':nth-child(n + 4)' is the fourth child and those after it"
        case "lt": "; ':nth-child(-n + 3)' is the first three children"
        case "even": "; use ':nth-child(odd)', which counts from 1"
        case "odd": "; use ':nth-child(even)', which counts from 1"
        case "parent": "; use ':not(:empty)', or ':has(> a)' for the parent of an 'a'"
        case "header": "; use ':is(h1, h2, h3, h4, h5, h6)'"
        case "visible": "; use ':not([hidden])': styles are not known to selectors"
        case "hidden": "; use '[hidden]': styles are not known to selectors"
        case "button": "; use ':is(button, [type=button])'"
        case "input": "; use ':is(input, select, textarea, button)'"
        case "selected": "; use ':checked'"
        case "not", "is", "where", "has", "lang", "contains": "; it needs an argument, as in ':\(name)(…)'"
        case _ where name.hasPrefix("nth-"): "; it needs an argument, as in ':\(name)(2)'"
        case "text", "password", "checkbox", "radio", "submit", "reset", "file", "image": "; use '[type=\(name)]'"
        default: ""
        }
    }

    static let dynamicStates: Set<String> = [
        "hover", "active", "focus", "focus-within", "focus-visible", "visited", "target-within", "user-valid",
        "user-invalid", "fullscreen", "modal", "popover-open", "picture-in-picture", "playing", "paused", "seeking",
        "buffering", "stalled", "muted", "volume-locked", "autofill", "-webkit-autofill", "current", "past", "future",
        "local-link", "host", "blank",
    ]

    private static func plain(_ name: String) -> Simple? {
        switch name {
        case "first-child": .nth(Nth())
        case "last-child": .nth(Nth(fromEnd: true))
        case "first-of-type": .nth(Nth(ofType: true))
        case "last-of-type": .nth(Nth(fromEnd: true, ofType: true))
        case "any-link", "-webkit-any-link": .state(.link)
        default: StatePseudo(rawValue: name).map { .state($0) } ?? (dynamicStates.contains(name) ? .never : nil)
        }
    }

    private mutating func parseFunction(
        _ name: String, _ start: Int, _ compound: inout Compound, _ selector: inout Selector
    ) throws(SelectorError) {
        func highest(_ list: [Selector]) -> Specificity { list.map(\.specificity).max() ?? Specificity() }
        var weight = Specificity(classes: 1)
        switch name {
        case "not":
            let list = try parseList()
            compound.simples.append(.none(SelectorGroup(selectors: list)))
            weight = highest(list)
        case "is", "where", "matches", "-webkit-any", "any":
            let list = try parseForgivingList()
            compound.simples.append(.any(SelectorGroup(selectors: list)))
            weight = name == "where" ? Specificity() : highest(list)
        case "has":
            guard !insideHas else { throw error(":has() may not stand inside :has()", at: start) }
            insideHas = true
            defer { insideHas = false }
            let list = try parseList(relative: true)
            compound.simples.append(.has(SelectorGroup(selectors: list)))
            weight = highest(list)
        case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
            var nth = try parseNth()
            nth.fromEnd = name.hasPrefix("nth-last")
            nth.ofType = name.hasSuffix("of-type")
            if skipSpace(), !nth.ofType, startsIdentifier() {
                let before = at
                guard try word("'of'") == "of" else { throw error("expected 'of' or ')'", at: before) }
                let list = try parseList()
                nth.of = SelectorGroup(selectors: list)
                weight += highest(list)
            }
            compound.simples.append(.nth(nth))
        case "lang":
            compound.simples.append(.lang(try parseWords("a language").map { String(decoding: $0, as: UTF8.self) }))
        case "dir":
            skipSpace()
            let direction = try word("'ltr' or 'rtl'")
            let isKnown = ["ltr", "rtl"].contains(direction)
            compound.simples.append(isKnown ? .direction(rightToLeft: direction == "rtl") : .never)
        case "contains", "-soup-contains", "has-text": compound.simples.append(.contains(try parseTexts()))
        case "state", "active-view-transition-type":
            skipArguments()
            compound.simples.append(.never)
        case "host", "host-context", "current":
            _ = try parseList()
            compound.simples.append(.never)
        default: throw error("unknown pseudo-class ':\(name)()'\(Self.advice(name))", at: start)
        }
        selector.specificity += weight
        skipSpace()
        try close(0x29)
    }

    private mutating func skipArguments() { while let byte = current, byte != 0x29 { at += 1 } }

    private mutating func parseWords(_ what: String) throws(SelectorError) -> [[UInt8]] {
        try commaList { parser throws(SelectorError) in
            if parser.isAtQuote { return try parser.string() }
            guard parser.current == 0x2A else { return try parser.identifier(what) }
            // `*-CH` must be an escape or a string; an unescaped `*` is accepted leniently.
            parser.at += 1
            return [0x2A] + parser.name()
        }
    }

    private mutating func parseTexts() throws(SelectorError) -> [(bytes: [UInt8], ignoresCase: Bool)] {
        try commaList { parser throws(SelectorError) in
            let bytes = parser.isAtQuote ? try parser.string() : try parser.identifier("a text")
            parser.skipSpace()
            guard parser.startsIdentifier() else { return (bytes, false) }
            return (bytes, try parser.caseFlag("the flag after a text is 'i' or 's'"))
        }
    }

    /// The argument of `:is()` and `:where()`, whose invalid selectors are dropped (selectors-4 §18.1).
    private mutating func parseForgivingList() throws(SelectorError) -> [Selector] {
        if isStrict { return try parseList() }
        return try commaList { parser throws(SelectorError) in
            let start = parser.at
            do throws(SelectorError) {
                let selector = try parser.parseComplex()
                parser.skipSpace()
                if parser.current == nil || parser.current == 0x2C || parser.current == 0x29 { return selector }
            } catch {
                if parser.isBeyondLimit { throw error }
            }
            try parser.skipInvalid(from: start)
            return nil
        }
    }

    /// Skips to the comma or parenthesis that ends an invalid selector, past balanced brackets and strings.
    private mutating func skipInvalid(from start: Int) throws(SelectorError) {
        at = start
        var closers: [UInt8] = []
        while let byte = current {
            switch byte {
            case 0x22, 0x27:
                _ = try string()
                continue
            case 0x5C: at += 1
            case 0x28: closers.append(0x29)
            case 0x5B: closers.append(0x5D)
            case 0x7B: closers.append(0x7D)
            case 0x29, 0x5D, 0x7D:
                if closers.isEmpty {
                    if byte == 0x29 { return }
                    throw error("unexpected \(shown(at))")
                }
                if closers.last == byte { closers.removeLast() }
            case 0x2C where closers.isEmpty: return
            default: break
            }
            at += 1
        }
        at = min(at, bytes.count)
    }

    // MARK: An+B (css-syntax-3 §6)

    mutating func parseNth() throws(SelectorError) -> Nth {
        skipSpace()
        let start = at
        let sign = takeSign() ?? 1
        let digits = integer()
        if let byte = current, byte | 0x20 == 0x6E, !(digits == nil && isKeyword()) {
            at += 1
            let step = sign * (digits ?? 1)
            // `n-3` is one identifier; in other forms spaces are allowed around the sign.
            let beforeSpace = at
            skipSpace()
            if let offsetSign = takeSign() {
                skipSpace()
                guard let offset = integer(), !nameFollows() else { throw error("expected a number, not \(shown(at))") }
                return Nth(step: step, offset: offsetSign * offset)
            }
            at = beforeSpace
            guard !nameFollows() else { throw error("this is no An+B", at: start) }
            return Nth(step: step, offset: 0)
        }
        if at > start {
            guard let digits, !nameFollows() else { throw error("this is no An+B", at: start) }
            return Nth(offset: sign * digits)
        }
        switch try word("An+B, 'odd' or 'even'") {
        case "odd": return Nth(step: 2)
        case "even": return Nth(step: 2, offset: 0)
        default: throw error("expected An+B, 'odd' or 'even'", at: start)
        }
    }

    private mutating func takeSign() -> Int32? {
        guard current == 0x2B || current == 0x2D else { return nil }
        defer { at += 1 }
        return current == 0x2D ? -1 : 1
    }

    /// Returns whether the `n` at this position begins a longer word.
    private func isKeyword() -> Bool {
        next.map { $0.isASCIILetter || $0 == 0x5F || $0 >= 0x80 || $0 == 0x5C } ?? false
    }

    private func nameFollows() -> Bool {
        current.map { $0 != 0 && CSSLexis.isName($0) || $0 == 0x5C || $0 == 0x2E } ?? false
    }

    private mutating func integer() -> Int32? {
        var value: Int32?
        while let byte = current, byte.isASCIIDigit {
            value = min((value ?? 0) &* 10 &+ Int32(byte &- 0x30), 100_000_000)
            at += 1
        }
        return value
    }
}
