// Query containers whose sizes come from the layout of the document itself.

import FancyText
import Testing

@Suite struct ContainerLayoutTests {
    private let page = """
        <style>.c{container-type:inline-size;padding:0 20px}.c.p{padding:0 60px}.n{display:none}
        @container (width < 200px){.w{display:none}.n{display:block}}</style>
        <div class=c id=c><p class=w>wide</p><p class=n>narrow</p></div>
        """

    private func words(_ renderer: Renderer, _ document: inout Document, width: Float) throws -> String {
        var options = RenderOptions()
        options.width = .pixels(width)
        let json = try renderer.json(&document, options, content: JSONContent(hasLayout: true))
        return String(decoding: json, as: UTF8.self).contains("wide") ? "wide" : "narrow"
    }

    @Test func eachViewportHasSizesOfItsOwn() throws {
        let renderer = Renderer()
        var document = MarkupParser().parse(page)
        for (width, word) in [(300, "wide"), (239, "narrow"), (300, "wide"), (256, "wide")] as [(Float, String)] {
            #expect(try words(renderer, &document, width: width) == word, "\(width)")
        }
    }

    @Test func anEditIsFollowed() throws {
        let renderer = Renderer()
        var document = MarkupParser().parse(page)
        #expect(try words(renderer, &document, width: 300) == "wide")
        document.addClass("p", toID: "c")
        #expect(try words(renderer, &document, width: 300) == "narrow")
    }

    /// 8 CSS pixels a column.
    @Test(arguments: [(40, "wide"), (20, "narrow")])
    func columnsOfATerminalAreWidths(_ columns: Int, _ word: String) {
        var options = ANSIOptions()
        options.width = columns
        var document = MarkupParser().parse(page)
        #expect(String(decoding: Renderer().ansi(&document, RenderOptions(), options), as: UTF8.self).contains(word))
    }

    /// Each layout settles one level more; deeper containers keep failing their queries.
    @Test func nestedContainersSettleFromTheOutside() throws {
        var html =
            "<style>div{container-type:inline-size;padding-right:10px}@container (width > 0px){div{order:1}}</style>"
        for _ in 0..<30 { html += "<div>" }
        var document = MarkupParser().parse(html + "x")
        let renderer = Renderer()
        let first = try renderer.png(&document)
        #expect(try renderer.png(&document) == first)
    }
}
