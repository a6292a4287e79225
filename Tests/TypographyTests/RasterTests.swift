import Testing

@testable import Basics
@testable import Styling
@testable import Typography

@Suite struct RasterTests {
    let context: FontContext

    init() throws {
        var configuration = FontConfiguration()
        configuration.usesSystemFonts = false
        context = try FontContext(configuration: configuration)
    }

    private func ink(_ mask: GlyphMask) -> Int {
        var sum = 0
        for row in 0..<mask.height {
            for column in 0..<mask.width { sum += Int(mask.pixels[row * mask.stride + column]) }
        }
        return sum
    }

    @Test func aGlyphStandsOnItsBaseline() {
        let run = context.shape("H", FontStyle("Inter", size: 32))
        let mask = context.glyphMask(run.runs[0].font, run.glyphs[0].id)
        let capital = context.metrics(run.runs[0].font).capHeight
        #expect(abs(Float(mask.top) - capital) < 1)
        #expect(mask.top == mask.height)
        #expect(ink(mask) > 0)
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
        #expect(made.isEmboldened)
        #expect(ink(context.glyphMask(made.id, plain.glyphs[0].id)) > regular)
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

    private func coverage(_ path: Path, rule: FillRule = .nonZero, clip: PixelRect) -> Int {
        var sum = 0
        context.fill(path, rule: rule, clip: clip) { _, spans in
            for span in spans { sum += Int(span.count) * Int(span.coverage) }
        }
        return sum
    }

    private func rectangle(_ left: Float, _ top: Float, _ right: Float, _ bottom: Float) -> [Path.Segment] {
        [
            .move(Point(x: left, y: top)), .line(Point(x: right, y: top)), .line(Point(x: right, y: bottom)),
            .line(Point(x: left, y: bottom)), .close,
        ]
    }

    @Test func fillsCoverTheirArea() {
        var path = Path()
        path.segments = rectangle(2, 3, 12.5, 7)
        let clip = PixelRect(left: 0, top: 0, right: 100, bottom: 100)
        #expect(abs(coverage(path, clip: clip) - Int(10.5 * 4 * 255)) <= 4)
        #expect(abs(coverage(path, clip: PixelRect(left: 0, top: 0, right: 4, bottom: 5)) - 4 * 255) <= 4)
    }

    @Test func fillRulesDifferWhereContoursOverlap() {
        var path = Path()
        path.segments = rectangle(0, 0, 10, 10) + rectangle(2, 2, 8, 8)
        let clip = PixelRect(left: 0, top: 0, right: 20, bottom: 20)
        #expect(coverage(path, clip: clip) == 100 * 255)
        #expect(coverage(path, rule: .evenOdd, clip: clip) == 64 * 255)
    }

    @Test func spansLieInTheirRows() {
        var path = Path()
        path.segments = rectangle(1, 5, 3, 6)
        var rows: [Int] = []
        context.fill(path, clip: PixelRect(left: 0, top: 0, right: 10, bottom: 10)) { y, _ in rows.append(y) }
        #expect(rows == [5])
    }

    @Test func spansHaveTheLayoutOfFreeType() {
        #expect(MemoryLayout<CoverageSpan>.size == 5 && MemoryLayout<CoverageSpan>.stride == 6)
    }

    @Test func manyContoursAreAllFilled() {
        var path = Path()
        for index in 0..<20_000 {
            path.segments += rectangle(
                Float(index % 200) * 2, Float(index / 200) * 2, Float(index % 200) * 2 + 1, Float(index / 200) * 2 + 1)
        }
        #expect(coverage(path, clip: PixelRect(left: 0, top: 0, right: 500, bottom: 500)) == 20_000 * 255)
    }

    @Test func strokesHaveTheirWidth() {
        var line = Path()
        line.segments = [.move(Point(x: 10, y: 10)), .line(Point(x: 30, y: 10))]
        let clip = PixelRect(left: 0, top: 0, right: 100, bottom: 100)
        #expect(abs(coverage(context.stroke(line, width: 4), clip: clip) - 80 * 255) < 300)
        #expect(abs(coverage(context.stroke(line, width: 4, cap: .square), clip: clip) - 96 * 255) < 300)
        var closed = Path()
        closed.segments = rectangle(10, 10, 30, 30)
        #expect(abs(coverage(context.stroke(closed, width: 2), clip: clip) - (22 * 22 - 18 * 18) * 255) < 600)
    }
}
