// Pixels in, one byte a pixel and the colours that the bytes stand for out; or nothing when there are over 256 colours.
//
// One pass: runs of equal pixels are compared eight at a time, other pixels go through a small open-addressing hash table.
// Opaque greys take their own level as their index where it is free, so that an all-grey picture needs no second pass.

import MarkupStyling

struct PaletteBuilder {
    private static let slotBits: UInt32 = 11
    private var keys = [UInt32](repeating: 0, count: 1 << 11)
    /// Index + 1; 0 is a free slot.
    private var values = [UInt16](repeating: 0, count: 1 << 11)
    /// Premultiplied colour of each index.
    private var colors = [UInt32](repeating: 0, count: 256)
    private var isUsed = [Bool](repeating: false, count: 256)
    private var nextFree = 0

    /// How the bytes are stored.
    struct Form {
        var depth: Int
        var isGrey: Bool
        /// RGB of the palette, and alpha up to the last entry that is not opaque.
        var colors: [UInt8]
        var alphas: [UInt8]
    }

    /// Forgets the last picture's colours and makes room in `raw` for the indices of a picture.
    mutating func begin(width: Int, height: Int, raw: inout [UInt8]) {
        for slot in values.indices { values[slot] = 0 }
        for index in isUsed.indices { isUsed[index] = false }
        nextFree = 0
        let count = (width + 1) * height
        if raw.count != count { raw = [UInt8](unsafeUninitializedCapacity: count) { $1 = count } }
    }

    /// Writes the indices of some rows into `raw`, each row after a filter byte of 0; false when there are too many colours.
    mutating func index(
        _ pixels: UnsafePointer<UInt32>, width: Int, rows: Range<Int>, into raw: inout [UInt8]
    ) -> Bool {
        raw.withUnsafeMutableBufferPointer { raw in
            guard var out = raw.baseAddress else { return false }
            out += (width + 1) * rows.lowerBound
            var row = pixels
            var last = pixels[0]
            guard var lastIndex = find(last) else { return false }
            for _ in rows {
                out.pointee = 0
                out += 1
                var x = 0
                while x < width {
                    if row[x] == last {
                        let pair = UInt64(last) << 32 | UInt64(last)
                        let eight = UInt64(lastIndex) &* 0x0101_0101_0101_0101
                        while width &- x >= 8 {
                            let source = UnsafeRawPointer(row + x)
                            let difference =
                                (source.loadUnaligned(as: UInt64.self) ^ pair)
                                | (source.loadUnaligned(fromByteOffset: 8, as: UInt64.self) ^ pair)
                                | (source.loadUnaligned(fromByteOffset: 16, as: UInt64.self) ^ pair)
                                | (source.loadUnaligned(fromByteOffset: 24, as: UInt64.self) ^ pair)
                            if difference != 0 { break }
                            UnsafeMutableRawPointer(out + x).storeBytes(of: eight, as: UInt64.self)
                            x &+= 8
                        }
                        while x < width && row[x] == last {
                            out[x] = lastIndex
                            x &+= 1
                        }
                    } else {
                        last = row[x]
                        guard let index = find(last) else { return false }
                        lastIndex = index
                        out[x] = index
                        x &+= 1
                    }
                }
                out += width
                row += width
            }
            return true
        }
    }

    /// The index of a colour, taken when it is seen for the first time; nil when all are taken.
    @inline(__always)
    private mutating func find(_ color: UInt32) -> UInt8? {
        var slot = Int((color &* 0x9E37_79B1) >> (32 - Self.slotBits))
        while values[slot] != 0 {
            if keys[slot] == color { return UInt8(truncatingIfNeeded: values[slot] &- 1) }
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
        keys[slot] = color
        values[slot] = UInt16(index + 1)
        return UInt8(index)
    }

    /// Chooses the depth and packs `raw` to it.
    func form(width: Int, height: Int, raw: inout [UInt8]) -> Form {
        let used = (0..<256).filter { isUsed[$0] }
        let allGrey = used.allSatisfy { colors[$0] == 0xFF00_0000 | UInt32(colors[$0] & 255) * 0x01_0101 }
        let depth = used.count <= 2 ? 1 : used.count <= 4 ? 2 : used.count <= 16 ? 4 : 8
        // A grey level must be a multiple of the depth's step to be stored without a palette; indices are then levels.
        let step = 255 / ((1 << depth) - 1)
        let levelsFit = allGrey && used.allSatisfy { $0 % step == 0 && colors[$0] & 255 == UInt32($0) }
        if depth == 8 {
            if levelsFit { return Form(depth: 8, isGrey: true, colors: [], alphas: []) }
            return entries(Array(0...(used.last ?? 0)), depth: 8)
        }
        var map = [UInt8](repeating: 0, count: 256)
        for (position, index) in used.enumerated() { map[index] = UInt8(levelsFit ? index / step : position) }
        pack(&raw, map, depth: depth, width: width, height: height)
        return levelsFit ? Form(depth: depth, isGrey: true, colors: [], alphas: []) : entries(used, depth: depth)
    }

    private func entries(_ indices: [Int], depth: Int) -> Form {
        var form = Form(depth: depth, isGrey: false, colors: [], alphas: [])
        for index in indices {
            let color = isUsed[index] ? Pixel.straight(colors[index]) : .black
            form.colors += [color.red, color.green, color.blue]
            form.alphas.append(color.alpha)
        }
        while form.alphas.last == 255 { form.alphas.removeLast() }
        return form
    }

    /// In place: the packed rows never overtake the bytes that are read.
    private func pack(_ raw: inout [UInt8], _ map: [UInt8], depth: Int, width: Int, height: Int) {
        let perByte = 8 / depth
        let rowBytes = (width + perByte - 1) / perByte
        raw.withUnsafeMutableBufferPointer { raw in
            var out = 0
            for y in 0..<height {
                let start = y * (width + 1) + 1
                raw[out] = 0
                out += 1
                for group in 0..<rowBytes {
                    var byte: UInt8 = 0
                    for offset in 0..<perByte {
                        let x = group &* perByte &+ offset
                        let value = x < width ? map[Int(raw[start &+ x])] : 0
                        byte = byte << UInt8(depth) | value
                    }
                    raw[out] = byte
                    out += 1
                }
            }
        }
        raw.removeLast(raw.count - (rowBytes + 1) * height)
    }
}
