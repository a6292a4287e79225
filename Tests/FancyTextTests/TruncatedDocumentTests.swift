// Limits of lines and height in pictures, text, Markdown, HTML and data.

import FancyTextBasics
import FancyTextOutputs
import Testing

@testable import FancyText
@testable import FancyTextLayout

@Suite struct TruncatedDocumentTests {
    private func makeRenderer() -> Renderer {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        return Renderer(fonts: fonts)
    }

    private func options(
        lines: Int = 0, height: Float = 0, width: Float = 300, ellipsis: String? = nil
    ) -> RenderOptions {
        var options = RenderOptions()
        options.width = .pixels(width)
        options.maximumLines = lines
        options.maximumHeight = height
        options.ellipsis = ellipsis
        return options
    }

    private func truncated(_ html: String, _ options: RenderOptions) throws -> Document {
        try makeRenderer().truncated(MarkupParser().parse(html), options)
    }

    private func layout(_ html: String, _ options: RenderOptions) throws -> (tree: LayoutTree, codes: [Diagnostic.Code])
    {
        var document = MarkupParser().parse(html)
        let tree = try makeRenderer().layoutTree(&document, options)
        return (tree, document.diagnostics.map(\.code))
    }

    // MARK: Rows of tables

    private let table = """
        <table border=1><tr><th>Item<th>Notes<tr><td>tea<td>first line<br>second line<tr><td>milk<td>one
        <tr><td>bread<td>two</table><p>after
        """

    @Test func aRowIsOneLineWhateverItsCellsHold() throws {
        let texts = try (1...5).map { try truncated(table, options(lines: $0)).plainText() }
        #expect(texts[0] == "Item  Notes…\n")
        #expect(texts[1] == "Item  Notes\ntea   first line\n      second li…\n" || texts[1].contains("second line…"))
        #expect(texts[2].hasSuffix("milk  one…\n"))
        #expect(texts[3].contains("bread") && !texts[3].contains("after"))
        #expect(texts[4] == MarkupParser().parse(table).plainText())
    }

    @Test func rowsAfterTheLastTakeNoSpace() throws {
        let whole = try layout(table, options())
        let first = try layout(table, options(lines: 1))
        #expect(first.codes.isEmpty)
        #expect(whole.tree.boxes.filter { $0.kind == .tableRow }.count == 4)
        #expect(first.tree.boxes.filter { $0.kind == .tableRow }.count == 1)
        let row = try #require(first.tree.boxes.first { $0.kind == .tableRow })
        let tableBox = try #require(first.tree.boxes.first { $0.kind == .table })
        #expect(tableBox.rect.maxY.float - row.rect.maxY.float < 5)
    }

    @Test func aCellTooNarrowForTheTailKeepsItsText() throws {
        let html = "<table><tr><td>name<td>1<tr><td>other<td>2</table>"
        let document = try truncated(html, options(lines: 1, ellipsis: "… <b>see more</b>"))
        #expect(document.plainText() == "name  1\n")
        #expect(document.diagnostics.map(\.code) == [.tailDoesNotFit])
    }

    @Test func theLinesOfATableOfOneColumnCount() throws {
        let html = "<table width=200><tr><td>one<br>two<br>three<tr><td>four</table>"
        #expect(try truncated(html, options(lines: 2)).plainText() == "one\ntwo…\n")
    }

    @Test func aRowOfATableInARowIsPartOfIt() throws {
        let inner = "<table><tr><td>a<td>b<tr><td>c<td>d</table>"
        let html = "<table><tr><td>\(inner)<td>e<tr><td>f<td>g</table>"
        let text = try truncated(html, options(lines: 1)).plainText()
        #expect("abcde".allSatisfy { text.contains($0) } && !text.contains("f"))
    }

    @Test(arguments: ["flex", "flex;flex-direction:column", "grid", "grid;grid-template-columns:1fr 1fr"])
    func linesOfItemsCountOneItemAfterAnother(_ display: String) throws {
        let html = "<div style='display:\(display)'><p>one<br>two<br>three</p><p>four<br>five</p></div><p>six"
        for (lines, last, next) in [(2, "tw", "three"), (4, "fo", "five"), (5, "fi", "six")] {
            let text = try truncated(html, options(lines: lines)).plainText()
            #expect(text.contains(last) && text.contains("…") && !text.contains(next), "\(text)")
        }
    }

