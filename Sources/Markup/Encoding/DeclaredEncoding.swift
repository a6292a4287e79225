// The encoding that a page declares (HTML §13.2.3.2): its bytes in, the label of `<meta charset>`, of
// `<meta http-equiv=content-type>` or of an XML declaration out.

import FancyTextBasics

enum DeclaredEncoding {
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
        var tokenizer = Tokenizer(buffer)
        var token = Token()
        var attributes = GrowableBuffer<Attribute>(capacity: 64)
        defer { attributes.free() }
        var unknown: String?
        var inHead = true
        while inHead || tokenizer.position < least {
            attributes.count = 0
            tokenizer.next(&token, &attributes, inForeign: false)
            switch token.kind {
            case .end: return unknown ?? xmlLabel(buffer)
            case .startTag, .endTag:
                inHead = inHead && standsInHead(token)
                guard token.kind == .startTag else { continue }
                if token.tag == .meta, let label = label(of: token, attributes, buffer) {
                    if InputEncoding.name(forLabel: label) != nil { return label }
                    unknown = unknown ?? label
                } else if token.tag.rawText != .none {
                    tokenizer.readRawText(of: token.tag, &token)
                }
            case .text, .comment, .doctype, .instruction, .cdata: continue
            }
        }
        return unknown ?? xmlLabel(buffer)
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

    /// The label after `charset=` in a content type; a quotation mark must be closed.
    private static func charset(in content: String) -> String? {
        let text = Array(content.lowercased().utf8)
        let word = Array("charset".utf8)
        var at = 0
        while at + word.count <= text.count {
            guard Array(text[at..<at + word.count]) == word else {
                at += 1
                continue
            }
            at += word.count
            while at < text.count, text[at].isHTMLSpace { at += 1 }
            guard at < text.count, text[at] == 0x3D else { continue }
            at += 1
            while at < text.count, text[at].isHTMLSpace { at += 1 }
            guard at < text.count else { return nil }
            if text[at] == 0x22 || text[at] == 0x27 { return quoted(text[at...]) }
            let label = text[at...].prefix { !$0.isHTMLSpace && $0 != 0x3B }
            return label.isEmpty ? nil : String(decoding: label, as: UTF8.self)
        }
        return nil
    }

    /// The encoding label of an XML declaration at the start.
    private static func xmlLabel(_ buffer: UnsafeBufferPointer<UInt8>) -> String? {
        guard buffer.starts(with: "<?xml".utf8), let end = buffer.prefix(least).firstIndex(of: 0x3E) else { return nil }
        let declaration = Array(buffer[..<end])
        let word = Array("encoding".utf8)
        guard var at = declaration.indices.first(where: { declaration[$0...].starts(with: word) }) else { return nil }
        at += word.count
        while at < declaration.count, declaration[at].isHTMLSpace { at += 1 }
        guard at < declaration.count, declaration[at] == 0x3D else { return nil }
        at += 1
        while at < declaration.count, declaration[at].isHTMLSpace { at += 1 }
        return quoted(declaration[at...])
    }

    /// The text between the quotation mark at the start of `text` and the next one like it.
    private static func quoted(_ text: ArraySlice<UInt8>) -> String? {
        guard let mark = text.first, mark == 0x22 || mark == 0x27 else { return nil }
        let rest = text.dropFirst()
        guard let end = rest.firstIndex(of: mark), end > rest.startIndex else { return nil }
        return String(decoding: rest[..<end], as: UTF8.self)
    }
}
