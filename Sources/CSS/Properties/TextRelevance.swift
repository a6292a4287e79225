// Which properties `strip` and other outputs of plain text read. In: a name. Out: whether its value can change the text.

import FancyTextBasics

/// The properties that can change a document's plain text. All others only affect colour, size and position.
package enum TextRelevance {
    /// Names without vendor prefixes.
    package static let names: Set<String> = [
        "all", "animation", "animation-delay", "animation-direction", "animation-duration", "animation-fill-mode",
        "animation-iteration-count", "animation-name", "animation-play-state", "animation-timing-function",
        "box-orient", "content", "content-visibility", "counter-increment", "counter-reset", "counter-set", "direction",
        "display", "float", "line-clamp", "list-style", "list-style-image", "list-style-position", "list-style-type",
        "margin", "margin-after", "margin-before", "margin-block", "margin-block-end", "margin-block-start",
        "margin-bottom", "margin-end", "margin-inline", "margin-inline-end", "margin-inline-start", "margin-left",
        "margin-right", "margin-start", "margin-top", "position", "quotes", "text-transform", "text-wrap",
        "text-wrap-mode", "unicode-bidi", "visibility", "white-space", "white-space-collapse", "writing-mode",
    ]

    /// Returns whether a property may change text; this library's own properties (`-ft-…`) and custom ones always do.
    package static func isRelevant(_ name: String) -> Bool {
        let name = name.asciiLowercased()
        if name.hasPrefix("--") || name.hasPrefix("-ft-") { return true }
        let plain = name.hasPrefix("-") ? name.dropFirst().drop { $0 != "-" }.dropFirst() : name[...]
        return names.contains(String(plain))
    }
}
