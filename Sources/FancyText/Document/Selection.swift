// The matches of a selector, which can be searched further.

import FancyTextMarkup

/// Elements that a selector found in a document.
public struct Selection: Sendable {
    /// The document of the elements.
    public let document: Document
    /// In document order.
    public let elements: [ElementHandle]

    /// Creates a selection of elements of `document`; others are ignored.
    public init(document: Document, elements: [ElementHandle]) {
        self.document = document
        self.elements = elements.filter { document.contains($0) }
    }

    /// A Boolean value that indicates whether the selection is empty.
    public var isEmpty: Bool { elements.isEmpty }

    /// The first element with all of its contents; nil if the selection is empty.
    public var first: Selection? { elements.first.map { Selection(document: document, elements: [$0]) } }

    /// The matches of a selector inside the selected elements.
    ///
    /// - Throws: ``SelectorError`` if the selector is invalid.
    public func select(_ selector: String) throws(SelectorError) -> Selection {
        let nodes = document.nodes(of: elements)
        let found = document.matches(of: try SelectorQuery(selector))
        let inside = found.filter { node in nodes.contains { document.contains($0, node) } }
        return Selection(document: document, elements: document.handles(of: inside))
    }

    /// The selected elements with a tag name.
    public func filter(_ name: String) -> Selection {
        selection(of: document.nodes(of: elements).filter { document.isElement($0, named: name) })
    }

    /// The child elements of the selected elements, in document order.
    ///
    /// - Parameter name: their tag name; nil for any.
    public func children(_ name: String? = nil) -> Selection {
        let children = document.nodes(of: elements).flatMap { document.elements(in: $0) }
        return selection(of: Set(children).filter { document.isElement($0, named: name) }.sorted())
    }

    private func selection(of nodes: [NodeID]) -> Selection {
        Selection(document: document, elements: document.handles(of: nodes))
    }

    /// The text content of each element.
    public var texts: [String] { document.nodes(of: elements).map { document.text(of: $0) } }

    /// Each element as HTML.
    public var html: [String] { document.nodes(of: elements).map { document.tree.outerHTML($0) } }
}

extension Document {
    /// Returns whether `node` is inside of `element`; an element is not inside of itself.
    func contains(_ element: NodeID, _ node: NodeID) -> Bool { element < node && node < tree.subtreeEnd(element) }

    func elements(in node: NodeID) -> [NodeID] { tree.children(node).filter { tree.kind($0) == .element } }

    /// - Parameter name: in any letter case; nil for any.
    func isElement(_ node: NodeID, named name: String?) -> Bool {
        name.map { tree.name(node) == $0.lowercased() } ?? true
    }
}
