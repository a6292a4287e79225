// The selector grammar (selectors-4 §17–18 over css-syntax-3 tokens): UTF-8 in, selectors or the first mistake out.

import Synchronization

struct SelectorParser {
    private let bytes: [UInt8]
    private var at = 0
    /// Functional pseudo-classes may nest this deep.
    private static let mostNesting = 64
    private var nesting = 0
    private var insideHas = false
    private static let identities = Atomic<Int>(0)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func freshIdentity() -> Int { identities.add(1, ordering: .relaxed).newValue }

    mutating func parseWholeList() throws(SelectorError) -> [Selector] {
        let list = try parseList(relative: false, allowsPseudoElements: true)
        guard at >= bytes.count else { throw error("unexpected \(shown(at))") }
        return list
    }

    // MARK: Bytes

    private func error(_ message: String, at offset: Int? = nil) -> SelectorError {
        let end = min(offset ?? at, bytes.count)
        return SelectorError(message: message, column: bytes[..<end].reduce(1) { $0 + ($1 & 0xC0 != 0x80 ? 1 : 0) })
    }

    private func shown(_ offset: Int) -> String {
        guard offset < bytes.count else { return "end of selector" }
        var end = offset + 1
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        return "“\(String(decoding: bytes[offset..<end], as: UTF8.self))”"
    }

    private var current: UInt8? { at < bytes.count ? bytes[at] : nil }
    private func peek(_ distance: Int) -> UInt8? { at + distance < bytes.count ? bytes[at + distance] : nil }

    /// Skips comments; then white space and comments. True when there was white space.
    @discardableResult
    private mutating func skipSpace() -> Bool {
        var any = false
        while let byte = current {
            if byte.isHTMLSpace {
                at += 1
                any = true
            } else if byte == 0x2F, peek(1) == 0x2A {
                at += 2
                while at < bytes.count, !(bytes[at] == 0x2A && peek(1) == 0x2F) { at += 1 }
                at = min(at + 2, bytes.count)
            } else {
                break
            }
        }
        return any
    }

    private func isNameStart(_ offset: Int) -> Bool {
        guard offset < bytes.count else { return false }
        let byte = bytes[offset]
        if byte.isASCIILetter || byte == 0x5F || byte >= 0x80 { return true }
        return byte == 0x5C && offset + 1 < bytes.count && bytes[offset + 1] != 0x0A
    }

    /// Whether an identifier starts here (css-syntax-3 §4.3.9).
    private func startsIdentifier() -> Bool {
        if isNameStart(at) { return true }
        return current == 0x2D && (isNameStart(at + 1) || peek(1) == 0x2D)
    }

    /// Name code points and escapes from here on.
    private mutating func name() -> [UInt8] {
        var name: [UInt8] = []
        while let byte = current {
            if ByteClass.table[Int(byte)] & ByteClass.cssName != 0 {
                name.append(byte)
                at += 1
            } else if byte == 0x5C, peek(1) != 0x0A, at + 1 <= bytes.count {
                escape(into: &name)
            } else {
                break
            }
        }
        return name
    }

    private mutating func escape(into out: inout [UInt8]) {
        at += 1
        guard let byte = current else {
            appendUTF8(0xFFFD, to: &out)
            return
        }
        guard byte.hexValue != nil else {
            out.append(byte)
            at += 1
            return
        }
        var value: UInt32 = 0
        var digits = 0
        while digits < 6, let digit = current?.hexValue {
            value = value * 16 + digit
            at += 1
            digits += 1
        }
        if current == 0x0D, peek(1) == 0x0A { at += 2 } else if current?.isHTMLSpace == true { at += 1 }
        appendUTF8(value == 0 ? 0xFFFD : value, to: &out)
    }

    private mutating func identifier(_ what: String) throws(SelectorError) -> [UInt8] {
        guard startsIdentifier() else { throw error("expected \(what), not \(shown(at))") }
        return name()
    }

