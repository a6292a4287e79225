// A CSS text and its tokens, to which declarations, selectors and diagnostics refer.

import FancyTextBasics

/// A token of CSS. Offsets are bytes of ``CSSSource/bytes``.
package struct CSSToken: Sendable {
    package enum Kind: Sendable {
        case ident, function, atKeyword, hash, string, badString, url, badURL, delim
        case number, percentage, dimension, whitespace, cdo, cdc, colon, semicolon, comma
        case openBracket, closeBracket, openParen, closeParen, openBrace, closeBrace
    }

    package var kind: Kind
    /// The number was written without fraction and exponent.
    package var isInteger = false
    /// The name holds an escape or a NUL, and must be decoded before it is compared.
    package var hasEscape = false
    package var start, end: UInt32
    /// The start of the name, of the string's text or of a dimension's unit; `nameEnd` is its end.
    package var nameStart: UInt32 = 0, nameEnd: UInt32 = 0
    /// For functions and opening brackets: the index of the closing token, or the token count where it is missing.
    package var match: UInt32 = 0
    package var number: Double = 0

    package init(_ kind: Kind, _ start: Int) {
        (self.kind, self.start, end) = (kind, UInt32(truncatingIfNeeded: start), 0)
    }
}

/// A CSS text with its tokens. Ranges of tokens refer to it.
package final class CSSSource: PlacedText {
    package let bytes: [UInt8]
    package let tokens: [CSSToken]
    /// True if a length uses a unit that depends on the font's metrics, such as `ch`.
    package let usesFontUnits: Bool
    /// The start of a comment that the text does not close.
    package let openComment: Int?
    /// The name of the text in diagnostics. A text within a document has the document's name.
    package let name: String
    /// The base of its relative URLs: a URL or the name of a file.
    package let base: String
    /// The URL of a sheet in a file, relative to the document; "" for other texts.
    private let address: String
    package let lineIndex = LineIndex()

    /// Tokenizes a text; what is beyond `UInt32.max` bytes is cut off. Generated text has no name, and reports no errors. A base of
    /// nil is the name.
    package init(_ bytes: [UInt8], name: String = "", base: String? = nil, address: String = "") {
        (self.bytes, self.name, self.base) = (bytes, name, base ?? name)
        self.address = address.isEmpty || URLReference(address).scheme != nil ? "" : address
        (tokens, usesFontUnits, openComment) = bytes.withUnsafeBufferPointer { buffer in
            var tokenizer = CSSTokenizer(UnsafeBufferPointer(rebasing: buffer.prefix(Int(UInt32.max) - 1)))
            tokenizer.run()
            return (tokenizer.tokens, tokenizer.usesFontUnits, tokenizer.openComment)
        }
    }

    package convenience init(_ text: String, name: String = "", base: String? = nil) {
        self.init(Array(text.utf8), name: name, base: base)
    }

    /// A URL in the text, resolved against the text's base where that is a URL of the network (CSS Values 4 §4.5), or else made
    /// relative to the document. An empty one is no reference to the sheet (§4.5.1).
    package func absolute(_ url: String) -> String {
        let base = URLReference.isRemote(base) ? base : address
        return base.isEmpty || url.isEmpty || url.hasPrefix("#") ? url : URLReference.resolve(url, against: base)
    }

    /// Creates a source from tokens that were assembled from several texts (`var()` substitution).
    package init(bytes: [UInt8], tokens: [CSSToken], like source: CSSSource) {
        (self.bytes, self.tokens) = (bytes, tokens)
        (name, base, address) = (source.name, source.base, source.address)
        // The sources that the tokens came from already record whether they use such units.
        usesFontUnits = false
        openComment = source.openComment
    }

    /// The decoded name, string, unit or URL of a token.
    package func name(of token: CSSToken) -> String {
        let range = Int(token.nameStart)..<Int(token.nameEnd)
        guard token.hasEscape else { return String(decoding: bytes[range], as: UTF8.self) }
        return String(decoding: CSSLexis.decode(bytes[range], isString: token.kind == .string), as: UTF8.self)
    }

    package func word(of token: CSSToken) -> String { name(of: token).asciiLowercased() }

    package func withName<Result>(of token: CSSToken, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if token.hasEscape {
            var name = name(of: token)
            return name.withUTF8(body)
        }
        return bytes.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[Int(token.nameStart)..<Int(token.nameEnd)]))
        }
    }

    /// Returns whether the token's name is `word` (lower-case ASCII), ignoring ASCII case.
    @inline(__always)
    package func name(of token: CSSToken, is word: StaticString) -> Bool {
        if token.hasEscape { return self.word(of: token) == word.description }
        let count = Int(token.nameEnd &- token.nameStart)
        guard count == word.utf8CodeUnitCount else { return false }
        let start = Int(token.nameStart)
        let pointer = word.utf8Start
        return bytes.withUnsafeBufferPointer { buffer in
            for index in 0..<count {
                if buffer[start &+ index].asciiLowercased != pointer[index] { return false }
            }
            return true
        }
    }

    /// The first block that only the end of the text closes.
    package var openBlock: CSSToken? { tokens.first { $0.kind == .openBrace && Int($0.match) >= tokens.count } }

    /// Returns whether one of the names is directly before a token of a kind. O(tokens).
    package func hasName(_ names: [StaticString], before kind: CSSToken.Kind) -> Bool {
        zip(tokens, tokens.dropFirst()).contains { token, next in
            token.kind == .ident && next.kind == kind && names.contains { name(of: token, is: $0) }
        }
    }

    package func text(_ range: Range<Int>) -> String {
        guard !range.isEmpty, range.upperBound <= tokens.count else { return "" }
        let text = bytes[Int(tokens[range.lowerBound].start)..<Int(tokens[range.upperBound - 1].end)]
        return String(decoding: text, as: UTF8.self)
    }

    /// The index after the component value at `index`, which is a token or a whole block or function.
    package func past(_ index: Int, before end: Int) -> Int {
        switch tokens[index].kind {
        case .function, .openParen, .openBracket, .openBrace: min(Int(tokens[index].match) + 1, end)
        default: index + 1
        }
    }

    /// The first token of a kind in a range, outside of blocks and functions; the end of the range if there is none.
    package func first(_ kind: CSSToken.Kind, in range: Range<Int>) -> Int {
        var index = range.lowerBound
        while index < range.upperBound, tokens[index].kind != kind { index = past(index, before: range.upperBound) }
        return index
    }

    /// The component values of a range, white space included.
    package func components(_ range: Range<Int>) -> [Range<Int>] {
        var result: [Range<Int>] = []
        while let start = result.last?.upperBound ?? range.first, start < range.upperBound {
            result.append(start..<past(start, before: range.upperBound))
        }
        return result
    }

    package func hasReference(_ range: Range<Int>) -> Bool {
        tokens[range].contains { token in
            token.kind == .function && (name(of: token, is: "var") || name(of: token, is: "env"))
        }
    }

    /// The name and the fallback of the `var()` or `env()` at an index; nil if it has another form.
    package func reference(at index: Int, before end: Int) -> (name: String, fallback: Range<Int>?)? {
        let inner = trimmed((index + 1)..<max(index + 1, min(Int(tokens[index].match), end)))
        guard let first = inner.first, tokens[first].kind == .ident else { return nil }
        let rest = trimmed(inner.dropFirst())
        guard let comma = rest.first else { return (name(of: tokens[first]), nil) }
        return tokens[comma].kind == .comma ? (name(of: tokens[first]), rest.dropFirst()) : nil
    }

    /// The first token of a declaration or a rule: the first one that is neither white space nor a semicolon.
    package func item(in range: Range<Int>) -> Int? {
        tokens[range].firstIndex { $0.kind != .whitespace && $0.kind != .semicolon }
    }

    /// The parts of a range between semicolons, without leading white space.
    package func declarations(in range: Range<Int>) -> [Range<Int>] {
        var result: [Range<Int>] = []
        while let start = item(in: (result.last?.upperBound ?? range.lowerBound)..<range.upperBound) {
            result.append(start..<first(.semicolon, in: start..<range.upperBound))
        }
        return result
    }

    /// Returns whether tokens are `name: value` rather than a nested rule (`a:hover { }`). The value of a declaration has no
    /// block, unless it is a custom property or the block is the whole value (CSS Syntax 3 §5.5.5).
    package func isDeclaration(_ range: Range<Int>) -> Bool {
        guard let colon = colon(in: range) else { return false }
        if name(of: tokens[range.lowerBound]).hasPrefix("--") { return true }
        let value = trimmed((colon + 1)..<range.upperBound)
        var at = value.lowerBound
        while at < value.upperBound {
            let next = past(at, before: value.upperBound)
            if tokens[at].kind == .openBrace, next - at < value.count { return false }
            at = next
        }
        return true
    }

    /// The index of the colon after the name at the start of a range; nil if there is no name or no colon.
    package func colon(in range: Range<Int>) -> Int? {
        guard tokens[range.lowerBound].kind == .ident else { return nil }
        let next = range.dropFirst().first { tokens[$0].kind != .whitespace }
        return next.flatMap { tokens[$0].kind == .colon ? $0 : nil }
    }

    package func isDelim(_ index: Int, _ byte: UInt8) -> Bool {
        tokens[index].kind == .delim && bytes[Int(tokens[index].start)] == byte
    }

    package func trimmed(_ range: Range<Int>) -> Range<Int> {
        var range = range
        while let first = range.first, tokens[first].kind == .whitespace { range.removeFirst() }
        while let last = range.last, tokens[last].kind == .whitespace { range.removeLast() }
        return range
    }

    package var start: Int { 0 }

    package func withFile<Result>(
        at offset: Int, _ body: (UnsafeBufferPointer<UInt8>, _ offset: Int) -> Result
    ) -> Result {
        bytes.withUnsafeBufferPointer { body($0, offset) }
    }
}
