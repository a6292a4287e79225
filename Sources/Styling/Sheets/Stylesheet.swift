// A parsed style sheet: flat lists of what applies in the medium, in source order.

import FancyTextBasics

/// A style rule whose conditions hold.
struct StyleRule: Sendable {
    /// The selector list, nesting resolved.
    var selectors: String
    /// The place of the selector.
    var offset: Int
    var block: DeclarationBlock
    /// Index into ``Stylesheet/layers``; −1 is none.
    var layer: Int
}

/// `@font-face` (CSS Fonts 4 §4).
package struct FontFaceRule: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        case local(String)
        case url(String)
    }

    package var family: String
    package var sources: [Source]
    package var weight: ClosedRange<Float> = 400...400
    package var stretch: ClosedRange<Float> = 100...100
    package var isItalic = false
    package var unicodeRanges: [ClosedRange<UInt32>] = []
    /// The text that the sources are relative to: a sheet's name.
    package var sheet: String
}

/// What a sheet holds, imports included.
struct Stylesheet: Sendable {
    var rules: [StyleRule] = []
    var fontFaces: [FontFaceRule] = []
    var keyframes: [KeyframesRule] = []
    /// The texts of what was imported.
    var imports: [CSSSource] = []
    /// Names of the layers in the order of their first appearance; nested ones are joined by dots.
    var layers: [String] = []
}

/// The text and the name of a sheet that `@import` or `<link>` asks for, given its URL and the name of the sheet or document
/// that asks; nil when it must not or cannot be read.
package typealias SheetLoader = @Sendable (_ url: String, _ from: String) -> (text: [UInt8], name: String)?

/// What a style sheet's text needs from outside.
struct StylesheetEnvironment {
    var media: MediaEnvironment
    var context: ValueContext
    var dialect = StyleSheetDialect.automatic
    /// Whether lengths without a unit tell the dialect.
    var findsDialectByLengths = true
    var importLoader: SheetLoader?
    var fetchesSheets = true

    /// Why a sheet could not be had.
    func code(forUnreadable url: String) -> Diagnostic.Code {
        let start = String(url.prefix(8)).asciiLowercased()
        let isRemote = start.hasPrefix("http://") || start.hasPrefix("https://") || start.hasPrefix("//")
        return isRemote && !fetchesSheets ? .networkNotAllowed : .unreadableSheet
    }
}
