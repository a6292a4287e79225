// The selector grammar (selectors-4 §17–18 over css-syntax-3 tokens). In: UTF-8. Out: selectors, or the first error.

import FancyTextBasics
import FancyTextMarkup
import Synchronization

struct SelectorParser {
    let bytes: [UInt8]
    var at = 0
    static let mostNesting = 64
    /// The maximum number of compounds of one selector, which also bounds the recursion of the matcher.
    static let mostCompounds = 900
    var nesting = 0
    /// True if a limit was exceeded. Forgiving lists report that error too.
    var isBeyondLimit = false
    var insideHas = false
    /// For `@supports selector()`, the names of the parts that rules can style; no list is forgiving then.
    var supportedParts: Set<String>?
    var isStrict: Bool { supportedParts != nil }
    private static let identities = Atomic<Int>(0)

    static func freshIdentity() -> Int { identities.add(1, ordering: .relaxed).newValue }

    mutating func parseWholeList() throws(SelectorError) -> [Selector] {
        do throws(SelectorError) {
            let list = try parseList(allowsPseudoElements: true)
            guard at >= bytes.count else { throw error("unexpected \(shown(at))") }
            return list
        } catch {
            if bytes.starts(with: "// ".utf8) || bytes.starts(with: "//\n".utf8) {
                throw SelectorError(message: "expected a selector; comments of CSS are /* … */", column: error.column)
            }
            guard isXPath else { throw error }
            let advice = """
                ; this is XPath: in CSS, 'a//b' is 'a b', 'a/b' is 'a > b', 'a[@b]' is 'a[b]', 'a[1]' is \
                'a:nth-of-type(1)', '/text()' is '::text', '/@b' is '::attr(b)'
                """
            throw SelectorError(message: error.message + advice, column: error.column)
        }
    }

    /// Returns whether a text that is no selector looks like XPath: paths, attributes, numbers in brackets.
    private var isXPath: Bool {
        if String(decoding: bytes, as: UTF8.self).contains("/deep/") { return false }
        if bytes.starts(with: [0x2F]) || bytes.starts(with: [0x2E, 0x2F]) { return true }
        return bytes.indices.dropLast().contains { index in
            let (byte, next) = (bytes[index], bytes[index + 1])
            return byte == 0x2F && (next == 0x2F || next == 0x40 || next.isASCIILetter)
                || byte == 0x5B && (next == 0x40 || (0x31...0x39).contains(next)) || byte == 0x40 && next.isASCIILetter
        } || String(decoding: bytes, as: UTF8.self).contains("text()")
    }

    // MARK: Bytes

    /// An error with its column; an unexpected end is reported at the last character.
    func error(_ message: String, at offset: Int? = nil) -> SelectorError {
        var end = min(offset ?? at, bytes.count)
        if end == bytes.count { end = bytes.lastIndex { $0 & 0xC0 != 0x80 } ?? 0 }
        return SelectorError(message: message, column: bytes[..<end].reduce(1) { $0 + ($1 & 0xC0 != 0x80 ? 1 : 0) })
    }

    mutating func beyondLimit(_ message: String) -> SelectorError {
        isBeyondLimit = true
        return error(message)
    }

    func shown(_ offset: Int) -> String {
        guard offset < bytes.count else { return "end of selector" }
        var end = offset + 1
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        return "'\(String(decoding: bytes[offset..<end], as: UTF8.self))'"
    }

    var current: UInt8? { at < bytes.count ? bytes[at] : nil }
    var isAtQuote: Bool { current == 0x22 || current == 0x27 }
    var next: UInt8? { at + 1 < bytes.count ? bytes[at + 1] : nil }
    /// True at the bar between a namespace and a name, rather than that of an operator.
    private var isAtPrefixBar: Bool { current == 0x7C && next != 0x3D }

    /// Skips comments, then white space and comments. Returns whether there was white space.
    @discardableResult
    mutating func skipSpace() -> Bool {
        var any = false
        while let byte = current {
            if byte.isHTMLSpace {
                at += 1
                any = true
            } else if byte == 0x2F, next == 0x2A {
                at += 2
                while at < bytes.count, !(bytes[at] == 0x2A && next == 0x2F) { at += 1 }
                at = min(at + 2, bytes.count)
            } else {
                break
            }
        }
        return any
    }

    func startsIdentifier() -> Bool { bytes.withUnsafeBufferPointer { CSSLexis.startsIdentifier($0, at) } }

