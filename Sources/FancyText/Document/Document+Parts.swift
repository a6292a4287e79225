// The part of a document for a reader: without the frame of a page, and without elements that a selector names.

import FancyTextMarkup

extension Document {
    /// Removes the frame of a page: navigation, asides, the page's header and footer, searches. If an element is marked as the
    /// main contents, only that remains (HTML §4.4.14, WAI-ARIA 1.2 landmark roles). O(n).
    package mutating func keepMain() {
        if let removed = MainContents.removals(from: tree) {
            tree.remove(removed)
            return forgetStyles()
        }
        var mains: [NodeID] = []
        var frame: [NodeID] = []
        for node in tree.subtree(tree.root) where tree.kind(node) == .element {
            switch landmark(node) {
            case .main?: mains.append(node)
            case .frame?: frame.append(node)
            case nil: break
            }
        }
        if let first = mains.first {
            // One main element is shown; others are hidden, or inside it.
            let main = mains.first { !tree.hasAttribute($0, .hidden) } ?? first
            var inside = main
            while let parent = tree.parent(inside), tree.tag(inside) != .body {
                frame += tree.children(parent).filter { $0 != inside }
                inside = parent
            }
        }
        tree.remove(frame)
        forgetStyles()
    }

    private enum Landmark { case main, frame }

    private func landmark(_ node: NodeID) -> Landmark? {
        switch tree.attribute(node, .role)?.lowercased() {
        case "main": return .main
        case "navigation", "banner", "contentinfo", "complementary", "search": return .frame
        default: break
        }
        switch tree.tag(node) {
        case .main: return .main
        case .nav, .aside, .search: return .frame
        case .header, .footer: return isOfPage(node) ? .frame : nil
        default: return nil
        }
    }

    /// A header or footer of an article or section belongs to its contents.
    private func isOfPage(_ node: NodeID) -> Bool {
        !tree.ancestors(node).contains {
            switch tree.tag($0) {
            case .article, .section, .main: true
            default: false
            }
        }
    }
}
