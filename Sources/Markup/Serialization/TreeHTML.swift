// Trees as HTML again (HTML §13.3): the repaired tree, or the source where it needed no repair.

extension MarkupTree {
    /// The element with its tags: the source text unless it had to be repaired. O(size).
    package func outerHTML(_ n: NodeID) -> String {
        String(decoding: html(n, outer: true, fromSource: true), as: UTF8.self)
    }

    /// What is between the element's tags: the source text unless it had to be repaired. O(size).
    package func innerHTML(_ n: NodeID) -> String {
        String(decoding: html(n, outer: false, fromSource: true), as: UTF8.self)
    }

    /// Whether a subtree can be taken from the source as it stands.
    package func isFaithful(_ n: NodeID) -> Bool {
        for i in Int(n.index)..<Int(subtreeEnd(n).index) {
            let flags = storage.nodes[i].flags
            if flags.contains(.repaired) || flags.contains(.clone) || flags.contains(.edited) { return false }
        }
        return n.index != 0 && !storage.wasEdited
    }

    /// HTML of a node. With `fromSource` false always written anew: names in lower case, attributes in double quotes.
    package func html(_ n: NodeID, outer: Bool, fromSource: Bool = false) -> [UInt8] {
        var out: [UInt8] = []
        if fromSource, isFaithful(n) {
            let range = sourceRange(n)
            if outer || kind(n) != .element {
                out.append(contentsOf: UnsafeBufferPointer(rebasing: storage.source.buffer[range]))
                return out
            }
            if let first = firstChild(n) {
                // Children lie one behind the other: from the first one's start to the last one's end.
                var last = first
                for child in children(n) { last = child }
                let inner =
                    sourceRange(first).lowerBound..<max(sourceRange(first).lowerBound, sourceRange(last).upperBound)
                out.append(contentsOf: UnsafeBufferPointer(rebasing: storage.source.buffer[inner]))
            }
            return out
        }
        writeHTML(n, outer: outer, to: &out)
        return out
    }

    private func writeHTML(_ n: NodeID, outer: Bool, to out: inout [UInt8]) {
        var open: [NodeID] = []
        var at = n.index
        let end = subtreeEnd(n).index
        while true {
            while let last = open.last, subtreeEnd(last).index <= at {
                open.removeLast()
                out.append(contentsOf: [0x3C, 0x2F])
                out.append(contentsOf: nameBytes(last))
                out.append(0x3E)
            }
            guard at < end else { return }
            let node = NodeID(index: at)
            at += 1
            switch kind(node) {
            case .root: break
            case .element:
                if node == n, !outer { continue }
                out.append(0x3C)
                out.append(contentsOf: nameBytes(node))
                forEachAttribute(node) { attribute in
                    out.append(0x20)
                    out.append(contentsOf: Array(attributeName(attribute).utf8))
                    out.append(contentsOf: [0x3D, 0x22])
                    withValue(attribute) { Self.appendEscaped($0, inAttribute: true, to: &out) }
                    out.append(0x22)
                }
                out.append(0x3E)
                if !tag(node).isVoid || isForeign(node) { open.append(node) }
                // The parser drops a newline that directly follows these start tags.
                if tag(node) == .pre || tag(node) == .listing || tag(node) == .textarea, let child = firstChild(node),
                    kind(child) == .text, withText(child, { $0.first == 0x0A })
                {
                    out.append(0x0A)
                }
            case .text:
                let raw =
                    storage.nodes[Int(node.index)].flags.contains(.raw)
                    && parent(node).map { Self.isRawText(tag($0)) } == true
                withText(node) { text in
                    if raw {
                        out.append(contentsOf: text)
                    } else {
                        Self.appendEscaped(text, inAttribute: false, to: &out)
                    }
                }
            case .comment:
                out.append(contentsOf: Array("<!--".utf8))
                withText(node) { out.append(contentsOf: $0) }
                out.append(contentsOf: Array("-->".utf8))
            case .instruction:
                out.append(0x3C)
                withText(node) { out.append(contentsOf: $0) }
                out.append(0x3E)
            case .doctype:
                out.append(contentsOf: Array("<!DOCTYPE".utf8))
                withText(node) { text in
                    if text.first.map({ !$0.isHTMLSpace }) == true { out.append(0x20) }
                    out.append(contentsOf: text)
                }
                out.append(0x3E)
            }
        }
    }

    static func isRawText(_ tag: TagID) -> Bool {
        switch tag {
        case .style, .script, .xmp, .iframe, .noembed, .noframes, .plaintext: true
        default: false
        }
    }

    /// Escapes text as HTML §13.3 says: `&`, no-break space, and `<>` in text or `"` in attributes.
    package static func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, inAttribute: Bool, to out: inout [UInt8]) {
        var copied = 0
        func put(_ i: Int, _ length: Int, _ replacement: StaticString) {
            out.append(contentsOf: UnsafeBufferPointer(rebasing: text[copied..<i]))
            out.append(contentsOf: replacement.bytes)
            copied = i + length
        }
        for i in 0..<text.count {
            switch text[i] {
            case 0x26: put(i, 1, "&amp;")
            case 0x3C where !inAttribute: put(i, 1, "&lt;")
            case 0x3E where !inAttribute: put(i, 1, "&gt;")
            case 0x22 where inAttribute: put(i, 1, "&quot;")
            case 0xC2 where i + 1 < text.count && text[i + 1] == 0xA0: put(i, 2, "&nbsp;")
            default: break
            }
        }
        out.append(contentsOf: UnsafeBufferPointer(rebasing: text[copied...]))
    }

    /// A page's title that ended up in its body: still no text of the page.
    private func isStrayTitle(_ n: NodeID) -> Bool {
        tag(n) == .title && !isForeign(n) && parent(n).map { tag($0) != .head } == true
    }

    /// The text of a subtree without that of script, style and template. O(size).
    package func textContent(_ n: NodeID, skipsHidden: Bool = true) -> [UInt8] {
        var out: [UInt8] = []
        var at = n.index
        let end = subtreeEnd(n).index
        while at < end {
            let node = NodeID(index: at)
            switch kind(node) {
            case .text: withText(node) { out.append(contentsOf: $0) }
            case .element:
                let tag = tag(node)
                if skipsHidden, node != n, tag == .script || tag == .style || tag == .template || isStrayTitle(node) {
                    at = subtreeEnd(node).index
                    continue
                }
            case .root, .comment, .doctype, .instruction: break
            }
            at += 1
        }
        return out
    }
}
