// Interpolation between two colours (CSS Color 4 §12).

/// The spaces of CSS Color 4 §7–10.
enum ColorSpace: UInt8 {
    case srgb, srgbLinear, displayP3, displayP3Linear, a98, prophoto, rec2020, xyzD50, xyzD65
    case lab, lch, oklab, oklch, hsl, hwb

    /// Index of the hue component, for cylindrical spaces.
    var hueIndex: Int? {
        switch self {
        case .hsl, .hwb: 0
        case .lch, .oklch: 2
        case .srgb, .srgbLinear, .displayP3, .displayP3Linear, .a98, .prophoto, .rec2020, .xyzD50, .xyzD65, .lab,
            .oklab:
            nil
        }
    }
}

/// A colour space, and the direction in which its hue is interpolated.
package struct ColorInterpolation: Hashable, Sendable {
    enum HueMethod: String { case shorter, longer, increasing, decreasing }

    var space = ColorSpace.oklab
    var hue = HueMethod.shorter
}
