// The footnotes of a document on pages (CSS GCPM 3 §2.4): their heights, and where the text calls them.
//
// In: the area of all notes at the end of the long column. Out: the height that each call reserves on its page.

import FancyTextMarkup

/// The footnotes of a document on pages, in document order.
struct Footnotes {
    struct Note {
        var fragment: Int
        /// The height of the note with the margins around it.
        var height: LayoutUnit
        /// The place of its call in the long column; nil if the call is in no flow.
        var call: (flow: Int, y: LayoutUnit)?
    }

    let area: Int
    /// The height of the area's margins, borders and padding.
    let edges: LayoutUnit
    var notes: [Note]
    /// The indices of notes by their elements.
    let numbers: [NodeID: Int]
}
