// Truncated text on a terminal.

import Foundation
import FancyTextTestSupport
import Testing

@Suite("Truncation on a terminal", whenBuilt)
struct TerminalTruncationTests {
    private func render(_ html: String, _ arguments: String...) throws -> String {
        let result = try #require(program).run(["render", "--format", "ansi"] + arguments, input: html)
        #expect(result.status == 0, "\(result.errors)")
        return result.text
    }

    @Test func linesAreFilledUpToTheTail() throws {
        let text = try render("<p>one two three four five six seven</p>", "--width", "10", "--max-lines", "2")
        #expect(text == "one two\nthree fou…\n")
    }

    @Test func whatFitsIsUntouched() throws {
        #expect(try render("<p>one two three</p>", "--width", "8", "--max-lines", "2") == "one two\nthree\n")
        #expect(try render("<p>one</p><p>two</p>", "--max-lines", "2") == "one\n\ntwo\n")
    }

    @Test func limitsGoAcrossBlocks() throws {
        #expect(try render("<p>one</p><p>two</p><p>three</p>", "--max-lines", "2") == "one\n\ntwo…\n")
        #expect(try render("<p>one</p><hr><table><tr><td>a</table>", "--max-lines", "1") == "one…\n")
    }

    @Test func tailIsHTML() throws {
        let text = try render(
            "<p>one two three four</p>", "--width", "12", "--max-lines", "1", "--ellipsis", "… <b>more</b>")
        #expect(text == "one tw… more\n")
        let styled = try render(
            "<p>one two three four</p>", "--width", "12", "--max-lines", "1", "--ellipsis", "… <b>more</b>", "--color",
            "always")
        #expect(styled.contains("\u{1B}[1mmore"))
    }

    @Test func wholeClustersAreCut() throws {
        let text = try render("<p>漢字漢字漢字</p>", "--width", "6", "--max-lines", "1")
        #expect(text == "漢字…\n")
        #expect(
            try render("<p>e\u{301}e\u{301}e\u{301}e\u{301}</p>", "--width", "3", "--max-lines", "1")
                == "e\u{301}e\u{301}…\n")
    }

    @Test func lineClampCutsItsBox() throws {
        let text = try render(
            "<div style='line-clamp:1'>one two three four</div><p>after</p>", "--width", "10")
        #expect(text == "one two t…\n\nafter\n")
    }

    @Test func textOverflowCoversTheEnd() throws {
        let html = "<div style='white-space:nowrap;overflow:hidden;text-overflow:ellipsis'>one two three four</div>"
        #expect(try render(html, "--width", "10") == "one two t…\n")
    }

    @Test func nestedClampsEnd() throws {
        let html = String(repeating: "<div style='line-clamp:1'>", count: 200) + "one two three four"
        #expect(try render(html, "--width", "10").contains("one"))
    }
}
