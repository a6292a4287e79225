// Mixing two colours (CSS Color 4 §12), for `color-mix()` and for gradients.

extension ColorInterpolation {
    /// Interpolation with premultiplied alpha; `t` is 0 for the first colour, 1 for the second.
    func mix(_ first: ColorValue, _ second: ColorValue, _ t: Double) -> ColorValue {
        mixConverted(first.converted(to: space).withPowerlessHue, second.converted(to: space).withPowerlessHue, t)
    }

    /// Colours at shares, 0–1, between two others, mixed with premultiplied alpha; each channel is 0–255.
    package func colors(from first: Color, to second: Color, at shares: [Float]) -> [SIMD4<Float>] {
        let from = ColorValue(first).converted(to: space).withPowerlessHue.powerlessIfTransparent(first)
        let to = ColorValue(second).converted(to: space).withPowerlessHue.powerlessIfTransparent(second)
        return shares.map { share in
            let color = mixConverted(from, to, Double(share))
            let rgb = color.converted(to: .srgb).components.clamped(lowerBound: .zero, upperBound: .one)
            let alpha = max(0, min(1, color.alpha))
            return SIMD4<Float>(SIMD4<Double>(rgb.x * alpha, rgb.y * alpha, rgb.z * alpha, alpha) * 255)
        }
    }

    private func mixConverted(_ a: ColorValue, _ b: ColorValue, _ t: Double) -> ColorValue {
        let from = a.completed(by: b)
        let to = b.completed(by: from)
        var result = ColorValue(
            a.space, .zero, alpha: from.alpha * (1 - t) + to.alpha * t, missing: a.missing & b.missing)
        for index in 0..<3 {
            if a.space.hueIndex == index {
                let start = ColorValue.positiveRemainder(from.components[index], 360)
                var end = ColorValue.positiveRemainder(to.components[index], 360)
                let delta = end - start
                switch hue {
                case .shorter: end += delta > 180 ? -360 : delta < -180 ? 360 : 0
                case .longer: end += delta > 0 && delta < 180 ? -360 : delta > -180 && delta <= 0 ? 360 : 0
                case .increasing: end += delta < 0 ? 360 : 0
                case .decreasing: end += delta > 0 ? -360 : 0
                }
                result.components[index] = start * (1 - t) + end * t
            } else if result.alpha > 0 {
                result.components[index] =
                    (from.components[index] * from.alpha * (1 - t) + to.components[index] * to.alpha * t) / result.alpha
            }
        }
        return result
    }
}

extension ColorValue {
    /// The colour with the components of `other` where its own are missing.
    fileprivate func completed(by other: ColorValue) -> ColorValue {
        var result = self
        for index in 0..<3 where missing & 1 << UInt8(index) != 0 { result.components[index] = other.components[index] }
        if missing & 8 != 0 { result.alpha = other.alpha }
        return result
    }

    /// The colour with its hue marked as missing if it is grey, since a grey's hue carries no meaning (CSS Color 4 §12.2).
    var withPowerlessHue: ColorValue {
        var result = self
        let isGrey =
            switch space {
            case .hsl: components[1] <= 0.001
            case .hwb: components[1] + components[2] >= 99.999
            case .lch: components[1] <= 0.0015
            case .oklch: components[1] <= 0.000004
            case .srgb, .srgbLinear, .displayP3, .displayP3Linear, .a98, .prophoto, .rec2020, .xyzD50, .xyzD65, .lab,
                .oklab:
                false
            }
        if isGrey, let hue = space.hueIndex { result.missing |= 1 << UInt8(hue) }
        return result
    }

    /// A fully transparent colour contributes no components: `transparent` takes the other's.
    fileprivate func powerlessIfTransparent(_ color: Color) -> ColorValue {
        var result = self
        if color.alpha == 0 { result.missing |= 7 }
        return result
    }
}

extension ValueCursor {
    /// Parses the text after `in`: `<color-space> [ <hue-interpolation-method> hue ]?`.
    mutating func colorInterpolation() -> ColorInterpolation? {
        guard let space = colorSpace() else { return nil }
        var result = ColorInterpolation()
        result.space = space
        if let method: ColorInterpolation.HueMethod = keyword() {
            guard space.hueIndex != nil, keyword("hue") else { return nil }
            result.hue = method
        }
        return result
    }
}
