// The items to paint, in painting order: the contract between layout and the rasterizer.
// Layout emits items in CSS pixels with all decisions made; the painter only scales, rasterizes and composites.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextTypography

/// The fill of a shape. Gradients are indirect: they are large and rare, and each item has a fill.
package enum Fill: Hashable, Sendable {
    case color(Color)
    /// A gradient with its own box, to which its positions and percentages refer.
    indirect case gradient(Gradient, box: Rect)
    /// A repeated gradient: `box` is the box of one tile, `step` the offset from one tile to the next.
    indirect case tiles(Gradient, box: Rect, step: Size)

    /// The only colour; `nil` for a gradient.
    package var color: Color? { if case .color(let color) = self { color } else { nil } }
}

/// The part of the document that an item shows, for outputs with a structure.
package struct DocumentPart: Hashable, Sendable {
    private var code: Int32
    /// The ``DisplayLink/id`` of the link around it; −1 outside of links.
    package var link: Int32
    /// The style of text in another language than that of its box, else −1.
    package var style: Int32 = -1

    package init(box: Int = -1, link: Int = -1, isMarker: Bool = false) {
        code = Int32(clamping: box) << 1 | (isMarker ? 1 : 0)
        self.link = Int32(clamping: link)
    }

    /// The index in ``BoxTree/boxes``, below 2³⁰; −1 for content that is not part of the document.
    package var box: Int32 { code >> 1 }

    package var isMarker: Bool { code & 1 == 1 }
}

/// Glyphs of one font on one baseline with one paint.
package struct GlyphsItem: Sendable {
    package var font: FontID
    package var glyphs: Range<Int>
    package var fill: Fill
    /// Shadows, painted below the fill, the last one first.
    package var shadows: [Shadow] = []
    package var strokeColor: Color?
    package var strokeWidth: Float = 0
    /// The tangent of an extra slant, and a horizontal stretch factor (1 for no stretch).
    package var skew: Float = 0
    package var stretch: Float = 1
    /// The text of the glyphs as a range of ``GlyphText/bytes``; empty for ornaments, and if the list keeps no text.
    package var text: Range<Int> = 0..<0
    /// True if the visual order is the reverse of the text's order.
    package var isRightToLeft = false
    /// True if the fill is a background clipped to the text, which shows the shapes of colour glyphs.
    package var isClip = false
    package var part = DocumentPart()

    package init(font: FontID, glyphs: Range<Int>, fill: Fill) {
        (self.font, self.glyphs, self.fill) = (font, glyphs, fill)
    }
}

/// A glyph with its origin on the baseline, in CSS pixels from the canvas's top left corner.
package struct PositionedGlyph: Hashable, Sendable {
    package var id: UInt32
    package var x, y: Float

    package init(id: UInt32, x: Float, y: Float) { (self.id, self.x, self.y) = (id, x, y) }

    var point: Point { Point(x: x, y: y) }
}

/// A decoration line: a horizontal band from `x` with `thickness`, whose vertical middle is `y`.
package struct DecorationItem: Sendable {
    package var x, y, width, thickness: Float
    package var style: DecorationStyle
    package var color: Color
    package var shadows: [Shadow] = []
    /// Intervals [from, to) in x where the line is interrupted by ink.
    package var gaps: [(from: Float, to: Float)] = []
    /// The side of the second line of `double` and of the wave: 1 below the band, −1 above it, 0 around its middle.
    package var growth: Int8 = 1

    package init(x: Float, y: Float, width: Float, thickness: Float, style: DecorationStyle, color: Color) {
        (self.x, self.y, self.width, self.thickness, self.style, self.color) = (x, y, width, thickness, style, color)
    }
}

/// A border drawn between two rounded rectangles; sides clockwise from the top.
package struct BorderItem: Sendable {
    package var outer: RoundedRect
    package var sides: Sides<BorderSide>

    package init(outer: RoundedRect, sides: Sides<BorderSide>) { (self.outer, self.sides) = (outer, sides) }

    package init(line color: Color, around outer: RoundedRect, width: Float = 1) {
        self.init(outer: outer, sides: Sides(BorderSide(width: width, style: .solid, color: color)))
    }
}

package struct ImageItem: Sendable {
    /// `src` as written, for lookup in the image store; the id of a lambda if `isLambda`.
    package var source: String
    /// The rectangle of the whole picture (after object-fit), or of one tile of a background.
    package var rect: Rect
    /// The painted part (the content box, or the background area).
    package var clip: RoundedRect
    /// The distance between tiles; `nil` paints the picture once.
    package var tile: Size?
    package var isLambda: Bool
    /// True if the picture's pixels are shown as squares (`image-rendering`).
    package var isPixelated: Bool
    /// True if pixels outside of the painted part have no effect on it.
    package var isSlice = false
    package var part = DocumentPart()

    package init(
        source: String, isLambda: Bool = false, rect: Rect, clip: RoundedRect, tile: Size? = nil,
        isPixelated: Bool = false, isSlice: Bool = false
    ) {
        (self.source, self.isLambda, self.isPixelated, self.isSlice) = (source, isLambda, isPixelated, isSlice)
        (self.rect, self.clip, self.tile) = (rect, clip, tile)
    }
}

/// Effects on a group, in this order: filters, opacity, the combination with the backdrop.
package struct LayerItem: Sendable {
    package var opacity: Float
    package var composite: Composite
    /// Filters in CSS pixels, with all colours resolved.
    package var filters: [FilterFunction]
    /// True if the group masks by its luminance rather than by its alpha.
    package var isLuminanceMask = false

    package init(opacity: Float = 1, composite: Composite = .blend(.normal), filters: [FilterFunction] = []) {
        (self.opacity, self.composite, self.filters) = (opacity, composite, filters)
    }
}

