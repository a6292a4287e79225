// Markdown of tables, lists and links as box generation has them.

import Testing

@testable import FancyTextBasics
@testable import FancyTextBoxes
@testable import FancyTextMarkup
@testable import FancyTextOutputs
@testable import FancyTextStyling

@Suite struct MarkdownModelTests {
    private func markdown(_ html: String) -> String {
        var log = DiagnosticLog()
        let tree = MarkupTree.parse(html)
        let styled = MarkupStyleResolver(options: StyleOptions()).resolve(tree, log: &log)
        var writer = MarkdownWriter(BoxGenerator.generate(styled, log: &log), tree: tree)
        return String(decoding: writer.write(log: &log), as: UTF8.self)
    }

    @Test func spannedSlotsAreEmptyCells() {
        let table = "<table><tr><th rowspan=2>a<th colspan=2>b<tr><td>c<td>d<tr><td>e<td rowspan=9>f<td>g</table>"
        #expect(markdown(table) == "| a | b |  |\n|---|---|---|\n|  | c | d |\n| e | f | g |\n")
    }

    @Test func theHeadComesFirstAndTheFootLast() {
        let table = "<table><tfoot><tr><td>f<tbody><tr><td>b<thead><tr><td>h</table>"
        #expect(markdown(table) == "| h |\n|---|\n| b |\n| f |\n")
    }

    @Test func columnsKeepTheirLogicalOrder() {
        #expect(markdown("<table dir=rtl><tr><td>a<td>b</table>") == "| a | b |\n|---|---|\n")
    }

    @Test func veryWideSpansAreNotRepeatedInEachRow() {
        let rows = String(repeating: "<tr><td>b", count: 2_000)
        #expect(markdown("<table><tr><td colspan=1000>a\(rows)</table>").utf8.count < 1_000_000)
    }

    @Test(arguments: [
        ("<ol start=3><li>a<li>b</ol>", "3. a\n4. b\n"), ("<ol reversed><li>a<li>b</ol>", "2. a\n1. b\n"),
        ("<ol><li value=7>a<li>b</ol>", "7. a\n8. b\n"), ("<ol type=i><li>a<li>b</ol>", "1. a\n2. b\n"),
        ("<ol style='counter-reset:list-item 4'><li>a</ol>", "5. a\n"), ("<ul><li>a</ul>", "- a\n"),
        ("<ol><li style='list-style-type:\"1 \"'>a</ol>", "- a\n"),
        ("<style>li::marker{content:'12) '}</style><ul><li>a</ul>", "12. a\n"),
    ])
    func itemsHaveTheNumbersOfTheirMarkers(_ list: String, _ expected: String) {
        #expect(markdown(list) == expected)
    }

    @Test(arguments: [
        ("<style>p::first-letter{float:left}</style><p>A cat<p>Word", "A cat\n\nWord\n"),
        ("<ul><li><input type=checkbox checked> a<li><input type=checkbox>b</ul>", "- [x] a\n- [ ] b\n"),
        ("<p>a <input value=x> <input placeholder=y> <textarea>z</textarea> b", "a b\n"),
        ("<p><input type=submit value=Go> <button>Stop</button>", "Go Stop\n"),
        ("<pre>a<input type=checkbox>b</pre>", "```\nab\n```\n"),
        ("<a href='javascript:f()'>a</a> <a href=' JavaScript:f()'>b</a> <a href=c>c</a>", "a b [c](c)\n"),
    ])
    func controlsAndScriptsAreNoText(source: String, expected: String) { #expect(markdown(source) == expected) }

    @Test func adjacentLinksAreWords() {
        #expect(markdown("<a href=x>About</a><a href=y>Help</a>") == "[About](x) [Help](y)\n")
        #expect(markdown("<a href=x>D</a><a href=y>ata</a>") == "[D](x)[ata](y)\n")
    }

    @Test func linksReachAnyDepth() {
        let spans = String(repeating: "<span>", count: 100)
        #expect(markdown("<p><a href=x title=t>\(spans)deep</a>") == "[deep](x \"t\")\n")
    }
}
