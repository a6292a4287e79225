// Styled text: its generation from documents, and its conversion back.

import FancyText
import Foundation
import FancyTextTestSupport
import Testing

@Suite struct StyledTextTests {
    static let parser = MarkupParser()

    static func render(_ html: String) -> StyledText { parser.render(html) }

    /// The texts of the paragraphs, without their separators.
    private static func paragraphs(_ text: StyledText) -> [String] {
        text.paragraphs.map { paragraph in
            let range = paragraph.range.lowerBound..<paragraph.range.upperBound - paragraph.separatorLength
            return text[range].text
        }
    }

    // MARK: The contents of the text

    @Test func listMarkersBelongInTheText() throws {
        let text = Self.render("<style>li::marker{color:red}</style><ol start=9><li>A<li><p>B</ol><ul><li></ul>")
        #expect(text.text == "9.\tA\n10.\tB\n•\t")
        let markers = text.runs.filter { text.text(of: $0).hasSuffix("\t") }
        #expect(markers.map { String(text.text(of: $0)) } == ["9.\t", "10.\t", "•\t"])
        #expect(markers.allSatisfy { $0.tag == "li" && $0.style.foregroundColor == Color(red: 255, green: 0, blue: 0) })
        #expect(text.paragraphs.map { $0.marker?.number } == [9, 10, nil])
        #expect(text.paragraphs.map { $0.style.paragraphStyle.listStyle } == ["decimal", "decimal", "disc"])
        #expect(text.paragraphs.map { $0.tag } == ["li", "p", "li"])
        #expect(text.paragraphs.allSatisfy { $0.style.paragraphStyle.headIndent == 40 })
    }

    @Test func markersInsideAreMarkersToo() throws {
        let text = Self.render("<ul style='list-style-position:inside'><li>A</ul>")
        #expect(text.text == "• A")
        #expect(text.paragraphs.first?.marker?.isInside == true)
        #expect(text.paragraphs.first?.marker?.length == 4)
    }

