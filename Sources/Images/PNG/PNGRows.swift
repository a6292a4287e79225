// Rows of a picture in, the rows to store out, each after its filter byte (PNG §7.2, §9).
//
// Long runs of rows that equal the row above are only counted: filtered with Up they are zeros, which ``ZlibStream`` writes
// without looking at them.

struct PNGRows {
    /// Rows to store, then how often the last of them repeats.
    private struct Run {
        var rows: Range<Int>
        var repeats = 0
    }

    /// Bytes that stay where they are, so that another thread may read some of them.
    private final class Memory {
        let bytes: UnsafeMutableBufferPointer<UInt8>

        init(_ count: Int) { bytes = .allocate(capacity: count) }
        deinit { bytes.deallocate() }
    }

    /// Bytes of a row without its filter byte.
    private(set) var rowBytes = 0
    /// The stored rows, where nobody lent memory for them; what follows ``count`` of them is room.
    private var own: Memory?
    /// Memory of the caller's that they are stored in instead.
    private var lent: UnsafeMutableBufferPointer<UInt8>?
    /// The number of stored rows.
    private(set) var count = 0
    private var runs: [Run] = []
    /// Repeats of the last stored row that are not in a run yet.
    private var waiting = 0

    /// Fewer repeated bytes cost more as a block of their own than libdeflate takes for them.
    private static let leastRepeated = 1 << 14

    /// Starts a picture of up to `rows` rows.
    ///
    /// - Parameter lent: where they are stored: memory that lasts until they are compressed, and has room for all.
    mutating func begin(rowBytes: Int, rows: Int, in lent: UnsafeMutableBufferPointer<UInt8>? = nil) {
        self.rowBytes = rowBytes
        self.lent = lent
        let capacity = (rowBytes + 1) * rows
        if lent == nil, (own?.bytes.count ?? 0) < capacity {
            own = nil
            own = Memory(capacity)
        }
        runs.removeAll(keepingCapacity: true)
        (count, waiting) = (0, 0)
    }

    /// The stored rows and what room follows.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        body(UnsafeBufferPointer(lent ?? own?.bytes ?? UnsafeMutableBufferPointer(start: nil, count: 0)))
    }

    private mutating func withMutableBytes<Result>(_ body: (UnsafeMutableBufferPointer<UInt8>) -> Result) -> Result {
        body(lent ?? own?.bytes ?? UnsafeMutableBufferPointer(start: nil, count: 0))
    }

    /// Stores a row that `write` writes; false when it does not.
    mutating func append(_ write: (UnsafeMutablePointer<UInt8>) -> Bool) -> Bool {
        endRepeats()
        let start = count * (rowBytes + 1)
        let isWritten = withMutableBytes { bytes in
            guard let row = bytes.baseAddress.map({ $0 + start }) else { return false }
            row.pointee = 0
            return write(row + 1)
        }
        count += 1
        return isWritten
    }

    /// Counts a row that equals the one before it.
    mutating func repeatLast() { waiting += 1 }

    /// Ends the picture, before it is compressed.
    mutating func finish() {
        endRepeats()
        let start = runs.last?.rows.upperBound ?? 0
        if start < count { runs.append(Run(rows: start..<count)) }
    }

    private mutating func endRepeats() {
        guard waiting > 0 else { return }
        if waiting * (rowBytes + 1) >= Self.leastRepeated {
            runs.append(Run(rows: (runs.last?.rows.upperBound ?? 0)..<count, repeats: waiting))
        } else {
            let (length, count, waiting) = (rowBytes + 1, count, waiting)
            withMutableBytes { bytes in
                guard let end = bytes.baseAddress.map({ $0 + count * length }) else { return }
                for row in 0..<waiting { (end + row * length).update(from: end - length, count: length) }
            }
            self.count += waiting
        }
        waiting = 0
    }

    /// How many runs of rows end where rows repeat, or the picture does.
    var runCount: Int { runs.count }

    /// The bytes of a run, which stay until the next picture begins.
    func bytes(ofRun index: Int) -> UnsafeBufferPointer<UInt8> {
        let rows = runs[index].rows
        return withBytes { bytes in
            UnsafeBufferPointer(rebasing: bytes[rows.lowerBound * (rowBytes + 1)..<rows.upperBound * (rowBytes + 1)])
        }
    }

    /// Replaces the stored rows by as many others, such as filtered or packed ones. `change` gets their bytes.
    mutating func update(rowBytes: Int, _ change: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
        let used = count * (self.rowBytes + 1)
        withMutableBytes { change(UnsafeMutableBufferPointer(rebasing: $0[..<used])) }
        self.rowBytes = rowBytes
    }

    /// Writes all rows to a stream; false when the compressor cannot.
    ///
    /// - Parameters:
    ///   - isFlat: whether the rows are worth being tried as those of a flat picture.
    ///   - isFirst: whether the stream begins with them.
    ///   - isLast: whether it ends with them.
    ///   - blocks: what the first runs of a flat picture were read as; nil for those that are not flat.
    func compress(
        into stream: inout ZlibStream, isFlat: Bool, isFirst: Bool = true, isLast isEnd: Bool = true,
        blocks: [FlatBlock?] = [], _ compressor: () -> OpaquePointer?
    ) -> Bool {
        // A flat picture takes a tenth of its bytes; the stream grows for others.
        if isFirst { stream.begin(room: count * (rowBytes + 1) / 8) }
        for (index, run) in runs.enumerated() {
            let isLast = isEnd && index == runs.count - 1
            let input = bytes(ofRun: index)
            let endsHere = isLast && run.repeats == 0
            var isWritten = false
            if index < blocks.count {
                if let block = blocks[index] {
                    stream.append(block, of: input, isLast: endsHere)
                    isWritten = true
                }
            } else if isFlat {
                isWritten = stream.appendFlat(input, stride: rowBytes + 1, isLast: endsHere)
            }
            if !isWritten {
                guard let compressor = compressor(), stream.append(input, isLast: endsHere, compressor) else {
                    return false
                }
            }
            if run.repeats > 0 { stream.appendRepeats(run.repeats, rowBytes: rowBytes, isLast: isLast) }
        }
        return true
    }
}
