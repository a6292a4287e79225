// The sources of natural dimensions of pictures (CSS Images 3 §4).

import FancyTextBasics
import FancyTextStyling

/// A source of the natural dimensions of pictures.
package protocol ReplacedSizes {
    /// Nil if there is no such picture.
    func naturalDimensions(of source: String, isLambda: Bool) -> NaturalDimensions?

    /// Returns for each pixel whether an image of a size covers more than a threshold, row by row. Nil if there is no such image.
    func coverage(of image: ImageSource, width: Int, height: Int, above threshold: Float) -> [Bool]?
}

extension ReplacedSizes {
    package func coverage(of image: ImageSource, width: Int, height: Int, above threshold: Float) -> [Bool]? { nil }

    /// The used size of a picture whose style sets none. A picture without a natural size fits into 300 × 150 CSS pixels (CSS 2.1
    /// §10.3.2). Nil if there is no such picture.
    package func intrinsicSize(of source: String, isLambda: Bool) -> Size? {
        naturalDimensions(of: source, isLambda: isLambda)?.size(default: Size(width: 300, height: 150))
    }
}

/// A source without pictures: every image shows its alternative text.
package struct NoReplacedSizes: ReplacedSizes {
    package init() {}
    package func naturalDimensions(of source: String, isLambda: Bool) -> NaturalDimensions? { nil }
}
