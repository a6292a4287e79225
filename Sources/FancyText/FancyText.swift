// The library: HTML-styled text in; pictures, terminal text, data and plain text out.
//
//     bytes ─▶ MarkupParser.parse ─▶ Document ─▶ Renderer ─▶ PNG, pixels, JSON, terminal text
//                                        ├─▶ select, edit by id or class
//                                        └─▶ plain text, Markdown, HTML
//
// A parser is built once (styles, policy, limits) and may be used from many tasks; a document is a value; a renderer keeps
// fonts and buffers warm and belongs to one task at a time.

import Basics
import Boxes
import Outputs
import Selectors
import Styling

/// The library's own facts.
public enum FancyText {
    /// Semantic version of the library and the program.
    public static let version = "0.1.0"
}

// MARK: What other modules define and this one's users see

public typealias Diagnostic = Basics.Diagnostic
public typealias DiagnosticLog = Basics.DiagnosticLog
public typealias Limits = Basics.Limits
public typealias Budget = Basics.Budget
public typealias OffsetUnit = Basics.OffsetUnit
public typealias SelectorError = Selectors.SelectorError

public typealias MarkupStyle = Styling.MarkupStyle
public typealias StylePolicy = Styling.StylePolicy
public typealias StyleSheetDialect = Styling.StyleSheetDialect
public typealias Color = Styling.Color
public typealias GenericFamily = Styling.GenericFamily
public typealias FontFamily = Styling.FontFamily
public typealias FontCaps = Styling.FontCaps
public typealias FontFeature = Styling.FontFeature
public typealias FontVariation = Styling.FontVariation
public typealias TextDirection = Styling.TextDirection
public typealias TextAlign = Styling.TextAlign
public typealias TextTransformCase = Styling.TextTransformCase
public typealias DecorationStyle = Styling.DecorationStyle
public typealias Shadow = Styling.Shadow
public typealias Gradient = Styling.Gradient
public typealias LengthPercentage = Styling.LengthPercentage
public typealias GradientStop = Styling.GradientStop

public typealias TableForm = Boxes.TableForm
public typealias ANSIOptions = Outputs.ANSIOptions
public typealias TerminalBackground = Outputs.TerminalBackground
public typealias TerminalColors = Outputs.TerminalColors
public typealias TerminalTheme = Outputs.TerminalTheme
public typealias JSONContent = Outputs.JSONContent
