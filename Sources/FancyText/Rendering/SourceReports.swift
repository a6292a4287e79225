// Reports of sources that are probably not what their author meant: nothing to show, scripts, and tags that no row fills. In: a
// document. Out: its messages, one of each kind.

import FancyTextMarkup

extension Document {
    /// Reports an input that is empty, or has neither elements nor text, as one of only a comment.
    package mutating func reportNothing() {
        let hasContents = tree.subtree(tree.root).contains { node in
            guard tree.kind(node) == .element else { return tree.kind(node) == .text && showsSomething(node) }
            return ![.html, .head, .body, .title, .meta, .base].contains(tree.tag(node))
        }
        guard !hasContents else { return }
        let message = tree.source.allSatisfy(\.isHTMLSpace) ? "the input is empty" : "the input has nothing to show"
        diagnostics.warn(.emptyInput, "\(message): the picture is empty", at: tree.location(offset: 0))
    }

    /// Reports scripts, which are not run; as a warning if the document shows nothing.
    package mutating func reportScripts() {
        let script = tree.subtree(tree.root).first { node in
            guard tree.kind(node) == .element else { return false }
            if tree.tag(node) != .script { return tree.hasAttributes(node) && hasHandler(node) }
            let type = tree.attribute(node, "type")?.lowercased() ?? ""
            return type.isEmpty || type == "module" || type.contains("script")
        }
        guard let script else { return }
        let isEmpty = !tree.subtree(tree.root).contains { showsSomething($0) }
        diagnostics.report(
            Diagnostic(
                isEmpty ? .warning : .note, .scriptsNotRun,
                isEmpty ? "the page shows nothing until its scripts run: they are not run" : "scripts are not run",
                at: tree.location(script)))
    }

    /// A tag with a name.
    private static let tag = Expression(#"\{\{\{?+[#^&]?+ *+[A-Za-z_][A-Za-z_0-9.]*+ *+\}\}"#, anchored: false)

    /// Reports the first tag of a template that is shown as it is. Code and scripts may contain such text for other reasons.
    package mutating func reportUnfilledTags() {
        let matcher = Matcher()
        func hasTag(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
            text.baseAddress.map { Self.tag.match($0, count: text.count, from: 0, with: matcher) } ?? false
        }
        guard hasTag(tree.source) else { return }
        let found = tree.subtree(tree.root).first { node in
            var isFound = false
            switch tree.kind(node) {
            case .text: isFound = tree.withText(node, hasTag)
            case .element: tree.forEachAttribute(node) { if tree.withValue($0, hasTag) { isFound = true } }
            case .root, .comment, .doctype, .instruction: return false
            }
            return isFound
                && !tree.ancestors(node).contains { [.pre, .code, .script, .template].contains(tree.tag($0)) }
        }
        guard let found else { return }
        let message = "tags such as {{name}} are shown as they are: only rows fill them"
        diagnostics.report(Diagnostic(.note, .unfilledTag, message, at: tree.location(found)))
    }

    /// Returns whether a node is a text outside of the head and of scripts, a picture or a control.
    private func showsSomething(_ node: NodeID) -> Bool {
        switch tree.kind(node) {
        case .text:
            switch tree.parent(node).map({ tree.tag($0) }) {
            case .script, .style, .title, .noscript, .template: false
            default: tree.withText(node) { !$0.allSatisfy(\.isHTMLSpace) }
            }
        case .element:
            switch tree.tag(node) {
            case .img, .svg, .input, .textarea, .select, .video, .hr: true
            default: false
            }
        case .root, .comment, .doctype, .instruction: false
        }
    }

    private func hasHandler(_ node: NodeID) -> Bool {
        var result = false
        tree.forEachAttribute(node) { if tree.attributeName($0).hasPrefix("on") { result = true } }
        return result
    }
}
