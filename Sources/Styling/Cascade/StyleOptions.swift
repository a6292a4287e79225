// The options of styling: sheets, the root's style, policy, medium, default fonts.

import FancyTextBasics
import FancyTextCSS

/// The precedence between the document's styles and those given in code.
public enum StylePolicy: String, Hashable, Sendable, CaseIterable {
    /// The order of CSS: `style=""` wins over rules.
    case html
    /// Styles given in code or on the command line (for tags, classes, ids and rules) win over those of the document, even over
    /// its important ones. The document's styles fill in the rest. The root's style always has the lowest precedence.
    case code
}

package struct StyleOptions: Sendable {
    package struct Sheet: Hashable, Sendable {
        /// The name in diagnostics and the base of relative URLs: a path, or a name that the caller chose.
        package var name: String
        package var text: [UInt8]
        package var origin: Origin
        /// The class or id that the sheet styles. A later sheet for the same one replaces it.
        package var subject: String?
        /// The sheet applies to documents that have these contents.
        package var contents: MediaEnvironment.Contents = []

        package enum Origin: Sendable {
            /// Code or the command line, which policy `code` prefers.
            case code
            /// A ready-made look, which is weaker than every other sheet and than presentational attributes.
            case preset
            /// A `<style>` element of a fragment, or of a whole document, which is parsed as CSS like in browsers.
            case fragment, document
        }

        package init(name: String, text: [UInt8], origin: Origin = .code, subject: String? = nil) {
            (self.name, self.text, self.origin, self.subject) = (name, text, origin, subject)
        }

        package init(name: String, text: String, origin: Origin = .code) {
            self.init(name: name, text: Array(text.utf8), origin: origin)
        }
    }

    /// Later sheets win over earlier ones and over `<style>` of equal specificity.
    package var sheets: [Sheet] = []
    /// False for the contents of a box in another document, which no root element surrounds.
    package var hasRootBox = true
    package var rootStyleName = "root style"
    package var rootStyle = ""
    package var policy = StylePolicy.html
    package var dialect = StyleSheetDialect.automatic
    /// The medium. Its size is the viewport of `vw` and media queries.
    package var media = MediaEnvironment()
    package var defaultFamilies: [FontFamily] = [.named("Inter"), .generic(.sansSerif)]
    /// The font size of `medium`, and of `medium` in generic monospace, in CSS pixels.
    package var defaultSize: Float = 16, defaultMonospaceSize: Float = 13
    /// Declarations by tag name in lower case. They win over the default sheet, and with policy `code` over the document.
    package var customTags: [String: String] = [:]
    /// The only properties allowed in `style` attributes, except for custom ones, in lower case; `nil` allows all.
    package var allowedStyleAttributes: Set<String>?
    /// Custom style attributes: each maps its value to declarations, which have the precedence of `style=""`.
    package var customAttributes: [String: @Sendable (String) -> String?] = [:]
    /// Creates the loader of one document's sheets; `meter` is the document's budget.
    package var importLoader: (@Sendable (_ meter: BudgetMeter) -> SheetLoader)?
    /// The limits, which include the number of sheets that a document and its sheets may load.
    package var limits = Limits()
    /// True if ``importLoader`` handles http and https URLs, so that a `base` element may name one.
    package var fetchesSheets = true
    /// The `ex` and `ch` of the default font, as shares of the font size.
    package var exRatio = 0.546, chRatio = 0.62
    /// True if only plain text is needed: other declarations are dropped, and rules that become empty with them.
    package var readsTextOnly = false

    var isQuirks = false

    package init() {}
}
