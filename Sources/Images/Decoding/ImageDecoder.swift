// Decodes an image file into premultiplied pixels.

import FancyTextPainting
import FancyTextStyling

package enum ImageDecoder {
    /// Decodes any supported image; the first frame of an animation.
    ///
    /// - Parameters:
    ///   - size: for SVG, the size to draw at; nil for its own. Other formats ignore it.
    ///   - limit: the most pixels to decode; the header is checked first.
    package static func decode(
        _ data: [UInt8], size: (width: Int, height: Int)? = nil, limit: Int
    ) throws(ImageError) -> Pixmap {
        let header = try ImageHeader(data)
        return try decode(data, header, size: size, limit: limit)
    }

    /// - Parameter codec: the codec that reads the file; nil reads it in this process.
    package static func decode(
        _ data: [UInt8], _ header: ImageHeader, size: (width: Int, height: Int)? = nil, limit: Int,
        codec: (any PictureCodec)? = nil
    ) throws(ImageError) -> Pixmap {
        var (width, height) = (header.width, header.height)
        if header.format == .svg, let size { (width, height) = (max(1, size.width), max(1, size.height)) }
        let count = width.multipliedReportingOverflow(by: height)
        guard !count.overflow, count.partialValue <= limit, width <= 1 << 24, height <= 1 << 24 else {
            throw .tooLarge(width: width, height: height, limit: limit)
        }
        if header.orientation > 4 { swap(&width, &height) }
        let pixels = try (codec ?? LocalPictureCodec()).decode(header.format, data, width: width, height: height)
        var pixmap = Pixmap(width: width, height: height, pixels: pixels)
        guard header.format != .svg else {
            swapRedAndBlue(&pixmap)
            if let background = header.background { put(background, behind: &pixmap) }
            return pixmap
        }
        premultiply(&pixmap)
        return header.orientation == 1 ? pixmap : oriented(pixmap, header.orientation)
    }

    private static func premultiply(_ pixmap: inout Pixmap) {
        for index in pixmap.pixels.indices {
            let pixel = pixmap.pixels[index]
            let alpha = pixel >> 24
            if alpha != 255 { pixmap.pixels[index] = Pixel.scale(pixel | 0xFF00_0000, by: alpha) }
        }
    }

    private static func put(_ background: Color, behind pixmap: inout Pixmap) {
        let color = Pixel.premultiplied(background)
        for index in pixmap.pixels.indices {
            let pixel = pixmap.pixels[index]
            pixmap.pixels[index] = pixel &+ Pixel.scale(color, by: 255 - pixel >> 24)
        }
    }

    static func swapRedAndBlue(_ pixmap: inout Pixmap) {
        for index in pixmap.pixels.indices {
            let pixel = pixmap.pixels[index]
            pixmap.pixels[index] = pixel & 0xFF00_FF00 | (pixel & 0xFF) << 16 | (pixel >> 16) & 0xFF
        }
    }

    /// Rotates and mirrors a picture by its EXIF orientation: 2–4 keep the sides, 5–8 swap them.
    private static func oriented(_ source: Pixmap, _ orientation: Int) -> Pixmap {
        let swaps = orientation > 4
        var result = Pixmap(width: swaps ? source.height : source.width, height: swaps ? source.width : source.height)
        let (right, bottom) = (source.width - 1, source.height - 1)
        for y in 0..<result.height {
            for x in 0..<result.width {
                let from: (x: Int, y: Int)
                switch orientation {
                case 2: from = (right - x, y)
                case 3: from = (right - x, bottom - y)
                case 4: from = (x, bottom - y)
                case 5: from = (y, x)
                case 6: from = (y, bottom - x)
                case 7: from = (right - y, bottom - x)
                case 8: from = (right - y, x)
                default: from = (x, y)
                }
                result.pixels[y * result.width + x] = source.pixels[from.y * source.width + from.x]
            }
        }
        return result
    }
}
