// Trees as JSON.

import FancyTextBasics

extension MarkupTree {
    /// A node and its subtree as one JSON value: `{"type":"element","name",…}`. Without `offsets`, places are in bytes. O(size).
    ///
    /// - Parameter most: the number of bytes after which the result is incomplete.
    package func json(
        _ node: NodeID, offsets: OffsetMap? = nil, isPretty: Bool = false, atMost most: Int = .max
    ) -> [UInt8] {
        var writer = JSONTreeWriter(
            top: node, offsets: offsets, most: most, json: JSONBuffer(pretty: isPretty))
        visit(node, with: &writer)
        return writer.json.bytes
    }
}

private struct JSONTreeWriter: TreeWalker {
    let top: NodeID
    let offsets: OffsetMap?
    let most: Int
    var json: JSONBuffer
    /// A text that the next text node continues.
    var text: [UInt8] = []
    /// True for an element that is left out, because there are enough bytes.
    var isLeftOut = false

    private var isFull: Bool { json.bytes.count >= most }

    mutating func enterRoot(_ node: NodeID, in tree: MarkupTree) -> Descent {
        json.beginObject()
        json.member("type", "root")
        json.key("children")
        json.beginArray()
        return .contents
    }

    mutating func leaveRoot(_ node: NodeID, in tree: MarkupTree) {
        json.endArray()
        json.endObject()
    }

    mutating func enterElement(_ node: NodeID, in tree: MarkupTree) -> Descent {
        isLeftOut = isFull
        if isLeftOut { return .skip }
        let isForeign = tree.isForeign(node)
        json.beginObject()
        json.member("type", "element")
        json.member("name", isForeign ? ForeignNames.element(tree.name(node)) : tree.name(node))
        json.object("attributes") { json in
            tree.forEachAttribute(node) { attribute in
                let name = tree.attributeName(attribute)
                json.key(isForeign ? ForeignNames.attribute(name) : name)
                tree.withValue(attribute) { json.string($0) }
            }
        }
        json.key("children")
        json.beginArray()
        return .contents
    }

    mutating func leaveElement(_ node: NodeID, in tree: MarkupTree) {
        if isLeftOut { return isLeftOut = false }
        json.endArray()
        writeSource(node, of: tree)
        json.endObject()
    }

    /// Adjacent texts, separated in the source by something that left no node, become one text.
    mutating func visitText(_ node: NodeID, in tree: MarkupTree) {
        if isFull { return }
        tree.withText(node) { text.append(contentsOf: $0) }
        if node != top, tree.nextSibling(node).map({ tree.kind($0) == .text }) == true { return }
        json.object { json in
            json.member("type", "text")
            json.key("value")
            json.string(text)
        }
        text.removeAll(keepingCapacity: true)
    }

    mutating func defaultVisit(_ node: NodeID, in tree: MarkupTree) {
        if isFull { return }
        json.beginObject()
        json.member("type", String(tree.name(node).dropFirst()))
        json.member("value", tree.text(node))
        writeSource(node, of: tree)
        json.endObject()
    }

    private mutating func writeSource(_ node: NodeID, of tree: MarkupTree) {
        let range = tree.sourceRange(node)
        let start = offsets?.convert(range.lowerBound) ?? range.lowerBound
        json.range("source", start..<max(start, offsets?.convert(range.upperBound) ?? range.upperBound))
    }
}
