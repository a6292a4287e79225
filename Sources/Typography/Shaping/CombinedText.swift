// `text-combine-upright` (CSS Writing Modes 4 §9.1): characters beside each other in the space of one, in a vertical line. In: a
// span. Out: upright runs in one cluster, an em high, narrowed to the width of an em.

import CFancyTextTextLibraries

extension FontContext {
    /// Shapes a span along a horizontal line, and arranges its glyphs in the middle of the vertical one.
    func combine(_ span: ShapingSpan, _ text: UTF8Bytes, _ paragraph: Range<Int>, into result: inout ShapedText) {
        var plain = span
        (plain.orientation, plain.letterSpacing, plain.wordSpacing) = (.alongLine, 0, 0)
        var shaped = ShapedText()
        shape(text, paragraph: paragraph, spans: [plain], levels: [BidiRun(range: span.range, level: 0)], into: &shaped)
        let chain = self[span.font]
        let em = chain.style.size
        func width(_ shaped: ShapedText) -> Float { shaped.glyphs.reduce(0) { $0 + $1.advance } }
        // Browsers accept a tenth more than an em, then try the font's narrow forms, then compress.
        if width(shaped) > em * 1.1, let narrow = narrowForms(shaped, chain, text, paragraph), width(narrow) <= em * 1.1
        {
            shaped = narrow
        }
        let whole = width(shaped)
        let scale = whole > em * 1.1 ? em / whole : 1
        let metrics = primaryInstance(chain).metrics
        let baseline = (em + metrics.roundedAscent - metrics.roundedDescent) / 2
        var x = -whole * scale / 2
        let first = result.glyphs.count
        for var run in shaped.runs {
            let start = result.glyphs.count
            for glyph in shaped.glyphs[run.glyphs] {
                result.glyphs.append(
                    ShapedGlyph(
                        id: glyph.id, cluster: UInt32(truncatingIfNeeded: span.range.lowerBound), advance: 0,
                        xOffset: baseline - glyph.yOffset, yOffset: x + glyph.xOffset * scale))
                x += glyph.advance * scale
            }
            run.glyphs = start..<result.glyphs.count
            (run.isUpright, run.stretch) = (true, scale)
            (run.letterSpacing, run.wordSpacing) = (0, 0)
            result.runs.append(run)
        }
        if result.glyphs.count > first { result.glyphs[result.glyphs.count - 1].advance = em + span.letterSpacing }
    }

    /// The text by the font's forms of a half, a third or a quarter of an em; nil for another number of characters.
    private func narrowForms(
        _ shaped: ShapedText, _ chain: FontChain, _ text: UTF8Bytes, _ paragraph: Range<Int>
    ) -> ShapedText? {
        let features: [Int: StaticString] = [2: "hwid", 3: "twid", 4: "qwid"]
        guard let feature = features[shaped.glyphs.count] else { return nil }
        var result = ShapedText()
        for run in shaped.runs {
            let span = ShapingSpan(range: run.text, style: run.style, font: run.chain)
            let item = ShapingItem(
                range: run.text, span: span, level: 0, script: run.script, text: text, paragraph: paragraph,
                chain: chain)
            emit(item, self[run.font], extraFeatures: [FontChain.feature(feature, 1)], &result)
        }
        return result
    }
}
