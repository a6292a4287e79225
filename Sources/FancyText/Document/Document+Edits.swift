// Edits of a document by node or id, and the styles that remain valid after them.

import FancyTextBasics
import FancyTextMarkup
import FancyTextStyling

extension Document {
    func node(withID id: String) -> NodeID? { tree.nodes(withID: id).first }

    // MARK: By node

    /// Makes plain text the only content of an element, or the value of a text node.
    ///
    /// If the element contained only text, ids stay and only styles that depend on text are resolved again. Otherwise the ids of
    /// the nodes after it change.
    package mutating func setText(_ text: String, of node: NodeID) {
        guard !text.isEmpty, let old = onlyText(of: node), tree.tag(tree.parent(old) ?? old) != .style else {
            return editContents(of: node) { $0.setText(node, text) }
        }
        edit { $0.setText(old, text) }
        boxes = nil
        update(after: .text)
    }

    /// Sets the contents of an element from HTML; the ids of the nodes after it change.
    package mutating func setHTML(_ html: String, of node: NodeID) {
        editContents(of: node) { $0.setInnerHTML(node, html) }
    }

    /// Sets the inline style of an element.
    package mutating func setStyle(_ style: MarkupStyle, of node: NodeID) {
        editAttributes(of: node) { $0.setAttribute(node, "style", style.css) }
    }

    /// Sets an attribute of an element; names compare without regard to ASCII case.
    package mutating func setAttribute(_ name: String, _ value: String, of node: NodeID) {
        editAttributes(of: node) { $0.setAttribute(node, name, value) }
    }

    package mutating func addClass(_ name: String, to node: NodeID) {
        editAttributes(of: node) { $0.addClass(node, name) }
    }

    package mutating func removeClass(_ name: String, from node: NodeID) {
        editAttributes(of: node) { $0.removeClass(node, name) }
    }

    /// Appends HTML to the contents of the document.
    public mutating func append(_ html: String) { append(html, to: tree.root) }

    /// Appends HTML to the contents of an element; the ids of the nodes after it change.
    package mutating func append(_ html: String, to parent: NodeID) {
        let end = Int(tree.subtreeEnd(parent).index)
        editContents(of: parent, old: end..<end) { $0.append(html, to: parent) }
    }

    /// Removes the comments whose text satisfies `isRemoved`; the ids of the nodes after them change.
    mutating func removeComments(where isRemoved: (UnsafeBufferPointer<UInt8>) -> Bool) {
        let comments = tree.subtree(tree.root).filter { tree.kind($0) == .comment && tree.withText($0, isRemoved) }
        guard !comments.isEmpty else { return }
        edit { $0.remove(comments) }
        forgetStyles()
    }

    /// Removes an element; the ids of the nodes after it change.
    package mutating func remove(_ node: NodeID) {
        guard let parent = tree.parent(node) else { return }
        editContents(of: parent, old: Int(node.index)..<Int(tree.subtreeEnd(node).index)) { $0.remove(node) }
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

    // MARK: Keeping styles

    /// The only text node in `node`, or `node` itself if it is a text node; nil if it is empty or there are other nodes.
    private func onlyText(of node: NodeID) -> NodeID? {
        guard let text = tree.kind(node) == .text ? node : tree.firstChild(node), tree.kind(text) == .text,
            text == node || tree.subtreeEnd(node) == tree.subtreeEnd(text)
        else { return nil }
        return tree.withText(text) { $0.isEmpty } ? nil : text
    }

    /// Changes the tree while no other copy shares its storage, so that it is not copied.
    private mutating func edit(_ change: (inout MarkupTree) -> Void) {
        styledTree?.releaseTree()
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

    private mutating func editAttributes(of node: NodeID, _ change: (inout MarkupTree) -> Void) {
        edit(change)
        boxes = nil
        if isSheet(node) { return forgetStyles() }
        update(after: .attributes(of: node))
    }

    private mutating func editContents(of node: NodeID, _ change: (inout MarkupTree) -> Void) {
        guard tree.kind(node) == .element || tree.kind(node) == .root else {
            let index = Int(node.index)
            return editContents(of: tree.parent(node) ?? tree.root, old: index..<index + 1, change)
        }
        editContents(of: node, old: Int(node.index) + 1..<Int(tree.subtreeEnd(node).index), change)
    }

    /// Makes an edit that replaces the nodes `old`, which are children of `parent`.
    private mutating func editContents(
        of parent: NodeID, old: Range<Int>, _ change: (inout MarkupTree) -> Void
    ) {
        let touchesSheets = isSheet(parent) || old.contains { isSheet(NodeID($0)) }
        let count = tree.count
        edit(change)
        boxes = nil
        let newEnd = old.upperBound + tree.count - count
        if touchesSheets || (old.lowerBound..<newEnd).contains(where: { isSheet(NodeID($0)) }) {
            return forgetStyles()
        }
        update(after: .contents(of: parent, old: old, newEnd: newEnd))
    }

    private func isSheet(_ node: NodeID) -> Bool {
        tree.kind(node) == .element && (tree.tag(node) == .style || tree.tag(node) == .link)
    }

    /// Updates the styles after an edit.
    private mutating func update(after edit: TreeEdit) {
        guard var styled = styledTree else { return }
        styledTree = nil  // released first, so that its arrays are not copied
        defer { styledTree = styled }
        resolver.update(&styled, to: tree, after: edit, log: &diagnostics)
    }

    /// Discards styles and boxes that a time limit left incomplete, and keeps the selected nodes.
    mutating func forgetUnfinished() {
        let kept = kept
        forgetStyles()
        self.kept = kept
    }

    /// Discards all styles and boxes.
    mutating func forgetStyles() {
        styledTree = nil
        textTree = nil
        unstyledTree = nil
        boxes = nil
        kept = nil
    }
}
