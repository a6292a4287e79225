// Styled text as HTML, Markdown and plain text.

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
