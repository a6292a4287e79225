import FancyTextPlatform
import Testing

@testable import FancyTextCSS
@testable import FancyTextTypography

@Suite struct ShapingTests {
    let context: FontContext
    let inter = FontStyle("Inter")

    init() throws { context = try .embedded() }

    @Test func asciiIsOneRunOfThePrimaryFont() {
        #expect(
            context.shape("fi Wo", inter).dump(context)
                == "Inter 0..<5 level 0: 645@0+577 679@1+380 1682@2+450 456@3+1436 775@4+955")
    }

    @Test func widthsAreThoseOfTheBrowser() {
        // Measured in headless Chromium, to a 64th of a pixel.
        #expect(abs(context.width("jumps", inter) - 45.125) < 0.03)
        #expect(abs(context.width("vexingly", inter) - 61.953) < 0.03)
        for (weight, width): (Float, Float) in [(100, 249.234), (450, 262.047), (900, 281.094)] {
            #expect(abs(context.width("Hamburgefonstiv", FontStyle("Inter", size: 32, weight: weight)) - width) < 0.03)
        }
    }

    @Test func metricsRoundAsInTheBrowser() {
        for (size, ascent, descent): (Float, Float, Float) in [
            (10, 10, 2), (14, 14, 3), (16, 16, 4), (20, 19, 5), (30, 29, 7),
        ] {
            let metrics = context.metrics(context.intern(FontStyle("Inter", size: size)))
            #expect(metrics.roundedAscent == ascent, "ascent at \(size)")
            #expect(metrics.roundedDescent == descent, "descent at \(size)")
            #expect(metrics.lineSpacing == ascent + descent)
        }
        let mono = context.metrics(context.intern(FontStyle("DejaVu Sans Mono", size: 14)))
        #expect(mono.roundedAscent == 13 && mono.roundedDescent == 3)
    }

    @Test func letterSpacingFollowsEachClusterAndStopsLigatures() {
        let plain = context.width("e\u{301}\u{302}x", inter)
        let spaced = context.shape("e\u{301}\u{302}x", inter, letterSpacing: 5)
        #expect(abs(spaced.glyphs.reduce(0) { $0 + $1.advance } - plain - 10) < 0.01)
    }

    @Test func wordSpacingAppliesToSpaces() {
        let plain = context.width("a b\u{A0}c d", inter)
        let spaced = context.shape("a b\u{A0}c d", inter, wordSpacing: 10)
        #expect(abs(spaced.glyphs.reduce(0) { $0 + $1.advance } - plain - 30) < 0.01)
    }

    @Test func controlsAndObjectReplacementTakeNoRoom() {
        let shaped = context.shape("a\nb\tc\u{FFFC}d\u{200B}", inter)
        #expect(
            abs(
                shaped.glyphs.reduce(0) { $0 + $1.advance } - context.width("a", inter) - context.width("b", inter)
                    - context.width("c", inter) - context.width("d", inter)) < 0.01)
        #expect(shaped.glyphs.filter { $0.id == ShapedGlyph.invisible }.count == 3)
        #expect(context.missingScalars.isEmpty)
    }

    @Test func missingGlyphsAreNotedByCodePoint() {
        _ = context.shape("漢漢", inter)
        #expect(context.missingScalars == [0x6F22])
    }

    @Test func givenFontsHaveWhatTheFamiliesLack() throws {
        var font = GlyphFont()
        font.map(0x6F22, to: GlyphFont.blank)
        let path = "/tmp/fancytext-given-\(getpid()).ttf"
        let file = try #require(fopen(path, "w"))
        let bytes = font.file(named: "Given")
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
        defer { unlink(path) }
        var configuration = FontOptions()
        configuration.usesSystemFonts = false
        configuration.files = [path]
        let context = try FontContext(configuration: configuration)
        let shaped = context.shape("a漢", inter)
        #expect(shaped.runs.map { context.family($0.font) } == ["Inter", "Given"])
        #expect(context.missingScalars.isEmpty)
    }

    @Test func missingFamiliesAreNoted() {
        var style = FontStyle("No Such Family")
        style.families.append(.generic(.monospace))
        let shaped = context.shape("a", style)
        #expect(context.family(shaped.runs[0].font) == "DejaVu Sans Mono")
        #expect(context.missingFamilies == ["No Such Family"])
    }

    @Test func charactersBeyondThePrimaryFontComeFromTheNext() {
        // Inter has no box-drawing characters, so the monospace font is used.
        let shaped = context.shape("a╬b", inter)
        #expect(shaped.runs.map { context.family($0.font) } == ["Inter", "DejaVu Sans Mono", "Inter"])
    }

    @Test func boldIsSynthesizedOnlyWhereTheFamilyLacksIt() {
        let bold = context.shape("a", FontStyle("DejaVu Sans Mono", weight: 700)).runs[0].font
        #expect(!context.instances[Int(bold.rawValue)].settings.isEmboldened)
        var italic = FontStyle("DejaVu Sans Mono")
        italic.slant = .italic
        let slanted = context.shape("a", italic).runs[0].font
        #expect(context.instances[Int(slanted.rawValue)].settings.isSlanted)
        var oblique = inter
        oblique.slant = .italic
        let real = context.shape("a", oblique).runs[0].font
        #expect(!context.instances[Int(real.rawValue)].settings.isSlanted)
    }

    @Test func rightToLeftRunsAreInVisualOrder() {
        let shaped = context.shape("ab \u{5D0}\u{5D1}", FontStyle("DejaVu Sans Mono"))
        let levels = shaped.runs.map(\.level)
        #expect(levels == [0, 1])
        let clusters = shaped.glyphs[shaped.runs[1].glyphs].map(\.cluster)
        #expect(clusters == clusters.sorted(by: >))
    }

    @Test func smallCapitalsAreSynthesizedInWholePixels() {
        var style = FontStyle("DejaVu Sans Mono", size: 16)
        style.caps = .smallCaps
        let shaped = context.shape("Ab", style)
        #expect(shaped.runs.count == 2)
        #expect(context.metrics(shaped.runs[1].font).size == 11)
    }

    @Test func reshapingPartOfARunGivesTheGlyphsOfThatPart() {
        let text = Array("office work".utf8)
        let shaped = context.shape("office work", inter)
        var part = ShapedText()
        text.withUnsafeBufferPointer {
            context.reshape(shaped.runs[0], range: 7..<11, text: $0, paragraph: 0..<11, line: 0..<11, into: &part)
        }
        #expect(part.glyphs.map(\.id) == context.shape("work", inter).glyphs.map(\.id))
        #expect(part.glyphs.first?.cluster == 7)
    }

    @Test func regionsOfHanAreThoseOfWholeSubtags() {
        let regions: [(String, String?)] = [
            ("zh", "SC"), ("zh-Hans", "SC"), ("zh-Hans-TW", "SC"), ("zh-HK", "TC"), ("ZH-hant-CN", "TC"),
            ("ja-JP", "JP"), ("kok", nil), ("zha", nil),
        ]
        for (language, region) in regions { #expect(FontDatabase.region(of: language) == region, "\(language)") }
    }
}
