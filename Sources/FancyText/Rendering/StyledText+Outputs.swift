// What becomes of styled text: pictures, terminal text, JSON, Markdown, plain text. It goes the way of documents.

import FancyTextOutputs

extension StyledText {
    /// The text as HTML with its styles written out; what it gives when it is rendered has the same text, runs and
    /// attributes.
    ///
    /// Elements have the tags, ids and classes of their runs, where such elements can stand; else they are `span` and
    /// `div`. O(n).
    public func html() -> String { String(decoding: htmlBytes(base: MarkupParser().plainStyle), as: UTF8.self) }

    /// The text as CommonMark with tables and strikethrough. O(n).
    public func markdown() -> String {
        var document = document()
        return document.markdown()
    }

    /// The text as a person would read it, with lists and tables set out as `options` say. O(n).
    public func plainText(_ options: PlainTextOptions = PlainTextOptions()) -> String {
        document().plainText(options)
    }
}

extension MarkupParser {
    /// The text without its attributes: with what lists and tables put into it, as it stands. O(1).
    public func strip(_ text: StyledText) -> String { text.text }
}

extension Renderer {
    /// Styled text as a PNG file's bytes.
    ///
    /// What the attributes can say looks as in the document that the text comes from. Boxes are not among them: what has
    /// borders, backgrounds, sizes or floats as a block has only its text here.
    ///
    /// - Throws: ``RenderError``; nothing is rendered then.
    public func png(_ text: StyledText, _ options: RenderOptions = RenderOptions()) throws(RenderError) -> [UInt8] {
        var document = text.document(plainParser)
        return try png(&document, options)
    }

    /// Text, runs and, where asked for, layout as one line of JSON; runs have no places in a source.
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
