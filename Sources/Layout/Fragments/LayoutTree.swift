// The layout tree: a preorder arena of box fragments, their lines, and the inline fragments of each line. While it is
// filled, positions are relative to the border box of the nearest formatting context's root; `finish` makes them
// absolute. Text positions are bytes of BoxTree.text.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup
import FancyTextTypography

/// A placed box of the document. The arena has the order of ``BoxTree/boxes`` as laid out: a box before its contents.
package struct BoxFragment: Sendable {
    /// The index in ``BoxTree/boxes``; −1 for the canvas.
    package var box: Int
    package var style: StyleID
    package var element: NodeID
    package var kind: Kind
    /// The way in which the box takes part in its parent's layout, which decides when it is painted (CSS 2.1 appendix E).
    package var placement = Placement.inFlow
    /// The border box.
    package var rect = LayoutRect()
    package var border = Edges(), padding = Edges(), margin = Edges()
    /// The range in ``LayoutTree/lines``.
    package var lines: Range<Int> = 0..<0
    /// The enclosing fragment; −1 for the first.
    package var parent: Int
    /// One past the last descendant.
    package var end = 0
    /// Until the tree is finished, the fragment to whose border box `rect` is relative.
    var origin: Int
    /// True for the root of a formatting context: its contents are relative to its border box.
    var isContextRoot = true
    /// The axes in which its contents are set until the tree is finished.
    package var axes = WritingMode.horizontalTB
    /// The distances from the top of the border box to the baselines of the first and the last line; nil: no lines.
    package var firstBaseline, lastBaseline: LayoutUnit?
    /// The distances from the side where the contents begin to such baselines across the lines around the box.
    var crossBaselines: (first: LayoutUnit?, last: LayoutUnit?)
    /// For ruby, the top of the em box of the annotation above the box (negative), in the box's coordinates.
    var annotationTop = LayoutUnit.zero
    /// For ruby, the bottom of the base's em box, and of the annotation below it; zero without one.
    var emBottom = LayoutUnit.zero, annotationBottom = LayoutUnit.zero
    /// For ruby, the distance to which the annotation may extend over text on each side.
    var overhang = LayoutUnit.zero
    /// The distance by which the contents of a table cell move down (`vertical-align`).
    var contentShift = LayoutUnit.zero
    /// True if the contents are clipped to the padding box.
    package var clips = false
    /// True if the contents can be scrolled, so that they have no baseline for the surrounding line (CSS Align 3 §9.1).
    var isScrollContainer = false
    /// True if percentages of its height do not depend on its contents.
    var hasDefiniteHeight = false
    /// True for a picture that is not available.
    package var isMissing = false
    /// True if the style is that of its container, for inheritance only.
    package var isAnonymous = false
    /// True for a table row that a limit counts as one line, because it has cells side by side.
    var isOneLine = false
    /// False for a cell with collapsed borders, which the table paints.
    package var paintsBorder = true
    /// True for an empty cell with `empty-cells: hide`.
    package var isHidden = false
    /// The height of the border box by its contents, whatever the style sets.
    package var automaticHeight = LayoutUnit.zero
    /// For a fieldset, the fragment of its legend, which interrupts the top border; −1 for none.
    package var legend = -1
    /// For tables with collapsed borders, and for rules between columns, a range in ``LayoutTree/collapsedBorders``.
    package var collapsedBorders: Range<Int> = 0..<0
    /// For a box that breaks divide, the border boxes of its parts in ``LayoutTree/parts``; `rect` surrounds them.
    package var parts: Range<Int> = 0..<0
    /// For table cells, a range in ``LayoutTree/underlays``.
    package var underlays: Range<Int> = 0..<0

    package enum Kind: UInt8, Sendable {
        case canvas, block, flex, grid, table, tableRowGroup, tableRow, tableCell, tableCaption, tableColumn, ruby
        case image, lambda, marker
        /// A table with captions: contains them and the table's grid.
        case tableWrapper

        var isPartOfTable: Bool { self == .tableRow || self == .tableRowGroup }
    }
    package enum Placement: UInt8, Sendable { case inFlow, float, atomic, positioned }

    var edges: BoxEdges {
        get { BoxEdges(margin: margin, border: border, padding: padding) }
        set { (margin, border, padding) = (newValue.margin, newValue.border, newValue.padding) }
    }
    var frame: Edges { border + padding }
    var paddingBox: LayoutRect { rect.inset(by: border) }
    var baselines: (first: LayoutUnit?, last: LayoutUnit?) {
        get { (firstBaseline, lastBaseline) }
        set { (firstBaseline, lastBaseline) = newValue }
    }
}

