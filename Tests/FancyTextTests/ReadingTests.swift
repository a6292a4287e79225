// Reading presets, highlighted code, and what Markdown files have beside their text.

import CFancyTextMarkdown
import FancyTextMarkup
import FancyTextWriting
import Foundation
import Testing

@testable import FancyText
@testable import FancyTextCSS

@Suite struct ReadingTests {
    private func makeRenderer() -> Renderer {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        return Renderer(fonts: fonts)
    }

    private func styles(of html: String, by parser: MarkupParser, isMarkdown: Bool = false) throws -> [ComputedStyle] {
        var document = (isMarkdown ? parser.forMarkdown : parser).parse(html)
        let renderer = makeRenderer()
        _ = try renderer.displayList(&document, RenderOptions())
        let styled = document.styled()
        return document.tree.subtree(document.tree.root).filter { document.tree.kind($0) == .element }
            .map { styled.computed($0) }
    }

    @Test func linksInNotesAreResolvedAgainstTheBaseElement() {
        var options = PlainTextOptions()
        options.links = .inline
        let text = MarkupParser().parse("<base href=https://e.x/a/><a href=b>c</a>").plainText(options)
        #expect(text == "c <https://e.x/a/b>\n")
    }

    /// The preset is weaker than an author's rule of no specificity, and stronger than the default sheet.
    @Test(arguments: [Preset.document, .github, .book, .slide])
    func authorsOverridePresets(_ preset: Preset) throws {
        let parser = MarkupParserBuilder.default().set(preset: preset).build()
        let quote = "<blockquote>a</blockquote>"
        #expect(try styles(of: quote, by: parser)[0].box.margin.left != LengthPercentage(px: 40))
        let own = "<style>* { margin-left: 7px }</style>\(quote)"
        #expect(try styles(of: own, by: parser)[1].box.margin.left == LengthPercentage(px: 7))
    }

    /// Pictures of Markdown have the document preset, unless another is set; HTML has none.
    @Test func markdownHasAPreset() throws {
        func margin(_ parser: MarkupParser, isMarkdown: Bool) throws -> LengthPercentage? {
            try styles(of: "<blockquote>a</blockquote>", by: parser, isMarkdown: isMarkdown)[0].box.margin.left
        }
        let plain = MarkupParser()
        #expect(try margin(plain, isMarkdown: true) == LengthPercentage(px: 0))
        #expect(try margin(plain, isMarkdown: false) == LengthPercentage(px: 40))
        let none = MarkupParserBuilder.default().set(preset: .none).build()
        #expect(try margin(none, isMarkdown: true) == LengthPercentage(px: 40))
    }

    /// The measure of the document preset holds about 72 characters.
    @Test func theMeasureIsReadable() throws {
        let words = Array(repeating: "several words of common English text about the weather", count: 30)
        var document = MarkupParserBuilder.default().set(preset: .document).build()
            .parse("<p>\(words.joined(separator: " "))</p>")
        let tree = try makeRenderer().layoutTree(&document, RenderOptions())
        let characters = words.joined(separator: " ").count
        #expect((66...80).contains(characters / tree.lines.count))
    }

