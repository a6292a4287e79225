// Fonts, text and errors of vector files.

import FancyTextBasics
import FancyTextPainting
import FancyTextTypography

package enum VectorError: Error, Hashable, Sendable, CustomStringConvertible {
    case cairoMissing
    case failed(String)
    case tookTooLong

    package var description: String {
        switch self {
        case .cairoMissing: "PDF output requires cairo (libcairo.so.2, in Debian's package libcairo2)"
        case .failed(let message): message
        case .tookTooLong: "writing the PDF file took too long"
        }
    }
}

/// The fonts of a file, in the order of first use.
struct VectorFonts<Font> {
    var fonts: [Font] = []
    private var numbers: [FontProgram: Int] = [:]

    /// The index of a typeface among the fonts; `make` adds it.
    mutating func number(of program: FontProgram, _ make: () -> Font) -> Int {
        if let known = numbers[program] { return known }
        numbers[program] = fonts.count
        fonts.append(make())
        return fonts.count - 1
    }
}

extension VectorText {
    var clustersInOrder: [Cluster] { isRightToLeft ? clusters.reversed() : clusters }

    /// The characters that a file can contain: no controls and no noncharacters.
    static func words(_ text: String) -> String {
        text.escaped { scalar in
            switch scalar.value {
            case 0..<0x20, 0x7F...0x9F, 0xFDD0...0xFDEF: ""
            default: scalar.value & 0xFFFE == 0xFFFE ? "" : nil
            }
        }
    }

    func outline(of glyph: PositionedGlyph, in fonts: FontContext) -> Path {
        fonts.glyphOutline(font, glyph.id).transformed(
            Transform(scaleX: scale.width, scaleY: scale.height, x: glyph.x, y: glyph.y, skew: -skew))
    }
}
