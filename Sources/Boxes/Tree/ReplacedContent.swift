// The contents of images, lambdas and `svg` elements.
//
// In: an element's picture. Out: its source for the decoder; for a part of an `svg` element, or one without a view box, a document in
// CSS pixels around it.

import FancyTextBasics

package struct ReplacedContent: Sendable {
    /// The beginning of the sources of pictures that the page itself defines, as `svg` elements.
    package static let ownPicture = "data:image/svg+xml;page,"

    /// An image's `src`; a lambda's id.
    package var source: String
    package var alternative: String
    package var fallback: ImageFallback
    /// Pixels of the picture for each CSS pixel of its natural size.
    package var density: Float
    /// The natural dimensions without a picture, of an element whose contents no still picture shows; nil for others.
    package var natural: NaturalDimensions?
    /// True for an `svg` element with a view box; without one, its coordinates are CSS pixels of its box.
    package var hasViewBox = false

    package init(
        source: String, alternative: String, fallback: ImageFallback = .room, density: Float = 1,
        natural: NaturalDimensions? = nil, hasViewBox: Bool = false
    ) {
        self.source = source
        self.alternative = alternative
        self.fallback = fallback
        self.density = density
        self.natural = natural
        self.hasViewBox = hasViewBox
    }

    package var isOwnPicture: Bool { source.hasPrefix(Self.ownPicture) }

    /// The source of a picture of `area`, for an `svg` element whose box has this size: a picture in CSS pixels around that of the
    /// element, which keeps what its percentages refer to.
    package func source(showing area: Rect, ofBox size: Size) -> String {
        let whole = Rect(x: 0, y: 0, width: size.width, height: size.height)
        guard !hasViewBox || area != whole, let end = source.firstIndex(of: ">") else { return source }
        var tag = source[..<end].dropFirst(Self.ownPicture.count + "<svg".count)
        for name in ["x", "y", "width", "height", "overflow"] {
            if let start = tag.firstRange(of: " \(name)=\""), let end = tag[start.upperBound...].firstIndex(of: "\"") {
                tag.removeSubrange(start.lowerBound...end)
            }
        }
        return Self.ownPicture + "<svg xmlns=\"http://www.w3.org/2000/svg\" preserveAspectRatio=\"none\" "
            + "viewBox=\"\(area.x) \(area.y) \(area.width) \(area.height)\"><svg width=\"\(size.width)\" "
            + "height=\"\(size.height)\" overflow=\"visible\"" + tag + source[end...] + "</svg>"
    }
}
