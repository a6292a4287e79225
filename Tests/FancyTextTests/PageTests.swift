// Documents on pages: sizes, breaks, repeated parts, margin boxes.

import FancyTextBasics
import FancyTextCSS
import FancyTextImages
import FancyTextLayout
import FancyTextStyling
import FancyTextTypography
import Testing

@testable import FancyText

@Suite struct PageTests {
    private static var renderer: Renderer {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        return Renderer(fonts: fonts)
    }

    /// The text of each page, with spaces between its lines, and the sizes of the pages.
    private func pages(
        _ html: String, page: PageSize = PageSize(), _ numbers: PageNumbers? = nil
    ) throws -> [(text: String, width: Int, height: Int)] {
        var document = MarkupParser().parse(html)
        return try Self.renderer.pages(&document, as: .svg, page: page, numbers: numbers).map { _, bytes in
            let file = String(decoding: bytes, as: UTF8.self)
            let texts = file.split(separator: "\n").filter { $0.contains("<text") }.map { line in
                String(line.replacing(/<[^>]*>/, with: ""))
            }
            func side(_ name: String) -> Int {
                let start = file.range(of: " \(name)=\"")?.upperBound ?? file.startIndex
                return Int(Double(file[start...].prefix { $0.isNumber || $0 == "." }) ?? 0)
            }
            return (texts.joined(separator: " "), side("width"), side("height"))
        }
    }

    private func texts(_ html: String, page: PageSize = PageSize()) throws -> [String] {
        try pages("<style>@page{size:200px 100px;margin:0}*{margin:0;line-height:20px}</style>" + html, page: page)
            .map { $0.text.split(separator: " ").joined(separator: " ") }
    }

    private func lines(_ range: ClosedRange<Int>) -> String { range.map { "\($0)" }.joined(separator: "<br>") }

    /// Margins adjoining a break are truncated (CSS Fragmentation 3 §5.2), also those that the root element contains.
    @Test(arguments: ["", "<div style='display:flow-root'>", "<style>html{display:flow-root}</style>"])
    func aMarginAtTheEndNeedsNoPage(_ start: String) throws {
        let page = "<!doctype html><style>@page{size:200px 100px;margin:0}*{margin:0;line-height:20px}</style>"
        #expect(try pages(page + start + "<p style='margin-bottom:50px'>" + lines(1...4)).count == 1)
    }

    @Test func bordersOfTablesAreOnTheirPage() throws {
        let rows = String(repeating: "<tr><td>x", count: 9)
        var document = MarkupParser().parse(
            "<style>@page{size:200px 100.7px;margin:0}body{margin:0}table{border-collapse:collapse}"
                + "td,th{border:4px solid;height:20px;padding:0}</style><table><thead><tr><th>a</thead>\(rows)</table>")
        let setup = try #require(Self.renderer.pageSetup(for: document, nil, RenderOptions()))
        let plan = try RenderPlan(&document, RenderOptions(), for: .pages(setup), by: Self.renderer)
        let tree = try plan.layOut(&document)
        let borders = tree.boxes.flatMap { tree.collapsedBorders[$0.collapsedBorders] }.filter(\.isHorizontal)
        #expect(tree.pages.count > 2)
        #expect(tree.pages.allSatisfy { $0.top == LayoutUnit($0.top.rounded) })
        for border in borders {
            #expect(tree.pages.contains { $0.top <= border.rect.y && border.rect.maxY <= $0.top + $0.height })
        }
    }

    /// Papers rarely are whole pixels.
    @Test func pagesAreOpaqueToTheirEdges() throws {
        var document = MarkupParser().parse("x")
        let page = PageSize(width: 50.3, height: 40.2)
        for (_, bytes) in try Self.renderer.pages(&document, as: .png, page: page) {
            let picture = try ImageDecoder.decode(bytes, limit: 1 << 20)
            #expect(picture.width == 51 && picture.height == 41)
            #expect(picture.pixels.allSatisfy { $0 >> 24 == 255 })
        }
    }

