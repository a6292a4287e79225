import Basics
import Glibc
import TestSupport
import Testing

@testable import Styling
@testable import Typography

/// Text that is shaped without HarfBuzz has the glyphs, the places and the marks that HarfBuzz gives.
@Suite struct SimpleShapingTests {
    let context: FontContext

    init() throws { context = try .embedded() }

    static let styles = [
        style(16, 400), style(21, 700), style(13.3, 155), style(64, 800, .italic), style(9, 333, .italic),
        style(37, 400, .italic),
        style(117.7, 650), style(29.6, 900), style(52, 600),
    ]

    private static func style(_ size: Float, _ weight: Float, _ slant: FontSlant = .normal) -> FontStyle {
        var style = FontStyle("Inter", size: size, weight: weight)
        style.slant = slant
        return style
    }

    /// What both ways give; nil where the simple one leaves the text to HarfBuzz.
    private func shape(
        _ string: String, _ style: FontStyle, letterSpacing: Float = 0
    ) -> (simple: [ShapedGlyph], full: [ShapedGlyph])? {
        let id = context.intern(style)
        let chain = context.chains[Int(id.rawValue)]
        let font = context.primaryInstance(chain)
        return Array(string.utf8).withUnsafeBufferPointer { text in
            let whole = 0..<text.count
            let span = ShapingSpan(range: whole, style: .root, font: chain.id, letterSpacing: letterSpacing)
            let item = ShapingItem(range: whole, span: span, level: 0, script: Itemizer.latin)
            var (simple, full): ([ShapedGlyph], [ShapedGlyph]) = ([], [])
            guard context.shapeSimply(item, font, chain, text, &simple) else {
                #expect(simple.isEmpty)
                return nil
            }
            context.shapeWithHarfBuzz(item, font, chain, text, whole, [], &full)
            return (simple, full)
        }
    }

    /// Versions of HarfBuzz round differently, by a 65536th of a pixel; 6.0 rounds as the simple way does.
    private static func areEqual(_ simple: [ShapedGlyph], _ full: [ShapedGlyph]) -> Bool {
        simple.count == full.count
            && zip(simple, full).allSatisfy { one, other in
                var same = other
                same.advance = one.advance
                return one == same && abs(one.advance - other.advance) <= 3.0 / 65536
            }
    }

    @Test(arguments: styles.indices) func allPairsOfLetters(_ number: Int) throws {
        let style = Self.styles[number]
        let letters = SimpleFace.scalars.compactMap(Unicode.Scalar.init)
        var count = 0
        for first in letters {
            for second in letters {
                guard let (simple, full) = shape("\(first)\(second)", style) else { continue }
                count += 1
                try #require(Self.areEqual(simple, full), "\(first)\(second)")
            }
        }
        #expect(count > letters.count * letters.count * 9 / 10)
    }

    @Test(arguments: styles.indices) func randomText(_ number: Int) throws {
        let style = Self.styles[number]
        var random = SeededGenerator(state: UInt64(number) + 1)
        let letters = SimpleFace.scalars.compactMap(Unicode.Scalar.init).map(Character.init)
        let usual = Array("etaoin shrdlu ETAOIN 0123456789 ()[]{}<>-–—=:;,.!?x*×/\\|'\"“”’ ")
        var count = 0
        for _ in 0..<3000 {
            let length = Int.random(in: 0...24, using: &random)
            let text = String(
                (0..<length).map { _ in
                    (Bool.random(using: &random) ? usual : letters).randomElement(using: &random) ?? " "
                })
            guard let (simple, full) = shape(text, style) else { continue }
            count += 1
            try #require(Self.areEqual(simple, full), "\(text)")
        }
        #expect(count > 500)
    }

    @Test func sentencesNeedNoHarfBuzz() {
        for text in [
            "Styled text, without a browser", "FreeType and HarfBuzz do the glyphs; the rest: bold, italic.",
            "Sphinx of black quartz, judge my vow!", "“Don’t” – café, naïve, Straße… 100 €", "12 of 34 boxes",
            "a-b a/b a_b @home #1",
        ] {
            #expect(shape(text, Self.styles[0]) != nil, "\(text)")
        }
    }

