// All edits that add or remove nodes, in one pass over the arena however many they are. In: a tree, and the nodes to change.
// Out: the tree with a new arena in the same order.

import FancyTextBasics

/// The change of one node when a tree is rewritten.
package enum NodeChange: Sendable {
    case remove
    case unwrap
    /// Replaces the node and its contents with parsed HTML.
    case replace(html: String)
    case insertBefore(html: String)
    /// Replaces the contents with plain text.
    case setText(String)
    /// Replaces the contents with parsed HTML.
    case setContents(html: String)
    /// Adds parsed HTML after the last child.
    case append(html: String)
}

extension MarkupTree {
    /// Applies changes, which must be in document order. Those inside removed or replaced nodes have no effect, nor have changes
    /// of the root other than of its contents. O(nodes + HTML).
    package mutating func restructure(_ changes: [(node: NodeID, change: NodeChange)]) {
        guard !changes.isEmpty else { return }
        own()
        var rebuilder = Rebuilder(changes, of: self)
        visit(root, with: &rebuilder)
        storage.nodes.free()
        storage.nodes = rebuilder.nodes
        let newIndex = rebuilder.newIndex
        // The tables that are keyed by node id.
        func renamed(_ old: UInt32) -> UInt32? { newIndex[Int(old)] == Rebuilder.gone ? nil : newIndex[Int(old)] }
        storage.attributes.renameOwn(renamed)
        storage.handles.withLock { $0?.rename(renamed) }
        for insertion in rebuilder.insertions { adopt(insertion.fragment, at: insertion.at, parent: insertion.parent) }
        for (node, text) in rebuilder.texts { replaceText(node, text) }
        forgetLookup()
    }

    /// Renames an element. Does nothing if the name is not a tag name, or if the tree has no free id for it.
    package mutating func rename(_ n: NodeID, to name: String) {
        let name = name.utf8.map(\.asciiLowercased)
        guard kind(n) == .element, name.first?.isASCIILetter == true,
            name.allSatisfy({ ByteClass.table[Int($0)] & ByteClass.endsTagName == 0 && $0 != 0 })
        else { return }
        own()
        let tag = tagID(interning: name)
        guard tag != .overflow else { return }
        storage.nodes.base[Int(n.index)].tag = tag
        if tag == .style || tag == .link { storage.mayHaveStyle = true }
    }

    /// Replaces a text node or comment with plain text. O(text).
    package mutating func replaceText(_ n: NodeID, _ text: String) {
        guard kind(n) == .text || kind(n) == .comment else { return }
        own()
        guard let start = keep(text.utf8) else { return }
        storage.nodes.base[Int(n.index)].setKind(.text)
        storage.nodes.base[Int(n.index)].setSource(start & ~editedBit, UInt32(truncatingIfNeeded: storage.edited.count))
        storage.nodes.base[Int(n.index)].flags = .edited
    }

    /// Keeps the first bytes of a text node's text; verbatim text still refers to the source. O(text).
    package mutating func shorten(_ n: NodeID, to length: Int) {
        guard kind(n) == .text else { return }
        let kept = withText(n) { Array($0.prefix(length)) }
        let isVerbatim =
            sourceRange(n).count >= kept.count && !kept.contains(UInt8(ascii: "&")) && rawText(n).starts(with: kept)
        guard isVerbatim else { return replaceText(n, String(decoding: kept, as: UTF8.self)) }
        own()
        let start = storage.nodes[Int(n.index)].sourceStart
        storage.nodes.base[Int(n.index)].setSource(start, start + UInt32(truncatingIfNeeded: kept.count))
    }

    /// Removes the elements that are not on the list. Text that a reader would see is kept; programs, metadata and the like go. O(nodes).
    mutating func keepOnly(_ whitelist: TagWhitelist) {
        let removed = subtree(root).dropFirst().filter {
            kind($0) == .element && !whitelist.contains(name($0), tag($0))
        }
        restructure(removed.map { ($0, TagWhitelist.withoutText.contains(tag($0)) ? .remove : .unwrap) })
    }
}

