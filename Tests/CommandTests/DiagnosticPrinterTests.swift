// Printed messages: the input cannot control the terminal, and carets are below their positions.

import FancyTextBasics
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

    /// The expected output of a message, character by character.
    private func expected(_ source: String, _ message: String, _ before: String, _ after: String) -> String {
        func printable(_ text: String) -> String {
            var result = String.UnicodeScalarView()
            for scalar in text.unicodeScalars {
                let category = scalar.properties.generalCategory
                let isShown = scalar == "\t" || category != .control && category != .format
                result.append(isShown ? scalar : "\u{FFFD}")
            }
            return String(result)
        }
        let blanks = printable(before).split(separator: "\t", omittingEmptySubsequences: false)
            .map { String(repeating: " ", count: DisplayWidth.cells($0.utf8)) }.joined(separator: "\t")
        return "\(printable(source)):1:2: note: \(printable(message))\n"
            + "  \(printable(before))\(printable(after))\n  \(blanks)^\n"
    }

    /// Pieces on both sides of all boundaries between bytes that are processed together.
    @Test func messagesArePrintedAsTheirCharactersSay() {
        let pieces = [
            "a", "plain words ", "\u{F101}", "é", "日本", "\t", "\u{AD}", "\u{1B}", "\u{7F}", "\u{9B}", "e\u{301}",
            "\u{202E}", "😀", "\u{FEFF}", "\u{E0001}", "\u{2009}", "ÿ",
        ]
        var state: UInt64 = 4
        func random() -> String {
            var text = ""
            for _ in 0..<12 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text += pieces[Int(state >> 33) % pieces.count]
            }
            return text
        }
        let printer = DiagnosticPrinter(style: .text)
        for _ in 0..<500 {
            let (source, message, before, after) = (random(), random(), random(), random())
            let diagnostic = Diagnostic(
                .note, .failure, message, at: Diagnostic.Location(source: source, line: 1, column: 2),
                excerpt: Diagnostic.Excerpt(text: before + after, indent: before.unicodeScalars.count))
            #expect(printer.text(of: diagnostic) == expected(source, message, before, after))
        }
    }

    @Test func numbersOfAllLengthsArePrinted() {
        let printer = DiagnosticPrinter(style: .text)
        for number in [0, 1, 9, 10, 99, 100, 12_345, 999_999, 1_000_000_000, Int.max] {
            let place = Diagnostic.Location(source: "a", line: number, column: number)
            let message = Diagnostic(.warning, .failure, "m", at: place)
            #expect(printer.text(of: message) == "a:\(number):\(number): warning: m\n")
        }
    }

    private final class Bytes: PlacedText {
        let name = "a"
        let start = 0
        private let bytes: [UInt8]
        let lineIndex = LineIndex()
        init(_ bytes: [UInt8]) { self.bytes = bytes }
        func withFile<Result>(
            at offset: Int, _ body: (UnsafeBufferPointer<UInt8>, _ offset: Int) -> Result
        ) -> Result {
            bytes.withUnsafeBufferPointer { body($0, offset) }
        }
    }

    /// A message that knows only its byte offset is printed like one with line, column and excerpt.
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
