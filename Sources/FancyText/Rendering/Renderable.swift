// Renderings of values: of documents that stay as they are, and of styled text.

/// The input of a renderer and of a ``PictureQueue``: a document or styled text.
///
/// A document that is passed with `&` also gets the renderer's messages in ``Document/diagnostics``, and keeps its resolved styles
/// for the next rendering.
public protocol Renderable: Sendable {
    /// The document that is rendered.
    ///
    /// - Parameter parser: The parser for contents that are not parsed yet.
    func document(_ parser: MarkupParser) -> Document
}

extension Document: Renderable {
    public func document(_ parser: MarkupParser) -> Document { self }
}

/// Everything that the attributes of ``StyledText`` can express looks as in the document that the text came from. They do not
/// include boxes: of a block with borders, backgrounds, sizes or floats, only the text is shown.
extension Renderer {
    /// The source as a PNG file's bytes.
    ///
    /// - Throws: ``RenderError``; nothing is rendered in that case.
    public func png(
        _ source: some Renderable, _ options: RenderOptions = RenderOptions()
    ) throws(RenderError) -> [UInt8] {
        var document = source.document(plainParser)
        return try png(&document, options)
    }

    /// The source as a picture file's bytes; see ``picture(_:as:_:)-(Document,_,_)``.
    ///
    /// - Throws: ``RenderError``; nothing is rendered in that case.
    public func picture(
        _ source: some Renderable, as format: PictureFormat, _ options: RenderOptions = RenderOptions()
    ) throws(RenderError) -> [UInt8] {
        var document = source.document(plainParser)
        return try picture(&document, as: format, options)
    }

    /// The pixels of the source's picture. Linear in its pixels.
    ///
    /// - Throws: ``RenderError``; nothing is rendered in that case.
    public func pixels(
        _ source: some Renderable, _ options: RenderOptions = RenderOptions()
    ) throws(RenderError) -> Pixels {
        var document = source.document(plainParser)
        return try pixels(&document, options)
    }

    /// Draws the source into a rectangle of pixels; see ``draw(_:_:into:x:y:width:height:)-(Document,_,_,_,_,_,_)``.
    ///
    /// - Throws: ``RenderError``; nothing is drawn in that case.
    public func draw(
        _ source: some Renderable, _ options: RenderOptions = RenderOptions(), into pixels: inout Pixels, x: Int,
        y: Int, width: Int, height: Int
    ) throws(RenderError) {
        var document = source.document(plainParser)
        try draw(&document, options, into: &pixels, x: x, y: y, width: width, height: height)
    }

    /// Text, runs and, if requested, layout as one line of JSON. Runs of styled text have no positions in a source.
    ///
    /// - Throws: ``RenderError``.
    public func json(
        _ source: some Renderable, _ options: RenderOptions = RenderOptions(), content: JSONContent = JSONContent()
    ) throws(RenderError) -> [UInt8] {
        var document = source.document(plainParser)
        return try json(&document, options, content: content)
    }

    /// The source for a terminal.
    public func ansi(
        _ source: some Renderable, _ options: RenderOptions = RenderOptions(), _ terminal: ANSIOptions = ANSIOptions()
    ) -> [UInt8] {
        var document = source.document(plainParser)
        return ansi(&document, options, terminal)
    }

    /// Styled text truncated to the limits of `options`, as ``truncated(_:_:)-(Document,_)`` truncates a document.
    ///
    /// - Throws: ``RenderError``.
    public func truncated(
        _ text: StyledText, _ options: RenderOptions = RenderOptions()
    ) throws(RenderError) -> StyledText {
        var document = try truncated(text.document(plainParser), options)
        return document.styledText()
    }
}
