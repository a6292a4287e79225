// Edits of a document by id. Each edit discards the styles and boxes; the next rendering makes them again.

import FancyTextMarkup

extension Document {
    package func node(withID id: String) -> NodeID? { tree.nodes(withID: id).first }

    /// Appends HTML to the contents of the document.
    public mutating func append(_ html: String) { edit { $0.append(html, to: $0.root) } }

    /// Removes the comments whose text satisfies `isRemoved`; the ids of the nodes after them change.
    mutating func removeComments(where isRemoved: (UnsafeBufferPointer<UInt8>) -> Bool) {
        let comments = tree.subtree(tree.root).filter { tree.kind($0) == .comment && tree.withText($0, isRemoved) }
        if !comments.isEmpty { edit { $0.remove(comments) } }
    }

    // MARK: Elements

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

    // MARK: The tree

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
}
