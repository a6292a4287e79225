// Text added by layout: markers, hyphens, ellipses, alternative texts; and the sizes of markers that are shapes.

import FancyTextCSS
import FancyTextMarkup
import FancyTextTypography

/// Shaped text of layout itself; its glyphs are in the tree.
struct GeneratedText {
    struct Run {
        var font: FontID
        var glyphs: Range<Int>
        var advance: Float
        var level: UInt8
        var isUpright: Bool
    }
    var runs: [Run] = []
    var width: Float = 0

    /// The fragments of the glyphs on a line, from `x` on.
    func fragments(from x: Float, baseline: LayoutUnit, style: StyleID, _ info: InlineStyle, element: NodeID)
        -> [InlineFragment]
    {
        var at = x
        return runs.map { run in
            defer { at += run.advance }
            return InlineFragment(
                kind: .generated, level: run.level, style: style, element: element,
                rect: LayoutRect(
                    x: .floor(at), y: baseline - info.text.ascent, width: .ceil(run.advance), height: info.text.height),
                baseline: run.isUpright ? baseline : baseline + info.drop, text: 0..<0, font: run.font,
                glyphs: run.glyphs, origin: at, isUpright: run.isUpright)
        }
    }
}

extension InlineContents {
    /// Shapes text that is not part of the document: markers, hyphens, ellipses, alternative texts.
    mutating func shapeGenerated(_ bytes: [UInt8], style: StyleID, level: UInt8) -> GeneratedText {
        var result = GeneratedText()
        guard !bytes.isEmpty else { return result }
        let info = inlineStyle(style)
        let span = ShapingSpan(0..<bytes.count, style, info, info.orientation)
        let firstRun = shaped.runs.count
        bytes.withUnsafeBufferPointer { buffer in
            let (all, isRightToLeft) = (0..<bytes.count, level & 1 == 1)
            let isMixed = isRightToLeft || BidiParagraph.hasRightToLeft(buffer, all)
            let runs = isMixed ? BidiParagraph.resolve(buffer, all, base: isRightToLeft ? .rtl : .ltr).runs : []
            let levels = runs.isEmpty ? [BidiRun(range: all, level: level)] : runs
            metric.shape(buffer, paragraph: all, spans: [span], levels: levels, into: &shaped)
        }
        for run in shaped.runs[firstRun...] {
            let advance = shaped.glyphs.advance(of: run.glyphs)
            result.runs.append(
                GeneratedText.Run(
                    font: run.font, glyphs: run.glyphs, advance: advance, level: run.level, isUpright: run.isUpright))
            result.width += advance
        }
        shaped.runs.removeSubrange(firstRun...)
        if level & 1 == 1 { result.runs.reverse() }
        return result
    }

    /// The characters of the symbols in text.
    private static let symbols = [
        "disc": "\u{2022}", "circle": "\u{25E6}", "square": "\u{25AA}",
    ]

    /// Makes a symbol inside its item as wide as in browsers. A bullet has its shape, a pixel beside it, and one em of space; a
    /// disclosure triangle has 0.66 em and 0.4 em of space.
    mutating func widenInsideMarker(_ content: InlineContent) {
        let style = text.styles[content.style].text
        guard style.listStyleInside, case .named(let name) = style.listStyleType,
            let bullet = Self.symbols[name] ?? style.triangle(ofStyle: name),
            let item = content.items.first(where: { flat[$0].kind == .text }), flat[item].parent >= 0,
            text.styles[flat[Int(flat[item].parent)].style].box.unicodeBidi == .isolate, !flat[item].runs.isEmpty
        else { return }
        let bytes = inlineText[content.textStart + Int(flat[item].start)..<content.textStart + Int(flat[item].end)]
        guard bytes.elementsEqual(Array(bullet.utf8) + [0x20]) else { return }
        let info = inlineStyle(flat[item].style)
        let width =
            name.hasPrefix("disclosure")
            ? (LayoutUnit(info.fontSize.float * 0.66) + LayoutUnit(info.fontSize.float * 0.4)).float
            : Float(MarkerShapeMetrics(ascent: (info.text.ascent + info.drop).rounded).size + 1) + info.fontSize.float
        var advance: Float = 0
        var last: Int?
        for run in flat[item].runs {
            for glyph in shaped.runs[Int(run)].glyphs {
                advance += shaped.glyphs[glyph].advance
                last = glyph
            }
        }
        if let last { shaped.glyphs[last].advance += width - advance }
    }
}

extension LayoutTree {
    /// Appends a line of text that is not in the document's text to the lines of a box: a marker, an alternative text.
    mutating func appendGeneratedLine(
        _ shaped: GeneratedText, style: StyleID, _ info: InlineStyle, container: Int, x: LayoutUnit,
        baseline: LayoutUnit
    ) {
        let first = inlines.count
        inlines += shaped.fragments(
            from: x.float, baseline: baseline, style: style, info, element: boxes[container].element)
        lines.append(
            LineFragment(
                container: container, text: 0..<0,
                rect: LayoutRect(
                    x: x, y: baseline - info.box.ascent, width: .ceil(shaped.width), height: info.box.height),
                baseline: baseline, fragments: first..<inlines.count, endsParagraph: true))
        let own = boxes[container].lines
        boxes[container].lines = (own.isEmpty ? lines.count - 1 : own.lowerBound)..<lines.count
    }
}

/// The metrics of marker shapes in whole pixels, from the font's rounded ascent.
struct MarkerShapeMetrics {
    /// The distance of the left edge from the item's content edge.
    var offset: Int
    /// The distance of the top below the top of the font's ascent, and the side.
    var top, size: Int

    init(ascent: Int) {
        let twoThirds = ascent * 2 / 3
        offset = twoThirds + 8
        top = 3 * (ascent - twoThirds) / 2
        size = (twoThirds + 1) / 2
    }
}