    private mutating func string() throws(SelectorError) -> [UInt8] {
        let quote = bytes[at]
        let start = at
        at += 1
        var value: [UInt8] = []
        while let byte = current {
            if byte == quote {
                at += 1
                return value
            }
            if byte == 0x0A || byte == 0x0D || byte == 0x0C { throw error("unterminated string", at: start) }
            if byte == 0x5C {
                if peek(1) == 0x0A {
                    at += 2
                } else if at + 1 >= bytes.count {
                    at += 1
                } else {
                    escape(into: &value)
                }
            } else {
                value.append(byte)
                at += 1
            }
        }
        // The end of the text closes a string, as css-syntax-3 has it.
        return value
    }

    // MARK: Lists and complex selectors

    private mutating func parseList(relative: Bool, allowsPseudoElements: Bool) throws(SelectorError) -> [Selector] {
        var list: [Selector] = []
        while true {
            skipSpace()
            list.append(try parseComplex(relative: relative, allowsPseudoElements: allowsPseudoElements))
            skipSpace()
            guard current == 0x2C else { return list }
            at += 1
        }
    }

    private mutating func combinator() -> Combinator? {
        let space = skipSpace()
        switch current {
        case 0x3E:
            at += 1
            skipSpace()
            return .child
        case 0x2B:
            at += 1
            skipSpace()
            return .next
        case 0x7E:
            at += 1
            skipSpace()
            return .subsequent
        default:
            return space && at < bytes.count && current != 0x2C && current != 0x29 ? .descendant : nil
        }
    }

    private mutating func parseComplex(relative: Bool, allowsPseudoElements: Bool) throws(SelectorError) -> Selector {
        var selector = Selector(compounds: [], combinators: [], identity: Self.freshIdentity())
        if relative {
            switch current {
            case 0x3E: selector.leading = .child
            case 0x2B: selector.leading = .next
            case 0x7E: selector.leading = .subsequent
            default: break
            }
            if selector.leading != .descendant {
                at += 1
                skipSpace()
            }
        }
        while true {
            let start = at
            let compound = try parseCompound(&selector, allowsPseudoElements: allowsPseudoElements)
            guard let compound else { throw error("expected a selector, not \(shown(at))", at: start) }
            selector.compounds.append(compound)
            if selector.compounds.count > 1000 { throw error("the selector has too many parts") }
            let before = at
            guard let next = combinator() else { return selector }
            if selector.pseudoElement != nil { throw error("nothing may follow a pseudo-element", at: before) }
            selector.combinators.append(next)
        }
    }

    // MARK: Compounds

    private mutating func parseCompound(_ selector: inout Selector, allowsPseudoElements: Bool) throws(SelectorError) -> Compound? {
        var compound = Compound()
        var any = try parseType(&compound, &selector)
        while let byte = current {
            if selector.pseudoElement != nil, byte != 0x3A { if byte == 0x23 || byte == 0x2E || byte == 0x5B { throw error("nothing may follow a pseudo-element") } }
            switch byte {
            case 0x23:
                at += 1
                guard startsIdentifier() else { throw error("expected an id after “#”, not \(shown(at))") }
                compound.simples.append(.id(name()))
                selector.specificity = selector.specificity + Specificity(ids: 1)
            case 0x2E:
                at += 1
                compound.simples.append(.className(try identifier("a class after “.”")))
                selector.specificity = selector.specificity + Specificity(classes: 1)
            case 0x5B:
                compound.simples.append(.attribute(try parseAttribute(&compound)))
                selector.specificity = selector.specificity + Specificity(classes: 1)
            case 0x3A:
                try parsePseudo(&compound, &selector, allowsPseudoElements: allowsPseudoElements)
            case 0x2F where peek(1) == 0x2A:
                let before = at
                if skipSpace() { at = before; return any ? compound : nil }
                continue
            default:
                if any, byte == 0x2A || startsIdentifier() { throw error("an element name must come first") }
                return any ? compound : nil
            }
            any = true
        }
        return any ? compound : nil
    }

