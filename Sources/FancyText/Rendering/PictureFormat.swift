// Pictures in other formats than PNG.

import Images

/// Formats of picture files.
public enum PictureFormat: Hashable, Sendable {
    /// Without loss; with the document's text inside.
    case png
    /// Without transparency: what is transparent shows white. The quality is 1 to 100.
    case jpeg(quality: Int = 85)
    /// The quality is 0 to 100; nil is without loss.
    case webp(quality: Int? = nil)
}

extension Renderer {
    /// The document as a picture file's bytes. Linear in its pixels. The same document gives the same bytes with the same
    /// version of the format's library.
    ///
    /// - Throws: ``RenderError``; ``RenderError/encoding(_:)`` where the library of the format is not installed, or the picture is
    ///   larger than the format can be.
    public func picture(
        _ document: inout Document, as format: PictureFormat, _ options: RenderOptions = RenderOptions()
    ) throws(RenderError) -> [UInt8] {
        if format == .png { return try png(&document, options) }
        try paint(&document, options)
        let (width, height) = (canvas.width, canvas.height)
        do throws(ImageError) {
            return try canvas.withPixels { pixels in
                Result { () throws(ImageError) -> [UInt8] in
                    switch format {
                    case .png: []
                    case .jpeg(let quality):
                        try PictureEncoder.jpeg(
                            pixels, width: width, height: height, quality: quality, scale: options.scale)
                    case .webp(let quality):
                        try PictureEncoder.webp(pixels, width: width, height: height, quality: quality)
                    }
                }
            }.get()
        } catch {
            throw .encoding("\(error)")
        }
    }
}
