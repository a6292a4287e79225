// Makes a font of a folder of pictures named by code points, the form in which emoji sets are published.
//
// The font has a glyph for each picture, and substitutions that turn each sequence into one glyph. So shaping, line breaking and
// fallback treat it like any emoji font. Its glyphs have no outlines; a picture is read when it is drawn.

import FancyTextBasics
import FancyTextPlatform

/// A picture in memory: premultiplied BGRA, row by row.
package struct DecodedPicture: Sendable {
    package var width, height: Int
    package var pixels: [UInt8]

    package init(width: Int, height: Int, pixels: [UInt8]) {
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }
}

/// Decodes a picture file; vector pictures are drawn `side` pixels wide and high. nil if the file is not a picture.
package typealias PictureDecoder = @Sendable (_ path: String, _ side: Int) -> DecodedPicture?

/// The pictures of a font's glyphs.
final class GlyphPictures {
    /// The path of each glyph's picture.
    let paths: [UInt32: String]
    private let decode: PictureDecoder

    init(paths: [UInt32: String], decode: @escaping PictureDecoder) {
        self.paths = paths
        self.decode = decode
    }

    /// The size that publishers recommend for emoji beside text: as high as the font, a tenth of it below the baseline, with
    /// space at both sides.
    static let advance: Float = 1.15
    private static let left: Float = 0.1
    private static let descent: Float = 0.1

    /// The picture of a glyph in a font whose em is `em` device pixels.
    func mask(_ glyph: UInt32, em: Float, subpixel: Int) -> GlyphMask? {
        let side = Int(bounded: em.rounded())
        guard side > 0, side <= 4096, let path = paths[glyph], let picture = decode(path, side), picture.width > 0,
            picture.height > 0, picture.pixels.count >= picture.width * picture.height * 4
        else { return nil }
        let own = GlyphMask(
            left: 0, top: picture.height, width: picture.width, height: picture.height, stride: picture.width * 4,
            isColor: true, pixels: picture.pixels)
        // The picture's longer side becomes the height of the font.
        let factor = Float(side) / Float(max(picture.width, picture.height))
        guard let scaled = factor == 1 ? own : own.scaled(by: factor) else { return nil }
        let room = (across: (side - scaled.width) / 2, up: (side - scaled.height) / 2)
        return scaled.moved(
            left: Int(bounded: (em * Self.left + Float(subpixel) / 4).rounded()) + room.across,
            top: side - Int(bounded: (em * Self.descent).rounded()) - room.up)
    }
}

/// An emoji font under construction.
struct EmojiFont {
    /// The OpenType font.
    let file: [UInt8]
    /// The picture of each glyph.
    let paths: [UInt32: String]

    private static let variationSelector: UInt32 = 0xFE0F

    /// The font of a folder's pictures; nil if no file is named by code points.
    init?(folder: String) {
        guard let names = fileNames(inFolder: folder) else { return nil }
        var pictures: [[UInt32]: String] = [:]
        // If both formats exist, the SVG file is used: it sorts after the PNG file.
        for name in names {
            if let sequence = Self.sequence(of: name) { pictures[sequence] = folder + "/" + name }
        }
        self.init(pictures)
    }

    /// - Parameter pictures: paths by sequences without variation selectors.
    private init?(_ pictures: [[UInt32]: String]) {
        guard !pictures.isEmpty else { return nil }
        let sequences = pictures.keys.sorted { $0.lexicographicallyPrecedes($1) }
        var font = GlyphFont()
        var glyphs: [[UInt32]: UInt16] = [:]
        var paths: [UInt32: String] = [:]
        for sequence in sequences {
            let advance = GlyphPictures.advance * GlyphFont.unitsPerEm
            guard let glyph = font.add(Path(), advance: advance) else { return nil }
            glyphs[sequence] = glyph
            paths[UInt32(glyph)] = pictures[sequence]
            if sequence.count == 1 { font.map(sequence[0], to: glyph) }
        }
        // Characters that appear only in sequences, and the emoji variation selector, have no advance.
        for scalar in Set(sequences.joined()).sorted() where font.glyph(for: scalar) == nil {
            if let glyph = font.add(Path(), advance: 0) { font.map(scalar, to: glyph) }
        }
        guard let selector = font.add(Path(), advance: 0) else { return nil }
        font.map(Self.variationSelector, to: selector)
        var withSelector: [[UInt16]: UInt16] = [:]
        var joined: [[UInt16]: UInt16] = [:]
        for scalar in Set(sequences.joined()).sorted() {
            if let glyph = font.glyph(for: scalar) { withSelector[[glyph, selector]] = glyph }
        }
        for sequence in sequences where sequence.count > 1 {
            joined[sequence.compactMap { font.glyph(for: $0) }] = glyphs[sequence]
        }
        file = font.file(named: "Emoji", substitutions: Ligatures.table([withSelector, joined]))
        self.paths = paths
    }

