// Blurs coverage. Narrow blurs convolve with the Gaussian. Wide blurs run three box blurs in each direction, which approximate it
// within 3% (SVG 1.1 §15.17) at a cost independent of the radius, on a mask reduced by 2, 4 or 8; the blur of reduction and
// enlargement is subtracted. The compiler vectorizes the loops over rows, sums and products of 16-bit numbers.

import FancyTextPlatform

enum Blur {
    /// The distance in pixels by which a blur of this sigma extends its input.
    static func reach(sigma: Float) -> Int { Int(bounded: (min(sigma, largestSigma) * 3).rounded(.up)) + 1 }

    /// Wider blurs are practically invisible, but would need enormous masks.
    static let largestSigma: Float = 500

    /// Blurs `mask`, whose area must have ``reach(sigma:)`` free pixels on each side.
    static func gaussian(_ mask: Bitmap.Mask, sigma: Float) {
        let (width, height, sigma) = (mask.area.width, mask.area.height, min(sigma, largestSigma))
        guard sigma > 0.1, width > 0, height > 0 else { return }
        // At least three pixels of the reduced mask make one sigma.
        var shift = 0
        while shift < 3 && sigma >= Float(3 << shift) { shift += 1 }
        if shift == 0 { return convolve(&mask.bytes, width: width, height: height, sigma: sigma) }
        let factor = 1 << shift
        let (smallWidth, smallHeight) = ((width + factor - 1) / factor + 1, (height + factor - 1) / factor + 1)
        var small = reduced(mask.bytes, width: width, height: height, factor: factor, smallWidth, smallHeight)
        // Averaging over n pixels adds (n²−1)/12 to the variance; interpolating between samples n apart adds n²/6.
        let square = Float(factor * factor)
        let variance = max(0, sigma * sigma - (square - 1) / 12 - square / 6) / square
        boxes(&small, width: smallWidth, height: smallHeight, variance: variance)
        enlarge(small, smallWidth, smallHeight, factor: factor, into: &mask.bytes, width: width, height: height)
    }

    // MARK: Narrow blurs

    /// The Gaussian's weights from the middle outwards, in units of 1/256. Both sides together add up to 256.
    private static func weights(sigma: Float) -> [UInt16] {
        let radius = max(1, Int(bounded: (3 * sigma).rounded(.up)))
        // Each weight is a difference of rounded cumulative sums, so that errors do not add up.
        let values = (0...radius).map { exp(-Float($0 * $0) / (2 * sigma * sigma)) }
        let total = values[0] + 2 * values.dropFirst().reduce(0, +)
        var result: [UInt16] = []
        var sum: Float = 0, rounded: Float = 0
        for value in values.reversed() {
            sum += value / total * 256
            let next = sum.rounded()
            result.append(UInt16(next - rounded))
            rounded = next
        }
        result.reverse()
        // The cumulative sum counts the whole middle weight, of which only half belongs to each side.
        result[0] = 256 - 2 * result.dropFirst().reduce(0, +)
        return result
    }

    /// Convolves in each direction. Pixels outside the mask are 0.
    private static func convolve(_ bytes: UnsafeMutablePointer<UInt8>, width: Int, height: Int, sigma: Float) {
        let weights = weights(sigma: sigma)
        let radius = weights.count - 1
        // A row, or a column of rows, with space for the kernel on both sides.
        var padded = [UInt8](repeating: 0, count: width + 2 * radius)
        var sums = [UInt16](repeating: 0, count: width)
        var between = [UInt8](repeating: 0, count: width * (height + 2 * radius))
        padded.withUnsafeMutableBufferPointer { padded in
            guard let middle = padded.baseAddress.map({ $0 + radius }) else { return }
            for y in 0..<height {
                middle.update(from: bytes + y * width, count: width)
                convolve(weights, middle, step: 1, &sums, &between, at: (y + radius) * width, count: width)
            }
        }
        between.withUnsafeBufferPointer { between in
            guard let first = between.baseAddress.map({ $0 + radius * width }) else { return }
            for y in 0..<height {
                convolve(weights, first + y * width, step: width, &sums, bytes, at: y * width, count: width)
            }
        }
    }

