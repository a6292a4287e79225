import Foundation
import FancyTextTestSupport
import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextTypography

@Suite struct RasterTests {
    let context: FontContext

    init() throws { context = try .embedded() }

    private func ink(_ mask: GlyphMask) -> Int {
        var sum = 0
        for row in 0..<mask.height {
            for column in 0..<mask.width { sum += Int(mask.pixels[row * mask.stride + column]) }
        }
        return sum
    }

    /// The mask's position, size and pixels.
    private func bytes(_ mask: GlyphMask) -> [Int] {
        [mask.left, mask.top, mask.width, mask.height] + mask.pixels.map { Int($0) }
    }

    /// The bounds of the points on the curves, where font outlines have their extremes.
    private static func extent(_ path: Path) -> Rect? {
        var points: [Point] = []
        for segment in path.segments {
            switch segment {
            case .move(let point), .line(let point), .quadratic(_, let point), .cubic(_, _, let point):
                points.append(point)
            case .close: break
            }
        }
        guard let left = points.map(\.x).min(), let right = points.map(\.x).max(),
            let top = points.map(\.y).min(), let bottom = points.map(\.y).max()
        else { return nil }
        return Rect(x: left, y: top, width: right - left, height: bottom - top)
    }

    @Test func aGlyphStandsOnItsBaseline() {
        let run = context.shape("H", FontStyle("Inter", size: 32))
        let mask = context.glyphMask(run.runs[0].font, run.glyphs[0].id)
        let capital = context.metrics(run.runs[0].font).capHeight
        #expect(abs(Float(mask.top) - capital) < 1)
        #expect(mask.top == mask.height)
        #expect(ink(mask) > 0)
    }

    /// A font with CFF2 outlines, whose A is 400 units wide and 100 wider at the largest weight.
    @Test func varyingOutlinesAreThoseOfTheirCoordinates() throws {
        let file = try Data(contentsOf: TestPaths.fixtures.appendingPathComponent("fuzz/fonts/varying.otf"))
        try context.register(
            WebFont(
                family: "Varying", sources: [.data([UInt8](file))], weights: 100...900, stretches: 50...200,
                isItalic: nil, ranges: []))
        for (weight, width) in [(400, 40), (650, 45), (900, 50)] as [(Float, Float)] {
            let run = context.shape("A", FontStyle("Varying", size: 100, weight: weight))
            let outline = context.glyphOutline(run.runs[0].font, run.glyphs[0].id)
            #expect(abs(try #require(Self.extent(outline)).width - width) < 0.01)
            #expect(ink(context.glyphMask(run.runs[0].font, run.glyphs[0].id)) > 0)
            #expect(run.glyphs[0].advance == 60)
        }
    }

    /// CSS Fonts 4 §5.2: 400 and 500 try each other, then lower weights, then higher ones; other weights first try their own
    /// side.
    @Test(
        arguments: [
            (400, [300, 700], 300), (400, [300, 500], 500), (500, [400, 600], 400), (450, [300, 600], 300),
            (500, [600, 700], 600), (300, [200, 400], 200), (300, [400, 900], 400), (600, [500, 900], 900),
            (700, [400, 600], 600), (400, [500, 450], 450), (200, [100, 150], 150),
        ] as [(Float, [Float], Float)])
    func theNearestWeightIsThatOfCSS(_ wanted: Float, _ weights: [Float], _ nearest: Float) throws {
        let file = try Data(contentsOf: TestPaths.fixtures.appendingPathComponent("fuzz/fonts/varying.otf"))
        for weights in [weights, weights.reversed()] {
            let context = try FontContext()
            for weight in weights {
                try context.register(
                    WebFont(
                        family: "Weights", sources: [.data([UInt8](file))], weights: weight...weight,
                        stretches: 100...100,
                        isItalic: nil, ranges: []))
            }
            let run = context.shape("A", FontStyle("Weights", size: 100, weight: wanted))
            #expect(context.instances[Int(run.runs[0].font.rawValue)].face.weights == nearest...nearest)
        }
    }