    @Test func cellsOfARowStandOnOneLine() {
        let html =
            "<table><caption>Cap<tr><th>A<th>B<th>C<tr><td rowspan=2>1<td colspan=2>2<tr><td><td>4<tr><td><td></table>end"
        let text = Self.render(html)
        #expect(text.text == "Cap\nA\tB\tC\n1\t2\n\t\t4\nend")
        let places = text.paragraphs.map { $0.cell.map { [$0.table, $0.row, $0.column] } }
        #expect(
            places == [
                nil, [0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 1, 0], [0, 1, 1], [0, 2, 1], [0, 2, 2], nil,
            ])
        #expect(text.paragraphs[1].cell?.isHeader == true)
        #expect(text.paragraphs[4].cell?.rowSpan == 2 && text.paragraphs[5].cell?.columnSpan == 2)
    }

    @Test func cellsArePaddedOnRequest() {
        let html = "<table><tr><th>Name<th>漢字<tr><td>Alfred<td>x<tr><td>Bo<td>yy</table>"
        func text(_ tables: TableForm) -> String {
            MarkupParserBuilder.default().set(tables: tables).build().render(html).text
        }
        #expect(text(.padded()) == "Name     漢字\nAlfred   x\nBo       yy")
        #expect(text(.padded(spacing: 1)) == "Name   漢字\nAlfred x\nBo     yy")
        // The ancestor's length limit: longer text ends in dots.
        #expect(text(.padded(spacing: 1, fixedMaxLength: 4)) == "Name 漢字\nAlfr... x\nBo   yy")
        var document = Self.parser.parse(html)
        #expect(document.styledText(tables: .padded()).text == text(.padded()))
        #expect(document.styledText().text.hasPrefix("Name\t漢字"))
    }

    @Test(arguments: ["text", "<p style='margin:0'>text", "<html><body>text"])
    func theMarginOfTheBodyIsNoIndent(_ html: String) {
        let style = Self.render(html).runs.first?.style.paragraphStyle
        #expect(style?.headIndent == nil && style?.tailIndent == nil && style?.firstLineHeadIndent == nil)
    }

    @Test func indentsAndSpacingAreThoseOfAllBlocksAround() {
        let html = """
            <div style='margin:30px 0 5px 10px'><div style='border-left:2px solid'><p style='text-indent:4px'>a<p>b</div></div>
            """
        let text = Self.render(html)
        let styles = text.paragraphs.map(\.style.paragraphStyle)
        #expect(styles.map(\.headIndent) == [12, 12])
        #expect(styles.map(\.firstLineHeadIndent) == [16, 12])
        #expect(styles.map(\.paragraphSpacingBefore) == [30, 16])
        #expect(styles.map(\.paragraphSpacing) == [16, 16])
    }

    @Test func linesKeepStyleAndColourEach() throws {
        let html = """
            <u style='text-decoration: wavy underline 2px red'>a<s style='text-decoration-style: double; \
            text-decoration-color: blue'>b</s></u>
            """
        let style = try #require(Self.render(html).runs.last?.style)
        #expect(style.underlineStyle == .wavy && style.underlineColor == Color(css: "red"))
        #expect(style.strikethroughStyle == .double && style.strikethroughColor == Color(css: "blue"))
        #expect(style.underlineThickness == 2 && style.strikethroughThickness == nil)
        // The same style given in code.
        var mark = MarkupStyle()
        mark.underlineStyle = .wavy
        mark.underlineColor = Color(css: "red")
        mark.strikethroughStyle = .double
        mark.strikethroughColor = Color(css: "blue")
        let parser = MarkupParserBuilder.default().add("mine", style: mark).build()
        let own = try #require(parser.render("<mine>x</mine>").runs.first?.style)
        #expect(own.underlineStyle == .wavy && own.underlineColor == mark.underlineColor)
        #expect(own.strikethroughStyle == .double && own.strikethroughColor == mark.strikethroughColor)
    }

    @Test func placesInLayoutCountMarkersAndTabs() throws {
        var document = Self.parser.parse("<ol><li>one<li>two</ol><table><tr><td>a<td><td>b</table>")
        let json = String(
            decoding: try Renderer().json(&document, content: JSONContent(hasLayout: true)), as: UTF8.self)
        let text = document.styledText().text
        #expect(text == "1.\tone\n2.\ttwo\na\t\tb")
        let words = try #require(json.range(of: "\"words\":")).upperBound
        for place in ["{\"start\":3,\"end\":6,", "{\"start\":10,\"end\":13,", "{\"start\":17,\"end\":18,"] {
            #expect(json[words...].contains(place), "\(place)")
        }
    }

    @Test(arguments: [
        ("octal", "11. x"), ("lower-hexadecimal", "9. x"), ("binary", "1001. x"), ("check", "✓ x"), ("'★'", "★ x"),
        ("'> '", "> x"), ("'一、'", "一、x"),
    ])
    func markersOfAllKindsAreInPlainText(_ style: String, _ expected: String) {
        let attribute = "<ol style=\"list-style-type:\(style)\"><li value=9>x</ol>"
        #expect(Self.parser.parse(attribute).plainText() == expected + "\n")
        let sheet = "<style>ol{list-style-type:\(style)}</style><ol><li value=9>x</ol>"
        #expect(Self.parser.parse(sheet).plainText() == expected + "\n")
    }

    // MARK: Slices

    @Test func plainTextHasAParagraphForEachLine() {
        let text = StyledText("a\nb\n\n", style: MarkupStyle(foregroundColor: .black))
        #expect(text.paragraphs.map(\.range) == [0..<2, 2..<4, 4..<5])
        #expect(text.paragraphs.allSatisfy { $0.separatorLength == 1 })
        #expect(StyledText("").paragraphs.isEmpty)
    }

    @Test func appendedParagraphsStandAlone() {
        var text = Self.render("<p>one")
        text.appendParagraph(Self.render("<ol><li>two</ol>"))
        #expect(Self.paragraphs(text) == ["one", "1.\ttwo"])
        text.append(StyledText("!"))
        #expect(Self.paragraphs(text) == ["one", "1.\ttwo!"])
    }

    @Test func aCutMarkerIsText() {
        let text = Self.render("<ol><li>two</ol>")
        #expect(text[1..<6].paragraphs.map(\.marker) == [nil])
        #expect(text[0..<4].paragraphs.first?.marker?.length == 3)
    }

    @Test(arguments: 1...60)
    func partsPutTogetherAreTheWhole(_ seed: UInt64) {
        let text = Self.render(RandomSnippet(seed: seed).html)
        let utf8 = text.text.utf8
        for index in utf8.indices where index.samePosition(in: text.text.unicodeScalars) != nil {
            let offset = utf8.distance(from: utf8.startIndex, to: index)
            guard offset % 7 == 3 else { continue }
            // A marker cut in two becomes text; everything else is restored.
            guard !text.paragraphs.contains(where: { $0.marker != nil && $0.range.contains(offset) }),
                !text.paragraphs.contains(where: { $0.range.contains(offset - 1) && $0.separatorLength > 1 })
            else { continue }
            #expect(text[0..<offset] + text[offset..<utf8.count] == text, "at \(offset)")
        }
    }

    // MARK: Back to documents

    @Test(arguments: 0..<25)
    func renderedHTMLKeepsTextRunsAndFields(_ part: UInt64) {
        for seed in part * 20..<part * 20 + 20 {
            let html = RandomSnippet(seed: seed).html
            let text = Self.render(html)
            let back = Self.render(text.html())
            guard text != back else { continue }
            Issue.record("\(seed): \(html)\n\(text.html())\n\(Self.difference(text, back))")
        }
    }

    private static func difference(_ first: StyledText, _ second: StyledText) -> String {
        if first.text != second.text { return "\(first.text.debugDescription)\n\(second.text.debugDescription)" }
        for (one, other) in zip(first.runs, second.runs) where one != other { return "\(one)\n\(other)" }
        for (one, other) in zip(first.paragraphs, second.paragraphs) where one != other { return "\(one)\n\(other)" }
        return "\(first.runs.count) \(second.runs.count) \(first.paragraphs.count) \(second.paragraphs.count)"
    }

    @Test(arguments: 0..<20)
    func thePictureIsThatOfTheDocument(_ part: UInt64) throws {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        let renderer = Renderer(fonts: fonts)
        var options = RenderOptions()
        options.width = .pixels(240)
        for seed in part * 10..<part * 10 + 10 {
            let html = RandomSnippet(seed: seed, isFlat: true).html
            var document = Self.parser.parse(html)
            let expected = try renderer.png(&document, options)
            var metadata = options
            metadata.writesMetadata = true
            let text = document.styledText()
            if try renderer.pixels(text, options) != renderer.pixels(&document, options) {
                Issue.record("\(seed): \(html)\n\(text.html())")
            } else if !text.text.contains("\t") {
                // If both texts are the same, so are the files.
                #expect(try renderer.png(text, options) == expected, "\(seed)")
            }
        }
    }

    @Test func blocksInCellsKeepTheirIndents() {
        let html =
            "<table><tr><td><p style='text-indent:10px;margin:0 3px'>a<p>b<td>c<div style='text-indent:5px'>d</div></table>"
        let text = Self.render(html)
        #expect(text.paragraphs.map { $0.style.paragraphStyle.firstLineHeadIndent } == [13, nil, nil, 5])
        #expect(Self.render(text.html()) == text)
    }

    @Test func valuesThatAreNeitherTagsNorTextAreQuoted() {
        var text = StyledText("<b>&amp;\" \r", style: MarkupStyle())
        text.appendParagraph(StyledText("  two  spaces\t", style: MarkupStyle()))
        #expect(Self.render(text.html()).text == text.text)
        var style = MarkupStyle()
        style.link = "https://x.example/?a=\"b\"&c=<d>"
        style.textEffect = "</style>\"'\\"
        style.font.family = [.named("A \"<b>\" B")]
        let back = Self.render(StyledText("x", style: style).html())
        #expect(back.runs.first?.style.link == style.link)
        #expect(back.runs.first?.style.textEffect == style.textEffect)
        #expect(back.runs.first?.style.font.family == style.font.family)
    }

    @Test func allOutputsShowIt() throws {
        let html = "<h1>Title</h1><p>One <b>two</b> <a href='https://a.example/'>li<i>nk</i></a></p><ul><li>x<li>y</ul>"
        let renderer = Renderer()
        var document = Self.parser.parse(html)
        let text = document.styledText()
        #expect(text.plainText() == document.plainText())
        #expect(renderer.ansi(text) == renderer.ansi(&document))
        #expect(text.markdown() == document.markdown())
        #expect(Self.parser.strip(text).text == text.text)
        let json = String(decoding: try renderer.json(text), as: UTF8.self)
        #expect(json.contains("\"text\":\"Title\\nOne two link\\n•\\tx\\n•\\ty\"") && !json.contains("source"))
        #expect(text.html().contains("<a href=\"https://a.example/\""))
    }
}

