// Formats of pictures, and their pages.

import FancyTextImages

/// Formats of picture files.
@nonexhaustive
public enum PictureFormat: Hashable, Sendable {
    /// Lossless, with the document's text as metadata.
    case png
    /// Without transparency: the background is white. The quality is 1 to 100.
    case jpeg(quality: Int = 85)
    /// The quality is 0 to 100; nil is lossless.
    case webp(quality: Int? = nil)
    /// Shapes and selectable text, with embedded glyphs. Effects that only pixels can show are embedded as pictures.
    case svg
    /// As SVG, on one page of the picture's size, or on several pages: those of `page`, else those of the document's `@page` rules
    /// if it has any.
    case pdf(page: PageSize? = nil)
}

extension Renderer {
    /// The document as a picture file's bytes. Linear in its pixels, or, for SVG and PDF, in its contents. The same document
    /// gives the same bytes with the same version of the format's library.
    ///
    /// - Throws: ``RenderError``; it is ``RenderError/encoding(_:)`` if the format's library is not installed, or if the picture
    ///   is larger than the format allows.
    public func picture(
        _ document: inout Document, as format: PictureFormat, _ options: RenderOptions = RenderOptions()
    ) throws(RenderError) -> [UInt8] {
        if case .pdf(let page) = format { return try pdf(&document, page, nil, options) }
        return try pictured(&document) { document throws(RenderError) in
            let hasMetadata = format == .png && options.writesMetadata
            let plan = try RenderPlan(
                &document, options, for: .picture(keepsText: format == .svg || hasMetadata), by: self)
            let list = try plan.displayList(of: &document)
            let metadata = hasMetadata ? try metadata(of: document, list, plan) : nil
            defer { document.reportFailures(of: plan.images) }
            return try bytes(of: list, as: format, plan, document, metadata)
        }
    }

    /// The pages of a document as a PDF file's bytes.
    ///
    /// - Parameters:
    ///   - document: The document, whose messages are kept in it.
    ///   - page: As in ``PictureFormat/pdf(page:)``.
    ///   - numbers: The pages of the file.
    ///   - options: The options of pictures.
    /// - Throws: ``RenderError``.
    public func pdf(
        _ document: inout Document, page: PageSize?, pages numbers: PageNumbers,
        _ options: RenderOptions = RenderOptions()
    ) throws(RenderError) -> [UInt8] { try pdf(&document, page, numbers, options) }

    /// The pixels on the renderer's canvas as the bytes of a JPEG or WebP file.
    func encodedCanvas(as format: PictureFormat, scale: Float) throws(RenderError) -> [UInt8] {
        let (width, height) = (canvas.width, canvas.height)
        do throws(ImageError) {
            return try canvas.withPixels { pixels in
                Result { () throws(ImageError) -> [UInt8] in
                    if case .webp(let quality) = format {
                        return try PictureEncoder.webp(pixels, width: width, height: height, quality: quality)
                    }
                    var quality = 85
                    if case .jpeg(let given) = format { quality = given }
                    return try PictureEncoder.jpeg(pixels, width: width, height: height, quality: quality, scale: scale)
                }
            }.get()
        } catch { throw .encoding("\(error)") }
    }
}
