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
}
