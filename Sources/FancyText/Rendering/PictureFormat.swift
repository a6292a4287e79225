// Pictures in other formats than PNG.

import FancyTextBasics
import FancyTextImages
import FancyTextStyling
import FancyTextOutputs
import FancyTextPainting

/// Formats of picture files.
public enum PictureFormat: Hashable, Sendable {
    /// Without loss; with the document's text inside.
    case png
    /// Without transparency: what is transparent shows white. The quality is 1 to 100.
    case jpeg(quality: Int = 85)
    /// The quality is 0 to 100; nil is without loss.
    case webp(quality: Int? = nil)
    /// Shapes and text that can be selected, with the glyphs that are used. What only pixels can show is a picture inside.
    case svg
    /// As SVG, on one page as large as the picture, or on pages of paper.
    case pdf(page: PageSize? = nil)
}

/// Pages of paper, for documents that are longer than one. Lengths are CSS pixels, 96 to the inch.
public struct PageSize: Hashable, Sendable {
    /// Of the paper.
    public var width: Float
    /// Of the paper.
    public var height: Float
    /// Around the document on every page.
    public var margin: Float = 48
    /// The width that the document is laid out in, scaled to what the margins leave; nil is just that.
    public var documentWidth: Float?

    /// Paper of any size.
    public init(width: Float, height: Float, margin: Float = 48) {
        self.width = width
        self.height = height
        self.margin = margin
    }

    /// Paper of a size in millimetres.
    private init(millimetres width: Float, _ height: Float) {
        self.init(width: width / 25.4 * 96, height: height / 25.4 * 96)
    }

    /// The millimetres of one side; `nil` where it is no length from 10 to 5,000 mm.
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
            // The unit px has the same letter.
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
    /// The document as a picture file's bytes. Linear in its pixels, or, for SVG and PDF, in what is on it. The same
    /// document gives the same bytes with the same version of the format's library.
    ///
    /// - Throws: ``RenderError``; ``RenderError/encoding(_:)`` where the library of the format is not installed, or the
    ///   picture is larger than the format can be.
    public func picture(
        _ document: inout Document, as format: PictureFormat, _ options: RenderOptions = RenderOptions()
    ) throws(RenderError) -> [UInt8] {
        switch format {
        case .png: return try png(&document, options)
        case .svg: return try timed(&document) { document throws(RenderError) in try svg(&document, options) }
        case .pdf(let page):
            return try timed(&document) { document throws(RenderError) in try pdf(&document, page, options) }
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
