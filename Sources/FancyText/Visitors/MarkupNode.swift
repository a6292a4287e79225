// The nodes of a visitor: values that stay readable after the document is edited.

import FancyTextBasics
import FancyTextMarkup

/// A node of a document as it was when it was visited.
///
/// A value that keeps what it reads: it may outlive the visit, and edits of the document do not change it. As long as
/// there is one, the next edit copies the document's tree.
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

    /// The characters of a text node, with character references decoded, or what a comment, doctype or instruction
    /// says; of an element or the root the text that they hold, without that of script, style and template. O(length).
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

    /// Line and column of the node's start in the source; of a node that an edit brought in, those of the element that
    /// it was brought into. The first call takes O(source), further ones O(log lines).
    public var location: Diagnostic.Location { tree.location(id) }
}

/// An element of a document as it was when it was visited; see ``MarkupNode`` for how long it stays.
public struct ElementNode: Sendable {
    let tree: MarkupTree
    let id: NodeID

    /// The element's name in lower case. O(length).
    public var name: String { tree.name(id) }

    /// All attributes in the order of the source: names in lower case, values with character references decoded. O(length).
    public var attributes: [(name: String, value: String)] { tree.attributes(id) }

    /// The value of an attribute, "" when it has none; nil when the element lacks it. Names compare without regard to ASCII
    /// case. O(attributes).
    public func attribute(_ name: String) -> String? { tree.attribute(id, name) }

    /// The text that the element holds, without that of script, style and template. O(length).
    public var text: String { String(decoding: tree.textContent(id), as: UTF8.self) }

    /// The element as HTML: the source text where it needed no repair. O(length).
    public var html: String { tree.outerHTML(id) }

    /// The contents of the element as HTML. O(length).
    public var innerHTML: String { tree.innerHTML(id) }

    /// The element that contains this one; nil at the top. O(1).
    public var parent: ElementNode? { node.parent }

    /// Line and column of the start tag; see ``MarkupNode/location``.
    public var location: Diagnostic.Location { tree.location(id) }

    /// The element among nodes of all kinds. O(1).
    public var node: MarkupNode { MarkupNode(tree: tree, id: id) }

    /// A handle by which the visited document knows the element, through all later edits until it is removed. After an edit of
    /// the document, a new handle may name nothing. O(log n) in the number of handles, and O(n) for a new one if a later element
    /// has one already.
    public var handle: ElementHandle { ElementHandle(node: tree.handles(of: [id])[0]) }
}
