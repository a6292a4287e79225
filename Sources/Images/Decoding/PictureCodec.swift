// The calls of the libraries that read picture files. librsvg ends its process on unexpected input, and has no limits of time or
// memory; the other libraries are hardened, but written in C. A separate process may do the work (`PictureHelper`); otherwise costly
// or fatal SVG is refused first (`VectorCheck`).

import CFancyTextDeflate
import CFancyTextImageCodecs
import CFancyTextPNG
import FancyTextPainting

/// The lengths in an SVG file, in CSS pixels: sides, below 0 if undefined, and those of its view box, 0 without one.
package struct VectorSize: Hashable, Sendable {
    package var width = 0.0, height = 0.0
    package var boxWidth = 0.0, boxHeight = 0.0
}

package protocol PictureCodec: AnyObject {
    func size(ofSVG data: [UInt8]) throws(ImageError) -> VectorSize
    /// SVG is drawn in the requested size: premultiplied, blue in the lowest byte. Others must have the size of their header, and are
    /// not premultiplied, with red in the lowest byte.
    func decode(_ format: ImageFormat, _ data: [UInt8], width: Int, height: Int) throws(ImageError) -> [UInt32]
}

package final class LocalPictureCodec: PictureCodec {
    private let checksVectors: Bool

    /// - Parameter checksVectors: True if SVG files that ``VectorCheck`` does not accept are errors.
    package init(checksVectors: Bool = true) { self.checksVectors = checksVectors }

    package func size(ofSVG data: [UInt8]) throws(ImageError) -> VectorSize {
        if checksVectors { try VectorCheck.check(data) }
        var size = VectorSize()
        let status = cimage_svg_size(data, data.count, &size.width, &size.height, &size.boxWidth, &size.boxHeight)
        try ImageError.check(status, .svg)
        return size
    }

    package func decode(
        _ format: ImageFormat, _ data: [UInt8], width: Int, height: Int
    ) throws(ImageError) -> [UInt32] {
        if checksVectors, format == .svg { try VectorCheck.check(data, pixels: width * height) }
        var result = [UInt32](repeating: 0, count: width * height)
        let status = result.withUnsafeMutableBytes { bytes in
            guard let pixels = bytes.bindMemory(to: UInt8.self).baseAddress else { return Int32(CIMAGE_NO_MEMORY) }
            let (width, height) = (Int32(width), Int32(height))
            return switch format {
            case .svg: cimage_svg_draw(data, data.count, width, height, pixels)
            case .png:
                readPNG(data, width, height, pixels)
                    || Self.withTrueChecks(data).map { readPNG($0, width, height, pixels) } == true
                    ? Int32(CIMAGE_OK) : Int32(CIMAGE_INVALID)
            case .jpeg: cimage_jpeg_decode(data, data.count, width, height, pixels)
            case .webp: cimage_webp_decode(data, data.count, width, height, pixels)
            case .avif: cimage_avif_decode(data, data.count, width, height, pixels)
            case .gif: cimage_gif_decode(data, data.count, width, height, pixels)
            }
        }
        try ImageError.check(status, format)
        return result
    }

    /// A PNG file whose chunks have the checksums of their contents, as browsers show one with wrong ones; nil if a chunk is cut off.
    private static func withTrueChecks(_ data: [UInt8]) -> [UInt8]? {
        var result = data
        var start = 8
        while start < result.count {
            guard start + 12 <= result.count else { return nil }
            let length = result[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            let end = start + 8 + length
            guard end + 4 <= result.count else { return nil }
            let check = result.withUnsafeBytes { bytes in
                libdeflate_crc32(0, bytes.baseAddress.map { $0 + start + 4 }, length + 4)
            }
            result.replaceSubrange(end..<end + 4, with: PNGFile.big(check))
            start = end + 4
        }
        return result
    }

    /// Uses libpng's simplified reader, which converts all depths, palettes and interlacing to 8-bit sRGB.
    private func readPNG(_ data: [UInt8], _ width: Int32, _ height: Int32, _ out: UnsafeMutablePointer<UInt8>) -> Bool {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        guard png_image_begin_read_from_memory(&image, data, data.count) != 0 else { return false }
        defer { png_image_free(&image) }
        guard image.width == UInt32(width), image.height == UInt32(height) else { return false }
        // The order is red, green, blue, alpha.
        image.format = png_uint_32(PNG_FORMAT_FLAG_ALPHA | PNG_FORMAT_FLAG_COLOR)
        image.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
        return png_image_finish_read(&image, nil, out, width * 4, nil) != 0
    }
}

package enum ImageDecoder {
    /// Decodes any supported image; the first frame of an animation.
    ///
    /// - Parameters:
    ///   - header: the file's header; nil reads it.
    ///   - size: for SVG, the size to draw at; nil for its own. Other formats ignore it.
    ///   - limit: the most pixels to decode; the header is checked first.
    ///   - codec: the codec that reads the file; nil reads it in this process.
    package static func decode(
        _ data: [UInt8], _ header: ImageHeader? = nil, size: (width: Int, height: Int)? = nil, limit: Int,
        codec: (any PictureCodec)? = nil
    ) throws(ImageError) -> Pixmap {
        let header = if let header { header } else { try ImageHeader(data) }
        var (width, height) = (header.width, header.height)
        if header.format == .svg, let size { (width, height) = (max(1, size.width), max(1, size.height)) }
        // In this order, so that the product does not overflow.
        guard width <= 1 << 24, height <= 1 << 24, width * height <= limit
        else { throw .tooLarge(width: width, height: height, limit: limit) }
        if header.orientation > 4 { swap(&width, &height) }
        let pixels = try (codec ?? LocalPictureCodec()).decode(header.format, data, width: width, height: height)
        var pixmap = Pixmap(width: width, height: height, pixels: pixels)
        guard header.format != .svg else {
            let background = Pixel.premultiplied(header.background ?? .transparent)
            change(&pixmap) { Pixel.over(Pixel.swappingRedAndBlue($0), background) }
            return pixmap
        }
        change(&pixmap) { $0 >> 24 == 255 ? $0 : Pixel.scale($0 | 0xFF00_0000, by: $0 >> 24) }
        return header.orientation == 1 ? pixmap : oriented(pixmap, header.orientation)
    }

    @inline(__always) private static func change(_ pixmap: inout Pixmap, _ change: (UInt32) -> UInt32) {
        for index in pixmap.pixels.indices { pixmap.pixels[index] = change(pixmap.pixels[index]) }
    }

    /// Rotates and mirrors a picture by its EXIF orientation: 2–4 keep the sides, 5–8 swap them.
    private static func oriented(_ source: Pixmap, _ orientation: Int) -> Pixmap {
        let swaps = orientation > 4
        var result = Pixmap(width: swaps ? source.height : source.width, height: swaps ? source.width : source.height)
        let (mirrorsX, mirrorsY) = ([2, 3, 7, 8].contains(orientation), [3, 4, 6, 7].contains(orientation))
        for y in 0..<result.height {
            for x in 0..<result.width {
                let (column, row) = swaps ? (y, x) : (x, y)
                let from = (mirrorsY ? source.height - 1 - row : row) * source.width
                result.pixels[y * result.width + x] =
                    source.pixels[from + (mirrorsX ? source.width - 1 - column : column)]
            }
        }
        return result
    }
}
