// XML (XML 1.0 §2, §3): the tree follows the tags. Nothing is implied or moved; an element without its end tag ends with its
// parent.

extension Normalizer {
    mutating func processXML() {
        switch token.kind {
        case .text: insertText(token.contentStart, token.contentEnd)
        case .cdata: insertText(token.contentStart, token.contentEnd, flags: .raw)
        case .doctype: insertLeaf()
        case .startTag: if token.selfClosing { insertVoid(foreign: true) } else { open(foreign: true) }
        case .endTag:
            let at = find(token.tag)
            if at > 0 { pop(through: at) } else { markRepaired() }
        case .comment, .instruction, .end: break
        }
    }
}
