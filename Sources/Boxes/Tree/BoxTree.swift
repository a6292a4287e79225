// The styled text: the result of the cascade and box generation, as one text with runs and boxes. In: a MarkupTree and a computed
// style for each element. Out: text with collapsed white space, `text-transform` applied and generated content inserted; runs over
// it; a preorder arena of boxes (CSS 2 §9.2, including anonymous boxes) whose leaves have inline items. Layout, the terminal
// writer, JSON and Markdown all read this one structure, so they agree on lines and offsets.

import FancyTextBasics
import FancyTextCSS
import FancyTextMarkup

/// A range of ``BoxTree/text`` with one style, from one text node or one piece of generated content.
package struct StyledRun: Sendable {
    /// The bytes in `text`.
    package var range: Range<Int>
    package var style: StyleID
    /// The element that contains the text; the root for text outside of all elements.
    package var element: NodeID
    /// The bytes in the source; empty for generated content.
    package var source: Range<Int>
    /// The text node or `br` that the text comes from; nil for generated content.
    package var node: NodeID?
    package var isGenerated: Bool
    /// True for the marker of an item, or of a summary, that is inside the first line.
    package var isMarker = false
    /// Set for a floated `::first-letter` after which a space was dropped at the start of the line.
    package var isBeforeSpace = false
    /// The link of the text: index into ``BoxTree/links``; −1 for none.
    package var link = -1

    package init(
        range: Range<Int>, style: StyleID, element: NodeID, source: Range<Int> = 0..<0, node: NodeID? = nil,
        isGenerated: Bool = false
    ) {
        (self.range, self.style, self.element) = (range, style, element)
        (self.source, self.node, self.isGenerated) = (source, node, isGenerated)
    }
}

/// A piece of an inline formatting context, in logical order.
package enum InlineItem: Sendable {
    /// Text: an index into ``BoxTree/runs``. A line feed in it is a forced break (`<br>`, or preserved).
    case text(run: Int)
    /// An inline box begins: its start margin, border and padding apply, and its style's line height and alignment.
    case open(style: StyleID, element: NodeID)
    /// The innermost open inline box ends.
    case close
    /// An inline-level box (inline-block, image, ruby and so on): an index into ``BoxTree/boxes``. U+FFFC represents it in the text.
    case atomic(box: Int, offset: Int)
    /// A float or an absolutely positioned box, removed from the flow here: an index into ``BoxTree/boxes``.
    case float(box: Int)
    /// `<wbr>`: a line may break here, whatever `white-space` says.
    case breakOpportunity

    package var run: Int? { if case .text(let run) = self { run } else { nil } }
}

/// A box of the box tree (CSS 2 §9.2).
package struct StyledBox: Sendable {
    package enum Kind: UInt8, Sendable {
        /// A block container: its children are block-level boxes, or its contents are inline (`holdsInlines`).
        case block
        case flex, grid
        case table, tableRowGroup, tableRow, tableCell, tableCaption, tableColumn, tableColumnGroup
        /// Replaced boxes: see ``BoxTree/replaced``.
        case image, lambda
        /// A ruby segment with two block children: the base and its annotation.
        case ruby
        /// An element of a formula; see ``BoxTree/formulas``.
        case math
    }

    package var kind: Kind
    package var style: StyleID
    /// The element of the box; for an anonymous box, that of its container.
    package var element: NodeID
    /// Index of the parent; −1 for the root.
    package var parent: Int
    package var isAnonymous = false
    /// One past the last descendant in the arena: the children of box `i` start at `i + 1`, and each is followed by that at its `end`.
    package var end = 0
    /// When the contents are inline, `items` is their range in ``BoxTree/items``. Boxes that items refer to are children too.
    package var holdsInlines = false
    package var items = 0..<0
    /// The range of the box's text in the bytes of `text`.
    package var text = 0..<0
    /// Indices into ``BoxTree/markers``, ``BoxTree/replaced``, ``BoxTree/controls`` and ``BoxTree/tables``; −1 for none.
    package var marker = -1, replaced = -1, control = -1, table = -1
    /// The link that contains the box or that the box is; like ``StyledRun/link``.
    package var link = -1
    /// The containing block of an absolutely positioned box, 0 for the canvas (CSS Positioned Layout 3 §4); −1 in the flow.
    package var containingBlock = -1
    /// The inline box in `containingBlock` that is an absolutely positioned box's containing block, if there is one.
    package var containingInline: NodeID?
    package var columnSpan = 1
    /// The value 0 spans to the end of the row group (HTML §4.9.11).
    package var rowSpan = 1
    /// True for a fieldset, which is a formatting context of its own (HTML §15.3.13).
    package var isFieldset = false
    /// True if its own font counts in the height of each line in all modes: that of an `li`, as in browsers.
    package var alwaysHasStrut = false
    /// The index of a fieldset's rendered legend, which is in the top border; −1 for none.
    package var legend = -1

    package init(kind: Kind, style: StyleID, element: NodeID, parent: Int, isAnonymous: Bool = false) {
        (self.kind, self.style, self.element) = (kind, style, element)
        (self.parent, self.isAnonymous) = (parent, isAnonymous)
    }

    /// True for a flex container or grid, in which each child is an item.
    package var holdsItems: Bool { kind == .flex || kind == .grid }

    package var isReplaced: Bool { kind == .image || kind == .lambda }
    /// True for an absolutely positioned box, which takes no space in the flow.
    package var isPositioned: Bool { containingBlock >= 0 }
}

