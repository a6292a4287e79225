// Lines: breaks, heights, alignment.

import Testing

@testable import FancyTextCSS
@testable import FancyTextDisplay
@testable import FancyTextLayout
@testable import FancyTextPainting

private let fox =
    "The quick brown fox jumps over the lazy dog. Pack my box with five dozen liquor jugs. How vexingly quick daft zebras jump! Sphinx of black quartz, judge my vow."

@Suite struct LineTests {
    @Test func breaksLinesWhereBrowsersDo() throws {
        var builder = DocumentBuilder()
        let style = builder.style()
        builder.paragraph(fox, style: style)
        let text = builder.finish()
        let tree = try layOut(text, width: 600)
        let starts = tree.lineBoxes.map { String(decoding: text.text[$0.text], as: UTF8.self) }
        #expect(starts.count == 3)
        #expect(starts[0].hasPrefix("The quick"))
        #expect(tree.lineBoxes.map(\.rect.y) == [0, 20, 40])
        #expect(tree.lineBoxes.map(\.baseline) == [16, 36, 56])
    }

    /// On the grid of layout: lengths to the nearest 1/64 pixel, multiples of the font size downwards.
    @Test(
        arguments: [
            (.length(16.212), 1038), (.length(16.2), 1037), (.length(16.19), 1036), (.number(1.2), 1228),
        ] as [(LineHeight, Int32)])
    func lineHeightsLieOnTheGrid(_ lineHeight: LineHeight, _ height: Int32) throws {
        var builder = DocumentBuilder()
        builder.paragraph("x", style: builder.style { _, text, _ in text.lineHeight = lineHeight })
        #expect(try layOut(builder.finish(), width: 100).lines[0].rect.height.raw == height)
    }

    /// A line that one word fills to three quarters (CSS Text 4 §6.3.4).
    @Test(arguments: [(0, 2), (0.2, 2), (0.3, 1), (1, 1)] as [(Float, Int)])
    func wordsAreHyphenatedWhereMoreRoomIsLeftThanTheZone(_ zone: Float, _ hyphenated: Int) throws {
        var builder = DocumentBuilder()
        let style = builder.style { _, text, _ in text.hyphenateLimitZone = LengthPercentage(fraction: zone) }
        builder.paragraph("mmmmmmmmm ii\u{AD}mmmmmmmm", style: style)
        let tree = try layOut(builder.finish(), width: 168)
        let first = try #require(tree.lines.first)
        #expect((tree.inlines[first.fragments].contains { $0.kind == .generated } ? 2 : 1) == hyphenated)
    }

    @Test func placesWordsByExactAdvances() throws {
        var builder = DocumentBuilder()
        builder.paragraph(fox, style: builder.style())
        let text = builder.finish()
        var context = try makeContext()
        var options = LayoutOptions()
        options.width = 1000
        let words = layout(text, options: options, context: &context).words(in: text, fonts: context.fonts)
        // Measured in Chromium with the same font.
        let expected: [(Int, Float)] = [(0, 0), (1, 33.531), (2, 78.516), (3, 130.234), (9, 347.469), (19, 759.594)]
        for (index, x) in expected {
            #expect(abs(words[index].rect.x - x) < 0.1, "word \(index): \(words[index].rect.x)")
        }
    }

    @Test func underlinesStayWhereTheirBoxIsAndOtherLinesFollowTheText() throws {
        func lines(_ lines: TextDecoration.Lines) -> [TextDecoration] {
            [TextDecoration(lines: lines, style: .solid, color: .black, fontSize: 16)]
        }
        func tops(_ decorations: [TextDecoration]) throws -> [Float] {
            var builder = DocumentBuilder()
            let block = builder.style()
            let outer = builder.style(display: .inline) { _, _, box in box.decorations = decorations }
            let raised = builder.style(display: .inline) { _, _, box in
                box.decorations = decorations
                box.verticalAlign = .length(LengthPercentage(px: 6))
            }
            builder.block(style: block) { builder in
                builder.inlines { builder in
                    builder.span(style: outer) { builder in
                        builder.run("a", style: outer)
                        builder.span(style: raised) { $0.run("b", style: raised) }
                    }
                }
            }
            let text = builder.finish()
            var context = try makeContext()
            let tree = layout(text, options: LayoutOptions(), context: &context)
            return DisplayListBuilder.build(tree, text: text, fonts: context.fonts).items.compactMap {
                if case .decoration(let item) = $0 { item.y } else { nil }
            }
        }
        let under = try tops(lines(.underline))
        #expect(under.count == 2 && under[0] == under[1])
        let through = try tops(lines(.lineThrough))
        #expect(through.count == 2 && through[0] == through[1] + 6)
    }

    /// Measured in Chromium with --force-device-scale-factor: ascents are whole device pixels.
    @Test(arguments: [(1, 11), (2, 10.5), (3, 32.0 / 3)] as [(Float, Float)])
    func baselinesLieOnDevicePixels(scale: Float, baseline: Float) throws {
        var builder = DocumentBuilder()
        let style = builder.style { font, _, _ in font.size = 11 }
        builder.paragraph("x", style: style)
        let tree = try layOut(builder.finish(), width: 100) { $0.deviceScale = scale }
        #expect(abs(tree.lineBoxes[0].baseline - baseline) < 0.02)
    }
}