    /// The code points in a file's name, without variation selectors, such as `1f600.svg`, `emoji_u1f468_200d_1f4bb.png`,
    /// `1F468-200D-1F4BB.svg`. nil for other names.
    static func sequence(of name: String) -> [UInt32]? {
        let name = name.lowercased()
        guard name.hasSuffix(".svg") || name.hasSuffix(".png") else { return nil }
        var stem = name.dropLast(4)
        for prefix in ["emoji_u", "emoji-u", "emoji_", "u+", "u"] where stem.hasPrefix(prefix) {
            stem = stem.dropFirst(prefix.count)
            break
        }
        let parts = stem.split(whereSeparator: { $0 == "-" || $0 == "_" })
        let scalars = parts.compactMap { part -> UInt32? in
            guard (2...6).contains(part.count), let value = UInt32(part, radix: 16), Unicode.Scalar(value) != nil else {
                return nil
            }
            return value
        }
        guard scalars.count == parts.count, (1...32).contains(scalars.count) else { return nil }
        let kept = scalars.filter { $0 != variationSelector }
        return kept.isEmpty ? nil : kept
    }
}

/// OpenType's `GSUB` table with only ligatures.
enum Ligatures {
    /// - Parameter lookups: for each lookup, the glyph for each sequence of two or more.
    static func table(_ lookups: [[[UInt16]: UInt16]]) -> [UInt8] {
        let tables = lookups.filter { !$0.isEmpty }.map(subtables)
        var bytes = FontBytes()
        for value in [1, 0, 10, 30, 44] { bytes.put16(value) }
        // The default script with one feature, which always applies.
        bytes.put16(1)
        bytes.bytes += Array("DFLT".utf8)
        for value in [8, 4, 0, 0, 0xFFFF, 1, 0] { bytes.put16(value) }
        bytes.put16(1)
        bytes.bytes += Array("ccmp".utf8)
        for value in [8, 0, tables.count] { bytes.put16(value) }
        for index in tables.indices { bytes.put16(index) }
        // The list of lookups follows at once.
        let listPlace = bytes.bytes.count
        bytes.bytes[8] = UInt8(listPlace >> 8)
        bytes.bytes[9] = UInt8(listPlace & 255)
        bytes.put16(tables.count)
        // Each lookup refers to its subtables by extensions, whose offsets have 32 bits.
        let heads = tables.map { 6 + 2 * $0.count + 8 * $0.count }
        var head = 2 + 2 * tables.count
        for size in heads {
            bytes.put16(head)
            head += size
        }
        let listSize = head
        var data: [UInt8] = []
        for parts in tables {
            for value in [7, 0, parts.count] { bytes.put16(value) }
            for index in parts.indices { bytes.put16(6 + 2 * parts.count + 8 * index) }
            for part in parts {
                let place = bytes.bytes.count - listPlace
                bytes.put16(1)
                bytes.put16(4)
                bytes.put32(listSize + data.count - place)
                data += part
            }
        }
        return bytes.bytes + data
    }

    /// Ligature substitutions (lookup type 4), split so that offsets fit in 16 bits.
    private static func subtables(_ ligatures: [[UInt16]: UInt16]) -> [[UInt8]] {
        let sets = Dictionary(grouping: ligatures) { $0.key[0] }.sorted { $0.key < $1.key }
        var result: [[UInt8]] = []
        var firsts: [UInt16] = []
        var bodies: [[UInt8]] = []
        var size = 0
        func finish() {
            guard !firsts.isEmpty else { return }
            var bytes = FontBytes()
            let coverage = 6 + 2 * firsts.count
            for value in [1, coverage, firsts.count] { bytes.put16(value) }
            var place = coverage + 4 + 2 * firsts.count
            for body in bodies {
                bytes.put16(place)
                place += body.count
            }
            for value in [1, firsts.count] { bytes.put16(value) }
            for first in firsts { bytes.put16(Int(first)) }
            result.append(bytes.bytes + bodies.joined())
            (firsts, bodies, size) = ([], [], 0)
        }
        for (first, entries) in sets {
            // Longer sequences come first, because the first match is used.
            let ordered = entries.sorted {
                $0.key.count != $1.key.count ? $0.key.count > $1.key.count : $0.key.lexicographicallyPrecedes($1.key)
            }
            var body = FontBytes()
            body.put16(ordered.count)
            var place = 2 + 2 * ordered.count
            for entry in ordered {
                body.put16(place)
                place += 4 + 2 * (entry.key.count - 1)
            }
            for entry in ordered {
                body.put16(Int(entry.value))
                body.put16(entry.key.count)
                for glyph in entry.key.dropFirst() { body.put16(Int(glyph)) }
            }
            if size + body.bytes.count > 50_000 || firsts.count >= 2000 { finish() }
            firsts.append(first)
            bodies.append(body.bytes)
            size += body.bytes.count
        }
        finish()
        return result
    }
}
