// Handles of elements for users of the library, the matches of a selector, which can be searched further, and edits of a document by
// id and by handle. Each edit discards the styles and boxes; the next rendering makes them again.

import FancyTextMarkup

/// An element of a document, until an edit removes it.
///
/// It denotes the same element regardless of edits around it. Later copies of the document know it too, each until one of its own
/// edits removes the element. In any other document, look-ups return nil, and edits change nothing and return false.
///
/// Two handles are equal if they were created for the same element.
public struct ElementHandle: Hashable, Sendable {
    let node: NodeHandle
}

extension Document {
    /// The first element with an id, by a hash map; nil if there is no such element.
    public func element(withID id: String) -> ElementHandle? { node(withID: id).flatMap { handles(of: [$0]).first } }

    /// The elements of a class, in document order, by a hash map.
    public func elements(withClass name: String) -> [ElementHandle] { handles(of: tree.nodes(withClass: name)) }

    /// The elements that a selector matches, in document order.
    ///
    /// - Throws: ``SelectorError`` if the selector is invalid.
    public func select(_ selector: String) throws(SelectorError) -> [ElementHandle] {
        handles(of: matches(of: try SelectorQuery(selector)))
    }

    /// Returns whether the document has the element. O(log n) in the number of handles, like all look-ups by handle.
    public func contains(_ element: ElementHandle) -> Bool { node(of: element) != nil }

    /// The element as well-formed HTML; nil if the document does not have it.
    public func html(of element: ElementHandle) -> String? { node(of: element).map { tree.outerHTML($0) } }

    /// Text content without script, style and template; nil if the document does not have the element.
    public func text(of element: ElementHandle) -> String? { node(of: element).map { text(of: $0) } }

    /// The value of an attribute; nil if the element lacks it, or the document does not have the element.
    public func attribute(_ name: String, of element: ElementHandle) -> String? {
        node(of: element).flatMap { tree.attribute($0, name) }
    }

    /// The computed style of an element, with all colours set and lengths in CSS pixels; nil if the document does not have it.
    ///
    /// The first call after an edit takes O(nodes); further calls take O(depth).
    public mutating func style(of element: ElementHandle) -> MarkupStyle? {
        guard let node = node(of: element) else { return nil }
        let styled = styled()
        var walk = RunContextWalk(styled)
        return MarkupStyle(styled.computed(node), walk.surroundings(of: node))
    }

    // MARK: Edits by handle

    /// Makes plain text the only content of an element. Returns false if the document does not have the element.
    @discardableResult
    public mutating func setText(_ text: String, of element: ElementHandle) -> Bool {
        edit(node(of: element)) { $0.setText($1, text) }
    }

    /// Sets the contents of an element from HTML. Returns false if the document does not have the element.
    @discardableResult
    public mutating func setHTML(_ html: String, of element: ElementHandle) -> Bool {
        edit(node(of: element)) { $0.setInnerHTML($1, html) }
    }

    /// Sets the inline style of an element. Returns false if the document does not have it.
    @discardableResult
    public mutating func setStyle(_ style: MarkupStyle, of element: ElementHandle) -> Bool {
        edit(node(of: element)) { $0.setAttribute($1, "style", style.css) }
    }

    /// Sets an attribute of an element; names compare without regard to ASCII case. Returns false if the document does not have
    /// the element.
    @discardableResult
    public mutating func setAttribute(_ name: String, to value: String, of element: ElementHandle) -> Bool {
        edit(node(of: element)) { $0.setAttribute($1, name, value) }
    }

    /// Adds a class to an element. Returns false if the document does not have it.
    @discardableResult
    public mutating func addClass(_ name: String, to element: ElementHandle) -> Bool {
        edit(node(of: element)) { $0.addClass($1, name) }
    }

    /// Removes a class from an element. Returns false if the document does not have the element.
    @discardableResult
    public mutating func removeClass(_ name: String, from element: ElementHandle) -> Bool {
        edit(node(of: element)) { $0.removeClass($1, name) }
    }

    /// Appends HTML to the contents of an element. Returns false if the document does not have it.
    @discardableResult
    public mutating func append(_ html: String, to element: ElementHandle) -> Bool {
        edit(node(of: element)) { $0.append(html, to: $1) }
    }

