// The font of terminals.

import FancyTextBasics
import FancyTextCSS
import Testing

@testable import FancyTextTypography

@Suite struct CellFontTests {
    /// The text that the font writes for one line.
    private func written(_ text: String) -> [UInt8] {
        let font = CellFont()
        var shaped = ShapedText()
        Array(text.utf8).withUnsafeBufferPointer { bytes in
            let span = ShapingSpan(
                range: 0..<bytes.count, style: StyleID(rawValue: 0), font: FontChainID(rawValue: 0))
            font.shape(bytes, paragraph: 0..<bytes.count, spans: [span], into: &shaped)
        }
        var result: [UInt8] = []
        for glyph in shaped.glyphs where glyph.id != ShapedGlyph.invisible { font.append(glyph.id, to: &result) }
        return result
    }

    @Test func aClusterOfWidthZeroJoinsTheCellBeforeIt() {
        for text in ["မှာ", "ក្រុម", "ᅡ", "aᅡ", "aᆨb", "\u{FFA0}"] {
            #expect(written(text) == Array(text.utf8), "\(text)")
        }
    }

    @Test func everyLetterMarkDigitAndSymbolIsWritten() {
        for value in UInt32(0x20)...0x2_FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: continue
            default: break
            }
            // Variation selectors and other ignorable marks change the character before them.
            if scalar.properties.isDefaultIgnorableCodePoint, scalar.properties.generalCategory != .otherLetter {
                continue
            }
            let text = "a" + String(scalar)
            #expect(written(text) == Array(text.utf8), "U+\(String(value, radix: 16))")
        }
    }
}
