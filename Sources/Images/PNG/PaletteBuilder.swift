// Converts pixels to palette indices of one byte and collects the colours, at most 256, in a small hash table. Opaque greys use their
// own level as their index if it is free, so that an all-grey picture needs no second pass.

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
    mutating func index(_ row: UnsafePointer<UInt32>, width: Int, into out: UnsafeMutablePointer<UInt8>) -> Bool {
        var x = 0
        while x < width {
            let color = row[x]
            guard let index = find(color) else { return false }
            repeat {
                out[x] = index
                x &+= 1
            } while x < width && row[x] == color
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
