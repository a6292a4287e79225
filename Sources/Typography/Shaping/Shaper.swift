// Shapes spans of styled text: it is split into items by style, level, script and font, and HarfBuzz shapes each. In: UTF-8 bytes
// of a paragraph, its spans and bidi runs. Out: ShapedRuns in logical order, with their glyphs.

import CFancyTextTextLibraries
import CFancyTextUnicode
import FancyTextBasics
import FancyTextCSS

package struct ShapingSpan: Sendable {
    /// The range in the bytes of the text.
    package var range: Range<Int>
    /// Copied to ``ShapedRun/style``.
    package var style: StyleID
    package var font: FontChainID
    /// In CSS pixels.
    package var letterSpacing, wordSpacing: Float
    package var orientation: GlyphOrientation

    package init(
        range: Range<Int>, style: StyleID, font: FontChainID, letterSpacing: Float = 0, wordSpacing: Float = 0,
        orientation: GlyphOrientation = .alongLine
    ) {
        (self.range, self.style, self.font, self.letterSpacing) = (range, style, font, letterSpacing)
        (self.wordSpacing, self.orientation) = (wordSpacing, orientation)
    }
}

/// A piece of one item, ready for HarfBuzz.
struct ShapingItem {
    var range: Range<Int>
    var span: ShapingSpan
    var level: UInt8
    var script: UInt8
    /// The whole text, to which offsets refer, and the bytes of the paragraph.
    var text: UTF8Bytes
    var paragraph: Range<Int>
    var chain: FontChain
    /// True if its characters are upright in a vertical line.
    var isUpright = false
    var isRightToLeft: Bool { level & 1 == 1 }

    func part(_ range: Range<Int>) -> ShapingItem {
        var part = self
        part.range = range
        return part
    }

    var direction: hb_direction_t {
        if isUpright { return isRightToLeft ? HB_DIRECTION_BTT : HB_DIRECTION_TTB }
        return isRightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR
    }
}

extension FontContext {
    /// Appends the runs and glyphs of a paragraph. Linear in its length.
    ///
    /// - Parameters:
    ///   - text: the whole text, to which all offsets refer; letters join and scripts are resolved within the paragraph.
    ///   - spans: ascending and without gaps over the paragraph, like `levels`, which are from ``BidiParagraph``.
    package func shape(
        _ text: UTF8Bytes, paragraph: Range<Int>, spans: [ShapingSpan], levels: [BidiRun], into result: inout ShapedText
    ) {
        let paragraph = paragraph.clamped(to: 0..<text.count)
        guard !paragraph.isEmpty else { return }
        let isPlain = text[paragraph].allSatisfy { $0 < 0x80 }
        if !isPlain { itemizer.findScripts(text, paragraph) }
        var (script, bidi) = (0, 0)
        for span in spans {
            let end = min(span.range.upperBound, paragraph.upperBound)
            var index = max(span.range.lowerBound, paragraph.lowerBound)
            if span.orientation == .combined, index < end {
                combine(span, text, paragraph, into: &result)
                continue
            }
            while index < end {
                while bidi < levels.count - 1, levels[bidi].range.upperBound <= index { bidi += 1 }
                var stop = end
                var level: UInt8 = 0
                if bidi < levels.count {
                    level = levels[bidi].level
                    if levels[bidi].range.upperBound > index { stop = min(stop, levels[bidi].range.upperBound) }
                }
                var itemScript = Itemizer.latin
                if !isPlain {
                    while script < itemizer.runs.count - 1, itemizer.runs[script].end <= index { script += 1 }
                    itemScript = itemizer.runs[script].script
                    stop = min(stop, max(index + 1, itemizer.runs[script].end))
                }
                var item = ShapingItem(
                    range: index..<stop, span: span, level: level, script: itemScript, text: text,
                    paragraph: paragraph, chain: self[span.font])
                if span.orientation != .alongLine { stop = cutByOrientation(&item) }
                splitByFont(item, &result)
                index = stop
            }
        }
    }

    /// Ends an item where the orientation of its characters in a vertical line changes; returns its end.
    private func cutByOrientation(_ item: inout ShapingItem) -> Int {
        guard item.span.orientation == .mixed else {
            item.isUpright = true
            return item.range.upperBound
        }
        var index = item.range.lowerBound
        while index < item.range.upperBound {
            let value = scalar(in: item.text, at: index, end: item.range.upperBound).value
            let isQuote = value == 0x2018 || value == 0x2019 || value == 0x201C || value == 0x201D
            // As in Chromium, quotation marks are upright, although they are rotated in UAX #50 of Unicode 15.
            let isUpright = isQuote || unicodeRecord(value).isUpright != 0
            if index == item.range.lowerBound { item.isUpright = isUpright }
            if isUpright != item.isUpright { break }
            index = GraphemeBreaker.next(item.text, index, end: item.range.upperBound)
        }
        item.range = item.range.lowerBound..<index
        return index
    }

