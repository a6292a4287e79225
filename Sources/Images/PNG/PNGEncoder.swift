// Premultiplied pixels in, a PNG file out (PNG specification, third edition).
//
// The smallest fitting form is found in one pass: up to 256 colours give a palette (or greys) with 1, 2, 4 or 8 bits a
// pixel; more give RGB, with alpha only where something is transparent. Text and flat colours compress best unfiltered,
// but for rows that repeat the row above; pictures with many colours are tried both ways on a sample of their rows.

import FancyTextBasics
import CFancyTextDeflate
import FancyTextPlatform
import FancyTextPainting

/// What a PNG tells besides its pixels.
package struct PNGMetadata: Sendable {
    /// The plain text of the picture, UTF-8: iTXt `Description`.
    package var text: [UInt8]
    /// BCP 47; empty if unknown.
    package var language: String
    /// Device pixels for each CSS pixel: pHYs.
    package var scale: Float

    package init(text: [UInt8], language: String, scale: Float) {
        self.text = text
        self.language = language
        self.scale = scale
    }
}

package enum PNGError: Error, Hashable, Sendable {
    /// PNG has no pictures without pixels, and none over 2³¹ − 1 pixels a side.
    case impossibleSize(width: Int, height: Int)
    case outOfMemory
}

/// A compressor of libdeflate, made when it is first needed.
private final class Compressor {
    private let level: Int32
    private var made: OpaquePointer?

    init(level: Int32) { self.level = level }
    deinit { libdeflate_free_compressor(made) }

    /// nil when there is no memory for it.
    var handle: OpaquePointer? {
        if made == nil { made = libdeflate_alloc_compressor(level) }
        return made
    }
}

/// Parts of a picture's file that another thread makes while the rest of the picture is painted.
private final class PartsAhead: @unchecked Sendable {
    // The other thread's until it was waited for.
    private(set) var blocks: [FlatBlock?] = []
    private(set) var text: [UInt8]?
    private var given = 0
    private var last: BackgroundWork.Ticket?

    func pack(_ metadata: PNGMetadata, _ compressor: Compressor) {
        last = BackgroundWork.shared.start { [self] in text = metadata.packedText(compressor) }
    }

    /// Reads the runs that were not given yet.
    func read(_ rows: PNGRows) {
        while given < rows.runCount {
            let (bytes, stride) = (rows.bytes(ofRun: given), rows.rowBytes + 1)
            given += 1
            last = BackgroundWork.shared.start { [self] in
                var block = FlatBlock()
                blocks.append(block.read(bytes, stride: stride) ? block : nil)
            }
        }
    }

    func wait() {
        if let last { BackgroundWork.shared.wait(for: last) }
    }
}

