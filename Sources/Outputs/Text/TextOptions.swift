// Options for the text of a document.

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
public enum TableStyle: String, CaseIterable, Sendable {
    case columns, grid, tsv, none
}

/// Options for readers' preferences.
package struct TextOptions: Sendable {
    package enum Mode: Sendable { case readable, innerText, raw }

    package var mode = Mode.readable
    /// The column at which lines are wrapped; nil for no wrapping.
    package var width: Int?
    package var links = LinkStyle.none
    package var tables = TableStyle.columns
    /// Writes sentences for a screen reader.
    package var isSpeech = false
    /// Keeps control characters and bidi overrides.
    package var keepsControls = false
    /// Reads the boxes even if reading the tree would suffice.
    package var alwaysReadsBoxes = false

    package init() {}
}
