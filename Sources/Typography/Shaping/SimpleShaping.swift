// Which items need no HarfBuzz.
//
// In: an item of text with its font and features. Out: its glyphs by `SimpleFont`, or that HarfBuzz has to shape it.

import Basics
import CTextLibraries

extension FontContext {
    /// Shapes an item without HarfBuzz; false, and nothing is done, where that is not possible.
    func shapeSimply(
        _ item: ShapingItem, _ font: FontInstance, _ chain: FontChain, _ text: UnsafeBufferPointer<UInt8>,
        _ glyphs: inout [ShapedGlyph]
    ) -> Bool {
        guard let simple = font.simple, item.script == Itemizer.latin, !item.isRightToLeft else { return false }
        var kerns = true
        for feature in item.span.letterSpacing != 0 ? chain.featuresWithoutLigatures : chain.features {
            if feature.tag == openTypeTag("kern") {
                kerns = feature.value != 0
            } else if simple.face.substitutionFeatures.contains(feature.tag)
                || simple.face.positioningFeatures.contains(feature.tag)
            {
                return false
            }
        }
        let first = glyphs.count
        guard simple.shape(text, item.range, kerns: kerns, slots: &simpleSlots, into: &glyphs) else { return false }
        for position in first..<glyphs.count { noteAhead(glyphs[position].id, of: font) }
        return true
    }

    /// Whether a text has no characters but those that `SimpleFace` knows. Linear.
    package static func isSimple(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < text.count {
            if text[index] < 0x80 {
                index += 1
                continue
            }
            let (value, length) = scalar(in: text, at: index, end: text.count)
            guard SimpleFace.slot(value) != 0 else { return false }
            index += length
        }
        return true
    }
}