    /// Removes an element with all of its contents. Returns false if the document does not contain it.
    @discardableResult
    public mutating func remove(_ element: ElementHandle) -> Bool { edit(node(of: element)) { $0.remove($1) } }

    func handles(of nodes: [NodeID]) -> [ElementHandle] { tree.handles(of: nodes).map { ElementHandle(node: $0) } }

    func node(of element: ElementHandle) -> NodeID? { tree.node(of: element.node) }

    func nodes(of elements: [ElementHandle]) -> [NodeID] { elements.compactMap { node(of: $0) } }

    package func node(withID id: String) -> NodeID? { tree.nodes(withID: id).first }

    /// Appends HTML to the contents of the document.
    public mutating func append(_ html: String) { edit { $0.append(html, to: $0.root) } }

    // MARK: Edits by id

    /// Sets the text of the element with an id. Returns false if there is no such element.
    @discardableResult
    public mutating func setText(_ text: String, ofID id: String) -> Bool {
        edit(node(withID: id)) { $0.setText($1, text) }
    }

    /// Sets the contents of the element with an id from HTML. Returns false if there is no such element.
    @discardableResult
    public mutating func setHTML(_ html: String, ofID id: String) -> Bool {
        edit(node(withID: id)) { $0.setInnerHTML($1, html) }
    }

    /// Sets the inline style of the element with an id. Returns false if there is no such element.
    @discardableResult
    public mutating func setStyle(_ style: MarkupStyle, ofID id: String) -> Bool {
        edit(node(withID: id)) { $0.setAttribute($1, "style", style.css) }
    }

    /// Sets an attribute of the element with an id. Returns false if there is no such element.
    @discardableResult
    public mutating func setAttribute(_ name: String, to value: String, ofID id: String) -> Bool {
        edit(node(withID: id)) { $0.setAttribute($1, name, value) }
    }

    /// Adds a class to the element with an id. Returns false if there is no such element.
    @discardableResult
    public mutating func addClass(_ name: String, toID id: String) -> Bool {
        edit(node(withID: id)) { $0.addClass($1, name) }
    }

    /// Removes a class from the element with an id. Returns false if there is no such element.
    @discardableResult
    public mutating func removeClass(_ name: String, fromID id: String) -> Bool {
        edit(node(withID: id)) { $0.removeClass($1, name) }
    }

    /// Appends HTML to the contents of the element with an id. Returns false if there is no such element.
    @discardableResult
    public mutating func append(_ html: String, toID id: String) -> Bool {
        edit(node(withID: id)) { $0.append(html, to: $1) }
    }

    /// Removes the element with an id. Returns false if there is no such element.
    @discardableResult
    public mutating func remove(id: String) -> Bool { edit(node(withID: id)) { $0.remove($1) } }

    /// Applies a change to a node. Returns false if `node` is nil.
    mutating func edit(_ node: NodeID?, _ change: (inout MarkupTree, NodeID) -> Void) -> Bool {
        guard let node else { return false }
        edit { change(&$0, node) }
        return true
    }

    /// Changes the tree after the styles are discarded, which share its storage. The next rendering makes them again.
    package mutating func edit(_ change: (inout MarkupTree) -> Void) {
        forgetStyles()
        change(&tree)
        reportOverfull()
    }

    /// Reports an edit that was not made because nodes cannot address that much text.
    mutating func reportOverfull() {
        guard tree.isOverfull else { return }
        diagnostics.report(
            Diagnostic(
                .error, .inputTooLarge, "edits bring in more text than the 1073741823 bytes that a document can have"))
    }

    mutating func forgetStyles() {
        styledTree = nil
        containerSizes = [:]
        textTree = nil
        boxes = nil
    }

    func elements(in node: NodeID) -> [NodeID] { tree.children(node).filter { tree.kind($0) == .element } }

    /// - Parameter name: in any letter case; nil for any.
    func isElement(_ node: NodeID, named name: String?) -> Bool {
        name.map { tree.name(node) == $0.lowercased() } ?? true
    }
}

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
        // An element is not inside of itself.
        return selection(
            of: found.filter { node in nodes.contains { $0 < node && node < document.tree.subtreeEnd($0) } })
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
