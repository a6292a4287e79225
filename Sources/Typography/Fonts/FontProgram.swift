// Fonts as files that carry them need them.

import CTextLibraries
import Styling

/// The program of a font: what draws its glyphs at any size.
package struct FontProgram {
    /// Equal for fonts that differ only in size and synthetic styles.
    package struct Key: Hashable {
        private let face: ObjectIdentifier
        private let variations: [FontVariation]

        fileprivate init(_ instance: FontInstance) {
            face = ObjectIdentifier(instance.face)
            variations = instance.variations
        }
    }

    package let key: Key
    package let family: String
    /// CSS pixels per em.
    package let size: Float
    /// Synthetic bold: how much wider strokes become, in CSS pixels; 0 for none.
    package let emboldening: Float
    /// Synthetic italic: the tangent of the slant.
    package let slant: Float
    package let isScalable: Bool
    /// Glyphs are pictures, or layers of colours.
    package let hasColor: Bool
    /// The places of all axes in 16.16 fixed point, in the font's order; empty for a font without axes.
    package let coordinates: [Int]
    private let face: FontFace

    fileprivate init(_ instance: FontInstance) {
        key = Key(instance)
        face = instance.face
        family = face.family
        size = instance.size
        emboldening = instance.isEmboldened ? instance.size * Synthesis.emboldening : 0
        slant = instance.isSlanted ? Synthesis.slant : 0
        isScalable = face.isScalable
        hasColor = face.hasColor
        coordinates = face.axes.map { axis in
            fixed16(instance.variations.last { $0.tag == axis.tag }?.value ?? axis.standard)
        }
    }

    /// What the bytes of ``file`` belong to.
    package var owner: AnyObject { face.file }

    /// The font file's bytes and which of its faces it is.
    package var file: (bytes: UnsafeRawPointer, count: Int, index: Int) { (face.file.bytes, face.file.count, face.index) }
}

extension FontContext {
    package func program(of font: FontID) -> FontProgram { FontProgram(instances[Int(font.rawValue)]) }

    /// The character that a glyph stands for by the font's character map; nil when it stands for none. The first call looks at
    /// all characters of the font.
    package func character(of glyph: UInt32, font: FontID) -> UInt32? {
        instances[Int(font.rawValue)].face.scalars[glyph]
    }

    /// How far a glyph moves the next one by the font's own measure, in CSS pixels.
    package func advance(of glyph: UInt32, font: FontID) -> Float {
        let instance = instances[Int(font.rawValue)]
        return Float(libraries.harfbuzz.pointee.fontAdvance(instance.shaper, glyph)) / 65536
    }
}