    // MARK: Tails of several lines

    @Test(arguments: ["…<br>see more", "… <div>see more</div>", "…<p>see more</p>"])
    func aTailOfTwoLinesTakesOneOfTheLines(_ ellipsis: String) throws {
        let html = "<p style='margin:0;line-height:20px'>one<br>two<br>three<br>four<br>five</p>"
        let result = try layout(html, options(lines: 3, ellipsis: ellipsis))
        #expect(result.codes.isEmpty)
        let lines = result.tree.flowLines(of: 0, from: 0).map { result.tree.lines[$0.line] }
        #expect(lines.count == 3)
        #expect(lines.map { $0.rect.y.float } == [8, 28, 48])
        let tail = try #require(result.tree.tail)
        #expect(tail.y < 48 && tail.maxY > 50)
        let shown = try truncated(html, options(lines: 3, ellipsis: ellipsis))
        #expect(shown.plainText().split(separator: "\n") == ["one", "two…", "see more"])
    }

    @Test func aBlockHasAllItsLinesBelowTheText() throws {
        let html = "<p style='margin:0'>one<br>two<br>three<br>four</p>"
        let shown = try truncated(html, options(lines: 3, ellipsis: "<div><a href=/x>see</a><br>more</div>"))
        #expect(shown.plainText().split(separator: "\n") == ["one", "see", "more"])
    }

    @Test func aTailWithMoreLinesThanTheLimitFallsBack() throws {
        let html = "<p>one<br>two<br>three</p>"
        let result = try truncated(html, options(lines: 1, ellipsis: "…<br>see more"))
        #expect(result.plainText() == "one…\n")
        #expect(result.diagnostics.map(\.code) == [.tailDoesNotFit])
    }

    @Test func linesThatATooWideTailDoesNotTakeShowText() throws {
        let html = "<p>one<br>two<br>three<br>four</p>"
        let tail = "…<br>" + String(repeating: "see more ", count: 30)
        #expect(try truncated(html, options(lines: 3, ellipsis: tail)).plainText() == "one\ntwo\nthree…\n")
    }

    @Test func theLinesBeforeMakeRoomForAHighTail() throws {
        let html = "<body style='margin:0'><p style='margin:0;line-height:20px'>" + "line<br>".repeated(9)
        for tail in ["…<br><span style='font-size:40px;line-height:60px'>more</span>", "…<br>more<br>and<br>more"] {
            for height in stride(from: Float(90), through: 160, by: 10) {
                let result = try layout(html, options(height: height, ellipsis: tail))
                let bottom = try #require(result.tree.flowLines(of: 0, from: 0).last?.bottom.float)
                #expect(bottom <= height && bottom > height - 60 && result.codes.isEmpty, "\(height) \(bottom)")
            }
        }
        // Higher than the limit.
        let result = try layout(html, options(height: 50, ellipsis: "…<br><span style='font-size:90px'>more</span>"))
        #expect(result.codes == [.tailDoesNotFit])
        #expect(result.tree.flowLines(of: 0, from: 0).count == 2)
    }

    // MARK: Documents

    @Test func theTailIsInTheInnermostElement() throws {
        let html = "<p>one two <a href=/page>three <b>four five six seven</b></a> eight</p><p>nine</p>"
        let shown = try truncated(html, options(lines: 1, width: 210, ellipsis: "… <i>more</i>"))
        let written = shown.html()
        #expect(written.hasPrefix("<p>one two <a href=\"/page\">three <b>f"))
        #expect(written.hasSuffix("… <i>more</i></b></a></p>"), "\(written)")
    }

    @Test func textIsCutInItsSource() throws {
        let html = "<p style='text-transform:uppercase'>Tom &amp; Jerry:\n  a  straße of <b>cats</b> and other animals"
        let shown = try truncated(html, options(lines: 1, width: 230))
        #expect(shown.html().contains("Tom &amp; Jerry:\n  a  stra"))
        #expect(shown.plainText().hasPrefix("TOM & JERRY: A STRA"))
    }