    @Test func nothingCanOpenDetailsOnPaper() throws {
        var document = MarkupParser().parse("<details><summary>a</summary>b</details>")
        #expect(try texts("<details><summary>a</summary>b</details>") == ["▾ a b"])
        _ = try Self.renderer.picture(&document, as: .pdf())
        #expect(document.html() == "<details><summary>a</summary>b</details>")
    }

    // MARK: Footnotes

    private static let notes = "<style>i{float:footnote;font-size:10px;line-height:10px}</style>"

    @Test(arguments: [
        ("a<i>n</i><br>b<br>c<br>d<br>e", ["a 1 b c 1. n", "d e"]),
        // The line of a call moves with its note.
        ("a<br>b<br>c<br>d<i>n</i><br>e", ["a b c", "d 1 e 1. n"]),
        ("a<br>b<br>c<i>n</i><br>d<br>e<i>m</i>", ["a b c 1 1. n", "d e 2 2. m"]),
        // Notes in notes, in cells and in boxes side by side.
        ("a<i>n<i>m</i></i><br>b<i>o</i>", ["a 1 b 3 1. n 2 2. m 3. o"]),
        ("<table><td>a<i>n</i><td>b<i>m</i></table>", ["a 1 b 2 1. n 2. m"]),
        ("<div style='display:flex'><p>a<br>b<br>c<br>d<i>n</i></p><p>e</div>", ["a b e", "c d 1 1. n"]),
    ])
    func footnotesAreAtTheFootOfTheirPage(_ html: String, _ expected: [String]) throws {
        #expect(try texts(Self.notes + html) == expected)
    }

    @Test func pagesStyleTheAreaAndNumbersOfFootnotes() throws {
        let css =
            "<style>@page{@footnote{border:0;padding:0;margin:0}}i::footnote-call{content:'*'}i::footnote-marker{content:'+ '}</style>"
        #expect(try texts(css + Self.notes + "a<i>n</i><br>b<br>c<br>d<br>e") == ["a * b c + n", "d e"])
    }

    @Test func otherOutputsHaveFootnotesAtTheEnd() {
        var document = MarkupParser().parse("<p>a<span style='float:footnote'>n</span> b<p>c")
        #expect(document.markdown() == "a¹ b\n\nc\n\n1\\. n\n")
    }

    // MARK: Sizes

    @Test(arguments: [
        ("size:A5", 559, 793), ("size:a5 landscape", 793, 559), ("size:landscape", 1122, 793), ("size:3in", 288, 288),
        ("size:2in 4in", 192, 384), ("size:letter portrait", 816, 1056), ("size:auto", 793, 1122), ("", 793, 1122),
    ])
    func rulesSetTheSize(_ css: String, _ width: Int, _ height: Int) throws {
        let page = try pages("<style>@page{\(css)}</style>x")
        #expect(page.count == 1 && page[0].width == width && page[0].height == height)
    }

    @Test func optionsWinOverRules() throws {
        var size = try #require(PageSize("A5 landscape"))
        #expect(try pages("<style>@page{size:A3}</style>x", page: size)[0].width == 793)
        size.margins = PageMargins(265)
        #expect(try pages("<style>@page{margin:0}</style>a<br>b<br>c", page: size).count == 3)
    }

