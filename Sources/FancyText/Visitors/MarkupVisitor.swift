// Visitors for users: the library's own traversal, with nodes that are safe to keep.

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

/// How a traversal continues after it entered an element.
public enum MarkupDescent: Hashable, Sendable {
    /// Visits the contents of the element.
    case contents
    /// Skips the contents of the element.
    case skip
}

/// Visits the nodes of a document in document order and computes a result for each.
///
/// An element is entered, its contents are visited, then the element itself is visited with the results of its contents. Node
/// kinds that a visitor does not implement are passed to ``defaultVisit(_:contents:)``. The traversal is not recursive: documents
/// may be nested to any depth.
///
/// ```swift
/// /// How many words each part of a document has.
/// struct WordCounter: MarkupVisitor {
///     mutating func defaultVisit(_ node: MarkupNode, contents: [Int]) -> Int { contents.reduce(0, +) }
///
///     mutating func visitText(_ text: MarkupNode) -> Int { text.text.split(whereSeparator: \.isWhitespace).count }
/// }
/// ```
public protocol MarkupVisitor {
    /// The result of visiting a node; a ``MarkupWalker`` has none.
    associatedtype Result

    /// Visits a node of a kind that the visitor does not implement.
    ///
    /// - Parameters:
    ///   - node: The visited node.
    ///   - contents: The results of the node's children, in order; empty if they were skipped.
    mutating func defaultVisit(_ node: MarkupNode, contents: [Result]) -> Result

    /// Decides whether the contents of an element are visited; the default visits them.
    mutating func enterElement(_ element: ElementNode) -> MarkupDescent

    /// Visits an element after its contents, even if they were skipped.
    mutating func visitElement(_ element: ElementNode, contents: [Result]) -> Result

    /// Visits the document itself, after all other nodes.
    mutating func visitRoot(_ root: MarkupNode, contents: [Result]) -> Result

    /// Visits a text node. Adjacent text nodes may be parts of one text.
    mutating func visitText(_ text: MarkupNode) -> Result

    /// Visits a comment.
    mutating func visitComment(_ comment: MarkupNode) -> Result

    /// Visits the doctype.
    mutating func visitDoctype(_ doctype: MarkupNode) -> Result

    /// Visits a processing instruction.
    mutating func visitInstruction(_ instruction: MarkupNode) -> Result
}

extension MarkupVisitor {
    public mutating func enterElement(_ element: ElementNode) -> MarkupDescent { .contents }

    public mutating func visitElement(_ element: ElementNode, contents: [Result]) -> Result {
        defaultVisit(element.node, contents: contents)
    }

    public mutating func visitRoot(_ root: MarkupNode, contents: [Result]) -> Result {
        defaultVisit(root, contents: contents)
    }

    public mutating func visitText(_ text: MarkupNode) -> Result { defaultVisit(text, contents: []) }

    public mutating func visitComment(_ comment: MarkupNode) -> Result { defaultVisit(comment, contents: []) }

    public mutating func visitDoctype(_ doctype: MarkupNode) -> Result { defaultVisit(doctype, contents: []) }

    public mutating func visitInstruction(_ instruction: MarkupNode) -> Result {
        defaultVisit(instruction, contents: [])
    }
}

/// A visitor without results: it enters and leaves elements.
///
/// ```swift
/// struct LinkLister: MarkupWalker {
///     var targets: [String] = []
///
///     mutating func enterElement(_ element: ElementNode) -> MarkupDescent {
///         if element.name == "a", let target = element.attribute("href") { targets.append(target) }
///         return .contents
///     }
/// }
/// ```
public protocol MarkupWalker: MarkupVisitor where Result == Void {
    /// Called after the contents of each element that was entered, even if they were skipped.
    mutating func leaveElement(_ element: ElementNode)
}

extension MarkupWalker {
    /// Does nothing.
    public mutating func defaultVisit(_ node: MarkupNode, contents: [Void]) {}

    /// Does nothing.
    public mutating func leaveElement(_ element: ElementNode) {}

    /// Calls ``leaveElement(_:)``; the contents have been visited.
    public mutating func visitElement(_ element: ElementNode, contents: [Void]) { leaveElement(element) }
}

extension Document {
    /// Visits all nodes in document order. O(nodes) for any depth.
    ///
    /// - Returns: The visitor's result for the document itself.
    @discardableResult
    public func visit<Visitor: MarkupVisitor>(_ visitor: inout Visitor) -> Visitor.Result {
        NodeVisitor.visit(tree.root, of: tree, &visitor)
    }

    /// Visits an element with all of its contents. O(nodes visited).
    ///
    /// - Returns: The visitor's result for the element; nil if the document does not contain it.
    @discardableResult
    public func visit<Visitor: MarkupVisitor>(_ element: ElementHandle, with visitor: inout Visitor) -> Visitor.Result?
    {
        node(of: element).map { NodeVisitor.visit($0, of: tree, &visitor) }
    }
}

/// Adapts a user's visitor to the tree's walkers: the results of contents are kept until their parent is visited.
private struct NodeVisitor<Visitor: MarkupVisitor>: TreeWalker {
    var visitor: Visitor
    private var results: [Visitor.Result] = []
    /// For each open element, the number of results before those of its contents.
    private var starts: [Int] = []

    private init(_ visitor: Visitor) { self.visitor = visitor }

    static func visit(_ node: NodeID, of tree: MarkupTree, _ visitor: inout Visitor) -> Visitor.Result {
        var nodes = NodeVisitor(visitor)
        defer { visitor = nodes.visitor }
        tree.visit(node, with: &nodes)
        return nodes.results[0]
    }

    mutating func defaultVisit(_ node: NodeID, in tree: MarkupTree) {
        let visited = MarkupNode(tree: tree, id: node)
        switch tree.kind(node) {
        case .root, .element: break
        case .text: results.append(visitor.visitText(visited))
        case .comment: results.append(visitor.visitComment(visited))
        case .doctype: results.append(visitor.visitDoctype(visited))
        case .instruction: results.append(visitor.visitInstruction(visited))
        }
    }

    mutating func enterElement(_ node: NodeID, in tree: MarkupTree) -> Descent {
        starts.append(results.count)
        return switch visitor.enterElement(ElementNode(tree: tree, id: node)) {
        case .contents: .contents
        case .skip: .skip
        }
    }

    mutating func leaveRoot(_ node: NodeID, in tree: MarkupTree) {
        results = [visitor.visitRoot(MarkupNode(tree: tree, id: node), contents: results)]
    }

    mutating func leaveElement(_ node: NodeID, in tree: MarkupTree) {
        let start = starts.removeLast()
        let contents = Array(results[start...])
        results.removeSubrange(start...)
        results.append(visitor.visitElement(ElementNode(tree: tree, id: node), contents: contents))
    }
}