/// Encodes pictures; keeps its compressors and buffers from one to the next. One task owns it.
package final class PNGEncoder {
    /// For pictures with a palette that are not flat: takes five sixths of level 2's time, and a third of its memory, for
    /// 1% more bytes.
    private let flatCompressor = Compressor(level: 1)
    /// For pictures with many colours: takes a quarter more time than level 1 for 80% of the size.
    private let fullCompressor = Compressor(level: 2)
    private var rows = PNGRows()
    /// Rows of indices; buffers of their own, so that none is made anew when the forms of pictures differ.
    private var indices = PNGRows()
    private var stream = ZlibStream()
    private var palette = PaletteBuilder()
    /// The last row of the band before, or the row before.
    private var above: [UInt32] = []
    /// A row on its way to memory that may hold its own pixels.
    private var line: [UInt32] = []
    private let partBytes: Int
    /// Of the picture that room was made for.
    private var ahead: PartsAhead?

    /// - Parameter partBytes: of a picture in many colours that are packed, filtered and compressed at a time.
    package init(partBytes: Int = 1 << 24) { self.partBytes = partBytes }

    /// Makes room for a picture in few colours, which will be encoded with the help of another thread.
    package func prepare(width: Int, height: Int) {
        indices.begin(rowBytes: width, rows: height)
        // As many rows as a card of text fills.
        for _ in 0..<height / 4 {
            _ = indices.append { row in
                row.update(repeating: 0, count: width)
                return true
            }
        }
        ahead = PartsAhead()
    }

    /// A canvas's picture, which is gone then: its memory is where rows are made ready to be compressed, so that a picture
    /// in many colours is there once.
    package func encode(consuming canvas: Canvas, metadata: PNGMetadata? = nil) throws(PNGError) -> [UInt8] {
        let (width, height) = (canvas.width, canvas.height)
        let result = canvas.takePixels { pixels in
            Result { () throws(PNGError) in
                try encode(
                    UnsafeBufferPointer(pixels), width: width, height: height, metadata: metadata,
                    room: UnsafeMutableRawBufferPointer(pixels).bindMemory(to: UInt8.self))
            }
        }
        return try result.get()
    }

    package func encode(_ pixmap: Pixmap, metadata: PNGMetadata? = nil) throws(PNGError) -> [UInt8] {
        let result = pixmap.pixels.withUnsafeBufferPointer { pixels in
            Result { () throws(PNGError) in
                try encode(pixels, width: pixmap.width, height: pixmap.height, metadata: metadata)
            }
        }
        return try result.get()
    }

    /// Time linear in the number of pixels; memory is that of the file and 48 MiB. The same pixels and metadata always give the same bytes.
    package func encode(
        _ pixels: UnsafeBufferPointer<UInt32>, width: Int, height: Int, metadata: PNGMetadata? = nil
    ) throws(PNGError) -> [UInt8] {
        try encode(pixels, width: width, height: height, metadata: metadata, room: nil)
    }

    /// - Parameter room: the memory of the pixels, where it may be used up.
    private func encode(
        _ pixels: UnsafeBufferPointer<UInt32>, width: Int, height: Int, metadata: PNGMetadata?,
        room: UnsafeMutableBufferPointer<UInt8>?
    ) throws(PNGError) -> [UInt8] {
        guard Self.isPossible(width, height), pixels.count == width * height else {
            throw .impossibleSize(width: width, height: height)
        }
        guard let source = pixels.baseAddress else { throw .outOfMemory }
        beginIndices(width: width, height: height)
        if index(source, width: width, rows: 0..<height) {
            return try indexedFile(width: width, height: height, metadata: metadata)
        }
        guard let compressor = fullCompressor.handle else { throw .outOfMemory }
        if line.count < width { line = [UInt32](repeating: 0, count: width) }
        var file = PNGFile()
        let isOpaque = Self.isOpaque(pixels)
        file.header(width: width, height: height, depth: 8, colorType: isOpaque ? 2 : 6)
        file.append(metadata, packed: metadata?.packedText(fullCompressor))
        let channels = isOpaque ? 3 : 4
        let isBusy = Self.isBusy(source, width: width, height: height)
        // A filter byte and three bytes a pixel never reach the pixels of the next row.
        let room = channels == 3 ? room : nil
        let count = max(1, partBytes / (width * channels))
        // Room that is not written to takes no memory: a file that grew would be there twice.
        if count < height { file.bytes.reserveCapacity((width * channels + 64) * height) }
        for start in stride(from: 0, to: height, by: count) {
            let part = start..<min(height, start + count)
            rows.begin(rowBytes: width * channels, rows: part.count, in: room)
            for y in part {
                let row = source + y * width
                if y > start, !isBusy, Self.isEqual(row, above, width) {
                    rows.repeatLast()
                } else {
                    append(row, width, isOpaque: isOpaque)
                }
            }
            rows.finish()
            if isBusy { RowFilter.apply(&rows, channels: channels, compressor: compressor) }
            let isLast = part.upperBound == height
            guard rows.compress(into: &stream, isFlat: false, isFirst: start == 0, isLast: isLast, { compressor })
            else {
                throw .outOfMemory
            }
            if !isLast { stream.takeBytes { file.chunk("IDAT", $0) } }
        }
        return finish(&file)
    }

    /// Packs a row that differs from the one before it.
    private func append(_ row: UnsafePointer<UInt32>, _ width: Int, isOpaque: Bool) {
        line.withUnsafeMutableBufferPointer { line in
            guard let copy = line.baseAddress else { return }
            copy.update(from: row, count: width)
            _ = rows.append { out in
                if isOpaque { packRGB(copy, out, width) } else { packRGBA(copy, out, width) }
                return true
            }
        }
        swap(&line, &above)
    }

    /// Encodes a picture while it is painted, some rows at a time, so that its pixels stay in the processor's cache and
    /// most of its memory is never touched. The bytes are those of ``encode(_:width:height:metadata:)``.
    ///
    /// - Parameters:
    ///   - canvas: what `paint` paints on.
    ///   - paint: paints the given rows and returns them, or only the first ones where the others are as the last of these;
    ///     called from top to bottom.
    /// - Returns: nil when the picture has too many colours for a palette.
    package func encode(
        width: Int, height: Int, metadata: PNGMetadata? = nil, from canvas: Canvas,
        paint: (Range<Int>) -> Range<Int>
    ) throws(PNGError) -> [UInt8]? {
        guard Self.isPossible(width, height) else { throw .impossibleSize(width: width, height: height) }
        let ahead = ahead
        self.ahead = nil
        defer { ahead?.wait() }
        if let metadata { ahead?.pack(metadata, flatCompressor) }
        beginIndices(width: width, height: height)
        let count = max(1, Self.bandPixels / width)
        for start in stride(from: 0, to: height, by: count) {
            let end = min(height, start + count)
            let rows = paint(start..<end)
            let fits = canvas.withPixels { pixels in
                guard pixels.count == width * rows.count, let source = pixels.baseAddress else { return false }
                return index(source, width: width, rows: rows)
            }
            guard fits else { return nil }
            for _ in rows.upperBound..<end { indices.repeatLast() }
            if palette.needsBytes { ahead?.read(indices) }
        }
        return try indexedFile(width: width, height: height, metadata: metadata, ahead)
    }

    /// Pixels painted at a time: 128 KiB of them. Much fewer, and glyphs would be found again for every band that they
    /// reach.
    private static let bandPixels = 1 << 15

    private static func isPossible(_ width: Int, _ height: Int) -> Bool {
        width > 0 && height > 0 && width <= Int(Int32.max) && height <= Int(Int32.max)
    }

    // MARK: Pictures in few colours

    private func beginIndices(width: Int, height: Int) {
        palette.begin()
        indices.begin(rowBytes: width, rows: height)
        if above.count < width { above = [UInt32](repeating: 0, count: width) }
    }

    /// Takes in some rows, from top to bottom; false when there are too many colours.
    private func index(_ pixels: UnsafePointer<UInt32>, width: Int, rows: Range<Int>) -> Bool {
        above.withUnsafeMutableBufferPointer { last in
            guard let last = last.baseAddress else { return false }
            var above = UnsafePointer(last)
            for y in rows {
                let row = pixels + (y - rows.lowerBound) * width
                if y > 0, Self.isEqual(row, above, width) {
                    indices.repeatLast()
                } else {
                    let before = y > 0 ? above : nil
                    guard indices.append({ palette.index(row, above: before, width: width, into: $0) }) else {
                        return false
                    }
                }
                above = row
            }
            last.update(from: above, count: width)
            return true
        }
    }

    private static func isEqual(_ row: UnsafePointer<UInt32>, _ other: UnsafePointer<UInt32>, _ width: Int) -> Bool {
        memcmp(row, other, width * MemoryLayout<UInt32>.stride) == 0
    }

    /// The file of the picture whose colours and indices have been taken in.
    private func indexedFile(
        width: Int, height: Int, metadata: PNGMetadata?, _ ahead: PartsAhead? = nil
    ) throws(PNGError) -> [UInt8] {
        var file = PNGFile()
        indices.finish()
        ahead?.wait()
        let form = palette.form(of: &indices)
        file.header(width: width, height: height, depth: form.depth, colorType: form.isGrey ? 0 : 3)
        file.append(metadata, packed: ahead.map(\.text) ?? metadata?.packedText(flatCompressor))
        if !form.isGrey {
            file.chunk("PLTE", form.colors)
            if !form.alphas.isEmpty { file.chunk("tRNS", form.alphas) }
        }
        let isWritten = indices.compress(into: &stream, isFlat: true, blocks: ahead?.blocks ?? []) { [flatCompressor] in
            flatCompressor.handle
        }
        guard isWritten else { throw .outOfMemory }
        return finish(&file)
    }

    private func finish(_ file: inout PNGFile) -> [UInt8] {
        stream.withBytes { file.chunk("IDAT", $0) }
        file.chunk("IEND", [])
        return file.bytes
    }

    // MARK: Pictures in many colours

    private static func isOpaque(_ pixels: UnsafeBufferPointer<UInt32>) -> Bool {
        var all: UInt32 = .max
        for pixel in pixels { all &= pixel }
        return all >> 24 == 255
    }

    /// Whether most pixels differ from their left neighbour (looking at every 16th row): flat pictures never gain by
    /// filters.
    private static func isBusy(_ pixels: UnsafePointer<UInt32>, width: Int, height: Int) -> Bool {
        var changes = 0
        var seen = 0
        for y in stride(from: 0, to: height, by: 16) {
            let row = pixels + y * width
            for x in 1..<max(1, width) where row[x] != row[x - 1] { changes += 1 }
            seen += width
        }
        return changes * 4 > seen
    }
}

