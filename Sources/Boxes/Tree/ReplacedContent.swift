// The contents of images, lambdas and `svg` elements, and the natural dimensions of their pictures (CSS Images 3 §4). In: an
// element's picture. Out: its source for the decoder; around a part of an `svg` element, a document in CSS pixels.

import FancyTextBasics
import FancyTextCSS

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
        (self.source, self.alternative, self.fallback) = (source, alternative, fallback)
        (self.density, self.natural, self.hasViewBox) = (density, natural, hasViewBox)
    }

    package var isOwnPicture: Bool { source.hasPrefix(Self.ownPicture) }

    /// The source of a picture of `area` in the box of an `svg` element, around that of the element, which keeps its percentages.
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

/// The natural dimensions of a picture; any of the three may be missing (CSS Images 3 §4.1).
package struct NaturalDimensions: Hashable, Sendable {
    /// In CSS pixels.
    package var width, height: Float?
    /// The width divided by the height, above 0. Set if both sides are, unless one is 0.
    package var ratio: Float?

    package init(width: Float?, height: Float?, ratio: Float? = nil) {
        (self.width, self.height) = (width, height)
        self.ratio = ratio
        if let width, let height { self.ratio = width > 0 && height > 0 ? width / height : ratio }
    }

    package init(_ size: Size) { self.init(width: size.width, height: size.height) }

    /// The dimensions of a picture with several pixels for each CSS pixel.
    package func atDensity(_ density: Float) -> Self {
        density == 1 || density <= 0
            ? self : Self(width: width.map { $0 / density }, height: height.map { $0 / density }, ratio: ratio)
    }

    /// Makes the height the width, for a flow with vertical lines.
    package mutating func turn() {
        swap(&width, &height)
        ratio = ratio.map { 1 / $0 }
    }

    /// True if only the ratio is known: the picture is as large as its place.
    package var hasOnlyRatio: Bool { width == nil && height == nil && ratio != nil }

    /// The default sizing algorithm (CSS Images 3 §4.3.3): the specified size, then the natural one, then the default one.
    package func size(width fixedWidth: Float? = nil, height fixedHeight: Float? = nil, default given: Size) -> Size {
        switch (fixedWidth, fixedHeight) {
        case let (w?, h?): return Size(width: w, height: h)
        case let (w?, nil): return Size(width: w, height: ratio.map { w / $0 } ?? height ?? given.height)
        case let (nil, h?): return Size(width: ratio.map { h * $0 } ?? width ?? given.width, height: h)
        case (nil, nil) where width == nil && height == nil: return contained(in: given)
        case (nil, nil): return size(width: width, height: height, default: given)
        }
    }

    /// The largest size with its ratio that fits into `area`; `area` if there is no ratio (CSS Images 3 §4.3.2).
    package func contained(in area: Size) -> Size { fitted(to: area, byHeight: <=) }

    /// The smallest size with its ratio that covers `area`; `area` if there is no ratio.
    package func covering(_ area: Size) -> Size { fitted(to: area, byHeight: >=) }

    private func fitted(to area: Size, byHeight: (Float, Float) -> Bool) -> Size {
        guard let ratio else { return area }
        return byHeight(area.height * ratio, area.width)
            ? Size(width: area.height * ratio, height: area.height)
            : Size(width: area.width, height: area.width / ratio)
    }
}

package protocol ReplacedSizes {
    /// Nil if there is no such picture.
    func naturalDimensions(of source: String, isLambda: Bool) -> NaturalDimensions?

    /// Returns for each pixel whether an image of a size covers more than a threshold, row by row. Nil if there is no such image.
    func coverage(of image: ImageSource, width: Int, height: Int, above threshold: Float) -> [Bool]?
}

extension ReplacedSizes {
    package func coverage(of image: ImageSource, width: Int, height: Int, above threshold: Float) -> [Bool]? { nil }

    /// The used size of a picture whose style sets none, within 300 × 150 pixels without a natural size (CSS 2.1 §10.3.2).
    package func intrinsicSize(of source: String, isLambda: Bool) -> Size? {
        naturalDimensions(of: source, isLambda: isLambda)?.size(default: Size(width: 300, height: 150))
    }
}

/// A source without pictures: every image shows its alternative text.
package struct NoReplacedSizes: ReplacedSizes {
    package init() {}
    package func naturalDimensions(of source: String, isLambda: Bool) -> NaturalDimensions? { nil }
}
