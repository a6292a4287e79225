// Encodes premultiplied pixels as a PNG file (PNG specification, third edition). Up to 256 colours give a palette or greys with 1, 2,
// 4 or 8 bits a pixel, more give RGB, with alpha if a pixel is transparent. Filters are tried for more than 256 colours only, on a
// sample of the rows.

import FancyTextPainting
import FancyTextPlatform

package enum PNGError: Error, Hashable, Sendable {
    /// PNG allows no empty pictures, and none over 2³¹ − 1 pixels a side.
    case impossibleSize(width: Int, height: Int)
    case outOfMemory
}

/// Encodes pictures; its compressor and buffers are kept for the next one. One task owns it.
package final class PNGEncoder {
    /// Level 2 takes a quarter more time than level 1 for 80% of the size.
    private let compressor = Compressor(level: 2)
    private let indices = PNGRows()
    private var flatBlock = FlatBlock()
    private var palette = PaletteBuilder()
    private var above: [UInt32] = []

    package init() {}

    /// Encodes a canvas and empties it: its memory is reused, so that an opaque picture with many colours is in memory once.
    package func encode(consuming canvas: Bitmap, metadata: PNGMetadata? = nil) throws(PNGError) -> [UInt8] {
        let (width, height) = (canvas.width, canvas.height)
        return try canvas.takePixels { pixels throws(PNGError) in
            let room = UnsafeMutableRawBufferPointer(pixels).bindMemory(to: UInt8.self)
            return try encode(UnsafeBufferPointer(pixels), width: width, height: height, metadata: metadata, room: room)
        }
    }

    package func encode(_ pixmap: Pixmap, metadata: PNGMetadata? = nil) throws(PNGError) -> [UInt8] {
        try pixmap.pixels.withUnsafeBufferPointer { pixels throws(PNGError) in
            try encode(pixels, width: pixmap.width, height: pixmap.height, metadata: metadata, room: nil)
        }
    }

    /// Encodes a picture while it is painted, so that its pixels stay in the processor's cache. The bytes are the same.
    ///
    /// - Returns: nil when the picture has too many colours for a palette.
    package func encode(_ bands: inout some PixelBands, metadata: PNGMetadata? = nil) throws(PNGError) -> [UInt8]? {
        let (width, height) = (bands.width, bands.height)
        try begin(width: width, height: height)
        var top = 0
        while top < height {
            var end = top
            let (fits, repeats) = bands.next { pixels in
                end += pixels.count / width
                guard end > top, let source = pixels.baseAddress else { return false }
                return index(source, width: width, rows: top..<end)
            }
            guard fits else { return nil }
            indices.repeatLast(repeats)
            top = end + repeats
        }
        return try indexedFile(width: width, height: height, metadata: metadata)
    }

    /// Encodes pixels in time linear in their number, always to the same bytes; `room` is their memory, if it may be overwritten.
    private func encode(
        _ pixels: UnsafeBufferPointer<UInt32>, width: Int, height: Int, metadata: PNGMetadata?,
        room: UnsafeMutableBufferPointer<UInt8>?
    ) throws(PNGError) -> [UInt8] {
        try begin(width: width, height: height)
        guard pixels.count == width * height, let source = pixels.baseAddress
        else { throw .impossibleSize(width: width, height: height) }
        if index(source, width: width, rows: 0..<height) {
            return try indexedFile(width: width, height: height, metadata: metadata)
        }
        return try fullFile(pixels, width: width, height: height, metadata: metadata, room: room)
    }

    /// - Throws: ``PNGError/impossibleSize(width:height:)``.
    private func begin(width: Int, height: Int) throws(PNGError) {
        guard width > 0, height > 0, width <= Int(Int32.max), height <= Int(Int32.max)
        else { throw .impossibleSize(width: width, height: height) }
        palette.begin()
        indices.begin(rowBytes: width, rows: height)
        if above.count < width { above = [UInt32](repeating: 0, count: width) }
    }

    // MARK: Pictures in few colours

    /// Indexes rows from top to bottom; false if there are too many colours.
    private func index(_ pixels: UnsafePointer<UInt32>, width: Int, rows: Range<Int>) -> Bool {
        above.withUnsafeMutableBufferPointer { last in
            guard let last = last.baseAddress else { return false }
            var above = UnsafePointer(last)
            for y in rows {
                let row = pixels + (y - rows.lowerBound) * width
                if y > 0, memcmp(row, above, width * MemoryLayout<UInt32>.stride) == 0 {
                    indices.repeatLast()
                } else {
                    guard indices.append({ palette.index(row, width: width, into: $0) }) else { return false }
                }
                above = row
            }
            last.update(from: above, count: width)
            return true
        }
    }

    private func indexedFile(width: Int, height: Int, metadata: PNGMetadata?) throws(PNGError) -> [UInt8] {
        var file = PNGFile()
        let form = palette.form(of: indices)
        file.header(width: width, height: height, depth: form.depth, colorType: form.isGrey ? 0 : 3)
        if let metadata { file.append(metadata, compressor) }
        if !form.isGrey {
            file.chunk("PLTE", form.colors)
            if !form.alphas.isEmpty { file.chunk("tRNS", form.alphas) }
        }
        return try file.end(flatBlock.read(indices) ? flatBlock.stream() : compressor.packed(indices.expanded()))
    }

    // MARK: Pictures in many colours

    private func fullFile(
        _ pixels: UnsafeBufferPointer<UInt32>, width: Int, height: Int, metadata: PNGMetadata?,
        room: UnsafeMutableBufferPointer<UInt8>?
    ) throws(PNGError) -> [UInt8] {
        guard let source = pixels.baseAddress else { throw .outOfMemory }
        var file = PNGFile()
        let isOpaque = pixels.reduce(UInt32.max, &) >> 24 == 255
        file.header(width: width, height: height, depth: 8, colorType: isOpaque ? 2 : 6)
        if let metadata { file.append(metadata, compressor) }
        let isBusy = Self.isBusy(source, width: width, height: height)
        let channels = isOpaque ? 3 : 4
        let filter = RowFilter(rowBytes: width * channels, rows: height, channels: channels)
        let count = (filter.rowBytes + 1) * height
        // A row of a filter byte and three bytes a pixel never overlaps the pixels of the next row.
        let lent = isOpaque ? room : nil
        let rows = lent.map { UnsafeMutableBufferPointer(rebasing: $0[..<count]) } ?? .allocate(capacity: count)
        defer { if lent == nil { rows.deallocate() } }
        guard let target = rows.baseAddress else { throw .outOfMemory }
        above.withUnsafeMutableBufferPointer { line in
            guard let line = line.baseAddress else { return }
            for y in 0..<height {
                line.update(from: source + y * width, count: width)
                let row = target + y * (filter.rowBytes + 1)
                row.pointee = 0
                if isOpaque { packRGB(line, row + 1, width) } else { packRGBA(line, row + 1, width) }
            }
        }
        if isBusy { filter.apply(to: rows, compressor) }
        return try file.end(compressor.packed(UnsafeBufferPointer(rows)))
    }

    /// Returns whether most pixels differ from their left neighbour, in every 16th row: others never gain by filters.
    private static func isBusy(_ pixels: UnsafePointer<UInt32>, width: Int, height: Int) -> Bool {
        var (changes, seen) = (0, 0)
        for y in stride(from: 0, to: height, by: 16) {
            let row = pixels + y * width
            for x in 1..<max(1, width) where row[x] != row[x - 1] { changes += 1 }
            seen += width
        }
        return changes * 4 > seen
    }
}

/// Writes one row of RGB. Whole words are stored, each over the last byte of the one before.
private func packRGB(_ source: UnsafePointer<UInt32>, _ out: UnsafeMutablePointer<UInt8>, _ width: Int) {
    var target = UnsafeMutableRawPointer(out)
    for x in 0..<width - 1 {
        target.storeBytes(of: source[x], as: UInt32.self)
        target += 3
    }
    for byte in 0..<3 { out[(width - 1) * 3 + byte] = UInt8(truncatingIfNeeded: source[width - 1] >> UInt32(8 * byte)) }
}

/// Writes one row of straight RGBA.
private func packRGBA(_ source: UnsafePointer<UInt32>, _ out: UnsafeMutablePointer<UInt8>, _ width: Int) {
    for x in 0..<width {
        let color = Pixel.straight(source[x])
        (out[x * 4], out[x * 4 + 1], out[x * 4 + 2], out[x * 4 + 3]) = (color.red, color.green, color.blue, color.alpha)
    }
}
