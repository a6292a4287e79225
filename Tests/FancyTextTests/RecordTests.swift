// Records of a selector's matches, and the values in them.

import FancyTextWriting
import Testing

@testable import FancyText
@testable import FancyTextMarkup
@testable import FancyTextSelectors

@Suite struct RecordTests {
    private static let page = """
        <div class=card><h3> A <b>b</b>
        c</h3><ul><li>x<li>y, z</ul><a href=1>one</a><a>two</a><table><tr><td>p<td>q</table></div>
        """

    private static func record(_ fields: String..., html: String = page) throws -> String {
        let document = MarkupParser().parse(html)
        let card = try #require(document.matches(of: SelectorQuery("div")).first)
        var style = Document.RecordStyle()
        style.isTrimmed = true
        var budget = Document.SelectBudget(1 << 20)
        let fields = try fields.map { try RecordField($0) }
        let record = document.record(of: card, fields: fields, style: style, budget: &budget)
        return String(decoding: record, as: UTF8.self)
    }

    @Test func valuesAreTextsArraysAndRecords() throws {
        #expect(try Self.record("title=h3", "none=h4") == #"{"title":"A b c","none":null}"#)
        #expect(try Self.record("tags[]=li", "none[]=h4") == #"{"tags":["x","y, z"],"none":[]}"#)
        #expect(
            try Self.record("links[]=a{text=::text, to=::attr(href)}")
                == #"{"links":[{"text":"one","to":"1"},{"text":"two","to":null}]}"#)
        #expect(
            try Self.record("list=ul{first=li,all[]=li:not(b, i){t=::text}}")
                == #"{"list":{"first":"x","all":[{"t":"x"},{"t":"y, z"}]}}"#)
        #expect(try Self.record("class=::attr(class)", "hrefs[]=a::attr(href)") == #"{"class":"card","hrefs":["1"]}"#)
    }

    @Test func textsAreWholeOwnOrAsShown() throws {
        #expect(try Self.record("t=h3::own-text") == #"{"t":"A c"}"#)
        #expect(try Self.record("t=tr::text", "i=tr::inner-text") == #"{"t":"pq","i":"p q"}"#)
        let document = MarkupParser().parse("<style>i{display:none}</style><p>a<br>b<i>c</i><b>d</b>")
        let paragraph = try #require(document.matches(of: SelectorQuery("p")).first)
        var styled = document
        styled.prepareInnerText()
        #expect(styled.innerText(of: paragraph) == "a\nbd")
    }

    @Test(arguments: ["=p", "a=li{b=x", "a", "a[]"])
    func mistakesOfFormAreTold(field: String) {
        #expect(throws: RecordField.Mistake.self) { try RecordField(field) }
    }

    @Test func rowsAreQuoted() {
        #expect(
            String(decoding: CellFormat.csv.row(["a", "b,c", "d\"e", ""]), as: UTF8.self) == "a,\"b,c\",\"d\"\"e\",")
        #expect(String(decoding: CellFormat.tsv.row(["a\tb", "c"]), as: UTF8.self) == "a\\tb\tc")
    }

    @Test func columnsOfMistakesAreThoseOfTheText() {
        for (selector, column) in [("::foo(", 6), ("  ::x", 3), ("a[b=1]", 5)] {
            do {
                _ = try SelectorQuery(selector)
                Issue.record("\(selector) is read")
            } catch {
                #expect(error.column == column, "\(selector): \(error.message)")
            }
        }
    }

    // MARK: The main contents

    @Test(arguments: [
        ("<header>h</header><nav>n</nav><main><h1>t</h1><aside>a</aside>x</main><footer>f</footer>", "t\n\nx\n"),
        ("<header>h</header><article><header>t</header>x</article><div role=navigation>n</div>", "t\nx\n"),
        ("<p>a</p><div><p>b</p><div role=main>m</div></div>", "m\n"), ("<p>a", "a\n"),
    ])
    func onlyTheMainContentsStay(source: String, expected: String) {
        for page in [source, "<!doctype html><body>" + source] {
            var document = MarkupParser().parse(page)
            document.keepMain()
            #expect(document.plainText() == expected)
            var options = PlainTextOptions()
            options.isMainOnly = true
            #expect(MarkupParser().parse(page).plainText(options) == expected)
        }
    }

    @Test func baseElementsCountFirst() {
        var document = MarkupParser().parse("<base href=/c/><a href=x>y</a>")
        document.resolveURLs(against: "http://a.b/d/")
        #expect(document.html().contains("href=\"http://a.b/c/x\""))
        // Absolute URLs are written by the same rule as relative ones.
        document = MarkupParser().parse("<a href='ü b'>y</a><a href='http://c.d/ü b'>y</a><a href='mailto:ü'>y</a>")
        document.resolveURLs(against: "http://a.b/")
        #expect(document.imageSources.isEmpty && document.html().contains("//a.b/%C3%BC%20b"))
        #expect(document.html().contains("//c.d/%C3%BC%20b") && document.html().contains("mailto:ü"))
    }
}
