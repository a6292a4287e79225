// The rows of a picture: with few colours, a filter byte and indices each, mostly equal and only counted; with many, filtered ones.

final class PNGRows {
    /// Stored rows, followed by repeats of the last one.
    struct Run {
        var rows: Range<Int>
        var repeats = 0
    }

    /// The bytes of a row, without its filter byte.
    private(set) var rowBytes = 0
    private(set) var runs: [Run] = []
    private var storage = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

    private var count: Int { runs.last?.rows.upperBound ?? 0 }

    var stride: Int { rowBytes + 1 }

    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: storage[..<(count * stride)]) }

    /// Starts a picture of at most `rows` rows. Memory is only touched when rows are stored.
    func begin(rowBytes: Int, rows: Int) {
        self.rowBytes = rowBytes
        runs.removeAll(keepingCapacity: true)
        guard storage.count < stride * rows else { return }
        storage.deallocate()
        storage = .allocate(capacity: stride * rows)
    }

    deinit { storage.deallocate() }

    /// Stores a row written by `write`; false if that returns false.
    func append(_ write: (UnsafeMutablePointer<UInt8>) -> Bool) -> Bool {
        guard let row = storage.baseAddress.map({ $0 + count * stride }) else { return false }
        row.pointee = 0
        guard write(row + 1) else { return false }
        if let last = runs.last, last.repeats == 0 {
            runs[runs.count - 1].rows = last.rows.lowerBound..<last.rows.upperBound + 1
        } else {
            runs.append(Run(rows: count..<count + 1))
        }
        return true
    }

    func repeatLast(_ times: Int = 1) { if !runs.isEmpty { runs[runs.count - 1].repeats += times } }

    /// Replaces the stored rows with as many shorter ones. `change` is called with their bytes.
    func update(rowBytes: Int, _ change: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
        change(UnsafeMutableBufferPointer(rebasing: storage[..<(count * stride)]))
        self.rowBytes = rowBytes
    }

    func expanded() -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(runs.reduce(0) { $0 + ($1.rows.count + $1.repeats) * stride })
        for run in runs {
            let end = run.rows.upperBound * stride
            result += UnsafeBufferPointer(rebasing: bytes[run.rows.lowerBound * stride..<end])
            for _ in 0..<run.repeats { result += UnsafeBufferPointer(rebasing: bytes[end - stride..<end]) }
        }
        return result
    }
}

/// The filters of PNG (third edition, §9), for the rows of a picture with many colours.
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
