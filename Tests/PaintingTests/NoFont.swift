import FancyTextBasics
@testable import FancyTextPainting
@testable import FancyTextTypography

/// A font without pictures of glyphs, whose outlines are all a bar of 4 × 2.
struct NoFont: GlyphSource {
    func picture(_ key: GlyphKey) -> GlyphMask? { nil }
    func size(of font: FontID) -> Float { 16 }
    func glyphOutline(_ font: FontID, _ glyph: UInt32, hintedAt scale: Float?) -> Path {
        Path(RoundedRect(rect: Rect(x: 0, y: -2, width: 4, height: 2)))
    }
}
