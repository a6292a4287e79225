// Text coverage adjusted for the eye: the tables that Skia applies to grey glyph masks, by the luminance of the text's
// colour.
//
// A linear blend makes dark text on light look thin. Skia raises the coverage of dark text (contrast) and then bends it
// so that blending in the device's gamma gives what a blend in linear light against the opposite colour would.

import FancyTextPlatform
import FancyTextStyling

package struct TextContrast: Hashable, Sendable {
    /// Raises partial coverage of dark text; Chromium has 0.2.
    package var contrast: Float = 0.2
    /// Exponent of the blend; 1 blends as the compositor does, Chromium has 1.2.
    package var gamma: Float = 1.2

    /// Coverage unchanged.
    package static let none = TextContrast(contrast: 0, gamma: 1)

    /// Luminance classes: three bits, as in Skia, so that similar colours share a table.
    static func luminanceClass(of color: Color) -> Int {
        let luminance = (UInt32(color.red) * 54 + UInt32(color.green) * 183 + UInt32(color.blue) * 19) >> 8
        return Int(luminance >> 5)
    }

    /// Steps of glyph coverage between none and full.
    ///
    /// Each colour of text makes as many colours of pixels on each ground as its coverage has steps. With 51 of them
    /// the edges of four colours of text fit into a palette of 256, which makes the PNG a third smaller and twice as
    /// fast to write, and no coverage changes by more than 2 of 255. The number is the same for every picture, so that
    /// a glyph's pixels depend on nothing around it.
    static let coverageSteps = 51

    /// The 256 results for one class, rounded to ``coverageSteps``.
    func table(luminanceClass: Int) -> [UInt8] {
        let bits = luminanceClass
        let luminance = Float(bits << 5 | bits << 2 | bits >> 1) / 255
        let opposite = 1 - luminance
        let linear = pow(luminance, gamma)
        let linearOpposite = pow(opposite, gamma)
        let strength = contrast * linearOpposite
        func byte(_ alpha: Float) -> UInt8 {
            let steps = Float(Self.coverageSteps)
            return UInt8(max(0, min(255, ((alpha * steps).rounded() / steps * 255).rounded())))
        }
        return (0..<256).map { index in
            let raw = Float(index) / 255
            let alpha = raw + (1 - raw) * strength * raw
            guard abs(opposite - luminance) >= 1 / 256 else { return byte(alpha) }
            let out = pow(linear * alpha + linearOpposite * (1 - alpha), 1 / gamma)
            return byte((out - opposite) / (luminance - opposite))
        }
    }
}
