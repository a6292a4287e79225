// Limits that users of the library set, and concurrent work under them.

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

    private func parser(_ budget: Budget, _ limit: Int) -> MarkupParser {
        var limits = Limits()
        limits[budget] = limit
        return MarkupParserBuilder.default().set(limits: limits).build()
    }

    @Test func valuesWithVariablesAreCounted() throws {
        let sheet = "<style>:root{--x:\(String(repeating: "a ", count: 5000))}</style>"
        let page = sheet + (0..<50).map { "<p style='--y\($0):var(--x)'>a" }.joined()
        var document = parser(.substitutedText, 1000).parse(page)
        #expect(throws: RenderError.overBudget(.substitutedText, limit: 1000)) {
            _ = try Renderer(fonts: fonts()).png(&document)
        }
        // Text without a reference belongs to the sheet and costs nothing.
        let plain = String(repeating: "<style>p{--x:\(String(repeating: "a ", count: 5000))}</style><p>a", count: 2)
        document = parser(.substitutedText, 10).parse(plain)
        _ = try Renderer(fonts: fonts()).png(&document)
        document = MarkupParser().parse(page)
        _ = try Renderer(fonts: fonts()).png(&document)
        #expect(!document.diagnostics.contains { $0.severity == .error })
    }

    @Test func pathsOfVectorFilesAreCounted() throws {
        let page = String(
            repeating: "<div style='height:90px;border:1px dotted red;border-radius:9px'></div>", count: 9)
        for format in [PictureFormat.svg, .pdf()] {
            var document = parser(.paintedPixels, 100_000).parse(page)
            #expect(throws: RenderError.overBudget(.paintedPixels, limit: 100_000)) {
                _ = try Renderer(fonts: fonts()).picture(&document, as: format)
            }
            document = MarkupParser().parse(page)
            _ = try Renderer(fonts: fonts()).picture(&document, as: format)
        }
    }

    /// Backdrops paint everything below them, each as a picture.
    @Test func picturesInVectorFilesAreCounted() throws {
        let layer = "<i style='backdrop-filter:blur(9px);position:absolute;inset:0;height:600px'></i>"
        var document = parser(.paintedPixels, 20_000_000).parse(String(repeating: layer, count: 30))
        #expect(throws: RenderError.overBudget(.paintedPixels, limit: 20_000_000)) {
            _ = try Renderer(fonts: fonts()).picture(&document, as: .svg)
        }
    }

    /// A picture or two of the size of a page are free on each page.
    @Test(arguments: [(1, false), (5, true)])
    func onePictureOnEachPageIsFree(_ count: Int, isRefused: Bool) throws {
        let mask =
            "<p style='height:500px;margin-bottom:-500px;background:teal;mask-image:linear-gradient(red,#0000)'></p>"
        let page = "<div style='height:500px;break-after:page'>\(String(repeating: mask, count: count))</div>"
        var document = parser(.paintedPixels, 60_000_000)
            .parse("<style>@page{size:105mm 148mm;margin:0}</style>" + String(repeating: page, count: 5))
        let result = Result { try Renderer(fonts: fonts()).picture(&document, as: .pdf()) }
        #expect((try? result.get()) == nil ? isRefused : !isRefused)
    }

    /// A page has only its own part of the clip of a box that continues on others.
    @Test func clipsOverManyPagesAreLinear() throws {
        var document = parser(.paintedPixels, 60_000_000)
            .parse(
                "<style>@page{size:105mm 148mm}div{overflow:hidden}p{break-after:page}</style><div>"
                    + String(repeating: "<p>text</p>", count: 400) + "</div>")
        let file = try Renderer(fonts: fonts()).picture(&document, as: .pdf())
        #expect(file.count > 1000)
    }

    @Test func borderImagesHaveFewTiles() throws {
        let box =
            "<div style='width:900px;height:900px;border:1px solid;"
            + "border-image:linear-gradient(red,blue) 449 fill / 1px repeat'></div>"
        var document = MarkupParser().parse(box)
        _ = try Renderer(fonts: fonts()).png(&document)
        #expect(document.diagnostics.contains { $0.code == .layersLeftOut })
    }

    @Test func layersAreNotNestedWithoutEnd() throws {
        let name = (0..<5000).map { "a\($0)" }.joined(separator: ".")
        let document = MarkupParser().parse("<style>@layer \(name){p{display:none}}</style><p>text")
        #expect(document.plainText() == "")
    }

    /// A reference expands to the whole address and title of its definition.
    @Test func referencesInMarkdownAreCounted() throws {
        let markdown = "[a]: \(String(repeating: "x", count: 20_000))\n\n" + String(repeating: "[a]", count: 2000)
        #expect(throws: MarkdownError.tooManyReferences) {
            _ = try MarkupParser().parse(markdown: Array(markdown.utf8), name: "a.md")
        }
        let usual = (0..<200).map { "[\($0)]: http://a/\(String(repeating: "x", count: 90)) 'title'\n" }.joined()
        let text = (0..<2000).map { "word [\($0 % 200)] " }.joined()
        _ = try MarkupParser().parse(markdown: Array((usual + "\n" + text).utf8), name: "a.md")
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
