// The interface of font files to the rest of the program.

/// A typeface: a font file with axis values and synthetic styles. Equal for fonts whose outlines differ only in size.
package struct FontProgram: Hashable {
    private let face: ObjectIdentifier
    private var settings: FontSettings

    fileprivate init(_ instance: FontInstance) {
        face = ObjectIdentifier(instance.face)
        settings = instance.settings
        settings.size = 0
    }
}

extension FontContext {
    package func program(of font: FontID) -> FontProgram { FontProgram(instances[Int(font.rawValue)]) }

    /// Returns whether the font's glyphs have outlines of one colour: they are neither pictures nor layers of colours.
    package func hasPlainOutlines(_ font: FontID) -> Bool {
        let face = instances[Int(font.rawValue)].face
        return face.isScalable && !face.hasColor
    }

    /// The character that maps to a glyph in the font's character map; nil for none. The first call reads the whole map.
    package func character(of glyph: UInt32, font: FontID) -> UInt32? {
        instances[Int(font.rawValue)].face.scalars[glyph]
    }

    /// The advance of a glyph in CSS pixels.
    package func advance(of glyph: UInt32, font: FontID) -> Float { instances[Int(font.rawValue)].advance(glyph) }
}