/// One row of RGB. Words are stored whole, each over the last byte of the one before.
private func packRGB(_ source: UnsafePointer<UInt32>, _ out: UnsafeMutablePointer<UInt8>, _ width: Int) {
    var target = UnsafeMutableRawPointer(out)
    for x in 0..<width - 1 {
        target.storeBytes(of: source[x], as: UInt32.self)
        target += 3
    }
    let last = source[width - 1]
    for shift: UInt32 in [0, 8, 16] {
        target.storeBytes(of: UInt8(truncatingIfNeeded: last >> shift), as: UInt8.self)
        target += 1
    }
}

/// One row of straight RGBA.
private func packRGBA(_ source: UnsafePointer<UInt32>, _ out: UnsafeMutablePointer<UInt8>, _ width: Int) {
    for x in 0..<width {
        let color = Pixel.straight(source[x])
        (out[x * 4], out[x * 4 + 1], out[x * 4 + 2], out[x * 4 + 3]) = (color.red, color.green, color.blue, color.alpha)
    }
}

extension PNGMetadata {
    /// The text as a zlib stream, where it is long and that is shorter.
    fileprivate func packedText(_ compressor: Compressor) -> [UInt8]? {
        guard text.count > 256, let compressor = compressor.handle else { return nil }
        var packed = [UInt8](repeating: 0, count: libdeflate_zlib_compress_bound(compressor, text.count))
        let length = libdeflate_zlib_compress(compressor, text, text.count, &packed, packed.count)
        return length > 0 && length < text.count ? Array(packed[..<length]) : nil
    }
}

