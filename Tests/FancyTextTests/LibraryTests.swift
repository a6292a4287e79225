// The public library: one parser in many tasks, attributed text as a value, selections.

import FancyText
import FancyTextCSS
import FancyTextFoundation
import FancyTextOutputs
import FancyTextStyling
import Foundation
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
        let text = parser.render(Self.html)
        let results = await withTaskGroup(of: (Bool, Bool).self) { group in
            for _ in 0..<200 {
                group.addTask {
                    var document = parser.parse(Self.html)
                    let json = try? Renderer().json(&document)
                    return (json == data, parser.render(Self.html) == text)
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

    @Test func workInTheBackgroundGivesWhatTheCallerWouldGet() async throws {
        let parser = Self.parser
        let text = await parser.background { $0.render(Self.html) }
        #expect(text == parser.render(Self.html))
        let found = try await parser.background { parser throws(SelectorError) in
            try parser.select(in: Self.html, matching: "li")
        }
        #expect(try found == parser.select(Self.html, "li"))
        #expect(try await parser.png(Self.html) == Renderer().png(parser.parse(Self.html)))
        #expect(try await parser.picture(Self.html, as: .svg).starts(with: Array("<svg".utf8)))
    }

    @Test func aDocumentThatStaysAsItIsGivesTheSameOutputs() throws {
        let document = Self.parser.parse(Self.html)
        var copy = document
        let renderer = Renderer()
        #expect(try renderer.png(document) == renderer.png(&copy))
        #expect(try renderer.picture(document, as: .svg) == renderer.picture(&copy, as: .svg))
        #expect(try renderer.pixels(document) == renderer.pixels(&copy))
        #expect(try renderer.json(document) == renderer.json(&copy))
        #expect(renderer.ansi(document) == renderer.ansi(&copy))
        let text = copy.styledText()
        #expect(try renderer.picture(text, as: .svg).starts(with: Array("<svg".utf8)))
        #expect(try !String(decoding: renderer.json(text), as: UTF8.self).contains("\"source\""))
    }

    @Test func styledTextIsTruncated() throws {
        let text = Self.parser.render("<p>" + String(repeating: "many words ", count: 100))
        let short = try Renderer().truncated(text, RenderOptions(width: .pixels(200), maximumLines: 2))
        #expect(short.text.hasSuffix("…") && short.text.count < 100)
    }

    @Test func aTemplateMakesDocumentsOfRows() throws {
        let template = try DocumentTemplate(
            "<p title='{{who}}'>Hello, <b>{{who}}</b>{{#items}} {{.}}{{/items}}</p><i id=at></i>")
        let document = try template.document(for: ["who": "<A & B>", "items": "", "at": "now"])
        #expect(document.rawText == "Hello, <A & B>now")
        #expect(document.html().contains("<b>&lt;A &amp; B&gt;</b>"))
        #expect(try template.document(forJSON: #"{"who": "x", "items": [1, 2]}"#).rawText == "Hello, x 1 2")
        #expect(throws: TemplateError.self) { try template.document(forJSON: "[1]") }
        #expect(throws: TemplateError.self) { try template.document(for: ["items": ""]) }
        #expect(throws: TemplateError.self) { try DocumentTemplate("<p>{{#open}}") }
    }

    @Test func attributesAreSetAndAnchorsLookLikeLinks() throws {
        var document = Self.parser.parse("<a id=x>one</a>")
        let isSet = document.setAttribute("href", to: "u?a=1&b=\"2\"", ofID: "x")
        #expect(document.html() == "<a id=\"x\" href=\"u?a=1&amp;b=&quot;2&quot;\">one</a>")
        let isNowhere = document.setAttribute("href", to: "v", ofID: "y")
        #expect(isSet && !isNowhere)
        let underline = { (parser: MarkupParser) in parser.render("<a>one</a>").runs.first?.style.underlineStyle }
        #expect(underline(MarkupParserBuilder.default().build()) == nil)
        #expect(underline(MarkupParserBuilder.default().set(showsAnchorsAsLinks: true).build()) == .solid)
    }

    @Test func attributesOfASourceStayOnItsText() throws {
        let red = try #require(Color(css: "#ff0000"))
        var source = StyledText("a <b>b &am")
        source.append(StyledText("p; c</b>", style: MarkupStyle(foregroundColor: red)))
        source.append(StyledText("<i>d</i>"))
        let stripped = Self.parser.strip(source)
        #expect(stripped.text.hasSuffix("cd"))
        #expect(stripped.runs.contains { $0.style.foregroundColor == red })
        let text = Self.parser.render(source)
        let run = try #require(text.runs.first { text.text(of: $0).hasSuffix("c") })
        #expect(run.style.foregroundColor == red && run.style.font.weight == 700)
        let found = try Self.parser.select(in: source, matching: "b")
        #expect(found.count == 1 && found[0].runs.last?.style.foregroundColor == red)
    }

    @Test func attributedStringsKeepStyles() throws {
        let text = Self.parser.render("<p>plain <b>bold</b> <a href='https://a.example/'>link</a></p><p><s>two</s></p>")
        let string = AttributedString(text)
        #expect(String(string.characters) == text.text)
        #expect(string.runs.contains { $0.link == URL(string: "https://a.example/") })
        let back = StyledText(string)
        #expect(
            back.text == text.text
                && back.runs
                    == text.runs.map { run in
                        var run = run
                        (run.tag, run.id, run.classes) = (nil, nil, nil)
                        return run
                    }
        )
        var plain = AttributedString("x")
        plain.link = URL(string: "https://b.example/")
        #expect(StyledText(plain).runs.map(\.style.link) == ["https://b.example/"])
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
        let found = try Self.parser.selection(
            in: "<div style='color:red'><a><b>Test</b>Link</a></div>", matching: "a")
        #expect(found.texts == ["TestLink"])
        let inner = try found.select("b")
        #expect(inner.html == ["<b>Test</b>"])
        let text = Self.parser.render(inner)
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
