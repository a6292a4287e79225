// The library: HTML-styled text in; pictures, terminal text, data and plain text out.
//
//     bytes ─▶ MarkupParser.parse ─▶ Document ─▶ Renderer ─▶ PNG, pixels, JSON, terminal text
//                                        ├─▶ select, edit by id or class
//                                        └─▶ plain text, Markdown, HTML
//
// A parser is built once (styles, policy, limits) and may be used from many tasks; a document is a value; a renderer keeps
// fonts and buffers warm and belongs to one task at a time.

// Clients import this module alone: the public types of the stages are part of it. Its own files see them, too.
@_exported import FancyTextBasics
@_exported import FancyTextCSS
@_exported import FancyTextGeneration
@_exported import FancyTextOutputs
@_exported import FancyTextSelectors
@_exported import FancyTextStyling
@_exported import FancyTextTypography
@_exported import FancyTextWriting

/// Facts about this release of the library.
public enum FancyTextRelease {
    /// Semantic version of the library and the program.
    public static let version = "0.1.0"
}
