// The encoding that a page declares (HTML §13.2.3.2) by `<meta charset>`, `<meta http-equiv=content-type>` or an XML declaration.

import FancyTextBasics

package enum DeclaredEncoding {
    /// The number of bytes that are searched in any case; after them the search continues only in head content.
    private static let least = 1024
    /// The search limit. Scripts and styles before the declaration may be long.
    private static let most = 1 << 17

    /// The first label that names an encoding, else the first unknown label; nil if there is no label.
    static func label(in bytes: UnsafeBufferPointer<UInt8>) -> String? {
        let buffer = UnsafeBufferPointer(rebasing: bytes.prefix(most))
        // Most fragments are short and have no declaration.
        if buffer.count <= least, !find(Array("coding".utf8), in: buffer, true),
            !find(Array("charset".utf8), in: buffer, true)
        {
            return nil
        }
        var known: String?, unknown: String?
        var inHead = true
        _ = Tokenizer.contains(in: buffer) { token, attributes in
            if !inHead, token.start >= least { return true }
            guard token.kind == .startTag || token.kind == .endTag else { return false }
            inHead = inHead && standsInHead(token)
            if token.kind == .startTag, token.tag == .meta, let label = label(of: token, attributes, buffer) {
                if InputEncoding.name(forLabel: label) != nil { known = label } else { unknown = unknown ?? label }
            }
            return known != nil
        }
        let start = UnsafeBufferPointer(rebasing: buffer.prefix(least))
        return known ?? unknown ?? label(Grammar.xmlEncoding, in: start)
    }

    private static func standsInHead(_ token: Token) -> Bool {
        switch token.tag {
        case .script, .noscript, .style, .link, .meta, .object, .title, .base: true
        case .html, .head: token.kind == .startTag
        default: false
        }
    }

    /// The encoding label of a meta element.
    private static func label(
        of token: Token, _ attributes: GrowableBuffer<Attribute>, _ buffer: UnsafeBufferPointer<UInt8>
    ) -> String? {
        var content: String?
        var isContentType = false
        for k in 0..<Int(token.attributeCount) {
            let attribute = attributes[Int(token.firstAttribute) + k]
            let start = Int(attribute.valueStart)
            let value = String(decoding: buffer[start..<start + attribute.valueLength], as: UTF8.self)
            switch attribute.id {
            case .charset: return value
            case .content: content = value
            case .httpEquiv: isContentType = value.lowercased() == "content-type"
            default: break
            }
        }
        return isContentType ? content.flatMap(charset(in:)) : nil
    }

    /// The label after `charset=` in a content type (HTML §2.4.4).
    package static func charset(in content: String) -> String? {
        var content = content
        return content.withUTF8 { label(Grammar.charset, in: $0) }
    }

    /// The first group of an expression's match.
    private static func label(_ expression: Expression, in text: UnsafeBufferPointer<UInt8>) -> String? {
        let matcher = Matcher()
        guard let start = text.baseAddress, expression.match(start, count: text.count, from: 0, with: matcher) else {
            return nil
        }
        return matcher.group(1).map { String(decoding: text[$0], as: UTF8.self) }
    }
}
