// Boxes nested deeper than any limit give a diagnostic, never a crash, and their contents are kept.

import FancyTextBasics
import FancyText
import Foundation
import FancyTextOutputs
import FancyTextTestSupport
import Testing

@Suite struct DepthTests {
    @Test(
        .disabled(if: isUnderThreadSanitizer, "one thread alone, far down"),
        arguments: [
            "<div style='float:left'>", "<div style='display:flex'>", "<span style='display:inline-flex'>",
            "<div style='display:flex'><b style='float:left'>", "<ruby>a<rt>", "<table><tr><td>",
            "<span style='display:inline-block'>", "<fieldset><legend>", "<span>", "<bdo dir=rtl>",
        ])
    func deepBoxesAreFlattened(start: String) async throws {
        let html = String(repeating: start, count: 3000) + "inmost"
        let (json, messages) = try await withLargeStack {
            var document = MarkupParser().parse(html)
            let json = try Renderer().json(&document, RenderOptions(), content: JSONContent(hasLayout: true))
            return (json, document.diagnostics.entries.map(\.message))
        }
        let output = try #require(JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
        #expect((output["text"] as? String)?.contains("inmost") == true)
        #expect(messages.contains { $0.contains("nested deeper than") })
    }

    /// Unoptimized code needs several times the program's stack.
    private func withLargeStack<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws
        -> Result
    {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Swift.Result { try work() }) }
            thread.stackSize = 64 << 20
            thread.start()
        }
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
