// What library users set, and what many of them at once get.

import FancyText
import Testing

@Suite struct LimitTests {
    private static let page =
        "<style>p::before{content:'\(String(repeating: "x", count: 300))'}div{opacity:.5;height:300px;background:red}</style>"
        + String(repeating: "<p>a", count: 20) + "<div>b</div>"

    private func fonts() -> FontOptions {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        return fonts
    }

    @Test(arguments: [Budget.generatedText, .layerBytes])
    func renderingPastABudgetThrows(_ budget: Budget) throws {
        var limits = Limits()
        limits[budget] = 10
        let parser = MarkupParserBuilder.default().set(limits: limits).build()
        var document = parser.parse(Self.page)
        let renderer = Renderer(fonts: fonts())
        #expect(throws: RenderError.overBudget(budget, limit: 10)) { _ = try renderer.png(&document) }
    }

    @Test func defaultsSufficeForTheSamePage() throws {
        var document = MarkupParser().parse(Self.page)
        #expect(try !Renderer(fonts: fonts()).png(&document).isEmpty)
    }

    @Test func pastABudgetTextIsCutAndSaid() {
        var limits = Limits()
        limits[.generatedText] = 1000
        let parser = MarkupParserBuilder.default().set(limits: limits).build()
        let sheet = "<style>li{list-style:'\(String(repeating: "x", count: 9000))'}</style>"
        var document = parser.parse(sheet + String(repeating: "<li>a", count: 20))
        #expect(document.markdown().utf8.count < 50_000)
        _ = document.styledText()
        #expect(document.diagnostics.contains { $0.code == .budgetGeneratedText && $0.severity == .error })
    }

    @Test func manyAtOnceGiveTheSameBytes() async throws {
        let parser = MarkupParser()
        let fonts = fonts()
        let first = try await parser.png(Self.page, fonts: fonts)
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<40 { group.addTask { try await parser.png(Self.page, fonts: fonts) } }
            for try await bytes in group { #expect(bytes == first) }
        }
    }
}
