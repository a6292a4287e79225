// The parser's builder: whitelists, replacing, image loaders; selections by names.

import Testing

@testable import FancyText
@testable import FancyTextCSS
@testable import FancyTextImages
@testable import FancyTextStyling

@Suite struct BuilderTests {
    private let page = """
        <h1>Title</h1><p onclick=x style="color: red; background: url(x.png); FONT-SIZE: 30px">a <b>b</b> <i>c</i>\
        <script>alert(1)</script><img src=x.png alt=photo><svg><title>t</title></svg><a href=u>d</a>
        """

    @Test func withoutDefaultsOnlyWhatIsAddedIsRead() {
        let parser = MarkupParserBuilder().add("p").add("B").add(styleAttribute: "Color").build()
        let document = parser.parse(page)
        #expect(!document.html().contains("<h1") && !document.html().contains("<i>") && !document.html().contains("<a"))
        let text = parser.render(page)
        #expect(text.text.split(separator: "\n") == ["Title", "a b cd"])
        func style(_ part: String) -> MarkupStyle? { text.runs.first { text.text(of: $0).contains(part) }?.style }
        #expect(style("Title")?.font.size == 16 && style("Title")?.font.weight == 400)
        #expect(style("a")?.foregroundColor == Color(css: "red") && style("a")?.font.size == 16)
        #expect(style("b")?.font.weight == 700)
        #expect(style("d")?.link == nil)
        #expect(parser.strip(page) == "Titlea b cd")
    }

    @Test func withoutDefaultsStyleSheetsAreReadWhenTheirTagsAreAdded() {
        let html = "<style>b{color:red}</style><b>x</b>"
        #expect(MarkupParserBuilder().add("b").build().render(html).runs.first?.style.foregroundColor == .black)
        let parser = MarkupParserBuilder().add("b").add("style").build()
        #expect(parser.render(html).runs.first?.style.foregroundColor == Color(css: "red"))
    }

    @Test func editsComeThroughTheWhitelistToo() {
        var document = MarkupParserBuilder().add("p").add("b").build().parse("<p id=p>a</p>")
        let isSet = document.setHTML("<b>x</b><script>y</script><i onclick=z>w</i>", ofID: "p")
        #expect(isSet && document.html() == "<p id=\"p\"><b>x</b>w</p>")
    }

    @Test func tablesKeepTheBodiesThatParsingImplies() {
        let html = "<table><tr><td>1<td>2<tr><td>3</table>"
        let parser = MarkupParserBuilder().add("table").add("tr").add("td").build()
        #expect(parser.parse(html).html() == MarkupParser().parse(html).html())
    }

    @Test func whatIsAddedAgainTakesThePlace() {
        let big = MarkupStyle(font: .init(size: 40))
        let red = MarkupStyle(foregroundColor: Color(css: "red"))
        let parser = MarkupParserBuilder.default().add("b", style: big).add("b", style: red)
            .add(class: "c", style: big).add(css: ".c { letter-spacing: 3px }").add(class: "c", style: red)
            .add(id: "i", style: big).add(id: "i", style: red).build()
        for html in ["<b>x</b>", "<u class=c>x</u>", "<u id=i>x</u>"] {
            let style = parser.render(html).runs.first?.style
            #expect(style?.font.size == 16 && style?.foregroundColor == Color(css: "red"))
        }
        #expect(parser.render("<u class=c>x</u>").runs.first?.style.kern == 3)
    }

    @Test func linkAttributesAreTheLinksStyle() {
        #expect(MarkupParser().linkTextAttributes.underlineStyle == .solid)
        let parser = MarkupParserBuilder.default().set(rootStyle: MarkupStyle(font: .init(size: 13)))
            .add("a", style: MarkupStyle(foregroundColor: Color(css: "teal"))).build()
        #expect(parser.linkTextAttributes.foregroundColor == Color(css: "teal"))
        #expect(parser.linkTextAttributes.font.size == 13)
    }

    // MARK: Images

    /// A red picture of 3 × 2 pixels.
    private static let red: [UInt8] = Array(
        "<svg xmlns='http://www.w3.org/2000/svg' width='3' height='2'><rect width='3' height='2' fill='red'/></svg>"
            .utf8)

    private func pixels(_ png: [UInt8]) throws -> Int {
        let picture = try ImageDecoder.decode(png, limit: 1_000_000)
        return (0..<picture.height).reduce(0) { count, y in
            count + (0..<picture.width).count { picture[$0, y] == 0xFF00_00FF }
        }
    }

    private var options: RenderOptions {
        var options = RenderOptions()
        options.width = .pixels(40)
        return options
    }

    @Test func aLoaderGivesImages() throws {
        let parser = MarkupParserBuilder.default().set(imageLoader: { $0 == "app:face" ? Self.red : nil }).build()
        var document = parser.parse("<img src=app:face><img src=app:face><img src=app:other alt=x>")
        let png = try Renderer().png(&document, options)
        #expect(try pixels(png) == 12)
        #expect(document.diagnostics.entries.map(\.code) == [.imageOutsideFolder])
    }

    @Test func aLoaderMayWait() async throws {
        let loader: @Sendable (String) async -> [UInt8]? = { source in
            await Task.yield()
            return source.hasPrefix("app:") ? Self.red : nil
        }
        let html = "<img src=app:a><img src=app:b><img src=app:a>"
        #expect(try pixels(try await MarkupParser().png(html, options, imageLoader: loader)) == 18)
        var document = MarkupParser().parse(html)
        await document.loadImages(with: loader)
        #expect(document.imageSources == ["app:a", "app:b"])
        let png = try Renderer().png(&document, options)
        #expect(try pixels(png) == 18 && document.diagnostics.entries.isEmpty)
    }

    // MARK: Selections

    @Test func selectionsGoDownByNames() {
        let top = MarkupParser().selection("<a><b>Test</b>Link<i><b>deep</b></i></a><b>other</b><A><b>2</b></A>")
        #expect(top.elements.count == 3)
        #expect(top.filter("a").first?.children("b").texts == ["Test"])
        #expect(top.filter("a").children("B").texts == ["Test", "2"])
        #expect(top.children().texts == ["Test", "deep", "2"])
        #expect(top.filter("u").isEmpty && top.children("u").isEmpty)
        #expect(MarkupParser().render(top.filter("a").children("b")).text.contains("Test"))
    }
}
