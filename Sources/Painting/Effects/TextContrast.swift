// Adjusts text coverage for perception: the tables that Skia applies to grey glyph masks, by the luminance of the text's colour.
// Skia raises the coverage of dark text, which would look thin, and then adjusts it so that blending in the device's gamma gives
// the result of blending in linear light against the opposite colour.

import FancyTextCSS
import FancyTextPlatform

package struct TextContrast: Hashable, Sendable {
    /// The increase of partial coverage of dark text; Chromium uses 0.2.
    package var contrast: Float = 0.2
    /// The exponent of the blend; 1 blends as the compositor does, Chromium uses 1.2.
    package var gamma: Float = 1.2

    package static let none = TextContrast(contrast: 0, gamma: 1)

    /// The luminance class: three bits, as in Skia, so that similar colours share a table.
    static func luminanceClass(of color: Color) -> Int {
        let luminance = (UInt32(color.red) * 54 + UInt32(color.green) * 183 + UInt32(color.blue) * 19) >> 8
        return Int(luminance >> 5)
    }

    /// The number of steps of glyph coverage between none and full: with 51 the edges of text in four colours fit into a palette
    /// of 256, which makes the PNG a third smaller and twice as fast to write, and no coverage changes by more than 2 of 255. The
    /// number is the same for every picture, so that the pixels of a glyph depend on nothing around it.
    static let coverageSteps = 51

    /// The 256 results for one class, rounded to ``coverageSteps``.
    func table(luminanceClass: Int) -> [UInt8] {
        let bits = luminanceClass
        let luminance = Float(bits << 5 | bits << 2 | bits >> 1) / 255
        let opposite = 1 - luminance
        let (linear, linearOpposite) = (pow(luminance, gamma), pow(opposite, gamma))
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
