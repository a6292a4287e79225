// The groups that effects open in the display list, in text form.

import FancyTextBasics
import FancyText
import FancyTextTestSupport
import Testing

@Suite struct EffectListTests {
    /// The list without its texts.
    private func groups(_ html: String) throws -> String {
        var document = MarkupParser().parse("<body style='margin:0'>" + html)
        var options = RenderOptions()
        options.width = .pixels(200)
        let list = try Renderer().displayList(&document, options)
        return list.dump().split(separator: "\n").dropFirst().filter { !$0.contains("glyphs") }
            .map { $0.dropFirst(2) }.joined(separator: "\n")
    }

    @Test func effectsNestInOrder() throws {
        let html = """
            <div style="width:100px;height:20px;background:red;transform:translate(5px,50%);clip-path:inset(2px);\
            opacity:.5;filter:grayscale();mask:linear-gradient(red,blue)"></div>
            """
        #expect(
            try groups(html) == """
                transform 1 0 0 1 5 10
                  clip path 5 segments
                    opacity 0.5
                      grayscale(1.0)
                        fill 0,0 100×20 #ff0000ff
                      end
                      destinationIn
                        fill 0,0 100×20 gradient of 2 stops in 0,0 100×20
                      end
                    end
                  end
                end
                """)
    }

    /// CSS Fragmentation 3 §5.4.1.
    @Test func theBackgroundOfAnInlineBoxContinuesOnItsNextLine() throws {
        let html = """
            <p style="margin:0;width:100px;font:20px/20px Inter"><span \
            style="background:linear-gradient(red,blue)"><img width=90 height=10> <img width=60 height=10></span>
            """
        let fills = try groups(html).split(separator: "\n").filter { $0.hasPrefix("fill") }.map { $0.suffix(22) }
        #expect(fills.count == 2 && fills[0].contains("in 0,") && fills[1].contains("in -"), "\(fills)")
    }

    /// CSS Backgrounds 3 §3.4.
    @Test func spacesAreOnlyBetweenSeveralTiles() throws {
        let html = "<p style='width:48px;height:48px;background:linear-gradient(red,blue) 5px 5px/32px 32px space'></p>"
        #expect(try groups(html).contains("fill 5,5 32×32 gradient of 2 stops in 5,5 32×32"))
    }

    @Test(arguments: ["solid", "wavy"])
    func underlinesOfTextInAGradientAreInIt(_ style: String) throws {
        let html = """
            <b style="background:linear-gradient(red,blue) text;color:transparent;text-decoration:underline \(style);\
            text-decoration-skip-ink:none">x</b>
            """
        let lines = try groups(html).split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(lines.contains { $0.hasPrefix("line") && $0.contains(style) } && lines.contains("sourceIn"), "\(lines)")
        #expect(lines.contains { $0.hasPrefix("fill") && $0.contains("gradient") })
    }

    @Test func backgroundsOfLinesAreBelowAllTextOfTheirContext() throws {
        let html = "<div style='-ft-line-background:red 4px'><p>a</p><p>b</p></div>"
        var document = MarkupParser().parse(html)
        let items = try Renderer().displayList(&document, RenderOptions()).dump().split(separator: "\n")
        let text = items.firstIndex { $0.contains("glyphs") } ?? 0
        #expect(
            items[text...].allSatisfy { !$0.contains("#ff0000ff") }
                && items[..<text].contains { $0.contains("#ff0000ff") })
    }

    @Test func whatBlendsDoesNotBlendWithAFilteredBackdrop() throws {
        let html = """
            <div style="backdrop-filter:invert(1)"><p style="margin:0;height:9px;background:red;mix-blend-mode:screen"></p></div>
            """
        let groups = try groups(html)
        let backdrop = try #require(groups.range(of: "invert"))
        let layer = try #require(groups.range(of: "layer"))
        #expect(backdrop.lowerBound < layer.lowerBound)
    }

    @Test func whatBlendsIsIsolatedByItsStackingContext() throws {
        let html = """
            <div style="isolation:isolate"><p style="margin:0;height:9px;background:red;mix-blend-mode:screen"></p></div>\
            <p style="margin:0;height:9px;background:red;mix-blend-mode:screen"></p>
            """
        #expect(
            try groups(html) == """
                layer
                  layer
                    blend(FancyTextCSS.BlendMode.screen)
                      fill 0,0 200×9 #ff0000ff
                    end
                  end
                  blend(FancyTextCSS.BlendMode.screen)
                    fill 0,9 200×9 #ff0000ff
                  end
                end
                """)
    }

    @Test func transformedBoxesPaintAsLayers() throws {
        let html = """
            <div style="height:9px;background:red;scale:1"></div><div style="height:9px;background:blue;margin-top:-9px"></div>
            """
        #expect(
            try groups(html) == """
                fill 0,0 200×9 #0000ffff
                transform 1 0 0 1 0 0
                  fill 0,0 200×9 #ff0000ff
                end
                """)
    }

    @Test func backdropsKnowTheirLayers() throws {
        let html = "<div style='height:9px;opacity:.5;backdrop-filter:blur(2px)'></div>"
        #expect(
            try groups(html) == """
                opacity 0.5
                  backdrop 0,0 200×9 blur(2.0)
                end
                """)
    }

    @Test func rectanglesClipWhatIsAbsolute() throws {
        let clip = "clip:rect(1px,auto,5px,2px);height:9px;width:40px;background:red"
        #expect(
            try groups("<div style='position:absolute;\(clip)'></div><div style='\(clip)'></div>") == """
                fill 0,0 40×9 #ff0000ff
                clip 2,1 38×4
                  fill 0,0 40×9 #ff0000ff
                end
                """)
    }

    @Test func shapesAreResolvedInTheirBox() throws {
        let html =
            "<div style='height:10px;background:red;clip-path:shape(from 50% 0,line to 100% 100%,hline to 0,close)'></div>"
        #expect(
            try groups(html) == """
                clip path 4 segments
                  fill 0,0 200×10 #ff0000ff
                end
                """)
    }
}