    @Test func whatTheFontSubstitutesIsHarfBuzzs() {
        // Arrows, a multiplication sign between numbers, punctuation beside capitals, marks, other scripts.
        for text in [
            "a -> b", "<- a", "3x4", "3 x 4", "10:30", "AB-CD", "(A)", "e\u{301}", "Ελ", "да", "a\tb", "日本", "a\u{AD}b",
        ] {
            #expect(shape(text, Self.styles[0]) == nil, "\(text)")
        }
    }

    private func tag(_ name: String) -> UInt32 { name.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

    @Test func featuresThatTheFontHasAreHarfBuzzs() {
        var style = Self.styles[0]
        style.features = [FontFeature(tag: tag("tnum"), value: 1)]
        #expect(shape("text", style) == nil)
        // It has none of these.
        style.features = [FontFeature(tag: tag("smcp"), value: 1)]
        #expect(shape("text", style).map(Self.areEqual) == true)
        #expect(shape("AVATAR", Self.styles[1], letterSpacing: 2).map(Self.areEqual) == true)
        style = Self.styles[0]
        style.kerning = false
        let plain = shape("AVATAR", style)
        #expect(plain.map(Self.areEqual) == true)
        #expect(plain?.simple != shape("AVATAR", Self.styles[0])?.simple)
    }

    @Test func languagesChangeNothingForSimpleText() {
        for language in ["ca", "ro", "mo", "nl", "tr", "de"] {
            var style = Self.styles[0]
            style.language = language
            for text in ["col·lecció L·L", "fi ffi ij IJ", "Straße şţ"] {
                guard let (simple, full) = shape(text, style) else { continue }
                #expect(Self.areEqual(simple, full), "\(language) \(text)")
            }
        }
    }

    @Test func axesAreRecordsOfTwentyBytes() {
        /// One record after the header, which says how many there are and how long they are.
        func axes(count: UInt8, size: UInt8) -> Int {
            var bytes: [UInt8] = [0, 1, 0, 0, 0, 16, 0, 2, 0, count, 0, size, 0, 0, 0, 0]
            bytes += Array("wght".utf8) + [0, 100, 0, 0, 1, 0x90, 0, 0, 3, 0x84, 0, 0, 0, 0, 0, 0]
            return bytes.withUnsafeBytes { bytes in
                bytes.baseAddress.map { FontAxis.all(in: OpenTypeTable($0, count: bytes.count)).count } ?? 0
            }
        }
        #expect(axes(count: 1, size: 20) == 1)
        // None reaches beyond the table, nor is one there many times.
        #expect(axes(count: 255, size: 20) == 1)
        #expect(axes(count: 255, size: 0) == 0)
    }

    @Test func aBrokenTableGivesNumbersAndNoFault() throws {
        var random = SeededGenerator(state: 7)
        var fonts = 0
        let path = "/usr/share/fonts/truetype/inter-vf/Inter-roman.var.ttf"
        let original = try #require(FontFile(path: path))
        var bytes = [UInt8](UnsafeRawBufferPointer(start: original.bytes, count: original.count))
        for _ in 0..<60 {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 1...4000, using: &random))
            for index in place..<end { bytes[index] = UInt8.random(in: 0...255, using: &random) }
            let file = FontFile(copying: bytes)
            guard let face = SimpleFace(file) else { continue }
            fonts += 1
            let font = SimpleFont(face, scale: 1 << 20, coordinates: [8000])
            var (slots, glyphs): ([UInt8], [ShapedGlyph]) = ([], [])
            Array("The quick AVATAR (x) 12-3 “fox”".utf8).withUnsafeBufferPointer { text in
                _ = font.shape(text, 0..<text.count, kerns: true, slots: &slots, into: &glyphs)
            }
        }
        #expect(fonts > 0)
    }
}
