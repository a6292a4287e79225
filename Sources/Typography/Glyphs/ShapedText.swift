// The result of shaping: glyphs with advances, in runs of one font, style and direction.

import FancyTextStyling

/// The bytes of a text.
package typealias UTF8Bytes = UnsafeBufferPointer<UInt8>

/// A shaped glyph, in visual order within its run.
package struct ShapedGlyph: Hashable, Sendable, BitwiseCopyable {
    /// Marks glyphs that are not drawn: control characters, line feeds and tabs (which layout widens), and U+FFFC.
    package static let invisible: UInt32 = .max

    package var id: UInt32
    /// The first byte of its cluster in the text.
    package var cluster: UInt32
    package var advance: Float
    package var xOffset: Float = 0, yOffset: Float = 0
    /// True if a line break before this glyph's cluster would change the glyphs, so that they must be reshaped (HarfBuzz's flag).
    package var isUnsafeToBreak = false

    /// The glyph of the same cluster in a text where its bytes begin `distance` later.
    func moved(by distance: UInt32) -> ShapedGlyph {
        var moved = self
        moved.cluster &+= distance
        return moved
    }
}

extension [ShapedGlyph] {
    package func advance(of glyphs: Range<Int>) -> Float { glyphs.reduce(0) { $0 + self[$1].advance } }

    /// The glyphs of each cluster.
    package func clusters(of glyphs: Range<Int>) -> [Range<Int>] {
        glyphs.runs { self[$0].cluster == self[$1].cluster }
    }

    /// The byte at which the first cluster of glyphs in either direction begins.
    package func firstCluster(of glyphs: Range<Int>) -> Int? { self[glyphs].map { Int($0.cluster) }.min() }
}

/// The glyphs of one font, one style, one script and one bidi level.
package struct ShapedRun: Sendable {
    package var font: FontID
    package var style: StyleID
    /// Ranges in the bytes of the text and in the glyphs, which are in visual order.
    package var text: Range<Int>
    package var glyphs: Range<Int>
    package var level: UInt8
    /// Input of ``FontContext/reshape(_:range:text:paragraph:into:)``; the spacing is already part of the advances (CSS pixels).
    package var script: UInt8 = 0
    /// True if its characters are upright in a vertical line.
    package var isUpright = false
    /// The factor of the glyphs' widths; less than 1 for narrowed ones.
    package var stretch: Float = 1
    package var chain = FontChainID(rawValue: 0)
    package var letterSpacing: Float = 0, wordSpacing: Float = 0
}

/// Runs in logical order.
package struct ShapedText: Sendable {
    package var runs: [ShapedRun] = []
    package var glyphs: [ShapedGlyph] = []
    package init() {}
}
