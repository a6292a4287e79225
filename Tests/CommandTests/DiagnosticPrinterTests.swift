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
}
