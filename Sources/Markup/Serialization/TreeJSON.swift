// Trees as JSON.

import FancyTextBasics

/// Appends JSON strings and nodes to a byte buffer.
package enum TreeJSON {
    /// `text` as a JSON string, quotes included.
    package static func appendString(_ text: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
        out.append(0x22)
        JSONBuffer.appendEscaped(text, to: &out)
        out.append(0x22)
    }

    package static func appendString(_ text: String, to out: inout [UInt8]) {
        var text = text
        text.withUTF8 { appendString($0, to: &out) }
    }

    /// One node and its subtree as one JSON value: `{"type":"element","name",…}`. O(size).
    ///
    /// - Parameter offsets: the unit of `source` offsets; nil for bytes.
    package static func append(
        _ node: NodeID, of tree: MarkupTree, offsets: OffsetMap? = nil, to out: inout [UInt8]
    ) {
        var writer = Writer(top: node, offsets: offsets, out: out)
        out = []  // one reference only, so that it is not copied
        tree.visit(node, with: &writer)
        out = writer.out
    }

    private struct Writer: TreeWalker {
        let top: NodeID
        let offsets: OffsetMap?
        var out: [UInt8]
        /// Set when the current list already has an item.
        var needsComma = false
        /// Set inside a string that the next text node continues.
        var isInText = false

        mutating func enterRoot(_ node: NodeID, in tree: MarkupTree) -> Descent {
            put("{\"type\":\"root\",\"children\":[")
            return .contents
        }

        mutating func leaveRoot(_ node: NodeID, in tree: MarkupTree) { put("]}") }

        mutating func enterElement(_ node: NodeID, in tree: MarkupTree) -> Descent {
            separate()
            put("{\"type\":\"element\",\"name\":")
            let isForeign = tree.isForeign(node)
            appendString(isForeign ? ForeignNames.element(tree.name(node)) : tree.name(node), to: &out)
            put(",\"attributes\":{")
            var isFirst = true
            tree.forEachAttribute(node) { attribute in
                if !isFirst { out.append(UInt8(ascii: ",")) }
                isFirst = false
                let name = tree.attributeName(attribute)
                appendString(isForeign ? ForeignNames.attribute(name) : name, to: &out)
                out.append(UInt8(ascii: ":"))
                tree.withValue(attribute) { appendString($0, to: &out) }
            }
            put("},\"children\":[")
            needsComma = false
            return .contents
        }

        mutating func leaveElement(_ node: NodeID, in tree: MarkupTree) {
            put("]")
            appendSource(node, of: tree, offsets, to: &out)
            put("}")
            needsComma = true
        }

        /// Adjacent texts, separated in the source by something that left no node, become one text.
        mutating func visitText(_ node: NodeID, in tree: MarkupTree) {
            if !isInText {
                separate()
                put("{\"type\":\"text\",\"value\":\"")
            }
            tree.withText(node) { JSONBuffer.appendEscaped($0, to: &out) }
            isInText = node != top && tree.nextSibling(node).map { tree.kind($0) == .text } == true
            if !isInText { put("\"}") }
        }

        mutating func defaultVisit(_ node: NodeID, contents: ArraySlice<Void>, in tree: MarkupTree) {
            separate()
            put("{\"type\":\"")
            out.append(contentsOf: tree.name(node).utf8.dropFirst())
            put("\",\"value\":")
            tree.withText(node) { appendString($0, to: &out) }
            appendSource(node, of: tree, offsets, to: &out)
            put("}")
        }

        private mutating func separate() {
            if needsComma { put(",") }
            needsComma = true
        }

        private mutating func put(_ text: StaticString) { out.append(contentsOf: text.bytes) }
    }

    private static func appendSource(
        _ n: NodeID, of tree: MarkupTree, _ offsets: OffsetMap?, to out: inout [UInt8]
    ) {
        let range = tree.sourceRange(n)
        let start = offsets?.convert(range.lowerBound) ?? range.lowerBound
        let end = offsets?.convert(range.upperBound) ?? range.upperBound
        out.append(contentsOf: Array(",\"source\":{\"start\":\(start),\"end\":\(end)}".utf8))
    }
}
