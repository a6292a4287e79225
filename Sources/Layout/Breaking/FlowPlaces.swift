// The parts of a flow between which columns and pages break (CSS Fragmentation 3), and their places there.

import FancyTextCSS
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
    var isJoined: Bool {
        breakBefore == .avoided || line.map { $0.number > 0 && ($0.number < $0.orphans || $0.isShort) } ?? false
    }

    mutating func avoidBreak() { if breakBefore == .allowed { breakBefore = .avoided } }

    /// A line of a paragraph (CSS Fragmentation 3 §3.3).
    struct Line {
        var paragraph, number: Int
        /// `left` is the number of remaining lines, including this one.
        var left, orphans, widows: Int

        /// True if all lines of the paragraph are widows.
        var isShort: Bool { number + left <= widows }
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

/// The places of a long column's parts: columns beside each other, pages one below the other.
struct FlowPlaces {
    private var flows: [BrokenFlow]
    private(set) var strip: PageStrip
    private var pages: [LayoutPage] { strip.pages }
    let top: LayoutUnit
    /// The distance from one column to the next, to the right or to the left.
    private let stride: LayoutUnit

    init(_ breaking: FlowBreaking, top: LayoutUnit = .zero, stride: LayoutUnit = .zero, isRightToLeft: Bool = false) {
        (flows, strip, self.top) = (breaking.flows, breaking.strip, top)
        self.stride = isRightToLeft ? .zero - stride : stride
    }

    /// The places of other contents in the same columns.
    func replacing(_ breaking: FlowBreaking) -> FlowPlaces {
        var places = self
        (places.flows, places.strip) = (breaking.flows, breaking.strip)
        return places
    }

    var count: Int { pages.count }

    func x(of page: Int) -> LayoutUnit { stride * strip.column(of: page) }

    /// The column or page of a number, from the top of the container.
    func place(_ number: Int) -> LayoutPage { pages[number] }

    /// The first step at or after the beginning of a page.
    private func step(of flow: Int, from page: Int) -> (y: LayoutUnit, at: BreakPosition)? {
        let steps = flows[flow].steps
        let index = steps.partitioningIndex { $0.at.page >= page }
        return index < steps.count ? steps[index] : nil
    }

    func position(_ flow: Int, at y: LayoutUnit) -> BreakPosition {
        var (flow, y) = (flow, y)
        while true {
            let steps = flows[flow].steps
            if !steps.isEmpty { return steps[max(0, steps.partitioningIndex { $0.y > y } - 1)].at }
            // The flow moves with the flow around it.
            guard let around = flows[flow].around else { return BreakPosition(page: 0, top: top) }
            (flow, y) = around
        }
    }

    private func offset(_ at: BreakPosition) -> LayoutPoint {
        LayoutPoint(x: x(of: at.page), y: top + pages[at.page].top - at.top)
    }

    /// The distance by which the contents of a flow move at a height.
    func offset(_ flow: Int, at y: LayoutUnit) -> LayoutPoint { offset(position(flow, at: y)) }

    /// The distance by which contents of a flow have moved that are at a point now.
    func offset(at point: LayoutPoint, of flow: Int) -> LayoutPoint {
        let last = strip.page(at: point.y - top)
        let width = max(1, abs(stride.raw))
        let beside = Int((stride < .zero ? width - 1 - point.x.raw : point.x.raw) / width)
        let page = last - strip.column(of: last) + min(max(0, beside), strip.column(of: last))
        var found: LayoutPoint?
        for step in flows[flow].steps[flows[flow].steps.partitioningIndex { $0.at.page >= page }...] {
            let offset = offset(step.at)
            guard step.at.page == page, found == nil || point.y - offset.y >= step.y else { break }
            found = offset
        }
        return found ?? offset(flow, at: point.y)
    }

    /// The parts of a box, one for each page into which it extends, at most `most`. With `isBelowEdges` the later ones
    /// begin below what breaks repeat, not at the top of the page.
    func parts(of rect: LayoutRect, in flow: Int, isBelowEdges: Bool = false, atMost most: Int = .max) -> [LayoutRect] {
        let first = position(flow, at: rect.y)
        let last = rect.height > .zero ? max(first, position(flow, at: rect.maxY - .epsilon)) : first
        return (first.page...last.page).prefix(max(1, most)).map { number in
            var part = rect
            part.x += x(of: number)
            var start = top + pages[number].top
            if number == first.page {
                start = rect.y + offset(first).y
            } else if isBelowEdges, let step = self.step(of: flow, from: number), step.at.page == number {
                start = step.y + offset(step.at).y
            }
            var end = top + pages[number].top + pages[number].contentHeight
            if number == last.page {
                end = rect.maxY + offset(last).y
            } else if isBelowEdges, let next = self.step(of: flow, from: number + 1) {
                // Rows end where the next page continues.
                end.lower(to: next.y + offset(position(flow, at: next.y - .epsilon)).y)
            }
            part.y = start
            part.height = max(end - start, .zero)
            return part
        }
    }
}

/// The containing block of positioned boxes in a long column (CSS Positioned Layout 3 §2.1).
struct LongBlock {
    let places: FlowPlaces
    let flow: Int
    /// The top of its border box, and its height.
    let top, height: LayoutUnit
    let axes: WritingMode
    let contents: Int

    /// Its border box in the long column on the page, if the first column were where it is.
    func rect(of fragment: BoxFragment, in tree: LayoutTree) -> LayoutRect {
        let first = fragment.parts.first.map { tree.parts[$0] } ?? fragment.rect
        let offset = places.offset(flow, at: top)
        let long = LayoutRect(
            x: .zero - offset.x, y: .zero - offset.y, width: axes.isVertical ? first.height : first.width,
            height: height)
        return axes.page(long, in: first).moved(by: first.origin)
    }

    /// The place in the long column of a part of its contents, relative to its border box there.
    func unbroken(_ rect: LayoutRect) -> LayoutRect {
        var rect = rect
        rect.y += top
        rect.origin -= places.offset(at: rect.origin, of: contents)
        rect.y -= top
        return rect
    }
}
