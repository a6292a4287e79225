// Distinguishes whole pages from fragments, and XHTML from HTML, without parsing them. In: the source. Out: which of them it is.

import FancyTextBasics

enum DocumentCheck {
    /// Returns whether the source is XHTML: by its name, or by an XML declaration and XHTML's namespace if not named as HTML.
    static func isXHTML(_ source: UnsafeBufferPointer<UInt8>, named name: String) -> Bool {
        if name.hasSuffix(".xhtml") || name.hasSuffix(".xht") { return true }
        guard source.starts(with: "<?xml".utf8), !name.hasSuffix(".html"), !name.hasSuffix(".htm") else { return false }
        return String(decoding: source.prefix(1024), as: UTF8.self).contains("http://www.w3.org/1999/xhtml")
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
