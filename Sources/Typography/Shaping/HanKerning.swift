// `text-spacing-trim` (CSS Text 4 §8.4.3): full-width punctuation loses its blank half next to other punctuation, by the font's
// `halt` feature. `text-autospace`: spacing between ideographs and letters. In: an item's glyphs, shaped without regard to
// neighbouring punctuation so that they can be cached, and the text around. Out: narrower or wider advances.

import CFancyTextTextLibraries
import CFancyTextUnicode
import FancyTextBasics
import FancyTextCSS

/// Full-width punctuation by the side of its ink.
private enum HanPunctuation {
    case none, open, close, middle, space
    /// Brackets and quotation marks that are not full-width: they have no blank half.
    case narrowOpen, narrowClose

    /// Dots and colons are centred in Traditional Chinese, colons in Japanese; Chinese fonts have quotes as wide as ideographs.
    init(_ value: UInt32, language: String, hasWideQuotes: Bool) {
        switch value {
        case 0x3000: self = .space
        case 0x3008, 0x300A, 0x300C, 0x300E, 0x3010, 0x3014, 0x3016, 0x3018, 0x301A, 0x301D, 0xFF08, 0xFF3B, 0xFF5B,
            0xFF5F:
            self = .open
        case 0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0x3015, 0x3017, 0x3019, 0x301B, 0x301E, 0x301F, 0xFF09, 0xFF3D,
            0xFF5D, 0xFF60:
            self = .close
        case 0x3001, 0x3002, 0xFF0C, 0xFF0E:
            self = FontDatabase.region(of: language) == "TC" ? .middle : .close
        case 0x30FB: self = .middle
        case 0xFF1A, 0xFF1B:
            self = FontDatabase.region(of: language) == "SC" ? .close : .middle
        case 0x2018, 0x201C: self = hasWideQuotes ? .open : .narrowOpen
        case 0x2019, 0x201D: self = hasWideQuotes ? .close : .narrowClose
        // Kana, ideographs and Hangul.
        case 0x3040...0xDFFF: self = .none
        default:
            switch Unicode.Scalar(value)?.properties.generalCategory {
            case .openPunctuation: self = .narrowOpen
            case .closePunctuation: self = .narrowClose
            default: self = .none
            }
        }
    }
}

extension FontContext {
    /// Trims an item's punctuation next to other punctuation within `context`, and at the start of lines.
    func trimPunctuation(
        _ item: ShapingItem, _ font: FontInstance, context: Range<Int>, _ glyphs: inout [ShapedGlyph], from first: Int
    ) {
        let (text, chain) = (item.text, item.chain)
        let isAfterBreak = context.lowerBound > item.paragraph.lowerBound
        guard chain.trimsPunctuation, !item.isRightToLeft, font.canTrimPunctuation else { return }
        let (language, hasWideQuotes) = (chain.style.language, font.hasWideQuotes)
        func kind(_ value: UInt32) -> HanPunctuation {
            HanPunctuation(value, language: language, hasWideQuotes: hasWideQuotes)
        }
        for position in first..<glyphs.count {
            let start = Int(glyphs[position].cluster)
            // U+3000 to U+30FF begin with 0xE3, the full-width forms with 0xEF, quotation marks with 0xE2.
            guard start < item.range.upperBound,
                text[start] == 0xE3 || text[start] == 0xEF || text[start] == 0xE2 && hasWideQuotes
            else { continue }
            let (value, length) = scalar(in: text, at: start, end: item.range.upperBound)
            switch kind(value) {
            case .open where start == context.lowerBound:
                guard chain.trimsStart, isAfterBreak || chain.style.punctuationTrim == .start else { continue }
            case .open:
                if chain.trimsStart {
                    // It is shaped again at the start of a line.
                    glyphs[position].isUnsafeToBreak = true
                    _ = halfWidth(of: glyphs[position].id, item, font, text[start..<start + length])
                }
                let before = scalarStart(in: text, before: start, from: context.lowerBound)
                let previous = kind(scalar(in: text, at: before, end: start).value)
                guard previous != .none, previous != .narrowClose else { continue }
                glyphs[position].isUnsafeToBreak = true
            case .close:
                guard start + length < context.upperBound else { continue }
                let next = kind(scalar(in: text, at: start + length, end: context.upperBound).value)
                guard next != .none, next != .open, next != .narrowOpen else { continue }
                if position + 1 < glyphs.count { glyphs[position + 1].isUnsafeToBreak = true }
            case .none, .middle, .space, .narrowOpen, .narrowClose: continue
            }
            let change = halfWidth(of: glyphs[position].id, item, font, text[start..<start + length])
            glyphs[position].advance += change.advance
            glyphs[position].xOffset += change.offset
        }
    }

