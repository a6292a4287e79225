// Trees as JSON.

/// Appends JSON strings and nodes to a byte buffer.
package enum TreeJSON {
    /// `text` as a JSON string, quotes included.
    package static func appendString(_ text: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
        let hex: StaticString = "0123456789abcdef"
        out.append(0x22)
        for byte in text {
            switch byte {
            case 0x22: out.append(contentsOf: [0x5C, 0x22])
            case 0x5C: out.append(contentsOf: [0x5C, 0x5C])
            case 0x0A: out.append(contentsOf: [0x5C, 0x6E])
            case 0x0D: out.append(contentsOf: [0x5C, 0x72])
            case 0x09: out.append(contentsOf: [0x5C, 0x74])
            case 0..<0x20, 0x7F:
                out.append(contentsOf: Array("\\u00".utf8))
                out.append(hex.utf8Start[Int(byte >> 4)])
                out.append(hex.utf8Start[Int(byte & 15)])
            default: out.append(byte)
            }
        }
        out.append(0x22)
    }

    package static func appendString(_ text: String, to out: inout [UInt8]) {
        var text = text
        text.withUTF8 { appendString($0, to: &out) }
    }

    /// One node and its subtree as one JSON value: `{"type":"element","name",…}`. Depth needs no recursion. O(size).
    package static func append(_ node: NodeID, of tree: MarkupTree, to out: inout [UInt8]) {
        /// Ends of the open elements, innermost last.
        var open: [UInt32] = []
        var needsComma = false
        var at = node.index
        let end = tree.subtreeEnd(node).index
        func put(_ text: StaticString) { out.append(contentsOf: text.bytes) }
        func close(_ n: UInt32) {
            put("]")
            appendSource(NodeID(index: n), of: tree, to: &out)
            put("}")
        }
        var opened: [UInt32] = []
        while at < end || !open.isEmpty {
            while let last = open.last, last <= at {
                close(opened.removeLast())
                open.removeLast()
                needsComma = true
            }
            guard at < end else { break }
            let n = NodeID(index: at)
            if needsComma { put(",") }
            switch tree.kind(n) {
            case .root:
                put("{\"type\":\"root\",\"children\":[")
                open.append(tree.subtreeEnd(n).index)
                opened.append(at)
                needsComma = false
            case .element:
                put("{\"type\":\"element\",\"name\":")
                appendString(tree.name(n), to: &out)
                put(",\"attributes\":{")
                var first = true
                tree.forEachAttribute(n) { attribute in
                    if !first { out.append(0x2C) }
                    first = false
                    appendString(tree.attributeName(attribute), to: &out)
                    out.append(0x3A)
                    tree.withValue(attribute) { appendString($0, to: &out) }
                }
                put("},\"children\":[")
                open.append(tree.subtreeEnd(n).index)
                opened.append(at)
                needsComma = false
            case .text:
                put("{\"type\":\"text\",\"value\":")
                // Text split in the source by something that left no node is one text.
                var text: [UInt8] = []
                tree.withText(n) { text.append(contentsOf: $0) }
                while at + 1 < (open.last ?? end), tree.kind(NodeID(index: at + 1)) == .text {
                    at += 1
                    tree.withText(NodeID(index: at)) { text.append(contentsOf: $0) }
                }
                text.withUnsafeBufferPointer { appendString($0, to: &out) }
                put("}")
                needsComma = true
            case .comment, .instruction, .doctype:
                put("{\"type\":\"")
                out.append(contentsOf: Array(tree.name(n).utf8.dropFirst()))
                put("\",\"value\":")
                tree.withText(n) { appendString($0, to: &out) }
                appendSource(n, of: tree, to: &out)
                put("}")
                needsComma = true
            }
            at += 1
        }
    }

    private static func appendSource(_ n: NodeID, of tree: MarkupTree, to out: inout [UInt8]) {
        guard tree.kind(n) != .root else { return }
        let range = tree.sourceRange(n)
        out.append(contentsOf: Array(",\"source\":{\"start\":\(range.lowerBound),\"end\":\(range.upperBound)}".utf8))
    }
}
