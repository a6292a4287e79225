// A GSFancyText demo, rewritten: a sheet and a text in its dialect, and the positions of its lines.

import Testing

@testable import FancyText
@testable import FancyTextCSS
@testable import FancyTextLayout

@Suite struct GSFancyTextLookTests {
    private static let sheet = """
        .default { color: #ffffff; vertical-align: middle; font-family: 'Inter'; font-size: 14 }
        span.leaf { color: 'rgb(0, 255, 0)'; font-SIZE: '15px'; font-style: 'italic' }
        .sun { color: yellow; font-size: 18.f }
        span.sea { color: cyan } .end { text-align: right } .mid { text-align: center }
        .inset { margin-left: 40; margin-right: 40 }
        .above { margin-top: 10; } .below { margin-bottom: 10 }
        .two { line-count: 2; truncate-mode: tail }
        .tall { line-height: 40 }
        """
    private static let text = """
        <em>Good</em> morning. <span id=sky class='sun'>Dawn <strong>and</strong> dusk.</span> <lambda id=dot width=36 \
        height=12 vertical-align=baseline> two circles<p class=end><span class=leaf>Another <strong>paragraph</strong></span> \
        at the end</p><p class=mid>A&lt;&amp;&gt;B</p>A line of its own.<p class='inset end'>With <em>>1</em> class</p>\
        <p id=long class='two above below'>So much of so much of so much of so much of so much of so much of so much of so \
        much of so much of so much of it</p><p class=tall>High</p>
        """

    private func layout(_ change: (inout Document) throws -> Void = { _ in }) throws -> (Document, LayoutTree) {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        let parser = MarkupParserBuilder.default().add(css: Self.sheet).set(dialect: .gsfancytext).build()
        var document = parser.parse(Self.text)
        try change(&document)
        var options = RenderOptions()
        options.width = .pixels(300)
        options.padding = 0
        options.background = .black
        options.lambdas["dot"] = .drawing(width: 36, height: 12) { canvas in
            canvas.fill(.ellipse(x: 12, y: 0, width: 12, height: 12), with: .color(Color(red: 255, green: 0, blue: 0)))
        }
        let tree = try Renderer(fonts: fonts).layoutTree(&document, options)
        return (document, tree)
    }

    private func lines(_ document: inout Document, _ tree: LayoutTree) -> [(text: String, line: LineFragment)] {
        let text = document.styledContents().text
        return tree.lines.map { (String(decoding: text[$0.text], as: UTF8.self), $0) }
    }

    @Test func linesLieAsInTheDemo() throws {
        var (document, tree) = try layout()
        let lines = lines(&document, tree)
        #expect(document.diagnostics.entries.isEmpty)
        func line(_ start: String) throws -> LineFragment {
            try #require(lines.first { $0.text.hasPrefix(start) }).line
        }
        #expect(abs(try line("Another").rect.maxX.float - 300) < 1)
        let middle = try line("A<&>B").rect
        #expect(abs(middle.x.float + middle.maxX.float - 300) < 1)
        #expect(abs(try line("With >1").rect.maxX.float - 260) < 1)
        #expect(try line("A line of its own").rect.x == .zero)
        #expect(try line("High").rect.height.float == 40)
        // Only the margins of the sheet are between the blocks.
        var bottom: Float = 0
        for (text, line) in lines {
            let gap: Float = text.hasPrefix("So much") || text.hasPrefix("High") ? 10 : 0
            #expect(abs(line.rect.y.float - bottom - gap) <= 0.5, "\(text)")
            bottom = line.rect.maxY.float
        }
        #expect(lines.filter { $0.text.contains("so much") }.count == 2 && tree.isTruncated)
    }

    @Test func textChangesAsInTheDemo() throws {
        var (document, tree) = try layout { document in
            let isSet = document.setHTML(
                "A <span class=leaf>moon</span> has <span class=leaf>risen</span>.", ofID: "sky")
            #expect(isSet)
            for leaf in document.elements(withClass: "leaf") { document.addClass("sea", to: leaf) }
        }
        #expect(lines(&document, tree)[0].text.contains("A moon has risen."))
        let moon = document.styledText().runs.first { $0.style.foregroundColor == Color(css: "cyan") }
        #expect(moon?.style.font.italic == true)
    }

    @Test func aLambdaThatNothingFillsIsAWarning() throws {
        var document = MarkupParser().parse(
            "<p>a <lambda id=tv width=20 height=10> <lambda id=tv> <lambda width=3></p>")
        _ = try Renderer().png(&document)
        #expect(
            document.diagnostics.entries.map(\.message) == [
                "nothing fills lambda 'tv'", "nothing fills a lambda without an id",
            ])
        #expect(document.diagnostics.entries.allSatisfy { $0.severity == .warning && $0.code == .unfilledLambda })
        #expect(document.diagnostics.entries.first?.location?.column == 6)
    }
}
