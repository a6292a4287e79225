// Quotes and markers that the style generates.

import Testing

@testable import FancyTextBoxes
@testable import FancyTextMarkup
@testable import FancyTextStyling

@Suite struct GeneratedContentTests {
    @Test(arguments: [("fr", "«a «b»»"), ("fr-CH", "«a ‹b›»"), ("de", "„a ‚b‘“"), ("xx", "“a ‘b’”")])
    func quotesAreThoseOfTheLanguage(_ language: String, _ expected: String) {
        #expect(paragraphs("<p lang=\(language)><q>a <q>b</q></q>") == [expected])
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

    @Test(
        arguments: [
            ("<img src=a.png>", "text(isInline: true)"), ("<img src=a.png alt>", "nothing"), ("<img>", "nothing"),
            ("<img alt=a>", "text(isInline: true)"), ("<img src=a.png width=20 height=20>", "frame(hasIcon: true)"),
            ("<img width=20 height=20>", "frame(hasIcon: false)"), ("<img src=a.png width=17 height=20>", "room"),
            ("<img src=a.png alt=a width=20 height=20>", "text(isInline: true)"),
            ("<img src=a.png width=20>", "text(isInline: true)"),
            ("<p style=display:flex><img alt=a>", "text(isInline: false)"), ("<img style=display:block>", "room"),
        ])
    func aMissingPictureHasAFallback(_ html: String, _ fallback: String) {
        #expect(boxes(html).replaced.map { "\($0.fallback)" } == [fallback])
    }
}