/// A random snippet; a flat one contains only what attributes can express.
struct RandomSnippet {
    private(set) var html = ""
    private var random: SeededGenerator
    private let isFlat: Bool
    private var words = 0

    init(seed: UInt64, isFlat: Bool = false) {
        random = SeededGenerator(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
        self.isFlat = isFlat
        for _ in 0..<pick(1...4) { addBlock(depth: 0) }
    }

    private mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    private mutating func chance(_ percent: Int) -> Bool { pick(0...99) < percent }
    private mutating func one(_ options: [String]) -> String { options[pick(0...options.count - 1)] }

    private mutating func names() -> String {
        (chance(15) ? " id=i\(pick(0...9))" : "") + (chance(15) ? " class='c d\(pick(0...3))'" : "")
    }

    private mutating func style(_ options: [String]) -> String {
        let count = pick(0...2)
        guard count > 0 else { return "" }
        return " style=\"\((0..<count).map { _ in one(options) }.joined(separator: ";"))\""
    }

    private static let inherited = [
        "color:red", "color:#12345680", "font-size:20px", "font-weight:300", "letter-spacing:2px", "word-spacing:3px",
        "font-family:'DejaVu Sans Mono'", "text-shadow:1px 1px 2px blue", "font-style:italic",
        "text-transform:uppercase",
        "font-stretch:75%", "-webkit-text-stroke:1px green", "-ft-obliqueness:.2", "font-feature-settings:'tnum'",
        "font-variant-caps:small-caps", "font-variant-ligatures:none",
    ]
    private static let paragraph = [
        "text-align:right", "text-align:center", "text-align:justify", "text-indent:10px", "margin-left:12px",
        "margin:5px 8px", "line-height:1.5", "line-height:30px", "-ft-line-spacing:3px", "tab-size:20px",
        "hyphens:none", "word-break:break-all", "text-indent:-6px",
    ]
    private static let own = ["background-color:yellow", "text-decoration:underline", "vertical-align:3px"]

    private mutating func word() -> String {
        words += 1
        return one(["word", "fi", "Ünï", "a&lt;b", "日本", "w", "x&nbsp;y", "Longer", "👍🏽", "1/2"]) + "\(words)"
    }

    private mutating func text() -> String {
        (0..<pick(1...4)).map { _ in word() }.joined(separator: one([" ", " ", "  ", "\n"]))
    }

    private mutating func addInline(depth: Int) {
        for _ in 0..<pick(1...4) {
            switch pick(0...9) {
            case 0...3: html += text()
            case 4: html += " "
            case 5: html += one(["<br>", " "])
            case 6 where depth < 3:
                let tag = one(
                    isFlat ? ["b", "i", "em", "code"] : ["b", "i", "em", "code", "u", "s", "mark", "sup", "hi"])
                html += "<\(tag)\(names())\(style(Self.inherited + (isFlat ? [] : Self.own)))>"
                // Runs do not record nested inline boxes.
                if isFlat { html += text() } else { addInline(depth: depth + 1) }
                html += "</\(tag)>"
            case 7 where depth == 0:
                // Adjacent links with the same target would be one link.
                words += 1
                html += "<a href='https://x.example/\(isFlat ? words : pick(0...3))'\(names())>"
                if isFlat { html += text() } else { addInline(depth: 1) }
                html += "</a>"
            case 8:
                html += "<span\(names())\(style(Self.inherited + Self.own))>\(word())</span>"
            default: html += text() + " "
            }
        }
    }

    private mutating func addBlock(depth: Int) {
        switch pick(0...8) {
        case 0: addInline(depth: 0)
        case 1...3:
            let tag = one(["p", "div", "h2", "h4", "address"])
            html += "<\(tag)\(names())\(style(Self.inherited + Self.paragraph))>"
            // Boxes without text have margins that no attribute records.
            if isFlat { html += word() }
            addInline(depth: 0)
            html += "</\(tag)>"
        case 4 where depth < 3:
            html += "<blockquote\(style(Self.inherited))>"
            for _ in 0..<pick(1...3) { addBlock(depth: depth + 1) }
            html += "</blockquote>"
        case 5, 6: addList(depth: depth)
        case 7 where depth == 0 || !isFlat: addTable()
        default: html += "<pre\(names())>\(text())\n  \(text())\n</pre>"
        }
    }

    private mutating func addList(depth: Int) {
        let tag = one(["ul", "ol"])
        let kind = one(["", " style='list-style-type:lower-roman'", " style='list-style-type:\"- \"'"])
        html += "<\(tag)\(kind)\(chance(20) ? " start=7" : "")>"
        for _ in 0..<pick(1...3) {
            html += "<li\(names())\(style(Self.inherited))>"
            if !isFlat, chance(10) { html += "<p>" }
            if isFlat { html += word() }
            if isFlat || !chance(5) { addInline(depth: 0) }
            if depth < 2, chance(20) { addList(depth: depth + 1) }
            html += "</li>"
        }
        html += "</\(tag)>"
    }

    private mutating func addTable() {
        html += "<table>"
        let columns = pick(1...3)
        for row in 0..<pick(1...3) {
            html += "<tr>"
            for column in 0..<columns {
                let tag = row == 0 && chance(50) ? "th" : "td"
                html += "<\(tag)\(names())\(style(Self.inherited))>"
                if !chance(15) || column == 0 {
                    if isFlat { html += word() }
                    addInline(depth: 1)
                }
                html += "</\(tag)>"
            }
            html += "</tr>"
        }
        html += "</table>"
    }
}
