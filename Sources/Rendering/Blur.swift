// Coverage in, blurred coverage out: three box blurs in each direction, which come within 3% of a Gaussian
// (SVG 1.1 §15.17 gives the construction), at a cost that does not depend on the radius.
//
// Wide blurs run on a mask reduced by 2, 4 or 8: what the reduction and the enlargement blur by themselves is taken off the
// variance, so the result keeps its width.

import TextShaping

enum Blur {
    /// How far a blur of this sigma reaches beyond what it blurs, in pixels.
    static func reach(sigma: Float) -> Int { pixelInt((min(sigma, largestSigma) * 3).rounded(.up)) + 1 }

    /// Wider blurs are as good as invisible, but would need masks beyond measure.
    static let largestSigma: Float = 500

    /// Blurs `mask`, whose area must have ``reach(sigma:)`` free pixels on each side.
    static func gaussian(_ mask: Canvas.Mask, sigma: Float) {
        let width = mask.area.width
        let height = mask.area.height
        let sigma = min(sigma, largestSigma)
        guard sigma > 0.1, width > 0, height > 0 else { return }
        var shift = 0
        while shift < 3 && sigma > Float(4 << shift) { shift += 1 }
        if shift == 0 {
            boxes(&mask.bytes, width: width, height: height, variance: sigma * sigma)
            return
        }
        let factor = 1 << shift
        let smallWidth = (width + factor - 1) / factor + 1
        let smallHeight = (height + factor - 1) / factor + 1
        var small = reduced(mask.bytes, width: width, height: height, factor: factor, smallWidth, smallHeight)
        // Averaging over n pixels adds (n²−1)/12 to the variance; interpolating between samples n apart adds n²/6.
        let square = Float(factor * factor)
        let variance = max(0, sigma * sigma - (square - 1) / 12 - square / 6) / square
        boxes(&small, width: smallWidth, height: smallHeight, variance: variance)
        enlarge(small, smallWidth, smallHeight, factor: factor, into: &mask.bytes, width: width, height: height)
    }

    /// Odd box widths whose three passes together have about `variance` (a box of w has (w²−1)/12).
    private static func radii(variance: Float) -> [Int] {
        let ideal = (4 * variance + 1).squareRoot()
        var lower = Int(ideal)
        if lower % 2 == 0 { lower -= 1 }
        lower = max(1, lower)
        let low = Float(lower)
        // m passes with the lower width and 3 − m with the next odd one.
        let count = (12 * variance - 3 * low * low - 12 * low - 9) / (-4 * low - 4)
        let m = max(0, min(3, Int(count.rounded())))
        return (0..<3).map { ($0 < m ? lower : lower + 2) / 2 }
    }

    private static func boxes(_ bytes: inout [UInt8], width: Int, height: Int, variance: Float) {
        let radii = radii(variance: variance)
        // 16 bits a pixel between the passes, so that they do not round each other away.
        var a = bytes.map { UInt16($0) << 8 }
        var b = [UInt16](repeating: 0, count: a.count)
        a.withUnsafeMutableBufferPointer { a in
            b.withUnsafeMutableBufferPointer { b in
                guard var from = a.baseAddress, var to = b.baseAddress else { return }
                for radius in radii where radius > 0 {
                    for y in 0..<height { boxRow(from + y * width, to + y * width, width, radius) }
                    swap(&from, &to)
                }
                var sums = [UInt32](repeating: 0, count: width)
                sums.withUnsafeMutableBufferPointer { sums in
                    for radius in radii where radius > 0 {
                        boxColumns(from, to, width, height, radius, sums)
                        swap(&from, &to)
                    }
                }
                bytes.withUnsafeMutableBufferPointer { bytes in
                    for index in bytes.indices { bytes[index] = UInt8(min(255, (UInt32(from[index]) &+ 128) >> 8)) }
                }
            }
        }
    }

    /// One row: a running sum; what lies outside is 0.
    private static func boxRow(
        _ from: UnsafePointer<UInt16>, _ to: UnsafeMutablePointer<UInt16>, _ width: Int, _ radius: Int
    ) {
        let inverse = (1 << 24) / UInt64(2 * radius + 1)
        var sum: UInt64 = 0
        for x in 0..<min(radius, width) { sum &+= UInt64(from[x]) }
        for x in 0..<width {
            if x &+ radius < width { sum &+= UInt64(from[x &+ radius]) }
            to[x] = UInt16(truncatingIfNeeded: (sum &* inverse &+ (1 << 23)) >> 24)
            if x >= radius { sum &-= UInt64(from[x &- radius]) }
        }
    }