/// Writes the new arena, without removed nodes and with the nodes of inserted HTML.
private struct Rebuilder: TreeWalker {
    private let changes: [(node: NodeID, change: NodeChange)]
    /// The index of the first change not yet applied.
    private var next = 0
    var nodes: GrowableBuffer<Node>
    /// The new id of each old one.
    var newIndex: [UInt32]
    static let gone = UInt32.max
    /// The new ids of the open ancestors, and the HTML to add to each.
    private var open: [(index: UInt32, appended: String?)] = []
    var insertions: [(fragment: MarkupTree, at: Int, parent: UInt32)] = []
    var texts: [(node: NodeID, text: String)] = []

    init(_ changes: [(node: NodeID, change: NodeChange)], of tree: MarkupTree) {
        self.changes = changes
        nodes = GrowableBuffer(capacity: tree.count)
        newIndex = [UInt32](repeating: Self.gone, count: tree.count)
    }

    mutating func enterRoot(_ node: NodeID, in tree: MarkupTree) -> Descent {
        open(node, change(of: node), of: tree)
    }

    mutating func enterElement(_ node: NodeID, in tree: MarkupTree) -> Descent {
        let change = change(of: node)
        switch change {
        case .remove: return .skip
        case .unwrap: return .contents
        case .replace(let html):
            insert(html, in: tree)
            return .skip
        case .insertBefore(let html): insert(html, in: tree)
        case nil, .setText, .setContents, .append: break
        }
        return open(node, change, of: tree)
    }

    /// Keeps a node; a change of its contents is applied.
    private mutating func open(_ node: NodeID, _ change: NodeChange?, of tree: MarkupTree) -> Descent {
        open.append((append(node, of: tree), nil))
        switch change {
        case .setText(let text):
            if !text.isEmpty {
                texts.append((NodeID(nodes.count), text))
                let distance = UInt32(truncatingIfNeeded: nodes.count) - open[open.count - 1].index
                nodes.append(Node(.text, .edited, .none, distance: distance, source: (0, 0)))
            }
            return .skip
        case .setContents(let html):
            insert(html, in: tree)
            return .skip
        case .append(let html): open[open.count - 1].appended = html
        case nil, .remove, .unwrap, .replace, .insertBefore: break
        }
        return .contents
    }

    mutating func leaveElement(_ node: NodeID, in tree: MarkupTree) {
        guard newIndex[Int(node.index)] != Self.gone else { return }
        if let html = open[open.count - 1].appended { insert(html, in: tree) }
        let index = open.removeLast().index
        nodes.base[Int(index)].size = UInt32(truncatingIfNeeded: nodes.count) - index
    }

    mutating func leaveRoot(_ node: NodeID, in tree: MarkupTree) { leaveElement(node, in: tree) }

    mutating func defaultVisit(_ node: NodeID, in tree: MarkupTree) {
        switch change(of: node) {
        case .remove, .unwrap: return
        case .replace(let html): return insert(html, in: tree)
        case .insertBefore(let html): insert(html, in: tree)
        case nil, .setText, .setContents, .append: break
        }
        _ = append(node, of: tree)
    }

    private mutating func change(of node: NodeID) -> NodeChange? {
        while next < changes.count, changes[next].node < node { next += 1 }
        return next < changes.count && changes[next].node == node ? changes[next].change : nil
    }

    private mutating func append(_ node: NodeID, of tree: MarkupTree) -> UInt32 {
        let index = UInt32(truncatingIfNeeded: nodes.count)
        var copy = tree.storage.nodes[Int(node.index)]
        copy.distance = index - (open.last?.index ?? 0)
        nodes.append(copy)
        newIndex[Int(node.index)] = index
        return index
    }

    private mutating func insert(_ html: String, in tree: MarkupTree) {
        let fragment = tree.fragment(html)
        guard fragment.count > 1 else { return }
        insertions.append((fragment, nodes.count, open.last?.index ?? 0))
        nodes.append(contentsOf: UnsafeBufferPointer(start: fragment.storage.nodes.base + 1, count: fragment.count - 1))
    }
}