    /// An element name or `*`, with a namespace read leniently; true when there was one.
    private mutating func parseType(_ compound: inout Compound, _ selector: inout Selector) throws(SelectorError) -> Bool {
        // A prefix: `ns|`, `*|` or `|`.
        var noNamespace = false
        if current == 0x7C, peek(1) != 0x3D, peek(1) != 0x7C {
            at += 1
            noNamespace = true
            guard current == 0x2A || startsIdentifier() else { throw error("expected an element name after “|”, not \(shown(at))") }
        }
        var element: [UInt8]?
        if current == 0x2A {
            at += 1
            element = nil
        } else if startsIdentifier() {
            element = name()
        } else {
            return false
        }
        if !noNamespace, current == 0x7C, peek(1) != 0x3D, peek(1) != 0x7C {
            at += 1
            if current == 0x2A {
                at += 1
                element = nil
            } else {
                element = try identifier("an element name after “|”")
            }
        }
        // Every element of a parsed page is in a namespace.
        if noNamespace { compound.simples.append(.never) }
        guard let element else { return true }
        selector.specificity = selector.specificity + Specificity(types: 1)
        if let tag = TagID.named(element) { compound.tag = tag } else { compound.simples.append(.name(element.map(\.asciiLowercased))) }
        return true
    }

    private mutating func parseAttribute(_ compound: inout Compound) throws(SelectorError) -> AttributeTest {
        let start = at
        at += 1
        skipSpace()
        var noNamespace = false
        if current == 0x2A {
            at += 1
            guard current == 0x7C, peek(1) != 0x3D else { throw error("expected an attribute name, not \(shown(at))") }
            at += 1
        } else if current == 0x7C, peek(1) != 0x3D {
            at += 1
            noNamespace = true
        }
        var attribute = try identifier("an attribute name")
        if !noNamespace, current == 0x7C, peek(1) != 0x3D, at > start + 1 {
            // A prefix names a namespace; attributes keep theirs in the name (xlink:href).
            at += 1
            let local = try identifier("an attribute name after “|”")
            attribute = attribute + [0x3A] + local
        }
        skipSpace()
        var test = AttributeTest(name: AttributeName(attribute), test: .exists)
        guard let byte = current else { return test }
        if byte == 0x5D {
            at += 1
            return test
        }
        switch byte {
        case 0x3D: test.test = .equals
        case 0x7E: test.test = .word
        case 0x7C: test.test = .dash
        case 0x5E: test.test = .prefix
        case 0x24: test.test = .suffix
        case 0x2A: test.test = .substring
        default: throw error("expected an attribute operator or “]”, not \(shown(at))")
        }
        at += 1
        if test.test != .equals {
            guard current == 0x3D else { throw error("expected “=”, not \(shown(at))") }
            at += 1
        }
        skipSpace()
        if current == 0x22 || current == 0x27 {
            test.value = try string()
        } else {
            test.value = try identifier("an attribute value")
        }
        test.ignoresCase = Self.valuesWithoutCase.contains(test.name.bytes)
        skipSpace()
        if current == 0x5D {
            at += 1
            return test
        }
        guard current != nil else { return test }
        let flagStart = at
        let flag = try identifier("“]”")
        // As browsers have it: an escaped “s” is no flag.
        if bytes[flagStart] == 0x5C, flag.first.map({ $0 | 0x20 }) == 0x73 { throw error("the flag after a value is “i” or “s”", at: flagStart) }
        switch flag {
        case [0x69], [0x49]: test.ignoresCase = true
        case [0x73], [0x53]: test.ignoresCase = false
        default: throw error("the flag after a value is “i” or “s”", at: flagStart)
        }
        skipSpace()
        if current == nil { return test }
        guard current == 0x5D else { throw error("expected “]”, not \(shown(at))") }
        at += 1
        return test
    }

    /// HTML §4.16.2: the values of these attributes match without regard to case.
    private static let valuesWithoutCase: Set<[UInt8]> = Set(
        """
        accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer dir direction disabled enctype face \
        frame hreflang http-equiv lang language link media method multiple nohref noresize noshade nowrap readonly rel rev rules scope scrolling \
        selected shape target text type valign valuetype vlink
        """.split(separator: " ").map { Array($0.utf8) })

    // MARK: Pseudo-classes and pseudo-elements

