// The links that outputs contain.

import FancyTextBoxes
import Testing

@Suite struct LinkDestinationTests {
    @Test(arguments: ["a.html", "#x", "//h/p", "?q", "HTTP://a", "https://a", "mailto:a@b", "tel:1", "a/b:c", "1a:b"])
    func pagesMailAndCallsAreOffered(_ target: String) { #expect(LinkDestination.offered(target) == target) }

    @Test(arguments: [
        "javascript:f()", " JavaScript:f()", "java\tscript:f()", "\u{1}javascript:f()", "vbscript:f",
        "data:text/html,x",
        "file:///etc/passwd", "blob:x",
    ])
    func otherSchemesAreNot(_ target: String) { #expect(LinkDestination.offered(target) == nil) }

    @Test func charactersThatURLParsersDropAreDropped() {
        #expect(LinkDestination.offered(" ht\ntps://a/b \u{1F}") == "https://a/b")
    }
}
