// The parser's convenience methods, for callers in any task.

extension MarkupParser {
    /// A parser with the default style sheet and nothing else.
    public init() { self = MarkupParserBuilder.default().build() }

    /// `html` as text with runs of attributes. O(n).
    public func render(_ html: String) -> StyledText {
        var document = read(html)
        return document.styledText()
    }

    /// Runs `work` with the parser away from the caller's actor: `await parser.background { $0.render(html) }`.
    @concurrent
    public func background<Output: Sendable, Failure>(
        _ work: @Sendable (MarkupParser) throws(Failure) -> Output
    ) async throws(Failure) -> Output { try work(self) }

    /// The elements of `html` that a selector matches, for rendering or searching.
    ///
    /// - Throws: ``SelectorError`` if the selector is invalid.
    public func selection(in html: String, matching selector: String) throws(SelectorError) -> Selection {
        let document = parse(html)
        return Selection(document: document, elements: try document.select(selector))
    }

    /// The elements of a selection with the styles that they have in the whole document.
    public func render(_ selection: Selection) -> StyledText { selection.document.styledText(of: selection.elements) }

    /// `html` as a PNG file's bytes, away from the caller's actor; see ``picture(_:as:_:fonts:imageLoader:)``.
    ///
    /// - Throws: ``RenderError``; nothing is rendered in that case.
    @concurrent
    public func png(
        _ html: String, _ options: RenderOptions = RenderOptions(), fonts: FontOptions = FontOptions(),
        imageLoader: (@Sendable (_ source: String) async -> [UInt8]?)? = nil
    ) async throws(RenderError) -> [UInt8] {
        try await picture(html, as: .png, options, fonts: fonts, imageLoader: imageLoader)
    }

    /// `html` as a picture file's bytes, away from the caller's actor; each call uses a separate renderer.
    /// `imageLoader` is called as by ``Document/loadImages(with:)``.
    ///
    /// - Throws: ``RenderError``; nothing is rendered in that case.
    @concurrent
    public func picture(
        _ html: String, as format: PictureFormat, _ options: RenderOptions = RenderOptions(),
        fonts: FontOptions = FontOptions(), imageLoader: (@Sendable (_ source: String) async -> [UInt8]?)? = nil
    ) async throws(RenderError) -> [UInt8] {
        var document = parse(html)
        if let imageLoader { await document.loadImages(with: imageLoader) }
        return try Renderer(fonts: fonts).picture(&document, as: format, options)
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