    @Test func styleSheetsAfterTheCutCount() throws {
        let html =
            "<p>one two three four five six seven eight nine ten</p><div><style>p{text-transform:uppercase}</style></div>"
        #expect(try truncated(html, options(lines: 1, width: 150)).plainText().hasPrefix("ONE TWO"))
    }

    @Test(arguments: ["head", "middle"])
    func theEndOfTheParagraphIsShownAgain(_ mode: String) throws {
        let html =
            "<body style='truncate-mode:\(mode)'><p>one <b>two three four five</b> six <i>seven</i> eight</p><p>nine</p>"
        let shown = try truncated(html, options(lines: 1, width: 150))
        let text = shown.plainText()
        #expect(text.hasSuffix(" eight\n") && text.contains("…") && !text.contains("nine"))
        #expect(text.hasPrefix(mode == "head" ? "…" : "one"))
        #expect(!shown.html().contains("<b></b>"))
    }

    @Test func whatFitsIsUntouched() throws {
        let html = "<p>one <b>two</b></p>"
        #expect(try truncated(html, options(lines: 1)).html() == html)
    }

    @Test func theStyledTextEndsInTheTail() throws {
        var shown = try truncated(
            "<p>one two three four five</p>", options(lines: 1, width: 90, ellipsis: "… <b>more</b>"))
        let text = shown.styledText()
        #expect(text.text.hasSuffix("… more") && text.text.hasPrefix("o"))
        #expect(text.runs.last?.tag == "b" && text.runs.last?.style.font.weight == 700)
    }

    /// Offsets in JSON refer to the visible text.
    @Test func dataHasTheTextThatIsShown() throws {
        var document = MarkupParser().parse("<p>one two three four five six seven</p><p>eight</p>")
        let bytes = try makeRenderer().json(
            &document, options(lines: 1, width: 120, ellipsis: "… more"), content: JSONContent(hasLayout: true))
        let json = String(decoding: bytes, as: UTF8.self)
        let text = try #require(json.firstMatch(of: /"text":"([^"]*)"/)?.1)
        #expect(text.hasSuffix("… more") && !text.contains("eight"))
        let count = text.unicodeScalars.count
        #expect(json.contains("\"lines\":[{\"start\":0,\"end\":\(count),"))
        #expect(json.contains("\"truncated\":{\"at\":\(count - 6),"))
        let plain = try makeRenderer().json(&document, options(lines: 1, width: 120, ellipsis: "… more"))
        #expect(String(decoding: plain, as: UTF8.self).contains("\"text\":\"\(text)\""))
    }

    // MARK: The tail in data and metadata

    @Test(arguments: [
        (" <b>more</b> to read", ["Hello", "world", "more", "to", "read"], "Hello worldmore to read"),
        (nil, ["Hello", "world", "this", "…"], "Hello world this…"),
    ])
    func theTailIsAmongTheWordsAndInTheDescription(_ ellipsis: String?, _ words: [String], _ shown: String) throws {
        let html = "<p>Hello world this is a long text that does not fit</p><p>Second"
        let limits = options(lines: 1, width: ellipsis == nil ? 150 : 200, ellipsis: ellipsis)
        var document = MarkupParser().parse(html)
        let json = try makeRenderer().json(&document, limits, content: JSONContent(hasLayout: true))
        var reader = JSONParser(json)
        let parsed = reader.parse()
        let value = try #require(parsed)
        let found = value.member("words")?.elements ?? []
        #expect(found.map { $0.member("text") } == words.map { JSONValue.string($0) })
        #expect(value.member("text") == .string(shown))
        for (word, text) in zip(found, words) {
            guard case .number(let start)? = word.member("start"), case .number(let end)? = word.member("end") else {
                Issue.record("no range")
                continue
            }
            #expect(Array(shown)[(Int(start) ?? 0)..<(Int(end) ?? 0)].elementsEqual(text))
        }
        var pictured = MarkupParser().parse(html)
        let png = try makeRenderer().png(&pictured, limits)
        #expect(png.firstRange(of: Array(shown.utf8)) != nil)
        #expect(png.firstRange(of: Array("Second".utf8)) == nil)
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
