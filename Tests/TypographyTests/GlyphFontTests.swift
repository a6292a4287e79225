// Written fonts: outlines are read back unchanged, and pictures of emoji become glyphs.

import CFancyTextTextLibraries
import FancyTextBasics
import FancyTextPlatform
import Testing

@testable import FancyTextCSS
@testable import FancyTextTypography

@Suite struct GlyphFontTests {
    private func face(_ font: GlyphFont) throws -> FontFace {
        let libraries = try #require(FontLibraries())
        return try #require(
            FontFace(file: FontFile(copying: font.file(named: "Test")), index: 0, libraries: libraries))
    }

    @Test func outlinesComeBack() throws {
        var font = GlyphFont()
        var outline = Path()
        outline.segments = [
            .move(Point(x: 0, y: 0)), .line(Point(x: 1000, y: 0)),
            .quadratic(control: Point(x: 1000, y: -700), end: Point(x: 0, y: -700)), .close,
        ]
        let added = font.add(outline, advance: 1200)
        let glyph = try #require(added)
        font.map(0x1F600, to: glyph)
        font.map(0x41, to: glyph)
        let face = try face(font)
        #expect(face.family == "Test" && face.unitsPerEm == 2048)
        #expect(face.glyph(for: 0x1F600) == UInt32(glyph) && face.glyph(for: 0x41) == UInt32(glyph))
        #expect(face.glyph(for: 0x42) == 0)
        let scaler = face.scaler(variations: [])
        #expect(scaler.setSize(2048))
        #expect(FT_Load_Glyph(scaler.face, UInt32(glyph), 2) == 0)
        let slot = try #require(scaler.face.pointee.glyph)
        #expect(slot.pointee.advance.x == 1200 * 64)
        let path = Path(&slot.pointee.outline, scale: 1.0 / 64)
        #expect(path.segments.filter { $0 != .line(Point(x: 0, y: 0)) } == outline.segments)
    }

    @Test func curvesOfTheThirdDegreeStayWithinAUnit() throws {
        var font = GlyphFont()
        let (start, one, other, end) = (
            Point(x: 0, y: 0), Point(x: 0, y: -550), Point(x: 450, y: -1000), Point(x: 1000, y: -1000)
        )
        var outline = Path()
        outline.segments = [.move(start), .cubic(control1: one, control2: other, end: end), .close]
        let added = font.add(outline, advance: 1000)
        let glyph = try #require(added)
        let face = try face(font)
        let scaler = face.scaler(variations: [])
        #expect(scaler.setSize(2048))
        #expect(FT_Load_Glyph(scaler.face, UInt32(glyph), 2) == 0)
        let slot = try #require(scaler.face.pointee.glyph)
        let path = Path(&slot.pointee.outline, scale: 1.0 / 64)
        var from = Point.zero
        var count = 0
        for segment in path.segments {
            guard case .quadratic(let control, let to) = segment else { continue }
            let middle = Point(x: (from.x + 2 * control.x + to.x) / 4, y: (from.y + 2 * control.y + to.y) / 4)
            // The nearest of many points of the cubic.
            let distance =
                (0...2000).map { step -> Float in
                    let (t, u) = (Float(step) / 2000, 1 - Float(step) / 2000)
                    let x = u * u * u * start.x + 3 * u * u * t * one.x + 3 * u * t * t * other.x + t * t * t * end.x
                    let y = u * u * u * start.y + 3 * u * u * t * one.y + 3 * u * t * t * other.y + t * t * t * end.y
                    return ((x - middle.x) * (x - middle.x) + (y - middle.y) * (y - middle.y)).squareRoot()
                }.min() ?? .infinity
            #expect(distance < 1.2)
            from = to
            count += 1
        }
        #expect(count > 1)
    }

    @Test func theSameGlyphsGiveTheSameFile() {
        func make() -> [UInt8] {
            var font = GlyphFont()
            for scalar in UInt32(0x61)...0x7A { font.map(scalar, to: GlyphFont.blank) }
            return font.file(named: "Test")
        }
        #expect(make() == make())
    }
}

@Suite struct EmojiFontTests {
    @Test(
        arguments: [
            ("1f600.svg", [0x1F600]), ("emoji_u1f468_200d_1f4bb.png", [0x1F468, 0x200D, 0x1F4BB]),
            ("1F468-200D-2764-FE0F-200D-1F468.svg", [0x1F468, 0x200D, 0x2764, 0x200D, 0x1F468]),
            ("u0023_20e3.png", [0x23, 0x20E3]),
        ] as [(String, [UInt32])])
    func filesAreNamedByCodePoints(_ name: String, _ expected: [UInt32]) {
        #expect(EmojiFont.sequence(of: name) == expected)
    }

    @Test(arguments: ["smile.svg", "1f600.gif", "1f600", "LICENSE", "d800.svg", "fe0f.png", ".."])
    func otherFilesAreNone(_ name: String) {
        #expect(EmojiFont.sequence(of: name) == nil)
    }

    /// A folder of empty files, whose pictures are squares of one colour.
    private func context(_ names: [String]) throws -> FontContext {
        var pattern = Array("/tmp/fancytext-emoji-XXXXXX".utf8CString)
        let made = pattern.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!) }
        let folder = String(cString: try #require(made))
        defer {
            for name in names { unlink(folder + "/" + name) }
            rmdir(folder)
        }
        for name in names { fclose(try #require(fopen(folder + "/" + name, "w"))) }
        var configuration = FontOptions()
        configuration.usesSystemFonts = false
        configuration.emoji = folder
        return try FontContext(configuration: configuration) { _, side in
            let pixels = (0..<side * side).flatMap { _ in [10, 20, 30, 255] as [UInt8] }
            return GlyphMask(left: 0, top: side, width: side, height: side, isColor: true, pixels: pixels)
        }
    }

    @Test func sequencesAreOneGlyph() throws {
        let context = try context(["1f468.svg", "1f4bb.svg", "1f468-200d-1f4bb.svg", "31-20e3.png"])
        let shaped = context.shape("a👨‍💻👨1️⃣1", FontStyle("Inter", size: 20))
        #expect(shaped.runs.map { context.family($0.font) } == ["Inter", "Emoji", "Inter"])
        let emoji = shaped.glyphs[shaped.runs[1].glyphs].filter { $0.advance > 0 }
        #expect(emoji.count == 3)
        #expect(emoji.allSatisfy { abs($0.advance - 23) < 0.02 })
    }

    @Test func glyphsShowTheirPictures() throws {
        let context = try context(["1f600.svg"])
        let shaped = context.shape("😀", FontStyle("Inter", size: 20))
        let glyph = try #require(shaped.glyphs.first)
        let mask = context.glyphMask(shaped.runs[0].font, glyph.id)
        #expect((mask.width, mask.height, mask.left, mask.top) == (20, 20, 2, 18))
        #expect(mask.isColor && mask.pixels[0] == 10 && mask.pixels[3] == 255)
        #expect(context.glyphOutline(shaped.runs[0].font, glyph.id).isEmpty)
    }

    @Test func whatHasNoEmojiIsAnError() {
        var configuration = FontOptions()
        configuration.emoji = "/proc/self"
        #expect(throws: FontError.unusableEmoji("/proc/self")) {
            try FontContext(configuration: configuration) { _, _ in nil }
        }
    }
}
