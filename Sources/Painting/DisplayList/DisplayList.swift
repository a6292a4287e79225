// What to paint, in painting order: the contract between layout and the rasterizer.
//
// Layout emits items in CSS pixels with all decisions taken (positions, colours, resolved radii and thicknesses); the
// painter scales, rasterizes and composites, and decides nothing.

import FancyTextBasics
import FancyTextStyling
import FancyTextTypography

/// What fills a shape.
package enum Fill: Hashable, Sendable {
    case color(Color)
    /// The gradient's own box, which its positions and per cents refer to.
    case gradient(Gradient, box: Rect)
    /// The same again and again: `box` is that of one of the tiles, `step` leads from one to the next.
    case tiles(Gradient, box: Rect, step: Size)
}

/// Glyphs of one font on one baseline with one paint.
package struct GlyphsItem: Sendable {
    package var font: FontID
    /// Range in ``DisplayList/glyphs``.
    package var glyphs: Range<Int>
    package var fill: Fill
    /// Painted below the fill, last first.
    package var shadows: [Shadow]
    package var strokeColor: Color?
    package var strokeWidth: Float
    /// Tangent of an extra slant, and a horizontal stretch factor (1 is none).
    package var skew: Float
    package var stretch: Float
    /// What the glyphs say: bytes of ``GlyphText/bytes``; empty for ornaments, and where no text is kept.
    package var text: Range<Int> = 0..<0
    /// Visual order is the reverse of the text's.
    package var isRightToLeft = false
    /// The ``DisplayLink/id`` of the link that it belongs to; −1 for none.
    package var link = -1

    package init(font: FontID, glyphs: Range<Int>, fill: Fill) {
        self.font = font
        self.glyphs = glyphs
        self.fill = fill
        shadows = []
        strokeColor = nil
        strokeWidth = 0
        skew = 0
        stretch = 1
    }
}

/// A glyph with its origin on the baseline, CSS pixels from the canvas's top left.
package struct PositionedGlyph: Hashable, Sendable {
    package var id: UInt32
    package var x, y: Float
}

/// A decoration line: a horizontal band from `x` with `thickness`, whose vertical middle is `y`.
package struct DecorationItem: Sendable {
    package var x, y, width, thickness: Float
    package var style: DecorationStyle
    package var color: Color
    package var shadows: [Shadow] = []
    /// Intervals [from, to) in x where the line is interrupted by ink.
    package var gaps: [(from: Float, to: Float)] = []
    /// Where the second line of `double` and the wave lie: 1 below the band (underline), −1 above it (overline), 0 about its
    /// middle (line-through).
    package var growth: Int8 = 1
}

/// A border drawn between two rounded rectangles; sides clockwise from the top.
package struct BorderItem: Sendable {
    package var outer: RoundedRect
    package var sides: Sides<BorderSide>
}

/// A picture drawn into a rectangle: an image file or a lambda.
package struct ImageItem: Sendable {
    /// `src` as written, to be looked up in the image store; a lambda's id when `isLambda`.
    package var source: String
    package var isLambda: Bool
    /// Where the whole picture goes (after object-fit, or one tile of a background).
    package var rect: Rect
    /// Only this part is painted (the content box, or the background area).
    package var clip: RoundedRect
    /// Distance between tiles; nil paints once.
    package var tile: Size?
    /// Pixels of the picture show as squares (`image-rendering`).
    package var isPixelated = false

    package init(source: String, isLambda: Bool = false, rect: Rect, clip: RoundedRect, tile: Size? = nil) {
        self.source = source
        self.isLambda = isLambda
        self.rect = rect
        self.clip = clip
        self.tile = tile
    }
}

/// Effects on a group: filters first, then opacity, then how it goes onto what lies below.
package struct LayerItem: Sendable {
    package var opacity: Float = 1
    package var composite = Composite.blend(.normal)
    /// In CSS pixels, with every colour known.
    package var filters: [FilterFunction] = []
    /// What masks is the luminance of the group, not its opacity.
    package var isLuminanceMask = false

    package init(opacity: Float = 1, composite: Composite = .blend(.normal)) {
        self.opacity = opacity
        self.composite = composite
    }
}

