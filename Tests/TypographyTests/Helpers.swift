@testable import FancyTextCSS
@testable import FancyTextTypography

extension FontContext {
    /// Only the embedded fonts.
    static func embedded() throws -> FontContext {
        var configuration = FontOptions()
        configuration.usesSystemFonts = false
        return try FontContext(configuration: configuration)
    }

    /// Shapes a text of one style as one paragraph.
    func shape(
        _ string: String, _ style: FontStyle, base: BidiBase = .ltr, letterSpacing: Float = 0, wordSpacing: Float = 0
    ) -> ShapedText {
        let bytes = Array(string.utf8)
        let chain = intern(style)
        var result = ShapedText()
        bytes.withUnsafeBufferPointer { text in
            let whole = 0..<text.count
            let levels = BidiParagraph.resolve(text, whole, base: base).runs
            let span = ShapingSpan(
                range: whole, style: .root, font: chain, letterSpacing: letterSpacing, wordSpacing: wordSpacing)
            shape(text, paragraph: whole, spans: [span], levels: levels, into: &result)
        }
        return result
    }

    func width(_ string: String, _ style: FontStyle) -> Float {
        shape(string, style).glyphs.reduce(0) { $0 + $1.advance }
    }
}

extension FontStyle {
    init(_ family: String, size: Float = 16, weight: Float = 400) {
        self.init()
        families = [.named(family)]
        self.size = size
        self.weight = weight
    }
}

extension ShapedText {
    /// One line for each run: font family, bytes, level, then its glyphs as `id@cluster+advance`.
    func dump(_ context: FontContext) -> String {
        runs.map { run in
            let list = glyphs[run.glyphs].map { glyph in
                let advance = Int((glyph.advance * 100).rounded())
                return "\(glyph.id == ShapedGlyph.invisible ? "-" : String(glyph.id))@\(glyph.cluster)+\(advance)"
            }
            return
                "\(context.family(run.font)) \(run.text.lowerBound)..<\(run.text.upperBound) level \(run.level): \(list.joined(separator: " "))"
        }.joined(separator: "\n")
    }
}