    mutating func name() -> [UInt8] {
        let start = at
        let name = bytes.withUnsafeBufferPointer { CSSLexis.name($0, start) }
        at = name.end
        return name.hasEscape ? CSSLexis.decode(bytes[start..<at], isString: false) : Array(bytes[start..<at])
    }

    /// Reads a word that is the same in upper and lower case.
    mutating func word(_ what: String) throws(SelectorError) -> String {
        String(decoding: try identifier(what).map(\.asciiLowercased), as: UTF8.self)
    }

    mutating func identifier(_ what: String) throws(SelectorError) -> [UInt8] {
        guard startsIdentifier() else { throw error("expected \(what), not \(shown(at))") }
        return name()
    }

    mutating func string() throws(SelectorError) -> [UInt8] {
        let start = at
        let string = bytes.withUnsafeBufferPointer { CSSLexis.string($0, start) }
        guard string.isWhole else { throw error("unterminated string", at: start) }
        at = string.next
        return CSSLexis.decode(bytes[start + 1..<string.end], isString: true)
    }

    // MARK: Lists and complex selectors

    mutating func parseList(
        relative: Bool = false, allowsPseudoElements: Bool = false
    ) throws(SelectorError) -> [Selector] {
        try commaList { parser throws(SelectorError) in
            try parser.parseComplex(relative: relative, allowsPseudoElements: allowsPseudoElements)
        }
    }

    /// Reads items separated by commas, without those that are nil.
    mutating func commaList<Item>(
        _ item: (inout SelectorParser) throws(SelectorError) -> Item?
    ) throws(SelectorError) -> [Item] {
        var list: [Item] = []
        while true {
            skipSpace()
            if let item = try item(&self) { list.append(item) }
            skipSpace()
            guard current == 0x2C else { return list }
            at += 1
        }
    }

    private mutating func combinator() -> Combinator? {
        let space = skipSpace()
        return combinatorSign() ?? (space && at < bytes.count && current != 0x2C && current != 0x29 ? .descendant : nil)
    }

    /// Reads `>`, `+` or `~`, and the space after it.
    private mutating func combinatorSign() -> Combinator? {
        guard let combinator = current.flatMap(Combinator.init), combinator != .descendant else { return nil }
        at += 1
        skipSpace()
        return combinator
    }

    mutating func parseComplex(
        relative: Bool = false, allowsPseudoElements: Bool = false
    ) throws(SelectorError) -> Selector {
        var selector = Selector()
        if relative, let sign = combinatorSign() { selector.leading = sign }
        while true {
            let start = at
            guard let compound = try parseCompound(&selector, allowsPseudoElements: allowsPseudoElements)
            else { throw error("expected a selector, not \(shown(at))", at: start) }
            selector.compounds.append(compound)
            if selector.compounds.count > Self.mostCompounds {
                throw beyondLimit("the selector has more than \(Self.mostCompounds) parts")
            }
            let before = at
            guard let next = combinator() else { return selector }
            if selector.pseudoElement != nil { throw error("nothing may follow a pseudo-element", at: before) }
            selector.combinators.append(next)
        }
    }

    // MARK: Compounds

