// The interface of font files to the rest of the program.

/// A typeface: a font file and a set of axis values and synthetic styles, at no particular size.
package struct FontProgram {
    /// A key that is equal for fonts whose outlines differ only in size.
    package struct Key: Hashable {
        private let face: ObjectIdentifier
        private var settings: FontSettings

        fileprivate init(_ instance: FontInstance) {
            face = ObjectIdentifier(instance.face)
            settings = instance.settings
            settings.size = 0
        }
    }

    package let key: Key
    /// CSS pixels per em.
    package let size: Float
    /// True if its glyphs have outlines of one colour: they are neither pictures nor layers of colours.
    package let hasPlainOutlines: Bool
}

extension FontContext {
    package func program(of font: FontID) -> FontProgram {
        let instance = instances[Int(font.rawValue)]
        return FontProgram(
            key: FontProgram.Key(instance), size: instance.size,
            hasPlainOutlines: instance.face.isScalable && !instance.face.hasColor)
    }

    /// The character that maps to a glyph in the font's character map; nil for none. The first call reads the whole map.
    package func character(of glyph: UInt32, font: FontID) -> UInt32? {
        instances[Int(font.rawValue)].face.scalars[glyph]
    }

    package func advance(of glyph: UInt32, font: FontID) -> Float {
        instances[Int(font.rawValue)].advance(glyph)
    }
}
