// Text coverage adjusted for the eye: the tables that Skia applies to grey glyph masks, by the luminance of the text's colour.
//
// A linear blend makes dark text on light look thin. Skia raises the coverage of dark text (contrast) and then bends it so that
// blending in the device's gamma gives what a blend in linear light against the opposite colour would.

import Glibc
import MarkupStyling

package struct TextContrast: Hashable, Sendable {
    /// 0 leaves black text as it is; Chromium on Linux has 0.5.
    package var contrast: Float
    /// Exponent of the blend; 1 blends as the compositor does.
    package var gamma: Float

    package init(contrast: Float = 0.5, gamma: Float = 1.4) {
        self.contrast = contrast
        self.gamma = gamma
    }

    /// Coverage unchanged.
    package static let none = TextContrast(contrast: 0, gamma: 1)

    /// Luminance classes: three bits, as in Skia, so that similar colours share a table.
    static func luminanceClass(of color: Color) -> Int {
        let luminance = (UInt32(color.red) * 54 + UInt32(color.green) * 183 + UInt32(color.blue) * 19) >> 8
        // Mid tones count as darker, lest green be taken for white.
        let lowered = luminance - ((255 - luminance) * luminance) / 255
        return Int(lowered >> 5)
    }

    /// Coverage is kept to 52 levels. The eye cannot tell them from 256, and a text of four colours on its grounds then fits a
    /// palette of 256, which halves both the time to encode a picture and its size.
    private static let step: Float = 5

    private static func quantized(_ alpha: Float) -> UInt8 {
        UInt8(max(0, min(255, (alpha / step).rounded() * step)))
    }

    /// The 256 results for one class.
    func table(luminanceClass: Int) -> [UInt8] {
        let bits = luminanceClass
        let luminance = Float(bits << 5 | bits << 2 | bits >> 1) / 255
        let opposite = 1 - luminance
        let linear = pow(luminance, gamma)
        let linearOpposite = pow(opposite, gamma)
        let strength = contrast * linearOpposite
        return (0..<256).map { index in
            let raw = Float(index) / 255
            let alpha = raw + (1 - raw) * strength * raw
            guard abs(opposite - luminance) >= 1 / 256 else { return Self.quantized(alpha * 255) }
            let out = pow(linear * alpha + linearOpposite * (1 - alpha), 1 / gamma)
            return Self.quantized((out - opposite) / (luminance - opposite) * 255)
        }
    }
}