    private mutating func parsePseudo(_ compound: inout Compound, _ selector: inout Selector, allowsPseudoElements: Bool) throws(SelectorError) {
        let start = at
        at += 1
        let isElement = current == 0x3A
        if isElement { at += 1 }
        let raw = try identifier("a pseudo-class")
        let name = String(decoding: raw.map(\.asciiLowercased), as: UTF8.self)
        let isFunction = current == 0x28
        if isElement || (!isFunction && ["before", "after", "first-line", "first-letter"].contains(name)) {
            guard allowsPseudoElements else { throw error("a pseudo-element may not stand here", at: start) }
            try parsePseudoElement(name, isFunction, start, &selector)
            return
        }
        if let element = selector.pseudoElement {
            // User-action states may follow a pseudo-element; it then never shows.
            guard SelectorParser.dynamicStates.contains(name) else { throw error("nothing may follow a pseudo-element", at: start) }
            _ = element
        }
        if isFunction {
            at += 1
            guard nesting < Self.mostNesting else { throw error("too many nested functions") }
            nesting += 1
            defer { nesting -= 1 }
            try parseFunction(name, start, &compound, &selector)
        } else {
            try parsePlainPseudo(name, start, &compound)
            selector.specificity = selector.specificity + Specificity(classes: 1)
        }
    }

    private mutating func parsePseudoElement(_ name: String, _ isFunction: Bool, _ start: Int, _ selector: inout Selector) throws(SelectorError) {
        guard selector.pseudoElement == nil || name == "marker" else { throw error("nothing may follow a pseudo-element", at: start) }
        selector.specificity = selector.specificity + Specificity(types: 1)
        if isFunction {
            at += 1
            skipSpace()
            let argument = try identifier("a name")
            switch name {
            case "attr": selector.pseudoElement = .attribute(String(decoding: argument, as: UTF8.self))
            case "part", "highlight", "view-transition-group", "view-transition-image-pair", "view-transition-old", "view-transition-new", "picker":
                selector.pseudoElement = .other(name)
                while skipSpace(), startsIdentifier() { _ = self.name() }
            case "slotted", "cue":
                selector.pseudoElement = .other(name)
                while let byte = current, byte != 0x29 { at += 1; _ = byte }
            default: throw error("unknown pseudo-element “::\(name)()”", at: start)
            }
            skipSpace()
            try closeParenthesis()
            return
        }
        switch name {
        case "before": selector.pseudoElement = .before
        case "after": selector.pseudoElement = .after
        case "marker": selector.pseudoElement = .marker
        case "first-line": selector.pseudoElement = .firstLine
        case "first-letter": selector.pseudoElement = .firstLetter
        case "text": selector.pseudoElement = .text
        case "html": selector.pseudoElement = .html
        case "selection", "placeholder", "backdrop", "file-selector-button", "cue", "grammar-error", "spelling-error", "target-text", "details-content",
            "search-text", "view-transition", "scroll-marker", "scroll-marker-group", "column", "checkmark", "picker-icon":
            selector.pseudoElement = .other(name)
        default:
            guard name.hasPrefix("-webkit-") else { throw error("unknown pseudo-element “::\(name)”", at: start) }
            selector.pseudoElement = .other(name)
        }
    }

    private mutating func closeParenthesis() throws(SelectorError) {
        guard current != nil else { return }
        guard current == 0x29 else { throw error("expected “)”, not \(shown(at))") }
        at += 1
    }

    static let dynamicStates: Set<String> = [
        "hover", "active", "focus", "focus-within", "focus-visible", "visited", "target-within", "user-valid", "user-invalid", "fullscreen", "modal",
        "popover-open", "picture-in-picture", "playing", "paused", "seeking", "buffering", "stalled", "muted", "volume-locked", "autofill",
        "-webkit-autofill", "current", "past", "future", "local-link", "host", "first", "left", "right", "blank",
    ]

