// Shaping for layout: glyph runs linked to the flat items of a prepared content, in arrays shared by the document.

import FancyTextBasics
import FancyTextCSS
import FancyTextTypography

extension InlineContents {
    func orientation(_ style: ComputedStyle) -> GlyphOrientation {
        guard metric.reordersText, style.hasCentralBaseline else { return .alongLine }
        if style.text.combineUpright == .all { return .combined }
        return style.text.orientation == .upright ? .upright : .mixed
    }

    /// The parts of a text in which short runs of digits are combined, with their orientations.
    private func orientedParts(_ item: FlatItem, _ info: InlineStyle, _ content: InlineContent) -> [(
        range: Range<Int>, orientation: GlyphOrientation
    )] {
        let range = Int(item.start)..<Int(item.end)
        guard info.orientation != .alongLine, case .digits(let most) = text.styles[item.style].text.combineUpright
        else { return [(range, info.orientation)] }
        func isDigit(_ offset: Int) -> Bool { (0x30...0x39).contains(inlineText[content.textStart + offset]) }
        var parts: [(range: Range<Int>, orientation: GlyphOrientation)] = []
        for run in range.runs({ isDigit($0) == isDigit($1) }) {
            let combines = isDigit(run.lowerBound) && (2...most).contains(run.count)
            if !combines, let last = parts.last, last.orientation == info.orientation {
                parts[parts.count - 1].range = last.range.lowerBound..<run.upperBound
            } else {
                parts.append((run, combines ? .combined : info.orientation))
            }
        }
        return parts
    }

    /// Shapes the whole content once. Adjacent texts of one font are shaped together, across the edges of inline boxes without
    /// width, so that kerning and ligatures continue across them.
    mutating func shapeContent(_ content: InlineContent) {
        spans.removeAll(keepingCapacity: true)
        var mayJoin = false
        for index in content.items {
            switch flat[index].kind {
            case .text:
                let info = inlineStyle(flat[index].style)
                if info.orientation != .alongLine {
                    for part in orientedParts(flat[index], info, content) {
                        spans.append(ShapingSpan(part.range, flat[index].style, info, part.orientation))
                    }
                    mayJoin = false
                    continue
                }
                let start = Int(flat[index].start)
                if mayJoin, let last = spans.last, last.font == info.chain, last.range.upperBound == start,
                    last.letterSpacing == info.letterSpacing, last.wordSpacing == info.wordSpacing
                {
                    spans[spans.count - 1].range = last.range.lowerBound..<Int(flat[index].end)
                } else {
                    spans.append(ShapingSpan(start..<Int(flat[index].end), flat[index].style, info))
                }
                mayJoin = true
            case .open, .close: if separates(flat[index]) { mayJoin = false }
            case .atomic, .newline, .tab: mayJoin = false
            case .float, .wordBreak: break
            }
        }
        let first = shaped.runs.count
        inlineText[content.textRange].withUnsafeBufferPointer { bytes in
            metric.shape(bytes, paragraph: 0..<content.textCount, spans: spans, levels: bidiRuns, into: &shaped)
        }
        linkRuns(content, from: first)
        widenInsideMarker(content)
    }

    /// Returns whether text before the edge of an inline box is shaped separately from text after it (CSS Text 3 §7.3): the edge
    /// has a width, or the box is moved from the baseline or isolated from its surroundings.
    private mutating func separates(_ edge: FlatItem) -> Bool {
        let info = inlineStyle(edge.style)
        let style = text.styles[edge.style]
        if style.box.unicodeBidi != .normal || info.verticalAlign != .baseline { return true }
        guard info.hasEdges else { return false }
        let isAtLeft = (edge.kind == .open) == (info.direction == .ltr)
        let side = isAtLeft ? 3 : 1
        return style.box.margin[clockwise: side] != .zero || style.box.hasFrame(onSide: side)
    }

