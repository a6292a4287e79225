// The inner loops: each works on one row of pixels, coverage or colours through raw pointers.
//
// Coverage is 0–255. Most rows of text and shapes are empty or fully covered, so the loops check eight bytes of coverage at once.

import FancyTextBasics
import FancyTextPlatform

/// Row operations of the compositor; all "source over".
enum Blend {
    typealias Pixels = UnsafeMutablePointer<UInt32>
    typealias Coverage = UnsafePointer<UInt8>

    /// Blends a premultiplied colour over `count` pixels.
    static func solid(_ destination: Pixels, count: Int, color: UInt32) {
        guard count > 0 else { return }
        let alpha = color >> 24
        if alpha == 255 {
            destination.update(repeating: color, count: count)
        } else if color != 0 {
            let keep = 255 &- alpha
            for index in 0..<count {
                destination[index] = color &+ Pixel.scale(destination[index], by: keep)
            }
        }
    }

    /// Blends a premultiplied colour over `count` pixels, each by its coverage.
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

    @inline(__always)
    private static func eight(_ coverage: Coverage) -> UInt64 {
        UnsafeRawPointer(coverage).loadUnaligned(as: UInt64.self)
    }

    @inline(__always)
    private static func isPartial(_ block: UInt64) -> Bool { block != 0 && block != .max }

    private static func mix(_ destination: Pixels, coverage: Coverage, count: Int, color: UInt32) {
        for index in 0..<count {
            let source = Pixel.scale(color, by: UInt32(coverage[index]))
            destination[index] = source &+ Pixel.scale(destination[index], by: 255 &- (source >> 24))
        }
    }

    /// Blends with coverage mapped through a table of 256 bytes (text contrast).
    ///
    /// - Parameter ground: a backdrop colour, and its results by coverage; nil if no pixels are known to have one.
    static func solid(
        _ destination: Pixels, coverage: Coverage, table: Coverage, count: Int, color: UInt32,
        ground: (color: UInt32, results: UnsafePointer<UInt32>)?
    ) {
        let opaque = color >> 24 == 255
        let fillsFull = opaque && table[255] == 255
        var index = 0
        while count &- index >= 8 {
            switch eight(coverage + index) {
            case 0: break
            case .max where fillsFull: (destination + index).update(repeating: color, count: 8)
            default:
                if let ground, areEight(destination + index, ground.color) {
                    for place in index..<index &+ 8 { destination[place] = ground.results[Int(coverage[place])] }
                } else {
                    each(index..<index &+ 8)
                }
            }
            index &+= 8
        }
        each(index..<count)

        @inline(__always)
        func each(_ range: Range<Int>) {
            guard let ground else {
                for index in range where coverage[index] != 0 {
                    cover(destination + index, table[Int(coverage[index])], color, opaque)
                }
                return
            }
            // Coverage changes from pixel to pixel, but the backdrop rarely does, so only the backdrop is checked.
            for index in range {
                let raw = Int(coverage[index])
                if destination[index] == ground.color {
                    destination[index] = ground.results[raw]
                } else {
                    cover(destination + index, table[raw], color, opaque)
                }
            }
        }
    }

    /// Blends a glyph of few columns over a mostly plain backdrop: all its rows in one call, and without branches on the
    /// coverage, which are mispredicted at most pixels.
    ///
    /// - Parameter ground: The backdrop colour, and its results by coverage.
    static func narrowGlyph(
        _ destination: Pixels, rowLength: Int, coverage: Coverage, stride: Int, width: Int, height: Int,
        table: Coverage, color: UInt32, ground: (color: UInt32, results: UnsafePointer<UInt32>)
    ) {
        let opaque = color >> 24 == 255
        let pair = UInt64(ground.color) << 32 | UInt64(ground.color)
        var (target, source) = (destination, coverage)
        for _ in 0..<height {
            var index = 0
            while width &- index >= 4 {
                let raw = UnsafeRawPointer(target + index)
                let first = raw.loadUnaligned(as: UInt64.self)
                let second = raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
                if first == pair, second == pair {
                    for place in index..<index &+ 4 { target[place] = ground.results[Int(source[place])] }
                } else {
                    for place in index..<index &+ 4 { one(place) }
                }
                index &+= 4
            }
            while index < width {
                one(index)
                index &+= 1
            }
            target += rowLength
            source += stride
        }

        @inline(__always)
        func one(_ place: Int) {
            let raw = Int(source[place])
            if target[place] == ground.color {
                target[place] = ground.results[raw]
            } else {
                cover(target + place, table[raw], color, opaque)
            }
        }
    }

