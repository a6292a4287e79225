// Detection of the bytes that are text.

import FancyTextBasics
import FancyTextTestSupport
import Testing

@testable import FancyTextMarkup

@Suite struct TextCheckTests {
    private func isText(_ bytes: [UInt8], label: String? = nil) -> Bool {
        bytes.withUnsafeBufferPointer { InputEncoding.isText($0, label: label) }
    }

    @Test(arguments: [200, 1_000, 100_000])
    func randomBytesAreNoText(_ count: Int) {
        for seed in 1...20 {
            var random = SeededGenerator(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(!isText(bytes), "seed \(seed)")
            #expect(!isText(Array("text of a header".utf8) + bytes), "seed \(seed)")
        }
    }

    @Test func nothingButNULsIsNoText() { #expect(!isText([UInt8](repeating: 0, count: 100))) }

    @Test(arguments: [
        "", "a", "\0", "<p>a\0b", String(String.UnicodeScalarView((1..<32).compactMap { Unicode.Scalar($0) })),
        "<p>\u{FEFF}\u{FFFD}", "\u{1B}[31mred\u{1B}[0m\r\n\u{C}",
        "<b>\0</b><i>\u{1}</i><b>\0</b><i>\u{1}</i><b>\0</b><i>\u{1}</i><b>\0</b><i>\u{1}</i><b>\0</b>",
    ])
    func controlsInMarkupAreText(_ text: String) { #expect(isText(Array(text.utf8))) }

    @Test func legacyTextIsText() {
        // Greek in ISO-8859-7, Russian in KOI8-R, French in ISO-8859-1, Japanese in Shift JIS: not declared.
        let greek: [UInt8] = [0xC1, 0xE8, 0xDE, 0xED, 0xE1, 0x20],
            russian: [UInt8] = [0xED, 0xCF, 0xD3, 0xCB, 0xD7, 0xC1]
        let french: [UInt8] = [0xE9, 0x74, 0xE9, 0x20], japanese: [UInt8] = [0x83, 0x65, 0x83, 0x58, 0x83, 0x67]
        for word in [greek, russian, french, japanese] {
            #expect(isText(Array([[UInt8]](repeating: word, count: 3_000).joined())))
        }
        let declared = Array("<meta charset=iso-8859-7><p>".utf8) + [[UInt8]](repeating: greek, count: 99).joined()
        #expect(isText(declared) && isText(declared, label: "greek"))
    }

    @Test func invalidTextOfADeclaredEncodingIsNone() {
        let word: [UInt8] = [0xC1, 0xE8, 0xDE, 0xED, 0xE1, 0x20]
        let text = Array([[UInt8]](repeating: word, count: 50).joined())
        #expect(!isText(text, label: "utf-8"))
        #expect(isText(text, label: "windows-1253"))
        #expect(isText(Array("caf".utf8) + [0xE9], label: "utf-8"))
    }

    @Test func wideEncodingsAreText() {
        let text = String(repeating: "text ", count: 100)
        let utf16 = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let utf32 = text.unicodeScalars.flatMap { [0, 0, UInt8($0.value >> 8), UInt8($0.value & 0xFF)] }
        #expect(isText([0xFF, 0xFE] + utf16) && isText(utf16, label: "utf-16le") && !isText(utf16))
        #expect(!isText([0, 0, 0xFE, 0xFF] + utf32) && !isText(utf32))
    }
}