struct FragmentSlot {
    var placement = BoxFragment.Placement.inFlow
    /// The enclosing fragment; `origin` is the one to whose border box positions are relative, the formatting context's root.
    var parent, origin: Int

    /// A child of the formatting context's root.
    static func child(of root: Int) -> FragmentSlot { FragmentSlot(parent: root, origin: root) }
}

package struct LineFragment: Sendable {
    /// The block container, in ``LayoutTree/boxes``.
    package var container: Int
    /// The range in bytes, including white space that hangs at the end.
    package var text: Range<Int>
    /// The line box: from the first fragment's left to the last one's right, as high as the line.
    package var rect: LayoutRect
    /// The y of the root inline box's baseline.
    package var baseline: LayoutUnit
    /// The range in ``LayoutTree/inlines``.
    package var fragments: Range<Int>
    /// True if the line ends with `<br>`, a preserved line feed or the end of the block.
    package var endsParagraph: Bool
    /// True if an ellipsis or a tail replaces text.
    package var isTruncated = false
}

/// A part of a line, in visual order; an inline box precedes its contents.
package struct InlineFragment: Sendable {
    package enum Kind: UInt8, Sendable {
        case text
        /// An inline box; `children` is the number of fragments after it that it contains.
        case box
        /// An atomic box: `payload` is its fragment in ``LayoutTree/boxes``.
        case atomic
        /// Text that layout added: a hyphen, an ellipsis or the tail of a truncation.
        case generated
    }
    package var kind: Kind
    package var level: UInt8
    /// For a box, true if its start edge, and next, its end edge is on this line (in inline direction).
    package var hasStartEdge = true, hasEndEdge = true
    package var style: StyleID
    package var element: NodeID
    /// For a box, the border box; for text, a rectangle as wide as the advance and as high as the font's ascent and descent.
    package var rect: LayoutRect
    package var baseline: LayoutUnit
    package var text: Range<Int>
    package var font: FontID
    /// The range in ``LayoutTree/glyphs``, in visual order.
    package var glyphs: Range<Int> = 0..<0
    package var payload = -1
    /// For a box, the number of the following fragments that it contains.
    package var children = 0
    /// True if an ellipsis replaces it: it keeps its place, but is not painted.
    package var isHidden = false
    /// The exact position along the line of the first glyph's origin: x, or y in a vertical line, whose baseline is an x.
    package var origin: Float = 0
    /// True for upright characters in a vertical line.
    package var isUpright = false
    /// The factor of the glyphs' widths.
    package var stretch: Float = 1
    /// The ratio of the font size to the computed one (fitted lines); otherwise 1.
    package var scale: Float = 1
}

/// A part of a collapsed table border: a filled bar.
package struct CollapsedBorder: Sendable {
    package var rect: LayoutRect
    package var side: BorderSide
    package var isHorizontal: Bool
}

/// A table column, row or group of them with a background, which is painted in the cells, not between them (CSS 2.1 §17.5.1).
package struct TableUnderlay: Sendable {
    package var style: StyleID
    /// The rectangle of the whole column or row, which the background's pictures and gradients fill.
    package var rect: LayoutRect
}

