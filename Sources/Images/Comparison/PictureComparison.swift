// Compares two pictures.

import FancyTextPainting

/// The differences of a picture from the expected one.
package struct PictureComparison: Sendable {
    package let isEqual: Bool
    /// The number of pixels that differ in any channel; pixels outside of the common area count too.
    package let differingPixels: Int
    /// The largest difference of a channel, in 8-bit steps.
    package let largestDifference: Int
    /// Mean over all channels of all pixels, 0–1.
    package let meanDifference: Double
    /// The faded expected picture with differing pixels in red, brighter for larger differences.
    package let picture: Pixmap

    /// Linear in the pixels.
    ///
    /// - Parameter tolerance: differences of a channel up to this are ignored, 0–255.
    package init(expected: Pixmap, actual: Pixmap, tolerance: Int = 0) {
        let width = max(expected.width, actual.width)
        let height = max(expected.height, actual.height)
        var picture = Pixmap(width: width, height: height, fill: 0xFF00_00FF)
        var differing = 0
        var largest = 0
        var sum = 0
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
        differingPixels = differing
        largestDifference = largest
        meanDifference = width * height > 0 ? Double(sum) / Double(width * height * 4 * 255) : 0
        isEqual = differing == 0
        self.picture = picture
    }
}