    private mutating func parsePlainPseudo(_ name: String, _ start: Int, _ compound: inout Compound) throws(SelectorError) {
        func nth(_ offset: Int32, fromEnd: Bool, ofType: Bool) -> Simple { .nth(Nth(step: 0, offset: offset, fromEnd: fromEnd, ofType: ofType)) }
        let simple: Simple
        switch name {
        case "first-child": simple = nth(1, fromEnd: false, ofType: false)
        case "last-child": simple = nth(1, fromEnd: true, ofType: false)
        case "first-of-type": simple = nth(1, fromEnd: false, ofType: true)
        case "last-of-type": simple = nth(1, fromEnd: true, ofType: true)
        case "only-child": simple = .state(.onlyChild)
        case "only-of-type": simple = .state(.onlyOfType)
        case "root": simple = .state(.root)
        case "scope": simple = .state(.scope)
        case "empty": simple = .state(.empty)
        case "link", "any-link", "-webkit-any-link": simple = .state(.link)
        case "checked": simple = .state(.checked)
        case "disabled": simple = .state(.disabled)
        case "enabled": simple = .state(.enabled)
        case "required": simple = .state(.required)
        case "optional": simple = .state(.optional)
        case "read-only": simple = .state(.readOnly)
        case "read-write": simple = .state(.readWrite)
        case "placeholder-shown": simple = .state(.placeholderShown)
        case "default": simple = .state(.defaultState)
        case "open": simple = .state(.open)
        case "target": simple = .state(.target)
        case "defined": simple = .state(.defined)
        case "indeterminate": simple = .state(.indeterminate)
        case "in-range": simple = .state(.inRange)
        case "out-of-range": simple = .state(.outOfRange)
        case "valid": simple = .state(.valid)
        case "invalid": simple = .state(.invalid)
        default:
            guard Self.dynamicStates.contains(name) else { throw error("unknown pseudo-class “:\(name)”", at: start) }
            simple = .never
        }
        compound.simples.append(simple)
    }

    private mutating func parseFunction(_ name: String, _ start: Int, _ compound: inout Compound, _ selector: inout Selector) throws(SelectorError) {
        func highest(_ list: [Selector]) -> Specificity { list.map(\.specificity).max() ?? Specificity() }
        switch name {
        case "not":
            let list = try parseList(relative: false, allowsPseudoElements: false)
            compound.simples.append(.none(SelectorGroup(selectors: list, identity: Self.freshIdentity())))
            selector.specificity = selector.specificity + highest(list)
        case "is", "where", "matches", "-webkit-any", "any":
            let list = try parseForgivingList()
            compound.simples.append(.any(SelectorGroup(selectors: list, identity: Self.freshIdentity())))
            if name != "where" { selector.specificity = selector.specificity + highest(list) }
        case "has":
            guard !insideHas else { throw error(":has() may not stand inside :has()", at: start) }
            insideHas = true
            defer { insideHas = false }
            let list = try parseList(relative: true, allowsPseudoElements: false)
            compound.simples.append(.has(SelectorGroup(selectors: list, identity: Self.freshIdentity())))
            selector.specificity = selector.specificity + highest(list)
        case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
            var nth = try parseNth()
            nth.fromEnd = name.hasPrefix("nth-last")
            nth.ofType = name.hasSuffix("of-type")
            let space = skipSpace()
            if space, !nth.ofType, startsIdentifier() {
                let before = at
                guard self.name().map(\.asciiLowercased) == [0x6F, 0x66] else { throw error("expected “of” or “)”", at: before) }
                let list = try parseList(relative: false, allowsPseudoElements: false)
                nth.of = SelectorGroup(selectors: list, identity: Self.freshIdentity())
                selector.specificity = selector.specificity + highest(list)
            }
            compound.simples.append(.nth(nth))
            selector.specificity = selector.specificity + Specificity(classes: 1)
        case "lang":
            compound.simples.append(.lang(try parseWords("a language").map { String(decoding: $0, as: UTF8.self) }))
            selector.specificity = selector.specificity + Specificity(classes: 1)
        case "dir":
            skipSpace()
            let direction = try identifier("“ltr” or “rtl”").map(\.asciiLowercased)
            switch direction {
            case Array("rtl".utf8): compound.simples.append(.direction(rightToLeft: true))
            case Array("ltr".utf8): compound.simples.append(.direction(rightToLeft: false))
            default: compound.simples.append(.never)
            }
            selector.specificity = selector.specificity + Specificity(classes: 1)
        case "contains", "-soup-contains", "has-text":
            compound.simples.append(.contains(try parseTexts()))
            selector.specificity = selector.specificity + Specificity(classes: 1)
        case "state", "active-view-transition-type", "host", "host-context", "current":
            while let byte = current, byte != 0x29 { at += 1; _ = byte }
            compound.simples.append(.never)
            selector.specificity = selector.specificity + Specificity(classes: 1)
        default:
            throw error("unknown pseudo-class “:\(name)()”", at: start)
        }
        skipSpace()
        try closeParenthesis()
    }

