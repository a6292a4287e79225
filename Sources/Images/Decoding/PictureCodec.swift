// The calls of the libraries that read picture files. librsvg ends its process on unexpected input, and has no limits of time or
// memory; the other libraries are hardened, but written in C. A separate process may do the work (`PictureHelper`); otherwise costly
// or fatal SVG is refused first (`VectorCheck`).

import CFancyTextImageCodecs
import CFancyTextDeflate
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
                decodePNG(data, width, height, pixels)
                    || Self.withTrueChecks(data).map { decodePNG($0, width, height, pixels) } == true
                    ? Int32(CIMAGE_OK) : Int32(CIMAGE_INVALID)
            case .jpeg: cimage_jpeg_decode(data, data.count, width, height, pixels)
            case .webp: cimage_webp_decode(data, data.count, width, height, pixels)
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
    private func decodePNG(
        _ data: [UInt8], _ width: Int32, _ height: Int32, _ out: UnsafeMutablePointer<UInt8>
    ) -> Bool {
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
