// Edits of a document give the same result as parsing and styling the edited document again.

import FancyTextOutputs
import Testing

@testable import FancyText
@testable import FancyTextCSS
@testable import FancyTextStyling

@Suite struct EditTests {
    /// Text, runs and boxes of a document after edits, and those made anew from its tree.
    private func contents(_ document: inout Document) -> (kept: String, fresh: String) {
        var fresh = document
        fresh.forgetStyles()
        return (Self.dump(&document), Self.dump(&fresh))
    }

    /// Styles by their fields, because edits may number them differently.
    private static func dump(_ document: inout Document) -> String {
        let text = document.styledContents()
        var result = String(decoding: StageJSON.text(text, document.tree), as: UTF8.self)
        for run in text.runs {
            let fields = MarkupStyleFields(text.styles[run.style]).fields
            result += "\(run.range) \(run.element) \(run.source) \(run.isGenerated) \(run.link) \(fields)\n"
        }
        for box in text.boxes {
            let style = text.styles[box.style].box
            result += "\(box.kind) \(box.parent) \(box.end) \(box.items) \(box.text) \(box.marker) \(box.replaced) "
            result += "\(style.display) \(style.margin) \(box.element)\n"
        }
        for item in text.items { result += "\(item)\n" }
        for table in text.tables { result += "\(table)\n" }
        result += "\(text.links.all)\n"
        return result.replacing(/style: FancyTextCSS\.StyleID\(rawValue: \d+\)/, with: "style")
            .replacing(/style \d+/, with: "style")
    }

    private static let page = """
        <style>.big { font-size: 2em } .note b { color: red } p:first-child { margin: 0 } h2 + p { color: blue }</style>
        <h1 id=title>A <b>title</b></h1><h2 id=sub>Sub</h2><p id=p1>One <b id=b1>bold</b> and <i id=i1>slanted</i> text.</p>
        <ul><li id=l1>First<li id=l2>Second <b id=b2>two</b><li>Third</ul>
        <table><tr><td id=c1>cell<td>other <em id=e1>em</em></table>
        <p id=p2>Picture <img src=x.png alt=x> with <a href=x><span id=s1>words</span></a>, <q id=q1>quoted</q>.</p>
        <div id=t1>Around <table style="display:inline-table"><tr><td>a<td>b</table></div>
        <div id=d1>Text before<p>block</p> after</div><p>Last <span style="display:inline-block" id=ib>box</span> end</p>
        """

    @Test func textEditsGiveWhatGeneratingAllGives() {
        var document = MarkupParser().parse(Self.page)
        _ = document.styledContents()
        let ids = ["sub", "b1", "i1", "l1", "b2", "c1", "e1", "s1", "q1", "ib"]
        let texts = ["x", "longer text with  spaces", " leading", "trailing ", "ünïcödé 🙂", "two\nlines", "  "]
        for round in 0..<70 {
            let id = ids[round * 7 % ids.count]
            let isFound = document.setText(texts[round % texts.count], ofID: id)
            #expect(isFound)
            let (kept, fresh) = contents(&document)
            #expect(kept == fresh, "\(id): \(texts[round % texts.count])")
        }
    }

    @Test func allEditsGiveWhatStylingAllGives() {
        var document = MarkupParser().parse(Self.page)
        _ = document.styledContents()
        var style = MarkupStyle()
        style.font.weight = 900
        let edits: [(inout Document) -> Bool] = [
            { $0.addClass("big", toID: "p1") }, { $0.setStyle(style, ofID: "d1") },
            { $0.append("<p class=note>new <b>paragraph</b></p>", toID: "d1") }, { $0.remove(id: "sub") },
            { $0.setHTML("some <b>new</b> <i>content</i>", ofID: "l1") }, { $0.addClass("note", toID: "p2") },
            { $0.removeClass("big", fromID: "p1") }, { $0.setText("", ofID: "b1") }, { $0.setText("back", ofID: "b1") },
            { $0.remove(id: "p1") }, { $0.append("<style>p { color: green }</style>", toID: "d1") },
            { $0.setText("text", ofID: "title") }, { $0.append("<li>Fourth", toID: "l2") }, { $0.remove(id: "l1") },
        ]
        for (number, edit) in edits.enumerated() {
            let isFound = edit(&document)
            #expect(isFound, "edit \(number)")
            let (kept, fresh) = contents(&document)
            #expect(kept == fresh, "edit \(number)")
        }
        document.append("<p>at the end")
        let (kept, fresh) = contents(&document)
        #expect(kept == fresh)
    }

