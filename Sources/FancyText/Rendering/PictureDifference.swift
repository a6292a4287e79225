// Compares two PNG files.

import FancyTextBasics
import FancyTextImages
import FancyTextPainting

/// The difference of a picture from the expected one.
public struct PictureDifference: Sendable {
    /// The number of pixels that differ in any channel, including those that only one of the pictures has.
    public let differingPixels: Int
    /// The number of pixels that either picture has.
    public let pixels: Int
    /// The largest difference of a channel, 0–255.
    public let largestDifference: Int
    /// The mean difference over all channels of all pixels, 0–1.
    public let meanDifference: Double
    /// The size of the expected picture, in pixels.
    public let expectedSize: (width: Int, height: Int)
    /// The size of the actual picture, in pixels.
    public let actualSize: (width: Int, height: Int)
    private let picture: Pixmap

    /// A Boolean value that indicates whether all pixels are the same.
    public var isEqual: Bool { differingPixels == 0 }

    /// Compares pixels, not bytes: metadata and compression are ignored. Linear in the pixels.
    ///
    /// - Parameters:
    ///   - actual: A PNG file's bytes.
    ///   - expected: The bytes of the PNG file that it is compared with.
    ///   - tolerance: The difference of a channel that is ignored, 0–255.
    ///   - limits: The limits on the pixels of each picture.
    /// - Throws: ``RenderError/picture(_:)`` if one of them is not a PNG.
    public init(expected: [UInt8], actual: [UInt8], tolerance: Int = 0, limits: Limits = Limits())
        throws(RenderError)
    {
        do throws(ImageError) {
            let wanted = try ImageDecoder.decode(expected, limit: limits.pixels)
            let drawn = try ImageDecoder.decode(actual, limit: limits.pixels)
            let comparison = PictureComparison(expected: wanted, actual: drawn, tolerance: tolerance)
            expectedSize = (wanted.width, wanted.height)
            actualSize = (drawn.width, drawn.height)
            differingPixels = comparison.differingPixels
            pixels = comparison.picture.width * comparison.picture.height
            largestDifference = comparison.largestDifference
            meanDifference = comparison.meanDifference
            picture = comparison.picture
        } catch {
            throw .picture("\(error)")
        }
    }

    /// A PNG file of the expected picture, faded, with differences in red: the brighter, the larger.
    ///
    /// - Throws: ``RenderError/encoding(_:)``.
    public func png() throws(RenderError) -> [UInt8] {
        do throws(PNGError) {
            return try PNGEncoder().encode(picture)
        } catch {
            throw .encoding("\(error)")
        }
    }
}