    /// One row of results: each is the sum of `weights` times the bytes at multiples of `step` on both sides.
    private static func convolve(
        _ weights: [UInt16], _ from: UnsafePointer<UInt8>, step: Int, _ sums: UnsafeMutablePointer<UInt16>,
        _ target: UnsafeMutablePointer<UInt8>, at place: Int, count: Int
    ) {
        let to = target + place
        let first = weights[0]
        for x in 0..<count { sums[x] = UInt16(from[x]) &* first &+ 128 }
        for (distance, weight) in weights.enumerated().dropFirst() where weight > 0 {
            let (before, after) = (from - distance * step, from + distance * step)
            for x in 0..<count { sums[x] &+= (UInt16(before[x]) &+ UInt16(after[x])) &* weight }
        }
        for x in 0..<count { to[x] = UInt8(truncatingIfNeeded: sums[x] &>> 8) }
    }

    // MARK: Wide blurs

    /// Odd box widths whose three passes together have approximately `variance` (a box of width w has (w²−1)/12).
    private static func radii(variance: Float) -> [Int] {
        let ideal = Int(bounded: (4 * variance + 1).squareRoot())
        let lower = max(1, ideal % 2 == 0 ? ideal - 1 : ideal)
        let low = Float(lower)
        // m passes with the lower width and 3 − m with the next odd one.
        let count = (12 * variance - 3 * low * low - 12 * low - 9) / (-4 * low - 4)
        let m = max(0, min(3, Int(bounded: count.rounded())))
        return (0..<3).map { ($0 < m ? lower : lower + 2) / 2 }
    }

    private static func boxes(_ bytes: inout [UInt8], width: Int, height: Int, variance: Float) {
        let radii = radii(variance: variance).filter { $0 > 0 }
        // 16 bits per pixel between the passes, to limit rounding errors.
        var from = bytes.map { UInt16($0) << 8 }
        var to = [UInt16](repeating: 0, count: from.count)
        var sums = [UInt32](repeating: 0, count: width)
        for radius in radii {
            boxRows(from, &to, width, height, radius)
            swap(&from, &to)
        }
        for radius in radii {
            boxColumns(from, &to, width, height, radius, &sums)
            swap(&from, &to)
        }
        bytes = from.map { UInt8(min(255, (UInt32($0) &+ 128) >> 8)) }
    }

    /// Blurs rows with a running sum. Pixels outside the row are 0.
    private static func boxRows(
        _ from: UnsafePointer<UInt16>, _ to: UnsafeMutablePointer<UInt16>, _ width: Int, _ height: Int, _ radius: Int
    ) {
        let inverse = 1 / Float(2 * radius + 1)
        for y in 0..<height {
            let (from, to) = (from + y * width, to + y * width)
            var sum: UInt32 = 0
            for x in 0..<min(radius, width) { sum &+= UInt32(from[x]) }
            for x in 0..<width {
                if x &+ radius < width { sum &+= UInt32(from[x &+ radius]) }
                to[x] = UInt16(truncatingIfNeeded: Int32(Float(Int32(truncatingIfNeeded: sum)) * inverse + 0.5))
                if x >= radius { sum &-= UInt32(from[x &- radius]) }
            }
        }
    }

    /// Blurs all columns at once with parallel running sums, so that the inner loop runs along a row.
    private static func boxColumns(
        _ from: UnsafePointer<UInt16>, _ to: UnsafeMutablePointer<UInt16>, _ width: Int, _ height: Int, _ radius: Int,
        _ sums: UnsafeMutablePointer<UInt32>
    ) {
        let inverse = 1 / Float(2 * radius + 1)
        sums.update(repeating: 0, count: width)
        for y in 0..<min(radius, height) {
            let row = from + y * width
            for x in 0..<width { sums[x] &+= UInt32(row[x]) }
        }
        for y in 0..<height {
            let entering = y + radius < height ? from + (y + radius) * width : nil
            let leaving = y >= radius ? from + (y - radius) * width : nil
            let out = to + y * width
            if let entering { for x in 0..<width { sums[x] &+= UInt32(entering[x]) } }
            for x in 0..<width {
                out[x] = UInt16(truncatingIfNeeded: Int32(Float(Int32(truncatingIfNeeded: sums[x])) * inverse + 0.5))
            }
            if let leaving { for x in 0..<width { sums[x] &-= UInt32(leaving[x]) } }
        }
    }

