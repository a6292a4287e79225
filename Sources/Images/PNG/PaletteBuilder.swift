// Converts pixels to palette indices of one byte and collects the colours, at most 256. Eight pixels at a time are compared with their
// neighbours, or else looked up in a small hash table. Opaque greys use their own level as their index if it is free, so that an
// all-grey picture needs no second pass.

import FancyTextBasics
import FancyTextPainting

struct PaletteBuilder {
    private static let slotBits: UInt32 = 11
    /// A hash table of the colours seen: in each slot a colour and, above it, its index + 1; 0 is a free slot.
    private var slots = [UInt64](repeating: 0, count: 1 << 11)
    /// An odd random number, so that the author of a document cannot choose colours that collide.
    private let factor = UInt32(truncatingIfNeeded: SeededHash().value) | 1
    /// The premultiplied colour of each index.
    private var colors = [UInt32](repeating: 0, count: 256)
    private var isUsed = [Bool](repeating: false, count: 256)
    private var nextFree = 0

    struct Form {
        var depth: Int
        var isGrey: Bool
        /// RGB of the palette; `alphas` extends to the last entry that is not opaque.
        var colors: [UInt8]
        var alphas: [UInt8]
    }

    mutating func begin() {
        for slot in slots.indices { slots[slot] = 0 }
        for index in isUsed.indices { isUsed[index] = false }
        nextFree = 0
    }

    /// Writes the indices of a row; false when there are too many colours.
    ///
    /// - Parameter above: the pixels of the row above. Its indices are directly before the filter byte of this row.
    mutating func index(
        _ row: UnsafePointer<UInt32>, above: UnsafePointer<UInt32>?, width: Int, into out: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        var last = row[0]
        guard var lastIndex = find(last) else { return false }
        var x = 0
        while width &- x >= 8 {
            let target = UnsafeMutableRawPointer(out + x)
            if Self.areEight(row + x, last) {
                target.storeBytes(of: UInt64(lastIndex) &* 0x0101_0101_0101_0101, as: UInt64.self)
            } else {
                if let above, Self.areSame(row + x, above + x) {
                    let known = (target - (width + 1)).loadUnaligned(as: UInt64.self)
                    target.storeBytes(of: known, as: UInt64.self)
                } else {
                    guard lookUpEight(row + x, out + x) || findEach(row, x..<x &+ 8, out) else { return false }
                }
                (last, lastIndex) = (row[x &+ 7], out[x &+ 7])
            }
            x &+= 8
        }
        return findEach(row, x..<width, out)
    }

    /// Returns whether eight pixels have one colour.
    @inline(__always) private static func areEight(_ row: UnsafePointer<UInt32>, _ color: UInt32) -> Bool {
        let (pixels, pair) = (UnsafeRawPointer(row), UInt64(color) << 32 | UInt64(color))
        var difference: UInt64 = 0
        for at in 0..<4 { difference |= pixels.loadUnaligned(fromByteOffset: 8 &* at, as: UInt64.self) ^ pair }
        return difference == 0
    }

    /// Returns whether eight pixels of two rows are equal.
    @inline(__always)
    private static func areSame(_ row: UnsafePointer<UInt32>, _ other: UnsafePointer<UInt32>) -> Bool {
        let (a, b) = (UnsafeRawPointer(row), UnsafeRawPointer(other))
        var difference: UInt64 = 0
        for at in 0..<4 {
            difference |=
                a.loadUnaligned(fromByteOffset: 8 &* at, as: UInt64.self)
                ^ b.loadUnaligned(fromByteOffset: 8 &* at, as: UInt64.self)
        }
        return difference == 0
    }

    /// Writes the indices of eight pixels that are in the first slots of their hashes, without branches, which edges of text defeat.
    @inline(__always)
    private func lookUpEight(_ row: UnsafePointer<UInt32>, _ out: UnsafeMutablePointer<UInt8>) -> Bool {
        slots.withUnsafeBufferPointer { slots in
            guard let slots = slots.baseAddress else { return false }
            var differences: UInt64 = 0
            for x in 0..<8 {
                let entry = slots[self.slot(of: row[x])]
                // A free slot may look like transparency; subtracting 1 from it sets its highest bit.
                differences |= UInt64(UInt32(truncatingIfNeeded: entry) ^ row[x]) | (entry &- 1) >> 63
                out[x] = UInt8(truncatingIfNeeded: entry >> 32 &- 1)
            }
            return differences == 0
        }
    }

