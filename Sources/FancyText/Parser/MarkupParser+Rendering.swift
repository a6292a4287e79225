// The parser's one-line verbs, for callers on any task: text in, results out.

import Markup
import Selectors

extension MarkupParser {
    /// `html` as text with runs of attributes. O(n).
    public func render(_ html: String) -> StyledText { styledText(html) }

    /// ``render(_:)-(String)`` away from the caller's actor.
    public func render(_ html: String) async -> StyledText { styledText(html) }

    private func styledText(_ html: String) -> StyledText {
        var document = parse(html)
        return document.styledText()
    }

    /// What a selector matches in `html`, to be rendered or looked into.
    ///
    /// - Throws: ``SelectorError`` when the selector is not one.
    public func selection(_ html: String, _ selector: String) throws(SelectorError) -> Selection {
        let document = parse(html)
        return Selection(document: document, nodes: try document.select(selector))
    }

    /// The elements of a selection with the styles that they have in the whole document.
    public func render(_ selection: Selection) -> StyledText { selection.document.styledText(of: selection.nodes) }

    /// ``render(_:)-(Selection)`` away from the caller's actor.
    public func render(_ selection: Selection) async -> StyledText {
        selection.document.styledText(of: selection.nodes)
    }

    /// ``strip(_:)`` away from the caller's actor.
    public func strip(_ html: String) async -> String { parse(html).rawText }

    /// ``select(_:_:)`` away from the caller's actor.
    ///
    /// - Throws: ``SelectorError`` when the selector is not one.
    public func select(_ html: String, _ selector: String) async throws(SelectorError) -> [String] {
        let found = try selection(html, selector)
        return found.nodes.map { found.document.html(of: $0) }
    }

    /// `html` as a PNG file's bytes, away from the caller's actor; each call has a renderer of its own.
    ///
    /// - Throws: ``RenderError``; nothing is rendered then.
    public func png(
        _ html: String, _ options: RenderOptions = RenderOptions(), fonts: FontOptions = FontOptions()
    ) async throws(RenderError) -> [UInt8] {
        var document = parse(html)
        return try Renderer(fonts: fonts).png(&document, options)
    }
}

/// Elements that a selector found in a document.
public struct Selection: Sendable {
    public let document: Document
    /// In document order.
    public let nodes: [NodeID]

    public init(document: Document, nodes: [NodeID]) {
        self.document = document
        self.nodes = nodes
    }

    public var isEmpty: Bool { nodes.isEmpty }

    /// The first element with all that it holds; nil when nothing was found.
    public var first: Selection? { nodes.first.map { Selection(document: document, nodes: [$0]) } }

    /// What a selector matches in the elements found.
    ///
    /// - Throws: ``SelectorError`` when the selector is not one.
    public func select(_ selector: String) throws(SelectorError) -> Selection {
        let found = try document.select(selector)
        let inside = found.filter { node in nodes.contains { document.contains($0, node) } }
        return Selection(document: document, nodes: inside)
    }

    /// The text content of each element.
    public var texts: [String] { nodes.map { document.text(of: $0) } }

    /// Each element as HTML.
    public var html: [String] { nodes.map { document.html(of: $0) } }
}

extension Document {
    /// Whether `node` lies in `element`, which is not part of itself.
    func contains(_ element: NodeID, _ node: NodeID) -> Bool { element < node && node < tree.subtreeEnd(element) }
}
