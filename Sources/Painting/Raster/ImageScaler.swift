// Scales pictures, columns first: area averages when they shrink, Catmull and Rom's cubic when they grow.

package enum ImageScaler {
    private struct Weights {
        /// For each result pixel: its first source pixel and the offset of its weights.
        var first: [Int] = [], offset: [Int] = []
        var weight: [Float] = []
    }

    /// Scales premultiplied pixels. O(result × source/result) in each direction.
    ///
    /// - Parameters:
    ///   - columns: the requested part of the result, `rows` likewise; nil is the whole.
    package static func scale(
        _ source: Pixmap, width: Int, height: Int, columns: Range<Int>? = nil, rows: Range<Int>? = nil
    ) -> Pixmap {
        let (columns, rows) = (columns ?? 0..<max(0, width), rows ?? 0..<max(0, height))
        guard width > 0, height > 0, source.width > 0, source.height > 0
        else { return Pixmap(width: columns.count, height: rows.count) }
        if width == source.width, height == source.height, columns.count == width, rows.count == height {
            return source
        }
        let across = weights(from: source.width, to: width, columns)
        let down = weights(from: source.height, to: height, rows)
        // As many horizontally scaled source rows as one row of the result needs, as floats to avoid rounding twice.
        let most = zip(down.offset, down.offset.dropFirst()).reduce(1) { max($0, $1.1 - $1.0) }
        let count = columns.count
        var middle = [SIMD4<Float>](repeating: .zero, count: count * most)
        var held = [Int](repeating: -1, count: most)
        var result = Pixmap(width: count, height: rows.count)
        func scale(
            _ pixels: UnsafePointer<UInt32>, _ middle: UnsafeMutablePointer<SIMD4<Float>>,
            _ out: UnsafeMutablePointer<UInt32>
        ) {
            for y in 0..<rows.count {
                let first = down.first[y]
                let shares = down.offset[y]..<down.offset[y + 1]
                for row in first..<first + shares.count where held[row % most] != row {
                    held[row % most] = row
                    let line = row * source.width
                    let start = row % most * count
                    for x in 0..<count {
                        var sum = SIMD4<Float>.zero
                        let left = line + across.first[x]
                        for (index, weight) in (across.offset[x]..<across.offset[x + 1]).enumerated() {
                            sum += Pixel.channels(pixels[left + index]) * across.weight[weight]
                        }
                        middle[start + x] = sum
                    }
                }
                for x in 0..<count {
                    var sum = SIMD4<Float>.zero
                    var slot = first % most
                    for weight in shares {
                        sum += middle[slot * count + x] * down.weight[weight]
                        slot = slot + 1 == most ? 0 : slot + 1
                    }
                    // A cubic may overshoot; premultiplied channels must not exceed their alpha.
                    out[y * count + x] = Pixel.bounded(Pixel.rounded(sum))
                }
            }
        }
        scale(source.pixels, &middle, &result.pixels)
        return result
    }

    /// The weights of the source pixels for a part of the `size` target pixels of `count` source pixels.
    private static func weights(from count: Int, to size: Int, _ part: Range<Int>) -> Weights {
        var result = Weights()
        let ratio = Float(count) / Float(size)
        result.offset.append(0)
        for index in part {
            var (low, shares): (Int, [Float])
            if ratio > 1 {
                let (from, to) = (Float(index) * ratio, Float(index + 1) * ratio)
                low = Int(from)
                let high = min(count, max(low + 1, Int(to.rounded(.up))))
                shares = (low..<high).map { max(0, min(to, Float($0 + 1)) - max(from, Float($0))) }
            } else {
                let center = (Float(index) + 0.5) * ratio - 0.5
                low = Int(center.rounded(.down)) - 1
                shares = (low..<low + 4).map { cubic(center - Float($0)) }
                // Beyond the border, the outermost pixels are repeated.
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
