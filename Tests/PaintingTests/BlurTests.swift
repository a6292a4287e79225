import Testing

@testable import FancyTextImages

@testable import FancyTextBasics
@testable import FancyTextPainting

@Suite struct BlurTests {
    private func blurred(_ sigma: Float, side: Int = 40) -> Bitmap.Mask {
        let reach = Blur.reach(sigma: sigma)
        let size = side + 2 * reach
        let mask = Bitmap.Mask(area: DeviceRect(minX: 0, minY: 0, maxX: size, maxY: size))
        for y in reach..<reach + side { for x in reach..<reach + side { mask.bytes[y * size + x] = 255 } }
        Blur.gaussian(mask, sigma: sigma)
        return mask
    }

    @Test(arguments: [0.5, 1, 2, 4, 6, 10, 20, 40] as [Float])
    func energyIsKept(sigma: Float) {
        let sum = blurred(sigma).bytes.reduce(0) { $0 + Double($1) }
        #expect(abs(sum / (40 * 40 * 255) - 1) < 0.03)
    }

    @Test(arguments: [1, 3, 10, 30] as [Float])
    func resultIsSymmetric(sigma: Float) {
        let mask = blurred(sigma, side: 64)
        let size = mask.area.width
        var worst = 0
        for y in 0..<size {
            for x in 0..<size {
                worst = max(worst, abs(Int(mask.bytes[y * size + x]) - Int(mask.bytes[y * size + size - 1 - x])))
                worst = max(worst, abs(Int(mask.bytes[y * size + x]) - Int(mask.bytes[x * size + y])))
            }
        }
        #expect(worst <= 4)
    }

    /// The edge of a wide half-plane must fall like the Gaussian's integral.
    @Test(arguments: [2, 5, 10, 20] as [Float])
    func edgeFallsAsTheErrorFunction(sigma: Float) {
        let side = Int(sigma * 12)
        let mask = blurred(sigma, side: side)
        let size = mask.area.width
        let reach = Blur.reach(sigma: sigma)
        let row = size / 2
        var worst: Float = 0
        for x in 0..<reach + side / 2 {
            let distance = (Float(x) + 0.5 - Float(reach)) / sigma
            // Φ by Zelen and Severo's series (Abramowitz and Stegun 26.2.17).
            let t = 1 / (1 + 0.231_641_9 * abs(distance))
            let series =
                t
                * (0.319_381_53 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))))
            let tail = exponential(-distance * distance / 2) / Float(2 * Float.pi).squareRoot() * series
            let expected = distance >= 0 ? 1 - tail : tail
            worst = max(worst, abs(Float(mask.bytes[row * size + x]) / 255 - expected))
        }
        #expect(worst < 0.03)
    }

    private func exponential(_ x: Float) -> Float {
        var term: Double = 1
        var sum: Double = 1
        for n in 1..<60 {
            term *= Double(x) / Double(n)
            sum += term
        }
        return Float(max(0, sum))
    }

    @Test func stretchedShadowsEqualWholeOnes() {
        let canvas = Bitmap(width: 1, height: 1)
        let radius = Size(width: 6, height: 6)
        let shape = RoundedRect(
            rect: Rect(x: 50, y: 40, width: 260, height: 190),
            radii: CornerRadii(topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: .zero))
        let sigma: Float = 4
        let area = shape.rect.pixelCover.outset(by: Blur.reach(sigma: sigma))
        let whole = canvas.mask(of: Path(shape), area: area)
        Blur.gaussian(whole, sigma: sigma)
        var worst = 0
        StretchedMask(shape, sigma: sigma, canvas).rows(area) { x, y, coverage, count in
            for index in 0..<count {
                let expected = whole.bytes[(y - area.minY) * area.width + (x - area.minX) + index]
                worst = max(worst, abs(Int(coverage[index]) - Int(expected)))
            }
        }
        #expect(worst <= 3)
    }
}
