// Markdown as input.

import CMarkdown
import Testing

@testable import FancyText

private let hasLibrary: ConditionTrait = .enabled(if: cmarkdown_load() != 0, "no cmark-gfm")

@Suite(hasLibrary) struct MarkdownInputTests {
    private func html(_ markdown: String) throws -> String {
        String(decoding: try MarkdownReader.html(Array(markdown.utf8)), as: UTF8.self)
    }

    @Test(arguments: [
        ("# A *b*", "<h1>A <em>b</em></h1>\n"),
        ("~~a~~ https://e.x/", "<p><del>a</del> <a href=\"https://e.x/\">https://e.x/</a></p>\n"),
        ("```swift\nlet a\n```", "<pre><code class=\"language-swift\">let a\n</code></pre>\n"),
        ("a <b>c</b>", "<p>a <b>c</b></p>\n"),
        ("---\ntitle: x\n---\ntext", "<p>text</p>\n"), ("+++\nx = 1\n+++\ntext", "<p>text</p>\n"),
        ("\u{FEFF}---\nx: 1\n...\ntext", "<p>text</p>\n"),
        ("---\n\ntext\n\n---", "<hr />\n<p>text</p>\n<hr />\n"), ("---", "<hr />\n"), ("", ""),
    ])
    func becomesHTML(_ markdown: String, _ expected: String) throws { #expect(try html(markdown) == expected) }

    @Test func gitHubsExtensionsAreRead() throws {
        let table = try html("| a | b |\n|---|--:|\n| 1 | 2 |")
        #expect(table.contains("<table>") && table.contains("<td align=\"right\">2</td>"))
        #expect(try html("- [x] a\n- [ ] b").contains("type=\"checkbox\" checked=\"\""))
        #expect(try html("a[^1]\n\n[^1]: note").contains("<section class=\"footnotes\""))
    }

    @Test func isADocumentLikeOthers() throws {
        var document = try MarkupParserBuilder.default().build().parse(
            markdown: Array("# T\n\n- [x] é".utf8), name: "a.md")
        var options = ANSIOptions()
        options.colors = .plain
        #expect(
            String(decoding: Renderer().ansi(&document, RenderOptions(), options), as: UTF8.self) == "T\n\n   • ☑ é\n")
    }
}
