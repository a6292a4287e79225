// The interface of font files to the rest of the program.

import FancyTextStyling

/// A font without its size.
package struct FontProgram {
    /// Equal for fonts whose outlines differ only in size.
    package struct Key: Hashable {
        private let face: ObjectIdentifier
        private let variations: [FontVariation]
        private let isEmboldened, isSlanted: Bool

        fileprivate init(_ instance: FontInstance) {
            face = ObjectIdentifier(instance.face)
            variations = instance.variations
            (isEmboldened, isSlanted) = (instance.isEmboldened, instance.isSlanted)
        }
    }

    package let key: Key
    /// CSS pixels per em.
    package let size: Float
    /// Its glyphs have outlines of one colour: they are neither pictures nor layers of colours.
    package let hasPlainOutlines: Bool
}

extension FontContext {
    package func program(of font: FontID) -> FontProgram {
        let instance = instances[Int(font.rawValue)]
        return FontProgram(
            key: FontProgram.Key(instance), size: instance.size,
            hasPlainOutlines: instance.face.isScalable && !instance.face.hasColor)
    }

    /// The character that a glyph stands for by the font's character map; nil when it stands for none. The first call
    /// looks at all characters of the font.
    package func character(of glyph: UInt32, font: FontID) -> UInt32? {
        instances[Int(font.rawValue)].face.scalars[glyph]
    }

    /// How far a glyph moves the next one by the font's own measure, in CSS pixels.
    package func advance(of glyph: UInt32, font: FontID) -> Float {
        instances[Int(font.rawValue)].advance(glyph)
    }
}
