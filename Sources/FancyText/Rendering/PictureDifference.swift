// Two PNG files in, how their pictures differ out.

import FancyTextBasics
import FancyTextImages
import FancyTextPainting

/// How a picture differs from the expected one.
public struct PictureDifference: Sendable {
    /// Pixels that differ in any channel; those that only one of the pictures has count.
    public let differingPixels: Int
    /// Of all pixels that either picture has.
    public let pixels: Int
    /// Largest difference of a channel, 0–255.
    public let largestDifference: Int
    /// Mean over all channels of all pixels, 0–1.
    public let meanDifference: Double
    /// Of the expected picture, in pixels.
    public let expectedSize: (width: Int, height: Int)
    /// Of the other one, in pixels.
    public let actualSize: (width: Int, height: Int)
    private let picture: Pixmap

    /// Whether all pixels are the same.
    public var isEqual: Bool { differingPixels == 0 }

    /// Compares pixels, not bytes: metadata and compression do not count. Linear in the pixels.
    ///
    /// - Parameters:
    ///   - tolerance: Differences of a channel that do not count, 0–255.
    ///   - limits: Of the pixels of each picture.
    /// - Throws: ``RenderError/picture(_:)`` when one of them is not a PNG.
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

    /// A PNG file of the expected picture, faded, with what differs in red: the brighter, the more it differs.
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
