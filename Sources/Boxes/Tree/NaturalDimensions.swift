// Natural dimensions of a picture, and the sizes derived from them (CSS Images 3 §4).

import FancyTextBasics

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

    /// The default sizing algorithm (CSS Images 3 §4.3.3): the specified size, then the natural one, then the default object
    /// size.
    package func size(width specifiedWidth: Float? = nil, height specifiedHeight: Float? = nil, default given: Size)
        -> Size
    {
        switch (specifiedWidth, specifiedHeight) {
        case let (w?, h?): return Size(width: w, height: h)
        case let (w?, nil): return Size(width: w, height: ratio.map { w / $0 } ?? height ?? given.height)
        case let (nil, h?): return Size(width: ratio.map { h * $0 } ?? width ?? given.width, height: h)
        case (nil, nil): break
        }
        switch (width, height) {
        case let (w?, h?): return Size(width: w, height: h)
        case (nil, nil): return contained(in: given)
        case let (w, h): return size(width: w, height: h, default: given)
        }
    }

    /// The largest size with its ratio that fits into `area`; `area` if there is no ratio (CSS Images 3 §4.3.2).
    package func contained(in area: Size) -> Size {
        guard let ratio else { return area }
        return area.height * ratio <= area.width
            ? Size(width: area.height * ratio, height: area.height)
            : Size(width: area.width, height: area.width / ratio)
    }

    /// The smallest size with its ratio that covers `area`; `area` if there is no ratio.
    package func covering(_ area: Size) -> Size {
        guard let ratio else { return area }
        return area.height * ratio >= area.width
            ? Size(width: area.height * ratio, height: area.height)
            : Size(width: area.width, height: area.width / ratio)
    }
}
