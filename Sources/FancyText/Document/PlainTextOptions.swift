// How a document becomes plain text.

import FancyTextOutputs

/// Options of plain text.
public struct PlainTextOptions: Sendable {
    /// The kinds of text.
    public enum Mode: String, CaseIterable, Sendable {
        /// The text that a person would read.
        case readable
        /// The text of a browser's `innerText`.
        case innerText
        /// The concatenated text nodes.
        case raw
        /// Sentences for a screen reader.
        case speech
    }
    /// The kind of text, and how its parts are joined.
    public var mode = Mode.readable
    /// Columns that lines are wrapped at; nil does not wrap.
    public var width: Int?
    /// How links show.
    public var links = LinkStyle.none
    /// How tables show.
    public var tables = TableStyle.columns
    /// Keeps control characters and escape sequences of the input.
    public var keepsControls = false
    /// Leaves out navigation, asides and the page's header and footer.
    public var isMainOnly = false
    /// Elements to leave out.
    package var removed: [SelectorQuery] = []
    /// The base of relative link URLs.
    package var base: String?

    /// Readable text, not wrapped.
    public init() {}

    /// True if the document must be changed before its text is read.
    var editsDocument: Bool { isMainOnly || !removed.isEmpty || base != nil }

    package var extraction: TextOptions {
        var options = TextOptions()
        switch mode {
        case .readable: options.mode = .readable
        case .innerText: options.mode = .innerText
        case .raw: options.mode = .raw
        case .speech:
            options.mode = .readable
            options.isSpeech = true
        }
        options.width = width
        options.links = links
        options.tables = tables
        options.keepsControls = keepsControls
        return options
    }

    /// Appends a line end to text that is more than its bare text nodes.
    func endLastLine(_ text: inout [UInt8]) {
        if mode != .raw, let last = text.last, last != 0x0A { text.append(0x0A) }
    }
}