    /// Sets the runs of each text item; a run that spans several items is divided at their edges.
    private mutating func linkRuns(_ content: InlineContent, from first: Int) {
        let source = Array(shaped.runs[first...])
        shaped.runs.removeSubrange(first...)
        var next = 0
        var current = source.first
        for index in content.items where flat[index].kind == .text {
            let start = Int(flat[index].start)
            let end = Int(flat[index].end)
            let lower = shaped.runs.count
            while let run = current, run.text.lowerBound < end {
                if run.text.upperBound > end {
                    let parts = divide(run, at: end)
                    shaped.runs.append(parts.head)
                    current = parts.tail
                    break
                }
                if run.text.upperBound > start { shaped.runs.append(run) }
                next += 1
                current = next < source.count ? source[next] : nil
            }
            flat[index].runs = Int32(clamping: lower)..<Int32(clamping: shaped.runs.count)
            if lower < shaped.runs.count { flat[index].level = shaped.runs[lower].level }
        }
    }

    /// Splits `whole` at byte `offset`; a cluster across it remains in the head.
    private func divide(_ whole: ShapedRun, at offset: Int) -> (head: ShapedRun, tail: ShapedRun) {
        var head = whole, tail = whole
        (head.text, tail.text) = (whole.text.lowerBound..<offset, offset..<whole.text.upperBound)
        let glyphs = whole.glyphs
        func isInTail(_ glyph: Int) -> Bool { Int(shaped.glyphs[glyph].cluster) >= offset }
        if whole.level & 1 == 0 {
            let cut = glyphs.first(where: isInTail) ?? glyphs.upperBound
            (head.glyphs, tail.glyphs) = (glyphs.lowerBound..<cut, cut..<glyphs.upperBound)
        } else {
            let cut = glyphs.last(where: isInTail).map { $0 + 1 } ?? glyphs.lowerBound
            (head.glyphs, tail.glyphs) = (cut..<glyphs.upperBound, glyphs.lowerBound..<cut)
        }
        return (head, tail)
    }

    /// The glyphs of the part of run `index` that is on a line. The part is given by its glyphs in logical order and by its text; it
    /// is shaped again where the line begins or ends at a place that changes glyphs.
    mutating func glyphsOnLine(
        _ index: Int, _ part: Range<Int>, _ range: Range<Int>, _ content: InlineContent, startsLine: Bool
    ) -> Range<Int> {
        let run = shaped.runs[index]
        let endsLine = part.upperBound < run.glyphs.count
        func isUnsafe(_ edge: Int) -> Bool { shaped.glyph(edge, of: run).isUnsafeToBreak }
        guard startsLine && isUnsafe(part.lowerBound) || endsLine && isUnsafe(part.upperBound)
        else { return run.glyphs(part) }
        let runCount = shaped.runs.count
        let first = shaped.glyphs.count
        inlineText[content.textRange].withUnsafeBufferPointer { bytes in
            metric.reshape(
                run, range: range, text: bytes, paragraph: 0..<content.textCount,
                line: (startsLine ? range.lowerBound : 0)..<(endsLine ? range.upperBound : content.textCount),
                into: &shaped)
        }
        shaped.runs.removeSubrange(runCount...)
        return first..<shaped.glyphs.count
    }

    func hangsAtLineEnd(_ position: Int) -> Bool { inlineText.withUnsafeBufferPointer { isHangingSpace($0, position) } }
}

extension ShapingSpan {
    init(_ range: Range<Int>, _ style: StyleID, _ info: InlineStyle, _ orientation: GlyphOrientation = .alongLine) {
        self.init(
            range: range, style: style, font: info.chain, letterSpacing: info.letterSpacing,
            wordSpacing: info.wordSpacing, orientation: orientation)
    }
}

extension ShapedText {
    /// The glyph at an index of a run in logical order.
    func glyph(_ logical: Int, of run: ShapedRun) -> ShapedGlyph {
        glyphs[run.level & 1 == 1 ? run.glyphs.upperBound - 1 - logical : run.glyphs.lowerBound + logical]
    }
}