    /// Appends a part of a run, shaped again for the edge of a line. It neither ligates nor kerns with characters beyond the edge;
    /// letters of cursive scripts keep their joining forms (CSS Text 3 §5.6). In `line` punctuation finds its neighbours.
    package func reshape(
        _ run: ShapedRun, range: Range<Int>, text: UTF8Bytes, paragraph: Range<Int>, line: Range<Int>,
        into result: inout ShapedText
    ) {
        let span = ShapingSpan(
            range: range, style: run.style, font: run.chain, letterSpacing: run.letterSpacing,
            wordSpacing: run.wordSpacing)
        let item = ShapingItem(
            range: range, span: span, level: run.level, script: run.script, text: text,
            paragraph: paragraph.clamped(to: 0..<text.count), chain: self[run.chain], isUpright: run.isUpright)
        emit(item, self[run.font], line: line.clamped(to: 0..<text.count), &result)
    }

    /// The height of a short text whose characters are upright in a vertical line, in CSS pixels.
    package func height(of string: String, chain: FontChainID) -> Float {
        shape(string, style: StyleID(rawValue: 0), chain: chain, .upright).glyphs.reduce(0) { $0 + $1.advance }
    }

    package func shape(
        _ string: String, style: StyleID, chain: FontChainID, _ orientation: GlyphOrientation = .alongLine
    ) -> ShapedText {
        var shaped = ShapedText()
        var copy = string
        copy.withUTF8 { text in
            let span = ShapingSpan(range: 0..<text.count, style: style, font: chain, orientation: orientation)
            shape(
                text, paragraph: 0..<text.count, spans: [span], levels: [BidiRun(range: 0..<text.count, level: 0)],
                into: &shaped)
        }
        return shaped
    }

    private func splitByFont(_ item: ShapingItem, _ result: inout ShapedText) {
        let (text, chain) = (item.text, item.chain)
        var (start, index) = (item.range.lowerBound, item.range.lowerBound)
        var current: FontInstance?
        while index < item.range.upperBound {
            let cluster = index..<GraphemeBreaker.next(text, index, end: item.range.upperBound)
            index = cluster.upperBound
            let (value, length) = scalar(in: text, at: cluster.lowerBound, end: cluster.upperBound)
            // Characters without a glyph use the font of the preceding text.
            if length == cluster.count, isInvisible(value) { continue }
            let wanted = presentation(of: text, cluster, prefersEmoji: chain.style.prefersEmoji)
            let font = font(forCluster: text, cluster, chain: chain, presentation: wanted)
            if font === current { continue }
            if let current {
                emitWithCaps(item.part(start..<cluster.lowerBound), current, &result)
                start = cluster.lowerBound
            }
            current = font
        }
        emitWithCaps(item.part(start..<item.range.upperBound), current ?? primaryInstance(chain), &result)
    }

    // MARK: Shaping

    func emit(
        _ item: ShapingItem, _ font: FontInstance, line: Range<Int>? = nil, extraFeatures: [hb_feature_t] = [],
        _ result: inout ShapedText
    ) {
        let (first, paragraph) = (result.glyphs.count, item.paragraph)
        if extraFeatures.isEmpty, item.range.count <= 4096, !joinsNeighbours(item) {
            let start = UInt32(truncatingIfNeeded: item.range.lowerBound)
            let key = ShapeKey(
                chain: item.chain.id, font: font.id,
                flags: UInt32(item.script) | (item.isRightToLeft ? 0x100 : 0)
                    | (item.span.letterSpacing != 0 ? 0x200 : 0)
                    | (item.range.lowerBound == paragraph.lowerBound ? 0x400 : 0)
                    | (item.range.upperBound == paragraph.upperBound ? 0x800 : 0) | (item.isUpright ? 0x1000 : 0),
                text: Array(item.text[item.range]))
            if let known = shapeCache.find(key) {
                for glyph in known { result.glyphs.append(glyph.moved(by: start)) }
            } else {
                shapeItem(item, font, extraFeatures, &result.glyphs)
                let shaped = result.glyphs[first...].map { $0.moved(by: 0 &- start) }
                let cost = key.text.count + shaped.count * MemoryLayout<ShapedGlyph>.stride + 128
                shapeCache.insert(shaped, key, cost: cost)
            }
        } else {
            shapeItem(item, font, extraFeatures, &result.glyphs)
        }
        trimPunctuation(item, font, context: line ?? paragraph, &result.glyphs, from: first)
        spaceScripts(item, font, context: line ?? paragraph, &result.glyphs, from: first)
        addSpacing(item, &result.glyphs, from: first)
        appendRun(item, font, glyphs: first..<result.glyphs.count, &result)
    }

