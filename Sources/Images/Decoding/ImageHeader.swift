// Reads an image's format and size from its first bytes: enough for layout, and for refusing it before it is decoded.

import CFancyTextImageCodecs
import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup
import FancyTextPainting

package struct ImageHeader: Hashable, Sendable {
    package var format: ImageFormat
    /// The size in pixels as shown (after the orientation), or in CSS pixels for SVG. At least 1, at most 2²⁴.
    package var width, height: Int
    /// The known sides of its natural size; an SVG file may define neither.
    package private(set) var natural = NaturalDimensions(width: nil, height: nil)
    /// The background of an SVG document's root element (SVG 2 §8.2).
    package private(set) var background: Color?
    /// EXIF orientation 1–8 (JPEG, AVIF).
    package var orientation = 1

    /// Reads the header. The format is recognized by the bytes, whatever the file's name.
    ///
    /// - Parameter codec: the codec that reads SVG; nil reads it in this process.
    package init(_ data: [UInt8], codec: (any PictureCodec)? = nil) throws(ImageError) {
        guard let format = Self.sniff(data) else { throw .unknownFormat }
        self.format = format
        func big16(_ at: Int) -> Int { at + 1 < data.count ? Int(data[at]) << 8 | Int(data[at + 1]) : 0 }
        func big32(_ at: Int) -> Int { big16(at) << 16 | big16(at + 2) }
        func little16(_ at: Int) -> Int { at + 1 < data.count ? Int(data[at + 1]) << 8 | Int(data[at]) : 0 }
        switch format {
        case .png: (width, height) = (big32(16), big32(20))
        case .gif: (width, height) = (little16(6), little16(8))
        case .jpeg:
            (width, height) = (0, 0)
            readJPEG(data, big16)
        case .webp: (width, height) = Self.sizeOfWebP(data, little16)
        case .avif:
            let header = AVIFHeader(data)
            (width, height, orientation) = (header.width, header.height, header.orientation)
        case .svg:
            let lengths = try (codec ?? LocalPictureCodec()).size(ofSVG: data)
            func side(_ length: Double) -> Float? { length < 0 ? nil : Float(min(length, 1e6)) }
            let hasRatio = lengths.boxWidth > 0 && lengths.boxHeight > 0
            natural = NaturalDimensions(
                width: side(lengths.width), height: side(lengths.height),
                ratio: hasRatio ? Float(lengths.boxWidth / lengths.boxHeight) : nil)
            let size = natural.size(default: Size(width: 300, height: 150))
            background = Self.rootBackground(data)
            func whole(_ length: Float) -> Int { max(1, Int(bounded: length.rounded())) }
            (width, height) = (whole(size.width), whole(size.height))
        }
        guard width > 0, height > 0, width <= 1 << 24, height <= 1 << 24 else { throw .damaged(format) }
        if format != .svg { natural = NaturalDimensions(width: Float(width), height: Float(height)) }
    }

    /// The background colour in the root element's `style`.
    private static func rootBackground(_ data: [UInt8]) -> Color? {
        let head = String(decoding: data.prefix(4096), as: UTF8.self)
        guard head.contains("background"), let start = head.firstRange(of: "<svg") else { return nil }
        let tree = MarkupTree.parse(String(head[start.lowerBound...]))
        guard let root = tree.subtree(tree.root).first(where: { tree.tag($0) == .svg }),
            let style = tree.attribute(root, "style")
        else { return nil }
        let last = style.split(separator: ";").map { $0.split(separator: ":", maxSplits: 1) }.last { parts in
            parts.count == 2
                && ["background", "background-color"].contains(parts[0].filter { !$0.isWhitespace }.lowercased())
        }
        return last.flatMap { Color(css: String($0[1])) }
    }

    static func sniff(_ data: [UInt8]) -> ImageFormat? {
        func starts(_ bytes: [UInt8], at offset: Int = 0) -> Bool {
            data.count >= offset + bytes.count && data[offset..<offset + bytes.count].elementsEqual(bytes)
        }
        if starts([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if starts([0xFF, 0xD8, 0xFF]) { return .jpeg }
        if starts(Array("GIF87a".utf8)) || starts(Array("GIF89a".utf8)) { return .gif }
        if starts(Array("RIFF".utf8)) && starts(Array("WEBP".utf8), at: 8) { return .webp }
        if starts(Array("ftyp".utf8), at: 4) {
            // The box has a list of brands (ISO/IEC 14496-12 §4.3).
            let isAVIF = stride(from: 8, to: Int(data[3]), by: 4).contains { at in
                ["avif", "avis"].contains { starts(Array($0.utf8), at: at) }
            }
            return isAVIF ? .avif : nil
        }
        // SVG is XML: `<svg` may follow white space, a declaration, comments or a doctype.
        let head = String(decoding: data.prefix(4096), as: UTF8.self)
        let text = head.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if text.hasPrefix("<"), head.contains("<svg") || head.contains(":svg") { return .svg }
        return nil
    }

    /// The size in the first chunk: lossy (RFC 9649 §2.5, RFC 6386 §9.1), lossless (§3.4) or extended (§2.7); zero in others.
    private static func sizeOfWebP(_ data: [UInt8], _ little16: (Int) -> Int) -> (Int, Int) {
        guard data.count >= 25 else { return (0, 0) }
        func little24(_ at: Int) -> Int { little16(at) | little16(at + 2) & 0xFF << 16 }
        switch String(decoding: data[12..<16], as: UTF8.self) {
        case "VP8 ": return (little16(26) & 0x3FFF, little16(28) & 0x3FFF)
        case "VP8L":
            let bits = little16(21) | little16(23) << 16
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        case "VP8X": return (little24(24) + 1, little24(27) + 1)
        default: return (0, 0)
        }
    }

    /// Reads the markers up to the frame header (ITU T.81 §B.1.1.3), and the orientation if there is one.
    private mutating func readJPEG(_ data: [UInt8], _ big16: (Int) -> Int) {
        var at = 2
        while at + 4 <= data.count, data[at] == 0xFF {
            let length = big16(at + 2)
            switch data[at + 1] {
            case 0xFF: at += 1
            case 0x01, 0xD0...0xD8: at += 2
            case _ where length < 2: return
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                (height, width) = (big16(at + 5), big16(at + 7))
                if orientation > 4 { (width, height) = (height, width) }
                return
            case 0xE1:
                let block = data[min(at + 4, data.count)..<min(at + 2 + length, data.count)]
                orientation = Self.orientation(block) ?? orientation
                at += 2 + length
            default: at += 2 + length
            }
        }
    }

    /// The orientation tag of an EXIF block (TIFF 6.0 §2).
    private static func orientation(_ block: ArraySlice<UInt8>) -> Int? {
        let bytes = Array(block)
        guard bytes.count > 14, bytes.starts(with: Array("Exif\0\0".utf8)) else { return nil }
        let isLittle = bytes[6] == UInt8(ascii: "I")
        func number(_ at: Int, _ size: Int) -> Int {
            guard at >= 0, at + size <= bytes.count else { return 0 }
            let part = bytes[at..<at + size]
            return (isLittle ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
        }
        let directory = 6 + number(10, 4)
        let entries = (0..<min(number(directory, 2), 256)).map { directory + 2 + $0 * 12 }
        let value = entries.first { number($0, 2) == 0x0112 }.map { number($0 + 8, 2) }
        return value.flatMap { (1...8).contains($0) ? $0 : nil }
    }
}

package enum ImageError: Error, Hashable, Sendable, CustomStringConvertible {
    case unknownFormat
    case damaged(ImageFormat)
    case tooLarge(width: Int, height: Int, limit: Int)
    case libraryMissing(ImageFormat)
    case invalidDataURI
    case notFound
    case unreadable
    case isFolder
    case outsideBaseDirectory
    /// A name of a file in a text that may not name files, or has no folder.
    case noBaseDirectory
    case networkNotAllowed
    case fetchFailed(String)
    case impossibleSize(ImageFormat, largest: Int)
    case notEncoded(ImageFormat)
    /// An SVG file that exceeds a limit, with the reason in words.
    case tooCostly(String)
    /// An SVG file with features that have no effect.
    case partlyDrawn([String])
    case overBudget(Budget)

    package var description: String {
        switch self {
        case .unknownFormat: "not an image of a known format (PNG, JPEG, WebP, AVIF, GIF, SVG)"
        case .damaged(let format): "damaged \(format) image"
        case .tooLarge(let width, let height, let limit): "\(width)×\(height) pixels are over the limit of \(limit)"
        case .libraryMissing(let format): "the library for \(format) images is not installed"
        case .invalidDataURI: "malformed data: URI"
        case .notFound: "no such file"
        case .unreadable: "cannot be read"
        case .isFolder: "is a folder"
        case .outsideBaseDirectory: "is outside of the base directory"
        case .noBaseDirectory: "there is no base directory for the names of files"
        case .networkNotAllowed: "the network may not be used"
        case .fetchFailed(let reason): "cannot be fetched: \(reason)"
        case .impossibleSize(let format, let largest):
            "a \(format) picture has at most \(largest) pixels a side; PNG may have more"
        case .tooCostly(let reason): "not drawn: \(reason)"
        case .partlyDrawn(let features): "\(features.joined(separator: ", ")) has no effect in a picture file"
        case .overBudget(let budget): "the document may not have more \(budget.counts)"
        case .notEncoded(let format): "not enough memory for the \(format) picture"
        }
    }

    package var code: Diagnostic.Code {
        switch self {
        case .tooLarge: .imageTooLarge
        case .outsideBaseDirectory, .noBaseDirectory: .imageOutsideFolder
        case .networkNotAllowed: .networkNotAllowed
        case .unknownFormat, .damaged, .libraryMissing, .invalidDataURI, .notFound, .unreadable, .isFolder,
            .fetchFailed, .impossibleSize, .notEncoded:
            .missingImage
        case .tooCostly: .imageTooCostly
        case .partlyDrawn: .noEffect
        case .overBudget(let budget): budget.code
        }
    }

    static func check(_ status: Int32, _ format: ImageFormat) throws(ImageError) {
        if status != CIMAGE_OK { throw status == CIMAGE_MISSING ? .libraryMissing(format) : .damaged(format) }
    }
}
