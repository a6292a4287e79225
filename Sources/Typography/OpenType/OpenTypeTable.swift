// In: the bytes of a font's table. Out: its numbers, and what the structures say that several tables share: sets and classes of
// glyphs, the character map, changes along the axes (OpenType 1.9.1, chapter 2 and "OpenType Font Variations Common Table
// Formats").

import Glibc

/// A part of a font file that stays where it is. What lies beyond its end reads as 0, so that a broken table gives wrong
/// numbers and nothing worse.
struct OpenTypeTable: Equatable {
    private let start: UnsafeRawPointer
    let count: Int

    init(_ start: UnsafeRawPointer, count: Int) {
        self.start = start
        self.count = max(0, count)
    }

    /// By their bytes.
    static func == (a: OpenTypeTable, b: OpenTypeTable) -> Bool {
        a.count == b.count && memcmp(a.start, b.start, a.count) == 0
    }

    @inline(__always)
    func number16(_ offset: Int) -> Int {
        guard offset >= 0, offset + 2 <= count else { return 0 }
        return Int(UInt16(bigEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
    }

    @inline(__always)
    func signed16(_ offset: Int) -> Int { Int(Int16(truncatingIfNeeded: number16(offset))) }

    @inline(__always)
    func number32(_ offset: Int) -> Int {
        guard offset >= 0, offset + 4 <= count else { return 0 }
        return Int(UInt32(bigEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }

    @inline(__always)
    func signed8(_ offset: Int) -> Int {
        guard offset >= 0, offset < count else { return 0 }
        return Int(start.load(fromByteOffset: offset, as: Int8.self))
    }

    /// What begins there and ends with this table.
    func part(_ offset: Int) -> OpenTypeTable {
        guard offset >= 0, offset <= count else { return OpenTypeTable(start, count: 0) }
        return OpenTypeTable(start + offset, count: count - offset)
    }

    /// The last of `count` records, each `stride` bytes, whose first number is not above `value`.
    @inline(__always)
    func lastRecord(_ count: Int, at first: Int, stride: Int, notAbove value: Int) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if number16(first + stride * middle) <= value { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : low - 1
    }

    // MARK: Sets of glyphs

    /// This table as a coverage: the glyph's place in it, nil when it has none.
    func coverageIndex(_ glyph: Int) -> Int? {
        let records = number16(2)
        if number16(0) == 1 {
            guard let record = lastRecord(records, at: 4, stride: 2, notAbove: glyph) else { return nil }
            return number16(4 + 2 * record) == glyph ? record : nil
        }
        guard number16(0) == 2, let record = lastRecord(records, at: 4, stride: 6, notAbove: glyph) else { return nil }
        let range = 4 + 6 * record
        return glyph <= number16(range + 2) ? number16(range + 4) + glyph - number16(range) : nil
    }

    /// This table as a class definition: the glyph's class, 0 when it is in none.
    func glyphClass(_ glyph: Int) -> Int {
        if number16(0) == 1 {
            let place = glyph - number16(2)
            return place >= 0 && place < number16(4) ? number16(6 + 2 * place) : 0
        }
        guard number16(0) == 2, let record = lastRecord(number16(2), at: 4, stride: 6, notAbove: glyph) else {
            return 0
        }
        let range = 4 + 6 * record
        return glyph <= number16(range + 2) ? number16(range + 4) : 0
    }
}

/// The format 12 of `cmap`: characters of all planes in runs.
struct CharacterMap {
    private let table: OpenTypeTable
    private let groups: Int

    /// nil when the font has no such map, or one that HarfBuzz would prefer.
    init?(_ table: OpenTypeTable) {
        var found: OpenTypeTable?
        for record in 0..<table.number16(2) {
            let entry = 4 + 8 * record
            switch (table.number16(entry), table.number16(entry + 2)) {
            case (3, 0): return nil
            case (3, 10): found = table.part(table.number32(entry + 4))
            default: break
            }
        }
        guard let found, found.number16(0) == 12 else { return nil }
        self.table = found
        groups = found.number32(12)
    }

    /// 0 when the font has no glyph for the character.
    func glyph(_ scalar: UInt32) -> UInt32 {
        let wanted = Int(scalar)
        var (low, high) = (0, groups)
        while low < high {
            let middle = (low + high) / 2
            let group = 16 + 12 * middle
            if wanted < table.number32(group) {
                high = middle
            } else if wanted > table.number32(group + 4) {
                low = middle + 1
            } else {
                return UInt32(truncatingIfNeeded: table.number32(group + 8) + wanted - table.number32(group))
            }
        }
        return 0
    }
}

/// An item variation store: how numbers of a table change along the axes.
struct VariationStore {
    private let table: OpenTypeTable
    private let regions: OpenTypeTable
    private let axes: Int

    init(_ table: OpenTypeTable) {
        self.table = table
        regions = table.part(table.number32(2))
        axes = regions.number16(0)
    }

    /// How much of each region's change applies.
    ///
    /// - Parameter coordinates: normalized, 1 is 16384.
    func shares(_ coordinates: [Int]) -> [Float] {
        (0..<regions.number16(2)).map { region in
            var share: Float = 1
            for axis in 0..<axes {
                let place = 4 + 6 * (region * axes + axis)
                let (start, peak, end) = (
                    regions.signed16(place), regions.signed16(place + 2), regions.signed16(place + 4)
                )
                share *= Self.share(axis < coordinates.count ? coordinates[axis] : 0, start, peak, end)
            }
            return share
        }
    }

    private static func share(_ coordinate: Int, _ start: Int, _ peak: Int, _ end: Int) -> Float {
        if peak == 0 || coordinate == peak || start > peak || peak > end || start < 0 && end > 0 { return 1 }
        if coordinate <= start || coordinate >= end { return 0 }
        return coordinate < peak
            ? Float(coordinate - start) / Float(peak - start) : Float(end - coordinate) / Float(end - peak)
    }

    /// The change of one number.
    func delta(_ outer: Int, _ inner: Int, shares: [Float]) -> Float {
        guard outer < table.number16(6) else { return 0 }
        let data = table.part(table.number32(8 + 4 * outer))
        let (words, columns) = (data.number16(2) & 0x7FFF, data.number16(4))
        let hasLongWords = data.number16(2) & 0x8000 != 0
        guard inner < data.number16(0) else { return 0 }
        let (wide, narrow) = hasLongWords ? (4, 2) : (2, 1)
        var place = 6 + 2 * columns + inner * (wide * words + narrow * (columns - words))
        var sum: Float = 0
        for column in 0..<columns {
            let region = data.number16(6 + 2 * column)
            let width = column < words ? wide : narrow
            let value =
                switch width {
                case 4: Int(Int32(truncatingIfNeeded: data.number32(place)))
                case 2: data.signed16(place)
                default: data.signed8(place)
                }
            place += width
            if region < shares.count { sum += shares[region] * Float(value) }
        }
        return sum
    }
}
