// Tokens and trees as text, one a line: what `dump` prints and goldens hold.

import Basics

/// The token stream of a source.
package enum TokenDump {
    /// A token for people: its kind, the bytes that it spans, and what it says.
    package struct Entry {
        package var kind: String
        package var source: Range<Int>
        /// Of a tag all of it, else the content.
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
            guard token.kind == .startTag, Normalizer.rawKind(token.tag) != .none else { continue }
            tokenizer.readRawText(of: token.tag, &token)
            guard token.contentEnd > token.contentStart else { continue }
            let raw = Int(token.contentStart)..<Int(token.contentEnd)
            result.append(Entry(kind: "rawtext", source: raw, text: text(raw)))
        }
    }

    /// One token a line. O(n).
    package static func text(_ source: UnsafeBufferPointer<UInt8>) -> String {
        entries(source).map { "\($0.kind) \($0.source) \($0.text.debugDescription)\n" }.joined()
    }
}

/// A tree as text.
package enum TreeDump {
    /// The token stream that the normalizer makes of the source: every start tag with its end tag, one a line.
    package static func normalized(_ tree: MarkupTree) -> String {
        var result = ""
        walk(tree) { node, event, _ in
            switch event {
            case .leaf: result += leaf(node, tree) + "\n"
            case .start: result += startTag(node, tree) + "\n"
            case .end: result += "</\(tree.name(node))>\n"
            }
        }
        return result
    }

    /// The tree, indented by depth. Deeper levels than 64 are not indented further.
    package static func tree(_ tree: MarkupTree) -> String {
        var result = ""
        walk(tree) { node, event, depth in
            let indent = String(repeating: "  ", count: min(depth, 64))
            switch event {
            case .leaf: result += indent + leaf(node, tree) + "\n"
            case .start: result += indent + startTag(node, tree) + "\n"
            case .end: break
            }
        }
        return result
    }

    package enum Event { case start, end, leaf }

    /// Calls `body` for every start, end and leaf, in the order of the markup.
    package static func walk(_ tree: MarkupTree, _ body: (NodeID, Event, _ depth: Int) -> Void) {
        var open: [NodeID] = []
        var index = tree.root.index + 1
        let end = tree.subtreeEnd(tree.root).index
        while true {
            while let last = open.last, tree.subtreeEnd(last).index <= index {
                open.removeLast()
                body(last, .end, open.count)
            }
            guard index < end else { return }
            let node = NodeID(index: index)
            index += 1
            if tree.kind(node) == .element, !tree.tag(node).isVoid {
                body(node, .start, open.count)
                open.append(node)
            } else {
                body(node, .leaf, open.count)
            }
        }
    }

    private static func startTag(_ node: NodeID, _ tree: MarkupTree) -> String {
        let attributes = tree.attributes(node).map { " \($0.name)=\($0.value.debugDescription)" }
        return "<\(tree.name(node))\(attributes.joined())>"
    }

    private static func leaf(_ node: NodeID, _ tree: MarkupTree) -> String {
        switch tree.kind(node) {
        case .element: startTag(node, tree)
        case .text: tree.text(node).debugDescription
        case .comment: "<!--\(tree.text(node))-->"
        case .doctype: "<!doctype \(tree.text(node))>"
        case .instruction: "<?\(tree.text(node))>"
        case .root: ""
        }
    }
}
