// How text is to be read off a document.

/// Options for readers' preferences.
package struct TextOptions: Sendable {
    package enum Mode: Sendable { case readable, innerText, raw }
    package enum Links: Sendable { case none, inline, footnotes }
    package enum Tables: Sendable { case columns, grid, tsv, none }

    package var mode = Mode.readable
    /// Columns to wrap at; nil for no wrapping.
    package var width: Int?
    package var links = Links.none
    package var tables = Tables.columns
    /// Sentences for a screen reader.
    package var isSpeech = false
    /// Let control characters and bidi overrides through.
    package var keepsControls = false
    /// Reads the boxes even where the tree would do.
    package var alwaysReadsBoxes = false

    package init() {}
}

/// Takes a piece of text.
package typealias TextSink = (UnsafeBufferPointer<UInt8>) -> Void
