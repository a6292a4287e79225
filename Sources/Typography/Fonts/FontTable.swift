// Reads numbers of a font file (OpenType 1.9.1, chapter 2).

/// A part of a font file, read as big-endian numbers; nil beyond its end.
struct FontTable {
    let file: [UInt8]
    let range: Range<Int>

    var count: Int { range.count }
    var bytes: ArraySlice<UInt8> { file[range] }

    @inline(__always) func number(_ offset: Int, _ bytes: Int) -> Int? {
        guard offset >= 0, offset <= range.count - bytes else { return nil }
        var value = 0
        for index in 0..<bytes { value = value << 8 | Int(file[range.lowerBound + offset + index]) }
        return value
    }

    /// The signed number of two bytes at `offset`.
    func signed(_ offset: Int) -> Int? { number(offset, 2).map { Int(Int16(truncatingIfNeeded: $0)) } }

    func part(_ offset: Int, _ length: Int) -> FontTable? {
        guard offset >= 0, length >= 0, offset <= range.count - length else { return nil }
        let start = range.lowerBound + offset
        return FontTable(file: file, range: start..<start + length)
    }

    func find(_ byte: UInt8, from offset: Int) -> Int? {
        file[(range.lowerBound + min(offset, range.count))..<range.upperBound].firstIndex(of: byte)
            .map { $0 - range.lowerBound }
    }
}
