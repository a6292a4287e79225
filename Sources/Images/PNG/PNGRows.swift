// The rows of a picture with few colours: a filter byte and indices each. Most equal the row above, and are only counted.

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
