// A picture and a size in, the picture at that size out: each result pixel is a weighted mean of the source pixels below it
// (area average) when it shrinks, and interpolated between them (Catmull and Rom's cubic) when it grows. Columns, then rows.

package enum ImageScaler {
    private struct Weights {
        /// For each result pixel: its first source pixel and where its weights start.
        var first: [Int] = []
        var offset: [Int] = []
        var weight: [Float] = []
    }

    /// Scales premultiplied pixels. O(result × source/result) in each direction.
    package static func scale(_ source: Pixmap, width: Int, height: Int) -> Pixmap {
        guard width > 0, height > 0, source.width > 0, source.height > 0 else {
            return Pixmap(width: width, height: height)
        }
        if width == source.width && height == source.height { return source }
        let columns = weights(from: source.width, to: width)
        let rows = weights(from: source.height, to: height)
        // The rows of the source, narrowed or widened; floats so that nothing is rounded twice.
        var middle = [SIMD4<Float>](repeating: .zero, count: width * source.height)
        var result = Pixmap(width: width, height: height)
        source.pixels.withUnsafeBufferPointer { pixels in
            middle.withUnsafeMutableBufferPointer { middle in
                for y in 0..<source.height {
                    let line = y * source.width
                    for x in 0..<width {
                        var sum = SIMD4<Float>.zero
                        let first = columns.first[x]
                        for (index, weight) in (columns.offset[x]..<columns.offset[x + 1]).enumerated() {
                            sum += Pixel.channels(pixels[line + first + index]) * columns.weight[weight]
                        }
                        middle[y * width + x] = sum
                    }
                }
            }
        }
        middle.withUnsafeBufferPointer { middle in
            result.pixels.withUnsafeMutableBufferPointer { pixels in
                for y in 0..<height {
                    let first = rows.first[y]
                    for x in 0..<width {
                        var sum = SIMD4<Float>.zero
                        for (index, weight) in (rows.offset[y]..<rows.offset[y + 1]).enumerated() {
                            sum += middle[(first + index) * width + x] * rows.weight[weight]
                        }
                        // A cubic may overshoot; premultiplied channels never exceed their alpha.
                        pixels[y * width + x] = Pixel.bounded(Pixel.rounded(sum))
                    }
                }
            }
        }
        return result
    }

    private static func weights(from count: Int, to size: Int) -> Weights {
        var result = Weights()
        let ratio = Float(count) / Float(size)
        result.offset.append(0)
        for index in 0..<size {
            var low: Int
            var shares: [Float]
            if ratio > 1 {
                let (from, to) = (Float(index) * ratio, Float(index + 1) * ratio)
                low = Int(from)
                let high = min(count, max(low + 1, Int(to.rounded(.up))))
                shares = (low..<high).map { max(0, min(to, Float($0 + 1)) - max(from, Float($0))) }
            } else {
                let center = (Float(index) + 0.5) * ratio - 0.5
                low = Int(center.rounded(.down)) - 1
                shares = (low..<low + 4).map { cubic(center - Float($0)) }
                // Pixels beyond the border are those on it.
                while low < 0 {
                    let outside = shares.removeFirst()
                    if shares.isEmpty { shares = [0] }
                    shares[0] += outside
                    low += 1
                }
                while low + shares.count > count && shares.count > 1 {
                    let outside = shares.removeLast()
                    shares[shares.count - 1] += outside
                }
                low = min(low, count - 1)
            }
            let sum = shares.reduce(0, +)
            result.first.append(low)
            result.weight += shares.map { $0 / (sum == 0 ? 1 : sum) }
            result.offset.append(result.weight.count)
        }
        return result
    }

    /// Catmull and Rom's kernel (Keys 1981, a = −½).
    private static func cubic(_ distance: Float) -> Float {
        let x = abs(distance)
        if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
        return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0
    }
}