    /// Code and tables of many columns extend beyond the text on both sides, if the picture is not narrow.
    @Test(arguments: [
        (RenderOptions.Extent.pixels(800), "", [104, 24, 752], 1), (.auto, "", [104, 24, 752], 1),
        (.pixels(1200), "", [304, 224, 752], 1), (.pixels(500), "", [24, 24, 452], 2),
        (.pixels(800), "<style>:root{--measure:50em}</style>", [24, 24, 752], 1),
    ])
    func codeAndTablesAreWiderThanText(
        _ width: RenderOptions.Extent, _ sheet: String, _ places: [Int], _ lines: Int
    ) throws {
        let cells = String(repeating: "<td>considered", count: 6)
        let text = String(repeating: "several words ", count: 40)
        var document = MarkupParserBuilder.default().set(preset: .document).build()
            .parse(
                "\(sheet)<p>\(text)</p><table><tr>\(cells)</table><table><tr><td>a</table><pre>\(String(repeating: "a", count: 80))"
            )
        var options = RenderOptions()
        options.width = width
        let tree = try makeRenderer().layoutTree(&document, options)
        let tables = tree.boxes.filter { $0.kind == .table }.map(\.rect)
        let (paragraph, code) = (try #require(tree.boxes.first { !$0.lines.isEmpty }), try #require(tree.boxes.last))
        #expect([paragraph.rect.x.rounded, code.rect.x.rounded, code.rect.width.rounded] == places)
        #expect(tables[0].x == code.rect.x && tables[0].width == code.rect.width && tables[1].x == paragraph.rect.x)
        let cell = try #require(tree.boxes.first { $0.kind == .tableCell })
        #expect(cell.lines.count == lines && code.lines.count == lines)
    }

    @Test func presetsHaveNoContextualLigatures() throws {
        let parser = MarkupParserBuilder.default().set(preset: .github).build()
        let style = try styles(of: "<p>2.10 104x20</p>", by: parser)[0]
        #expect(style.font.features.contains(feature("calt", 0)))
    }

    @Test func presetsHaveNoMistakes() throws {
        for preset in Preset.allCases {
            let parser = MarkupParserBuilder.default().set(preset: preset).set(highlight: .monokai).build()
            var document = parser.parse("<pre class=language-c>int a;</pre>")
            _ = try makeRenderer().displayList(&document, RenderOptions())
            #expect(document.diagnostics.isEmpty, "\(preset): \(Array(document.diagnostics))")
        }
    }

    // MARK: Code

    private func highlighted(_ html: String, _ builder: MarkupParserBuilder = .default()) -> String {
        let html = String(decoding: builder.build().parse(html).highlightedHTML(), as: UTF8.self)
        return html.contains("</style>") ? String(html[html.range(of: "</style>\n")!.upperBound...]) : html
    }

    @Test(arguments: [
        (
            "<pre><code class=\"language-swift\">let a = \"&lt;\" // b\n</code></pre>",
            "<pre class=\"code\"><code class=\"language-swift\"><span class=\"code-keyword\">let</span> a = "
                + "<span class=\"code-string\">\"&lt;\"</span> <span class=\"code-comment\">// b</span>\n</code></pre>"
        ),
        (
            "<div class=\"highlight-source-c\"><pre>int</pre></div>",
            "<div class=\"highlight-source-c\"><pre class=\"code\"><span class=\"code-keyword\">int</span></pre></div>"
        ),
        // Marked up by the author, in no language, or in an unknown one.
        ("<pre class=\"language-c\"><b>int</b> x</pre>", "<pre class=\"language-c\"><b>int</b> x</pre>"),
        ("<pre>int</pre>", "<pre>int</pre>"),
        ("<pre class=\"language-nope\">int</pre>", "<pre class=\"language-nope\">int</pre>"),
    ])
    func codeIsHighlighted(_ html: String, _ expected: String) { #expect(highlighted(html) == expected) }

    @Test func linesAreNumberedWhereTokensSpanThem() {
        let builder = MarkupParserBuilder.default().set(highlight: .github, numbersLines: true)
        #expect(
            highlighted("<pre class=\"language-c\">/* a\nb */ int\n</pre>", builder).hasSuffix(
                "<pre class=\"language-c code\"><span class=\"code-lines\"><span class=\"code-line\"><span class=\"code-comment\">/* a</span>"
                    + "</span>\n<span class=\"code-line\"><span class=\"code-comment\">b */</span> "
                    + "<span class=\"code-keyword\">int</span></span>\n</span></pre>"))
        #expect(highlighted("<pre>a</pre>", builder).contains("<span class=\"code-line\">a</span>"))
    }

    /// A picture has the colours, and the document is as it was.
    @Test func picturesAreHighlighted() throws {
        func picture(_ theme: CodeTheme, _ html: String) throws -> [UInt8] {
            var document = MarkupParserBuilder.default().set(highlight: theme).build().parse(html)
            let picture = try makeRenderer().picture(&document, as: .svg)
            #expect(document.html() == MarkupParser().parse(html).html())
            return picture
        }
        let code = "<pre class=\"language-c\">int</pre>"
        #expect(String(decoding: try picture(.github, code), as: UTF8.self).contains("#cf222e"))
        #expect(!String(decoding: try picture(.none, code), as: UTF8.self).contains("#cf222e"))
        // On an author's dark ground the tokens are the light ones.
        let dark = "<pre class=\"language-c\" style=\"background:#222;color:#eee\">int</pre>"
        #expect(String(decoding: try picture(.github, dark), as: UTF8.self).contains("#ff7b72"))
    }

    /// Each token is readable on the block's background, light and dark (WCAG 2.2: 4.5:1).
    @Test(arguments: [CodeTheme.github, .monokai], [Preset.document, .none])
    func tokensAreReadable(_ theme: CodeTheme, _ preset: Preset) throws {
        for scheme in ColorScheme.allCases {
            let parser = MarkupParserBuilder.default().set(preset: preset).set(highlight: theme).set(
                colorScheme: scheme
            )
            .build()
            let code = "<pre class=\"language-json\">{\"a\": 1, \"b\": [\"c\", true] # d\n}</pre>"
            var document = try #require(parser.parse("<html style=\"color-scheme:\(scheme)\">\(code)").highlighted())
            document.setViewport(Viewport(width: 800), scale: 1, isPicture: true)
            let (styled, tree) = (document.styled(), document.tree)
            let pre = try #require(tree.subtree(tree.root).first { tree.tag($0) == .pre })
            let own = styled.computed(pre).box.backgroundColor
            let ground = own.alpha == 255 ? own : scheme == .dark ? Color(rgb: 0x121212) : .white
            let spans = tree.subtree(pre).filter { tree.tag($0) == .span }
            #expect(spans.count >= 5)
            for span in spans {
                #expect(
                    contrast(styled.computed(span).text.color, ground) >= 4.5, "\(tree.attribute(span, "class") ?? "")")
            }
        }
    }