    private mutating func findEach(
        _ row: UnsafePointer<UInt32>, _ range: Range<Int>, _ out: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        for x in range {
            guard let index = find(row[x]) else { return false }
            out[x] = index
        }
        return true
    }

    @inline(__always) private func slot(of color: UInt32) -> Int { Int((color &* factor) >> (32 - Self.slotBits)) }

    /// The index of a colour, assigned when it first occurs; nil if all are used.
    private mutating func find(_ color: UInt32) -> UInt8? {
        var slot = self.slot(of: color)
        while slots[slot] != 0 {
            if UInt32(truncatingIfNeeded: slots[slot]) == color {
                return UInt8(truncatingIfNeeded: slots[slot] >> 32 &- 1)
            }
            slot = (slot &+ 1) & (1 << Int(Self.slotBits) - 1)
        }
        return insert(color, slot)
    }

    private mutating func insert(_ color: UInt32, _ slot: Int) -> UInt8? {
        let level = Int(color & 255)
        let isGrey = color == 0xFF00_0000 | UInt32(level) &* 0x01_0101
        var index = level
        if !isGrey || isUsed[level] {
            while nextFree < 256 && isUsed[nextFree] { nextFree += 1 }
            if nextFree == 256 { return nil }
            index = nextFree
        }
        isUsed[index] = true
        colors[index] = color
        slots[slot] = UInt64(index + 1) << 32 | UInt64(color)
        return UInt8(index)
    }

    /// Chooses the depth and packs the rows of indices accordingly.
    func form(of rows: PNGRows) -> Form {
        let used = (0..<256).filter { isUsed[$0] }
        let allGrey = used.allSatisfy { colors[$0] == 0xFF00_0000 | UInt32(colors[$0] & 255) * 0x01_0101 }
        let depth = used.count <= 2 ? 1 : used.count <= 4 ? 2 : used.count <= 16 ? 4 : 8
        // A grey level must be a multiple of the depth's step to be stored without a palette; indices are then levels.
        let step = 255 / ((1 << depth) - 1)
        let levelsFit = allGrey && used.allSatisfy { $0 % step == 0 && colors[$0] & 255 == UInt32($0) }
        if depth < 8 {
            var map = [UInt8](repeating: 0, count: 256)
            for (position, index) in used.enumerated() { map[index] = UInt8(levelsFit ? index / step : position) }
            pack(rows, map, depth: depth)
        }
        var form = Form(depth: depth, isGrey: levelsFit, colors: [], alphas: [])
        if levelsFit { return form }
        for index in depth < 8 ? used : Array(0...(used.last ?? 0)) {
            let color = isUsed[index] ? Pixel.straight(colors[index]) : .black
            form.colors += [color.red, color.green, color.blue]
            form.alphas.append(color.alpha)
        }
        while form.alphas.last == 255 { form.alphas.removeLast() }
        return form
    }

    /// Packs in place: the packed rows never overtake the bytes to be read.
    private func pack(_ rows: PNGRows, _ map: [UInt8], depth: Int) {
        let perByte = 8 / depth
        let width = rows.rowBytes
        let rowBytes = (width + perByte - 1) / perByte
        rows.update(rowBytes: rowBytes) { raw in
            var out = 0
            for start in stride(from: 1, to: raw.count, by: width + 1) {
                raw[out] = 0
                out += 1
                for group in 0..<rowBytes {
                    var byte: UInt8 = 0
                    for x in group &* perByte..<(group &+ 1) &* perByte {
                        byte = byte << UInt8(depth) | (x < width ? map[Int(raw[start &+ x])] : 0)
                    }
                    raw[out] = byte
                    out += 1
                }
            }
        }
    }
}
