// Reads numbers of a font table (OpenType 1.9.1, chapter 2).

/// A table of a font file. Numbers past its end read as 0, so a broken table only gives wrong numbers.
struct OpenTypeTable {
    private let start: UnsafeRawPointer
    let count: Int

    init(_ start: UnsafeRawPointer, count: Int) {
        self.start = start
        self.count = max(0, count)
    }

    func number16(_ offset: Int) -> Int {
        guard offset >= 0, offset + 2 <= count else { return 0 }
        return Int(UInt16(bigEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
    }

    func number32(_ offset: Int) -> Int {
        guard offset >= 0, offset + 4 <= count else { return 0 }
        return Int(UInt32(bigEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
}
