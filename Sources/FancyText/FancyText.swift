// The library: HTML-styled text in; pictures, terminal text, data and plain text out.
//
//     bytes ─▶ MarkupParser.parse ─▶ Document ─▶ Renderer ─▶ PNG, pixels, JSON, terminal text
//                                        ├─▶ select, edit by id or class
//                                        └─▶ plain text, Markdown, HTML
//
// A parser is built once (styles, policy, limits) and may be used from many tasks; a document is a value; a renderer keeps
// fonts and buffers warm and belongs to one task at a time.

@_exported import Styling
@_exported import Basics
@_exported import Images
@_exported import Markup
@_exported import Selectors
@_exported import Outputs

/// The library's own facts.
public enum FancyText {
    /// Semantic version of the library and the program.
    public static let version = "0.1.0"
}