/// `backdrop-filter` (Filter Effects 2 §2).
package struct BackdropItem: Sendable {
    /// The border box.
    package var shape: RoundedRect
    package var filters: [FilterFunction]
    /// How many layers around the item belong to the box itself.
    package var layers: Int
}

/// What terminals draw in their own way. The numbers are places in the layout tree.
package enum CellItem: Sendable {
    /// Fragments in ``LayoutTree/inlines`` on one line, text among them.
    case text(Range<Int>, line: Int)
    /// The symbols of a form control.
    case control(Int)
    /// Where the legend of a fieldset interrupts the border.
    case legend(Int)
    /// The collapsed borders of a table, which join.
    case tableLines(Int)
    /// The items up to `end` are an absolutely positioned box and what it holds.
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
    /// Everything until the matching `pop` is clipped; clips, transforms and layers nest.
    case pushClip(RoundedRect)
    case pushClipPath(Path, isEvenOdd: Bool)
    /// Everything until the matching `pop` goes through a transform of CSS pixels.
    case pushTransform(Transform)
    /// Everything until the matching `pop` is painted apart, and then as one.
    case pushLayer(LayerItem)
    /// What lies below the layers of a box, filtered.
    case backdrop(BackdropItem)
    case pop
    /// In lists for terminals only.
    case cells(CellItem)

    /// How the item changes the number of open groups: by 1, −1 or 0.
    package var nesting: Int {
        switch self {
        case .pushClip, .pushClipPath, .pushTransform, .pushLayer: 1
        case .pop: -1
        case .fill, .path, .strokePath, .boxShadow, .border, .glyphs, .decoration, .image, .backdrop, .cells: 0
        }
    }

    /// A layer that is only less opaque.
    package static func pushOpacity(_ opacity: Float) -> DisplayItem { .pushLayer(LayerItem(opacity: opacity)) }
}

/// What the glyphs of a list say, for outputs in which text stays text.
package struct GlyphText: Sendable {
    /// UTF-8: the document's text, and after it what layout added.
    package var bytes: [UInt8]
    /// Of each glyph of the list, the first byte of its cluster.
    package var clusters: [UInt32] = []
}

/// A link's boxes, for outputs in which links stay links.
package struct DisplayLink: Sendable {
    /// As written.
    package var target: String
    /// In the coordinates of the item, CSS pixels.
    package var boxes: [Rect]
    /// The first item that belongs to it; one past the last where none is known.
    package var item: Int
    package var id: Int
}

/// A place in the document that one of its links leads to.
package struct DisplayDestination: Hashable, Sendable {
    /// The element's `id`, which is the link's target behind `#`.
    package var name: String
    /// The top left corner of the element's first box in CSS pixels, before transforms.
    package var place: Point

    package init(name: String, place: Point) {
        self.name = name
        self.place = place
    }
}

package struct DisplayList: Sendable {
    package var items: [DisplayItem] = []
    package var glyphs: [PositionedGlyph] = []
    /// nil unless asked for.
    package var text: GlyphText?
    /// In the order of their items; empty unless text is kept.
    package var links: [DisplayLink] = []
    /// In the order of their names.
    package var destinations: [DisplayDestination] = []
    /// Background layers that would take more time than they are given.
    package var omittedLayers = 0
    /// What the end of a page must not cut, from top to bottom in CSS pixels: lines, rows, pictures. Empty unless text
    /// is kept.
    package var solidRows: [Range<Float>] = []
    /// Of the canvas in CSS pixels.
    package var size: Size
    /// Behind everything: the canvas background.
    package var background: Color
    /// The color that the first item fills the canvas with, if the document gives it one.
    package var canvasColor: Color?

    package init(size: Size, background: Color) {
        self.size = size
        self.background = background
    }
}
