// Trees as JSON.

import FancyTextBasics

extension MarkupTree {
    /// A node and its subtree as one JSON value: `{"type":"element","name",…}`. O(size).
    ///
    /// - Parameter offsets: the unit of `source` offsets; nil for bytes.
    package func json(_ node: NodeID, offsets: OffsetMap? = nil) -> [UInt8] {
        var writer = JSONTreeWriter(top: node, offsets: offsets)
        visit(node, with: &writer)
        return writer.json.bytes
    }
}

private struct JSONTreeWriter: TreeWalker {
    let top: NodeID
    let offsets: OffsetMap?
    var json = JSONBuffer()
    /// A text that the next text node continues.
    private var text: [UInt8] = []

    init(top: NodeID, offsets: OffsetMap?) {
        self.top = top
        self.offsets = offsets
    }

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
        json.endArray()
        writeSource(node, of: tree)
        json.endObject()
    }

    /// Adjacent texts, separated in the source by something that left no node, become one text.
    mutating func visitText(_ node: NodeID, in tree: MarkupTree) {
        tree.withText(node) { text.append(contentsOf: $0) }
        if node != top, tree.nextSibling(node).map({ tree.kind($0) == .text }) == true { return }
        json.object { json in
            json.member("type", "text")
            json.key("value")
            json.string(text)
        }
        text.removeAll(keepingCapacity: true)
    }

    mutating func defaultVisit(_ node: NodeID, contents: ArraySlice<Void>, in tree: MarkupTree) {
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