    /// An axis may have any range: here even the lightest weight is above all CSS weights.
    @Test(arguments: [(5000, 6000), (-700, -600), (0, 0), (900, 5000)])
    func weightsOfAnAxisAreThoseOfCSS(_ least: Int, _ most: Int) throws {
        var file = [UInt8](
            try Data(contentsOf: TestPaths.fixtures.appendingPathComponent("fuzz/fonts/varying.otf")))
        let axis = try #require(file.indices.last { file[$0...].starts(with: Array("wght".utf8)) })
        for (k, value) in [least, least, most].enumerated() {
            let fixed = UInt32(bitPattern: Int32(value << 16))
            for byte in 0..<4 { file[axis + 4 + 4 * k + byte] = UInt8(truncatingIfNeeded: fixed >> (24 - 8 * byte)) }
        }
        try context.register(
            WebFont(
                family: "Odd", sources: [.data(file)], weights: 100...900, stretches: 50...200, isItalic: nil,
                ranges: []))
        let run = context.shape("A", FontStyle("Odd", size: 100, weight: 400))
        #expect(run.glyphs[0].advance == 60 && ink(context.glyphMask(run.runs[0].font, run.glyphs[0].id)) > 0)
    }

    @Test func masksAreCachedByPosition() {
        let run = context.shape("n", FontStyle("Inter"))
        let font = run.runs[0].font
        let first = context.glyphMask(font, run.glyphs[0].id, subpixel: 0)
        #expect(first === context.glyphMask(font, run.glyphs[0].id, subpixel: 0))
        #expect(first !== context.glyphMask(font, run.glyphs[0].id, subpixel: 2))
    }

    @Test func scaleDoublesTheMask() {
        let run = context.shape("H", FontStyle("Inter", size: 20))
        let one = context.glyphMask(run.runs[0].font, run.glyphs[0].id)
        let two = context.glyphMask(run.runs[0].font, run.glyphs[0].id, scale: 2)
        #expect(abs(two.height - 2 * one.height) <= 1)
    }

    @Test func emboldeningAddsInk() throws {
        let plain = context.shape("o", FontStyle("DejaVu Sans Mono", size: 30))
        let face = context.instances[Int(plain.runs[0].font.rawValue)].face
        face.weights = 400...400
        var style = FontStyle("DejaVu Sans Mono", size: 30)
        let regular = ink(context.glyphMask(plain.runs[0].font, plain.glyphs[0].id))
        style.weight = 900
        let made = try #require(context.instance(of: face, style: style))
        #expect(made.settings.isEmboldened)
        #expect(ink(context.glyphMask(made.id, plain.glyphs[0].id)) > regular)
    }

    @Test func synthesizedBoldGrowsToAllSides() throws {
        let plain = context.shape("o", FontStyle("DejaVu Sans Mono", size: 72))
        let (font, glyph) = (plain.runs[0].font, plain.glyphs[0].id)
        let face = context.instances[Int(font.rawValue)].face
        face.weights = 400...400
        var style = FontStyle("DejaVu Sans Mono", size: 72)
        style.weight = 900
        let made = try #require(context.instance(of: face, style: style))
        let regular = try #require(Self.extent(context.glyphOutline(font, glyph)))
        let bold = try #require(Self.extent(context.glyphOutline(made.id, glyph)))
        // 1/32 em in total.
        #expect(abs(regular.x - bold.x - 72.0 / 64) < 0.1)
        #expect(abs(bold.maxX - regular.maxX - 72.0 / 64) < 0.1)
        #expect(abs(regular.y - bold.y - 72.0 / 64) < 0.1)
        #expect(abs(bold.maxY - regular.maxY - 72.0 / 64) < 0.1)
    }

