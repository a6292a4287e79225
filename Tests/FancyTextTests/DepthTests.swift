// Boxes nested deeper than any limit: they end in a diagnostic, never in a crash, and what they hold is still there.

import FancyText
import Foundation
import Testing

@Suite struct DepthTests {
    @Test(arguments: [
        "<div style='float:left'>", "<div style='display:flex'>", "<span style='display:inline-flex'>",
        "<div style='display:flex'><b style='float:left'>", "<ruby>a<rt>", "<table><tr><td>",
        "<span style='display:inline-block'>", "<fieldset><legend>", "<span>", "<bdo dir=rtl>",
    ])
    func deepBoxesAreFlattened(start: String) throws {
        let html = String(repeating: start, count: 3000) + "inmost"
        let renderer = Renderer()
        var document = MarkupParser().parse(html)
        let json = try renderer.json(&document, RenderOptions(), content: JSONContent(hasLayout: true))
        let output = try #require(JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
        #expect((output["text"] as? String)?.contains("inmost") == true)
        #expect(document.diagnostics.entries.contains { $0.message.contains("nested deeper than") })
    }

    @Test func theInnermostInlineElementsKeepTheirStyles() throws {
        var limits = Limits()
        limits.inlineDepth = 2
        let parser = MarkupParserBuilder.default().set(limits: limits).build()
        var document = parser.parse("<b>a<i>b<u>c<s style='color:#00f'>d")
        let json = try Renderer().json(&document, RenderOptions(), content: JSONContent())
        #expect(String(decoding: json, as: UTF8.self).contains("#0000ffff"))
        #expect(document.diagnostics.entries.contains { $0.message.contains("2 inline boxes") })
    }
}