/// The marker of a list item outside its box (CSS Lists 3 §3); an inside marker is text in the item's run.
package struct ListMarker: Sendable {
    /// The text with its suffix: a bullet and a space, `iv. `.
    package var text: String
    /// The value of the counter that it shows; nil for a bullet or words.
    package var number: Int?
    package var style: StyleID
    /// `list-style-image`.
    package var image: ImageSource?
    /// The shape of a disc, circle or square, painted as browsers do; nil for text.
    package var shape: Shape?

    package init(
        text: String, number: Int? = nil, style: StyleID, image: ImageSource? = nil, shape: Shape? = nil
    ) {
        (self.text, self.number, self.style, self.image, self.shape) = (text, number, style, image, shape)
    }

    package enum Shape: String, Sendable {
        case disc, circle, square, disclosureOpen = "disclosure-open", disclosureClosed = "disclosure-closed"
    }
}

/// The content of an image whose picture is not available (HTML §15.4.3).
package enum ImageFallback: Sendable {
    /// Nothing: an empty box in a line, whatever size the style sets.
    case nothing
    /// An empty box of the size that the style sets.
    case room
    /// An icon followed by the alternative text. In a line the content gives the box its size, and the style has no effect on it.
    case text(isInline: Bool)
    /// A frame of the size that the style sets; with an icon if the image has a source.
    case frame(hasIcon: Bool)

    /// The sides of the icon in CSS pixels. `frameWidth` is the frame's line with the gap between it and the icon.
    package static let iconSize: Float = 16
    package static let frameWidth: Float = 2

    /// The icon's top left corner in the content box.
    package var iconPlace: Point {
        if case .frame = self { Point(x: Self.frameWidth, y: Self.frameWidth) } else { .zero }
    }

    /// True if the size set by the style is ignored.
    package var isInline: Bool {
        switch self {
        case .nothing: true
        case .text(let isInline): isInline
        case .room, .frame: false
        }
    }
}

/// Text of an inline `svg` in one style.
package struct MeasuredText: Hashable, Sendable {
    package var text: String
    package var font: FontStyle
    package var letterSpacing, wordSpacing: Float
    /// True if its font is one of the document, which a picture does not have.
    package var isOutlined: Bool

    package init(text: String, font: FontStyle, letterSpacing: Float, wordSpacing: Float, isOutlined: Bool) {
        (self.text, self.font, self.isOutlined) = (text, font, isOutlined)
        (self.letterSpacing, self.wordSpacing) = (letterSpacing, wordSpacing)
    }
}

/// A character of a ``MeasuredText``: its advance, and the path data of its shape if that is needed.
package struct MeasuredCharacter: Equatable, Sendable {
    package var advance: Float = 0
    package var outline: String?
    package var picture: GlyphPicture?

    package init(outline: String? = nil) { self.outline = outline }
}

/// Something about an element that depends on its page, or that its page depends on.
package struct PageNote: Sendable {
    package enum Kind: Sendable {
        /// `string-set`.
        case string(name: String, value: String)
        case counter(value: Int, adds: Bool)
        /// Content tells the page of the element.
        case reference
    }

    package var element: NodeID
    package var kind: Kind

    package init(element: NodeID, kind: Kind) { (self.element, self.kind) = (element, kind) }
}

/// The facts that content gives about other elements and their pages, from an earlier generation and layout.
package struct ContentReferences: Hashable, Sendable {
    /// False if the document is not on pages.
    package var isPaged = false
    /// The number of pages; 0 while it is unknown.
    package var pageCount = 0
    /// The values of the counter `page` on the pages of elements.
    package var pages: [NodeID: Int] = [:]
    /// The values of counters at elements with ids, outermost first.
    package var counters: [NodeID: [String: [Int]]] = [:]
    /// The `object` elements whose pictures cannot be read, which show their contents instead.
    package var brokenObjects: Set<NodeID> = []

    package init() {}
}

