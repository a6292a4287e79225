// Encodes premultiplied pixels as JPEG and WebP files, with the libraries that also read them.

import CFancyTextImageCodecs
import FancyTextPainting

package enum PictureEncoder {
    /// Both formats store a side in 16 bits or less.
    private static let largestJPEG = 65_500
    private static let largestWebP = 16_383

    /// A JPEG file; transparent areas become white.
    ///
    /// Colours keep their full resolution if it has sharp edges between them, such as coloured text. The bytes are always the same.
    ///
    /// - Parameters:
    ///   - quality: 1 to 100.
    ///   - scale: Device pixels for each CSS pixel, stored in the file as its density.
    package static func jpeg(
        _ pixels: UnsafeBufferPointer<UInt32>, width: Int, height: Int, quality: Int, scale: Float
    ) throws(ImageError) -> [UInt8] {
        try check(width, height, pixels, .jpeg, largest: largestJPEG)
        let hasFullChroma = hasSharpColors(pixels, width: width, height: height)
        return try file(.jpeg) { file, size in
            cimage_jpeg_encode(
                bytes(pixels), Int32(width), Int32(height), Int32(max(1, min(100, quality))), hasFullChroma ? 1 : 0,
                max(1, Int32(bounded: (96 * scale).rounded(), by: 65_535)), file, size)
        }
    }

    /// A WebP file.
    ///
    /// - Parameter quality: 0 to 100; nil for lossless.
    package static func webp(
        _ pixels: UnsafeBufferPointer<UInt32>, width: Int, height: Int, quality: Int?
    ) throws(ImageError) -> [UInt8] {
        try check(width, height, pixels, .webp, largest: largestWebP)
        let straight = pixels.map { pixel -> UInt32 in
            let alpha = pixel >> 24
            if alpha == 255 || alpha == 0 { return pixel }
            let color = Pixel.straight(pixel)
            return UInt32(color.red) | UInt32(color.green) << 8 | UInt32(color.blue) << 16 | alpha << 24
        }
        return try straight.withUnsafeBufferPointer { straight throws(ImageError) in
            try file(.webp) { file, size in
                cimage_webp_encode(
                    bytes(straight), Int32(width), Int32(height), quality.map { Float(max(0, min(100, $0))) } ?? -1,
                    file, size)
            }
        }
    }

    private static func check(
        _ width: Int, _ height: Int, _ pixels: UnsafeBufferPointer<UInt32>, _ format: ImageFormat, largest: Int
    ) throws(ImageError) {
        guard width > 0, height > 0, pixels.count >= width * height, width <= largest, height <= largest
        else { throw .impossibleSize(format, largest: largest) }
    }

    private static func bytes(_ pixels: UnsafeBufferPointer<UInt32>) -> UnsafePointer<UInt8>? {
        UnsafeRawPointer(pixels.baseAddress)?.assumingMemoryBound(to: UInt8.self)
    }

    private static func file(
        _ format: ImageFormat,
        _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int>) -> Int32
    ) throws(ImageError) -> [UInt8] {
        var file: UnsafeMutablePointer<UInt8>?
        var size = 0
        let status = encode(&file, &size)
        if status == CIMAGE_MISSING { throw .libraryMissing(format) }
        guard status == CIMAGE_OK, let file else { throw .notEncoded(format) }
        defer { cimage_free(file) }
        return Array(UnsafeBufferPointer(start: file, count: size))
    }

    /// Returns whether more than one pixel in 500 differs from the one before it in hue rather than lightness. Photos do not.
    private static func hasSharpColors(_ pixels: UnsafeBufferPointer<UInt32>, width: Int, height: Int) -> Bool {
        func tints(_ pixel: UInt32) -> (Int32, Int32) {
            let green = Int32((pixel >> 8) & 255)
            return (Int32(pixel & 255) - green, Int32((pixel >> 16) & 255) - green)
        }
        var rest = width * height / 500
        for row in 0..<height {
            var last = pixels[row * width]
            var lastTints = tints(last)
            for pixel in pixels[row * width..<(row + 1) * width] where pixel != last {
                let next = tints(pixel)
                if abs(next.0 - lastTints.0) + abs(next.1 - lastTints.1) > 96 {
                    rest -= 1
                    if rest < 0 { return true }
                }
                (last, lastTints) = (pixel, next)
            }
        }
        return false
    }
}
