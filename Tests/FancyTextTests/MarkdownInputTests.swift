// Markdown as input.

import CFancyTextMarkdown
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
        ("---\n- a\n---\nb", "<hr />\n<ul>\n<li>a</li>\n</ul>\n<hr />\n<p>b</p>\n"),
    ])
    func becomesHTML(_ markdown: String, _ expected: String) throws { #expect(try html(markdown) == expected) }

    @Test(arguments: [
        ("$$a_1\\,b*c*$$", "<p>$$a_1\\,b*c*$$</p>\n"), ("x $a_1\\{b_2$ y", "<p>x $a_1\\{b_2$ y</p>\n"),
        ("$$\na\\\\\nb\n$$", "<p>$$\na\\\\\nb\n$$</p>\n"),
        ("$5 *a* $6 _b_", "<p>$5 <em>a</em> $6 <em>b</em></p>\n"), ("`$a\\,$`", "<p><code>$a\\,$</code></p>\n"),
        ("```\n$a\\,$\n```", "<pre><code>$a\\,$\n</code></pre>\n"),
        ("$[a](b)$ <i a='$_$'>", "<p>$[a](b)$ <i a='$_$'></p>\n"),
        ("https://e.x/$a_b$", "<p><a href=\"https://e.x/$a_b$\">https://e.x/$a_b$</a></p>\n"),
        ("$$\na\n- b\n= c\n1. d\n$$", "<p>$$\na\n- b\n= c\n1. d\n$$</p>\n"),
        ("> $$\n> a_1*b*\n> $$", "<blockquote>\n<p>$$\na_1*b*\n$$</p>\n</blockquote>\n"),
        ("<pre>\n$A $B-$\n\n($C-$)</pre>", "<pre>\n$A $B-$\n\n($C-$)</pre>\n"),
        ("<div>($C-$)</div>\n\n$a*b*c$", "<div>($C-$)</div>\n<p>$a*b*c$</p>\n"),
        ("i <j, $a*b*c$ -> d", "<p>i &lt;j, $a*b*c$ -&gt; d</p>\n"),
        ("($A), [b](c), ($D)", "<p>($A), <a href=\"c\">b</a>, ($D)</p>\n"),
    ])
    func formulasAreKept(_ markdown: String, _ expected: String) throws { #expect(try html(markdown) == expected) }

    @Test(arguments: [
        ("---\ntitle: x\nfoo bar\n---\n# Hi", "n:3:1"), ("---\ntitle: x\n\n# Hi", "n:1:1"),
        ("---\ntitle: x\n# c\n---\na", nil),
        ("---\ntitle: x\nfoo: {a: [\nb: 1\n---\na", "n:3:1"), ("---\ntags: [a,\n  b]\n---\na", nil),
        ("---\n# Hi", nil), ("+++\nx = 1\n[a]\n+++\na", nil),
    ])
    func frontMatterThatCannotBeReadIsReported(_ markdown: String, _ place: String?) throws {
        let messages = try MarkupParser().parse(markdown: Array(markdown.utf8), name: "n").diagnostics
        #expect(messages.first?.location.map { "\($0.source):\($0.line):\($0.column)" } == place)
    }

    /// Messages name the place in the Markdown, for raw HTML and for what Markdown's own syntax makes.
    @Test(arguments: [
        ("# x\n\n<p style=\"colr:red\">a</p>\n", "3:11"),
        ("---\ntitle: t\n---\nfoo *bar*\n<b style='colr:1'>a</b>\n<b style='colr:1'>c</b>", "5:11"),
        ("```\n<i>\n```\n\nfoo <b style=\"color:red;wdth:1px\">a</b>", "5:25"),
        ("<script>x()</script>\n\na", "1:1"),
    ])
    func messagesNameThePlaceInTheMarkdown(_ markdown: String, _ places: String) throws {
        var document = try MarkupParser().parse(markdown: Array(markdown.utf8), name: "n")
        document.reportScripts()
        _ = document.styled()
        let found = document.diagnostics.compactMap { $0.location.map { "\($0.line):\($0.column)" } }
        #expect(found.joined(separator: " ") == places)
        #expect(document.diagnostics.allSatisfy { $0.location?.source == "n" })
    }

    @Test func picturesOfMarkdownHaveTheirPlaces() throws {
        let markdown = "# alt\n\n![alt](none.png)\n\n- ![x *y*](other.png)\n"
        let document = try MarkupParser().parse(markdown: Array(markdown.utf8), name: "n")
        let places = try document.matches(of: SelectorQuery("img")).map { document.tree.location($0) }
        #expect(places.map { "\($0.line):\($0.column)" } == ["3:8", "5:12"])
    }

    /// Each construct of CommonMark once.
    @Test(arguments: [
        ("Title\n=====\n\nSub\n---", "<h1>Title</h1>\n<h2>Sub</h2>\n"),
        ("> a\nb\n\n> c", "<blockquote>\n<p>a\nb</p>\n</blockquote>\n<blockquote>\n<p>c</p>\n</blockquote>\n"),
        ("1. a\n2. b\n\n   c", "<ol>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n<p>c</p>\n</li>\n</ol>\n"),
        ("* a\n  * b\n\n* c", "<ul>\n<li>\n<p>a</p>\n<ul>\n<li>b</li>\n</ul>\n</li>\n<li>\n<p>c</p>\n</li>\n</ul>\n"),
        ("    code\n\ttab", "<pre><code>code\ntab\n</code></pre>\n"),
        ("a  \nb\\\nc", "<p>a<br />\nb<br />\nc</p>\n"),
        ("`` a ` b ``", "<p><code>a ` b</code></p>\n"),
        ("*a **b***", "<p><em>a <strong>b</strong></em></p>\n"),
        ("[a](<b c> \"t\") ![d](e)", "<p><a href=\"b%20c\" title=\"t\">a</a> <img src=\"e\" alt=\"d\" /></p>\n"),
        ("[x][r]\n\n[r]: /u 'T'", "<p><a href=\"/u\" title=\"T\">x</a></p>\n"),
        ("<https://e.x/?a&b>", "<p><a href=\"https://e.x/?a&amp;b\">https://e.x/?a&amp;b</a></p>\n"),
        ("&copy; &#35; \\*", "<p>© # *</p>\n"),
        ("a\n***\nb", "<p>a</p>\n<hr />\n<p>b</p>\n"),
        ("<div>\n*a*\n</div>\n\n*b*", "<div>\n*a*\n</div>\n<p><em>b</em></p>\n"),
        ("~~~ sh x\n< &\n~~~", "<pre><code class=\"language-sh\">&lt; &amp;\n</code></pre>\n"),
        ("- a\n\n\n  b\n- c", "<ul>\n<li>\n<p>a</p>\n<p>b</p>\n</li>\n<li>\n<p>c</p>\n</li>\n</ul>\n"),
        ("#5\n# # #", "<p>#5</p>\n<h1>#</h1>\n"),
        ("[a]: b\n[a]", "<p><a href=\"b\">a</a></p>\n"),
        ("*a_b_*c", "<p>*a_b_*c</p>\n"),
        ("10) x\n11) y", "<ol start=\"10\">\n<li>x</li>\n<li>y</li>\n</ol>\n"),
        ("a\0b", "<p>a�b</p>\n"),
        (
            "| a |\n| - |\n| `b|c` \\| d |",
            "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>`b</td>\n</tr>\n</tbody>\n</table>\n"
        ),
        ("www.e.x a@e.x", "<p><a href=\"http://www.e.x\">www.e.x</a> <a href=\"mailto:a@e.x\">a@e.x</a></p>\n"),
        ("~a~", "<p><del>a</del></p>\n"),
    ])
    func commonMarkIsRead(_ markdown: String, _ expected: String) throws { #expect(try html(markdown) == expected) }

    @Test func gitHubsExtensionsAreRead() throws {
        let table = try html("| a | b |\n|---|--:|\n| 1 | 2 |")
        #expect(table.contains("<table>") && table.contains("<td align=\"right\">2</td>"))
        #expect(try html("- [x] a\n- [ ] b").contains("type=\"checkbox\" checked=\"\""))
        let tasks = try MarkdownReader.page(Array("- [x] a\n\n- b".utf8))
        #expect(
            String(decoding: tasks, as: UTF8.self).contains(
                "<p><input type=\"checkbox\" checked=\"\" disabled=\"\" /> a</p>"))
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