    /// Words or strings separated by commas.
    private mutating func parseWords(_ what: String) throws(SelectorError) -> [[UInt8]] {
        var words: [[UInt8]] = []
        while true {
            skipSpace()
            if current == 0x22 || current == 0x27 {
                words.append(try string())
            } else if current == 0x2A {
                // `*-CH` is written with an escape or as a string; a bare one is read leniently.
                at += 1
                words.append([0x2A] + name())
            } else {
                words.append(try identifier(what))
            }
            skipSpace()
            guard current == 0x2C else { return words }
            at += 1
        }
    }

    private mutating func parseTexts() throws(SelectorError) -> [AttributeValue] {
        var texts: [AttributeValue] = []
        while true {
            skipSpace()
            var text = AttributeValue(bytes: [], ignoresCase: false)
            text.bytes = current == 0x22 || current == 0x27 ? try string() : try identifier("a text")
            skipSpace()
            if startsIdentifier() {
                let flagStart = at
                switch name() {
                case [0x69], [0x49]: text.ignoresCase = true
                case [0x73], [0x53]: break
                default: throw error("the flag after a text is “i” or “s”", at: flagStart)
                }
                skipSpace()
            }
            texts.append(text)
            guard current == 0x2C else { return texts }
            at += 1
        }
    }

    /// `:is()` and `:where()` drop what they do not understand (selectors-4 §18.1).
    private mutating func parseForgivingList() throws(SelectorError) -> [Selector] {
        var list: [Selector] = []
        while true {
            skipSpace()
            let start = at
            do {
                let selector = try parseComplex(relative: false, allowsPseudoElements: false)
                skipSpace()
                if current == nil || current == 0x2C || current == 0x29 { list.append(selector) } else { try skipInvalid(from: start) }
            } catch {
                try skipInvalid(from: start)
            }
            guard current == 0x2C else { return list }
            at += 1
        }
    }

    /// Moves to the comma or parenthesis that ends an invalid selector, over balanced brackets and strings.
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

    private mutating func parseNth() throws(SelectorError) -> Nth {
        skipSpace()
        let start = at
        func nth(_ step: Int32, _ offset: Int32) -> Nth { Nth(step: step, offset: offset, fromEnd: false, ofType: false) }
        var sign: Int32 = 1
        if current == 0x2B || current == 0x2D {
            sign = current == 0x2D ? -1 : 1
            at += 1
        }
        let digits = integer()
        if let byte = current, byte | 0x20 == 0x6E, !(digits == nil && isKeyword()) {
            at += 1
            let step = sign * (digits ?? 1)
            // `n-3` is one identifier; elsewhere the sign may stand between spaces.
            let beforeSpace = at
            skipSpace()
            if current == 0x2B || current == 0x2D {
                let offsetSign: Int32 = current == 0x2D ? -1 : 1
                at += 1
                skipSpace()
                guard let offset = integer(), !nameFollows() else { throw error("expected a number, not \(shown(at))") }
                return nth(step, offsetSign * offset)
            }
            at = beforeSpace
            guard !nameFollows() else { throw error("this is no An+B", at: start) }
            return nth(step, 0)
        }
        if let digits {
            guard !nameFollows() else { throw error("this is no An+B", at: start) }
            return nth(0, sign * digits)
        }
        guard at == start else { throw error("this is no An+B", at: start) }
        switch try identifier("An+B, “odd” or “even”").map(\.asciiLowercased) {
        case Array("odd".utf8): return nth(2, 1)
        case Array("even".utf8): return nth(2, 0)
        default: throw error("expected An+B, “odd” or “even”", at: start)
        }
    }

    /// Whether the `n` here starts a longer word.
    private func isKeyword() -> Bool {
        guard let next = peek(1) else { return false }
        return next.isASCIILetter || next == 0x5F || next >= 0x80 || next == 0x5C
    }

    private func nameFollows() -> Bool { current.map { ByteClass.table[Int($0)] & ByteClass.cssName != 0 || $0 == 0x5C || $0 == 0x2E } ?? false }

    private mutating func integer() -> Int32? {
        var value: Int32?
        while let byte = current, byte.isASCIIDigit {
            value = min((value ?? 0) &* 10 &+ Int32(byte &- 0x30), 100_000_000)
            at += 1
        }
        return value
    }
}
