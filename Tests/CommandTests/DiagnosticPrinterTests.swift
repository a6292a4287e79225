// Messages as they are printed: what the input holds cannot steer the terminal, and carets stand below their places.

import Basics
import Testing

@testable import FancyTextCLI

@Suite struct DiagnosticPrinterTests {
    private func lines(_ text: String, _ indent: Int) -> [Substring] {
        let excerpt = Diagnostic.Excerpt(text: text, indent: indent)
        let message = Diagnostic(
            .warning, .failure, "bad '\(text)'", at: Diagnostic.Location(source: "a\u{1B}b", line: 1, column: 2),
            excerpt: excerpt)
        return DiagnosticPrinter(style: .text).text(of: message).split(
            separator: "\n", omittingEmptySubsequences: false)
    }

    @Test(arguments: [
        ("color: x", 7, "color: x", "       "), ("a\tb: \u{2026}", 3, "a\tb: \u{2026}", " \t "),
        ("日本\tx", 3, "日本\tx", "    \t"), ("e\u{301}é x", 3, "e\u{301}é x", "  "),
        ("a\u{202E}b\u{7F}\u{9B}c", 5, "a\u{FFFD}b\u{FFFD}\u{FFFD}c", "     "), ("", 0, "", ""),
        (
            "content: \u{F000}\u{AD}x\u{1F}12345678\u{FEFF}\u{10FF80}", 11,
            "content: \u{F000}\u{FFFD}x\u{FFFD}12345678\u{FFFD}\u{FFFD}",
            "           "
        ),
    ])
    func excerptsAreShownWithACaretBelowThePlace(text: String, indent: Int, shown: String, blanks: String) {
        let lines = lines(text, indent)
        #expect(lines.count == 4 && lines[0] == "a\u{FFFD}b:1:2: warning: bad '\(shown)'")
        #expect(lines[1] == "  \(shown)" && lines[2] == "  \(blanks)^")
    }

    private final class Bytes: PlacedText {
        let name = "a"
        let start = 0
        private let bytes: [UInt8]
        private let lines = LineIndex()
        init(_ bytes: [UInt8]) { self.bytes = bytes }
        func location(at offset: Int) -> Diagnostic.Location {
            let place = bytes.withUnsafeBufferPointer { lines.place(of: offset, in: $0) }
            return Diagnostic.Location(source: name, line: place.line, column: place.column)
        }
        func withFile<Result>(
            at offset: Int, _ body: (UnsafeBufferPointer<UInt8>, _ offset: Int) -> Result
        ) -> Result {
            bytes.withUnsafeBufferPointer { body($0, offset) }
        }
    }

    /// A message that knows only its byte is printed like one with its line, column and excerpt as a text.
    @Test func excerptsOfBytesAreThoseOfTheirText() {
        let pieces: [[UInt8]] = [
            Array("color: red;".utf8), Array("content:\u{F101}".utf8), Array("日本".utf8), Array("\t".utf8),
            Array("\n".utf8),
            Array("e\u{301}".utf8), Array("\u{AD}".utf8), [0x7F], [0x1B], [0xFF], [0xE2, 0x80], [0xC3], [0x80],
            Array("é".utf8),
        ]
        let printer = DiagnosticPrinter(style: .text)
        var state: UInt64 = 9
        for _ in 0..<200 {
            var bytes: [UInt8] = []
            for _ in 0..<15 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes += pieces[Int(state >> 33) % pieces.count]
            }
            let text = Bytes(bytes)
            for offset in 0...bytes.count {
                let message = Diagnostic(.note, .failure, "m", at: TextPlace(text, offset))
                let known = Diagnostic(
                    .note, .failure, "m", at: text.location(at: offset), excerpt: text.excerpt(at: offset))
                #expect(printer.text(of: message) == printer.text(of: known), "\(bytes) at \(offset)")
            }
        }
    }
}