    /// All columns at once: running sums side by side, so that the inner loop is over a row.
    private static func boxColumns(
        _ from: UnsafePointer<UInt16>, _ to: UnsafeMutablePointer<UInt16>, _ width: Int, _ height: Int, _ radius: Int,
        _ sums: UnsafeMutableBufferPointer<UInt32>
    ) {
        let inverse = 1 / Float(2 * radius + 1)
        sums.update(repeating: 0)
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

    /// Means of squares of `factor` pixels; what lies outside is 0.
    private static func reduced(
        _ bytes: [UInt8], width: Int, height: Int, factor: Int, _ smallWidth: Int, _ smallHeight: Int
    ) -> [UInt8] {
        var small = [UInt8](repeating: 0, count: smallWidth * smallHeight)
        var sums = [UInt32](repeating: 0, count: smallWidth)
        let half = UInt32(factor * factor) / 2
        let shift = UInt32(2 * factor.trailingZeroBitCount)
        let whole = width / factor
        bytes.withUnsafeBufferPointer { bytes in
            sums.withUnsafeMutableBufferPointer { sums in
                small.withUnsafeMutableBufferPointer { small in
                    guard let bytes = bytes.baseAddress else { return }
                    for row in 0..<(height + factor - 1) / factor {
                        sums.update(repeating: half)
                        for y in row * factor..<min((row + 1) * factor, height) {
                            var pixel = bytes + y * width
                            for cell in 0..<whole {
                                var sum: UInt32 = 0
                                for offset in 0..<factor { sum &+= UInt32(pixel[offset]) }
                                sums[cell] &+= sum
                                pixel += factor
                            }
                            for x in whole * factor..<width { sums[whole] &+= UInt32(bytes[y * width + x]) }
                        }
                        for x in 0..<smallWidth {
                            small[row * smallWidth + x] = UInt8(truncatingIfNeeded: sums[x] >> shift)
                        }
                    }
                }
            }
        }
        return small
    }

    /// Bilinear interpolation between the centres of the reduced pixels.
    private static func enlarge(
        _ small: [UInt8], _ smallWidth: Int, _ smallHeight: Int, factor: Int, into bytes: inout [UInt8], width: Int,
        height: Int
    ) {
        // Pixel k of the `factor` between two centres lies (2k + 1) / 2n of the way, here in 256ths.
        let shares = (0..<factor).map { UInt32((2 * $0 + 1) * 128 / factor) }
        let half = factor / 2
        var line = [UInt32](repeating: 0, count: smallWidth + 2)
        small.withUnsafeBufferPointer { small in
            line.withUnsafeMutableBufferPointer { line in
                bytes.withUnsafeMutableBufferPointer { bytes in
                    guard let bytes = bytes.baseAddress else { return }
                    for y in 0..<height {
                        // The centres above and below; beyond the border the outermost ones count.
                        let above = (y + half) / factor - 1
                        let share = shares[(y + half) % factor]
                        let upper = max(0, min(smallHeight - 1, above)) * smallWidth
                        let lower = max(0, min(smallHeight - 1, above + 1)) * smallWidth
                        for x in 0..<smallWidth {
                            line[x + 1] =
                                UInt32(small[upper + x]) &* (256 &- share) &+ UInt32(small[lower + x]) &* share
                        }
                        line[0] = line[1]
                        line[smallWidth + 1] = line[smallWidth]
                        let out = bytes + y * width
                        for cell in 0...smallWidth {
                            let (a, b) = (line[cell], line[cell + 1])
                            let start = cell * factor - half
                            let from = max(0, -start)
                            let to = min(factor, width - start)
                            guard from < to else { continue }
                            if a | b == 0 {
                                (out + start + from).update(repeating: 0, count: to - from)
                            } else {
                                for k in from..<to {
                                    let value = a &* (256 &- shares[k]) &+ b &* shares[k]
                                    out[start + k] = UInt8(truncatingIfNeeded: (value &+ 0x8000) >> 16)
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
