// The items of vector files: the few kinds that SVG and PDF have in common.

import FancyTextBasics
import FancyTextStyling
import FancyTextTypography

package enum VectorPaint {
    case color(Color)
    case gradient(VectorGradient)
}

/// Glyphs of one font with what they say.
package struct VectorText {
    /// Bytes of a text and the glyphs that show them.
    package struct Cluster {
        package var text: Range<Int>
        /// Indices of ``VectorText/glyphs``.
        package var glyphs: Range<Int>
    }

    package var font: FontID
    /// In visual order, origins on the baseline.
    package var glyphs: [PositionedGlyph]
    /// In visual order; together they hold all glyphs.
    package var clusters: [Cluster]
    package var text: [UInt8]
    /// The text's order is the reverse of the visual one.
    package var isRightToLeft: Bool
    /// Pixels per em, along both axes.
    package var size: Size
    /// Tangent of the slant to the right, besides that of a synthetic italic.
    package var skew: Float
    /// Pixels for each CSS pixel along both axes.
    package var scale: Size
    /// The destination of the glyphs' link.
    package var link: String?
    /// nil is text that can be found and selected, and is not seen: what shows it is a picture.
    package var paint: VectorPaint?
    package var stroke: (color: Color, width: Float)?
}

/// A picture in a file of shapes.
package enum VectorPicture {
    case pixels(Pixmap)
    /// A file as it was loaded, with its pixels where it has some.
    case file(PictureFile, Pixmap?)
}

/// Takes a picture in parts, in painting order. Coordinates are pixels of the surface, y down.
package protocol VectorSink: AnyObject {
    func fill(_ path: Path, isEvenOdd: Bool, with paint: VectorPaint)
    func show(_ text: VectorText)
    func draw(_ picture: VectorPicture, in rect: Rect, isPixelated: Bool)
    /// SVG files are drawn here and now, not written as they are.
    var drawsVectorFiles: Bool { get }
    /// The groups that these begin end with ``pop()``.
    func pushClip(_ path: Path, isEvenOdd: Bool)
    func pushTransform(_ transform: Transform)
    func pushLayer(opacity: Float, blendMode: BlendMode)
    func pop()
    /// Boxes that lead to a target; `map` takes them to the pixels of the page.
    func link(to target: String, boxes: [Rect], map: Transform)
    /// A place that links with the target `#name` lead to.
    func place(_ name: String, at point: Point, map: Transform)
}
