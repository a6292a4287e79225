// Interpolation between two colours (CSS Color 4 §12).

/// The spaces of CSS Color 4 §7–10.
enum ColorSpace: String {
    case srgb, rec2020, lab, lch, oklab, oklch, hsl, hwb, srgbLinear = "srgb-linear", displayP3 = "display-p3"
    case displayP3Linear = "display-p3-linear", a98 = "a98-rgb", prophoto = "prophoto-rgb", xyzD50 = "xyz-d50"
    case xyzD65 = "xyz-d65"

    var hasFunction: Bool { [.lab, .lch, .oklab, .oklch, .hsl, .hwb].contains(self) }

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
