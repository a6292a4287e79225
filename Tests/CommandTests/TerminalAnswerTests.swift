// Answers of terminals, and how they are parsed.

import FancyText
import Testing

@testable import FancyTextCLI

@Suite struct TerminalAnswerTests {
    private func answer(_ text: String) -> TerminalAnswer { TerminalAnswer(Array(text.utf8)) }

    @Test(arguments: [
        ("\u{1B}]11;rgb:1234/5678/9abc\u{1B}\\", Color(red: 0x12, green: 0x56, blue: 0x9A)),
        ("\u{1B}]11;rgb:f/0/8\u{07}", Color(red: 255, green: 0, blue: 136)),
        ("\u{1B}]11;rgba:ff/80/00/ff\u{07}", Color(red: 255, green: 128, blue: 0)),
    ])
    func backgroundsAreRead(_ text: String, _ color: Color) {
        #expect(answer(text).background == color)
        #expect(answer("noise" + text + "\u{1B}[?1;2c").background == color)
    }

    @Test(arguments: [
        "", "\u{1B}]11;", "\u{1B}]11;rgb:", "\u{1B}]11;rgb:1/2", "\u{1B}]11;rgb:12345/1/1", "\u{1B}]11;#fff",
    ])
    func whatIsNoColorIsNone(_ text: String) { #expect(answer(text).background == nil) }

    @Test func picturesAreRead() {
        #expect(answer("\u{1B}[?62;4;22c").hasSixel)
        #expect(!answer("\u{1B}[?4;22c").hasSixel)
        #expect(answer("\u{1B}_Gi=31;OK\u{1B}\\").hasKittyGraphics)
        #expect(!answer("\u{1B}_Gi=31;ENOTSUPPORTED\u{1B}\\").hasKittyGraphics)
    }

    @Test func theLastAnswerEndsTheWait() {
        #expect(TerminalAnswer.isComplete(Array("\u{1B}]11;rgb:0/0/0\u{07}\u{1B}[?62c".utf8)))
        #expect(!TerminalAnswer.isComplete(Array("\u{1B}]11;rgb:0/0/0\u{07}\u{1B}[?62".utf8)))
    }
}
