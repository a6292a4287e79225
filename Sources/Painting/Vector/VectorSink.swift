// The items of vector files: the kinds that SVG and PDF have in common.

import FancyTextBasics
import FancyTextCSS
import FancyTextTypography

package enum VectorPaint {
    case color(Color)
    case gradient(VectorGradient)
}

package struct VectorText {
    package struct Cluster {
        package var text: Range<Int>
        /// Indices of ``VectorText/glyphs``.
        package var glyphs: Range<Int>
    }

    package var font: FontID
    /// The glyphs in visual order, with origins on the baseline.
    package var glyphs: [PositionedGlyph]
    /// The clusters in visual order; together they contain all glyphs.
    package var clusters: [Cluster]
    package var text: [UInt8]
    /// True if the text's order is the reverse of the visual order.
    package var isRightToLeft: Bool
    /// Pixels per em, along both axes.
    package var size: Size
    /// The tangent of the slant to the right, in addition to that of a synthetic italic.
    package var skew: Float
    /// Surface pixels per CSS pixel along both axes.
    package var scale: Size
    package var part: DocumentPart
    package var link: String?
    /// The paint of the glyphs. With `nil` the text is invisible, but can be searched and selected: a picture shows it.
    package var paint: VectorPaint?
    package var stroke: (color: Color, width: Float)?
}

package enum VectorPicture {
    case pixels(Pixmap)
    /// The file as it was loaded, with its pixels if it has any.
    case file(PictureFile, Pixmap?)
}

/// Receives a picture in parts, in painting order. Coordinates are pixels of the surface, y down.
package protocol VectorSink: AnyObject {
    func fill(_ path: Path, isEvenOdd: Bool, with paint: VectorPaint)
    func show(_ text: VectorText)
    /// Adds ``PictureFile/texts`` of a picture invisibly, to be searched and selected.
    func show(_ texts: String, in rect: Rect)
    /// - Parameter part: the part of the document that the picture is; `nil` for effects and backgrounds.
    func draw(_ picture: VectorPicture, in rect: Rect, isPixelated: Bool, of part: DocumentPart?)
    /// True if the sink draws SVG files itself instead of embedding them.
    var drawsVectorFiles: Bool { get }
    /// True if it cannot write links of pictures where it draws now.
    var refusesLinks: Bool { get }
    /// Begins a group, as do the next two functions. ``pop()`` ends it.
    func pushClip(_ path: Path, isEvenOdd: Bool)
    func pushTransform(_ transform: Transform)
    func pushLayer(opacity: Float, blendMode: BlendMode)
    func pop()
    /// Adds the boxes of a link that are on the page; `map` converts them to pixels of the page.
    func link(_ link: DisplayLink, boxes: [Rect], map: Transform)
    /// Adds a destination for links to its name, or a bookmark.
    func place(_ destination: DisplayDestination, map: Transform)
}
