// Elements whose contents are shown or hidden by their attributes.

extension MarkupTree {
    /// Returns whether the element is a closed popover. Nothing opens a popover in a static document (HTML §6.12), but a dialog
    /// with `open` is shown.
    package func isClosedPopover(_ element: NodeID) -> Bool {
        hasAttribute(element, .popover) && !(tag(element) == .dialog && hasAttribute(element, .open))
    }

    /// Returns whether a template is the shadow root of its parent (HTML §4.12.3); its contents are then shown.
    package func isShadowRoot(_ template: NodeID) -> Bool {
        guard let mode = attribute(template, "shadowrootmode")?.lowercased(), mode == "open" || mode == "closed" else {
            return false
        }
        return parent(template).map { kind($0) == .element } ?? false
    }
}
