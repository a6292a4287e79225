// Type Mode's geometry, and the tail's box, in HTML documents.

import FancyTextBasics
import Testing

@testable import FancyText
@testable import FancyTextCSS
@testable import FancyTextLayout
@testable import FancyTextPainting

private func makeRenderer() -> Renderer {
    var fonts = FontOptions()
    fonts.usesSystemFonts = false
    return Renderer(fonts: fonts)
}

@Suite struct TypeModeTests {
    private let texts = [
        "<p>open all night</p>", "<p>Big news<br>for everyone who likes type<br>!</p>",
        "<p>one long paragraph of words that has to wrap because at the smallest size it would still not fit</p>",
        "<h1>A</h1><p>second block, <b>mixed</b> <i>styles</i></p>",
    ]

    /// Each line is as wide as its box, unless its size is at one of the limits.
    @Test(arguments: [Preset.classic, .modern, .neon, .typewriter, .strong], [180, 320, 560, 900] as [Float])
    func fittedLinesFillTheirBox(_ preset: Preset, _ width: Float) throws {
        let renderer = makeRenderer()
        let parser = MarkupParserBuilder.default().add(css: preset.css()).build()
        for text in texts {
            var options = RenderOptions()
            options.width = .pixels(width)
            options.padding = 20
            options.fitLines = 14...120
            var document = parser.parse(text)
            let tree = try renderer.layoutTree(&document, options)
            let styles = document.styledContents().styles
            #expect(!tree.lines.isEmpty)
            for line in tree.lines {
                let fragments = tree.inlines[line.fragments].filter { $0.kind == .text }
                let sizes = fragments.map { styles[$0.style].font.size * $0.scale }
                let base = fragments.map { $0.scale * styles[styleID(of: line, tree)].font.size }
                let isClamped = base.contains { $0 < 14.01 || $0 > 119.99 }
                if !isClamped { #expect(abs(line.rect.width.float - (width - 40)) <= 0.5, "\(text) \(sizes)") }
                #expect(line.rect.width.float <= width - 40 + 0.5 || isClamped)
            }
        }
    }

    /// The style of the block that a line is in.
    private func styleID(of line: LineFragment, _ tree: LayoutTree) -> StyleID { tree.boxes[line.container].style }

    @Test func presetsAreThoseOfTypeMode() {
        #expect(Preset.allCases.filter(\.fitsLines) == [.modern, .neon, .strong])
        let withBackgrounds = Preset.allCases.filter { $0.css().contains("-ft-line-background") }
        #expect(withBackgrounds == [.classic, .typewriter, .strong])
    }

    /// The background bars of lines and the lines' glyph boxes, from top to bottom.
    private func bars(_ html: String, fits: ClosedRange<Float>? = nil) throws -> (bars: [Rect], lines: [Rect]) {
        var document = MarkupParser().parse(html)
        var options = RenderOptions()
        options.width = .pixels(260)
        options.fitLines = fits
        let renderer = makeRenderer()
        let red = Color(red: 255, green: 0, blue: 0)
        let bars = try renderer.displayList(&document, options).items.compactMap { item -> Rect? in
            guard case .fill(let rect, .color(red)) = item else { return nil }
            return rect.rect
        }
        let tree = try renderer.layoutTree(&document, options)
        let lines = tree.lines.map { line in
            let pieces = tree.inlines[line.fragments].filter { $0.kind == .text }.map(\.rect.rect)
            let top = pieces.map(\.y).min() ?? 0
            return Rect(x: 0, y: top, width: 1, height: (pieces.map(\.maxY).max() ?? 0) - top)
        }
        return (bars, lines)
    }

    /// Lines that are closer together than their backgrounds allow move apart; the backgrounds stay whole.
    @Test(arguments: ["1", "0.6", "1.3", "3"], [nil, 14...90] as [ClosedRange<Float>?])
    func backgroundsKeepTheirDistanceAndHoldTheirText(_ height: String, _ fits: ClosedRange<Float>?) throws {
        let (bars, lines) = try bars(
            "<p style='font:24px/\(height) Inter;-ft-line-background:red 6px 3px 2px 5px'>one line<br>and a much longer "
                + "one that wraps<br>M<sup>ore</sup> gjpq", fits: fits)
        try #require(bars.count == lines.count && bars.count >= 3)
        for (bar, line) in zip(bars, lines) {
            #expect(abs(bar.y - (line.y - 3)) < 0.1 && abs(bar.maxY - (line.maxY + 3)) < 0.1)
        }
        for (above, below) in zip(bars, bars.dropFirst()) { #expect(below.y - above.maxY >= 4.9) }
        if height == "1" { #expect(abs(bars[1].y - bars[0].maxY - 5) < 0.1) }
    }

    @Test func spansHaveBackgroundsOfTheirOwn() throws {
        let span = "<span style='-ft-line-background:red 2px'>span <b>of two</b><br>lines</span>"
        let (bars, _) = try bars("<p style='font:20px/40px Inter'>Before \(span) behind, <i>\(span)</i>")
        #expect(bars.count == 4)
        #expect(bars.filter { $0.y == bars[1].y }.count == 2, "two spans on one line have a bar each")
        let (nested, _) = try self.bars("<p style='-ft-line-background:blue 2px'>Before \(span) behind")
        #expect(nested.count == 2)
        let (none, _) = try self.bars("<p>Before behind")
        #expect(none.isEmpty)
    }

    @Test(arguments: Preset.allCases)
    func presetsPaintInEveryColour(_ preset: Preset) throws {
        let renderer = makeRenderer()
        for accent in ["#0ff", "#111", "#fde68a80"] {
            let parser = MarkupParserBuilder.default().add(css: preset.css(accent: Color(css: accent))).build()
            var document = parser.parse("<p>neon<br>lights</p>")
            var options = RenderOptions()
            options.width = .pixels(300)
            let png = try renderer.png(&document, options)
            #expect(png.count > 100)
            #expect(document.diagnostics.entries.isEmpty)
        }
    }

    @Test(arguments: [1, 2, 3], ["ltr", "rtl"])
    func tailsBoxIsThatOfItsGlyphs(_ lines: Int, _ direction: String) throws {
        let renderer = makeRenderer()
        var document = MarkupParser().parse(
            "<div dir=\(direction)>Three things that we learnt and more words than could ever fit on so few lines, "
                + "whatever their size may be, and then some more of them for good measure</div>")
        var options = RenderOptions()
        options.width = .pixels(260)
        options.maximumLines = lines
        options.ellipsis = "… <a class=more style='font-weight:700'>see more</a>"
        let tree = try renderer.layoutTree(&document, options)
        #expect(tree.lineBoxes.count == lines)
        let tail = try #require(tree.tail)
        let last = try #require(tree.lines.last)
        var left = Float.infinity
        var right = -Float.infinity
        var textEdges: [Float] = []
        for fragment in tree.inlines[last.fragments] where fragment.kind != .box {
            let end = fragment.glyphs.reduce(fragment.origin) { $0 + tree.glyphs[$1].advance }
            if fragment.kind == .generated {
                left = min(left, fragment.origin)
                right = max(right, end)
            } else {
                textEdges += [fragment.origin, end]
            }
        }
        #expect(abs(tail.x - left) < 0.05 && abs(tail.maxX - right) < 0.05)
        #expect(tail.y >= last.rect.y.float - 0.5 && tail.maxY <= last.rect.maxY.float + 0.5)
        // The tail directly follows the text: on its right, or on its left in right-to-left text.
        let edge = try #require(direction == "ltr" ? textEdges.max() : textEdges.min())
        #expect(abs((direction == "ltr" ? tail.x : tail.maxX) - edge) < 0.05)
    }

    @Test func aTailThatCannotFitFallsBackWithAWarning() throws {
        var document = MarkupParser().parse("<p>some words that do not fit</p>")
        var options = RenderOptions()
        options.width = .pixels(80)
        options.maximumLines = 1
        options.ellipsis = "a tail that is much wider than all of the line"
        let text = try makeRenderer().truncated(document, options)
        #expect(text.plainText().hasPrefix("some") && text.plainText().hasSuffix("…\n"))
        #expect(text.diagnostics.map(\.code) == [.tailDoesNotFit])
        _ = try makeRenderer().png(&document, options)
        #expect(document.diagnostics.map(\.code) == [.tailDoesNotFit])
    }
}
