// The filters of PNG (third edition, §9), for the rows of a picture with many colours.

struct RowFilter {
    let rowBytes: Int
    let rows: Int
    let channels: Int

    private var stride: Int { rowBytes + 1 }

    /// Filters rows, which have a filter byte of 0 each, if that makes a sample of them smaller.
    func apply(to picture: UnsafeMutableBufferPointer<UInt8>, _ compressor: Compressor) {
        // Bands of 8 rows, 1/16 of the picture.
        var plain: [UInt8] = []
        var filtered: [UInt8] = []
        for start in Swift.stride(from: 0, to: rows, by: 128) {
            var band = Array(picture[start * stride..<min(rows, start + 8) * stride])
            plain += band
            band.withUnsafeMutableBufferPointer { filter($0) }
            filtered += band
        }
        func size(_ bytes: [UInt8]) -> Int { compressor.packed(bytes)?.count ?? 0 }
        if size(filtered) < size(plain) { filter(picture) }
    }

    /// Selects the filter with the least sum of absolute differences (§12.7) among None, Sub, Up and Paeth, from the last row on,
    /// because a row is filtered by the unfiltered row above.
    private func filter(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
        var candidates = [UInt8](repeating: 0, count: rowBytes * 3)
        let zeros = [UInt8](repeating: 0, count: rowBytes)
        guard let start = bytes.baseAddress else { return }
        for row in (1..<bytes.count / stride).reversed() {
            filter(start + row * stride, above: start + (row - 1) * stride + 1, &candidates)
        }
        filter(start, above: zeros, &candidates)
    }

    /// - Parameter out: memory for three rows.
    private func filter(
        _ row: UnsafeMutablePointer<UInt8>, above: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>
    ) {
        let line = row + 1
        var sums = (0, 0, 0, 0)
        for x in 0..<rowBytes {
            let value = line[x]
            let left = x >= channels ? line[x &- channels] : 0
            let corner = x >= channels ? above[x &- channels] : 0
            let sub = value &- left
            let up = value &- above[x]
            let paeth = value &- Self.predictor(left, above[x], corner)
            out[x] = sub
            out[rowBytes &+ x] = up
            out[2 &* rowBytes &+ x] = paeth
            sums.0 &+= Int(min(value, 0 &- value))
            sums.1 &+= Int(min(sub, 0 &- sub))
            sums.2 &+= Int(min(up, 0 &- up))
            sums.3 &+= Int(min(paeth, 0 &- paeth))
        }
        let least = min(min(sums.0, sums.1), min(sums.2, sums.3))
        if least == sums.0 { return }
        let (type, from) = least == sums.2 ? (2, 1) : least == sums.1 ? (1, 0) : (4, 2)
        row.pointee = UInt8(type)
        line.update(from: out + from * rowBytes, count: rowBytes)
    }

    @inline(__always) private static func predictor(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
        let (a, b, c) = (Int(left), Int(above), Int(corner))
        let estimate = a + b - c
        let (da, db, dc) = (abs(estimate - a), abs(estimate - b), abs(estimate - c))
        return da <= db && da <= dc ? left : db <= dc ? above : corner
    }
}