    @Test func slightHintingPutsHorizontalEdgesOnPixels() throws {
        let run = context.shape("H", FontStyle("Inter", size: 17))
        let (font, glyph) = (run.runs[0].font, run.glyphs[0].id)
        let designed = try #require(Self.extent(context.glyphOutline(font, glyph)))
        let hinted = try #require(Self.extent(context.glyphOutline(font, glyph, hintedAt: 1)))
        #expect(designed.y != designed.y.rounded())
        #expect(hinted.y == hinted.y.rounded())
        #expect(abs(hinted.x - designed.x) < 0.02 && abs(hinted.width - designed.width) < 0.04)
        // The edge of the mask is the edge of the outline: its first row is covered from side to side of a stem.
        let mask = context.glyphMask(font, glyph)
        #expect(mask.top == Int(-hinted.y))
        #expect((0..<mask.width).contains { mask.pixels[$0] == 255 })
    }

    @Test func alternatesAreHintedLikeTheirLetters() throws {
        let plain = context.shape("2", FontStyle("Inter", size: 17))
        var style = FontStyle("Inter", size: 17)
        style.features = [feature("tnum")]
        let tabular = context.shape("2", style)
        #expect(plain.glyphs[0].id != tabular.glyphs[0].id)
        let font = tabular.runs[0].font
        let (a, b) = (context.glyphMask(font, plain.glyphs[0].id), context.glyphMask(font, tabular.glyphs[0].id))
        #expect((a.top, a.height) == (b.top, b.height))
        func row(_ mask: GlyphMask, _ y: Int) -> [UInt8] { (0..<mask.width).map { mask.pixels[y * mask.stride + $0] } }
        // The foot ends on the baseline: a full row.
        #expect(row(a, a.height - 1).max() == 255 && row(b, b.height - 1).max() == 255)
    }

    @Test func invisibleGlyphsHaveNoPicture() {
        let font = context.primaryFont(context.intern(FontStyle("Inter")))
        #expect(context.glyphMask(font, ShapedGlyph.invisible).width == 0)
        #expect(context.glyphOutline(font, ShapedGlyph.invisible).isEmpty)
    }

    @Test func outlinesAreInPixelsDownwards() {
        let run = context.shape("H", FontStyle("Inter", size: 100))
        let outline = context.glyphOutline(run.runs[0].font, run.glyphs[0].id)
        var top: Float = 0
        for segment in outline.segments { if case .line(let point) = segment { top = min(top, point.y) } }
        #expect(abs(-top - context.metrics(run.runs[0].font).capHeight) < 0.5)
    }

    /// When the budget is used up, all masks are discarded, and rasterized again on demand.
    @Test func picturesAreTheSameWhateverIsForgotten() throws {
        var configuration = FontOptions()
        configuration.usesSystemFonts = false
        configuration.glyphCacheBudget = 2_000
        let small = try FontContext(configuration: configuration)
        let text = "The quick brown fox jumps over the lazy dog"
        for size in [11, 30, 11] as [Float] {
            let run = small.shape(text, FontStyle("Inter", size: size))
            let own = context.shape(text, FontStyle("Inter", size: size))
            for (glyph, other) in zip(run.glyphs, own.glyphs) {
                let mask = small.glyphMask(run.runs[0].font, glyph.id, subpixel: 1)
                let known = context.glyphMask(own.runs[0].font, other.id, subpixel: 1)
                #expect(bytes(mask) == bytes(known))
            }
        }
    }
}

extension FontContext {
    /// The picture of a glyph; an empty one for a glyph without ink.
    func glyphMask(_ font: FontID, _ glyph: UInt32, subpixel: Int = 0, scale: Float = 1) -> GlyphMask {
        picture(GlyphKey(font: font, glyph: glyph, subpixel: subpixel, scale: scale))
            ?? GlyphMask(left: 0, top: 0, width: 0, height: 0, isColor: false, pixels: [])
    }
}
