// HTML on a terminal: the structure that the picture has, in cells.

import Testing

@testable import FancyText
@testable import Layout
@testable import Outputs
@testable import Styling

private let parser = MarkupParserBuilder.default().build()

private func ansi(_ html: String, width: Int = 40, _ edit: (inout ANSIOptions) -> Void = { _ in }) -> String {
    var options = ANSIOptions()
    options.width = width
    options.colors = .plain
    edit(&options)
    var document = parser.parse(html)
    return String(decoding: Renderer().ansi(&document, RenderOptions(), options), as: UTF8.self)
        .replacing("\u{1B}", with: "␛")
}

@Suite struct TerminalLayoutTests {
    @Test(arguments: [
        // One frame, however its lines come about.
        (
            "<table border=1><tr><td>a<td>bb<tr><td>ccc<td>d</table>",
            "┌─────┬────┐\n│ a   │ bb │\n├─────┼────┤\n│ ccc │ d  │\n└─────┴────┘\n"
        ),
        (
            "<style>table{border-collapse:collapse}td{border:3px solid}td+td{border-width:1px}</style><table><td>a<td>b</table>",
            "┏━━━┳───┐\n┃ a ┃ b │\n┗━━━┻───┘\n"
        ),
        (
            "<table border=1><tr><th rowspan=2>a<td>b<tr><td>c<tr><td colspan=2>d</table>",
            "┌───┬───┐\n│   │ b │\n│ a ├───┤\n│   │ c │\n├───┴───┤\n│ d     │\n└───────┘\n"
        ),
        ("<div style='border:1px solid;border-radius:4px;width:64px'>a</div>", "╭────────╮\n│a       │\n╰────────╯\n"),
        (
            "<fieldset><legend>L</legend>a</fieldset>",
            "┌──L───────────────────────────────────┐\n│  a                                   │\n"
                + "│                                      │\n└──────────────────────────────────────┘\n"
        ),
        ("<div style='border-left:4px solid'>a<br>b</div>", "┃ a\n┃ b\n"),
        // Columns as wide as their contents.
        ("<table><tr><td>Apples<td align=right>5<tr><td>Figs<td align=right>10</table>", "Apples   5\nFigs    10\n"),
        // Right to left.
        ("<table dir=rtl border=1><tr><td>a<td>bb</table>", "┌────┬───┐\n│ bb │ a │\n└────┴───┘\n"),
        ("<ol dir=rtl><li>a</ol>", String(repeating: " ", count: 34) + "a .1\n"),
        // Flex boxes and floats.
        ("<div style='display:flex'><p style='order:2'>a</p><p>b</p></div>", "b a\n"),
        (
            "<div style='display:flex;justify-content:space-between'><b>a</b><b>b</b><b>c</b></div>",
            "a                  b                   c\n"
        ),
        ("<div style='width:80px;float:right'>a</div>b", "b                             a\n"),
        // Grids: tracks in cells, rows by what they hold; text in columns.
        (
            "<div style='display:grid;grid-template:50px/80px 1fr'><b>a</b><b>b</b><b>c</b></div>",
            "a         b\nc\n"
        ),
        (
            "<div style='display:grid;grid-template-columns:repeat(auto-fill,minmax(80px,1fr))'><b>a</b><b>b</b><b>c</b><b>d</b></div>",
            "a         b         c         d\n"
        ),
        ("<div style='columns:2;column-gap:16px'>a<br>b<br>c</div>", "a                    c\nb\n"),
        // Lists.
        ("<ul><li>a<ol><li>b</ol></ul>", "   • a\n       1. b\n"),
        ("<ul style='padding:0'><li>one<li>two</ul>", "• one\n• two\n"),
        ("<blockquote>a<p>b</blockquote>", "   │ a\n   │\n   │ b\n"),
        // The screen has its own margin; rules go over all of it.
        ("<!doctype html><body>a<hr>b", "a\n\n" + String(repeating: "─", count: 40) + "\n\nb\n"),
        ("a<hr style='border:0;height:1px;background:red;width:40px;margin:0'>", "a\n─────\n"),
        ("<p>a<img alt=one>b<img src=x>c</p>", "aonebc\n"),
        ("<ruby>漢字<rt>かんじ</ruby>a", "かんじ\n 漢字 a\n"),
        ("✌️ ❤️ 1️⃣ x", "✌️ ❤️ 1️⃣ x\n"),
    ])
    func structureIsThePictures(_ html: String, _ expected: String) {
        #expect(ansi(html) == expected.replacing("a .1", with: "a 1."))
    }

    @Test(arguments: [
        ("<ul><li>one two<ul><li>three</ul></ul>", 10, "   • one\n     two\n     ◦ thr\n       ee\n"),
        (
            "<table border=1><tr><td>alphabetical<td>beta</table>", 20,
            "┌───────────┬──────┐\n│ alphabeti │ beta │\n│ cal       │      │\n"
        ),
        ("<table border=1><tr><td>alpha<td>beta</table>", 8, "┌──────┐\n│┌────┐│\n││alph││\n││a   ││"),
        ("<p style='white-space:nowrap'>one two three</p>", 8, "one two\nthree\n"),
        ("<pre>one two three</pre>", 8, "one two three\n"),
        ("<p style='margin:0 100px'>one two</p>", 8, "  one\n  two\n"),
        ("<div style='display:flex'><div>alpha</div><div>beta</div></div>", 8, "alpha\nbeta\n"),
        ("<p style='width:800px'>one two three</p>", 8, "one two\nthree\n"),
    ])
    func narrowScreensKeepTheWords(_ html: String, _ width: Int, _ expected: String) {
        #expect(ansi(html, width: width).hasPrefix(expected))
    }

    @Test func backgroundsHaveNoHoles() {
        let row = "<table cellspacing=0><tr bgcolor=#ff0000><td>a<td>b</table>"
        #expect(
            ansi(row) { $0.colors = .truecolor } == "␛[48;2;255;0;0m ␛[38;2;0;0;0ma␛[39m  ␛[38;2;0;0;0mb␛[39m ␛[0m\n")
        let page = "<!doctype html><body style='background:#00f;color:#fff'>a"
        #expect(ansi(page, width: 3) { $0.colors = .truecolor } == "␛[38;2;255;255;255;48;2;0;0;255ma␛[39m  ␛[0m\n")
    }

    @Test func linksComeFromTheNearestAnchorHoweverFar() {
        let page = "<a href=u>" + String(repeating: "<span>", count: 300) + "x"
        #expect(ansi(page) { $0.hyperlinks = true } == "␛]8;;u␛\\x␛]8;;␛\\\n")
    }

    // MARK: Inputs that once took long

    @Test(.timeLimit(.minutes(1)))
    func depthDoesNotMultiplyLines() {
        let page =
            String(repeating: "<div>", count: 400) + String(repeating: "<p>word", count: 5_000)
        #expect(ansi(page).split(separator: "\n").count == 5_000)
    }

    @Test(.timeLimit(.minutes(1)))
    func distinctLinksAreLinear() {
        let page = (0..<20_000).map { "<a href=u\($0)>w</a> " }.joined()
        #expect(ansi(page) { $0.hyperlinks = true }.contains("u19999"))
    }
}