/// The file as it grows: signature and chunks (§5).
private struct PNGFile {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    mutating func header(width: Int, height: Int, depth: Int, colorType: UInt8) {
        chunk("IHDR", Self.big(UInt32(width)) + Self.big(UInt32(height)) + [UInt8(depth), colorType, 0, 0, 0])
    }

    mutating func append(_ metadata: PNGMetadata?, packed: [UInt8]?) {
        guard let metadata else { return }
        // CSS pixels are 1/96 inch (CSS Values 4 §6.2).
        let perMetre = UInt32(max(1, min(1e9, (96 * metadata.scale / 0.0254).rounded())))
        chunk("pHYs", Self.big(perMetre) + Self.big(perMetre) + [1])
        guard !metadata.text.isEmpty else { return }
        let language = metadata.language.utf8.filter { $0 < 0x80 && ($0 == UInt8(ascii: "-") || $0 >= 0x30) }
        chunk(
            "iTXt",
            Array("Description".utf8) + [0, packed == nil ? 0 : 1, 0] + language + [0, 0] + (packed ?? metadata.text))
    }

    mutating func chunk(_ type: StaticString, _ data: [UInt8]) {
        data.withUnsafeBufferPointer { chunk(type, $0) }
    }

    mutating func chunk(_ type: StaticString, _ data: UnsafeBufferPointer<UInt8>) {
        if bytes.capacity < bytes.count + data.count + 24 { bytes.reserveCapacity(bytes.count + data.count + 24) }
        bytes.append(contentsOf: Self.big(UInt32(data.count)))
        let start = bytes.count
        type.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: data)
        let check = bytes.withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress.map { $0 + start }, $0.count - start) }
        bytes.append(contentsOf: Self.big(check))
    }

    static func big(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

/// The filters of §9, for pictures with many colours.
enum RowFilter {
    /// Filters rows when a sample of them says that this makes the picture smaller.
    static func apply(_ picture: inout PNGRows, channels: Int, compressor: OpaquePointer) {
        let (rowBytes, rows) = (picture.rowBytes, picture.count)
        let stride = rowBytes + 1
        // Bands of 8 rows, 1/16 of the picture.
        var plain: [UInt8] = []
        var filtered: [UInt8] = []
        var band = 0
        while band < rows {
            let end = min(rows, band + 8)
            let slice = picture.withBytes { Array($0[band * stride..<end * stride]) }
            plain += slice
            filtered += adaptive(slice, rowBytes: rowBytes, channels: channels)
            band += 128
        }
        func size(_ bytes: [UInt8]) -> Int {
            var output = [UInt8](repeating: 0, count: libdeflate_zlib_compress_bound(compressor, bytes.count))
            return libdeflate_zlib_compress(compressor, bytes, bytes.count, &output, output.count)
        }
        guard size(filtered) < size(plain) else { return }
        picture.update(rowBytes: rowBytes) { raw in
            _ = raw.update(fromContentsOf: adaptive(Array(raw), rowBytes: rowBytes, channels: channels))
        }
    }

    /// For each row the filter with the least sum of absolute differences (§12.7) among None, Sub, Up and Paeth.
    private static func adaptive(_ raw: [UInt8], rowBytes: Int, channels: Int) -> [UInt8] {
        let stride = rowBytes + 1
        let rows = raw.count / stride
        var result = raw
        var zero = [UInt8](repeating: 0, count: rowBytes)
        var candidates = [UInt8](repeating: 0, count: rowBytes * 3)
        raw.withUnsafeBufferPointer { raw in
            result.withUnsafeMutableBufferPointer { result in
                zero.withUnsafeMutableBufferPointer { zero in
                    candidates.withUnsafeMutableBufferPointer { candidates in
                        for row in 0..<rows {
                            let line = raw.baseAddress.map { $0 + row * stride + 1 }
                            let above =
                                row == 0
                                ? UnsafePointer(zero.baseAddress) : raw.baseAddress.map { $0 + (row - 1) * stride + 1 }
                            guard let line, let above, let out = candidates.baseAddress, let target = result.baseAddress
                            else { return }
                            var sums = (0, 0, 0, 0)
                            for x in 0..<rowBytes {
                                let value = line[x]
                                let left = x >= channels ? line[x &- channels] : 0
                                let corner = x >= channels ? above[x &- channels] : 0
                                let sub = value &- left
                                let up = value &- above[x]
                                let paeth = value &- predictor(left, above[x], corner)
                                out[x] = sub
                                out[rowBytes &+ x] = up
                                out[2 &* rowBytes &+ x] = paeth
                                sums.0 &+= Int(min(value, 0 &- value))
                                sums.1 &+= Int(min(sub, 0 &- sub))
                                sums.2 &+= Int(min(up, 0 &- up))
                                sums.3 &+= Int(min(paeth, 0 &- paeth))
                            }
                            let least = min(min(sums.0, sums.1), min(sums.2, sums.3))
                            if least == sums.0 { continue }
                            let (type, from) = least == sums.2 ? (2, 1) : least == sums.1 ? (1, 0) : (4, 2)
                            target[row * stride] = UInt8(type)
                            (target + row * stride + 1).update(from: out + from * rowBytes, count: rowBytes)
                        }
                    }
                }
            }
        }
        return result
    }

    @inline(__always)
    private static func predictor(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
        let (a, b, c) = (Int(left), Int(above), Int(corner))
        let estimate = a + b - c
        let (da, db, dc) = (abs(estimate - a), abs(estimate - b), abs(estimate - c))
        return da <= db && da <= dc ? left : db <= dc ? above : corner
    }
}
