// What styling may be told: sheets, the root's style, policy, medium, default fonts.

import FancyTextBasics

/// Whose styles win.
public enum StylePolicy: String, Hashable, Sendable, CaseIterable {
    /// CSS's own order: `style=""` wins over rules.
    case html
    /// Styles of tags, classes and ids and rules given in code or on the command line win over those of the document, also
    /// over its important ones; the document's fill in the rest. The root's style stays what everything else is laid over.
    case code
}

package struct StyleOptions: Sendable {
    /// A style sheet from outside the document.
    package struct Sheet: Hashable, Sendable {
        /// For diagnostics and as the base of its URLs: a path, or what its giver calls it.
        package var name: String
        package var text: [UInt8]
        package var origin: Origin
        /// The class or id whose style it is: a further style for it takes its place.
        package var subject: String?

        package enum Origin: Sendable {
            /// Code or the command line: what policy `code` prefers.
            case code
            /// A `<style>` of a fragment, or of a whole document, which is CSS as browsers read it.
            case fragment, document
        }

        package init(name: String, text: [UInt8], origin: Origin = .code, subject: String? = nil) {
            self.name = name
            self.text = text
            self.origin = origin
            self.subject = subject
        }

        package init(name: String, text: String) { self.init(name: name, text: Array(text.utf8)) }
    }

    /// Later ones win over earlier ones and over `<style>` of equal specificity.
    package var sheets: [Sheet] = []
    /// What diagnostics call the declarations of the root.
    package var rootStyleName = "root style"
    /// Declarations of the root.
    package var rootStyle = ""
    package var policy = StylePolicy.html
    package var dialect = StyleSheetDialect.automatic
    /// The medium; its size is what `vw` and media queries see.
    package var media = MediaEnvironment()
    package var defaultFamilies: [FontFamily] = [.named("Inter"), .generic(.sansSerif)]
    /// CSS pixels of `medium`, and of `medium` in generic monospace.
    package var defaultSize: Float = 16
    package var defaultMonospaceSize: Float = 13
    /// Declarations by tag name in lower case; above the default sheet, below the document's, or above it by policy.
    package var customTags: [String: String] = [:]
    /// The only properties that count in `style` attributes besides custom ones, in lower case; nil is all.
    package var allowedStyleAttributes: Set<String>?
    /// Custom style attributes: from an attribute's value to declarations, which count like `style=""`.
    package var customAttributes: [String: @Sendable (String) -> String?] = [:]
    /// Makes what one document's sheets come from, given its account.
    package var importLoader: (@Sendable (_ meter: BudgetMeter) -> SheetLoader)?
    /// How many sheets a document and its sheets may name.
    package var limits = Limits()
    /// ``importLoader`` gets what http and https URLs name; without it such a URL's message says so.
    package var fetchesSheets = true
    /// Shares of the font size that `ex` and `ch` stand for: those of the default font.
    package var exRatio = 0.546
    package var chRatio = 0.62
    /// Only plain text is wanted: other declarations are left out, and so are the rules that hold no more.
    package var readsTextOnly = false

    /// For documents in quirks mode.
    var isQuirks = false

    package init() {}
}
