// From bytes to a tree: encoding, limits, then the normalizer; and how pages differ from fragments, XHTML from HTML.

import FancyTextBasics

extension MarkupTree {
    /// Parses HTML: any bytes give a tree. Time and memory are linear in the input.
    package static func parse(_ bytes: [UInt8], options: SyntaxOptions = SyntaxOptions(), log: inout DiagnosticLog)
        -> MarkupTree
    { parse(SourceBytes(bytes), options: options, log: &log) }

    package static func parse(_ bytes: SourceBytes, options: SyntaxOptions, log: inout DiagnosticLog) -> MarkupTree {
        let source = readable(bytes, options: options, log: &log)
        var tree = MarkupTree(storage: Normalizer.build(source, options, log: &log))
        if let allowed = options.allowedTags { tree.keepOnly(allowed) }
        return tree
    }

    /// The bytes to parse: valid UTF-8, truncated to the limit and to the most bytes that nodes can address.
    package static func readable(
        _ bytes: SourceBytes, options: SyntaxOptions, most: Int = Int(Node.mostOffset), log: inout DiagnosticLog
    ) -> SourceBytes {
        let source = prefix(of: bytes, min(options.limits.inputBytes, most), options, log: &log)
        guard !options.isUTF8 else { return source }
        let decoded = InputEncoding.decode(source, label: options.encoding, sourceName: options.sourceName, log: &log)
        // A byte of another encoding may take three bytes in UTF-8, so the limit is checked again.
        return prefix(of: decoded, most, options, log: &log)
    }

    private static func prefix(
        of source: SourceBytes, _ most: Int, _ options: SyntaxOptions, log: inout DiagnosticLog
    ) -> SourceBytes {
        guard source.count > most else { return source }
        let message = "the input has \(source.count) bytes, more than the limit of \(most): the rest is not read"
        log.report(Diagnostic(.error, .inputTooLarge, message, at: .start(of: options.sourceName)))
        // A character at the end is left out as a whole.
        var end = most
        while end > max(0, most - 3), source.buffer[end] & 0xC0 == 0x80 { end -= 1 }
        return SourceBytes(Array(source.buffer.prefix(end)))
    }

    package static func parse(_ text: String, options: SyntaxOptions = SyntaxOptions()) -> MarkupTree {
        var log = DiagnosticLog()
        var options = options
        options.isUTF8 = true
        return parse(Array(text.utf8), options: options, log: &log)
    }
}

package enum DocumentCheck {
    /// Returns whether the source is XHTML or SVG: by its name, or by an XML declaration and XHTML's namespace if not named as HTML.
    static func isXHTML(_ source: UnsafeBufferPointer<UInt8>, named name: String) -> Bool {
        if isNamed(name, [".xhtml", ".xht", ".svg"]) { return true }
        guard source.starts(with: "<?xml".utf8), !isNamed(name, [".html", ".htm"]) else { return false }
        return String(decoding: source.prefix(1024), as: UTF8.self).contains("http://www.w3.org/1999/xhtml")
    }

    /// Returns whether a file's name has one of some endings, in either case.
    package static func isNamed(_ name: String, _ endings: [String]) -> Bool {
        endings.contains(where: name.lowercased().hasSuffix)
    }

    /// Returns whether the source has a doctype or an html, head or body tag, or begins with a `frameset`. Tokens are read only if
    /// the first candidate may be inside a comment or a script.
    static func isDocument(_ source: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = source.baseAddress else { return false }
        let end = source.count
        var at = firstIndex(of: 0x3C, in: base, from: 0, to: end)
        let first = at
        if first + 9 < end, isTagName("frameset", in: base, at: first + 1, end: end) { return true }
        while at < end {
            if isCandidate(base, at, end) { return at == first || isConfirmed(source) }
            at = firstIndex(of: 0x3C, in: base, from: at + 1, to: end)
        }
        return false
    }

    @inline(__always) private static func isCandidate(_ base: UnsafePointer<UInt8>, _ at: Int, _ end: Int) -> Bool {
        guard at + 5 < end else { return false }
        var i = at + 1
        if base[i] == 0x2F { i += 1 }
        switch base[i] | 0x20 {
        case 0x62: return isTagName("body", in: base, at: i, end: end)
        case 0x68: return isTagName("head", in: base, at: i, end: end) || isTagName("html", in: base, at: i, end: end)
        case 0x21: return isTagName("!doctype", in: base, at: i, end: end, isWhole: false)
        default: return false
        }
    }

    private static func isConfirmed(_ source: UnsafeBufferPointer<UInt8>) -> Bool {
        Tokenizer.contains(in: source) { token, _ in
            let isTag = token.kind == .startTag || token.kind == .endTag
            return token.kind == .doctype || isTag && [.html, .head, .body].contains(token.tag)
        }
    }
}