    /// Results of blending colours with plain backdrops, by glyph coverage. Most text is on one backdrop, in a few alternating
    /// colours.
    struct GroundTables {
        private struct Entry {
            var ground, color: UInt32
            /// The number of pixels requested before the results were computed.
            var pixels = 0
            var isMade = false
        }

        private var entries: [Entry] = []
        private var latest = 0
        private var oldest = 0
        /// The coverage table that the latest entry was compared with, while its contents are unchanged.
        private var comparedTable: Coverage?
        // For each entry, the coverage table of its results, and the results: 256 each.
        private let tables = UnsafeMutablePointer<UInt8>.allocate(capacity: most * 256)
        private let results = UnsafeMutablePointer<UInt32>.allocate(capacity: most * 256)
        private static let most = 8
        /// The number of pixels from which computing the results is worthwhile: one per result.
        private static let leastPixels = 256

        func free() {
            tables.deallocate()
            results.deallocate()
        }

        /// Forgets the last table's address: tables may change after the last call of ``results(ground:color:table:pixels:)``.
        mutating func forgetTable() { comparedTable = nil }

        /// The results by coverage, valid until the next call; nil if fewer pixels are blended than the table has entries.
        mutating func results(
            ground: UInt32, color: UInt32, table: Coverage, pixels: Int
        ) -> UnsafePointer<UInt32>? {
            let isLatest =
                comparedTable == table && entries[latest].ground == ground && entries[latest].color == color
            if !isLatest, entries.isEmpty || !isFor(latest, ground, color, table) {
                comparedTable = nil
                let made = Entry(ground: ground, color: color)
                if let known = entries.indices.first(where: { isFor($0, ground, color, table) }) {
                    latest = known
                } else if entries.count < Self.most {
                    latest = entries.count
                    entries.append(made)
                } else {
                    latest = oldest
                    oldest = (oldest + 1) % Self.most
                    entries[latest] = made
                }
            }
            let own = results + latest * 256
            if entries[latest].isMade {
                comparedTable = table
                return UnsafePointer(own)
            }
            entries[latest].pixels += pixels
            guard entries[latest].pixels >= Self.leastPixels else { return nil }
            entries[latest].isMade = true
            comparedTable = table
            (tables + latest * 256).initialize(from: table, count: 256)
            for coverage in 0..<256 {
                var pixel = ground
                cover(&pixel, table[coverage], color, color >> 24 == 255)
                (own + coverage).initialize(to: pixel)
            }
            return UnsafePointer(own)
        }

        private func isFor(_ index: Int, _ ground: UInt32, _ color: UInt32, _ table: Coverage) -> Bool {
            let entry = entries[index]
            return entry.ground == ground && entry.color == color
                && (!entry.isMade || memcmp(tables + index * 256, table, 256) == 0)
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

    /// Blends pixels over pixels.
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
                for place in index..<end {
                    destination[place] = Pixel.over(source[place], destination[place])
                }
            }
            index = end
        }
    }

    /// Blends pixels over pixels, each by its coverage.
    static func pixels(_ destination: Pixels, _ source: UnsafePointer<UInt32>, coverage: Coverage, count: Int) {
        for index in 0..<count {
            let part = coverage[index]
            if part == 0 { continue }
            let pixel = part == 255 ? source[index] : Pixel.scale(source[index], by: UInt32(part))
            destination[index] = Pixel.over(pixel, destination[index])
        }
    }

    /// Blends pixels over pixels with one opacity for all.
    static func pixels(_ destination: Pixels, _ source: UnsafePointer<UInt32>, count: Int, opacity: UInt32) {
        for index in 0..<count where source[index] != 0 {
            destination[index] = Pixel.over(Pixel.scale(source[index], by: opacity), destination[index])
        }
    }

    /// Multiplies `target` by the other coverage.
    static func multiply(_ target: UnsafeMutablePointer<UInt8>, by other: Coverage, count: Int) {
        for index in 0..<count {
            let product = UInt32(target[index]) &* UInt32(other[index]) &+ 128
            target[index] = UInt8(truncatingIfNeeded: (product &+ (product >> 8)) >> 8)
        }
    }

    /// Multiplies `target` by (1 − the other coverage).
    static func multiplyByInverse(_ target: UnsafeMutablePointer<UInt8>, of other: Coverage, count: Int) {
        for index in 0..<count {
            let product = UInt32(target[index]) &* UInt32(255 &- other[index]) &+ 128
            target[index] = UInt8(truncatingIfNeeded: (product &+ (product >> 8)) >> 8)
        }
    }
}
