// What styling may be told: sheets, the root's style, policy, medium, default fonts.

/// Whose styles win.
public enum StylePolicy: String, Hashable, Sendable, CaseIterable {
    /// CSS's own order: `style=""` wins over rules.
    case html
    /// Styles given in code or on the command line win over those of the document, which fill in the rest.
    case code
}

package struct StyleOptions: Sendable {
    /// A style sheet from outside the document.
    package struct Sheet: Hashable, Sendable {
        /// For diagnostics and as the base of its URLs: a path, or what its giver calls it.
        package var name: String
        package var text: [UInt8]

        package init(name: String, text: [UInt8]) {
            self.name = name
            self.text = text
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
    /// The medium; its size is what `vw` and media queries see.
    package var media = MediaEnvironment()
    package var defaultFamilies: [FontFamily] = [.named("Inter"), .generic(.sansSerif)]
    /// CSS pixels of `medium`, and of `medium` in generic monospace.
    package var defaultSize: Float = 16
    package var defaultMonospaceSize: Float = 13
    /// Declarations by tag name in lower case; above the default sheet, below the document's.
    package var customTags: [String: String] = [:]
    /// Custom style attributes: from an attribute's value to declarations, which count like `style=""`.
    package var customAttributes: [String: @Sendable (String) -> String?] = [:]
    /// The text and the name of a sheet that `@import` or `<link>` asks for; nil when it must not or cannot be read.
    package var importLoader: (@Sendable (_ url: String, _ from: String) -> (text: [UInt8], name: String)?)?
    /// Shares of the font size that `ex` and `ch` stand for: those of the default font.
    package var exRatio = 0.546
    package var chRatio = 0.62
    /// Only plain text is wanted: other declarations are left out, and so are the rules that hold no more.
    package var readsTextOnly = false

    package init() {}
}
