// Formats of pictures, and their pages.

import FancyTextBasics
import FancyTextImages
import FancyTextStyling
import FancyTextOutputs
import FancyTextPainting

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
    /// As SVG, on one page of the picture's size, or on several pages.
    case pdf(page: PageSize? = nil)
}

/// The size of printed pages, for documents that take several. Lengths are CSS pixels, 96 per inch.
public struct PageSize: Hashable, Sendable {
    /// The width of the page.
    public var width: Float
    /// The height of the page.
    public var height: Float
    /// The margin around the document on every page.
    public var margin: Float = 48
    /// The width that the document is laid out in, which is scaled to the page without its margins; nil does not scale.
    public var documentWidth: Float?

    /// Creates a page of any size.
    public init(width: Float, height: Float, margin: Float = 48) {
        self.width = width
        self.height = height
        self.margin = margin
    }

    /// Creates a page from a size in millimetres.
    private init(millimetres width: Float, _ height: Float) {
        self.init(width: width / 25.4 * 96, height: height / 25.4 * 96)
    }

    /// The millimetres of one side; `nil` if it is not a length from 10 to 5,000 mm.
    private static func millimetres(_ text: Substring) -> Float? {
        let text = String(text)
        guard let length = Double(text) ?? AbsoluteLength.pixels(text).map({ $0 / 96 * 25.4 }),
            (10...5000).contains(length)
        else { return nil }
        return Float(length)
    }

    /// `A3`, `A4`, `A5`, `letter`, `legal`, or `WIDTHxHEIGHT` in millimetres or with CSS's absolute units, as in `4inx6in`;
    /// `nil` for anything else.
    public init?(_ name: String) {
        switch name.lowercased() {
        case "a3": self.init(millimetres: 297, 420)
        case "a4": self.init(millimetres: 210, 297)
        case "a5": self.init(millimetres: 148, 210)
        case "letter": self.init(millimetres: 215.9, 279.4)
        case "legal": self.init(millimetres: 215.9, 355.6)
        default:
            // The unit px also contains an x.
            let cuts = name.indices.filter { name[$0] == "x" || name[$0] == "X" }
            let sizes = cuts.compactMap { cut -> (Float, Float)? in
                guard let width = Self.millimetres(name[..<cut]),
                    let height = Self.millimetres(name[name.index(after: cut)...])
                else { return nil }
                return (width, height)
            }
            guard let (width, height) = sizes.first else { return nil }
            self.init(millimetres: width, height)
        }
    }
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
        switch format {
        case .png: return try png(&document, options)
        case .svg: return try pictured(&document) { document throws(RenderError) in try svg(&document, options) }
        case .pdf(let page):
            return try pictured(&document) { document throws(RenderError) in try pdf(&document, page, options) }
        case .jpeg(let quality):
            return try pixels(of: &document, options) { pixels, width, height throws(ImageError) in
                try PictureEncoder.jpeg(pixels, width: width, height: height, quality: quality, scale: options.scale)
            }
        case .webp(let quality):
            return try pixels(of: &document, options) { pixels, width, height throws(ImageError) in
                try PictureEncoder.webp(pixels, width: width, height: height, quality: quality)
            }
        }
    }

    private func pixels(
        of document: inout Document, _ options: RenderOptions,
        _ encode: (UnsafeBufferPointer<UInt32>, Int, Int) throws(ImageError) -> [UInt8]
    ) throws(RenderError) -> [UInt8] {
        try paint(&document, options)
        let (width, height) = (canvas.width, canvas.height)
        do throws(ImageError) {
            return try canvas.withPixels { pixels in
                Result { () throws(ImageError) -> [UInt8] in try encode(pixels, width, height) }
            }.get()
        } catch {
            throw .encoding("\(error)")
        }
    }
}
