// The nodes of a visitor: values that stay readable after the document is edited.

import FancyTextMarkup

/// A node of a document at the time of its visit.
///
/// It is a value that may outlive the visit, and edits of the document do not change it. While one exists, the next edit copies
/// the document's tree.
public struct MarkupNode: Sendable {
    /// The kinds of nodes.
    public enum Kind: Hashable, Sendable {
        /// The document itself.
        case root
        case element
        case text
        case comment
        case doctype
        /// A processing instruction, such as `<?xml …?>`.
        case instruction
    }

    let tree: MarkupTree
    let id: NodeID

    /// The kind of the node. O(1).
    public var kind: Kind {
        switch tree.kind(id) {
        case .root: .root
        case .element: .element
        case .text: .text
        case .comment: .comment
        case .doctype: .doctype
        case .instruction: .instruction
        }
    }

    /// The characters of a text node, with character references decoded, or the content of a comment, doctype or instruction. For
    /// an element or the root it is the text inside, without that of script, style and template. O(length).
    public var text: String {
        switch tree.kind(id) {
        case .root, .element: String(decoding: tree.textContent(id), as: UTF8.self)
        case .text, .comment, .doctype, .instruction: tree.text(id)
        }
    }

    /// The node as an element; nil if it is not one. O(1).
    public var element: ElementNode? { tree.kind(id) == .element ? ElementNode(tree: tree, id: id) : nil }

    /// The element that contains the node; nil at the top. O(1).
    public var parent: ElementNode? { tree.parent(id).flatMap { MarkupNode(tree: tree, id: $0).element } }

    /// The line and column of the node's start in the source. A node that an edit inserted has those of the element that it was
    /// inserted into. The first call takes O(source), further ones O(log lines).
    public var location: Diagnostic.Location { tree.location(id) }
}

/// An element of a document at the time of its visit; see ``MarkupNode`` for its lifetime.
public struct ElementNode: Sendable {
    let tree: MarkupTree
    let id: NodeID

    /// The element's name in lower case. O(length).
    public var name: String { tree.name(id) }

    /// All attributes in the order of the source: names in lower case, values with character references decoded. O(length).
    public var attributes: [(name: String, value: String)] { tree.attributes(id) }

    /// The value of an attribute, "" if it has no value; nil if the element lacks it. Names compare without regard to ASCII case.
    /// O(attributes).
    public func attribute(_ name: String) -> String? { tree.attribute(id, name) }

    /// The text inside of the element, without that of script, style and template. O(length).
    public var text: String { String(decoding: tree.textContent(id), as: UTF8.self) }

    /// The element as HTML: the source text unless it was repaired. O(length).
    public var html: String { tree.outerHTML(id) }

    /// The contents of the element as HTML. O(length).
    public var innerHTML: String { tree.innerHTML(id) }

    /// The element that contains this one; nil at the top. O(1).
    public var parent: ElementNode? { node.parent }

    /// Line and column of the start tag; see ``MarkupNode/location``.
    public var location: Diagnostic.Location { tree.location(id) }

    /// The element as a node of any kind. O(1).
    public var node: MarkupNode { MarkupNode(tree: tree, id: id) }

    /// A handle by which the visited document knows the element, through all later edits until it is removed. After an edit of
    /// the document, a new handle may denote no element. O(log n) in the number of handles; O(n) for a new handle if a later
    /// element already has one.
    public var handle: ElementHandle { ElementHandle(node: tree.handles(of: [id])[0]) }
}
