// The inner loops: each works on one row of pixels, coverage or colours through raw pointers.
// Most rows of text and shapes are empty or fully covered, so the loops check eight bytes of coverage (0–255) at once.

/// Row operations of the compositor; all "source over".
enum Blend {
    typealias Pixels = UnsafeMutablePointer<UInt32>
    typealias Coverage = UnsafePointer<UInt8>

    static func solid(_ destination: Pixels, count: Int, color: UInt32) {
        guard count > 0 else { return }
        let alpha = color >> 24
        if alpha == 255 {
            destination.update(repeating: color, count: count)
        } else if color != 0 {
            let keep = 255 &- alpha
            for index in 0..<count { destination[index] = color &+ Pixel.scale(destination[index], by: keep) }
        }
    }

    static func solid(_ destination: Pixels, coverage: Coverage, count: Int, color: UInt32) {
        let opaque = color >> 24 == 255
        var index = 0
        while index < count {
            guard count &- index >= 8 else {
                cover(destination + index, coverage[index], color, opaque)
                index &+= 1
                continue
            }
            switch eight(coverage + index) {
            case 0: index &+= 8
            case .max:
                solid(destination + index, count: 8, color: color)
                index &+= 8
            default:
                // Collects consecutive blocks of partial coverage for a loop without branches, which is vectorized.
                let start = index
                repeat { index &+= 8 } while count &- index >= 8 && isPartial(eight(coverage + index))
                mix(destination + start, coverage: coverage + start, count: index &- start, color: color)
            }
        }
    }

    @inline(__always) private static func eight(_ coverage: Coverage) -> UInt64 {
        UnsafeRawPointer(coverage).loadUnaligned(as: UInt64.self)
    }

    @inline(__always) private static func isPartial(_ block: UInt64) -> Bool { block != 0 && block != .max }

    private static func mix(_ destination: Pixels, coverage: Coverage, count: Int, color: UInt32) {
        for index in 0..<count {
            let source = Pixel.scale(color, by: UInt32(coverage[index]))
            destination[index] = source &+ Pixel.scale(destination[index], by: 255 &- (source >> 24))
        }
    }

    /// A backdrop colour, and the results of blending a colour over it by glyph coverage.
    typealias Ground = (color: UInt32, results: [UInt32])

    /// Blends the rows of a glyph, whose coverage is mapped through a table of 256 bytes (text contrast). Backdrops rarely change
    /// from pixel to pixel, so only they are checked, if pixels are known to have one.
    static func glyph(
        _ destination: Pixels, rowLength: Int, coverage: Coverage, stride: Int, width: Int, height: Int,
        table: [UInt8], color: UInt32, ground: Ground?
    ) {
        let opaque = color >> 24 == 255
        for row in 0..<height {
            let (target, source) = (destination + row * rowLength, coverage + row * stride)
            if let ground {
                for x in 0..<width {
                    if target[x] == ground.color {
                        target[x] = ground.results[Int(source[x])]
                    } else {
                        cover(target + x, table[Int(source[x])], color, opaque)
                    }
                }
            } else {
                for x in 0..<width where source[x] != 0 { cover(target + x, table[Int(source[x])], color, opaque) }
            }
        }
    }

    /// Results of blending colours with plain backdrops. Most text is on one backdrop, in a few alternating colours.
    struct GroundTables {
        private struct Entry {
            let ground, color: UInt32
            let table: [UInt8]
            /// The number of pixels requested before the results were computed.
            var pixels = 0
            var results: [UInt32] = []
        }

        private var entries: [Entry] = []
        private var latest = 0
        private static let most = 8
        /// The number of pixels from which computing the results is worthwhile: one per result.
        private static let leastPixels = 256

        /// The results by coverage; nil if fewer pixels are blended than the table has entries.
        mutating func results(ground: UInt32, color: UInt32, table: [UInt8], pixels: Int) -> [UInt32]? {
            func isWanted(_ entry: Entry) -> Bool {
                entry.ground == ground && entry.color == color && entry.table == table
            }
            if !entries.indices.contains(latest) || !isWanted(entries[latest]) {
                if let known = entries.firstIndex(where: isWanted) {
                    latest = known
                } else {
                    if entries.count == Self.most { entries.removeFirst() }
                    latest = entries.count
                    entries.append(Entry(ground: ground, color: color, table: table))
                }
            }
            if entries[latest].results.isEmpty {
                entries[latest].pixels += pixels
                guard entries[latest].pixels >= Self.leastPixels else { return nil }
                entries[latest].results = table.map { coverage in
                    var pixel = ground
                    cover(&pixel, coverage, color, color >> 24 == 255)
                    return pixel
                }
            }
            return entries[latest].results
        }
    }

    @inline(__always)
    private static func cover(_ destination: Pixels, _ coverage: UInt8, _ color: UInt32, _ opaque: Bool) {
        if coverage == 255 && opaque {
            destination.pointee = color
        } else if coverage != 0 {
            let source = Pixel.scale(color, by: UInt32(coverage))
            destination.pointee = Pixel.over(source, destination.pointee)
        }
    }

    static func pixels(_ destination: Pixels, _ source: UnsafePointer<UInt32>, count: Int) {
        var index = 0
        while index < count {
            // Most blocks are all opaque, all empty or mixed; mixed blocks are blended without branches.
            let end = min(index + 16, count)
            var (all, any) = (UInt32.max, UInt32(0))
            for place in index..<end {
                all &= source[place]
                any |= source[place]
            }
            if all >> 24 == 255 {
                (destination + index).update(from: source + index, count: end - index)
            } else if any != 0 {
                for place in index..<end { destination[place] = Pixel.over(source[place], destination[place]) }
            }
            index = end
        }
    }

    static func pixels(_ destination: Pixels, _ source: UnsafePointer<UInt32>, coverage: Coverage, count: Int) {
        for index in 0..<count {
            let part = coverage[index]
            if part == 0 { continue }
            let pixel = part == 255 ? source[index] : Pixel.scale(source[index], by: UInt32(part))
            destination[index] = Pixel.over(pixel, destination[index])
        }
    }

    static func multiply(_ target: UnsafeMutablePointer<UInt8>, by other: Coverage, count: Int) {
        for index in 0..<count {
            let product = UInt32(target[index]) &* UInt32(other[index]) &+ 128
            target[index] = UInt8(truncatingIfNeeded: (product &+ (product >> 8)) >> 8)
        }
    }
}
