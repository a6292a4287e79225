// Options for the text of a document.

/// Options for readers' preferences.
package struct TextOptions: Sendable {
    package enum Mode: Sendable { case readable, innerText, raw }
    package enum Links: Sendable { case none, inline, footnotes }
    package enum Tables: Sendable { case columns, grid, tsv, none }

    package var mode = Mode.readable
    /// The column at which lines are wrapped; nil for no wrapping.
    package var width: Int?
    package var links = Links.none
    package var tables = Tables.columns
    /// Writes sentences for a screen reader.
    package var isSpeech = false
    /// Keeps control characters and bidi overrides.
    package var keepsControls = false
    /// Reads the boxes even if reading the tree would suffice.
    package var alwaysReadsBoxes = false

    package init() {}
}

/// Receives a piece of text.
package typealias TextSink = (UnsafeBufferPointer<UInt8>) -> Void
