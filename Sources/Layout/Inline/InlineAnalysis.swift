// Finds the bidi runs of inline content (UAX #9), and for each byte whether a line may break before it.

import FancyTextCSS
import FancyTextTypography

extension InlineContents {
    /// Computes for each byte of the content whether a line may break before it.
    mutating func findBreaks(_ content: InlineContent) {
        breakSpans.removeAll(keepingCapacity: true)
        var at = 0
        var lastStyle: StyleID?
        for index in content.items {
            let item = flat[index]
            // Nil continues the last span.
            var options: LineBreakOptions?
            switch item.kind {
            case .text, .tab, .newline:
                if lastStyle != item.style { options = inlineStyle(item.style).breakOptions }
                lastStyle = item.style
            case .atomic:
                if breakSpans.isEmpty {
                    options = inlineStyle(content.style).breakOptions
                    options?.breaksAfterEverySpace = false
                }
            case .open, .close, .float, .wordBreak:
                at = Int(item.end)
                continue
            }
            if let options, breakSpans.last?.options != options {
                breakSpans.append(LineBreakSpan(range: at..<Int(item.end), options: options))
            } else {
                let last = breakSpans.count - 1
                breakSpans[last].range = breakSpans[last].range.lowerBound..<Int(item.end)
            }
            at = Int(item.end)
        }
        let rubies = content.hasAtomics ? flat[content.items].filter(isRuby) : []
        for item in rubies { replace(item, in: content) { (0xE3...0xF0).contains($0) ? "漢" : "Ḁ" } }
        inlineText[content.textRange].withUnsafeBufferPointer { bytes in
            context.lineBreaks.find(bytes, 0..<content.textCount, spans: breakSpans, into: &breakScratch)
        }
        for item in rubies { replace(item, in: content) { _ in "\u{FFFC}" } }
        for index in content.items where flat[index].kind == .text && inlineStyle(flat[index].style).hyphens == .auto {
            hyphenate(flat[index], content)
        }
        if content.hasAtomics { breakBesideAtomics(content) }
        breaks.append(contentsOf: breakScratch.prefix(content.textCount))
        breaks.append(contentsOf: repeatElement(0, count: content.textStart + content.textCount + 1 - breaks.count))
    }

    private func isRuby(_ item: FlatItem) -> Bool { item.kind == .atomic && text.boxes[item.box].kind == .ruby }

    /// Replaces the three bytes of ruby by the first byte of its base: lines break beside it as there (CSS Ruby 1 §3.5).
    private mutating func replace(_ ruby: FlatItem, in content: InlineContent, by character: (UInt8) -> String) {
        let (start, base) = (content.textStart + Int(ruby.start), text.text.dropFirst(Int(ruby.start) + ruby.delta))
        inlineText.replaceSubrange(start..<start + 3, with: character(base.first ?? 0).utf8)
    }

    /// Allows breaks beside atomic boxes, whatever the characters next to them, as in browsers (CSS Text 3 §5.1). White space stays
    /// on the line.
    private mutating func breakBesideAtomics(_ content: InlineContent) {
        for item in flat[content.items] where item.kind == .atomic && !isRuby(item) {
            let (start, end) = (Int(item.start), Int(item.end))
            if start > 0, breakScratch[start] == BreakFlag.none { breakScratch[start] = BreakFlag.soft }
            guard end < content.textCount, breakScratch[end] == BreakFlag.none else { continue }
            let next = inlineText[content.textStart + end..<content.textStart + content.textCount]
            let stays = next[next.startIndex] <= 0x20 || ["\u{AD}", "\u{200B}"].contains { next.starts(with: $0.utf8) }
            if !stays { breakScratch[end] = BreakFlag.soft }
        }
    }

    /// Adds the break opportunities within words by the patterns of the item's language (`hyphens: auto`).
    private mutating func hyphenate(_ item: FlatItem, _ content: InlineContent) {
        let language = text.styles[item.style].font.language
        guard !language.isEmpty else { return }
        if context.hyphenators[language] == nil {
            context.hyphenators[language] = .some(Hyphenator(language: language))
        }
        guard case .some(.some(let hyphenator)) = context.hyphenators[language] else { return }
        let range = Int(item.start)..<Int(item.end)
        var part = Array(breakScratch[range.lowerBound...range.upperBound])
        inlineText[content.textRange].withUnsafeBufferPointer { bytes in hyphenator.mark(bytes, range, into: &part) }
        guard part.count == range.count + 1 else { return }
        breakScratch.replaceSubrange(range, with: part[0..<range.count])
    }

