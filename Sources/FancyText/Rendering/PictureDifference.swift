// Compares two PNG files.

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
    /// The expected picture, faded, with differing pixels in red, brighter for larger differences.
    let picture: Pixmap

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
    public init(expected: [UInt8], actual: [UInt8], tolerance: Int = 0, limits: Limits = Limits()) throws(RenderError) {
        do throws(ImageError) {
            let wanted = try ImageDecoder.decode(expected, limit: limits.pixels)
            let drawn = try ImageDecoder.decode(actual, limit: limits.pixels)
            self.init(expected: wanted, actual: drawn, tolerance: tolerance)
        } catch { throw .picture("\(error)") }
    }

    init(expected: Pixmap, actual: Pixmap, tolerance: Int = 0) {
        let width = max(expected.width, actual.width)
        let height = max(expected.height, actual.height)
        var picture = Pixmap(width: width, height: height, fill: 0xFF00_00FF)
        var (differing, largest, sum) = (0, 0, 0)
        for y in 0..<height {
            for x in 0..<width {
                guard x < expected.width, y < expected.height, x < actual.width, y < actual.height else {
                    differing += 1
                    largest = 255
                    sum += 255 * 4
                    continue
                }
                let (a, b) = (expected[x, y], actual[x, y])
                var most = 0
                if a != b {
                    for shift: UInt32 in [0, 8, 16, 24] {
                        let difference = abs(Int((a >> shift) & 255) - Int((b >> shift) & 255))
                        most = max(most, difference)
                        sum += difference
                    }
                    if most > tolerance { differing += 1 }
                    largest = max(largest, most)
                }
                if most > tolerance {
                    picture.pixels[y * width + x] = 0xFF00_0000 | UInt32(96 + most * 159 / 255)
                } else {
                    // The expected pixel over white, at a fifth of its strength.
                    let over = Pixel.over(a, Pixel.scale(0xFFFF_FFFF, by: 255 - (a >> 24)) | 0xFF00_0000)
                    picture.pixels[y * width + x] = Pixel.over(Pixel.scale(over, by: 51), 0xFFFF_FFFF)
                }
            }
        }
        (differingPixels, largestDifference, pixels) = (differing, largest, width * height)
        meanDifference = width * height > 0 ? Double(sum) / Double(width * height * 4 * 255) : 0
        expectedSize = (expected.width, expected.height)
        actualSize = (actual.width, actual.height)
        self.picture = picture
    }

    /// A PNG file of the expected picture, faded, with differences in red: the brighter, the larger.
    ///
    /// - Throws: ``RenderError/encoding(_:)``.
    public func png() throws(RenderError) -> [UInt8] {
        do throws(PNGError) { return try PNGEncoder().encode(picture) } catch { throw .encoding("\(error)") }
    }
}