    @Test(arguments: [
        "p:has(.x) { color: red }", "p:empty { color: red }", "b ~ i { color: red }",
        "p:nth-last-child(2) { color: red }",
        "p:contains('new') { color: red }", ":root { color: red }", "li:first-of-type { color: red }",
        "p::before { content: counter(c); counter-increment: c }", "p::first-letter { color: red }",
        "p::after { content: attr(class) }",
    ])
    func selectorsThatLookFurtherAreMatchedAgain(css: String) {
        let parser = MarkupParserBuilder.default().add(css: css).build()
        var document = parser.parse("<p id=a>text<p id=b><b>x</b><i id=c>y</i><p id=d></p><ul><li id=e>z</ul>")
        _ = document.styledContents()
        let edits: [(inout Document) -> Bool] = [
            { $0.addClass("x", toID: "c") }, { $0.setText("new", ofID: "a") }, { $0.append("<i>more</i>", toID: "d") },
            { $0.setText("", ofID: "a") }, { $0.append("<li>w", toID: "e") }, { $0.remove(id: "b") },
        ]
        for (number, edit) in edits.enumerated() {
            let isFound = edit(&document)
            #expect(isFound, "edit \(number)")
            let (kept, fresh) = contents(&document)
            #expect(kept == fresh, "edit \(number)")
        }
    }

    @Test func keptElementsStayThroughEdits() throws {
        var document = MarkupParser().parse("<h1 id=t>T</h1><p>x <b id=b>y</b></p><p id=e>z</p>")
        document.keepOnly(document.matches(of: try SelectorQuery("b")))
        let edits: [(inout Document) -> Void] = [
            { $0.setText("new", ofID: "t") }, { $0.append("<i>more</i>", toID: "t") }, { $0.addClass("x", toID: "b") },
            { $0.remove(id: "e") },
        ]
        for edit in edits {
            edit(&document)
            #expect(String(decoding: document.styledContents().text, as: UTF8.self) == "y")
        }
        document.setText("other", ofID: "b")
        #expect(String(decoding: document.styledContents().text, as: UTF8.self) == "other")
    }

    @Test(arguments: ["body", "html", ":root"], ["", "<!doctype html>"])
    func keptElementsHaveTheBackgroundOfTheirPage(element: String, doctype: String) throws {
        let html = doctype + "<style>\(element) { background: #111; color: #fff }</style><p>x <b>y</b></p>"
        var document = MarkupParser().parse(html)
        document.keepOnly(document.matches(of: try SelectorQuery("b")))
        #expect(document.styledContents().styles.canvas?.box.backgroundColor == Color(rgb: 0x111111))
    }

    @Test func copiesOfADocumentAreIndependent() {
        var document = MarkupParser().parse("<p id=t>one</p>")
        _ = document.styledContents()
        var copy = document
        copy.setText("two", ofID: "t")
        let texts = [document.plainText(), copy.plainText()]
        #expect(texts == ["one\n", "two\n"])
    }

    @Test func aThousandEditsDoNotGrowTheDocument() {
        let items = (0..<99).map { "<p id=i\($0)>Item <b>\($0)</b></p>" }.joined()
        var document = MarkupParser().parse("<div>\(items)<p id=t>x</p></div>")
        _ = document.styledContents()
        let count = document.tree.count
        let styles = document.styled().styles.styles.count
        var style = MarkupStyle()
        let text = String(repeating: "some words ", count: 40)
        for number in 0..<1_000 {
            document.setText(text + "\(number)", ofID: "t")
            style.kern = Float(number)
            document.setStyle(style, ofID: "t")
            document.append("<i id=new>\(number)</i>", toID: "i3")
            document.remove(id: "new")
            _ = document.styledContents()
        }
        #expect(document.tree.count == count)
        #expect(document.tree.editStorage.bytes < 1 << 18)
        #expect(document.tree.editStorage.attributes < 1 << 14)
        let stylesAfter = document.styled().styles.styles.count
        #expect(stylesAfter < 2 * styles + 1100)
        let (kept, fresh) = contents(&document)
        #expect(kept == fresh)
    }
}
