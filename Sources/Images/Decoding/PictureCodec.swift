// The calls of the libraries that read picture files. In: files. Out: sizes and pixels.
//
// librsvg ends its process on unexpected input, and has no limits of time or memory. The libraries for JPEG, WebP, GIF and PNG
// are old and hardened, but written in C. A program may let a separate process do the work (`PictureHelper`). Otherwise SVG that
// is known to be costly or fatal is refused first (`VectorCheck`).

import FancyTextBasics
import CFancyTextImageCodecs
import CFancyTextDeflate
import CFancyTextPNG
import FancyTextPainting

/// The lengths that an SVG file defines, in CSS pixels: a side below 0 if it is not defined, and the sides of its view box, 0
/// without one.
package struct VectorSize: Hashable, Sendable {
    package var width = 0.0
    package var height = 0.0
    package var boxWidth = 0.0
    package var boxHeight = 0.0
}

/// Reads picture files.
package protocol PictureCodec: AnyObject {
    func size(ofSVG data: [UInt8]) throws(ImageError) -> VectorSize
    /// Premultiplied pixels, blue in the lowest byte.
    func draw(svg data: [UInt8], width: Int, height: Int) throws(ImageError) -> [UInt32]
    /// Pixels that are not premultiplied, red in the lowest byte. The size must be that in the file's header.
    func decode(_ format: RasterFormat, _ data: [UInt8], width: Int, height: Int) throws(ImageError) -> [UInt32]
}

/// The file formats of pixels.
package enum RasterFormat: Int64, CaseIterable {
    case png, jpeg, webp, gif

    init?(_ format: ImageFormat) {
        switch format {
        case .png: self = .png
        case .jpeg: self = .jpeg
        case .webp: self = .webp
        case .gif: self = .gif
        case .svg: return nil
        }
    }

    var imageFormat: ImageFormat {
        switch self {
        case .png: .png
        case .jpeg: .jpeg
        case .webp: .webp
        case .gif: .gif
        }
    }
}

/// Reads files in this process; SVG only if ``VectorCheck`` accepts it.
package final class LocalPictureCodec: PictureCodec {
    package init() {}

    package func size(ofSVG data: [UInt8]) throws(ImageError) -> VectorSize {
        try VectorCheck.check(data)
        return try Self.uncheckedSize(ofSVG: data)
    }

    package func draw(svg data: [UInt8], width: Int, height: Int) throws(ImageError) -> [UInt32] {
        try VectorCheck.check(data, pixels: width * height)
        return try Self.drawUnchecked(svg: data, width: width, height: height)
    }

    package func decode(
        _ format: RasterFormat, _ data: [UInt8], width: Int, height: Int
    ) throws(ImageError) -> [UInt32] {
        try Self.pixels(width, height, format.imageFormat) { pixels in
            let (width, height) = (Int32(width), Int32(height))
            return switch format {
            case .png:
                decodePNG(data, width, height, pixels)
                    || Self.withTrueChecks(data).map { decodePNG($0, width, height, pixels) } == true
                    ? Int32(CIMAGE_OK) : Int32(CIMAGE_INVALID)
            case .jpeg: cimage_jpeg_decode(data, data.count, width, height, pixels)
            case .webp: cimage_webp_decode(data, data.count, width, height, pixels)
            case .gif: cimage_gif_decode(data, data.count, width, height, pixels)
            }
        }
    }

    static func uncheckedSize(ofSVG data: [UInt8]) throws(ImageError) -> VectorSize {
        var size = VectorSize()
        try ImageError.check(
            cimage_svg_size(data, data.count, &size.width, &size.height, &size.boxWidth, &size.boxHeight), .svg)
        return size
    }

    static func drawUnchecked(svg data: [UInt8], width: Int, height: Int) throws(ImageError) -> [UInt32] {
        try pixels(width, height, .svg) { cimage_svg_draw(data, data.count, Int32(width), Int32(height), $0) }
    }

    /// - Parameter fill: writes four bytes for each pixel, and returns a status of `CImageCodecs`.
    private static func pixels(
        _ width: Int, _ height: Int, _ format: ImageFormat, _ fill: (UnsafeMutablePointer<UInt8>) -> Int32
    ) throws(ImageError) -> [UInt32] {
        var pixels = [UInt32](repeating: 0, count: width * height)
        let status = pixels.withUnsafeMutableBytes { bytes in
            bytes.bindMemory(to: UInt8.self).baseAddress.map(fill) ?? Int32(CIMAGE_NO_MEMORY)
        }
        try ImageError.check(status, format)
        return pixels
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
            for (index, shift) in [24, 16, 8, 0].enumerated() {
                result[end + index] = UInt8(truncatingIfNeeded: check >> UInt32(shift))
            }
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