/// A document's text with its styles and boxes.
package struct BoxTree: Sendable {
    /// UTF-8, in document order, without outside markers. A line feed separates paragraphs; U+FFFC is an atomic inline.
    package var text: [UInt8] = []
    /// Ascending, covering `text`; a separator between paragraphs is a run that no item refers to.
    package var runs: [StyledRun] = []
    package var items: [InlineItem] = []
    /// In preorder; 0 is the root block.
    package var boxes: [StyledBox] = []
    package var styles: StyleTable
    /// True when the root is the box of a whole document; otherwise it is a snippet's implied body.
    package var isDocument = false
    /// True if box 1 is that of the root element, not of elements that are laid out alone.
    package var hasRootElement = false
    package var documentMode = DocumentMode.noQuirks
    package var markers: [ListMarker] = []
    package var replaced: [ReplacedContent] = []
    package var controls: [FormControl] = []
    package var links = LinkTable()
    /// The grids in the order in which their tables end.
    package var tables: [TableGrid] = []
    /// The changes of `::first-line`, by the box that contains the line.
    package var firstLines: [Int: FirstLineStyle] = [:]
    /// The roles of boxes in formulas that layout arranges.
    package var formulas: [Int: MathRole] = [:]
    /// True if outputs without a layout have other contents: formulas, calls of footnotes, elements in pictures.
    package var differsInLayout = false
    /// In document order.
    package var pageNotes: [PageNote] = []
    /// The counters that content refers to, at elements with ids.
    package var targetCounters: [NodeID: [String: [Int]]] = [:]
    /// The fonts around scripts in formulas, with their places in the order of the document.
    package var formulaFonts: [FontStyle: Int] = [:]
    /// The box of the footnotes of a document on pages.
    package var footnoteArea: Int?
    /// The texts of pictures whose advances decide places, with their places in the order of the document.
    package var measuredTexts: [MeasuredText: Int] = [:]
    /// The language (`<html lang>`) and title of the document, empty if unknown.
    package var language = "", title = ""
    /// The labels of bookmarks that are not the element's text.
    package var bookmarkLabels: [NodeID: String] = [:]
    package init(styles: StyleTable) { self.styles = styles }

    /// The style of a box; nil for an anonymous one, which has its container's for inheritance only, and for none (−1).
    @inlinable package func ownStyle(of box: Int) -> ComputedStyle? {
        box < 0 || boxes[box].isAnonymous ? nil : styles[boxes[box].style]
    }

    /// A box and those around it, from the innermost.
    package func chain(from box: Int) -> some Sequence<Int> {
        sequence(state: box) { [boxes] next -> Int? in
            guard next >= 0 else { return nil }
            defer { next = boxes[next].parent }
            return next
        }
    }

    package func children(of index: Int) -> [Int] {
        var result: [Int] = []
        var child = index + 1
        while child < boxes[index].end {
            result.append(child)
            child = boxes[child].end
        }
        return result
    }

    /// Returns whether the first item of a box is a float with the first letter of its text, perhaps after a quotation mark.
    package func isInitial(_ item: Int) -> Bool {
        guard case .float(let box) = items[item], styles[boxes[box].style].box.float == .left,
            boxes[box].items.count <= 3, boxes[box].parent >= 0,
            boxes[boxes[box].parent].items.dropLast().first == item, case .text(let next) = items[item + 1]
        else { return false }
        func words(_ run: Int) -> String { String(decoding: text[runs[run].range].prefix(16), as: UTF8.self) }
        let letters = items[boxes[box].items].compactMap(\.run).map(words).joined()
        let rest = words(next).drop(while: \.isWhitespace).prefix(2)
        // The letter before a capitalized word names what follows.
        let isName = rest.first?.isLowercase == false && rest.last?.isLowercase == true
        return !isName && rest.first?.isLetter == true && letters.last?.isLetter == true
            && (letters.count == 1 || letters.count == 2 && letters.first?.isLetter == false)
    }

    /// Returns whether a box is a drop cap that is a whole word. Linear in the box's items.
    package func endsBeforeSpace(_ box: Int) -> Bool {
        items[boxes[box].items].contains { $0.run.map { runs[$0].isBeforeSpace } ?? false }
    }

    /// The items of a flex container or grid in order-modified document order (CSS Flexbox 1 §5.4, CSS Grid 2 §6.3), and its
    /// absolutely positioned children, which are not items (CSS Flexbox 1 §4.1). O(n log n). `order` is only visual: the text, and
    /// with it JSON, Markdown and plain text, keeps document order, like `innerText` (CSS Flexbox 1 §5.4.1).
    package func items(of box: Int) -> (inFlow: [Int], positioned: [Int]) {
        let children = children(of: box)
        var items = children.filter { !boxes[$0].isPositioned }
        let orders = items.map { ownStyle(of: $0)?.box.order ?? 0 }
        if orders.contains(where: { $0 != 0 }) {
            items = items.indices.sorted { (orders[$0], $0) < (orders[$1], $1) }.map { items[$0] }
        }
        return (items, children.filter { boxes[$0].isPositioned })
    }
}

/// The changes of `::first-line` in a paragraph.
package struct FirstLineStyle: Sendable {
    /// For each style of the paragraph's runs and inline boxes that changes on the first line, the style to use there.
    package var styles: [StyleID: StyleID] = [:]
    /// The style of the inline box around the line's contents; nil if it has no background.
    package var box: StyleID?

    package init() {}
}