/// An item that terminals draw in their own way. The numbers are indices in the layout tree.
package enum CellItem: Sendable {
    /// Fragments in ``LayoutTree/inlines`` on one line, text among them.
    case text(Range<Int>, line: Int)
    case control(Int)
    case legend(Int)
    case tableLines(Int)
    /// An absolutely positioned box: the items up to `end` are the box and its contents.
    case positioned(Int, end: Int)
}

package enum DisplayItem: Sendable {
    case fill(RoundedRect, Fill)
    case path(Path, Fill)
    case strokePath(Path, Color, width: Float)
    case boxShadow(RoundedRect, Shadow)
    case border(BorderItem)
    case glyphs(GlyphsItem)
    case decoration(DecorationItem)
    case image(ImageItem)
    /// Clips everything until the matching `pop`; clips, transforms and layers nest.
    case pushClip(RoundedRect)
    case pushClipPath(Path, isEvenOdd: Bool)
    /// Applies a transform of CSS pixels to everything until the matching `pop`.
    case pushTransform(Transform)
    /// Paints everything until the matching `pop` into a layer, which is then composited as a unit.
    case pushLayer(LayerItem)
    /// `backdrop-filter` (Filter Effects 2 §2): filters the content below the `layers` groups that belong to the box itself.
    case backdrop(RoundedRect, filters: [FilterFunction], layers: Int)
    case pop
    case cells(CellItem)

    /// The change of the number of open groups by this item: 1, −1 or 0.
    package var nesting: Int {
        switch self {
        case .pushClip, .pushClipPath, .pushTransform, .pushLayer: 1
        case .pop: -1
        case .fill, .path, .strokePath, .boxShadow, .border, .glyphs, .decoration, .image, .backdrop, .cells: 0
        }
    }

    package static func pushOpacity(_ opacity: Float) -> DisplayItem { .pushLayer(LayerItem(opacity: opacity)) }
}

/// The text of a list's glyphs, for outputs in which text stays text.
package struct GlyphText: Sendable {
    /// UTF-8: the document's text, followed by text that layout added.
    package var bytes: [UInt8]
    /// For each glyph of the list, the first byte of its cluster.
    package var clusters: [UInt32] = []
    package var truncation: Truncation?

    package init(bytes: [UInt8], truncation: Truncation? = nil) { (self.bytes, self.truncation) = (bytes, truncation) }
}

package struct DisplayLink: Sendable {
    /// The target as written.
    package var target: String
    /// The element's `title`.
    package var title = ""
    /// In CSS pixels, in the coordinates of the item.
    package var boxes: [Rect]
    /// The index of the link's first item; the number of items if it is unknown.
    package var item: Int
    package var id: Int

    package init(target: String, boxes: [Rect], item: Int, id: Int) {
        (self.target, self.boxes, self.item, self.id) = (target, boxes, item, id)
    }
}

package struct DisplayBookmark: Hashable, Sendable {
    /// At least 1.
    package var level: Int
    package var label: String
    /// The place in the order of the document.
    package var order: Int
    /// True if the entries below it are shown at first.
    package var isOpen: Bool

    package init(level: Int, label: String, order: Int, isOpen: Bool) {
        (self.level, self.label, self.order, self.isOpen) = (level, label, order, isOpen)
    }
}

/// A place in the document that is the target of one of its links, or a bookmark.
package struct DisplayDestination: Hashable, Sendable {
    /// The element's `id`, which follows `#` in the link's target.
    package var name: String
    /// The top left corner of the element's first box in CSS pixels, before transforms.
    package var place: Point
    /// Set for a bookmark, which is not the target of a link.
    package var bookmark: DisplayBookmark?

    package init(name: String, place: Point, bookmark: DisplayBookmark? = nil) {
        (self.name, self.place, self.bookmark) = (name, place, bookmark)
    }
}

/// A named string with the page that sets it (CSS Generated Content for Paged Media 3 §1.1), and whether the element is the first
/// thing on its page.
package typealias PageString = (name: String, value: String, page: Int, isAtTop: Bool)

/// A page: the part of the canvas that it shows, in CSS pixels, the used value of `page` (empty for `auto`), and whether a forced
/// break to a left or right page leaves it empty.
package typealias DisplayPage = (top: Float, height: Float, name: String, isBlank: Bool)

package struct DisplayList: Sendable {
    package var items: [DisplayItem] = []
    package var glyphs: [PositionedGlyph] = []
    /// The text of the glyphs; nil if the caller did not request it.
    package var text: GlyphText?
    /// Links in the order of their items; empty unless text is kept.
    package var links: [DisplayLink] = []
    /// In the order of their names, then bookmarks in document order.
    package var destinations: [DisplayDestination] = []
    /// The number of background layers left out because their cost exceeds the budget.
    package var omittedLayers = 0
    /// From top to bottom; empty for one canvas.
    package var pages: [DisplayPage] = []
    /// The values of the counters of pages, on each page.
    package var pageCounters: [[String: Int]] = []
    /// The assignments of named strings, in document order.
    package var strings: [PageString] = []
    package var size: Size
    package var background: Color
    /// The colour with which the first item fills the canvas; `nil` if the document sets none.
    package var canvasColor: Color?

    package init(size: Size, background: Color) { (self.size, self.background) = (size, background) }

    package func glyphs(of item: GlyphsItem) -> ArraySlice<PositionedGlyph> {
        glyphs[item.glyphs.clamped(to: 0..<glyphs.count)]
    }
}
