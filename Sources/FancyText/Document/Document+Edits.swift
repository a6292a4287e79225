// Edits of a document by node or id. Each edit discards the styles and boxes; the next rendering makes them again.

import FancyTextBasics
import FancyTextMarkup
import FancyTextStyling

extension Document {
    func node(withID id: String) -> NodeID? { tree.nodes(withID: id).first }

    // MARK: By node

    /// Makes plain text the only content of an element, or the value of a text node.
    ///
    /// The ids of the nodes after it change, unless the element contained only text.
    package mutating func setText(_ text: String, of node: NodeID) {
        edit { $0.setText(node, text) }
    }

    /// Sets the contents of an element from HTML; the ids of the nodes after it change.
    package mutating func setHTML(_ html: String, of node: NodeID) {
        edit { $0.setInnerHTML(node, html) }
    }

    /// Sets the inline style of an element.
    package mutating func setStyle(_ style: MarkupStyle, of node: NodeID) {
        edit { $0.setAttribute(node, "style", style.css) }
    }

    /// Sets an attribute of an element; names compare without regard to ASCII case.
    package mutating func setAttribute(_ name: String, _ value: String, of node: NodeID) {
        edit { $0.setAttribute(node, name, value) }
    }

    package mutating func addClass(_ name: String, to node: NodeID) {
        edit { $0.addClass(node, name) }
    }

    package mutating func removeClass(_ name: String, from node: NodeID) {
        edit { $0.removeClass(node, name) }
    }

    /// Appends HTML to the contents of the document.
    public mutating func append(_ html: String) { append(html, to: tree.root) }

    /// Appends HTML to the contents of an element; the ids of the nodes after it change.
    package mutating func append(_ html: String, to parent: NodeID) {
        edit { $0.append(html, to: parent) }
    }

    /// Removes the comments whose text satisfies `isRemoved`; the ids of the nodes after them change.
    mutating func removeComments(where isRemoved: (UnsafeBufferPointer<UInt8>) -> Bool) {
        let comments = tree.subtree(tree.root).filter { tree.kind($0) == .comment && tree.withText($0, isRemoved) }
        guard !comments.isEmpty else { return }
        edit { $0.remove(comments) }
    }

    /// Removes an element; the ids of the nodes after it change.
    package mutating func remove(_ node: NodeID) {
        guard tree.parent(node) != nil else { return }
        edit { $0.remove(node) }
    }

    // MARK: By id

    /// Sets the text of the element with an id. Returns false if there is no such element.
    @discardableResult
    public mutating func setText(_ text: String, ofID id: String) -> Bool { edit(id) { $0.setText(text, of: $1) } }

    /// Sets the contents of the element with an id from HTML. Returns false if there is no such element.
    @discardableResult
    public mutating func setHTML(_ html: String, ofID id: String) -> Bool { edit(id) { $0.setHTML(html, of: $1) } }

    /// Sets the inline style of the element with an id. Returns false if there is no such element.
    @discardableResult
    public mutating func setStyle(_ style: MarkupStyle, ofID id: String) -> Bool {
        edit(id) { $0.setStyle(style, of: $1) }
    }

    /// Sets an attribute of the element with an id. Returns false if there is no such element.
    @discardableResult
    public mutating func setAttribute(_ name: String, to value: String, ofID id: String) -> Bool {
        edit(id) { $0.setAttribute(name, value, of: $1) }
    }

    /// Adds a class to the element with an id. Returns false if there is no such element.
    @discardableResult
    public mutating func addClass(_ name: String, toID id: String) -> Bool { edit(id) { $0.addClass(name, to: $1) } }

    /// Removes a class from the element with an id. Returns false if there is no such element.
    @discardableResult
    public mutating func removeClass(_ name: String, fromID id: String) -> Bool {
        edit(id) { $0.removeClass(name, from: $1) }
    }

    /// Appends HTML to the contents of the element with an id. Returns false if there is no such element.
    @discardableResult
    public mutating func append(_ html: String, toID id: String) -> Bool { edit(id) { $0.append(html, to: $1) } }

    /// Removes the element with an id. Returns false if there is no such element.
    @discardableResult
    public mutating func remove(id: String) -> Bool { edit(id) { $0.remove($1) } }

    private mutating func edit(_ id: String, _ change: (inout Document, NodeID) -> Void) -> Bool {
        edit(node(withID: id), change)
    }

    /// Applies a change to a node. Returns false if `node` is nil.
    mutating func edit(_ node: NodeID?, _ change: (inout Document, NodeID) -> Void) -> Bool {
        guard let node else { return false }
        change(&self, node)
        return true
    }

    // MARK: The tree

    /// Changes the tree after the styles are discarded, which share its storage.
    private mutating func edit(_ change: (inout MarkupTree) -> Void) {
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

    /// Discards all styles and boxes.
    mutating func forgetStyles() {
        styledTree = nil
        containerSizes = [:]
        textTree = nil
        boxes = nil
    }
}
