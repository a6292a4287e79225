// Rewriters: what becomes of each node is decided in one traversal, then all of it is done at once.

import FancyTextMarkup

/// What becomes of an element.
public enum ElementRewrite: Sendable {
    /// The element stays.
    case keep
    /// The element goes with all that it holds.
    case remove
    /// The element goes, what it holds stays in its place and is visited.
    case unwrap
    /// Parsed HTML comes in the place of the element and all that it holds.
    case replace(html: String)
    /// The element gets another name, unless that is nil, and other attributes: those named get the given value, and
    /// nil removes them. What is no name of a tag or attribute changes nothing. What the element holds stays and is
    /// visited.
    case edit(name: String? = nil, attributes: KeyValuePairs<String, String?> = [:])
}

/// What becomes of a text node or a comment.
public enum TextRewrite: Sendable {
    /// The node stays.
    case keep
    /// The node goes.
    case remove
    /// Plain text comes in the place of the node.
    case text(String)
    /// Parsed HTML comes in the place of the node.
    case replace(html: String)
}

/// Decides what becomes of the nodes of a document.
///
/// Nodes come in document order and as they are before anything is changed; what an edit brings in is not visited.
///
/// ```swift
/// struct CommentRemover: MarkupRewriter {
///     mutating func rewriteComment(_ comment: MarkupNode) -> TextRewrite { .remove }
/// }
/// ```
public protocol MarkupRewriter {
    /// What becomes of an element; without this function it stays.
    mutating func rewriteElement(_ element: ElementNode) -> ElementRewrite

    /// What becomes of a text node; without this function it stays. Neighbours may be parts of one text.
    mutating func rewriteText(_ text: MarkupNode) -> TextRewrite

    /// What becomes of a comment; without this function it stays.
    mutating func rewriteComment(_ comment: MarkupNode) -> TextRewrite
}

extension MarkupRewriter {
    public mutating func rewriteElement(_ element: ElementNode) -> ElementRewrite { .keep }

    public mutating func rewriteText(_ text: MarkupNode) -> TextRewrite { .keep }

    public mutating func rewriteComment(_ comment: MarkupNode) -> TextRewrite { .keep }
}

extension Document {
    /// Changes the document as a rewriter says. O(nodes + what comes in); the next rendering styles everything anew.
    ///
    /// Handles of elements that stay, renamed ones too, stay; those of elements that go name no element any more.
    public mutating func rewrite<Rewriter: MarkupRewriter>(_ rewriter: inout Rewriter) {
        // The visited nodes hold the tree no longer when it is edited, so that it is not copied.
        let changes = RewriteVisitor.changes(of: tree, by: &rewriter)
        guard !changes.isEmpty else { return }
        forgetStyles()
        changes.apply(to: &tree)
        reportOverfull()
    }

    /// The document as a rewriter changes it; this one stays as it is. O(nodes + what comes in).
    public func rewritten<Rewriter: MarkupRewriter>(by rewriter: inout Rewriter) -> Document {
        var copy = self
        copy.rewrite(&rewriter)
        return copy
    }
}

/// What a rewriter decided.
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
        // Last: it moves the ids.
        tree.restructure(nodes)
    }
}

/// A user's rewriter as a walker that notes what it says.
private struct RewriteVisitor<Rewriter: MarkupRewriter>: FancyTextMarkup.MarkupWalker {
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
