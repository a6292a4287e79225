// Tokens and trees as text, one a line: what `dump` prints and goldens hold.

/// The token stream of a source.
package enum TokenDump {
    /// One token a line: its kind, what it spans, and its name and attributes or its text. O(n).
    package static func text(_ source: [UInt8]) -> String {
        var result = ""
        source.withUnsafeBufferPointer { bytes in
            var tokenizer = Tokenizer(bytes)
            var attributes = GrowableBuffer<Attribute>(capacity: 16)
            defer { attributes.free() }
            var token = Token()
            func string(_ start: UInt32, _ end: UInt32) -> String {
                String(decoding: bytes[Int(start)..<Int(max(start, end))], as: UTF8.self)
            }
            while true {
                tokenizer.next(&token, &attributes, inForeign: false)
                if token.kind == .end { return }
                append(token, string(token.start, token.end), string(token.contentStart, token.contentEnd), to: &result)
                if token.kind == .startTag, TreeBuilder.rawKind(token.tag) != .none {
                    tokenizer.readRawText(of: token.tag, &token)
                    guard token.contentEnd > token.contentStart else { continue }
                    result += "rawtext \(token.contentStart)..<\(token.contentEnd) "
                    result += string(token.contentStart, token.contentEnd).debugDescription + "\n"
                }
            }
        }
        return result
    }

    private static func append(_ token: Token, _ whole: String, _ content: String, to result: inout String) {
        result += "\(token.kind) \(token.start)..<\(token.end) "
        switch token.kind {
        case .text, .comment, .doctype, .instruction, .cdata: result += content.debugDescription
        case .startTag, .endTag: result += whole.debugDescription
        case .end: break
        }
        result += "\n"
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

    private enum Event { case start, end, leaf }

    private static func walk(_ tree: MarkupTree, _ body: (NodeID, Event, _ depth: Int) -> Void) {
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
