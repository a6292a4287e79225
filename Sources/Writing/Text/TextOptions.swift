// Options for the text of a document.

import FancyTextSelectors

/// How the targets of links are written in text.
public enum LinkStyle: String, CaseIterable, Sendable {
    /// Only the text of the link.
    case none
    /// The text, followed by the target.
    case inline
    /// The text, followed by the number of a note at the end.
    case footnotes
}

/// How tables are written in plain text.
public enum TableStyle: String, CaseIterable, Sendable { case columns, grid, tsv, none }

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
    /// Elements to leave out, by selectors as they are written.
    package var removed: [(text: String, selectors: SelectorList)] = []
    /// The base of relative link URLs.
    package var base: String?
    /// Reads the boxes even if reading the tree would suffice.
    package var alwaysReadsBoxes = false

    /// Readable text, not wrapped.
    public init() {}

    package init(mode: Mode) { self.mode = mode }

    var isSpeech: Bool { mode == .speech }
}
