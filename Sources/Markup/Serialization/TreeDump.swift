// Tokens as a list and trees as text, for `dump`.

import FancyTextBasics

package enum TokenDump {
    /// A token for people: its kind, its bytes in the source, and its text.
    package struct Entry {
        package var kind: String
        package var source: Range<Int>
        /// The whole tag, or the content of other tokens.
        package var text: String
    }

    /// The tokens, and the content of raw-text elements as one. O(n).
    package static func entries(_ source: UnsafeBufferPointer<UInt8>) -> [Entry] {
        var result: [Entry] = []
        var tokenizer = Tokenizer(source)
        var attributes = GrowableBuffer<Attribute>(capacity: 16)
        defer { attributes.free() }
        var token = Token()
        func text(_ range: Range<Int>) -> String { String(decoding: source[range], as: UTF8.self) }
        while true {
            tokenizer.next(&token, &attributes, inForeign: false)
            if token.kind == .end { return result }
            let whole = Int(token.start)..<Int(max(token.start, token.end))
            let content = Int(token.contentStart)..<Int(max(token.contentStart, token.contentEnd))
            let isTag = token.kind == .startTag || token.kind == .endTag
            result.append(Entry(kind: "\(token.kind)", source: whole, text: text(isTag ? whole : content)))
            guard token.kind == .startTag, token.tag.rawText != .none else { continue }
            tokenizer.readRawText(of: token.tag, &token)
            guard token.contentEnd > token.contentStart else { continue }
            let raw = Int(token.contentStart)..<Int(token.contentEnd)
            result.append(Entry(kind: "rawtext", source: raw, text: text(raw)))
        }
    }
}

package enum TreeDump {
    /// The tree, a node on each line, indented by depth. Deeper levels than 64 are not indented further.
    package static func text(_ tree: MarkupTree) -> String {
        var writer = LineWriter()
        tree.visit(tree.contents(tree.root), with: &writer)
        return writer.out
    }

    private struct LineWriter: TreeWalker {
        var out = ""
        var depth = 0

        mutating func enterElement(_ node: NodeID, in tree: MarkupTree) -> Descent {
            let attributes = tree.attributes(node).map { " \($0.name)=\($0.value.debugDescription)" }
            writeLine("<\(tree.name(node))\(attributes.joined())>")
            depth += 1
            return .contents
        }

        mutating func leaveElement(_ node: NodeID, in tree: MarkupTree) { depth -= 1 }
        mutating func visitText(_ node: NodeID, in tree: MarkupTree) { writeLine(tree.text(node).debugDescription) }
        mutating func visitComment(_ node: NodeID, in tree: MarkupTree) { writeLine("<!--\(tree.text(node))-->") }
        mutating func visitDoctype(_ node: NodeID, in tree: MarkupTree) { writeLine("<!doctype \(tree.text(node))>") }
        mutating func visitInstruction(_ node: NodeID, in tree: MarkupTree) { writeLine("<?\(tree.text(node))>") }

        private mutating func writeLine(_ text: String) {
            out += String(repeating: "  ", count: min(depth, 64)) + text + "\n"
        }
    }
}