    /// Resolves the levels of the whole content; paragraphs end at line feeds.
    mutating func resolveLevels(_ content: inout InlineContent) {
        bidiRuns.removeAll(keepingCapacity: true)
        var controls: [BidiControl] = []
        for item in flat[content.items] where item.kind == .open || item.kind == .close {
            appendControls(item.style, at: Int(item.start), isStart: item.kind == .open, &controls)
        }
        let base: BidiBase = content.isPlaintext ? .auto : content.baseLevel == 1 ? .rtl : .ltr
        var paragraphs: [Range<Int>] = []
        var start = 0
        for index in content.items where flat[index].kind == .newline {
            paragraphs.append(start..<Int(flat[index].end))
            start = Int(flat[index].end)
        }
        if start < content.textCount || paragraphs.isEmpty { paragraphs.append(start..<content.textCount) }
        var firstControl = 0
        let override: UInt32? = overridesBidi(content.style) ? (content.baseLevel == 1 ? 0x202E : 0x202D) : nil
        inlineText[content.textRange].withUnsafeBufferPointer { bytes in
            for paragraph in paragraphs {
                var lastControl = firstControl
                while lastControl < controls.count, controls[lastControl].offset <= paragraph.upperBound {
                    lastControl += 1
                }
                var inParagraph = Array(controls[firstControl..<lastControl])
                if let scalar = override {
                    inParagraph.insert(BidiControl(offset: paragraph.lowerBound, scalar: scalar), at: 0)
                }
                let result = BidiParagraph.resolve(bytes, paragraph, base: base, controls: inParagraph)
                bidiRuns.append(contentsOf: result.runs)
                firstControl = lastControl
            }
        }
        content.isBidi = bidiRuns.contains { $0.level != 0 }
        var run = 0
        for index in content.items where !bidiRuns.isEmpty {
            let offset = Int(flat[index].start)
            while run < bidiRuns.count - 1, bidiRuns[run].range.upperBound <= offset { run += 1 }
            flat[index].level = bidiRuns[run].level
        }
    }

    /// Returns whether `unicode-bidi` of the block overrides the direction of its text (CSS Writing Modes 4 §2.4.3).
    func overridesBidi(_ style: StyleID) -> Bool {
        let bidi = text.styles[style].box.unicodeBidi
        return bidi == .bidiOverride || bidi == .isolateOverride
    }

    /// Appends the formatting characters that represent the edge of an inline box (CSS Writing Modes 4 §2.4.2).
    private func appendControls(_ style: StyleID, at offset: Int, isStart: Bool, _ controls: inout [BidiControl]) {
        let computed = text.styles[style]
        let isRightToLeft = computed.text.direction == .rtl
        func add(_ scalar: UInt32) { controls.append(BidiControl(offset: offset, scalar: scalar)) }
        switch computed.box.unicodeBidi {
        case .normal: break
        case .embed: add(isStart ? (isRightToLeft ? 0x202B : 0x202A) : 0x202C)
        case .isolate: add(isStart ? (isRightToLeft ? 0x2067 : 0x2066) : 0x2069)
        case .bidiOverride: add(isStart ? (isRightToLeft ? 0x202E : 0x202D) : 0x202C)
        case .isolateOverride:
            add(isStart ? 0x2068 : 0x202C)
            add(isStart ? (isRightToLeft ? 0x202E : 0x202D) : 0x2069)
        case .plaintext: add(isStart ? 0x2068 : 0x2069)
        }
    }

    /// The base level of the paragraph at byte `offset`, with `plaintext` by its first strong character.
    func baseLevel(_ content: InlineContent, at offset: Int) -> UInt8 {
        guard content.isPlaintext else { return content.baseLevel }
        var end = offset
        while end < content.textCount, inlineText[content.textStart + end] != 0x0A { end += 1 }
        return inlineText[content.textRange].withUnsafeBufferPointer { bytes in
            BidiParagraph.resolve(bytes, offset..<end, base: .auto).baseLevel
        }
    }
}
