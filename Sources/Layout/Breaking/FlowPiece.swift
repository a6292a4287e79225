// The parts of a flow between which columns and pages break, and their places (CSS Fragmentation 3).

import FancyTextMarkup

/// A part of a flow that stays together: a line, a picture, a table row, with the edges of boxes that begin and end with it.
struct FlowPiece {
    enum Break { case allowed, avoided, forced }

    var top, bottom: LayoutUnit
    var breakBefore = Break.allowed
    /// The side of the page that a forced break continues on; nil for the next page.
    var side: PageSide?
    /// True for empty space, which may break anywhere, in a whole box only if that is higher than a page.
    var isSpace = false
    /// The margin above it, which is kept at a forced break and removed at others (CSS Fragmentation 3 §5.2).
    var margin = LayoutUnit.zero
    /// The line's position in its paragraph, if the piece is a line that follows others.
    var line: Line?
    /// The content side by side that divides where the piece is too high for a page, as indices of flows.
    var flows: [Int] = []
    /// True if the flows divide only where the piece is higher than a page.
    var staysWhole = false
    /// The height of the highest box around it that avoids breaks inside; zero for none.
    var wholeHeight = LayoutUnit.zero
    /// True if a break is forced in a flow.
    var breaksInside = false
    /// The bottom of the first part that no break divides; nil means the whole piece.
    var lead: LayoutUnit?
    /// The index of what breaks around the piece repeat; −1 for nothing.
    var repeated = -1
    /// The bottom edges that the piece has in common with what breaks repeat.
    var ownEdges = LayoutUnit.zero
    /// The index of the page's name; −1 for none.
    var name = -1
    /// The row of columns of a container in the flow that the piece is, or is a part of.
    var nested: NestedRow?
    /// The height of the footnotes that the piece calls.
    var footnotes = LayoutUnit.zero

    func moved(by distance: LayoutUnit) -> FlowPiece {
        var piece = self
        piece.top += distance
        piece.bottom += distance
        piece.lead = lead.map { $0 + distance }
        piece.nested?.top += distance
        piece.nested?.bottom += distance
        return piece
    }

    /// True if it stays with the piece before it.
    var isJoined: Bool { breakBefore == .avoided || line.map { $0.number > 0 && $0.number < $0.orphans } ?? false }

    mutating func avoidBreak() { if breakBefore == .allowed { breakBefore = .avoided } }

    /// A line of a paragraph (CSS Fragmentation 3 §3.3).
    struct Line {
        var paragraph, number: Int
        /// `left` is the number of remaining lines, including this one.
        var left, orphans, widows: Int
    }
}

/// Pages alternate between these sides, beginning on the right.
enum PageSide { case left, right }

/// A place in a flow: `top` is the y of the flow at the top of a column or page.
struct BreakPosition: Comparable {
    var page: Int
    var top: LayoutUnit

    static func < (a: BreakPosition, b: BreakPosition) -> Bool { (a.page, b.top) < (b.page, a.top) }
}

/// Pieces that are broken independently of those beside them.
struct BrokenFlow {
    var pieces: [FlowPiece] = []
    var bottom = LayoutUnit.zero
    /// The distance by which the end is lower because rows of columns are divided.
    var growth = LayoutUnit.zero
    /// Floats beside the pieces and the contents of boxes with a height of their own, from top to bottom.
    var sides: [SideFlow] = []
    /// The flow around this one, and the start of this one in it.
    var around: (flow: Int, y: LayoutUnit)?
    /// The positions of the contents from each y on; empty if the flow moves as one with the flow around.
    var steps: [(y: LayoutUnit, at: BreakPosition)] = []

    struct SideFlow {
        var flow: Int
        var top, bottom: LayoutUnit
        /// True if the content below it waits for its end.
        var holds: Bool
    }
}

/// The additions of breaks in a box to the pages beside them: a table's head and foot, cloned edges, and those around.
struct RepeatedEdges {
    var outer = -1
    var above = LayoutUnit.zero, below = LayoutUnit.zero
    /// The fragments of the table's head and foot.
    var head, foot: Int?
}

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
