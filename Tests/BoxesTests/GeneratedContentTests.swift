// Quotes and markers that the style generates.

import Testing

@testable import FancyTextMarkup

@Suite struct GeneratedContentTests {
    @Test(arguments: [("fr", "«a «b»»"), ("fr-CH", "«a ‹b›»"), ("de", "„a ‚b‘“"), ("nl", "‘a ‘b’’"), ("xx", "“a ‘b’”")])
    func quotesAreThoseOfTheLanguage(_ language: String, _ expected: String) {
        #expect(paragraphs("<p lang=\(language)><q>a <q>b</q></q>") == [expected])
    }

    @Test func aQuotationInAnotherLanguageHasTheMarksOfTheTextAround() {
        #expect(paragraphs("<p lang=en><q lang=ja>a <q lang=fr>b</q></q>") == ["“a 『b』”"])
    }

    @Test func anAttributeThatIsMissingHasAFallback() {
        let style = "<style>p::before{content:attr(title,'none') attr(lang, other) '!'}</style>"
        #expect(paragraphs(style + "<p>a<p title=t>b<p title=''>c") == ["none!a", "t!b", "!c"])
    }

    /// CSS Lists 3 §4.5, and §4.3 for pseudo-elements.
    @Test func countersBelongToTheNearestElementWithABox() {
        let style = "<style>div{display:contents;counter-reset:n 9}p{counter-increment:n}p::before{content:counter(n)}"
        #expect(paragraphs(style + "</style><div><p>a</div><p>b<div><div><p>c</div></div>") == ["1a", "2b", "3c"])
        let generated = "<style>p::before,p::after{counter-increment:n;content:counter(n)}</style>"
        #expect(paragraphs(generated + "<p>a<p>b") == ["1a2", "1b2"])
    }

    /// CSS Containment 2 §3.4.
    @Test func quotesCountUpToTheEndOfAContainedElement() {
        let style = "<style>p{quotes:'<' '>' '(' ')'} i{contain:style} p::before,i::before{content:open-quote}"
        #expect(paragraphs(style + "p::after{content:close-quote}</style><p><i>a</i>b") == ["<(ab>"])
        let alone = "<style>i{contain:style;quotes:'<' '>' '(' ')'} i::before{content:open-quote}</style>"
        #expect(paragraphs(alone + "<p><i>a</i><i>b</i>") == ["<a<b"])
    }

    @Test func quotesThatNobodyOpenedAreNotClosed() {
        let style = "<style>p{quotes:'<' '>' '(' ')'} p::before{content:open-quote open-quote}"
        #expect(paragraphs(style + "p::after{content:close-quote close-quote close-quote}</style><p>a") == ["<(a)>"])
        #expect(paragraphs("<style>p::before{content:'!' close-quote}</style><p>a<p>b") == ["!a", "!b"])
    }

    @Test func linesAreNotDrawnThroughMarkersOutside() throws {
        let text = boxes("<ul style='text-decoration:underline'><li>a<li style='list-style-position:inside'>b</ul>")
        let marker = try #require(text.markers.first)
        #expect(text.markers.count == 1)
        #expect(text.styles[marker.style].box.decorations.isEmpty)
        let inside = try #require(
            text.runs.first {
                String(decoding: text.text[$0.range], as: UTF8.self).hasPrefix("•")
            })
        #expect(text.styles[inside.style].box.decorations.count == 1)
    }

    /// Each word paints all of its lines, so nested elements would cost quadratic time and memory.
    @Test func decorationsOfNestedElementsAreBounded() throws {
        let text = boxes(String(repeating: "<del>x ", count: 100))
        #expect(text.runs.map { text.styles[$0.style].box.decorations.count }.max() == 8)
    }

    @Test(
        arguments: [
            ("<img src=a.png>", "text(isInline: true)"), ("<img src=a.png alt>", "nothing"), ("<img>", "nothing"),
            ("<img alt=a>", "text(isInline: true)"), ("<img src=a.png width=20 height=20>", "frame(hasIcon: true)"),
            ("<img width=20 height=20>", "frame(hasIcon: false)"),
            ("<img style=height:30px;aspect-ratio:2>", "frame(hasIcon: false)"),
            ("<img src=a.png width=17 height=20>", "room"),
            ("<img src=a.png alt=a width=20 height=20>", "text(isInline: true)"),
            ("<img src=a.png width=20>", "text(isInline: true)"),
            ("<img style='height:30px;aspect-ratio:2'>", "frame(hasIcon: false)"),
            ("<p style=display:flex><img alt=a>", "text(isInline: false)"), ("<img style=display:block>", "room"),
        ])
    func aMissingPictureHasAFallback(_ html: String, _ fallback: String) {
        #expect(boxes(html).replaced.map { "\($0.fallback)" } == [fallback])
    }

    /// The numbers as Chromium shows them.
    @Test func countersInsideOfContainedElementsAreTheirOwn() {
        let style = """
            <style>main{counter-reset:n 3}.c{contain:style}.t{container-type:inline-size}.w{counter-set:n 50}
            p{counter-increment:n}p::before{content:counters(n,".") " "}</style>
            """
        let html = """
            <main><p>a</p><div class=c><p>b</p><p>c</p><div class=c><p>d</p></div><p>e</p></div><div class=t><p>f</p></div>
            <p>g</p><div class="c w"><p>h</p></div><p>i</p>
            """
        #expect(
            paragraphs(style + html) == ["4 a", "4.1 b", "4.2 c", "4.2.1 d", "4.3 e", "4.1 f", "5 g", "50.1 h", "51 i"])
    }

    @Test(
        arguments: [
            ("block", []), ("flex", []), ("inline-block", ["\u{FFFC}"]), ("inline", ["a"]), ("table", ["a"]),
        ] as [(String, [String])])
    func contentsAreSkippedWhereSizeContainmentApplies(_ display: String, _ text: [String]) {
        let html =
            "<style>div::before{content:''}</style><div style='display:\(display);content-visibility:hidden'>a</div>"
        #expect(paragraphs(html).filter { !$0.isEmpty } == text)
    }
}
