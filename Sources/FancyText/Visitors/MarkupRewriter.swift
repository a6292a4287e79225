// Rewriters: one traversal decides what each node becomes, then all changes are made at once.

import FancyTextMarkup

/// The change of an element.
public enum ElementRewrite: Sendable {
    /// Keeps the element.
    case keep
    /// Removes the element with all of its contents.
    case remove
    /// Replaces the element by its contents, which are visited.
    case unwrap
    /// Replaces the element with all of its contents by parsed HTML.
    case replace(html: String)
    /// Renames the element, unless `name` is nil, and sets the named attributes; the value nil removes one. Invalid names of tags
    /// or attributes are ignored. The contents stay and are visited.
    case edit(name: String? = nil, attributes: KeyValuePairs<String, String?> = [:])
}

/// The change of a text node or a comment.
public enum TextRewrite: Sendable {
    /// Keeps the node.
    case keep
    /// Removes the node.
    case remove
    /// Replaces the node by plain text.
    case text(String)
    /// Replaces the node by parsed HTML.
    case replace(html: String)
}

/// Decides the changes of a document's nodes.
///
/// Nodes are visited in document order and in their state before any change; inserted nodes are not visited.
///
/// ```swift
/// struct CommentRemover: MarkupRewriter {
///     mutating func rewriteComment(_ comment: MarkupNode) -> TextRewrite { .remove }
/// }
/// ```
public protocol MarkupRewriter {
    /// Decides the change of an element; the default keeps it.
    mutating func rewriteElement(_ element: ElementNode) -> ElementRewrite

    /// Decides the change of a text node; the default keeps it. Adjacent text nodes may be parts of one text.
    mutating func rewriteText(_ text: MarkupNode) -> TextRewrite

    /// Decides the change of a comment; the default keeps it.
    mutating func rewriteComment(_ comment: MarkupNode) -> TextRewrite
}

extension MarkupRewriter {
    public mutating func rewriteElement(_ element: ElementNode) -> ElementRewrite { .keep }

    public mutating func rewriteText(_ text: MarkupNode) -> TextRewrite { .keep }

    public mutating func rewriteComment(_ comment: MarkupNode) -> TextRewrite { .keep }
}

extension Document {
    /// Applies a rewriter to the document. O(nodes + inserted nodes); the next rendering styles everything again.
    ///
    /// Handles of kept elements, including renamed ones, stay valid; those of removed elements denote no element any more.
    public mutating func rewrite<Rewriter: MarkupRewriter>(_ rewriter: inout Rewriter) {
        // The visited nodes are released before the edit, so that the tree is not copied.
        let changes = RewriteVisitor.changes(of: tree, by: &rewriter)
        if !changes.isEmpty { edit { changes.apply(to: &$0) } }
    }

    /// Returns a rewritten copy of the document; this document is not changed. O(nodes + inserted nodes).
    public func rewritten<Rewriter: MarkupRewriter>(by rewriter: inout Rewriter) -> Document {
        var copy = self
        copy.rewrite(&rewriter)
        return copy
    }
}

private struct RewriteChanges {
    var elements: [(node: NodeID, name: String?, attributes: KeyValuePairs<String, String?>)] = []
    var texts: [(node: NodeID, text: String)] = []
    /// In document order.
    var nodes: [(node: NodeID, change: NodeChange)] = []

    var isEmpty: Bool { elements.isEmpty && texts.isEmpty && nodes.isEmpty }

    func apply(to tree: inout MarkupTree) {
        for element in elements {
            if let name = element.name { tree.rename(element.node, to: name) }
            for (name, value) in element.attributes where AttributeName.isValid(name) {
                tree.setAttribute(element.node, name, value)
            }
        }
        for text in texts { tree.replaceText(text.node, text.text) }
        // Last, because it changes the ids.
        tree.restructure(nodes)
    }
}

/// Runs a rewriter as a walker and records its decisions.
private struct RewriteVisitor<Rewriter: MarkupRewriter>: TreeWalker {
    var rewriter: Rewriter
    var changes = RewriteChanges()

    static func changes(of tree: MarkupTree, by rewriter: inout Rewriter) -> RewriteChanges {
        var visitor = RewriteVisitor(rewriter: rewriter)
        tree.visit(tree.contents(tree.root), with: &visitor)
        rewriter = visitor.rewriter
        return visitor.changes
    }

    mutating func enterElement(_ node: NodeID, in tree: MarkupTree) -> Descent {
        switch rewriter.rewriteElement(ElementNode(tree: tree, id: node)) {
        case .keep: return .contents
        case .remove:
            changes.nodes.append((node, .remove))
            return .skip
        case .unwrap:
            changes.nodes.append((node, .unwrap))
            return .contents
        case .replace(let html):
            changes.nodes.append((node, .replace(html: html)))
            return .skip
        case .edit(let name, let attributes):
            changes.elements.append((node, name, attributes))
            return .contents
        }
    }

    mutating func visitText(_ node: NodeID, in tree: MarkupTree) {
        note(rewriter.rewriteText(MarkupNode(tree: tree, id: node)), of: node)
    }

    mutating func visitComment(_ node: NodeID, in tree: MarkupTree) {
        note(rewriter.rewriteComment(MarkupNode(tree: tree, id: node)), of: node)
    }

    private mutating func note(_ rewrite: TextRewrite, of node: NodeID) {
        switch rewrite {
        case .keep: break
        case .remove: changes.nodes.append((node, .remove))
        case .text(let text): changes.texts.append((node, text))
        case .replace(let html): changes.nodes.append((node, .replace(html: html)))
        }
    }
}
