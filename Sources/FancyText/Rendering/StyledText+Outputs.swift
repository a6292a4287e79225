// Outputs of styled text: pictures, terminal text, JSON, Markdown, plain text. It is rendered like a document.

import FancyTextOutputs

extension StyledText {
    /// The text as HTML with inline styles; rendering it gives the same text, runs and attributes.
    ///
    /// Elements have the tags, ids and classes of their runs, if such elements are allowed there; otherwise they are `span` and
    /// `div`. O(n).
    public func html() -> String { String(decoding: htmlBytes(base: MarkupParser().plainStyle), as: UTF8.self) }

    /// The text as CommonMark with tables and strikethrough. O(n).
    public func markdown() -> String {
        var document = document()
        return document.markdown()
    }

    /// The text that a person would read, with lists and tables formatted by `options`. O(n).
    public func plainText(_ options: PlainTextOptions = PlainTextOptions()) -> String {
        document().plainText(options)
    }
}

extension MarkupParser {
    /// The text without its attributes, including the text of list markers and table separators. O(1).
    public func strip(_ text: StyledText) -> String { text.text }
}

extension Renderer {
    /// Styled text as a PNG file's bytes.
    ///
    /// Everything that the attributes can express looks as in the document that the text came from. They do not include boxes: of
    /// a block with borders, backgrounds, sizes or floats, only the text is shown.
    ///
    /// - Throws: ``RenderError``; nothing is rendered in that case.
    public func png(_ text: StyledText, _ options: RenderOptions = RenderOptions()) throws(RenderError) -> [UInt8] {
        var document = text.document(plainParser)
        return try png(&document, options)
    }

    /// Text, runs and, if requested, layout as one line of JSON; runs have no positions in a source.
    ///
    /// - Throws: ``RenderError``.
    public func json(
        _ text: StyledText, _ options: RenderOptions = RenderOptions(), content: JSONContent = JSONContent()
    ) throws(RenderError) -> [UInt8] {
        var document = text.document(plainParser)
        return try json(&document, options, content: content, hasSource: false)
    }

    /// Styled text for a terminal.
    public func ansi(
        _ text: StyledText, _ options: RenderOptions = RenderOptions(), _ terminal: ANSIOptions = ANSIOptions()
    ) -> [UInt8] {
        var document = text.document(plainParser)
        return writeANSI(&document, options, terminal)
    }
}