    /// The means of squares of `factor` pixels. Pixels outside the mask are 0.
    private static func reduced(
        _ bytes: UnsafePointer<UInt8>, width: Int, height: Int, factor: Int, _ smallWidth: Int, _ smallHeight: Int
    ) -> [UInt8] {
        var small = [UInt8](repeating: 0, count: smallWidth * smallHeight)
        // The maximum is 8 × 8 × 255 plus half a unit for rounding: 14 bits.
        var sums = [UInt16](repeating: 0, count: smallWidth * factor)
        let shift = UInt16(2 * factor.trailingZeroBitCount)
        let half = UInt16(1) << (shift - 1)
        func reduce(_ sums: UnsafeMutablePointer<UInt16>, _ small: UnsafeMutablePointer<UInt8>) {
            for row in 0..<(height + factor - 1) / factor {
                sums.update(repeating: 0, count: width)
                for y in row * factor..<min((row + 1) * factor, height) {
                    let line = bytes + y * width
                    for x in 0..<width { sums[x] &+= UInt16(line[x]) }
                }
                let out = small + row * smallWidth
                for x in 0..<smallWidth {
                    let cell = sums + x * factor
                    var sum = half
                    for offset in 0..<factor { sum &+= cell[offset] }
                    out[x] = UInt8(truncatingIfNeeded: sum &>> shift)
                }
            }
        }
        reduce(&sums, &small)
        return small
    }

    /// Bilinear interpolation between the centres of the reduced pixels: rows are widened once, then mixed in pairs.
    private static func enlarge(
        _ small: UnsafePointer<UInt8>, _ smallWidth: Int, _ smallHeight: Int, factor: Int,
        into bytes: UnsafeMutablePointer<UInt8>, width: Int, height: Int
    ) {
        // The position of pixel k of those between two centres is (2k + 1) / 2n, in units of 1/16: exact for factors up to 8.
        let shares = (0..<factor).map { UInt16((2 * $0 + 1) * 8 / factor) }
        let half = factor / 2
        // Two widened rows in 1/16 units (12 bits), each with a margin of a cell on both sides.
        let stride = (smallWidth + 2) * factor
        var wide = [UInt16](repeating: 0, count: 2 * stride)
        wide.withUnsafeMutableBufferPointer { wide in
            guard let wide = wide.baseAddress else { return }
            // Beyond the border, the outermost centres are repeated.
            func widen(_ row: Int) -> UnsafePointer<UInt16> {
                let line = small + max(0, min(smallHeight - 1, row)) * smallWidth
                let out = wide + (row & 1) * stride
                for cell in 0...smallWidth {
                    let (a, b) = (UInt16(line[max(0, cell - 1)]), UInt16(line[min(smallWidth - 1, cell)]))
                    let start = out + cell * factor
                    for k in 0..<factor { start[k] = a &* (16 &- shares[k]) &+ b &* shares[k] }
                }
                return UnsafePointer(out + half)
            }
            // `above` is the centre above the row's first pixels, −1 at the top border.
            var upper = widen(-1)
            for above in -1..<smallHeight {
                let lower = widen(above + 1)
                for k in 0..<factor {
                    let y = above * factor + half + k
                    guard y >= 0, y < height else { continue }
                    let out = bytes + y * width
                    let (p, q) = (16 &- shares[k], shares[k])
                    for x in 0..<width {
                        out[x] = UInt8(truncatingIfNeeded: (upper[x] &* p &+ lower[x] &* q &+ 128) &>> 8)
                    }
                }
                upper = lower
            }
        }
    }
}