    private func contrast(_ a: Color, _ b: Color) -> Double {
        func luminance(_ color: Color) -> Double {
            func linear(_ value: UInt8) -> Double {
                let unit = Double(value) / 255
                return unit <= 0.04045 ? unit / 12.92 : pow((unit + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
        }
        let (low, high) = (min(luminance(a), luminance(b)), max(luminance(a), luminance(b)))
        return (high + 0.05) / (low + 0.05)
    }
}

@Suite(.enabled(if: cmarkdown_load() != 0, "no cmark-gfm")) struct MarkdownPageTests {
    private func page(_ markdown: String) throws -> String {
        String(decoding: try MarkdownReader.page(Array(markdown.utf8)), as: UTF8.self)
    }

    @Test(arguments: [
        ("# A *b* & C-d_e!", "<h1 id=\"a-b--c-d_e\">A <em>b</em> &amp; C-d_e!</h1>\n"),
        ("<div><h2>a</h2><h3>b", "<div><h2 id=\"a\">a</h2><h3 id=\"b\">b\n"),
        ("## Ä 1\n## Ä 1", "<h2 id=\"ä-1\">Ä 1</h2>\n<h2 id=\"ä-1-1\">Ä 1</h2>\n"),
        (
            "> [!note]\n> a\n\n> [!NOTE] b",
            "<blockquote class=\"markdown-alert markdown-alert-note\">\n<p class=\"markdown-alert-title\">"
                + "<strong>Note</strong></p>\n<p>a</p>\n</blockquote>\n<blockquote>\n<p>[!NOTE] b</p>\n</blockquote>\n"
        ),
        (
            "> [!TIP]\n>\n> - a",
            "<blockquote class=\"markdown-alert markdown-alert-tip\">\n<p class=\"markdown-alert-title\">"
                + "<strong>Tip</strong></p>\n<ul>\n<li>a</li>\n</ul>\n</blockquote>\n"
        ),
        ("---\ndraft: true\n---\na", "<p>a</p>\n"),
        (
            "---\ntitle: 'A & B'\nauthor:\n- C\n- D\ncss: [a.css, \"b.css\"]\n---\nx",
            "<title>A &amp; B</title>\n<meta name=\"author\" content=\"C, D\">\n<link rel=\"stylesheet\" href=\"a.css\">\n<link rel=\"stylesheet\" href=\"b.css\">\n"
                + "<header>\n<h1 class=\"title\">A &amp; B</h1>\n<p class=\"author\">C, D</p>\n</header>\n<p>x</p>\n"
        ),
        ("+++\ntitle = \"T\"\n+++\n# T", "<title>T</title>\n<h1 id=\"t\">T</h1>\n"),
        (
            "---\ntitle: A *b*\n---\nx\n\n# A **b**",
            "<title>A *b*</title>\n<p>x</p>\n<h1 id=\"a-b\">A <strong>b</strong></h1>\n"
        ),
        (":rocket: :warning::+1: a:b:c :none: `:tada:`", "<p>🚀 ⚠️👍 a:b:c :none: <code>:tada:</code></p>\n"),
        ("# :tada: [:x:](:x:)", "<h1 id=\"tada-x\">🎉 <a href=\":x:\">❌</a></h1>\n"),
        ("---\ntitle: >\n  a\n  b\n---\n", "<title>a b</title>\n<header>\n<h1 class=\"title\">a b</h1>\n</header>\n"),
    ])
    func becomesHTML(_ markdown: String, _ expected: String) throws { #expect(try page(markdown) == expected) }
}

@Suite struct MainContentsTests {
    private func main(_ html: String) -> String {
        var options = PlainTextOptions()
        options.isMainOnly = true
        return MarkupParser().parse(html).plainText(options).trimmingCharacters(in: .newlines)
    }

    private static let text = String(repeating: "A sentence of the story, with commas, that a person reads. ", count: 6)

    /// The blocks of a page made of `div`s are told apart by their text.
    @Test func anArticleIsFoundAmongDivs() {
        let links = (0..<20).map { "<div><a href=/\($0)>Another story number \($0) of the day</a></div>" }.joined()
        let page = """
            <title>The story - News</title><div class=top><div>\(links)</div><h1>The story</h1></div>
            <div class=body><p>\(Self.text)</p><p>\(Self.text)</p><div class=share>Share this</div>
            <pre>code, of it</pre><ul><li>first point<li>second point</ul></div>
            <div id=comments><p>First! \(Self.text)</p></div><div>\(links)</div>
            """
        let text = main(page)
        #expect(text.hasPrefix("The story\n\nA sentence"))
        #expect(text.hasSuffix("code, of it\n\n• first point\n• second point"))
        #expect(!text.contains("Another") && !text.contains("Share") && !text.contains("First!"))
    }

    @Test(arguments: ["", "entry-header"])
    func theHeadOfAnArticleIsAPartOfIt(_ name: String) {
        let head = "<header class='\(name)'><h1>T</h1><p>standfirst</p><p>By A</p></header>"
        let body = "<div class=entry-content>\(String(repeating: "<p>\(Self.text)</p>", count: 3))</div>"
        let text = main("<nav>n</nav><article>\(head)\(body)</article>")
        #expect(text.hasPrefix("T\n\nstandfirst\n\nBy A\n\nA sentence"))
    }

    /// A page without an article loses only its frame.
    @Test func pagesWithoutArticlesKeepTheirText() {
        #expect(main("<nav>menu</nav><p>short</p><div><a href=x>link</a></div>") == "short\n\nlink")
    }

    /// A block may be a part of an article, or hold it alone although it is short.
    @Test func shortBlocksAreNotTheWholeArticle() {
        let part = "<dl><dt>a<dd><p>\(Self.text)</p><p>\(Self.text)</p><dt>b<dd>end</dl>"
        #expect(main("<h1>T</h1><div><p>begin</p>\(part)</div>").contains("begin"))
        let sections = (0..<9).map { "<section><h2>\($0)</h2><ul><li>\(Self.text)</ul></section>" }.joined()
        #expect(main("<main><div><p>\(Self.text)</p><p>\(Self.text)</p></div>\(sections)</main>").contains("8\n\n• A"))
        let links = (0..<40).map { "<div><a href=/\($0)>Another story number \($0)</a></div>" }.joined()
        let short = main("<div>\(links)</div><div><p>\(Self.text.prefix(300))</p></div><div>\(links)</div>")
        #expect(short.hasPrefix("A sentence") && !short.contains("Another"))
    }

    @Test(arguments: [
        "<div>", "<div class=comment>", "<table><tr><td>", "<figure>", "<div><p>a, b, c, d, e, f, g, h, i, j, k",
    ])
    func deepPagesTakeLinearTime(_ tag: String) { #expect(main(String(repeating: tag, count: 20_000)).count >= 0) }
}