    /// Adds the spacing of `text-autospace` between ideographs and letters or numbers of an item and after it (CSS Text 4 §8.4.4).
    func spaceScripts(
        _ item: ShapingItem, _ font: FontInstance, context: Range<Int>, _ glyphs: inout [ShapedGlyph], from first: Int
    ) {
        let (text, spacing) = (item.text, item.chain.style.autospace)
        guard !spacing.isEmpty, !item.isRightToLeft, first < glyphs.count else { return }
        func isSpaced(at place: Int) -> Bool {
            let before = scalarStart(in: text, before: place, from: context.lowerBound)
            return spacing.isInserted(
                between: scalar(in: text, at: before, end: place).value,
                and: scalar(in: text, at: place, end: context.upperBound).value)
        }
        let start = item.range.lowerBound
        if start > context.lowerBound, isSpaced(at: start) { glyphs[first].isUnsafeToBreak = true }
        for position in first..<glyphs.count {
            let end = position + 1 < glyphs.count ? Int(glyphs[position + 1].cluster) : item.range.upperBound
            guard end > Int(glyphs[position].cluster), end < context.upperBound, isSpaced(at: end) else { continue }
            glyphs[position].advance += font.size / 8
            if position + 1 < glyphs.count { glyphs[position + 1].isUnsafeToBreak = true }
            glyphs[position].isUnsafeToBreak = true
        }
    }

    /// The width that an opening mark has at the start of a line in addition to that in the paragraph, in CSS pixels; else 0.
    package func addedWidth(atStartOf run: ShapedRun, _ glyph: ShapedGlyph) -> Float {
        let half = -(self[run.font].halfWidths[glyph.id]?.advance ?? 0)
        guard self[run.chain].trimsStart else { return half }
        // It is full in the paragraph, unless it follows other punctuation.
        return glyph.advance > half * 1.5 ? -half : 0
    }

    /// The effect of `halt` on the glyph of one character.
    private func halfWidth(
        of glyph: UInt32, _ item: ShapingItem, _ font: FontInstance, _ bytes: Slice<UTF8Bytes>
    ) -> FontInstance.GlyphChange {
        if let known = font.halfWidths[glyph] { return known }
        func place(_ features: [hb_feature_t]) -> FontInstance.GlyphChange {
            harfbuzz.bufferClear(buffer)
            UnsafeBufferPointer(rebasing: bytes).withMemoryRebound(to: CChar.self) {
                harfbuzz.bufferAddUTF8(buffer, $0.baseAddress, Int32($0.count), 0, Int32($0.count))
            }
            harfbuzz.bufferSetDirection(buffer, item.direction)
            harfbuzz.bufferSetScript(buffer, harfbuzz.scriptFromTag(unicode_script_tag(item.script)))
            harfbuzz.shape(font.shaper, buffer, features, UInt32(features.count))
            guard let positions = harfbuzz.bufferPositions(buffer, nil) else { return (0, 0) }
            let place = positions[0]
            return item.isUpright
                ? (Float(-place.y_advance) / 65536, Float(-place.y_offset) / 65536)
                : (Float(place.x_advance) / 65536, Float(place.x_offset) / 65536)
        }
        let (full, half) = (place([]), place([FontChain.feature(item.isUpright ? "vhal" : "halt", 1)]))
        let change = (advance: half.advance - full.advance, offset: half.offset - full.offset)
        font.halfWidths[glyph] = change
        return change
    }
}

extension Autospace {
    fileprivate func isInserted(between first: UInt32, and second: UInt32) -> Bool {
        if Self.isIdeograph(first) { return takes(second) }
        return Self.isIdeograph(second) && takes(first)
    }

    private static func isIdeograph(_ value: UInt32) -> Bool {
        switch value {
        case 0x3005, 0x3007, 0x3021...0x3029, 0x3041...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF, 0x31C0...0x31FF,
            0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
            true
        default: false
        }
    }

    private func takes(_ value: UInt32) -> Bool {
        // Hangul and full-width letters are as wide as ideographs.
        guard value < 0x1100 || 0x1E00..<0x2E80 ~= value, let properties = Unicode.Scalar(value)?.properties
        else { return false }
        switch properties.generalCategory {
        case .decimalNumber: return contains(.numbers)
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark:
            return contains(.letters)
        default: return false
        }
    }
}
