// The public library: one parser in many tasks, attributed text as a value, selections.

import FancyText
import FancyTextOutputs
import FancyTextStyling
import Testing

@Suite struct LibraryTests {
    private static let html = """
        <style>.a { color: oklch(0.6 0.2 30); font-weight: 650 } p:nth-child(2) { text-decoration: underline wavy }</style>
        <h1 id=t>Title &amp; more</h1><p class=a>One <b style="glow: red">two</b> <a href=u>three</a></p>
        <ul><li>first<li>second</ul><table><tr><td>1<td>2</table>
        """

    private static let parser = MarkupParserBuilder.default()
        .add(styleAttribute: "glow") { value in
            var style = MarkupStyle()
            style.shadow = Color(css: value).map { [Shadow(x: 0, y: 0, blur: 4, color: $0)] }
            return style
        }
        .add(css: "li::before { content: counter(list-item) }").build()

    @Test func twoHundredRendersAtOnceAreIdentical() async throws {
        let parser = Self.parser
        let expected = parser.parse(Self.html)
        var copy = expected
        let data = try Renderer().json(&copy)
        let text = await parser.render(Self.html)
        let results = await withTaskGroup(of: (Bool, Bool).self) { group in
            for _ in 0..<200 {
                group.addTask {
                    var document = parser.parse(Self.html)
                    let json = try? Renderer().json(&document)
                    return (json == data, await parser.render(Self.html) == text)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count == 200)
        #expect(results.allSatisfy { $0.0 && $0.1 })
    }

    @Test func oneDocumentRenderedInManyTasksGivesTheSamePicture() async throws {
        let document = Self.parser.parse(Self.html)
        let pictures = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<16 {
                group.addTask {
                    var copy = document
                    return try Renderer().png(&copy)
                }
            }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(pictures.count == 1)
    }

    @Test func theAsyncFormsGiveWhatTheOthersGive() async throws {
        let parser = Self.parser
        func now() throws -> (StyledText, String, [String]) {
            (parser.render(Self.html), parser.strip(Self.html), try parser.select(Self.html, "li"))
        }
        let expected = try now()
        #expect(await parser.render(Self.html) == expected.0)
        #expect(await parser.strip(Self.html) == expected.1)
        let found = try await parser.select(Self.html, "li")
        #expect(found == expected.2)
        #expect(try await parser.png(Self.html).starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }

    @Test func customDeclarationsCountInStyleAttributes() {
        let text = Self.parser.parse("<b style='color: blue; Glow: lime; margin: 0'>x</b>").withStyledText { $0 }
        #expect(text.runs.first?.style.shadow?.first?.color == Color(red: 0, green: 255, blue: 0))
        #expect(text.runs.first?.style.foregroundColor == Color(red: 0, green: 0, blue: 255))
    }

    @Test func linksByStyleLeadSomewhereInEveryOutput() throws {
        let html = "<p style=\"-ft-link:'https://s.x/'\">by style <a href=https://a.x/>by tag</a></p>"
        var document = Self.parser.parse(html)
        let markdown = document.markdown()
        #expect(markdown.contains("[by style](https://s.x/)") && markdown.contains("[by tag](https://a.x/)"))
        var terminal = ANSIOptions()
        terminal.hyperlinks = true
        let ansi = String(decoding: Renderer().ansi(&document, RenderOptions(), terminal), as: UTF8.self)
        #expect(ansi.contains("https://s.x/") && ansi.contains("https://a.x/"))
        #expect(document.styledText().runs.map(\.style.link) == ["https://s.x/", "https://a.x/"])
        var content = JSONContent()
        content.hasLayout = true
        let json = String(decoding: try Renderer().json(&document, RenderOptions(), content: content), as: UTF8.self)
        #expect(json.contains("\"href\":\"https://s.x/\"") && json.contains("\"href\":\"https://a.x/\""))
    }

    @Test func aSelectionKeepsTheStylesOfTheWhole() throws {
        let found = try Self.parser.selection("<div style='color:red'><a><b>Test</b>Link</a></div>", "a")
        #expect(found.texts == ["TestLink"])
        let inner = try found.select("b")
        #expect(inner.html == ["<b>Test</b>"])
        func render(_ selection: Selection) -> StyledText { Self.parser.render(selection) }
        let text = render(inner)
        #expect(text.text == "Test")
        #expect(text.runs.first?.style.foregroundColor == Color(red: 255, green: 0, blue: 0))
        #expect(text.runs.first?.style.font.weight == 700)
    }

    @Test func styledTextIsSlicedAndPutTogether() {
        let text = Self.parser.parse("<p>plain <b>bold</b> é end").withStyledText { $0 }
        #expect(text.text == "plain bold é end")
        let slice = text[3..<8]
        #expect(slice.text == "in bo")
        #expect(slice.runs.map(\.range) == [0..<3, 3..<5])
        #expect(slice.runs.last?.style.font.weight == 700)
        #expect(text[0..<6] + text[6..<100] == text)
        #expect(text[20..<30].isEmpty)
        let label = StyledText("x", style: MarkupStyle(foregroundColor: .white)) + slice
        #expect(label.runs.map(\.range) == [0..<1, 1..<4, 4..<6])
    }
}

extension Document {
    /// Renders a copy, for documents that are not variables.
    fileprivate func withStyledText(_ body: (StyledText) -> StyledText) -> StyledText {
        var copy = self
        return body(copy.styledText())
    }
}