    func appendRun(_ item: ShapingItem, _ font: FontInstance, glyphs: Range<Int>, _ result: inout ShapedText) {
        let span = item.span
        result.runs.append(
            ShapedRun(
                font: font.id, style: span.style, text: item.range, glyphs: glyphs, level: item.level,
                script: item.script, isUpright: item.isUpright, chain: span.font, letterSpacing: span.letterSpacing,
                wordSpacing: span.wordSpacing))
    }

    private func shapeItem(
        _ item: ShapingItem, _ font: FontInstance, _ extraFeatures: [hb_feature_t], _ glyphs: inout [ShapedGlyph]
    ) {
        let first = glyphs.count
        if let pictures = font.face.pictures {
            place(pictures, item, font, &glyphs)
        } else {
            shapeWithHarfBuzz(item, font, extraFeatures, &glyphs)
        }
        hideInvisible(item, &glyphs, from: first)
    }

    /// Appends the pictures of an item's clusters, each sequence of code points as one glyph.
    private func place(_ pictures: EmojiFont, _ item: ShapingItem, _ font: FontInstance, _ glyphs: inout [ShapedGlyph])
    {
        let first = glyphs.count
        let metrics = font.metrics
        var index = item.range.lowerBound
        while index < item.range.upperBound {
            let end = GraphemeBreaker.next(item.text, index, end: item.range.upperBound)
            let cluster = String(decoding: item.text[index..<end], as: UTF8.self).unicodeScalars.map(\.value)
            var rest = cluster.filter { $0 != EmojiFont.variationSelector }[...]
            while let scalar = rest.first {
                let (glyph, length) = pictures.glyph(of: rest) ?? (font.face.glyph(for: scalar), 1)
                rest = rest.dropFirst(length)
                if glyph == 0, isInvisible(scalar) { continue }
                let width = font.advance(glyph)
                var placed = ShapedGlyph(id: glyph, cluster: UInt32(truncatingIfNeeded: index), advance: width)
                if item.isUpright, width > 0 {
                    placed.advance = metrics.ascent + metrics.descent
                    (placed.xOffset, placed.yOffset) = (metrics.ascent, -width / 2)
                }
                glyphs.append(placed)
            }
            index = end
        }
        if item.isRightToLeft { glyphs[first...].reverse() }
    }

    private func shapeWithHarfBuzz(
        _ item: ShapingItem, _ font: FontInstance, _ extraFeatures: [hb_feature_t], _ glyphs: inout [ShapedGlyph]
    ) {
        // HarfBuzz uses five characters of context; clusters are offsets from its start.
        let contextStart = max(item.paragraph.lowerBound, item.range.lowerBound - 32)
        let contextEnd = min(item.paragraph.upperBound, item.range.upperBound + 32)
        guard let base = item.text.baseAddress, contextEnd - contextStart <= Int(Int32.max) else { return }
        harfbuzz.bufferClear(buffer)
        (base + contextStart).withMemoryRebound(to: CChar.self, capacity: contextEnd - contextStart) {
            harfbuzz.bufferAddUTF8(
                buffer, $0, Int32(contextEnd - contextStart), UInt32(item.range.lowerBound - contextStart),
                Int32(item.range.count))
        }
        shapeBuffer(item, font, extraFeatures)
        copyGlyphs(font, clusterBase: contextStart, isUpright: item.isUpright, &glyphs)
    }

    func shapeBuffer(_ item: ShapingItem, _ font: FontInstance, _ extraFeatures: [hb_feature_t] = []) {
        harfbuzz.bufferSetDirection(buffer, item.direction)
        harfbuzz.bufferSetScript(buffer, harfbuzz.scriptFromTag(unicode_script_tag(item.script)))
        harfbuzz.bufferSetLanguage(buffer, item.chain.language)
        var flags = HB_BUFFER_FLAG_DEFAULT.rawValue
        if item.range.lowerBound == item.paragraph.lowerBound { flags |= HB_BUFFER_FLAG_BOT.rawValue }
        if item.range.upperBound == item.paragraph.upperBound { flags |= HB_BUFFER_FLAG_EOT.rawValue }
        harfbuzz.bufferSetFlags(buffer, hb_buffer_flags_t(rawValue: flags))
        let own = item.span.letterSpacing != 0 ? item.chain.featuresWithoutLigatures : item.chain.features
        let features = font.face.adjustment.features.map(FontChain.feature) + own + extraFeatures
        harfbuzz.shape(font.shaper, buffer, features, UInt32(features.count))
    }

