// Edits that shorten a tree: truncating a text node and inserting HTML between two nodes.

import FancyTextBasics

extension MarkupTree {
    /// Keeps the first bytes of a text node's text. If the source has them literally, the node still refers to the source.
    /// O(text).
    package mutating func shorten(_ n: NodeID, to length: Int) {
        guard kind(n) == .text else { return }
        let kept = withText(n) { Array($0.prefix(length)) }
        let source = sourceRange(n)
        let isVerbatim =
            source.count >= kept.count && !kept.contains(UInt8(ascii: "&")) && rawText(n).starts(with: kept)
        guard isVerbatim else { return replaceText(n, String(decoding: kept, as: UTF8.self)) }
        own()
        let start = storage.nodes[Int(n.index)].sourceStart
        storage.nodes.base[Int(n.index)].setSource(start, start + UInt32(truncatingIfNeeded: kept.count))
    }

    /// Adds parsed HTML to an element, before the node that has the id `place` now, or at the element's end. O(nodes).
    package mutating func insert(_ html: String, at place: NodeID, in parent: NodeID) {
        guard kind(parent) == .element || kind(parent) == .root else { return }
        own()
        insert(html, at: Int(place.index), parent: parent.index)
    }
}
