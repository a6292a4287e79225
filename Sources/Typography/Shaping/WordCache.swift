// Shapes text word by word: long texts repeat their words, not their lines.
//
// A run is split after each space. A word with the space after it has the same glyphs in every context, if the font has no rule
// for its glyphs that looks across a space. Kerning between a space and the next word's first letter is stored with that word.
// Words with glyphs that such a rule could change (in Inter: brackets next to words in capitals, the x between numbers) are
// stored together with the words before and after them. So the result equals shaping the whole run.

import FancyTextBasics
import CFancyTextTextLibraries
import CFancyTextUnicode

extension FontContext {
    /// The number of uncached bytes from which words are used. For less text, analysing the font costs more than shaping whole
    /// runs.
    private static let wordThreshold = 4096
    /// Longer words are shaped with their run.
    private static let longestWord = 256
    private static let wordFlag: UInt32 = 0x1000
    private static let contextLength = 16

    /// Appends the item's glyphs, shaped word by word. Returns false if the item must be shaped as a whole.
    func shapeByWords(
        _ item: ShapingItem, _ font: FontInstance, _ chain: FontChain, _ runKey: ShapeCache.Key,
        _ text: UnsafeBufferPointer<UInt8>,
        _ paragraph: Range<Int>, _ glyphs: inout [ShapedGlyph]
    ) -> Bool {
        guard chain.shapedBytes >= Self.wordThreshold, shapeCache.holdsWords, !item.isRightToLeft,
            Self.hasWords(item.script), item.range.count >= 16,
            let base = text.baseAddress
        else { return false }
        let sensitive = sensitiveGlyphs(font.face, chain)
        guard !sensitive.isOpaque else { return false }
        let first = glyphs.count
        glyphs.reserveCapacity(first + item.range.count)
        var key = runKey
        key.flags |= Self.wordFlag
        let whole = UnsafeRawPointer(base)
        var start = item.range.lowerBound
        while start < item.range.upperBound {
            let end = Self.wordEnd(base, start, item.range.upperBound)
            if end - start > Self.longestWord {
                glyphs.removeSubrange(first...)
                return false
            }
            let bytes = UnsafeRawBufferPointer(start: whole + start, count: end - start)
            let hash = ShapeCache.hash(key, bytes)
            var entry = shapeCache.find(key, hash, bytes)
            if entry == nil {
                shapeWord(start..<end, item, font, chain, key, hash, sensitive, text)
                entry = shapeCache.find(key, hash, bytes)
            }
            guard let entry else {
                glyphs.removeSubrange(first...)
                return false
            }
            if entry.isSensitive {
                let context = Self.context(base, start..<end, item.range)
                if context.count - (end - start) > 4 * Self.longestWord {
                    glyphs.removeSubrange(first...)
                    return false
                }
                appendSensitiveWord(start..<end, context, item, font, chain, key, text, &glyphs)
            } else {
                if entry.lead != 0, start > item.range.lowerBound { glyphs[glyphs.count - 1].advance += entry.lead }
                shapeCache.copy(entry, base: start, into: &glyphs)
            }
            start = end
        }
        return true
    }

    /// Returns whether a script separates words by spaces, without letter forms that depend on the next word.
    private static func hasWords(_ script: UInt8) -> Bool {
        switch Int(script) {
        case ScriptLatn, ScriptZyyy, ScriptGrek, ScriptCyrl, ScriptArmn, ScriptGeor: true
        default: false
        }
    }

    /// One past the first space at or after `start`.
    @inline(__always)
    private static func wordEnd(_ base: UnsafePointer<UInt8>, _ start: Int, _ limit: Int) -> Int {
        var end = start
        while end < limit {
            let byte = base[end]
            end += 1
            if byte == 0x20 { break }
        }
        return end
    }

    /// The surrounding words that rules may look at: on each side at least as many bytes as the longest context.
    private static func context(_ base: UnsafePointer<UInt8>, _ word: Range<Int>, _ limits: Range<Int>) -> Range<Int> {
        var start = word.lowerBound
        while start > limits.lowerBound, word.lowerBound - start < contextLength || base[start - 1] != 0x20 {
            start -= 1
        }
        var end = word.upperBound
        while end < limits.upperBound, end - word.upperBound < contextLength || base[end - 1] != 0x20 { end += 1 }
        return start..<end
    }