    @Test func marginsLeaveSomethingOfThePage() throws {
        var document = MarkupParser().parse("<style>@page{size:200px;margin:150px;padding:20px}</style>a<br>b")
        let page = PageSize()
        #expect(try Self.renderer.pages(&document, as: .png, page: page).count == 1)
        #expect(document.diagnostics.contains { $0.message.contains("leave nothing of the page") })
        var size = page
        size.margins = PageMargins(150)
        #expect(throws: RenderError.picture("the margins leave nothing of the page")) {
            try Self.renderer.pages(&document, as: .png, page: size)
        }
        var wide = try #require(PageSize("300x100"))
        wide.margins = PageMargins("5mm 60mm")
        #expect(wide.hasSpace)
        wide.margins = PageMargins("60mm 5mm")
        #expect(!wide.hasSpace)
    }

    @Test func pagesOfAKindHaveTheirOwnRules() throws {
        let css =
            "@page{@top-left{content:'all'}} @page:first{@top-left{content:'first'}} @page:right{@top-right{content:'R'}}"
            + "@page:blank{@top-left{content:'blank'}} @page wide{size:300px 100px;@top-left{content:'wide'}}"
        let pages = try pages(
            "<style>@page{size:200px;margin:40px 0 0}*{margin:0}\(css)</style><p>a<p style='break-before:right'>b"
                + "<p style='page:wide'>c<p>d")
        #expect(pages.map(\.text) == ["first R a", "blank", "all R b", "wide c", "all R d"])
        #expect(pages.map(\.width) == [200, 200, 200, 300, 200])
    }

    @Test func contentsOfANamedPageAreAsWideAsThePage() throws {
        let word = "<p>aaaaaaaaaaa bbbbbbbbbbb ccccccccccc ddddddddddd"
        let pages = try pages(
            "<style>@page{size:150px;margin:0}@page w{size:500px 60px}*{margin:0}</style>\(word)<div style='page:w'>\(word)</div>"
        )
        #expect(pages.count == 2)
        #expect(pages[0].text.split(separator: " ").count == pages[1].text.split(separator: " ").count)
    }

    @Test func contentsWiderThanThePageAreScaledDown() throws {
        let html = "<style>@page{size:200px 100px;margin:0}*{margin:0;line-height:20px}</style><p>"
        let wide = html + lines(1...6) + "<div style='width:300px;height:20px'></div>"
        #expect(try pages(wide).map(\.text) == ["1 2 3 4 5 6"])
        #expect(try pages(wide.replacing("300px", with: "200px")).count == 2)
        // A page of another name is no wider content.
        let named = "<style>@page w{size:300px 100px}</style><div style='page:w;width:300px'>w</div>"
        #expect(try pages(html + lines(1...6) + named).count == 3)
    }

    @Test func rulesAreMatchedOnceForEachKindOfPage() throws {
        let rules = (0..<999).map { "@page n\($0){margin:1px}" }.joined()
        let setup = try #require(
            Self.renderer.pageSetup(
                for: MarkupParser().parse("<style>\(rules)@page :first{margin:2px}</style>"), nil, RenderOptions()))
        for number in 0..<5000 { _ = setup.geometry(PageKind(number: number, name: "m\(number)")) }
        #expect(setup.kinds == 3)
        #expect(setup.geometry(PageKind(number: 7, name: "n7")).margins == Sides(1))
    }

    @Test func sheetsHaveALimitOfPageRules() throws {
        let rules = String(repeating: "@page{margin:1px}", count: 1500)
        var document = MarkupParser().parse("<style>\(rules)</style>x")
        _ = try Self.renderer.pages(&document, as: .svg)
        #expect(document.diagnostics.filter { $0.code == .unsupportedRule }.count == 1)
    }

    @Test func boxesSideBySideShareALimitOfBreaks() throws {
        let boxes = String(repeating: "<div><div style='height:999000px'></div></div>", count: 30)
        var document = MarkupParser().parse(
            "<style>@page{size:100px;margin:0}body{margin:0;display:flex}</style>\(boxes)")
        let setup = try #require(Self.renderer.pageSetup(for: document, nil, RenderOptions()))
        let plan = try RenderPlan(&document, RenderOptions(), for: .pages(setup), by: Self.renderer)
        let tree = try plan.layOut(&document)
        #expect(tree.parts.count < 700_000)
        #expect(document.diagnostics.contains { $0.code == .tooManyPages })
    }

    @Test func manySmallPagesAreWithinTheLimits() throws {
        var document = MarkupParser().parse(
            "<style>@page{size:100px}</style>" + String(repeating: "<p style='break-after:page'>x", count: 2500))
        #expect(try Self.renderer.pdf(&document, nil, nil, RenderOptions()).count > 2500 * 100)
    }

    // MARK: Breaks

    @Test func linesAreKeptWhole() throws {
        #expect(try texts("<p>" + lines(1...12)).map { $0.split(separator: " ").count } == [5, 5, 2])
    }

    @Test(arguments: [
        ("orphans:3;widows:1", [5, 3]), ("orphans:4;widows:1", [2, 5, 1]), ("orphans:2;widows:4", [4, 4]),
    ])
    func orphansAndWidows(_ css: String, _ counts: [Int]) throws {
        let pages = try texts("<p>" + lines(1...2) + "<p style='\(css)'>" + lines(3...8))
        #expect(pages.map { $0.split(separator: " ").count } == counts)
    }

    @Test(arguments: ["page", "left", "always", "right", "recto", "verso", "all"])
    func breaksMayBeForced(_ value: String) throws {
        let pages = try texts("<p>a<p style='break-before:\(value)'>b")
        let isRight = value == "right" || value == "recto"
        #expect(pages == (isRight ? ["a", "", "b"] : ["a", "b"]))
        #expect(try texts("<p style='page-break-after:\(value)'>a<p>b") == pages)
    }

    @Test func breaksBetweenEmptyBoxesMakeEmptyPages() throws {
        let empty = "<div style='break-after:page'></div>"
        #expect(try texts("a" + empty + empty + "b") == ["a", "", "b"])
    }

    @Test func headingsStayWithTheirText() throws {
        let html =
            "<p>" + lines(1...4)
            + "<h2 style='font-size:16px;break-after:avoid'>head</h2><p style='orphans:1;widows:1'>"
            + lines(5...7)
        #expect(try texts(html)[1].hasPrefix("head 5"))
        #expect(try texts(html.replacingOccurrences(of: "break-after:avoid", with: ""))[0].hasSuffix("head"))
    }

    @Test func boxesThatAvoidBreaksMoveWhole() throws {
        let box = "<div style='break-inside:avoid'>" + lines(4...7) + "</div>"
        #expect(try texts("<p>" + lines(1...3) + "</p>" + box) == ["1 2 3", "4 5 6 7"])
    }

    @Test(arguments: [
        "<div class=t><p>1</div><div class=t><p>2</div>", "<div class='t f'>1</div><div class='t f'>2</div>",
        "<div class='t g'>1</div><div class='t g'>2</div>",
        "<table class=t><td class=p>1</table><table class=t><td class=p>2</table>",
    ])
    func heightsOfTheContentsDoNotDivideAWholeBox(_ boxes: String) throws {
        let html =
            "<style>.t{break-inside:avoid}p,.p{height:60px}.f{display:flex;height:60px}.g{display:grid;min-height:60px}</style>"
        #expect(try texts(html + boxes) == ["1", "2"])
    }

    @Test func cellsBesideOthersBeginPages() throws {
        #expect(
            try texts("<table><tr><td>a<div style='break-before:page'>b</div><td>c</table>") == ["a c", "b"])
    }

    /// CSS Paged Media 3 §4.1, §5.3.
    @Test func sheetsHaveTheBackground() throws {
        let style = "<style>@page{size:90px 90px;margin:20px;background:#fcc}</style>"
        let html = style + "<p>a<p style='break-before:page'>b"
        var document = MarkupParser().parse(html)
        let files = try Self.renderer.pages(&document, as: .svg, page: PageSize()).map {
            String(decoding: $1, as: UTF8.self)
        }
        #expect(files.allSatisfy { $0.contains("#ffcccc") })
    }

    @Test func coversAreAsWideAsTheFirstPage() throws {
        let style =
            "<style>@page{size:200px 100px;margin:0 50px}@page:first{margin:0}body{margin:0}"
            + "div{text-align:right;height:100px}</style>"
        var document = MarkupParser().parse(style + "<div>a</div><div>b</div>")
        let plan = try RenderPlan(
            &document, RenderOptions(),
            for: .pages(try #require(Self.renderer.pageSetup(for: document, nil, RenderOptions()))), by: Self.renderer)
        let tree = try plan.layOut(&document)
        #expect(tree.lines.map(\.rect.maxX) == [200, 100].map { LayoutUnit($0) })
    }

    @Test func boxesSideBySideBreakOnTheirOwn() throws {
        let column = "<div style='orphans:1;widows:1;flex:1;line-height:LHpx'>" + lines(1...6) + "</div>"
        let html =
            "<div style='display:flex'>" + column.replacingOccurrences(of: "LH", with: "20")
            + column.replacingOccurrences(of: "LH", with: "30") + "</div><p>end"
        let pages = try texts(html)
        #expect(pages == ["1 2 3 4 5 1 2 3", "6 4 5 6", "end"])
        #expect(try texts(html.replacingOccurrences(of: "display:flex", with: "")).count == 4)
    }

    @Test func rowsMoveWholeUnlessTheyAreHigherThanAPage() throws {
        func table(_ count: Int) -> String {
            "<table cellspacing=0 cellpadding=0><tr><td>" + lines(1...2) + "<tr><td style='orphans:1;widows:1'>"
                + lines(3...count) + "<td>x</table>"
        }
        #expect(try texts(table(6)) == ["1 2", "3 4 5 6 x"])
        #expect(try texts(table(9))[0].contains("5"))
    }

    @Test func highFloatsBreakBesideTheText() throws {
        let html =
            "<div style='float:left;width:50px;orphans:1;widows:1'>" + lines(1...8)
            + "</div><p style='orphans:1;widows:1'>" + lines(11...17) + "<p style='clear:both'>end"
        #expect(
            try texts(html).map { $0.split(separator: " ").sorted() } == [
                ["1", "11", "12", "13", "14", "15", "2", "3", "4", "5"], ["16", "17", "6", "7", "8", "end"],
            ])
    }

    @Test func positionedBoxesBreakBetweenLines() throws {
        let pages = try texts("<div style='position:absolute;top:10px;orphans:1;widows:1'>" + lines(1...9) + "</div>")
        #expect(pages == ["1 2 3 4", "5 6 7 8 9"])
    }

    @Test func columnsFillOnePageAfterTheOther() throws {
        let html = "<p>T<div style='columns:2;orphans:1;widows:1'>" + lines(1...21) + "</div><p>end"
        #expect(try texts(html) == ["T 1 2 3 4 5 6 7 8", "9 10 11 12 13 14 15 16 17 18", "19 20 21 end"])
    }

    /// All containers are divided where the pages leave space for them, at left pages of other heights too.
    @Test func eachOfManyContainersOfColumnsIsDivided() throws {
        let section = "<p>T<div style='columns:2;orphans:1;widows:1'>" + lines(1...13) + "</div>"
        let sections = String(repeating: section, count: 30)
        // 8 lines and a title on each page, less at the end of those that are divided.
        #expect(try texts(sections).count == 48)
        #expect(try texts("<style>@page:left{size:200px 60px}</style>\(sections)").count == 60)
    }

    @Test func columnsBeginWhereABreakPutsThem() throws {
        let columns = "<div style='columns:2;orphans:1;widows:1'>"
        let moved = "<p>T<p style='break-before:page'>U" + columns + lines(1...12) + "</div>"
        #expect(try texts(moved) == ["T", "U 1 2 3 4 5 6 7 8", "9 10 11 12"])
        let spanned =
            columns + lines(1...4) + "<p style='column-span:all;break-before:page'>S</p>" + lines(5...14) + "</div>"
        #expect(try texts(spanned) == ["1 2 3 4", "S 5 6 7 8 9 10 11 12", "13 14"])
    }

    @Test func boxesThatFitTheNextPageStayWhole() throws {
        let first = "<style>@page :first{size:200px 60px}</style><p>T"
        let table = "<table style='break-inside:avoid'><tr><td style='height:70px'>x</table>"
        #expect(try texts(first + table) == ["T", "x"])
        #expect(try texts(first + "<p><span style='display:inline-block;height:70px'>x</span>") == ["T", "x"])
    }

    @Test func clonedEdgesAreOnEachPage() throws {
        let html = "<div style='padding:20px 0;orphans:1;widows:1'>" + lines(1...6) + "</div>"
        #expect(try texts(html) == ["1 2 3 4", "5 6"])
        #expect(
            try texts(html.replacingOccurrences(of: "padding", with: "box-decoration-break:clone;padding"))
                == ["1 2 3", "4 5 6"])
    }

    // MARK: Repeated parts

    @Test func headsAndFeetOfTablesAreRepeated() throws {
        let rows = (1...7).map { "<tr><td>\($0)" }.joined()
        let html = "<table cellspacing=0 cellpadding=0><thead><tr><td>H</thead><tfoot><tr><td>F</tfoot>\(rows)</table>"
        #expect(
            try texts(html).map { Set($0.split(separator: " ")) } == [
                ["H", "1", "2", "3", "F"], ["H", "4", "5", "6", "F"], ["H", "7", "F"],
            ])
        // A second foot is a body.
        let two = try texts(html.replacing("</tfoot>", with: "</tfoot><tfoot><tr><td>G</tfoot>"))
        #expect(two.map { Set($0.split(separator: " ")) }.first == ["H", "G", "1", "2", "F"])
    }

    @Test func theSpacingBeforeAFootIsRepeated() throws {
        let rows = (1...2).map { "<tr style='height:28px'><td>\($0)" }.joined()
        let html = "<table cellpadding=0 style='border-spacing:0 10px'><tfoot><tr><td>F</tfoot>\(rows)</table>"
        #expect(try texts(html).map { Set($0.split(separator: " ")) } == [["1", "F"], ["2", "F"]])
    }

    @Test func fixedBoxesAreOnEachPage() throws {
        let pages = try texts("<div style='position:fixed;top:0;right:0'>fix</div><p>" + lines(1...12))
        #expect(pages.count == 3 && pages.allSatisfy { $0.contains("fix") })
    }

    // MARK: Counters

    @Test func contentTellsItsPage() throws {
        let css = "<style>p{break-after:page}p::after{content:' on ' counter(page) ' of ' counter(pages)}</style>"
        #expect(try texts(css + "<p>a<p>b<p>c") == ["a on 1 of 3", "b on 2 of 3", "c on 3 of 3"])
    }

    @Test func contentTellsThePagesOfOthers() throws {
        let html = """
            <style>a::after{content:' p. ' target-counter(attr(href), page) ' ' target-counter(attr(href url), c, upper-roman)
            ' ' target-text(attr(href))}h2{break-before:page;counter-increment:c;font-size:16px}</style>
            <a href=#x>see</a><h2>One</h2><h2 id=x>Two  words</h2><h2>Three</h2>
            """
        #expect(try texts(html) == ["see p. 3 II Two words", "One", "Two words", "Three"])
        let separated =
            "<style>a::after{content:target-counters('#x', c, '.')}</style>"
            + "<a></a><ol style='counter-reset:c 4'><li style='counter-reset:c 7' id=x>one"
        #expect(try texts(separated)[0].contains("4.7"))
    }

    /// CSS GCPM 3 §1.3. A single page does not set the width of all.
    @Test func rulesChoosePagesByTheirNumbers() throws {
        let css = """
            @page{size:200px 100px;margin:20px 0;@top-left{content:'a'}@top-right{content:string(s, first-except)}}
            @page :nth(2n){@top-left{content:'b'}}@page :nth(3){margin:20px 50px;@top-left{content:'c'}}
            @page :nth(even):nth(n + 4){@top-left{content:'d'}}*{margin:0}p{break-after:page;string-set:s content()}
            """
        let made = try pages("<style>\(css)</style>" + (1...4).map { "<p>\($0)" }.joined() + "<div>5")
        #expect(made.map(\.text) == ["a 1", "b 2", "c 3", "d 4", "a 4 5"])
        var wrong = MarkupParser().parse("<style>@page :nth(x){margin:0}</style>")
        _ = try Self.renderer.pages(&wrong, as: .svg)
        #expect(wrong.diagnostics.contains { $0.message.contains(":nth(2n) after @page") })
    }

    @Test func rulesAndElementsSetTheNumberOfAPage() throws {
        func numbers(_ css: String, _ html: String) throws -> [String] {
            try pages(
                "<style>@page{size:200px 100px;margin:0 0 40px;@bottom-center{content:counter(page)}}\(css)"
                    + "p{break-after:page;margin:0}</style>" + html
            ).map { String($0.text.split(separator: " ").first ?? "") }
        }
        let three = "<p>a<p>b<p>c"
        #expect(try numbers("", three) == ["1", "2", "3"])
        #expect(try numbers("@page :first{counter-reset:page 9}", three) == ["10", "11", "12"])
        #expect(try numbers("@page{counter-increment:page 2}", three) == ["2", "4", "6"])
        #expect(try numbers("", "<p>a<p style='counter-reset:page 1'>b<p>c") == ["1", "1", "2"])
        #expect(try numbers("", "<p>a<p style='counter-increment:page 4'>b<p>c") == ["1", "6", "7"])
    }

    @Test func pagesWithoutAValueWarn() throws {
        var document = MarkupParser().parse("<style>p::before{content:counter(page)}</style><p>x")
        _ = try Self.renderer.png(&document)
        #expect(document.diagnostics.contains { $0.code == .noEffect })
        let own = MarkupParser().parse(
            "<style>p{counter-increment:page}p::before{content:counter(page)}</style><p>x")
        #expect(own.plainText() == "1x\n")
        #expect(!own.diagnostics.contains { $0.code == .noEffect })
        var margin = MarkupParser().parse("<style>@page{@top-left{content:counter(chapter)}}</style>x")
        _ = try Self.renderer.pages(&margin, as: .svg)
        #expect(margin.diagnostics.contains { $0.code == .noEffect })
        var list = MarkupParser().parse("<style>@page{@top-left{content:counters(chapter, '.')}}</style>x")
        _ = try Self.renderer.pages(&list, as: .svg)
        #expect(list.diagnostics.contains { $0.code == .noEffect })
    }

    // MARK: Margins

    @Test func marginBoxesCountPagesAndNameSections() throws {
        let css = """
            @page{size:200px;margin:40px 0;@bottom-center{content:counter(page) '/' counter(pages)}
            @top-left{content:string(a)}@top-center{content:string(a, start)}@top-right{content:string(a, last)}}
            h1{string-set:a content();break-before:page}*{margin:0;line-height:20px;font-size:16px}
            """
        let pages = try pages(
            "<style>\(css)</style><p>x<h1>One</h1><h1>Two</h1><p>y<h2 style='string-set:a \"Three\"'>z</h2>")
        #expect(pages.map(\.text) == ["1/3 x", "One One One 2/3 One", "Two Two Three 3/3 Two y z"])
    }

    @Test func allSixteenMarginBoxesAreShown() throws {
        let boxes = PageRule.marginBoxes.enumerated().map { "@\($1){content:'b\($0)'}" }.joined()
        let page = try pages("<style>@page{margin:60px;\(boxes)}</style>x")[0].text
        #expect(Set(page.split(separator: " ")) == Set((0..<16).map { "b\($0)" } + ["x"]))
    }

    @Test func someOfThePagesMayBeMade() throws {
        let numbers = try #require(PageNumbers("2-3,5-"))
        let html = (1...6).map { "<p style='break-after:page'>\($0)" }.joined()
        #expect(try pages(html, numbers).map(\.text) == ["2", "3", "5", "6"])
        for text in ["", "0", "3-2", "a", "1,", "-"] { #expect(PageNumbers(text) == nil) }
    }

    @Test func rulesForPrintApplyToPagesAndToPDF() throws {
        let html =
            "<style>@media print{.s{display:none}}@media screen{.p{display:none}}</style><p class=s>s<p class=p>p"
        #expect(try pages(html)[0].text == "p")
        var document = MarkupParser().parse(html)
        var options = RenderOptions()
        let file = try Self.renderer.picture(&document, as: .pdf(), options)
        options.medium = .screen
        let other = try Self.renderer.picture(&document, as: .pdf(), options)
        #expect(file != other)
    }
}
