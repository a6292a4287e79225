// The tutorial's program, using only the public interface.

import FancyText
import Foundation
import FancyTextCSS
import FancyTextStyling
import FancyTextTestSupport
import Testing

@Suite struct TutorialTests {
    @Test func theTutorialsProgramRuns() async throws {
        var highlight = MarkupStyle(backgroundColor: Color(css: "aquamarine"))
        highlight.font.weight = 700

        var root = MarkupStyle(foregroundColor: Color(css: "#222"))
        root.font.size = 18

        var lead = MarkupStyle()
        lead.font.size = 24

        let parser = MarkupParserBuilder.default()
            .add("hi", style: highlight)
            .add(styleAttribute: "glow") { value in
                guard let color = Color(css: value) else { return nil }
                var style = MarkupStyle()
                style.shadow = [Shadow(x: 0, y: 0, blur: 6, color: color)]
                return style
            }
            .add(class: "lead", style: lead)
            .set(rootStyle: root)
            .build()

        var document = parser.parse(
            """
            <h1 id=title>Hello</h1>
            <p class=lead>Some <hi>highlighted</hi> words and <b glow=gold>glowing</b> ones.</p>
            """)

        document.setText("Good evening", ofID: "title")
        for paragraph in document.elements(withClass: "lead") {
            document.append(" <i>And more.</i>", to: paragraph)
        }

        struct Outline: MarkupWalker {
            var headings: [(level: Int, title: String, element: ElementHandle)] = []

            mutating func enterElement(_ element: ElementNode) -> MarkupDescent {
                guard let level = ["h1", "h2", "h3"].firstIndex(of: element.name) else { return .contents }
                headings.append((level + 1, element.text, element.handle))
                return .skip
            }
        }

        var outline = Outline()
        document.visit(&outline)
        for heading in outline.headings {
            print(heading.level, heading.title, document.style(of: heading.element)?.font.size ?? 0)
        }

        struct WordCounter: MarkupVisitor {
            mutating func defaultVisit(_ node: MarkupNode, contents: [Int]) -> Int { contents.reduce(0, +) }

            mutating func visitText(_ text: MarkupNode) -> Int { text.text.split(whereSeparator: \.isWhitespace).count }
        }

        var counter = WordCounter()
        let words = document.visit(&counter)

        struct FontsToSpans: MarkupRewriter {
            mutating func rewriteElement(_ element: ElementNode) -> ElementRewrite {
                guard element.name == "font", let color = element.attribute("color") else { return .keep }
                return .edit(name: "span", attributes: ["style": "color: \(color)", "color": nil])
            }
        }

        var fontsToSpans = FontsToSpans()
        let letter = parser.parse("<p>Kind <font color=teal>regards</font>").rewritten(by: &fontsToSpans)

        let text = document.styledText()
        for run in text.runs where run.tag == "hi" {
            print(text.text(of: run), run.style.font.weight ?? 400, run.style.backgroundColor?.hex ?? "none")
        }

        let signed = text + StyledText("\n— Grace", style: MarkupStyle(foregroundColor: Color(css: "teal")))
        let note = try Renderer().png(signed)

        let renderer = Renderer()
        var options = RenderOptions()
        options.width = .pixels(400)
        options.scale = 2
        let png = try renderer.png(&document, options)

        let pictures = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
            for number in 1...4 {
                group.addTask { (number, try await parser.png("<h1>Page \(number)</h1>")) }
            }
            var pictures: [Int: [UInt8]] = [:]
            for try await (number, png) in group { pictures[number] = png }
            return pictures
        }

        let queue = PictureQueue()
        let cache = PictureCache(PictureCache.Options())
        let cell = try await cache.picture(for: "page 1, 100%") {
            try await queue.png("<h1>Page 1</h1>", parser: parser, priority: .high)
        }

        #expect(cell == pictures[1])
        #expect(Self.size(note) != nil && signed.paragraphs.last?.range.count == "— Grace".utf8.count)
        #expect(outline.headings.map(\.level) == [1] && outline.headings.map(\.title) == ["Good evening"])
        #expect(document.style(of: outline.headings[0].element)?.font.size == 36)
        #expect(words == 10)
        #expect(
            letter.html()
                == "<p>Kind <span style=\"color: teal\">regards</span></p>")
        #expect(text.text == "Good evening\nSome highlighted words and glowing ones. And more.")
        let marked = try #require(text.runs.first { $0.tag == "hi" })
        #expect(text.text(of: marked) == "highlighted")
        #expect(marked.style.font.weight == 700 && marked.style.font.size == 24)
        #expect(marked.style.backgroundColor == Color(red: 0x7F, green: 0xFF, blue: 0xD4))
        let glowing = try #require(text.runs.first { text.text(of: $0) == "glowing" })
        #expect(glowing.style.shadow?.first?.color == Color(red: 0xFF, green: 0xD7, blue: 0))
        #expect(glowing.style.foregroundColor == Color(red: 0x22, green: 0x22, blue: 0x22))
        #expect(Self.size(png)?.width == 800)
        #expect((Self.size(png)?.height ?? 0) > 100)
        #expect(pictures.keys.sorted() == [1, 2, 3, 4] && Set(pictures.values).count == 4)
        #expect(document.diagnostics.worst == nil)
    }

    /// The width and height in a PNG file's header; nil if the bytes are no PNG.
    private static func size(_ png: [UInt8]) -> (width: Int, height: Int)? {
        guard png.count > 24, Array(png[0..<8]) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
            Array(png[12..<16]) == Array("IHDR".utf8)
        else { return nil }
        func number(_ at: Int) -> Int { png[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
        return (number(16), number(20))
    }

    /// The snippets on the page are the code that is compiled above.
    @Test func theTutorialsSnippetsAreTheProgram() throws {
        let page = try String(
            contentsOf: TestPaths.package.appendingPathComponent("Sources/FancyText/FancyText.docc/Tutorial.md"),
            encoding: .utf8)
        let program = try String(contentsOfFile: #filePath, encoding: .utf8)
        func normalized(_ code: some StringProtocol) -> [String] {
            code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        }
        let lines = normalized(program)
        let snippets = page.components(separatedBy: "```swift\n").dropFirst().map {
            normalized($0.components(separatedBy: "```")[0])
        }
        #expect(snippets.count == 11)
        var from = 0
        for snippet in snippets {
            let at = (from..<lines.count).first { lines[$0...].starts(with: snippet) }
            #expect(at != nil, "\(snippet.first ?? "")")
            from = (at ?? from) + snippet.count
        }
    }
}