    /// Appends the shaped buffer's glyphs, in CSS pixels. If it was shaped downwards, the line's upper side is on the right.
    func copyGlyphs(_ font: FontInstance, clusterBase: Int, isUpright: Bool = false, _ glyphs: inout [ShapedGlyph]) {
        var count: UInt32 = 0
        guard let infos = harfbuzz.bufferInfos(buffer, &count), let positions = harfbuzz.bufferPositions(buffer, nil)
        else { return }
        let unit: Float = 1 / 65536
        let hasPictures = !font.face.isScalable
        let hangsAtAscent = isUpright && !font.hasVerticalMetrics
        for position in 0..<Int(count) {
            let (info, place) = (infos[position], positions[position])
            var advance = Float(isUpright ? -place.y_advance : place.x_advance) * unit
            if hasPictures, advance != 0, let picture = font.pictureAdvance(info.codepoint) { advance = picture }
            let x = hangsAtAscent ? font.metrics.ascent : Float(isUpright ? -place.y_offset : place.x_offset) * unit
            glyphs.append(
                ShapedGlyph(
                    id: info.codepoint, cluster: info.cluster &+ UInt32(truncatingIfNeeded: clusterBase),
                    advance: advance, xOffset: x, yOffset: Float(isUpright ? place.x_offset : place.y_offset) * unit,
                    isUnsafeToBreak: info.mask & HB_GLYPH_FLAG_UNSAFE_TO_BREAK.rawValue != 0))
        }
    }

    /// Removes the glyphs of tabs, ends of lines and pages, and U+FFFC, and records characters that no font has. Other controls
    /// are visible (CSS Text 3 §4.1).
    func hideInvisible(_ item: ShapingItem, _ glyphs: inout [ShapedGlyph], from first: Int) {
        for position in first..<glyphs.count {
            let cluster = Int(glyphs[position].cluster)
            guard cluster < item.range.upperBound else { continue }
            let byte = item.text[cluster]
            if byte > 0x0D, byte != 0xEF, glyphs[position].id != 0 { continue }
            let value = scalar(in: item.text, at: cluster, end: item.range.upperBound).value
            if [0x09, 0x0A, 0x0C, 0x0D, 0xFFFC].contains(value) {
                glyphs[position].id = ShapedGlyph.invisible
                (glyphs[position].advance, glyphs[position].xOffset) = (0, 0)
            } else if glyphs[position].id == 0, !isInvisible(value) {
                missingScalars.insert(value)
            }
        }
    }

    /// Adds letter-spacing to the right of each cluster, as in Chromium, and word-spacing at word separators (CSS Text 3 §8).
    func addSpacing(_ item: ShapingItem, _ glyphs: inout [ShapedGlyph], from first: Int) {
        if item.span.letterSpacing == 0, item.span.wordSpacing == 0 { return }
        for position in first..<glyphs.count {
            let cluster = glyphs[position].cluster
            if position + 1 < glyphs.count, glyphs[position + 1].cluster == cluster { continue }
            let value = scalar(in: item.text, at: Int(cluster), end: item.range.upperBound).value
            if value != 0x09, isInvisible(value) { continue }
            // Joined letters get no spacing.
            let joins = isCursive(item.script) && isCursive(unicodeRecord(value).script)
            var space = joins ? 0 : item.span.letterSpacing
            if value == 0x20 || value == 0xA0 { space += item.span.wordSpacing }
            glyphs[position].advance += space
        }
    }

    /// Returns whether letters beyond the item's edges change its shapes, as in cursive scripts within a word.
    private func joinsNeighbours(_ item: ShapingItem) -> Bool {
        guard isCursive(item.script) else { return false }
        return [item.range.lowerBound, item.range.upperBound].contains { edge in
            edge > item.paragraph.lowerBound && edge < item.paragraph.upperBound && item.text[edge - 1] > 0x20
                && item.text[edge] > 0x20
        }
    }
}

private let cursiveScripts: Set<Int> = [
    ScriptArab, ScriptSyrc, ScriptMong, ScriptNkoo, ScriptPhag, ScriptMand, ScriptMani, ScriptPhlp, ScriptAdlm,
    ScriptRohg, ScriptSogd, ScriptChrs, ScriptOugr,
]

/// Returns whether a script's letters join, so that letter-spacing would separate them (CSS Text 3 §8.2.1).
func isCursive(_ script: UInt8) -> Bool {
    script == Itemizer.latin || script == Itemizer.common ? false : cursiveScripts.contains(Int(script))
}

/// The orientation of characters relative to their line (CSS Writing Modes 4 §5.1, §9.1).
package enum GlyphOrientation: UInt8, Hashable, Sendable {
    /// As in horizontal lines.
    case alongLine
    /// Characters are upright if they are so in vertical text: Vertical_Orientation (UAX #50) is U, Tu or Tr.
    case mixed
    case upright
    /// Beside each other in the space of one character.
    case combined
}
