// Values of text in columns and of breaks between them (CSS Multi-column 1, CSS Fragmentation 3).

package struct ColumnStyle: RareGroup {
    /// `column-width` and `column-height`, CSS pixels; nil is `auto`.
    package var width, height: Float?
    /// `column-count`; nil is `auto`.
    package var count: Int?
    /// `column-fill: auto`: columns are filled one after the other, not balanced.
    package var fillsInOrder = false
    /// `column-wrap`: further columns are in rows below; nil is `auto`, which wraps columns with a height.
    package var wraps: Bool?
    /// `column-span: all`.
    package var spansAll = false
    package var ruleStyle = BorderLineStyle.none
    /// CSS pixels, as if the style were visible; `medium` is 3.
    package var ruleWidth: Float = 3
    /// nil is `currentcolor`.
    package var ruleColor: Color?
    package var breakBefore = BreakBetween.auto, breakAfter = BreakBetween.auto
    package var breakInside = BreakInside.auto
    /// `page`: the name of the pages that the box is on; nil is `auto`.
    package var page: String?
    /// `string-set`.
    package var strings: [StringAssignment] = []

    package init() {}

    package var makesColumns: Bool { width != nil || count != nil }
}

/// `break-before`, `break-after` (CSS Fragmentation 3 §3.1).
package enum BreakBetween: String, Sendable {
    case auto, avoid, page, left, right, recto, verso, column, avoidPage = "avoid-page", avoidColumn = "avoid-column"

    package var forcesPage: Bool {
        switch self {
        case .page, .left, .right, .recto, .verso: true
        case .auto, .avoid, .column, .avoidPage, .avoidColumn: false
        }
    }
}

/// `break-inside` (CSS Fragmentation 3 §3.2).
package enum BreakInside: String, Sendable {
    case auto, avoid, avoidPage = "avoid-page", avoidColumn = "avoid-column"
}

/// One string of `string-set` (CSS Generated Content for Paged Media 3 §1.1).
package struct StringAssignment: Equatable, Sendable {
    package var name: String
    package var parts: [ContentPart]
}

/// The value of a named string that `string()` asks for, if a page sets it several times.
package enum StringChoice: String, Sendable { case first, start, last, firstExcept = "first-except" }
