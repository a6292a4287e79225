// Elements whose attributes decide whether their contents are a part of what shows.

extension MarkupTree {
    /// Whether the element is a popover, which nothing has opened in a document that stands still (HTML §6.12). A dialog that is open
    /// shows.
    package func isClosedPopover(_ element: NodeID) -> Bool {
        hasAttribute(element, .popover) && !(tag(element) == .dialog && hasAttribute(element, .open))
    }

    /// Whether a template is the shadow root of its parent (HTML §4.12.3): what it holds shows there.
    package func isShadowRoot(_ template: NodeID) -> Bool {
        guard let mode = attribute(template, "shadowrootmode")?.lowercased(), mode == "open" || mode == "closed" else {
            return false
        }
        return parent(template).map { kind($0) == .element } ?? false
    }
}