    private mutating func parseCompound(
        _ selector: inout Selector, allowsPseudoElements: Bool
    ) throws(SelectorError) -> Compound? {
        var compound = Compound()
        var any = try parseType(&compound, &selector)
        while let byte = current {
            if selector.pseudoElement != nil, byte == 0x23 || byte == 0x2E || byte == 0x5B {
                throw error("nothing may follow a pseudo-element")
            }
            switch byte {
            case 0x23, 0x2E:
                at += 1
                let isID = byte == 0x23
                guard startsIdentifier() else {
                    let (kind, test) = isID ? ("an id", "id=") : ("a class", "class~=")
                    let advice =
                        current?.isASCIIDigit == true
                        ? "; \(kind) that begins with a digit is written as in [\(test)\"1\"]" : ""
                    throw error("expected \(kind) after '\(isID ? "#" : ".")', not \(shown(at))\(advice)")
                }
                compound.simples.append(isID ? .id(name()) : .className(name()))
                selector.specificity += isID ? Specificity(ids: 1) : Specificity(classes: 1)
            case 0x5B:
                compound.simples.append(.attribute(try parseAttribute()))
                selector.specificity += Specificity(classes: 1)
            case 0x3A: try parsePseudo(&compound, &selector, allowsPseudoElements: allowsPseudoElements)
            case 0x2F where next == 0x2A:
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

    /// Reads an element name or `*`, with any namespace. Returns whether there was one.
    private mutating func parseType(_ compound: inout Compound, _ selector: inout Selector) throws(SelectorError)
        -> Bool
    {
        // A prefix: `ns|`, `*|` or `|`.
        let noNamespace = isAtPrefixBar && next != 0x7C
        if noNamespace {
            at += 1
            guard current == 0x2A || startsIdentifier()
            else { throw error("expected an element name after '|', not \(shown(at))") }
        }
        var element: [UInt8]?
        if current == 0x2A {
            at += 1
        } else if startsIdentifier() {
            element = name()
        } else {
            return false
        }
        if !noNamespace, isAtPrefixBar, next != 0x7C {
            at += 1
            if current == 0x2A {
                at += 1
                element = nil
            } else {
                element = try identifier("an element name after '|'")
            }
        }
        // Every element of a parsed page has a namespace, so the selector matches nothing.
        if noNamespace { compound.simples.append(.never) }
        guard let element else { return true }
        selector.specificity += Specificity(types: 1)
        if let tag = TagID.named(element) {
            compound.tag = tag
        } else {
            compound.simples.append(.name(element.map(\.asciiLowercased)))
        }
        return true
    }

    private mutating func parseAttribute() throws(SelectorError) -> AttributeTest {
        at += 1
        skipSpace()
        let noNamespace = isAtPrefixBar
        if noNamespace {
            at += 1
        } else if current == 0x2A {
            at += 1
            guard isAtPrefixBar else { throw error("expected an attribute name, not \(shown(at))") }
            at += 1
        }
        var attribute = try identifier("an attribute name")
        if !noNamespace, isAtPrefixBar {
            // The prefix is a namespace; attributes keep theirs in the name (xlink:href).
            at += 1
            attribute += try [0x3A] + identifier("an attribute name after '|'")
        }
        skipSpace()
        // The end of the text closes the bracket.
        guard let operation = AttributeTest.Operator(rawValue: current ?? 0x5D) else {
            let advice = current == 0x21 ? "; for other values use ':not([name=value])'" : ""
            throw error("expected an attribute operator or ']', not \(shown(at))\(advice)")
        }
        var test = AttributeTest(name: AttributeName(attribute), test: operation)
        if operation == .exists {
            try close(0x5D)
            return test
        }
        at += 1
        if operation != .equals {
            guard current == 0x3D else { throw error("expected '=', not \(shown(at))") }
            at += 1
        }
        skipSpace()
        if isAtQuote {
            test.value = try string()
        } else if let byte = current, !startsIdentifier(), byte != 0x5D {
            let end = bytes[at...].firstIndex { $0 == 0x5D || $0.isHTMLSpace } ?? bytes.count
            let value = String(decoding: bytes[at..<end], as: UTF8.self)
            throw error("this value needs quotation marks: \"\(value)\"")
        } else {
            test.value = try identifier("an attribute value")
        }
        test.ignoresCase = Self.valuesWithoutCase.contains(test.name.bytes)
        skipSpace()
        if let byte = current, byte != 0x5D {
            guard startsIdentifier() else { throw error("expected ']', not \(shown(at))") }
            test.ignoresCase = try caseFlag("the flag after a value is 'i' or 's'")
        }
        try close(0x5D)
        return test
    }

    /// Reads `i` or `s`. Returns whether case is ignored.
    mutating func caseFlag(_ message: String) throws(SelectorError) -> Bool {
        let start = at
        let flag = name().map(\.asciiLowercased)
        skipSpace()
        if flag == [0x69] { return true }
        // As in browsers, an escaped 's' is not a flag.
        guard flag == [0x73], bytes[start] != 0x5C else { throw error(message, at: start) }
        return false
    }

    /// Skips a closing bracket; the end of the text closes all of them.
    mutating func close(_ bracket: UInt8) throws(SelectorError) {
        guard current != nil else { return }
        guard current == bracket
        else { throw error("expected '\(Character(Unicode.Scalar(bracket)))', not \(shown(at))") }
        at += 1
    }

    /// The attributes whose values match without regard to case (HTML §4.16.2).
    static let valuesWithoutCase: Set<[UInt8]> = Set(
        """
        accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer dir direction disabled enctype face \
        frame hreflang http-equiv lang language link media method multiple nohref noresize noshade nowrap readonly rel rev rules scope scrolling \
        selected shape target text type valign valuetype vlink
        """.split(separator: " ").map { Array($0.utf8) })
}
