// The library: HTML-styled text in; pictures, terminal text, data and plain text out.
//
//     bytes ─▶ MarkupParser.parse ─▶ Document ─▶ Renderer ─▶ PNG, pixels, JSON, terminal text
//                                        ├─▶ select, edit by id or class
//                                        └─▶ plain text, Markdown, HTML
//
// A parser is built once (styles, policy, limits) and may be used from many tasks; a document is a value; a renderer keeps
// fonts and buffers warm and belongs to one task at a time.

import FancyTextBasics
import FancyTextBoxes
import FancyTextOutputs
import FancyTextSelectors
import FancyTextStyling
import FancyTextTypography

/// Facts about this release of the library.
public enum FancyTextRelease {
    /// Semantic version of the library and the program.
    public static let version = "0.1.0"
}

// MARK: Public types of other modules

public typealias Diagnostic = FancyTextBasics.Diagnostic
public typealias DiagnosticLog = FancyTextBasics.DiagnosticLog
public typealias Limits = FancyTextBasics.Limits
public typealias Budget = FancyTextBasics.Budget
public typealias OffsetUnit = FancyTextBasics.OffsetUnit
public typealias SelectorError = FancyTextSelectors.SelectorError

public typealias MarkupStyle = FancyTextStyling.MarkupStyle
public typealias StylePolicy = FancyTextStyling.StylePolicy
public typealias StyleSheetDialect = FancyTextStyling.StyleSheetDialect
public typealias Color = FancyTextStyling.Color
public typealias GenericFamily = FancyTextStyling.GenericFamily
public typealias FontFamily = FancyTextStyling.FontFamily
public typealias FontCaps = FancyTextStyling.FontCaps
public typealias FontFeature = FancyTextStyling.FontFeature
public typealias FontVariation = FancyTextStyling.FontVariation
public typealias TextDirection = FancyTextStyling.TextDirection
public typealias TextAlign = FancyTextStyling.TextAlign
public typealias TextTransformCase = FancyTextStyling.TextTransformCase
public typealias DecorationStyle = FancyTextStyling.DecorationStyle
public typealias Shadow = FancyTextStyling.Shadow
public typealias Gradient = FancyTextStyling.Gradient
public typealias LengthPercentage = FancyTextStyling.LengthPercentage
public typealias GradientStop = FancyTextStyling.GradientStop

public typealias FontOptions = FancyTextTypography.FontOptions
public typealias Hinting = FancyTextTypography.Hinting

public typealias TableForm = FancyTextBoxes.TableForm
public typealias ParagraphMarker = FancyTextBoxes.ParagraphMarker
public typealias ParagraphCell = FancyTextBoxes.ParagraphCell
public typealias LinkStyle = FancyTextOutputs.LinkStyle
public typealias TableStyle = FancyTextOutputs.TableStyle
public typealias ANSIOptions = FancyTextOutputs.ANSIOptions
public typealias TerminalBackground = FancyTextOutputs.TerminalBackground
public typealias TerminalColors = FancyTextOutputs.TerminalColors
public typealias TerminalTheme = FancyTextOutputs.TerminalTheme
public typealias JSONContent = FancyTextOutputs.JSONContent