/// A document after layout. All lengths are in CSS pixels, from the canvas's top left.
package struct LayoutTree: Sendable {
    package var boxes: [BoxFragment] = []
    package var lines: [LineFragment] = []
    package var inlines: [InlineFragment] = []
    package var glyphs: [ShapedGlyph] = []
    package var collapsedBorders: [CollapsedBorder] = []
    package var underlays: [TableUnderlay] = []
    package var parts: [LayoutRect] = []
    /// The transforms from the boxes' layout positions to their painted positions.
    var transforms = PlacedTransforms()
    package var size = Size.zero
    /// The right edge of contents that are not clipped, on pages.
    package var contentWidth: Float = 0
    /// The pages from top to bottom; empty if the document is not broken into pages.
    package var pages: [LayoutPage] = []
    /// True if the last page contains what further pages, or further parts of boxes, would.
    package var exceedsPages = false
    /// The height that the contents need, including the canvas's padding.
    package var contentHeight: Float = 0
    /// False if padding or an alignment moves the document in the canvas.
    package var startsAtCorner = false
    /// True if a clamp, a limit or an ellipsis omitted text.
    package var isTruncated = false
    /// The rectangle of a truncation's tail; nil without one.
    package var tail: Rect?
    /// The first byte that the truncation omits (tail mode); nil without one.
    package var truncationOffset: Int?
    /// The place at which the document's limit omits text; nil if nothing is omitted.
    package var truncation: Truncation?
    /// The smallest replacement that was used for the given tail.
    package var tailFallback = TruncationTail.given

    /// Styles that layout added (a tail's), after the document's. Fragments with them refer to ``tailTree``.
    package var addedStyles: [ComputedStyle] = []
    /// The text of tails. Ranges of their fragments count from `start`, the length of the text that was laid out.
    package var addedText: (start: Int, bytes: [UInt8]) = (0, [])
    package var tailTree: MarkupTree?
    var tailLinks = LinkTable()

    /// During layout, the last fragment made for each box; −1 before.
    var fragmentOfBox: [Int32] = []
    /// During layout, the distances by which relative positions move fragments from their places in the formatting context.
    var relativeShifts: [Int: LayoutPoint] = [:]
    /// The distances by which relative and sticky inline boxes move with their contents.
    var inlineShifts: [NodeID: LayoutPoint] = [:]
    /// During layout, the areas of grid items that relative positions move, by box.
    var itemAreas: [Int: LayoutRect] = [:]

    package init() {}

    /// The ascent and descent of an atomic box's margin box (CSS 2.1 §10.8.1). Without a baseline it is in the middle
    /// if the line `isCentral`; its upper side is the line's lower one if that `isInverted`.
    func atomicHeight(_ box: Int, isCentral: Bool, isInverted: Bool) -> FontHeight {
        let index = Int(fragmentOfBox[box])
        guard index >= 0 else { return FontHeight(ascent: .zero, descent: .zero) }
        let fragment = boxes[index]
        let whole = fragment.rect.height + fragment.margin.vertical
        let baseline: LayoutUnit? =
            switch fragment.kind {
            case .block, .tableCell, .tableCaption: fragment.isScrollContainer ? nil : fragment.lastBaseline
            case .flex, .grid, .table, .tableWrapper, .ruby, .image: fragment.firstBaseline
            case .lambda, .canvas, .tableRowGroup, .tableRow, .tableColumn, .marker: nil
            }
        guard let baseline else {
            let below = isCentral ? whole / 2 : .zero
            return FontHeight(ascent: whole - below, descent: below)
        }
        let ascent =
            isInverted ? fragment.margin.bottom + fragment.rect.height - baseline : fragment.margin.top + baseline
        return FontHeight(ascent: ascent, descent: whole - ascent)
    }

    /// The parts of a box that is broken between columns or pages, each with its edges (CSS Fragmentation 3 §5.4).
    package func parts(of fragment: BoxFragment, clonesEdges: Bool = false) -> [BoxFragment] {
        let axes = fragment.origin >= 0 ? boxes[fragment.origin].axes : .horizontalTB
        return fragment.parts.map { index in
            var part = fragment
            (part.parts, part.rect) = (0..<0, parts[index])
            if clonesEdges { return part }
            var (border, padding) = (axes.sides(part.border), axes.sides(part.padding))
            if index > fragment.parts.lowerBound { (border.top, padding.top) = (.zero, .zero) }
            if index + 1 < fragment.parts.upperBound { (border.bottom, padding.bottom) = (.zero, .zero) }
            (part.border, part.padding) = (axes.page(border), axes.page(padding))
            return part
        }
    }

    struct Mark {
        fileprivate var boxes, lines, inlines, collapsedBorders, underlays, parts: Int
        fileprivate var isTruncated: Bool
        fileprivate var truncationOffset: Int?
        fileprivate var truncation: Truncation?
        fileprivate var tailFallback: TruncationTail
    }

    var mark: Mark {
        Mark(
            boxes: boxes.count, lines: lines.count, inlines: inlines.count, collapsedBorders: collapsedBorders.count,
            underlays: underlays.count, parts: parts.count, isTruncated: isTruncated,
            truncationOffset: truncationOffset, truncation: truncation, tailFallback: tailFallback)
    }

    mutating func remove(after mark: Mark) {
        boxes.removeSubrange(mark.boxes...)
        lines.removeSubrange(mark.lines...)
        inlines.removeSubrange(mark.inlines...)
        collapsedBorders.removeSubrange(mark.collapsedBorders...)
        underlays.removeSubrange(mark.underlays...)
        (isTruncated, truncationOffset) = (mark.isTruncated, mark.truncationOffset)
        (truncation, tailFallback) = (mark.truncation, mark.tailFallback)
        parts.removeSubrange(mark.parts...)
    }

    /// Makes the positions of the fragments from `first` on absolute. `relativeOffset` is the distance by which a box
    /// moves with its contents; nil without such positions. Linear in their number.
    mutating func finish(from first: Int = 0, relativeOffset: RelativeOffset? = nil) {
        for index in first..<boxes.count {
            let origin = boxes[index].origin
            let isRelative = origin >= 0 && origin < index
            if isRelative, boxes[origin].axes.isVertical { turn(index, in: origin) }
            let place = boxes[index].rect.origin
            if isRelative { boxes[index].rect.origin += contentOrigin(of: origin, countedFrom: origin) }
            if let relativeOffset { moveRelatively(index, relativeOffset) }
            for part in boxes[index].parts { parts[part].origin += boxes[index].rect.origin - place }
            let (base, axes) = (contentOrigin(of: index), boxes[index].axes)
            for line in boxes[index].lines {
                if axes.isVertical { turn(line, of: self.base(of: index)) }
                move(line, by: base, axes)
            }
            if let relativeOffset { moveInlinesRelatively(index, relativeOffset) }
            for underlay in boxes[index].underlays {
                let base = contentOrigin(of: index, countedFrom: origin) - LayoutPoint(y: boxes[origin].contentShift)
                let rect = boxes[origin].axes.page(underlays[underlay].rect, in: boxes[origin].rect)
                underlays[underlay].rect = rect.moved(by: base)
            }
            for border in boxes[index].collapsedBorders {
                let rect = axes.page(collapsedBorders[border].rect, in: boxes[index].rect)
                collapsedBorders[border].rect = rect.moved(by: boxes[index].rect.origin)
                if axes.isVertical { collapsedBorders[border].isHorizontal.toggle() }
            }
        }
    }

    /// The origin for the contents of a finished fragment: a formatting context's root itself, or for other boxes that root.
    func contentOrigin(of index: Int) -> LayoutPoint { contentOrigin(of: index, countedFrom: base(of: index)) }

    private func contentOrigin(of index: Int, countedFrom base: Int) -> LayoutPoint {
        var point = boxes[base].rect.origin
        let (axes, shift) = (boxes[base].axes, boxes[base].contentShift)
        if !axes.isVertical { point.y += shift } else { point.x += axes.startsRight ? .zero - shift : shift }
        if base != index, let shift = relativeShifts[index] { point += shift }
        return point
    }

    /// The first fragment for which `isFound` is true, from `index` outwards; the canvas if there is none.
    func nearest(from index: Int, where isFound: (BoxFragment) -> Bool) -> Int {
        var index = index
        while index > 0, !isFound(boxes[index]) { index = boxes[index].parent }
        return max(0, index)
    }

    /// - Parameter axes: Those of the line, if it is turned to the page.
    mutating func move(_ line: Int, by distance: LayoutPoint, _ axes: WritingMode = .horizontalTB) {
        lines[line].rect.origin += distance
        lines[line].baseline += axes.isVertical ? distance.x : distance.y
        for fragment in lines[line].fragments { moveInline(fragment, by: distance, axes) }
    }

    private mutating func moveInline(_ fragment: Int, by distance: LayoutPoint, _ axes: WritingMode) {
        inlines[fragment].rect.origin += distance
        inlines[fragment].baseline += axes.isVertical ? distance.x : distance.y
        inlines[fragment].origin += axes.isVertical ? distance.y.float : distance.x.float
    }

    /// Moves positioned boxes and their contents by their translations (CSS Transforms 2 §3). Linear in the tree.
    package mutating func translatePositionedBoxes(_ styles: StyleTable) {
        func translation(_ box: BoxFragment) -> LayoutPoint {
            guard box.placement == .positioned, Int(box.style.rawValue) < styles.styles.count,
                !styles[box.style].box.$transform
            else { return LayoutPoint() }
            let move = styles[box.style].box.transform.resolved(in: box.rect.rect)
            return LayoutPoint(x: LayoutUnit(move.x.rounded()), y: LayoutUnit(move.y.rounded()))
        }
        guard boxes.contains(where: { translation($0) != LayoutPoint() }) else { return }
        var moves = [LayoutPoint](repeating: LayoutPoint(), count: boxes.count)
        for index in boxes.indices {
            var distance = translation(boxes[index])
            if boxes[index].parent >= 0 { distance += moves[boxes[index].parent] }
            moves[index] = distance
            guard distance != LayoutPoint() else { continue }
            boxes[index].rect.origin += distance
            for part in boxes[index].parts { parts[part].origin += distance }
            for underlay in boxes[index].underlays { underlays[underlay].rect.origin += distance }
            for border in boxes[index].collapsedBorders { collapsedBorders[border].rect.origin += distance }
            for line in boxes[index].lines { move(line, by: distance) }
        }
    }

    /// Moves a fragment by its own offset and those of the boxes between it and its origin.
    private mutating func moveRelatively(_ index: Int, _ offset: RelativeOffset) {
        let fragment = boxes[index]
        var shift = relativeShifts[index] ?? LayoutPoint()
        // A fragment placed in its containing block has moved with that block.
        if fragment.placement != .positioned, fragment.parent != fragment.origin {
            shift += relativeShifts[fragment.parent] ?? LayoutPoint()
        }
        let isWrapped = fragment.kind == .table && fragment.parent >= 0 && boxes[fragment.parent].box == fragment.box
        if !isWrapped, fragment.kind != .marker, fragment.kind != .canvas {
            shift += offset(
                PlacedBox(
                    style: fragment.style, parent: fragment.parent, rect: fragment.rect.moved(by: shift),
                    margin: fragment.margin, area: itemAreas.isEmpty ? nil : itemAreas[fragment.box]), self)
        }
        guard shift != LayoutPoint() else { return }
        relativeShifts[index] = shift
        boxes[index].rect.origin += shift
    }

    /// Moves the inline boxes of a fragment's lines by their own offsets, with their contents.
    private mutating func moveInlinesRelatively(_ index: Int, _ offset: RelativeOffset) {
        for line in boxes[index].lines {
            var open: [(end: Int, shift: LayoutPoint)] = []
            for fragment in lines[line].fragments {
                while let last = open.last, last.end <= fragment { open.removeLast() }
                var shift = open.last?.shift ?? LayoutPoint()
                if inlines[fragment].kind == .box {
                    let place = inlines[fragment].rect.moved(by: shift)
                    shift += offset(PlacedBox(style: inlines[fragment].style, parent: index, rect: place), self)
                    open.append((fragment + 1 + inlines[fragment].children, shift))
                }
                guard shift != LayoutPoint() else { continue }
                moveInline(fragment, by: shift, boxes[index].axes)
                if inlines[fragment].kind == .box { inlineShifts[inlines[fragment].element] = shift }
                if inlines[fragment].kind == .atomic, inlines[fragment].payload >= 0 {
                    relativeShifts[inlines[fragment].payload] = shift
                }
            }
        }
    }
}

struct PlacedBox {
    var style: StyleID
    var parent: Int
    var rect: LayoutRect
    var margin = Edges()
    /// The grid area of an item of a grid.
    var area: LayoutRect?
}

/// Returns the distance by which a box moves from its position in the flow.
typealias RelativeOffset = (PlacedBox, LayoutTree) -> LayoutPoint
