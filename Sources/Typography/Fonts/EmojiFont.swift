// Makes a font of a folder of pictures named by code points, the form in which emoji sets are published. It has a glyph without
// outlines for each picture, so line breaking and fallback treat it like any emoji font.

import FancyTextBasics

/// Decodes a picture file, on the baseline; vector pictures with `side` pixels on the longer side. nil for other files.
package typealias PictureDecoder = @Sendable (_ path: String, _ side: Int) -> GlyphMask?

/// The pictures of a folder, each the picture of a glyph.
final class EmojiFont {
    /// The OpenType font.
    private(set) var file: [UInt8] = []
    private let decode: PictureDecoder
    private var paths: [UInt32: String] = [:]
    /// The glyph of each sequence of code points, and the length of the longest one.
    private var glyphs: [[UInt32]: UInt32] = [:]
    private let longest: Int

    static let variationSelector: UInt32 = 0xFE0F
    /// The size that publishers recommend beside text: as high as the font, a tenth below the baseline, space at both sides.
    private static let advance: Float = 1.15
    private static let left: Float = 0.1, descent: Float = 0.1

    /// The font of a folder's pictures; nil if no file is named by code points.
    init?(folder: String, decode: @escaping PictureDecoder) {
        guard let names = fileNames(inFolder: folder) else { return nil }
        var pictures: [[UInt32]: String] = [:]
        // If both formats exist, the SVG file is used: it sorts after the PNG file.
        for name in names {
            if let sequence = Self.sequence(of: name) { pictures[sequence] = folder + "/" + name }
        }
        guard !pictures.isEmpty else { return nil }
        (self.decode, longest) = (decode, pictures.keys.map(\.count).max() ?? 0)
        var font = GlyphFont()
        for sequence in pictures.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            guard let glyph = font.add(Path(), advance: Self.advance * GlyphFont.unitsPerEm) else { return nil }
            glyphs[sequence] = UInt32(glyph)
            paths[UInt32(glyph)] = pictures[sequence]
            if sequence.count == 1 { font.map(sequence[0], to: glyph) }
        }
        // Characters that appear only in sequences, and the emoji variation selector, have no advance.
        for scalar in Set(pictures.keys.joined() + [Self.variationSelector]).sorted()
        where font.glyph(for: scalar) == nil {
            guard let glyph = font.add(Path(), advance: 0) else { return nil }
            font.map(scalar, to: glyph)
        }
        file = font.file(named: "Emoji")
    }

    /// The glyph of the longest sequence that the code points begin with, and its length; nil for none.
    func glyph(of scalars: ArraySlice<UInt32>) -> (glyph: UInt32, length: Int)? {
        for length in stride(from: min(longest, scalars.count), to: 0, by: -1) {
            if let glyph = glyphs[Array(scalars.prefix(length))] { return (glyph, length) }
        }
        return nil
    }

    /// The picture of a glyph in a font whose em is `em` device pixels.
    func mask(_ glyph: UInt32, em: Float, subpixel: Int) -> GlyphMask? {
        let side = Int(bounded: em.rounded())
        guard side > 0, side <= 4096, let path = paths[glyph], let own = decode(path, side) else { return nil }
        // The picture's longer side becomes the height of the font.
        let factor = Float(side) / Float(max(own.width, own.height))
        guard let scaled = factor == 1 ? own : own.scaled(by: factor) else { return nil }
        let room = (across: (side - scaled.width) / 2, up: (side - scaled.height) / 2)
        return GlyphMask(
            left: Int(bounded: (em * Self.left + Float(subpixel) / 4).rounded()) + room.across,
            top: side - Int(bounded: (em * Self.descent).rounded()) - room.up, width: scaled.width,
            height: scaled.height, isColor: scaled.isColor, pixels: scaled.pixels)
    }

    /// The code points in a name such as `emoji_u1f468_200d_1f4bb.png`, without variation selectors; nil for other names.
    static func sequence(of name: String) -> [UInt32]? {
        let name = name.lowercased()
        guard name.hasSuffix(".svg") || name.hasSuffix(".png") else { return nil }
        let prefix = ["emoji_u", "emoji-u", "emoji_", "u+", "u"].first(where: name.hasPrefix) ?? ""
        let parts = name.dropLast(4).dropFirst(prefix.count).split(whereSeparator: { $0 == "-" || $0 == "_" })
        let scalars = parts.compactMap { part in
            (2...6).contains(part.count) ? UInt32(part, radix: 16).flatMap { Unicode.Scalar($0)?.value } : nil
        }
        guard scalars.count == parts.count, (1...32).contains(scalars.count) else { return nil }
        let kept = scalars.filter { $0 != variationSelector }
        return kept.isEmpty ? nil : kept
    }
}
