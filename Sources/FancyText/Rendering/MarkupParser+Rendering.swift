// The parser's convenience methods, for callers in any task.

import FancyTextMarkup
import FancyTextSelectors
import FancyTextTypography

extension MarkupParser {
    /// `html` as text with runs of attributes. O(n).
    public func render(_ html: String) -> StyledText { styledText(html) }

    /// ``render(_:)-(String)`` away from the caller's actor.
    public func render(_ html: String) async -> StyledText { styledText(html) }

    private func styledText(_ html: String) -> StyledText {
        var document = read(html)
        return document.styledText()
    }

    /// The elements of `html` that a selector matches, for rendering or searching.
    ///
    /// - Throws: ``SelectorError`` if the selector is invalid.
    public func selection(_ html: String, _ selector: String) throws(SelectorError) -> Selection {
        let document = parse(html)
        return Selection(document: document, elements: try document.select(selector))
    }

    /// The elements of a selection with the styles that they have in the whole document.
    public func render(_ selection: Selection) -> StyledText { selection.document.styledText(of: selection.elements) }

    /// ``render(_:)-(Selection)`` away from the caller's actor.
    public func render(_ selection: Selection) async -> StyledText {
        selection.document.styledText(of: selection.elements)
    }

    /// ``strip(_:)`` away from the caller's actor.
    public func strip(_ html: String) async -> String { read(html).rawText }

    /// ``select(_:_:)`` away from the caller's actor.
    ///
    /// - Throws: ``SelectorError`` if the selector is invalid.
    public func select(_ html: String, _ selector: String) async throws(SelectorError) -> [String] {
        let document = read(html)
        return try Selection(document: document, elements: document.select(selector)).html
    }

    /// `html` as a PNG file's bytes, away from the caller's actor; each call uses a separate renderer.
    ///
    /// - Throws: ``RenderError``; nothing is rendered in that case.
    public func png(
        _ html: String, _ options: RenderOptions = RenderOptions(), fonts: FontOptions = FontOptions()
    ) async throws(RenderError) -> [UInt8] {
        var document = parse(html)
        return try Renderer(fonts: fonts).png(&document, options)
    }

    /// `html` as a PNG file's bytes, with images from an asynchronous loader.
    ///
    /// - Throws: ``RenderError``; nothing is rendered in that case.
    public func png(
        _ html: String, _ options: RenderOptions = RenderOptions(), fonts: FontOptions = FontOptions(),
        imageLoader: @escaping @Sendable (_ source: String) async -> [UInt8]?
    ) async throws(RenderError) -> [UInt8] {
        var document = parse(html)
        await document.loadImages(with: imageLoader)
        return try Renderer(fonts: fonts).png(&document, options)
    }

    /// The top-level elements of `html`, to be searched by name.
    ///
    /// ```swift
    /// parser.selection("<a><b>Test</b>Link</a>").filter("a").first?.children("b").texts  // ["Test"]
    /// ```
    public func selection(_ html: String) -> Selection {
        let document = parse(html)
        return Selection(document: document, elements: document.handles(of: document.elements(in: document.tree.root)))
    }
}