    /// Shapes a word after a space and caches it, or records that it depends on its neighbours.
    private func shapeWord(
        _ word: Range<Int>, _ item: ShapingItem, _ font: FontInstance, _ chain: FontChain, _ key: ShapeCache.Key,
        _ hash: UInt64,
        _ sensitive: SensitiveGlyphs, _ text: UnsafeBufferPointer<UInt8>
    ) {
        let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: text[word]))
        var isSensitive = false
        if !sensitive.glyphs.isEmpty {
            var index = word.lowerBound
            while index < word.upperBound, !isSensitive {
                let (value, length) = scalar(in: text, at: index, end: word.upperBound)
                let glyph = value < 0x80 ? font.asciiGlyphs[Int(value)] : font.face.glyph(for: value)
                isSensitive = sensitive.glyphs.contains(glyph)
                index += length
            }
        }
        var shaped: [ShapedGlyph] = []
        var lead: Float = 0
        if !isSensitive {
            // Shapes the word alone and after a space; the difference is the effect of the space.
            shapeAlone(word, item, font, chain, text, into: &shaped)
            var copy = [UInt8](repeating: 0x20, count: 1)
            copy.append(contentsOf: bytes)
            var spaced: [ShapedGlyph] = []
            copy.withUnsafeBufferPointer { shapeAlone(0..<$0.count, item, font, chain, $0, into: &spaced) }
            if spaced.count == shaped.count + 1, let space = spaced.first {
                lead = space.advance - font.metrics.spaceAdvance
                for position in shaped.indices {
                    let a = shaped[position]
                    let b = spaced[position + 1]
                    if a.id != b.id || a.advance != b.advance || a.xOffset != b.xOffset || a.yOffset != b.yOffset {
                        isSensitive = true
                    }
                }
                if space.xOffset != 0 || space.yOffset != 0 { isSensitive = true }
                if lead != 0, !shaped.isEmpty { shaped[0].isUnsafeToBreak = true }
            } else {
                isSensitive = true
            }
        }
        if isSensitive {
            shapeCache.insert(key, hash, bytes, [], base: 0, isSensitive: true)
        } else {
            shapeCache.insert(key, hash, bytes, shaped[...], base: word.lowerBound, lead: lead)
        }
    }

    private func shapeAlone(
        _ range: Range<Int>, _ item: ShapingItem, _ font: FontInstance, _ chain: FontChain,
        _ text: UnsafeBufferPointer<UInt8>,
        into glyphs: inout [ShapedGlyph]
    ) {
        var part = item
        part.range = range
        shapeItem(part, font, chain, text, range, [], &glyphs)
    }

    /// Appends a word shaped together with its neighbours.
    private func appendSensitiveWord(
        _ word: Range<Int>, _ context: Range<Int>, _ item: ShapingItem, _ font: FontInstance, _ chain: FontChain,
        _ wordKey: ShapeCache.Key, _ text: UnsafeBufferPointer<UInt8>, _ glyphs: inout [ShapedGlyph]
    ) {
        var key = wordKey
        key.context =
            UInt32(word.lowerBound - context.lowerBound) << 16 | UInt32(context.upperBound - word.upperBound)
            | 0x8000_0000
        let hasPrevious = context.lowerBound < word.lowerBound
        let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: text[context]))
        let hash = ShapeCache.hash(key, bytes)
        var entry = shapeCache.find(key, hash, bytes)
        if entry == nil {
            var shaped: [ShapedGlyph] = []
            shapeAlone(context, item, font, chain, text, into: &shaped)
            let own = shaped.filter { Int($0.cluster) >= word.lowerBound && Int($0.cluster) < word.upperBound }
            var lead: Float = 0
            if hasPrevious, let space = shaped.last(where: { Int($0.cluster) < word.lowerBound }) {
                lead = space.advance - font.metrics.spaceAdvance
            }
            shapeCache.insert(key, hash, bytes, own[...], base: word.lowerBound, lead: lead)
            entry = shapeCache.find(key, hash, bytes)
        }
        guard let entry else { return }
        if hasPrevious, !glyphs.isEmpty { glyphs[glyphs.count - 1].advance = font.metrics.spaceAdvance + entry.lead }
        shapeCache.copy(entry, base: word.lowerBound, into: &glyphs)
    }

    /// The glyphs that may change because of a space in the context of a lookup, for the default or requested features.
    private func sensitiveGlyphs(_ face: FontFace, _ chain: FontChain) -> SensitiveGlyphs {
        let id = ObjectIdentifier(face)
        if let known = chain.sensitiveGlyphs[id] { return known }
        var result = SensitiveGlyphs()
        let harfbuzz = libraries.harfbuzz.pointee
        let space = face.glyph(for: 0x20)
        let machines: [StaticString] = ["morx", "mort", "kerx", "Silf"]
        if space == 0 || machines.contains(where: face.hasTable) { result.isOpaque = true }
        if !result.isOpaque, let shapingFace = face.shapingFace {
            let defaults: [StaticString] = [
                "rvrn", "ccmp", "locl", "mark", "mkmk", "rlig", "calt", "clig", "curs", "kern", "liga", "rclt", "dist",
                "abvm", "blwm", "rand",
                "ltra", "ltrm",
            ]
            var features = defaults.map(openTypeTag) + chain.features.filter { $0.value != 0 }.map(\.tag)
            features.append(0)
            for (table, countsInput) in [(openTypeTag("GSUB"), true), (openTypeTag("GPOS"), false)] {
                guard let lookups = harfbuzz.setCreate(), let before = harfbuzz.setCreate(),
                    let input = harfbuzz.setCreate(),
                    let after = harfbuzz.setCreate(), let output = harfbuzz.setCreate()
                else { continue }
                defer { for set in [lookups, before, input, after, output] { harfbuzz.setDestroy(set) } }
                harfbuzz.collectLookups(shapingFace, table, nil, nil, features, lookups)
                var lookup = hb_codepoint_t.max
                while harfbuzz.setNext(lookups, &lookup) != 0 {
                    for set in [before, input, after, output] { harfbuzz.setClear(set) }
                    harfbuzz.lookupGlyphs(shapingFace, table, lookup, before, input, after, output)
                    let reacts =
                        harfbuzz.setHas(before, space) != 0 || harfbuzz.setHas(after, space) != 0
                        || (countsInput && harfbuzz.setHas(input, space) != 0)
                    guard reacts else { continue }
                    var glyph = hb_codepoint_t.max
                    while harfbuzz.setNext(input, &glyph) != 0 { result.glyphs.insert(glyph) }
                }
            }
            // Nearly every word would be shaped with its neighbours, so whole runs are cheaper.
            if result.glyphs.contains(face.glyph(for: 0x65)) || result.glyphs.contains(space) { result.isOpaque = true }
        }
        chain.sensitiveGlyphs[id] = result
        return result
    }
}
