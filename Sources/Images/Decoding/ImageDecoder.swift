// Decodes an image file into premultiplied pixels.

import FancyTextPainting
import FancyTextStyling

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
        guard width <= 1 << 24, height <= 1 << 24, width * height <= limit else {
            throw .tooLarge(width: width, height: height, limit: limit)
        }
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
