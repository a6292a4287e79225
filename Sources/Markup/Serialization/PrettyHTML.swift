// Writes HTML for people: one line for each block, indented by its depth. White space changes only where no rendering shows it.

extension MarkupTree {
    /// The node as indented lines. O(size × depth) at worst, because of the indents.
    package func prettyHTML(_ n: NodeID, outer: Bool) -> [UInt8] {
        var writer = PrettyHTMLWriter(self, n)
        if outer { writer.write(n, depth: 0) } else { writer.writeContents(of: n, depth: 0) }
        return writer.out
    }
}

private struct PrettyHTMLWriter {
    private let tree: MarkupTree
    /// True for nodes that contain blocks, by node from `first` on.
    private var holdsBlocks: [Bool]
    private let first: Int
    private(set) var out: [UInt8] = []

    private static let deepest = 64
    /// The length in bytes up to which an element's tags and contents are in one line.
    private static let longestLine = 100

    init(_ tree: MarkupTree, _ top: NodeID) {
        self.tree = tree
        first = Int(top.index)
        holdsBlocks = [Bool](repeating: false, count: Int(tree.subtreeEnd(top).index) - first)
        for index in stride(from: holdsBlocks.count - 1, to: 0, by: -1) {
            let node = NodeID(first + index)
            guard let parent = tree.parent(node), Int(parent.index) >= first else { continue }
            if holdsBlocks[index] || isBlock(node) { holdsBlocks[Int(parent.index) - first] = true }
        }
    }

    private func isBlock(_ node: NodeID) -> Bool {
        guard tree.kind(node) == .element else { return false }
        switch tree.tag(node) {
        case .html, .head, .body, .title, .meta, .link, .script, .style, .base, .template, .noscript, .table, .caption,
            .colgroup, .col, .tbody, .thead, .tfoot, .tr, .td, .th, .option, .optgroup, .select, .form, .li, .dt, .dd:
            return true
        default: return tree.tag(node).traits.contains(.closesParagraph)
        }
    }

    mutating func write(_ node: NodeID, depth: Int) {
        let isElement = tree.kind(node) == .element
        let tag = tree.tag(node)
        let isVerbatim = tag == .pre || tag == .textarea || tag == .script || tag == .style || tag == .listing
        guard isElement, !isVerbatim, depth < Self.deepest else { return line(tree.html(node, outer: true), depth) }
        var writer = HTMLWriter()
        _ = writer.enterElement(node, in: tree)
        let opening = writer.out
        writer.out = []
        writer.leaveElement(node, in: tree)
        let closing = writer.out
        if !holdsBlocks[Int(node.index) - first] {
            let inner = inlineHTML(tree.children(node))
            if opening.count + inner.count + closing.count <= Self.longestLine {
                line(opening + inner + closing, depth)
            } else {
                line(opening, depth)
                line(inner, depth + 1)
                line(closing, depth)
            }
            return
        }
        line(opening, depth)
        writeContents(of: node, depth: depth + 1)
        line(closing, depth)
    }

    mutating func writeContents(of node: NodeID, depth: Int) {
        var inline: [NodeID] = []
        func flush(_ writer: inout PrettyHTMLWriter) {
            writer.line(writer.inlineHTML(inline), depth)
            inline = []
        }
        for child in tree.children(node) {
            if isBlock(child) || holdsBlocks[Int(child.index) - first] || tree.kind(child) == .doctype {
                flush(&self)
                write(child, depth: depth)
            } else {
                inline.append(child)
            }
        }
        flush(&self)
    }

    private mutating func line(_ bytes: [UInt8], _ depth: Int) {
        guard !bytes.isEmpty else { return }
        if !out.isEmpty { out.append(0x0A) }
        for _ in 0..<(2 * depth) { out.append(0x20) }
        out += bytes
    }

    /// Inline contents in one line, their white space collapsed.
    private func inlineHTML(_ nodes: some Sequence<NodeID>) -> [UInt8] {
        var out: [UInt8] = []
        for node in nodes {
            var writer = HTMLWriter(collapsesSpace: true)
            tree.visit(node..<tree.subtreeEnd(node), with: &writer)
            if out.last == 0x20, writer.out.first == 0x20 { writer.out.removeFirst() }
            out += writer.out
        }
        return Array(out.trimmed { $0 == 0x20 })
    }
}
